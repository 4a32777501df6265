"""Every closed session is there as plain readable text, for its owner only."""

from __future__ import annotations

import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pmg.engine import Engine
from pmg.errors import StoreError
from pmg.model import Line, Role


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
        "\n## Tue 2026-03-03 19:02 +00:00\n\n**User:** What soup?\n\n**Assistant:** Lentil.\n"
        "\n## Tue 2026-03-03 19:02 +00:00\n\n**Ann:** Two\nlines\n"
    )
    assert {stat.S_IMODE(p.stat().st_mode) for p in (file, file.parent, file.parent.parent)} == {0o600, 0o700}


def test_text_no_encoding_knows_is_written_all_the_same(engine: Engine, home: Path) -> None:
    with engine.session() as session:
        session.add(user="broken \ud800 half")
    assert b"broken \xed\xa0\x80 half" in files(home)[0].read_bytes()


def test_rebuild_writes_lost_files_again(engine: Engine, home: Path) -> None:
    with engine.session() as session:
        session.add(user="hello there")
    (file,) = files(home)
    before = file.read_bytes()
    file.unlink()
    engine.rebuild()
    assert file.read_bytes() == before


def test_a_file_in_the_way_is_an_error_that_names_it_and_loses_nothing(engine: Engine, home: Path) -> None:
    (home / "sessions").write_text("in the way")
    session = engine.session(session_id="s1")
    session.add(user="hello there")
    with pytest.raises(StoreError, match=r"s1\.md could not be written.*pmg rebuild"):
        session.close()
    assert engine.reads.segments_of("s1")[0].lines[0].text == "hello there"
    (home / "sessions").unlink()
    engine.rebuild()
    assert len(files(home)) == 1
    assert engine.recall("hello there").segments
