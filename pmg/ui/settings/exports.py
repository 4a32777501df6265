"""Taking the memory out, as one file to download.

Knows: the forms of export, their filters, and that a vault of many files goes into a zip. How each form is written is the
business of pmg/exporters.
"""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gradio as gr

from pmg.base.errors import InputError
from pmg.base.progress import Progress
from pmg.base.times import now, parse_range
from pmg.exporters.export import FORMATS, export
from pmg.store.exchange import ExportFilter
from pmg.store.forget import EXPORT, PACKED, KnownCopy
from pmg.ui.error_boundary import on_bar, outbox, shows_errors
from pmg.ui.render import safe

if TYPE_CHECKING:
    from pmg.ui.app_context import AppContext, PageContext

FORMS = {
    "markdown": "Markdown: a zip of notes, one a session; opens as an Obsidian vault",
    "jsonl": "JSON lines: complete; importing it gives the same memory again",
    "csv": "CSV: a table for a spreadsheet",
    "parquet": "Parquet: a table for analysis",
    "html": "HTML: one page to read, without anything from outside",
}


def take_out(
    context: AppContext, form: str, filters: ExportFilter, folder: Path, progress: Progress
) -> tuple[Path, int]:
    """The file to download, in `folder`, and how many sessions are in it."""
    if form not in FORMATS:
        raise InputError(f"{form!r} is no form of export: choose from {', '.join(FORMATS)}.")
    name = f"pmg-{filters.namespace or 'all'}-{now():%Y%m%d-%H%M%S}"
    if form != "markdown":
        done = export(context.engine, folder / f"{name}.{form}", form, filters, progress)
        return done.target, done.sessions
    vault, packed = folder / name, folder / f"{name}.zip"
    try:
        done = export(context.engine, vault, form, filters, progress)
        context.engine.record_copy(KnownCopy(packed.resolve(), EXPORT, PACKED))
        return zipped(vault, packed, progress), done.sessions
    finally:
        shutil.rmtree(vault, ignore_errors=True)
        if not vault.exists():  # not before: a page that is killed while it packs leaves the vault
            context.engine.drop_copies([vault.resolve()])


def zipped(vault: Path, target: Path, progress: Progress) -> Path:
    files = sorted(file for file in vault.rglob("*") if file.is_file()) if vault.is_dir() else []
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for done, file in enumerate(files, 1):
            archive.write(file, file.relative_to(vault.parent))
            progress("packing files", done, len(files))
    target.chmod(0o600)
    return target


def filters_of(namespace: str, since: str, until: str, person: str, topic: str) -> ExportFilter:
    times = parse_range(since, until)
    return ExportFilter(namespace, times[0], times[1], person.strip(), topic.strip())


# the page


def build(context: AppContext, page: PageContext) -> None:
    gr.HTML(
        '<p class="pmg-lead">Save a copy of this namespace, whole sessions at a time. '
        '<span class="pmg-muted">The filters leave out sessions; empty ones leave out nothing.</span></p>'
    )
    form = gr.Radio([(text, name) for name, text in FORMS.items()], value="markdown", label="Form", elem_id="pmg-form")
    with gr.Row(equal_height=False):
        since = gr.Textbox("", label="Since", placeholder="2024-01-31", min_width=200)
        until = gr.Textbox("", label="Until, included", placeholder="2025-01-31", min_width=200)
        person = gr.Textbox("", label="With this person", min_width=200)
        topic = gr.Textbox("", label="About this topic", placeholder="a name from the graph's topics", min_width=200)
    with gr.Row():
        start = gr.Button("Prepare the export", variant="primary", elem_id="pmg-export-start", scale=0, min_width=240)
    said = gr.HTML(label="Export", elem_id="pmg-export-said")
    with gr.Row():
        download = gr.DownloadButton("Download", visible=False, elem_id="pmg-export-file", scale=0, min_width=240)

    def run(
        form: str,
        since: str,
        until: str,
        person: str,
        topic: str,
        namespace: str,
        bar: gr.Progress = gr.Progress(),  # noqa: B008
    ) -> tuple[Any, ...]:
        with shows_errors():
            file, sessions = take_out(
                context, form, filters_of(namespace, since, until, person, topic), outbox(), on_bar(bar)
            )
            size = f"{file.stat().st_size / 1e6:,.1f} MB"
        if not sessions:
            return '<p class="pmg-report">No session matches these filters.</p>', gr.DownloadButton(visible=False)
        text = f"{sessions:,} {'session' if sessions == 1 else 'sessions'}, {size}: {file.name}"
        button = gr.DownloadButton(f"Download ({size})", value=str(file), visible=True)
        return f'<p class="pmg-report" role="status">{safe(text)}</p>', button

    start.click(
        run,
        [form, since, until, person, topic, page.namespace],
        [said, download],
        show_progress_on=said,
        api_visibility="private",
    )
