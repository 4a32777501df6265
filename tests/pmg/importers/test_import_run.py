"""Imports through the engine: whole, once, updated where edited, nothing lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pmg.base.model import Kind, Origin, Role, State
from pmg.engine import Engine
from pmg.importers.import_run import ImportOptions, import_paths
from pmg.importers.read import read
from pmg.importers.turns import sessions_of
from tests.pmg.importers.memory import chat, dump, export, texts
from tests.pmg.importers.places import OWN, SHARED
from tests.stores import store_of
from tests.tiers import one_fast

SHARED_EXPORTS = SHARED / "exports"


def expected_turns(path: Path) -> int:
    """What an independent walk over the readers' results counts: each named turn of a conversation once."""
    found: set[tuple[str, str, str, int]] = set()
    for result in read([path]):
        if hasattr(result, "messages"):
            seen: dict[str, int] = {}
            for sitting in sessions_of(result):
                for turn in sitting.turns:
                    if any(line.text.strip() for line in turn.lines):
                        seen[turn.origin_id] = seen.get(turn.origin_id, 0) + 1
                        found.add((result.source, result.origin_id, turn.origin_id, seen[turn.origin_id]))
    return len(found)


@pytest.mark.parametrize("folder", one_fast(sorted(p.name for p in OWN.iterdir())))
def test_our_own_exports_come_in_whole_and_once(engine: Engine, folder: str) -> None:
    report = import_paths(engine, [OWN / folder])
    assert report.turns == expected_turns(OWN / folder) > 0
    before = dump(engine)
    again = import_paths(engine, [OWN / folder])
    assert again.turns == again.total("edited") == again.total("grown") == again.retitled == 0
    assert dump(engine) == before


@pytest.mark.slow
@pytest.mark.skipif(not SHARED_EXPORTS.is_dir(), reason="the shared exports are not beside the checkout")
def test_every_shared_export_comes_in_through_the_engine(engine: Engine) -> None:
    report = import_paths(engine, [SHARED_EXPORTS])
    assert report.turns + report.total("grown") + report.total("edited") >= 95
    assert set(report.sources) >= {"chatgpt", "claude", "claude-code", "codex", "gemini"}
    assert all(problem.reason for problem in report.problems)
    before = dump(engine)
    assert import_paths(engine, [SHARED_EXPORTS]).turns == 0
    assert dump(engine) == before


def test_a_newer_export_adds_only_what_is_new(engine: Engine, tmp_path: Path) -> None:
    first = export(tmp_path / "a.json", chat("1", [("my cat is ill", "see a vet")]))
    newer = export(
        tmp_path / "b.json",
        chat("1", [("my cat is ill", "see a vet"), ("she is well", "good")], title="The cat"),
        chat("2", [("bake bread", "use yeast")]),
    )
    import_paths(engine, [first])
    report = import_paths(engine, [newer])
    assert (report.turns, report.total("known"), report.retitled) == (2, 1, 1)
    (session,) = [s for s in engine.sessions() if s.segments == 2]
    assert session.title == "The cat" and session.meta["imported"] == "yes" and session.source == "chatgpt"
    assert "The cat" in (next(engine.config.home.glob(f"sessions/*/*/{session.id}.md"))).read_text()


def test_an_edited_turn_is_replaced_and_its_old_words_are_in_the_journal(engine: Engine, tmp_path: Path) -> None:
    import_paths(engine, [export(tmp_path / "a.json", chat("1", [("my cat purrs", "a happy kitten")]))])
    old = engine.reads.segments_of(engine.sessions()[0].id)[0]
    edited = export(tmp_path / "b.json", chat("1", [("my cat purrs", "no: bake bread in the oven")], updated=2e9))
    report = import_paths(engine, [edited])
    assert (report.turns, report.total("edited")) == (0, 1)
    (segment,) = engine.reads.segments_of(old.session_id)
    assert (segment.id, segment.number, segment.lines[1].text) == (old.id, old.number, "no: bake bread in the oven")
    entry = next(e for e in engine.reads.journal() if e.action == "import.edit")
    assert json.loads(entry.before)["lines"][1]["text"] == "a happy kitten"
    assert engine.counts().pending == 0
    assert engine.recall("oven bread").segments[0].id == old.id
    assert "kitten" not in engine.recall("happy kitten").context
    assert engine.reads.indexable_lines() == sum(lines for _, lines in engine.indexes.sizes().values())
    assert engine.reads.orphan_edges() == 0


