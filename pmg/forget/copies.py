"""Exports that PMG has written, cleaned of what is forgotten: turn by turn where the form allows it, else the file goes.

Knows: how a turn stands in each form (stored text is escaped or quoted there, so it cannot look like the form itself).
Does not know: the words: segments are known by their names, and what is left is judged by pieces. A file that still holds a
piece after it was cleaned is deleted: it can be exported again. A report holds no turns but names of people, topics and sources,
which are too short to be known for pieces, and an answer in SQL may hold anything: one that stays is told.
"""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet

from pmg.atomic_files import write_atomically
from pmg.errors import InputError
from pmg.forget.shingles import Shingles, as_bytes
from pmg.model import Role, content_hash
from pmg.people.entities import folded
from pmg.people.roles import UNTOLD, bare, role_of
from pmg.store.forget import ANSWER, PACKED, REPORT, ForgetOrder, KnownCopy
from pmg.store.people import EntityKind, Identity
from pmg.store.records import record
from pmg.store.told_names import tells_name

_Place = tuple[str, str]  # namespace and conversation
_Said = tuple[str, str]  # speaker and text
_Voice = tuple[str, str, str]  # a speaker: namespace, conversation, folded name
_PARQUET = b"PAR1"
_NAMING = {REPORT: ("a report", "pmg report"), ANSWER: ("an answer in SQL", "pmg sql --out")}
_WHEN = re.compile(r'(?=<div class="when" id=")|(?=</details>)')
_SEGMENT = re.compile(r'<div class="when" id="([^"]*)"')
_SUMMARY = re.compile(r"(<summary>)(.*?)( <small>)", re.DOTALL)
_SPEAKER = re.compile(r"^\*\*(.*)\*\* \(", re.MULTILINE)
_LINK = re.compile(r"^- \w+: \[\[.*#\^([A-Za-z0-9-]+)\]\]$")
csv.field_size_limit(2**31 - 1)


def clean_export(copy: KnownCopy, gone: ForgetOrder, pieces: Shingles) -> list[str]:
    """The files that were written anew or deleted, each with what was done. Missing files raise FileNotFoundError."""
    if not copy.path.exists():
        raise FileNotFoundError(f"{copy.path}: not there any more")
    if copy.form not in _FORMS:
        raise InputError(f"{copy.path}: {copy.form!r} is no form of export that PMG knows")
    files = sorted(copy.path.rglob("*.md")) if copy.path.is_dir() else [copy.path]
    done = [_clean_file(file, copy.form, gone, pieces) for file in files]
    return [f"{_shown(file, pieces)} ({what})" for file, what in zip(files, done, strict=True) if what]


def may_name(copy: KnownCopy) -> str:
    """What to tell of a file that was cleaned, is still there, and may all the same name what is gone; mostly nothing."""
    if copy.form not in _NAMING or not copy.path.exists():
        return ""
    what, command = _NAMING[copy.form]
    return (
        f"{copy.path}: {what}; it may name people, topics or sources of it. Delete it, or write it anew (`{command}`)"
    )


def _shown(file: Path, pieces: Shingles) -> str:
    """The path as a receipt may tell it: a name can quote what is forgotten."""
    return f"{file.parent}/…" if pieces.held_by([file.name])[0] else str(file)


def _clean_file(file: Path, form: str, gone: ForgetOrder, pieces: Shingles) -> str:
    before = file.read_bytes()
    after = _FORMS[form](before, gone, pieces)
    if after is not None and after != before:
        write_atomically(file, after)
    if after is None or holds_any(file, form, pieces):
        file.unlink()
        return "deleted"
    return "" if after == before else "written anew"


def holds_any(file: Path, form: str, pieces: Shingles) -> bool:
    """Whether a piece stands in a file of an export, or in its name; a packed one is taken to hold everything."""
    if form == PACKED:
        return True
    data = file.read_bytes()
    return bool(pieces.held_by([file.name, *texts_of(form, data)]).any() or pieces.count(as_bytes(data)))


def texts_of(form: str, data: bytes) -> Iterator[str]:
    """What a compressed form hides from a search by bytes."""
    if data.startswith(_PARQUET):
        for column in parquet.read_table(io.BytesIO(data)).columns:
            yield from (text if isinstance(text, str) else str(text) for text in column.to_pylist() if text)
    elif form == REPORT:
        yield html.unescape(data.decode("utf-8", "replace"))


