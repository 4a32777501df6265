"""What `pmg export` wrote, given back: a table with its times, and the others refused with the way."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pmg.base.model import Line, Role, Turn
from pmg.engine import Engine
from pmg.exporters import tables
from pmg.exporters.export import export
from pmg.importers.conversation import Level
from pmg.importers.import_run import import_paths
from pmg.importers.memory_merge import merge_records
from pmg.importers.platforms import generic, pmg_exports
from pmg.importers.report import ImportReport
from pmg.ingest.turns import SessionInput
from pmg.store.exchange import ExportFilter
from tests.pmg.importers.memory import dump, texts

BEGUN = datetime(2024, 3, 1, 9, tzinfo=UTC)


def remembered(engine: Engine) -> None:
    lines = (Line("Ana", Role.USER, "-5 degrees today"), Line("Bot", Role.ASSISTANT, "Dress warmly."))
    engine.ingest([SessionInput([Turn(lines, BEGUN)], title="Frost", source="claude", id="one", conversation="talk")])


def exported(engine: Engine, tmp_path: Path, form: str) -> Path:
    remembered(engine)
    target = tmp_path / f"memory.{form}"
    export(engine, target, form)
    return target


def imported(engine: Engine) -> list[tuple[str, datetime, list[tuple[str, str, str]]]]:
    """The sessions that came from the table: title, time and lines."""
    found = []
    for session in engine.reads.exchange.chosen(ExportFilter()):
        if session.source == "generic":
            wholes = engine.reads.exchange.stored_segments(session.id)
            lines = [(line.speaker, line.role.value, line.text) for whole in wholes for line in whole.segment.lines]
            found.append((session.title, session.started_at, lines))
    return found


def test_a_table_of_ours_comes_back_with_its_times_and_words(engine: Engine, tmp_path: Path) -> None:
    table = exported(engine, tmp_path, "csv")
    report = import_paths(engine, [table])
    said = [("Ana", "user", "-5 degrees today"), ("Bot", "assistant", "Dress warmly.")]
    assert imported(engine) == [("Frost", BEGUN, said)]
    assert report.untimed == 0 and [problem.level for problem in report.problems] == [Level.NOTE]
    assert "--format jsonl" in report.text()
    before = dump(engine)
    import_paths(engine, [table])
    assert dump(engine) == before


def test_a_table_that_an_earlier_version_read_without_times_is_not_stored_twice(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = exported(engine, tmp_path, "csv")
    with monkeypatch.context() as before:
        before.setattr(generic, "WHEN", tuple(name for name in generic.WHEN if name != "said_at"))
        before.setattr(pmg_exports, "unguarded", lambda record: record)
        assert import_paths(engine, [table]).turns == 1
    count = len(texts(engine))
    again = import_paths(engine, [table])
    assert again.turns == 0 and len(texts(engine)) == count


def test_the_signs_that_are_guarded_are_those_of_the_export() -> None:
    assert pmg_exports.FORMULA == tables.FORMULA
    assert set(tables.COLUMNS) >= pmg_exports.COLUMNS
    for text in ("=1+1", " @x", "'quoted'", "plain", "-5"):
        assert pmg_exports.unguarded({"text": tables.cell(text)}) == {"text": text}


@pytest.mark.parametrize("form", ["markdown", "html", "parquet"])
def test_what_is_made_to_be_read_is_refused_with_the_way(engine: Engine, tmp_path: Path, form: str) -> None:
    target = exported(engine, tmp_path, form)
    before = dump(engine)
    report = import_paths(engine, [target])
    assert [problem.level for problem in report.problems] == [Level.UNSUPPORTED]
    assert "pmg export --format jsonl" in report.problems[0].reason
    assert dump(engine) == before


def test_what_the_words_of_another_memory_name_as_a_secret_goes_from_its_title_and_notes_too(engine: Engine) -> None:
    remembered(engine)
    ((session, wholes),) = [(one, engine.reads.exchange.stored_segments(one.id)) for one in engine.sessions()]
    secret = "Tr0ub4d" + "or-7xQ"
    said = replace(wholes[0].segment, id="seg_two_0", lines=(Line("Ana", Role.USER, f"my password is {secret}"),))
    theirs = replace(session, id="two", title=f"About {secret}", meta={"clip": secret})
    merge_records(engine, [(theirs, [replace(wholes[0], segment=said)])], "other", "", False, ImportReport())
    merged = engine.reads.session("two")
    assert merged is not None and merged.title == "About [redacted: password]"
    assert secret not in repr(merged)
