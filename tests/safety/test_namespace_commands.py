"""Namespaces on the command line and over REST: a command inside one namespace shows and changes nothing of another, and what lies
there is as unknown to it as what never was. Every command stands in a table; one that is missing fails the test."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
import typer
from starlette.testclient import TestClient
from typer.testing import CliRunner

from pmg import config as configuration
from pmg.base.model import Line, Role, State, Turn
from pmg.cli.main import load_commands
from pmg.cli.root import app
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput
from pmg.server.receipt_cache import ReceiptCache
from pmg.server.rest import app as rest
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.store import FILE_NAME
from pmg.ui.app_context import AppContext
from steward import archive
from steward.steward import Steward
from tests.embedding import WordEmbedder
from tests.steward.memories import NOON

MINE, YOURS = "mine", "yours"
# One memory has nothing to do with a namespace: these are for all of it, or for none.
WHOLE = {
    "sql": "asks the whole memory, and says so",
    "backup": "is a copy of the whole memory",
    "restore": "puts a whole memory in place",
    "encrypt": "is for all or nothing",
    "decrypt": "is for all or nothing",
    "reembed": "changes the model of the whole memory",
    "serve": "the page has a choice of namespaces of its own",
    "bench": "makes memories of its own",
    "recover": "brings the whole memory back",
    "connect": "writes another tool's settings; what that tool may see is the namespace in its address",
    "disconnect": "takes those settings out again",
    "upstream": "is in the configuration, and names the namespace into which it captures: tests/proxy",
    "token": "a token names its namespace, and opens no memory",
    "mcp": "hands lines to the server, in the namespace it was started with: tests/server/test_mcp_http.py",
    "hook": "hands an event to the server, in the namespace it was started with: tests/server/test_hooks.py",
    "notebooks": "writes the notebooks that come with PMG, and opens no memory",
}
SHOWING = [
    ["recall", "berlin canaryyours", "--why", "--budget", "5000"],
    ["recall", "berlin canaryyours", "--json"],
    ["ask", "what grows in berlin canaryyours?"],
    ["people", "list"],
    ["people", "reconcile"],
    ["people", "review"],
    ["people", "extract"],
    ["people", "claims", "Canarymine"],
    ["people", "forget", "Canarymine", "--dry-run"],
    ["sessions"],
    ["sessions", "--json"],
    ["show", "canarymine"],
    ["show", "seg_canarymine_0"],
    ["stats"],
    ["doctor"],
    ["config"],
    ["calibrate"],
    ["rebuild", "--links"],
    ["redact", "--rescan", "--dry-run"],
    ["redact", "--sealed"],
    ["remember", "--user", "berlin canarymine", "--title", "t"],
    ["learn", "NOTES"],
    ["import", "NOTES"],
    ["watch", "--once", "FOLDER"],
    ["export", "FOLDER/out", "--format", "jsonl"],
    ["report", "FOLDER/report.html"],
    ["forget", "--query", "berlin", "--dry-run"],
    ["forget", "--person", "Canaryyours", "--dry-run"],
    ["steward", "plan", "--all", "--full"],
    ["steward", "review"],
    ["steward", "history"],
    ["steward", "archived"],
    ["steward", "archived", "berlin canaryyours"],
    ["steward", "topics"],
    ["steward", "run", "--full", "--yes"],
    ["steward", "undo", "last"],
    ["steward", "history", "--limit", "1000"],
    ["demo"],  # last: it makes the memory a hundred times as large
]


def told(engine: Engine, namespace: str) -> None:
    """Near-duplicates, a pair that differs, something archived, something pinned, a topic: all of upkeep's work on both sides."""
    name = f"canary{namespace}"
    texts = [
        "My sister and I moved to Berlin last spring.",
        "my sister and I moved to Berlin last spring!",
        "My sister and I never moved to Berlin last spring.",
        f"{name} keeps the old piano in the hall",
    ]
    turns = [Turn((Line(name.title(), Role.PERSON, f"{text} {name}"),), NOON) for text in texts]
    more = [Turn((Line(name.title(), Role.PERSON, f"{texts[0]} It rained {i} days. {name}"),), NOON) for i in (3, 4)]
    engine.ingest([SessionInput(turns, f"{name} title", id=name, namespace=namespace)])
    engine.ingest([SessionInput(more, f"{name} rain", id=f"{name}-rain", namespace=namespace)])


