"""Out again: complete as JSON lines, harmless as tables, Markdown and HTML, for the owner alone."""

from __future__ import annotations

import csv
import json
import re
import shutil
import stat
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from pmg import config as configuration
from pmg.base.errors import InputError
from pmg.base.model import Kind, Line, Role, State, Turn
from pmg.engine import Engine
from pmg.exporters import markdown
from pmg.exporters.export import FORMATS, export
from pmg.exporters.files import safe_name
from pmg.exporters.tables import FORMULA, cell
from pmg.importers.import_run import ImportOptions, import_paths
from pmg.ingest.turns import SessionInput
from pmg.store.exchange import ExportFilter, SegmentUse
from pmg.store.maintenance import Topic
from pmg.store.rows import StateChange
from tests.embedding import WordEmbedder
from tests.pmg.importers.memory import dump
from tests.stores import store_of
from tests.tiers import one_fast

HOSTILE = (
    "<script>alert(1)</script> <img src=http://x.example/a.png onerror=alert(1)> ![[secret note]] [[../../etc/passwd]] "
    "![pic](http://x.example/p.png)\n---\ntitle: mine\n---\n# Heading\n```\nnever closed\n\x1b[31mred\u2028x"
)


def talk(name: str, *said: str, title: str = "", at: datetime | None = None, speaker: str = "Ana") -> SessionInput:
    begun = at or datetime(2026, 3, 1, 9, tzinfo=UTC)
    turns = [
        Turn(
            (Line(speaker, Role.USER, text), Line("Bot", Role.ASSISTANT, f"about {text}")), begun + timedelta(minutes=i)
        )
        for i, text in enumerate(said)
    ]
    return SessionInput(turns, title=title, source="test", id=name, conversation=f"talk-{name}", meta={"k": "v=1"})


def furnished(engine: Engine) -> None:
    """A memory with a bit of everything that use leaves behind."""
    engine.ingest(
        [
            talk("one", "my cat is ill", "the vet helped", "bake bread", title="Cats"),
            talk("two", "the release is blocked", "a storm", "my cat is ill and I am sad", title="Work", speaker="Bo"),
        ]
    )
    engine.link("seg_one_0", "seg_two_1", Kind.CAUSED_BY, 0.5)
    numbers = engine.reads.numbers_of(["seg_one_1", "seg_one_2", "seg_two_0", "seg_two_1"])
    hit = datetime(2026, 4, 1, tzinfo=UTC)
    marks = [
        SegmentUse(numbers["seg_one_1"], hits=3, last_hit=hit, pinned=True, tags=("vet", "ä")),
        SegmentUse(numbers["seg_two_1"], State.ARCHIVED),
    ]
    store_of(engine).exchange.put_segment_use(marks)
    store_of(engine).change_states([StateChange(numbers["seg_one_2"], State.MERGED, numbers["seg_two_0"])])
    engine.indexes.catch_up()


def opened(home: Path) -> Engine:
    return Engine.open(configuration.load(home, {}), embedder=WordEmbedder())


def test_json_lines_into_an_empty_memory_give_the_same_memory(engine: Engine, tmp_path: Path) -> None:
    furnished(engine)
    done = export(engine, tmp_path / "all.jsonl", "jsonl")
    assert (done.sessions, done.files) == (2, 1)
    with opened(tmp_path / "other") as other:
        report = import_paths(other, [tmp_path / "all.jsonl"])
        assert report.turns == 6 and not report.problems
        assert dump(other) == dump(engine)
        assert import_paths(other, [tmp_path / "all.jsonl"]).turns == 0
        assert dump(other) == dump(engine)


any_text = st.text(alphabet=st.characters(codec=None), min_size=1, max_size=40).filter(lambda text: text.strip() != "")
any_turn = st.builds(
    lambda texts, origin, minutes: Turn(
        tuple(Line("Ana" if i % 2 else "Bo\u2028", Role.PERSON, text) for i, text in enumerate(texts)),
        datetime(2020, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes),
        origin,
        {"k\ud800": texts[0]},
    ),
    st.lists(any_text, min_size=1, max_size=3),
    st.sampled_from(("", "", "a", "b\ud83d\ude00")),
    st.integers(0, 10_000_000),
)


