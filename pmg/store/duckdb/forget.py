"""The SQL of forgetting: which rows hang on some segments, in this store, and how much that is.

Knows: the tables. Does not know: how rows are removed (strip.py), files outside the database, or what a piece of text is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pmg.base.model import CHAT_SOURCE, Role
from pmg.base.text import escape, unescape
from pmg.base.times import now, to_micros
from pmg.store.duckdb import chat_quotes, cleanse, edited, foreign, strip
from pmg.store.duckdb.database import Database, numbers_table
from pmg.store.duckdb.relation import said_compared
from pmg.store.duckdb.sealed import DuckSealed
from pmg.store.forget import (
    Clean,
    ForgetExtent,
    ForgetFilter,
    ForgetOrder,
    ForgottenDigests,
    Holds,
    KnownCopy,
    StripResult,
    TakenFrom,
)

MIN_WORDS = 4  # words: a shorter turn ("yes, thanks") is said anew each time and is no copy of another
BATCH = 4096
_IN = "IN (SELECT n FROM {})"


class DuckForget:
    """Meets pmg.store.forget.Forgetting."""

    def __init__(self, database: Database, store_id: str, take: Any) -> None:
        self._database = database
        self._store_id = store_id
        self._take = take

    # looking

    def chosen(self, wanted: ForgetFilter) -> list[int]:
        """By number, so in the order in which they came in."""
        clauses: list[tuple[str, list[Any]]] = [("g.namespace = ?", [wanted.namespace])]
        if wanted.segments or wanted.sessions:
            named = f"(g.id IN ({_marks(wanted.segments)}) OR g.session_id IN ({_marks(wanted.sessions)}))"
            clauses.append((named, [*wanted.segments, *wanted.sessions]))
        if wanted.numbers is not None:
            clauses.append((f"g.number IN ({', '.join(str(int(n)) for n in wanted.numbers) or '-1'})", []))
        if wanted.person:
            speaks = "g.number IN (SELECT segment FROM lines WHERE lower(speaker) = lower(?))"
            clauses.append((speaks, [escape(wanted.person)]))
        if wanted.topic:
            member = """g.number IN (SELECT m.segment FROM topic_members m JOIN topics t ON t.id = m.topic
                        WHERE t.namespace = ? AND (lower(t.name) = lower(?) OR CAST(t.id AS VARCHAR) = ?))"""
            clauses.append((member, [wanted.namespace, escape(wanted.topic), wanted.topic]))
        if wanted.source:
            clauses.append(("s.source = ?", [escape(wanted.source)]))
        for how, at in ((">=", wanted.since), ("<", wanted.until)):
            if at is not None:
                condition, value = said_compared(how, at)
                clauses.append((condition, [value]))
        rows = self._database.rows(
            f"""SELECT g.number FROM segments g JOIN sessions s ON s.id = g.session_id
                WHERE {" AND ".join(sql for sql, _ in clauses)} ORDER BY 1""",
            [value for _, values in clauses for value in values],
        )
        return [row[0] for row in rows]

    def holding(self, namespace: str, text: str) -> list[int]:
        """Segments in which a text stands letter for letter, whatever its case, also inside longer words."""
        rows = self._database.rows(
            """SELECT DISTINCT l.segment FROM lines l JOIN segments g ON g.number = l.segment
               WHERE g.namespace = ? AND contains(lower(l.text), lower(?)) ORDER BY 1""",
            [namespace, escape(text)],
        )
        return [row[0] for row in rows]

    def said(self, namespace: str) -> Iterator[list[tuple[int, str]]]:
        """Every line of a namespace with its segment, whatever became of that."""
        rows = """SELECT l.segment, l.text FROM lines l JOIN segments g ON g.number = l.segment
                  WHERE g.namespace = ? AND l.text <> ''"""
        for batch in self._database.batches(rows, BATCH, [namespace]):
            yield [(segment, unescape(text)) for segment, text in zip(*(one.to_pylist() for one in batch), strict=True)]

    def copies(self, numbers: Sequence[int]) -> list[int]:
        """Others of the same namespace that say exactly the same, word for word."""
        return self._numbers(
            f"""SELECT o.number FROM segments g JOIN segments o ON o.content_hash = g.content_hash
                AND o.namespace = g.namespace AND o.number NOT {_IN} WHERE g.number {_IN} AND {_LONG}""",
            numbers,
        )

    def hashes(self, numbers: Sequence[int]) -> list[str]:
        """The content hashes of those that are long enough to have copies."""
        rows = self._rows(f"SELECT DISTINCT g.content_hash FROM segments g WHERE g.number {_IN} AND {_LONG}", numbers)
        return sorted(row[0] for row in rows)

    def freed(self, numbers: Sequence[int]) -> list[int]:
        """Those that gave way to one of them and say it in other words: they will stand for themselves."""
        return self._numbers(
            f"SELECT number FROM segments WHERE stands_for {_IN} AND number NOT {_IN} AND state IN ('duplicate', 'merged')",
            numbers,
        )

    def extent(self, numbers: Sequence[int], holds: Holds, named: Sequence[str] = ()) -> ForgetExtent:
        """`named` are the sessions that were asked for themselves: these go even while they are open."""
        whole, touched = self._sessions_hit(numbers, named)
        lines, size = self._rows(
            f"SELECT count(*), coalesce(sum(strlen(text)), 0) FROM lines WHERE segment {_IN}", numbers
        )[0]
        either = "{} " + _IN + " OR {} " + _IN
        return ForgetExtent(
            sessions=whole,
            sessions_touched=touched,
            lines=lines,
            text_bytes=int(size),
            windows=self._count(f"FROM windows WHERE segment {_IN}", numbers),
            edges=self._count(f"FROM edges WHERE {either.format('source', '{}', 'target', '{}')}", numbers),
            reviews=self._count(f"FROM reviews WHERE {either.format('a', '{}', 'b', '{}')}", numbers),
            recalls=len(strip.recalls_of(self._database, numbers, holds)),
            journal=len(strip.journal_of(self._database, self.ids(numbers), holds)),
        )

    def _sessions_hit(self, numbers: Sequence[int], named: Sequence[str]) -> tuple[int, int]:
        """How many sessions go whole, and how many lose turns and stay."""
        rows = self._rows(
            f"""SELECT s.id, s.is_open, count(*) FILTER (g.number {_IN}) AS mine, count(*) FROM segments g
                JOIN sessions s ON s.id = g.session_id GROUP BY s.id, s.is_open HAVING mine > 0""",
            numbers,
        )
        whole = sum(mine == total and (not is_open or name in named) for name, is_open, mine, total in rows)
        return whole, len(rows) - whole

    def ids(self, numbers: Sequence[int]) -> list[str]:
        return [row[0] for row in self._rows(f"SELECT id FROM segments WHERE number {_IN} ORDER BY number", numbers)]

    def naming(self, namespace: str, names: Sequence[str], without: Sequence[int]) -> list[tuple[int, str]]:
        """Lines that have the letters of one of the names, in any case, each with its segment; none of some segments."""
        with self._database.reading(numbers_table(without), "wanted") as wanted:
            rows = self._database.rows(
                f"""SELECT l.segment, l.text FROM lines l JOIN segments g ON g.number = l.segment
                    WHERE g.namespace = ? AND l.segment NOT IN (SELECT n FROM {wanted})
                    AND list_bool_or([contains(lower(l.text), lower(name)) FOR name IN ?::VARCHAR[]])""",
                [namespace, [escape(name) for name in names]],
            )
        return [(segment, unescape(text)) for segment, text in rows]

    def said_elsewhere(self, numbers: Sequence[int]) -> int:
        """Segments that stay and hold one of their lines word for word, among others. What this program's own chat says is said in every answer."""
        return self._count(
            f"""FROM (SELECT DISTINCT o.segment FROM lines l JOIN segments g ON g.number = l.segment JOIN sessions s ON s.id = g.session_id
                JOIN lines o ON o.text = l.text AND o.segment NOT {_IN}
                JOIN segments h ON h.number = o.segment AND h.namespace = g.namespace
                WHERE l.segment {_IN} AND l.words >= {MIN_WORDS} AND NOT (s.source = '{CHAT_SOURCE}' AND l.role = '{Role.ASSISTANT.value}'))""",
            numbers,
        )

    def people_speaking(self, numbers: Sequence[int]) -> list[str]:
        """Names under which people speak in them; an assistant is none, nor is the user of one."""
        rows = self._rows(
            f"SELECT DISTINCT speaker FROM lines WHERE segment {_IN} AND role = '{Role.PERSON.value}' ORDER BY 1",
            numbers,
        )
        return [unescape(row[0]) for row in rows]

    def titles_left(self, numbers: Sequence[int], namespace: str) -> list[tuple[str, str]]:
        """Sessions of a namespace that keep a turn and have a title, with it."""
        with self._database.reading(numbers_table(numbers), "wanted") as wanted:
            rows = self._database.rows(
                f"""SELECT id, title FROM sessions WHERE namespace = ? AND title <> ''
                    AND id IN (SELECT session_id FROM segments WHERE number NOT IN (SELECT n FROM {wanted})) ORDER BY 1""",
                [namespace],
            )
        return [(name, unescape(title)) for name, title in rows]

    def silenced(self, numbers: Sequence[int], speakers: Sequence[str]) -> list[str]:
        """The sessions of the conversations in which some speakers say something in these segments and nothing in any other."""
        with self._database.reading(numbers_table(numbers), "wanted") as wanted:
            rows = self._database.rows(
                f"""WITH places AS (SELECT id, namespace, CASE WHEN conversation = '' THEN id ELSE conversation END AS place FROM sessions),
                    said AS (SELECT p.namespace, p.place, l.segment IN (SELECT n FROM {wanted}) AS goes FROM lines l
                             JOIN segments g ON g.number = l.segment JOIN places p ON p.id = g.session_id
                             WHERE list_contains(?::VARCHAR[], lower(l.speaker))),
                    silent AS (SELECT namespace, place FROM said GROUP BY ALL HAVING bool_and(goes))
                    SELECT id FROM places SEMI JOIN silent USING (namespace, place) ORDER BY 1""",
                [[escape(name).lower() for name in speakers]],
            )
        return [row[0] for row in rows]

    def quoting(self, numbers: Sequence[int]) -> list[str]:
        """Turns of the chat that stay and keep a row about one of them."""
        return [turn.id for turn in self._quoting(numbers)]

    def _quoting(self, numbers: Sequence[int]) -> list[chat_quotes.QuotingTurn]:
        namespaces = self._rows(f"SELECT DISTINCT namespace FROM segments WHERE number {_IN}", numbers)
        ids = set(self.ids(numbers))
        return [turn for (namespace,) in namespaces for turn in chat_quotes.quoting(self._database, namespace, ids)]

    def texts(self, numbers: Sequence[int]) -> Iterator[list[str]]:
        """Their lines, as they are stored, and what the chat wrote about them."""
        rows = [row for turn in self._quoting(numbers) for row in turn.rows]
        yield [row for row in rows if not any(row.endswith(f"in {title!r}") for title in self._titles_left(numbers))]
        for start in range(0, len(numbers), BATCH):
            some = numbers[start : start + BATCH]
            yield [row[0] for row in self._rows(f"SELECT text FROM lines WHERE segment {_IN} ORDER BY id", some)]

    def _titles_left(self, numbers: Sequence[int]) -> list[str]:
        """Of sessions that keep some turns: these titles stay, and are no trace."""
        sql = f"""SELECT DISTINCT title FROM sessions WHERE title <> ''
                  AND id IN (SELECT session_id FROM segments WHERE number NOT {_IN})"""
        return [unescape(row[0]) for row in self._rows(sql, numbers)]

    def other_texts(self, numbers: Sequence[int]) -> Iterator[list[str]]:
        """Every text that stays: lines, and what sessions are called."""
        turns = self._quoting(numbers)
        yield [after for turn in turns for _, _, after in turn.lines]
        with self._database.reading(numbers_table([*numbers, *(turn.number for turn in turns)]), "wanted") as wanted:
            left = f"(SELECT n FROM {wanted})"
            for sql in (
                f"SELECT text FROM lines WHERE segment NOT IN {left} AND text <> ''",
                f"SELECT DISTINCT speaker FROM lines WHERE segment NOT IN {left}",
                f"""SELECT DISTINCT unnest([conversation, source, id]) FROM sessions
                    WHERE id IN (SELECT session_id FROM segments WHERE number NOT IN {left})""",
            ):
                for batch in pa.table({"text": self._database.arrow(sql).column(0)}).to_batches(BATCH):
                    yield batch.column(0).to_pylist()

    def asked_in_chat(self) -> Iterator[list[str]]:
        """What the person wrote in the chat of this program."""
        sql = """SELECT l.text FROM lines l JOIN segments g ON g.number = l.segment JOIN sessions s ON s.id = g.session_id
                 WHERE s.source = ? AND l.role = ?"""
        for batch in self._database.batches(sql, BATCH, [CHAT_SOURCE, Role.USER.value]):
            yield batch.column(0).to_pylist()

    def vectors(self, numbers: Sequence[int]) -> Iterator[NDArray[np.float32]]:
        yield from self._vectors(numbers, "IN")

    def other_vectors(self, numbers: Sequence[int]) -> Iterator[NDArray[np.float32]]:
        yield from self._vectors(numbers, "NOT IN")

    def _vectors(self, numbers: Sequence[int], side: str) -> Iterator[NDArray[np.float32]]:
        for generation in edited.generations(self._database):
            with self._database.reading(numbers_table(numbers), "wanted") as wanted:
                table = self._database.arrow(
                    f"""SELECT v.vector FROM vectors_{generation} v JOIN windows w ON w.id = v.window_id
                        WHERE w.segment {side} (SELECT n FROM {wanted})"""
                )
            for batch in table.to_batches(8192):
                flat = batch.column(0).flatten().to_numpy(zero_copy_only=False)
                yield flat.reshape(batch.num_rows, -1).astype(np.float32, copy=False)

    def columns(self, file: Path | None = None) -> Iterator[tuple[str, str, Any]]:
        """(table, column, texts) of every column of text, in this database or in a backup."""
        if file is None:
            yield from strip.text_columns(self._database)
            return
        with foreign.reading(file) as found:
            yield from strip.text_columns(found.database)

    # doing

    def strip(self, gone: ForgetOrder, holds: Holds) -> StripResult:
        """One transaction: everything that hangs on them, and the hashes that keep them from coming back."""
        with self._database.writing():
            return strip.strip(self._database, gone, holds, self._take("change", 1))

    def strip_backup(self, file: Path, gone: ForgetOrder, holds: Holds) -> StripResult:
        """The same in a backup, whose file is then written anew, without what was removed."""
        return strip.strip_file(file, gone, holds)

    def rewrite(self) -> int:
        """The database file written anew by copying: a DELETE leaves the text in it. Returns the bytes it lost."""
        return strip.rewrite(self._database)

    def stored(self) -> Iterator[tuple[str, str, int]]:
        """(place, text, how often) of every text that may hold a secret."""
        return cleanse.stored(self._database)

    def spoken(self) -> Iterator[tuple[str, str]]:
        """(speaker, text) of every line of a person."""
        return cleanse.spoken(self._database)

    def cleanse(self, clean: Clean, taken_from: TakenFrom, *, keep: bool) -> StripResult:
        """One transaction: every stored text as the cleaner gives it back; with `keep` what it takes out of lines stays, sealed."""
        with self._database.writing():
            cleaning = cleanse.Cleaning(clean, taken_from, DuckSealed(self._database, self._take).put if keep else None)
            return cleanse.cleanse(self._database, cleaning, self._take("change", 1))

    def cleanse_backup(self, file: Path, clean: Clean, taken_from: TakenFrom) -> StripResult:
        """What is sealed is in the memory; a backup of it gets no box of its own."""
        return cleanse.cleanse_file(file, cleanse.Cleaning(clean, taken_from), self._store_id)

    def digests(self) -> ForgottenDigests:
        return ForgottenDigests(
            self._store_id, frozenset(row[0] for row in self._database.rows("SELECT digest FROM forgotten"))
        )

    # files that hold copies

    def record(self, copy: KnownCopy) -> None:
        with self._database.writing():
            self._database.run("DELETE FROM copies WHERE path = ?", [escape(str(copy.path))])
            self._database.run(
                "INSERT INTO copies VALUES (?, ?, ?, make_timestamp(?::BIGINT))",
                [escape(str(copy.path)), copy.kind, copy.form, to_micros(now())],
            )

    def recorded(self) -> list[KnownCopy]:
        rows = self._database.rows("SELECT path, kind, form FROM copies ORDER BY path")
        return [KnownCopy(Path(unescape(path)), kind, form) for path, kind, form in rows]

    def unrecord(self, paths: Sequence[Path]) -> None:
        with self._database.writing():
            for path in paths:
                self._database.run("DELETE FROM copies WHERE path = ?", [escape(str(path))])

    def _rows(self, sql: str, numbers: Sequence[int]) -> list[tuple[Any, ...]]:
        with self._database.reading(numbers_table(numbers), "wanted") as wanted:
            return self._database.rows(sql.replace("{}", wanted))

    def _numbers(self, sql: str, numbers: Sequence[int]) -> list[int]:
        return sorted({row[0] for row in self._rows(sql, numbers)})

    def _count(self, sql: str, numbers: Sequence[int]) -> int:
        return int(self._rows(f"SELECT count(*) {sql}", numbers)[0][0])


_LONG = f"(SELECT sum(words) FROM lines w WHERE w.segment = g.number) >= {MIN_WORDS}"


def next_place(database: Database, session_id: str) -> int:
    """After the last place that was ever used in a session: one that was forgotten is not given to another turn."""
    row = database.row(
        """SELECT max(idx) FROM (SELECT idx FROM segments WHERE session_id = ?
           UNION ALL SELECT idx FROM gaps WHERE session_id = ?)""",
        [session_id, session_id],
    )
    return 0 if row is None or row[0] is None else int(row[0]) + 1


def _marks(values: Sequence[str]) -> str:
    return ", ".join("?" * len(values)) or "NULL"
