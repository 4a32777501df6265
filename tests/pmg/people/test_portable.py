"""What was decided about people leaves with an export and comes back, in this memory's own numbers."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from pmg import config as configuration
from pmg.engine import Engine
from pmg.exporters.export import export
from pmg.forget import Selection, forget, plan
from pmg.importers.import_run import import_paths
from pmg.people.knowledge import Knowledge
from pmg.store.people import Identity, Ruling, StoredClaim
from steward.people_edits import Resolution
from steward.steward import Steward
from tests.embedding import WordEmbedder
from tests.pmg.people.talk import session

pytestmark = pytest.mark.slow

MAY, JUNE = (datetime(2023, month, 8, 12, tzinfo=UTC) for month in (5, 6))


def opened(home: Path, request: pytest.FixtureRequest) -> Engine:
    engine = Engine.open(configuration.load(home, {}), embedder=WordEmbedder())
    request.addfinalizer(engine.close)
    return engine


def filled(engine: Engine) -> Engine:
    engine.ingest(
        [
            session(
                "one",
                MAY,
                ("John", "I work at TechCorp."),
                ("Sarah", "I live in Seattle. I live in Portland."),
                conversation="a",
            ),
            session(
                "two", JUNE, ("John", "I moved to Austin."), ("Lisa", "My sister Tamsin paints."), conversation="b"
            ),
        ]
    )
    engine.extract()
    first, second = Knowledge.read(engine.reads.people, "default").named("John")
    (sarah,) = Knowledge.read(engine.reads.people, "default").named("Sarah")
    steward = Steward(engine)
    steward.identify(first.id, second.id, Identity.MERGE, "default")
    steward.rename(sarah.id, "Sarah Miller", "default")
    by_object = {one.claim.object: one.id for one in engine.reads.people.claims("default")}
    steward.correct_claim(by_object["TechCorp"], "Quillfeather")
    steward.resolve(by_object["Seattle"], by_object["Portland"], Resolution.FIRST_THEN_SECOND)
    return engine


RULED = [("seg_one_0", Ruling.CORRECTED, "Quillfeather", None), ("seg_one_1", Ruling.ENDED, "", MAY.date())]


def ruled(engine: Engine, namespace: str = "default") -> list[tuple[str, Ruling, str, date | None]]:
    return [(one.segment, one.ruling, one.words, one.ended) for one in engine.reads.people.rulings(namespace)]


def claims_of(engine: Engine) -> list[tuple[str, str, str, str]]:
    def row(one: StoredClaim) -> tuple[str, str, str, str]:
        return one.claim.subject, one.claim.relation, one.claim.object, one.claim.segment

    return sorted(map(row, engine.reads.people.claims("default")))


def decided(engine: Engine) -> tuple[list[list[str]], list[str]]:
    known = Knowledge.read(engine.reads.people, "default")
    merged = sorted(sorted(one.conversation for one in same) for same in known.people() if len(same) > 1)
    return merged, sorted(engine.reads.people.given_names("default").values())


def test_an_export_brings_claims_decisions_and_names_into_another_memory(
    engine: Engine, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    filled(engine)
    export(engine, tmp_path / "all.jsonl", "jsonl")
    other = opened(tmp_path / "other", request)
    with other.session("Before") as before:  # its numbers are others
        before.add(user="I live in Rome.", assistant="Noted.")
    other.extract()
    import_paths(other, [tmp_path / "all.jsonl"])
    assert set(claims_of(engine)) <= set(claims_of(other)) and claims_of(engine)
    assert decided(other) == decided(engine) == ([["a", "b"]], ["Sarah Miller"])
    assert ruled(other) == ruled(engine) == RULED
    import_paths(other, [tmp_path / "all.jsonl"])
    assert decided(other) == decided(engine) and ruled(other) == RULED


def test_a_whole_memory_brings_them_too(engine: Engine, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    filled(engine)
    engine.backup(tmp_path / "copy.duckdb")
    other = opened(tmp_path / "other", request)
    import_paths(other, [tmp_path / "copy.duckdb"])
    assert decided(other) == decided(engine) and ruled(other) == RULED


def test_what_was_decided_here_stands_and_strangers_are_told(
    engine: Engine, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    filled(engine)
    export(engine, tmp_path / "all.jsonl", "jsonl")
    other = opened(tmp_path / "other", request)
    rows = (tmp_path / "all.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "part.jsonl").write_text(
        "".join(r for r in rows if not r.startswith(('{"identity"', '{"given_name"', '{"ruling"')))
    )
    import_paths(other, [tmp_path / "part.jsonl"])
    other.extract()
    (sarah,) = Knowledge.read(other.reads.people, "default").named("Sarah")
    Steward(other).rename(sarah.id, "Sarah Jones", "default")
    stranger = next(row for row in rows if "given_name" in row).replace('"name": "Sarah"', '"name": "Nobody"')
    (work,) = [one.id for one in other.reads.people.claims("default") if one.claim.object == "TechCorp"]
    Steward(other).correct_claim(work, "")
    gone = next(row for row in rows if row.startswith('{"ruling"')).replace("seg_one_0", "seg_nowhere_0")
    (tmp_path / "more.jsonl").write_text("".join([*rows, stranger, gone]), encoding="utf-8")
    report = import_paths(other, [tmp_path / "more.jsonl"])
    assert decided(other) == ([["a", "b"]], ["Sarah Jones"])
    assert report.skipped["decisions about people who are not here"] == 1
    assert ruled(other) == [("seg_one_0", Ruling.WRONG, "", None), RULED[1]]
    assert report.skipped["corrections of claims whose turns are not here"] == 1


def test_a_ruling_reaches_no_turn_in_another_namespace(
    engine: Engine, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Their session has the name of one in a namespace here: its rulings follow its turns under their new name."""
    filled(engine)
    export(engine, tmp_path / "all.jsonl", "jsonl")
    other = opened(tmp_path / "other", request)
    other.ingest([session("one", MAY, ("John", "I work at TechCorp."), ("Sarah", "Hello."), namespace="private")])
    import_paths(other, [tmp_path / "all.jsonl"])
    assert ruled(other, "private") == []
    assert [row[1:] for row in ruled(other)] == [row[1:] for row in RULED]
    rows = (tmp_path / "all.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    only = [row for row in rows if row.startswith(('{"pmg"', '{"ruling"'))]
    (tmp_path / "only.jsonl").write_text("".join(only), encoding="utf-8")
    alone = opened(tmp_path / "alone", request)
    alone.ingest([session("one", MAY, ("John", "I work at TechCorp."), ("Sarah", "Hello."), namespace="private")])
    import_paths(alone, [tmp_path / "only.jsonl"])
    assert ruled(alone, "private") == ruled(alone) == []


def test_a_secret_in_somebody_elses_ruling_is_taken_out(
    engine: Engine, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    secret = "sk-" + "proj-" + "Ab3dEf6hIj9k" * 4
    filled(engine)
    export(engine, tmp_path / "all.jsonl", "jsonl")
    text = (tmp_path / "all.jsonl").read_text(encoding="utf-8").replace("Quillfeather", f"Quill {secret}")
    (tmp_path / "all.jsonl").write_text(text, encoding="utf-8")
    other = opened(tmp_path / "other", request)
    import_paths(other, [tmp_path / "all.jsonl"])
    assert len(ruled(other)) == 2 and secret not in repr(other.reads.people.rulings("default"))


def test_forgetting_takes_decisions_about_whom_nobody_names_out_of_an_export(engine: Engine, tmp_path: Path) -> None:
    filled(engine)
    file = tmp_path / "all.jsonl"
    export(engine, file, "jsonl")
    assert "Sarah Miller" in file.read_text(encoding="utf-8")
    assert "Quillfeather" in file.read_text(encoding="utf-8")
    forget(engine, plan(engine, Selection(segments=("seg_one_1",))))
    left = file.read_text(encoding="utf-8")
    assert "Seattle" not in left and "Sarah" not in left and '"ruling": "ended"' not in left
    assert '"identity": "MERGE"' in left
    assert '"ruling": "corrected"' in left
    forget(engine, plan(engine, Selection(segments=("seg_one_0",))))
    assert "Quillfeather" not in file.read_text(encoding="utf-8") and ruled(engine) == []
