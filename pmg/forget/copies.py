"""Exports that PMG has written, cleaned of what is forgotten: turn by turn where the form allows it, else the file goes.

Knows: how a turn stands in each form (stored text is escaped or quoted there, so it cannot look like the form itself); a vault of
Markdown is known by vault.py. Does not know: the words: segments are known by their names, and what is left is judged by pieces. A turn
that still holds a piece (an older wording) is cut out too; only a file that holds one beside its turns is deleted. A report holds no turns but names of people, topics and sources,
which are too short to be known for pieces, and an answer in SQL may hold anything: one that stays is told.
"""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet

from pmg.base.errors import InputError
from pmg.base.filesystem import sync_folder
from pmg.base.half_written import remove_half_written, written
from pmg.base.model import Role, content_hash
from pmg.base.patterns import linear, plain
from pmg.forget import vault
from pmg.forget.receipt import DELETED, WRITTEN_ANEW
from pmg.forget.shingles import Shingles, as_bytes
from pmg.people.entities import folded
from pmg.people.roles import UNTOLD, bare, role_of
from pmg.store.forget import ANSWER, PACKED, REPORT, VAULT, ForgetOrder, KnownCopy
from pmg.store.people import EntityKind, Identity
from pmg.store.records import record
from pmg.store.title_names import TitleNames, title_names
from pmg.store.told_names import tells_name

_Place = tuple[str, str]  # namespace and conversation
_Said = tuple[str, str]  # speaker and text
_Voice = tuple[str, str, str]  # a speaker: namespace, conversation, folded name
_PARQUET = b"PAR1"
BATCH = 512  # texts looked at together
_NAMING = {REPORT: ("a report", "pmg report"), ANSWER: ("an answer in SQL", "pmg sql --out")}
_WHEN = plain(r'(?=<div class="when" id=")|(?=</details>)')
_SEGMENT = plain(r'<div class="when" id="([^"]*)"')
_SUMMARY = linear(r"(?s)(<summary>)(.*?)( <small>)")
csv.field_size_limit(2**31 - 1)


@dataclass(frozen=True, slots=True)
class ExportChange:
    """What becomes of one file of an export."""

    file: Path
    after: bytes | None  # None: it is deleted
    place: Path  # where it stands afterwards: the name of a file can hold a person's

    @property
    def is_deleted(self) -> bool:
        return self.after is None


@dataclass(frozen=True, slots=True)
class HalfWrittenExports:
    done: list[str]  # files that were deleted, as a receipt tells them
    unreachable: list[str]
    begun: frozenset[Path]  # exports that may be written just now


def export_changes(copy: KnownCopy, gone: ForgetOrder, pieces: Shingles) -> Iterator[ExportChange]:
    """The files that have to be written anew or deleted. Missing files raise FileNotFoundError. Nothing is changed."""
    if copy.form not in _FORMS:
        raise InputError(f"{copy.path}: {copy.form!r} is no form of export that PMG knows")
    names = title_names(gone)
    for file in files_of(copy):
        before = file.read_bytes()
        place = vault.unnamed(file, names) if copy.form == VAULT else file
        after = _FORMS[copy.form](before, gone, pieces)
        if after is None or _holds_any(place.name, after, copy.form, pieces):
            yield ExportChange(file, None, file)
        elif after != before or place != file:
            yield ExportChange(file, after, place)


def files_of(copy: KnownCopy) -> list[Path]:
    """What the export wrote. What a person put where it was, or keeps beside it in the folder of a vault, is theirs. FileNotFoundError where it is
    not there."""
    if not copy.path.exists():
        raise FileNotFoundError(f"{copy.path}: not there any more")
    if copy.form != VAULT:
        if copy.path.is_dir():
            raise FileNotFoundError(f"{copy.path}: not there any more, a folder has its place")
        return [copy.path]
    if not copy.path.is_dir():
        raise FileNotFoundError(f"{copy.path}: not there any more, a file has its place")
    return [file for file in sorted(copy.path.rglob("*.md")) if file.is_file() and vault.is_ours(file)]


def clean_export(copy: KnownCopy, gone: ForgetOrder, pieces: Shingles) -> list[str]:
    """The files that were written anew or deleted, each with what was done."""
    names, done = title_names(gone), []
    for change in list(export_changes(copy, gone, pieces)):
        if change.after is not None:
            with written(
                change.place, durable=True
            ) as stream:  # a kill leaves it where the next forgetting takes it away
                stream.write(change.after)
            sync_folder(change.place.parent)
        if change.is_deleted or change.place != change.file:
            change.file.unlink()
        outcome = DELETED if change.is_deleted else WRITTEN_ANEW
        done.append(f"{_shown(change.place, pieces, names)} ({outcome})")
    return done


