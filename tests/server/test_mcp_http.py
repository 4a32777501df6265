"""MCP over HTTP with the real client: both eras, every tool, namespaces, narrowed sets, and what is refused."""

from __future__ import annotations

import asyncio
import json
import threading
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from mcp import Client, MCPError
from mcp_types import CallToolResult, ElicitResult

from pmg.base.model import Line, Role, Turn
from pmg.base.text import tokens
from pmg.base.times import parse
from pmg.connections.client_tokens import ClientTokens
from pmg.ingest.turns import SessionInput
from pmg.server.answers import Hits
from pmg.server.mcp.app import INSTRUCTIONS
from pmg.server.mcp.caller import READS, TOOLS
from tests.browser.conftest import Served
from tests.event_loop import run_apart
from tests.pmg.people.talk import session as talk
from tests.server.mcp_client import ERAS, over_http, text_of
from tests.tiers import one_fast


def call(served: Served, name: str, arguments: dict[str, Any], **options: Any) -> CallToolResult:
    async def use(client: Client) -> CallToolResult:
        return await client.call_tool(name, arguments)

    token = options.pop("token", served.token)
    found: CallToolResult = over_http(served.address, token, use, **options)
    return found


def said(served: Served, name: str, arguments: dict[str, Any], **options: Any) -> str:
    result = call(served, name, arguments, **options)
    assert not result.is_error, text_of(result)
    return text_of(result)


def refused(served: Served, name: str, arguments: dict[str, Any], **options: Any) -> str:
    result = call(served, name, arguments, **options)
    assert result.is_error
    return text_of(result)


@pytest.mark.parametrize("mode", one_fast(ERAS))
def test_what_one_call_remembers_the_next_recalls(served: Served, mode: str) -> None:
    namespace = {"path": f"/mcp/told-{mode}", "mode": mode}
    told = said(served, "remember", {"user": "the cat sees the vet on Tuesday", "assistant": "noted"}, **namespace)
    assert told.startswith("Remembered as seg_")
    found = call(served, "recall", {"query": "cat vet"}, **namespace)
    assert "the cat sees the vet on Tuesday" in text_of(found)
    assert [part.uri for part in found.content if part.type == "resource_link"] == [
        f"pmg://segment/{told.split()[-1].rstrip('.')}"
    ]
    assert said(served, "recall", {"query": "cat vet"}, path="/mcp/another", mode=mode).startswith("Nothing")


@pytest.mark.parametrize(
    "mode", one_fast(["legacy", "auto"])
)  # a client of the new era that does not ask is told no instructions
def test_the_tool_list_with_the_instructions_stays_small(served: Served, mode: str) -> None:
    async def use(client: Client) -> tuple[list[str], str, str]:
        listed = await client.list_tools()
        return [t.name for t in listed.tools], listed.model_dump_json(by_alias=True, exclude_none=True), client.instructions or ""  # fmt: skip

    names, listed, instructions = over_http(served.address, served.token, use, mode=mode)
    assert tuple(names) == TOOLS
    assert instructions == INSTRUCTIONS and len(INSTRUCTIONS.split()) <= 120
    assert tokens(listed + instructions) < 1_500


@pytest.mark.slow
def test_a_recall_stays_within_the_callers_budget(served: Served) -> None:
    for day in range(1, 25):
        user = f"the garden on day {day} " + "tomato seeds and water " * 20
        said(served, "remember", {"user": user, "when": f"2026-05-{day:02d}"}, path="/mcp/garden")
    for budget in (200, 600, 1_500):
        found = call(served, "recall", {"query": "garden tomato", "budget_tokens": budget}, path="/mcp/garden")
        sent = "".join(part.model_dump_json(by_alias=True, exclude_none=True) for part in found.content[1:])
        assert 0 < tokens(text_of(found)) + tokens(sent) <= budget


def test_a_note_is_said_by_the_person_and_its_source_is_who_told_it(served: Served) -> None:
    name = ClientTokens(served.home).make("My Laptop", "notes")
    told = said(served, "remember", {"text": "prefers tea", "session": "tastes"}, token=name, path="/mcp")
    assert told == "Remembered as seg_tastes_0."
    segment = served.engine.segment("seg_tastes_0")
    assert (segment.namespace, segment.source) == ("notes", "my-laptop")
    assert segment.lines[0] == Line("User", Role.USER, "prefers tea")


def test_remembering_and_recalling_do_not_wait_for_an_import(served: Served) -> None:
    with served.engine._memory.building:  # as an import or a re-embedding holds it
        said(served, "remember", {"user": "the bus is late"}, path="/mcp/busy")
        assert "the bus is late" in said(served, "recall", {"query": "bus"}, path="/mcp/busy")