@pytest.mark.slow
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(any_text, st.lists(any_turn, min_size=1, max_size=4)), min_size=1, max_size=3))
def test_the_round_trip_is_exact_for_any_text(tmp_path_factory: pytest.TempPathFactory, talks: list) -> None:  # type: ignore[type-arg]
    folder = tmp_path_factory.mktemp("trip")
    with opened(folder / "a") as first, opened(folder / "b") as second:
        first.ingest(SessionInput(turns, title=title, id=f"s{i}") for i, (title, turns) in enumerate(talks))
        export(first, folder / "all.jsonl", "jsonl")
        report = import_paths(second, [folder / "all.jsonl"])
        assert not report.problems
        assert dump(second) == dump(first)


@pytest.mark.slow
def test_two_memories_merge_without_doubling(engine: Engine, tmp_path: Path) -> None:
    engine.ingest([talk("one", "my cat is ill"), talk("mine", "football match"), talk("same", "rain")])
    other_home = tmp_path / "other"
    with opened(other_home) as other:
        other.ingest(
            [talk("one", "my cat is ill", "the vet helped"), talk("same", "guitar song"), talk("theirs", "tax")]
        )
        other.link("seg_theirs_0", "seg_same_0", Kind.SUPPORTS)
        other.backup(tmp_path / "backup.duckdb")
    before = (other_home / "memory.duckdb").read_bytes()
    report = import_paths(engine, [other_home])
    assert (report.turns, report.total("known")) == (3, 1)
    ids = {s.id: s.segments for s in engine.sessions()}
    assert ids["one"] == 2 and ids["theirs"] == 1 and ids["same"] == 1 and len(ids) == 5
    (edge,) = engine.reads.exchange.lasting_edges()
    assert engine.segment(edge.target).lines[0].text == "guitar song"  # theirs, under another name
    merged = dump(engine)
    assert import_paths(engine, [tmp_path / "backup.duckdb"]).turns == 0
    assert dump(engine) == merged
    assert (other_home / "memory.duckdb").read_bytes() == before
    assert not list(engine.config.home.glob(".incoming*"))


def test_a_database_that_is_no_memory_is_listed(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "x.duckdb").write_bytes(b"\0" * 8 + b"DUCK" + b"\0" * 5000)
    report = import_paths(engine, [tmp_path / "x.duckdb", engine.reads.path])
    assert [p.level.value for p in report.problems] == ["broken", "broken"] and report.turns == 0


def test_hostile_json_lines_are_listed_row_by_row(engine: Engine, tmp_path: Path) -> None:
    furnished(engine)
    export(engine, tmp_path / "all.jsonl", "jsonl")
    rows = (tmp_path / "all.jsonl").read_text().splitlines()
    bad = [
        '{"session": "../../x", "started_at": "2026-01-01"}',
        '{"segment": "seg_q_0", "session": "q", "index": 0, "at": "2026-01-01", "lines": []}',
        '{"edge": "semantic", "from": "seg_one_0", "to": "seg_two_0", "weight": 9, "origin": "auto"}',
        "not json",
        "[" * 100_000,
    ]
    (tmp_path / "bad.jsonl").write_text("\n".join([rows[0], *bad, *rows[1:]]) + "\n")
    with opened(tmp_path / "other") as other:
        report = import_paths(other, [tmp_path / "bad.jsonl"])
        assert len(report.problems) == len(bad) and report.turns == 6
        assert dump(other)["sessions"].keys() == dump(engine)["sessions"].keys()


@pytest.mark.slow
def test_a_copied_directory_is_a_moved_memory(open_engine: Callable[..., Engine], home: Path, tmp_path: Path) -> None:
    engine = open_engine()
    furnished(engine)
    before, found = dump(engine), [s.id for s in engine.recall("ill cat vet", count=False).segments]
    engine.close()
    shutil.copytree(home, tmp_path / "new place")
    with opened(tmp_path / "new place") as moved:
        assert dump(moved) == before
        assert [s.id for s in moved.recall("ill cat vet", count=False).segments] == found
        assert not moved.indexes.rebuilt