def _jsonl(data: bytes, gone: ForgetOrder, pieces: Shingles) -> bytes | None:
    ids, kept = set(gone.not_in_exports), list[str]()
    head: dict[str, Any] | None = None
    held: list[str] = []
    decided: list[tuple[dict[str, Any], str]] = []
    said: dict[_Place, list[_Said]] = {}  # what stays, by where it was said
    voices = set[_Voice]()  # who speaks in it
    lost = 0

    def settle() -> None:
        if head is not None and (held or not lost):
            kept.append(json.dumps(head, ensure_ascii=False) + "\n")
            kept.extend(held)

    for row in data.decode("utf-8", "replace").split("\n"):
        told = json.loads(row) if row.strip() else {}
        if "segment" in told and head is not None:
            if told["segment"] in ids or (head.get("namespace") == gone.namespace and _hash(row) in gone.hashes):
                lost += 1
                ids.add(told["segment"])
                continue
            _hear(head, told["lines"], said, voices)
            if told.get("stands_for") in ids:
                told |= {"stands_for": "", "state": "active"}
            held.append(json.dumps(told, ensure_ascii=False) + "\n")
        elif "session" in told:
            settle()
            head, held, lost = _untitled(told, pieces), [], 0
        elif not {"identity", "given_name", "ruling"}.isdisjoint(told):
            decided.append((told, row + "\n"))
        elif told and not {told.get("from"), told.get("to")} & ids:
            settle()
            head, held, lost = None, [], 0
            kept.append(row + "\n")
    settle()
    words = "".join(kept)
    heard = _with_merged([told for told, _ in decided], voices)
    people = [
        row
        for told, row in decided
        if told.get("on") not in ids and _still_said(told, said) and _may_be_named(told, gone.namespace, heard)
    ]
    quoting = pieces.held_by(people)
    return (words + "".join(row for row, quotes in zip(people, quoting, strict=True) if not quotes)).encode(
        "utf-8", "replace"
    )


def _hear(
    head: dict[str, Any], lines: Iterable[dict[str, str]], said: dict[_Place, list[_Said]], voices: set[_Voice]
) -> None:
    """Notes what is said in a turn of a session, and by whom. Whose memory it is, is the same person in all conversations: theirs is ""."""
    namespace, conversation = head.get("namespace", ""), head.get("conversation", "")
    for line in lines:
        for place in ((namespace, conversation), (namespace, "")):
            said.setdefault(place, []).append((line["speaker"], line["text"]))
        mine = "" if line.get("role") == Role.USER.value else conversation
        voices |= {(namespace, conversation, folded(line["speaker"])), (namespace, mine, folded(line["speaker"]))}


def _still_said(told: dict[str, Any], said: dict[_Place, list[_Said]]) -> bool:
    """Whether those whom a decision is about are still named in what is left of their conversation."""
    return all(_stands(told[key], said) for key in ("a", "b", "of") if key in told)


def _stands(key: dict[str, str], said: dict[_Place, list[_Said]]) -> bool:
    """Whether a line tells the name. "Eva (sister)" and "Ben's sister" stand in nobody's words, and that nobody can tell which Eva is meant is no word either."""
    name = bare(key["name"]) if role_of(key["name"]) == UNTOLD else key["name"]
    letters = bare(name).split("'s ")[0].casefold()  # a quick look first: whose memory it is, is spoken of in all of it
    there = said.get((key["namespace"], key["conversation"]), ())
    return any(tells_name(name, *line) for line in there if any(letters in part.casefold() for part in line))


def _voice(key: dict[str, str]) -> _Voice:
    return key["namespace"], key["conversation"], folded(key["name"])


def _with_merged(decided: Iterable[dict[str, Any]], voices: set[_Voice]) -> set[_Voice]:
    """Those who speak, with whoever was decided to be one person with them."""
    others: dict[_Voice, set[_Voice]] = {}
    for told in decided:
        if told.get("identity") == Identity.MERGE:
            a, b = _voice(told["a"]), _voice(told["b"])
            others.setdefault(a, set()).add(b)
            others.setdefault(b, set()).add(a)
    found, new = set[_Voice](), set(voices)
    while new:
        found |= new
        new = {other for one in new for other in others.get(one, ())} - found
    return found


def _may_be_named(told: dict[str, Any], namespace: str, heard: set[_Voice]) -> bool:
    """A name given by hand stands in nobody's words, and an export does not tell whether what it was given for is gone: it stays only with
    whoever still speaks here by just that name. The memory has the others, and the next export with it."""
    if "given_name" not in told or told["of"]["namespace"] != namespace:
        return True
    return told["of"]["kind"] == EntityKind.PERSON and _voice(told["of"]) in heard


def _hash(row: str) -> str:
    try:
        found = record(row)
    except InputError:
        return ""
    lines = getattr(getattr(found, "segment", None), "lines", ())
    return content_hash(lines)


def _untitled(told: dict[str, Any], pieces: Shingles) -> dict[str, Any]:
    title, meta = pieces.held_by([str(told.get("title", "")), json.dumps(told.get("meta", {}))])
    return told | ({"title": ""} if title else {}) | ({"meta": {}} if meta else {})


