"""What of an exchange is remembered: new turns only, each once, in the right session."""

from __future__ import annotations

import base64
import json
from datetime import timedelta

import pytest

from pmg.base.errors import InputError
from pmg.base.model import Role, Segment, Turn
from pmg.base.times import now
from pmg.engine import Engine
from pmg.forget import Selection, forget, plan
from pmg.proxy import threads
from pmg.proxy.capture import CapturedExchange, CopiedBody, HeldBytes, Outcome
from pmg.proxy.messages import MAX_TOOL
from pmg.proxy.remember import Rememberer
from pmg.proxy.upstreams import Upstream
from pmg.recall.fence import quoted
from tests.proxy.talks import (
    Json,
    chat,
    chat_answer,
    chat_stream,
    claude_answer,
    claude_events,
    claude_stream,
    responses_answer,
)
from tests.proxy.upstream_server import sse

UPSTREAM = Upstream("here", "openai", "http://127.0.0.1:1")
START = now()


class Program:
    """One program that talks to a model through the proxy, without the network."""

    def __init__(self, engine: Engine, path: str = "v1/chat/completions", **headers: str) -> None:
        self.engine = engine
        self.path = path
        self.headers = {key.replace("_", "-"): value for key, value in headers.items()}
        self.remember = Rememberer(engine)
        self.at = START

    def tell(
        self,
        body: Json,
        answer: Json | bytes,
        *,
        status: int = 200,
        whole: bool = True,
        after: float = 5,
        method: str = "POST",
    ) -> Outcome:
        self.at += timedelta(seconds=after)
        held = HeldBytes()
        request, said = CopiedBody(1 << 24, held), CopiedBody(1 << 24, held)
        request.add(json.dumps(body).encode())
        said.add(answer if isinstance(answer, bytes) else json.dumps(answer).encode())
        exchange = CapturedExchange(UPSTREAM, method, self.path, self.headers, request, said, self.at)
        exchange.status, exchange.whole = status, whole
        return self.remember(exchange)

    @property
    def sessions(self) -> list[str]:
        return [one.id for one in self.engine.reads.sessions()]

    def turns(self, session: str = "") -> list[Segment]:
        (only,) = [session] if session else self.sessions
        return self.engine.reads.segments_of(only)

    def lines(self, session: str = "") -> list[str]:
        return [f"{line.role.value}: {line.text}" for turn in self.turns(session) for line in turn.lines]


def test_a_conversation_is_one_session_and_each_turn_is_there_once(engine: Engine) -> None:
    program = Program(engine, user_agent="LibreChat/1.0")
    program.tell(chat("Which dough?"), chat_stream("Sour", "dough."))
    program.tell(chat("Which dough?", "Sourdough.", "How hot?"), chat_answer("240 degrees."))
    assert program.lines() == [
        "user: Which dough?", "assistant: Sourdough.", "user: How hot?", "assistant: 240 degrees.",
    ]  # fmt: skip
    first, second = program.turns()
    assert (first.meta["model"], first.meta["upstream"], first.source) == ("small-1", "here", "LibreChat through here")
    assert second.at - first.at == timedelta(seconds=5)


def test_two_conversations_that_begin_the_same_are_two(engine: Engine) -> None:
    program = Program(engine)
    program.tell(chat("Hello"), chat_answer("Hi!"))
    program.tell(chat("Hello", "Hi!", "Which dough?"), chat_answer("Rye."))
    program.tell(chat("Hello"), chat_answer("Hello, you."), after=7_200)
    program.tell(chat("Hello", "Hello, you.", "Which soup?"), chat_answer("Lentil."))
    sessions = {tuple(program.lines(one)) for one in program.sessions}
    assert sessions == {
        ("user: Hello", "assistant: Hi!", "user: Which dough?", "assistant: Rye."),
        ("user: Hello", "assistant: Hello, you.", "user: Which soup?", "assistant: Lentil."),
    }


def test_a_retry_is_one_turn(engine: Engine) -> None:
    program = Program(engine)
    assert program.tell(chat("Which dough?"), {"error": {"message": "slow down"}}, status=429).failed
    assert program.tell(chat("Which dough?"), b"", status=200, whole=False).failed
    program.tell(chat("Which dough?"), chat_answer("Rye."))
    assert program.tell(chat("Which dough?"), chat_answer("Rye.")).said == "known already"
    assert program.lines() == ["user: Which dough?", "assistant: Rye."]