@pytest.fixture
def home(two_namespaces: Path, home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr("pmg.ingest.model_in_force.open_embedder", lambda *_: WordEmbedder())
    monkeypatch.setenv("PMG_EMBED_MODEL", "stand-in")
    monkeypatch.setenv("PMG_STEWARD_TOPIC_SIZE", "2")
    (tmp_path / "folder").mkdir()
    (tmp_path / "notes.md").write_text("User: the garden\n\nAssistant: tomato seeds\n")
    shutil.copytree(two_namespaces, home)
    return home


@pytest.fixture(scope="module")
def two_namespaces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("namespaces") / "memory"
    with opened(home) as engine:
        for namespace in (YOURS, MINE):
            told(engine, namespace)
        steward = Steward(engine)
        steward.run(["merge", "links"], full=True, bulk=True, namespace=YOURS)
        steward.run(["merge", "links"], full=True, bulk=True, namespace=MINE)
        for namespace in (YOURS, MINE):
            steward.archive([f"seg_canary{namespace}_3"])
            steward.pin([f"seg_canary{namespace}_2"], namespace=namespace)
    return home


def opened(home: Path) -> Engine:
    config = configuration.with_values(
        configuration.load(home, {}), {"steward": {"topic_size": 2, "rest": 0.0}}, "test"
    )
    return Engine.open(config, embedder=WordEmbedder())


def typed(home: Path, *words: str) -> str:
    done = CliRunner().invoke(app, ["--home", str(home), "--namespace", MINE, *words])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.output
    return f"{done.exit_code} {done.output}"


def of_yours(home: Path) -> dict[str, list[Any]]:
    """Every row in the other namespace that upkeep or a person could change. Read from the file alone: it is asked after every command."""
    with closing(Database.open(home / FILE_NAME, read_only=True)) as database:
        rows = database.rows
        mine = "segment IN (SELECT number FROM segments WHERE namespace = 'yours')"
        return {
            "segments": rows("SELECT * EXCLUDE (changed) FROM segments WHERE namespace = 'yours' ORDER BY number"),
            "sessions": rows("SELECT * FROM sessions WHERE namespace = 'yours' ORDER BY id"),
            "edges": sorted(
                rows(f"SELECT * FROM edges WHERE {mine.replace('segment', 'source', 1)} AND kind <> 'chain'")
            ),
            "scores": rows(f"SELECT * FROM scores WHERE {mine} ORDER BY segment"),
            "reviews": rows(f"SELECT * FROM reviews WHERE {mine.replace('segment', 'a', 1)} ORDER BY id"),
            "topics": rows("SELECT * FROM topics WHERE namespace = 'yours' ORDER BY id"),
        }


def commands(group: Any, names: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    inner = getattr(group, "commands", {})
    if not inner:
        yield names
    for name, command in inner.items():
        yield from commands(command, (*names, name))


def test_every_command_is_in_a_table() -> None:
    load_commands()
    listed = {tuple(words[:2] if words[0] == "steward" else words[:1]) for words in SHOWING}
    listed |= {(name,) for name in WHOLE} | {
        ("steward", "restore"),
        ("steward", "pin"),
        ("steward", "topic"),
    }  # by id: below
    there = {names[:2] if names[0] == "steward" else names[:1] for names in commands(typer.main.get_command(app))}
    assert there - listed == set()


def test_no_command_in_one_namespace_shows_or_changes_what_lies_in_another(home: Path, tmp_path: Path) -> None:
    load_commands()
    before = of_yours(home)
    assert [name for name, rows in before.items() if not rows] == ["scores"]  # there is something to betray
    for words in SHOWING:
        named = [
            word.replace("FOLDER", str(tmp_path / "folder")).replace("NOTES", str(tmp_path / "notes.md"))
            for word in words
        ]
        shown = typed(home, *named)
        asked = "canaryyours" in " ".join(words)  # a question may come back in the receipt
        assert shown.startswith("0 "), (words, shown)
        assert asked or "canaryyours" not in shown.lower(), (words, shown)
        assert "seg_canaryyours" not in shown, (words, shown)
        after = of_yours(home)
        if words[0] != "rebuild":  # making all automatic links anew is for the whole memory
            assert after == before, words
        before = after
    for file in (tmp_path / "folder").rglob("*"):
        assert not file.is_file() or b"canaryyours" not in file.read_bytes().lower(), file


BY_NAME = [
    (["show", "ID"], "seg_canaryyours_0", "seg_canarynobody_0"),
    (["show", "ID"], "canaryyours", "canarynobody"),
    (["forget", "ID", "--dry-run"], "seg_canaryyours_0", "seg_canarynobody_0"),
    (["forget", "ID", "--dry-run"], "canaryyours", "canarynobody"),
    (["steward", "pin", "ID"], "seg_canaryyours_0", "seg_canarynobody_0"),
    (["steward", "pin", "ID", "--off"], "seg_canaryyours_2", "seg_canarynobody_2"),
    (["steward", "restore", "ID"], "seg_canaryyours_3", "seg_canarynobody_3"),
    (["steward", "undo", "ID"], "ENTRY", "987654"),
    (["steward", "undo", "ID"], "RUN", "20200101-000000-abcd"),
    (["steward", "topic", "ID", "--rename", "stolen"], "TOPIC", "987654"),
    (["steward", "topic", "ID", "--split"], "TOPIC", "987654"),
    (["steward", "topic", "ID", "--pin"], "TOPIC", "987654"),
    (["steward", "review", "--merge", "ID"], "PAIR", "987654"),
    (["steward", "review", "--keep", "ID"], "PAIR", "987654"),
    (["steward", "review", "--link", "ID", "contradicts"], "PAIR", "987654"),
]


def names_of_yours(home: Path) -> dict[str, str]:
    with opened(home) as engine:
        steward = Steward(engine)
        entry = steward.history(1000, YOURS)[0]
        pair, topic = steward.review(YOURS)[0].review, steward.topics(YOURS)[0].id
        return {"ENTRY": str(entry.id), "RUN": entry.run, "PAIR": str(pair), "TOPIC": str(topic)}


def test_a_name_in_another_namespace_is_as_unknown_as_one_that_never_was(home: Path) -> None:
    load_commands()
    names, before = names_of_yours(home), of_yours(home)
    for words, theirs, nobodys in BY_NAME:
        real = names.get(theirs, theirs)
        shown, unknown = (typed(home, *(name if w == "ID" else w for w in words)) for name in (real, nobodys))
        assert shown[0] == unknown[0] and shown[1:].replace(real, "ID") == unknown[1:].replace(nobodys, "ID"), words
        assert of_yours(home) == before, words


WRITES_BY_NAME: list[tuple[str, Any]] = [
    ("POST /sessions/canaryID/turns?", {"user": "x"}),
    ("POST /sessions/canaryID/close?", None),
    ("POST /links?", {"source": "seg_canaryID_0", "target": "seg_canarymine_0", "kind": "supports"}),
    ("DELETE /links?source=seg_canaryID_0&target=seg_canarymine_0&kind=supports", None),
    ("POST /forget/preview?", {"segments": ["seg_canaryID_0"]}),
    ("POST /forget?", {"sessions": ["canaryID"], "token": "x"}),
    ("POST /steward/archive?", {"segments": ["seg_canaryID_0"]}),
    ("POST /steward/restore?", {"segments": ["seg_canaryID_3"]}),
    ("POST /steward/pin?", {"segments": ["seg_canaryID_0"]}),
    ("PUT /segments/seg_canaryID_0/tags?", {"tags": ["x"]}),
]


def _named(body: Any, name: str) -> Any:
    return None if body is None else json.loads(json.dumps(body).replace("ID", name))


def test_rest_keeps_namespaces_apart_too(home: Path) -> None:
    names, before = names_of_yours(home), of_yours(home)
    with opened(home) as engine:
        client, namespace = (
            TestClient(rest.build(AppContext(engine, Steward(engine)), ReceiptCache())),
            {"namespace": MINE},
        )
        for path in (
            "sessions",
            "stats",
            "status",
            "people",
            "people/said?name=Canarymine",
            "timeline?since=2000-01-01",
            "steward/plan",
            "steward/history",
            "steward/archived",
            "steward/review",
            "sessions/canarymine",
            "segments/seg_canarymine_0?neighbours=5",
            "fetch/seg_canarymine_0",
            "fetch/canarymine",
        ):
            path, _, query = path.partition("?")
            answer = client.get(f"/{path}", params={**namespace, **dict(parse_qsl(query))})
            assert answer.status_code == 200 and "canaryyours" not in answer.text.lower(), path
            assert names["RUN"] not in answer.text, path
        for path in ("sessions/canaryID", "segments/seg_canaryID_0", "fetch/canaryID", "fetch/seg_canaryID_0"):
            theirs, unknown = (
                client.get("/" + path.replace("ID", name), params=namespace) for name in (YOURS, "nobody")
            )
            assert theirs.status_code == unknown.status_code == 404
            assert theirs.text.replace(YOURS, "ID") == unknown.text.replace("nobody", "ID")
        for name in (names["ENTRY"], names["RUN"]):
            theirs, unknown = (
                client.post("/steward/undo", json={"what": what}, params=namespace) for what in (name, "987654")
            )
            assert theirs.status_code == unknown.status_code == 404
            assert theirs.text.replace(name, "ID") == unknown.text.replace("987654", "ID")
        for path, body in WRITES_BY_NAME:
            theirs, unknown = (
                client.request(*f"{path}&namespace={MINE}".replace("ID", name).split(), json=_named(body, name))
                for name in (YOURS, "nobody")
            )
            assert theirs.status_code == unknown.status_code == 404, (path, theirs.text)
            assert theirs.text.replace(YOURS, "ID") == unknown.text.replace("nobody", "ID"), path
        assert client.post("/steward/run", json={"full": True, "yes": True}, params=namespace).status_code == 200
        recalled = client.post("/recall", json={"query": "berlin piano"}, params=namespace)
        assert "canarymine" in recalled.text.lower() and "canaryyours" not in recalled.text.lower()
    assert of_yours(home) == before


def test_in_a_namespace_a_run_of_both_is_undone_for_that_one_alone(home: Path) -> None:
    with opened(home) as engine:
        steward = Steward(engine)
        numbers = [engine.segment(f"seg_canary{namespace}_0").number for namespace in (MINE, YOURS)]
        work = steward._work("schedule")
        archive.move(work, numbers, State.ACTIVE, State.ARCHIVED, "old")
        assert steward.history(1, MINE)[0].run == work.who.run
        assert len(steward.undo("last", namespace=MINE)) == 1
        states = [engine.segment(f"seg_canary{namespace}_0").state.value for namespace in (MINE, YOURS)]
        assert states == ["active", "archived"]
        assert len(steward.undo(work.who.run)) == 1  # the rest of it, by whoever may see all


def test_what_looks_after_the_whole_memory_does_not_run_in_a_namespace(home: Path) -> None:
    for task in ("verify", "score", "backup", "report"):
        shown = typed(home, "steward", "run", task)
        assert shown.startswith("1 ") and "leave the namespace out" in " ".join(shown.split())
