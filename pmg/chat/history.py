"""What is written of an answer, and a kept chat as it is shown again.

Knows: how quotes, citations and sources are kept beside a turn, and how they become bubbles.

Quotes are kept as references, never as copies: an answer that repeats a memory, its speaker or its title would be found in its place the
next time, and would outlive it when it is forgotten. Answers of earlier versions have a list of speakers and titles under their
first line; it stays where it is and is not shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from pmg.answer.evidence import Quote, QuoteKind, Tone
from pmg.base.model import Line, Role, Segment
from pmg.chat import citations
from pmg.chat.responder import ChatAnswer, Citation, CutOff, Unsupported, Used

if TYPE_CHECKING:
    from pmg.engine import Engine

USED, QUOTED, TONE, CITED, UNPROVEN = "used", "quoted", "tone", "cited", "unproven"  # of a turn's meta
CUT_OFF = "ended"  # … too: why an answer is not whole
CHECKED = "checked"  # in `cited`: the answer's citations were checked, even if it has none
_OLD_LIST = "\n– "  # what earlier versions wrote between an answer's first line and its sources


def stored_text(answer: ChatAnswer) -> str:
    """Our own words or the model's; what is quoted stays where it is."""
    return answer.text


def meta_of(answer: ChatAnswer) -> dict[str, str]:
    used = " ".join(f"{one.segment}/{one.role.replace(' ', '-')}" for one in answer.used)
    quoted = " ".join(f"{q.segment}/{q.line}/{q.start}/{q.end}/{q.kind.value}" for q in answer.quotes if q.segment)
    cited = " ".join([*([CHECKED] if answer.checked else []), *(f"{c.number}/{c.segment}" for c in answer.citations)])
    tone = answer.tone.value if answer.tone else ""
    # Places only, never words. The length tells whether they still fit: a secret in the answer is taken out when it is kept.
    places = " ".join([str(len(answer.text)), *(f"{one.start}-{one.end}" for one in answer.unproven)])
    rows = (
        (USED, used),
        (QUOTED, quoted),
        (CITED, cited),
        (TONE, tone),
        (UNPROVEN, places if answer.unproven else ""),
        (CUT_OFF, answer.cut_off.value if answer.cut_off else ""),
    )
    return {key: value for key, value in rows if value}


@dataclass(frozen=True, slots=True)
class ChatBubble:
    """One bubble. Quotes whose memory is gone are counted in `gone`; `unsupported` are the parts of a model's answer that cite
    nothing, or stand in nothing it was shown."""

    speaker: str
    role: Role
    text: str
    at: datetime
    segment: str = ""
    quotes: tuple[Quote, ...] = ()
    used: tuple[Used, ...] = ()
    gone: int = 0
    tone: Tone | None = None
    citations: tuple[Citation, ...] = ()
    unsupported: tuple[Unsupported, ...] = ()
    cut_off: CutOff | None = None


def answer_bubble(answer: ChatAnswer, at: datetime) -> ChatBubble:
    """An answer as it is shown, new or kept."""
    loose = citations.unsupported(answer.text, answer.citations) if answer.checked else ()
    loose = (*loose, *answer.unproven)
    return ChatBubble(
        "Assistant",
        Role.ASSISTANT,
        answer.text,
        at,
        quotes=answer.quotes,
        used=answer.used,
        tone=answer.tone,
        citations=answer.citations,
        unsupported=_outermost(loose),
        cut_off=answer.cut_off,
    )


def _outermost(parts: Sequence[Unsupported]) -> tuple[Unsupported, ...]:
    """In the order of the text; of a part inside another nothing more is told."""
    found: list[Unsupported] = []
    for one in sorted(set(parts), key=lambda part: (part.start, -part.end)):
        if not found or one.end > found[-1].end:
            found.append(one)
    return tuple(found)


def messages_of(engine: Engine, segments: Sequence[Segment]) -> list[ChatBubble]:
    sources = _sources(engine, segments)
    return [message for segment in segments for message in _messages(segment, sources)]


def quoted_in(segment: Segment) -> tuple[str, ...]:
    """The memories that an answer quoted, by their ids, each once."""
    return tuple(dict.fromkeys(row.segment for row in _references(segment)))


def first_quotes(engine: Engine, segments: Sequence[Segment]) -> tuple[str, ...]:
    """Row for row, what the answer of a turn quoted first, as it reads now; "" where it quoted nothing."""
    sources = _sources(engine, segments)
    quotes = [[one for one in _quotes(segment, sources)[0] if one.kind is QuoteKind.ANSWER] for segment in segments]
    return tuple(some[0].text if some else "" for some in quotes)


