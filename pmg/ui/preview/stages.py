"""A recall laid open: its cards, its block and all candidates, as plain values and HTML.

Knows: how a receipt reads on the page. What was found, and why, is in the receipt (pmg/recall/receipt.py); the way from the question to each
memory is drawn in path.py.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pmg.answer.speaks import NOTHING, speaks
from pmg.base.model import Passage, Segment
from pmg.base.text import counted
from pmg.engine import Engine
from pmg.recall.receipt import Dropped, Found, Recalled, Signal
from pmg.ui import render, speakers
from pmg.ui.preview import path

MAX_DROPPED = 30  # shown with their text; the receipt has more
MIN_SHARE = 0.05  # of a score: a smaller reason is only in the table below
# A reason for a memory in two or three words, and in the tooltip what is counted there.
_NAMES = {
    "meaning": ("meaning", "How close it is to the question in meaning, by the embedding model"),
    "words": ("its words", "The question's own words in it, rare ones count more (BM25)"),
    "kindred": ("like words", "Words that mean nearly the same as the question's"),
    "neighbour": ("turns beside", "The turns beside it match too"),
    "turn": ("same turn", "The rest of this turn matches too"),
    "next": ("turn after", "The turn after it matches too"),
    "previous": ("turn before", "The turn before it matches too"),
    "answer": ("an answer", "It answers the turn before it"),
    "link": ("linked", "A memory that is linked to it matches"),
    "speaker": ("who said it", "The person you name said it"),
    "date": ("when", "It fits the time you name"),
    "substance": ("says a lot", "It tells more than a few words would"),
}
_CAME = {"entry": "the search", "lateral": "a link", "vertical": "what was said beside it"}


NEAREST = "The nearest anyway"
ONLY_ALIKE = "No memory has a word of this question: what is shown is only close to it in meaning, and may be chance."
GONE = "a memory that was forgotten meanwhile"
EMPTY = "Nothing was found that could be given: nothing would be put before a model."
GIVEN = "What a model would be given, word for word"


@dataclass(frozen=True, slots=True)
class Preview:
    recalled: Recalled
    dropped: Mapping[str, Segment]  # by id, the first few
    speaks: bool = True  # whether anything found speaks for the question (speaks.py)

    @property
    def in_block(self) -> list[Found]:
        return [one for one in self.recalled.receipt.found if one.in_context]


def preview(engine: Engine, query: str, namespace: str, knobs: Mapping[str, object], floor: float | None) -> Preview:
    """The recall that would happen with these knobs; it is not counted as one."""
    found = engine.recall(query, namespace=namespace, count=False, floor=floor, **knobs)  # type: ignore[arg-type]
    first = [one.segment for one in found.receipt.dropped[:MAX_DROPPED]]
    numbers = engine.reads.numbers_of(first)
    texts = {s.id: s for s in speakers.named(engine, engine.reads.segments(list(numbers.values())))}
    named = replace(found, segments=tuple(speakers.named(engine, found.segments)))
    return Preview(named, texts, speaks(engine, query, namespace, [one.text for one in found.segments]))


# as HTML


def headline(shown: Preview) -> str:
    receipt = shown.recalled.receipt
    if not receipt.found or not shown.speaks:
        note = f" {render.safe(receipt.note)}" if receipt.note else ""
        return f'<p class="pmg-note" role="status">{NOTHING}{_in_spite(shown)}{note}</p>'
    cues = "".join(f'<span class="pmg-chip"><b>understood</b> {render.safe(cue)}</span>' for cue in receipt.cues)
    cues = f'<p class="pmg-chips">{cues}</p>' if cues else ""
    note = f'<p class="pmg-note">{render.safe(receipt.note)}</p>' if receipt.note else ""
    faint = "" if _has_words(receipt.found) else f'<p class="pmg-note">{ONLY_ALIKE}</p>'
    return f'<p class="pmg-found" role="status">{_found(shown)}</p>{cues}{faint}{note}'


def _found(shown: Preview) -> str:
    """How many, and what becomes of them; the time and the tokens are behind it, in the tooltip."""
    receipt, inside = shown.recalled.receipt, len(shown.in_block)
    count = len(receipt.found)
    fits = "it would be" if count == 1 else "all of them would be"
    given = f"{fits} given to a model" if inside == count else f"there is room to give a model {inside} of them"
    beyond = (
        f" {counted(len(receipt.dropped), 'other was', 'others were')} looked at and left out."
        if receipt.dropped
        else ""
    )
    behind = f"{receipt.used_tokens:,} of {receipt.budget_tokens:,} tokens used. It took {shown.recalled.milliseconds:.0f} ms."
    return f'<b title="{behind}">{counted(count, "memory", "memories")} found</b>: {given}.{beyond}'


def _in_spite(shown: Preview) -> str:
    """A recall hands on what is nearest all the same: a model that gets it should know, and so should a person."""
    count = len(shown.in_block)
    return (
        f" A model would still get what is nearest ({counted(count, 'memory', 'memories')}), folded below."
        if count
        else ""
    )


def _has_words(found: Sequence[Found]) -> bool:
    return any(signal.name == "words" and signal.score > 0 for one in found for signal in one.signals)


def block(shown: Preview, title: str = GIVEN) -> str:
    receipt, text = shown.recalled.receipt, shown.recalled.context
    if not text:
        return f'<p class="pmg-empty">{EMPTY}</p>'
    said = html.escape(text, quote=False)  # control characters were made visible when it was put together
    head, text = (
        f"{render.safe(title)} · {receipt.used_tokens:,} tokens",
        f'<pre class="pmg-block" tabindex="0">{said}</pre>',
    )
    if not shown.speaks:
        return f'<details class="pmg-dropped"><summary>{head}</summary>{text}</details>'
    return f'<section><h4 class="pmg-head">{head}</h4>{text}</section>'


def stages(shown: Preview, badges: Mapping[str, str] | None = None) -> str:
    """The way from the question to every memory, and what was dropped with its reason. `badges` are notes on cards, by id."""
    receipt = shown.recalled.receipt
    if not receipt.found:
        return _dropped(shown)
    texts = {one.id: one for one in shown.recalled.segments}
    places = {one.segment: place for place, one in enumerate(receipt.found, 1)}

    def card(place: int, one: Found) -> str:
        return _card(place, texts[one.segment], one, places, (badges or {}).get(one.segment, ""))

    way = _legend(receipt.found) + path.drawn(receipt.query, receipt.found, card)
    if not shown.speaks:
        way = f'<details class="pmg-dropped"><summary>{NEAREST} ({len(receipt.found)})</summary>{way}</details>'
    return way + _dropped(shown)


def _dropped(shown: Preview) -> str:
    dropped = shown.recalled.receipt.dropped
    if not dropped:
        return ""
    rows = "".join(_left_out(one, shown.dropped.get(one.segment)) for one in dropped[:MAX_DROPPED])
    more = f'<p class="pmg-quiet">and {len(dropped) - MAX_DROPPED} more</p>' if len(dropped) > MAX_DROPPED else ""
    head = f"Looked at and left out ({len(dropped)})"
    return f'<details class="pmg-dropped"><summary>{head}</summary>{rows}{more}</details>'


def _card(place: int, segment: Passage, found: Found, places: Mapping[str, int], badge: str) -> str:
    bars = "".join(_bar(signal) for signal in found.signals if signal.share >= MIN_SHARE)
    mark = f'<span class="pmg-badge">{render.safe(badge)}</span>' if badge else ""
    why, way = path.without_ids(found.why, places), path.says(found)
    by = f' · <span class="pmg-by">{way}</span>' if way else ""
    behind = f"{why[:1].upper()}{why[1:]}. Score {found.score:.2f}, {counted(found.tokens, 'token')}."
    told = [] if found.in_context else ["left out: no room for it before a model"]
    told += [] if found.trust == "quoted" else ["reads like an order to a model: marked as a quotation"]
    notes = "".join(f'<span class="pmg-reason">{note}</span>' for note in told)
    return (
        f'<button type="button" class="pmg-card{"" if found.in_context else " pmg-out"}" data-pick="{html.escape(segment.id)}">'
        f'<span class="pmg-quiet pmg-place" title="{render.safe(behind)}">{place} · {render.day(segment.at)}{by} {mark}</span>'
        f'<span class="pmg-signals">{bars}</span>'
        f'<span class="pmg-words" dir="auto">{render.safe(render.shortened(render.plain(segment), 160))}</span>{notes}</button>'
    )


def _bar(signal: Signal) -> str:
    said, behind = _NAMES.get(signal.name, (signal.name, signal.name))
    place = f"; place {signal.rank} of that search" if signal.rank else ""
    return (
        f'<span class="pmg-signal" style="--share:{min(1.0, signal.share):.2f};--signal:{_colour(signal.name)}" '
        f'title="{render.safe(said)} {signal.share:.0%}: {render.safe(behind)}{place}"><i></i>'
        f"<span>{render.safe(said)} {signal.share:.0%}</span></span>"
    )


def _colour(name: str) -> str:
    """One for each signal, as far from the next as the wheel allows."""
    place = list(_NAMES).index(name) if name in _NAMES else len(_NAMES)
    return f"hsl({(172 + 137 * place) % 360} 48% 46%)"


def _legend(found: Sequence[Found]) -> str:
    """What the colours of the bars say, for those that are drawn."""
    drawn = {signal.name for one in found for signal in one.signals if signal.share >= MIN_SHARE}
    told = "".join(
        f'<span class="pmg-signal" style="--share:1;--signal:{_colour(name)}" title="{render.safe(behind)}"><i></i>{said}</span>'
        for name, (said, behind) in _NAMES.items()
        if name in drawn
    )
    return f'<p class="pmg-legend">{told}</p>' if told else ""


def _left_out(one: Dropped, segment: Segment | None) -> str:
    text = render.shortened(render.plain(segment), 110) if segment else GONE
    when = render.day(segment.at) if segment else ""
    return (
        f'<button type="button" class="pmg-card pmg-out" data-pick="{html.escape(one.segment)}">'
        f'<span class="pmg-quiet" title="Score {one.score:.2f}">{when}</span><span>{render.safe(text)}</span>'
        f'<span class="pmg-reason">{render.safe(_reason(one))}</span></button>'
    )


def _reason(one: Dropped) -> str:
    """In the words of the page's fields: the floor of the configuration is the least likeness there."""
    return one.reason.replace("similarity ", "likeness ").replace("under the floor ", "under the least of ")


