"""The steward tab: what upkeep does, when, and the way back.

Knows: the layout and which click does what. Does not know: how anything is done (upkeep.py) or how a pair looks (pairs.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

import gradio as gr

from pmg.model import Segment
from pmg.ui import pairs, schedule, sheet, upkeep
from pmg.ui.clicks import heard, picked
from pmg.ui.edge import inform, on_bar, told
from pmg.ui.render import lines, moment, safe, shortened
from pmg.ui.upkeep import DryRun, Run, Standing
from steward.steward import in_words
from steward.tasks import TASKS

if TYPE_CHECKING:
    from pmg.ui.desk import Desk, Page
    from steward.steward import Report

PRIVATE: dict[str, Any] = {"api_visibility": "private"}
QUIET: dict[str, Any] = {"show_progress": "hidden", **PRIVATE}
ENTRIES = 200  # of the journal at first; the button shows as many more
FOUND = 30  # of the archive
NOTHING = '<p class="pmg-empty">{}</p>'


# as HTML


def overview(now: Standing) -> str:
    state = "Upkeep runs by itself." if now.scheduled else "Upkeep does not run by itself: run it here when you like."
    quiet = f" Quiet hours: {safe(now.quiet_hours)}." if now.quiet_hours else ""
    rows = "".join(
        f"<tr><th scope='row'>{line.name.capitalize()}<div class='pmg-muted'>{line.does}</div></th>"
        f"<td data-label='When'>{safe(line.when)}</td><td data-label='Next'>{_when(line.next)}</td>"
        f"<td data-label='Last'>{_when(line.last)}{_said(line)}</td></tr>"
        for line in now.tasks
    )
    waiting = f"{now.to_review} {'pair waits' if now.to_review == 1 else 'pairs wait'} for your eye"
    kept = f"{now.archived:,} in the archive"
    return (
        f'<p class="pmg-lead">{state}{quiet} <span class="pmg-muted">{waiting} · {kept} · nothing is ever deleted</span></p>'
        f'<table class="pmg-sheet"><thead><tr><th>Task</th><th>When</th><th>Next</th><th>Last</th></tr></thead><tbody>{rows}</tbody></table>'
    )


def _when(at: datetime | None) -> str:
    return moment(at.astimezone()) if at else "—"


def _said(line: upkeep.TaskLine) -> str:
    if not line.said:
        return ""
    return f"<div class='pmg-muted{' pmg-bad' if line.failed else ''}'>{safe(shortened(line.said, 160))}</div>"


def report_html(report: Report) -> str:
    asks = "".join(f'<p class="pmg-stop">{safe(one.asks)}</p>' for one in report.done if one.asks)
    said = [one.said for one in report.done if one.said]
    text = in_words(report).partition("\n")[0] if said or not asks else ""
    return f'<div class="pmg-report" role="status">{f"<p>{safe(text)}</p>" if text else ""}{asks}</div>'


def dry_html(found: DryRun) -> str:
    rows = "".join(
        f"<tr><th scope='row'>{name.capitalize()}</th><td>{safe(summary)}{f'<p class=pmg-stop>{safe(asks)}</p>' if asks else ''}</td></tr>"
        for name, summary, asks in found.lines
    )
    cards = "".join(pairs.card(pair) for pair in found.pairs)
    more = found.merges + found.blocked - len(found.pairs)
    notes = [f"and {more:,} more pairs"] if more > 0 else []
    notes += [f"{found.elsewhere:,} pairs behind other walls are not shown here"] if found.elsewhere else []
    tail = f'<p class="pmg-muted">{" · ".join(notes)}</p>' if notes else ""
    return (
        '<p class="pmg-lead">Only looked: nothing was changed. This would be done now:</p>'
        f'<table class="pmg-sheet"><tbody>{rows}</tbody></table>{cards}{tail}'
    )


def review_html(desk: Desk, namespace: str) -> str:
    waiting = desk.steward.review(namespace, upkeep.PAIRS)
    total = desk.steward.to_review(namespace)
    if not waiting:
        return NOTHING.format(
            "Nothing to decide. Pairs that sound alike but differ in a number, a name, a date or a “not” are listed here."
        )
    head = (
        f'<p class="pmg-lead">{total:,} {"pair sounds alike and differs" if total == 1 else "pairs sound alike and differ"}. '
        '<span class="pmg-muted">Nothing is merged without your word; every decision can be undone.</span></p>'
    )
    return head + "".join(pairs.card(pair, pairs.choices(pair.review)) for pair in waiting)


def history_html(runs: Sequence[Run]) -> str:
    if not runs:
        return NOTHING.format("Nothing has been done yet.")
    return "".join(_run_html(run) for run in runs)


def _run_html(run: Run) -> str:
    button = f'<button type="button" class="pmg-small" data-pick="undo:{safe(run.name)}">Undo all of it</button>'
    mark = '<span class="pmg-badge">undone</span>' if run.undone else button if run.undoable else ""
    entries = "".join(_entry_html(entry) for entry in run.entries)
    count = len(run.entries)
    shown = f"<details><summary>{count} {'entry' if count == 1 else 'entries'}</summary>{entries}</details>"
    return (
        f'<article class="pmg-run"><div class="pmg-run-head"><div><b>{moment(run.at.astimezone())}</b> '
        f'<span class="pmg-muted">{safe(run.who)} · run {safe(run.name)}</span><div>{safe(run.text)}</div></div>{mark}</div>{shown}</article>'
    )


def _entry_html(entry: upkeep.Entry) -> str:
    mark = f'<span class="pmg-badge">undone {moment(entry.undone_at.astimezone())}</span>' if entry.undone_at else ""
    button = (
        f'<button type="button" class="pmg-small" data-pick="undo:{entry.id}">Undo</button>' if entry.undoable else ""
    )
    texts = "".join(f"<li>{safe(shortened(segment.text, 140))}</li>" for segment in entry.memories)
    return (
        f'<div class="pmg-entry"><div><b>{entry.id}</b> {safe(entry.action)} <span class="pmg-muted">{safe(entry.reason)}</span>'
        f"{f'<ul>{texts}</ul>' if texts else ''}</div>{mark}{button}</div>"
    )


def archive_html(found: Sequence[Segment], query: str, total: int) -> str:
    if not found:
        return NOTHING.format("Nothing in the archive matches." if query.strip() else "The archive is empty.")
    head = f'<p class="pmg-muted">{len(found)} of {total:,} archived{" match best" if query.strip() else ""}</p>'
    return head + "".join(
        f'<article class="pmg-kept"><div class="pmg-run-head"><span class="pmg-muted">{moment(segment.at)} · '
        f"{safe(shortened(segment.title or segment.session_id, 80))}</span>"
        f'<button type="button" class="pmg-small" data-pick="restore:{safe(segment.id)}">Restore</button></div>{lines(segment)}</article>'
        for segment in found
    )


# the page


@dataclass(frozen=True)
class Parts:
    """The components that several handlers write to."""

    overview: gr.HTML
    review: gr.HTML
    history: gr.HTML
    archive: gr.HTML
    limit: gr.State
    query: gr.Textbox

    @property
    def shown(self) -> list[Any]:
        return [self.overview, self.review, self.history, self.archive]


def build(desk: Desk, page: Page, tab: gr.Tab) -> None:
    with gr.Tabs(elem_id="pmg-steward"):
        with gr.Tab("Run", id="run") as first:
            over = gr.HTML(label="Tasks")
            run = _run_box(upkeep.usual(desk))
        with gr.Tab("Review", id="review") as second:
            review = heard(label="Pairs to review", elem_id="pmg-review")
        with gr.Tab("History", id="history") as third:
            history = heard(label="What was done", elem_id="pmg-history")
            more = gr.Button("Show more", size="sm", scale=0, min_width=160)
        with gr.Tab("Archive", id="archive") as fourth:
            query = gr.Textbox(
                "", label="Search the archive", placeholder="words, or what it was about", elem_id="pmg-archive-query"
            )
            archive = heard(label="Archived memories", elem_id="pmg-archive")
        with gr.Tab("Schedule", id="schedule") as fifth:
            form = schedule.build(desk)
    parts = Parts(over, review, history, archive, gr.State(ENTRIES), query)

    def refresh(space: str, limit: int, text: str) -> list[str]:
        with told():
            return shown(desk, space, limit, text)

    given = [page.namespace, parts.limit, query]
    for one in (tab, first, second, third, fourth):
        one.select(refresh, given, parts.shown, **QUIET)
    page.namespace.change(refresh, given, parts.shown, **QUIET)
    for one in (tab, fifth):
        one.select(lambda: schedule.values(desk.engine.config.steward), None, form, **QUIET)
    query.submit(refresh, given, parts.shown, **PRIVATE)
    more.click(lambda limit: limit + ENTRIES, parts.limit, parts.limit, **QUIET).then(
        refresh, given, parts.shown, **PRIVATE
    )
    _wire_run(desk, page, parts, run)
    _wire_lists(desk, page, parts)


def shown(desk: Desk, space: str, limit: int, text: str) -> list[str]:
    """Everything the tab shows of the memory as it is now."""
    standing = upkeep.standing(desk, space)
    return [
        overview(standing),
        review_html(desk, space),
        history_html(upkeep.history(desk, space, limit)),
        archive_html(upkeep.archive(desk, space, text, FOUND), text, standing.archived),
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
        [(name.capitalize(), name) for name in TASKS], value=usual, label="Tasks", elem_id="pmg-tasks"
    )
    full = gr.Checkbox(label="Full sweep: look at the whole memory, not only at what is new", value=False)
    with gr.Row():
        look = gr.Button("Dry run (changes nothing)", elem_id="pmg-dry-run", scale=0, min_width=260)
        start = gr.Button("Run now", variant="primary", elem_id="pmg-run-now", scale=0, min_width=220)
    report = gr.HTML(label="Report", elem_id="pmg-report")
    with gr.Row():
        go_on = gr.Button("Go on anyway", variant="stop", visible=False, elem_id="pmg-go-on", scale=0, min_width=220)
        undo = gr.Button("Undo this run", visible=False, elem_id="pmg-undo-run", scale=0, min_width=220)
    return RunBox(names, full, look, start, report, undo, go_on, gr.State(""), gr.State([]))


def _wire_run(desk: Desk, page: Page, parts: Parts, box: RunBox) -> None:
    def look(names: list[str], full: bool, space: str, bar: gr.Progress = gr.Progress()) -> tuple[Any, ...]:  # noqa: B008
        with told():
            found = upkeep.dry_run(desk, space, names, full, on_bar(bar))
        return dry_html(found), gr.Button(visible=False), gr.Button(visible=False)

    def start(names: list[str], full: bool, bar: gr.Progress = gr.Progress()) -> tuple[Any, ...]:  # noqa: B008
        with told():
            return after(upkeep.run_now(desk, names, full, on_bar(bar)))

    def go_on(names: list[str], full: bool, bar: gr.Progress = gr.Progress()) -> tuple[Any, ...]:  # noqa: B008
        with told():
            return after(upkeep.run_now(desk, names, full, on_bar(bar), bulk=True))

    def after(report: Report) -> tuple[Any, ...]:
        asked = upkeep.asked(report)
        return (
            report_html(report),
            gr.Button(visible=bool(asked)),
            gr.Button(visible=upkeep.changed(report)),
            report.run,
            asked,
        )

    def undo(run: str) -> tuple[Any, ...]:
        with told():
            said = upkeep.undo(desk, run)
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
        _then_refresh(desk, page, parts, event)


def _then_refresh(desk: Desk, page: Page, parts: Parts, event: Any) -> None:
    event.success(lambda *given: shown(desk, *given), [page.namespace, parts.limit, parts.query], parts.shown, **QUIET)


def _wire_lists(desk: Desk, page: Page, parts: Parts) -> None:
    def decide(space: str, event: gr.EventData) -> None:
        with told():
            inform(upkeep.decide(desk, space, picked(event)))

    def undo(event: gr.EventData) -> None:
        with told():
            inform(upkeep.undo(desk, picked(event).partition(":")[2]))

    def restore(space: str, event: gr.EventData) -> None:
        with told():
            inform(upkeep.restore(desk, space, picked(event).partition(":")[2]))

    for event in (
        parts.review.pick(decide, page.namespace, None, **PRIVATE),
        parts.history.pick(undo, None, None, **PRIVATE),
        parts.archive.pick(restore, page.namespace, None, **PRIVATE),
    ):
        _then_refresh(desk, page, parts, event)


CSS = pairs.CSS + sheet.CSS
