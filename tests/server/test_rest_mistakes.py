"""Mistakes of whoever asks over REST: each is told with its place and its mend, and nothing of it is stored."""

from __future__ import annotations

import gzip
from typing import Any

import httpx
import pytest

V1 = "/api/v1"
SECRET = "ghp_" + "a1B2c3D4e5F6" * 3
JSON = {"content-type": "application/json"}


def told(api: httpx.Client, namespace: str, *said: str, speaker: str = "Anna") -> None:
    lines = [{"lines": [{"speaker": speaker, "role": "person", "text": text}]} for text in said]
    body = {"sessions": [{"session": f"{namespace}-{speaker}", "turns": lines}]}
    assert api.post(f"{V1}/ingest", json=body, params={"namespace": namespace}).json()["turns"] == len(said)


def recalled(api: httpx.Client, namespace: str, **body: Any) -> httpx.Response:
    return api.post(f"{V1}/recall", json=body, params={"namespace": namespace})


def test_a_knob_of_the_budget_is_taken(api: httpx.Client) -> None:
    found = recalled(api, "knobs", query="kayak", knobs={"budget_tokens": 100})
    assert found.status_code == 200 and found.json()["receipt"]["budget_tokens"] == 100
    twice = recalled(api, "knobs", query="kayak", budget_tokens=100, knobs={"budget_tokens": 100})
    assert twice.status_code == 400 and "give it once" in twice.json()["error"]


@pytest.mark.parametrize(
    "knob", ["namespace", "count", "at", "floor", "query", "active_context", "exclude_session", "no_such"]
)
def test_what_is_no_knob_is_refused_with_those_there_are(api: httpx.Client, knob: str) -> None:
    answer = recalled(api, "knobs", query="kayak", knobs={knob: "x"})
    assert answer.status_code == 400
    assert f"recall.{knob}" in answer.json()["error"] and "Known in recall: mode" in answer.json()["error"]


def test_with_people_the_callers_limit_holds(api: httpx.Client) -> None:
    told(api, "people", *(f"the kayak trip number {number} went well" for number in range(6)))
    told(api, "people", "the kayak is mine", speaker="Ben")
    found = recalled(api, "people", query="kayak trip", people=["Anna"], knobs={"limit": 2}).json()
    assert len(found["segments"]) == len(found["receipt"]["found"]) == 2
    assert found["receipt"]["settings"]["limit"] == 2
    every = recalled(api, "people", query="kayak trip", people=["anna"]).json()
    assert len(every["segments"]) > 2


def test_a_person_whom_nobody_knows_is_told(api: httpx.Client) -> None:
    told(api, "nobody", "the kayak trip went well")
    found = recalled(api, "nobody", query="kayak", people=["Zoe"]).json()
    assert found["segments"] == [] and "Nobody called Zoe speaks" in found["receipt"]["note"]
    assert "Nobody" not in recalled(api, "nobody", query="kayak", people=["Anna"]).json()["receipt"]["note"]


@pytest.mark.parametrize(("method", "path"), [("POST", "/remember"), ("GET", "/sessions"), ("GET", "/timeline")])
def test_a_parameter_that_a_path_does_not_have_is_refused(api: httpx.Client, method: str, path: str) -> None:
    body = {"user": "typo"} if method == "POST" else None
    answer = api.request(method, f"{V1}{path}", params={"namespce": "work"}, json=body)
    assert answer.status_code == 422 and answer.json()["type"] == "InputError"
    assert "query.namespce" in answer.json()["error"] and "namespace" in answer.json()["error"].split("Those it has")[1]
    assert all(one["session"] != "typo" for one in api.get(f"{V1}/timeline").json().get("entries", []))


def test_a_parameter_that_is_given_twice_is_refused(api: httpx.Client) -> None:
    answer = api.get(f"{V1}/sessions?namespace=one&namespace=two")
    assert answer.status_code == 422 and "query.namespace is given twice" in answer.json()["error"]


