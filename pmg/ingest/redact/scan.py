"""Finds secrets in a text and puts a typed mark in place of each.

Knows: how rules are run over a text, how findings that overlap become one, what is exempt, how marks are written.
Does not know: what any secret looks like, where the text comes from or goes to. Values are never kept, only counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType

from pmg.errors import ConfigError
from pmg.ingest.redact.linear import Pattern, compile_linear, literal
from pmg.ingest.redact.rule import ExtraRule, Judge, Rule, Span, first_group
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
_BLOCK = 1024
_NOTHING: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Redacted:
    """The text as it may be kept, and how many secrets of each kind were taken out of it."""

    text: str
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Finding:
    start: int
    end: int
    order: int  # place of the rule in the table: the more telling kind names an overlap


@dataclass(frozen=True, slots=True)
class _Ready:
    name: str
    pattern: Pattern
    groups: int
    gate: Pattern
    hint: Pattern | None  # any needle of any rule behind the same gate
    needles: tuple[bytes, ...]
    judge: Judge | None


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
        own = [_ready_extra(name, pattern) for name, pattern in extra if name not in off]
        table = [rule for rule in rules if rule.name not in off]
        gates = {gate: compile_linear(gate, "redaction gate", captures=False) for gate in map(_gate_of, table)}
        hints = {gate: _hint(rule for rule in table if _gate_of(rule) == gate) for gate in gates}
        self._rules = tuple(own + [_ready(rule, gates[_gate_of(rule)], hints[_gate_of(rule)]) for rule in table])
        self._gates = tuple([rule.pattern for rule in own] + ([_gate(gates)] if gates else []))
        self._exempt = (_DATA_URI, *_allowed(allow))

    def redact(self, text: str) -> Redacted:
        raw, seen = _encoded(text)
        if not self._is_open(seen):
            return Redacted(text, _NOTHING)
        counts: Counter[str] = Counter()
        for _ in range(_ROUNDS):
            findings = self._find(seen)
            if not findings:
                break
            marks = [self._rules[finding.order].name for finding in findings]
            counts.update(marks)
            raw, seen = _spliced(raw, findings, marks), _spliced(seen, findings, marks)
        if not counts:
            return Redacted(text, _NOTHING)
        return Redacted(raw.decode("utf-8", "surrogatepass"), dict(sorted(counts.items())))

    def _find(self, seen: bytes) -> list[_Finding]:
        found = [
            _Finding(offset + start, offset + end, order)
            for offset, region in self._regions(seen)
            for order in self._worth_trying(region)
            for start, end in _spans(self._rules[order], region)
        ]
        if not found:
            return found
        found = _merged(found)
        exempt = [span for pattern in self._exempt for span in _all(pattern, seen)]
        kept = _outside(found, sorted(exempt)) if exempt else found
        return _before_marks(kept, list(_all(_MARK, seen))) if b"[redacted: " in seen else kept

    def _is_open(self, seen: bytes) -> bool:
        return any(gate.search(seen) is not None for gate in self._gates)

    def _regions(self, seen: bytes) -> Iterator[tuple[int, bytes]]:
        """The parts of a long text that a gate is open for, each with a block of lines around it for context."""
        blocks = _blocks(seen)
        if len(blocks) < 4:
            yield 0, seen
            return
        near = [self._is_open(seen[start:end]) for start, end in blocks]
        wanted = [any(near[max(0, at - 1) : at + 2]) for at in range(len(blocks))]
        for is_wanted, run in groupby(zip(wanted, blocks, strict=True), key=itemgetter(0)):
            spans = [block for _, block in run]
            if is_wanted:
                yield spans[0][0], seen[spans[0][0] : spans[-1][1]]

    def _worth_trying(self, seen: bytes) -> Iterator[int]:
        """The rules whose gate and needles are in the text; rules with the same gate share one look."""
        folded = seen.decode("utf-8").lower().encode("utf-8", "replace")
        looked: dict[int, bool] = {}
        for order, rule in enumerate(self._rules):
            passed = _seen_once(rule.gate, seen, looked) and (rule.hint is None or _seen_once(rule.hint, seen, looked))
            if passed and (not rule.needles or any(needle in folded for needle in rule.needles)):
                yield order


def _seen_once(pattern: Pattern, seen: bytes, looked: dict[int, bool]) -> bool:
    key = id(pattern)
    if key not in looked:
        looked[key] = pattern.search(seen) is not None
    return looked[key]


def _blocks(seen: bytes) -> list[Span]:
    """Runs of whole lines, about a kilobyte each: no secret but a key block is longer than two of them."""
    blocks, start = [], 0
    while start < len(seen):
        end = seen.find(b"\n", start + _BLOCK) + 1 or len(seen)
        blocks.append((start, end))
        start = end
    return blocks


def _encoded(text: str) -> tuple[bytes, bytes]:
    """The bytes to cut and the bytes to look at: the same, save that lone surrogates, which are not
    valid UTF-8 and would stop a pattern, are seen as U+FFFD. Both take three bytes, so offsets agree."""
    try:
        raw = text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass"), _SURROGATE.sub("\ufffd", text).encode("utf-8")
    return raw, raw


def _spans(rule: _Ready, data: bytes) -> Iterator[Span]:
    position = 0
    while (match := rule.pattern.search(data, position)) is not None:
        spans = rule.judge(data, match) if rule.judge else (first_group(match, rule.groups),)
        end = match.end()
        for start, stop in spans:
            if stop > start:
                yield start, stop
                end = max(end, stop)
        position = end if end > position else position + 1
        if position > len(data):
            return


def _all(pattern: Pattern, data: bytes) -> Iterator[Span]:
    position = 0
    while position <= len(data) and (match := pattern.search(data, position)) is not None:
        yield match.span()
        position = match.end() if match.end() > position else position + 1


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


def _gate_of(rule: Rule) -> str:
    return rule.gate or rule.pattern


def _gate(gates: Iterable[str]) -> Pattern:
    """One pattern that every text worth a closer look matches: most texts cost a single pass over it."""
    return compile_linear("|".join(f"(?:{gate})" for gate in gates), "redaction rules", captures=False)


def _hint(rules: Iterable[Rule]) -> Pattern | None:
    needles = sorted({needle for rule in rules for needle in rule.needles})
    return (
        compile_linear(f"(?i){'|'.join(map(literal, needles))}", "redaction needles", captures=False)
        if needles
        else None
    )


def _ready(rule: Rule, gate: Pattern, hint: Pattern | None) -> _Ready:
    pattern = compile_linear(rule.pattern, f"redaction rule {rule.name!r}")
    needles = tuple(needle.encode() for needle in rule.needles)
    return _Ready(rule.name, pattern, pattern.groups, gate, hint if needles else None, needles, rule.judge)


def _ready_extra(name: str, pattern: str) -> _Ready:
    if _NAME.fullmatch(name) is None:
        raise ConfigError(f"redaction rule name {name!r}: use letters, digits, spaces and . + - only, 60 at most")
    compiled = compile_linear(pattern, f"your redaction rule {name!r}")
    return _Ready(name, compiled, compiled.groups, compiled, None, (), None)


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
