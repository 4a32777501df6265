"""The responder that asks a server: what it sends, what it makes of a stream, and what it says when something is wrong."""

from __future__ import annotations

import gzip
import json
import socket
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any

import httpx
import pytest

from pmg.base.errors import ChatUnavailable, ConfigError
from pmg.chat import connect
from pmg.chat.openai import OpenAI
from pmg.chat.responder import ChatRequest
from pmg.chat.server_address import address_of
from pmg.config import ChatConfig
from tests.chat_server import raw, refuse, serving, stream

ASK = ChatRequest("What dose does Biscuit get?", None, (), "default")


def responder(base_url: str, key: str = "", **settings: object) -> OpenAI:
    return OpenAI(ChatConfig(responder="openai", base_url=base_url, **settings), lambda: key)  # type: ignore[arg-type]


def test_a_stream_grows_to_the_whole_answer() -> None:
    with serving(stream("2.5 mg ", "twice ", "a day.")) as server:
        texts = [answer.text for answer in responder(server.base_url, model="m").answer(ASK)]
    assert texts == ["2.5 mg ", "2.5 mg twice ", "2.5 mg twice a day."]
    assert server.asked[0]["model"] == "m" and server.asked[0]["stream"] is True


def test_pieces_arrive_before_the_answer_is_whole() -> None:
    gate = threading.Event()
    with serving(stream("first ", "second", wait=gate)) as server:
        coming = responder(server.base_url, model="m").answer(ASK)
        assert next(coming).text == "first "
        gate.set()
        assert [answer.text for answer in coming] == ["first second"]


def test_without_a_model_name_the_first_listed_is_taken() -> None:
    with serving(stream("yes")) as server:
        list(responder(server.base_url).answer(ASK))
    assert server.asked[0]["model"] == "first"


def test_a_server_without_models_is_told() -> None:
    with serving(stream("yes"), models=()) as server, pytest.raises(ChatUnavailable, match="lists no model"):
        list(responder(server.base_url).answer(ASK))


def test_the_key_goes_into_the_header_and_nowhere_else() -> None:
    key = "k" * 12
    with serving(stream("yes")) as server:
        list(responder(server.base_url, key, model="m").answer(ASK))
    assert server.headers[0]["Authorization"] == f"Bearer {key}"
    assert key not in server.sent_text


def test_without_a_key_no_authorization_is_sent() -> None:
    with serving(stream("yes")) as server:
        list(responder(server.base_url, model="m").answer(ASK))
    assert "Authorization" not in server.headers[0]


@pytest.mark.parametrize(
    ("status", "said"),
    [(401, "does not accept the key"), (403, "does not accept the key"), (404, "knows neither m nor"), (429, "refuses for now"), (500, "error \\(500\\)")],
)  # fmt: skip
def test_a_refusal_says_what_to_do(status: int, said: str) -> None:
    with (
        serving(refuse(status, "the server's own words")) as server,
        pytest.raises(ChatUnavailable, match=said) as caught,
    ):
        list(responder(server.base_url, model="m").answer(ASK))
    assert "the server's own words" in str(caught.value)


def test_no_answer_is_left_open_whether_it_refuses_breaks_off_or_is_no_longer_listened_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[httpx.Response] = []
    sent = httpx.Client.send

    def noted(client: httpx.Client, request: httpx.Request, **options: Any) -> httpx.Response:
        seen.append(sent(client, request, **options))
        return seen[-1]

    monkeypatch.setattr(httpx.Client, "send", noted)
    for script in (refuse(404), stream("half", done=False), raw(b"data: {\n\n" * 9, "text/event-stream")):
        with serving(script) as server, pytest.raises(ChatUnavailable):
            list(responder(server.base_url, model="m").answer(ASK))
    with serving(stream("one", "two", "three")) as server:
        coming = responder(server.base_url, model="m").answer(ASK)
        next(coming)
        del coming
    assert [response.is_closed for response in seen] == [True] * 4


def test_a_redirect_is_not_followed() -> None:
    with (
        serving(stream("stolen")) as elsewhere,
        serving(refuse(307, "", elsewhere.base_url)) as server,
        pytest.raises(ChatUnavailable, match="points elsewhere"),
    ):
        list(responder(server.base_url, model="m").answer(ASK))
    assert not elsewhere.asked


def test_nobody_listening_is_told_with_the_address() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    with pytest.raises(ChatUnavailable, match="cannot be reached") as caught:
        list(responder(base, model="m").answer(ASK))
    assert base in str(caught.value)


