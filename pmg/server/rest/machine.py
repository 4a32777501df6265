"""What reads files of this machine, or every namespace at once: for the server's own token alone."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from fastapi import APIRouter

from pmg.analytics import run_sql
from pmg.base.errors import NotFound
from pmg.client.results import SqlRows
from pmg.exporters.answers import json_rows
from pmg.importers.import_run import ImportOptions, import_paths
from pmg.ingest.pipeline import Ingested
from pmg.server.rest.bodies import DocumentRequest, ImportRequest, SqlRequest
from pmg.server.rest.caller import Memory, Owning

router = APIRouter(tags=["machine"])
AFTER_IMPORT = timedelta(seconds=5)  # a script that imports file by file has its topics found once, at the end


@router.post("/sql")
def sql(body: SqlRequest, caller: Owning, memory: Memory) -> SqlRows:
    """Asks the whole memory in SQL, reading only."""
    table = run_sql(memory.context.engine, body.statement, limit=body.limit, seconds=body.seconds)
    return SqlRows(tuple(json_rows(table)), b"more" in (table.schema.metadata or {}))


@router.post("/import")
def run_import(body: ImportRequest, caller: Owning, memory: Memory) -> dict[str, Any]:
    """Exports, folders and other memories, by their paths; the report is that of `pmg import --json`. Topics are found behind the answer."""
    paths = [_there(path) for path in body.paths]
    options = ImportOptions(namespace=caller.named, dry_run=body.dry_run)
    report = import_paths(memory.context.engine, paths, options)
    if memory.context.schedule and report.turns and not body.dry_run:
        memory.context.schedule.soon("links", AFTER_IMPORT)
    return report.to_dict()


@router.post("/documents")
def learn(body: DocumentRequest, caller: Owning, memory: Memory) -> Ingested:
    """Takes a document in, cut at paragraphs."""
    return memory.context.engine.learn(_there(body.path), namespace=caller.namespace)


def _there(path: str) -> Path:
    found = Path(path)
    try:
        known = found.is_absolute() and found.exists()
    except (OSError, ValueError):  # too long, or a NUL in it
        known = False
    if not known:
        raise NotFound(f"There is no file or folder {path[:300]}: give whole paths on the machine of the server.")
    return found
