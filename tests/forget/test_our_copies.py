"""What PMG itself copied is found and cleaned with what it was copied from: quotes of the chat, answers of SQL, half-written files."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pmg import config as configuration
from pmg.base.model import Kind, Turn
from pmg.cli import sql as _sql  # noqa: F401  (adds `sql` to the app)
from pmg.cli.root import app
from pmg.engine import Engine
from pmg.exporters.export import FORMATS, export
from pmg.forget import Selection, forget, plan
from pmg.forget.copies import texts_of
from pmg.importers.watch import Watcher
from pmg.ingest.turns import SessionInput, exchange
from pmg.store import leftovers
from pmg.store.exchange import Rewrite
from tests.embedding import WordEmbedder
from tests.forget.memory import OTHERS, SECRET, fill, holding, said, tell
from tests.stores import store_of
from tests.tiers import one_fast

TITLE = "Zaras hidden flowerpot affair"
ROW = f"– Zara Quartz, 2026-06-01, in {TITLE!r}"


def chatted(engine: Engine, quoted: str, *rows: str, session: str = "chat") -> str:
    """A turn as earlier versions of the chat stored it."""
    opened = engine.session("Where was the key?", source="pmg chat", session_id=session)
    said = exchange("Where was the key?", "\n".join(["You talked about it:", *rows]))
    name = engine.add_turn(
        opened.id, Turn(said, meta={"quoted": quoted, "used": "seg_other_0/entry seg_hidden_0/entry"})
    )
    engine.close_session(opened.id)
    return name


@pytest.fixture
def chat(engine: Engine) -> str:
    tell(engine, "hidden", [SECRET], title=TITLE, speaker="Zara Quartz")
    tell(engine, "other", [OTHERS[0]], title="The cat")
    return chatted(engine, "seg_other_0/0/0/9 seg_hidden_0/0/0/9", "– Ana, 2026-06-01, in 'The cat'", ROW)


def gone(engine: Engine, *sessions: str):  # type: ignore[no-untyped-def]
    return forget(engine, plan(engine, Selection(sessions=sessions)))


def test_a_quote_of_the_chat_goes_with_its_source_everywhere(
    engine: Engine, chat: str, home: Path, tmp_path: Path
) -> None:
    for form in FORMATS:
        export(engine, tmp_path / f"out-{form}", form)
    engine.backup(home / "backups" / "one.duckdb")
    assert holding(home, TITLE) and engine.recall("hidden flowerpot affair").segments
    receipt = gone(engine, "hidden")
    assert receipt.clean and not receipt.unreachable
    assert receipt.counts["answers of the chat that named it"] == 1
    segment = engine.segment(chat)
    assert segment.lines[1].text == "You talked about it:\n– Ana, 2026-06-01, in 'The cat'"
    assert segment.meta["quoted"] == "seg_other_0/0/0/9 forgotten/0/0/9"
    assert segment.meta["used"] == "seg_other_0/entry forgotten/entry"
    assert TITLE not in engine.recall("the key and the cat", budget_tokens=5000).context
    for text in (TITLE, "Zara Quartz", "seg_hidden_0"):
        assert holding(home, text) == [] and holding(tmp_path, text) == [], text
    with Engine.open(configuration.load(_unpacked(home, tmp_path), {}), embedder=WordEmbedder()) as restored:
        assert "Zara" not in restored.segment(chat).text  # the backup too, inside its packed blocks


def _unpacked(home: Path, folder: Path) -> Path:
    other = folder / "restored"
    other.mkdir(mode=0o700)
    (other / "memory.duckdb").write_bytes((home / "backups" / "one.duckdb").read_bytes())
    return other


def test_where_rows_and_notes_do_not_match_all_rows_go(engine: Engine) -> None:
    tell(engine, "hidden", [SECRET], title=TITLE, speaker="Zara Quartz")
    name = chatted(engine, "seg_hidden_0/0/0/9", ROW, "– Ana, 2026-06-01")
    gone(engine, "hidden")
    assert engine.segment(name).lines[1].text == "You talked about it:"


def test_an_answer_about_what_stays_keeps_its_rows_and_a_title_that_stays_is_no_trace(engine: Engine) -> None:
    """Only one turn of a session goes: its title stays, with the session."""
    tell(engine, "hidden", [SECRET, OTHERS[1]], title=TITLE, speaker="Ana")
    name = chatted(engine, "seg_hidden_1/0/0/9", f"– Ana, 2026-06-01, in {TITLE!r}", session="kept")
    other = chatted(engine, "seg_hidden_0/0/0/9", f"– Ana, 2026-06-01, in {TITLE!r}", session="cleaned")
    receipt = forget(engine, plan(engine, Selection(segments=("seg_hidden_0",))))
    assert receipt.clean
    assert engine.segment(name).lines[1].text.endswith(repr(TITLE))
    assert engine.segment(other).lines[1].text == "You talked about it:"
    assert engine.reads.session("hidden").title == TITLE  # type: ignore[union-attr]


def test_an_open_session_that_lost_all_its_turns_loses_its_title_too(engine: Engine, home: Path) -> None:
    opened = engine.session(TITLE, session_id="now")
    name = opened.add(user="Gate: 47-11-xq")
    receipt = forget(engine, plan(engine, Selection(segments=(name,))))
    assert receipt.clean and holding(home, TITLE) == []
    assert engine.reads.session("now").title == ""  # type: ignore[union-attr]
    opened.add(user="The weather is fine today.")
    opened.close()


@pytest.mark.parametrize("form", one_fast(["csv", "json", "parquet"]))
def test_a_file_that_sql_wrote_is_known_and_goes(home: Path, tmp_path: Path, form: str) -> None:
    with Engine.open(configuration.load(home, {}), load=False, wait=False) as engine:
        fill(engine)
    kept, lost = tmp_path / f"kept.{form}", tmp_path / f"lost.{form}"
    for file, wanted in ((kept, "%cat%"), (lost, "%flowerpot%")):
        statement = f"SELECT text AS said FROM v_lines WHERE text LIKE '{wanted}'"
        done = CliRunner().invoke(app, ["--home", str(home), "sql", statement, "--format", form, "--out", str(file)])
        assert done.exit_code == 0, done.output
    with Engine.open(configuration.load(home, {}), load=False, wait=False) as engine:
        receipt = forget(engine, plan(engine, Selection(query="flowerpot")))
    assert kept.exists() and not lost.exists()
    assert any(str(lost) in told and "deleted" in told for told in receipt.rewritten)
    assert any(str(kept) in told for told in receipt.unreachable)  # it may name people or titles: told


def test_what_lies_in_the_drop_folder_is_told_also_inside_a_zip(engine: Engine, home: Path) -> None:
    fill(engine)
    drop = home / "drop"
    drop.mkdir(mode=0o700)
    with zipfile.ZipFile(drop / "export.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("conversations.json", json.dumps({"text": SECRET * 3}))
    with zipfile.ZipFile(drop / "other.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("conversations.json", json.dumps({"text": OTHERS[0]}))
    (drop / "broken.zip").write_bytes(b"PK\x03\x04 no more")
    receipt = forget(engine, plan(engine, Selection(query="flowerpot")))
    told = " ".join(receipt.unreachable)
    assert "export.zip" in told and "broken.zip" in told and "other.zip" not in told
    assert "Delete it" in told


@pytest.mark.slow
def test_no_name_of_a_followed_file_is_kept_and_old_ones_go(
    open_engine: Callable[..., Engine], home: Path, tmp_path: Path
) -> None:
    engine = open_engine(config={"imports": {"settle_seconds": 0.0}})
    fill(engine)
    folder = tmp_path / "followed"
    folder.mkdir()
    (folder / "zaras-hidden-affair.txt").write_text("User: the garden\nAssistant: tomato seeds\n")
    assert len(Watcher(engine, [folder]).once()) == 1
    assert "affair" not in str(engine.reads.note("watched default"))
    assert Watcher(engine, [folder]).once() == []  # it is known all the same
    engine.put_note("watched default", json.dumps({"/old/zaras-hidden-affair.txt": [1, 2]}))  # as it was
    engine.backup(home / "backups" / "one.duckdb")
    assert holding(home, "zaras-hidden-affair")
    forget(engine, plan(engine, Selection(query="flowerpot")))
    assert holding(home, "zaras-hidden-affair") == []
    assert len(json.loads(engine.reads.note("watched default") or "{}")) == 1


HALF = [
    ".memory.duckdb.turning", ".memory.duckdb.turning.wal", ".memory.duckdb.rewrite", ".memory.duckdb.rewrite.wal", ".memory.duckdb.incoming",
    ".incoming-ab12/memory.duckdb", "sessions/2026/11/.s1.md.tmp", "backups/.auto-20261115-000000.duckdb.4711.tmp", "backups/.one.duckdb.rewrite",
    "backups/.one.duckdb.4711.tmp.wal", "index/.lexical.abc.tmp", "reports/.pmg-xyz.tmp", ".forget.order.abc.tmp", ".memory.duckdb.turning.tmp/block",
]  # fmt: skip


def plant(home: Path) -> None:
    for name in HALF:
        file = home / name
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.write_text(SECRET)


def test_the_next_start_removes_what_a_kill_left(open_engine: Callable[..., Engine], home: Path) -> None:
    open_engine().close()
    plant(home)
    theirs = {
        home / "drop" / ".mine.tmp",
        home / ".server.json.abc.tmp",
        home / ".config.toml.abc.tmp",
        home / "config.toml",
    }
    for file in theirs:
        file.parent.mkdir(mode=0o700, exist_ok=True)
        file.write_text("")
    assert len(holding(home, SECRET)) == len(HALF)
    open_engine()
    assert holding(home, SECRET) == []
    assert all(file.exists() for file in theirs)


def test_forgetting_removes_it_too_and_the_scan_would_have_found_it(engine: Engine, home: Path) -> None:
    fill(engine)
    plant(home)
    assert list(leftovers.leftovers(home))
    receipt = forget(engine, plan(engine, Selection(query="flowerpot")))
    assert receipt.clean and holding(home, SECRET) == []


def test_a_page_that_was_killed_leaves_no_upload_for_the_next_command(home: Path) -> None:
    with Engine.open(configuration.load(home, {}), load=False, wait=False) as engine:
        fill(engine)
    left = home / "temp" / "ab12" / "export.json"
    left.parent.mkdir(mode=0o700, parents=True)
    left.write_text(SECRET)
    (home / "temp" / ".used-0000-1111").touch()
    assert CliRunner().invoke(app, ["--home", str(home), "sql", "SELECT 1"]).exit_code == 0
    assert not (home / "temp").exists()


CODE = "Like this:\n```python\nimport pandas as pd\nimport numpy as np\n```"


@pytest.mark.parametrize("form", one_fast(FORMATS))
def test_an_export_stays_where_a_turn_that_stays_shares_a_stretch_over_a_line_break(
    engine: Engine, tmp_path: Path, form: str
) -> None:
    tell(engine, "lost", [f"How do I load the salary table? {CODE}"])
    tell(engine, "kept", [f"How do I load the tomato list? {CODE}", OTHERS[0]])
    target = tmp_path / "out" / ("vault" if form == "markdown" else f"memory.{form}")
    export(engine, target, form)
    todo = plan(engine, Selection(query="salary table"))
    assert todo.exports_rewritten == 1
    assert todo.exports_deleted == (form == "markdown")  # the file of a session of which nothing is left
    receipt = forget(engine, todo)
    assert receipt.clean and len(receipt.deleted) == todo.exports_deleted
    words = "".join(_words_of(file, form) for file in (tmp_path / "out").rglob("*") if file.is_file())
    assert "tomato" in words and OTHERS[0] in words and "salary" not in words


def _words_of(file: Path, form: str) -> str:
    return "".join(texts_of(form, file.read_bytes())) if form == "parquet" else file.read_text(encoding="utf-8")


@pytest.mark.parametrize("form", one_fast(FORMATS))
def test_an_older_wording_in_an_export_is_cut_out_and_the_rest_stays(engine: Engine, tmp_path: Path, form: str) -> None:
    tell(engine, "one", [OTHERS[0], f"{OTHERS[1]} {SECRET}", OTHERS[2]])
    target = tmp_path / "out" / ("vault" if form == "markdown" else f"memory.{form}")
    export(engine, target, form)
    other = engine.segment("seg_one_1")
    rewritten = Rewrite(other.number, other.id, other.lines, said(OTHERS[1]).lines, 0.5)
    store_of(engine).exchange.rewrite([rewritten])
    engine.write_plain_text(["one"])
    tell(engine, "two", [SECRET])
    receipt = forget(engine, plan(engine, Selection(sessions=("two",))))
    assert receipt.clean and receipt.deleted == ()
    words = "".join(_words_of(file, form) for file in (tmp_path / "out").rglob("*") if file.is_file())
    assert OTHERS[0] in words and OTHERS[2] in words and "flowerpot" not in words


def chat_of_two(engine: Engine) -> None:
    """A chat between people in three sessions: in the last one only the other speaks."""
    for number, speakers in enumerate((("Sam Weber", "Zara Quartz"), ("Sam Weber", "Zara Quartz"), ("Sam Weber",))):
        turns = [said(f"{OTHERS[number]} {name} here.", speaker=name) for name in speakers]
        called = SessionInput(turns, "Sam Weber and Zara Quartz", id=f"chat-{number}", conversation="wa:1")
        engine.ingest([called])


@pytest.mark.parametrize("form", one_fast(FORMATS))
def test_titles_made_of_names_lose_the_one_who_is_forgotten_in_every_copy(
    engine: Engine, home: Path, tmp_path: Path, form: str
) -> None:
    chat_of_two(engine)
    tell(engine, "other", [f"{OTHERS[0]} We meet them there."], title="A present for Zara Quartz", speaker="Sam Weber")
    engine.link("seg_chat-2_0", "seg_chat-0_0", Kind.SUPPORTS)
    target = tmp_path / "out" / ("vault" if form == "markdown" else f"memory.{form}")
    export(engine, target, form)
    engine.backup(tmp_path / "mine.duckdb")
    todo = plan(engine, Selection(person="zara quartz"))
    assert todo.counts["titles that lose their name"] == 3 and todo.titles_left == 1
    receipt = forget(engine, todo)
    assert receipt.clean and receipt.counts["titles that named them"] == 3
    titles = {s.id: s.title for s in engine.sessions()}
    assert {titles.pop(f"chat-{n}") for n in range(3)} == {"Sam Weber"}
    assert titles == {"other": "A present for Zara Quartz"}
    plain = {file.stem: file.read_text() for file in (home / "sessions").rglob("*.md")}
    assert [name for name, text in plain.items() if "Zara" in text] == ["other"]
    with Engine.open(configuration.load(_copied(tmp_path), {}), embedder=WordEmbedder()) as restored:
        assert {s.title for s in restored.sessions() if s.id != "other"} == {"Sam Weber"}
    for file in (file for file in (tmp_path / "out").rglob("*") if file.is_file()):
        words = _words_of(file, form).replace("A present for Zara Quartz", "")
        assert "Sam Weber" in words and "Zara" not in words.replace(f"{OTHERS[0]} We meet them there.", "")
        assert "Sam Weber and" not in file.name
    if form == "markdown":
        links = [link for file in target.rglob("*.md") for link in re.findall(r"\[\[(.*)#", file.read_text())]
        assert links and all((target / f"{link}.md").is_file() for link in links)


def _copied(folder: Path) -> Path:
    other = folder / "restored"
    other.mkdir(mode=0o700)
    (other / "memory.duckdb").write_bytes((folder / "mine.duckdb").read_bytes())
    return other


def test_a_title_keeps_the_name_of_somebody_who_still_speaks(engine: Engine) -> None:
    chat_of_two(engine)
    todo = plan(engine, Selection(segments=("seg_chat-0_1",), whose="Zara Quartz"))
    assert todo.titles == 0 and todo.titles_left == 3
    forget(engine, todo)
    assert {s.title for s in engine.sessions()} == {"Sam Weber and Zara Quartz"}
