"""Every closed session is there as plain readable text, for its owner only."""

from __future__ import annotations

import re
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pmg.base.errors import StoreError
from pmg.base.model import Line, Role, Session
from pmg.engine import Engine
from pmg.ingest.plaintext import rendered
from pmg.store.contract import NewSegment


def files(home: Path) -> list[Path]:
    return sorted((home / "sessions").rglob("*.md"))


def test_a_closed_session_reads_as_it_was_said(engine: Engine, home: Path) -> None:
    at = datetime(2026, 3, 3, 19, 2, tzinfo=UTC)
    with engine.session("Soup", session_id="soup", started_at=at) as session:
        session.add(user="What soup?", assistant="Lentil.", at=at)
        session.add(lines=[Line("Ann", Role.PERSON, "Two\nlines")], at=at)
        assert files(home) == []
    (file,) = files(home)
    assert file == home / "sessions" / "2026" / "03" / "soup.md"
    assert file.read_text() == (
        "# Soup\n\nsession soup · api · default · Tue 2026-03-03 19:02 +00:00\n"
        "\n## Tue 2026-03-03 19:02 +00:00\n\n**User:**\n\n    What soup?\n\n**Assistant:**\n\n    Lentil.\n"
        "\n## Tue 2026-03-03 19:02 +00:00\n\n**Ann:**\n\n    Two\n    lines\n"
    )
    assert {stat.S_IMODE(p.stat().st_mode) for p in (file, file.parent, file.parent.parent)} == {0o600, 0o700}


def test_text_no_encoding_knows_is_written_all_the_same(engine: Engine, home: Path) -> None:
    with engine.session() as session:
        session.add(user="broken \ud800 half")
    assert b"broken \xed\xa0\x80 half" in files(home)[0].read_bytes()


def test_rebuild_writes_lost_files_again(engine: Engine, home: Path) -> None:
    with engine.session() as session:
        session.add(user="the cat sleeps")
    (file,) = files(home)
    before = file.read_bytes()
    file.unlink()
    engine.rebuild()
    assert file.read_bytes() == before


def test_a_file_in_the_way_is_an_error_that_names_it_and_loses_nothing(engine: Engine, home: Path) -> None:
    (home / "sessions").write_text("in the way")
    session = engine.session(session_id="s1")
    session.add(user="the cat sleeps")
    with pytest.raises(StoreError, match=r"s1\.md could not be written.*pmg rebuild"):
        session.close()
    assert engine.reads.segments_of("s1")[0].lines[0].text == "the cat sleeps"
    (home / "sessions").unlink()
    engine.rebuild()
    assert len(files(home)) == 1
    assert engine.recall("the cat sleeps").segments


HOSTILE = (
    "<script>alert(1)</script>\n\n# A heading\n## Tue 2026-03-03 19:02 +00:00\n\n**User:**\n\nnever said ![p](http://evil.example/p.png)\n"
    "```\n<img src=x onerror=alert(1)>\r<b>one\r\n<i>two\n[go](javascript:alert(2)) &lt; &amp; \\<u>\n***\n- list\n\n\n1. one\n"
)
TEXT = st.text(
    st.sampled_from("ab<>/!&;#*_`[]()\\\n\r\t -=~|1.") | st.characters(exclude_categories=["Cs"]), min_size=1
)


@given(TEXT, TEXT)
@example(HOSTILE, HOSTILE)
@example("\n    \n x", "</p><b>")
def test_a_viewer_shows_what_was_said_as_text_and_it_reads_back(said: str, label: str) -> None:
    at = datetime(2026, 3, 3, 19, 2, tzinfo=UTC)
    session = Session("s", "default", "s", label, label, at, None, False)
    text = rendered(
        session, [NewSegment("s", 0, at, (Line(label, Role.PERSON, said), Line("Ann", Role.PERSON, "end")))]
    )
    tokens = MarkdownIt("commonmark").parse(text)
    assert [t.tag for t in tokens if t.nesting >= 0 and t.type != "inline" and t.type != "code_block"] == [
        "h1",
        "p",
        "h2",
        "p",
        "p",
    ]
    inside = {child.type for t in tokens for child in t.children or ()}
    assert inside <= {"text", "text_special", "strong_open", "strong_close"}
    shown = [t.content for t in tokens if t.type == "code_block"]
    assert shown[-1] == "end\n" and len(shown) == (2 if said.strip(" \t\r\n") else 1)
    block = text.split(":**\n\n", 1)[1].rsplit("\n\n**Ann:**", 1)[0]
    assert re.sub(r"(\A|\r\n|\n|\r)    ", r"\1", block) == said
