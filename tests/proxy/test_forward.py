"""What passes through the proxy passes as it is: bytes, status, headers, pauses and breaks."""

from __future__ import annotations

import gzip
import json
import socket
import sys
import threading
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import brotli
import httpx
import pytest
import zstandard

from pmg.proxy import capture, upstreams
from tests.browser.conftest import Served
from tests.proxy.conftest import Through
from tests.proxy.talks import chat, chat_answer, chat_stream, claude_answer, claude_stream
from tests.proxy.upstream_server import SentRequest, chunked, head, streamed, streamed_encoded, whole

KEY = "sk-" + "t3stK" * 6
ASKED = chat("Which dough?")


def raw_answer(url: str, body: bytes, *headers: str) -> bytes:
    """All bytes of the answer to a request on a connection of its own."""
    parts = urlsplit(url)
    lines = [
        f"POST {parts.path} HTTP/1.1",
        f"host: {parts.netloc}",
        "connection: close",
        f"content-length: {len(body)}",
    ]
    with socket.create_connection((parts.hostname or "", parts.port or 0), 30) as opened:
        opened.sendall("\r\n".join([*lines, *headers]).encode() + b"\r\n\r\n" + body)
        data = b""
        while piece := opened.recv(65_536):
            data += piece
    return data


def zstd(body: bytes) -> bytes:
    packed: bytes = zstandard.compress(body)
    return packed


def test_a_request_arrives_as_it_was_sent(through: Through) -> None:
    there = through(whole(chat_answer("Rye.")))
    body = json.dumps(ASKED, indent=3).encode()
    headers = {
        "authorization": f"Bearer {KEY}",
        "content-type": "application/json",
        "x-own": "a, b",
        "user-agent": "script/1",
    }
    httpx.post(f"{there.url}/chat/completions?api-version=2024-02-01&x=%2F%20a", content=body, headers=headers)
    (asked,) = there.upstream.asked
    assert (asked.method, asked.target) == ("POST", "/v1/chat/completions?api-version=2024-02-01&x=%2F%20a")
    assert asked.body == body
    for name, value in headers.items():
        assert asked.header(name) == value
    assert asked.header("host") == urlsplit(there.upstream.url).netloc
    assert [name for name, _ in asked.headers if name.lower() in ("transfer-encoding", "x-forwarded-for")] == []


def test_an_answer_comes_back_as_it_was_given(through: Through) -> None:
    body = b'{ "choices":[ ] ,"odd": "\\u00e9" }\n'
    there = through(whole(body, 201, "x-request-id: r1", "set-cookie: a=1", "set-cookie: b=2"))
    answer = httpx.post(f"{there.url}/chat/completions", json=ASKED)
    assert (answer.status_code, answer.content) == (201, body)
    assert answer.headers.get_list("set-cookie") == ["a=1", "b=2"]
    assert answer.headers["x-request-id"] == "r1"
    ours = {"content-security-policy", "x-frame-options", "cache-control", "server", "transfer-encoding"}
    assert not ours & set(answer.headers)
    assert len(answer.headers.get_list("date")) == 1


@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE", "OPTIONS", "PATCH"])
def test_everything_else_below_the_prefix_passes_too(through: Through, method: str) -> None:
    there = through(whole({"data": []}))
    assert httpx.request(method, f"{there.url}/models/a%2Fb").status_code == 200
    assert (there.upstream.asked[0].method, there.upstream.asked[0].target) == (method, "/v1/models/a%2Fb")
    assert there.said == []


