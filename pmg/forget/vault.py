"""A vault of Markdown, cleaned of what is forgotten: its turns, the links to them, its properties, and names in titles and in the names of files.

Knows: the layout that pmg/exporters/markdown.py writes. What a link says is made from the link alone, like the name of the file it leads to: after
a kill both come out the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from itertools import takewhile
from pathlib import Path

from pmg.forget.shingles import Shingles
from pmg.store.forget import ForgetOrder
from pmg.store.title_names import TitleNames, title_names

_KEYS = {"session", "conversation", "turns"}  # among the properties of each of our files
_SPEAKER = re.compile(r"^\*\*(.*)\*\* \(", re.MULTILINE)
_LINK = re.compile(r"^(- \w+: \[\[)(.*)(#\^([A-Za-z0-9-]+)\]\])$")
_STEM = re.compile(r"(\d{4}-\d\d-\d\d) (.+) \(([^()]+)\)")  # day, title and session
_SIGNS = re.compile(r"([\\`*_\[\]>#!|])")


def is_ours(file: Path) -> bool:
    """By its properties: a person may keep notes of their own in the same folders, and give properties to ours."""
    with file.open(encoding="utf-8", errors="replace") as rows:
        if next(rows, "").strip() != "---":
            return False
        return {row.partition(":")[0] for row in takewhile(lambda row: row.strip() != "---", rows)} >= _KEYS


def cleaned(data: bytes, gone: ForgetOrder, pieces: Shingles) -> bytes | None:
    """None: nothing of the session is left."""
    names, anchors = title_names(gone), {re.sub(r"[^A-Za-z0-9-]", "-", name) for name in gone.not_in_exports}
    head, *turns = re.split(r"(?m)^(?=## )", data.decode("utf-8", "replace"))
    quoting = pieces.held_by(turns)
    left = [turn for turn, quotes in zip(turns, quoting, strict=True) if not quotes and not _is_one(turn, anchors)]
    if turns and not left:
        return None
    kept = ["\n".join(_links_left(turn, anchors, names)) for turn in left]
    if len(left) < len(turns):
        people = {re.sub(r"\\(.)", r"\1", name) for turn in kept for name in _SPEAKER.findall(turn)}
        head = _properties_left(head, people, len(kept))
    return (_with_title_left(head, names) + "".join(kept)).encode("utf-8", "replace")


def unnamed(file: Path, names: TitleNames) -> Path:
    """Where a file stands when a name is taken out of its own."""
    return file.with_name(f"{_stem_left(file.stem, names)}{file.suffix}")


def _stem_left(stem: str, names: TitleNames) -> str:
    found = _STEM.fullmatch(stem)
    if found is None:
        return stem
    day, title, session = found.groups()
    left = names.without(session, title)
    return f"{day} {left} ({session})" if left else f"{day} ({session})"


def _is_one(turn: str, anchors: Collection[str]) -> bool:
    return any(row.startswith("^") and row[1:] in anchors for row in turn.split("\n"))


def _links_left(turn: str, anchors: Collection[str], names: TitleNames) -> Iterator[str]:
    for row in turn.split("\n"):
        link = _LINK.match(row)
        if link is None:
            yield row
        elif link[4] not in anchors:
            folder, _, stem = link[2].rpartition("/")
            yield f"{link[1]}{folder}{'/' if folder else ''}{_stem_left(stem, names)}{link[3]}"


def _properties_left(head: str, people: Collection[str], turns: int) -> str:
    """The properties, without people who say nothing any more."""
    rows = []
    for row in head.split("\n"):
        if row.startswith("people: ["):
            row = "people: " + json.dumps([name for name in json.loads(row[8:]) if name in people])
        rows.append(f"turns: {turns}" if row.startswith("turns: ") else row)
    return "\n".join(rows)


def _with_title_left(head: str, names: TitleNames) -> str:
    """The property `title` and the heading."""
    rows = head.split("\n")
    session = next((json.loads(row[9:]) for row in rows if row.startswith('session: "')), "")
    if session not in names.sessions:
        return head
    for at, row in enumerate(rows):
        if row.startswith('title: "'):
            left = names.cut(json.loads(row[7:]))
            rows[at] = "title: " + json.dumps(left, ensure_ascii=not left.isprintable()).replace("<", "\\u003c")
        elif row.startswith("# "):
            title = re.sub(r"\\(.)", r"\1", row[2:].replace("&lt;", "<"))
            rows[at] = "# " + _SIGNS.sub(r"\\\1", names.cut(title) or session).replace("<", "&lt;")
    return "\n".join(rows)
