"""The forms of the people tab: correcting one claim; renaming, merging, splitting and forgetting one person.

Knows: their components, what they show for whom, and their events. What each does stands in people_actions.py; after each of `changes` the tab
looks again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import gradio as gr

from pmg.base.text import counted
from pmg.engine import Engine
from pmg.store.people import EntityKind
from pmg.ui import render
from pmg.ui.app_context import AppContext
from pmg.ui.error_boundary import inform, on_bar, shows_errors
from pmg.ui.event_options import LATEST, QUIET
from pmg.ui.people import people_actions
from pmg.ui.people.people_data import EntityRow, listed, row_of
from pmg.ui.people.person_data import claim_view
from pmg.ui.people.whereabouts import Whereabouts, told_apart


@dataclass(frozen=True)
class ClaimForm:
    """Opens above a person's page for the claim whose “Correct” was pressed."""

    box: gr.Column
    claim: gr.State
    told: gr.HTML
    words: gr.Textbox
    save: gr.Button
    wrong: gr.Button
    cancel: gr.Button
    changes: list[Any] = field(default_factory=list)

    @property
    def outputs(self) -> list[Any]:
        return [self.box, self.claim, self.told, self.words]

    def closed(self) -> list[Any]:
        return [gr.Column(visible=False), 0, "", ""]

    def opened(self, engine: Engine, namespace: str, claim: int) -> list[Any]:
        found = claim_view(engine, namespace, claim)
        if found is None:
            return self.closed()
        told = f'<p>It was read as: <b dir="auto">{render.safe(found.text.text)}</b></p>'
        return [gr.Column(visible=True), claim, told, found.object]

    def wire(self, context: AppContext, namespace: gr.State) -> None:
        @shows_errors()
        def on_save(namespace: str, claim: int, words: str) -> None:
            inform(people_actions.correct(context, namespace, claim, words))

        @shows_errors()
        def on_wrong(namespace: str, claim: int) -> None:
            inform(people_actions.set_aside(context, namespace, claim))

        for event in (self.save.click, self.words.submit):
            self.changes.append(event(on_save, [namespace, self.claim, self.words], None, **QUIET))
        self.changes.append(self.wrong.click(on_wrong, [namespace, self.claim], None, **QUIET))
        self.cancel.click(self.closed, None, self.outputs, **LATEST)


def claim_form() -> ClaimForm:
    with gr.Column(visible=False, elem_classes="pmg-p-edit", elem_id="pmg-people-correct") as box:
        told = gr.HTML()
        words = gr.Textbox(label="Only this part is corrected; what was said stays as it was said", max_lines=2)
        with gr.Row(elem_classes="pmg-steps"):
            save = gr.Button("Save correction", size="sm", min_width=110, variant="primary")
            wrong = gr.Button("It is wrong", size="sm", min_width=90)
            cancel = gr.Button("Cancel", size="sm", min_width=80)
    return ClaimForm(box, gr.State(0), told, words, save, wrong, cancel)


