"""The SQL of claims, entities, decisions about who is who, and rulings on claims.

Knows: the tables, and that what every question needs (who is known, who talks in a session) is read once between two transactions.
Rows become objects in people_rows.py; what goes with words that go stands in people_cleanup.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

import pyarrow as pa

from pmg.base.claim import GRAMMAR, Claim
from pmg.base.text import escape, unescape
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.people_cleanup import HIGHEST_DROPPED, drop_orphans
from pmg.store.duckdb.people_rows import (
    claim_columns,
    claim_of,
    entity_columns,
    entity_of,
    found_line_of,
    mention_columns,
)
from pmg.store.people import (
    ClaimRuling,
    Entity,
    FoundLine,
    Identity,
    IdentityDecision,
    NewClaims,
    Ruling,
    StoredClaim,
    ruled,
)

T = TypeVar("T")
ALL = "true"
MAX_CACHED = 64  # people whose claims are held between two transactions
_CLAIM = """c.id, c.speaker, c.subject, c.relation, c.object, epoch_us(coalesce(l.said_at, g.said_at)), coalesce(l.said_offset, g.said_offset),
    g.id, c.line, c.start_at, c.end_at, c.is_positive, c.certainty, c.modality, c.valid_from, c.valid_to, c.quoted, g.session_id, s.conversation,
    c.about, c.object_entity, c.source"""
_JOINED = """FROM c JOIN segments g ON g.number = c.segment AND g.state = 'active' JOIN sessions s ON s.id = g.session_id
    LEFT JOIN (SELECT segment, idx, said_at, said_offset FROM lines WHERE segment IN (SELECT segment FROM c)) l
        ON l.segment = c.segment AND l.idx = c.line"""


class ReadCache(Protocol):
    """What `read` gives, read once until a transaction ends."""

    def __call__(self, key: str, read: Callable[[], T]) -> T: ...


class DuckPeople:
    """Meets pmg.store.people.People."""

    def __init__(self, database: Database, take: Callable[[str, int], int], remember: ReadCache) -> None:
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
        return [entity_of(row) for row in rows]

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
            if len(known) >= MAX_CACHED:
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
        return ruled([claim_of(row) for row in rows], self.rulings(namespace))

    def waiting_for_model(self, namespace: str, model: str) -> list[str]:
        """Closed sessions in a namespace with an active segment that this model has not read, oldest first."""
        rows = self._database.rows(
            """SELECT s.id FROM sessions s WHERE NOT s.is_open AND s.namespace = ? AND EXISTS (
                   SELECT 1 FROM segments g WHERE g.session_id = s.id AND g.state = 'active'
                   AND g.number NOT IN (SELECT segment FROM model_read WHERE model = ?)) ORDER BY s.started_at, s.id""",
            [namespace, model],
        )
        return [row[0] for row in rows]

    def model_claims(self, sessions: Sequence[str]) -> list[Claim]:
        """What models read in these sessions, as they read it: what a person decided about it is not in it."""
        if not self._database.rows(f"SELECT 1 FROM claims WHERE source <> '{GRAMMAR}' LIMIT 1"):
            return []  # in most memories no model was ever asked
        rows = self._database.rows(
            f"""WITH c AS MATERIALIZED (SELECT * FROM claims WHERE source <> '{GRAMMAR}' AND segment IN (
                    SELECT number FROM segments WHERE session_id IN ({_quoted(sessions)})))
                SELECT {_CLAIM} {_JOINED} ORDER BY c.id"""
        )
        return [claim_of(row).claim for row in rows]

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
            f"SELECT greatest(max(id), (SELECT value::BIGINT FROM meta WHERE key = '{HIGHEST_DROPPED}'), 0) + 1 FROM entities"
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
        return [found_line_of(row) for row in rows]

    # writing

    def put_claims(self, new: NewClaims) -> None:
        """Whatever the sessions gave before gives way to this."""
        numbers = pa.table({"n": pa.array(list(new.segments), pa.int64())})
        with self._database.reading(numbers, "mine") as mine:
            was_read = self._has_rows("extracted", mine) or self._has_rows("mentions", mine)
            for table in ("claims", "mentions", "extracted") if was_read else ():
                self._database.run(f"DELETE FROM {table} WHERE segment IN (SELECT n FROM {mine})")
            self._database.run(f"INSERT INTO extracted SELECT n, ? FROM {mine}", [new.version])
            if new.model:
                self._database.run(f"DELETE FROM model_read WHERE segment IN (SELECT n FROM {mine})")
                self._database.run(f"INSERT INTO model_read SELECT n, ? FROM {mine}", [escape(new.model)])
        self._database.insert("entities", entity_columns(new.entities))
        self._database.insert("claims", claim_columns(new.claims, self._take("claim", len(new.claims))))
        self._database.insert("mentions", mention_columns(new))
        if was_read:  # else nothing was taken away
            drop_orphans(self._database)

    def _has_rows(self, table: str, numbers: str) -> bool:
        return bool(self._database.rows(f"SELECT 1 FROM {table} WHERE segment IN (SELECT n FROM {numbers}) LIMIT 1"))

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
