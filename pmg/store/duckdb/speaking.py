"""Which person says a line: the owner of the memory is one person, under however many names their lines have.

    everywhere             the name of any line that came from the owner (role `user`), and whatever else these names are read as
    in one conversation    the names of somebody there of whom it was decided that they are the owner

So a chat that names nobody ("User"), one that has the owner's name, and messages between people in which the owner is one of them are one
person's. Who is whom otherwise is decided in pmg/people; tests/pmg/people/test_owner_names.py holds the two together.
"""

from __future__ import annotations

from pmg.base.model import YOU
from pmg.store.duckdb.relation import Relation

OWNER_NAMES = Relation(
    "v_owner_names",
    "One row a name under which the person whose memory this is speaks.",
    {
        "namespace": "the namespace it lies in",
        "conversation": "the conversation in which that name is theirs; empty for every one",
        "name": "the name, as the lines have it",
    },
    """WITH RECURSIVE mine AS (
    SELECT id FROM entities WHERE conversation = '' AND kind = 'person'
    UNION
    SELECT if(d.a = m.id, d.b, d.a) FROM mine m JOIN identity_decisions d ON d.verdict = 'MERGE' AND (d.a = m.id OR d.b = m.id)),
names AS (
    SELECT g.namespace, '' AS conversation, l.speaker AS name FROM lines l JOIN segments g ON g.number = l.segment WHERE l.role = 'user'
    UNION
    SELECT e.namespace, e.conversation, t.name FROM mine JOIN entities e USING (id) JOIN mentions t ON t.entity = e.id)
SELECT namespace, conversation, name FROM names WHERE name <> ''
QUALIFY conversation = '' OR min(conversation) OVER (PARTITION BY namespace, name) <> ''""",
)
PERSON = f"if(l.role = 'user' OR o.name IS NOT NULL, '{YOU}', l.speaker)"
# A line joins one name at most: what is the owner's everywhere is not listed by conversation.
JOINED = """JOIN sessions t ON t.id = g.session_id LEFT JOIN v_owner_names o
    ON l.role = 'person' AND o.namespace = g.namespace AND o.name = l.speaker AND o.conversation IN ('', t.conversation)"""
# Every line with `person`, in the place of the table. Never inside a value of an outer query's row, where it is reckoned row by row and takes minutes: `by_segment` is joined.
SPOKEN = f"(SELECT l.*, {PERSON} AS person FROM lines l JOIN segments g ON g.number = l.segment {JOINED})"


def by_segment(aggregate: str, among: str = "") -> str:
    """A table of `segment` and `told`, an aggregate over the lines `l` of each; `among` is a table of the only numbers wanted."""
    wanted = f"WHERE l.segment IN (SELECT number FROM {among})" if among else ""
    return f"(SELECT l.segment, {aggregate} AS told FROM {SPOKEN} l {wanted} GROUP BY l.segment)"
