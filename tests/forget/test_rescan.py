"""Secrets that were stored before a rule knew them: found by kind, taken out everywhere, never shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pmg.base.model import Line, Role, Turn
from pmg.engine import Engine
from pmg.exporters.export import export
from pmg.forget import plan_rescan, rescan, resume
from pmg.forget.order import RESCAN
from pmg.ingest.turns import SessionInput
from pmg.store.duckdb import backup
from pmg.store.duckdb.store import DuckStore
from pmg.store.forget import EXPORT, KnownCopy
from steward.steward import Steward
from tests.forget.memory import NOON, OTHERS, holding, tell
from tests.pmg.people.talk import session
from tests.pmg.test_half_written import left_behind

# Assembled here, so that no file holds a string that looks like a secret; no rule of the default table knows it.
BADGE = "-".join(("ZX", "9041", "7733", "qk"))
RULES = {"redact": {"rules": ["badge number = ZX-[0-9]{4}-[0-9]{4}-[a-z]{2}"]}}
TOLD = f"My badge for the bakery is {BADGE}, keep it."


@pytest.fixture
def stored(open_engine: Callable[..., Engine], home: Path, tmp_path: Path) -> Engine:
    """A memory from before the rule, opened with it."""
    first = open_engine()
    tell(first, "one", [OTHERS[0], TOLD, OTHERS[1]], title=f"Badge {BADGE}")
    tell(first, "two", [f"Again: {BADGE} opens the back door of it.", OTHERS[2]], namespace="work")
    first.recall(f"what opens with {BADGE}")
    first.backup(home / "backups" / "b.duckdb")
    export(first, tmp_path / "with.jsonl", "jsonl")
    export(first, tmp_path / "vault", "markdown")
    first.close()
    return open_engine(config=RULES)


def test_a_dry_run_counts_by_kind_and_changes_nothing(stored: Engine, home: Path) -> None:
    todo = plan_rescan(stored)
    assert todo.kinds == {"badge number": 4}  # two lines, a title, a question
    assert todo.places == {"lines.text": 2, "sessions.title": 1, "recalls.query": 1}
    assert BADGE not in repr(todo)
    assert stored.segment("seg_one_1").lines[0].text == TOLD


def test_marks_stand_in_their_place_everywhere(stored: Engine, home: Path, tmp_path: Path) -> None:
    before = stored.segment("seg_one_0")
    assert holding(tmp_path, BADGE)
    receipt = rescan(stored, plan_rescan(stored))
    assert receipt.clean, receipt.text
    assert receipt.counts["badge number"] == 4 and receipt.counts["segments with other words"] == 2
    assert BADGE not in receipt.text
    assert holding(tmp_path, BADGE) == []
    assert stored.segment("seg_one_1").lines[0].text == TOLD.replace(BADGE, "[redacted: badge number]")
    assert stored.segment("seg_one_0").lines == before.lines
    assert stored.reads.session("one").title == "Badge [redacted: badge number]"  # type: ignore[union-attr]
    assert backup.check(home / "backups" / "b.duckdb") == 5
    assert stored.indexes.sizes() == {"default": (3, 3), "work": (2, 2)}
    assert "seg_one_1" in [s.id for s in stored.recall("badge for the bakery").segments]
    assert plan_rescan(stored).found == 0


@pytest.mark.slow
def test_what_a_killed_export_left_goes_too(stored: Engine, tmp_path: Path) -> None:
    left = left_behind(tmp_path, TOLD)
    receipt = rescan(stored, plan_rescan(stored))
    assert not left.exists() and str(left) in receipt.deleted


@pytest.mark.slow
def test_notes_of_a_person_in_the_folder_of_a_vault_and_in_one_that_took_its_place_stay(
    stored: Engine, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    stored.record_copy(KnownCopy(notes, EXPORT, "html"))  # as older versions noted a place that they then refused
    mine = [
        notes / "mine.md",
        tmp_path / "vault" / "mine.md",
        tmp_path / "vault" / "2026" / "06" / "with properties.md",
    ]
    for file in mine:
        file.write_text(f"---\ntitle: mine\n---\n{TOLD}")
    receipt = rescan(stored, plan_rescan(stored))
    assert [file.read_text()[-len(TOLD) :] for file in mine] == [TOLD] * 3
    assert holding(tmp_path / "vault", BADGE) == ["2026/06/with properties.md", "mine.md"]
    assert {str(file) for file in mine[1:]} == {one.place for one in receipt.residue}
    assert any("a folder has its place" in told for told in receipt.unreachable)


@pytest.mark.slow
def test_a_file_that_somebody_damaged_is_told_and_the_rest_goes_on(stored: Engine, tmp_path: Path) -> None:
    export(stored, tmp_path / "of.parquet", "parquet")
    (tmp_path / "of.parquet").write_bytes(b"PAR1 and no more")
    receipt = rescan(stored, plan_rescan(stored))
    assert any("of.parquet: ArrowInvalid" in told for told in receipt.unreachable)
    assert [one.place for one in receipt.residue] == [f"{tmp_path / 'of.parquet'}: cannot be opened"]
    assert holding(tmp_path, BADGE) == [] and resume(stored) is None


@pytest.mark.slow
def test_a_title_from_before_that_was_cut_within_a_secret_is_found(
    open_engine: Callable[..., Engine], home: Path
) -> None:
    seed = "legal winner thank year wave sausage " + "worth useful legal winner thank yellow"
    engine = open_engine()
    tell(engine, "one", [f"my seed phrase: {seed}", OTHERS[0]])
    session = engine.reads.session("one")
    assert session is not None
    engine.update_sessions([replace(session, title=f"my seed phrase: {seed[:40]}…", name="")], ["one"])
    engine.backup(home / "backups" / "b.duckdb")
    todo = plan_rescan(engine)
    assert todo.kinds == {"seed phrase": 1} and todo.places == {"sessions.title": 1}
    receipt = rescan(engine, todo)
    assert receipt.clean, receipt.text
    assert engine.reads.session("one").title == "my seed phrase: [redacted: seed phrase]"  # type: ignore[union-attr]
    assert plan_rescan(engine).found == 0
    assert holding(home, "thank year wave") == []


@pytest.mark.slow
def test_telling_it_again_is_known(stored: Engine) -> None:
    """The hash is that of the words as they are now, so an import of the same export adds nothing."""
    rescan(stored, plan_rescan(stored))
    tell(stored, "one", [OTHERS[0], TOLD, OTHERS[1]])
    assert len(stored.reads.segments_of("one")) == 3


@pytest.mark.slow
def test_a_restored_backup_has_its_vectors_made_anew(stored: Engine, home: Path, tmp_path: Path) -> None:
    rescan(stored, plan_rescan(stored))
    (tmp_path / "other").mkdir()
    (home / "backups" / "b.duckdb").rename(tmp_path / "other" / "memory.duckdb")
    store = DuckStore.open(tmp_path / "other")
    try:
        assert store.model is not None and store.pending(store.model.generation) == 2
    finally:
        store.close()


def test_one_that_was_killed_is_finished(stored: Engine, home: Path) -> None:
    class Killed(Exception):
        pass

    def step(what: str, done: int, total: int) -> None:
        if done == 3 and what.startswith("redacting"):
            raise Killed

    with pytest.raises(Killed):
        rescan(stored, plan_rescan(stored), step)
    assert (home / RESCAN).exists()
    assert BADGE not in (home / RESCAN).read_text()
    receipt = resume(stored)
    assert receipt is not None and receipt.resumed and receipt.clean
    assert not (home / RESCAN).exists()
    assert holding(home, BADGE) == []
    assert resume(stored) is None


@pytest.mark.slow
def test_names_and_corrections_made_by_hand_are_looked_at_too(open_engine: Callable[..., Engine], home: Path) -> None:
    first = open_engine()
    first.ingest([session("talk", NOON, ("Ana", "I work at TechCorp."), ("Ben", "Nice."))])
    first.extract()
    (work,) = first.reads.people.claims("default")
    steward = Steward(first)
    steward.correct_claim(work.id, f"the bakery, badge {BADGE}")
    steward.rename(work.about, f"Ana {BADGE}", "default")
    first.backup(home / "backups" / "b.duckdb")
    first.close()
    engine = open_engine(config=RULES)
    todo = plan_rescan(engine)
    assert {"claim_rulings.words", "entity_names.name", "journal.after"} <= set(todo.places)
    assert rescan(engine, todo).clean
    assert holding(home, BADGE) == [] and plan_rescan(engine).found == 0
    (ruling,) = engine.reads.people.rulings("default")
    assert ruling.words == "the bakery, badge [redacted: badge number]"
    assert list(engine.reads.people.given_names("default").values()) == ["Ana [redacted: badge number]"]
    Steward(engine).undo("last")  # the redaction is no change of the steward's: these are
    Steward(engine).undo("last")
    assert engine.reads.people.rulings("default") == []


@pytest.mark.slow
def test_tags_and_ids_from_before_are_mended_and_name_the_same_afterwards(
    open_engine: Callable[..., Engine], home: Path
) -> None:
    first = open_engine()
    given = SessionInput(
        [Turn((Line("User", Role.USER, OTHERS[0]),), NOON, f"turn {BADGE}", {"badge": BADGE})],
        conversation=f"talk {BADGE}",
        source=f"app {BADGE}",
        id=BADGE,
    )
    first.ingest([given])
    Steward(first).tag(f"seg_{BADGE}_0", [BADGE, "bakery"])
    first.backup(home / "backups" / "b.duckdb")
    first.close()
    engine = open_engine(config=RULES)
    assert plan_rescan(engine).places.keys() >= {"sessions.id", "segments.tags", "segments.origin_id"}
    receipt = rescan(engine, plan_rescan(engine))
    assert receipt.clean, receipt.text
    assert holding(home, BADGE) == [] and not [file for file in home.rglob("*") if BADGE in file.name]
    (session,) = engine.sessions()
    assert session.id == engine.session_id(BADGE, "default") and session.source == "app [redacted: badge number]"
    (segment,) = engine.reads.segments_of(session.id)
    assert segment.id == f"seg_{session.id}_0" and segment.tags == ("[redacted: badge number]", "bakery")
    assert engine.recall(OTHERS[0]).segments[0].id == segment.id
    assert engine.ingest([given]).known == 1
    assert engine.session(session_id=BADGE, conversation=given.conversation).id == session.id
    assert plan_rescan(engine).found == 0


@pytest.mark.slow
def test_a_secret_whose_label_was_taken_for_a_speaker_is_found(open_engine: Callable[..., Engine], home: Path) -> None:
    word, pin = "Kestrel" + "92!x", "48" + "29"
    engine = open_engine()
    engine.ingest([session("one", NOON, ("Password", word), ("PIN", pin), ("Ann", "hello there"))])
    todo = plan_rescan(engine)
    assert todo.kinds == {"password": 1, "pin": 1} and todo.places["lines.text"] == 2
    assert rescan(engine, todo).clean
    assert [turn.lines[0].text for turn in engine.reads.segments_of("one")] == [
        "[redacted: password]",
        "[redacted: pin]",
        "hello there",
    ]
    assert plan_rescan(engine).found == 0 and holding(home, word) == []
