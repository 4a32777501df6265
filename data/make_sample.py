"""Writes the sample memory: sample.jsonl, sample_questions.jsonl and sample_pairs.jsonl.

Knows: the plain-text notation of the authored sources beside it (described in README.md), and how long a person takes
between two messages. Does not know: anything of the pmg package; it needs only Python, so a newcomer can read it alone.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "sample_source"
OWNER = "Mara"
# In a chat with the assistant the two short marks keep the sources readable; between people the full name is written.
CHAT_SPEAKERS = {"M": (OWNER, "user"), "A": ("Assistant", "assistant")}
SPOKEN = re.compile(r"^([A-Z][A-Za-z]*(?: [A-Z][a-z]+)?)> (.*)$")
PAUSE = re.compile(r"^\[\+(\d+)m\]$")
KINDS_OF_PAIR = ("near-duplicate", "contradiction", "look-alike")
KINDS_OF_QUESTION = ("single", "multi", "temporal", "update", "person", "non-english")


class SourceError(ValueError):
    """A source file does not follow the notation; the message says where and what to write instead."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """One speaker's words as they stand in a source, with the directives written above them."""

    mark: str
    text: str
    label: str
    pause: int  # minutes to wait beyond the usual gap


@dataclass(frozen=True, slots=True)
class SampleTurn:
    at: datetime
    lines: tuple[tuple[str, str, str], ...]  # speaker, role, text
    label: str


@dataclass(frozen=True, slots=True)
class SampleSession:
    slug: str
    conversation: str
    source: str
    title: str
    started_at: datetime
    turns: tuple[SampleTurn, ...] = field(default=())


def read_sessions(folder: Path = SOURCE) -> list[SampleSession]:
    """Every session of the month files, in order of time."""
    sessions = [
        session
        for path in sorted(folder.glob("20*.txt"))
        for session in parse_sessions(path.read_text(encoding="utf-8"), path.name)
    ]
    return sorted(sessions, key=lambda session: (session.started_at, session.slug))


def parse_sessions(text: str, name: str) -> Iterator[SampleSession]:
    """The sessions of one file. A session opens with `=== slug | conversation | source | start | title`."""
    for block in re.split(r"^=== ", text, flags=re.MULTILINE)[1:]:
        header, _, body = block.partition("\n")
        parts = [part.strip() for part in header.split("|")]
        if len(parts) != 5:
            raise SourceError(
                f"{name}: {header!r} has {len(parts)} parts; write slug | conversation | source | start | title"
            )
        slug, conversation, source, start, title = parts
        started = datetime.fromisoformat(start)
        turns = tuple(timed(grouped(list(spoken_lines(body)), source, slug), source, started))
        yield SampleSession(slug, conversation, source, title, started, turns)


def spoken_lines(body: str) -> Iterator[Spoken]:
    """Splits a body at its speaker marks; `#:label` and `[+15m]` lines belong to the words that follow them."""
    mark, words, label, pause = "", list[str](), "", 0
    next_label, next_pause = "", 0
    for line in body.splitlines():
        if line.startswith("#:"):
            next_label = line[2:].strip()
        elif found := PAUSE.match(line):
            next_pause = int(found[1])
        elif found := SPOKEN.match(line):
            if mark:
                yield Spoken(mark, "\n".join(words).strip(), label, pause)
            mark, words, label, pause = found[1], [found[2]], next_label, next_pause
            next_label, next_pause = "", 0
        else:
            words.append(line)
    if mark:
        yield Spoken(mark, "\n".join(words).strip(), label, pause)


