"""Commands that bring a history in and take a memory out: import, export, watch.

Knows: the options and how each reads on a terminal. Formats stand in pmg/importers and pmg/exporters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Annotated

import typer

from pmg.base.errors import InputError, NotFound
from pmg.base.text import counted, printable
from pmg.base.times import parse, parse_range
from pmg.cli import byte_bar, console
from pmg.cli.console import quote, say, say_json
from pmg.cli.root import app, engine_of, namespace_named, steward_of

if TYPE_CHECKING:
    from pmg.engine import Engine
    from pmg.importers.report import ImportReport
    from pmg.importers.watch import WatchedImport

Json = Annotated[bool, typer.Option("--json", help="The whole report as JSON.")]


@app.command("import")
def import_(
    context: typer.Context,
    paths: Annotated[
        list[Path], typer.Argument(help="Exports: files, folders, zips; or another memory or its backup.")
    ],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only report what would come in.")] = False,
    since: Annotated[str, typer.Option(help="Only sessions with something said at or after this date.")] = "",
    only: Annotated[
        list[str] | None, typer.Option(help="Only this source, like chatgpt (several times for several).")
    ] = None,
    namespace: Annotated[
        str, typer.Option(help="The namespace to put it in (else that of `pmg --namespace` or PMG_NAMESPACE).")
    ] = "",
    gap: Annotated[
        float, typer.Option(help="Hours of silence that begin a new session; 0: as configured.", min=0.0)
    ] = 0.0,
    as_json: Json = False,
) -> None:
    """Bring your history: exports of other assistants, transcripts, or another memory. Importing again adds only what is new."""
    with console.errors():
        from pmg.importers.import_run import ImportOptions, import_paths
        from pmg.importers.report import ImportReport

        paths = [console.path_of(path) for path in paths]
        missing = [path for path in paths if not path.exists()]
        if missing:
            raise NotFound(f"There is no file or folder {missing[0]}. Give the export as you downloaded it.")
    report = ImportReport()
    with (
        engine_of(context, model=not dry_run) as engine,
        _told_when_stopped(engine, report),
        byte_bar.byte_bar() as progress,
    ):
        asked = namespace or namespace_named(context, engine)
        wishes = ImportOptions(parse(since) if since else None, tuple(only or ()), asked, gap, dry_run)
        import_paths(engine, paths, wishes, progress, report)
        if not dry_run and any(source.turns for source in report.sources.values()):
            steward_of(engine).run(("links",), progress=progress)  # topics show at once, not after the night
    if as_json:
        say_json(report.to_dict())
    else:
        quote(report.text())
    if not report.sources and report.levels:
        raise typer.Exit(1)


@contextmanager
def _told_when_stopped(engine: Engine, report: ImportReport) -> Iterator[None]:
    """Ctrl-C in an import: how much is in, and how to go on. Counted in the memory, for what was under way is not in it."""
    before = sum(engine.counts().segments.values())
    try:
        yield
    except KeyboardInterrupt:
        if not report.dry_run:
            counts = engine.counts()
            stored = sum(counts.segments.values()) - before
            console.terminal().err.print(printable(report.interrupted(stored, counts.pending)))
        raise


@app.command()
def export(
    context: typer.Context,
    target: Annotated[Path, typer.Argument(help="The file to write; for markdown the folder of the vault.")],
    form: Annotated[str, typer.Option("--format", help="markdown, jsonl, csv, parquet or html.")] = "markdown",
    since: Annotated[str, typer.Option(help="Only sessions with something said at or after this date.")] = "",
    until: Annotated[
        str, typer.Option(help="Only sessions with something said before this time, or up to this date.")
    ] = "",
    person: Annotated[str, typer.Option(help="Only sessions in which this person speaks.")] = "",
    topic: Annotated[str, typer.Option(help="Only sessions with a turn of this topic.")] = "",
    namespace: Annotated[
        str, typer.Option(help="Only this namespace (else that of `pmg --namespace` or PMG_NAMESPACE, else all).")
    ] = "",
) -> None:
    """Take the memory out: a vault of Markdown, JSON lines (complete), CSV or Parquet for analysis, or one HTML page."""
    from pmg.exporters.export import FORMATS
    from pmg.exporters.export import export as write
    from pmg.store.exchange import ExportFilter

    with console.errors():
        if form not in FORMATS:
            raise InputError(f"--format {form} is not known: choose from {', '.join(FORMATS)}.")
        times = parse_range(since, until)
    with engine_of(context, model=False) as engine, console.bar() as progress:
        only = namespace or namespace_named(context, engine) or None
        place = console.path_of(target)
        told = console.new_folder(place)
        done = write(engine, place, form, ExportFilter(only, times[0], times[1], person, topic), progress)
        files = f" ({done.files} files)" if done.files > 1 else ""
        say(
            f"{counted(done.sessions, 'session')} written to {done.target}{files}{_of_namespaces(done.namespaces)}.{told}"
        )


def _of_namespaces(names: Sequence[str]) -> str:
    if not names:
        return ""
    return f", of the {'namespace' if len(names) == 1 else 'namespaces'} {', '.join(names)}"


@app.command()
def watch(
    context: typer.Context,
    folders: Annotated[list[Path] | None, typer.Argument(help="Folders to follow (else those configured).")] = None,
    once: Annotated[bool, typer.Option("--once", help="Look one time and stop.")] = False,
) -> None:
    """Follow transcript folders (Claude Code, Codex) and a drop folder, and take in what is new."""
    from pmg.importers.watch import Watcher, folders_of

    with engine_of(context) as engine:
        missing = [folder for folder in folders or () if not folder.is_dir()]
        if missing:
            raise NotFound(f"There is no folder {missing[0]} to follow: make it, or name another.")
        followed = folders or folders_of(engine.config)
        watcher = Watcher(engine, followed)
        if once:
            taken = watcher.once(tell)
            say(f"{counted(len(taken), 'file')} looked at in {counted(len(followed), 'folder')}.")
            return
        say("Following " + ", ".join(str(folder) for folder in followed) + ". Stop with Ctrl-C.")
        watcher.run(Event(), tell)


def tell(taken: WatchedImport) -> None:
    quote(taken.text())
