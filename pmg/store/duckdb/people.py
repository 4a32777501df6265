"""The SQL of claims, entities, decisions about who is who, and rulings on claims.

Knows: the tables, and that what every question needs (who is known, who talks in a session) is read once between two transactions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

import pyarrow as pa

from pmg.claim import GRAMMAR, Claim, Modality
from pmg.store.claim_rulings import ClaimRuling, Ruling
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.migrations import get_meta, put_meta
from pmg.store.forget import FORGOTTEN, Holds
from pmg.store.people import Entity, EntityKind, FoundLine, Identity, IdentityDecision, NewClaims, StoredClaim
from pmg.store.ruled_claims import ruled
from pmg.text import escape, unescape
from pmg.times import from_micros

T = TypeVar("T")
ALL = "true"
_HERE = "database_name = current_database()"
MOST_REMEMBERED = 64  # people whose claims are held between two transactions
HIGHEST_GONE = "highest_entity_gone"  # in meta: the highest number of an entity that was dropped
_CLAIM = """c.id, c.speaker, c.subject, c.relation, c.object, epoch_us(coalesce(l.said_at, g.said_at)), coalesce(l.said_offset, g.said_offset),
    g.id, c.line, c.start_at, c.end_at, c.is_positive, c.certainty, c.modality, c.valid_from, c.valid_to, c.quoted, g.session_id, s.conversation,
    c.about, c.object_entity, c.source"""
_JOINED = """FROM c JOIN segments g ON g.number = c.segment AND g.state = 'active' JOIN sessions s ON s.id = g.session_id
    LEFT JOIN (SELECT segment, idx, said_at, said_offset FROM lines WHERE segment IN (SELECT segment FROM c)) l
        ON l.segment = c.segment AND l.idx = c.line"""


class Remember(Protocol):
    """What `read` gives, read once until a transaction ends."""

    def __call__(self, key: str, read: Callable[[], T]) -> T: ...


class DuckPeople:
    """Meets pmg.store.people.People."""

    def __init__(self, database: Database, take: Callable[[str, int], int], remember: Remember) -> None:
        self._database = database
        self._take = take
        self._remember = remember

    def waiting(self, version: int) -> list[str]:
        """Closed sessions with a segment that this version has not read, oldest first."""
        rows = self._database.rows(
            """SELECT s.id FROM sessions s WHERE NOT s.is_open AND EXISTS (
                   SELECT 1 FROM segments g WHERE g.session_id = s.id
                   AND g.number NOT IN (SELECT segment FROM extracted WHERE version >= ?)) ORDER BY s.started_at, s.id""",
            [version],
        )
        return [row[0] for row in rows]

    def entities(self, namespace: str, conversations: Sequence[str] | None = None) -> list[Entity]:
        """Whoever is named in a segment that is there; by id. Of some conversations, if they are named, with whoever is in all of them."""
        if conversations is None:
            return list(self._remember(f"entities {namespace}", lambda: self._entities(namespace, None)))
        return self._entities(namespace, conversations)

    def _entities(self, namespace: str, conversations: Sequence[str] | None) -> list[Entity]:
        inside = "" if conversations is None else f"AND e.conversation IN ({', '.join('?' * len(conversations))}, '')"
        values = [namespace, *(escape(one) for one in conversations or ())]
        rows = self._database.rows(
            f"""WITH mine AS (SELECT * FROM entities e WHERE e.namespace = ? {inside})
                SELECT e.id, e.namespace, e.conversation, e.kind, n.name, list(m.name ORDER BY m.times DESC, m.name), sum(m.times)
                FROM mine e
                JOIN (SELECT entity, name, count(*) AS times FROM mentions WHERE entity IN (SELECT id FROM mine) GROUP BY ALL) m ON m.entity = e.id
                LEFT JOIN entity_names n ON n.entity = e.id
                GROUP BY ALL ORDER BY e.id""",
            values,
        )
        return [_entity(row) for row in rows]

    def subjects(self, segments: Sequence[int], relations: Sequence[str]) -> list[int]:
        """Of whom these segments claim something of these kinds that is claimed of them more than once: asked at every recall."""
        chosen = _quoted(relations)
        known = self._remember(f"subjects {chosen}", lambda: self._subjects(chosen))
        return sorted({about for segment in segments for about in known.get(segment, ())})

    def _subjects(self, relations: str) -> dict[int, set[int]]:
        rows = self._database.rows(
            f"""SELECT segment, about FROM claims WHERE relation IN ({relations})
                QUALIFY count(*) OVER (PARTITION BY about, relation) > 1"""
        )
        found: dict[int, set[int]] = {}
        for segment, about in rows:
            found.setdefault(segment, set()).add(about)
        return found

    def claims(
        self,
        namespace: str,
        *,
        about: Sequence[int] | None = None,
        segments: Sequence[int] | None = None,
        relations: Sequence[str] | None = None,
    ) -> list[StoredClaim]:
        """In the order in which they were said. `about`, `segments` and `relations` keep those of these entities, segments and kinds."""
        chosen = _chosen(about, segments, relations)
        if not (about is not None and segments is None):
            return self._claims(namespace, chosen)
        # one person is asked about again and again
        known: dict[str, list[StoredClaim]] = self._remember(f"claims {namespace}", dict)
        if (found := known.get(chosen)) is None:
            if len(known) >= MOST_REMEMBERED:
                known.clear()
            found = known[chosen] = self._claims(namespace, chosen)
        return list(found)

    def _claims(self, namespace: str, chosen: str) -> list[StoredClaim]:
        if chosen != ALL and not self._database.rows(f"SELECT 1 FROM claims WHERE {chosen} LIMIT 1"):
            return []  # most memories are asked for things that nothing was claimed of
        rows = self._database.rows(
            f"""WITH c AS MATERIALIZED (SELECT * FROM claims WHERE {chosen})
                SELECT {_CLAIM} {_JOINED}
                WHERE g.namespace = ? ORDER BY 6, g.number, c.id""",
            [namespace],
        )
        return ruled([_claim(row) for row in rows], self.rulings(namespace))

    def waiting_for_model(self, namespace: str, model: str) -> list[str]:
        """Closed sessions behind a wall with an active segment that this model has not read, oldest first."""
        rows = self._database.rows(
            """SELECT s.id FROM sessions s WHERE NOT s.is_open AND s.namespace = ? AND EXISTS (
                   SELECT 1 FROM segments g WHERE g.session_id = s.id AND g.state = 'active'
                   AND g.number NOT IN (SELECT segment FROM model_read WHERE model = ?)) ORDER BY s.started_at, s.id""",
            [namespace, model],
        )
        return [row[0] for row in rows]

    def model_claims(self, sessions: Sequence[str]) -> list[Claim]:
        """What models read in these sessions, as they read it: what a person decided about it is not in it."""
        rows = self._database.rows(
            f"""WITH c AS MATERIALIZED (SELECT * FROM claims WHERE source <> '{GRAMMAR}' AND segment IN (
                    SELECT number FROM segments WHERE session_id IN ({_quoted(sessions)})))
                SELECT {_CLAIM} {_JOINED} ORDER BY c.id"""
        )
        return [_claim(row).claim for row in rows]

    def rulings(self, namespace: str) -> list[ClaimRuling]:
        rows = self._database.rows(
            """SELECT g.id, r.line, r.start_at, r.relation, r.object, r.ruling, r.words, r.ended FROM claim_rulings r
               JOIN segments g ON g.number = r.segment AND g.namespace = ? ORDER BY ALL""",
            [namespace],
        )
        return [
            ClaimRuling(r[0], r[1], r[2], unescape(r[3]), unescape(r[4]), Ruling(r[5]), unescape(r[6]), r[7])
            for r in rows
        ]

    def next_entity(self) -> int:
        row = self._database.row(
            f"SELECT greatest(max(id), (SELECT value::BIGINT FROM meta WHERE key = '{HIGHEST_GONE}'), 0) + 1 FROM entities"
        )
        return int(row[0]) if row else 1

    def decisions(self, namespace: str) -> list[IdentityDecision]:
        return list(self._remember(f"decisions {namespace}", lambda: self._decisions(namespace)))

    def _decisions(self, namespace: str) -> list[IdentityDecision]:
        rows = self._database.rows(
            """SELECT d.a, d.b, d.verdict, d.reason, d.actor, epoch_us(d.decided_at) FROM identity_decisions d
               JOIN entities e ON e.id = d.a AND e.namespace = ? ORDER BY d.a, d.b""",
            [namespace],
        )
        return [IdentityDecision(r[0], r[1], Identity(r[2]), r[3], r[4], r[5]) for r in rows]

    def given_names(self, namespace: str) -> dict[int, str]:
        rows = self._database.rows(
            "SELECT n.entity, n.name FROM entity_names n JOIN entities e ON e.id = n.entity AND e.namespace = ?",
            [namespace],
        )
        return {row[0]: unescape(row[1]) for row in rows}

    def speakers(self, namespace: str, conversation: str) -> list[str]:
        """The people who speak in a conversation, by name."""
        rows = self._database.rows(
            """SELECT DISTINCT l.speaker FROM lines l JOIN segments g ON g.number = l.segment JOIN sessions s ON s.id = g.session_id
               WHERE g.namespace = ? AND s.conversation = ? AND l.role IN ('person', 'user') ORDER BY 1""",
            [namespace, escape(conversation)],
        )
        return [unescape(row[0]) for row in rows]

    def talks(self, sessions: Sequence[str]) -> dict[str, list[str]]:
        """The people who speak in each of these sessions, by name."""
        known: dict[str, list[str]] = self._remember("talks", dict)
        if missing := [one for one in sessions if one not in known]:
            known |= {one: [] for one in missing} | self._talks(missing)
        return {one: known[one] for one in sessions}

    def _talks(self, sessions: Sequence[str]) -> dict[str, list[str]]:
        with self._database.reading(pa.table({"id": pa.array(list(sessions), pa.string())}), "talks") as names:
            rows = self._database.rows(
                f"""SELECT g.session_id, list(DISTINCT l.speaker ORDER BY l.speaker) FROM {names} t JOIN segments g ON g.session_id = t.id
                    JOIN lines l ON l.segment = g.number WHERE l.role IN ('person', 'user') GROUP BY 1"""
            )
        return {row[0]: [unescape(name) for name in row[1]] for row in rows}

    def lines(self, ids: Sequence[int]) -> list[FoundLine]:
        """In the order in which they were taken in; one that is gone is left out."""
        rows = self._database.rows(
            f"""SELECT l.id, l.idx, l.speaker, l.text, epoch_us(coalesce(l.said_at, g.said_at)), coalesce(l.said_offset, g.said_offset),
                       g.id, g.number, g.idx, g.session_id, s.conversation
                FROM (SELECT * FROM lines WHERE id IN ({_listed(ids)})) l JOIN segments g ON g.number = l.segment
                JOIN sessions s ON s.id = g.session_id ORDER BY g.number, l.idx"""
        )
        return [_found_line(row) for row in rows]

    # writing

    def put_claims(self, new: NewClaims) -> None:
        """Whatever the sessions gave before gives way to this."""
        numbers = pa.table({"n": pa.array(list(new.segments), pa.int64())})
        with self._database.reading(numbers, "mine") as mine:
            was_read = bool(
                self._database.rows(f"SELECT 1 FROM extracted WHERE segment IN (SELECT n FROM {mine}) LIMIT 1")
            )
            for table in ("claims", "mentions", "extracted") if was_read else ():
                self._database.run(f"DELETE FROM {table} WHERE segment IN (SELECT n FROM {mine})")
            self._database.run(f"INSERT INTO extracted SELECT n, ? FROM {mine}", [new.version])
            if new.model:
                self._database.run(f"DELETE FROM model_read WHERE segment IN (SELECT n FROM {mine})")
                self._database.run(f"INSERT INTO model_read SELECT n, ? FROM {mine}", [escape(new.model)])
        self._database.insert("entities", _entity_columns(new.entities))
        self._database.insert("claims", _claim_columns(new.claims, self._take("claim", len(new.claims))))
        self._database.insert("mentions", _mention_columns(new))
        if was_read:  # else nothing was taken away
            drop_orphans(self._database)

    def replace_decisions(self, old: Sequence[IdentityDecision], new: Sequence[IdentityDecision]) -> None:
        for one in old:
            self._database.run("DELETE FROM identity_decisions WHERE a = ? AND b = ?", [one.a, one.b])
        for one in new:
            self._database.run("DELETE FROM identity_decisions WHERE a = ? AND b = ?", [one.a, one.b])
            self._database.run(
                "INSERT INTO identity_decisions VALUES (?, ?, ?, ?, ?, make_timestamp(?::BIGINT))",
                [one.a, one.b, one.verdict.value, one.reason, one.actor, one.decided_at],
            )

    def give_name(self, entity: int, name: str) -> None:
        """A name that a person gives; an empty one takes it away."""
        self._database.run("DELETE FROM entity_names WHERE entity = ?", [entity])
        if name:
            self._database.run("INSERT INTO entity_names VALUES (?, ?)", [entity, escape(name)])

    def replace_rulings(self, old: Sequence[ClaimRuling], new: Sequence[ClaimRuling]) -> None:
        for one in (*old, *new):
            self._database.run(
                f"DELETE FROM claim_rulings WHERE segment = {_NUMBER} AND line = ? AND start_at = ? AND relation = ? AND object = ?",
                _place(one),
            )
        for one in new:
            self._database.run(
                f"INSERT INTO claim_rulings VALUES ({_NUMBER}, ?, ?, ?, ?, ?, ?, ?)",
                [*_place(one), one.ruling.value, escape(one.words), one.ended],
            )


_NUMBER = "(SELECT number FROM segments WHERE id = ?)"


def _place(one: ClaimRuling) -> list[Any]:
    return [one.segment, one.line, one.start, escape(one.relation), escape(one.object)]


def _chosen(about: Sequence[int] | None, segments: Sequence[int] | None, relations: Sequence[str] | None) -> str:
    """A condition on the table of claims."""
    wanted = [ALL]
    if about is not None:
        wanted.append(f"(about IN ({_listed(about)}) OR object_entity IN ({_listed(about)}))")
    if segments is not None:
        wanted.append(f"segment IN ({_listed(segments)})")
    if relations is not None:
        wanted.append(f"relation IN ({_quoted(relations)})")
    return " AND ".join(wanted)


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(str(int(one)) for one in numbers) or "-1"


def _quoted(names: Sequence[str]) -> str:
    return ", ".join("'" + escape(name).replace("'", "''") + "'" for name in names) or "''"


def drop_orphans(database: Database) -> None:
    """An entity that nothing names any more is gone, and with it what was decided about it. Its number is nobody else's later."""
    gone = database.row("SELECT max(id) FROM entities WHERE id NOT IN (SELECT entity FROM mentions)")
    if gone and gone[0] is not None:
        put_meta(database, HIGHEST_GONE, str(max(gone[0], int(get_meta(database, HIGHEST_GONE) or 0))))
    database.run("DELETE FROM entities WHERE id NOT IN (SELECT entity FROM mentions)")
    database.run("DELETE FROM entity_names WHERE entity NOT IN (SELECT id FROM entities)")
    _forget_renames(database)
    database.run(
        "DELETE FROM identity_decisions WHERE a NOT IN (SELECT id FROM entities) OR b NOT IN (SELECT id FROM entities)"
    )


