"""A memory of any size made by the database itself in seconds, for questions about size. No text in it was said by anybody.

Knows: rows in the proportions of a real memory: two lines a segment, thirteen semantic edges, two namespaces, a log of use.
Does not know: vectors (a million of them take 1.5 GB and no question in SQL reads them), or what is measured.
"""

from __future__ import annotations

from pathlib import Path

from pmg.store.duckdb.store import DuckStore

# {n} segments. `dice` is the same on every machine: a hash of what it is given.
_ROWS = """
CREATE TEMP MACRO dice(a, b, n) AS (hash(a, b) % n)::BIGINT;
CREATE TEMP MACRO namespace_of(session) AS CASE WHEN session % 10 = 9 THEN 'other' ELSE 'default' END;
INSERT INTO models VALUES (1, 'synthetic', 'synthetic', 384, 'active');
INSERT INTO sessions
    SELECT 'b' || i, namespace_of(i), 'c' || i % 500, 'session ' || i, ['chat', 'chatgpt', 'claude', 'messages'][1 + dice(i, 0, 4)],
           TIMESTAMP '2020-01-01' + to_minutes(i * 20), 3600, TIMESTAMP '2020-01-01' + to_minutes(i * 20 + 19), 3600, false, '{}'
    FROM range({n} // 20) r(i);
INSERT INTO segments
    SELECT i + 1, 'seg_b' || (i // 20) || '_' || (i % 20), 'b' || (i // 20), i % 20, namespace_of(i // 20),
           TIMESTAMP '2020-01-01' + to_minutes(i), 3600,
           CASE WHEN dice(i, 1, 100) < 2 THEN 'archived' WHEN dice(i, 1, 100) < 3 THEN 'merged' ELSE 'active' END, 0,
           CASE WHEN dice(i, 2, 10) < 6 THEN 0 ELSE dice(i, 3, 40) END,
           CASE WHEN dice(i, 2, 10) < 6 THEN NULL ELSE TIMESTAMP '2020-01-01' + to_minutes(i + dice(i, 4, 100000)) END,
           false, CASE WHEN dice(i, 5, 20) = 0 THEN ['tag' || i % 30] ELSE [] END, dice(i, 6, 1000) / 1000, '', '', 1, '{}'
    FROM range({n}) r(i);
INSERT INTO lines
    SELECT 2 * i + k, i + 1, k, ['Ana', 'Ben', 'Cleo', 'Dan'][1 + dice(i // 20, 7, 4)] || [' ', ' bot'][1 + k],
           ['user', 'assistant'][1 + k],
           repeat('some words of a turn that say a little ' || i || ' ', 3 + dice(i, 8 + k, 6)), 30 + dice(i, 8 + k, 40), 2, k = 0, NULL, NULL
    FROM range({n}) r(i), range(2) s(k);
INSERT INTO windows SELECT i + 1, 1, i + 1, 2 * i, 0, 100 FROM range({n}) r(i);
INSERT INTO edges
    SELECT i + 1, i + 1 + d, 'chain', 1, 'auto', TIMESTAMP '2026-01-01'
    FROM range({n}) r(i), (VALUES (-1), (1)) v(d) WHERE (i % 20) + d BETWEEN 0 AND 19;
INSERT INTO edges
    SELECT i + 1, 1 + dice(i, k, i), CASE WHEN k < 13 THEN 'semantic' ELSE 'related_to' END, 0.56 + dice(i, k + 20, 300) / 1000,
           'auto', TIMESTAMP '2026-01-01'
    FROM range(1, {n}) r(i), range(14) s(k);
INSERT INTO scores SELECT number, quality FROM segments WHERE state = 'active';
INSERT INTO recalls
    SELECT i + 1, TIMESTAMP '2021-01-01' + to_minutes(i * 10), namespace_of(i), 'what about ' || i, 'diffuse', 5 + dice(i, 0, 60)
    FROM range({n} // 5) r(i);
INSERT INTO recall_hits
    SELECT i + 1, 1 + dice(i, k, {n}), ['entry', 'lateral', 'vertical'][1 + k % 3], dice(i, k, 100) / 5
    FROM range({n} // 5) r(i), range(10) s(k);
INSERT INTO topics SELECT i, namespace_of(i), 'topic ' || i, ['a', 'b'] FROM range(200) r(i);
INSERT INTO topic_members
    SELECT CASE WHEN (i // 20) % 10 = 9 THEN 10 * dice(i, 1, 20) + 9 ELSE 10 * dice(i, 1, 20) + dice(i, 2, 9) END, i + 1
    FROM range({n}) r(i) WHERE dice(i, 3, 10) < 6;
INSERT INTO journal
    SELECT i, 'run' || i // 100, TIMESTAMP '2022-01-01' + to_hours(i), 'schedule', ['merge', 'archive'][1 + i % 2], 'reason', '{}', '{}', NULL
    FROM range({n} // 50) r(i);
INSERT INTO journal_touched SELECT i, 1 + dice(i, k, {n}) FROM range({n} // 50) r(i), range(2) s(k);
DROP MACRO dice;
DROP MACRO namespace_of;
"""


def make(home: Path, segments: int) -> None:
    store = DuckStore.open(home)
    try:
        for statement in _ROWS.replace("{n}", str(int(segments))).split(";\n"):
            if statement.strip():
                store.database.run(statement)
    finally:
        store.close()