def test_an_edit_survives_closing_and_rebuilding(open_engine: Callable[..., Engine], tmp_path: Path) -> None:
    engine = open_engine()
    import_paths(engine, [export(tmp_path / "a.json", chat("1", [("my cat purrs", "a happy kitten")]))])
    import_paths(engine, [export(tmp_path / "b.json", chat("1", [("my cat purrs", "rain and storm")], updated=2e9))])
    found = [s.id for s in engine.recall("storm").segments]
    engine.close()
    engine = open_engine()
    assert not engine.indexes.rebuilt
    assert [s.id for s in engine.recall("storm").segments] == found
    engine.rebuild()
    assert [s.id for s in engine.recall("storm").segments] == found


def test_what_gave_way_to_an_edited_turn_comes_back(engine: Engine, tmp_path: Path) -> None:
    one = chat("1", [("the doctor wants me to rest my knee at the clinic and take the medicine", "rest it")])
    two = chat("2", [("the doctor wants me to rest my knee at the clinic and take the medicine", "rest it")], at=1.75e9)
    import_paths(engine, [export(tmp_path / "a.json", one, two)])
    assert engine.counts().segments[State.DUPLICATE] == 1
    changed = chat("1", [("the concert with piano and guitar was loud", "music")], updated=2e9)
    import_paths(engine, [export(tmp_path / "b.json", changed)])
    assert engine.counts().segments[State.DUPLICATE] == 0
    assert any("knee" in s.text for s in engine.recall("knee clinic").segments)


def test_an_answer_that_came_later_is_added_to_its_turn(engine: Engine, tmp_path: Path) -> None:
    import_paths(engine, [export(tmp_path / "a.json", chat("1", [("is it raining?", "")]))])
    report = import_paths(engine, [export(tmp_path / "b.json", chat("1", [("is it raining?", "yes, a storm")]))])
    assert (report.turns, report.total("grown"), report.total("edited")) == (0, 1, 0)
    assert not [e for e in engine.reads.journal() if e.action == "import.edit"]
    assert texts(engine) == ["User: is it raining?\nChatGPT: yes, a storm"]


def test_an_older_export_changes_nothing(engine: Engine, tmp_path: Path) -> None:
    new = export(tmp_path / "new.json", chat("1", [("cat", "dog"), ("rain", "snow")], updated=2e9, title="New"))
    old = export(tmp_path / "old.json", chat("1", [("cat", "kitten")], updated=1.9e9, title="Old"))
    import_paths(engine, [new])
    before = dump(engine)
    report = import_paths(engine, [old])
    assert report.total("older") == 1
    assert dump(engine) == before


