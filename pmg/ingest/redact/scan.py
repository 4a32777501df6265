"""Finds secrets in a text and puts a typed mark in place of each.

Knows: how rules are run over the parts of a text that doors.py opens for them, how findings that overlap become one, what is exempt, how marks are written.
Does not know: what any secret looks like, where the text comes from or goes to. Secrets are never kept, only counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from pmg.errors import ConfigError
from pmg.ingest.redact.doors import Doors
from pmg.ingest.redact.linear import Pattern, compile_linear, literal
from pmg.ingest.redact.rule import AFTER, BEFORE, ExtraRule, Judge, Rule, Span, first_group
from pmg.ingest.redact.table import DEFAULT_RULES

_MARK = compile_linear(r"\[redacted: [^\[\]\r\n]{1,80}\]", "redaction mark")
# Pictures and the like written into the text: whatever a rule sees in them is chance.
_DATA_URI = compile_linear(
    r"(?i)data:[a-z0-9.+-]+/[a-z0-9.+-]+(?:;[a-z0-9=._-]+)*;base64,[A-Za-z0-9+/=_-]+", "data URI"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_NAME = re.compile(r"[^\W_][\w .+-]{0,59}")
# Marks change what stands beside them, so a text is scanned again until nothing more is found.
_ROUNDS = 6
_VERDICTS = 2048
_SHORT, _REMEMBERED = 32, 2048  # characters of a text that is remembered as harmless, and how many are
_NOTHING: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Redacted:
    """The text as it may be kept, and how many secrets of each kind were taken out of it."""

    text: str
    counts: Mapping[str, int] = field(default_factory=dict)


class _Finding(NamedTuple):
    start: int
    end: int
    order: int  # place of the rule in the table: the more telling kind names an overlap


@dataclass(frozen=True, slots=True)
class _Ready:
    name: str
    finder: Pattern  # the pattern without its groups: most of what it finds has been judged before
    pattern: Pattern
    judge: Judge | None
    is_local: bool


class Redactor:
    """Built once from rules and the person's wishes; `redact` is then pure and may be shared between threads."""

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
        self._rules = tuple(map(_ready, table))
        self._doors = Doors(table)
        self._exempt = (_DATA_URI, *_allowed(allow))
        self._harmless: set[str] = (
            set()
        )  # names and titles come again and again; what held a secret is never among them

    def redact(self, text: str) -> Redacted:
        if len(text) <= _SHORT and text in self._harmless:
            return Redacted(text, _NOTHING)
        raw, seen = _encoded(text)
        findings = self._find(seen)
        if findings:
            return self._marked(raw, seen, findings)
        if len(text) <= _SHORT:
            if len(self._harmless) >= _REMEMBERED:
                self._harmless.clear()
            self._harmless.add(text)
        return Redacted(text, _NOTHING)

    def _marked(self, raw: bytes, seen: bytes, findings: list[_Finding]) -> Redacted:
        counts: Counter[str] = Counter()
        for _ in range(_ROUNDS):
            marks = [self._rules[finding.order].name for finding in findings]
            counts.update(marks)
            if raw is seen:
                raw = seen = _spliced(seen, findings, marks)
            else:
                raw, seen = _spliced(raw, findings, marks), _spliced(seen, findings, marks)
            findings = self._find(seen)
            if not findings:
                break
        return Redacted(raw.decode("utf-8", "surrogatepass"), dict(sorted(counts.items())))

    def _find(self, seen: bytes) -> list[_Finding]:
        found = [
            _Finding(start, end, order)
            for order, regions in self._doors.open_in(seen)
            for start, end in _spans(self._rules[order], seen, regions)
        ]
        if not found:
            return found
        found = _merged(found)
        exempt = [span for pattern in self._exempt for span in _all(pattern, seen)]
        kept = _outside(found, sorted(exempt)) if exempt else found
        return _before_marks(kept, list(_all(_MARK, seen))) if b"[redacted: " in seen else kept


