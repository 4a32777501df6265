"""Carrying an order to forget out, from the first file to the receipt; and finishing one that was interrupted.

Knows: the sequence, which makes a kill at any point harmless: the order is on disk first and goes last, and every step can be
done again. Copies outside the database come before it: while it is whole, nothing that must be cleaned can be missed.
Does not know: how rows are removed (the store), files cleaned (copies.py) or traces found (scan.py).

    order → exports → backups → plain text → rows → the database file anew → indexes, plain text → scan → receipt
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pmg.base.errors import PmgError
from pmg.base.progress import Progress, silent
from pmg.base.times import now
from pmg.engine import Engine
from pmg.forget import order as orders
from pmg.forget.copies import clean_export, clean_half_written, may_name
from pmg.forget.order import PendingForget
from pmg.forget.plan import ForgetPlan, asked_since, backups_of
from pmg.forget.receipt import ForgetReceipt, worded
from pmg.forget.scan import files_naming, scan
from pmg.ingest import plaintext
from pmg.store import disk_space, leftovers
from pmg.store.forget import EXPORT, Forgetting
from pmg.store.rows import JournalEntry

ACTION = "forget"
STEPS = 7


def forget(
    engine: Engine, plan: ForgetPlan, progress: Progress = silent, *, allow_return: bool = False
) -> ForgetReceipt:
    """Removes what the plan names, everywhere. Recalls wait meanwhile. `allow_return` lets a later import bring it back."""
    if not plan.numbers or plan.pieces is None or plan.gone is None:
        return ForgetReceipt()
    gone = replace(plan.gone, allow_return=allow_return)
    home = engine.config.home
    sessions = engine.reads.sessions_with_segments(plan.sessions)
    files = tuple(str(plaintext.file_of(home, session).relative_to(home)) for session, _ in sessions)
    order = PendingForget(gone, plan.sessions, files, plan.pieces)
    disk_space.require_free(
        home, 2 * engine.reads.path.stat().st_size
    )  # before anything is promised: files are written anew
    orders.write(home, order)
    return _carry_out(engine, order, progress)


def resume_forget(engine: Engine, progress: Progress = silent) -> ForgetReceipt | None:
    """Finishes a forgetting that was interrupted, if there is one."""
    left = orders.read(engine.config.home)
    return None if left is None else _carry_out(engine, left, progress, resumed=True)


def _carry_out(engine: Engine, order: PendingForget, progress: Progress, resumed: bool = False) -> ForgetReceipt:
    home, holds = engine.config.home, order.pieces.held_by
    counts: Counter[str] = Counter()
    rewritten: list[str] = []
    unreachable: list[str] = []
    with engine.exclusive() as removal:
        progress("forgetting: copies", 1, STEPS)
        outside = _clean_exports(removal, order, rewritten, unreachable)
        for file in backups_of(engine):
            _clean_backup(removal, file, order, rewritten, unreachable)
        progress("forgetting: plain text", 2, STEPS)
        for name in order.files:
            (home / name).unlink(missing_ok=True)
        progress("forgetting: the memory", 3, STEPS)
        done = removal.strip(order.gone, holds)
        counts.update(done.counts)
        progress("forgetting: the file anew", 4, STEPS)
        removal.rewrite()
        progress("forgetting: indexes", 5, STEPS)
        engine.reindex()
        _write_plain_text(engine, sorted({*order.sessions, *order.gone.unnamed, *done.sessions}))
        leftovers.clear(home)
        engine.write_journal([_entry(order, counts, resumed)])
    progress("forgetting: looking for traces", 6, STEPS)
    beyond = [*outside, *(file for file in backups_of(engine) if not file.is_relative_to(home))]
    asked, pieces = asked_since(engine, order.pieces)
    scanned = scan(engine, pieces, beyond, progress)
    unreachable += files_naming(engine.config, order.pieces)
    orders.take_away(home)
    progress("forgetting: done", STEPS, STEPS)
    return ForgetReceipt(
        dict(counts),
        tuple(rewritten),
        tuple(unreachable),
        scanned.files,
        scanned.size,
        len(order.pieces),
        scanned.residue,
        resumed,
        asked,
    )


def _write_plain_text(engine: Engine, sessions: Sequence[str]) -> None:
    """What is left of them; a session that is gone, also one whose copy came in after the plan, leaves no file."""
    there = engine.reads.namespaces_of(sessions)
    for name in sessions:
        if name not in there:
            for file in (engine.config.home / "sessions").glob(f"*/*/{name}.md"):
                file.unlink(missing_ok=True)
    engine.write_plain_text([name for name in sessions if name in there])


def _clean_exports(
    removal: Forgetting, order: PendingForget, rewritten: list[str], unreachable: list[str]
) -> list[Path]:
    """Every export and report that was written down. One that is not there any more is told once and then no longer listed,
    unless one is just being written there."""
    exports = [copy for copy in removal.recorded() if copy.kind == EXPORT]
    missing: list[Path] = []
    half = clean_half_written(exports)
    rewritten += half.done
    unreachable += half.unreachable
    for copy in exports:
        try:
            rewritten += clean_export(copy, order.gone, order.pieces)
            unreachable += [told_of] if (told_of := may_name(copy)) else []
            missing += [] if copy.path.exists() else [copy.path]
        except FileNotFoundError as gone:
            unreachable.append(str(gone))
            missing.append(copy.path)
        except (PmgError, OSError, ValueError) as problem:  # ValueError: somebody's edit made it another form
            unreachable.append(f"{copy.path}: {problem}")
    removal.unrecord([path for path in missing if path not in half.begun])
    return [copy.path for copy in exports if copy.path not in missing]


def _clean_backup(
    removal: Forgetting, file: Path, order: PendingForget, rewritten: list[str], unreachable: list[str]
) -> None:
    if not file.is_file():
        unreachable.append(f"{file}: not there any more")
        removal.unrecord([file])
        return
    try:
        removal.strip_backup(file, order.gone, order.pieces.held_by)
        rewritten.append(str(file))
    except (PmgError, OSError) as problem:
        unreachable.append(f"{file}: {problem}")


def _entry(order: PendingForget, counts: Counter[str], resumed: bool) -> JournalEntry:
    removed = ", ".join(f"{count} {worded(name, count)}" for name, count in counts.items()) or "nothing was left"
    reason = f"forgotten in {order.gone.namespace}: {removed}" + (
        " (finished after an interruption)" if resumed else ""
    )
    return JournalEntry(0, f"forget-{now():%Y%m%d-%H%M%S}", now(), "user", ACTION, reason, "", "")
