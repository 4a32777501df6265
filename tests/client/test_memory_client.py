"""`pmg.connect()` against a running server: the engine's verbs, types and errors."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

import pmg
from pmg.base.errors import AccessDenied, ConfigError, InputError, NotFound, PmgError, StoreBusy, StoreError
from pmg.base.model import Kind, Line, Role, Turn
from pmg.client.connect import found_at
from pmg.client.discovery import RunningServer
from pmg.client.http_calls import HttpCalls
from pmg.client.memory_client import MemoryClient
from pmg.connections.client_tokens import ClientTokens
from pmg.forget import Selection
from pmg.ingest.turns import SessionInput
from tests.browser.conftest import Served

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def client(served: Served) -> Iterator[MemoryClient]:
    with pmg.connect(served.address, served.token, "client") as made:
        yield made


def test_without_an_address_the_server_of_this_memory_is_found(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PMG_HOME", str(served.home))
    with pmg.connect() as found:
        assert found.status().home == str(served.home)
        assert served.token not in repr(found)
    monkeypatch.setenv("PMG_NAMESPACE", "elsewhere")
    with pmg.connect() as found:
        assert found.status().namespace == "elsewhere"


def test_where_no_server_runs_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PMG_HOME", str(tmp_path))
    with pytest.raises(NotFound, match="pmg serve"):
        pmg.connect()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "url", ["127.0.0.1:7640", "ftp://x", "http://", "http://x:99999", "http://x?token=y", "http://a@b"]
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(InputError, match="is no address"):
        pmg.connect(url, "token")


def test_an_address_without_a_token_is_refused() -> None:
    with pytest.raises(InputError, match="pmg token new"):
        pmg.connect("http://127.0.0.1:1")


def test_a_session_is_told_recalled_and_read_as_with_an_engine(served: Served, client: MemoryClient) -> None:
    with client.session("Visit", session_id="visit", started_at=NOON) as session:
        first = session.add(user="the cat sees the vet", assistant="noted", at=NOON)
        session.add(lines=[Line("Ana", Role.PERSON, "the bike is red")], at=NOON, meta={"room": "hall"})
    assert session.closed is not None and session.closed.edges[Kind.CHAIN] >= 0
    engine = served.engine
    found, direct = (one.recall("cat vet", namespace="client", at=NOON, count=False) for one in (client, engine))
    assert (found.context, found.segments, found.lines) == (direct.context, direct.segments, direct.lines)
    assert json.loads(json.dumps(found.receipt.to_dict())) == json.loads(json.dumps(direct.receipt.to_dict()))
    assert client.receipt(found.receipt_id) == found.receipt
    assert client.segment(first) == engine.segment(first)
    assert client.edges(first) == engine.edges(first)
    assert client.sessions() == engine.sessions("client")
    assert client.counts() == engine.counts("client")
    assert client.session_segments("visit").segments == tuple(engine.reads.segments_of("visit"))


def test_whole_sessions_go_in_once_however_many(client: MemoryClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pmg.client.wire.BATCH_BYTES", 500)
    some = [
        SessionInput([Turn((Line("Ana", Role.PERSON, f"bread number {i}"),), NOON)], id=f"bread-{i}") for i in range(7)
    ]
    done = client.ingest([*some, SessionInput(some[0].turns, id="elsewhere", namespace="other-wall")])
    assert (done.sessions, done.turns, done.known) == (8, 8, 0)
    assert client.ingest(some).known == 7
    assert [one.id for one in client.sessions("other-wall")] == ["elsewhere"]


def test_the_other_verbs_give_typed_results(client: MemoryClient) -> None:
    one, two = (client.remember(user=said, session="verbs", at=NOON).segment for said in ("soup", "train and soup"))
    client.link(one, two, Kind.SUPPORTS, 0.5)
    assert [(e.kind, e.weight) for e in client.edges(one) if e.kind is Kind.SUPPORTS] == [(Kind.SUPPORTS, 0.5)]
    assert client.unlink(one, two, Kind.SUPPORTS) == 1
    page = client.search("soup", limit=1)
    assert client.search("soup", limit=1, cursor=page.cursor).results[0].id != page.results[0].id
    assert "train" in client.fetch(two).text
    assert [near.id for near in client.segment_context(one).neighbours] == [two]
    assert "User" in client.people()
    assert one in [entry.segment for entry in client.said("user")]
    assert (two, NOON) in [(entry.segment, entry.at) for entry in client.timeline("train")]
    assert client.sql("SELECT 1 AS one").rows == ({"one": 1},)
    assert "merge" in client.upkeep_plan().tasks
    assert client.upkeep_run(["merge"]).asks == ()
    assert isinstance(client.upkeep_history().entries, tuple)
    with pytest.raises(PmgError, match="no-such-run"):
        client.upkeep_undo("no-such-run")


def test_forgetting_is_shown_first(served: Served, client: MemoryClient) -> None:
    name = client.remember(user="forget the swordfish", session="gone").segment
    wish = Selection(segments=(name,))
    shown = client.forget_preview(wish)
    assert shown.segments == (name,)
    with pytest.raises(InputError, match="Nothing was changed"):
        client.forget(wish, "wrong")
    assert client.forget(wish, shown.token).clean
    with pytest.raises(NotFound, match=name):
        client.segment(name)


def test_errors_are_those_of_the_engine(served: Served, client: MemoryClient) -> None:
    with pytest.raises(NotFound, match="seg_none_0"):
        client.segment("seg_none_0")
    with pytest.raises(NotFound):
        client.fetch("../../status")
    with pytest.raises(InputError, match="is no id"):
        client.segment("..")
    with pytest.raises(ConfigError, match=r"recall\.top_k"):
        client.recall("x", top_k=5_000)
    with pytest.raises(InputError, match="nothing to remember"):
        client.remember()
    with pytest.raises(ConfigError):
        pmg.connect(served.address, served.token, "../x")
    with pmg.connect(served.address, "wrong") as stranger, pytest.raises(AccessDenied, match="token"):
        stranger.status()
    reader = ClientTokens(served.home).make("client reader", read_only=True)
    with pmg.connect(served.address, reader) as only, pytest.raises(AccessDenied, match="may only read"):
        only.remember(user="x")


def test_one_text_is_a_list_of_one(client: MemoryClient) -> None:
    client.session("Pool", session_id="pool").add(lines=[Line("Bea", Role.PERSON, "the swimming pool is closed")])
    assert "swimming pool" in client.recall("swimming pool", people="Bea").context
    known = "User: the swimming pool is closed"
    assert client.recall("swimming pool", active_context=known, count=False).segments == (
        client.recall("swimming pool", active_context=[known], count=False).segments
    )
    assert client.upkeep_plan("merge").tasks.keys() == {"merge"}
    assert client.upkeep_run("merge").asks == ()
    assert client.forget_preview(Selection(sessions="pool")).segments == ("seg_pool_0",)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        ("query is None", lambda client: client.recall(None)),
        ("since is str", lambda client: client.recall("x", since="2026-11-01")),
        ("until is str", lambda client: client.timeline(until="2026-11-01")),
        ("at is str", lambda client: client.remember("x", at="2026-11-01")),
        ("as_of is str", lambda client: client.ask("x", as_of="2026-11-01")),
        ("started_at is str", lambda client: client.session(started_at="2026-11-01")),
        ("sessions is SessionInput", lambda client: client.ingest(SessionInput(()))),
        (r"sessions\[0\] is str", lambda client: client.ingest(["x"])),
        ("turn is str", lambda client: client.add_turn("s1", "hello")),
        ("selection is str", lambda client: client.forget_preview("pool")),
        ("selection is None", lambda client: client.forget(None, "token")),
        ("weight is nan", lambda client: client.link("a", "b", Kind.SUPPORTS, float("nan"))),
        ("kind is 'likes'", lambda client: client.unlink("a", "b", "likes")),
        ("floor is nan", lambda client: client.recall("x", floor=float("nan"))),
        ("cannot be sent", lambda client: client.recall("x", top_k=float("nan"))),
        ("limit is str", lambda client: client.search("x", limit="3")),
        ("the id is int", lambda client: client.segment(7)),
        ("namespace is int", lambda client: client.sessions(7)),
        ("half a character", lambda client: client.remember("half \ud800 text")),
    ],
)
def test_what_is_of_the_wrong_type_is_told_by_its_name(
    client: MemoryClient, told: str, wrong: Callable[[Any], object]
) -> None:
    with pytest.raises(InputError, match=told):
        wrong(client)


def test_a_time_without_a_zone_is_on_the_clock_of_this_machine(
    client: MemoryClient, set_clock: Callable[[str], None]
) -> None:
    set_clock("Pacific/Auckland")
    one = datetime(2026, 11, 19, 1)
    made = client.remember("the clock is right", session="clock", at=one)
    assert client.segment(made.segment).at.isoformat() == "2026-11-19T01:00:00+13:00"
    assert made.segment in [entry.segment for entry in client.timeline(since=one, until=datetime(2026, 11, 19, 2))]


def test_a_closed_client_says_so(served: Served) -> None:
    client = pmg.connect(served.address, served.token)
    client.close()
    with pytest.raises(StoreError, match=r"is closed.*pmg\.connect"):
        client.status()
    with pytest.raises(StoreError, match="is closed"), client:
        pass


def test_half_a_character_that_an_import_brought_comes_back_as_it_is(served: Served, client: MemoryClient) -> None:
    served.engine.session("half \ud800", session_id="half", namespace="client").add(user="half \ud800 text")
    assert client.session_segments("half").segments[0].lines[0].text == "half \ud800 text"
    assert client.segment("seg_half_0") == served.engine.segment("seg_half_0")


def test_a_server_that_took_over_is_found_by_the_next_call(served: Served) -> None:
    """As after a restart: another port, another token."""
    places = [RunningServer("http://127.0.0.1:9", "old", 1, ""), RunningServer(served.address, "old", 1, "")]
    now = RunningServer(served.address, served.token, 2, "")
    for before in places:
        with MemoryClient(HttpCalls(iter([before, now]).__next__)) as client:
            assert client.status().pid
    with MemoryClient(HttpCalls(lambda: places[0])) as client, pytest.raises(StoreBusy, match="No server answers"):
        client.status()


def test_the_servers_own_token_is_used_unless_one_is_given(served: Served) -> None:
    assert found_at(served.home, None).token == served.token
    assert found_at(served.home, "mine").token == "mine"


def test_an_opening_memory_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pmg.client.http_calls.RETRY_SECONDS", 0.0)
    answers = iter([httpx.Response(503, headers={"retry-after": "1"}), httpx.Response(200, json={"people": ["Ana"]})])
    calls = HttpCalls(lambda: RunningServer("http://127.0.0.1:9", "x", 1, ""))
    calls._http = httpx.Client(transport=httpx.MockTransport(lambda request: next(answers)))
    assert MemoryClient(calls).people() == ("Ana",)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (httpx.Response(200, json={"folk": []}), "same version at both ends"),
        (httpx.Response(200, text="<html>"), "same version at both ends"),
        (httpx.Response(502, text="<html>"), "not as PMG does"),
        (httpx.Response(404, json={"error": "gone", "type": "Surprise"}), "gone"),
        (httpx.Response(500, json={"error": "odd", "type": "Path"}), "odd"),
    ],
)
def test_a_strange_answer_is_told_as_an_error_of_ours(answer: httpx.Response, told: str) -> None:
    calls = HttpCalls(lambda: RunningServer("http://127.0.0.1:9", "x", 1, ""))
    calls._http = httpx.Client(transport=httpx.MockTransport(lambda request: answer))
    with pytest.raises(PmgError, match=told) as caught:
        MemoryClient(calls).people()
    assert isinstance(caught.value, NotFound) == (answer.status_code == 404)


def test_a_timeline_is_paged_and_a_date_ends_it_with_its_day(client: MemoryClient) -> None:
    made = [
        client.remember(user=f"bread {n}", session="paged", at=datetime(2024, 2, 3, n, tzinfo=UTC)).segment
        for n in range(5)
    ]
    day = date(2024, 2, 3)
    page = client.timeline(since=day, until=day, limit=3)
    assert [one.segment for one in page] == made[2:] and len(page) == 3 and page[0].at.tzinfo is not None
    older = client.timeline(since=day, until=day, limit=3, before=page.before)
    assert [one.segment for one in older] == made[:2] and older.before == ""
    assert {one.id for one in client.recall("bread", since=day, until=day).segments} == set(made)
    assert sorted([*page, *client.timeline("bread")], key=lambda one: one.at)
