"""The form that brings a history in, and its report on the page.

Knows: the layout, the clicks, and how a report reads as a table. The import itself is started by import_progress.py.
"""

from __future__ import annotations

import base64
import json
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gradio as gr

from pmg.base.text import counted
from pmg.base.times import now
from pmg.importers.conversation import Level
from pmg.importers.report import ImportReport, SourceCount
from pmg.ingest.redacted_places import one_of_each
from pmg.ui.error_boundary import on_bar, shows_errors, uploads
from pmg.ui.event_options import LATEST, PRIVATE, QUIET
from pmg.ui.render import safe, shortened
from pmg.ui.settings import import_progress
from pmg.ui.settings.import_stop import ImportStop
from pmg.ui.theme import REFRESH_JS

if TYPE_CHECKING:
    from pmg.ui.app_context import AppContext, PageContext

SOURCES = (
    "chatgpt", "claude", "claude-code", "codex", "gemini", "gemini-cli", "aistudio", "copilot", "deepseek", "grok",
    "openwebui", "librechat", "vscode-copilot", "cursor", "cline", "aider", "specstory", "goose", "opencode", "pi", "droid", "lmstudio",
    "jan", "kimi", "lechat", "perplexity", "whatsapp", "telegram", "mem0",
)  # fmt: skip
PROBLEMS = 100  # causes listed on the page; the JSON has every problem
LOST = (Level.UNSUPPORTED, Level.BROKEN)
# In the browser: also said where the server is gone.
BROKE_OFF = (
    '<p class="pmg-stop" role="status">The import broke off. What was read until then is stored. Import the same again: '
    "only what is missing comes in, and links and topics follow.</p>"
)
COLUMNS = {
    "conversations": "conversations",
    "turns": "new turns",
    "known": "known already",
    "grown": "grown",
    "edited": "edited",
    "branches": "in branches",
}


# as HTML


def report_html(report: ImportReport) -> str:
    head = "This would come in; nothing was stored." if report.dry_run else "Done."
    if report.stopped:
        return f'<p class="pmg-report" role="status">{safe(import_progress.stopped_text(report))}</p>'
    if not report.sources:
        head = "No conversation was found."
    parts = (_sources(report), _facts(report), _secrets(report), _problems(report))
    return f'<div class="pmg-report" role="status"><p>{head}</p></div>{"".join(parts)}'


def _sources(report: ImportReport) -> str:
    if not report.sources:
        return ""
    heads = "".join(f"<th>{label}</th>" for label in COLUMNS.values())
    rows = "".join(
        f"<tr><th scope='row'>{safe(name)}</th>{_cells(count)}</tr>" for name, count in sorted(report.sources.items())
    )
    return f'<table class="pmg-data-table pmg-figures"><thead><tr><th>Source</th>{heads}</tr></thead><tbody>{rows}</tbody></table>'


def _cells(count: SourceCount) -> str:
    return "".join(f"<td data-label='{label}'>{getattr(count, name):,}</td>" for name, label in COLUMNS.items())


def _facts(report: ImportReport) -> str:
    facts = [f"{name}: {text}" for name, text in facts_of(report)]
    return f'<ul class="pmg-facts">{"".join(f"<li>{safe(fact)}</li>" for fact in facts)}</ul>' if facts else ""


def facts_of(report: ImportReport) -> list[tuple[str, str]]:
    """What the report says beside the counts, as (name, text)."""
    found: list[tuple[str, str]] = []
    if report.missing:
        found.append(("Warning", f"{counted(report.missing, 'turn')} could not be found in the memory afterwards"))
    if report.untimed:
        found.append(
            ("Without usable times in the file", f"{counted(report.untimed, 'session')}: dated today, and marked")
        )
    if report.resumed:
        found.append(("Finished from an earlier import", counted(report.resumed, "turn")))
    if report.first and report.last:
        found.append(("Said", f"from {report.first:%Y-%m-%d} to {report.last:%Y-%m-%d}"))
    if report.people:
        found.append(("People", ", ".join(f"{name} ({n:,})" for name, n in report.people.most_common(10))))
    for name, counts in (("Secrets left out", report.redacted), ("Left out", report.skipped)):
        if counts:
            found.append((name, ", ".join(f"{what} ({n:,})" for what, n in counts.most_common())))
    unknown = {name: n for name, n in report.counted.items() if name.startswith("unknown")}
    if unknown:
        found.append(
            ("Not understood, kept as it is", ", ".join(f"{name} ({n:,})" for name, n in sorted(unknown.items())))
        )
    if report.built.duplicates:
        found.append(
            (
                "Said before",
                f"{counted(report.built.duplicates, 'turn')}: kept in their sessions, not recalled a second time",
            )
        )
    if report.built.waiting:
        found.append(
            ("Waiting for the embedding model", f"{counted(report.built.waiting, 'turn')}; words find them already")
        )
    size = f"{report.bytes_read / 1e6:,.1f} MB in " if report.bytes_read else ""
    found.append(("Read", f"{size}{import_progress.duration(report.seconds)}"))
    return found


