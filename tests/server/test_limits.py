"""Every verb that takes a limit takes every limit, also where typed links lead beyond the few that are wanted."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from mcp import Client

from pmg.base.model import Kind, Line, Role, Turn
from pmg.ingest.turns import SessionInput
from tests.browser.conftest import Served
from tests.server.mcp_client import over_http, text_of

V1 = "/api/v1"
NAMESPACE = "limits"
LIMITS = (1, 2, 3, 10, 100)
ASKED = "kayak trip"
WANTED = {"query": ASKED, "name": "Ana", "question": ASKED, "about": ASKED}


@pytest.fixture(scope="module", autouse=True)
def linked(served: Served) -> None:
    """Fourteen turns that match alike, each with a link of some kind to two others."""
    turns = [Turn((Line("Ana", Role.PERSON, f"Kayak trip number {number} went well."),)) for number in range(14)]
    served.engine.ingest([SessionInput(turns, "Trips", namespace=NAMESPACE, id="trips")])
    kinds = (Kind.CONTRADICTS, Kind.SUPPORTS, Kind.RELATED_TO)
    for number in range(14):
        for step in (5, 9):
            served.engine.link(f"seg_trips_{number}", f"seg_trips_{(number + step) % 14}", kinds[number % 3])


@pytest.mark.parametrize("mode", ["diffuse", "fixed"])
@pytest.mark.parametrize("limit", LIMITS)
def test_a_recall_gives_as_many_as_are_wanted(served: Served, mode: str, limit: int) -> None:
    for diversity in (1.0, 0.5):
        found = served.engine.recall(ASKED, namespace=NAMESPACE, mode=mode, limit=limit, diversity=diversity)
        assert 1 <= len(found.segments) <= limit
        assert mode == "fixed" or len(found.segments) == min(limit, 14)


def test_every_path_of_rest_takes_every_limit(api: httpx.Client) -> None:
    paths = api.get(f"{V1}/openapi.json").json()["paths"]
    tried = 0
    for path, verbs in paths.items():
        takes = [one["name"] for one in verbs.get("get", {}).get("parameters", ()) if one["in"] == "query"]
        if "limit" not in takes or "{" in path:
            continue
        for limit in LIMITS:
            asked = {name: value for name, value in WANTED.items() if name in takes}
            answer = api.get(f"{V1}{path}", params={"namespace": NAMESPACE, "limit": limit, **asked})
            assert answer.status_code == 200, (path, limit, answer.text)
            tried += 1
    assert tried >= 3 * len(LIMITS)
    for limit in LIMITS:
        for path, body in (
            ("search", {"query": ASKED, "limit": limit}),
            ("recall", {"query": ASKED, "knobs": {"limit": limit}}),
            ("recall", {"query": ASKED, "people": ["Ana"], "knobs": {"limit": limit}}),
        ):
            answer = api.post(f"{V1}/{path}", params={"namespace": NAMESPACE}, json=body)
            assert answer.status_code == 200, (path, limit, answer.text)
            assert len(answer.json()["results" if path == "search" else "segments"]) == min(limit, 14)


def test_every_tool_takes_every_limit(served: Served) -> None:
    async def use(client: Client) -> list[tuple[str, int, str]]:
        wrong = []
        for tool in (await client.list_tools()).tools:
            takes = tool.input_schema["properties"]
            for limit in LIMITS if "limit" in takes else ():
                asked: dict[str, Any] = {name: value for name, value in WANTED.items() if name in takes}
                answer = await client.call_tool(tool.name, {**asked, "limit": limit})
                if answer.is_error or "Kayak trip" not in text_of(answer):
                    wrong.append((tool.name, limit, text_of(answer)))
        return wrong

    assert over_http(served.address, served.token, use, path=f"/mcp/{NAMESPACE}") == []


def test_after_a_failure_of_ours_the_connection_is_said_to_end(
    served: Served, api: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The web server closes it behind the answer: a client that was not told would send its next request into nothing."""

    def fails(*_: object, **__: object) -> None:
        raise KeyError(7)

    with monkeypatch.context() as patch:
        patch.setattr(type(served.engine), "counts", fails)
        answer = api.get(f"{V1}/stats")
    assert answer.status_code == 500 and answer.headers["connection"] == "close"
    assert api.get(f"{V1}/stats").status_code == 200
