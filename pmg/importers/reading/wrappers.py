"""Objects that only wrap conversations: told from the first bytes where they are large, searched where they are not.

Handles which keys hold lists of conversations, and how to look for conversations inside an object that is none itself.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator

from pmg.importers.reading.fields import Json
from pmg.importers.reading.jsonstream import balanced

LISTS = b"conversations|chats|projects|results|memories|threads|data"
LIST = re.compile(rb'"(?:' + LISTS + rb')"\s*:\s*\[')
# What an object that is a conversation itself has: it is not cut up, however many lists it holds.
ITSELF = frozenset(
    (b"mapping", b"chat_messages", b"messages", b"history", b"chunkedPrompt", b"haystack_sessions", b"docs")
)
ENTRY = re.compile(rb'[\s,]*"((?:[^"\\]++|\\.)*+)"\s*:\s*', re.DOTALL)
SCALAR = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[^\s,{}\[\]"]++', re.DOTALL)
Claim = Callable[[Json], bool]
NAMES = frozenset(LISTS.split(b"|"))
DEPTH = 5  # how far inside an object its conversations are looked for
WIDTH = 200  # … and how many values of one level


def wraps(start: bytes) -> bool:
    """Whether these bytes begin an object with a list of objects under a known key, and nothing before it that says more."""
    pos = start.find(b"{") + 1
    while entry := ENTRY.match(start, pos):
        pos = entry.end()
        if entry[1] in ITSELF:
            return False
        if entry[1] in NAMES and re.compile(rb"\[\s*\{").match(start, pos):
            return True
        if start[pos : pos + 1] in (b"{", b"["):
            pos, closed = balanced(start, pos)
            if not closed:
                return False
        elif scalar := SCALAR.match(start, pos):
            pos = scalar.end()
        else:
            return False
    return False


def unwrapped(value: Json, whole: Claim, row: Claim) -> Iterator[tuple[str, list[Json]]]:
    """Every conversation (`whole` claims it) and every list of rows (`row` claims one) inside an object, with its path."""
    todo: deque[tuple[str, object, int]] = deque((key, each, 1) for key, each in list(value.items())[:WIDTH])
    while todo:
        path, each, depth = todo.popleft()
        inner: list[tuple[str, object]] = []
        if isinstance(each, list):
            rows = [item for item in each if isinstance(item, dict)]
            if any(whole(item) or row(item) for item in rows[:WIDTH]):
                yield path, rows
                continue
            inner = [(f"{path}[{number}]", item) for number, item in enumerate(rows[:WIDTH])]
        elif isinstance(each, dict):
            if whole(each):
                yield path, [each]
                continue
            inner = [(f"{path}.{key}", item) for key, item in list(each.items())[:WIDTH]]
        todo.extend((name, item, depth + 1) for name, item in inner if depth < DEPTH)
