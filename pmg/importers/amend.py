"""What is stored already, made to agree with a newer export: words, titles, and links of branches.

Knows: which version of a turn counts, that words which give way are kept in the journal, and how a branch is tied
(`part_of`, automatic) to the turn it leaves from. Does not know: how conversations are read or new turns stored.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pmg.engine import Engine
from pmg.importers.conversation import Conversation
from pmg.importers.plan import Fork, Known, is_older, is_prefix
from pmg.importers.report import ImportReport, SourceCount
from pmg.importers.turns import conversation_id
from pmg.ingest import plaintext, turns
from pmg.ingest.quality import quality
from pmg.ingest.redact import Redactor
from pmg.model import Kind, Line, Segment, Turn, content_hash
from pmg.store.contract import JournalEntry, NewEdges
from pmg.store.exchange import Rewrite
from pmg.times import now, with_zone

ACTOR = "import"
EDITED = "import.edit"
PLAIN = 24  # characters: an id, a model, "yes": too short to hold a secret that any rule knows


@dataclass(frozen=True, slots=True)
class Held:
    """A turn that is stored, with the conversation in which it came again."""

    known: Known
    conversation: Conversation


def amend(engine: Engine, space: str, held: Sequence[Held], report: ImportReport, *, dry_run: bool = False) -> bool:
    """Replaces the words of turns that came with other ones. One transaction, the old words with it. True if any were."""
    most = engine.config.ingest.max_turn_bytes
    other: list[tuple[Held, Turn]] = []
    for one in held:
        cleaned = turns.clean(one.known.turn, engine.redactor, most).turn
        if content_hash(cleaned.lines) == one.known.stored.content_hash:
            report.source(one.conversation.source).known += 1
        else:
            other.append((one, cleaned))
    rewrites = _rewrites(engine, other, report)
    if dry_run or not rewrites:
        return False
    with engine.store.writing():
        engine.store.exchange.rewrite(rewrites)
        engine.store.write_journal([_entry(engine.redactor, r) for r in rewrites if not is_prefix(r.before, r.lines)])
    engine.indexes.catch_up()
    sessions = sorted({one.known.stored.session_id for one, _ in other})
    plaintext.write_all(engine.components, sessions)
    return True


def _rewrites(engine: Engine, other: Sequence[tuple[Held, Turn]], report: ImportReport) -> list[Rewrite]:
    if not other:
        return []
    stored = {s.number: s for s in engine.store.segments([one.known.stored.number for one, _ in other])}
    told = {name: engine.store.session(name) for name in sorted({one.known.stored.session_id for one, _ in other})}
    made: dict[int, Rewrite] = {}
    for one, cleaned in other:
        segment, session = stored[one.known.stored.number], told[one.known.stored.session_id]
        count = report.source(one.conversation.source)
        older = session is not None and is_older(session.meta, one.conversation.updated_at)
        if _counted(segment, cleaned.lines, older, count):
            meta = clean_meta(engine.redactor, cleaned.meta)
            made[segment.number] = Rewrite(
                segment.number, segment.id, segment.lines, cleaned.lines, quality(cleaned.lines), meta
            )
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


def _entry(redactor: Redactor, rewrite: Rewrite) -> JournalEntry:
    """The words that gave way, as they were; cleaned again, for the rules may know more secrets than they did."""
    before = [
        {"speaker": line.speaker, "role": line.role.value, "text": redactor.redact(line.text).text}
        for line in rewrite.before
    ]
    reason = f"{rewrite.segment_id}: a newer export has other words"
    old = json.dumps({"segment": rewrite.segment_id, "lines": before}, ensure_ascii=False)
    new = json.dumps({"segment": rewrite.segment_id, "content_hash": content_hash(rewrite.lines)})
    return JournalEntry(0, ACTOR, now(), ACTOR, EDITED, reason, old, new)


def retitle(engine: Engine, space: str, conversations: Sequence[Conversation], report: ImportReport) -> None:
    """A newer export's title and date on the sessions that are there."""
    by_name = {conversation_id(c.source, c.origin_id): c for c in conversations}
    marks = engine.store.forgetting.marks()
    changed = []
    renamed = []
    for name, sessions in engine.store.exchange.sessions_of(space, sorted(by_name)).items():
        conversation = by_name[name]
        title = engine.redactor.redact(conversation.title).text
        for session in sessions:
            if is_older(session.meta, conversation.updated_at):
                continue
            called = "" if marks.hide_title(space, session.id) else title
            fresh = replace(session, title=called or session.title, meta={**session.meta, **updated_mark(conversation)})
            if fresh != session:
                changed.append(fresh)
            if fresh.title != session.title:
                renamed.append(session.id)
    with engine.store.writing():
        engine.store.put_sessions(changed)
        engine.store.touch_sessions(renamed)  # the title is searched with their turns
    plaintext.write_all(engine.components, renamed)
    report.retitled += len(renamed)


def tie(engine: Engine, space: str, ways: Sequence[Fork]) -> int:
    """A `part_of` link from each branch's first turn to the turn it leaves from, where there is none yet."""
    if not ways:
        return 0
    known = engine.store.exchange.turns_of(space, sorted({way.conversation for way in ways}))
    wanted = [
        (turns_of[way.branch].number, turns_of[way.leaves].number, Kind.PART_OF.value)
        for way in ways
        if (turns_of := known[way.conversation]).keys() >= {way.branch, way.leaves}
    ]
    missing = engine.store.exchange.missing_edges([row for row in wanted if row[0] != row[1]])
    if missing:
        ends = np.array([row[:2] for row in missing], dtype=np.int64)
        weights = np.ones(len(missing), dtype=np.float32)
        engine.store.put_edges(NewEdges(ends[:, 0], ends[:, 1], [Kind.PART_OF] * len(missing), weights))
    return len(missing)


def updated_mark(conversation: Conversation) -> dict[str, str]:
    """When the source last changed the conversation: tells the newer of two exports."""
    at = conversation.updated_at
    return {} if at is None else {"updated_at": with_zone(at).isoformat()}


def clean_meta(redactor: Redactor, meta: Mapping[str, str]) -> dict[str, str]:
    return {key: value if len(value) < PLAIN else redactor.redact(value).text for key, value in meta.items()}