def _secrets(report: ImportReport) -> str:
    """One place of every kind of secret that was left out, so that a false one is seen."""
    places = one_of_each(report.places)
    if not places:
        return ""
    rows = "".join(
        f"<tr><th scope='row'>{safe(kind)}</th><td data-label='How often'>{report.redacted[kind]:,}</td>"
        f"<td data-label='For instance'>{safe(place.excerpt)}</td></tr>"
        for kind, place in places.items()
    )
    return (
        '<details class="pmg-remarks"><summary>Where secrets were left out</summary>'
        f'<table class="pmg-data-table"><tbody>{rows}</tbody></table></details>'
    )


def _problems(report: ImportReport) -> str:
    if not report.problems:
        return ""
    causes = report.causes()
    rows = "".join(
        f"<tr><th scope='row'>{safe(shortened(f'{c.example.file} {c.example.position}'.strip(), 120))}</th>"
        f"<td data-label='What'><span class='pmg-badge {'pmg-look' if c.level in LOST else ''}'>{c.level.value}</span></td>"
        f"<td data-label='How often'>{c.count:,}</td>"
        f"<td data-label='Why'>{safe(shortened(c.example.reason, 240))}</td></tr>"
        for c in causes[:PROBLEMS]
    )
    total = sum(report.levels.values())
    more = "<p class='pmg-muted'>One of each cause is shown; the JSON has all.</p>" if total > len(causes) else ""
    broken = sum(report.levels[level] for level in LOST)
    label = f"{total:,} {'remark' if total == 1 else 'remarks'}" + (f", {broken:,} could not be read" if broken else "")
    return (
        f'<details class="pmg-remarks" {"open" if broken else ""}><summary>{label}</summary>'
        f'<table class="pmg-data-table"><tbody>{rows}</tbody></table>{more}</details>'
    )


def report_link(report: ImportReport) -> str:
    """The whole report as a file that never touches the server's disk: it names people and files."""
    whole = json.dumps(report.to_dict(), ensure_ascii=False, indent=2).encode("utf-8", "replace")
    return (
        f'<p><a id="pmg-import-json" download="pmg-import-{now():%Y%m%d-%H%M%S}.json" '
        f'href="data:application/json;base64,{base64.b64encode(whole).decode()}">Download the report (JSON)</a></p>'
    )


# the page


@dataclass(frozen=True, slots=True)
class ImportFields:
    """What a person says about an import."""

    files: gr.File
    paths: gr.Textbox
    since: gr.Textbox
    only: gr.Dropdown
    into: gr.Textbox  # the namespace; empty is the page's


@dataclass(frozen=True, slots=True)
class ImportButtons:
    look: gr.Button
    start: gr.Button
    stop: ImportStop  # there while one of the two runs


@dataclass(frozen=True, slots=True)
class ImportOutputs:
    """What the last import shows: its report, what was found afterwards, and whether it brought anything."""

    report: gr.HTML
    upkeep: gr.HTML
    brought: gr.State


def build(context: AppContext, page: PageContext) -> None:
    gr.HTML(
        '<p class="pmg-lead">Bring your conversations with other assistants: drop the export as you downloaded it '
        '(files or a zip), or name it by its path. <span class="pmg-muted">The platform is recognised by what is inside; '
        "importing again adds only what is new; secrets are left out; everything stays on this machine.</span></p>"
    )
    fields = _fields()
    with gr.Row():
        look = gr.Button("Dry run (stores nothing)", elem_id="pmg-import-dry", scale=0, min_width=260)
        start = gr.Button("Import", variant="primary", elem_id="pmg-import-start", scale=0, min_width=220)
        stop = ImportStop("pmg-import-stop")
    shown = ImportOutputs(
        gr.HTML(label="Import report", elem_id="pmg-import-report"),
        gr.HTML(elem_id="pmg-import-upkeep"),
        gr.State(False),
    )
    _wire_uploads(fields)
    done = _wire_runs(context, page, fields, ImportButtons(look, start, stop), shown)
    _wire_after(context, fields, done, shown)


def _fields() -> ImportFields:
    files = gr.File(
        label="Drop exports here", file_count="multiple", type="filepath", height=140, elem_id="pmg-import-files"
    )
    paths = gr.Textbox(
        "",
        label="Or paths on this machine",
        placeholder="~/Downloads/export.zip",
        info="one a line: files, folders, zips, another memory or its backup",
        lines=2,
        elem_id="pmg-import-paths",
    )
    with gr.Row(equal_height=True):
        since = gr.Textbox("", label="Only since", placeholder="2024-01-31", info="empty: everything", min_width=240)
        only = gr.Dropdown(
            list(SOURCES),
            multiselect=True,
            label="Only these sources",
            allow_custom_value=True,
            info="none: all",
            min_width=240,
        )
        into = gr.Textbox(
            "",
            label="Into this namespace",
            info="empty: this page's; another memory keeps its own",
            min_width=240,
        )
    return ImportFields(files, paths, since, only, into)


