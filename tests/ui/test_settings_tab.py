"""Export, models, namespaces, backups and privacy as plain functions."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from pmg.base.errors import ConfigError, InputError
from pmg.base.progress import silent
from pmg.embed.multilingual import MULTILINGUAL
from pmg.engine import Engine
from pmg.importers.import_run import import_paths
from pmg.store.exchange import ExportFilter
from pmg.store.restore import restore_backup
from pmg.ui.app_context import AppContext
from pmg.ui.settings import backups, chat_model, exports, models, namespaces, privacy, restore_form
from steward.steward import Steward
from tests.steward.memories import tell
from tests.ui.hostile import HOSTILE, alive


@pytest.fixture
def context(engine: Engine) -> AppContext:
    tell(engine, "pets", "The cat purrs.", "The dog barks.")
    tell(engine, "job", "The deploy was blocked.", namespace="work")
    return AppContext(engine, Steward(engine))


@pytest.mark.parametrize("form", exports.FORMS)
def test_every_form_is_one_file_of_this_namespace_alone(context: AppContext, tmp_path: Path, form: str) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    file, sessions = exports.take_out(context, form, ExportFilter("default"), folder, silent)
    assert sessions == 1
    assert list(folder.iterdir()) == [file]
    whole = file.read_bytes()
    if form == "markdown":
        with zipfile.ZipFile(file) as archive:
            whole = b"".join(archive.read(name) for name in archive.namelist())
    assert b"deploy" not in whole
    assert form == "parquet" or b"cat purrs" in whole


def test_the_complete_form_comes_back_as_it_was(context: AppContext, tmp_path: Path, engine: Engine) -> None:
    file, _ = exports.take_out(context, "jsonl", ExportFilter("work"), tmp_path, silent)
    rows = [json.loads(row) for row in file.read_text(encoding="utf-8").splitlines()]
    assert any("deploy" in json.dumps(row) for row in rows)
    assert import_paths(engine, [file]).turns == 0


def test_filters_are_read_from_the_fields(context: AppContext, tmp_path: Path) -> None:
    late = exports.filters_of("default", "2030-01-01", "", "", "")
    assert exports.take_out(context, "csv", late, tmp_path, silent)[1] == 0
    ana = exports.filters_of("default", "", "", " Ana ", "")
    assert exports.take_out(context, "html", ana, tmp_path, silent)[1] == 1
    with pytest.raises(InputError, match="is not a time"):
        exports.filters_of("default", "yesterday", "", "", "")
    with pytest.raises(InputError, match="no form"):
        exports.take_out(context, "pdf", ExportFilter("default"), tmp_path, silent)


def test_thresholds_are_shown_with_their_origin_and_calibrating_changes_it(context: AppContext) -> None:
    before = models.embedding(context)
    assert "not measured" in before.origin
    assert len(before.thresholds) == len(models.MEANS)
    assert "In force now" in models.calibrate(context)
    assert "on this memory" in models.embedding(context).origin
    html = models.thresholds_html(models.embedding(context))
    assert models.embedding(context).origin in html
    values = [value for _, value, _, _ in before.thresholds]
    assert values[1:] == sorted(values[1:])
    assert all(text in html and f">{name}<" in html for name, text in models.MEANS.items()), (
        "words first, then the name"
    )


@pytest.mark.slow
@pytest.mark.model
def test_the_whole_memory_changes_over_to_the_multilingual_model(context: AppContext) -> None:
    steps: list[str] = []
    told = models.change_model(context, MULTILINGUAL, lambda what, done, total: steps.append(what))
    assert told == "In force now: universal-sentence-encoder-multilingual-v3." and steps
    assert context.engine.config.embed.model == MULTILINGUAL
    assert 'model = "multilingual"' in (context.engine.config.home / "config.toml").read_text()
    assert "measured for universal-sentence-encoder" in models.embedding(context).origin
    assert context.engine.recall("Welches Tier schnurrt?").segments[0].session_id == "pets"
    assert models.change_model(context, MULTILINGUAL) == "This model is in force already."


def test_text_goes_to_another_machine_only_with_the_persons_word(context: AppContext) -> None:
    away = {"responder": "openai", "base_url": "https://models.example/v1", "model": "m", "key_env": "", "key_file": ""}
    with pytest.raises(InputError, match=r"Tick the box.*models\.example"):
        chat_model.save_chat(context, away, agreed=False)
    assert context.engine.config.chat.responder == "extractive"
    assert not any(leaves for _, leaves in privacy.leaving(context))
    assert "models.example" in chat_model.save_chat(context, away, agreed=True)
    assert context.engine.config.chat.responder == "openai"
    assert next(text for text, leaves in privacy.leaving(context) if leaves).startswith("Chat: ")
    assert "models.example" in privacy.leaving_html(privacy.leaving(context))
    home = {**away, "base_url": "http://127.0.0.1:11434/v1"}
    chat_model.save_chat(context, home, agreed=False)
    assert not any(leaves for _, leaves in privacy.leaving(context))


def test_an_address_that_is_none_is_refused_and_nothing_is_kept(context: AppContext) -> None:
    wrong = {"responder": "openai", "base_url": "example", "model": "", "key_env": "", "key_file": ""}
    with pytest.raises(ConfigError, match="base_url"):
        chat_model.save_chat(context, wrong, agreed=True)
    assert not (context.engine.config.home / "config.toml").exists()


def test_namespaces_are_listed_with_counts_and_the_pages_own_is_marked(context: AppContext) -> None:
    found = namespaces.listed_namespaces(context, "fresh")
    assert [(namespace.name, namespace.sessions, namespace.memories) for namespace in found] == [
        ("default", 1, 2),
        ("fresh", 0, 0),
        ("work", 1, 1),
    ]
    html = namespaces.namespaces_html(found, "fresh")
    assert html.count("data-pick") == 2
    assert 'data-pick="fresh"' not in html


def test_a_backup_is_made_listed_and_can_be_restored_as_the_page_says(context: AppContext, tmp_path: Path) -> None:
    assert "none yet" in backups.copies_html(context)
    assert "<b>Back up now</b> makes one" in restore_form.means_html(context)
    made = backups.back_up(context)
    assert [copy.file for copy in backups.copies(context)] == [made.file]
    assert made.file.name in backups.copies_html(context) and "1 backup" in backups.copies_html(context)
    assert f"pmg restore {made.file}" in restore_form.means_html(context)
    assert restore_backup(tmp_path / "elsewhere", made.file).segments == 3


def test_what_was_left_out_is_counted_by_kind_in_the_namespace(context: AppContext) -> None:
    secret = "gh" + "p_" + "a1B2c3D4e5" * 3 + "F6g7h8"
    tell(context.engine, "leak", f"My token is {secret}, and again {secret}", namespace="work")
    assert privacy.marks(context, "default") == []
    assert "None was found here so far" in privacy.marks_html([], ())
    ((kind, count),) = privacy.marks(context, "work")
    assert count == 2
    html = privacy.marks_html(privacy.marks(context, "work"), ())
    assert kind in html and "2 secrets were left out here" in html


def test_exceptions_hold_from_now_on_and_an_unknown_kind_is_refused(context: AppContext) -> None:
    text = "gh" + "p_" + "a1B2c3D4e5" * 3 + "F6g7h8"
    privacy.save_redaction(context, [], text)
    assert context.engine.redactor.redact(text).text == text
    with pytest.raises(ConfigError, match="unknown redaction kind"):
        privacy.save_redaction(context, ["nonsense"], "")
    assert context.engine.config.redact.allow == (text,)


def test_the_doctors_report_and_the_versions_are_shown(context: AppContext) -> None:
    html = privacy.health_values(context)[0]
    assert "thresholds:" in html
    assert "duckdb" in privacy.about_html(context)


def test_names_are_only_ever_text(context: AppContext) -> None:
    for html in (
        privacy.marks_html([(HOSTILE, 1)], (HOSTILE,)),
        namespaces.namespaces_html([namespaces.NamespaceInfo(HOSTILE, 1, 1)], ""),
        chat_model.destination_html(HOSTILE, True),
    ):
        assert alive(html) == []
