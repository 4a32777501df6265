"""The words of topics, without those that only forgotten memories had.

Knows: that a topic is named by words of its members. Topics are found by steward/topics.py.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from pmg.store.duckdb.database import Database

NAMED_BY = 3  # terms: as many as make a topic's name


def without(database: Database, numbers: Sequence[int]) -> int:
    """How many topics lost a member. A word that no member left has goes; so does a topic without members."""
    gone = pa.table({"n": pa.array(sorted(numbers), pa.int64())})
    with database.reading(gone, "leaving") as leaving:
        touched = database.rows(
            f"""SELECT id, name, terms FROM topics
                WHERE id IN (SELECT topic FROM topic_members WHERE segment IN (SELECT n FROM {leaving})) ORDER BY id"""
        )
        for topic, name, terms in touched:
            stay = f"segment IN (SELECT segment FROM topic_members WHERE topic = {int(topic)})"
            left = [
                term
                for term in terms
                if database.row(
                    f"""SELECT 1 FROM lines WHERE {stay} AND segment NOT IN (SELECT n FROM {leaving})
                        AND contains(lower(text), lower(?)) LIMIT 1""",
                    [term],
                )
            ]
            if not left:
                database.run("DELETE FROM topics WHERE id = ?", [topic])
                database.run("DELETE FROM topic_members WHERE topic = ?", [topic])
            elif left != terms:
                kept = name if all(part in left for part in name.split(" · ")) else " · ".join(left[:NAMED_BY])
                database.run("UPDATE topics SET name = ?, terms = ? WHERE id = ?", [kept, left, topic])
    return len(touched)
