"""Takes secrets out of texts and puts a typed mark in place of each.

Where secrets stand is found by scan.py. Here: findings that overlap become one, what is exempt stays, marks are written,
and a value found once is taken out wherever else it stands (known.py). Results hold counts, never a secret; what a redactor
that was asked to keep takes out is in sealed boxes (pmg/store/seal.py).
"""

from __future__ import annotations

import copy
import logging
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from pmg.base.errors import ConfigError
from pmg.base.patterns import Pattern, compile_linear, literal
from pmg.base.text import redaction_mark
from pmg.ingest.redact.draft import Draft, closed, encoded, placed
from pmg.ingest.redact.known import KnownValues
from pmg.ingest.redact.marks import (
    Secret,
    all_spans,
    before_marks,
    kept_places,
    outside,
    spliced,
)
from pmg.ingest.redact.rule import ExtraRule, Rule, Span
from pmg.ingest.redact.scan import Finding, ScanFindings, Scanner
from pmg.ingest.redact.table import DEFAULT_RULES
from pmg.store.seal import SecretBox
from pmg.store.sealed import SealedText

log = logging.getLogger(__name__)

# Pictures and the like written into the text: whatever a rule sees in them is chance.
_DATA_URI = compile_linear(
    r"(?i)data:[a-z0-9.+-]+/[a-z0-9.+-]+(?:;[a-z0-9=._-]+)*;base64,[A-Za-z0-9+/=_-]+", "data URI"
)
_NAME = re.compile(r"[^\W_][\w .+-]{0,59}")
UNCHECKED = "unchecked text"  # the kind of what a failed rule left unjudged
# Marks change what stands beside them, so a text is scanned again until nothing more is found.
_MAX_ROUNDS = 6
_MAX_CACHED_SIZE, _MAX_CACHED_TEXTS = 32, 2048  # characters of a text that is remembered as harmless, and how many are
_NOTHING: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Redacted:
    """The text as it may be kept, how many secrets of each kind were taken out of it, and which rules failed on it.

    Where a rule failed, the rest of that line is taken out as `unchecked text`: nothing passes that was not looked at.
    """

    text: str
    counts: Mapping[str, int] = field(default_factory=dict)
    failed: tuple[str, ...] = ()
    sealed: tuple[SealedText, ...] = ()  # what was taken out, in order, where the redactor keeps it


