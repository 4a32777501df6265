"""A secret named in one turn and repeated bare in another: gone from both, however often the session comes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pmg.engine import Engine
from pmg.importers.import_run import ImportOptions, import_paths
from pmg.importers.report import ImportReport
from pmg.ingest.redact import is_hidden_in
from tests.pmg.importers.memory import chat, dump, export, texts

VALUE = "tr0ub" + "4dor77"
NAMED = (f"my settings: password = '{VALUE}'", "I will remember the settings")
BARE = (f"I typed {VALUE} and it did nothing", "try again tomorrow")
OTHER = ("the cat is ill", "see a vet")


def changes(report: ImportReport) -> tuple[int, ...]:
    return (report.turns, report.total("edited"), report.total("grown"), report.total("older"), report.retitled)


def nameless(*said: tuple[str, str]) -> Any:
    messages = [
        {"role": role, "content": text} for pair in said for role, text in zip(("user", "assistant"), pair, strict=True)
    ]
    return {"title": "New chat", "messages": messages}


@pytest.mark.parametrize("said", [[NAMED, BARE, OTHER], [BARE, OTHER, NAMED]], ids=["named first", "named last"])
@pytest.mark.parametrize("is_named", [True, False], ids=["with an id", "without an id"])
def test_importing_again_changes_nothing(
    engine: Engine, tmp_path: Path, said: list[tuple[str, str]], is_named: bool
) -> None:
    file = export(tmp_path / "a.json", chat("1", said, title=f"About {VALUE}") if is_named else nameless(*said))
    promised = import_paths(engine, [file], ImportOptions(dry_run=True))
    report = import_paths(engine, [file])
    assert report.turns == promised.turns == 3
    assert report.redacted == promised.redacted
    before = dump(engine)
    assert VALUE not in str(before)
    assert changes(import_paths(engine, [file])) == (0, 0, 0, 0, 0)
    assert changes(import_paths(engine, [file], ImportOptions(dry_run=True))) == (0, 0, 0, 0, 0)
    assert dump(engine) == before


def test_a_turn_that_comes_later_is_cleaned_with_the_turns_that_are_known(engine: Engine, tmp_path: Path) -> None:
    import_paths(engine, [export(tmp_path / "a.json", chat("1", [NAMED]))])
    longer = export(tmp_path / "b.json", chat("1", [NAMED, BARE]))
    report = import_paths(engine, [longer])
    assert (report.turns, report.total("edited")) == (1, 0)
    assert report.redacted == {"password": 1}
    assert VALUE not in str(texts(engine))
    assert changes(import_paths(engine, [longer])) == (0, 0, 0, 0, 0)


def test_a_name_that_comes_later_takes_the_secret_out_of_turns_that_are_stored(engine: Engine, tmp_path: Path) -> None:
    import_paths(engine, [export(tmp_path / "a.json", chat("1", [BARE]))])
    assert VALUE in str(texts(engine))
    longer = export(tmp_path / "b.json", chat("1", [BARE, NAMED]))
    import_paths(engine, [longer])
    assert VALUE not in str(texts(engine))
    assert not [entry for entry in engine.reads.journal() if VALUE in entry.before + entry.after + entry.reason]
    assert changes(import_paths(engine, [longer])) == (0, 0, 0, 0, 0)


def test_an_export_without_the_turn_that_names_a_secret_does_not_bring_it_back(engine: Engine, tmp_path: Path) -> None:
    import_paths(engine, [export(tmp_path / "a.json", chat("1", [BARE, NAMED]))])
    before = texts(engine)
    report = import_paths(engine, [export(tmp_path / "b.json", chat("1", [BARE], updated=2e9))])
    assert (report.turns, report.total("edited"), report.total("known")) == (0, 0, 1)
    assert texts(engine) == before


def test_words_that_give_way_are_kept_without_the_secrets_of_their_session(engine: Engine, tmp_path: Path) -> None:
    import_paths(engine, [export(tmp_path / "a.json", chat("1", [BARE]))])
    edited = (BARE[0], "ask the landlord")
    import_paths(engine, [export(tmp_path / "b.json", chat("1", [edited, NAMED], updated=2e9))])
    entry = next(entry for entry in engine.reads.journal() if entry.action == "import.edit")
    kept = json.loads(entry.before)["lines"]
    assert [line["text"] for line in kept] == ["I typed [redacted: password] and it did nothing", BARE[1]]


def test_two_exports_in_one_run_are_promised_as_they_are_kept(engine: Engine, tmp_path: Path) -> None:
    older, newer = chat("1", [NAMED, BARE]), chat("1", [NAMED, BARE, OTHER])
    files = [export(tmp_path / "a.json", older), export(tmp_path / "b.json", newer)]
    promised = import_paths(engine, files, ImportOptions(dry_run=True))
    assert changes(import_paths(engine, files)) == changes(promised) == (3, 0, 0, 0, 0)


def test_a_forgotten_turn_stays_away_whatever_else_the_session_says(engine: Engine, tmp_path: Path) -> None:
    from pmg.forget import Selection, forget, plan

    file = export(tmp_path / "a.json", chat("1", [NAMED, BARE, OTHER]))
    import_paths(engine, [file])
    segment = engine.reads.segments_of(engine.sessions()[0].id)[1]
    forget(engine, plan(engine, Selection(segments=(segment.id,), namespace=engine.config.namespace)))
    report = import_paths(engine, [file])
    assert (report.turns, report.total("edited"), sum(report.skipped.values())) == (0, 0, 1)


@pytest.mark.parametrize(
    "text, redacted, told",
    [
        ("my key is abc.", "my key is [redacted: secret].", True),
        ("abc and abc", "[redacted: secret] and [redacted: secret]", True),
        ("abc", "[redacted: secret]", True),
        ("the same", "the same", True),
        ("my key is abc.", "my key is [redacted: secret]!", False),
        ("my key", "my key is [redacted: secret]", False),
        ("a-b", "a-[redacted: secret]-b", False),
        ("other words", "the same", False),
    ],
)
def test_a_text_is_known_behind_its_marks(text: str, redacted: str, told: bool) -> None:
    assert is_hidden_in(text, redacted) is told
