"""What is forgotten is gone from every place, what is not is as it was, and the receipt says so."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from pmg import config as configuration
from pmg.answer.ask import ask as ask_memory
from pmg.base.errors import InputError, NotFound
from pmg.base.model import CHAT_SOURCE, Kind, Line, Role, State, Turn
from pmg.base.progress import silent
from pmg.engine import Engine
from pmg.exporters.export import FORMATS, export
from pmg.forget import ForgetReceipt, Selection, forget, plan, resume
from pmg.forget.carry_out import STEPS
from pmg.forget.named_turns import named_turns
from pmg.forget.order import NAME
from pmg.forget.scan import scan
from pmg.ingest.turns import SessionInput
from pmg.report import write_report
from pmg.store import encryption, told_names
from pmg.store.duckdb import backup
from pmg.store.exchange import ExportFilter
from pmg.store.forget import EXPORT, KnownCopy
from pmg.store.maintenance import Topic
from pmg.store.people import Identity
from pmg.store.rows import JournalEntry
from pmg.ui.app_context import AppContext
from pmg.ui.settings import exports
from steward.steward import Steward
from tests.embedding import WordEmbedder
from tests.forget.memory import NOON, OTHERS, SECRET, SHORT, fill, holding, said, tell
from tests.stores import store_of
from tests.tiers import one_fast

PART = "under the third blue flowerpot"


@pytest.fixture(scope="module")
def filled_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("filled") / "memory"
    with Engine.open(configuration.load(home, {}), embedder=WordEmbedder()) as engine:
        fill(engine)
    return home


@pytest.fixture
def filled(filled_home: Path, home: Path, open_engine: Callable[..., Engine]) -> Engine:
    """A memory with two sessions, and the secret between other things; copied, because taking them in costs half of a test."""
    shutil.copytree(filled_home, home)
    return open_engine()


def gone(engine: Engine, **wanted: object) -> ForgetReceipt:
    return forget(engine, plan(engine, Selection(**wanted)))  # type: ignore[arg-type]


def test_a_forgotten_segment_is_in_no_file_and_the_rest_is_as_it_was(filled: Engine, home: Path) -> None:
    before = {s.id: s for name in ("one", "two") for s in filled.reads.segments_of(name)}
    filled.recall("where is the spare key of the bakery")
    assert holding(home, PART)  # the plain text at least: the search by bytes can find it
    receipt = gone(filled, segments=("seg_one_1",))
    assert receipt.clean, receipt.text
    assert receipt.counts["segments"] == receipt.counts["lines"] == 1
    assert receipt.files_scanned > 3 and receipt.pieces > 20
    assert holding(home, PART) == []
    after = {s.id: s for name in ("one", "two") for s in filled.reads.segments_of(name)}
    assert after.keys() == before.keys() - {"seg_one_1"}
    assert {name: s.text for name, s in after.items()} == {n: s.text for n, s in before.items() if n != "seg_one_1"}
    assert PART not in filled.recall("spare key bakery flowerpot Zara").context
    assert filled.indexes.sizes()["default"] == (4, 4)
    assert filled.reads.maintenance.orphans().total == 0


def test_the_scan_finds_what_is_planted_before_and_after(filled: Engine, home: Path) -> None:
    """The positive control: the same scan that finds nothing afterwards finds the text while it is there."""
    todo = plan(filled, Selection(segments=("seg_one_1",)))
    assert todo.pieces is not None
    filled.indexes.save()
    found = {residue.place.partition(":")[0].partition("/")[0] for residue in scan(filled, todo.pieces).residue}
    assert {"memory.duckdb", "sessions"} <= found
    forget(filled, todo)
    (home / "index" / "left.bin").write_bytes(b"\x00" * 70_000 + PART.encode() + b"\x00" * 70_000)
    (home / "wide.txt").write_bytes(PART.encode("utf-16-le"))
    left = scan(filled, todo.pieces)
    assert sorted(residue.place for residue in left.residue) == ["index/left.bin", "wide.txt"]


@pytest.mark.parametrize("source", [CHAT_SOURCE, "api"])
def test_what_one_asked_in_the_chat_meanwhile_is_told_apart_from_a_trace(filled: Engine, source: str) -> None:
    todo = plan(filled, Selection(segments=("seg_one_1",)))
    with filled.session(source=source) as session:
        session.add(user=f"Did I ever say that {PART}?", assistant="Yes.")
    receipt = forget(filled, todo)
    assert receipt.clean == (source == CHAT_SOURCE), receipt.text
    assert ("1 message of your own in the chat says some of it too and stays" in receipt.text) == receipt.clean
    assert receipt.asked == receipt.clean and not receipt.for_one_namespace().asked


@pytest.mark.slow
def test_the_scan_finds_a_vector_and_a_compressed_text(filled: Engine, home: Path) -> None:
    todo = plan(filled, Selection(segments=("seg_one_1",)))
    assert todo.pieces is not None
    (vector,) = filled.reads.forgetting.vectors(todo.numbers)
    forget(filled, todo)
    assert not todo.pieces.count(_bytes(b"\x01" * 64))
    (home / "vector.bin").write_bytes(vector.tobytes())
    store_of(filled).put_note("planted", f"he said: {PART}!")
    places = {residue.place for residue in scan(filled, todo.pieces).residue}
    assert "vector.bin" in places and "memory.duckdb: meta.value" in places


def _bytes(data: bytes):  # type: ignore[no-untyped-def]
    from pmg.forget.shingles import as_bytes

    return as_bytes(data)


@pytest.mark.slow
def test_a_short_line_is_looked_for_too(filled: Engine, home: Path) -> None:
    tell(filled, "pin", [SHORT])
    todo = plan(filled, Selection(sessions=("pin",)))
    assert forget(filled, todo).clean
    assert todo.pieces is not None and todo.pieces.held_by([f"it is {SHORT}"])[0]
    assert holding(home, SHORT) == []


@pytest.mark.slow
def test_a_phrase_that_others_use_too_is_no_trace(engine: Engine) -> None:
    tell(engine, "one", ["the quick brown fox jumps over it", "the quick brown fox jumps and Zara saw it at the pond"])
    receipt = gone(engine, segments=("seg_one_1",))
    assert receipt.clean and receipt.pieces
    assert engine.reads.segments_of("one")[0].lines[0].text == "the quick brown fox jumps over it"


def test_copies_word_for_word_go_and_others_stand_for_themselves(engine: Engine) -> None:
    tell(engine, "one", [SECRET, OTHERS[0]])
    tell(engine, "two", [SECRET, OTHERS[1]])  # an ingest duplicate, word for word
    near = SECRET.replace(".", "!")
    tell(engine, "three", [near, OTHERS[2]])
    states = {s.id: (s.state, s.stands_for) for n in ("two", "three") for s in engine.reads.segments_of(n)}
    assert states["seg_two_0"] == states["seg_three_0"] == (State.DUPLICATE, "seg_one_0")
    todo = plan(engine, Selection(segments=("seg_one_0",)))
    assert (todo.segments, todo.copies, todo.freed) == (2, 1, 1)
    forget(engine, todo)
    assert [s.id for s in engine.reads.segments_of("two")] == ["seg_two_1"]
    left = engine.segment("seg_three_0")
    assert (left.state, left.stands_for, left.lines[0].text) == (State.ACTIVE, "", near)
    assert left.id in [s.id for s in engine.recall("spare key bakery flowerpot").segments]


@pytest.mark.slow
def test_a_copy_that_came_in_after_the_plan_goes_too(filled: Engine, home: Path) -> None:
    todo = plan(filled, Selection(segments=("seg_one_1",)))
    tell(filled, "late", [SECRET])
    assert forget(filled, todo).clean
    assert holding(home, PART) == [] and filled.reads.session("late") is None


@pytest.mark.slow
def test_one_word_answers_elsewhere_are_no_copies(engine: Engine) -> None:
    tell(engine, "one", ["Yes please.", OTHERS[0]])
    tell(engine, "two", ["Yes please.", OTHERS[1]])
    gone(engine, segments=("seg_one_0",))
    assert [s.lines[0].text for s in engine.reads.segments_of("two")] == ["Yes please.", OTHERS[1]]


@pytest.mark.slow
def test_merged_copies_go_too(engine: Engine, home: Path) -> None:
    tell(engine, "one", [SECRET, SECRET, OTHERS[0]])
    Steward(engine).run(["merge"], full=True, bulk=True)
    assert sorted(s.state for s in engine.reads.segments_of("one")) == [State.ACTIVE, State.ACTIVE, State.MERGED]
    assert gone(engine, segments=("seg_one_0",)).counts["segments"] == 2
    assert holding(home, PART) == []


def test_a_whole_session_takes_its_title_file_and_row(filled: Engine, home: Path) -> None:
    tell(filled, "three", ["Nothing to see."], title="About the flowerpot")
    receipt = gone(filled, sessions=("three",))
    assert receipt.counts["sessions"] == 1
    assert filled.reads.session("three") is None
    assert not list((home / "sessions").rglob("three.md"))
    assert holding(home, "About the flowerpot") == []


@pytest.mark.slow
def test_an_open_session_that_is_asked_for_goes_whole(engine: Engine, home: Path) -> None:
    opened = engine.session("Wedding at Larkhill", session_id="wedding")
    opened.add(user="The wedding is at Larkhill Manor.")
    todo = plan(engine, Selection(sessions=("wedding",)))
    assert todo.counts["sessions gone whole"] == 1
    assert forget(engine, todo).counts["sessions"] == 1
    assert engine.reads.session("wedding") is None and holding(home, "Larkhill") == []
    again = engine.session(session_id="wedding")
    assert engine.reads.segments_of("wedding") == []
    again.add(user="It rains in Kiel.")
    again.close()
    assert len(engine.reads.segments_of("wedding")) == 1


@pytest.mark.slow
def test_an_open_session_that_only_lost_its_turns_goes_when_it_closes(engine: Engine) -> None:
    opened = engine.session("Today", session_id="today")
    name = opened.add(user="The wedding is at Larkhill Manor.")
    todo = plan(engine, Selection(segments=(name,)))
    assert "sessions gone whole" not in todo.counts and todo.counts["sessions that lose some turns"] == 1
    assert "sessions" not in forget(engine, todo).counts
    assert engine.reads.session("today") is not None
    opened.close()
    assert engine.reads.session("today") is None


@pytest.mark.slow
def test_a_title_that_quotes_it_is_emptied_and_others_stay(engine: Engine) -> None:
    tell(engine, "one", [OTHERS[0], SECRET], title=SECRET[:40])
    tell(engine, "two", [OTHERS[1]], title="Bread")
    gone(engine, segments=("seg_one_1",))
    titles = {s.id: s.title for s in engine.sessions()}
    assert titles == {"one": "", "two": "Bread"}


def test_by_person_time_source_topic_and_query(filled: Engine) -> None:
    tell(filled, "zara", ["I am the one with the bakery, you know.", "It rains in Kiel."], speaker="Zara")
    person = plan(filled, Selection(person="zara"))
    assert person.ids == ("seg_zara_0", "seg_zara_1")
    assert person.mentions == 1  # Ana tells about her: that stays, and the person is told
    assert plan(filled, Selection(query="THIRD blue flowerpot")).ids == ("seg_one_1",)
    late = plan(filled, Selection(since=NOON.replace(minute=2)))
    assert late.ids == ("seg_one_2",)
    assert plan(filled, Selection(person="Ana", until=NOON.replace(minute=1))).ids == ("seg_one_0", "seg_two_0")
    assert plan(filled, Selection(source="elsewhere")).segments == 0
    assert plan(filled, Selection(query="spare bakery keys")).ids == ("seg_one_1",)  # in other forms, not together
    with pytest.raises(InputError, match="Nothing says what to forget"):
        plan(filled, Selection())
    with pytest.raises(NotFound, match="seg_nobody_1"):
        plan(filled, Selection(segments=("seg_nobody_1",)))


@pytest.mark.slow
def test_a_topic_is_forgotten_by_name_or_number(filled: Engine) -> None:
    store_of(filled).maintenance.put_topics(
        [Topic(7, "default", "zara · bread", ("zara", "bread"), (2, 3)), Topic(8, "default", "vet", ("vet",), (1,))]
    )
    assert plan(filled, Selection(topic="8")).ids == ("seg_one_0",)
    assert plan(filled, Selection(topic="Zara · Bread")).ids == ("seg_one_1", "seg_one_2")
    gone(filled, topic="vet")
    assert [t.id for t in filled.reads.maintenance.topics()] == [7]


@pytest.mark.slow
def test_words_of_a_topic_that_only_it_had_go(filled: Engine, home: Path) -> None:
    store_of(filled).maintenance.put_topics([Topic(7, "default", "flowerpot · bread", ("flowerpot", "bread"), (2, 3))])
    gone(filled, segments=("seg_one_1",))
    (topic,) = filled.reads.maintenance.topics()
    assert (topic.name, topic.terms, topic.members) == ("bread", ("bread",), (3,))
    assert holding(home, "flowerpot") == []


def test_a_preview_changes_nothing_and_shows_counts_and_short_lines(filled: Engine, home: Path) -> None:
    filled.indexes.save()
    before = {file: file.read_bytes() for file in home.rglob("*.md")}
    todo = plan(filled, Selection(sessions=("one",)))
    assert todo.counts["segments"] == 3 and todo.counts["sessions gone whole"] == 1
    assert len(todo.preview) == 3 and all(len(line) < 140 for line in todo.preview)
    assert {file: file.read_bytes() for file in home.rglob("*.md")} == before
    assert len(filled.reads.segments_of("one")) == 3


def test_backups_inside_and_outside_are_written_anew(filled: Engine, home: Path, tmp_path: Path) -> None:
    outside = tmp_path / "usb" / "mine.duckdb"
    lost = tmp_path / "lost.duckdb"
    for file in (home / "backups" / "by-hand.duckdb", outside, lost):
        filled.backup(file)
    lost.unlink()
    receipt = gone(filled, segments=("seg_one_1",))
    assert receipt.clean
    assert [line for line in receipt.unreachable if "lost.duckdb" in line]
    for file in (home / "backups" / "by-hand.duckdb", outside):
        assert str(file) in receipt.rewritten
        assert backup.check(file) == 4
        assert PART.encode() not in file.read_bytes()
        assert file.stat().st_mode & 0o777 == 0o600
    assert not list((tmp_path / "usb").glob(".*"))
    again = gone(filled, segments=("seg_one_0",))
    assert not [line for line in again.unreachable if "lost.duckdb" in line]  # told once


@pytest.mark.slow
def test_an_older_wording_in_a_backup_goes_by_its_name(filled: Engine, home: Path) -> None:
    filled.backup(home / "backups" / "old.duckdb")
    number = filled.segment("seg_one_1").number
    from pmg.store.exchange import Rewrite

    new = (Line("Ana", Role.PERSON, "Other words altogether about nothing."),)
    store_of(filled).exchange.rewrite([Rewrite(number, "seg_one_1", filled.segment("seg_one_1").lines, new, 0.5)])
    filled.indexes.catch_up()
    gone(filled, segments=("seg_one_1",))
    assert backup.check(home / "backups" / "old.duckdb") == 4
    assert PART.encode() not in (home / "backups" / "old.duckdb").read_bytes()


@pytest.mark.parametrize("form", FORMATS)
def test_an_export_is_cleaned_and_keeps_the_rest(filled: Engine, tmp_path: Path, form: str) -> None:
    target = tmp_path / "out" / ("vault" if form == "markdown" else f"memory.{form}")
    export(filled, target, form)
    receipt = gone(filled, segments=("seg_one_1",))
    assert receipt.clean
    from pmg.forget.copies import texts_of

    files = [file for file in target.parent.rglob("*") if file.is_file()]
    text = "".join(
        "".join(texts_of(form, file.read_bytes())) if form == "parquet" else file.read_text() for file in files
    )
    assert PART not in text and "seg_one_1" not in text and "seg-one-1" not in text
    for other in OTHERS:
        assert other in text
    assert files and any(str(target) in line for line in receipt.rewritten)


def test_an_export_that_somebody_damaged_is_told_and_the_forgetting_comes_to_its_end(
    filled: Engine, tmp_path: Path
) -> None:
    export(filled, tmp_path / "of.parquet", "parquet")
    (tmp_path / "of.parquet").write_bytes(b"PAR1 and no more")
    receipt = forget(filled, plan(filled, Selection(query="flowerpot")))
    assert any("of.parquet" in told for told in receipt.unreachable) and resume(filled) is None
    assert [one.place for one in receipt.residue] == [f"{tmp_path / 'of.parquet'}: cannot be opened"]


def test_notes_of_a_person_beside_an_export_are_told_and_not_touched(filled: Engine, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    export(filled, vault, "markdown")
    mine, list_of_mine = vault / "mine.md", tmp_path / "list"
    mine.write_text(f"# Keys\n\n{SECRET}\n\n## And more\n")
    list_of_mine.write_text(SECRET)
    filled.record_copy(KnownCopy(list_of_mine, EXPORT, "markdown"))  # as older versions noted what they then refused
    planned = plan(filled, Selection(query="flowerpot"))
    assert (planned.exports_rewritten, planned.exports_deleted) == (1, 0)
    receipt = forget(filled, planned)
    assert holding(tmp_path, SECRET) == ["list", "vault/mine.md"]
    assert [one.place for one in receipt.residue] == [str(mine)]
    assert any("list: not there any more, a file has its place" in told for told in receipt.unreachable)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["jsonl", "markdown"])
def test_an_export_over_a_link_is_cleaned_where_it_is(filled: Engine, tmp_path: Path, form: str) -> None:
    target = tmp_path / "elsewhere"
    (target.mkdir if form == "markdown" else target.touch)()
    (tmp_path / "out").symlink_to(target)
    export(filled, tmp_path / "out", form)
    assert holding(tmp_path, SECRET) != []
    receipt = forget(filled, plan(filled, Selection(query="flowerpot")))
    assert receipt.clean and receipt.unreachable == () and holding(tmp_path, SECRET) == []


@pytest.mark.slow
def test_a_report_that_may_name_it_is_told_and_one_that_quotes_it_goes(filled: Engine, tmp_path: Path) -> None:
    kept = write_report(filled, tmp_path / "kept.html")
    quoting = write_report(filled, tmp_path / "quoting.html")
    with quoting.open("a", encoding="utf-8") as page:
        page.write(f"<p>{SECRET.replace(' ', '&#32;')}</p>")
    assert plan(filled, Selection(segments=("seg_one_1",))).counts["exported files to delete"] == 1
    receipt = gone(filled, segments=("seg_one_1",))
    assert receipt.rewritten == (f"{quoting} (deleted)",) and not quoting.exists()
    assert f"Not reached, and may still hold it: {kept}: a report" in receipt.text
    assert kept.exists()
    kept.unlink()
    assert [line for line in gone(filled, segments=("seg_one_0",)).unreachable if "kept.html" in line]
    assert not gone(filled, segments=("seg_one_2",)).unreachable  # told once


@pytest.mark.slow
def test_a_packed_export_goes_whole(filled: Engine, tmp_path: Path) -> None:
    file, _ = exports.take_out(
        AppContext(filled, Steward(filled)), "markdown", ExportFilter("default"), tmp_path, silent
    )
    receipt = gone(filled, segments=("seg_one_1",))
    assert f"{file} (deleted)" in receipt.rewritten and not file.exists()
    assert receipt.unreachable == ()  # the folder that was packed is not missed


@pytest.mark.slow
def test_a_clean_export_of_jsonl_is_what_an_export_now_would_be(filled: Engine, tmp_path: Path) -> None:
    filled.link("seg_one_0", "seg_one_1", Kind.SUPPORTS)
    export(filled, tmp_path / "a.jsonl", "jsonl")
    gone(filled, segments=("seg_one_1", "seg_two_0", "seg_two_1"))
    export(filled, tmp_path / "b.jsonl", "jsonl")
    old, new = ([json.loads(row) for row in (tmp_path / f).read_text().splitlines()] for f in ("a.jsonl", "b.jsonl"))
    assert old[1:] == new[1:]


def test_journal_texts_and_questions_that_quote_it_go(filled: Engine, home: Path) -> None:
    entry = JournalEntry(0, "raw", NOON, "import", "import.raw", "broken", "", json.dumps({"raw": SECRET}))
    old = JournalEntry(0, "e", NOON, "import", "import.edit", "seg_one_1: other words",
                       json.dumps({"segment": "seg_one_1", "lines": [{"text": "entirely different"}]}), "")  # fmt: skip
    store_of(filled).write_journal([entry, old])
    filled.recall("who has the third blue flowerpot then?")
    filled.recall("bread in the oven on Sunday mornings", limit=1)
    receipt = gone(filled, segments=("seg_one_1",))
    assert receipt.clean and receipt.counts["journal entries"] == 2
    told = [(e.action, e.before, e.after) for e in filled.reads.journal(10)]
    assert ("import.raw", "", "") in told and ("import.edit", "", "") in told
    assert holding(home, "entirely different") == holding(home, "flowerpot") == []


@pytest.mark.slow
def test_the_chain_closes_over_the_gap_and_places_are_not_used_again(engine: Engine) -> None:
    tell(engine, "one", [OTHERS[0], SECRET, OTHERS[1], "The last words of this are these."])
    gone(engine, segments=("seg_one_1", "seg_one_3"))
    chain = {(e.source, e.target) for e in engine.edges("seg_one_0") if e.kind is Kind.CHAIN}
    assert chain == {("seg_one_0", "seg_one_2"), ("seg_one_2", "seg_one_0")}
    opened = engine.session(session_id="one")
    assert opened.add(user="And one more after all of that.") == "seg_one_4"
    opened.close()
    assert ("seg_one_2", "seg_one_4") in {(e.source, e.target) for e in engine.edges("seg_one_4")}


def test_an_import_does_not_bring_it_back_unless_allowed(engine: Engine) -> None:
    turns = [said(text, NOON, origin=f"t{i}") for i, text in enumerate((OTHERS[0], SECRET))]
    given = SessionInput(turns, "Talk", "talk", id="one")
    engine.ingest([given])
    gone(engine, segments=("seg_one_1",))
    again = engine.ingest([given])
    assert (again.turns, again.forgotten) == (0, 1)
    edited = Turn((Line("Ana", Role.PERSON, SECRET + " Really."),), NOON, "t1")  # the source calls it the same
    assert engine.ingest([SessionInput([turns[0], edited], "Talk", "talk", id="one")]).forgotten == 1
    other = engine.ingest([SessionInput([said(SECRET, NOON, origin="u1")], "Talk", "other", id="two")])
    assert other.turns == 1  # said somewhere else: another memory
    todo = plan(engine, Selection(sessions=("two",)))
    forget(engine, todo, allow_return=True)
    assert engine.ingest([SessionInput([said(SECRET, NOON, origin="u1")], "Talk", "other", id="two")]).turns == 1


def test_another_namespace_is_never_touched(engine: Engine, home: Path) -> None:
    tell(engine, "mine", [SECRET, OTHERS[0]], namespace="mine", title=SECRET)
    tell(engine, "yours", [SECRET, OTHERS[1]], namespace="yours", title=SECRET)
    engine.backup(home / "backups" / "b.duckdb")
    before = [(s.id, s.lines, s.title) for s in engine.reads.segments_of("yours")]
    receipt = gone(engine, person="Ana", namespace="mine")
    assert receipt.counts["segments"] == 2
    assert [(s.id, s.lines, s.title) for s in engine.reads.segments_of("yours")] == before
    assert backup.check(home / "backups" / "b.duckdb") == 2
    with pytest.raises(NotFound):
        plan(engine, Selection(segments=("seg_yours_0",), namespace="mine"))


@pytest.mark.slow
def test_recalls_go_on_while_something_is_forgotten(filled: Engine) -> None:
    more = [[f"Bread number {i} was baked in the oven on a cold morning.", f"Soup {i}."] for i in range(30)]
    filled.ingest([SessionInput([said(text) for text in texts], id=f"more-{i}") for i, texts in enumerate(more)])
    errors: list[BaseException] = []
    done = threading.Event()

    def ask() -> None:
        try:
            while not done.is_set():
                filled.recall("bread in the oven")
                filled.sessions()
                filled.counts()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for i in range(2):
            assert gone(filled, sessions=(f"more-{i}",)).clean
    finally:
        done.set()
        for thread in threads:
            thread.join()
    assert errors == []
    assert filled.recall("bread in the oven").segments


@pytest.mark.slow
def test_undo_of_what_involved_it_is_refused_with_the_reason(engine: Engine) -> None:
    tell(engine, "one", [SECRET, SECRET.replace(".", "!"), OTHERS[0]])
    steward = Steward(engine)
    steward.run(["merge"], full=True, bulk=True)
    (loser,) = [s for s in engine.reads.segments_of("one") if s.state is State.MERGED]
    gone(engine, segments=(loser.id,))
    with pytest.raises(InputError, match="cannot be undone: one of its memories was forgotten"):
        steward.undo("last")


@pytest.mark.slow
def test_the_store_opens_again_with_what_is_left(open_engine: Callable[..., Engine]) -> None:
    first = open_engine()
    fill(first)
    gone(first, segments=("seg_one_1",))
    first.close()
    again = open_engine()
    assert again.indexes.rebuilt == []
    assert [s.id for s in again.reads.segments_of("one")] == ["seg_one_0", "seg_one_2"]
    assert again.recall("bread oven").segments


def test_an_encrypted_memory_forgets_and_its_order_is_encrypted_too(
    open_engine: Callable[..., Engine], home: Path, tmp_path: Path
) -> None:
    first = open_engine()
    fill(first)
    first.backup(home / "backups" / "b.duckdb")
    first.close()
    encryption.encrypt(home, "a long enough passphrase", 16)
    engine = open_engine(passphrase="a long enough passphrase")
    todo = plan(engine, Selection(segments=("seg_one_1",)))
    with pytest.raises(Killed):
        forget(engine, todo, killed_at(4))
    assert b"seg_one_1" not in (home / NAME).read_bytes()
    receipt = resume(engine)
    assert receipt is not None and receipt.clean and receipt.resumed, receipt
    assert str(home / "backups" / "b.duckdb") in receipt.rewritten and receipt.unreachable == ()
    assert [s.id for s in engine.reads.segments_of("one")] == ["seg_one_0", "seg_one_2"]
    assert backup.check(home / "backups" / "b.duckdb") == 4
    assert holding(home, "vet on Monday") == []  # what stays is still encrypted


@pytest.mark.parametrize("step", one_fast(range(1, STEPS)))
def test_one_that_stopped_at_a_step_is_finished(filled: Engine, home: Path, step: int) -> None:
    with pytest.raises(Killed):
        forget(filled, plan(filled, Selection(segments=("seg_one_1",))), killed_at(step))
    told = (home / NAME).read_text()
    assert "seg_one_1" in told and "flowerpot" not in told  # names and hashes only
    receipt = resume(filled)
    assert receipt is not None and receipt.clean and receipt.resumed
    assert not (home / NAME).exists() and resume(filled) is None
    assert holding(home, PART) == []
    assert filled.indexes.sizes()["default"] == (4, 4)


class Killed(Exception):
    pass


def killed_at(step: int) -> Callable[[str, int, int], None]:
    def progress(what: str, done: int, total: int) -> None:
        if what.startswith("forgetting") and done == step:
            raise Killed

    return progress


@pytest.mark.slow
def test_a_name_given_to_somebody_forgotten_goes_from_exports_though_others_still_name_them(
    engine: Engine, tmp_path: Path
) -> None:
    lines = (
        Line("Anna Weiss", Role.PERSON, "I live in Vienna and keep the books."),
        Line("Bram", Role.PERSON, "Anna Weiss keeps the books."),
        Line("Bram", Role.PERSON, "I live in Ghent, by the river."),
    )
    engine.ingest([SessionInput([Turn((line,), NOON) for line in lines], "Talk", id="talk", started_at=NOON)])
    engine.extract()
    known = {one.name: one.id for one in engine.reads.people.entities("default")}
    Steward(engine).rename(known["Anna Weiss"], "Annamaria Canarywoman", "default")
    Steward(engine).rename(known["Bram"], "Bram de Vries", "default")
    file = tmp_path / "all.jsonl"
    export(engine, file, "jsonl")
    assert "Canarywoman" in file.read_text()
    gone(engine, segments=("seg_talk_0",))
    assert "Canarywoman" not in file.read_text() and "Anna Weiss keeps the books" in file.read_text()
    assert "Bram de Vries" in file.read_text(), "who still speaks keeps the name"
    assert list(engine.reads.people.given_names("default").values()) == ["Bram de Vries"]


def talked(engine: Engine, name: str, *said: tuple[str, str], owner: str = "", conversation: str = "") -> None:
    turns = [Turn((Line(who, Role.USER if who == owner else Role.PERSON, text),), NOON) for who, text in said]
    engine.ingest([SessionInput(turns, name, id=name, started_at=NOON, conversation=conversation or name)])
    engine.extract()


def people_of(engine: Engine) -> dict[tuple[str, str], int]:
    """By conversation and name."""
    return {(one.conversation, one.name): one.id for one in engine.reads.people.entities("default")}


@pytest.mark.slow
def test_a_name_given_to_somebody_who_is_only_spoken_of_goes_from_exports_with_what_was_said_of_them(
    engine: Engine, tmp_path: Path
) -> None:
    talked(
        engine,
        "a",
        ("Ben", "My sister Tamsin lives in Graz."),
        ("Ben", "Tamsin is a doctor."),
        ("Cleo", "Tell Tamsin I said hello."),
    )
    Steward(engine).rename(people_of(engine)["a", "Tamsin"], "Tamsin Canarywoman", "default")
    file = tmp_path / "all.jsonl"
    export(engine, file, "jsonl")
    gone(engine, segments=("seg_a_0", "seg_a_1"))
    assert "hello" in file.read_text() and "Canarywoman" not in file.read_text()


@pytest.mark.slow
def test_a_name_given_to_the_owner_goes_from_exports_with_all_that_they_said(engine: Engine, tmp_path: Path) -> None:
    talked(engine, "a", ("Mara", "I keep the books."), ("Mara", "I live in Rome."), ("Bram", "Hi Mara."), owner="Mara")
    Steward(engine).rename(people_of(engine)["", "Mara"], "Annamaria Canarywoman", "default")
    file = tmp_path / "all.jsonl"
    export(engine, file, "jsonl")
    gone(engine, segments=("seg_a_0",))
    assert "Canarywoman" in file.read_text(), "who still speaks keeps the name"
    gone(engine, segments=("seg_a_1",))
    assert "Hi Mara" in file.read_text() and "Canarywoman" not in file.read_text()


@pytest.mark.slow
def test_a_given_name_goes_from_exports_also_where_a_merged_part_is_known_by_a_short_form(
    engine: Engine, tmp_path: Path
) -> None:
    talked(engine, "a", ("Anna Weiss", "I keep the books."), ("Bram", "Good."), conversation="c")
    talked(engine, "a2", *[("Bram", f"Anna {does}.") for does in ("lives in Rome", "works at Acme")], conversation="c")
    talked(engine, "b", ("Bram", "Anna Weiss lives in Rome."), ("Chidi", "Ok."))
    known = people_of(engine)
    Steward(engine).identify(known["c", "Anna"], known["b", "Anna Weiss"], Identity.MERGE)
    Steward(engine).rename(known["b", "Anna Weiss"], "Annamaria Canarywoman", "default")
    file = tmp_path / "all.jsonl"
    export(engine, file, "jsonl")
    gone(engine, segments=("seg_a_0",))
    assert engine.reads.people.given_names("default") == {} and "Canarywoman" not in file.read_text()


@pytest.mark.slow
def test_a_given_name_goes_from_an_export_that_holds_only_what_others_say_of_them(
    engine: Engine, tmp_path: Path
) -> None:
    talked(engine, "a", ("Zoe", "I keep the books."), ("Bram", "Good."), conversation="c")
    talked(engine, "b", ("Cleo", "Zoe lives in Rome."), conversation="c")
    Steward(engine).rename(people_of(engine)["c", "Zoe"], "Zoe Canarywoman", "default")
    file = tmp_path / "some.jsonl"
    export(engine, file, "jsonl", ExportFilter("default", person="Cleo"))
    assert "Canarywoman" in file.read_text() and "books" not in file.read_text()
    gone(engine, segments=("seg_a_0",))
    assert engine.reads.people.given_names("default") == {} and "Canarywoman" not in file.read_text()


@pytest.mark.slow
def test_a_decision_goes_from_exports_when_only_a_namesake_elsewhere_is_left(engine: Engine, tmp_path: Path) -> None:
    talked(engine, "a", ("Alex", "I love hiking."), ("Eva", "Good."))
    talked(engine, "b", ("Alex", "I bought a boat."), ("Udo", "Good."))
    file = merged_and_exported(engine, ("a", "Alex"), ("b", "Alex"), tmp_path)
    gone(engine, segments=("seg_a_0",))
    assert "boat" in file.read_text() and '"identity"' not in file.read_text()


def merged_and_exported(engine: Engine, one: tuple[str, str], other: tuple[str, str], folder: Path) -> Path:
    """Two people of these conversations are one, and everything is exported."""
    known = people_of(engine)
    Steward(engine).identify(known[one], known[other], Identity.MERGE)
    export(engine, folder / "all.jsonl", "jsonl")
    return folder / "all.jsonl"


def decided(file: Path) -> int:
    return file.read_text().count('"identity"')


@pytest.mark.slow
def test_a_decision_stays_in_exports_where_the_name_is_left_in_small_letters(engine: Engine, tmp_path: Path) -> None:
    talked(engine, "a", ("Ben", "My sister Tamsin lives in Graz."), ("Ben", "i saw tamsin again"))
    talked(engine, "b", ("Tamsin", "I live in Graz."), ("Udo", "Good."))
    file = merged_and_exported(engine, ("a", "Tamsin"), ("b", "Tamsin"), tmp_path)
    gone(engine, segments=("seg_a_0",))
    assert decided(file) == 1


@pytest.mark.slow
def test_a_decision_about_a_name_with_a_role_stays_in_exports_until_the_role_goes(
    engine: Engine, tmp_path: Path
) -> None:
    tell(engine, "c", ["The garage code is on the blue heron."])
    talked(
        engine, "a", ("Ben", "My sister Eva lives in Graz."), ("Ben", "My boss Eva lives in Bonn."), conversation="x"
    )
    talked(engine, "b", ("Ben", "My sister Eva lives in Graz, with Tom."), conversation="y")
    file = merged_and_exported(engine, ("x", "Eva (sister)"), ("y", "Eva"), tmp_path)
    gone(engine, segments=("seg_c_0",))
    assert decided(file) == 1, "of others: nothing of what was forgotten"
    gone(engine, segments=("seg_a_0",))
    assert decided(file) == 0 and "Eva (sister)" not in file.read_text(), "nothing that is left tells that role there"


@pytest.mark.slow
def test_a_decision_about_somebody_without_a_name_stays_in_exports(engine: Engine, tmp_path: Path) -> None:
    tell(engine, "c", ["The garage code is on the blue heron."])
    talked(engine, "a", ("Ben", "My sister lives in Graz."), ("Cleo", "Nice."))
    talked(engine, "b", ("Eva", "I live in Graz."), ("Cleo", "Nice."))
    file = merged_and_exported(engine, ("a", "Ben's sister"), ("b", "Eva"), tmp_path)
    gone(engine, segments=("seg_c_0",))
    assert decided(file) == 1
    gone(engine, segments=("seg_a_0",))
    assert decided(file) == 0


@pytest.mark.slow
@pytest.mark.parametrize("left", ["Anna bought a yacht.", "Anna called her boss."])
def test_a_role_that_only_a_forgotten_turn_told_is_in_no_backup_and_no_open_session(
    engine: Engine, home: Path, left: str
) -> None:
    talked(
        engine,
        "a",
        ("Ben", "My sister Anna lives in Graz."),
        ("Cleo", "Nice."),
        ("Ben", "My boss Anna lives in Bonn."),
        ("Ben", left),
        ("Cleo", "Good for her."),
    )
    names = "SELECT DISTINCT name FROM mentions"
    kept = home / "backups" / "one.duckdb"
    engine.backup(kept)
    engine.session("", session_id="a").add(user="One more thing.")  # what is open is not read anew at once
    gone(engine, segments=("seg_a_2",))
    assert "Anna (boss)" not in {name for (name,) in store_of(engine)._database.rows(names)}
    with duckdb.connect(str(kept), read_only=True) as copy:
        told = {name for (name,) in copy.execute(names).fetchall()}
    assert "Anna (boss)" not in told and "Anna (sister)" in told, "a line that stays tells the other role itself"


@pytest.mark.parametrize(
    ("name", "text", "stands"),
    [
        ("Anna (boss)", "My boss Anna lives in Bonn.", True),
        ("Anna (boss)", "My boss is called Anna.", True),
        ("Anna (boss)", "Anna is my new boss.", True),
        ("Anna (boss)", "Anna lives in Bonn.", False),
        ("Anna (boss)", "Anna is my boss's wife.", False),
        ("Anna (?)", "Anna (?) lives in Bonn, or which ? Anna.", False),
        ("Anna (Sales)", "Anna (Sales) lives in Bonn.", True),
        ("Ben's sister", "My sister lives in Bonn.", True),
        ("Ben's sister", "She is called Anna.", False),
        ("Al", "Also this.", False),
        ("田中", "田中さんは元気です", True),
    ],
)
def test_a_mention_is_kept_only_where_its_line_tells_all_of_it(name: str, text: str, stands: bool) -> None:
    assert told_names.tells_name(name, "Ben", text) is stands


@pytest.mark.slow
def test_a_person_is_named_also_by_first_name_and_never_inside_a_longer_word(engine: Engine) -> None:
    tell(engine, "one", ["I keep the books."], speaker="Anna Weiss")
    others = ["Poor Anna was ill.", "Anna's car is red.", "Annabel sings.", "I saw ANNA WEISS.", "Nia has a savannah."]
    tell(engine, "two", others, speaker="Bram")
    assert plan(engine, Selection(person="Anna Weiss")).mentions == 3
    chosen = Selection(segments=("seg_one_0",), whose="Mrs Weiss", also_called=("Nia",))
    assert plan(engine, chosen).names == ("Mrs Weiss", "Nia") and plan(engine, chosen).mentions == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("Will Smith", ["It will rain tomorrow.", "Will it snow?"]),
        ("Uncle Bob", ["My uncle is ill.", "Uncle Tom sings."]),
        ("Die Anna", ["Die Heizung ist aus."]),
        ("Meine Mutter", ["Meine Schuhe sind nass."]),
        ("Tante Erna", ["Tante Ilse singt."]),
        ("Doctor Who", ["Doctor Lee was in."]),
        ("Team lead", ["Team lunch is at noon."]),
        ("Buck Jones", ["Buck up.", "He paid a buck for it."]),
        ("Will", ["It will rain tomorrow."]),
        ("May", ["It may rain tomorrow."]),
    ],
)
def test_an_ordinary_word_names_nobody(engine: Engine, name: str, others: list[str]) -> None:
    tell(engine, "one", ["I keep the books."], speaker=name)
    tell(engine, "two", [*others, f"I saw {name} there."], speaker="Bram")
    found = plan(engine, Selection(person=name))
    assert (found.names, found.mentions) == ((name,), 1)


@pytest.mark.parametrize("name", ["Anna", "Anna Berg", "anna", "anna berg"])
def test_a_person_is_named_also_in_small_letters(name: str) -> None:
    lines = enumerate(["anna came", "anna called, die anna", "ANNA!", "Anna is here", "Annabel sings", "savannah"])
    assert named_turns((name,), list(lines)).segments == {0, 1, 2, 3}


def test_a_first_name_that_is_also_a_word_is_told_by_the_article_before_it() -> None:
    lines = [(1, "I saw Rose Miller"), (2, "rose called me"), (3, "Rose called."), (4, "The rose is red, eine rose")]
    assert named_turns(("Rose Miller",), lines).segments == {1, 2, 3}
    assert named_turns(("Rose Miller",), [lines[0], lines[2], lines[3]]).segments == {1}, "as often a word as a name"


@pytest.mark.slow
def test_a_first_name_that_is_also_a_word_counts_where_it_is_mostly_a_name(engine: Engine) -> None:
    tell(engine, "one", ["I keep the books."], speaker="Mark Weber")
    tell(engine, "two", ["Mark was ill.", "I saw Mark.", "Leave a mark there.", "MARKUS sings."], speaker="Bram")
    found = plan(engine, Selection(person="Mark Weber"))
    assert (found.names, found.mentions) == (("Mark Weber", "Mark"), 2)
    assert plan(engine, Selection(person="mark weber")).mentions == 3, "typed without capitals it says nothing of them"


def test_no_claim_entity_or_given_name_of_what_is_forgotten_remains(engine: Engine, home: Path) -> None:
    lines = (
        Line("Ana", Role.PERSON, "I work at Quillfeather and my sister Tamsin lives in Oxbowtown."),
        Line("Ana", Role.PERSON, "I bought a red kettle."),
    )
    engine.ingest([SessionInput([Turn((line,), NOON) for line in lines], "Talk", id="talk", started_at=NOON)])
    engine.extract()
    (firm,) = [one for one in engine.reads.people.entities("default") if one.name == "Quillfeather"]
    Steward(engine).rename(firm.id, "Quillfeather Limited", "default")
    assert "Quillfeather" in {one.claim.object for one in engine.reads.people.claims("default")}
    receipt = gone(engine, segments=("seg_talk_0",))
    assert receipt.clean, receipt.text
    engine.extract()
    claims = engine.reads.people.claims("default")
    assert [(one.claim.subject, one.claim.relation) for one in claims] == [("Ana", "buy")]
    assert {one.name for one in engine.reads.people.entities("default")} == {"Ana"}
    assert engine.reads.people.given_names("default") == {}
    assert holding(home, "Quillfeather") == [] and holding(home, "Oxbowtown") == []
    assert not any("Quillfeather" in line.text for line in ask_memory(engine, "Where does Ana work?").lines)
    with pytest.raises(InputError, match="was forgotten"):
        Steward(engine).undo("last")
