"""Files of a memory: their owner's alone whatever the umask, no symbolic links, and logs without what was said."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pmg.base.errors import StoreError
from pmg.config import load
from pmg.engine import Engine
from pmg.exporters.export import export
from pmg.server.logs import log_to_file, stop_logging
from pmg.settings import keep
from steward.steward import Steward
from tests.embedding import WordEmbedder

Open = Callable[..., Engine]


@pytest.fixture
def umask() -> Iterator[Callable[[int], int]]:
    before = os.umask(0o077)
    yield os.umask
    os.umask(before)


def open_to_others(home: Path) -> list[str]:
    return sorted(
        f"{path.relative_to(home)} {stat.S_IMODE(path.stat().st_mode):o}"
        for path in (home, *home.rglob("*"))
        if stat.S_IMODE(path.stat().st_mode) != (0o700 if path.is_dir() else 0o600)
    )


@pytest.mark.parametrize("mask", [0, 0o022])
def test_every_file_is_for_its_owner_alone_whatever_the_umask(
    mask: int, home: Path, open_engine: Open, umask: Callable[[int], int]
) -> None:
    umask(mask)
    engine = open_engine()
    log = log_to_file(home, 1)
    try:
        with engine.session(title="Garden") as session:
            session.add(user="The plum tree bears fruit.", assistant="Good.")
        assert open_to_others(home) == []  # with the log of the database
        engine.indexes.save()
        engine.backup(home / "backups" / "one.duckdb")
        Steward(engine).run(["backup"])
        for form in ("jsonl", "csv", "markdown"):
            export(engine, home / "exports" / f"out-{form}", form)
        keep(home, {"recall": {"top_k": 4}})
        logging.getLogger("pmg.test").warning("something happened")
        engine.rebuild()
        assert open_to_others(home) == []
    finally:
        stop_logging(log)
    engine.close()
    assert open_to_others(home) == []
    assert {"memory.duckdb", "config.toml", "backups", "exports", "sessions", "index", "logs"} <= {
        path.name for path in home.iterdir()
    }


@pytest.mark.parametrize("name", ["memory.duckdb", "index", "sessions", "config.toml", "backups", "sessions/2026"])
def test_a_symbolic_link_in_the_directory_is_refused_by_name(name: str, home: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    target = outside if "." not in name else outside / "file"
    if target != outside:
        target.write_text("")
    (home / name).parent.mkdir(parents=True, exist_ok=True)
    (home / name).symlink_to(target, target_is_directory=target == outside)
    with pytest.raises(StoreError, match=f"symbolic links.*{name}"):
        Engine.open(load(home, {}), embedder=WordEmbedder())
    assert list(outside.iterdir()) == ([] if target == outside else [target])


def test_no_record_of_any_module_holds_what_was_said(
    home: Path, open_engine: Open, caplog: pytest.LogCaptureFixture
) -> None:
    """Everything at DEBUG: putting in, recalling, upkeep, and questions that fail."""
    caplog.set_level(logging.DEBUG)
    engine = open_engine(config={"steward": {"rest": 0.0}})
    for number in range(3):
        with engine.session(title="Canarytitle") as session:
            session.add(user=f"The canarytext plum tree bears fruit {number // 2}.", assistant="A canaryanswer.")
    engine.recall("canaryquery plum tree")
    upkeep = Steward(engine)
    plans = upkeep.plan()
    for plan in plans.values():
        upkeep.pairs(plan)
    upkeep.run()
    upkeep.review()
    upkeep.search_archive("canaryquery")
    engine.rebuild()
    engine.close()
    for piece in (home / "index").rglob("*.piece"):  # something to warn about
        piece.write_bytes(b"damaged")
    engine = open_engine()
    engine.recall("canaryquery plum tree")
    engine.close()
    told = "\n".join(f"{record.getMessage()} {record.exc_text or ''}" for record in caplog.records).lower()
    assert caplog.records, "nothing was logged at all: the test would prove nothing"
    assert "canary" not in told