def test_an_answer_that_broke_off_is_partial_and_its_retry_repeats_no_question(engine: Engine) -> None:
    program = Program(engine)
    program.tell(chat("Which dough?"), chat_stream("Sour", "dough.")[:400], whole=False)
    program.tell(chat("Which dough?"), chat_answer("Sourdough."))
    assert [turn.meta.get("partial", "") for turn in program.turns()] == ["yes", ""]
    assert program.lines().count("user: Which dough?") == 1


def test_an_answer_that_the_program_writes_otherwise_is_not_stored_again(engine: Engine) -> None:
    program = Program(engine)
    program.tell(chat("Which dough?"), chat_answer("<think>rye or wheat</think>\n\nSour  dough."))
    program.tell(chat("Which dough?", "Sour dough", "How hot?"), chat_answer("Hot."))
    assert program.lines() == [
        "user: Which dough?", "thinking: <think>rye or wheat</think>", "assistant: \n\nSour  dough.", "user: How hot?", "assistant: Hot.",
    ]  # fmt: skip


def test_an_edited_question_goes_on_in_its_session(engine: Engine) -> None:
    program = Program(engine)
    program.tell(chat("Which dough?"), chat_answer("Rye."))
    program.tell(chat("Which dough?", "Rye.", "How hot?"), chat_answer("240."))
    program.tell(chat("Which dough?", "Rye.", "How long?"), chat_answer("An hour."))
    assert program.lines()[2:] == ["user: How hot?", "assistant: 240.", "user: How long?", "assistant: An hour."]


def test_what_came_before_a_turn_that_fails_is_stored_once(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    program, add, wrong = Program(engine), engine.add_turn, [OSError("no room"), OSError("no room"), InputError("odd")]

    def failing(session: str, turn: Turn) -> str:
        if wrong and turn.lines[0].text == "How hot?":
            raise wrong.pop()
        return add(session, turn)

    monkeypatch.setattr(engine, "add_turn", failing)
    asked = chat("Which dough?", "Rye.", "How hot?", "240.", "How long?")
    wrong.reverse()
    for _ in range(2):
        with pytest.raises(OSError, match="no room"):
            program.tell(asked, chat_answer("An hour."))
    outcome = program.tell(asked, chat_answer("An hour."))
    assert (outcome.said, outcome.failed) == ("1 new turn, 1 refused", True)
    assert program.tell(asked, chat_answer("An hour.")).said == "known already"
    assert program.lines() == ["user: Which dough?", "assistant: Rye.", "user: How long?", "assistant: An hour."]


def test_what_a_long_conversation_no_longer_knows_is_taken_out_of_the_index(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "MAX_STATES", 4)
    program = Program(engine, "v1/responses")
    for number in range(1, 8):
        previous = {"previous_response_id": f"r{number - 1}"} if number > 1 else {}
        body = {"input": f"Question {number}", **previous}
        program.tell(body, responses_answer(f"Answer {number}", id=f"r{number}"))
    held = program.remember.threads
    (thread,) = held._threads.values()
    assert (set(held._by_state), set(held._by_answer)) == (set(thread.states), set(thread.answers))
    assert len(thread.states) == len(thread.answers) == 4


def test_a_conversation_first_seen_in_its_middle_comes_whole(engine: Engine) -> None:
    program = Program(engine)
    program.tell(chat("Which dough?", "Rye.", "How hot?"), chat_answer("240."))
    assert program.lines() == ["user: Which dough?", "assistant: Rye.", "user: How hot?", "assistant: 240."]


def test_after_a_restart_nothing_is_doubled(engine: Engine) -> None:
    Program(engine).tell(chat("Which dough?"), chat_answer("Rye."))
    again = Program(engine)
    again.tell(chat("Which dough?", "Rye.", "How hot?"), chat_answer("240."))
    assert again.lines() == ["user: Which dough?", "assistant: Rye.", "user: How hot?", "assistant: 240."]


def test_a_named_conversation_whose_history_was_shortened_stores_only_what_is_new(engine: Engine) -> None:
    program = Program(engine, x_openwebui_chat_id="c1")
    program.tell(chat("Which dough?"), chat_answer("Rye."))
    program.tell(chat("Which dough?", "Rye.", "How hot?"), chat_answer("240."))
    program.tell(chat("How hot?", "240.", "How long?"), chat_answer("An hour."))
    assert program.lines()[4:] == ["user: How long?", "assistant: An hour."]


def test_names_of_conversations_count_and_the_surest_first(engine: Engine) -> None:
    one, two = Program(engine, x_openwebui_chat_id="c1"), Program(engine, x_openwebui_chat_id="c2")
    two.remember = one.remember
    one.tell(chat("Hello"), chat_answer("Hi!"))
    two.tell(chat("Hello"), chat_answer("Hi!"))
    assert len(one.sessions) == 2


def test_a_key_of_the_prompt_cache_joins_no_two_conversations(engine: Engine) -> None:
    program = Program(engine)
    program.tell(chat("Hello", prompt_cache_key="app"), chat_answer("Hi!"))
    program.tell(chat("Which dough?", prompt_cache_key="app"), chat_answer("Rye."))
    program.tell(chat("Which dough?", "Rye.", "How hot?", prompt_cache_key="app"), chat_answer("240."))
    assert sorted(len(program.turns(one)) for one in program.sessions) == [1, 2]


def test_a_night_begins_a_new_session_of_the_same_conversation(engine: Engine) -> None:
    program = Program(engine)
    program.tell(chat("Which dough?"), chat_answer("Rye."))
    program.tell(chat("Which dough?", "Rye.", "How hot?"), chat_answer("240."), after=9 * 3_600)
    first, second = engine.reads.sessions()
    assert first.conversation == second.conversation
    assert {len(program.turns(one.id)) for one in (first, second)} == {1}


def test_what_was_forgotten_does_not_come_back_with_the_history(engine: Engine) -> None:
    program = Program(engine)
    program.tell(chat("My secret dough"), chat_answer("Rye."))
    forget(engine, plan(engine, Selection(sessions=tuple(program.sessions))))
    program.tell(chat("My secret dough", "Rye.", "How hot?"), chat_answer("240."))
    assert program.lines() == ["user: How hot?", "assistant: 240."]


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (chat("### Task:\nGenerate a concise, 3-5 word title"), {}),
        (chat("A title please", metadata={"task": "title_generation"}), {}),
        (chat("quota", max_tokens=1), {}),
        ({"model": "small", "messages": []}, {}),
        (chat("Warmup"), {}),
        (chat("Is this a new topic?", max_tokens=512), {"user-agent": "claude-cli/2.1.86 (external, cli)"}),
        (chat("Look into it", tools=[{}]), {"user-agent": "claude-cli/2.2", "x-claude-code-agent-id": "a1"}),
        (chat("Look", tools=[{}]), {"x-app": "cli-bg"}),
        (chat({"role": "system", "content": "You are an agent for Claude Code, Anthropic's official CLI"}, "Look"), {}),
    ],
)
def test_what_a_program_asks_on_its_own_account_is_not_remembered(
    engine: Engine, body: Json, headers: dict[str, str]
) -> None:
    program = Program(engine)
    program.headers = headers
    outcome = program.tell(body, chat_answer("Something"))
    assert (outcome.said[:9], outcome.failed, program.sessions) == ("left out:", False, [])