@dataclass(frozen=True)
class PersonForms:
    """Under a person's page."""

    box: gr.Column
    name: gr.Textbox
    rename: gr.Button
    other: gr.Dropdown
    merge: gr.Button
    split_box: gr.Column
    part: gr.Dropdown
    split: gr.Button
    forget_part: gr.Column
    with_others: gr.Checkbox
    look: gr.Button
    sure_box: gr.Column
    plan: gr.HTML
    sure: gr.Button
    keep: gr.Button
    changes: list[Any] = field(default_factory=list)

    @property
    def outputs(self) -> list[Any]:
        return [self.box, self.name, self.other, self.split_box, self.part, self.forget_part, self.sure_box]

    def values(self, engine: Engine, rows: Sequence[EntityRow], chosen: int) -> list[Any]:
        """For whoever is shown; nothing for nobody."""
        if not chosen:
            return [gr.Column(visible=False), *[gr.skip()] * 5, gr.Column(visible=False)]
        row = row_of(rows, chosen)
        others = [one for one in rows if one.kind is row.kind and one.id != row.id]
        namespace = row.parts[0].namespace
        apart = told_apart(engine, namespace, rows)
        places = Whereabouts.read(engine, namespace, row.conversations if len(row.parts) > 1 else ())
        parts = [
            (f"{one.name}, {places.of_entity(one)}" if one.conversation else one.name, str(one.id)) for one in row.parts
        ]
        is_other = row.kind is EntityKind.PERSON and not row.is_you
        return [
            gr.Column(visible=True),
            "" if row.is_you else row.name,
            gr.Dropdown(choices=[(_label(one, apart.get(one.id, "")), str(one.id)) for one in others], value=None),
            gr.Column(visible=len(parts) > 1 and not row.is_you),
            gr.Dropdown(choices=parts, value=None),
            gr.Column(visible=is_other),
            gr.Column(visible=False),
        ]

    def wire(self, context: AppContext, namespace: gr.State, chosen: gr.State) -> None:
        inputs = [namespace, chosen]

        @shows_errors()
        def on_rename(namespace: str, entity: int, name: str) -> None:
            inform(people_actions.rename(context, namespace, entity, name))

        @shows_errors()
        def on_merge(namespace: str, entity: int, other: str | None) -> None:
            inform(people_actions.merge(context, namespace, entity, other))

        @shows_errors()
        def on_split(namespace: str, entity: int, part: str | None) -> None:
            inform(people_actions.split(context, namespace, entity, part))

        @shows_errors()
        def on_look(namespace: str, entity: int, with_others: bool) -> list[Any]:
            row = row_of(listed(context.engine, namespace), entity)
            return [people_actions.plan_html(context.engine, namespace, row, with_others), gr.Column(visible=True)]

        @shows_errors()
        def on_forget(namespace: str, entity: int, with_others: bool, bar: gr.Progress = gr.Progress()) -> list[Any]:  # noqa: B008
            row = row_of(listed(context.engine, namespace), entity)
            inform(people_actions.forget(context.engine, namespace, row, with_others, on_bar(bar)))
            return [gr.Column(visible=False), 0]  # a number may be somebody else's when claims are read again

        for event in (self.rename.click, self.name.submit):
            self.changes.append(event(on_rename, [*inputs, self.name], None, **QUIET))
        self.changes.append(self.merge.click(on_merge, [*inputs, self.other], None, **QUIET))
        self.changes.append(self.split.click(on_split, [*inputs, self.part], None, **QUIET))
        self.look.click(on_look, [*inputs, self.with_others], [self.plan, self.sure_box], **LATEST)
        self.keep.click(lambda: gr.Column(visible=False), None, self.sure_box, **LATEST)
        gone = [self.sure_box, chosen]
        self.changes.append(self.sure.click(on_forget, [*inputs, self.with_others], gone, api_visibility="private"))


def person_forms() -> PersonForms:
    with gr.Column(visible=False, elem_id="pmg-people-forms") as box:
        with gr.Accordion("Rename, merge or split", open=False):
            with gr.Row(equal_height=True):
                name = gr.Textbox(label="Name to show", max_lines=1, scale=3, min_width=160)
                rename = gr.Button("Rename", size="sm", scale=1, min_width=90)
            with gr.Row(equal_height=True):
                other = gr.Dropdown(label="The same as", choices=[], value=None, scale=3, min_width=160)
                merge = gr.Button("Merge", size="sm", scale=1, min_width=90)
            with gr.Column(visible=False) as split_box, gr.Row(equal_height=True):
                part = gr.Dropdown(label="Somebody else is", choices=[], value=None, scale=3, min_width=160)
                split = gr.Button("Split", size="sm", scale=1, min_width=90)
        with gr.Column(visible=False) as forget_part, gr.Accordion("Forget this person", open=False):
            with_others = gr.Checkbox(label="also what others said of them", value=False)
            look = gr.Button("Show what would go …", size="sm")
            with gr.Column(visible=False, elem_classes="pmg-forget") as sure_box:
                plan = gr.HTML()
                with gr.Row(elem_classes="pmg-steps"):
                    keep = gr.Button("Keep it", size="sm", min_width=80)
                    sure = gr.Button("Forget for good", size="sm", min_width=80, variant="stop")
    return PersonForms(
        box, name, rename, other, merge, split_box, part, split, forget_part, with_others, look, sure_box, plan, sure, keep
    )  # fmt: skip


def _label(row: EntityRow, where: str) -> str:
    """`where` tells which of those of one name is meant."""
    return f"{row.name} ({', '.join(part for part in (where, counted(row.mentions, 'mention')) if part)})"
