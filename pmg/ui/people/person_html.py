"""One person's page as HTML: what holds, what changed, what to settle, the timeline, who said what, and who is near.

Knows: HTML. What is shown was gathered in person_data.py; the look stands in people_html.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import groupby

from pmg.base.text import counted
from pmg.store.people import EntityKind
from pmg.ui import render
from pmg.ui.people.claim_text import yours
from pmg.ui.people.neighbourhood_svg import neighbourhood
from pmg.ui.people.people_html import KIND_NAMES, act, known_from
from pmg.ui.people.person_data import PersonView, ShownChange, ShownClaim

ROWS_BEFORE_FOLD = 12  # rows of a part before it folds
DRAWN = 4  # neighbours from which on a picture says more than their names
MAX_CLAIMS = 400  # claims of a timeline: what is older is in the sessions


def person_html(view: PersonView) -> str:
    parts = (
        _conflicts(view),
        _namesakes(view),
        _facts(view),
        _seen(view),
        _changes(view.changes),
        _around(view),
        _timeline(view),
        _who_said(view),
    )
    return f'<article class="pmg-person">{_head(view)}{"".join(parts)}</article>'


def _head(view: PersonView) -> str:
    row = view.row
    title = "What my memory knows about you" if row.is_you else render.safe(row.name)
    also = [name for name in dict.fromkeys(map(yours, row.names)) if name not in (row.name, "User")]
    told = [counted(row.mentions, "mention")]
    if view.seen.count:
        told.append(f"{counted(view.seen.count, 'session')}, last on {render.day(view.seen.sessions[0].at)}")
    if also:
        told.append(f"also called {', '.join(also)}")
    kind = "" if row.kind is EntityKind.PERSON else f"{KIND_NAMES[row.kind]} · "
    return (
        f"{act('back:', '‹ Everybody').replace('pmg-p-act', 'pmg-p-act pmg-p-back')}"
        f'<h3 dir="auto">{title}</h3><p class="pmg-quiet">{kind}{render.safe(" · ".join(told))}</p>'
    )


# one claim


def claim_html(one: ShownClaim, about: bool = False) -> str:
    whom = f' <span class="pmg-p-by">of {_name(one.about)}</span>' if about else ""
    return (
        f'<li class="pmg-p-claim"><time datetime="{one.day}">{_day(one)}</time><div>{_words(one)} '
        f'<span class="pmg-p-by">said by {_name(one.speaker)}</span>{whom}{_tones(one)}</div>'
        f'<span class="pmg-p-acts">{act(f"read:{one.segment}", "Source", "Read the line where it was said")}'
        f"{act(f'edit:{one.id}', 'Correct')}</span></li>"
    )


def known_html(one: ShownClaim) -> str:
    """A sentence of what is known about you, with everything that can be done about it in its place."""
    pin = "Unpin" if one.is_pinned else "Pin"
    by = "" if one.speaker == "You" else f' <span class="pmg-p-by">said by {_name(one.speaker)}</span>'
    acts = (
        act(f"edit:{one.id}", "Correct")
        + act(f"pin:{one.segment}", pin, "What is pinned is never archived")
        + act(f"drop:{one.id}", "Remove", "It answers nothing any more; Undo brings it back")
        + act(f"read:{one.segment}", "Source", "Read the line where it was said, or forget it for good")
    )
    return (
        f'<li class="pmg-p-claim"><time datetime="{one.day}">{_day(one)}</time><div>{_words(one)}{by}{_tones(one)}</div>'
        f'<span class="pmg-p-acts">{acts}</span></li>'
    )


def _words(one: ShownClaim) -> str:
    text = render.safe(one.text.text)
    return f'<q dir="auto">{text}</q>' if one.text.is_quote else f'<span dir="auto">{text}.</span>'


def _name(name: str) -> str:
    return "you" if name == "You" else render.safe(name)


def _tones(one: ShownClaim) -> str:
    return "".join(f'<span class="pmg-p-tone">{render.safe(tone)}</span>' for tone in one.tones)


def _day(one: ShownClaim) -> str:
    return f"{one.day.day} {one.day:%b %Y}"


def _listed(rows: Sequence[str]) -> str:
    """A list that folds after some rows."""
    first = f'<ul class="pmg-p-claims">{"".join(rows[:ROWS_BEFORE_FOLD])}</ul>'
    if len(rows) <= ROWS_BEFORE_FOLD:
        return first
    rest = f'<ul class="pmg-p-claims">{"".join(rows[ROWS_BEFORE_FOLD:])}</ul>'
    return f"{first}<details><summary>{len(rows) - ROWS_BEFORE_FOLD:,} more</summary>{rest}</details>"


def part(title: str, inside: str) -> str:
    return f'<section class="pmg-p-part"><h4>{title}</h4>{inside}</section>'


# the parts


def _facts(view: PersonView) -> str:
    """What lasts; what passes is in the timeline."""
    lasting = [one for one in view.facts if one.is_lasting]
    if not lasting:
        return ""
    return part("What holds, as far as it was said", _listed([claim_html(one) for one in lasting]))


def _seen(view: PersonView) -> str:
    """Where they come up: the last sessions, and what these are about."""
    if not view.seen.sessions:
        return ""
    rows = "".join(
        f'<li class="pmg-p-claim"><time>{one.at.day} {one.at:%b %Y}</time><div dir="auto">{render.safe(one.name or "Untitled")}</div>'
        f'<span class="pmg-p-acts">{act(f"read:{one.first}", "Read")}</span></li>'
        for one in view.seen.sessions
    )
    about = (
        f'<p class="pmg-quiet">Mostly about {render.safe(", ".join(view.seen.topics))}.</p>' if view.seen.topics else ""
    )
    return part("Last talked with or of", f'{about}<ul class="pmg-p-claims">{rows}</ul>')


def _changes(changes: Sequence[ShownChange]) -> str:
    if not changes:
        return ""
    return part(f"What changed ({len(changes)})", _listed([change_html(one) for one in changes]))


def change_html(one: ShownChange, who: str = "") -> str:
    """`who` stands before it where changes of several people are listed; it is HTML already."""
    after = f"→ {_words(one.after)}" if one.after else "→ no longer"
    sources = act(f"read:{one.before.segment}", "Before") + (
        act(f"read:{one.after.segment}", "Now") if one.after else ""
    )
    return (
        f'<li class="pmg-p-claim"><time>{one.end.day} {one.end:%b %Y}</time><div class="pmg-p-change">'
        f'{who}<span class="pmg-p-was">{_words(one.before)}</span><span>{after}</span>'
        f'<span class="pmg-p-by">{_span(one.start, one.end)}</span></div><span class="pmg-p-acts">{sources}</span></li>'
    )


def _span(start: date, end: date) -> str:
    """What began and ended on one day was told on one day: a span would look like a mistake."""
    first, last = (f"{one.day} {one:%b %Y}" for one in (start, end))
    return f"on {last}" if first == last else f"from {first} to {last}"


def _conflicts(view: PersonView) -> str:
    if not view.conflicts:
        return ""
    cards = "".join(_conflict(a, b, why) for a, b, why in view.conflicts)
    return part(f"Cannot both hold: which is right? ({len(view.conflicts)})", cards)


def _conflict(a: ShownClaim, b: ShownClaim, why: str) -> str:
    def side(one: ShownClaim, only: str, then: str) -> str:
        return (
            f'<div><p>{_words(one)}</p><p class="pmg-p-by">{_day(one)}, said by {_name(one.speaker)}</p>'
            f'<p class="pmg-p-acts">{act(f"read:{one.segment}", "Source")}{act(f"settle:{a.id}:{b.id}:{only}", "Only this holds")}'
            f"{act(f'settle:{a.id}:{b.id}:{then}', 'This came first')}</p></div>"
        )

    return (
        f'<div class="pmg-p-card"><div class="pmg-p-sides">{side(a, "first", "first then second")}{side(b, "second", "second then first")}</div>'
        f'<p class="pmg-p-acts">{act(f"settle:{a.id}:{b.id}:both", "Both hold")}<span class="pmg-p-by">{render.safe(why)}</span></p></div>'
    )


def _namesakes(view: PersonView) -> str:
    cards = "".join(
        f'<div class="pmg-p-card"><p>Perhaps the same as {known_from(other, where)}: '
        f'{render.safe(why)}.</p><p class="pmg-p-acts">{act(f"same:{view.row.id}:{other.id}", "One person")}'
        f"{act(f'differ:{view.row.id}:{other.id}', 'Two people')}</p></div>"
        for other, where, why in view.namesakes
    )
    return part("One person or two?", cards) if cards else ""


def _around(view: PersonView) -> str:
    if len(view.neighbours) < 2:  # you alone are near everybody
        return ""
    drawn = len(view.neighbours) >= DRAWN
    picture = neighbourhood(view.row.name, view.row.kind, view.neighbours) if drawn else ""
    words = "".join(act(f"who:{one.id}", f"{one.name} · {one.says}") for one in view.neighbours)
    return part("Who and what is near", f'{picture}<p class="pmg-p-acts">{words}</p>')


def _timeline(view: PersonView) -> str:
    claims = view.timeline[:MAX_CLAIMS]
    if not claims:
        return ""
    months = [
        (f"{month:%B %Y}", [claim_html(one) for one in group])
        for month, group in groupby(claims, key=lambda one: one.day.replace(day=1))
    ]
    inside = "".join(
        f"<details {'open' if place < 2 else ''}><summary>{name} ({len(rows)})</summary>"
        f'<ul class="pmg-p-claims">{"".join(rows)}</ul></details>'
        for place, (name, rows) in enumerate(months)
    )
    older = (
        f'<p class="pmg-quiet">The newest {MAX_CLAIMS} of {len(view.timeline):,}.</p>'
        if len(view.timeline) > MAX_CLAIMS
        else ""
    )
    return part("Timeline", inside + older)


def _who_said(view: PersonView) -> str:
    them = "you" if view.row.is_you else render.safe(view.row.name)
    said = [
        (f"Others about {them}", view.by_others, False),
        (f"{'You' if view.row.is_you else them} about others", view.of_others, True),
    ]
    inside = "".join(
        f"<details><summary>{title} ({len(claims):,})</summary>"
        f'<ul class="pmg-p-claims">{"".join(claim_html(one, about) for one in claims[-MAX_CLAIMS:])}</ul></details>'
        for title, claims, about in said
        if claims
    )
    return part("Who said what about whom", inside) if inside else ""