def _wire_uploads(fields: ImportFields) -> None:
    """What was taken off the form goes from the disk too."""
    waiting = gr.State([])  # uploads that nobody has imported yet

    def tidy(dropped: list[str] | None, before: list[str]) -> list[str]:
        import_progress.remove_uploads([name for name in before if name not in (dropped or ())], uploads())
        return dropped or []

    fields.files.change(tidy, [fields.files, waiting], waiting, **LATEST)


def _wire_runs(
    context: AppContext, page: PageContext, fields: ImportFields, buttons: ImportButtons, shown: ImportOutputs
) -> Any:
    """All buttons; gives the event after which an import is done. What the last one said goes when the next begins."""
    stop = buttons.stop

    def run(
        dry: bool, bar: Any, name: str, dropped: Any, named: str, date: str, sources: Any, wanted: str, namespace: str
    ) -> tuple[str, bool]:
        with shows_errors():
            everything = [*map(Path, dropped or ()), *import_progress.paths_of(named)]
            meter = import_progress.Meter(lambda share, text: bar(share, desc=text))
            into = import_progress.target_namespace(context, namespace, wanted)
            wishes = import_progress.wishes_of(into, date, sources or (), dry)
            with nullcontext() if dry else import_progress.used_up(dropped or (), uploads()):
                found = import_progress.run_import(
                    context, everything, namespace, meter, wishes, lambda: stop.is_asked(name)
                )
            found = import_progress.named_as_dropped(found, dropped or ())
        said = report_html(found) + ("" if found.stopped else report_link(found))
        return said, import_progress.brought_something(found) and not found.stopped

    def dry_run(
        a: str,
        b: Any,
        c: str,
        d: str,
        e: Any,
        f: str,
        g: str,
        bar: gr.Progress = gr.Progress(),  # noqa: B008
    ) -> str:
        return run(True, bar, a, b, c, d, e, f, g)[0]

    def real_run(
        a: str,
        b: Any,
        c: str,
        d: str,
        e: Any,
        f: str,
        g: str,
        bar: gr.Progress = gr.Progress(),  # noqa: B008
    ) -> tuple[str, bool]:
        return run(False, bar, a, b, c, d, e, f, g)

    @shows_errors()
    def check(dropped: list[str] | None, named: str, date: str, wanted: str) -> tuple[str, str, str, Any]:
        """What is wrong with the fields is told before an upload is used up."""
        import_progress.check([*map(Path, dropped or ()), *import_progress.paths_of(named)])
        import_progress.wishes_of(import_progress.target_namespace(context, "", wanted), date)
        return "", "", *stop.begin()

    inputs = [stop.run, fields.files, fields.paths, fields.since, fields.only, fields.into, page.namespace]
    options = {"show_progress_on": shown.report, "concurrency_id": "pmg-import", "concurrency_limit": 1, **PRIVATE}
    looked, checked = (
        button.click(
            check,
            [fields.files, fields.paths, fields.since, fields.into],
            [shown.report, shown.upkeep, *stop.outputs],
            **QUIET,
        )
        for button in (buttons.look, buttons.start)
    )
    dry = looked.success(dry_run, inputs, shown.report, **options)
    done = checked.success(real_run, inputs, [shown.report, shown.brought], **options)
    for event in (dry, done):
        stop.ends_with(event)
    return done


def _wire_after(context: AppContext, fields: ImportFields, done: Any, shown: ImportOutputs) -> None:
    """Topics are found where something came in, the numbers above are those of now, and the upload is off the form."""

    def find_topics(brought: bool, bar: gr.Progress = gr.Progress()) -> str:  # noqa: B008
        if not brought:
            return ""
        with shows_errors():
            said = import_progress.find_topics(context, on_bar(bar))
            return f'<p class="pmg-report" role="status">{safe(said)}</p>'

    done.success(None, js=REFRESH_JS, **LATEST)
    done.success(find_topics, shown.brought, shown.upkeep, show_progress_on=shown.upkeep, **PRIVATE)
    done.failure(None, None, shown.upkeep, js=f"() => {json.dumps(BROKE_OFF)}", **LATEST)
    for after in (done.success, done.failure):  # `then` is not heard after a failure; the upload is gone either way
        after(lambda: None, None, fields.files, **LATEST)


CSS = """
.pmg-figures td, .pmg-figures thead th:not(:first-child) { text-align: right !important; font-variant-numeric: tabular-nums; }
.pmg-figures tbody th { width: auto !important; }
.pmg-facts { margin: 0 0 12px !important; padding-left: 18px !important; line-height: 1.6; overflow-wrap: anywhere; }
.pmg-remarks summary { cursor: pointer; margin-bottom: 6px; }
@media (max-width: 700px) { .pmg-figures td { text-align: left !important; } }
"""
