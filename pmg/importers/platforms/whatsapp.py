"""WhatsApp's exported chat: `[31.12.23, 21:15:03] Ana: words` or `12/31/23, 9:15 PM - Ana: words`, one line or several.

The file does not say whether the day or the month stands first: all its dates together do. Names of messages are made from what stands in
the file, so that what is understood of it may change (who spoke, what the app itself wrote) and no message comes in twice.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime

from pmg.base.model import Role
from pmg.importers.conversation import SYSTEM, Conversation, Level, Result, SourceMessage, Where, short_id
from pmg.importers.message_parts import MessagePart, first_time, guessed_id, numbered, placeholder
from pmg.importers.reading.fields import notes
from pmg.importers.reading.lines import whole_text

SOURCE = "whatsapp"
DATE = r"(?P<a>\d{1,4})[./](?P<b>\d{1,2})[./](?P<c>\d{2,4})"  # never with dashes: that is how programs write dates
CLOCK = r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second>\d{2}))?(?:[\s\u202f]?(?P<half>[AaPp])\.?\s?[Mm]\.?)?"
LINE = re.compile(
    rf"^[\u200e\u200f\ufeff]*(?:\[{DATE},?\s{CLOCK}\]\s|{re.sub('<', '<x', DATE)},?\s{re.sub('<', '<x', CLOCK)}\s[-–]\s)(?P<said>.*)$"
)
APP = "\u200e"  # iOS writes it, in every language, before what the app says in somebody's name
UNSAVED = "~"  # and this before the name that somebody gave themselves, where they are no saved contact
ATTACHED = re.compile(r"<[^<>:\n]{1,40}: (?P<file>[^<>\n]+)>")
OMITTED = re.compile(
    r"(?i)\w.{0,40}\b(?:omitted|weggelassen|ausgelassen|omitid[oa]|omise?|omess[oa]|weggelaten|utelämnad|udeladt|utelatt|pominięt[oya])"
)
SENT = re.compile(r"https?://|\n")  # a place, a poll, a card: a person's, though the app wrote it down
SPEAKER = re.compile(r"^[\u200e\u200f]*([^:\n]{1,60}):\s(.*)$", re.DOTALL)


def claims_text(head: str) -> bool:
    """Dated lines with a comma or a bracket as WhatsApp writes them, most of them with a name."""
    found = [match for line in head.splitlines()[:60] if (match := LINE.match(line))]
    named = [match for match in found if SPEAKER.match(match["said"])]
    return len(named) >= 2 and len({SPEAKER.match(m["said"])[1] for m in named}) <= 30  # type: ignore[index]


def parse_text(chunks: Iterable[bytes], where: Where) -> Iterator[Result]:
    page, remark = whole_text(chunks)
    if remark:
        yield where.problem(remark, level=Level.NOTE)
    found = list(_entries(page))
    order = _order([match for match, _ in found])
    if order == "unsure":
        yield where.problem("no date tells the day from the month: the day is taken to stand first", level=Level.NOTE)
    written = list(_written(found, order))
    if not written:
        yield where.problem("a WhatsApp chat without words", raw=page)
        return
    messages = tuple(_understood(written))
    people = list(dict.fromkeys(message.speaker for message in messages if message.role is Role.PERSON))
    started = first_time(written)
    yield Conversation(
        source=SOURCE,
        origin_id=guessed_id(started, written),
        made_id=True,
        turns_named_by_words=True,
        title=" and ".join(people) if len(people) < 4 else f"{people[0]}, {people[1]} and {len(people) - 2} more",
        created_at=started,
        messages=messages,
        updated_at=max((message.at for message in messages if message.at), default=None),
        counts=Counter({"messages": len(found)}),
    )


def _written(found: list[tuple[re.Match[str], str]], order: str) -> Iterator[SourceMessage]:
    """Each message as it stands in the file; of two that are the same to the letter, the second gets a number."""
    names: Counter[str] = Counter()
    for match, said in found:
        at = _time(match, order)
        spoken = SPEAKER.match(said)
        part = (
            MessagePart(Role.PERSON, spoken[1].strip(), spoken[2])
            if spoken
            else MessagePart(Role.SYSTEM, SYSTEM, said, "service")
        )
        name = short_id(str(at), part.speaker, part.text)
        names[name] += 1
        own = name if names[name] == 1 else f"{name}-{names[name]}"
        yield from numbered(own, [part], at=at)


def _understood(written: list[SourceMessage]) -> Iterator[SourceMessage]:
    """Who spoke by their bare name, and what the app wrote as what it is."""
    contacts = {_bare(message.speaker) for message in written if not message.speaker.startswith(UNSAVED)}
    for message in written:
        if message.role is Role.PERSON:
            message = replace(message, speaker=_name(message.speaker, contacts))
            said = message.text.lstrip(APP).strip()
            yield _by_app(message, said) if message.text.startswith(APP) and said else message
        else:
            yield message


def _name(speaker: str, contacts: set[str]) -> str:
    """Two of one name, a contact and somebody else, stay two."""
    bare = _bare(speaker)
    return f"{UNSAVED} {bare}" if speaker.startswith(UNSAVED) and bare in contacts else bare or speaker


def _bare(speaker: str) -> str:
    return " ".join(speaker.removeprefix(UNSAVED).split())


def _by_app(message: SourceMessage, said: str) -> SourceMessage:
    """Something that a person sent, or a notice, which nobody said (a group's name stands before it like a person's). Each stays a turn of its own, as it was when it counted as said."""
    if attached := ATTACHED.fullmatch(said):
        name = attached["file"].strip()
        shown = placeholder("attachment", name)
        return replace(message, role=Role.DOCUMENT, text=shown, kind="attachment", meta=notes(file=name))
    if OMITTED.fullmatch(said):
        return replace(message, role=Role.DOCUMENT, text=placeholder(said), kind="attachment")
    if SENT.search(said):
        return replace(message, role=Role.DOCUMENT, text=said, kind="sent")
    return replace(message, role=Role.DOCUMENT, speaker=SYSTEM, text=said, kind="service")


def _entries(page: str) -> Iterator[tuple[re.Match[str], str]]:
    """Each dated line with the lines that follow it."""
    held: re.Match[str] | None = None
    said: list[str] = []
    for line in page.splitlines():
        match = LINE.match(line)
        if match is None:
            said.append(line)
            continue
        if held is not None:
            yield held, "\n".join(said).rstrip("\n")
        held, said = match, [match["said"]]
    if held is not None:
        yield held, "\n".join(said).rstrip("\n")


def _field(match: re.Match[str], name: str) -> str:
    return match[name] or match[f"x{name}"] or ""


def _order(matches: list[re.Match[str]]) -> str:
    """`ymd`, `dmy` or `mdy`: a number over twelve is a day, and dates only grow."""
    firsts = [int(_field(match, "a")) for match in matches]
    seconds = [int(_field(match, "b")) for match in matches]
    if firsts and max(firsts) > 31:
        return "ymd"
    if firsts and max(firsts) > 12:
        return "dmy"
    if seconds and max(seconds) > 12:
        return "mdy"
    if any(_field(match, "half") for match in matches):
        return "mdy"  # the clock of twelve hours is American
    return "dmy" if not firsts or "." in matches[0][0] else "unsure"


def _time(match: re.Match[str], order: str) -> datetime | None:
    a, b, c = (int(_field(match, name)) for name in ("a", "b", "c"))
    year, month, day = (a, b, c) if order == "ymd" else (c, a, b) if order == "mdy" else (c, b, a)
    hour, half = int(_field(match, "hour")), _field(match, "half").lower()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    try:
        moment = (year if year > 99 else 2000 + year, month, day, hour)
        return datetime(*moment, int(_field(match, "minute")), int(_field(match, "second") or 0), tzinfo=UTC)
    except ValueError:
        return None
