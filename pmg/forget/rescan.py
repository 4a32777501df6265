"""Secrets that were stored before a rule knew them: found by today's rules, and taken out of everything, like something forgotten.

Knows: what is looked at, the sequence, and that counts are told and values never. The rules stand in pmg/ingest/redact, the rows
are cleaned by pmg/store/duckdb/cleanse.py, exports by copies.py. Killed at any point it is simply done again: the order says that
it must be, and doing it twice finds nothing more.

    order → exports → backups → rows → the database file anew → embedded, indexed, plain text anew → scan → receipt
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pmg.base.errors import PmgError
from pmg.base.progress import Progress, silent
from pmg.base.text import escape
from pmg.base.times import now
from pmg.engine import Engine
from pmg.forget import order as orders
from pmg.forget import shingles as cut
from pmg.forget.copies import clean_half_written, files_of, holds_any
from pmg.forget.plan import backups_of
from pmg.forget.receipt import DELETED, ForgetReceipt
from pmg.forget.scan import files_naming, scan
from pmg.forget.shingles import Shingles
from pmg.ingest import plaintext
from pmg.ingest.redact import Redacted, Redactor, behind_label, excerpts
from pmg.ingest.titles import is_cut, title_behind_mark
from pmg.store import leftovers
from pmg.store.forget import EXPORT
from pmg.store.rows import JournalEntry
from pmg.store.seal import SecretBox
from pmg.store.sealed import SealedText

STEPS = 6
SESSIONS_AT_ONCE = 500  # sessions whose turns are in memory together
FIRST_TURNS = 3  # of a session: a title is cut from one of them
CUT_SECRET = "piece of a secret"  # the kind, where a title has no room for the whole mark
Look = Callable[[str], Redacted]


@dataclass(frozen=True, slots=True)
class RescanPlan:
    """What today's rules find in what is stored."""

    kinds: Mapping[str, int] = field(default_factory=dict)  # secrets by kind
    places: Mapping[str, int] = field(default_factory=dict)  # texts by where they stand
    backups: tuple[Path, ...] = ()
    pieces: Shingles | None = field(default=None, repr=False, compare=False)

    @property
    def found(self) -> int:
        return sum(self.kinds.values())


def plan_rescan(engine: Engine) -> RescanPlan:
    """Looks at every stored text of every namespace; nothing is changed."""
    engine.flush_recalls()
    kinds: Counter[str] = Counter()
    places: Counter[str] = Counter()
    old: list[bytes] = []
    look = _scanner(engine)
    for place, text, times in engine.reads.forgetting.stored():
        found = look(text)
        if found.counts and not found.failed:
            kinds.update({kind: count * times for kind, count in found.counts.items()})
            places[place] += times
            old.append(escape(text).encode("utf-8", "surrogatepass"))
    pieces = _of_secrets(engine, old, look)
    return RescanPlan(dict(sorted(kinds.items())), dict(places), tuple(backups_of(engine)) if kinds else (), pieces)


def _scanner(engine: Engine) -> Look:
    """Today's rules, which leave what a person has put back. What they take out of a line is sealed, if the person wants that.

    Where it is not, it is sealed under a key that nobody keeps: places of other redactions in the line follow it all the same.
    """
    restored = engine.reads.sealed.restored_texts()
    titles = _cut_titles(engine)
    keeps = engine.config.redact.keep_sealed
    redactor = engine.redactor if keeps else engine.redactor.sealing(SecretBox.with_ephemeral_key())
    labelled = _labelled(engine, redactor, restored)

    def look(text: str) -> Redacted:
        """A text on which a rule fails stays as it is: it is in the memory already, and what would go is not known."""
        if text in titles:
            return titles[text]
        if text in labelled:
            return labelled[text]
        found = redactor.redact(text, spared=restored.get(text, ()))
        return replace(found, text=text, sealed=()) if found.failed else found

    return look


def _labelled(engine: Engine, redactor: Redactor, restored: Mapping[str, Sequence[str]]) -> dict[str, Redacted]:
    """Lines of which the label was once taken for a speaker: `PIN` said `4829`."""
    found = dict[str, Redacted]()
    for speaker, text in engine.reads.forgetting.spoken():
        kept = behind_label(redactor, speaker, text, restored.get(text, ()))
        if kept is not None:
            found[text] = kept
    return found


def _cut_titles(engine: Engine) -> dict[str, Redacted]:
    """Titles that hold a piece of a secret, which no rule knows: their turns have a mark where they go on."""
    found = dict[str, Redacted]()
    names = [session.id for session in engine.reads.sessions() if is_cut(session.title)]
    for first in range(0, len(names), SESSIONS_AT_ONCE):
        for session, segments in engine.reads.sessions_with_segments(names[first : first + SESSIONS_AT_ONCE]):
            said = (line.text for segment in segments[:FIRST_TURNS] for line in segment.lines)
            title = title_behind_mark(session.title, said)
            if title != session.title:
                kinds = Counter(kind for kind, _ in excerpts(title))
                found[session.title] = Redacted(title, kinds or {CUT_SECRET: 1})
    return found