def _forget_renames(database: Database) -> None:
    """The journal's entries about names given to entities that are gone: a name given by hand may be nowhere else."""
    database.run(
        f"""UPDATE journal SET before = '', after = '', reason = '{FORGOTTEN}'
            WHERE action = 'rename' AND starts_with(after, '{{"name": [')
            AND TRY_CAST(regexp_extract(after, '^\\{{"name": \\[([0-9]+)', 1) AS BIGINT) NOT IN (SELECT id FROM entities)"""
    )


def unmake(database: Database, sessions: Sequence[str]) -> None:
    """The claims of whole sessions go and are made again: a name in one turn may have come from another that is no more."""
    with database.reading(pa.table({"id": pa.array(list(sessions), pa.string())}), "unmade") as names:
        mine = f"SELECT g.number FROM segments g JOIN {names} u ON u.id = g.session_id"
        there = {row[0] for row in database.rows(f"SELECT table_name FROM duckdb_tables() WHERE {_HERE}")}
        for table in ("claims", "mentions", "extracted", "model_read"):
            if table not in there:  # a backup of an older schema lacks some
                continue
            database.run(f"DELETE FROM {table} WHERE segment IN ({mine})")


def unname(database: Database, holds: Holds) -> None:
    """Names that were given by hand and quote what is forgotten go; then whatever nothing names any more."""
    rows = database.rows("SELECT entity, name FROM entity_names")
    for (entity, _), held in zip(rows, holds([row[1] for row in rows]), strict=True):
        if held:
            database.run("DELETE FROM entity_names WHERE entity = ?", [entity])
    if database.rows(f"SELECT 1 FROM duckdb_tables() WHERE table_name = 'claim_rulings' AND {_HERE}"):
        _unrule(database, holds)  # a backup of an older schema has none
    drop_orphans(database)


