"""A health check: what is in force, what is whole, what needs a hand.

Knows: which facts tell a person that their memory is well. Does not know: how to mend; each finding names the command that does.
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

from pmg.base.errors import PmgError
from pmg.base.filesystem import others_can_read
from pmg.base.model import Kind, State
from pmg.base.text import counted
from pmg.base.times import now
from pmg.ingest.reembed import RELINK
from pmg.store import evidence
from pmg.store.duckdb import foreign
from pmg.store.keys import HEADER, OPENING, READY, is_encrypted, is_encrypted_home, read_header

if TYPE_CHECKING:
    from pmg.engine import Engine
    from pmg.store.rows import Counts

OK, CHOICE, WARN, BAD = (
    "ok",
    "choice",
    "look",
    "bad",
)  # a choice is neither right nor wrong: it is told, so that it is one


@dataclass(frozen=True, slots=True)
class Finding:
    """`what` in words that anybody understands; `detail` has the names and numbers for those who want them."""

    level: str
    what: str
    mend: str = ""
    detail: str = ""


def examine(engine: Engine) -> list[Finding]:
    home = engine.config.home
    return [
        *_files(home),
        *_encryption(home),
        *_model(engine),
        *_thresholds(engine),
        *_indexes(engine),
        *_store(engine),
        *_evidence(engine),
    ]


def _files(home: Path) -> list[Finding]:
    private = (
        Finding(OK, f"only you can read {home}")
        if not others_can_read(home)
        else Finding(WARN, f"others can look into {home}", f"chmod 700 {home}")
    )
    size = sum(file.stat().st_size for file in home.rglob("*") if file.is_file())
    free = shutil.disk_usage(home).free
    room = Finding(
        OK if free > 2 * size else WARN,
        f"the memory takes {size / 1e6:.1f} MB; {free / 1e9:.1f} GB of the disk are free",
        "" if free > 2 * size else "free some disk space",
    )
    return [private, room]


def _encryption(home: Path) -> list[Finding]:
    place = home / HEADER
    if place.is_file() and read_header(place).state != READY:
        begun = read_header(place).state
        command = "pmg decrypt" if begun == OPENING else "pmg encrypt"
        return [Finding(WARN, f"{begun} this memory was begun and not finished", command)]
    if not is_encrypted_home(home):
        plainly = "not encrypted: whoever can read this disk can read the memory"
        return [
            Finding(
                CHOICE, plainly, detail="`pmg encrypt`, or on the page under Import & settings, Backup & encryption"
            )
        ]
    plain = sorted(file.name for file in (home / "backups").glob("*.duckdb") if not is_encrypted(file))
    told = Finding(OK, "encrypted: only your passphrase opens it, and a lost one is final")
    return [told, *(Finding(WARN, f"the backup {name} is not encrypted", f"delete backups/{name}") for name in plain)]


def _model(engine: Engine) -> list[Finding]:
    held, ready = engine.reads.model, engine.model.ready()
    vectors = f"; vectors of {held.name}, generation {held.generation}" if held else ""
    findings = []
    if ready is not None:
        detail = f"embedding model {ready.name}, {ready.dimension} dimensions, loaded{vectors}"
        findings.append(Finding(OK, "memories are found by their meaning", detail=detail))
    else:
        told = f"{engine.model.problem} Memories are found by their words, and by what was said around them."
        findings.append(Finding(WARN, told, "see `pmg -v recall`", vectors.removeprefix("; ")))
    if engine.config.chat.reader and engine.reader.ready() is None and engine.reader.problem:
        told = f"{engine.reader.problem} Answers are in the order of the search."
        findings.append(Finding(WARN, told, "reinstall PMG, or set chat.reader = false"))
    if engine.reads.next_model is not None:
        findings.append(
            Finding(WARN, "a change of model is half done", f"pmg reembed --model {engine.reads.next_model.name}")
        )
    if engine.reads.note(RELINK):
        findings.append(Finding(WARN, "links are still those of the earlier model", "pmg rebuild --links"))
    return findings


def _thresholds(engine: Engine) -> list[Finding]:
    found = engine.thresholds
    values = ", ".join(
        f"{f.name.replace('_', ' ')} {getattr(found, f.name):.2f}" for f in fields(found) if f.name != "origin"
    )
    return [Finding(OK, f"how alike is alike enough: {found.origin}", detail=f"thresholds: {values}")]


def _indexes(engine: Engine) -> list[Finding]:
    told = "an index was old or damaged and was made again at this start: nothing is lost"
    rebuilt = [Finding(WARN, told, detail=reason) for reason in engine.indexes.rebuilt]
    active = engine.reads.segments_by_state()[State.ACTIVE]
    with engine.between_writes() as store:
        engine.indexes.catch_up()  # with what was written a moment ago
        sizes, model = engine.indexes.sizes().values(), store.model
        windows, lines = sum(size[0] for size in sizes), sum(size[1] for size in sizes)
        expected, due = store.indexable_lines(), store.indexable_windows(model.generation) if model else 0
    whole = windows == due and lines == expected
    held = counted(active, "memory", "memories")
    told = f"{held} can be found" if whole else f"some of {held} cannot be found: their indexes are not whole"
    detail = f"{counted(windows, 'window')} and {counted(lines, 'line')} indexed"
    missing = "" if whole else f" of {due} and {expected}"
    return [*rebuilt, Finding(OK if whole else BAD, told, "" if whole else "pmg rebuild", detail + missing)]


def _store(engine: Engine) -> list[Finding]:
    counts = engine.counts()
    findings = [Finding(OK, _held(counts, len(engine.reads.namespaces())))]
    if counts.pending:
        findings.append(
            Finding(
                WARN,
                f"{counted(counts.pending, 'memory is', 'memories are')} found by words alone so far",
                "`pmg serve` makes them while it runs, `pmg rebuild` at once; without a model they come when it is there",
                "no vectors yet",
            )
        )
    if counts.open_sessions:
        # No warning: one that is forgotten is closed after an idle time, or at the next start.
        told = f"{counted(counts.open_sessions, 'session is', 'sessions are')} open, and linked when closed"
        findings.append(Finding(OK, told))
    orphans = engine.reads.orphan_edges()
    if orphans:
        findings.append(Finding(BAD, f"{counted(orphans, 'link leads', 'links lead')} nowhere", "pmg rebuild --links"))
    untied = engine.reads.missing_chain()
    if untied:
        told = f"{counted(untied, 'link', 'links')} between neighbours of a session {'is' if untied == 1 else 'are'} missing"
        findings.append(Finding(BAD, told, "pmg rebuild --links"))
    ahead = engine.reads.said_after(now())
    if ahead:
        findings.append(
            Finding(
                WARN,
                f"{counted(ahead, 'memory is', 'memories are')} dated in the future",
                "they are kept as they came",
            )
        )
    return findings


def _held(counts: Counts, namespaces: int) -> str:
    """How much there is, in the numbers of the header and of Analytics: those are of one namespace, this is of all."""
    memories = sum(counts.segments.values())
    away = memories - counts.segments[State.ACTIVE]
    links, beside = sum(counts.links.values()), counts.links[Kind.CHAIN]
    told = f"{counted(counts.sessions, 'session')}, {counted(memories, 'memory', 'memories')}"
    told += f" ({away:,} of them put away)" if away else ""
    told += f", {counted(links, 'link')}"
    told += f" ({beside:,} to the next in a session, {links - beside:,} others)" if links else ""
    return told + (f", in {namespaces} namespaces" if namespaces > 1 else "")


def _evidence(engine: Engine) -> list[Finding]:
    """What this opening had to put right, and whatever beside the store knows more than it."""
    home, held = engine.config.home, sum(engine.reads.segments_by_state().values())
    findings = [Finding(WARN, f"at this start {what}") for what in engine.reads.mended]
    known = {session.id for session in engine.sessions()}
    unknown = [file for name, file in evidence.plain_sessions(home).items() if name not in known]
    if unknown:
        findings.append(
            Finding(
                WARN,
                f"{counted(len(unknown), 'session lies', 'sessions lie')} in sessions/ as plain text and {'is' if len(unknown) == 1 else 'are'} not in the memory, such as {unknown[0].name}",
                f"read them; then `pmg import FILE`, or delete them: {unknown[0]}",
            )
        )
    for file in _newest(evidence.backups_of(home)):
        with suppress(PmgError):  # one that is damaged or another's knows nothing of this memory
            with foreign.reading(file) as found:
                more = found.segments() - held if found.store_id == engine.reads.store_id else 0
            if more > 0:
                mend = f"pmg restore {file}"
                findings.append(
                    Finding(
                        BAD,
                        f"the backup {file.name} holds {counted(more, 'memory', 'memories')} more than are here",
                        mend,
                    )
                )
    return findings


def _newest(files: list[Path], count: int = 3) -> list[Path]:
    return sorted(files, key=lambda file: file.stat().st_mtime)[-count:]
