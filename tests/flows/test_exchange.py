"""A history in and out, from end to end: killed and resumed, hostile archives, watched folders, the commands."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from benchmarks import imports as bench
from pmg import config as configuration
from pmg.base.model import State
from pmg.cli import console, transfer
from pmg.cli.root import app
from pmg.engine import Engine
from pmg.importers import memory_merge as merge
from pmg.importers.import_run import import_paths
from pmg.importers.watch import Watcher, drop_folder, folders_of
from tests.embedding import WordEmbedder
from tests.pmg.importers.memory import chat, dump, export, texts
from tests.pmg.importers.places import OWN

ROOT = Path(__file__).resolve().parents[2]


def opened(home: Path) -> Engine:
    return Engine.open(configuration.load(home, {}), embedder=WordEmbedder())


def many_chats(file: Path, count: int = 40) -> Path:
    dice = random.Random(3)
    return export(file, *(bench.conversation(number, 3, dice) for number in range(count)))


def kill_after(groups: int, home: Path, file: Path) -> None:
    """An import into this memory that ends when it has stored so many groups."""
    command = [sys.executable, "-m", "tests.flows.import_worker", str(home), str(file)]
    worker = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert worker.stdout is not None
    for _ in range(groups):
        assert worker.stdout.readline().strip() == "stored"
    os.kill(worker.pid, signal.SIGKILL)
    worker.wait()
    worker.stdout.close()


@pytest.mark.slow
@pytest.mark.crash
def test_a_killed_import_begun_again_gives_the_same_memory(tmp_path: Path) -> None:
    file = many_chats(tmp_path / "e.json")
    with opened(tmp_path / "whole") as whole:
        import_paths(whole, [file])
        expected, links = dump(whole), whole.counts().links
    for groups in (1, 3):
        home = tmp_path / f"killed after {groups}"
        kill_after(groups, home, file)
        with opened(home) as again:
            assert 0 < len(again.sessions()) < 40
            report = import_paths(again, [file])
            assert report.total("known") >= 20 and report.turns > 0
            assert dump(again) == expected
            assert again.counts().links == links


def hostile_zip(file: Path) -> Path:
    good = json.dumps([chat("1", [("my cat", "purrs")])])
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", good)
        archive.writestr("../../outside.json", good)
        archive.writestr("/absolute.json", good)
        archive.writestr("bomb.json", b"[" + b" " * 40_000_000 + b"]")
        archive.writestr("cut.json", good[: len(good) // 2])
        archive.writestr("deep.json", "[" * 200_000)
        link = zipfile.ZipInfo("link.json")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr(
            "latin.json", json.dumps([chat("2", [("café", "über")])], ensure_ascii=False).encode("latin-1")
        )
    return file


def test_a_hostile_zip_gives_its_good_conversations_and_a_list_of_the_rest(engine: Engine, tmp_path: Path) -> None:
    inside = tmp_path / "in"
    inside.mkdir()
    file = hostile_zip(inside / "e.zip")
    report = import_paths(engine, [file])
    assert texts(engine) == ["User: café\nChatGPT: über", "User: my cat\nChatGPT: purrs"]
    told = " ".join(f"{p.file} {p.reason}" for p in report.problems)
    for word in ("outside.json", "absolute.json", "zip bomb", "cut.json", "deep.json", "link"):
        assert word in told
    outside = [f for f in tmp_path.rglob("*") if f.is_file() and engine.config.home not in f.parents]
    assert outside == [file]


@pytest.mark.slow
def test_an_enormous_message_comes_in_whole(tmp_path: Path) -> None:
    text = "word " * 1_000_000
    file = export(tmp_path / "e.json", chat("1", [(text, "long")]))
    with Engine.open(configuration.load(tmp_path / "large", {}), load=False) as engine:
        assert import_paths(engine, [file]).turns == 1
        (session,) = engine.sessions()
        assert engine.reads.segments_of(session.id)[0].lines[0].text.strip() == text.strip()


CODE = [
    {"type": "user", "uuid": "u1", "sessionId": "s", "timestamp": "2026-05-01T10:00:00Z",
     "message": {"role": "user", "content": "fix the crash"}},
    {"type": "assistant", "uuid": "a1", "parentUuid": "u1", "sessionId": "s", "timestamp": "2026-05-01T10:00:05Z",
     "message": {"role": "assistant", "model": "m", "content": [{"type": "text", "text": "done"}]}},
    {"type": "user", "uuid": "u2", "parentUuid": "a1", "sessionId": "s", "timestamp": "2026-05-01T10:01:00Z",
     "message": {"role": "user", "content": "now the tests"}},
]  # fmt: skip


def append(file: Path, *rows: Any) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def at_once(open_engine: Callable[..., Engine]) -> Engine:
    return open_engine(config={"imports": {"settle_seconds": 0.0, "watch": []}})


def test_a_watched_transcript_gives_its_new_turns_as_it_grows(at_once: Engine, tmp_path: Path) -> None:
    file = tmp_path / "projects" / "p" / "s.jsonl"
    append(file, *CODE[:1])
    watcher = Watcher(at_once, [tmp_path / "projects"])
    (first,) = watcher.once()
    assert first.report.turns == 1 and "s.jsonl: 1 new turn (" in first.text()
    assert watcher.once() == []
    append(file, *CODE[1:])
    (second,) = watcher.once()
    assert (second.report.turns, second.report.total("grown")) == (1, 1)
    assert [text.replace("\n", " ") for text in texts(at_once)] == [
        "User: fix the crash Claude: done",
        "User: now the tests",
    ]
    assert Watcher(at_once, [tmp_path / "projects"]).once() == []  # a new start remembers
    at_once.config.home.joinpath("drop").mkdir(exist_ok=True)
    assert folders_of(at_once.config) == [drop_folder(at_once.config)]


def test_a_file_still_being_written_waits(open_engine: Callable[..., Engine], tmp_path: Path) -> None:
    engine = open_engine(config={"imports": {"settle_seconds": 3600.0}})
    append(tmp_path / "w" / "s.jsonl", *CODE)
    assert Watcher(engine, [tmp_path / "w"]).once() == []


@pytest.fixture
def run(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """`pmg …` on the stand-in model."""
    opener = Engine.open.__func__  # type: ignore[attr-defined]
    monkeypatch.setattr(
        Engine,
        "open",
        classmethod(lambda cls, config, **options: opener(cls, config, embedder=WordEmbedder(), **options)),
    )
    monkeypatch.setenv("COLUMNS", "300")

    def call(*words: str) -> str:
        with console.terminal().out.capture() as said:
            result = CliRunner().invoke(app, ["--home", str(home), *words])
        assert result.exit_code == 0, (result.output, result.exception)
        return said.get() + result.output

    yield call


@pytest.mark.slow
def test_the_commands_import_export_and_watch(run: Callable[..., Any], tmp_path: Path) -> None:
    assert transfer.app is app
    assert "would come in" in run("import", str(OWN / "chatgpt"), "--dry-run")
    told = json.loads(run("import", str(OWN), "--json"))
    assert told["sources"]["chatgpt"]["turns"] > 0 and told["bytes"] > 0
    assert "known already" in run(
        "import", str(OWN / "claude"), "--gap", "12", "--only", "claude", "--since", "2020-01-01"
    )
    for form in ("markdown", "jsonl", "csv", "parquet", "html"):
        assert "sessions written" in run(
            "export", str(tmp_path / "out" / form), "--format", form, "--since", "2024-01-01"
        )
    (tmp_path / "w").mkdir()
    assert "0 files looked at in 1 folder." in run("watch", str(tmp_path / "w"), "--once")


@pytest.mark.slow
def test_the_bench_counts_what_it_made(tmp_path: Path) -> None:
    bench.make_export(tmp_path / "e.zip", 0.1)
    found = bench.timed(tmp_path / "e.zip", tmp_path / "home", 0.1)
    made = [json.loads(text) for text in bench.conversations(0.1)]
    assert found.conversations == len(made) and found.turns == sum((len(c["mapping"]) - 1) // 2 for c in made)
    assert found.rate > 0 and "(goal 3,000 turns/s)" in found.text()


@pytest.mark.slow
def test_a_merge_of_memories_cut_off_before_its_end_is_whole_when_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who gave way to whom is put back last: a merge killed before that must not leave both in recall for good."""
    said = "The boiler in the cellar was serviced by Ruth in October and runs quietly now."
    with opened(tmp_path / "theirs") as theirs:
        for name in ("first", "again"):
            with theirs.session(session_id=name) as sitting:
                sitting.add(user=said)
        assert theirs.counts().segments[State.DUPLICATE] == 1

    def killed(_merging: object) -> None:
        raise KeyboardInterrupt

    with opened(tmp_path / "ours") as ours:
        with monkeypatch.context() as patch:
            patch.setattr(merge, "_standing", killed)
            with pytest.raises(KeyboardInterrupt):
                import_paths(ours, [tmp_path / "theirs"])
        import_paths(ours, [tmp_path / "theirs"])
        states = {segment.state for session in ours.sessions() for segment in ours.reads.segments_of(session.id)}
        assert states == {State.ACTIVE, State.DUPLICATE}