def _unrule(database: Database, holds: Holds) -> None:
    """A ruling goes with its segment, and when its words quote what is forgotten."""
    rows = database.rows("SELECT DISTINCT object, words FROM claim_rulings")
    for row, *held in zip(rows, holds([row[0] for row in rows]), holds([row[1] for row in rows]), strict=True):
        if any(held):
            database.run("DELETE FROM claim_rulings WHERE object = ? AND words = ?", list(row))


def _entity(row: tuple[Any, ...]) -> Entity:
    given, names = row[4], [unescape(name) for name in row[5]]
    return Entity(
        row[0],
        row[1],
        unescape(row[2]),
        EntityKind(row[3]),
        unescape(given) if given else names[0],
        tuple(names),
        int(row[6]),
    )


def _claim(row: tuple[Any, ...]) -> StoredClaim:
    claim = Claim(
        unescape(row[1]), unescape(row[2]), row[3], unescape(row[4]), from_micros(row[5], row[6] or 0), row[7], row[8], row[9],
        row[10], row[11], round(row[12], 2), Modality(row[13]), row[14], row[15], unescape(row[16]), unescape(row[21]),
    )  # fmt: skip
    return StoredClaim(row[0], claim, row[17], unescape(row[18]), row[19], row[20])


def _found_line(row: tuple[Any, ...]) -> FoundLine:
    said_at = from_micros(row[4], row[5] or 0)
    return FoundLine(
        row[0], row[1], unescape(row[2]), unescape(row[3]), said_at, row[6], row[7], row[8], row[9], unescape(row[10])
    )