def grouped(spoken: list[Spoken], source: str, slug: str) -> Iterator[list[Spoken]]:
    """Turns: question and answer with the assistant, single utterances between people."""
    if source == "messages":
        yield from ([one] for one in spoken)
        return
    if len(spoken) % 2 or [one.mark for one in spoken] != ["M", "A"] * (len(spoken) // 2):
        raise SourceError(f"{slug}: a chat goes M> A> M> A>; found {' '.join(one.mark for one in spoken)}")
    yield from (spoken[i : i + 2] for i in range(0, len(spoken), 2))


def timed(turns: Iterable[list[Spoken]], source: str, started: datetime) -> Iterator[SampleTurn]:
    """Gives every turn a time: the reading and typing before it, and the pause its source asks for."""
    at, words_before = started, 0
    for index, spoken in enumerate(turns):
        if index:
            at += timedelta(minutes=spoken[0].pause, seconds=gap_seconds(spoken[0].text, words_before))
        words_before = sum(len(one.text.split()) for one in spoken)
        yield SampleTurn(at, tuple(line_of(one, source) for one in spoken), spoken[0].label)


def gap_seconds(text: str, words_before: int) -> int:
    """Half a second for each word read, one and a half for each word typed, and a hesitation named by the text itself."""
    hesitation = hashlib.sha256(text.encode("utf-8")).digest()[0] % 75
    return 12 + words_before // 2 + len(text.split()) * 3 // 2 + hesitation


def line_of(spoken: Spoken, source: str) -> tuple[str, str, str]:
    speaker, role = CHAT_SPEAKERS[spoken.mark] if source == "chat" else (spoken.mark, "person")
    return speaker, role, spoken.text


def places(sessions: Iterable[SampleSession]) -> dict[str, tuple[str, int]]:
    """Where each labelled turn ended up: (session slug, index)."""
    found: dict[str, tuple[str, int]] = {}
    for session in sessions:
        for index, turn in enumerate(session.turns):
            if turn.label in found:
                raise SourceError(f"the label {turn.label!r} is used twice; the second is in {session.slug}: rename it")
            if turn.label:
                found[turn.label] = (session.slug, index)
    return found


def rows_of(name: str, columns: int, folder: Path = SOURCE) -> Iterator[list[str]]:
    """The `a | b | c` rows of a source table; empty lines and lines starting with # are skipped."""
    for line in (folder / name).read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split("|")]
        if len(parts) != columns:
            raise SourceError(f"{name}: {line!r} has {len(parts)} parts, wanted {columns}")
        yield parts


def session_records(sessions: Iterable[SampleSession]) -> Iterator[dict[str, object]]:
    for session in sessions:
        yield {
            "session": session.slug,
            "conversation": session.conversation,
            "title": session.title,
            "source": session.source,
            "started_at": session.started_at.isoformat(),
        }
        for turn in session.turns:
            lines = [{"speaker": speaker, "role": role, "text": text} for speaker, role, text in turn.lines]
            yield {"at": turn.at.isoformat(), "lines": lines}


def question_records(found: dict[str, tuple[str, int]]) -> Iterator[dict[str, object]]:
    for kind, question, labels in rows_of("questions.txt", 3):
        if kind not in KINDS_OF_QUESTION:
            raise SourceError(
                f"questions.txt: {kind!r} is no kind of question; use one of {', '.join(KINDS_OF_QUESTION)}"
            )
        expect = [place(label.strip(), found) for label in labels.split(",")]
        yield {"question": question, "expect": expect, "kind": kind}


def pair_records(found: dict[str, tuple[str, int]]) -> Iterator[dict[str, object]]:
    for kind, a, b in rows_of("pairs.txt", 3):
        if kind not in KINDS_OF_PAIR:
            raise SourceError(f"pairs.txt: {kind!r} is no kind of pair; use one of {', '.join(KINDS_OF_PAIR)}")
        yield {"kind": kind, "a": place(a, found), "b": place(b, found)}


def place(label: str, found: dict[str, tuple[str, int]]) -> list[str | int]:
    if label not in found:
        raise SourceError(f"no turn carries the label {label!r}; write #:{label} on the line above it")
    return list(found[label])


def write_jsonl(path: Path, records: Iterable[dict[str, object]]) -> None:
    text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    path.write_text(text, encoding="utf-8", newline="\n")


def write_all(folder: Path) -> None:
    """The three files. The same sources give the same bytes on every machine: no clock and no random number is read."""
    sessions = read_sessions()
    found = places(sessions)
    write_jsonl(folder / "sample.jsonl", session_records(sessions))
    write_jsonl(folder / "sample_questions.jsonl", question_records(found))
    write_jsonl(folder / "sample_pairs.jsonl", pair_records(found))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write the sample memory from its sources.")
    parser.add_argument("--out", type=Path, default=HERE, help="folder to write into (default: beside this script)")
    write_all(parser.parse_args().out)
