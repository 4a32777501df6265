"""Lives: what somebody told an assistant over months, and what they ask for later. The format of the exam and of our own reading data.

A file is text that a person can write and read. `##` begins a life, `@ 2025-03-04 18:20` a sitting, `7| words` tells a line (`7| Tom: words` by somebody else),
`? words` asks (`?@ 2025-04-01 words` on that day), `= 7: words` is the answer and its words, `= none` says that nothing answers, `~ 3` answered once,
`- 5` only looks near, `! kind` and `< the question before` say more of the question, `> 7 replaces 3` how a later line stands to an earlier one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pmg.base.errors import InputError

ME, ASSISTANT = "me", "assistant"
RELATIONS = ("replaces", "ends", "plans", "same")
_DAY = re.compile(r"(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d))?")
_ASKED = re.compile(r"\?(?:@\s*(\d{4}-\d\d-\d\d(?: \d\d:\d\d)?)\s+)?(.*)")
_TOLD = re.compile(r"(\d+)\|\s*(.*)")
_SPEAKER = re.compile(r"([^\W\d_][\w .'-]{0,24}): (.*)")
_ANSWER = re.compile(r"=\s*(\d+):\s*(.*)")
_RELATION = re.compile(rf">\s*(\d+)\s+({'|'.join(RELATIONS)})\s+(\d+|-)")
_NUMBER = re.compile(r"\d+")
LONGEST_NAME = 3  # words


@dataclass(frozen=True, slots=True)
class LifeLine:
    number: int
    at: datetime
    sitting: int
    speaker: str
    text: str


@dataclass(slots=True)
class LifeQuestion:
    text: str
    at: datetime | None
    answers: list[tuple[int, str]] = field(default_factory=list)  # a line and the words of it that answer
    stale: list[int] = field(default_factory=list)
    near: list[int] = field(default_factory=list)
    kind: str = ""
    before: str = ""


@dataclass(frozen=True, slots=True)
class LifeRelation:
    """How line `later` stands to `earlier`; without one it is only planned."""

    later: int
    says: str
    earlier: int | None


@dataclass(slots=True)
class Life:
    who: str
    lines: list[LifeLine] = field(default_factory=list)
    questions: list[LifeQuestion] = field(default_factory=list)
    relations: list[LifeRelation] = field(default_factory=list)

    def sittings(self) -> Iterator[list[LifeLine]]:
        for number in sorted({line.sitting for line in self.lines}):
            yield [line for line in self.lines if line.sitting == number]


def parse(text: str) -> list[Life]:
    lives: list[Life] = []
    at, sitting = datetime.min, 0
    for number, row in enumerate(text.split("\n"), 1):
        row = row.strip()
        try:
            if row.startswith("## "):
                lives.append(Life(row[3:]))
            elif row.startswith("@"):
                at, sitting = _moment(row), sitting + 1
            elif row and not row.startswith("```"):
                _read(lives[-1], row, at, sitting)
        except (AttributeError, IndexError, ValueError) as error:
            raise InputError(
                f"Line {number} of the lives cannot be read: {row[:80]!r}. Mend it as the format says."
            ) from error
    return lives


def _read(life: Life, row: str, at: datetime, sitting: int) -> None:
    mark, question = row[0], life.questions[-1] if life.questions else None
    if mark.isdigit():
        life.lines.append(_told(row, at, sitting))
    elif mark == "?":
        day, words = _match(_ASKED, row).groups()
        life.questions.append(LifeQuestion(words.strip(), _moment(day) if day else None))
    elif mark == ">":
        later, says, earlier = _match(_RELATION, row).groups()
        life.relations.append(LifeRelation(int(later), says, None if earlier == "-" else int(earlier)))
    elif question is None:
        raise ValueError(row)
    elif mark == "=" and row[1:].strip().lower() != "none":
        line, words = _match(_ANSWER, row).groups()
        question.answers.append((int(line), words.strip()))
    elif mark in "~-":
        (question.stale if mark == "~" else question.near).extend(int(one) for one in _NUMBER.findall(row))
    elif mark == "!":
        question.kind = row[1:].split()[0]
    elif mark == "<":
        question.before = row[1:].strip()


def _told(row: str, at: datetime, sitting: int) -> LifeLine:
    number, words = _match(_TOLD, row).groups()
    named = _SPEAKER.match(words)
    is_name = named is not None and (
        named[1] == ASSISTANT or (named[1][0].isupper() and len(named[1].split()) <= LONGEST_NAME)
    )
    speaker, text = (named[1], named[2]) if named is not None and is_name else (ME, words)
    return LifeLine(int(number), at, sitting, speaker, text)


def _moment(text: str) -> datetime:
    day, hour = _match(_DAY, text.lstrip("@ ")).groups()
    return datetime.fromisoformat(f"{day}T{hour or '12:00'}").replace(tzinfo=UTC)


def _match(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    found = pattern.match(text)
    if found is None:
        raise ValueError(text)
    return found
