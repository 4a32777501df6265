"""The steward tab: what upkeep does, when, and the way back.

Knows: the layout and which click does what. What a click does stands in steward_view.py, how a pair looks in pair_diff.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import gradio as gr

from pmg.base.model import Segment
from pmg.base.text import counted
from pmg.figures.memory_words import counted_action
from pmg.ui import speakers, table_css
from pmg.ui.clicks import clickable_html, picked
from pmg.ui.error_boundary import inform, on_bar, shows_errors
from pmg.ui.event_options import LATEST, PRIVATE
from pmg.ui.render import lines, moment, plain, safe, shortened
from pmg.ui.steward import pair_diff, schedule_form, steward_view, topics_form
from pmg.ui.steward.steward_view import DryRun, RunSummary, StewardOverview
from pmg.ui.theme import REFRESH_JS
from steward.steward import in_words
from steward.tasks import TASKS

if TYPE_CHECKING:
    from pmg.ui.app_context import AppContext, PageContext
    from steward.steward import RunReport

ENTRIES = 200  # of the journal at first; the button shows as many more
MAX_ARCHIVED = 30  # of the archive
MORE = "more"  # what the button under a list says
NOTHING = '<p class="pmg-empty">{}</p>'


# as HTML


def overview(now: StewardOverview) -> str:
    state = "Upkeep runs by itself." if now.scheduled else "Upkeep does not run by itself: run it here when you like."
    quiet = f" Quiet hours: {safe(now.quiet_hours)}." if now.quiet_hours else ""
    rows = "".join(
        f"<tr><th scope='row'>{steward_view.LABELS[line.name]}<div class='pmg-muted'>{line.does}</div></th>"
        f"<td data-label='When'>{safe(line.when)}</td><td data-label='Next'>{_when(line.next)}</td>"
        f"<td data-label='Last'>{_when(line.last)}{_said(line)}</td></tr>"
        for line in now.tasks
    )
    waiting = (
        f"{counted(now.to_review, 'pair waits', 'pairs wait')} for you to decide"
        if now.to_review
        else "nothing waits for you"
    )
    kept = f"{now.archived:,} in the archive" if now.archived else "nothing archived"
    return (
        f'<p class="pmg-lead">{state}{quiet} <span class="pmg-muted">{waiting} · {kept} · upkeep deletes nothing</span></p>'
        f'<table class="pmg-data-table pmg-tasks"><thead><tr><th>Task</th><th>When</th><th>Next</th><th>Last</th></tr></thead><tbody>{rows}</tbody></table>'
    )


def _when(at: datetime | None) -> str:
    return moment(at.astimezone()) if at else "—"


def _said(line: steward_view.TaskLine) -> str:
    if not line.said:
        return ""
    return f"<div class='pmg-muted{' pmg-bad' if line.failed else ''}'>{safe(shortened(line.said, 160))}</div>"


def report_html(report: RunReport) -> str:
    asks = "".join(f'<p class="pmg-stop">{safe(one.asks)}</p>' for one in report.done if one.asks)
    said = [one.said for one in report.done if one.said]
    text = in_words(report).partition("\n")[0] if said or not asks else ""
    return f'<div class="pmg-report" role="status">{f"<p>{safe(text)}</p>" if text else ""}{asks}</div>'


def dry_html(found: DryRun) -> str:
    rows = "".join(
        f"<tr><th scope='row'>{steward_view.LABELS[name]}</th><td>{safe(summary)}{f'<p class=pmg-stop>{safe(asks)}</p>' if asks else ''}</td></tr>"
        for name, summary, asks in found.lines
    )
    cards = "".join(pair_diff.card(pair) for pair in found.pairs)
    more = found.merges + found.blocked - len(found.pairs)
    notes = [f"and {more:,} more pairs"] if more > 0 else []
    notes += [f"{found.elsewhere:,} pairs in other namespaces are not shown here"] if found.elsewhere else []
    tail = f'<p class="pmg-muted">{" · ".join(notes)}</p>' if notes else ""
    return (
        '<p class="pmg-lead">Only looked: nothing was changed. This would be done now:</p>'
        f'<table class="pmg-data-table"><tbody>{rows}</tbody></table>{cards}{tail}'
    )


def _so_far(context: AppContext) -> str:
    new = context.steward.uncompared()
    told = f" yet: {counted(new, 'memory was', 'memories were')} not compared with the others so far"
    return told if new else ": no two memories contradict each other or nearly repeat each other"


def review_html(context: AppContext, namespace: str, most: int = steward_view.PAGE_PAIRS) -> str:
    waiting = speakers.named_pairs(context.engine, context.steward.review(namespace, most))
    total = context.steward.to_review(namespace)
    if not waiting:
        return NOTHING.format(
            f"Nothing to decide{_so_far(context)}. Pairs that sound alike but differ in a number, a name, a date or a “not” come here; "
            "<b>Merge duplicates</b> on the first page looks for them."
        )
    head = (
        f'<p class="pmg-lead">{total:,} {"pair sounds alike and differs" if total == 1 else "pairs sound alike and differ"}. '
        '<span class="pmg-muted">Nothing is merged without your word; every decision can be undone. <span class="pmg-by-key">Keys decide '
        "on the first pair: <kbd>m</kbd> merge, <kbd>k</kbd> keep both, <kbd>c</kbd> contradicts, <kbd>r</kbd> related.</span></span></p>"
    )
    more = total - len(waiting)
    rest = (
        f'<p class="pmg-choices"><button type="button" class="pmg-small" data-pick="{MORE}">Show {min(more, steward_view.PAGE_PAIRS)} more of {more:,}</button></p>'
        if more > 0
        else ""
    )
    return head + "".join(pair_diff.card(pair, pair_diff.choices(pair.review)) for pair in waiting) + rest


def history_html(runs: Sequence[RunSummary], limit: int = ENTRIES) -> str:
    """`limit` is how many entries were asked for: if there are as many, there may be more."""
    if not runs:
        return NOTHING.format(
            "Nothing has been done yet. What the steward does, and what you decide here, is listed with its undo."
        )
    full = sum(len(run.entries) + run.elsewhere for run in runs) >= limit
    more = f'<button type="button" class="pmg-small" data-pick="{MORE}">Show more</button>' if full else ""
    return "".join(_run_html(run) for run in runs) + more


def _run_html(run: RunSummary) -> str:
    button = f'<button type="button" class="pmg-small" data-pick="undo:{safe(run.name)}">Undo all of it</button>'
    mark = '<span class="pmg-badge">undone</span>' if run.undone else button if run.undoable else ""
    kinds = dict.fromkeys(entry.action for entry in run.entries)
    shown = "".join(_kind_html(action, [one for one in run.entries if one.action == action]) for action in kinds)
    return (
        f'<article class="pmg-run" title="run {safe(run.name)}"><div class="pmg-run-head"><div><b>{moment(run.at.astimezone())}</b> '
        f'<span class="pmg-muted">{safe(run.who)}</span><div>{safe(run.text)}</div></div>{mark}</div>{shown}</article>'
    )


def _kind_html(action: str, entries: Sequence[steward_view.JournalLine]) -> str:
    said = counted_action(action, len(entries))
    return (
        f"<details><summary>{safe(said[:1].upper() + said[1:])}</summary>{''.join(map(_entry_html, entries))}</details>"
    )


def _entry_html(entry: steward_view.JournalLine) -> str:
    """What it was done to; why, in figures, behind a click."""
    mark = f'<span class="pmg-badge">undone {moment(entry.undone_at.astimezone())}</span>' if entry.undone_at else ""
    button = (
        f'<button type="button" class="pmg-small" data-pick="undo:{entry.id}">Undo</button>' if entry.undoable else ""
    )
    texts = "".join(f"<li>{safe(shortened(plain(segment), 140))}</li>" for segment in entry.memories)
    return (
        f'<div class="pmg-entry"><div>{f"<ul>{texts}</ul>" if texts else ""}<details class="pmg-muted"><summary>Why</summary>'
        f"Entry {entry.id}: {safe(entry.reason)}</details></div>{mark}{button}</div>"
    )


def archive_html(found: Sequence[Segment], query: str, total: int) -> str:
    if not found:
        return NOTHING.format(
            "Nothing in the archive matches."
            if query.strip()
            else "The archive is empty: nothing is old enough, or everything old is still asked for."
        )
    head = f'<p class="pmg-muted">{len(found)} of {total:,} archived{" match best" if query.strip() else ""}</p>'
    return head + "".join(
        f'<article class="pmg-kept"><div class="pmg-run-head"><span class="pmg-muted">{moment(segment.at)} · '
        f"{safe(shortened(segment.session_name or segment.session_id, 80))}</span>"
        f'<button type="button" class="pmg-small" data-pick="restore:{safe(segment.id)}">Restore</button></div>{lines(segment)}</article>'
        for segment in found
    )


# the page


@dataclass(frozen=True)
class StewardComponents:
    """The components that several handlers write to."""

    overview: gr.HTML
    review: gr.HTML
    history: gr.HTML
    archive: gr.HTML
    limit: gr.State
    query: gr.Textbox
    pairs: gr.State  # of the review list that are shown

    @property
    def given(self) -> list[Any]:
        return [self.limit, self.query, self.pairs]

    @property
    def shown(self) -> list[Any]:
        return [self.overview, self.review, self.history, self.archive]


def build(context: AppContext, page: PageContext, tab: gr.Tab) -> None:
    with gr.Tabs(elem_id="pmg-steward"):
        with gr.Tab("Run", id="run") as first:
            over = gr.HTML(label="Tasks")
            run = _run_box(steward_view.usual(context))
        with gr.Tab("Review", id="review") as second:
            review = clickable_html(label="Pairs to review", elem_id="pmg-review")
        with gr.Tab("Topics", id="topics") as about:
            topics = topics_form.build(context, page.namespace)
        with gr.Tab("History", id="history") as third:
            history = clickable_html(label="What was done", elem_id="pmg-history")
        with gr.Tab("Archive", id="archive") as fourth:
            query = gr.Textbox(
                "", label="Search the archive", placeholder="words, or what it was about", elem_id="pmg-archive-query"
            )
            archive = clickable_html(label="Archived memories", elem_id="pmg-archive")
        with gr.Tab("Schedule", id="schedule") as fifth:
            form = schedule_form.build(context)
    components = StewardComponents(
        over, review, history, archive, gr.State(ENTRIES), query, gr.State(steward_view.PAGE_PAIRS)
    )

    def refresh(namespace: str, limit: int, text: str, pairs: int) -> list[str]:
        with shows_errors():
            return shown(context, namespace, limit, text, pairs)

    given = [page.namespace, *components.given]
    for one in (tab, first, second, third, fourth):
        one.select(refresh, given, components.shown, **LATEST)
    page.namespace.change(refresh, given, components.shown, **LATEST)
    for one in (tab, fifth):
        one.select(lambda: schedule_form.values(context.engine.config.steward), None, form, **LATEST)
    query.submit(refresh, given, components.shown, **PRIVATE)
    for one in (tab, about):
        one.select(partial(topics_form.values, context), page.namespace, topics.shown, **LATEST)
    page.namespace.change(partial(topics_form.values, context), page.namespace, topics.shown, **LATEST)
    for event in topics.changes:
        event.success(partial(topics_form.values, context), page.namespace, topics.shown, **LATEST)
        _then_refresh(context, page, components, event)
    _wire_run(context, page, components, run)
    _wire_lists(context, page, components)


def shown(
    context: AppContext, namespace: str, limit: int, text: str, pairs: int = steward_view.PAGE_PAIRS
) -> list[str]:
    """Everything the tab shows of the memory as it is now."""
    standing = steward_view.standing(context, namespace)
    return [
        overview(standing),
        review_html(context, namespace, pairs),
        history_html(steward_view.history(context, namespace, limit), limit),
        archive_html(steward_view.archive(context, namespace, text, MAX_ARCHIVED), text, standing.archived),
    ]


@dataclass(frozen=True)
class RunBox:
    names: gr.CheckboxGroup
    full: gr.Checkbox
    look: gr.Button
    start: gr.Button
    report: gr.HTML
    undo: gr.Button
    go_on: gr.Button
    done: gr.State  # the run that the undo button means
    asked: gr.State  # the tasks that the go-on button means


def _run_box(usual: list[str]) -> RunBox:
    names = gr.CheckboxGroup(
        [(steward_view.LABELS[name], name) for name in TASKS], value=usual, label="Tasks", elem_id="pmg-tasks"
    )
    full = gr.Checkbox(label="Full sweep: look at the whole memory, not only at what is new", value=False)
    with gr.Row():
        look = gr.Button("Dry run (changes nothing)", elem_id="pmg-dry-run", scale=0, min_width=300)
        start = gr.Button("Run now", variant="primary", elem_id="pmg-run-now", scale=0, min_width=220)
    report = gr.HTML(label="Report", elem_id="pmg-report")
    with gr.Row():
        go_on = gr.Button("Go on anyway", variant="stop", visible=False, elem_id="pmg-go-on", scale=0, min_width=220)
        undo = gr.Button("Undo this run", visible=False, elem_id="pmg-undo-run", scale=0, min_width=220)
    return RunBox(names, full, look, start, report, undo, go_on, gr.State(""), gr.State([]))


def _wire_run(context: AppContext, page: PageContext, components: StewardComponents, box: RunBox) -> None:
    def look(names: list[str], full: bool, namespace: str, bar: gr.Progress = gr.Progress()) -> tuple[Any, ...]:  # noqa: B008
        with shows_errors():
            found = steward_view.dry_run(context, namespace, names, full, on_bar(bar))
        return dry_html(found), gr.Button(visible=False), gr.Button(visible=False)

    def start(names: list[str], full: bool, bar: gr.Progress = gr.Progress()) -> tuple[Any, ...]:  # noqa: B008
        with shows_errors():
            return after(steward_view.run_now(context, names, full, on_bar(bar)))

    def go_on(names: list[str], full: bool, bar: gr.Progress = gr.Progress()) -> tuple[Any, ...]:  # noqa: B008
        with shows_errors():
            return after(steward_view.run_now(context, names, full, on_bar(bar), bulk=True))

    def after(report: RunReport) -> tuple[Any, ...]:
        asked = steward_view.asked(report)
        return (
            report_html(report),
            gr.Button(visible=bool(asked)),
            gr.Button(visible=steward_view.changed(report)),
            report.run,
            asked,
        )

    def undo(run: str) -> tuple[Any, ...]:
        with shows_errors():
            said = steward_view.undo(context, run)
        return (
            f'<p class="pmg-report" role="status">{safe(said)}</p>',
            gr.Button(visible=False),
            gr.Button(visible=False),
        )

    shows, all_of_it = [box.report, box.go_on, box.undo], [box.report, box.go_on, box.undo, box.done, box.asked]
    bars: dict[str, Any] = {"show_progress_on": box.report, "concurrency_id": "pmg-upkeep", **PRIVATE}
    box.look.click(look, [box.names, box.full, page.namespace], shows, **bars)
    begun = box.start.click(start, [box.names, box.full], all_of_it, **bars)
    gone_on = box.go_on.click(go_on, [box.asked, box.full], all_of_it, **bars)
    undone = box.undo.click(undo, box.done, shows, **bars)
    for event in (begun, gone_on, undone):
        _then_refresh(context, page, components, event)


def _then_refresh(context: AppContext, page: PageContext, components: StewardComponents, event: Any) -> None:
    event.success(
        lambda *given: shown(context, *given),
        [page.namespace, *components.given],
        components.shown,
        **LATEST,
    ).then(None, js=REFRESH_JS, **LATEST)  # what was merged, archived or brought back is in the header's number at once


def _wire_lists(context: AppContext, page: PageContext, components: StewardComponents) -> None:
    def decide(namespace: str, pairs: int, event: gr.EventData) -> int:
        if picked(event) == MORE:
            return pairs + steward_view.PAGE_PAIRS
        with shows_errors():
            inform(steward_view.decide(context, namespace, picked(event)))
        return pairs

    def undo(limit: int, event: gr.EventData) -> int:
        if picked(event) == MORE:
            return limit + ENTRIES
        with shows_errors():
            inform(steward_view.undo(context, picked(event).partition(":")[2]))
        return limit

    def restore(namespace: str, event: gr.EventData) -> None:
        with shows_errors():
            inform(steward_view.restore(context, namespace, picked(event).partition(":")[2]))

    for event in (
        components.review.pick(decide, [page.namespace, components.pairs], components.pairs, **PRIVATE),
        components.history.pick(undo, components.limit, components.limit, **PRIVATE),
        components.archive.pick(restore, page.namespace, None, **PRIVATE),
    ):
        _then_refresh(context, page, components, event)


CSS = pair_diff.CSS + table_css.CSS + topics_form.CSS
