"""Topics on the steward's page: what the memory is about, and what a person may change about it.

Knows: how the list looks, and the four changes (name, merge, split, pin), each of which the history can undo. steward/topic_edits.py
makes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gradio as gr

from pmg.base.errors import InputError
from pmg.base.model import State
from pmg.base.text import counted
from pmg.figures.colours import OTHER, OTHER_NAME, topic_colour
from pmg.ui.clicks import clickable_html, picked
from pmg.ui.error_boundary import inform, on_bar, shows_errors
from pmg.ui.event_options import PRIVATE
from pmg.ui.render import safe

if TYPE_CHECKING:
    from pmg.store.maintenance import Topic
    from pmg.ui.app_context import AppContext

EMPTY = (
    '<p class="pmg-empty">No topics yet. They come by themselves after an import; “Find topics now” looks at what is here. '
    "A memory of a few sessions has none.</p>"
)
UNDO = "The history can undo it."


# plain functions


def topics(context: AppContext, namespace: str) -> list[Topic]:
    """Largest first."""
    return sorted(context.steward.topics(namespace), key=lambda topic: (-len(topic.members), topic.id))


def choices(found: Sequence[Topic]) -> list[tuple[str, int]]:
    return [(f"{topic.name} ({counted(len(topic.members), 'turn')})", topic.id) for topic in found]


def list_html(context: AppContext, namespace: str) -> str:
    found = topics(context, namespace)
    if not found:
        return EMPTY
    total = context.engine.reads.segments_by_state(namespace)[State.ACTIVE]
    left = max(0, total - sum(len(topic.members) for topic in found))
    rows = "".join(_row(topic) for topic in found)
    other = (
        f'<li class="pmg-topic"><span class="pmg-topic-dot" style="background:{topic_colour(OTHER)}"></span>'
        f'<span class="pmg-topic-name">{OTHER_NAME}</span><span class="pmg-muted">{counted(left, "memory that belongs", "memories that belong")} to none</span></li>'
    )
    return (
        f'<p class="pmg-lead">{counted(len(found), "topic")} <span class="pmg-muted">{"covers" if len(found) == 1 else "cover"} {1 - left / max(1, total):.0%} of '
        f'{counted(total, "memory", "memories")}</span></p><ul class="pmg-topics">{rows}{other if left else ""}</ul>'
    )


def _row(topic: Topic) -> str:
    pin = "unpin" if topic.pinned else "pin"
    badge = '<span class="pmg-badge">pinned</span>' if topic.pinned else ""
    more = [term for term in topic.terms if term not in topic.name.split(" · ")]
    told = "named by you" if topic.named else safe("also " + ", ".join(more)) if more else ""
    return (
        f'<li class="pmg-topic"><span class="pmg-topic-dot" style="background:{topic_colour(topic.id)}"></span>'
        f'<span class="pmg-topic-name"><b>{safe(topic.name)}</b> {badge}<span class="pmg-muted">{told}</span></span>'
        f'<span class="pmg-muted">{counted(len(topic.members), "memory", "memories")}</span>'
        f'<button type="button" class="pmg-small" data-pick="{pin}:{topic.id}">{pin.capitalize()}</button>'
        f'<button type="button" class="pmg-small" data-pick="split:{topic.id}">Split</button></li>'
    )


def picked_change(context: AppContext, namespace: str, pick: str) -> str:
    """`pin:7`, `unpin:7` or `split:7`; the sentence that tells what was done."""
    what, _, number = pick.partition(":")
    if not number.isdigit() or what not in ("pin", "unpin", "split"):
        raise InputError(f"{pick!r} is no change of a topic: pin, unpin or split, a colon and the topic's number.")
    if what == "split":
        made = context.steward.split_topic(int(number), namespace)
        return f"Now {counted(len(made), 'topic')}: {', '.join(topic.name for topic in made)}. {UNDO}"
    topic = context.steward.pin_topic(int(number), what == "pin", namespace)
    return f"{topic.name} {'stays as it is' if topic.pinned else 'may change with the memory again'}. {UNDO}"


def rename(context: AppContext, namespace: str, number: int | None, name: str) -> str:
    if number is None:
        raise InputError("Choose the topic that gets this name.")
    return f"Called {context.steward.rename_topic(number, name, namespace).name} from now on. {UNDO}"


def merge(context: AppContext, namespace: str, number: int | None, others: Sequence[int]) -> str:
    if number is None or not others:
        raise InputError("Choose a topic, and what goes into it.")
    made = context.steward.merge_topics([number, *others], namespace)
    return f"{made.name} has {counted(len(made.members), 'memory', 'memories')} now. {UNDO}"


# the page


@dataclass(frozen=True)
class TopicsForm:
    """`shown` is what `values` gives, in its order; `changes` are events after which the rest of the tab looks again."""

    shown: list[Any]
    changes: list[Any]


def values(context: AppContext, namespace: str) -> list[Any]:
    found = choices(topics(context, namespace))
    lists = [gr.Dropdown(choices=found, value=None), gr.Dropdown(choices=found, value=[], multiselect=True)]
    return [list_html(context, namespace), *lists, gr.Column(visible=bool(found))]


def build(context: AppContext, namespace: gr.State) -> TopicsForm:
    find = gr.Button("Find topics now", elem_id="pmg-find-topics", scale=0, min_width=200)
    listed = clickable_html(label="Topics", elem_id="pmg-topics")
    with gr.Column(visible=False) as form:  # until there is a topic to change
        with gr.Row(equal_height=False):
            one = gr.Dropdown([], label="Topic", min_width=240, elem_id="pmg-topic")
            name = gr.Textbox("", label="New name", max_lines=1, min_width=200, elem_id="pmg-topic-name")
            others = gr.Dropdown([], label="Goes into it", multiselect=True, min_width=240, elem_id="pmg-topic-others")
        with gr.Row():
            call = gr.Button("Rename", scale=0, min_width=160, elem_id="pmg-topic-rename")
            join = gr.Button("Merge", scale=0, min_width=160, elem_id="pmg-topic-merge")

    def on_find(bar: gr.Progress = gr.Progress()) -> None:  # noqa: B008
        with shows_errors():
            inform(f"Done: {context.steward.run(['links'], progress=on_bar(bar)).text}.")

    def on_pick(namespace: str, event: gr.EventData) -> None:
        with shows_errors():
            inform(picked_change(context, namespace, picked(event)))

    def on_rename(namespace: str, number: int | None, text: str) -> None:
        with shows_errors():
            inform(rename(context, namespace, number, text))

    def on_merge(namespace: str, number: int | None, rest: list[int]) -> None:
        with shows_errors():
            inform(merge(context, namespace, number, rest or []))

    changes = [
        find.click(on_find, None, None, show_progress_on=listed, concurrency_id="pmg-upkeep", **PRIVATE),
        listed.pick(on_pick, namespace, None, **PRIVATE),
        call.click(on_rename, [namespace, one, name], None, **PRIVATE),
        name.submit(on_rename, [namespace, one, name], None, **PRIVATE),
        join.click(on_merge, [namespace, one, others], None, **PRIVATE),
    ]
    return TopicsForm([listed, one, others, form], changes)


CSS = """
.pmg-topics { list-style: none; margin: 0 0 12px !important; padding: 0 !important; }
.pmg-topic { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 10px; padding: 7px 0; border-bottom: 1px solid var(--border-color-primary); }
.pmg-topic-dot { flex: none; width: 12px; height: 12px; border-radius: 50%; }
.pmg-topic-name { flex: 1 1 240px; min-width: 0; overflow-wrap: anywhere; }
.pmg-topic-name .pmg-muted { display: block; }
@media (max-width: 700px) { .pmg-topic-name { flex-basis: calc(100% - 30px); } }
"""
