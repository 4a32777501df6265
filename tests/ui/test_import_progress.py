"""Bringing a history in from the page: what comes in, how the bar reads, and that uploads do not stay."""

from __future__ import annotations

import base64
import json
import zipfile
from pathlib import Path

import pytest

from pmg import config as configuration
from pmg.base.errors import ConfigError, InputError, NotFound
from pmg.base.progress import silent
from pmg.engine import Engine
from pmg.importers import import_run
from pmg.importers.import_run import LINKING, READING
from pmg.ui.app_context import AppContext
from pmg.ui.settings import import_form, import_progress
from steward.steward import Steward
from tests.embedding import WordEmbedder
from tests.steward.memories import tell
from tests.ui.hostile import HOSTILE, alive

EXPORTS = Path(__file__).parent.parent / "data" / "exports"


@pytest.fixture
def context(engine: Engine) -> AppContext:
    return AppContext(engine, Steward(engine))


def test_an_export_comes_into_the_pages_namespace_and_once(context: AppContext) -> None:
    file = EXPORTS / "chatgpt" / "2023-plain.json"
    report = import_progress.run_import(context, [file], "work", silent)
    assert report.turns > 0
    assert {session.namespace for session in context.engine.sessions()} == {"work"}
    again = import_progress.run_import(context, [file], "work", silent)
    assert again.turns == 0
    assert again.total("known") == report.turns


def test_a_dry_run_reports_and_stores_nothing(context: AppContext) -> None:
    report = import_progress.run_import(
        context,
        [EXPORTS / "claude"],
        "default",
        silent,
        import_progress.wishes_of("default", "2020-01-01", ["claude"], True),
    )
    assert report.dry_run and report.turns > 0
    assert context.engine.sessions() == []
    assert "nothing was stored" in import_form.report_html(report)


def test_a_stopped_import_keeps_what_is_in_and_goes_on_when_it_is_begun_again(
    context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_run, "GROUP_TURNS", 1)  # so that something is stored before everything is read
    steps: list[str] = []
    files = [EXPORTS / "chatgpt", EXPORTS / "claude"]

    def asked() -> bool:
        return bool(context.engine.sessions())

    report = import_progress.run_import(
        context, files, "", lambda what, done, total: steps.append(what), stop_asked=asked
    )
    stored = sum(context.engine.counts().segments.values())
    assert report.stopped and report.stored == stored > 0 and LINKING not in steps
    assert f"Stopped. {stored} turn" in import_form.report_html(report)
    line = context.engine.reads.segments_of(context.engine.sessions()[0].id)[0].lines[0].text
    assert line in context.engine.recall(line).context, "words find what is in"
    again = import_progress.run_import(context, files, "", silent)
    assert not again.stopped and again.total("known") >= stored and again.turns > 0
    nothing = import_progress.run_import(context, [EXPORTS / "claude"], "other", silent, stop_asked=lambda: True)
    assert nothing.stopped and not nothing.stored


def test_a_stopped_dry_run_says_that_nothing_was_stored(context: AppContext) -> None:
    wishes = import_progress.wishes_of("default", dry_run=True)
    report = import_progress.run_import(context, [EXPORTS / "claude"], "", silent, wishes, lambda: True)
    assert "Nothing was stored" in import_form.report_html(report)


def test_what_is_broken_is_listed_with_its_reason_and_the_rest_comes_in(context: AppContext, tmp_path: Path) -> None:
    bundle = tmp_path / "export.zip"
    with zipfile.ZipFile(bundle, "w") as archive:
        archive.write(EXPORTS / "chatgpt" / "2023-plain.json", "a/conversations.json")
        archive.writestr("b/conversations.json", '[{"mapping": {')
        archive.writestr("../outside.json", "[]")
    report = import_progress.run_import(context, [bundle], "default", silent)
    html = import_form.report_html(report)
    assert report.turns > 0
    assert "could not be read" in html
    assert "conversations.json" in html
    assert not (tmp_path / "outside.json").exists()


def test_uploads_are_called_by_the_names_they_had(context: AppContext, tmp_path: Path) -> None:
    dropped = []
    for name, content in (("empty.json", b"[]"), ("photo.png", b"\x89PNG\0"), ("broken.zip", b"PK\x03\x04 cut off")):
        folder = tmp_path / f"{name.partition('.')[0]}-hash"
        folder.mkdir()
        (folder / name).write_bytes(content)
        dropped.append(str(folder / name))
    report = import_progress.run_import(context, [Path(name) for name in dropped], "default", silent)
    named = import_progress.named_as_dropped(report, dropped)
    assert sorted(problem.file for problem in named.problems) == ["broken.zip", "empty.json", "photo.png"]
    shown = import_form.report_html(named) + json.dumps(named.to_dict())
    assert str(tmp_path) not in shown and "-hash" not in shown
    assert not import_progress.brought_something(named), "then there are no topics to find"