def test_other_words_under_a_known_origin_id_are_counted_and_the_stored_ones_stay(api: httpx.Client) -> None:
    def ingest(answer: str) -> dict[str, Any]:
        turn = {"user": "Capital of Peru?", "assistant": answer, "origin_id": "c1"}
        body = {"sessions": [{"session": "regen", "turns": [turn]}]}
        return dict(api.post(f"{V1}/ingest", json=body, params={"namespace": "regen"}).json())

    assert ingest("Quito.")["changed"] == ingest("Quito.")["changed"] == 0
    again = ingest("Lima.")
    assert (again["turns"], again["known"], again["changed"]) == (0, 1, 1)
    stored = api.get(f"{V1}/sessions/regen", params={"namespace": "regen"}).json()["segments"]
    assert [line["text"] for line in stored[0]["lines"]] == ["Capital of Peru?", "Quito."]


@pytest.mark.parametrize(
    ("turn", "place"),
    [
        ({"user": "x", "at": "7 Jan"}, "body.sessions.2.turns.1.at: '7 Jan' is not a time"),
        ({"user": " "}, "body.sessions.2.turns.1: This turn has no words"),
        ({"lines": [{"role": "user", "text": "x", "at": "7 Jan"}]}, "body.sessions.2.turns.1.lines.0.at: '7 Jan'"),
    ],
)
def test_a_wrong_turn_among_many_is_located(api: httpx.Client, turn: dict[str, Any], place: str) -> None:
    good = [{"turns": [{"user": f"fine {number}"}]} for number in range(2)]
    body = {"sessions": [*good, {"turns": [{"user": "fine"}, turn]}]}
    answer = api.post(f"{V1}/ingest", json=body, params={"namespace": "located"})
    assert answer.status_code == 400 and answer.json()["error"].startswith(place)
    assert api.get(f"{V1}/sessions", params={"namespace": "located"}).json() == {"sessions": []}


@pytest.mark.parametrize(
    ("body", "headers", "said"),
    [
        ('{"user": "caf\xe9"}'.encode("latin-1"), {}, "not UTF-8 (0xe9 at byte 13)"),
        (gzip.compress(b'{"user": "x"}', mtime=0), {"content-encoding": "gzip"}, "`Content-Encoding: gzip`"),
        (b'{"user": ' + b"1" * 6_000 + b"}", {}, "4300 digits"),
        (b"[" * 100_000, {}, "too deep"),
    ],
)
def test_a_body_that_cannot_be_read_says_why(
    api: httpx.Client, body: bytes, headers: dict[str, str], said: str
) -> None:
    answer = api.post(f"{V1}/remember", content=body, headers=JSON | headers)
    assert answer.status_code == 400 and said in answer.json()["error"], answer.text


def test_nothing_to_take_in_is_refused(api: httpx.Client) -> None:
    assert api.post(f"{V1}/ingest", json={"transcript": "   "}).status_code == 400
    assert api.post(f"{V1}/import", json={"paths": []}).status_code == 422


def test_a_method_that_a_path_does_not_have_is_described(api: httpx.Client) -> None:
    assert api.put(f"{V1}/recall", json={}).status_code == 405
    assert "405" in api.get(f"{V1}/openapi.json").json()["paths"]["/recall"]["post"]["responses"]


def test_tags_are_kept_as_the_page_keeps_them(api: httpx.Client) -> None:
    made = api.post(f"{V1}/remember", json={"user": "a kayak", "session": "tagged"}).json()["segment"]
    kept = api.put(f"{V1}/segments/{made}/tags", json={"tags": ["", " boats ", "boats", SECRET]}).json()["tags"]
    assert kept[0] == "boats" and len(kept) == 2 and kept[1].startswith("[redacted: ")
    long = api.put(f"{V1}/segments/{made}/tags", json={"tags": ["x" * 500]})
    assert long.status_code == 400 and "longer than 40 characters" in long.json()["error"]


def test_a_secret_beside_the_words_is_not_told_again(api: httpx.Client) -> None:
    turn = {"user": "I ran it.", "meta": {"h": f"Bearer {SECRET}"}, "origin_id": SECRET}
    body = {"sessions": [{"session": "m", "conversation": SECRET, "meta": {"k": SECRET}, "turns": [turn]}]}
    assert api.post(f"{V1}/ingest", json=body).json()["turns"] == 1
    assert api.post(f"{V1}/sessions/m/turns", json=turn).status_code == 200
    assert SECRET not in api.get(f"{V1}/sessions/m").text
    assert SECRET not in str(api.post(f"{V1}/sql", json={"statement": "FROM segments"}).json())
