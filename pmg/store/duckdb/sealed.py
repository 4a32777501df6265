"""The SQL of sealed redactions: rows that hang on a line of a segment.

The types stand in pmg/store/sealed.py; what becomes of the rows when a line is cleaned or the key changes, in sealed_upkeep.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

import pyarrow as pa

from pmg.base.errors import NotFound
from pmg.base.text import unescape
from pmg.base.times import now, to_micros
from pmg.store.duckdb import sealed_upkeep
from pmg.store.duckdb.database import Database
from pmg.store.sealed import SealedRedaction, SealedText

_NAMES = [one.name for one in fields(SealedRedaction)]  # in the order of the columns of _ROW
_ROW = """SELECT x.id, x.segment, g.id, g.session_id, g.namespace, x.line, x.place, x.size, x.kind,
                 x.restored, x.digest
          FROM sealed x JOIN segments g ON g.number = x.segment"""


class DuckSealed:
    """Meets pmg.store.sealed.SealedTexts. `take` gives the first of some fresh numbers of a counter."""

    def __init__(self, database: Database, take: Callable[[str, int], int]) -> None:
        self._database = database
        self._take = take

    def listed(self, namespace: str = "", segments: Sequence[int] | None = None) -> list[SealedRedaction]:
        """Of one namespace, or of all; of some segments, or of all; in the order in which they came in."""
        inside = "true" if segments is None else f"x.segment IN ({', '.join(str(int(n)) for n in segments) or 'NULL'})"
        rows = self._database.rows(
            f"{_ROW} WHERE {inside} AND (? = '' OR g.namespace = ?) ORDER BY x.id", [namespace] * 2
        )
        return [_redaction(row) for row in rows]

    def find(self, number: int) -> SealedRedaction | None:
        row = self._database.row(f"{_ROW} WHERE x.id = ?", [number])
        return _redaction(row) if row else None

    def restored_texts(self) -> dict[str, tuple[str, ...]]:
        """Lines in which something was restored, each with what was: a scan leaves it where it is."""
        found: dict[str, tuple[str, ...]] = {}
        for text, place, size in self._database.rows(
            """SELECT l.text, x.place, x.size FROM sealed x JOIN lines l ON l.segment = x.segment AND l.idx = x.line
               WHERE x.restored ORDER BY x.id"""
        ):
            whole = unescape(text)
            found[whole] = (*found.get(whole, ()), whole[place : place + size])
        return found

    def box(self, number: int) -> bytes:
        row = self._database.row("SELECT box FROM sealed WHERE id = ?", [number])
        if row is None or not row[0]:
            raise NotFound(f"Nothing is sealed under {number}. `pmg redact --sealed` lists what is.")
        return bytes(row[0])

    def replace(self, segment: int, texts: Sequence[SealedText]) -> None:
        """A segment has other words: what was sealed of the old ones goes."""
        self._database.run("DELETE FROM sealed WHERE segment = ?", [segment])
        self.put([(segment, text) for text in texts])

    def put(self, rows: Sequence[tuple[int, SealedText]]) -> None:
        if rows:
            self._database.insert("sealed", _columns(rows, self._take("sealed", len(rows))))

    def moved(self, row: SealedRedaction, is_restored: bool, by: int) -> None:
        """One was restored, or sealed again: what follows it in its line stands elsewhere now."""
        run = self._database.run
        run("UPDATE sealed SET restored = ? WHERE id = ?", [is_restored, row.id])
        run(
            "UPDATE sealed SET place = place + ? WHERE segment = ? AND line = ? AND place > ?",
            [by, row.segment, row.line, row.place],
        )
        run("DELETE FROM sealed WHERE id = ? AND NOT restored AND octet_length(box) = 0", [row.id])
        sealed_upkeep.renew_digests(self._database, row.segment)


def _redaction(row: Sequence[Any]) -> SealedRedaction:
    return SealedRedaction(**dict(zip(_NAMES, row, strict=True)))


def _columns(rows: Sequence[tuple[int, SealedText]], first: int) -> dict[str, Any]:
    count = len(rows)
    return {
        "id": pa.array(range(first, first + count), pa.int64()),
        "segment": pa.array([segment for segment, _ in rows], pa.int64()),
        "line": pa.array([text.line for _, text in rows], pa.int32()),
        "place": pa.array([text.place for _, text in rows], pa.int32()),
        "size": pa.array([text.size for _, text in rows], pa.int32()),
        "kind": [text.kind for _, text in rows],
        "box": pa.array([text.box for _, text in rows], pa.binary()),
        "sealed_at": pa.array([to_micros(now())] * count, pa.timestamp("us")),
        "restored": [False] * count,
        "digest": [""] * count,
    }
