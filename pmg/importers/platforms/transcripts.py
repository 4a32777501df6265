"""Transcripts as people keep them: Markdown with a heading or a bold name a turn, `Name: words`, `[time] Name: words`.

Handles the four ways a turn is marked, code fences (marks inside them are words), front matter, a title above, times beside or below
a name, several conversations in one file. Every line is kept: what stands before the first mark becomes a document.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise

from pmg.base.model import Role
from pmg.base.patterns import DOTALL, IGNORECASE, linear, plain
from pmg.importers.conversation import SYSTEM, TOOL, USER, Level, Result, SourceMessage, Where, role_of
from pmg.importers.message_parts import MessagePart, assembled, first_time, numbered, title_from
from pmg.importers.reading.fields import notes
from pmg.importers.reading.lines import whole_text
from pmg.importers.reading.local_times import parse_local
from pmg.importers.reading.markdown import split_front_matter
from pmg.importers.reading.times import parse_time, time_of

SOURCE = "transcript"
TIME = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}[,T ]+\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:[\s\pZ]?[AaPp][Mm])?(?:Z|[+-]\d{2}:?\d{2})?"
ASIDE = rf"(?:\s*[(\[—–-]\s*(?P<at>{TIME})\s*[)\]]?)?"
NAME = r"(?P<name>[^\s\pZ:*#\[\]()<>|`][^:*#\[\]()<>|`\n]{0,39}?)"
CLOCK = r"\d{1,2}:\d{2}(?::\d{2})?(?:[\s\pZ]?[AaPp][Mm])?"  # of the day that the file or a turn above names
CLOCK_ALONE = linear(CLOCK)
HEADING = linear(
    rf"^#{{1,6}}\s+[^\pL\pN_]{{0,3}}{NAME}(?:{ASIDE}|\s*[(\[](?P<at2>[^()\[\]\n]{{0,30}}{CLOCK}[^()\[\]\n]{{0,20}})[)\]])\s*:?\s*$(?P<rest>)"
)
BOLD = linear(
    rf"^(?:\*\*|__){NAME}{ASIDE}\s*(?P<in>:)?\s*(?:\*\*|__){ASIDE.replace('at>', 'at2>')}\s*(?P<out>:)?\s*(?P<rest>.*)$"
)
DATED = linear(rf"^\[?(?P<at>{TIME})\]?\s*(?:[-–—]\s*)?{NAME}:\s(?P<rest>.*)$")
PLAIN = linear(rf"^{NAME}\s*:(?:\s+|$)(?P<rest>.*)$")
# Each with its style, and what a line must begin with and hold, which is seen sooner.
MARKS = (
    (HEADING, "heading", ("#",), ""),
    (BOLD, "bold", ("**", "__"), ""),
    (DATED, "dated", ("[", *"0123456789"), ":"),
    (PLAIN, "plain", ("",), ":"),
)
TITLE = linear(r"(?m)^#\s+(.+?)\s*$")
ANY_HEADING = plain(r"(#{1,6})\s+\S")
RULES = ("---", "***", "___")
COMMENTS = plain(r"\A(?:\ufeff|\s|<!--.*?-->)+", DOTALL)
DATES = ("date", "created", "created_at", "createdat", "created time", "started_at", "started", "timestamp", "epoch")
DATE_LINE = plain(
    r"[*_\[>#\s-]*(?:created(?: at)?|date|timestamp|started(?: at)?|epoch|exported(?: at)?)[*_]*\s*:[*_]*\s*(.+)",
    IGNORECASE,
)
PLATFORM = plain(r"[A-Za-z][\w .-]{0,30}")  # a front matter's `source` may be an address or a book
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
    # Notes have marks too ("**Status:** open"): people take turns, so of many names at least two come back, under one heading.
    back = len({name for name in names if any(part.count(name) > 1 for part in _names_by_part(_body(head)[1]))})
    return len(marks) >= 3 and (back > 1 or (len(names) == 2 and back == 1))


def _names_by_part(body: str) -> Iterator[list[str]]:
    """The names of each part, as headings and rules cut the text: fields of a summary come once in each."""
    lines = body.splitlines()
    names: list[str] = []
    for line, mark in zip(lines, _marks(lines), strict=True):
        if mark:
            names.append(mark.name)
        elif ANY_HEADING.match(line) or line.strip() in RULES:
            yield names
            names = []
    yield names


def _body(page: str) -> tuple[dict[str, str], str]:
    """Front matter and body; comments above them are no words of anybody."""
    return split_front_matter(COMMENTS.sub("", page))


def _dated(body: str) -> datetime | None:
    """`**Created:** 5/1/2024` or `[Timestamp: …]` above the first words."""
    return next((at for line in body.splitlines()[:15] if (at := _date_of(line))), None)


def _date_of(line: str) -> datetime | None:
    found = DATE_LINE.match(line.strip())
    return parse_time(found[1].strip(" *_`]")) if found else None


def _spoken(lines: list[str]) -> list[SpeakerMark | None]:
    """For every line its mark. In a chat with an assistant, a name that nobody knows is a heading of the text where it never comes
    back, and without a time also where both sides are there already; between people everybody counts."""
    marks = list(_marks(lines))
    names = Counter(mark.name for mark in marks if mark)
    sides = {role_of(name) for name in names} & {Role.USER, Role.ASSISTANT}

    def is_spoken(mark: SpeakerMark) -> bool:
        known = not sides or role_of(mark.name) is not None
        return known or (names[mark.name] > 1 and (len(sides) < 2 or bool(mark.at)))

    return [mark if mark and is_spoken(mark) else None for mark in marks]


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
    for pattern, style, begins, holds in MARKS:
        found = pattern.match(line) if line.startswith(begins) and holds in line else None
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
    talks = _talks(body.splitlines())
    for talk in talks:
        yield _conversation(head if len(talks) == 1 else {}, talk, where)


def _talks(lines: list[str]) -> list[list[str]]:
    """The conversations of one file: each begins with a title, as the file does, directly above a mark and fields of it."""
    titled = next((line for line in lines if line.strip()), "").startswith("# ")
    marks = _spoken(lines)
    starts = [
        number
        for number, line in enumerate(lines)
        if titled and line.startswith("# ") and marks[number] is None and _opens(lines, marks, number)
    ]
    cuts = [0, *starts[1:], len(lines)]
    return [lines[begin:end] for begin, end in pairwise(cuts)]


def _opens(lines: list[str], marks: list[SpeakerMark | None], heading: int) -> bool:
    for number in range(heading + 1, len(lines)):
        plain = lines[number].strip(" \t>*_-[]")
        if marks[number]:
            return True
        if plain and plain.partition(":")[0].strip("*_ ").lower() not in FIELDS:
            return False
    return False


def _conversation(head: dict[str, str], lines: list[str], where: Where) -> Result:
    turns = _with_times_below(list(_turns(lines)))
    messages: list[SourceMessage] = []
    day = last = time_of(head, *DATES) or _dated("\n".join(lines))
    title = head.get("title", "")
    for index, (mark, said) in enumerate(turns):
        if mark is None:
            found = TITLE.search(said)
            title = title or (found[1] if found else "")
            only_title = found is not None and said.strip() == found[0].strip()
            parts = [] if only_title else [MessagePart(Role.DOCUMENT, title or "Transcript", said, "preamble")]
        else:
            parts = [_part(mark, said)]
        at = _when(mark.at, last) if mark and mark.at else day
        last = at or last
        messages.extend(numbered(f"turn-{index}", parts, at=at))
    if not messages:
        return where.problem("a transcript without words", raw="\n".join(lines))
    own = head.get("id") or head.get("session") or ""
    given = head.get("source", "")
    source = given if PLATFORM.fullmatch(given) and role_of(given) is Role.ASSISTANT else SOURCE
    meta = notes(**{key: value for key, value in head.items() if key in ("tags", "model", "url", "source")})
    started = day or first_time(messages)
    title = title or title_from(messages)
    return assembled(source, own, title, started, messages, meta=meta, counts={"messages": len(turns)})


def _when(written: str, day: datetime | None) -> datetime | None:
    """The time beside a name; a clock alone is of the day named last."""
    if not CLOCK_ALONE.fullmatch(written):
        return parse_time(written) or parse_local(written)
    at = parse_local(f"{day:%Y-%m-%d} {written}") if day else None
    return at.replace(tzinfo=day.tzinfo) if at and day else None


def _with_times_below(turns: list[tuple[SpeakerMark | None, str]]) -> list[tuple[SpeakerMark | None, str]]:
    """`Date: …` on a line of its own below the names is the time of each turn, where most have one."""
    below = [_date_of(said.lstrip().partition("\n")[0]) if mark and not mark.at else None for mark, said in turns]
    spoken = sum(mark is not None for mark, _ in turns)
    if sum(at is not None for at in below) * 2 <= spoken:
        return turns
    return [
        (replace(mark, at=at.isoformat()), said.lstrip().partition("\n")[2].strip("\n"))
        if mark and at
        else (mark, said)
        for (mark, said), at in zip(turns, below, strict=True)
    ]


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
