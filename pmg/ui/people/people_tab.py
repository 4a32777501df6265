"""The people tab: whom this memory knows on the left, one of them in the middle, the line that says so beside it.

Knows: the tab's components and their events, and what of it stands in the page's address. What is shown is gathered in people_data.py and
person_data.py; what can be changed stands in people_actions.py and its forms in people_forms.py.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import gradio as gr

from pmg.base.errors import NotFound
from pmg.people.knowledge import Knowledge
from pmg.ui import clicks, page_address
from pmg.ui.app_context import AppContext, PageContext
from pmg.ui.error_boundary import inform, shows_errors
from pmg.ui.event_options import LATEST, QUIET
from pmg.ui.people import landing, people_actions, people_data, people_html, person_data, person_html, whereabouts
from pmg.ui.people.people_forms import ClaimForm, PersonForms, claim_form, person_forms
from pmg.ui.people.people_html import KIND_NAMES
from pmg.ui.people.whereabouts import Whereabouts
from pmg.ui.reader import actions, reader_view
from pmg.ui.reader.reader_pane import ReaderPane, pane
from pmg.ui.tab_route import AddressField, wire_route
from pmg.ui.theme import REFRESH_JS

TAB = "people"
MAX_FILTER = 80  # characters of a filter in an address that are read
CSS = reader_view.CSS + people_html.CSS
# A field of this tab changes too while somebody goes Back and Forward in another, whose address is none of its business.
_PUT = f"(where) => {{ if (where && window.pmg.read().tab === '{TAB}') window.pmg.put(JSON.parse(where)); }}"
# The form of a correction stands above the page: whoever pressed far below is taken there once.
_TO_FORM = """() => {
  const form = document.querySelector('#pmg-people-correct'), told = form && form.offsetParent ? form.innerText : '';
  if (told && told !== window.pmg.correcting) form.scrollIntoView({behavior: 'smooth', block: 'center'});
  window.pmg.correcting = told;
}"""
_PARTS = 4  # of what a button of the page says: what, and up to three words


@dataclass(frozen=True)
class PeopleParts:
    """The components that a handler brings up to date, in this order."""

    words: gr.Textbox
    kind: gr.Dropdown
    listing: gr.HTML
    person: gr.HTML
    chosen: gr.State  # the number of whoever is shown, 0 for nobody
    where: gr.Textbox  # what the address should say, for the script
    forms: PersonForms
    claim: ClaimForm

    @property
    def outputs(self) -> list[Any]:
        return [self.listing, self.person, self.chosen, self.where, *self.forms.outputs, *self.claim.outputs]

    @property
    def asked(self) -> list[Any]:
        return [self.words, self.kind, self.chosen]


# plain functions


def number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else 0


def words_of(pick: str) -> tuple[str, list[str]]:
    """What a button of the page says: "settle:3:7:both" is settle with three words."""
    what, *rest = pick.split(":", _PARTS - 1)
    return what, rest


def address_of(chosen: int, words: str, kind: str, memory: str = "") -> str:
    return json.dumps(
        {"people-at": str(chosen) if chosen else "", "people-words": words, "people-kind": kind, "memory": memory}
    )


def filter_address(words: str, kind: str) -> str:
    """What the list is filtered by; who and what is read beside it stays as it is."""
    return json.dumps({"people-words": words, "people-kind": kind})


def list_of(context: AppContext, namespace: str, words: str, kind: str, chosen: int) -> str:
    known = Knowledge.read(context.engine.reads.people, namespace)
    rows = people_data.once(known, people_data.rows(known))
    found = people_data.matching(rows, words, kind)
    current = next((row.id for row in rows if chosen in row.ids), 0)
    apart = whereabouts.told_apart(context.engine, namespace, rows)
    return people_html.list_html(found, current, people_data.waiting(context.engine), bool(words or kind), apart)


def page_of(context: AppContext, namespace: str, chosen: int) -> str:
    """One person's page; without one, what is known about you, what changed, and whom to decide on."""
    if chosen:
        return person_html.person_html(person_data.person_view(context.engine, namespace, chosen))
    first = landing.landing_html(landing.landing(context.engine, namespace))
    pairs = context.steward.unsure(namespace)
    some = {one.id: one for a, b, _ in pairs for one in (a, b)}
    found = Whereabouts.read(context.engine, namespace, (one.conversation for one in some.values()))
    return first + people_html.pairs_html(pairs, {number: found.of_entity(one) for number, one in some.items()})


