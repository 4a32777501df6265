"""aider's .aider.chat.history.md: a heading for each start, `####` before the person's lines, `>` before the program's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime

from pmg.base.model import Role
from pmg.base.patterns import linear
from pmg.importers.conversation import TOOL, USER, Level, Result, SourceMessage, Where
from pmg.importers.message_parts import MessagePart, assembled, numbered, title_from
from pmg.importers.reading.lines import whole_text
from pmg.importers.reading.times import parse_time

SOURCE = "aider"
NAME = "aider"
START = linear(r"(?m)^#\s+aider chat started at\s+(.+?)\s*$")


def claims_text(head: str) -> bool:
    return START.search(head) is not None


def parse_text(chunks: Iterable[bytes], where: Where) -> Iterator[Result]:
    page, remark = whole_text(chunks)
    if remark:
        yield where.problem(remark, level=Level.NOTE)
    starts = [*START.finditer(page)]
    before = page[: starts[0].start()] if starts else page
    if before.strip():
        yield where.problem("words before the first start of aider", raw=before)
    for start, end in zip(starts, [*(each.start() for each in starts[1:]), len(page)], strict=True):
        yield from _conversation(parse_time(start[1]), page[start.end() : end], Where(where.file, start[1]))


def _conversation(at: datetime | None, page: str, where: Where) -> Iterator[Result]:
    messages: list[SourceMessage] = []
    for index, (role, lines) in enumerate(_runs(page.splitlines())):
        speaker = {Role.USER: USER, Role.TOOL: TOOL}.get(role, NAME)
        messages.extend(numbered(f"run-{index}", [MessagePart(role, speaker, "\n".join(lines).strip("\n"))], at=at))
    if not any(message.role in (Role.USER, Role.ASSISTANT) for message in messages):
        yield where.problem("a start of aider in which nothing was asked", level=Level.SKIPPED)
        return
    counts = Counter({"messages": len(messages)})
    yield assembled(SOURCE, "", title_from(messages), at, messages, counts=counts)


def _runs(lines: list[str]) -> Iterator[tuple[Role, list[str]]]:
    """Lines of one kind together; inside a fence every line is the answer's."""
    role, run, fence = Role.ASSISTANT, list[str](), ""
    for line in lines:
        mark = line.lstrip()[:3]
        if role is Role.ASSISTANT and mark in ("```", "~~~") and (not fence or mark == fence):
            fence = "" if fence else mark
        kind, said = _kind(line) if not fence else (Role.ASSISTANT, line)
        if not line.strip() and not fence:
            kind, said = role, line
        if kind is not role and any(each.strip() for each in run):
            yield role, run
            run = []
        role = kind
        run.append(said)
    if any(each.strip() for each in run):
        yield role, run


def _kind(line: str) -> tuple[Role, str]:
    if line.startswith("####"):
        return Role.USER, line[4:].strip()
    if line.startswith(">"):
        return Role.TOOL, line[1:].strip()
    return Role.ASSISTANT, line
