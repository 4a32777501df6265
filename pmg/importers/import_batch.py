"""Some conversations into the memory: what is new is stored, what is known is held against what is stored.

Handles one batch that import_run.py has put together: one question to the store, one transaction. Which turns are new is
told by plan.py, which version of a known one counts by amend.py, what a dry run counts by dry_run.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pmg.base.model import Turn
from pmg.base.project import with_repository
from pmg.engine import Engine
from pmg.importers import amend
from pmg.importers.cleaned import CleanedSession, ForgottenTurns, cleaned_session, forgotten_turns
from pmg.importers.conversation import Conversation, Where
from pmg.importers.dry_run import DryRunTurns
from pmg.importers.plan import ConversationBatch, Fork, forks, is_behind, is_untimed, planned
from pmg.importers.report import ImportReport, SourceCount
from pmg.importers.turns import SourceSession
from pmg.ingest.redacted_places import RedactedPlace, places_of
from pmg.ingest.turns import CleanedTurn, SessionInput
from pmg.store.exchange import ImportedTurn


@dataclass(slots=True)
class _BatchWork:
    """What a batch comes to: sessions to store, known turns to compare, branches to tie, conversations that were there."""

    engine: Engine
    namespace: str
    report: ImportReport
    counted: DryRunTurns
    forgotten: ForgottenTurns
    fresh: list[SessionInput] = field(default_factory=list)
    held: list[amend.TurnUpdate] = field(default_factory=list)
    forks: list[Fork] = field(default_factory=list)
    again: list[tuple[Conversation, bool]] = field(default_factory=list)

    def add(
        self, conversation: Conversation, found: Sequence[SourceSession], known: Mapping[str, ImportedTurn]
    ) -> None:
        """`known` are the turns of this conversation that are stored."""
        report, count = self.report, self.report.source(conversation.source)
        count.conversations += 1
        self.forks.extend(forks(conversation, found))
        behind = is_behind(found, known)
        older = report.dry_run and self.counted.is_older(conversation, found)
        for session in found:
            whole = self._cleaned(session, is_compared=bool(known))
            left = self.counted.without(session, whole, older, count) if report.dry_run else session.turns
            plan = planned(left, known)
            new = self.forgotten.without(session, whole, plan.fresh, report)
            _count_new(session, new, count, report)
            if new and report.dry_run:
                _count_secrets(session, [whole.turns[turn.origin_id] for turn in new], report)
            elif new:
                self.fresh.append(_session_input(session, new, conversation, self.namespace))
            lacking = {one.session_id for origin, one in known.items() if origin not in whole.turns}
            for one in plan.known:
                is_part = one.stored.session_id in lacking
                self.held.append(amend.TurnUpdate(one, whole, conversation, behind, is_part))

    def _cleaned(self, session: SourceSession, is_compared: bool) -> CleanedSession:
        """Ingest cleans what is new; here only what is compared is cleaned, or counted in a dry run."""
        turns = session.turns if is_compared or self.report.dry_run or self.forgotten else ()
        return cleaned_session(turns, self.engine.redactor, self.engine.config.ingest.max_turn_bytes)


def import_batch(
    engine: Engine, batch: ConversationBatch, namespace: str, report: ImportReport, counted: DryRunTurns
) -> bool:
    """Stores what is new of some conversations and amends what is known; a dry run only counts. True if links changed."""
    names = sorted(batch.names)
    known = engine.reads.exchange.turns_of(namespace, names)
    there = engine.reads.exchange.sessions_of(namespace, names)  # before the new ones, which have their titles already
    work = _BatchWork(engine, namespace, report, counted, forgotten_turns(engine, namespace))
    for conversation, found in batch.conversations:
        name = found[0].conversation
        work.add(conversation, found, known[name])
        if there[name]:
            work.again.append((conversation, is_behind(found, known[name])))
    if not report.dry_run:
        _store(engine, work.fresh, report)
    changed = amend.amend(engine, work.held, report, dry_run=report.dry_run)
    if work.again:
        amend.retitle(engine, namespace, work.again, work.held, report, counted)
    if report.dry_run:
        return False
    return bool(amend.link_branches(engine, namespace, work.forks)) or changed


def _count_new(session: SourceSession, new: Sequence[Turn], count: SourceCount, report: ImportReport) -> None:
    report.said(new)
    count.turns += len(new)
    count.sessions += bool(new)
    count.branches += len(new) if session.branch_at else 0
    if new and is_untimed(session):
        report.untimed += 1


def _store(engine: Engine, fresh: Sequence[SessionInput], report: ImportReport) -> None:
    """Writes what was promised, and counts what is there afterwards: the two must agree."""
    stored = engine.store_turns(fresh)
    report.taken_out(stored.redacted, stored.places)
    for said in stored.aside:
        report.problem(Where("redaction").problem(said))
    report.missing += sum(len(session.turns) for session in fresh) - stored.turns - len(stored.aside)


def _session_input(
    session: SourceSession, turns: Sequence[Turn], conversation: Conversation, namespace: str
) -> SessionInput:
    """What is new of a session as the engine takes it, marked as imported."""
    marks = {"imported": "yes"} | amend.updated_mark(conversation) | ({"times": "none"} if is_untimed(session) else {})
    return SessionInput(
        turns=turns,
        context=session.turns if len(turns) < len(session.turns) else (),
        title=session.title,
        conversation=session.conversation,
        source=session.source,
        started_at=session.started_at,
        id=session.id,
        namespace=namespace,
        meta={**with_repository(session.meta), **marks},
    )


def _count_secrets(session: SourceSession, new: Sequence[CleanedTurn], report: ImportReport) -> None:
    counts: Counter[str] = Counter()
    places: list[RedactedPlace] = []
    for cleaned in new:
        counts.update(cleaned.redacted)
        places += places_of(session.id, cleaned)
    report.taken_out(counts, places)