def test_what_a_person_heads_as_a_task_is_remembered(engine: Engine) -> None:
    program = Program(engine)
    program.tell(chat("Which dough?", "Rye.", "### Task: make it rise"), chat_answer("Wait."))
    program.tell(chat("### Task: heat the oven", tools=[{}]), chat_answer("Hot."))
    assert sorted(len(program.turns(one)) for one in program.sessions) == [1, 2]


def test_a_request_that_quotes_the_conversation_is_about_it(engine: Engine) -> None:
    """Titles, tags and suggestions in whatever words a program asks for them; who merely asks something similar is a person."""
    program = Program(engine)
    program.tell(chat("Which dough for the bread?"), chat_answer("Sourdough, with a spoon of rye."))
    title = "Name this:\nUSER: Which dough for the bread?\nASSISTANT: Sourdough, with a spoon of rye."
    assert program.tell(chat(title), chat_answer("Bread")).said == "left out: about a conversation"
    assert program.tell(chat("Which dough for the bread? And why?"), chat_answer("Rye.")).said == "1 new turn"


def test_what_programs_and_this_memory_put_in_is_nobodys_words(engine: Engine) -> None:
    block = quoted("Ana said that the oven is broken.", "salt")
    program = Program(engine, "v1/messages")
    said = [
        {"type": "text", "text": "<system-reminder>Today is Monday.\nCLAUDE.md says: use tabs.</system-reminder>"},
        {"type": "text", "text": f"{block}\nWhich dough?"},
    ]
    program.tell(chat({"role": "user", "content": said}), claude_stream("Rye."))
    changed = [{"type": "text", "text": "<system-reminder>Today is Tuesday.</system-reminder>Which dough?"}]
    body = chat({"role": "user", "content": changed}, "Rye.", "How hot?")
    program.tell(body, claude_stream("Hot."))
    assert [line.strip() for line in program.lines()] == [
        "user: Which dough?", "assistant: Rye.", "user: How hot?", "assistant: Hot.",
    ]  # fmt: skip