def _messages(segment: Segment, sources: dict[str, Segment]) -> Iterator[ChatBubble]:
    quotes, gone = _quotes(segment, sources)
    used = tuple(Used(name, role.replace("-", " ")) for name, role in _pairs(segment) if name in sources)
    for line in segment.lines:
        if line.role is not Role.ASSISTANT:
            yield ChatBubble(line.speaker, line.role, line.text, segment.at, segment.id)
            if segment.lines[-1] is line and _cut_off(segment):
                yield ChatBubble("Assistant", Role.ASSISTANT, "", segment.at, segment.id, cut_off=_cut_off(segment))
            continue
        text = line.text.partition(_OLD_LIST)[0] if quotes or gone else line.text
        checked = CHECKED in segment.meta.get(CITED, "").split()
        cited, loose = _citations(segment, sources), _unproven(segment, text)
        answer = ChatAnswer(text, quotes, used, _tone(segment), cited, checked, loose, _cut_off(segment))
        yield replace(answer_bubble(answer, segment.at), speaker=line.speaker, segment=segment.id, gone=gone)


def _tone(segment: Segment) -> Tone | None:
    kept = segment.meta.get(TONE, "")
    return Tone(kept) if kept in tuple(Tone) else None


def _cut_off(segment: Segment) -> CutOff | None:
    kept = segment.meta.get(CUT_OFF, "")
    return CutOff(kept) if kept in tuple(CutOff) else None


def _unproven(segment: Segment, text: str) -> tuple[Unsupported, ...]:
    """The places as they were kept; the whole where they do not fit the text any more."""
    length, *places = segment.meta.get(UNPROVEN, "").split() or [""]
    if length != str(len(text)):
        return (Unsupported(0, len(text)),) if places else ()
    return tuple(Unsupported(int(start), int(end)) for start, _, end in (place.partition("-") for place in places))


def _pairs(segment: Segment) -> list[tuple[str, str]]:
    rows = [entry.rpartition("/") for entry in segment.meta.get(USED, "").split()]
    return [(name, role) for name, _, role in rows if name]


def _citations(segment: Segment, sources: dict[str, Segment]) -> tuple[Citation, ...]:
    """A cited memory that is gone since is no longer known."""
    rows = [entry.partition("/") for entry in segment.meta.get(CITED, "").split()]
    return tuple(Citation(int(n), name if name in sources else "") for n, _, name in rows if n.isdecimal())


@dataclass(frozen=True, slots=True)
class QuoteReference:
    segment: str
    line: int
    start: int
    end: int
    kind: QuoteKind


def _references(segment: Segment) -> list[QuoteReference]:
    """Earlier versions wrote no kind, or others."""
    rows = [entry.split("/") for entry in segment.meta.get(QUOTED, "").split()]
    return [
        QuoteReference(row[0], int(row[1]), int(row[2]), int(row[3]), _kind(row[4:]))
        for row in rows
        if len(row) in (4, 5) and all(part.isdecimal() for part in row[1:4])
    ]


def _kind(written: Sequence[str]) -> QuoteKind:
    """Of one that is not known any more, an answer as others."""
    return QuoteKind(written[0]) if written and written[0] in tuple(QuoteKind) else QuoteKind.ANSWER


def _sources(engine: Engine, segments: Sequence[Segment]) -> dict[str, Segment]:
    """The memories that the answers of these turns rest on, if they are still there and in the same namespace."""
    wanted = {name for s in segments for name in (*(n for n, _ in _pairs(s)), *quoted_in(s))}
    wanted |= {entry.partition("/")[2] for s in segments for entry in s.meta.get(CITED, "").split()} - {""}
    numbers = engine.reads.numbers_of(sorted(wanted))
    spaces = {segment.namespace for segment in segments}
    return {s.id: s for s in engine.reads.segments(sorted(numbers.values())) if s.namespace in spaces}


def _quotes(segment: Segment, sources: dict[str, Segment]) -> tuple[tuple[Quote, ...], int]:
    found, gone = [], 0
    for row in _references(segment):
        source = sources.get(row.segment)
        if source is None or row.line >= len(source.lines) or not source.lines[row.line].text[row.start : row.end]:
            gone += 1
            continue
        line: Line = source.lines[row.line]
        text = line.text[row.start : row.end]
        found.append(
            Quote(
                row.segment, row.line, row.start, row.end, text, line.speaker, source.at, source.session_name, row.kind
            )
        )
    return tuple(found), gone
