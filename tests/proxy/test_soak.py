"""Many programs talk at once over an upstream that refuses and breaks off, while others recall: nothing is lost, doubled or left open."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.proxy.conftest import Proxied, Through
from tests.proxy.talks import chat, chat_stream
from tests.proxy.upstream_server import SentRequest, chunked, head, whole

PROGRAMS, CONVERSATIONS, TURNS = 6, 3, 3
OPEN_FILES = Path("/proc/self/fd")


def _troubled(asked: SentRequest) -> Iterator[bytes]:
    """Answers `re: …` to what was asked last; one in five is refused, one in five breaks off before its first word."""
    words = asked.json["messages"][-1]["content"]
    trouble = random.Random(words + asked.header("x-try")).random()
    if trouble < 0.2:
        yield from whole({"error": {"message": "later"}}, 429)(asked)
        return
    yield head(200, "text/event-stream", "transfer-encoding: chunked")
    if trouble > 0.8:
        yield b"1f4\r\ndata: {"
        return
    yield from chunked([chat_stream("re: ", words)])


def _ask(client: httpx.Client, there: Proxied, said: list[str]) -> None:
    """Until it is answered, as the libraries of the real APIs do."""
    for number in range(100):
        try:
            answer = client.post(f"{there.url}/chat/completions", json=chat(*said), headers={"x-try": str(number)})
        except httpx.RemoteProtocolError:
            continue
        if answer.status_code == 200:
            return
    raise AssertionError("never answered")


def _load(there: Proxied, number: int) -> list[str]:
    """What so many programs say at once, while another recalls."""
    problems: list[BaseException] = []
    ended = threading.Event()

    def program(name: str) -> None:
        try:
            with httpx.Client(timeout=120) as client:
                for talk in range(CONVERSATIONS):
                    said: list[str] = []
                    for turn in range(TURNS):
                        said += [f"{name}, talk {talk}, turn {turn}"]
                        _ask(client, there, said)
                        said += [f"re: {said[-1]}"]
        except BaseException as problem:  # told below: a thread has nobody
            problems.append(problem)

    def others() -> None:
        while not ended.is_set():
            there.served.engine.recall("program talk turn")

    names = [f"round {number}, program {program}" for program in range(PROGRAMS)]
    threads = [threading.Thread(target=program, args=(name,)) for name in names]
    beside = threading.Thread(target=others)
    for one in (*threads, beside):
        one.start()
    for one in threads:
        one.join(300)
    ended.set()
    beside.join(60)
    assert problems == []
    return [
        f"{name}, talk {talk}, turn {turn}" for name in names for talk in range(CONVERSATIONS) for turn in range(TURNS)
    ]


def _open_files() -> int:
    return len(list(OPEN_FILES.iterdir())) if OPEN_FILES.exists() else 0


@pytest.mark.slow
def test_nothing_is_lost_doubled_or_left_open(through: Through) -> None:
    there = through(_troubled)
    said = _load(there, 0)
    there.settle()
    before = _open_files()  # the pool's own connections among them
    said += _load(there, 1)
    wanted = Counter([*(f"user: {name}" for name in said), *(f"assistant: re: {name}" for name in said)])
    assert Counter(there.lines()) == wanted
    assert len(there.sessions) == 2 * PROGRAMS * CONVERSATIONS
    assert _open_files() < before + 10