def test_a_stream_passes_piece_by_piece_with_its_pauses(through: Through) -> None:
    go = threading.Event()

    def script(_: SentRequest) -> Iterator[bytes]:
        yield head(200, "text/event-stream", "transfer-encoding: chunked")
        pieces = chunked([chat_stream("Sour")[:300], chat_stream("Sour")[300:]])
        yield next(pieces)
        assert go.wait(60)
        yield from pieces

    there = through(script)
    with httpx.stream("POST", f"{there.url}/chat/completions", json=ASKED) as answer:
        pieces = answer.iter_raw()
        first = next(pieces)
        go.set()
        assert first + b"".join(pieces) == chat_stream("Sour")
    assert there.lines() == ["user: Which dough?", "assistant: Sour"]


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_a_compressed_answer_passes_compressed_and_is_read_beside(through: Through, encoding: str) -> None:
    body = chat_stream("Sour", "dough.")
    packed = {"gzip": gzip.compress, "deflate": zlib.compress, "br": brotli.compress, "zstd": zstd}[encoding](body)
    there = through(streamed_encoded(packed, encoding))
    with httpx.stream(
        "POST", f"{there.url}/chat/completions", json=ASKED, headers={"accept-encoding": encoding}
    ) as answer:
        raw = b"".join(answer.iter_raw())
    assert answer.headers["content-encoding"] == encoding
    assert raw == packed
    assert there.upstream.asked[0].header("accept-encoding") == encoding
    assert there.lines() == ["user: Which dough?", "assistant: Sourdough."]


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_a_compressed_request_passes_compressed_and_is_read_beside(through: Through, encoding: str) -> None:
    there = through(whole(chat_answer("Rye.")))
    packed = (gzip.compress if encoding == "gzip" else zstd)(json.dumps(ASKED).encode())
    httpx.post(f"{there.url}/chat/completions", content=packed, headers={"content-encoding": encoding})
    assert there.upstream.asked[0].body == packed
    assert there.lines() == ["user: Which dough?", "assistant: Rye."]


@pytest.mark.parametrize(
    ("status", "more"), [(429, ("retry-after: 7",)), (529, ()), (500, ()), (401, ()), (307, ("location: /elsewhere",))]
)
def test_a_refusal_of_the_upstream_comes_back_untouched(through: Through, status: int, more: tuple[str, ...]) -> None:
    there = through(whole({"error": {"message": "no"}}, status, *more))
    answer = httpx.post(f"{there.url}/chat/completions", json=ASKED)
    assert (answer.status_code, answer.json()) == (status, {"error": {"message": "no"}})
    assert answer.headers.get("retry-after") == ("7" if status == 429 else None)
    assert (there.said, there.sessions) == ([f"the upstream answered with {status}"], [])


def _cut_at(place: int) -> Any:
    stream = chat_stream("Rye.")
    return lambda _: [
        (head(200, "text/event-stream", "transfer-encoding: chunked") + b"".join(chunked([stream])))[:place]
    ]


def test_a_stream_that_is_cut_anywhere_is_cut_there_for_the_program_too(through: Through) -> None:
    there = through(_cut_at(0))
    start = len(head(200, "text/event-stream", "transfer-encoding: chunked"))
    end = start + len(b"".join(chunked([chat_stream("Rye.")])))
    for place in (0, 10, *range(start, end, 37), end - 1):
        there.upstream.script = _cut_at(place)
        direct, proxied = (_until_it_breaks(url) for url in (f"{there.upstream.url}/v1", there.url))
        assert (proxied == direct) or (direct[1] == 0 and proxied[1] == 502), place
    assert len(there.said) > 10


def _until_it_breaks(url: str) -> tuple[bytes, int, bool]:
    """The bytes that came, the status, and whether the end was told."""
    got = b""
    status = 0
    try:
        with httpx.stream("POST", f"{url}/chat/completions", json=ASKED) as answer:
            status = answer.status_code
            for piece in answer.iter_raw():
                got += piece
    except httpx.HTTPError:
        return got, status, False
    return (got, status, True) if status < 500 else (b"", status, True)


@pytest.mark.parametrize("length", [10_000, 5])
def test_a_wrong_content_length_is_passed_on_wrong(through: Through, length: int) -> None:
    body = json.dumps(chat_answer("Rye.")).encode()
    there = through(lambda _: [head(200, length=length) + body])
    assert _until_it_breaks(there.url) == _until_it_breaks(f"{there.upstream.url}/v1")


