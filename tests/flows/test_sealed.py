"""Redactions that are kept sealed: off by default, restored one by one, and in no file in the clear."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pmg import settings
from pmg.base.errors import ConfigError, InputError, NotFound, StoreError
from pmg.base.model import Line, Role, Turn
from pmg.cli.main import load_commands
from pmg.cli.root import app
from pmg.config import Config
from pmg.engine import Engine
from pmg.exporters.export import export
from pmg.forget import Selection, forget, plan, plan_rescan, rescan
from pmg.importers.import_run import import_paths
from pmg.ingest.turns import SessionInput
from pmg.store import encryption
from pmg.store.duckdb import backup
from pmg.store.restore import restore_backup
from pmg.store.sealed import SealedRedaction
from steward.steward import Steward
from tests.embedding import WordEmbedder
from tests.forget.memory import holding
from tests.stores import store_of
from tests.tiers import one_fast

Open = Callable[..., Engine]
PASSPHRASE = "four random words " + "or more"
CHEAP = 16
KEEP = {"redact": {"keep_sealed": True}}
# Assembled here, so that no file holds a string that looks like a secret.
TOKEN = "_".join(("ghp", "R4nd0mLookingB0dyOfThirtySixCharact3"))
OTHER = "_".join(("ghp", "An0therB0dyThatLooksRand0mEnoughToo1"))
TOLD = f"Ünser token für the mirror is {TOKEN} and the second one is {OTHER}, says 小明."
MARK = "[redacted: github token]"


def tell(engine: Engine, text: str = TOLD, session: str = "one", namespace: str = "", origin: str = "") -> str:
    turn = Turn(
        (Line("Ana", Role.PERSON, "Hello."), Line("Ana", Role.PERSON, text)), datetime(2026, 6, 1, tzinfo=UTC), origin
    )
    engine.ingest([SessionInput((turn,), "Keys", id=session, namespace=namespace)])
    return f"seg_{session}_0"


def listed(engine: Engine) -> list[SealedRedaction]:
    return engine.reads.sealed.listed()


def text_of(engine: Engine, segment: str = "seg_one_0") -> str:
    return engine.segment(segment).lines[1].text


@pytest.fixture
def encrypted(home: Path) -> Path:
    encryption.encrypt(home, PASSPHRASE, CHEAP)
    return home


@pytest.fixture
def keeping(encrypted: Path, open_engine: Open) -> Engine:
    engine = open_engine(config=KEEP, passphrase=PASSPHRASE)
    tell(engine)
    return engine


def test_nothing_is_kept_unless_the_person_asked_for_it(encrypted: Path, open_engine: Open) -> None:
    engine = open_engine(passphrase=PASSPHRASE)
    tell(engine)
    assert MARK in text_of(engine)
    assert listed(engine) == []


def test_without_encryption_there_is_no_key_and_it_is_refused_with_the_mend(home: Path, open_engine: Open) -> None:
    with pytest.raises(ConfigError, match="pmg encrypt"):
        open_engine(config=KEEP)
    with pytest.raises(ConfigError, match="pmg encrypt"):
        settings.keep(home, KEEP)
    engine = open_engine()
    with pytest.raises(ConfigError, match="pmg encrypt"):
        settings.change(engine, KEEP)
    assert not engine.config.redact.keep_sealed


def test_kinds_and_places_are_listed_and_no_value(keeping: Engine) -> None:
    first, second = listed(keeping)
    assert (first.kind, first.segment_id, first.line) == ("github token", "seg_one_0", 1)
    text = text_of(keeping)
    assert text == TOLD.replace(TOKEN, MARK).replace(OTHER, MARK)
    assert [text[row.place : row.place + len(MARK)] for row in (first, second)] == [MARK, MARK]
    assert TOKEN not in repr(listed(keeping))


def test_the_secret_is_in_no_file_in_the_clear(keeping: Engine, encrypted: Path) -> None:
    keeping.backup(encrypted / "backups" / "b.duckdb")
    assert holding(encrypted, TOKEN) == []
    keeping.restore_sealed(listed(keeping)[0].id)
    assert holding(encrypted, TOKEN) == []  # restored, in an encrypted memory
    keeping.close()
    assert holding(encrypted, TOKEN) == [] and holding(encrypted, OTHER) == []


def test_both_come_back_in_any_order_to_the_very_words(keeping: Engine) -> None:
    first, second = listed(keeping)
    keeping.restore_sealed(second.id)
    assert text_of(keeping) == TOLD.replace(TOKEN, MARK)
    keeping.restore_sealed(first.id)
    assert text_of(keeping) == TOLD
    found = keeping.recall(f"mirror {TOKEN}")
    assert "seg_one_0" in [one.id for one in found.segments] and TOKEN in found.context
    with pytest.raises(InputError, match="restored already"):
        keeping.restore_sealed(first.id)


@pytest.mark.slow
def test_a_restored_one_can_be_undone_and_restored_again(keeping: Engine) -> None:
    before = text_of(keeping)
    first, second = listed(keeping)
    keeping.restore_sealed(first.id)
    keeping.restore_sealed(second.id)
    steward = Steward(keeping)
    steward.undo("last")
    assert text_of(keeping) == TOLD.replace(OTHER, MARK)
    steward.undo("last")
    assert text_of(keeping) == before
    assert [row.place for row in listed(keeping)] == [first.place, second.place]
    assert TOKEN not in str(keeping.reads.journal()) and OTHER not in str(keeping.reads.journal())
    keeping.restore_sealed(second.id)
    assert text_of(keeping) == TOLD.replace(TOKEN, MARK)


def test_words_that_were_changed_since_are_not_cut_at_the_old_places(keeping: Engine) -> None:
    first, second = listed(keeping)
    keeping.restore_sealed(first.id)
    store = store_of(keeping)
    with store.writing():
        store.database.run("UPDATE lines SET text = 'Now: ' || text WHERE idx = 1")
    before = text_of(keeping)
    with pytest.raises(InputError, match="were changed since"):
        Steward(keeping).undo("last")
    with pytest.raises(InputError, match="were changed since"):
        keeping.restore_sealed(second.id)
    assert text_of(keeping) == before


def test_a_scan_leaves_what_was_restored_and_takes_the_rest(keeping: Engine, open_engine: Open) -> None:
    first, second = listed(keeping)
    keeping.restore_sealed(first.id)
    assert plan_rescan(keeping).found == 0
    keeping.close()
    rules = {"redact": {"keep_sealed": True, "rules": ["greeting = Ünser"]}}
    engine = open_engine(config=rules, passphrase=PASSPHRASE)
    assert rescan(engine, plan_rescan(engine)).clean
    assert text_of(engine) == TOLD.replace(OTHER, MARK).replace("Ünser", "[redacted: greeting]")
    engine.restore_sealed(second.id)  # its place has moved with the new mark
    assert text_of(engine) == TOLD.replace("Ünser", "[redacted: greeting]")
    (new,) = [row for row in listed(engine) if row.kind == "greeting"]
    engine.restore_sealed(new.id)
    assert text_of(engine) == TOLD
    assert plan_rescan(engine).found == 0


def test_the_same_words_elsewhere_are_still_found_by_a_scan(keeping: Engine) -> None:
    keeping.restore_sealed(listed(keeping)[0].id)
    assert keeping.redactor.redact(TOLD).text == TOLD.replace(TOKEN, MARK).replace(OTHER, MARK)


@pytest.mark.parametrize("origin", one_fast(["", "turn-1"]))
def test_taking_the_same_in_again_keeps_what_was_restored(encrypted: Path, open_engine: Open, origin: str) -> None:
    engine = open_engine(config=KEEP, passphrase=PASSPHRASE)
    tell(engine, origin=origin)
    engine.restore_sealed(listed(engine)[0].id)
    tell(engine, origin=origin)
    assert sum(engine.counts().segments.values()) == 1
    assert text_of(engine) == TOLD.replace(OTHER, MARK)


@pytest.mark.slow
def test_importing_the_same_export_again_keeps_what_was_restored(
    encrypted: Path, open_engine: Open, tmp_path: Path
) -> None:
    engine = open_engine(config=KEEP, passphrase=PASSPHRASE)
    file = tmp_path / "chat.md"
    file.write_text(f"# Keys\n\n**User:** {TOLD}\n\n**Assistant:** Noted.\n")
    import_paths(engine, [file])
    (segment,) = engine.reads.sealed.listed()[0:1]
    engine.restore_sealed(segment.id)
    before = engine.segment(segment.segment_id).lines
    import_paths(engine, [file])
    assert engine.segment(segment.segment_id).lines == before
    assert sum(engine.counts().segments.values()) == 1


@pytest.mark.slow
def test_forgetting_takes_the_boxes_along_in_the_memory_and_its_backups(keeping: Engine, encrypted: Path) -> None:
    file = encrypted / "backups" / "b.duckdb"
    tell(keeping, f"Another matter altogether: {OTHER} opens the garage.", session="two")
    keeping.backup(file)
    forget(keeping, plan(keeping, Selection(segments=("seg_one_0",), namespace="default")))
    assert {row.segment_id for row in listed(keeping)} == {"seg_two_0"}
    keeping.close()
    restore_backup(encrypted, file)
    assert backup.check(encrypted / "memory.duckdb") == 1


def test_namespaces_hold(keeping: Engine) -> None:
    tell(keeping, session="two", namespace="work")
    theirs = next(row for row in listed(keeping) if row.namespace == "work")
    assert {row.namespace for row in keeping.reads.sealed.listed("default")} == {"default"}
    with pytest.raises(NotFound) as behind:
        keeping.restore_sealed(theirs.id, "default")
    with pytest.raises(NotFound) as never:
        keeping.restore_sealed(10**6, "default")
    assert str(behind.value).replace(str(theirs.id), "N") == str(never.value).replace(str(10**6), "N")


def test_an_export_does_not_carry_them(keeping: Engine, tmp_path: Path, open_engine: Open) -> None:
    export(keeping, tmp_path / "all.jsonl", "jsonl")
    assert holding(tmp_path, TOKEN) == []
    assert b"box" not in (tmp_path / "all.jsonl").read_bytes()


@pytest.mark.slow
def test_a_new_key_seals_them_anew(keeping: Engine, encrypted: Path, open_engine: Open) -> None:
    keeping.backup(encrypted / "backups" / "b.duckdb")
    boxes = [store_of(keeping).sealed.box(row.id) for row in listed(keeping)]
    keeping.close()
    encryption.renew(encrypted, "another " + PASSPHRASE, cost=CHEAP)
    engine = open_engine(config=KEEP, passphrase="another " + PASSPHRASE)
    assert not {store_of(engine).sealed.box(row.id) for row in listed(engine)} & set(boxes)
    engine.restore_sealed(listed(engine)[0].id)
    assert text_of(engine) == TOLD.replace(OTHER, MARK)
    engine.close()
    restore_backup(encrypted, encrypted / "backups" / "b.duckdb")
    engine = open_engine(config=KEEP, passphrase="another " + PASSPHRASE)
    engine.restore_sealed(listed(engine)[0].id)
    assert text_of(engine) == TOLD.replace(OTHER, MARK)


@pytest.mark.slow
def test_a_memory_in_the_clear_holds_no_box_and_still_knows_what_was_restored(
    keeping: Engine, encrypted: Path, open_engine: Open
) -> None:
    keeping.backup(encrypted / "backups" / "b.duckdb")
    keeping.restore_sealed(listed(keeping)[0].id)
    keeping.close()
    with pytest.raises(InputError, match="drop-sealed"):
        encryption.decrypt(encrypted)
    encryption.decrypt(encrypted, drop_sealed=True)
    engine = open_engine()
    (left,) = listed(engine)
    assert left.is_restored
    with pytest.raises(NotFound):
        store_of(engine).sealed.box(left.id)
    assert plan_rescan(engine).found == 0 and text_of(engine) == TOLD.replace(OTHER, MARK)
    Steward(engine).undo("last")
    assert text_of(engine) == TOLD.replace(OTHER, MARK).replace(TOKEN, MARK) and listed(engine) == []


def test_a_box_under_another_key_stays_shut(keeping: Engine, encrypted: Path) -> None:
    row = listed(keeping)[0]
    with store_of(keeping).writing():
        store_of(keeping).database.run("UPDATE sealed SET box = 'ffffffffffffffffffffffffffffffff'::BLOB")
    with pytest.raises(StoreError, match="does not open"):
        keeping.restore_sealed(row.id)
    assert MARK in text_of(keeping)


def test_a_turn_that_is_told_is_kept_too_and_what_is_said_again(keeping: Engine) -> None:
    with keeping.session(session_id="open") as session:
        session.add(user=f"The token is {TOKEN}.", assistant="Noted.")
        name = session.add(user=f"Once more, {TOKEN} it was.", assistant="Yes.")
    (row,) = [row for row in listed(keeping) if row.segment_id == name]
    keeping.restore_sealed(row.id)
    assert keeping.segment(name).lines[0].text == f"Once more, {TOKEN} it was."


@pytest.fixture
def no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Engine.open

    def open_quietly(config: Config, **options: Any) -> Engine:
        return opened(config, embedder=WordEmbedder(), ask=options.get("ask"))

    monkeypatch.setattr(Engine, "open", open_quietly)


def run(home: Path, *words: str) -> Sequence[str]:
    load_commands()
    done = CliRunner().invoke(app, ["--home", str(home), *words], catch_exceptions=False)
    return [str(done.exit_code), *done.output.splitlines()]


@pytest.mark.usefixtures("no_model")
def test_the_command_lists_and_restores(keeping: Engine, encrypted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keeping.close()
    monkeypatch.setenv("PMG_PASSPHRASE", PASSPHRASE)
    assert run(encrypted, "config", "redact.keep_sealed", "true")[0] == "0"
    shown = run(encrypted, "redact", "--sealed")
    assert shown[0] == "0" and "github token" in shown[1] and "token für the mirror is [redacted" in shown[2]
    assert TOKEN not in str(shown)
    assert run(encrypted, "--namespace", "work", "redact", "--sealed")[1].startswith("Nothing is sealed")
    assert run(encrypted, "redact", "--restore", "1")[0] == "0"
    assert "restored" in run(encrypted, "redact", "--sealed")[1]
    assert "switch it off" in " ".join(run(encrypted, "decrypt"))
    assert run(encrypted, "redact", "--sealed", "--rescan")[0] == "1"
