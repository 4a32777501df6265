"""The health check names what is in force, what is whole, and the command that mends the rest."""

from __future__ import annotations

from pathlib import Path

from pmg import doctor
from pmg.base.filesystem import HAS_MODES
from pmg.base.model import Kind, Origin
from pmg.doctor import BAD, CHOICE, OK
from pmg.engine import Engine
from pmg.store.rows import NewEdges
from tests.stores import store_of


def levels(engine: Engine) -> set[str]:
    return {finding.level for finding in doctor.examine(engine)}


def said(engine: Engine) -> str:
    return "\n".join(f"{f.what} {f.mend} {f.detail}" for f in doctor.examine(engine))


def test_a_new_memory_is_well(engine: Engine) -> None:
    assert levels(engine) == {OK, CHOICE}
    with engine.session() as session:
        session.add(user="the cat")
    assert levels(engine) == {OK, CHOICE}
    told = said(engine)
    for fact in (
        "embedding model words",
        "thresholds: edge 0.60",
        "1 memory can be found",
        "1 window and 1 line indexed",
    ):
        assert fact in told


def test_what_is_found_is_said_without_words_of_the_trade(engine: Engine) -> None:
    """They stand in the detail: what a person reads first must need no glossary."""
    with engine.session() as session:
        session.add(user="the cat")
    store_of(engine).put_edges(NewEdges.one(7, 8, Kind.SUPPORTS, 1.0, Origin.USER))
    told = " ".join(finding.what for finding in doctor.examine(engine)).lower()
    trade = ("embedding", "vector", "dimension", "generation", "threshold", "window", "segment", "edge", "at rest")
    assert [word for word in trade if word in told] == []


def test_half_a_chain_is_noticed_and_mended(engine: Engine) -> None:
    with engine.session(session_id="s1") as session:
        a, b = session.add(user="the cat"), session.add(user="the vet")
    whole = engine.edges(a)
    numbers = store_of(engine).numbers_of([a, b])
    store_of(engine).drop_edges(numbers[a], numbers[b], Kind.CHAIN)
    assert BAD in levels(engine)
    assert "1 link between neighbours of a session is missing pmg rebuild --links" in said(engine)
    engine.relink()
    assert levels(engine) == {OK, CHOICE}
    assert {(e.source, e.target) for e in engine.edges(a)} == {(e.source, e.target) for e in whole}


def test_a_home_that_others_can_read_is_mentioned(engine: Engine, home: Path) -> None:
    home.chmod(0o755)
    assert f"chmod 700 {home}" in said(engine)
    home.chmod(0o700)


def test_an_open_session_is_mentioned_and_no_fault(engine: Engine) -> None:
    with engine.session(session_id="s1") as session:
        session.add(user="the cat")
    again = engine.session(session_id="s1")  # its first turns stay indexed while it goes on
    assert levels(engine) == {OK, CHOICE}
    assert "1 session is open" in said(engine)
    again.close()


def test_an_edge_that_leads_nowhere_is_a_fault_with_its_mend(engine: Engine) -> None:
    store_of(engine).put_edges(NewEdges.one(7, 8, Kind.SUPPORTS, 1.0, Origin.USER))
    assert BAD in levels(engine)
    assert "1 link leads nowhere" in said(engine)


def test_every_finding_that_is_not_well_says_what_to_do_or_why_it_is_so(engine: Engine, home: Path) -> None:
    home.chmod(0o777)
    store_of(engine).put_edges(NewEdges.one(7, 8, Kind.SUPPORTS, 1.0, Origin.USER))
    found = [f for f in doctor.examine(engine) if f.level not in (OK, CHOICE)]
    home.chmod(0o700)
    assert len(found) >= (2 if HAS_MODES else 1)
    assert all(f.mend for f in found)