def _encoded(text: str) -> tuple[bytes, bytes]:
    """The bytes to cut and the bytes to look at: the same, save that lone surrogates, which are not
    valid UTF-8 and would stop a pattern, are seen as U+FFFD. Both take three bytes, so offsets agree."""
    try:
        raw = text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass"), _SURROGATE.sub("\ufffd", text).encode("utf-8")
    return raw, raw


def _spans(rule: _Ready, data: bytes, regions: Iterable[Span]) -> Iterator[Span]:
    """The secrets that a rule finds in the regions. A text may repeat itself a million times: the same surroundings
    get the same verdict, so each is judged once."""
    verdicts: dict[tuple[int, int, bytes], Sequence[Span]] = {}
    for region, stop in regions:
        position = region
        while position <= stop and (span := rule.finder.find(data, position, stop)) is not None:
            start, end = span
            low = max(0, start - BEFORE)
            key = (start - low, end - start, data[low : end + AFTER])
            shifts = verdicts.get(key)
            if shifts is None:
                shifts = tuple((a - start, b - start) for a, b in _judged(rule, data, start, stop) if b > a)
                if len(verdicts) >= _VERDICTS:
                    verdicts.clear()
                if rule.is_local:
                    verdicts[key] = shifts
            for first, last in shifts:
                yield start + first, start + last
                end = max(end, start + last)
            position = end if end > position else position + 1


def _judged(rule: _Ready, data: bytes, start: int, stop: int) -> Sequence[Span]:
    match = rule.pattern.match(data, start, stop)
    if match is None:
        return ()
    return rule.judge(data, match) if rule.judge else (first_group(match, rule.pattern.groups),)


def _all(pattern: Pattern, data: bytes) -> Iterator[Span]:
    position, stop = 0, len(data)
    while position <= stop and (span := pattern.find(data, position, stop)) is not None:
        yield span
        position = span[1] if span[1] > position else position + 1


def _merged(found: list[_Finding]) -> list[_Finding]:
    """Findings that overlap become one that covers them all, named by the rule that comes first in the table."""
    found.sort(key=lambda finding: (finding.start, finding.order, finding.end))
    out = [found[0]]
    for finding in found[1:]:
        last = out[-1]
        if finding.start < last.end:
            out[-1] = _Finding(last.start, max(last.end, finding.end), min(last.order, finding.order))
        else:
            out.append(finding)
    return out


def _outside(found: Iterable[_Finding], exempt: list[Span]) -> list[_Finding]:
    """Without the findings that lie wholly inside an exempt span. Both lists are in order of their starts."""
    out, reach, index = [], -1, 0
    for finding in found:
        while index < len(exempt) and exempt[index][0] <= finding.start:
            reach = max(reach, exempt[index][1])
            index += 1
        if finding.end > reach:
            out.append(finding)
    return out


def _before_marks(found: Iterable[_Finding], marks: list[Span]) -> list[_Finding]:
    """Cut each finding off where a mark begins: what is already redacted is never touched again."""
    out, index = [], 0
    for finding in found:
        while index < len(marks) and marks[index][1] <= finding.start:
            index += 1
        end = min(finding.end, marks[index][0]) if index < len(marks) else finding.end
        if end > finding.start:
            out.append(_Finding(finding.start, end, finding.order))
    return out


def _spliced(data: bytes, findings: Sequence[_Finding], names: Sequence[str]) -> bytes:
    pieces, position = [], 0
    for finding, name in zip(findings, names, strict=True):
        pieces += [data[position : finding.start], f"[redacted: {name}]".encode()]
        position = finding.end
    return b"".join([*pieces, data[position:]])


def _ready(rule: Rule) -> _Ready:
    told = f"redaction rule {rule.name!r}"
    finder = compile_linear(rule.pattern, told, captures=False)
    return _Ready(rule.name, finder, compile_linear(rule.pattern, told), rule.judge, rule.is_local)


def _own_rule(name: str, pattern: str) -> Rule:
    if _NAME.fullmatch(name) is None:
        raise ConfigError(f"redaction rule name {name!r}: use letters, digits, spaces and . + - only, 60 at most")
    compile_linear(pattern, f"your redaction rule {name!r}")
    return Rule(name, pattern, (), (), is_everywhere=True)


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