def test_the_system_prompt_is_told_by_its_hash_alone(engine: Engine) -> None:
    program = Program(engine)
    program.tell(
        chat({"role": "system", "content": "You are a baker."}, {"role": "user", "content": "Hi"}),
        chat_answer("Hello."),
    )
    (turn,) = program.turns()
    assert len(turn.meta["system"]) == 12
    assert "baker" not in str(turn)


def test_tools_are_kept_and_what_is_long_is_shortened(engine: Engine) -> None:
    program = Program(engine, "v1/messages")
    use = {"type": "tool_use", "id": "t1", "name": "read_file", "input": {"path": "oven.txt"}}
    program.tell(chat("Read it", tools=[{}]), claude_answer({"type": "text", "text": "I look."}, use))
    long = "head " + "x" * 50_000 + " tail"
    result = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": long}]}
    asked = chat(
        "Read it",
        {"role": "assistant", "content": [{"type": "text", "text": "I look."}, use]},
        {"role": "user", "content": [result]},
        tools=[{}],
    )
    program.tell(asked, claude_stream("It is hot."))
    lines = program.lines()
    assert lines[:3] == ["user: Read it", "assistant: I look.", 'tool: read_file({"path":"oven.txt"})']
    assert lines[3].startswith("tool: head xxx") and lines[3].endswith(" tail") and "sha256" in lines[3]
    assert len(lines[3]) < MAX_TOOL + 200
    assert lines[4] == "assistant: It is hot."
    assert program.turns()[1].lines[0].speaker == "read_file"


def test_thinking_stands_apart(engine: Engine) -> None:
    program = Program(engine, "v1/messages")
    program.tell(chat("Which dough?"), claude_stream("Rye.", thinking="wheat or rye"))
    assert program.lines() == ["user: Which dough?", "thinking: wheat or rye", "assistant: Rye."]


def test_images_are_told_by_hash_and_size(engine: Engine) -> None:
    data = base64.b64encode(b"\x89PNG" + bytes(3_000)).decode()
    program = Program(engine)
    picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}
    program.tell(
        chat({"role": "user", "content": [{"type": "text", "text": "What is it?"}, picture]}), chat_answer("An oven.")
    )
    assert program.lines()[1].startswith("user: [image: image/png, 3,004 bytes, sha256 ")
    assert data[:40] not in str(program.turns())


def test_an_unknown_block_is_kept_as_it_is(engine: Engine) -> None:
    program = Program(engine, "v1/messages")
    program.tell(
        chat("Search"), claude_answer({"type": "novel_block", "seen": "the oven"}, {"type": "text", "text": "So."})
    )
    assert program.lines()[1] == 'assistant: {"type":"novel_block","seen":"the oven"}'


def test_an_error_inside_a_stream_leaves_a_partial_turn(engine: Engine) -> None:
    program = Program(engine, "v1/messages")
    events = [
        *claude_events("Sour", done=False),
        {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
    ]
    program.tell(chat("Which dough?"), sse(events, named=True))
    (turn,) = program.turns()
    assert (turn.meta["partial"], turn.meta["error"]) == ("yes", "overloaded_error")
    assert program.lines() == ["user: Which dough?", "assistant: Sour"]


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("v1/chat/completions", {"error": {"message": "KEY", "param": "KEY"}}),
        ("v1/messages", {"type": "error", "error": {"message": "KEY"}}),
        ("v1/responses", {"type": "error", "message": "KEY"}),
        ("v1/responses", {"type": "response.failed", "response": {"status": "failed", "error": {"message": "KEY"}}}),
        ("api/chat", {"error": "KEY"}),
        ("v1beta/models/g:streamGenerateContent", {"error": {"message": "KEY"}}),
        ("v1/chat/completions", {"error": {"code": "x" * 500}}),
    ],
)
def test_what_an_error_says_is_not_told(engine: Engine, path: str, error: Json) -> None:
    """An upstream quotes the key that it refuses."""
    key = "sk-" + "proj" + "Ab3" * 14
    asked = {"prompt": "Hi", "input": "Hi", "contents": [{"parts": [{"text": "Hi"}]}], **chat("Hi")}
    outcome = Program(engine, path).tell(asked, sse([json.loads(json.dumps(error).replace("KEY", key))]), whole=False)
    assert outcome.said.startswith("no answer came (") and len(outcome.said) < 100
    assert key not in outcome.said


def test_keys_of_claude_code_in_the_body(engine: Engine) -> None:
    program = Program(engine, "v1/messages")
    for user in ('{"device_id":"d","session_id":"s1"}', "user_abc_account__session_s1"):
        program.tell(chat("Hello " + user[:4], metadata={"user_id": user}), claude_stream("Hi."))
    assert len(program.sessions) == 1