def test_a_slow_drip_is_passed_on_and_read(through: Through) -> None:
    stream = chat_stream("Rye.")
    there = through(streamed(*(stream[at : at + 1] for at in range(len(stream)))))
    assert httpx.post(f"{there.url}/chat/completions", json=ASKED).content == stream
    assert there.lines() == ["user: Which dough?", "assistant: Rye."]


def test_a_program_that_leaves_ends_the_call_and_what_came_is_kept(through: Through) -> None:
    def endless(_: SentRequest) -> Iterator[bytes]:
        yield head(200, "text/event-stream", "transfer-encoding: chunked")
        first, *_ = chunked([chat_stream("Sourdough")[:-120]])
        yield first
        while True:
            time.sleep(0.01)
            yield b"9\r\n: still\n\n\r\n"

    there = through(endless)
    with httpx.stream("POST", f"{there.url}/chat/completions", json=ASKED) as answer:
        next(answer.iter_raw())
    assert there.upstream.left.wait(30)
    there.settle()
    assert (there.lines(), there.marks()) == (["user: Which dough?", "assistant: Sourdough"], ["yes"])


def test_a_program_that_leaves_before_the_first_byte_ends_the_call_too(through: Through) -> None:
    def silent(_: SentRequest) -> Iterator[bytes]:
        for _ in range(3_000):
            time.sleep(0.01)
            yield b"HTTP/1.1 100 Continue\r\n\r\n"

    there = through(silent)
    with pytest.raises(httpx.ReadTimeout):
        httpx.post(f"{there.url}/chat/completions", json=ASKED, timeout=httpx.Timeout(60, read=2))
    assert there.upstream.left.wait(30)


def test_a_stream_without_end_costs_no_memory(through: Through, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capture, "MAX_ANSWER", 1 << 20)
    piece, times = chat_stream("x" * 60_000), 500
    there = through(streamed(*([piece] * times)))
    held, size = there.served.server.proxy.captures.held, 0
    with httpx.stream("POST", f"{there.url}/chat/completions", json=ASKED) as answer:
        for got in answer.iter_raw():
            size += len(got)
            assert held.held <= (1 << 20) + 10_000
    there.settle()
    assert (size, held.held) == (len(piece) * times, 0)
    assert there.marks() == ["yes"]


@pytest.mark.parametrize("limit", ["MAX_REQUEST", "held"])
def test_what_is_too_large_to_be_remembered_passes_whole(
    through: Through, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    there = through(whole(chat_answer("Rye.")))
    if limit == "held":
        monkeypatch.setattr(there.served.server.proxy.captures, "held", capture.HeldBytes(5_000))
    else:
        monkeypatch.setattr(capture, limit, 5_000)
    long = json.dumps(chat("Which dough? " * 1_000)).encode()
    assert httpx.post(f"{there.url}/chat/completions", content=long).status_code == 200
    there.settle()
    assert (there.upstream.asked[0].body, there.lines()) == (long, [])
    httpx.post(f"{there.url}/chat/completions", json=ASKED)
    there.settle()
    assert there.lines() == ["user: Which dough?", "assistant: Rye."]  # nothing of the long one is held any more


def test_a_capture_that_fails_breaks_no_answer(through: Through, monkeypatch: pytest.MonkeyPatch) -> None:
    there = through(whole(b"no JSON at all"))
    answer = httpx.post(f"{there.url}/chat/completions", content=b"nor this")
    assert (answer.status_code, answer.content) == (200, b"no JSON at all")
    assert there.said[0].startswith("not read")


def test_a_memory_that_is_stuck_does_not_hold_up_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capture, "MAX_WAITING", 1)
    captures, busy, go = capture.Captures(), threading.Event(), threading.Event()

    def stuck(_: capture.CapturedExchange) -> capture.Outcome:
        busy.set()
        go.wait(60)
        return capture.Outcome("")

    captures.start(stuck)
    for _ in range(2):
        captures.offer(captures.begin(upstreams.Upstream("a", "openai", "http://127.0.0.1:1"), "POST", "x", {}))
        assert busy.wait(60)
    ending = threading.Thread(target=captures.stop, args=(0.05,), daemon=True)
    ending.start()
    ending.join(30)
    assert not ending.is_alive()
    go.set()


