"""Transcripts as people keep them: Markdown with a heading or a bold name a turn, `Name: words`, `[time] Name: words`.

Handles the four ways a turn is marked, code fences (marks inside them are words), front matter, a title above.
Every line is kept: what stands before the first mark becomes a document.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from pmg.base.model import Role
from pmg.importers.conversation import SYSTEM, TOOL, USER, Level, Result, SourceMessage, Where
from pmg.importers.message_parts import MessagePart, assembled, first_time, numbered, title_from
from pmg.importers.people import role_of
from pmg.importers.reading.fields import notes
from pmg.importers.reading.frontmatter import split
from pmg.importers.reading.lines import whole_text
from pmg.importers.reading.times import parse_time, time_of

SOURCE = "transcript"
TIME = (
    r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}[,T ]+\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:\s?[AaPp][Mm])?(?:Z|[+-]\d{2}:?\d{2})?"
)
ASIDE = rf"(?:\s*[(\[—–-]\s*(?P<at>{TIME})\s*[)\]]?)?"
NAME = r"(?P<name>[^\s:*#\[\]()<>|`][^:*#\[\]()<>|`\n]{0,39}?)"
HEADING = re.compile(rf"^#{{1,6}}\s+\W{{0,3}}{NAME}{ASIDE}\s*:?\s*$(?P<rest>)")
BOLD = re.compile(
    rf"^(?:\*\*|__){NAME}{ASIDE}\s*(?P<in>:)?\s*(?:\*\*|__){ASIDE.replace('at>', 'at2>')}\s*(?P<out>:)?\s*(?P<rest>.*)$"
)
DATED = re.compile(rf"^\[?(?P<at>{TIME})\]?\s*(?:[-–—]\s*)?{NAME}:\s(?P<rest>.*)$")
PLAIN = re.compile(rf"^{NAME}\s*:(?:\s+|$)(?P<rest>.*)$")
TITLE = re.compile(r"^#\s+(.+?)\s*$", re.MULTILINE)
COMMENTS = re.compile(r"\A(?:\ufeff|\s|<!--.*?-->)+", re.DOTALL)
DATES = ("date", "created", "created_at", "createdat", "created time", "started_at", "started", "timestamp", "epoch")
DATE_LINE = re.compile(
    r"[*_\[>#\s-]*(?:created(?: at)?|date|timestamp|started(?: at)?|epoch|exported(?: at)?)[*_]*\s*:[*_]*\s*(.+)",
    re.IGNORECASE,
)
PLATFORM = re.compile(r"[A-Za-z][\w .-]{0,30}")  # a front matter's `source` may be an address or a book
# Names of fields that stand above a chat ("**Created:** …"); nobody is called that.
FIELDS = frozenset(
    "created updated modified exported date time link url source title tags model status author id session version "
    "platform topic summary note notes language duration messages participants conversation chat".split()
)


@dataclass(slots=True)
class SpeakerMark:
    """A line that begins a turn."""

    name: str
    at: str
    rest: str


def claims_text(head: str) -> bool:
    """At least two marks, and either both sides of a chat or two people who take turns."""
    marks = [mark for mark in _marks(_body(head)[1].splitlines()) if mark]
    roles = {role_of(mark.name) for mark in marks}
    names = Counter(mark.name for mark in marks)
    if len(marks) < 2:
        return False
    if Role.USER in roles or (Role.ASSISTANT in roles and len(names) > 1):
        return True
    # Notes have marks too ("**Status:** open"): people take turns, so of many names at least two come back.
    back = sum(count > 1 for count in names.values())
    return len(marks) >= 3 and (back > 1 or (len(names) == 2 and back == 1))


def _body(page: str) -> tuple[dict[str, str], str]:
    """Front matter and body; comments above them are no words of anybody."""
    return split(COMMENTS.sub("", page))


def _dated(body: str) -> datetime | None:
    """`**Created:** 5/1/2024` or `[Timestamp: …]` above the first words."""
    for line in body.splitlines()[:15]:
        found = DATE_LINE.match(line.strip())
        if found and (at := parse_time(found[1].strip(" *_`]"))):
            return at
    return None


def _spoken(lines: list[str]) -> list[SpeakerMark | None]:
    """For every line its mark. In a chat with an assistant, a name that nobody knows and that never comes back is a heading
    of the text; between people everybody counts."""
    marks = list(_marks(lines))
    names = Counter(mark.name for mark in marks if mark)
    chat = any(role_of(name) in (Role.USER, Role.ASSISTANT) for name in names)
    return [None if mark and chat and role_of(mark.name) is None and names[mark.name] < 2 else mark for mark in marks]


def _marks(lines: list[str]) -> Iterator[SpeakerMark | None]:
    """For every line its mark, or None. Unknown names count only in bold or with a time: prose is full of colons."""
    fence = ""
    for line in lines:
        stripped = line.lstrip()
        if stripped.startswith(("```", "~~~")):
            fence = "" if fence and stripped.startswith(fence) else fence or stripped[:3]
            yield None
        else:
            yield None if fence else _mark(line)


def _mark(line: str) -> SpeakerMark | None:
    for pattern, style in ((HEADING, "heading"), (BOLD, "bold"), (DATED, "dated"), (PLAIN, "plain")):
        found = pattern.match(line) if len(line) < 100_000 else None
        if found is None:
            continue
        known = role_of(found["name"]) is not None
        if not known and found["name"].strip().lower() in FIELDS:
            continue
        marked = style == "dated" or (
            style == "bold" and bool(found["in"] or found["out"] or found["at"] or found["at2"])
        )
        if known and style == "bold" and not marked and found["rest"]:
            continue  # **You** can begin a sentence
        if known or marked:
            at = next((value for key, value in found.groupdict().items() if key.startswith("at") and value), "")
            return SpeakerMark(found["name"].strip(), at, found["rest"])
    return None


def parse_text(chunks: Iterable[bytes], where: Where) -> Iterator[Result]:
    page, remark = whole_text(chunks)
    if remark:
        yield where.problem(remark, level=Level.NOTE)
    head, body = _body(page)
    turns = list(_turns(body.splitlines()))
    messages: list[SourceMessage] = []
    day = time_of(head, *DATES) or _dated(body)
    title = head.get("title", "")
    for index, (mark, said) in enumerate(turns):
        if mark is None:
            found = TITLE.search(said)
            title = title or (found[1] if found else "")
            only_title = found is not None and said.strip() == found[0].strip()
            parts = [] if only_title else [MessagePart(Role.DOCUMENT, title or "Transcript", said, "preamble")]
        else:
            parts = [_part(mark, said)]
        at = parse_time(mark.at) if mark and mark.at else day
        messages.extend(numbered(f"turn-{index}", parts, at=at))
    if not messages:
        yield where.problem("a transcript without words", raw=page)
        return
    own = head.get("id") or head.get("session") or ""
    given = head.get("source", "")
    source = given if PLATFORM.fullmatch(given) and role_of(given) is Role.ASSISTANT else SOURCE
    meta = notes(**{key: value for key, value in head.items() if key in ("tags", "model", "url", "source")})
    counts = {"messages": len(turns)}
    started = day or first_time(messages)
    yield assembled(
        source,
        own,
        title or title_from(messages),
        started,
        messages,
        meta=meta,
        counts=counts,
    )


def _turns(lines: list[str]) -> Iterator[tuple[SpeakerMark | None, str]]:
    mark: SpeakerMark | None = None
    said: list[str] = []
    for line, found in zip(lines, _spoken(lines), strict=True):
        if found is None:
            said.append(line)
            continue
        if mark or "".join(said).strip():
            yield mark, "\n".join(said).strip("\n")
        mark, said = found, [found.rest] if found.rest else []
    yield mark, "\n".join(said).strip("\n")


def _part(mark: SpeakerMark, said: str) -> MessagePart:
    role = role_of(mark.name) or Role.PERSON
    own = {Role.USER: USER, Role.SYSTEM: SYSTEM, Role.TOOL: TOOL}
    return MessagePart(role, own.get(role, mark.name), said)
