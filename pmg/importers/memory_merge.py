"""Sessions of another PMG memory into this one: the same ids where they are free, nothing doubled.

Handles when two sessions of one name are the same one (they share a turn), what becomes of marks that both have (the larger
count, either's pin, both's tags), and that states and links are put back when all their ends are there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pmg.base.errors import PmgError
from pmg.base.model import Edge, Segment, Session, State, Turn, content_hash, segment_id
from pmg.base.times import to_micros
from pmg.config import checked_namespace
from pmg.engine import Engine
from pmg.engine.import_writes import ImportWrites
from pmg.importers.conversation import Where
from pmg.importers.report import ImportReport
from pmg.ingest import quarantine, turns
from pmg.ingest.clean_meta import clean_metas
from pmg.ingest.redact import KnownValues
from pmg.ingest.tags import clean_tags
from pmg.people.portable import arrived
from pmg.store.exchange import SegmentUse, StoredSegment
from pmg.store.forget import ForgottenDigests
from pmg.store.maintenance import EdgeRow
from pmg.store.people import ClaimRuling, PortableDecision, PortableName, PortableRow, PortableRuling
from pmg.store.rows import NewSegment
from pmg.store.sealed import SealedText

MergeItem = tuple[Session, list[StoredSegment]] | Edge | PortableRow
TURN_BATCH = 2_000  # turns a transaction
EDGE_BATCH = 5_000
UNDER_WAY = "under way"


@dataclass(slots=True)
class MemoryMerge:
    """What must be remembered from session to session: few things, for most ids are free."""

    engine: Engine
    store_id: str
    namespace: str
    dry_run: bool
    report: ImportReport
    called: dict[str, str] = field(default_factory=dict)  # their segment ids → ours, where they differ
    standing: list[tuple[SegmentUse, str]] = field(default_factory=list)  # who gave way, and the id of whom to
    conversations: set[tuple[str, str]] = field(default_factory=set)
    changed: list[str] = field(default_factory=list)
    forgotten: ForgottenDigests = field(default_factory=lambda: ForgottenDigests(""))  # of what was forgotten here
    resumed: bool = False  # an earlier merge of the same memory was cut off before who gave way to whom was put back


def merge_records(
    engine: Engine, items: Iterable[MergeItem], store_id: str, namespace: str, dry_run: bool, report: ImportReport
) -> None:
    note = f"merging {store_id}"
    merging = MemoryMerge(engine, store_id, namespace, dry_run, report, forgotten=engine.reads.forgetting.digests())
    merging.resumed = engine.reads.note(note) == UNDER_WAY
    if not dry_run:
        engine.put_note(note, UNDER_WAY)
    waiting: list[tuple[Session, list[StoredSegment]]] = []
    edges: list[Edge] = []
    people: list[PortableDecision | PortableName] = []
    rulings: list[PortableRuling] = []
    for item in items:
        if isinstance(item, Edge):
            edges.append(item)
        elif isinstance(item, PortableDecision | PortableName):
            people.append(item)
        elif isinstance(item, PortableRuling):
            rulings.append(item)
        else:
            waiting.append(item)
        if sum(len(wholes) for _, wholes in waiting) >= TURN_BATCH:
            _sessions(merging, waiting)
            waiting = []
        if len(edges) >= EDGE_BATCH:
            _sessions(merging, waiting)
            _edges(merging, edges)
            waiting, edges = [], []
    _sessions(merging, waiting)
    _edges(merging, edges)
    _standing(merging)
    _decisions(merging, people)
    _rulings(merging, rulings)
    if not dry_run:
        engine.put_note(note, "done")


def _sessions(merging: MemoryMerge, sessions: Sequence[tuple[Session, list[StoredSegment]]]) -> None:
    """Some sessions in one transaction, then their plain text."""
    merging.changed = []
    with merging.engine.importing() as writes:
        for session, wholes in sessions:
            try:
                _session(merging, writes, session, wholes)
            except PmgError as error:  # a name or namespace that cannot be: this session is listed, the others come in
                merging.report.problem(Where(session.source, session.id).problem(str(error)))
    merging.engine.write_plain_text(merging.changed)


def _session(merging: MemoryMerge, writes: ImportWrites, session: Session, wholes: Sequence[StoredSegment]) -> None:
    namespace = checked_namespace(merging.namespace or session.namespace)
    name = _name(merging, session, wholes, namespace)
    there = {segment.index: segment for segment in merging.engine.reads.segments_of(name)}
    values = KnownValues()
    came = turns.clean_together([_turn(whole) for whole in wholes], merging.engine.redactor, 2**31, values)
    for said in [] if merging.dry_run else writes.keep_aside(name, came):
        merging.report.problem(Where("redaction").problem(said))
    cleaned = [(whole, one.turn) for whole, one in zip(wholes, came, strict=True) if quarantine.is_checked(one)]
    fresh = {id(turn) for turn, _ in turns.unseen([turn for _, turn in cleaned], _known(merging, name))}
    kept = [(whole, turn) for whole, turn in cleaned if id(turn) in fresh]
    new = [(whole, turn) for whole, turn in kept if not _forgotten(merging, namespace, name, session, turn)]
    if len(new) < len(kept):
        merging.report.skipped["turns that were forgotten"] += len(kept) - len(new)
    _count(merging, session, [turn for _, turn in new], len(wholes) - len(new))
    if merging.dry_run or (kept and not new and not there):  # all of it was forgotten here: its title stays away too
        return
    if not merging.engine.reads.namespaces_of([name]):
        title = merging.engine.redactor.redact(session.title, values).text
        meta = clean_metas([session.meta], merging.engine.redactor, values)[0].meta
        begun = replace(session, id=name, namespace=namespace, title=title, meta=meta, is_open=False)
        writes.put_sessions([replace(begun, ended_at=session.ended_at or session.started_at)])
        merging.changed.append(name)
    _append(merging, writes, name, new, there, {id(one.turn): one.sealed for one in came})
    held = {id(whole) for whole, _ in new}
    _join_marks(merging, writes, [whole for whole in wholes if id(whole) not in held], list(there.values()))


def _forgotten(merging: MemoryMerge, namespace: str, name: str, session: Session, turn: Turn) -> bool:
    return merging.forgotten.hold(namespace, name, session.conversation, content_hash(turn.lines), turn.origin_id)


def _name(merging: MemoryMerge, session: Session, wholes: Sequence[StoredSegment], namespace: str) -> str:
    """Their name where it is free or names the same session; else another one, the same each time."""
    name = turns.checked_session_id(session.id)
    taken = merging.engine.reads.namespaces_of([name]).get(name)
    if taken is None or (taken == namespace and _share(_known(merging, name), wholes)):
        return name
    return turns.id_in_namespace(name, f"{namespace}/{merging.store_id}")


def _known(merging: MemoryMerge, name: str) -> list[tuple[str, str]]:
    return merging.engine.reads.known_turns([name])[name]


def _share(known: Sequence[tuple[str, str]], wholes: Sequence[StoredSegment]) -> bool:
    origins = {origin for _, origin in known if origin}
    hashes = {digest for digest, _ in known}
    return not known or not wholes or any(w.origin_id in origins or w.content_hash in hashes for w in wholes)


def _turn(whole: StoredSegment) -> Turn:
    return Turn(whole.segment.lines, whole.segment.at, whole.origin_id, whole.segment.meta)


def _count(merging: MemoryMerge, session: Session, new: Sequence[Turn], known: int) -> None:
    count = merging.report.source(session.source)
    count.turns += len(new)
    count.known += known
    count.sessions += bool(new)
    if (session.source, session.conversation) not in merging.conversations:
        merging.conversations.add((session.source, session.conversation))
        count.conversations += 1
    merging.report.said(new)


def _append(
    merging: MemoryMerge,
    writes: ImportWrites,
    name: str,
    new: Sequence[tuple[StoredSegment, Turn]],
    there: dict[int, Segment],
    sealed: Mapping[int, tuple[SealedText, ...]],
) -> None:
    """At their own places where these are free, else after the last."""
    if not new:
        return
    used = set(there)
    after = max([*used, *(whole.segment.index for whole, _ in new)], default=-1)
    rows = []
    for whole, turn in new:
        index = whole.segment.index
        if index in used or not 0 <= index < 2**31:
            after = index = after + 1
        used.add(index)
        words = (name, index, whole.segment.at, turn.lines, whole.segment.quality, turn.origin_id, turn.meta)
        rows.append(NewSegment(*words, sealed=sealed[id(turn)]))
        if segment_id(name, index) != whole.segment.id:
            merging.called[whole.segment.id] = segment_id(name, index)
    rows.sort(key=lambda row: row.index)
    by_place = {row.index: number for row, number in zip(rows, writes.append(rows), strict=True)}
    if name not in merging.changed:
        merging.changed.append(name)
    marks = []
    for whole, _ in new:
        ours = merging.called.get(whole.segment.id, whole.segment.id)
        tags = tuple(clean_tags(whole.segment.tags, merging.engine.redactor))
        mark = _mark(by_place[int(ours.rpartition("_")[2])], whole.segment, tags)
        if whole.segment.stands_for:
            merging.standing.append((mark, whole.segment.stands_for))
            mark = replace(mark, state=State.ACTIVE)
        marks.append(mark)
    writes.put_segment_use([mark for mark in marks if mark != SegmentUse(mark.number)])


def _mark(number: int, segment: Segment, tags: tuple[str, ...]) -> SegmentUse:
    lone = (
        State.ACTIVE if segment.state in (State.DUPLICATE, State.MERGED) and not segment.stands_for else segment.state
    )
    return SegmentUse(number, lone, 0, segment.hits, segment.last_hit, segment.pinned, tags)


def _join_marks(
    merging: MemoryMerge, writes: ImportWrites, wholes: Sequence[StoredSegment], ours: Sequence[Segment]
) -> None:
    """What both memories hold: the larger count of hits, pinned where either is, the tags of both. Our state stays."""
    by_words: dict[tuple[tuple[str, str, str], ...], list[Segment]] = {}
    for segment in ours:
        by_words.setdefault(_words(segment), []).append(segment)
    marks = []
    numbers = merging.engine.reads.numbers_of([segment.stands_for for segment in ours if segment.stands_for])
    for whole in wholes:
        theirs = whole.segment
        found = by_words.get(_words(theirs), [])
        if not found:
            continue
        segment = found.pop(0)
        if segment.id != theirs.id:
            merging.called[theirs.id] = segment.id
        last = max((at for at in (segment.last_hit, theirs.last_hit) if at is not None), default=None)
        tags = tuple(dict.fromkeys((*segment.tags, *clean_tags(theirs.tags, merging.engine.redactor))))
        hits, pinned = max(segment.hits, theirs.hits), segment.pinned or theirs.pinned
        if (hits, last, pinned, tags) != (segment.hits, segment.last_hit, segment.pinned, segment.tags):
            stands_for = numbers.get(segment.stands_for, 0)
            marks.append(SegmentUse(segment.number, segment.state, stands_for, hits, last, pinned, tags))
        if merging.resumed and theirs.stands_for and segment.state is State.ACTIVE:
            merging.standing.append(
                (SegmentUse(segment.number, theirs.state, 0, hits, last, pinned, tags), theirs.stands_for)
            )
    writes.put_segment_use(marks)


def _words(segment: Segment) -> tuple[tuple[str, str, str], ...]:
    return tuple((line.speaker, line.role.value, line.text) for line in segment.lines)


def _standing(merging: MemoryMerge) -> None:
    """Duplicates and merged ones, now that whom they gave way to is there; where that one is not, they stay active."""
    ours = [(mark, merging.called.get(name, name)) for mark, name in merging.standing]
    numbers = merging.engine.reads.numbers_of([name for _, name in ours])
    namespaces = {
        s.number: s.namespace for s in merging.engine.reads.segments([*numbers.values(), *(m.number for m, _ in ours)])
    }
    marks = [
        replace(mark, stands_for=numbers[name])
        for mark, name in ours
        if name in numbers and namespaces[numbers[name]] == namespaces[mark.number]
    ]
    with merging.engine.importing() as writes:
        writes.put_segment_use(marks)


def _edges(merging: MemoryMerge, edges: Sequence[Edge]) -> None:
    if merging.dry_run or not edges:
        return
    store = merging.engine.reads
    named = [(merging.called.get(e.source, e.source), merging.called.get(e.target, e.target), e) for e in edges]
    numbers = store.numbers_of([name for row in named for name in row[:2]])
    rows = [
        EdgeRow(numbers[a], numbers[b], e.kind, e.weight, e.origin, to_micros(e.created_at))
        for a, b, e in named
        if a in numbers and b in numbers and a != b
    ]
    missing = set(store.exchange.missing_edges([(row.source, row.target, row.kind.value) for row in rows]))
    new = {(row.source, row.target, row.kind.value): row for row in rows}
    with merging.engine.importing() as writes:
        writes.put_edge_rows([row for key, row in new.items() if key in missing])
    lost = Counter(e.kind.value for a, b, e in named if a not in numbers or b not in numbers)
    for kind, count in lost.items():
        merging.report.skipped[f"{kind} links to segments that are not here"] += count
    merging.engine.indexes.reload_edges()


def _decisions(merging: MemoryMerge, rows: Sequence[PortableDecision | PortableName]) -> None:
    """Who was decided to be whom, once the claims that name them are read; what was decided here stands."""
    if merging.dry_run or not rows:
        return
    engine = merging.engine
    engine.extract()
    with engine.changing():
        found = arrived(engine.reads.people, rows, merging.namespace)
        engine.put_identities([], found.decisions)
        for entity, name in found.names:
            engine.name_entity(entity, name)
    if found.missing:
        merging.report.skipped["decisions about people who are not here"] += found.missing


def _rulings(merging: MemoryMerge, rows: Sequence[PortableRuling]) -> None:
    """What was decided about claims, where their turns are; what was decided here stands."""
    if merging.dry_run or not rows:
        return
    engine = merging.engine
    ours = [
        replace(row, ruling=_ours(merging, row.ruling), namespace=merging.namespace or row.namespace) for row in rows
    ]
    numbers = engine.reads.numbers_of(sorted({row.ruling.segment for row in ours}))
    lies_in = {one.id: one.namespace for one in engine.reads.segments(sorted(numbers.values()))}
    here = [row for row in ours if lies_in.get(row.ruling.segment) == row.namespace]
    with engine.changing():
        namespaces = sorted({row.namespace for row in here})
        known = {one.place for namespace in namespaces for one in engine.reads.people.rulings(namespace)}
        engine.put_rulings((), [row.ruling for row in here if row.ruling.place not in known])
    if len(here) < len(rows):
        merging.report.skipped["corrections of claims whose turns are not here"] += len(rows) - len(here)


def _ours(merging: MemoryMerge, ruling: ClaimRuling) -> ClaimRuling:
    """With our name of the turn, and without what looks like a secret: the object is anybody's words."""
    segment = merging.called.get(ruling.segment, ruling.segment)
    return replace(ruling, segment=segment, object=merging.engine.redactor.redact(ruling.object).text)
