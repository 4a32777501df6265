"""The programs' own libraries, against an upstream that answers like the real one: they notice nothing, and all is remembered."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from tests.proxy.conftest import Proxied, Through
from tests.proxy.talks import (
    chat_answer,
    chat_stream,
    claude_answer,
    claude_events,
    claude_stream,
    gemini_answer,
    gemini_events,
    ollama_lines,
    responses_answer,
    responses_stream,
)
from tests.proxy.upstream_server import Script, SentRequest, head, sse, streamed, whole

KEY = "sk-" + "t3stK" * 6
TURN = ["user: Which dough?", "assistant: Sourdough."]
PIECES = ("Sour", "dough.")


def either(plain: Any, stream: bytes, kind: str = "text/event-stream") -> Script:
    """Streamed where the request or its address asks for it."""

    def script(asked: SentRequest) -> Any:
        wanted = asked.json.get("stream", kind == "application/x-ndjson") or "alt=sse" in asked.target
        return (streamed(stream[:90], stream[90:], kind=kind) if wanted else whole(plain))(asked)

    return script


def refusing_once(then: Script, status: int) -> Script:
    """The first request is refused, as a server does that has too much to do."""
    tries: list[int] = []

    def script(asked: SentRequest) -> Any:
        tries.append(1)
        if len(tries) == 1:
            return whole(
                {"type": "error", "error": {"type": "overloaded_error", "message": "later"}}, status, "retry-after: 0"
            )(asked)
        return then(asked)

    return script


def remembered(there: Proxied) -> list[str]:
    return [line for line in there.lines() if line]


CHAT = either(chat_answer("Sourdough."), chat_stream(*PIECES))
RESPONSES = either(responses_answer("Sourdough."), responses_stream(*PIECES))
CLAUDE = either(claude_answer({"type": "text", "text": "Sourdough."}), claude_stream(*PIECES))
OLLAMA = either({"model": "small", "created_at": "2026-11-19T10:00:00Z", "message": {"role": "assistant", "content": "Sourdough."}, "done": True},
                ollama_lines(*PIECES), "application/x-ndjson")  # fmt: skip
GEMINI = either(gemini_answer("Sourdough."), sse(gemini_events(*PIECES)))
ASKED: list[Any] = [{"role": "user", "content": "Which dough?"}]


@pytest.mark.parametrize("stream", [False, True])
def test_openai_chat(through: Through, stream: bool) -> None:
    import openai

    there = through(refusing_once(CHAT, 429))
    client = openai.OpenAI(base_url=there.url, api_key=KEY)
    answer = client.chat.completions.create(model="small", messages=ASKED, stream=stream)
    text = (
        "".join(one.choices[0].delta.content or "" for one in answer if one.choices)
        if stream
        else answer.choices[0].message.content
    )
    assert (text, remembered(there)) == ("Sourdough.", TURN)
    assert there.upstream.asked[-1].header("authorization") == f"Bearer {KEY}"


@pytest.mark.parametrize("stream", [False, True])
def test_openai_responses(through: Through, stream: bool) -> None:
    import openai

    there = through(refusing_once(RESPONSES, 503))
    client = openai.OpenAI(base_url=there.url, api_key=KEY)
    answer = client.responses.create(model="small", input="Which dough?", stream=stream)
    text = (
        "".join(one.delta for one in answer if one.type == "response.output_text.delta")
        if stream
        else answer.output_text
    )
    assert (text, remembered(there)) == ("Sourdough.", TURN)


@pytest.mark.parametrize("stream", [False, True])
def test_anthropic(through: Through, stream: bool) -> None:
    import anthropic

    there = through(refusing_once(CLAUDE, 529), "anthropic", "")
    client = anthropic.Anthropic(base_url=there.url, api_key=KEY)
    if stream:
        with client.messages.stream(model="claude-1", max_tokens=100, messages=ASKED) as answer:
            text = "".join(answer.text_stream)
    else:
        text = client.messages.create(model="claude-1", max_tokens=100, messages=ASKED).content[0].text
    assert (text, remembered(there)) == ("Sourdough.", TURN)
    assert KEY in there.upstream.asked[-1].header("authorization") + there.upstream.asked[-1].header("x-api-key")


def test_anthropic_sees_an_error_inside_a_stream(through: Through) -> None:
    import anthropic

    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    there = through(streamed(sse([*claude_events(*PIECES, done=False), error], named=True)), "anthropic", "")
    client = anthropic.Anthropic(base_url=there.url, api_key=KEY)
    with (
        pytest.raises(anthropic.APIStatusError),
        client.messages.stream(model="c", max_tokens=100, messages=ASKED) as answer,
    ):
        list(answer)


@pytest.mark.parametrize("stream", [False, True])
def test_ollama(through: Through, stream: bool) -> None:
    import ollama

    there = through(OLLAMA, "ollama", "")
    answer = ollama.Client(host=there.url).chat(model="small", messages=ASKED, stream=stream)
    text = "".join(one.message.content for one in answer) if stream else answer.message.content
    assert (text, remembered(there)) == ("Sourdough.", TURN)


@pytest.mark.parametrize("stream", [False, True])
def test_google_genai(through: Through, stream: bool) -> None:
    from google import genai

    there = through(GEMINI, "gemini", "")
    client = genai.Client(api_key=KEY, http_options={"base_url": there.url})
    if stream:
        text = "".join(
            one.text for one in client.models.generate_content_stream(model="gemini-1", contents="Which dough?")
        )
    else:
        text = client.models.generate_content(model="gemini-1", contents="Which dough?").text
    assert (text, remembered(there)) == ("Sourdough.", TURN)
    assert there.upstream.asked[-1].header("x-goog-api-key") == KEY


def test_openai_reads_a_compressed_answer(through: Through) -> None:
    import openai

    body = gzip.compress(json.dumps(chat_answer("Sourdough.")).encode())
    there = through(lambda _: [head(200, "application/json", "content-encoding: gzip", length=len(body)) + body])
    answer = openai.OpenAI(base_url=there.url, api_key=KEY).chat.completions.create(model="small", messages=ASKED)
    assert (answer.choices[0].message.content, remembered(there)) == ("Sourdough.", TURN)
