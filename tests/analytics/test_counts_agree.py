"""One memory, one number: whatever is counted in several places is counted alike.

A link joins two memories and counts once, a chain too. A memory of the header is one that is in recall.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from pmg import config as configuration
from pmg import doctor
from pmg.analytics import questions, vectors
from pmg.base.model import Kind, State
from pmg.base.times import now
from pmg.cli.maintenance import stats_lines
from pmg.engine import Engine
from pmg.report.facts import gather
from pmg.ui import shell
from pmg.ui.analytics import analytics_tab
from pmg.ui.analytics.analytics_tab import AnalyticsSelection
from pmg.ui.app_context import AppContext
from steward.steward import Steward
from tests.analytics.memory import fill, used
from tests.embedding import WordEmbedder

NAMESPACE = "default"


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """One namespace, links of three sorts, a session in which nothing was said, and memories of several windows."""
    config = configuration.load(tmp_path_factory.mktemp("counts") / "memory", {})
    with Engine.open(config, embedder=WordEmbedder()) as engine:
        fill(engine, NAMESPACE)
        used(engine, NAMESPACE)
        engine.link("seg_s0_0", "seg_s1_0", Kind.SUPPORTS)
        engine.session("nothing was said", session_id="silent").close()
        yield engine


def asked(engine: Engine, sql: str) -> int:
    return int(engine.sql(sql).rows[0][0])


def health(engine: Engine, noun: str) -> int:
    """A number of the Health page, which is that of `pmg doctor`."""
    (told,) = [f.what for f in doctor.examine(engine) if re.match(r"[\d,]+ sessions?, ", f.what)]
    found = re.search(rf"([\d,]+) {noun}", told)
    assert found is not None, told
    return int(found[1].replace(",", ""))


def test_links_are_the_same_number_everywhere(alone: Engine) -> None:
    chains = sum(max(0, session.segments - 1) for session in alone.sessions())
    others = asked(alone, "SELECT count(*) FROM v_edges WHERE kind <> 'chain'")
    links = chains + others
    assert chains == 18 and others > 1
    assert sum(alone.counts(NAMESPACE).links.values()) == links
    assert health(alone, "links") == links and health(alone, "to the next in a session") == chains
    assert asked(alone, "SELECT count(*) FROM v_links") == links
    assert any(line.startswith(f"links     {links} ({chains} chain, ") for line in stats_lines(alone.counts(NAMESPACE)))
    assert gather(alone, NAMESPACE, now()).links == links
    newest: dict[str, int] = {}
    for row in questions.ask(alone, "edge_growth", NAMESPACE).table.to_pylist():
        newest[row["kind"]] = max(row["total"], newest.get(row["kind"], 0))
    assert newest == {kind.value: count for kind, count in alone.counts(NAMESPACE).links.items() if count}
    items = questions.ask(alone, "bytes_by_kind", NAMESPACE).table.to_pylist()
    assert sum(row["items"] for row in items if row["kind"] == "links") == links


def test_the_header_counts_memories_alone_and_as_the_whole_count_does(
    alone: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole count reads every text and every link: too much for what stands above every tab."""
    whole = {namespace: alone.counts(namespace).segments for namespace in (NAMESPACE, "nobody's", None)}
    assert whole[NAMESPACE][State.ACTIVE] > 0
    assert {namespace: alone.reads.segments_by_state(namespace) for namespace in whole} == whole
    monkeypatch.setattr(Engine, "counts", None)
    context = AppContext(alone, Steward(alone))
    assert shell.status(context, NAMESPACE).memories == whole[NAMESPACE][State.ACTIVE]


def test_the_links_of_memories_add_up_to_the_links(alone: Engine) -> None:
    rows = questions.ask(alone, "degrees", NAMESPACE).table.to_pylist()
    assert sum(row["degree"] * row["segments"] for row in rows) == 2 * sum(alone.counts(NAMESPACE).links.values())
    chain = {row["degree"]: row["segments"] for row in rows if row["sort"] == "chain"}
    assert chain == {1: 12, 2: 12}, "two ends a session of four, and two between them"


def test_memories_are_the_same_number_everywhere(alone: Engine) -> None:
    memories = alone.counts(NAMESPACE).segments[State.ACTIVE]
    assert memories == 24 == shell.status(AppContext(alone, Steward(alone)), NAMESPACE).memories
    assert f"<b>{memories}</b><span>memories" in analytics_tab.tiles(alone, AnalyticsSelection(NAMESPACE))
    assert health(alone, "memories") == memories
    funnel = questions.ask(alone, "recall_funnel", NAMESPACE).table.to_pylist()
    assert {row["segments"] for row in funnel if row["stage"] in ("stored", "in recall")} == {memories}
    for name in ("states", "growth", "usefulness", "activity", "hit_counts", "quality_spread"):
        assert sum(questions.ask(alone, name, NAMESPACE).table.column("segments").to_pylist()) == memories, name


def test_a_map_has_one_point_a_memory(alone: Engine) -> None:
    windows = asked(alone, "SELECT count(*) FROM windows")
    shown = vectors.embedding_map(alone, NAMESPACE).table.column("segment").to_pylist()
    assert windows > len(shown) == len(set(shown)) == alone.counts(NAMESPACE).segments[State.ACTIVE]


def test_a_large_memory_is_spread_evenly_over_its_map(alone: Engine) -> None:
    taken = vectors.memory_vectors(alone, NAMESPACE, 5)
    assert len(taken.segment) == len(set(taken.segment.tolist())) == 5
    assert taken.vectors.shape[0] == 5


def test_sessions_are_those_in_which_something_was_said(alone: Engine) -> None:
    assert alone.counts(NAMESPACE).sessions == health(alone, "sessions") == 6
    assert "<b>6</b><span>sessions" in analytics_tab.tiles(alone, AnalyticsSelection(NAMESPACE))


def test_what_is_put_away_is_told_apart_by_all(open_engine: Callable[..., Engine]) -> None:
    engine = open_engine()
    fill(engine, NAMESPACE)
    Steward(engine).archive(["seg_s0_0"])
    facts = gather(engine, NAMESPACE, now())
    assert (facts.segments, facts.put_away) == (23, 1)
    assert shell.status(AppContext(engine, Steward(engine)), NAMESPACE).memories == 23
    assert "<b>23</b><span>memories, 1 more out of recall<" in analytics_tab.tiles(
        engine, AnalyticsSelection(NAMESPACE)
    )
    assert any("24 memories (1 of them put away)" in finding.what for finding in doctor.examine(engine))