def _csv(data: bytes, gone: ForgetOrder, pieces: Shingles) -> bytes | None:
    rows = list(csv.reader(io.StringIO(data.decode("utf-8", "replace"), newline="")))
    if not rows or "segment" not in rows[0]:
        return None
    columns, ids = rows[0], gone.not_in_exports
    at, behind, state, title = (columns.index(name) for name in ("segment", "stands_for", "state", "title"))
    kept = [columns]
    for row in rows[1:]:
        if row[at] not in ids:
            if row[behind] in ids:
                row[behind], row[state] = "", "active"
            kept.append(row)
    titled = pieces.held_by([row[title] for row in kept])
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    for row, quotes in zip(kept, titled, strict=True):
        writer.writerow([*row[:title], "" if quotes else row[title], *row[title + 1 :]])
    return out.getvalue().encode("utf-8", "replace")


def _parquet(data: bytes, gone: ForgetOrder, pieces: Shingles) -> bytes | None:
    table = parquet.read_table(io.BytesIO(data))
    if "segment" not in table.column_names:
        return None
    ids = gone.not_in_exports
    rows = table.to_pylist()
    kept = [row for row in rows if row["segment"] not in ids]
    titled = pieces.held_by([row["title"] or "" for row in kept])
    if len(kept) == len(rows) and not titled.any():
        return data
    for row, quotes in zip(kept, titled, strict=True):
        row["title"] = "" if quotes else row["title"]
        if row["stands_for"] in ids:
            row["stands_for"], row["state"] = "", "active"
    out = io.BytesIO()
    parquet.write_table(type(table).from_pylist(kept, schema=table.schema), out)
    return out.getvalue()


def _html(data: bytes, gone: ForgetOrder, pieces: Shingles) -> bytes | None:
    ids = {html.escape(name, quote=True) for name in gone.not_in_exports}
    blocks = data.decode("utf-8", "replace").split("<details>")
    kept = [blocks[0]]
    for block in blocks[1:]:
        parts = _WHEN.split(block)
        left = [part for part in parts if not ((found := _SEGMENT.match(part)) and found[1] in ids)]
        if len(left) == len(parts) or any(_SEGMENT.match(part) for part in left):
            kept.append("<details>" + "".join(_without_title(part, pieces) for part in left))
        else:
            kept.append("".join(part.removeprefix("</details>") for part in left if part.startswith("</details>")))
    return "".join(kept).encode("utf-8", "replace")


def _without_title(part: str, pieces: Shingles) -> str:
    found = _SUMMARY.search(part)
    if found is None or not pieces.held_by([html.unescape(found[2])])[0]:
        return part
    return part[: found.start(2)] + part[found.end(2) :]


def _markdown(data: bytes, gone: ForgetOrder, pieces: Shingles) -> bytes | None:
    """None: nothing of the session is left."""
    anchors = {re.sub(r"[^A-Za-z0-9-]", "-", name) for name in gone.not_in_exports}
    head, *turns = re.split(r"(?m)^(?=## )", data.decode("utf-8", "replace"))
    kept = ["\n".join(_unlinked(turn, anchors)) for turn in turns if not _names(turn, anchors)]
    if turns and not kept:
        return None
    if len(kept) == len(turns):
        return (head + "".join(kept)).encode("utf-8", "replace")
    people = {re.sub(r"\\(.)", r"\1", name) for turn in kept for name in _SPEAKER.findall(turn)}
    return (_front_matter(head, people, len(kept)) + "".join(kept)).encode("utf-8", "replace")


def _names(turn: str, anchors: Collection[str]) -> bool:
    return any(row.startswith("^") and row[1:] in anchors for row in turn.split("\n"))


def _unlinked(turn: str, anchors: Collection[str]) -> Iterable[str]:
    return (row for row in turn.split("\n") if not ((found := _LINK.match(row)) and found[1] in anchors))


def _front_matter(head: str, people: Collection[str], turns: int) -> str:
    """The properties, without people who say nothing any more."""
    rows = []
    for row in head.split("\n"):
        if row.startswith("people: ["):
            row = "people: " + json.dumps([name for name in json.loads(row[8:]) if name in people])
        rows.append(f"turns: {turns}" if row.startswith("turns: ") else row)
    return "\n".join(rows)


def _as_it_is(data: bytes, gone: ForgetOrder, pieces: Shingles) -> bytes | None:
    return data


def _not_at_all(data: bytes, gone: ForgetOrder, pieces: Shingles) -> bytes | None:
    """A packed export hides its words from every search: the whole file goes."""
    return None


_FORMS: dict[str, Callable[[bytes, ForgetOrder, Shingles], bytes | None]] = {
    "jsonl": _jsonl,
    "csv": _csv,
    "parquet": _parquet,
    "html": _html,
    "markdown": _markdown,
    PACKED: _not_at_all,
    REPORT: _as_it_is,
    ANSWER: _as_it_is,
}
