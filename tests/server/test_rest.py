"""REST on a running server: each verb, in its namespace, with errors as sentences."""

from __future__ import annotations

import os
from pathlib import Path

import httpx
import pytest

from steward.schedule import Schedule
from tests.browser.conftest import Served


def test_a_turn_is_remembered_recalled_and_shown_in_its_namespace(api: httpx.Client) -> None:
    told = api.post("/api/v1/remember", json={"user": "the cat sees the vet", "assistant": "noted", "session": "s1", "at": "2026-03-03T19:02+01:00"})  # fmt: skip
    assert told.json() == {"segment": "seg_s1_0", "session": "s1"}
    found = api.post("/api/v1/recall", json={"query": "cat"}).json()
    assert "the cat sees the vet" in found["context"]
    assert found["receipt"]["found"][0]["segment"] == "seg_s1_0"
    assert api.get("/api/v1/segments/seg_s1_0").json()["segment"]["lines"][0]["text"] == "the cat sees the vet"
    assert api.get("/api/v1/sessions/s1").json()["segments"][0]["id"] == "seg_s1_0"
    assert [s["id"] for s in api.get("/api/v1/sessions").json()["sessions"]] == ["s1"]
    other = {"namespace": "other"}
    assert api.get("/api/v1/sessions", params=other).json() == {"sessions": []}
    assert api.get("/api/v1/segments/seg_s1_0", params=other).status_code == 404
    assert api.get("/api/v1/sessions/s1", params=other).status_code == 404
    assert api.post("/api/v1/recall", json={"query": "cat"}, params=other).json()["context"] == ""


def test_a_turn_of_a_session_that_goes_on_is_recalled_by_a_program(api: httpx.Client, served: Served) -> None:
    session = served.engine.session(session_id="goes-on", namespace="now")
    session.add(user="the bike is a red Cube")
    wanted, namespace = {"query": "Cube"}, {"namespace": "now"}
    found = api.post("/api/v1/recall", json=wanted, params=namespace).json()["receipt"]["found"]
    assert [entry["segment"] for entry in found] == ["seg_goes-on_0"]
    served.engine.settle()
    by_meaning = api.post("/api/v1/recall", json={"query": "cycling wheel"}, params=namespace).json()["receipt"][
        "found"
    ]
    assert [entry["segment"] for entry in by_meaning] == ["seg_goes-on_0"]
    assert api.get("/api/v1/sessions/goes-on", params=namespace).json()["session"]["is_open"]
    left_out = {**wanted, "exclude_sessions": ["goes-on"]}
    assert api.post("/api/v1/recall", json=left_out, params=namespace).json()["receipt"]["found"] == []


def test_a_transcript_comes_in_whole(api: httpx.Client) -> None:
    text = "User: bread\nAssistant: dough\nUser: soup\n"
    namespace = {"namespace": "kitchen"}
    assert api.post("/api/v1/ingest", json={"transcript": text}, params=namespace).json()["turns"] == 2
    assert api.post("/api/v1/ingest", json={"transcript": text}, params=namespace).json()["known"] == 2
    assert api.get("/api/v1/stats", params=namespace).json()["segments"]["active"] == 2


