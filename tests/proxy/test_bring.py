"""Memories that are brought along: into the person's last message alone, and the same bytes again with every later request."""

from __future__ import annotations

import copy
import json
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pmg.forget import Selection, forget, plan
from pmg.proxy import bring, upstreams
from pmg.proxy.bring import Bringer, BringQuestion, BroughtBlock, BroughtBody, user_texts, with_blocks
from pmg.server import brought
from pmg.server.brought import MemoryInTime
from tests.event_loop import run_apart
from tests.proxy.conftest import Proxied, Through
from tests.proxy.talks import Json, chat, chat_answer
from tests.proxy.upstream_server import whole

RESULT = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "hot"}]}
PATIENT = 60.0  # seconds: how fast this machine is must not decide a test
CALL = {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "oven", "input": {}}]}


class Memory:
    """Gives a block that tells what was asked."""

    def __init__(self, late: bool = False) -> None:
        self.asked: list[BringQuestion] = []
        self.late = late
        self.forgotten: set[int] = set()
        self.bringer = Bringer(self, lambda *_: "s1")

    async def recall(self, asked: BringQuestion) -> BroughtBlock | None:
        self.asked.append(asked)
        number = len(self.asked)
        return None if self.late else BroughtBlock(f'<block {number} for "{asked.words}">\nÄ', (number,))

    async def unchanged(self, blocks: Sequence[BroughtBlock]) -> list[bool] | None:
        return None if self.late else [self.forgotten.isdisjoint(block.numbers) for block in blocks]

    def bring(self, body: Json | bytes, path: str = "v1/chat/completions", **headers: str) -> BroughtBody:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return run_apart(self.bringer.bring("here", path, headers, data, ()))


BODIES = {
    "v1/chat/completions": chat("Hi", "Yes?", "Which dough?"),
    "v1/messages": chat("Hi", "Yes?", {"role": "user", "content": [{"type": "text", "text": "Which dough?", "cache_control": {"type": "ephemeral"}}]}),
    "v1/responses": {"input": "Which dough?"},
    "openai/v1/responses": {"input": [{"role": "user", "content": [{"type": "input_text", "text": "Which dough?"}]}]},
    "api/chat": chat("Hi", "Yes?", "Which dough?"),
    "api/generate": {"prompt": "Which dough?"},
    "v1beta/models/g:generateContent": {"contents": [{"role": "user", "parts": [{"text": "Which dough?"}]}]},
}  # fmt: skip


@pytest.mark.parametrize("path", BODIES)
def test_only_the_last_text_of_the_person_grows(path: str) -> None:
    for given_ in (json.dumps(BODIES[path]), json.dumps(BODIES[path], indent=3, ensure_ascii=False)):
        before, _, after = given_.rpartition("Which dough?")
        made = Memory().bring(given_.encode(), path)
        block = json.dumps('\n\n<block 1 for "Which dough?">\nÄ')[1:-1]
        assert made.body.decode() == f"{before}Which dough?{block}{after}"
        assert made.said.startswith("brought: ")


def test_over_a_conversation_every_request_begins_with_the_bytes_of_the_last() -> None:
    memory, said, last = Memory(), ["Question 0?"], b""
    for number in range(1, 8):
        body = {"model": "m", "system": "Bake.", "messages": chat(*said)["messages"]}
        sent = memory.bring(body, "v1/messages").body
        assert sent.startswith(last[:-2])
        assert sent.count(b"<block") == number
        assert memory.bring(body, "v1/messages").body == sent, "a retry is the same"
        last = sent
        said += [f"Answer {number}.", f"Question {number}?"]
    assert len(memory.asked) == 7


def test_what_a_program_puts_in_is_not_asked_about_and_changes_nothing() -> None:
    memory = Memory()
    reminder = {"type": "text", "text": "<system-reminder>Monday</system-reminder>"}
    question = {"type": "text", "text": "Which dough?"}
    memory.bring(chat({"role": "user", "content": [question, reminder]}), "v1/messages")
    again = memory.bring(chat({"role": "user", "content": [question]}), "v1/messages")
    assert [one.words for one in memory.asked] == ["Which dough?"]
    assert again.said == "brought: the same as before" and b"<block 1" in again.body


