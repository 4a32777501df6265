"""Which memories come from work in another folder than the one a prompt is sent from, and how the block says so.

Knows: the folder that a tool told of each session. What recall found stays as it is; the headings of what comes from elsewhere get a
mark, and the block gets a fence made from all of it again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import PurePath, PureWindowsPath

from pmg.engine import Engine
from pmg.recall.assemble import WARNING, label
from pmg.recall.fence import ORDER, TOKEN, fence_of, trust_of

ELSEWHERE = 'What is marked "in …" is from work in another folder, and may not hold here.'
MAX_NAME = 40  # characters of a folder's name
_OPENING = len(f"<memory {TOKEN}>")


def path_of(folder: str) -> PurePath:
    """Of either system: a memory may have been told on another."""
    return PureWindowsPath(folder) if "\\" in folder else PurePath(folder)


def folders_told(told: str) -> tuple[str, ...]:
    """What a session was told of its folder; Gemini CLI tells of several at once, and a name may have a comma in it."""
    return tuple(dict.fromkeys((told, *told.split(", ")))) if told else ()


def marked(engine: Engine, block: str, sessions: Mapping[int, str], here: Collection[str]) -> str:
    """The block, with the folder in the headings of what was said elsewhere. `sessions` has the session of each heading; one of which no
    folder is known is from nowhere."""
    names = _names_elsewhere(engine, sessions, {path_of(folder) for one in here for folder in folders_told(one)})
    if not names:
        return block
    fence = block[_OPENING - len(TOKEN) - 1 : _OPENING - 1]
    opening, sentence, *rows = block.split("\n")
    text = "\n".join([opening, sentence, ELSEWHERE, *(_row(row, fence, names) for row in rows)])
    return text.replace(fence, fence_of(text, engine.reads.store_id))  # no text inside has the old one: it was made so


def _row(row: str, fence: str, names: Mapping[int, str]) -> str:
    if not row.startswith(f"[{fence}:"):
        return row
    number = int(row[len(fence) + 2 : row.index("]")])
    if number not in names:
        return row
    name = names[number]
    warning = WARNING if row.endswith(WARNING) or trust_of(name) == ORDER else ""
    return f"{row.removesuffix(WARNING)} · in {name}{warning}"


def _names_elsewhere(engine: Engine, sessions: Mapping[int, str], here: Collection[PurePath]) -> dict[int, str]:
    """By the number of its heading."""
    if not here:
        return {}
    names = {session: _name_elsewhere(engine, session, here) for session in set(sessions.values())}
    return {heading: names[session] for heading, session in sessions.items() if names[session]}


def _name_elsewhere(engine: Engine, session: str, here: Collection[PurePath]) -> str:
    """The last name of the folder; with the one above it where a folder of this name is meant by "here". Empty: it was said here, in a folder
    of it, or in one that it is a folder of: a project is worked on from each."""
    held = engine.reads.session(session)
    folders = [path_of(one) for one in folders_told(held.meta.get("cwd", "") if held is not None else "")]
    if not folders or any(one == place or one in place.parents or place in one.parents for one in folders for place in here):  # fmt: skip
        return ""
    folder = folders[min(1, len(folders) - 1)]  # the first of several
    name = "/".join(folder.parts[-2:]) if folder.name in {one.name for one in here} else folder.name
    return label(name or str(folder), MAX_NAME)
