"""The words of topics, without those that only forgotten memories had.

Knows: that a topic is named by words of its members or by the title of one of their sessions. Topics are found by steward/topics.py.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from pmg.store.duckdb import topics
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
        by_hand = set(topics.note(database, topics.BY_HAND).get("named", ()))
        for topic, name, terms in touched:
            stay = f"""segment IN (SELECT segment FROM topic_members WHERE topic = {int(topic)})
                       AND segment NOT IN (SELECT n FROM {leaving})"""
            left = [
                term
                for term in terms
                if database.row(f"SELECT 1 FROM lines WHERE {stay} AND contains(lower(text), lower(?)) LIMIT 1", [term])
            ]
            if not database.row(f"SELECT 1 FROM lines WHERE {stay} LIMIT 1") or not (left or topic in by_hand):
                database.run("DELETE FROM topics WHERE id = ?", [topic])
                database.run("DELETE FROM topic_members WHERE topic = ?", [topic])
            else:
                kept = name if topic in by_hand else _name(database, stay, name, left)
                database.run("UPDATE topics SET name = ?, terms = ? WHERE id = ?", [kept, left, topic])
    topics.forget_names(database, [topic for topic, _, _ in touched])
    return len(touched)


def _name(database: Database, stay: str, name: str, left: Sequence[str]) -> str:
    """As it was, if its words are all still there, or if it is the title of a session that is."""
    if all(part in left for part in name.split(" · ")):
        return name
    titled = database.row(
        f"""SELECT 1 FROM sessions s JOIN segments g ON g.session_id = s.id
            WHERE g.number IN (SELECT segment FROM lines WHERE {stay}) AND starts_with(s.title, ?) LIMIT 1""",
        [name.removesuffix("…")],
    )
    return name if titled else " · ".join(left[:NAMED_BY])
