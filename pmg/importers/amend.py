"""What is stored already, made to agree with a newer export: words, titles, and links of branches.

Handles which version of a turn counts, that words which give way are kept in the journal, and how a branch is tied
(`part_of`, automatic) to the turn it leaves from.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pmg.base.model import Kind, Line, Segment, content_hash
from pmg.base.times import now, with_zone
from pmg.engine import Engine
from pmg.importers.cleaned import CleanedSession, differ_by_marks
from pmg.importers.conversation import Conversation
from pmg.importers.dry_run import DryRunTurns
from pmg.importers.plan import Fork, TurnMatch, is_older, is_prefix
from pmg.importers.report import ImportReport, SourceCount
from pmg.importers.turns import conversation_id
from pmg.ingest.asked import judged
from pmg.ingest.quality import quality
from pmg.ingest.redact import Redactor
from pmg.ingest.turns import CleanedTurn
from pmg.store.exchange import LineTime, Rewrite
from pmg.store.rows import JournalEntry, NewEdges

ACTOR = "import"
EDITED = "import.edit"


@dataclass(frozen=True, slots=True)
class TurnUpdate:
    """A turn that is stored, with the session and the conversation in which it came again."""

    known: TurnMatch
    session: CleanedSession
    conversation: Conversation
    behind: bool = False  # the memory holds all of the conversation and more
    is_part: bool = (
        False  # the stored session has turns that this one lacks, and with them perhaps the names of secrets
    )

    @property
    def cleaned(self) -> CleanedTurn:
        return self.session.turns[self.known.turn.origin_id]


def amend(engine: Engine, held: Sequence[TurnUpdate], report: ImportReport, *, dry_run: bool = False) -> bool:
    """Replaces the words of turns that came with other ones. One transaction, the old words with it. True if any were."""
    other: list[TurnUpdate] = []
    times: list[LineTime] = []
    for one in held:
        # Where a rule failed, the words that are stored stay: what came could not be checked.
        if one.cleaned.failed or one.known.stored.says(content_hash(one.cleaned.turn.lines)):
            report.source(one.conversation.source).known += 1
            times += _own_times(one)
        else:
            other.append(one)
    rewrites = _rewrites(engine, other, report)
    if times and not dry_run:
        with engine.importing() as writes:
            report.timed_lines += writes.set_line_times(times)
    if dry_run or not rewrites:
        return False
    with engine.importing() as writes:
        writes.rewrite([rewrite for rewrite, _ in rewrites], list(_entries(engine.redactor, rewrites)))
    engine.indexes.catch_up()
    sessions = sorted({one.known.stored.session_id for one in other})
    engine.write_plain_text(sessions)
    return True


def _own_times(one: TurnUpdate) -> Iterator[LineTime]:
    """An import before lines had times of their own stored one for the whole turn."""
    for index, line in enumerate(one.cleaned.turn.lines):
        if line.at is not None:
            yield LineTime(one.known.stored.number, index, with_zone(line.at))


def _rewrites(
    engine: Engine, other: Sequence[TurnUpdate], report: ImportReport
) -> list[tuple[Rewrite, CleanedSession]]:
    if not other:
        return []
    stored = {s.number: s for s in engine.reads.segments([one.known.stored.number for one in other])}
    sessions = {name: engine.reads.session(name) for name in sorted({one.known.stored.session_id for one in other})}
    restored = {row.segment for row in engine.reads.sealed.listed(segments=list(stored)) if row.is_restored}
    made: dict[int, tuple[Rewrite, CleanedSession]] = {}
    for one in other:
        segment, session = stored[one.known.stored.number], sessions[one.known.stored.session_id]
        count, came = report.source(one.conversation.source), one.cleaned.turn
        if one.is_part and differ_by_marks(came.lines, segment.lines):
            count.known += 1  # what told the secret is missing here: the stored words know more
            continue
        if segment.number in restored and differ_by_marks(segment.lines, came.lines):
            count.known += 1  # the person has put back what is a mark here
            continue
        older = session is not None and is_older(session.meta, one.conversation.updated_at, one.behind)
        if _counted(segment, came.lines, older, count):
            meta = judged(came.meta, came.lines)
            words = (segment.number, segment.id, segment.lines, came.lines, quality(came.lines))
            made[segment.number] = (Rewrite(*words, meta, one.cleaned.sealed), one.session)
    return list(made.values())


def _counted(segment: Segment, lines: tuple[Line, ...], older: bool, count: SourceCount) -> bool:
    """Whether these words take the place of the stored ones, and the count of it."""
    if older or is_prefix(lines, segment.lines):
        count.older += 1
        return False
    if is_prefix(segment.lines, lines):
        count.grown += 1
    else:
        count.edited += 1
    return True


def _entries(redactor: Redactor, rewrites: Sequence[tuple[Rewrite, CleanedSession]]) -> Iterator[JournalEntry]:
    """The words that gave way, as they were; cleaned again, for more secrets may be known than were: by rules, by the session."""
    for rewrite, session in rewrites:
        if is_prefix(rewrite.before, rewrite.lines):
            continue
        before = [replace(line, text=redactor.redact(line.text, session.values).text) for line in rewrite.before]
        if content_hash(tuple(before)) != content_hash(rewrite.lines):  # else only secrets went
            yield _entry(rewrite, before)


def _entry(rewrite: Rewrite, lines: Sequence[Line]) -> JournalEntry:
    before = [{"speaker": line.speaker, "role": line.role.value, "text": line.text} for line in lines]
    reason = f"{rewrite.segment_id}: a newer export has other words"
    old = json.dumps({"segment": rewrite.segment_id, "lines": before}, ensure_ascii=False)
    new = json.dumps({"segment": rewrite.segment_id, "content_hash": content_hash(rewrite.lines)})
    return JournalEntry(0, ACTOR, now(), ACTOR, EDITED, reason, old, new)


def retitle(
    engine: Engine,
    namespace: str,
    conversations: Sequence[tuple[Conversation, bool]],
    held: Sequence[TurnUpdate],
    report: ImportReport,
    counted: DryRunTurns,
) -> None:
    """A newer export's title and date on the sessions that are there; with each conversation whether it is behind.

    A dry run only counts, and remembers what it has counted: a session may get a title by each of two exports.
    """
    values = {one.known.stored.session_id: one.session.values for one in held}
    by_name = {conversation_id(c.source, c.origin_id): (c, behind) for c, behind in conversations}
    forgotten = engine.reads.forgetting.digests()
    changed = []
    renamed = []
    for name, sessions in engine.reads.exchange.sessions_of(namespace, sorted(by_name)).items():
        conversation, behind = by_name[name]
        for stored in sessions:
            session = counted.sessions.get(stored.id, stored)
            if is_older(session.meta, conversation.updated_at, behind):
                continue
            title = engine.redactor.redact(conversation.title, values.get(session.id)).text
            called = "" if forgotten.hide_title(namespace, session.id) else title
            fresh = replace(session, title=called or session.title, meta={**session.meta, **updated_mark(conversation)})
            if fresh != session:
                changed.append(fresh)
            if fresh.title != session.title:
                renamed.append(session.id)
    if report.dry_run:
        counted.sessions |= {session.id: session for session in changed}
    else:
        engine.update_sessions(changed, renamed)
    report.retitled += len(renamed)


def link_branches(engine: Engine, namespace: str, forks: Sequence[Fork]) -> int:
    """A `part_of` link from each branch's first turn to the turn it leaves from, where there is none yet."""
    if not forks:
        return 0
    known = engine.reads.exchange.turns_of(namespace, sorted({fork.conversation for fork in forks}))
    wanted = [
        (turns_of[fork.branch].number, turns_of[fork.leaves].number, Kind.PART_OF.value)
        for fork in forks
        if (turns_of := known[fork.conversation]).keys() >= {fork.branch, fork.leaves}
    ]
    missing = engine.reads.exchange.missing_edges([row for row in wanted if row[0] != row[1]])
    if missing:
        ends = np.array([row[:2] for row in missing], dtype=np.int64)
        weights = np.ones(len(missing), dtype=np.float32)
        with engine.importing() as writes:
            writes.put_edges(NewEdges(ends[:, 0], ends[:, 1], [Kind.PART_OF] * len(missing), weights))
    return len(missing)


def updated_mark(conversation: Conversation) -> dict[str, str]:
    """When the source last changed the conversation: tells the newer of two exports."""
    at = conversation.updated_at
    return {} if at is None else {"updated_at": with_zone(at).isoformat()}
