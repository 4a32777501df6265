"""The list of people and things as HTML, and how the whole tab looks.

Knows: HTML and CSS. Whatever was stored goes through `render.safe`; whatever can be pressed is a button with `data-pick`, which clicks.py hears.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from pmg.base.text import counted
from pmg.store.people import Entity, EntityKind, IdentityDecision
from pmg.ui import render
from pmg.ui.people.neighbourhood_svg import kind_colour
from pmg.ui.people.people_data import EntityRow

MAX_ROWS = 200  # rows that are listed: whoever looks for another types some letters
KIND_NAMES = {
    EntityKind.PERSON: "People",
    EntityKind.ORGANISATION: "Organisations",
    EntityKind.PLACE: "Places",
    EntityKind.PROJECT: "Projects",
    EntityKind.TOOL: "Tools",
    EntityKind.PET: "Pets",
    EntityKind.EVENT: "Events",
    EntityKind.THING: "Things",
}
NOBODY = (
    '<p class="pmg-empty">Nobody yet. After an import, and when nothing was said in a chat for half an hour, its lines are read for who said what about whom, on this machine and '
    "without a language model. English is read best; names and jobs and homes come first.</p>"
)
LOADING = '<p class="pmg-muted" role="status">Loading the people …</p>'
CHOOSE = (
    '<div class="pmg-p-empty"><h3>What I know about you, and whom you talk with</h3>'
    "<p>Choose somebody from the list: what holds, what changed, what cannot both hold, and the line that says so. "
    "Names, claims and who is who can be corrected; every change can be undone.</p></div>"
)


def list_html(
    rows: Sequence[EntityRow],
    chosen: int = 0,
    waiting: int = 0,
    is_filtered: bool = False,
    whereabouts: Mapping[int, str] | None = None,
) -> str:
    """`whereabouts` tells those of one name apart, by id (whereabouts.py)."""
    reading = f'<p class="pmg-quiet" role="status">Still reading {counted(waiting, "session")} …</p>' if waiting else ""
    if not rows:
        return reading + ('<p class="pmg-empty">Nobody by that name.</p>' if is_filtered else NOBODY)
    known = whereabouts or {}
    groups = groupby(rows[:MAX_ROWS], key=lambda row: row.kind)
    parts = "".join(
        f'<h4>{KIND_NAMES[kind]}</h4><ul class="pmg-p-list">{"".join(_row(row, row.id == chosen, known.get(row.id, "")) for row in group)}</ul>'
        for kind, group in groups
    )
    more = (
        f'<p class="pmg-quiet">The first {MAX_ROWS} of {len(rows):,}: type a name.</p>' if len(rows) > MAX_ROWS else ""
    )
    return f"{reading}{parts}{more}"


def _row(row: EntityRow, is_chosen: bool, where: str) -> str:
    under = counted(row.mentions, "mention")
    if row.is_you:
        called = ", ".join(name for name in row.names if name != "User")
        under = " · ".join(part for part in (f"as {called}" if called else "", under) if part)
    elif row.perhaps > 1:
        under += f" · perhaps {row.perhaps} people"
    elif where:
        under += f" · {where}"
    name = "You" if row.is_you else row.name
    return (
        f'<li><button type="button" class="pmg-p-row" data-pick="who:{row.id}" {"aria-current=true" if is_chosen else ""}>'
        f'<i style="background:{kind_colour(row.kind)}"></i><span dir="auto">{render.safe(name)}'
        f"<small>{render.safe(under)}</small></span></button></li>"
    )


def pairs_html(pairs: Sequence[tuple[Entity, Entity, IdentityDecision]], whereabouts: Mapping[int, str]) -> str:
    """People of one name that nobody could tell apart or together; `whereabouts` tells who is meant, by id."""
    if not pairs:
        return ""
    cards = "".join(
        f'<div class="pmg-p-card"><p>{known_from(a, whereabouts.get(a.id, ""))} and {known_from(b, whereabouts.get(b.id, ""))}: '
        f"{render.safe(one.reason)}.</p>"
        f'<p class="pmg-p-acts">{act(f"same:{a.id}:{b.id}", "One person")}{act(f"differ:{a.id}:{b.id}", "Two people")}</p></div>'
        for a, b, one in pairs
    )
    return f'<section class="pmg-p-part"><h4>One person or two? ({len(pairs)})</h4>{cards}</section>'


def known_from(one: Entity, where: str) -> str:
    return f'<b dir="auto">{render.safe(one.name)}</b>' + (f" ({render.safe(where)})" if where else "")


def act(pick: str, label: str, title: str = "") -> str:
    """A small button."""
    told = f' title="{render.safe(title)}"' if title else ""
    return (
        f'<button type="button" class="pmg-p-act" data-pick="{render.safe(pick)}"{told}>{render.safe(label)}</button>'
    )


CSS = """
.pmg-p-side h4, .pmg-p-part h4 { margin: 16px 0 6px; font-size: .8rem; font-weight: 600; color: var(--body-text-color-subdued); }
.pmg-p-side h4:first-child { margin-top: 4px; }
#pmg-people-list, #pmg-person { padding: 0 !important; } #pmg-people-list .html-container, #pmg-person .html-container { padding: 0 !important; }
#pmg-people-list { max-height: max(320px, calc(100vh - 330px)); overflow-y: auto !important; }
.pmg-p-list { list-style: none; margin: 0 !important; padding: 0 !important; }
.pmg-p-row { display: flex; gap: 10px; align-items: center; width: 100%; text-align: left; border: 0; background: none; color: inherit; font: inherit;
  font-size: .92rem; padding: 6px 8px; border-radius: 8px; cursor: pointer; overflow-wrap: anywhere; }
