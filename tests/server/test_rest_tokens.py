"""REST with a client's own token: its namespace, reading only, and the moment it is taken back. And the one shape of every error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import httpx
import pytest

from pmg.base import errors
from pmg.base.errors import PmgError
from pmg.connections.client_tokens import ClientTokens
from tests.browser.conftest import Served

V1 = "/api/v1"


def with_token(served: Served, token: str) -> httpx.Client:
    return httpx.Client(base_url=served.address, headers={"authorization": f"Bearer {token}"}, timeout=60)


@pytest.fixture
def work(served: Served) -> Iterator[httpx.Client]:
    """A program that may read and write in one namespace."""
    with with_token(served, ClientTokens(served.home).make("Work Laptop", "work")) as client:
        yield client
    ClientTokens(served.home).revoke("Work Laptop")


@pytest.fixture
def reader(served: Served) -> Iterator[httpx.Client]:
    with with_token(served, ClientTokens(served.home).make("reader", read_only=True)) as client:
        yield client
    ClientTokens(served.home).revoke("reader")


def operations(api: httpx.Client) -> list[tuple[str, str]]:
    described = api.get(f"{V1}/openapi.json").json()
    return [(method.upper(), path) for path, there in described["paths"].items() for method in there]


def test_a_token_tells_and_asks_in_its_own_namespace_and_is_the_source(served: Served, work: httpx.Client) -> None:
    told = work.post(f"{V1}/remember", json={"user": "the cat sees the vet", "session": "w1", "source": "someone else"})
    assert told.json() == {"segment": "seg_w1_0", "session": "w1"}
    found = served.engine.reads.session("w1")
    assert found is not None and (found.namespace, found.source) == ("work", "work-laptop")
    assert "the cat sees the vet" in work.post(f"{V1}/recall", json={"query": "cat"}).json()["context"]
    assert work.get(f"{V1}/status", params={"namespace": "work"}).json()["namespace"] == "work"


def test_a_token_of_one_namespace_is_told_nothing_of_the_machine_when_it_forgets(
    served: Served, api: httpx.Client, work: httpx.Client
) -> None:
    """The number of pieces that were looked for tells whether the same words stand in another namespace."""
    for client, looked in ((work, False), (api, True)):
        client.post(f"{V1}/remember", json={"user": f"the heron sleeps under a roof {looked}", "session": "heron"})
        shown = client.post(f"{V1}/forget/preview", json={"sessions": ["heron"]}).json()
        done = client.post(f"{V1}/forget", json={"sessions": ["heron"], "token": shown["token"]}).json()
        told = {bool(done[name]) for name in ("files_scanned", "bytes_scanned", "pieces")}
        assert done["counts"]["segments"] == 1 and told == {looked} and not done["residue"]


def test_what_a_program_asked_and_told_is_counted(served: Served, work: httpx.Client) -> None:
    assert served.server.context is not None and served.server.context.activity is not None
    activity = served.server.context.activity

    def counted() -> tuple[int, int, int]:
        use = next((one for one in activity.all() if one.name == "Work Laptop"), None)
        return (use.asked, use.told, use.tokens) if use else (0, 0, 0)

    asked, told, given = counted()
    work.post(f"{V1}/remember", json={"user": "the dog needs a walk"}).raise_for_status()
    work.post(f"{V1}/recall", json={"query": "dog"}).raise_for_status()
    assert work.get(f"{V1}/segments/nothing").status_code == 404  # what is refused is not counted
    assert counted()[:2] == (asked + 1, told + 1) and counted()[2] > given


def test_no_path_leads_a_token_out_of_its_namespace(api: httpx.Client, work: httpx.Client) -> None:
    everything = operations(api)
    assert len(everything) > 25
    for method, path in everything:
        answer = work.request(method, V1 + path.replace("{name}", "x"), params={"namespace": "home"}, json={})
        assert answer.status_code == 404 and "no namespace 'home'" in answer.json()["error"], (method, path)


def test_a_token_that_reads_changes_nothing(served: Served, api: httpx.Client, reader: httpx.Client) -> None:
    before = replace(served.engine.counts(), pending=0, windows=0)  # what was told before is embedded meanwhile
    asks = {"/recall", "/search", "/ask"}
    for method, path in operations(api):
        answer = reader.request(method, V1 + path.replace("{name}", "x"), json={})
        if method == "GET" or path in asks:
            assert answer.status_code in (200, 400, 404, 422), (method, path)
        else:
            assert answer.status_code == 403 and "may only read" in answer.json()["error"], (method, path)
    assert replace(served.engine.counts(), pending=0, windows=0) == before


def test_files_of_the_machine_and_every_namespace_want_the_servers_own_token(work: httpx.Client) -> None:
    for path, body in (("sql", {"statement": "SELECT 1"}), ("import", {"paths": []}), ("documents", {"path": "/"})):
        answer = work.post(f"{V1}/{path}", json=body)
        assert answer.status_code == 403 and "server's own token" in answer.json()["error"]
    assert work.get(f"{V1}/status").json()["home"] == ""


def test_a_clients_token_opens_neither_the_page_nor_what_runs_commands(work: httpx.Client) -> None:
    for path in ("/", "/api/cli", "/api/stop", "/api/ticket", "/api/v1x/status", "/api/recall"):
        assert work.post(path).status_code == 401, path


def test_a_token_that_is_taken_back_in_the_middle_is_refused_and_loses_nothing(served: Served) -> None:
    tokens = ClientTokens(served.home)
    with with_token(served, tokens.make("short", "short")) as client:
        assert client.post(f"{V1}/remember", json={"user": "one", "session": "short"}).status_code == 200
        tokens.revoke("short")
        refused = client.post(f"{V1}/remember", json={"user": "two", "session": "short"})
    assert refused.status_code == 401 and refused.json()["type"] == "AccessDenied"
    assert [one.id for one in served.engine.reads.segments_of("short")] == ["seg_short_0"]


def test_a_name_that_is_taken_in_another_namespace_says_nothing_about_it(served: Served, work: httpx.Client) -> None:
    served.engine.session(session_id="taken", namespace="home").add(user="private")
    told = work.post(f"{V1}/remember", json={"user": "mine", "session": "taken"}).json()
    assert told["session"] != "taken"
    assert work.post(f"{V1}/remember", json={"user": "more", "session": "taken"}).json()["session"] == told["session"]
    begun = work.post(f"{V1}/sessions", json={"session": "taken"}).json()
    assert (begun["id"], begun["segments"]) == (told["session"], 2)


WRONG: list[tuple[str, str, Any, int, str]] = [
    ("GET", "/api/v1/segments/seg_none_0", None, 404, "seg_none_0"),
    ("GET", "/api/v1/sessions/none", None, 404, "none"),
    ("GET", "/api/v1/fetch/none", None, 404, "none"),
    ("GET", "/api/v1/receipts/rcpt_none", None, 404, "rcpt_none"),
    ("GET", "/api/v1/nowhere", None, 404, "/api/v1/nowhere"),
    ("GET", "/api/nowhere", None, 404, "/api/nowhere"),
    ("DELETE", "/api/v1/recall", None, 405, "DELETE"),
    ("POST", "/api/v1/recall", {}, 422, "body.query"),
    ("POST", "/api/v1/recall", {"query": "x", "limit": 3}, 422, "body.limit"),
    ("POST", "/api/v1/recall", {"query": "x", "knobs": {"top_k": 5000}}, 400, "recall.top_k"),
    ("POST", "/api/v1/search", {"query": "x", "limit": -1}, 422, "body.limit is -1"),
    ("POST", "/api/v1/search", {"query": "x", "cursor": "7.abc"}, 400, "cursor"),
    ("POST", "/api/v1/search", {"query": ""}, 400, "empty"),
    ("POST", "/api/v1/remember", {"user": "x", "session": "a\0b"}, 400, "cannot name a session"),
    ("POST", "/api/v1/remember", {"user": "x", "at": "soon"}, 400, "'soon' is not a time"),
    ("POST", "/api/v1/sessions/none/turns", {"user": "x"}, 404, "none"),
    ("POST", "/api/v1/links", {"source": "a", "target": "b", "kind": "loves"}, 422, "body.kind is 'loves'"),
    ("POST", "/api/v1/forget/preview", {}, 400, "Nothing says what to forget"),
    ("POST", "/api/v1/documents", {"path": "/a\0b"}, 404, "no file or folder"),
    ("GET", "/api/v1/people/said?name=nobody", None, 404, "nobody"),
    ("GET", "/api/v1/people/timeline?person=nobody&topic=job", None, 404, "'nobody'"),
    ("GET", "/api/v1/people/context?conversation=none&topic=job", None, 404, "'none'"),
    ("POST", "/api/v1/ask", {"question": "x", "as_of": "soon"}, 400, "'soon' is not a time"),
    ("GET", "/api/v1/timeline?since=soon", None, 400, "'soon' is not a time"),
    ("GET", "/api/v1/stats?namespace=../x", None, 422, "query.namespace is '../x'"),
]


@pytest.mark.parametrize(("method", "path", "body", "status", "named"), WRONG, ids=str)
def test_every_error_names_the_value_and_its_class(
    api: httpx.Client, method: str, path: str, body: Any, status: int, named: str
) -> None:
    answer = api.request(method, path, json=body)
    told = answer.json()
    assert (answer.status_code, set(told)) == (status, {"error", "type"})
    assert named in told["error"]
    assert issubclass(getattr(errors, told["type"]), PmgError)


def test_whoever_is_not_let_in_reads_the_same_shape(served: Served) -> None:
    for headers, status in (({}, 401), ({"authorization": "Bearer no"}, 401), ({"host": "evil.example"}, 403)):
        answer = httpx.get(f"{served.address}{V1}/status", headers=headers)
        assert answer.status_code == status and answer.json()["type"] == "AccessDenied"