def _of_secrets(engine: Engine, old: Iterable[bytes], look: Look) -> Shingles:
    """Pieces of the texts as they are that will stand in none of them as they will be."""
    found = cut.of_texts(old, cut.new_factor())
    if len(found):
        for _, text, _ in engine.reads.forgetting.stored():
            kept = look(text)
            found = found.without(cut.as_bytes(escape(kept.text).encode("utf-8", "surrogatepass")))
    return found.fewer()


def rescan(engine: Engine, plan: RescanPlan, progress: Progress = silent) -> ForgetReceipt:
    """Puts the typed marks in place of what was found, everywhere. Recalls wait meanwhile."""
    if not plan.found or plan.pieces is None:
        return ForgetReceipt()
    orders.write_rescan(engine.config.home, plan.pieces)
    return _carry_out(engine, plan.pieces, plan.kinds, progress, resumed=False)


def resume_rescan(engine: Engine, progress: Progress = silent) -> ForgetReceipt | None:
    """Finishes one that was interrupted, if there is one."""
    left = orders.read_rescan(engine.config.home)
    if left is None:
        return None
    return _carry_out(engine, left, plan_rescan(engine).kinds, progress, resumed=True)


def _carry_out(
    engine: Engine, pieces: Shingles, kinds: Mapping[str, int], progress: Progress, resumed: bool
) -> ForgetReceipt:
    home = engine.config.home
    rewritten: list[str] = []
    unreachable: list[str] = []

    look = _scanner(engine)

    def clean(text: str) -> str:
        return look(text).text

    def taken_from(text: str) -> tuple[SealedText, ...]:
        return look(text).sealed

    with engine.exclusive() as removal:
        progress("redacting: copies", 1, STEPS)
        outside = _drop_exports(engine, pieces, rewritten, unreachable)
        for file in backups_of(engine):
            try:
                removal.cleanse_backup(file, clean, taken_from)
                rewritten.append(str(file))
            except (PmgError, OSError) as problem:
                unreachable.append(f"{file}: {problem}")
        progress("redacting: the memory", 2, STEPS)
        _drop_plain_text(engine, clean)
        done = removal.cleanse(clean, taken_from, keep=engine.config.redact.keep_sealed)
        progress("redacting: the file anew", 3, STEPS)
        removal.rewrite()
        progress("redacting: vectors and indexes", 4, STEPS)
        engine.reindex()
        engine.write_plain_text([s.id for s in engine.reads.sessions() if not s.is_open])
        leftovers.clear(home)
        engine.write_journal([_entry(kinds)])
    progress("redacting: looking for traces", 5, STEPS)
    beyond = [*outside, *(file for file in backups_of(engine) if not file.is_relative_to(home))]
    scanned = scan(engine, pieces, beyond, progress)
    unreachable += files_naming(engine.config, pieces)
    orders.take_away(home, orders.RESCAN)
    engine.settle(progress)  # last, for it may take long: what has other words now gets other vectors
    progress("redacting: done", STEPS, STEPS)
    counts = {**kinds, "segments with other words": done.counts.get("segments", 0)}
    return ForgetReceipt(
        {name: count for name, count in counts.items() if count},
        tuple(rewritten),
        tuple(unreachable),
        scanned.files,
        scanned.size,
        len(pieces),
        scanned.residue,
        resumed,
    )


def _drop_plain_text(engine: Engine, clean: Callable[[str], str]) -> None:
    """The readable file of a session whose id holds a secret bears it in its name: it is written again under the other one."""
    for session in engine.reads.sessions():
        if clean(session.id) != session.id:
            plaintext.file_of(engine.config.home, session).unlink(missing_ok=True)


def _drop_exports(engine: Engine, pieces: Shingles, rewritten: list[str], unreachable: list[str]) -> list[Path]:
    """A file of an export that holds a secret is deleted: it can be exported again, without it. So is one that was never finished."""
    exports = [copy for copy in engine.reads.forgetting.recorded() if copy.kind == EXPORT]
    half = clean_half_written(exports)
    rewritten += [engine.redactor.redact(one).text for one in half.done]
    unreachable += [engine.redactor.redact(one).text for one in half.unreachable]
    there: list[Path] = []
    for copy in exports:
        try:
            files = files_of(copy)
        except OSError as problem:
            unreachable.append(engine.redactor.redact(str(problem)).text)
            continue
        there.append(copy.path)
        for file in files:
            shown = engine.redactor.redact(str(file)).text
            try:
                if holds_any(file, copy.form, pieces):
                    file.unlink()
                    rewritten.append(f"{shown} ({DELETED})")
            except (OSError, ValueError) as problem:  # ValueError: somebody's edit made it another form
                unreachable.append(f"{shown}: {type(problem).__name__}")
    return there


def _entry(kinds: Mapping[str, int]) -> JournalEntry:
    removed = ", ".join(f"{count} × {kind}" for kind, count in kinds.items()) or "nothing was left"
    return JournalEntry(0, f"redact-{now():%Y%m%d-%H%M%S}", now(), "user", "redact", f"taken out: {removed}", "", "")