def test_silence_is_given_up_after_the_configured_time() -> None:
    gate = threading.Event()
    with serving(stream("a", "b", wait=gate)) as server:
        coming = responder(server.base_url, model="m", timeout_seconds=1.0).answer(ASK)
        assert next(coming).text == "a"
        with pytest.raises(ChatUnavailable, match="silent for 1 s"):
            next(coming)
        gate.set()


def test_a_stream_that_breaks_off_is_told_after_what_came() -> None:
    with serving(stream("half an ans", done=False)) as server:
        coming = responder(server.base_url, model="m").answer(ASK)
        assert next(coming).text == "half an ans"
        with pytest.raises(ChatUnavailable, match="stopped in the middle"):
            next(coming)


def test_an_error_inside_the_stream_is_told() -> None:
    body = b'data: {"error": {"message": "out of memory"}}\n\n'
    with serving(raw(body, "text/event-stream")) as server, pytest.raises(ChatUnavailable, match="out of memory"):
        list(responder(server.base_url, model="m").answer(ASK))


def test_a_connection_that_ends_half_way_is_not_told_as_a_server_that_is_not_there() -> None:
    def half(handler: BaseHTTPRequestHandler, _body: dict[str, Any]) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Content-Length", "5000")
        handler.end_headers()
        handler.wfile.write(b'data: {"choices": [{"delta": {"content": "half"}}]}\n\n')

    with serving(half) as server:
        coming = responder(server.base_url, model="m").answer(ASK)
        assert next(coming).text == "half"
        with pytest.raises(ChatUnavailable, match="stopped in the middle") as caught:
            next(coming)
    assert "Is the server running" not in str(caught.value)


def test_what_is_no_answer_is_told_with_the_address_and_a_spoilt_one_without() -> None:
    for body, said, address in ((b"data: <html>\n\n", "not an answer", True), (b"data: {\n\n", "spoilt", False)):
        with (
            serving(raw(body, "text/event-stream")) as server,
            pytest.raises(ChatUnavailable, match=said) as caught,
        ):
            list(responder(server.base_url, model="m").answer(ASK))
        assert ("address of the server" in str(caught.value)) is address


@pytest.mark.parametrize(
    ("status", "field"), [(401, "the key"), (404, "the model"), (404, "the address of the server")]
)
def test_a_message_names_a_setting_as_the_page_does(status: int, field: str) -> None:
    with serving(refuse(status)) as server, pytest.raises(ChatUnavailable, match=f"Check .*{field} "):
        list(responder(server.base_url, model="m").answer(ASK))


def test_an_empty_answer_is_told() -> None:
    with serving(stream()) as server, pytest.raises(ChatUnavailable, match="nothing"):
        list(responder(server.base_url, model="m").answer(ASK))


def test_a_whole_answer_is_taken_where_a_server_does_not_stream() -> None:
    body = json.dumps({"choices": [{"message": {"role": "assistant", "content": "whole"}}]}).encode()
    with serving(raw(body, "application/json")) as server:
        assert [answer.text for answer in responder(server.base_url, model="m").answer(ASK)] == ["whole"]


def test_a_proxy_of_the_environment_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(stream("direct")) as server, serving(stream("through the proxy")) as proxy:
        monkeypatch.setenv("http_proxy", proxy.base_url)
        monkeypatch.setenv("HTTP_PROXY", proxy.base_url)
        assert [a.text for a in responder(server.base_url, model="m").answer(ASK)] == ["direct"]
    assert not proxy.asked


def test_a_line_without_an_end_is_given_up_before_it_fills_the_memory() -> None:
    body = b"data: " + b"x" * (connect.MAX_LINE_BYTES + 200_000)
    with (
        serving(raw(body, "text/event-stream")) as server,
        pytest.raises(ChatUnavailable, match="stopped in the middle"),
    ):
        list(responder(server.base_url, model="m").answer(ASK))


def test_a_stream_of_another_type_is_still_read_as_one() -> None:
    body = b'data: {"choices": [{"delta": {"content": "y\xc3\xa9s"}, "finish_reason": "stop"}]}\n\n'
    with serving(raw(body, "text/plain; charset=latin-1")) as server:
        assert [answer.text for answer in responder(server.base_url, model="m").answer(ASK)] == ["yés"]


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
def test_a_compressed_answer_is_neither_asked_for_nor_unfolded(kind: str) -> None:
    body = gzip.compress(b'data: {"choices": [{"message": {"content": "unfolded"}, "finish_reason": "stop"}]}\n\n')
    with serving(raw(body, kind, "gzip")) as server, pytest.raises(ChatUnavailable, match=r"not an answer|stopped"):
        list(responder(server.base_url, model="m").answer(ASK))
    assert server.headers[0]["Accept-Encoding"] == "identity"