def clean_half_written(copies: Sequence[KnownCopy]) -> HalfWrittenExports:
    """Takes away what killed exports left in the folders of these. It may hold anything, and nobody misses it."""
    found = remove_half_written(dict.fromkeys(folder for copy in copies for folder in copy.folders))
    left = {file.parent for file in found.left}
    return HalfWrittenExports(
        [f"{file} ({DELETED})" for file in found.removed],
        [
            f"{file}: half-written, and it is being written now or its disk does not tell. Delete it if nobody exports"
            for file in found.left
        ],
        frozenset(copy.path for copy in copies if not left.isdisjoint(copy.folders)),
    )


def may_name(copy: KnownCopy) -> str:
    """What to tell of a file that was cleaned, is still there, and may all the same name what is gone; mostly nothing."""
    if copy.form not in _NAMING or not copy.path.exists():
        return ""
    what, command = _NAMING[copy.form]
    return (
        f"{copy.path}: {what}; it may name people, topics or sources of it. Delete it, or write it anew (`{command}`)"
    )


def _shown(file: Path, pieces: Shingles, names: TitleNames) -> str:
    """The path as a receipt may tell it: a name can quote what is forgotten."""
    quotes = pieces.held_by([file.name])[0] or names.cut(file.stem) != file.stem
    return f"{file.parent}/…" if quotes else str(file)


def holds_any(file: Path, form: str, pieces: Shingles) -> bool:
    """Whether a piece stands in a file of an export, or in its name; a packed one is taken to hold everything."""
    return form == PACKED or _holds_any(file.name, file.read_bytes(), form, pieces)


def _holds_any(name: str, data: bytes, form: str, pieces: Shingles) -> bool:
    return bool(pieces.held_by([name, *texts_of(form, data)]).any() or pieces.count(as_bytes(data)))


def texts_of(form: str, data: bytes) -> Iterator[str]:
    """What a compressed form hides from a search by bytes."""
    if data.startswith(_PARQUET):
        for column in parquet.read_table(io.BytesIO(data)).columns:
            yield from (text if isinstance(text, str) else str(text) for text in column.to_pylist() if text)
    elif form == REPORT:
        yield html.unescape(data.decode("utf-8", "replace"))


def _jsonl(data: bytes, gone: ForgetOrder, pieces: Shingles) -> bytes | None:
    ids, kept, names = set(gone.not_in_exports), list[str](), title_names(gone)
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

    rows = data.decode("utf-8", "replace").split("\n")
    for row, quotes in zip(rows, _quoting(rows, pieces), strict=True):
        parsed = json.loads(row) if row.strip() else {}
        if "segment" in parsed and head is not None:
            copied = head.get("namespace") == gone.namespace and _hash(row) in gone.hashes
            if quotes or copied or parsed["segment"] in ids:
                lost += 1
                ids.add(parsed["segment"])
                continue
            _hear(head, parsed["lines"], said, voices)
            if parsed.get("stands_for") in ids:
                parsed |= {"stands_for": "", "state": "active"}
            held.append(json.dumps(parsed, ensure_ascii=False) + "\n")
        elif "session" in parsed:
            settle()
            head, held, lost = _untitled(parsed, pieces, names), [], 0
        elif not {"identity", "given_name", "ruling"}.isdisjoint(parsed):
            decided.append((parsed, row + "\n"))
        elif parsed and not quotes and not {parsed.get("from"), parsed.get("to")} & ids:
            settle()
            head, held, lost = None, [], 0
            kept.append(row + "\n")
    settle()
    words = "".join(kept)
    heard = _with_merged([parsed for parsed, _ in decided], voices)
    people = [
        row
        for parsed, row in decided
        if parsed.get("on") not in ids and _still_said(parsed, said) and _may_be_named(parsed, gone.namespace, heard)
    ]
    told_people = "".join(row for row, quotes in zip(people, _quoting(people, pieces), strict=True) if not quotes)
    return (words + told_people).encode("utf-8", "replace")


def _quoting(texts: Sequence[str], pieces: Shingles) -> Iterator[bool]:
    """Of each text, in order, whether it holds a piece; some at a time, for an export may be large."""
    for start in range(0, len(texts), BATCH):
        yield from pieces.held_by(texts[start : start + BATCH]).tolist()


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


def _still_said(row: dict[str, Any], said: dict[_Place, list[_Said]]) -> bool:
    """Whether those whom a decision is about are still named in what is left of their conversation."""
    return all(_stands(row[key], said) for key in ("a", "b", "of") if key in row)


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


