"""Gemini in Google Takeout: My Activity rows (JSON here, HTML in takeout_html) into conversations.

Handles which rows are Gemini's, how a prompt's row begins in any language, threads where a link names one, and how to
group the rest, for which Takeout gives no conversation: by pauses. Holds one file's rows, since the newest stand first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from pmg.base.model import Role
from pmg.importers.conversation import (
    SYSTEM,
    USER,
    Conversation,
    Level,
    Result,
    SourceMessage,
    Where,
    role_of,
    short_id,
)
from pmg.importers.message_parts import MessagePart, numbered, placeholder, stamp, title_from
from pmg.importers.platforms.gemini.content import NAME
from pmg.importers.reader import Row
from pmg.importers.reading.fields import Json, first_text, items, joined, mapping, mappings, notes, text
from pmg.importers.reading.html_text import html_text
from pmg.importers.reading.times import parse_time

SOURCE = "gemini"
# How a prompt's row begins, as seen in exports; other languages are learnt from the file (see `_learn`).
PREFIXES = ["Prompted ", "Asked ", "Eingegebener Prompt: ", "送信したメッセージ: ", "Used Bard: ", "Said "]
THREAD = re.compile(r"gemini\.google\.com/(?:app|gem)/(?:c/)?([\w-]+)")
ATTACHED = re.compile(r"^\D{0,30}\d+\D{1,40}\.?$")  # "Attached 1 file.", "1 Datei angehängt."
PAUSE = timedelta(minutes=30)  # without a thread, a longer pause starts a new conversation


@dataclass(frozen=True, slots=True)
class Activity:
    """One row: what was asked, what was answered (HTML already made text), and what was attached."""

    title: str
    answer: str
    at: datetime | None
    thread: str
    files: tuple[str, ...]
    answered: bool


def claims(value: Json) -> bool:
    return "header" in value and "title" in value and ("time" in value or "products" in value)


def gather(rows: Iterator[Row]) -> Iterator[Result]:
    found: list[Activity] = []
    others: Counter[str] = Counter()
    where: Where | None = None
    for row in rows:
        where = where or row.where
        if is_gemini(joined([text(row.value.get("header")), *map(text, items(row.value.get("products")))])):
            found.append(_activity(row.value))
        else:
            others[text(row.value.get("header")) or "no product"] += 1
    if where:
        yield from conversations(found, others, Where(where.file))


def is_gemini(product: str) -> bool:
    return "gemini" in product.lower() or "bard" in product.lower()


def _activity(value: Json) -> Activity:
    files = _files(value)
    told = _details(value)
    shown = value.get("safeHtmlItem")
    pieces = [html_text(first_text(each, "html", "htmlValue")) for each in mappings(shown) or [mapping(shown)] if each]
    pieces = pieces or list(filter(None, (told[Role.ASSISTANT] or text(value.get("description")),)))
    answered = bool(pieces)
    pieces += [
        text(each.get("name"))
        for each in mappings(value.get("subtitles"))
        if not pieces and not _is_of_file(each, files)
    ]
    thread = THREAD.search(text(value.get("titleUrl")))
    return Activity(
        title=told[Role.USER] or text(value.get("title")),
        answer=joined(pieces, "\n\n"),
        at=parse_time(value.get("time")),
        thread=thread[1] if thread else "",
        files=files,
        answered=answered,
    )


def _details(value: Json) -> dict[Role, str]:
    """What `details` call the question and the answer."""
    told = {Role.USER: "", Role.ASSISTANT: ""}
    for each in mappings(value.get("details")):
        role = role_of(text(each.get("name")))
        if role in told:
            told[role] = joined([told[role], text(each.get("value"))])
    return told


def _files(value: Json) -> tuple[str, ...]:
    """What was attached, each file once: its name alone, or as an object; a subtitle with an address gives the name it had for the person."""
    subtitles = {text(each.get("url")): text(each.get("name")) for each in mappings(value.get("subtitles"))}
    names = {url: name.strip().removeprefix("-").strip() for url, name in subtitles.items() if _is_file(url)}
    stored = [*items(value.get("attachedFiles")), *items(value.get("imageFile"))]
    listed = [first_text(mapping(each), "name", "url") or text(each) for each in stored]
    return tuple(dict.fromkeys(names.get(name) or name for name in (*listed, *names) if name))


def _is_file(url: str) -> bool:
    """A file lies beside the export; what has a whole address is a page."""
    return bool(url) and "://" not in url


def _is_of_file(subtitle: Json, files: tuple[str, ...]) -> bool:
    return _is_file(text(subtitle.get("url"))) or (
        bool(files) and ATTACHED.match(text(subtitle.get("name"))) is not None
    )


def conversations(found: list[Activity], others: Counter[str], where: Where) -> Iterator[Result]:
    """Oldest first, grouped by thread or pause; rows of other products are counted in one remark."""
    prefixes = [*PREFIXES, *_learn(found)]
    suffix = _learn_end(found, prefixes)
    for group in _groups(_oldest_first(found)):
        yield _conversation(group, prefixes, suffix)
    if others:
        names = ", ".join(f"{name} ×{count}" for name, count in sorted(others.items()))
        reason = f"rows of other Google products: {names}"
        yield where.problem(reason, level=Level.SKIPPED, count=sum(others.values()))


def _oldest_first(found: list[Activity]) -> list[Activity]:
    """Reversed, for Takeout writes the newest first, then by time: equal times keep the file's (reversed) order."""
    dated = [each for each in found if each.at]
    if len(dated) > 1 and stamp(dated[0].at) >= stamp(dated[-1].at):
        found = found[::-1]
    return sorted(found, key=lambda each: stamp(each.at))


