"""A recall laid open: its cards, its block and all candidates, as plain values and HTML.

Knows: how a receipt reads on the page. What was found, and why, is in the receipt (pmg/recall/receipt.py); the way from the question to each
memory is drawn in path.py.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pmg.engine import Engine
from pmg.model import Passage, Segment
from pmg.recall.receipt import Dropped, Found, Recalled, Signal
from pmg.text import counted
from pmg.ui import render
from pmg.ui.preview import path
from pmg.ui.preview.speaks import speaks

MAX_DROPPED = 30  # shown with their text; the receipt has more
_NAMES = {
    "turn": "rest of turn",
    "next": "turn after",
    "previous": "turn before",
    "substance": "says a lot",
    "kindred": "close words",
}


NOTHING = "Nothing in this memory speaks for this: no memory has its words, and none means something close to it."
NEAREST = "The nearest anyway"
ONLY_ALIKE = "No memory has a word of this question: what is shown is only close to it in meaning, and may be chance."
GONE = "a memory that was forgotten meanwhile"
EMPTY = "The block is empty: nothing would be put before a model."


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
    texts = {segment.id: segment for segment in engine.reads.segments(list(numbers.values()))}
    return Preview(found, texts, speaks(engine, query, namespace, [one.text for one in found.segments]))


# as HTML


def headline(shown: Preview) -> str:
    receipt = shown.recalled.receipt
    if not receipt.found or not shown.speaks:
        note = f" {render.safe(receipt.note)}" if receipt.note else ""
        return f'<p class="pmg-note" role="status">{NOTHING}{_in_spite(shown)}{note}</p>'
    facts = [
        ("found", str(len(receipt.found))),
        ("in the block", str(len(shown.in_block))),
        ("dropped", str(len(receipt.dropped))),
        ("tokens", f"{receipt.used_tokens:,} of {receipt.budget_tokens:,}"),
        ("took", f"{shown.recalled.milliseconds:.0f} ms"),
    ]
    chips = "".join(f'<span class="pmg-chip"><b>{name}</b> {value}</span>' for name, value in facts)
    cues = "".join(f'<span class="pmg-chip"><b>understood</b> {render.safe(cue)}</span>' for cue in receipt.cues)
    note = f'<p class="pmg-note">{render.safe(receipt.note)}</p>' if receipt.note else ""
    faint = "" if _has_words(receipt.found) else f'<p class="pmg-note">{ONLY_ALIKE}</p>'
    return f'<p class="pmg-chips" role="status">{chips}{cues}</p>{faint}{note}'


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


def block(shown: Preview, title: str = "The block, exactly as a model would get it") -> str:
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

    way = path.drawn(receipt.query, receipt.found, card)
    if not shown.speaks:
        way = f'<details class="pmg-dropped"><summary>{NEAREST} ({len(receipt.found)})</summary>{way}</details>'
    return way + _dropped(shown)


def _dropped(shown: Preview) -> str:
    dropped = shown.recalled.receipt.dropped
    if not dropped:
        return ""
    rows = "".join(_left_out(one, shown.dropped.get(one.segment)) for one in dropped[:MAX_DROPPED])
    more = f'<p class="pmg-quiet">and {len(dropped) - MAX_DROPPED} more</p>' if len(dropped) > MAX_DROPPED else ""
    head = f"Looked at and dropped ({len(dropped)})"
    return f'<details class="pmg-dropped"><summary>{head}</summary>{rows}{more}</details>'


def _card(place: int, segment: Passage, found: Found, places: Mapping[str, int], badge: str) -> str:
    state = f"in the block · {found.tokens} tokens" if found.in_context else "left out: no room in the budget"
    trust = "" if found.trust == "quoted" else f" · {found.trust}"
    bars = "".join(_bar(signal) for signal in found.signals if signal.share >= 0.01)
    mark = f'<span class="pmg-badge">{render.safe(badge)}</span>' if badge else ""
    why = path.without_ids(found.why, places)
    return (
        f'<button type="button" class="pmg-card{"" if found.in_context else " pmg-out"}" data-pick="{html.escape(segment.id)}">'
        f'<span class="pmg-quiet">{place} · {render.day(segment.at)} · score {found.score:.2f} {mark}</span>'
        f'<span dir="auto">{render.safe(render.shortened(render.plain(segment), 160))}</span><span class="pmg-signals">{bars}</span>'
        f'<span class="pmg-quiet">{render.safe(why)}</span><span class="pmg-quiet">{state}{render.safe(trust)}</span></button>'
    )


def _bar(signal: Signal) -> str:
    place = f" · place {signal.rank}" if signal.rank else ""
    return (
        f'<span class="pmg-signal"><span>{render.safe(_NAMES.get(signal.name, signal.name))}{place}</span>'
        f'<span class="pmg-share"><i style="width:{min(100, 100 * signal.share):.0f}%"></i></span>'
        f"<span>{signal.share:.0%}</span></span>"
    )


def _left_out(one: Dropped, segment: Segment | None) -> str:
    text = render.shortened(render.plain(segment), 110) if segment else GONE
    when = f"{render.day(segment.at)} · " if segment else ""
    return (
        f'<button type="button" class="pmg-card pmg-out" data-pick="{html.escape(one.segment)}">'
        f'<span class="pmg-quiet">{when}score {one.score:.2f}</span><span>{render.safe(text)}</span>'
        f'<span class="pmg-reason">{render.safe(one.reason)}</span></button>'
    )


def candidates(shown: Preview) -> str:
    """Every candidate with each signal, row by row."""
    found = shown.recalled.receipt.found
    names = list(dict.fromkeys(signal.name for one in found for signal in one.signals))
    heads = "".join(f"<th>{render.safe(_NAMES.get(name, name))}</th>" for name in names)
    rows = "".join(_row(place, text, one, names) for place, (text, one) in enumerate(_with_text(shown), 1))
    return (
        '<div class="pmg-scroll"><table class="pmg-table"><thead><tr><th>#</th><th>memory</th><th>role</th><th>score</th>'
        f"{heads}<th>fate</th></tr></thead><tbody>{rows}{_dropped_rows(shown, len(names))}</tbody></table></div>"
    )


def _with_text(shown: Preview) -> list[tuple[str, Found]]:
    pairs = zip(shown.recalled.segments, shown.recalled.receipt.found, strict=True)
    return [(f"{segment.at:%Y-%m-%d} {render.plain(segment)}", one) for segment, one in pairs]


def _row(place: int, text: str, one: Found, names: Sequence[str]) -> str:
    held = {signal.name: signal for signal in one.signals}
    cells = "".join(f"<td>{_cell(held.get(name))}</td>" for name in names)
    fate = f"in the block ({one.tokens})" if one.in_context else "no room"
    return (
        f'<tr><td>{place}</td><td class="pmg-wide">{render.safe(render.shortened(text, 90))}</td>'
        f"<td>{render.safe(one.role)}{render.safe(' by ' + one.edge.replace('_', ' ')) if one.edge else ''}</td>"
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
            f'<tr class="pmg-out"><td></td><td class="pmg-wide">{render.safe(render.shortened(text, 90))}</td><td>dropped</td>'
            f"<td>{one.score:.3f}</td>{'<td></td>' * signals}<td>{render.safe(one.reason)}</td></tr>"
        )
    return "".join(rows)