class Redactor:
    """Built once from rules and the person's wishes; threads may share it."""

    def __init__(
        self,
        rules: Sequence[Rule] = DEFAULT_RULES,
        off: Collection[str] = (),
        allow: Sequence[str] = (),
        extra: Sequence[ExtraRule] = (),
    ) -> None:
        _check_off(off, {rule.name for rule in rules} | {name for name, _ in extra})
        own = [_own_rule(name, pattern) for name, pattern in extra if name not in off]
        table = own + [rule for rule in rules if rule.name not in off]
        self._names = [rule.name for rule in table]
        self._scanner = Scanner(table)
        self._exempt = (_DATA_URI, *_allowed(allow))
        # Names and titles come again and again; what held a secret is never among them.
        self._harmless: set[str] = set()
        self._box: SecretBox | None = None

    def sealing(self, box: SecretBox) -> Redactor:
        """The same rules; what they take out is in the results, sealed."""
        other = copy.copy(self)
        other._box = box
        return other

    def redact(self, text: str, known: KnownValues | None = None, spared: Sequence[str] = ()) -> Redacted:
        """The text without secrets. `known` are the values of its session so far; what is found here is added.

        `spared` are pieces of this text that a person has put back: they stay.
        """
        if not known and len(text) <= _MAX_CACHED_SIZE and text in self._harmless:
            return Redacted(text, _NOTHING)
        try:
            pieces = [encoded(piece)[1] for piece in spared]
            result = self._redact(text, KnownValues() if known is None else known, pieces)
        except Exception as problem:  # whatever it was: a text that cannot be checked does not pass
            log.warning("redaction failed on a text: %s", type(problem).__name__)
            return Redacted(redaction_mark(UNCHECKED), {UNCHECKED: 1}, ("redaction",))
        if result.text is text and len(text) <= _MAX_CACHED_SIZE and not known and not spared:
            if len(self._harmless) >= _MAX_CACHED_TEXTS:
                self._harmless.clear()
            self._harmless.add(text)
        return result

    def redact_together(self, texts: Sequence[str], known: KnownValues | None = None) -> list[Redacted]:
        """Texts of one turn or session: a value found in any of them is taken out of all, earlier ones too."""
        values = KnownValues() if known is None else known
        first = [self.redact(text, values) for text in texts]
        return [self._without(result, values) for result in first] if values else first

    def _without(self, result: Redacted, values: KnownValues) -> Redacted:
        raw = result.text.encode("utf-8", "surrogatepass")
        secrets = self._kept(raw, values.occurrences(raw))
        if not secrets:
            return result
        counts = Counter(result.counts)
        counts.update(kind for _, _, kind in secrets)
        whole = spliced(raw, secrets)
        text, sealed = whole.decode("utf-8", "surrogatepass"), result.sealed
        if self._box is not None:
            kept = [(len(result.text[: one.place].encode("utf-8", "surrogatepass")), one) for one in sealed]
            new = [closed(self._box, raw[start:end], kind) for start, end, kind in secrets]
            sealed = placed(whole, kept_places(kept, secrets, new))
        return Redacted(text, dict(sorted(counts.items())), result.failed, sealed)

    def _redact(self, text: str, values: KnownValues, spared: Sequence[bytes]) -> Redacted:
        raw, seen = encoded(text)
        scanned = self._scanner.find(seen)
        if not scanned.findings and not values:
            return Redacted(text, _NOTHING)
        draft, failed = Draft(raw, seen, self._box), set[str]()
        for _ in range(_MAX_ROUNDS):
            failed.update(self._names[order] for order in scanned.failed)
            draft.begin_round(scanned.places)
            # First what the rules found, then where else such values stand in what is left.
            draft.write(self._found(draft.seen, scanned, values, spared))
            draft.write(self._kept(draft.seen, values.occurrences(draft.seen), spared) if values else ())
            if not draft.marked:
                break
            scanned = self._scanner.find(draft.seen, draft.near, draft.places)
            if not scanned.findings:
                break
        if not draft.counts:
            return Redacted(text, _NOTHING)
        return Redacted(draft.text, dict(sorted(draft.counts.items())), tuple(sorted(failed)), draft.sealed)

    def _found(
        self, seen: bytes, scanned: ScanFindings, values: KnownValues, spared: Sequence[bytes]
    ) -> Sequence[Secret]:
        """What the rules found; it is known from now on."""
        names, unchecked = self._names, set(scanned.failed)
        named = [(a, b, UNCHECKED if order in unchecked else names[order]) for a, b, order in _merged(scanned.findings)]
        found = self._kept(seen, named, spared)
        for start, end, kind in found:
            if values.is_full:
                break
            if kind != UNCHECKED:
                values.add(seen[start:end], kind)
        return found

    def _kept(self, seen: bytes, secrets: Sequence[Secret], spared: Sequence[bytes] = ()) -> Sequence[Secret]:
        if not secrets:
            return secrets
        exempt = [span for pattern in self._exempt for span in all_spans(pattern, seen)]
        exempt = sorted([*exempt, *(span for piece in spared for span in _occurrences(piece, seen))])
        return before_marks(outside(secrets, exempt) if exempt else secrets, seen)


def _occurrences(piece: bytes, data: bytes) -> Iterator[Span]:
    start = data.find(piece)
    while start >= 0 and piece:
        yield start, start + len(piece)
        start = data.find(piece, start + len(piece))


def _merged(found: list[Finding]) -> list[Finding]:
    """Findings that overlap become one that covers them all, named by the rule that comes first in the table."""
    out: list[Finding] = []
    reach = -1
    for start, end, order in sorted(found):
        if start < reach:
            begin, last, before = out[-1]
            reach = max(last, end)
            out[-1] = (begin, reach, min(before, order))
        else:
            out.append((start, end, order))
            reach = end
    return out


def _own_rule(name: str, pattern: str) -> Rule:
    if _NAME.fullmatch(name) is None:
        raise ConfigError(f"redaction rule name {name!r}: use letters, digits, spaces and . + - only, 60 at most")
    compile_linear(pattern, f"your redaction rule {name!r}")
    return Rule(name, pattern, (), (), is_everywhere=True, is_local=False)


def _check_off(off: Collection[str], known: set[str]) -> None:
    if isinstance(off, str):
        raise ConfigError(f"redaction kinds to switch off: {off!r} is one text; give a list, such as [{off!r}]")
    unknown = sorted(set(off) - known)
    if unknown:
        raise ConfigError(f"unknown redaction kind {unknown[0]!r}; the kinds are: {', '.join(sorted(known))}")


def _allowed(allow: Sequence[str]) -> list[Pattern]:
    """Each entry counts both as literal text and as a pattern, so that neither needs a special spelling."""
    if isinstance(allow, str):
        raise ConfigError(f"redaction allow-list: {allow!r} is one text; give a list, such as [{allow!r}]")
    if "" in allow:
        raise ConfigError("redaction allow-list: an entry is empty; remove it or write what must never be redacted")
    patterns = [compile_linear(entry, "redaction allow-list") for entry in allow]
    return patterns + [compile_linear(literal(entry), "redaction allow-list") for entry in allow]
