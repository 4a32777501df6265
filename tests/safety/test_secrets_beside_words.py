"""Secrets that stand beside the words: in notes, tags and ids. None is written, whichever door it comes by."""

from __future__ import annotations

from pathlib import Path

from pmg.base.model import Line, Role, Turn
from pmg.engine import Engine
from pmg.exporters.export import export
from pmg.importers.import_run import import_paths
from pmg.ingest.turns import SessionInput
from steward.steward import Steward
from tests.forget.memory import holding

SECRET = "ghp_" + "a1B2c3D4e5F6" * 3
SESSION = SECRET.replace("_", "-").replace("ghp", "sk-proj") + "Zz09" * 4
SAID = (Line("User", Role.USER, "the cat sees the vet"),)


def test_no_secret_of_a_whole_session_is_written(engine: Engine, home: Path) -> None:
    turn = Turn(SAID, origin_id=SECRET, meta={"header": f"Bearer {SECRET}"})
    given = SessionInput([turn], conversation=SECRET, source=f"app {SECRET}", meta={"key": SECRET})
    done = engine.ingest([given])
    assert sum(done.redacted.values()) == 2
    assert engine.ingest([given]).known == 1, "the same ids mean the same"
    engine.close()
    assert holding(home, SECRET) == []


def test_no_secret_of_an_open_session_is_written(engine: Engine, home: Path) -> None:
    session = engine.session(session_id=SESSION, conversation=SECRET, source=SECRET)
    session.add(lines=SAID, origin_id=SECRET, meta={"key": SECRET})
    assert (
        engine.session(session_id=SESSION, conversation=SECRET).id
        == session.id
        == engine.session_id(SESSION, "default")
    )
    Steward(engine).tag(f"seg_{session.id}_0", [SECRET, "cats"])
    assert engine.segment(f"seg_{session.id}_0").tags[1:] == ("cats",)
    session.close()
    engine.close()
    assert holding(home, SECRET) == [] and holding(home, SESSION) == []
    assert not [file for file in home.rglob("*") if SESSION in file.name]


def test_no_secret_that_only_its_name_tells_comes_in_with_another_memory(
    engine: Engine, home: Path, tmp_path: Path
) -> None:
    """Neither in the notes of a session nor in those of a turn."""
    password, file = "Blue-Fish-" + "77", tmp_path / "other.jsonl"
    engine.ingest([SessionInput([Turn(SAID, meta={"colour": "red"})], id="theirs", meta={"colour": "blue"})])
    export(engine, file, "jsonl")
    text = file.read_text().replace("theirs", "ours").replace("the cat", "the dog")
    for colour in ("red", "blue"):
        assert f'"colour": "{colour}"' in text
        text = text.replace(f'"colour": "{colour}"', f'"password": "{password}"')
    file.write_text(text)
    assert import_paths(engine, [file]).turns == 1
    engine.close()
    file.unlink()
    assert holding(home, password) == []