@pytest.mark.parametrize("form", FORMATS)
def test_an_export_is_its_owners_alone_and_leaves_nothing_behind(engine: Engine, tmp_path: Path, form: str) -> None:
    furnished(engine)
    export(engine, tmp_path / "out" / "file", form)
    files = [f for f in (tmp_path / "out").rglob("*") if f.is_file()]
    assert files and not [f for f in files if f.name.endswith(".tmp")]
    assert {stat.S_IMODE(f.stat().st_mode) for f in files} == {0o600}


@pytest.mark.parametrize("text", one_fast(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\n=1"]))
def test_no_cell_begins_a_formula(engine: Engine, tmp_path: Path, text: str) -> None:
    engine.ingest([SessionInput([Turn((Line(text + "x", Role.PERSON, text),))], title=text, source=text)])
    export(engine, tmp_path / "t.csv", "csv")
    with (tmp_path / "t.csv").open(encoding="utf-8", newline="") as file:
        header, row = list(csv.reader(file))
    assert not [value for value in row if value.lstrip(" ").startswith(FORMULA)]
    assert row[header.index("text")] == f"'{text}"
    assert cell(-1.5) == "-1.5"


@pytest.mark.slow
def test_parquet_has_every_line_with_its_type(engine: Engine, tmp_path: Path) -> None:
    furnished(engine)
    export(engine, tmp_path / "t.parquet", "parquet")
    rows = parquet.read_table(tmp_path / "t.parquet").to_pylist()
    assert len(rows) == 12 and rows[0]["said_at"] == datetime(2026, 3, 1, 9, tzinfo=UTC)
    assert [row["tags"] for row in rows if row["pinned"]] == [["vet", "ä"]] * 2


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def test_html_shows_hostile_text_and_runs_none_of_it(engine: Engine, tmp_path: Path) -> None:
    engine.ingest([talk("x", HOSTILE, title=HOSTILE, speaker="<b>Ana</b>")])
    export(engine, tmp_path / "p.html", "html")
    page = Tags()
    page.feed((tmp_path / "p.html").read_text(encoding="utf-8"))
    assert page.tags <= set("html head meta title style body h1 details summary small div p".split())
    assert page.attributes <= {"lang", "charset", "http-equiv", "content", "name", "class", "id"}
    assert "<script>alert(1)</script>" in page.text and "default-src 'none'" in (tmp_path / "p.html").read_text()


def test_markdown_keeps_hostile_text_inside_its_quote(engine: Engine, tmp_path: Path) -> None:
    engine.ingest([talk("x", HOSTILE, title=f"../../{HOSTILE}", speaker="**Ana** <b>")])
    export(engine, tmp_path / "vault", "markdown")
    (file,) = (f for f in (tmp_path / "vault").rglob("*") if f.is_file())
    assert file.parent == tmp_path / "vault" / "2026" / "03" and ".." not in file.name and "/" not in file.name
    text = file.read_text(encoding="utf-8")
    assert text.count("\n---\n") == 1 and not re.search(r"^# Heading", text, re.MULTILINE)
    assert not re.search(r"(?<!\\)\[\[", text) and not re.search(r"(?<!\\)!\[", text) and "<script" not in text
    front = text.split("\n---\n")[0].removeprefix("---\n")
    assert {row.split(":")[0] for row in front.split("\n")} >= {"title", "session", "people", "started"}
    assert json.loads(next(row for row in front.split("\n") if row.startswith("session:")).partition(": ")[2]) == "x"


@pytest.mark.slow
def test_a_vault_links_sessions_by_the_names_of_their_files(engine: Engine, tmp_path: Path) -> None:
    furnished(engine)
    export(engine, tmp_path / "vault", "markdown")
    for file in (tmp_path / "vault").rglob("*.md"):
        for target, anchor in re.findall(r"\[\[([^\]#]+)#(\^[^\]]+)\]\]", file.read_text()):
            assert f"\n{anchor}\n" in (tmp_path / "vault" / f"{target}.md").read_text()
    assert "caused_by: [[2026/03/2026-03-01 Work (two)#^seg-two-1]]" in "".join(
        f.read_text() for f in (tmp_path / "vault").rglob("*(one).md")
    )


@pytest.mark.slow
def test_a_vault_tells_a_link_from_where_it_is_read(engine: Engine, tmp_path: Path) -> None:
    engine.ingest([talk("one", "my cat is ill", title="Cats"), talk("two", "a storm", title="Work")])
    engine.link("seg_one_0", "seg_two_0", Kind.CAUSED_BY, 0.5)
    engine.link("seg_one_0", "seg_two_0", Kind.RELATED_TO, 0.4)
    export(engine, tmp_path / "vault", "markdown")
    told = {
        name: re.findall(r"^- (\w+): ", next((tmp_path / "vault").rglob(f"*({name}).md")).read_text(), re.MULTILINE)
        for name in ("one", "two")
    }
    assert {"caused_by", "related_to"} <= set(told["one"]) and "causes" not in told["one"]
    assert {"causes", "related_to"} <= set(told["two"]) and "caused_by" not in told["two"]


@pytest.mark.parametrize(
    "title", ["CON", "../..", "a/b\\c", "x" * 500, "日本" * 200, "\u202egnp.exe", "", "...", "nul.txt"]
)
def test_file_names_are_safe(title: str) -> None:
    name = safe_name(title)
    assert len(name.encode()) <= 160 and not re.search(r"[/\\:\x00-\x1f\u202e]", name)
    assert name.lower() not in ("con", "nul.txt", ".", "..")


@pytest.mark.slow
def test_filters_choose_whole_sessions(engine: Engine, tmp_path: Path) -> None:
    furnished(engine)
    engine.ingest(
        [
            talk("late", "taxes", at=datetime(2027, 1, 1, tzinfo=UTC)),
        ]
    )
    engine.ingest([SessionInput([Turn((Line("Bo", Role.PERSON, "hi there"),))], id="wall", namespace="work")])
    store_of(engine).maintenance.put_topics(
        [Topic(1, "default", "Pets", ("cat",), (engine.reads.numbers_of(["seg_one_0"])["seg_one_0"],))]
    )

    def ids(**filters: object) -> list[str]:
        return [s.id for s in engine.reads.exchange.chosen(ExportFilter(**filters))]  # type: ignore[arg-type]

    new_year = datetime(2027, 1, 1, tzinfo=UTC)
    assert ids(namespace="default", since=new_year) == ["late"]
    assert ids(namespace="default", until=new_year) == ["one", "two"]
    assert ids(person="bo") == ["two", "wall"]
    assert ids(topic="pets") == ["one"]
    assert ids(namespace="work") == ["wall"]
    export(engine, tmp_path / "w.jsonl", "jsonl", ExportFilter(namespace="work"))
    assert "my cat" not in (tmp_path / "w.jsonl").read_text()


def test_an_unknown_form_or_a_folder_in_the_way_is_refused(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="choose from markdown"):
        export(engine, tmp_path / "x", "docx")
    with pytest.raises(InputError, match="is a directory"):
        export(engine, tmp_path, "html")


@pytest.mark.slow
def test_the_namespace_asked_for_is_the_namespace_of_a_merge(engine: Engine, tmp_path: Path) -> None:
    furnished(engine)
    export(engine, tmp_path / "all.jsonl", "jsonl")
    import_paths(engine, [tmp_path / "all.jsonl"], ImportOptions(namespace="copy"))
    assert len(engine.sessions("copy")) == 2
    edges = list(engine.reads.exchange.lasting_edges())
    spaces = [{engine.segment(e.source).namespace, engine.segment(e.target).namespace} for e in edges]
    assert len(edges) == 2 and all(len(namespace) == 1 for namespace in spaces)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("```dataviewjs\nalert(1)\n```", "> ```text dataviewjs\n> alert(1)\n> ```"),
        ("~~~ Templater\n<% x %>\n~~~", "> ~~~ text Templater\n> <% x %>\n> ~~~"),
        ("a `$= dv.x` b `= this.y`", "> a ` $= dv.x` b ` = this.y`"),
        ("%%gone%%", r"> \%%gone\%%"),
        ("```python\n1 % 2\n```", "> ```python\n> 1 % 2\n> ```"),
    ],
)
def test_nothing_that_a_plugin_of_a_vault_would_run_or_hide_is_left_in_what_was_said(said: str, shown: str) -> None:
    assert markdown.body(said) == shown