def test_a_secret_that_comes_in_is_not_stored(served: Served) -> None:
    secret = "ghp_" + "aB3dE5fG7h" * 3 + "iJ9kLm"
    told = said(served, "remember", {"user": f"my key is {secret}", "session": "keys"}, path="/mcp/keys")
    assert secret not in served.engine.segment("seg_keys_0").text
    assert told == "Remembered as seg_keys_0. 1 secret in it was left out and not stored."
    again = {"text": f"{served.engine.segment('seg_keys_0').lines[0].text}, and {secret[:-3]}xYz", "session": "keys"}
    assert "1 secret in it was left out" in said(served, "remember", again, path="/mcp/keys")
    assert (
        said(served, "remember", {"text": "no key", "session": "keys"}, path="/mcp/keys") == "Remembered as seg_keys_2."
    )


def test_a_recall_can_be_kept_to_people_and_times(served: Served) -> None:
    told = [("Ana", "2026-03-01", "the garden gets tomato plants"), ("Ben", "2026-04-01", "the garden gets seeds"), ("Ana", "2026-05-01", "the garden has flowers")]  # fmt: skip
    turns = [Turn((Line(who, Role.PERSON, text),), parse(day)) for who, day, text in told]
    served.engine.ingest([SessionInput(turns, "Garden", id="plot", namespace="plot")])

    def found(**only: Any) -> list[str]:
        block = said(served, "recall", {"query": "garden", **only}, path="/mcp/plot")
        return [text for _, _, text in told if text in block]

    texts = [text for _, _, text in told]
    assert found() == texts
    assert found(people=["ana"]) == [texts[0], texts[2]] and found(people=["Ben", "Ana"]) == texts
    assert found(since="2026-03-15") == texts[1:] and found(until="2026-03-31") == texts[:1]
    assert found(people=["Ana"], since="2026-03-15", until="2026-12-31", budget_tokens=200) == [texts[2]]
    assert "Nobody called eve" in said(served, "recall", {"query": "garden", "people": ["Eve"]}, path="/mcp/plot")
    assert "is not a time" in refused(served, "recall", {"query": "garden", "since": "spring"}, path="/mcp/plot")
    receipt = said(served, "recall", {"query": "garden", "people": ["Ben"]}, path="/mcp/plot").split("receipt ")[1]
    assert "seg_plot_0" not in said(served, "fetch", {"id": receipt.split()[0]}, path="/mcp/plot")