.pmg-p-row i { flex: none; width: 10px; height: 10px; border-radius: 50%; }
.pmg-p-row small { display: block; font-size: .76rem; color: var(--body-text-color-subdued); }
.pmg-p-row:hover { background: var(--background-fill-secondary); }
.pmg-p-row[aria-current] { background: color-mix(in srgb, var(--primary-500) 16%, transparent); }
.pmg-person, .pmg-p-empty, .pmg-p-landing { background: var(--block-background-fill); border: 1px solid var(--border-color-primary); border-radius: 10px; padding: 16px 18px; }
.pmg-person h3, .pmg-p-empty h3 { margin: 0 0 4px !important; font-size: 1.15rem; overflow-wrap: anywhere; }
.pmg-p-empty p { margin: 4px 0 0 !important; line-height: 1.55; color: var(--body-text-color-subdued); }
.pmg-p-landing { margin-top: 12px; padding-top: 4px; }
.pmg-p-back { display: none; }
.pmg-p-part { margin-top: 4px; }
.pmg-p-claims { list-style: none; margin: 0 !important; padding: 0 !important; }
.pmg-p-claim { display: flex; gap: 10px; align-items: baseline; padding: 7px 0; border-top: 1px solid var(--border-color-primary); }
.pmg-p-claim:first-child { border-top: 0; }
.pmg-p-claim > div { flex: 1; min-width: 0; overflow-wrap: anywhere; line-height: 1.45; }
.pmg-p-claim time { flex: none; width: 88px; font-size: .8rem; color: var(--body-text-color-subdued); font-variant-numeric: tabular-nums; }
.pmg-p-by { font-size: .8rem; color: var(--body-text-color-subdued); }
.pmg-p-tone { border: 1px solid var(--border-color-primary); border-radius: 999px; padding: 0 7px; font-size: .74rem; color: var(--body-text-color-subdued);
  margin-left: 6px; white-space: nowrap; }
.pmg-p-acts { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; margin: 8px 0 0 !important; }
.pmg-p-claim > .pmg-p-acts { flex: none; margin: 0 !important; }
.pmg-p-act { border: 1px solid var(--border-color-primary); background: var(--block-background-fill); color: inherit; font: inherit; font-size: .78rem;
  line-height: 1.5; border-radius: 7px; padding: 2px 8px; margin: 0 !important; cursor: pointer; }
.pmg-p-act:hover { border-color: var(--primary-500); }
.pmg-p-card { border-left: 3px solid #b7791f; background: color-mix(in srgb, #b7791f 8%, transparent); border-radius: 8px; padding: 10px 12px;
  margin: 6px 0; overflow-wrap: anywhere; }
.pmg-p-card p { margin: 0 !important; line-height: 1.5; }
.pmg-p-sides { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; }
.pmg-p-change { display: flex; flex-wrap: wrap; gap: 2px 10px; align-items: baseline; }
.pmg-p-was { color: var(--body-text-color-subdued); }
.pmg-p-around { display: block; width: 100%; max-width: 640px; height: auto; margin: 4px auto 0; }
.pmg-p-around line { stroke: var(--neutral-400); opacity: .55; }
.pmg-p-around text { fill: var(--body-text-color); font-size: 14px; text-anchor: middle; paint-order: stroke; stroke: var(--block-background-fill);
  stroke-width: 4px; } .pmg-p-around .pmg-p-middle { font-weight: 600; }
.pmg-p-node { cursor: pointer; } .pmg-p-node:hover circle { stroke: var(--body-text-color); stroke-width: 2; }
.pmg-person details > summary { cursor: pointer; font-size: .85rem; color: var(--body-text-color-subdued); padding: 6px 0; }
.pmg-p-edit { border: 1px solid var(--primary-500); border-radius: 10px; padding: 12px !important; }
@media (max-width: 760px) {
  .pmg-p-row-all:has(.pmg-person) .pmg-p-side { display: none !important; }
  .pmg-p-back { display: inline-block; margin-bottom: 8px; }
  #pmg-people-list { max-height: none; }
  .pmg-person, .pmg-p-empty, .pmg-p-landing { padding: 12px; }
  .pmg-p-claim { flex-wrap: wrap; } .pmg-p-claim > div { flex-basis: 100%; order: 2; } .pmg-p-claim time { width: auto; flex: 1; }
  .pmg-p-claim > .pmg-p-acts:has(> :nth-child(3)) { flex: 1 1 100%; order: 3; }
  .pmg-p-sides { grid-template-columns: 1fr; } .pmg-p-around text { font-size: 19px; }
}
"""