def test_many_streams_at_once(through: Through) -> None:
    there = through(lambda asked: streamed(chat_stream(asked.json["messages"][0]["content"]))(asked))

    def ask(number: int) -> None:
        assert (
            str(number).encode() in httpx.post(f"{there.url}/chat/completions", json=chat(f"number {number}")).content
        )

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(100)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(120)
    assert sorted(there.lines()) == sorted(
        f"{role}: number {at}" for at in range(100) for role in ("user", "assistant")
    )


def test_paused_passes_and_remembers_nothing(through: Through) -> None:
    there = through(whole(chat_answer("Rye.")))
    upstreams.pause(there.served.home, there.name, True)
    assert httpx.post(f"{there.url}/chat/completions", json=ASKED).status_code == 200
    assert there.said == []
    upstreams.pause(there.served.home, there.name, False)
    httpx.post(f"{there.url}/chat/completions", json=ASKED)
    assert there.said == ["1 new turn"]


@pytest.mark.parametrize(
    ("kind", "shape"),
    [
        ("openai", lambda body: body["error"]["message"]),
        ("anthropic", lambda body: body["type"] == "error" and body["error"]["message"]),
        ("ollama", lambda body: body["error"]),
        ("gemini", lambda body: body["error"]["code"] == 502 and body["error"]["message"]),
    ],
)
def test_an_upstream_that_is_not_there_is_told_in_the_words_of_its_api(served: Served, kind: str, shape: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    upstreams.add(served.home, upstreams.checked(f"away-{kind}", kind, f"http://127.0.0.1:{port}"))
    answer = httpx.post(f"{served.address}/u/away-{kind}/v1/chat/completions?key={KEY}", json=ASKED)
    assert answer.status_code == 502
    assert shape(answer.json()).startswith(f"The upstream away-{kind} at http://127.0.0.1:{port} cannot be reached")
    assert KEY not in answer.text


@pytest.mark.parametrize("scheme", ["", "http://"])
def test_a_web_proxy_with_and_without_its_scheme(
    through: Through, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    there = through(whole(chat_answer("Rye.")))
    name = f"far{len(scheme)}"
    upstreams.add(there.served.home, upstreams.checked(name, "openai", f"http://{name}.example/v1"))
    monkeypatch.setenv("http_proxy", scheme + urlsplit(there.upstream.url).netloc)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    answer = httpx.post(f"{there.served.address}/u/{name}/chat/completions", json=ASKED)
    assert (answer.status_code, answer.json()) == (200, chat_answer("Rye."))
    assert there.upstream.asked[0].target == f"http://{name}.example/v1/chat/completions"


@pytest.mark.parametrize("proxy", ["gopher://me:word@127.0.0.1:1", "http://127.0.0.1:no", "socks5://127.0.0.1:1"])
def test_a_web_proxy_that_cannot_be_used_is_told(served: Served, monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    name = f"blocked{len(proxy)}"
    upstreams.add(served.home, upstreams.checked(name, "anthropic", f"http://{name}.example"))
    monkeypatch.setenv("http_proxy", proxy)
    monkeypatch.setitem(sys.modules, "socksio", None)  # it may be installed
    answer = httpx.post(f"{served.address}/u/{name}/v1/messages", json=ASKED, trust_env=False)
    assert answer.status_code == 502
    assert "http_proxy" in answer.json()["error"]["message"] and "word" not in answer.text


def test_an_unknown_name_is_told(served: Served) -> None:
    answer = httpx.post(f"{served.address}/u/nobody/v1/chat/completions", json=ASKED)
    assert answer.status_code == 404
    assert "There is no upstream 'nobody'" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "OWN"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"},
        {"sec-fetch-site": "same-origin"},
        {"sec-fetch-site": "none", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"},
        {"host": "evil.example"},
    ],
)
def test_a_page_of_a_browser_cannot_use_it(through: Through, headers: dict[str, str]) -> None:
    there = through(whole(chat_answer("Rye.")))
    given = {name: there.served.address if value == "OWN" else value for name, value in headers.items()}
    answer = httpx.post(f"{there.url}/chat/completions", json=ASKED, headers=given)
    assert (answer.status_code, there.upstream.asked) == (403, [])
    assert "The proxy is for programs" in answer.text  # and not what a page of another memory is told
    assert "access-control-allow-origin" not in answer.headers


def test_node_says_how_it_fetches_and_is_no_browser(through: Through) -> None:
    there = through(whole(chat_answer("Rye.")))
    assert (
        httpx.post(f"{there.url}/chat/completions", json=ASKED, headers={"sec-fetch-mode": "cors"}).status_code == 200
    )


def test_a_socket_is_refused_so_that_programs_use_http(through: Through) -> None:
    there = through(whole(chat_answer("Rye.")))
    wish = {
        "connection": "Upgrade",
        "upgrade": "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    assert httpx.get(f"{there.url}/responses", headers=wish).status_code == 403
    assert there.upstream.asked == []


def test_the_upstreams_token_opens_nothing_of_ours(through: Through) -> None:
    there = through(whole(chat_answer("Rye.")))
    assert (
        httpx.get(f"{there.served.address}/api/v1/sessions", headers={"authorization": f"Bearer {KEY}"}).status_code
        == 401
    )
    assert httpx.get(f"{there.served.address}/u/../api/v1/sessions").status_code in (401, 404)


def test_keys_are_nowhere(through: Through) -> None:
    there = through(whole(claude_answer({"type": "text", "text": "Rye."})), "anthropic", "")
    headers = {
        "authorization": f"Bearer {KEY}",
        "x-api-key": KEY,
        "cookie": f"k={KEY}",
        "x-goog-api-key": KEY,
        "chatgpt-account-id": KEY,
    }
    httpx.post(f"{there.url}/v1/messages?key={KEY}", json=ASKED, headers=headers)
    assert there.lines() == ["user: Which dough?", "assistant: Rye."]
    assert f"key={KEY}" in there.upstream.asked[0].target
    assert str(there.served.server.proxy.captures.last()).find(KEY) < 0
    files = [file for file in Path(there.served.home).rglob("*") if file.is_file()]
    assert files and all(KEY.encode() not in file.read_bytes() for file in files)


def test_it_is_off_until_an_upstream_is_added(tmp_path: Path) -> None:
    assert upstreams.Upstreams(tmp_path).all() == ()


def test_a_broken_config_leaves_the_upstreams_as_they_were(tmp_path: Path) -> None:
    upstreams.add(tmp_path, upstreams.checked("a", "openai", "http://127.0.0.1:1"))
    known = upstreams.Upstreams(tmp_path)
    assert [one.name for one in known.all()] == ["a"]
    (tmp_path / "config.toml").write_text("[proxy\n")
    assert [one.name for one in known.all()] == ["a"]


def test_claude_over_the_wire(through: Through) -> None:
    there = through(streamed(claude_stream("Sour", "dough.", thinking="rye?")), "anthropic", "")
    raw = raw_answer(f"{there.url}/v1/messages", json.dumps(ASKED).encode(), "x-claude-code-session-id: s1")
    assert b"event: message_start" in raw
    assert there.lines() == ["user: Which dough?", "thinking: rye?", "assistant: Sourdough."]
    assert httpx.post(f"{there.url}/v1/messages/count_tokens", json=ASKED).status_code == 200
    assert len(there.said) == 1