def _may_be_named(row: dict[str, Any], namespace: str, heard: set[_Voice]) -> bool:
    """A name given by hand stands in nobody's words, and an export does not tell whether what it was given for is gone: it stays only with
    whoever still speaks here by just that name. The memory has the others, and the next export with it."""
    if "given_name" not in row or row["of"]["namespace"] != namespace:
        return True
    return row["of"]["kind"] == EntityKind.PERSON and _voice(row["of"]) in heard


def _hash(row: str) -> str:
    try:
        found = record(row)
    except InputError:
        return ""
    lines = getattr(getattr(found, "segment", None), "lines", ())
    return content_hash(lines)


def _untitled(row: dict[str, Any], pieces: Shingles, names: TitleNames) -> dict[str, Any]:
    called = names.without(str(row["session"]), str(row.get("title", "")))
    title, meta = pieces.held_by([called, json.dumps(row.get("meta", {}))])
    return row | {"title": "" if title else called} | ({"meta": {}} if meta else {})


def _csv(data: bytes, gone: ForgetOrder, pieces: Shingles) -> bytes | None:
    rows = list(csv.reader(io.StringIO(data.decode("utf-8", "replace"), newline="")))
    if not rows or "segment" not in rows[0]:
        return None
    columns = rows[0]
    kept = _rows_left([dict(zip(columns, row, strict=True)) for row in rows[1:]], gone, pieces)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerows([columns, *(list(row.values()) for row in kept)])
    return out.getvalue().encode("utf-8", "replace")


def _parquet(data: bytes, gone: ForgetOrder, pieces: Shingles) -> bytes | None:
    table = parquet.read_table(io.BytesIO(data))
    if "segment" not in table.column_names:
        return None
    rows = table.to_pylist()
    kept = _rows_left([dict(row) for row in rows], gone, pieces)
    if kept == rows:
        return data
    out = io.BytesIO()
    parquet.write_table(type(table).from_pylist(kept, schema=table.schema), out)
    return out.getvalue()


def _rows_left(rows: Sequence[dict[str, Any]], gone: ForgetOrder, pieces: Shingles) -> list[dict[str, Any]]:
    """The rows of a table, one for each line that was said, as they may stay."""
    names, ids = title_names(gone), set(gone.not_in_exports)
    titles = {title for row in rows if (title := row["title"])}
    empty = {title for title, quotes in zip(titles, _quoting(list(titles), pieces), strict=True) if quotes}
    texts = ["\0".join(str(value) for name, value in row.items() if name != "title") for row in rows]
    ids |= {row["segment"] for row, quotes in zip(rows, _quoting(texts, pieces), strict=True) if quotes}
    kept = [row for row in rows if row["segment"] not in ids]
    for row in kept:
        if row["title"]:
            row["title"] = "" if row["title"] in empty else names.without(row["session"], row["title"])
        if row["stands_for"] in ids:
            row["stands_for"], row["state"] = "", "active"
    return kept


def _html(data: bytes, gone: ForgetOrder, pieces: Shingles) -> bytes | None:
    ids = {html.escape(name, quote=True) for name in gone.not_in_exports}
    names = title_names(gone)
    blocks = data.decode("utf-8", "replace").split("<details>")
    kept = [blocks[0]]
    for block in blocks[1:]:
        parts = _WHEN.split(block)
        quoting = _quoting([html.unescape(part) for part in parts], pieces)
        left = [
            part
            for part, quotes in zip(parts, quoting, strict=True)
            if not ((found := _SEGMENT.match(part)) and (quotes or found[1] in ids))
        ]
        if len(left) == len(parts) or any(_SEGMENT.match(part) for part in left):
            kept.append(
                "<details>" + "".join(_with_title_left(part, _session_of(left), pieces, names) for part in left)
            )
        else:
            kept.append("".join(part.removeprefix("</details>") for part in left if part.startswith("</details>")))
    return "".join(kept).encode("utf-8", "replace")


def _session_of(parts: Iterable[str]) -> str:
    """The session of a block, which stands in the names of its turns."""
    found = next((match for part in parts if (match := _SEGMENT.match(part))), None)
    return html.unescape(found[1]).removeprefix("seg_").rpartition("_")[0] if found else ""


def _with_title_left(part: str, session: str, pieces: Shingles, names: TitleNames) -> str:
    found = _SUMMARY.search(part)
    if found is None:
        return part
    title = html.unescape(found[2])
    left = "" if pieces.held_by([title])[0] else names.without(session, title) or session
    return part if left == title else part[: found.start(2)] + html.escape(left, quote=True) + part[found.end(2) :]


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
    VAULT: vault.cleaned,
    PACKED: _not_at_all,
    REPORT: _as_it_is,
    ANSWER: _as_it_is,
}