def test_a_page_that_no_reader_understands_is_listed_and_kept_once(engine: Engine, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<html><body><p>a chat of a kind that nobody knows</p></body></html>", encoding="utf-8")
    report = import_paths(engine, [page])
    assert (report.turns, report.kept_raw) == (0, 1)
    assert [problem.level.value for problem in report.problems] == ["unsupported"]
    (entry,) = [entry for entry in engine.reads.journal() if entry.action == "import.raw"]
    assert "a kind that nobody knows" in json.loads(entry.after)["raw"]
    assert import_paths(engine, [page]).kept_raw == 0


def test_another_gap_doubles_nothing(engine: Engine, tmp_path: Path) -> None:
    talk = chat("1", [("cat", "a"), ("dog", "b")])
    for node in list(talk["mapping"].values())[3:]:
        node["message"]["create_time"] += 24 * 3600
    file = export(tmp_path / "a.json", talk)
    assert import_paths(engine, [file]).total("sessions") == 2
    again = import_paths(engine, [file], ImportOptions(gap_hours=100))
    assert (again.turns, again.total("known")) == (0, 2)


def test_branches_are_kept_and_tied_where_they_leave(engine: Engine) -> None:
    report = import_paths(engine, [OWN / "chatgpt" / "2024-branches.json"])
    assert report.total("branches") > 0
    edges = [e for e in engine.reads.exchange.lasting_edges() if e.kind is Kind.PART_OF]
    assert edges and all(e.origin is Origin.AUTO for e in edges)
    for edge in edges:
        branch, leaves = engine.segment(edge.source), engine.segment(edge.target)
        by_id = {s.id: s for s in engine.sessions()}
        assert by_id[branch.session_id].conversation == by_id[leaves.session_id].conversation
        assert by_id[branch.session_id].meta["branch_at"]
    engine.relink()
    assert [e for e in engine.reads.exchange.lasting_edges() if e.kind is Kind.PART_OF] == edges


def test_two_messages_with_one_id_both_come_in(engine: Engine, tmp_path: Path) -> None:
    rows = [{"role": "user", "id": "x", "text": text} for text in ("first", "second", "third")]
    file = tmp_path / "chat.json"
    file.write_text(json.dumps({"title": "t", "id": "c", "messages": rows}))
    import_paths(engine, [file])
    assert texts(engine) == ["User: first", "User: second", "User: third"]
    assert import_paths(engine, [file]).turns == 0
    assert texts(engine) == ["User: first", "User: second", "User: third"]


def test_secrets_of_an_export_are_redacted_everywhere(engine: Engine, tmp_path: Path) -> None:
    key = "sk-" + "proj-" + "A1b2C3d4" * 6
    talk = chat("1", [(f"my key is {key}", "noted")], title=f"key {key}")
    broken = json.dumps([talk])[:-1] + f', {{"title": "cut {key}'
    (tmp_path / "a.json").write_text(broken)
    report = import_paths(engine, [tmp_path / "a.json"])
    assert sum(report.redacted.values()) == 1 and report.kept_raw == 1
    stored = json.dumps(dump(engine), default=str) + "".join(e.after for e in engine.reads.journal())
    assert key not in stored and "[redacted" in stored
    assert import_paths(engine, [tmp_path / "a.json"]).kept_raw == 0


def test_a_title_cut_from_the_first_words_holds_no_piece_of_a_secret(engine: Engine, tmp_path: Path) -> None:
    words = "legal winner thank year wave sausage worth useful legal winner thank yellow"
    rows = [
        {"role": "user", "content": f"my seed phrase: {words}", "created_at": "2026-06-01T08:00:00Z"},
        {"role": "user", "content": "and on the next day we swam", "created_at": "2026-06-02T18:00:00Z"},
    ]
    (tmp_path / "c.json").write_text(json.dumps({"id": "c", "messages": rows}))
    report = import_paths(engine, [tmp_path / "c.json"])
    assert [session.title for session in engine.sessions()] == ["my seed phrase: [redacted: seed phrase]"] * 2
    assert "sausage" not in json.dumps(dump(engine), default=str) + report.text()
    assert import_paths(engine, [tmp_path / "c.json"]).retitled == 0


def test_turns_without_words_are_left_out_and_counted(engine: Engine, tmp_path: Path) -> None:
    rows = [{"role": "user", "text": "hello"}, {"role": "user", "text": " \n "}]
    (tmp_path / "c.json").write_text(json.dumps({"id": "c", "messages": rows}))
    report = import_paths(engine, [tmp_path / "c.json"])
    assert report.turns == 1
    assert report.skipped["turns without words"] + report.counted["empty"] == 1


def test_a_dry_run_tells_the_same_and_writes_nothing(engine: Engine, tmp_path: Path) -> None:
    empty = dump(engine)
    told = import_paths(engine, [OWN], ImportOptions(dry_run=True))
    assert dump(engine) == empty and engine.reads.journal() == []
    done = import_paths(engine, [OWN])
    assert told.to_dict()["sources"] == done.to_dict()["sources"]
    assert (told.redacted, told.people, told.first) == (done.redacted, done.people, done.first)
    assert told.places == done.places


def test_a_dry_run_counts_the_titles_that_would_change(engine: Engine, tmp_path: Path) -> None:
    said = [("my cat is ill", "see a vet")]
    import_paths(engine, [export(tmp_path / "a.json", chat("1", said, title="Old", updated=1.7e9))])
    before = dump(engine)
    newer = [
        export(tmp_path / "b.json", chat("1", said, title="New", updated=1.8e9)),
        export(tmp_path / "c.json", chat("1", [*said, ("and now?", "rest")], title="New", updated=1.9e9)),
    ]
    told = import_paths(engine, newer, ImportOptions(dry_run=True))
    assert told.retitled == 1 and dump(engine) == before
    assert import_paths(engine, newer).retitled == 1


@pytest.mark.parametrize("dry_run", [True, False])
def test_the_report_shows_one_place_of_every_kind_of_secret(engine: Engine, tmp_path: Path, dry_run: bool) -> None:
    key, word = "sk-" + "proj-" + "A1b2C3d4" * 6, "hunter" + "22"
    said = [(f"the first key is {key}", "noted")] + [
        (f"number {n}: my password is {word}{n}x", "noted") for n in range(9)
    ]
    (tmp_path / "a.json").write_text(json.dumps([chat("1", said)]))
    report = import_paths(engine, [tmp_path / "a.json"], ImportOptions(dry_run=dry_run))
    assert report.redacted["password"] == 9 and [place.kind for place in report.places].count("password") == 5
    rows = [row for row in report.text().splitlines() if "for instance in" in row]
    assert len(rows) == 2 and key not in report.text() and word not in report.text()
    assert any("number 0: my password is [redacted: password]" in row for row in rows)
    assert report.to_dict()["redacted_places"][0]["kind"] in report.redacted


def test_since_only_and_namespace(engine: Engine, tmp_path: Path) -> None:
    old, new = chat("1", [("cat", "a")], at=1.5e9), chat("2", [("dog", "b")], at=1.7e9)
    file = export(tmp_path / "a.json", old, new)
    wishes = ImportOptions(since=datetime(2020, 1, 1, tzinfo=UTC), namespace="work")
    report = import_paths(engine, [file, OWN / "claude"], ImportOptions(only=("claude",), namespace="work"))
    assert set(report.sources) == {"claude"} and report.skipped["conversations of chatgpt"] == 2
    report = import_paths(engine, [file], wishes)
    assert report.turns == 1 and report.skipped["sessions before the date asked for"] == 1
    assert {s.namespace for s in engine.sessions()} == {"work"}


def test_roles_models_and_ids_are_kept(engine: Engine) -> None:
    import_paths(engine, [OWN / "chatgpt", OWN / "claude", OWN / "claude-code"])
    segments = [s for session in engine.sessions() for s in engine.reads.segments_of(session.id)]
    assert {Role.USER, Role.ASSISTANT, Role.TOOL, Role.THINKING} <= {line.role for s in segments for line in s.lines}
    assert any(s.meta.get("model") for s in segments)
    assert all(session.meta["origin_id"] for session in engine.sessions())


def test_the_report_reads_as_text_and_as_json(engine: Engine) -> None:
    report = import_paths(engine, [OWN / "chatgpt"])
    told = json.loads(json.dumps(report.to_dict()))
    assert told["sources"]["chatgpt"]["turns"] == report.turns
    assert told["levels"]["broken"] == 5 and len(told["problems"]) == len(report.problems)
    text = report.text()
    assert f"chatgpt: {report.turns} turns came in" in text and "broken-end.json" in text and "you (" in text


def test_progress_ends_at_the_total(engine: Engine) -> None:
    seen: list[tuple[int, int]] = []
    import_paths(engine, [OWN / "chatgpt"], progress=lambda w, d, t: seen.append((d, t)) if w == "reading" else None)
    assert seen and seen[-1][0] == seen[-1][1] > 0
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_every_line_keeps_its_own_time(engine: Engine, tmp_path: Path) -> None:
    late = chat("1", [("what shall I plant?", "beans, after the frost")], at=1.7e9)
    late["mapping"]["m1-1"]["message"]["create_time"] = 1.7e9 + 5193
    import_paths(engine, [export(tmp_path / "a.json", late)])
    (segment,) = engine.reads.segments_of(engine.sessions()[0].id)
    asked, answered = segment.lines
    assert segment.at == asked.at == datetime.fromtimestamp(1.7e9, UTC)
    assert answered.at is not None and asked.at is not None and (answered.at - asked.at).total_seconds() == 5193
    told = engine.sql("SELECT position, said_at FROM v_lines ORDER BY position").rows
    assert [row[1].timestamp() - told[0][1].timestamp() for row in told] == [0, 5193]


def test_lines_that_came_without_a_time_take_it_from_a_later_import(engine: Engine, tmp_path: Path) -> None:
    late = chat("1", [("what shall I plant?", "beans, after the frost")], at=1.7e9)
    late["mapping"]["m1-1"]["message"]["create_time"] = 1.7e9 + 5193
    file = export(tmp_path / "a.json", late)
    import_paths(engine, [file])
    store = store_of(engine)
    with store.writing():  # as a memory from before lines had times has it; another line has one already
        store.database.run("UPDATE lines SET said_at = NULL, said_offset = NULL WHERE idx = 1")
    assert import_paths(engine, [file], ImportOptions(dry_run=True)).timed_lines == 0
    report = import_paths(engine, [file])
    assert report.timed_lines == 1 and "1 line of known turns got the time" in report.text()
    (segment,) = engine.reads.segments_of(engine.sessions()[0].id)
    assert segment.lines[1].at == datetime.fromtimestamp(1.7e9 + 5193, UTC)
    assert import_paths(engine, [file]).timed_lines == 0


def test_the_time_of_a_line_says_nothing_about_its_words(engine: Engine, tmp_path: Path) -> None:
    first = chat("1", [("hello", "hi")], at=1.7e9)
    import_paths(engine, [export(tmp_path / "a.json", first)])
    again = chat("1", [("hello", "hi")], at=1.7e9)
    again["mapping"]["m1-1"]["message"]["create_time"] = 1.7e9 + 77
    report = import_paths(engine, [export(tmp_path / "b.json", again)])
    assert (report.turns, report.total("edited"), report.total("known")) == (0, 0, 1)