def test_one_place_of_every_kind_of_secret_is_shown(context: AppContext, tmp_path: Path) -> None:
    word = "hunter" + "22"
    rows = [{"role": "user", "text": f"<b>my password is {word}</b>"}]
    (tmp_path / "c.json").write_text(json.dumps({"id": "c", "messages": rows}))
    report = import_progress.run_import(context, [tmp_path / "c.json"], "default", silent)
    html = import_form.report_html(report)
    assert "Where secrets were left out" in html and "my password is [redacted: password]" in html
    assert word not in html and "<b>" not in html


def test_a_missing_path_and_no_path_are_told(context: AppContext, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="nowhere"):
        import_progress.run_import(context, [tmp_path / "nowhere.zip"], "default", silent)
    with pytest.raises(InputError, match="nothing to import"):
        import_progress.run_import(context, [], "default", silent)


def test_paths_are_taken_as_a_person_pastes_them() -> None:
    found = import_progress.paths_of(' "/tmp/my export.zip" \n\n~/Downloads\n')
    assert found == [Path("/tmp/my export.zip"), Path.home() / "Downloads"]


def test_uploads_are_removed_and_nothing_else(tmp_path: Path) -> None:
    folder, mine = tmp_path / "uploads", tmp_path / "mine.json"
    (folder / "abc").mkdir(parents=True)
    upload = folder / "abc" / "export.json"
    for file in (upload, mine):
        file.write_text("[]")
    (folder / "abc2").mkdir()
    (folder / "abc2" / "link.json").symlink_to(mine)
    import_progress.remove_uploads(
        [str(upload), str(mine), str(folder / "gone"), str(folder / "abc2" / "link.json")], folder
    )
    assert not upload.exists()
    assert not upload.parent.exists()
    assert mine.exists()


def test_an_upload_is_gone_when_its_import_failed(tmp_path: Path) -> None:
    upload = tmp_path / "uploads" / "abc" / "export.json"
    upload.parent.mkdir(parents=True)
    upload.write_text("[]")
    with pytest.raises(InputError), import_progress.used_up([str(upload)], tmp_path / "uploads"):
        raise InputError("the disk is full")
    assert not upload.exists()


def test_another_memory_keeps_its_namespaces_unless_one_is_chosen(context: AppContext, tmp_path: Path) -> None:
    with Engine.open(configuration.load(tmp_path / "other", {}), embedder=WordEmbedder()) as other:
        tell(other, "pets", "The cat purrs.")
        tell(other, "job", "The deploy was blocked.", namespace="work")
        other.backup(tmp_path / "other.duckdb")
    file = [tmp_path / "other.duckdb"]

    def namespaces() -> set[str]:
        return {session.namespace for session in context.engine.sessions()}

    import_progress.run_import(context, file, "default", silent)
    assert namespaces() == {"default", "work"}
    import_progress.run_import(
        context, file, "switched", silent
    )  # the person looks in another namespace than the configured one
    assert namespaces() == {"default", "work", "switched"}
    import_progress.run_import(
        context,
        file,
        "default",
        silent,
        import_progress.wishes_of(import_progress.target_namespace(context, "default", " typed ")),
    )
    assert namespaces() == {"default", "work", "switched", "typed"}
    with pytest.raises(ConfigError):
        import_progress.target_namespace(context, "default", "no/name")


def test_the_bar_knows_total_rate_and_time_left() -> None:
    told: list[tuple[float | None, str]] = []
    clock = iter([0.0, 0.05, 2.0, 4.0, 5.0])
    meter = import_progress.Meter(lambda share, text: told.append((share, text)), clock=lambda: next(clock))
    for done in (1, 2_000_000, 5_000_000):
        meter(READING, done, 20_000_000)
    meter(LINKING, 0, 0)
    meter("embedding", 10, 10)
    assert [share for share, _ in told] == [5e-08, 0.25, None, 1.0]
    assert told[1][1] == "Reading 5.0 of 20.0 MB · 2.5 MB/s · 6 s left"
    assert told[2][1].startswith("Everything is stored")
    assert told[3][1] == "Embedding: 10 of 10"
    assert [import_progress.duration(s) for s in (3, 125, 7260)] == ["3 s", "2 min 05 s", "2 h 01 min"]


def test_the_report_shows_names_from_the_file_as_text_and_saves_as_json(context: AppContext, tmp_path: Path) -> None:
    turns = [{"speaker": HOSTILE, "role": "user", "text": "The cat purrs.", "time": "2024-05-01T10:00:00Z"}]
    file = tmp_path / "messages.jsonl"
    file.write_text("\n".join(json.dumps(turn) for turn in turns) + '\n{"broken', encoding="utf-8")
    report = import_progress.run_import(context, [file], "default", silent)
    assert alive(import_form.report_html(report)) == []
    link = import_form.report_link(report)
    saved = json.loads(base64.b64decode(link.partition("base64,")[2].partition('"')[0]))
    assert saved["sources"] == report.to_dict()["sources"]