def test_a_server_that_speaks_no_tls_is_told_as_such() -> None:
    with serving(stream("yes")) as server, pytest.raises(ChatUnavailable, match="No safe connection"):
        list(responder(server.base_url.replace("http:", "https:"), model="m").answer(ASK))


@pytest.mark.parametrize(
    "base",
    ["", "ftp://x/v1", "127.0.0.1:11434", "http://", "http://me:secret@host/v1", "http://host/v1?key=1", "http://h:p/"],
)
def test_an_address_that_cannot_be_one_is_refused(base: str) -> None:
    with pytest.raises(ConfigError, match="base_url"):
        address_of(base)


@pytest.mark.parametrize(
    ("base", "leaves"),
    [("http://127.0.0.1:1/v1", False), ("http://localhost:1/v1", False), ("http://[::1]:1/v1", False), ("http://192.168.1.5/v1", True), ("https://api.example.org/v1", True)],
)  # fmt: skip
def test_the_page_is_told_where_text_goes(base: str, leaves: bool) -> None:
    asked = responder(base)
    assert asked.leaves is leaves
    assert ("are sent to" in asked.where) is leaves


def whole(text: str, finish: object) -> bytes:
    return json.dumps({"choices": [{"message": {"content": text}, "finish_reason": finish}]}).encode()


def streamed(text: str, finish: object) -> bytes:
    chunks = [{"delta": {"content": text}}, {"delta": {}, "finish_reason": finish}]
    rows = [json.dumps({"choices": [chunk]}) for chunk in chunks]
    return "".join(f"data: {row}\n\n" for row in (*rows, "[DONE]")).encode()


@pytest.mark.parametrize(
    ("finish", "told"),
    [
        ("length", "the most that it may write"),
        ("MAX_TOKENS", "the most that it may write"),
        ("content_filter", "filter"),
        ("tool_calls", "tool"),
        ("function_call", "tool"),
        ("abort", "gave up"),
    ],
)
@pytest.mark.parametrize(("made", "kind"), [(whole, "application/json"), (streamed, "text/event-stream")])
def test_an_answer_that_its_server_ended_early_is_given_and_not_called_whole(
    finish: str, told: str, made: Callable[[str, str], bytes], kind: str
) -> None:
    came = []
    with serving(raw(made("Anna lives in", finish), kind)) as server, pytest.raises(ChatUnavailable, match=told):
        came += [answer.text for answer in responder(server.base_url, model="m").answer(ASK)]
    with serving(raw(made("Anna lives in Graz.", "stop"), kind)) as server:
        assert [one.text for one in responder(server.base_url, model="m").answer(ASK)] == ["Anna lives in Graz."]


def test_what_a_model_thinks_aloud_and_blanks_are_no_answer() -> None:
    with serving(stream("<think>Paris?", "</think>", "\n\nGraz.")) as server:
        assert [one.text for one in responder(server.base_url, model="m").answer(ASK)] == ["Graz."]
    for nothing, told in (
        ("<think>Paris?", "thought and then answered with nothing"),
        (" \n", "answered with nothing"),
    ):
        with serving(stream(nothing)) as server, pytest.raises(ChatUnavailable, match=told):
            assert not list(responder(server.base_url, model="m").answer(ASK))


def test_a_heading_copied_whole_is_its_number() -> None:
    with serving(stream("It was 184 euros [f0d0ae7a03bc:1].")) as server:
        assert [one.text for one in responder(server.base_url, model="m").answer(ASK)] == ["It was 184 euros [1]."]


@pytest.mark.parametrize("finish", ["stop", "eos", "end_turn", "load", ["odd"]])
@pytest.mark.parametrize(("made", "kind"), [(whole, "application/json"), (streamed, "text/event-stream")])
def test_another_word_for_the_end_of_an_answer_is_its_end(
    made: Callable[[str, object], bytes], kind: str, finish: object
) -> None:
    with serving(raw(made("Graz.", finish), kind)) as server:
        assert [one.text for one in responder(server.base_url, model="m").answer(ASK)] == ["Graz."]


def test_the_version_in_an_address_of_azure_follows_the_path_and_the_key_has_a_header_of_its_own() -> None:
    address = address_of("https://mine.openai.azure.com/openai/deployments/four/?api-version=2024-02-01-preview")
    assert address.place == "https://mine.openai.azure.com:443/openai/deployments/four"
    assert address.url("/chat/completions") == f"{address.place}/chat/completions?api-version=2024-02-01-preview"
    key = "k" * 12
    with serving(stream("Graz.")) as server:
        list(responder(f"{server.base_url}?api-version=2024-02-01", key, model="m").answer(ASK))
    assert server.headers[0]["api-key"] == key and "Authorization" not in server.headers[0]