def test_a_secret_in_what_is_said_is_taken_out(engine: Engine) -> None:
    key = "sk-" + "proj" + "Ab3" * 14
    program = Program(engine)
    program.tell(chat(f"My key is {key}, keep it"), chat_answer("Better not."))
    assert key not in str(program.turns())


def test_responses_go_on_by_the_id_of_the_last_answer(engine: Engine) -> None:
    program = Program(engine, "v1/responses")
    program.tell({"model": "small", "input": "Which dough?"}, responses_answer("Rye.", id="resp_1"))
    more = {"model": "small", "input": "How hot?", "previous_response_id": "resp_1"}
    program.tell(more, responses_answer("240.", id="resp_2"))
    assert program.tell(more, responses_answer("240.", id="resp_2")).said == "known already"
    program.tell({**more, "previous_response_id": "resp_2"}, responses_answer("Still 240.", id="resp_3"))
    assert program.lines() == [
        "user: Which dough?", "assistant: Rye.", "user: How hot?", "assistant: 240.", "user: How hot?", "assistant: Still 240.",
    ]  # fmt: skip


def test_an_answer_made_in_the_background_is_stored_when_it_is_fetched(engine: Engine) -> None:
    program = Program(engine, "v1/responses")
    waiting = responses_answer("", id="resp_1", status="queued", background=True, output=[])
    program.tell({"model": "small", "input": "Which dough?", "background": True}, waiting)
    program.path = "v1/responses/resp_1"
    program.tell({}, waiting, method="GET")
    assert program.sessions == []
    for _ in range(2):
        program.tell({}, responses_answer("Rye.", id="resp_1", background=True), method="GET")
    assert program.lines() == ["user: Which dough?", "assistant: Rye."]


def test_the_same_conversation_of_responses_sent_whole_is_one(engine: Engine) -> None:
    program = Program(engine, "v1/responses")
    call = {"type": "function_call", "call_id": "c1", "name": "oven", "arguments": '{"on": true}'}
    program.tell({"input": "Heat it"}, responses_answer("", output=[call]))
    done = {"type": "function_call_output", "call_id": "c1", "output": "hot"}
    program.tell({"input": [{"role": "user", "content": "Heat it"}, call, done]}, responses_answer("Done."))
    assert program.lines() == ["user: Heat it", 'tool: oven({"on":true})', "tool: hot", "assistant: Done."]


@pytest.mark.parametrize(
    "more", [{"generate": False}, {"input": [{"type": "compaction_trigger"}, {"role": "user", "content": "x"}]}]
)
def test_warm_ups_and_compactions_of_responses_are_left_out(engine: Engine, more: Json) -> None:
    program = Program(engine, "v1/responses")
    assert (
        program.tell({"input": "Hi", **more}, responses_answer("Something")).said == "left out: a task of the program"
    )


def test_after_a_compaction_the_summary_is_kept_as_one(engine: Engine) -> None:
    program = Program(engine, "v1/messages", x_claude_code_session_id="s1")
    program.tell(chat("Which dough?"), claude_stream("Rye."))
    summary = "This session is being continued from a previous conversation that ran out of context. Rye dough."
    program.tell(
        chat({"role": "user", "content": [{"type": "text", "text": summary}, {"type": "text", "text": "How hot?"}]}),
        claude_stream("240."),
    )
    assert program.lines()[2:] == [f"system: {summary}", "user: How hot?", "assistant: 240."]
    assert program.turns()[-1].lines[0].speaker == "Summary"


def test_generate_of_ollama_goes_on_by_its_context(engine: Engine) -> None:
    program = Program(engine, "api/generate")
    said = {"model": "small", "response": "Rye.", "done": True, "context": [1, 2, 3]}
    program.tell({"model": "small", "prompt": "Which dough?"}, said)
    program.tell(
        {"model": "small", "prompt": "How hot?", "context": [1, 2, 3]},
        {**said, "response": "240.", "context": [1, 2, 3, 4]},
    )
    assert program.lines() == ["user: Which dough?", "assistant: Rye.", "user: How hot?", "assistant: 240."]
    assert program.tell({"model": "small", "prompt": ""}, {"done": True}).said == "left out: warm-up"


def test_roles_of_lines(engine: Engine) -> None:
    program = Program(engine)
    program.tell(chat("Hi"), chat_answer("Hello."))
    assert [line.role for line in program.turns()[0].lines] == [Role.USER, Role.ASSISTANT]
