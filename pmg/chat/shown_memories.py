"""The memories that a language model is shown, each with the number by which it is cited.

Knows: recall's block and its headings, and a second block for what the search for an answer found that does not stand in the first. A block reads and is
fenced as in recall/assemble.py and recall/fence.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pmg.answer.evidence import Quote
from pmg.base.times import shown
from pmg.chat.responder import ChatRequest, Used
from pmg.recall.assemble import BETWEEN, SPEAKER, TITLE, WARNING, label
from pmg.recall.fence import any_order, fence_of, frame
from pmg.recall.receipt import Recalled

THIS_CHAT = "this chat"


@dataclass(frozen=True, slots=True)
class ShownMemories:
    """`text` is all that a model reads; `sources` are the segments under each number, `found` the numbers of what was found, in its order."""

    text: str = ""
    sources: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    found: tuple[int, ...] = ()


def shown_memories(ask: ChatRequest) -> ShownMemories:
    if ask.recalled is None:
        return ShownMemories()
    recalled, quotes = ask.recalled, [quote for quote in ask.found if quote.segment]
    sources = _headings(recalled)
    first = max(sources, default=0) + 1
    beside = _by_segment(quote for quote in quotes if not _stands_in_block(quote, recalled))
    numbers = {segment: number for number, segment in enumerate(beside, first)}
    placed = {segment: number for number, segments in sources.items() for segment in segments}
    text = "\n\n".join(
        part for part in (recalled.context, _block(list(beside.values()), first, recalled.context)) if part
    )
    found = dict.fromkeys(numbers.get(quote.segment) or placed[quote.segment] for quote in quotes)
    return ShownMemories(text, sources | {number: (segment,) for segment, number in numbers.items()}, tuple(found))


def used(ask: ChatRequest, segments: Iterable[str]) -> tuple[Used, ...]:
    """Each once, and how it was come to; what recall did not find was found by a search inside memory."""
    roles = {found.segment: found.role for found in ask.recalled.receipt.found} if ask.recalled else {}
    here = {turn.id for turn in ask.before}
    ids = dict.fromkeys(segment for segment in segments if segment)
    return tuple(Used(name, THIS_CHAT if name in here else roles.get(name, "vertical")) for name in ids)


def used_by_a_model(ask: ChatRequest) -> tuple[Used, ...]:
    """In order of rank, as recall gave them; then what was found beside them."""
    sources = [segment for segments in shown_memories(ask).sources.values() for segment in segments]
    ranked = [found.segment for found in ask.recalled.receipt.found if found.in_context] if ask.recalled else []
    return used(ask, (*ranked, *sources))


def _headings(recalled: Recalled) -> dict[int, tuple[str, ...]]:
    """The segments of the block by the number in their heading, in order of time."""
    at = {passage.id: (passage.at, passage.number) for passage in recalled.segments}
    found: dict[int, tuple[str, ...]] = {}
    for entry in sorted((one for one in recalled.receipt.found if one.heading), key=lambda one: at[one.segment]):
        found[entry.heading] = (*found.get(entry.heading, ()), entry.segment)
    return found


def _stands_in_block(quote: Quote, recalled: Recalled) -> bool:
    """All of it: a long line is shown in parts."""
    ranges = (
        part
        for line in recalled.lines
        if (line.segment, line.line) == (quote.segment, quote.line)
        for part in line.ranges
    )
    return any(start <= quote.start and quote.end <= end for start, end in ranges)


def _by_segment(quotes: Iterable[Quote]) -> dict[str, list[Quote]]:
    """Oldest first, the lines of a segment in their order."""
    found: dict[str, list[Quote]] = {}
    for quote in sorted(quotes, key=lambda one: (one.at, one.segment, one.line, one.start)):
        found.setdefault(quote.segment, []).append(quote)
    return found


def _block(groups: Sequence[Sequence[Quote]], first: int, before: str) -> str:
    """Its fence is made from the block before it too: nothing in either can hold the other's."""
    entries = [_entry(group) for group in groups]
    if not entries:
        return ""
    fence = fence_of("\0".join(entries), before)
    return frame(fence, BETWEEN.join(f"[{fence}:{first + i}] {entry}" for i, entry in enumerate(entries)))


def _entry(group: Sequence[Quote]) -> str:
    warning = WARNING if any_order([text for one in group for text in (one.title, one.speaker, one.text)]) else ""
    heading = f"{shown(group[0].at)} · {label(group[0].title or group[0].segment, TITLE)}{warning}"
    return "\n".join((heading, *(f"{label(one.speaker, SPEAKER)}: {one.text}" for one in group)))
