"""What a session is called where it is shown: its title, or its first words where nobody gave it one.

Knows: the SQL that finds a session's first words. They are read from the stored lines, in which no secret stands any more, and are cut only here; nothing is
written, so what is forgotten is in no name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import pyarrow as pa

from pmg.base.model import Role
from pmg.base.text import headline, unescape
from pmg.store.duckdb.database import Database

WORDS = 400  # characters of a first line that are read: far more than a name has
MAX_IN_STATEMENT = 200  # sessions or turns that are named one by one in a statement
_SAID = ", ".join(f"'{role.value}'" for role in (Role.USER, Role.PERSON, Role.ASSISTANT, Role.DOCUMENT))
# A turn that was asked anew was never said (pmg/chat/turn.py tags it so).
_REPLACED = "(g.state = 'archived' AND list_contains(g.tags, 'replaced'))"


def shown_names(database: Database, titles: Iterable[tuple[str, str]]) -> dict[str, str]:
    """By (session id, title as it is read): the name of each; "" where there is neither a title nor a word."""
    named = {session: " ".join(title.split()) for session, title in titles}
    missing = [session for session, title in named.items() if not title]
    return named | first_words(database, missing) if missing else named


def first_words(database: Database, sessions: Sequence[str]) -> dict[str, str]:
    """Most sessions say something in their first turn; only the others are looked through."""
    found = _words_of(database, sessions, f"arg_min(g.number, g.idx) FILTER (NOT {_REPLACED})")
    silent = [session for session in sessions if session not in found]
    return found | _words_of(database, silent, f"unnest(list(g.number) FILTER (NOT {_REPLACED}))") if silent else found


def _words_of(database: Database, sessions: Sequence[str], turns: str) -> dict[str, str]:
    """The first line with words among these turns of each session. A few are named in the statement: to lend a table of them takes longer than the
    answer, and of the lines, which lie in the order of their turns, few are read."""
    with _named(database, sessions, "?") as some:
        chosen = database.rows(
            f"SELECT g.session_id, {turns} FROM segments g WHERE g.session_id IN ({some}) GROUP BY 1",
            sessions if len(sessions) <= MAX_IN_STATEMENT else (),
        )
    session_of = {number: session for session, number in chosen if number is not None}
    if not session_of:
        return {}
    with _named(database, sorted(session_of)) as some:
        rows = database.rows(
            f"""SELECT segment, idx, left(text, {WORDS}) FROM lines WHERE segment IN ({some}) AND words > 0 AND role IN ({_SAID})"""
        )
    # From the last to the first, which stays.
    spoken = sorted((row for row in rows if any(map(str.isalnum, row[2]))), reverse=True)
    return {session_of[segment]: headline(unescape(text)) for segment, _, text in spoken}


@contextmanager
def _named(database: Database, values: Sequence[str] | Sequence[int], as_what: str = "") -> Iterator[str]:
    """What stands between the brackets of IN: each value (or `as_what` in its place), or a table of many."""
    if len(values) <= MAX_IN_STATEMENT:
        yield ", ".join(as_what or str(value) for value in values)
        return
    with database.reading(pa.table({"value": pa.array(values)}), "named") as table:
        yield f"SELECT value FROM {table}"
