"""Two settings on one query: what came in, what went out, what moved.

Knows: how two results are held against each other. preview_tab.py asks for the two results.
"""

from __future__ import annotations

import html
from dataclasses import dataclass

from pmg.base.model import Passage
from pmg.base.text import counted
from pmg.ui import render
from pmg.ui.preview import stages
from pmg.ui.preview.stages import Preview

COMES, GOES = "comes in", "goes out"  # of what a model would be given


@dataclass(frozen=True, slots=True)
class RankChange:
    """One memory in either result. A place of 0 is none; `in_a` and `in_b` say whether it stands in the block."""

    segment: Passage
    place_a: int
    place_b: int
    in_a: bool
    in_b: bool

    @property
    def how(self) -> str:
        if self.in_a != self.in_b:
            return COMES if self.in_b else GOES
        if not self.place_a or not self.place_b:
            return "found" if self.place_b else "no longer found"
        step = self.place_a - self.place_b
        return "stays" if not step else f"up {step}" if step > 0 else f"down {-step}"


def moved(a: Preview, b: Preview) -> list[RankChange]:
    """Every memory of both results: first by what changed in the block, then by place."""
    places = [{one.segment: i for i, one in enumerate(side.recalled.receipt.found, 1)} for side in (a, b)]
    inside = [{one.segment for one in side.in_block} for side in (a, b)]
    texts = {segment.id: segment for side in (a, b) for segment in side.recalled.segments}
    rows = [
        RankChange(texts[name], places[0].get(name, 0), places[1].get(name, 0), name in inside[0], name in inside[1])
        for name in texts
    ]
    return sorted(rows, key=lambda row: (row.in_a == row.in_b, row.place_b or 10_000, row.place_a, row.segment.number))


def compared(a: Preview, b: Preview) -> str:
    rows = moved(a, b)
    came, went = (sum(row.how == how for row in rows) for how in (COMES, GOES))
    tokens = b.recalled.receipt.used_tokens - a.recalled.receipt.used_tokens
    summary = (
        f"From A to B: {counted(came, 'memory comes', 'memories come')} in, {counted(went, 'goes', 'go')} out, {tokens:+,} tokens."
        if came or went or tokens
        else "With A and B a model would be given the same."
    )
    body = "".join(_row(row) for row in rows)
    return (
        f'<section><h4 class="pmg-head">A against B</h4><p class="pmg-caption" role="status">{summary}</p>'
        '<div class="pmg-scroll pmg-low"><table class="pmg-table"><thead><tr><th>memory</th><th>place in A</th><th>in B</th><th>change</th>'
        f"</tr></thead><tbody>{body}</tbody></table></div>"
        f'<div class="pmg-pair">{_block(a, b, "Given with A", "pmg-went-line")}{_block(b, a, "Given with B", "pmg-came-line")}</div></section>'
    )


def _block(mine: Preview, other: Preview, title: str, kind: str) -> str:
    """A block in which the lines that the other one lacks are marked."""
    if not mine.recalled.context:
        return f'<section><h4 class="pmg-head">{title}</h4><p class="pmg-empty">{stages.EMPTY}</p></section>'
    there = set(other.recalled.context.splitlines())
    lines = [
        html.escape(line, quote=False)
        if line in there or not line.strip()
        else f'<mark class="{kind}">{html.escape(line, quote=False)}</mark>'
        for line in mine.recalled.context.splitlines()
    ]
    body = "\n".join(lines)
    used = mine.recalled.receipt.used_tokens
    return f'<section><h4 class="pmg-head">{title} · {used:,} tokens</h4><pre class="pmg-block" tabindex="0">{body}</pre></section>'


def badges(a: Preview, b: Preview) -> dict[str, str]:
    """What is said on a card of A of its fate in B; nothing where it stays as it is."""
    said = {
        GOES: "not given with B",
        COMES: "given with B",
        "no longer found": "not found in B",
    }
    return {
        row.segment.id: said.get(row.how, f"{row.how} in B")
        for row in moved(a, b)
        if row.place_a and row.how != "stays"
    }


def _row(row: RankChange) -> str:
    kind = {COMES: "pmg-came", GOES: "pmg-went"}.get(row.how, "")
    about = f"{row.segment.at:%Y-%m-%d} {render.plain(row.segment)}"
    return (
        f'<tr class="{kind}"><td class="pmg-wide"><button type="button" class="pmg-plain" '
        f'data-pick="{html.escape(row.segment.id)}">{render.safe(render.shortened(about, 110))}</button></td>'
        f"<td>{row.place_a or '–'}</td><td>{row.place_b or '–'}</td><td>{row.how}</td></tr>"
    )