def _learn(found: list[Activity]) -> list[str]:
    """The words that every answered row of an unknown language begins with, up to a blank or a colon."""
    titles = {each.title for each in found if each.answered and not each.title.startswith(tuple(PREFIXES))}
    if len(titles) < 3:
        return []
    first, last = min(titles), max(titles)  # what these two share, all between them share
    shared = next((n for n, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    common = first[:shared].replace("\xa0", " ")
    end = max(common.rfind(" "), common.rfind(":"), common.rfind("：")) + 1
    return [common[:end]] if end >= 4 else []


def _learn_end(found: list[Activity], prefixes: list[str]) -> str:
    """The words that every answered row ends with, for languages whose verb stands last."""
    titles = {each.title[::-1] for each in found if each.answered and not each.title.startswith(tuple(prefixes))}
    if len(titles) < 3:
        return ""
    first, last = min(titles), max(titles)
    shared = next((n for n, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    end = first[:shared][::-1]
    start = end.find(" ")
    return end[start:] if start >= 0 and len(end) - start >= 5 and end.strip(" .?!") else ""


def _groups(found: Iterable[Activity]) -> list[list[Activity]]:
    groups: dict[str, list[Activity]] = {}
    last: datetime | None = None
    name = ""
    for number, each in enumerate(found):
        if each.thread:
            groups.setdefault(f"thread {each.thread}", []).append(each)
            continue
        if each.at is None:
            groups[f"undated {number}"] = [each]
            continue
        if last is None or each.at - last > PAUSE:
            name = f"from {number}"
        last = each.at
        groups.setdefault(name, []).append(each)
    return list(groups.values())


def _conversation(group: list[Activity], prefixes: list[str], suffix: str) -> Conversation:
    counts: Counter[str] = Counter()
    messages: list[SourceMessage] = []
    names: Counter[str] = Counter()
    for each in group:
        name = short_id(str(each.at), each.title)
        names[name] += 1  # times collide, and so may the words: the second of two equal rows gets a number
        own = name if names[name] == 1 else f"{name}-{names[name]}"
        messages.extend(numbered(own, _parts(each, prefixes, suffix, counts), at=each.at))
        counts["messages"] += 1
    first = group[0]
    own = first.thread or short_id(str(first.at), first.title)
    updated = group[-1].at
    title = title_from(messages) or first.title
    return Conversation(SOURCE, own, title, first.at, tuple(messages), (), updated, notes(thread=first.thread), counts)


def _parts(each: Activity, prefixes: list[str], suffix: str, counts: Counter[str]) -> Iterator[MessagePart]:
    plain = each.title.replace("\xa0", " ")
    prefix = next((prefix for prefix in prefixes if plain.startswith(prefix) or plain == prefix.strip()), "")
    if not prefix and not each.answered:  # feedback, a canvas, a draft chosen: something was done, nothing was said
        counts["activity"] += 1
        yield MessagePart(Role.SYSTEM, SYSTEM, each.title, "activity")
    else:
        asked = each.title[len(prefix) :]
        asked = asked.removesuffix(suffix) if not prefix else asked
        alone = not asked.strip() and not each.files and not each.answer  # a prompt of nothing, which brought nothing
        yield MessagePart(Role.USER, USER, each.title if alone else asked, "prompt")
    for name in each.files:
        yield MessagePart(Role.DOCUMENT, USER, placeholder("attachment", name), "attachment", notes(file=name))
    yield MessagePart(Role.ASSISTANT, NAME, each.answer, "answer")