def shown(
    context: AppContext, parts: PeopleParts, namespace: str, words: str, kind: str | None, chosen: int
) -> list[Any]:
    """Everything as it is now; whoever is gone meanwhile is nobody."""
    rows = people_data.listed(context.engine, namespace)
    chosen = chosen if any(chosen in row.ids for row in rows) else 0
    return [
        list_of(context, namespace, words, kind or "", chosen),
        page_of(context, namespace, chosen),
        chosen,
        address_of(chosen, words, kind or ""),
        *parts.forms.values(context.engine, rows, chosen),
        *parts.claim.closed(),
    ]


def done(context: AppContext, namespace: str, pick: str) -> str:
    """What a button in the page asks for, done; the sentence that says so."""
    what, rest = words_of(pick)
    numbers = [number(word) for word in rest[:2]]
    if what == "settle" and len(rest) == _PARTS - 1:
        return people_actions.settle(context, namespace, numbers[0], numbers[1], rest[2])
    if what in ("same", "differ") and len(rest) == _PARTS - 2:
        return people_actions.decide(context, namespace, numbers[0], numbers[1], what == "same")
    if what == "drop" and numbers:
        return people_actions.set_aside(context, namespace, numbers[0])
    if what == "pin" and rest:
        return actions.turn_pin(context, rest[0], namespace)
    raise NotFound("That button belongs to a page that has changed. Look again.")


# the tab


def build(context: AppContext, page: PageContext, tab: gr.Tab) -> None:
    with gr.Row(equal_height=False, elem_classes="pmg-p-row-all"):
        with gr.Column(scale=1, min_width=230, elem_classes="pmg-p-side"):
            words = gr.Textbox(label="Find somebody", placeholder="a name", max_lines=1)
            kinds = [("all", ""), *((name, kind.value) for kind, name in KIND_NAMES.items())]
            kind = gr.Dropdown(label="Kind", choices=kinds, value="")
            listing = clicks.clickable_html(people_html.LOADING, label="People", elem_id="pmg-people-list")
            with gr.Row(elem_classes="pmg-steps"):
                same = gr.Button("Find same people", size="sm", min_width=110)
                undo = gr.Button("Undo last change", size="sm", min_width=110)
        with gr.Column(scale=3, min_width=320):
            claim = claim_form()
            person = clicks.clickable_html(people_html.CHOOSE, label="Person", elem_id="pmg-person")
            forms = person_forms()
        with gr.Column(scale=2, min_width=320, visible=False) as side:
            close = gr.Button("Close", size="sm", elem_id="pmg-people-close")
            read = pane(context, page, TAB)
    where = gr.Textbox("", visible="hidden", label="Where this tab is")
    parts = PeopleParts(words, kind, listing, person, gr.State(0), where, forms, claim)
    where.change(None, where, None, js=_PUT, **LATEST)
    _wire_route(context, page, tab, parts, read, side)
    _wire_pointing(context, page, parts, read, side, close)
    _wire_changing(context, page, parts, read, side, (same, undo))


def _wire_route(
    context: AppContext, page: PageContext, tab: gr.Tab, parts: PeopleParts, read: ReaderPane, side: gr.Column
) -> None:
    fields = [
        AddressField(parts.words, "words", MAX_FILTER),
        AddressField(parts.kind, "kind", MAX_FILTER, ("", *(one.value for one in KIND_NAMES))),
    ]

    @shows_errors()
    def load(address: str, namespace: str) -> list[Any]:
        found = page_address.filters(address, TAB)
        words, kind = (one.read(found) for one in fields)
        memory = page_address.parse(address).memory
        opened = read.again(memory, namespace)
        seen = shown(context, parts, namespace, words, kind, number(found.get("at", "")))
        seen[3] = ""  # the address says it already, and a person who went back must be able to go forward
        return [*seen, gr.Column(visible=bool(opened[0])), *opened, [words, kind]]

    @shows_errors()
    def listed_now(namespace: str, words: str | None, kind: str | None, chosen: int, listed_for: list[str]) -> Any:
        """The list by what stands in the fields now, if somebody typed while the tab loaded."""
        typed = [words or "", kind or ""] != listed_for
        return list_of(context, namespace, words or "", kind or "", chosen) if typed else gr.skip()

    @shows_errors()
    def namespace_changed(namespace: str) -> list[Any]:
        seen = shown(context, parts, namespace, "", "", 0)
        seen[3] = ""
        return ["", "", *seen, gr.Column(visible=False), *read.empty()]

    out = [*parts.outputs, side, *read.outputs]
    listed_for = gr.State(["", ""])  # the filter that the list came with
    for loaded in wire_route(page, tab, TAB, load, [*out, listed_for], fields):
        loaded.then(listed_now, [page.namespace, *parts.asked, listed_for], parts.listing, **LATEST)
    page.namespace.change(namespace_changed, page.namespace, [parts.words, parts.kind, *out], **LATEST)