def test_what_a_changed_memory_was_in_is_brought_no_more_and_the_rest_stays() -> None:
    memory, said = Memory(), ["One?", "1.", "Two?", "2.", "Three?"]
    for end in (1, 3, 5):
        memory.bring(chat(*said[:end]))
    memory.forgotten = {1, 3}
    body = memory.bring(chat(*said)).body
    assert (b"<block 1" in body, b"<block 2" in body, b"<block 3" in body) == (False, True, False)
    assert b"<block 4" in body, "the last message is asked about anew"


@pytest.mark.parametrize("late", [False, True])
def test_a_new_conversation_that_begins_the_same_is_asked_about_anew(
    late: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = Memory(late)
    memory.bring(chat("Good morning"))
    memory.bring(chat("Good morning"))
    assert len(memory.asked) == 1, "a retry"
    monkeypatch.setattr(bring, "RETRY_SECONDS", -1.0)
    memory.late = False
    again = memory.bring(chat("Good morning"))
    assert (len(memory.asked), b"<block 2" in again.body) == (2, True)
    later = memory.bring(chat("Good morning", "Hello.", "Which dough?"))
    assert later.body.startswith(again.body[:-3])
    named = {"x-session-id": "s"}
    for _ in range(2):
        memory.bring(chat("Good morning"), **named)
    assert len(memory.asked) == 4, "a conversation with a name goes on"


def test_large_bodies_are_read_and_written_beside_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    where: list[bool] = []

    def noting(work: Any) -> Any:
        def noted(*given: Any) -> Any:
            where.append(threading.current_thread().name.startswith("asyncio_"))
            return work(*given)

        return noted

    memory = Memory()
    monkeypatch.setattr(memory.bringer, "_session_of", noting(lambda *_: "s1"))
    for name in ("_read", "with_blocks"):
        monkeypatch.setattr(bring, name, noting(getattr(bring, name)))
    assert b"<block 1" in memory.bring(chat("Which dough?")).body
    assert where == [True] * 3


def test_a_block_that_nobody_can_look_at_in_time_stays_here() -> None:
    memory = Memory()
    memory.bring(chat("One?"))
    memory.late = True
    assert b"<block" not in memory.bring(chat("One?", "1.", "Two?")).body


def test_in_a_loop_of_tools_nothing_new_is_brought_and_what_was_stays() -> None:
    memory = Memory()
    first = memory.bring(chat("Heat it"), "v1/messages").body
    second = memory.bring(chat("Heat it", CALL, RESULT), "v1/messages")
    assert second.body.startswith(first[:-2])
    assert (len(memory.asked), second.said) == (1, "nothing brought: no new message of the person")


def test_what_was_late_is_left_out_and_stays_out() -> None:
    memory = Memory(late=True)
    for body in (chat("Which dough?"), chat("Which dough?", "Rye.", {"role": "assistant", "content": "x"})):
        assert json.loads(memory.bring(body).body) == body


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (chat("### Task:\nWrite a title"), {}),
        (chat("Hi", max_tokens=1), {}),
        (chat("Hi"), {"x-claude-code-agent-id": "a"}),
        (b"\x1f\x8bcompressed", {}),
        (b"[1, 2]", {}),
        (chat({"role": "assistant", "content": "I begin"}), {}),
    ],
)
def test_nothing_is_brought_where_nobody_asked(body: Json | bytes, headers: dict[str, str]) -> None:
    made = Memory().bring(body, **headers)
    assert made.body == (body if isinstance(body, bytes) else json.dumps(body).encode())
    assert made.said.startswith("nothing brought")


def test_what_goes_on_from_an_answer_is_touched_in_its_own_input_alone() -> None:
    made = Memory().bring({"previous_response_id": "resp_1", "input": "How hot?"}, "v1/responses")
    assert json.loads(made.body)["previous_response_id"] == "resp_1"
    assert json.loads(made.body)["input"].startswith("How hot?\n\n<block 1")