def test_an_export_is_imported_by_its_path_and_topics_are_found_behind_the_answer(
    api: httpx.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(Schedule, "soon", lambda _self, name, _after: asked.append(name))
    file = tmp_path / "talk.md"
    file.write_text("User: the garden\n\nAssistant: tomato seeds\n")
    wanted, namespace = {"paths": [str(file)]}, {"namespace": "garden"}
    assert api.post("/api/v1/import", json={**wanted, "dry_run": True}, params=namespace).status_code == 200
    assert api.get("/api/v1/sessions", params=namespace).json() == {"sessions": []} and asked == []
    for _ in range(2):
        assert api.post("/api/v1/import", json=wanted, params=namespace).status_code == 200
    assert asked == ["links"]  # the second brought nothing new
    assert len(api.get("/api/v1/sessions", params=namespace).json()["sessions"]) == 1
    for path in ("talk.md", str(tmp_path / "nowhere")):
        assert "There is no file or folder" in api.post("/api/v1/import", json={"paths": [path]}).json()["error"]


def test_a_question_in_sql_only_reads(api: httpx.Client) -> None:
    api.post("/api/v1/remember", json={"user": "the train"}, params={"namespace": "asked"})
    found = api.post(
        "/api/v1/sql", json={"statement": "SELECT 1 AS one UNION ALL SELECT 2 ORDER BY 1", "limit": 1}
    ).json()
    assert found == {"rows": [{"one": 1}], "more": True}
    refused = api.post("/api/v1/sql", json={"statement": "DELETE FROM segments"})
    assert refused.status_code == 400 and refused.json()["error"]
    assert api.get("/api/v1/sessions", params={"namespace": "asked"}).json()["sessions"]


def test_upkeep_is_planned_run_listed_and_undone(api: httpx.Client) -> None:
    assert set(api.get("/api/v1/steward/plan").json()["tasks"]) >= {"verify", "score", "merge", "archive"}
    done = api.post("/api/v1/steward/run", json={"tasks": ["score"]}).json()
    assert done["asks"] == []
    history = api.get("/api/v1/steward/history").json()["entries"]
    assert all(entry["run"] for entry in history)
    assert api.post("/api/v1/steward/run", json={"tasks": ["nothing"]}).status_code == 400
    assert "999999" in api.post("/api/v1/steward/undo", json={"what": "999999"}).json()["error"]
    assert api.get("/api/v1/steward/schedule").json() == {"next": {}}


def test_errors_are_sentences(api: httpx.Client) -> None:
    assert "nothing to remember" in api.post("/api/v1/remember", json={}).json()["error"]
    assert "recall.top_k" in api.post("/api/v1/recall", json={"query": "x", "knobs": {"top_k": 5000}}).json()["error"]
    assert "'soon' is not a time" in api.post("/api/v1/remember", json={"user": "x", "at": "soon"}).json()["error"]
    assert "namespace" in api.get("/api/v1/stats", params={"namespace": "../x"}).json()["error"]
    assert "query" in api.post("/api/v1/recall", json={"qery": "x"}).json()["error"]
    assert api.post("/api/v1/recall", content=b"{").status_code == 422
    untyped = api.post(
        "/api/v1/recall", content=b'{"query": "x"}', headers={"content-type": "application/x-www-form-urlencoded"}
    )
    assert untyped.status_code == 422 and "`Content-Type: application/json`" in untyped.json()["error"]
    assert "came without a Content-Type" in api.post("/api/v1/recall", content=b'{"query": "x"}').json()["error"]
    assert "not a command" in api.post("/api/cli", content=b"nonsense").json()["error"]


def test_the_status_names_the_process_and_the_model(api: httpx.Client) -> None:
    found = api.get("/api/v1/status").json()
    assert found["model"] == "ready" and found["pid"] == os.getpid() and Path(found["home"]).is_dir()


HALF = "\\ud800"
WITH_HALF = [
    ("/api/v1/remember", '{"user": "a HALF b", "session": "half"}'),
    ("/api/v1/remember", '{"user": "x", "assistant": "HALF", "session": "half"}'),
    ("/api/v1/remember", '{"user": "x", "title": "HALF", "session": "half"}'),
    ("/api/v1/remember", '{"user": "x", "session": "HALF"}'),
    ("/api/v1/ingest", '{"transcript": "User: x\\nAssistant: y\\nUser: HALF"}'),
    ("/api/v1/recall", '{"query": "HALF"}'),
    ("/api/v1/recall", '{"query": "x", "exclude_sessions": ["HALF"]}'),
    ("/api/v1/recall", '{"query": "x", "active_context": ["HALF"]}'),
    ("/api/v1/recall", '{"query": "x", "knobs": {"HALF": 1}}'),
    ("/api/v1/recall", '{"query": "x", "HALF": 1}'),
    ("/api/v1/sql", '{"statement": "SELECT 1 -- HALF"}'),
    ("/api/v1/import", '{"paths": ["/HALF"]}'),
    ("/api/v1/steward/run", '{"tasks": ["HALF"]}'),
    ("/api/v1/steward/undo", '{"what": "HALF"}'),
]


@pytest.mark.parametrize(("path", "body"), WITH_HALF, ids=str)
def test_half_a_character_is_refused_with_a_sentence_and_nothing_is_stored(
    api: httpx.Client, served: Served, path: str, body: str
) -> None:
    before = served.engine.counts()
    answer = api.post(path, content=body.replace("HALF", HALF), headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert "half a character" in answer.json()["error"] and "valid Unicode" in answer.json()["error"]
    assert served.engine.counts() == before


def test_half_a_character_that_an_import_brought_is_told_as_it_is(api: httpx.Client, served: Served) -> None:
    with served.engine.session("half \ud800 title", session_id="from-import", namespace="halves") as session:
        session.add(user="half \ud800 text")
    namespace = {"namespace": "halves"}
    assert api.get("/api/v1/sessions", params=namespace).json()["sessions"][0]["title"] == "half \ud800 title"
    told = api.get("/api/v1/sessions/from-import", params=namespace).json()
    assert told["segments"][0]["lines"][0]["text"] == "half \ud800 text"
    assert api.post("/api/v1/recall", json={"query": "half text"}, params=namespace).status_code == 200


@pytest.mark.parametrize("body", [b"\xff\xfe", b'{"user": "\xff"}', b"[" * 100_000, b"", b"null", b"[]"])
def test_what_is_no_json_is_refused_with_a_sentence(api: httpx.Client, body: bytes) -> None:
    for path in ("/api/v1/remember", "/api/v1/recall"):
        answer = api.post(path, content=body, headers={"content-type": "application/json"})
        assert answer.status_code in (400, 422) and answer.json()["error"]


@pytest.mark.parametrize("path", ["/api/v1/sessions", "/api/v1/steward/history"])
@pytest.mark.parametrize("limit", ["-1", "99999999999999999999", "x"])
def test_a_limit_that_makes_no_sense_is_refused(api: httpx.Client, path: str, limit: str) -> None:
    answer = api.get(path, params={"limit": limit})
    assert answer.status_code == 422 and "query.limit" in answer.json()["error"]