@pytest.mark.parametrize("mode", one_fast(ERAS))
def test_a_call_that_takes_long_says_so_while_it_works(
    served: Served, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until the client has heard of it twice, the tool does not end."""
    heard: list[float] = []
    twice = threading.Event()

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(progress)
        if len(heard) == 2:
            twice.set()

    def slow(*_: object) -> Hits:
        assert twice.wait(60)
        return Hits((), "")

    monkeypatch.setattr("pmg.server.mcp.middleware.LONG", 0.05)
    monkeypatch.setattr("pmg.server.answers.search", slow)

    async def use(client: Client) -> CallToolResult:
        return await client.call_tool("search", {"query": "x"}, progress_callback=hear)

    assert text_of(over_http(served.address, served.token, use, mode=mode)) == '{"results": [], "text": ""}'
    assert heard[:2] == sorted(set(heard[:2]))
    unknown = call(served, "fetch", {"id": "nothing"}, mode=mode)
    assert unknown.is_error  # what goes wrong meanwhile is told as before


@pytest.mark.slow
def test_search_gives_ids_page_by_page_and_fetch_the_text(served: Served) -> None:
    namespace = {"path": "/mcp/pages"}
    for number in range(5):
        said(served, "remember", {"user": f"soup recipe number {number}", "session": f"soup-{number}"}, **namespace)
    first = json.loads(said(served, "search", {"query": "soup recipe", "limit": 3}, **namespace))
    rest = json.loads(
        said(served, "search", {"query": "soup recipe", "limit": 3, "cursor": first["cursor"]}, **namespace)
    )
    ids = [row["id"] for row in first["results"] + rest["results"]]
    assert sorted(ids) == [f"seg_soup-{number}_0" for number in range(5)] and "cursor" not in rest
    assert set(first["results"][0]) == {"id", "title", "url"}
    assert first["text"].startswith("<memory ") and first["text"].count("User: soup recipe number") == 3
    whole = json.loads(said(served, "fetch", {"id": ids[0]}, **namespace))
    assert set(whole) == {"id", "title", "text", "url", "metadata"}
    assert "soup recipe number" in whole["text"] and whole["text"].startswith("<memory ")
    assert "not of this search" in refused(served, "search", {"query": "bread", "cursor": first["cursor"]}, **namespace)
    assert "not of this search" in refused(served, "search", {"query": "soup recipe", "cursor": "7.x"}, **namespace)


@pytest.mark.slow
def test_fetch_gives_a_session_the_neighbours_of_a_turn_and_the_receipt(served: Served) -> None:
    namespace = {"path": "/mcp/talk"}
    for number in range(6):
        long = f"train leg {number}, then a long wait on the platform, a cold coffee and a book that was left behind in a carriage"
        said(served, "remember", {"user": long, "session": "trip"}, **namespace)
    whole = json.loads(said(served, "fetch", {"id": "trip"}, **namespace))
    assert whole["metadata"]["turns"] == "6" and all(f"train leg {n}" in whole["text"] for n in range(6))
    near = json.loads(said(served, "fetch", {"id": "seg_trip_3", "neighbours": 1}, **namespace))["text"]
    assert [n for n in range(6) if f"User: train leg {n}" in near] == [2, 3, 4]
    short = json.loads(said(served, "fetch", {"id": "trip", "budget_tokens": 200}, **namespace))
    assert tokens(short["text"]) <= 200 and short["metadata"]["next"].startswith("seg_trip_")
    receipt = said(served, "recall", {"query": "train"}, **namespace).split("receipt ")[1].split()[0]
    assert "found because" in said(served, "fetch", {"id": receipt}, **namespace)
    over_rest = httpx.get(
        f"{served.address}/api/v1/receipts/{receipt}",
        params={"namespace": namespace["path"].removeprefix("/mcp/")},
        headers={"authorization": f"Bearer {served.token}"},
    )
    assert over_rest.json()["found"]
    assert "There is no receipt" in refused(served, "fetch", {"id": receipt}, path="/mcp/elsewhere")


@pytest.mark.slow
def test_timeline_and_people_say_who_said_what_when(served: Served) -> None:
    namespace = {"path": "/mcp/when"}
    said(served, "remember", {"user": "moved to Graz", "assistant": "good", "when": "2025-01-10"}, **namespace)
    said(served, "remember", {"user": "moved to Linz", "when": "2026-02-10", "session": "later"}, **namespace)
    rows = said(served, "timeline", {"about": "moved"}, **namespace)
    assert rows.index("Graz") < rows.index("Linz")
    assert "Graz" not in said(served, "timeline", {"about": "moved", "since": "2026-01-01"}, **namespace)
    assert "Linz" in said(served, "timeline", {"since": "2026-01-01", "until": "2026-03-01"}, **namespace)
    assert "User" in said(served, "people", {}, **namespace)
    assert "good" not in said(served, "people", {"name": "user", "query": "moved"}, **namespace)
    assert "Nobody called Zara" in said(served, "people", {"name": "Zara"}, **namespace)


@pytest.mark.slow
def test_links_are_made_and_removed_in_one_namespace(served: Served) -> None:
    for name, path in (("a", "/mcp/links"), ("b", "/mcp/links"), ("c", "/mcp/other-links")):
        said(served, "remember", {"user": f"about {name}", "session": f"link-{name}"}, path=path)
    wish = {"source": "seg_link-a_0", "target": "seg_link-b_0", "type": "supports"}
    for keep, remove in ((False, True), ("false", "true"), ("False", " TRUE ")):
        said(served, "link", {**wish, "remove": keep}, path="/mcp/links")
        (edge,) = [e for e in served.engine.edges("seg_link-a_0") if e.kind.value == "supports"]
        assert edge.origin.value == "model"
        said(served, "link", {**wish, "remove": remove}, path="/mcp/links")
        assert not [e for e in served.engine.edges("seg_link-a_0") if e.kind.value == "supports"]
    assert "`remove` is a text: give true or false." in refused(
        served, "link", {**wish, "remove": "yes"}, path="/mcp/links"
    )
    assert "There is no segment" in refused(served, "link", {**wish, "target": "seg_link-c_0"}, path="/mcp/links")


@pytest.mark.parametrize("mode", one_fast(ERAS))
def test_forget_shows_first_and_acts_on_the_token(served: Served, mode: str) -> None:
    namespace = {"path": f"/mcp/gone-{mode}", "mode": mode}
    name = f"gone-{mode}"
    said(served, "remember", {"user": f"the plumber of {mode} comes", "session": name}, **namespace)
    wish = {"ids": [name]}
    shown = said(served, "forget", wish, **namespace)
    assert "plumber" in shown and served.engine.reads.segments_of(name)
    token = shown.split("token=")[1].strip()
    assert "token=" in said(served, "forget", {**wish, "token": "9999999999.0"}, **namespace)
    assert "There is no session" in refused(served, "forget", {**wish, "token": token}, path="/mcp/walls")
    assert served.engine.reads.segments_of(name)
    assert said(served, "forget", {**wish, "token": token}, **namespace).startswith("Forgotten")
    assert not served.engine.reads.segments_of(name)


@pytest.mark.parametrize("how", one_fast(["its token", "its address", "neither"]))
def test_who_stays_in_one_namespace_is_told_nothing_of_the_machine_when_it_forgets(served: Served, how: str) -> None:
    """The number of pieces that were looked for tells whether the same words stand in another namespace."""
    namespace = served.engine.config.namespace if how == "neither" else "alone"
    options = {"path": "/mcp/alone" if how == "its address" else "/mcp"}
    if how == "its token":
        options["token"] = ClientTokens(served.home).make(f"alone {how}", namespace)
    told = said(served, "remember", {"text": f"the spare heron of {how} sleeps under the roof"}, **options)
    wish = {"ids": [told.split()[-1].rstrip(".")]}
    token = said(served, "forget", wish, **options).rsplit("token=", 1)[1].split()[0]
    done = said(served, "forget", {**wish, "token": token}, **options)
    assert ("Looked for it in every file: no trace of it." in done) == (how != "neither")
    assert ("pieces of it" in done) == (how == "neither")


def test_forget_by_words_that_nobody_said_selects_nothing(served: Served) -> None:
    namespace = {"path": "/mcp/unsaid"}
    said(served, "remember", {"user": "the plumber comes on Friday", "session": "unsaid"}, **namespace)
    told = said(served, "forget", {"query": "plumber swordfish"}, **namespace)
    assert told.startswith("No turn here holds these words") and "token=" not in told
    assert "none of them selected" in told and "seg_unsaid_0" in told and "</memory" in told


@pytest.mark.slow
@pytest.mark.parametrize("agrees", one_fast([True, False]))
def test_a_client_that_can_ask_the_person_is_asked_to(served: Served, agrees: bool) -> None:
    namespace, name = {"path": "/mcp/asked"}, f"asked-{agrees}"
    said(served, "remember", {"user": f"the roof leaks {agrees}", "session": name}, **namespace)
    asked: list[str] = []

    async def answer(_: Any, params: Any) -> ElicitResult:
        asked.append(params.message)
        return ElicitResult(action="accept", content={"forget": agrees})

    told = said(served, "forget", {"ids": [name]}, mode="2026-07-28", elicitation_callback=answer, **namespace)
    assert len(asked) == 1 and "roof leaks" in asked[0]
    assert (not served.engine.reads.segments_of(name)) == agrees == told.startswith("Forgotten")


@pytest.mark.parametrize("mode", one_fast(ERAS))
def test_resources_and_prompts_stay_in_the_namespace(served: Served, mode: str) -> None:
    path = f"/mcp/read-{mode}"
    said(served, "remember", {"user": "the lamp is blue", "session": f"lamp-{mode}"}, path=path, mode=mode)

    async def use(client: Client) -> list[str]:
        assert [str(r.uri) for r in (await client.list_resources()).resources] == ["pmg://today"]
        uris = ("pmg://today", f"pmg://session/lamp-{mode}", f"pmg://segment/seg_lamp-{mode}_0")
        read = [await client.read_resource(uri) for uri in uris]
        asked = (
            ("with_memory", "question", "lamp"),
            ("continue", "session", f"lamp-{mode}"),
            ("what_changed", "topic", "lamp"),
        )
        given = [await client.get_prompt(name, {key: value}) for name, key, value in asked]
        return [one.contents[0].text for one in read] + [one.messages[0].content.text for one in given]

    texts = over_http(served.address, served.token, use, path=path, mode=mode)
    assert len(texts) == 6 and all("the lamp is blue" in text and "<memory " in text for text in texts)

    async def foreign(client: Client) -> None:
        await client.read_resource(f"pmg://session/lamp-{mode}")

    with pytest.raises(BaseException) as error:  # the client's task group wraps what the server said
        over_http(served.address, served.token, foreign, path="/mcp/not-there", mode=mode)
    assert "There is no session" in str(_innermost(error.value))


def _innermost(error: BaseException) -> BaseException:
    return _innermost(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


def test_a_narrowed_set_is_all_there_is(served: Served) -> None:
    async def names(client: Client) -> list[str]:
        return [tool.name for tool in (await client.list_tools()).tools]

    def listed(path: str, token: str = served.token) -> list[str]:
        found: list[str] = over_http(served.address, token, names, path=path)
        return found

    assert listed("/mcp?tools=recall,remember") == ["recall", "remember"]
    assert listed("/mcp?read_only=1") == [name for name in TOOLS if name in READS]
    assert listed("/mcp?read_only=1&tools=recall,remember") == ["recall"]
    reader = ClientTokens(served.home).make("reader", read_only=True)
    assert listed("/mcp", reader) == [name for name in TOOLS if name in READS]
    with pytest.raises(BaseException) as error:
        call(served, "remember", {"user": "x"}, token=reader)
    assert isinstance(_innermost(error.value), MCPError) and "Unknown tool" in str(_innermost(error.value))


def post(served: Served, body: bytes, path: str = "/mcp", **headers: str) -> httpx.Response:
    told = {"authorization": f"Bearer {served.token}", "content-type": "application/json",
            "accept": "application/json, text/event-stream", **headers}  # fmt: skip
    return httpx.post(served.address + path, content=body, headers=told, timeout=60)


def asked(name: str, arguments: dict[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}).encode()  # fmt: skip


def test_who_may_not_come_in_is_told_so(served: Served) -> None:
    body = asked("status", {})
    assert post(served, body, authorization="Bearer wrong").status_code == 401
    assert post(served, body, host="evil.example").status_code == 403
    assert post(served, body, origin="http://evil.example").status_code == 403
    assert post(served, body, "/mcp/no%20name").status_code == 400
    assert post(served, body, "/mcp?tools=nothing").status_code == 400
    assert httpx.get(served.address + "/mcp", headers={"authorization": f"Bearer {served.token}"}).status_code == 405
    let_in = httpx.get(served.url, follow_redirects=False).headers
    place, cookie = let_in["location"].rstrip("/"), let_in["set-cookie"].split(";")[0]
    for path, code in ((f"{place}/mcp", 403), ("/mcp", 401)):
        assert httpx.post(served.address + path, content=body, headers={"cookie": cookie}).status_code == code


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("readonly=1", "query.readonly is no parameter"),
        ("READ_ONLY=1", "query.READ_ONLY is no parameter"),
        ("namespace=work", "query.namespace is no parameter"),
        ("read_only=1&read_only=0", "query.read_only is given twice"),
        ("tools=recall&tools=remember", "query.tools is given twice"),
        ("read_only", "read_only= says nothing"),
        ("read_only=yep", "read_only=yep says nothing"),
        ("tools=", "tools= names no tool"),
        ("tools=,", "tools= names no tool"),
        ("tools=recall,rember", "There is no tool 'rember'"),
    ],
)
def test_a_misspelt_address_opens_nothing(served: Served, query: str, problem: str) -> None:
    for place in ("/mcp", "/mcp/misspelt"):
        answer = post(served, asked("remember", {"user": "the kettle is blue"}), f"{place}?{query}")
        assert answer.status_code == 400 and problem in answer.json()["error"], answer.text
    answer = post(served, b"{}", f"/hooks/codex?{query}")
    assert answer.status_code == 400 and problem in answer.json()["error"], answer.text
    if "no parameter" in problem or "twice" in problem:
        assert "Those it has: read_only, tools." in answer.json()["error"]
    assert "kettle" not in said(served, "timeline", {}) + said(served, "timeline", {}, path="/mcp/misspelt")


def test_a_clients_token_opens_its_namespace_and_nothing_else_until_it_is_revoked(served: Served) -> None:
    clients = ClientTokens(served.home)
    token = clients.make("work laptop", "work")
    known = {"authorization": f"Bearer {token}"}
    assert post(served, asked("status", {}), **known).status_code == 200
    assert post(served, asked("status", {}), "/mcp/work", **known).status_code == 200
    assert post(served, asked("status", {}), "/mcp/home", **known).status_code == 404
    assert httpx.get(served.address + "/api/sessions", headers=known).status_code == 401
    assert httpx.get(served.address + "/", headers=known).status_code == 401
    clients.revoke("work laptop")
    assert post(served, asked("status", {}), **known).status_code == 401


@pytest.mark.parametrize(
    "arguments",
    [{"query": ""}, {"query": "x", "budget_tokens": 10**9}, {"query": ["x"]}, {}, {"query": None}],
)
def test_bad_arguments_are_answered_with_a_sentence(served: Served, arguments: dict[str, Any]) -> None:
    assert refused(served, "recall", arguments)


def test_strange_bytes_are_an_error_or_kept_and_the_server_stays(served: Served) -> None:
    assert said(served, "remember", {"user": "a\0b", "session": "nul"}, path="/mcp/odd") == "Remembered as seg_nul_0."
    assert served.engine.segment("seg_nul_0").lines[0].text == "a\0b"
    surrogate = asked("remember", {"user": "MARK"}).replace(b"MARK", b"\\ud800")
    for body in (surrogate, b"{", b"\xff\xfe", b"[]", b"null", b"[" * 100_000):
        assert post(served, body, "/mcp/odd").status_code in (200, 400)
    assert post(served, asked("remember", {"user": "x" * 10_000_000}), "/mcp/odd").status_code == 413
    for name in ("seg_none_0", "../../etc/passwd", "a\0b", "x" * 100_000):
        assert "There is no" in refused(served, "fetch", {"id": name})
    assert json.loads(said(served, "status", {}))["version"]


def test_several_clients_at_once_lose_nothing(served: Served) -> None:
    """Both eras together, each telling and asking."""

    async def one(number: int) -> None:
        async def use(client: Client) -> None:
            for turn in range(3):
                arguments = {"user": f"crowd {number} says {turn}", "session": f"crowd-{number}"}
                assert not (await client.call_tool("remember", arguments)).is_error
                assert not (await client.call_tool("recall", {"query": f"crowd {number}"})).is_error

        await asyncio.to_thread(over_http, served.address, served.token, use, path="/mcp/crowd", mode=ERAS[number % 2])

    async def all_of_them() -> None:
        await asyncio.gather(*(one(number) for number in range(4)))

    run_apart(all_of_them())
    assert served.engine.counts("crowd").lines == 12


@pytest.mark.slow
def test_people_has_views_of_claims(served: Served) -> None:
    told = (("a", 5, "I live in Seattle. I bought two books."), ("b", 6, "I live in Austin. I bought a book."))
    for name, month, text in told:
        lines = ("John", text), ("Lena", "Nice.")
        at = datetime(2023, month, 8, 12, tzinfo=UTC)
        served.engine.ingest([talk(f"views-{name}", at, *lines, conversation=name, namespace="views")])
    served.engine.extract()

    namespace = {"path": "/mcp/views"}

    def people(view: str, **asked: object) -> str:
        return said(served, "people", {"name": "John", "view": view, **asked}, **namespace)

    located = people("timeline", query="location")
    assert "Seattle" in located and "b, 2023-06-08" in located
    assert "Where does John live? Seattle" in people("context", query="location", conversations=["a"])
    assert "one after the other" in people("compare", query="location", conversations=["a", "b"])
    assert "changed: John lives_in Seattle" in people("contradictions")
    assert "I bought a book." in people("ask", query="How many books did John buy?")
    compare = {"name": "John", "view": "compare", "query": "location"}
    assert "wants 2 in `conversations`" in refused(served, "people", compare, **namespace)
    assert "wants `query`" in refused(served, "people", {"name": "John", "view": "timeline"}, **namespace)
    assert "Nobody called 'Zara'" in refused(served, "people", {"name": "Zara", "view": "contradictions"}, **namespace)
    elsewhere = said(served, "people", {"view": "ask", "query": "Where does John live?"}, path="/mcp/elsewhere")
    assert "Seattle" not in elsewhere


@pytest.mark.slow
def test_a_recall_says_why_it_gives_nothing(served: Served) -> None:
    namespace = {"path": "/mcp/why-nothing"}
    said(served, "remember", {"user": "the Kestrel flies on Sunday", "when": "2026-03-01"}, **namespace)
    asked = {"query": "Kestrel"}
    small = said(served, "recall", {**asked, "budget_tokens": 60}, **namespace)
    assert small == "1 memory matches, but it does not fit into budget_tokens=60: give more."
    for budget in (-5, 1, 49):
        assert "give 50 to 1,000,000" in refused(served, "recall", {**asked, "budget_tokens": budget}, **namespace)
    nobody = said(served, "recall", {**asked, "people": ["Bob"]}, **namespace)
    assert "Nobody called bob speaks in this memory" in nobody and "User" in nobody
    backwards = {**asked, "since": "2026-03-02", "until": "2026-03-01"}
    assert "earlier time first" in refused(served, "recall", backwards, **namespace)
    assert "Kestrel" in said(served, "recall", {**asked, "since": "2026-03-01", "until": "2026-03-01"}, **namespace)


@pytest.mark.slow
def test_timeline_and_people_give_the_newest_and_say_how_to_see_the_rest(served: Served) -> None:
    turns = [Turn((Line("Ana", Role.PERSON, f"bread {n}."),), parse(f"2026-03-{n + 1:02d}")) for n in range(25)]
    served.engine.ingest([SessionInput(turns, id="many", namespace="many")])
    for tool, asked in (("timeline", {"since": "2026-03-01"}), ("people", {"name": "Ana"})):
        rows = said(served, tool, asked, path="/mcp/many")
        assert "seg_many_24" in rows and "seg_many_4 " not in rows
        assert rows.endswith(f"There are older ones: `{tool}` gives them with before=seg_many_5")
        older = said(served, tool, {**asked, "before": "seg_many_5"}, path="/mcp/many")
        assert all(f"seg_many_{n} " in older for n in range(5)) and "older ones" not in older


@pytest.mark.slow
def test_a_date_to_come_is_not_said_today(served: Served) -> None:
    said(served, "remember", {"user": "the bike is red"}, path="/mcp/mars")
    said(served, "remember", {"text": "In 2931 we move to Mars.", "when": "2931-01-01"}, path="/mcp/mars")

    async def use(client: Client) -> str:
        return "".join(part.text for part in (await client.read_resource("pmg://today")).contents)

    today = over_http(served.address, served.token, use, path="/mcp/mars")
    week = said(served, "timeline", {}, path="/mcp/mars")
    assert "bike" in today and "bike" in week and "Mars" not in today + week


@pytest.mark.slow
def test_a_session_is_fetched_by_the_name_it_was_told_under(served: Served) -> None:
    for namespace, text in (("camp-home", "the tent is green"), ("camp-work", "the train is late")):
        said(served, "remember", {"user": text, "session": "camping"}, path=f"/mcp/{namespace}")
    found = json.loads(said(served, "fetch", {"id": "camping"}, path="/mcp/camp-work"))
    assert "train" in found["text"] and "tent" not in found["text"]


@pytest.mark.parametrize(
    ("tool", "given", "answer"),
    [
        (
            "recall",
            {"words": "tea"},
            "`recall` has no `words`. It takes query, budget_tokens, people, since, until, project.",
        ),
        ("recall", {"query": "tea", "limit": 5}, "`recall` has no `limit`."),
        ("timeline", {"start": "2026-11-02", "end": "2026-11-03"}, "`timeline` has no `start`, `end`. It takes about,"),
        ("remember", {"text": "tea", "tags": ["x"]}, "`remember` has no `tags`."),
        ("recall", {}, "`recall` wants `query`."),
        ("recall", {"query": None}, "`recall` wants `query`."),
        ("recall", {"query": ["a long text " * 500]}, "`query` is a list: give a text."),
        ("recall", {"query": "tea", "budget_tokens": "many"}, "`budget_tokens` is a text: give a whole number."),
        ("recall", {"query": "tea", "people": [5]}, "`people` is a list with something else than texts in it"),
        ("people", {"view": "sideways"}, "`view` is none of said, ask, timeline,"),
        ("link", {"source": "a", "target": "b", "type": "likes"}, "`kind` is none of related_to,"),
        ("people", {"query": "what does he do?"}, "`query` wants the `name`"),
    ],
)
def test_wrong_arguments_are_told_in_plain_words(served: Served, tool: str, given: dict[str, Any], answer: str) -> None:
    told = refused(served, tool, given, path="/mcp/plain")
    assert told.startswith(answer) and len(told) < 250 and "pydantic" not in told


def test_a_former_name_is_taken_and_the_answer_says_how_it_is_called(served: Served) -> None:
    namespace = {"path": "/mcp/former"}
    said(served, "remember", {"user": "the tea is green", "session": "tea"}, **namespace)
    told = said(served, "recall", {"question": "green tea"}, **namespace)
    assert "the tea is green" in told and told.endswith("`question` is called `query` now.")
    assert "is called" not in said(served, "recall", {"query": "green tea"}, **namespace)
    assert "has no `question`" in refused(served, "recall", {"query": "tea", "question": "tea"}, **namespace)


@pytest.mark.slow
def test_null_is_left_out_and_one_text_is_a_list_of_one(served: Served) -> None:
    namespace = {"path": "/mcp/lenient"}
    said(served, "remember", {"user": "the tea is green", "when": None, "session": "tea"}, **namespace)
    for people in ("User", ["User"], '["User"]', None):
        asked = {"query": "green tea", "since": None, "people": people, "budget_tokens": "1500"}
        assert "the tea is green" in said(served, "recall", asked, **namespace)
    assert "segments" in said(served, "status", {"random_string": "dummy"}, **namespace)


@pytest.mark.slow
def test_the_owner_is_found_as_you_and_me(served: Served) -> None:
    namespace = {"path": "/mcp/owner"}
    said(
        served, "remember", {"user": "my tea is green", "assistant": "green tea, noted", "session": "tea"}, **namespace
    )
    said(served, "remember", {"assistant": "black tea is out", "session": "note"}, **namespace)
    for name in ("You", "me", "Me"):
        found = said(served, "recall", {"query": "tea", "people": [name]}, **namespace)
        assert "my tea is green" in found and "black tea" not in found
        assert "my tea is green" in said(served, "people", {"name": name}, **namespace)
        asked = said(served, "people", {"name": name, "query": "tea"}, **namespace)
        assert "User: my tea is green" in asked and "noted" not in asked


@pytest.mark.slow
def test_tools_are_not_among_those_who_speak(served: Served) -> None:
    lines = (
        Line("User", Role.USER, "look into it"),
        Line("Claude", Role.ASSISTANT, "done"),
        Line("Bash", Role.TOOL, "ls"),
    )
    noted = (*lines, Line("System", Role.SYSTEM, "compacted"), Line("Claude", Role.THINKING, "the user wants a queue"))
    served.engine.ingest([SessionInput([Turn(noted)], "Work", namespace="speak", id="speak")])
    for told in (
        said(served, "people", {}, path="/mcp/speak"),
        said(served, "recall", {"query": "queue", "people": ["Zara"]}, path="/mcp/speak"),
    ):
        assert {"Claude", "User"} <= set(told.split()) and not {"Bash", "System"} & set(told.split())
    assert "ls" in said(served, "people", {"name": "Bash"}, path="/mcp/speak")
    assert "Claude (thinking): the user wants a queue" in said(served, "fetch", {"id": "speak"}, path="/mcp/speak")


@pytest.mark.slow
def test_fetch_takes_every_address_and_label_that_other_tools_give(served: Served) -> None:
    namespace = {"path": "/mcp/addresses"}
    for number in range(3):
        said(served, "remember", {"user": f"green tea number {number}", "session": "tea"}, **namespace)
    (first, *_) = json.loads(said(served, "search", {"query": "green tea"}, **namespace))["results"]
    block = said(served, "recall", {"query": "green tea"}, **namespace)
    heading = next(line for line in block.splitlines() if line.startswith("["))
    names = [first["url"], "pmg://session/tea", heading.split()[0], heading.split()[0].strip("[]")]
    for name in names:
        assert "green tea number" in json.loads(said(served, "fetch", {"id": name}, **namespace))["text"]
    assert "no receipt 'rcpt_x'" in refused(served, "fetch", {"id": "rcpt_x"}, **namespace)
    for unknown in (names[-1].replace(":1", ":77"), "0" * 12 + ":1"):
        assert "no longer known" in refused(served, "fetch", {"id": unknown}, **namespace)
    assert "no longer known" in refused(served, "fetch", {"id": names[-1]}, path="/mcp/elsewhere")


@pytest.mark.slow
def test_the_last_week_is_up_to_today(served: Served) -> None:
    namespace = {"path": "/mcp/weeks"}
    assert said(served, "timeline", {}, **namespace) == "Nothing was said in that time."
    said(served, "remember", {"user": "old tea", "when": "2026-01-02", "session": "old"}, **namespace)
    told = said(served, "timeline", {}, **namespace)
    assert told == "Nothing was said in the last week. The newest is of 2026-01-02: name a time with `since`."
    said(served, "remember", {"user": "new tea", "session": "new"}, **namespace)
    told = said(served, "timeline", {}, **namespace)
    assert "new tea" in told and "old tea" not in told


def test_recall_says_when_nothing_clearly_bears_on_a_question(served: Served) -> None:
    namespace = {"path": "/mcp/bears"}
    said(served, "remember", {"user": "the garden has tomato seeds on every page of the plan"}, **namespace)
    assert said(served, "recall", {"query": "tomato seeds"}, **namespace).startswith("<memory ")
    far = said(served, "recall", {"query": "landing page css"}, **namespace)
    assert far.startswith("Nothing in this memory")


def test_a_wrong_token_is_told_and_one_is_one(served: Served) -> None:
    namespace = {"path": "/mcp/wrong-token"}
    for text in ("the deploy is on Friday", "the tea is green"):
        said(served, "remember", {"user": text, "session": "deploys"}, **namespace)
    asked = {"query": "deploy", "token": "bad"}
    told = said(served, "forget", asked, **namespace)
    assert told.startswith("This token is not of what would go now") and "token=" in told
    assert "1 segment," in told and "1 session that loses some turns" in told
