"""SpecStory's Markdown: `_**User**_` and `_**Assistant**_` above each message, a comment above each session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime

from pmg.base.model import Role
from pmg.base.patterns import MULTILINE, TextMatch, linear, plain
from pmg.importers.conversation import TOOL, USER, Level, Result, SourceMessage, Where
from pmg.importers.message_parts import MessagePart, assembled, first_time, numbered, title_from
from pmg.importers.reading.lines import whole_text
from pmg.importers.reading.times import parse_time

SOURCE = "specstory"
MARK = plain(r"^_\*\*(?P<who>User|Assistant|Agent|Tool)(?:\s*\((?P<about>[^)\n]*)\))?\*\*_[ \t]*$", MULTILINE)
SESSION = linear(r"<!--\s*(?:(?P<tool>[\pL\pN_ .-]+?)\s+)?Session\s+(?P<id>[\w-]+)\s*\((?P<at>[^)]*)\)\s*-->")
STAMP = plain(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?")
DATED = linear(r"\s*\([^)]*\d{4}-\d{2}[^)]*\)$")
TITLE = linear(r"(?m)^#{1,2}\s+(.+?)\s*$")
ASIDE = linear(r"(?s)<tool-use\b.*?</tool-use>|<think>.*?</think>")


def claims_text(head: str) -> bool:
    return len(MARK.findall(head)) >= 1 and ("SpecStory" in head[:2000] or len(MARK.findall(head)) >= 2)


def parse_text(chunks: Iterable[bytes], where: Where) -> Iterator[Result]:
    page, remark = whole_text(chunks)
    if remark:
        yield where.problem(remark, level=Level.NOTE)
    heads = [*SESSION.finditer(page)]
    cuts = [head.start() for head in heads] or [0]
    for number, start in enumerate(cuts):
        end = cuts[number + 1] if number + 1 < len(cuts) else len(page)
        before = page[: cuts[0]] if number == 0 else page[cuts[number - 1] : start]
        yield from _session(heads[number] if heads else None, before, page[start:end], where)


def _session(head: TextMatch | None, before: str, page: str, where: Where) -> Iterator[Result]:
    at = _stamp(head["at"]) if head else None
    messages: list[SourceMessage] = []
    marks = [*MARK.finditer(page)]
    for index, mark in enumerate(marks):
        end = marks[index + 1].start() if index + 1 < len(marks) else len(page)
        said = page[mark.end() : end].rstrip().removesuffix("\n---").strip("\n")
        told = mark["about"] or ""
        parts = [*_parts(mark["who"], said)]
        model = STAMP.sub("", told).strip(" ,")
        messages.extend(numbered(f"message-{index}", parts, at=_stamp(told) or at, model=model))
    if not messages:
        yield where.problem("a SpecStory session without words", raw=page, level=Level.SKIPPED)
        return
    titles = TITLE.findall(before) or TITLE.findall(page[: marks[0].start()])
    title = DATED.sub("", titles[-1]) if titles else ""
    own = head["id"] if head else ""
    counts = Counter({"messages": len(marks)})
    meta = {"tool": head["tool"]} if head and head["tool"] else {}
    started = at or first_time(messages)
    yield assembled(
        SOURCE,
        own,
        title or title_from(messages),
        started,
        messages,
        meta=meta,
        counts=counts,
    )


def _stamp(written: str) -> datetime | None:
    found = STAMP.search(written)
    return parse_time(found[0]) if found else None


def _parts(who: str, said: str) -> Iterator[MessagePart]:
    if who == "User":
        yield MessagePart(Role.USER, USER, said)
        return
    start = 0
    for match in ASIDE.finditer(said):
        yield MessagePart(Role.ASSISTANT, "Assistant", said[start : match.start()].strip("\n"))
        thinks = match[0].startswith("<think>")
        yield MessagePart(Role.THINKING if thinks else Role.TOOL, "Assistant" if thinks else TOOL, match[0])
        start = match.end()
    yield MessagePart(Role.ASSISTANT, "Assistant", said[start:].strip("\n"))
