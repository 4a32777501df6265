"""WhatsApp's exported chat: `[31.12.23, 21:15:03] Ana: words` or `12/31/23, 9:15 PM - Ana: words`, one line or several.

The file does not say whether the day or the month stands first: all its dates together do.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from pmg.importers.conversation import SYSTEM, Level, Result, SourceMessage, Where, short_id
from pmg.importers.message_parts import MessagePart, assembled, first_time, numbered
from pmg.importers.reading.lines import whole_text
from pmg.model import Role

SOURCE = "whatsapp"
DATE = r"(?P<a>\d{1,4})[./](?P<b>\d{1,2})[./](?P<c>\d{2,4})"  # never with dashes: that is how programs write dates
CLOCK = r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second>\d{2}))?(?:[\s\u202f]?(?P<half>[AaPp])\.?\s?[Mm]\.?)?"
LINE = re.compile(
    rf"^[\u200e\u200f\ufeff]*(?:\[{DATE},?\s{CLOCK}\]\s|{re.sub('<', '<x', DATE)},?\s{re.sub('<', '<x', CLOCK)}\s[-–]\s)(?P<said>.*)$"
)
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
    messages: list[SourceMessage] = []
    names: Counter[str] = Counter()
    counts: Counter[str] = Counter({"messages": len(found)})
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
        messages.extend(numbered(own, [part], at=at))
    if not messages:
        yield where.problem("a WhatsApp chat without words", raw=page)
        return
    people = list(dict.fromkeys(message.speaker for message in messages if message.role is Role.PERSON))
    started = first_time(messages)
    ended = max((message.at for message in messages if message.at), default=None)
    yield assembled(
        SOURCE,
        "",
        " and ".join(people) if len(people) < 4 else f"{people[0]}, {people[1]} and {len(people) - 2} more",
        started,
        messages,
        updated_at=ended,
        counts=counts,
    )


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
