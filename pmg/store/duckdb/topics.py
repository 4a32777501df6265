"""Topics as rows: their names, terms and members, and what a person decided about them.

Knows: the tables topics and topic_members, and two notes in the store: which topics a person named or pinned, and the names from before a
person's changes. Topics are found by steward/topics.py. A topic is named by words of its members or by the title of one of their sessions: words
that only forgotten memories had are taken out of all of this.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from pmg.base.text import escape, unescape
from pmg.store.duckdb.database import Database
from pmg.store.maintenance import Topic, TopicNames

BY_HAND = "topics.by_hand"  # {"named": [numbers], "pinned": [numbers], "given": the highest number ever given}
NAMES = "topics.names"  # {entry: [before, after]}, each {number: [name, terms]}
NAMES_KEPT = 200  # changes whose names can be put back


def read(database: Database) -> list[Topic]:
    members: dict[int, list[int]] = {}
    for topic, segment in database.rows(
        """SELECT m.topic, m.segment FROM topic_members m JOIN segments g ON g.number = m.segment
           ORDER BY m.topic, m.segment"""
    ):
        members.setdefault(topic, []).append(segment)
    hand = note(database, BY_HAND)
    named, pinned = set(hand.get("named", ())), set(hand.get("pinned", ()))
    return [
        Topic(
            number,
            namespace,
            unescape(name),
            tuple(unescape(term) for term in terms),
            tuple(members.get(number, ())),
            number in named,
            number in pinned,
        )
        for number, namespace, name, terms in database.rows("SELECT id, namespace, name, terms FROM topics ORDER BY id")
    ]


def next_number(database: Database) -> int:
    row = database.row("SELECT max(id) FROM topics")
    return max(int(row[0] or 0) if row else 0, int(note(database, BY_HAND).get("given", 0))) + 1


def write(database: Database, topics: Sequence[Topic]) -> None:
    """These and no others."""
    given = max(next_number(database) - 1, *(topic.id for topic in topics), 0)
    database.run("DELETE FROM topics")
    database.run("DELETE FROM topic_members")
    columns = {
        "id": pa.array([t.id for t in topics], pa.int64()),
        "namespace": pa.array([t.namespace for t in topics], pa.string()),
        "name": pa.array([escape(t.name) for t in topics], pa.string()),
        "terms": pa.array([[escape(term) for term in t.terms] for t in topics], pa.list_(pa.string())),
    }
    database.insert("topics", columns)
    pairs = [(t.id, member) for t in topics for member in t.members]
    columns = {
        "topic": pa.array([p[0] for p in pairs], pa.int64()),
        "segment": pa.array([p[1] for p in pairs], pa.int64()),
    }
    database.insert("topic_members", columns)
    hand = {"named": [t.id for t in topics if t.named], "pinned": [t.id for t in topics if t.pinned], "given": given}
    put_note(database, BY_HAND, hand)


def read_names(database: Database, entry: int) -> TopicNames | None:
    found = note(database, NAMES).get(str(entry))
    return None if found is None else TopicNames(*(_from_json(side) for side in found))


def write_names(database: Database, entry: int, names: TopicNames) -> None:
    kept = dict(list(note(database, NAMES).items())[-NAMES_KEPT + 1 :])
    kept[str(entry)] = [_to_json(names.before), _to_json(names.after)]
    put_note(database, NAMES, kept)


def forget_names(database: Database, topics: Sequence[int]) -> None:
    """The names that topics had before a person's changes: whoever forgets something does not keep what it was called."""
    gone = {str(topic) for topic in topics}
    kept = {
        entry: sides for entry, sides in note(database, NAMES).items() if not any(gone & side.keys() for side in sides)
    }
    put_note(database, NAMES, kept)


def note(database: Database, key: str) -> dict[str, Any]:
    row = database.row("SELECT value FROM meta WHERE key = ?", [key])
    found = json.loads(row[0]) if row else {}
    return found if isinstance(found, dict) else {}


def put_note(database: Database, key: str, value: Mapping[str, Any]) -> None:
    database.run("DELETE FROM meta WHERE key = ?", [key])
    database.run("INSERT INTO meta VALUES (?, ?)", [key, json.dumps(value, separators=(",", ":"))])


def _to_json(side: Mapping[int, tuple[str, tuple[str, ...]]]) -> dict[str, Any]:
    return {str(number): [name, list(terms)] for number, (name, terms) in side.items()}


def _from_json(side: Mapping[str, Any]) -> dict[int, tuple[str, tuple[str, ...]]]:
    return {int(number): (name, tuple(terms)) for number, (name, terms) in side.items()}


NAMED_BY = 3  # terms: as many as make a topic's name


def without_words_of(database: Database, numbers: Sequence[int]) -> int:
    """How many topics lost a member. A word that no member left has goes; so does a topic without members."""
    gone = pa.table({"n": pa.array(sorted(numbers), pa.int64())})
    with database.reading(gone, "leaving") as leaving:
        touched = database.rows(
            f"""SELECT id, name, terms FROM topics
                WHERE id IN (SELECT topic FROM topic_members WHERE segment IN (SELECT n FROM {leaving})) ORDER BY id"""
        )
        by_hand = set(note(database, BY_HAND).get("named", ()))
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
    forget_names(database, [topic for topic, _, _ in touched])
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