def _entity_columns(entities: Sequence[Entity]) -> dict[str, Any]:
    return {
        "id": pa.array([one.id for one in entities], pa.int64()),
        "namespace": pa.array([one.namespace for one in entities], pa.string()),
        "conversation": pa.array([escape(one.conversation) for one in entities], pa.string()),
        "kind": pa.array([one.kind.value for one in entities], pa.string()),
    }


def _mention_columns(new: NewClaims) -> dict[str, Any]:
    return {
        "segment": pa.array([one.segment for one in new.mentions], pa.int64()),
        "line": pa.array([one.line for one in new.mentions], pa.int32()),
        "entity": pa.array([one.entity for one in new.mentions], pa.int64()),
        "name": pa.array([escape(one.name) for one in new.mentions], pa.string()),
    }


def _claim_columns(rows: Sequence[tuple[int, Claim, int, int]], first: int) -> dict[str, Any]:
    claims = [claim for _, claim, _, _ in rows]
    return {
        "id": pa.array(range(first, first + len(rows)), pa.int64()),
        "segment": pa.array([row[0] for row in rows], pa.int64()),
        "line": pa.array([claim.line for claim in claims], pa.int32()),
        "start_at": pa.array([claim.start for claim in claims], pa.int32()),
        "end_at": pa.array([claim.end for claim in claims], pa.int32()),
        "speaker": pa.array([escape(claim.speaker) for claim in claims], pa.string()),
        "subject": pa.array([escape(claim.subject) for claim in claims], pa.string()),
        "relation": pa.array([escape(claim.relation) for claim in claims], pa.string()),
        "object": pa.array([escape(claim.object) for claim in claims], pa.string()),
        "is_positive": pa.array([claim.is_positive for claim in claims], pa.bool_()),
        "certainty": pa.array([claim.certainty for claim in claims], pa.float32()),
        "modality": pa.array([claim.modality.value for claim in claims], pa.string()),
        "valid_from": pa.array([claim.valid_from for claim in claims], pa.date32()),
        "valid_to": pa.array([claim.valid_to for claim in claims], pa.date32()),
        "quoted": pa.array([escape(claim.quoted) for claim in claims], pa.string()),
        "about": pa.array([row[2] for row in rows], pa.int64()),
        "object_entity": pa.array([row[3] for row in rows], pa.int64()),
        "source": pa.array([escape(claim.source) for claim in claims], pa.string()),
    }