def candidates(shown: Preview) -> str:
    """Every candidate with each signal, row by row."""
    found = shown.recalled.receipt.found
    names = list(dict.fromkeys(signal.name for one in found for signal in one.signals))
    words = [_NAMES.get(name, (name, name)) for name in names]
    heads = "".join(f'<th title="{render.safe(behind)}">{render.safe(said)}</th>' for said, behind in words)
    rows = "".join(_row(place, text, one, names) for place, (text, one) in enumerate(_with_text(shown), 1))
    return (
        '<div class="pmg-scroll"><table class="pmg-table"><thead><tr><th>#</th><th>memory</th><th>came by</th><th>score</th>'
        f"{heads}<th>outcome</th></tr></thead><tbody>{rows}{_dropped_rows(shown, len(names))}</tbody></table></div>"
    )


def _with_text(shown: Preview) -> list[tuple[str, Found]]:
    pairs = zip(shown.recalled.segments, shown.recalled.receipt.found, strict=True)
    return [(f"{segment.at:%Y-%m-%d} {render.plain(segment)}", one) for segment, one in pairs]


def _row(place: int, text: str, one: Found, names: Sequence[str]) -> str:
    held = {signal.name: signal for signal in one.signals}
    cells = "".join(f"<td>{_cell(held.get(name))}</td>" for name in names)
    fate = f"given, {counted(one.tokens, 'token')}" if one.in_context else "no room"
    return (
        f'<tr><td>{place}</td><td class="pmg-wide">{render.safe(render.shortened(text, 90))}</td>'
        f"<td>{_CAME.get(one.role, one.role)}{': ' + path.link_words(one.edge) if one.role == 'lateral' else ''}</td>"
        f"<td>{one.score:.3f}</td>{cells}<td>{fate}</td></tr>"
    )


def _cell(signal: Signal | None) -> str:
    if signal is None:
        return ""
    return f"{signal.score:.2f}" + (f' <span class="pmg-quiet">#{signal.rank}</span>' if signal.rank else "")


def _dropped_rows(shown: Preview, signals: int) -> str:
    rows = []
    for one in shown.recalled.receipt.dropped[:MAX_DROPPED]:
        segment = shown.dropped.get(one.segment)
        text = f"{segment.at:%Y-%m-%d} {render.plain(segment)}" if segment else GONE
        rows.append(
            f'<tr class="pmg-out"><td></td><td class="pmg-wide">{render.safe(render.shortened(text, 90))}</td><td>left out</td>'
            f"<td>{one.score:.3f}</td>{'<td></td>' * signals}<td>{render.safe(_reason(one))}</td></tr>"
        )
    return "".join(rows)