TEXTS = st.text(max_size=12)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
ROWS = st.lists(
    st.fixed_dictionaries({"extra": JSON, "role": st.sampled_from(["user", "assistant"]), "content": TEXTS | st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": TEXTS, "more": JSON}), max_size=2)}),
    max_size=4,
)  # fmt: skip


@given(ROWS, JSON, st.booleans(), st.sampled_from([None, 2]), st.text(max_size=20))
def test_of_any_body_only_the_texts_at_the_places_change(
    rows: list[Json], more: Any, ascii_only: bool, indent: int | None, block: str
) -> None:
    body = {"before": more, "messages": rows, "after": more}
    data = json.dumps(body, ensure_ascii=ascii_only, indent=indent).encode("utf-8", "surrogatepass")
    try:
        data.decode()
    except UnicodeDecodeError:  # no JSON that anybody could send
        return
    places = [place for place, _ in user_texts(body)]
    wanted = copy.deepcopy(body)
    for place in places:
        held: Any = wanted
        for step in place[:-1]:
            held = held[step]
        held[place[-1]] += block
    assert json.loads(with_blocks(data, [(place, block) for place in places])) == wanted


# through a server


@pytest.fixture
def bringing(through: Through, monkeypatch: pytest.MonkeyPatch) -> Iterator[Proxied]:
    there = through(whole(chat_answer("Rye.")))
    upstreams.remove(there.served.home, there.name)
    upstreams.add(there.served.home, upstreams.checked(there.name, "openai", f"{there.upstream.url}/v1", ("bring",)))
    yield there


def test_what_bears_on_a_message_is_brought_quoted_and_not_stored_again(
    bringing: Proxied, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = bringing.served
    with served.engine.session(title="Garden") as session:
        session.add(user="We chose the tomato seeds Black Krim for the garden.")
    monkeypatch.setattr(served.server.proxy.bringer, "_memory", MemoryInTime(served.engine, PATIENT, 800))
    asked = chat("Which tomato seeds did we choose for the garden?")
    httpx.post(f"{bringing.url}/chat/completions", json=asked)
    (sent,) = bringing.upstream.asked
    words = sent.json["messages"][0]["content"]
    assert "Black Krim" in words and "<memory " in words
    assert bringing.lines() == ["user: Which tomato seeds did we choose for the garden?", "assistant: Rye."]
    assert served.server.proxy.captures.last()[0].brought.startswith("brought: ")


def test_what_was_forgotten_goes_out_no_more(bringing: Proxied, monkeypatch: pytest.MonkeyPatch) -> None:
    served = bringing.served
    with served.engine.session(title="Attic") as session:
        session.add(user="We hid the violin Amati behind the chimney in the attic.")
    monkeypatch.setattr(served.server.proxy.bringer, "_memory", MemoryInTime(served.engine, PATIENT, 800))
    said = ["Where did we hide the violin in the attic?", "Rye.", "And what did we say about the chimney of the attic?"]
    httpx.post(f"{bringing.url}/chat/completions", json=chat(said[0]))
    forget(served.engine, plan(served.engine, Selection(sessions=(session.id,))))
    for body in (chat(said[0]), chat(*said)):
        httpx.post(f"{bringing.url}/chat/completions", json=body)
    first, *later = (one.body for one in bringing.upstream.asked)
    assert b"Amati" in first
    assert len(later) == 2 and all(b"Amati" not in body for body in later)


def test_without_bring_the_body_is_untouched(through: Through) -> None:
    there = through(whole(chat_answer("Rye.")))
    httpx.post(f"{there.url}/chat/completions", json=chat("Which tomato seeds did we choose for the garden?"))
    assert there.upstream.asked[0].json == chat("Which tomato seeds did we choose for the garden?")


def test_a_slow_memory_holds_no_request_up(bringing: Proxied, monkeypatch: pytest.MonkeyPatch) -> None:
    goes_on = threading.Event()
    monkeypatch.setattr(brought, "block_for", lambda *_: goes_on.wait(60) and "late")
    asked = chat("Which tomato seeds did Ana choose for her garden?")
    try:
        assert httpx.post(f"{bringing.url}/chat/completions", json=asked, timeout=60).status_code == 200
    finally:
        goes_on.set()
    assert bringing.upstream.asked[0].json == asked
    bringing.settle()
    assert "not ready" in bringing.served.server.proxy.captures.last()[0].brought


def test_a_failing_memory_breaks_no_request(bringing: Proxied, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bringing.served.server.proxy, "bringer", object())
    asked = chat("Which tomato seeds did Bo choose?")
    assert httpx.post(f"{bringing.url}/chat/completions", json=asked).status_code == 200
    assert bringing.upstream.asked[0].json == asked