def _wire_pointing(
    context: AppContext, page: PageContext, parts: PeopleParts, read: ReaderPane, side: gr.Column, close: gr.Button
) -> None:
    @shows_errors()
    def filtered(namespace: str, words: str | None, kind: str | None, chosen: int) -> list[Any]:
        return [
            list_of(context, namespace, words or "", kind or "", chosen),
            filter_address(words or "", kind or ""),
        ]

    @shows_errors()
    def emptied(namespace: str, words: str | None, kind: str | None, chosen: int) -> list[Any]:
        """A field that is emptied at one stroke changes, but the library tells of no input."""
        return [gr.skip(), gr.skip()] if words else filtered(namespace, words, kind, chosen)

    @shows_errors()
    def on_pick(namespace: str, words: str, kind: str | None, chosen: int, event: gr.EventData) -> list[Any]:
        """A button of the list or of somebody's page."""
        what, rest = words_of(clicks.picked(event))
        still, closed = [gr.skip()] * len(parts.outputs), [gr.skip()] * (1 + len(read.outputs))
        if what == "read" and rest:
            still[3] = address_of(chosen, words, kind or "", rest[0])
            return [*still, gr.Column(visible=True), *read.show(rest[0], namespace)]
        if what == "edit" and rest:
            opened = parts.claim.opened(context.engine, namespace, number(rest[0]))
            return [*still[: -len(opened)], *opened, *closed]
        if what in ("who", "back"):
            to = number(rest[0]) if what == "who" and rest else 0
            seen = shown(context, parts, namespace, words, kind, to)
            return [*seen, gr.Column(visible=False), *read.empty()]
        inform(done(context, namespace, clicks.picked(event)))
        return [*shown(context, parts, namespace, words, kind, chosen), *closed]

    @shows_errors()
    def on_close(words: str, kind: str | None, chosen: int) -> list[Any]:
        return [address_of(chosen, words, kind or ""), gr.Column(visible=False), *read.empty()]

    inputs = [page.namespace, *parts.asked]
    beside = [side, *read.outputs]
    parts.words.input(filtered, inputs, [parts.listing, parts.where], **LATEST)
    parts.words.change(emptied, inputs, [parts.listing, parts.where], **LATEST)
    parts.kind.input(filtered, inputs, [parts.listing, parts.where], **LATEST)
    # The list only leads to somebody; a person's page has buttons that change the memory.
    for heard, options in ((parts.listing, LATEST), (parts.person, QUIET)):
        heard.pick(on_pick, inputs, [*parts.outputs, *beside], **options).then(None, js=_TO_FORM, **LATEST)
    close.click(on_close, parts.asked, [parts.where, *beside], **LATEST)


def _wire_changing(
    context: AppContext,
    page: PageContext,
    parts: PeopleParts,
    read: ReaderPane,
    side: gr.Column,
    whole: tuple[gr.Button, gr.Button],
) -> None:
    inputs = [page.namespace, *parts.asked]

    @shows_errors()
    def again(namespace: str, words: str, kind: str | None, chosen: int) -> list[Any]:
        return shown(context, parts, namespace, words, kind, chosen)

    @shows_errors()
    def on_same(namespace: str, words: str, kind: str | None, chosen: int) -> list[Any]:
        inform(people_actions.reconcile(context, namespace))
        return again(namespace, words, kind, 0)

    @shows_errors()
    def on_undo(namespace: str, words: str, kind: str | None, chosen: int) -> list[Any]:
        inform(people_actions.undo(context, namespace))
        return again(namespace, words, kind, chosen)

    @shows_errors()
    def read_again(segment: str, namespace: str) -> list[Any]:
        """What is read beside it may have been forgotten."""
        opened = read.again(segment, namespace)
        return [gr.Column(visible=bool(opened[0])), *opened]

    same, undo = whole
    same.click(on_same, inputs, parts.outputs, **QUIET)
    undo.click(on_undo, inputs, parts.outputs, **QUIET)
    parts.forms.wire(context, page.namespace, parts.chosen)
    parts.claim.wire(context, page.namespace)
    for change in (*parts.forms.changes, *parts.claim.changes, *read.changes):
        change.then(again, inputs, parts.outputs, **LATEST)
    for change in parts.forms.changes:
        after = change.then(read_again, [read.opened, page.namespace], [side, *read.outputs], **LATEST)
        after.then(None, js=REFRESH_JS, **LATEST)  # whoever was forgotten is out of the header's number too
