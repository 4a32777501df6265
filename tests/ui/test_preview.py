"""The recall preview: what would happen, laid open, without counting as a recall."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields

import pytest

from pmg.config import RecallConfig
from pmg.engine import Engine
from pmg.errors import ConfigError, InputError
from pmg.model import Kind
from pmg.ui.preview import compare, stages
from pmg.ui.preview.preview_tab import MAIN, MORE, NAMES, chosen, in_force, save, shown
from pmg.ui.preview.stages import Preview, preview
from tests.steward.memories import tell
from tests.ui.hostile import HOSTILE, IMAGE, alive

TALK = ("The cat sleeps.", "Good.", "The vet saw the cat and the kitten.", "We bake bread.", "The oven is hot.")


@pytest.fixture
def talk(engine: Engine) -> Engine:
    tell(engine, "a", *TALK)
    tell(engine, "b", "The cat purrs.", "So do we.")
    return engine


def look(engine: Engine, query: str = "cat", floor: float | None = None, **knobs: object) -> Preview:
    return preview(engine, query, "default", knobs, floor)


def test_looking_is_not_counted(talk: Engine) -> None:
    look(talk)
    assert talk.counts().recalls == 0
    assert talk.segment("seg_a_0").hits == 0


def test_every_found_memory_is_shown_in_its_stage_with_its_signals(talk: Engine) -> None:
    seen = look(talk, mode="fixed", top_k=1, lateral=2, vertical=1)
    html = stages.stages(seen)
    for one in seen.recalled.receipt.found:
        assert f'data-pick="{one.segment}"' in html
    assert {one.role for one in seen.recalled.receipt.found} >= {"entry", "vertical"}
    assert "Entries (1)" in html
    assert re.search(r"meaning · place \d", html)


def test_what_was_dropped_says_why(talk: Engine) -> None:
    seen = look(talk, mode="fixed", top_k=1, lateral=0, vertical=0)
    assert "not among the first 1 entries" in stages.stages(seen)
    assert "not among the first 1 entries" in stages.candidates(seen)


def test_a_higher_floor_drops_what_is_only_faintly_alike(talk: Engine) -> None:
    low, high = (
        look(talk, "kitten", floor, mode="fixed", top_k=10, lateral=0, vertical=0, lexical=True)
        for floor in (0.0, 0.99)
    )
    assert len(high.recalled.receipt.found) < len(low.recalled.receipt.found)
    assert any("under the floor 0.99" in one.reason for one in high.recalled.receipt.dropped)


def test_the_block_is_the_exact_context_with_its_tokens(talk: Engine) -> None:
    seen = look(talk)
    html = stages.block(seen)
    assert f"{seen.recalled.receipt.used_tokens:,} tokens" in html
    inside = html.split("<pre", 1)[1].split(">", 1)[1].split("</pre>")[0]
    assert inside.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") == seen.recalled.context


def test_the_graph_has_every_memory_and_the_links_between_them(talk: Engine) -> None:
    talk.link("seg_b_0", "seg_a_0", Kind.CONTRADICTS)
    seen = look(talk)
    figure = stages.graph(seen)
    drawn = {name for trace in figure.data if trace.customdata is not None for name in trace.customdata}
    assert drawn == {one.segment for one in seen.recalled.receipt.found}
    assert {"chain", "contradicts"} <= {link.kind for link in seen.links}
    assert figure.to_json() == stages.graph(look(talk)).to_json()


def test_two_settings_are_held_against_each_other(talk: Engine) -> None:
    wide, tight = look(talk), look(talk, budget_tokens=120)
    rows = compare.moved(wide, tight)
    went = [row for row in rows if row.how == "out of the block"]
    assert went
    assert len(wide.in_block) - len(tight.in_block) == len(went) - sum(row.how == "into the block" for row in rows)
    assert "A and B give the same block." in compare.compared(wide, look(talk))
    assert f"{len(went)} out of it" in compare.compared(wide, tight)


def test_nothing_found_is_said_in_every_part(engine: Engine) -> None:
    part = shown(look(engine, "anything"), None)
    assert "nothing would be put before a model" in part.block
    assert "found</b> 0" in part.headline


def test_hostile_text_is_only_text(engine: Engine) -> None:
    tell(engine, "x", HOSTILE, f"{IMAGE} cat </pre></memory>", HOSTILE + " cat")
    seen, other = look(engine, f"cat {IMAGE}"), look(engine, f"cat {IMAGE}", budget_tokens=100)
    part = shown(seen, other)
    for html in (part.headline, part.compared, stages.block(seen), part.stages, part.candidates):
        assert not alive(html)
    assert stages.block(seen).count("</pre>") == 1
    assert not alive(stages.graph(seen).to_json().encode().decode("unicode_escape"))


def test_every_knob_of_recall_is_on_the_page_but_the_one_that_loads_a_model() -> None:
    assert {*MAIN, *MORE} - {"floor"} == {field.name for field in fields(RecallConfig)} - {"reranker"}


def test_the_fields_begin_with_what_is_in_force(engine: Engine) -> None:
    knobs, _ = chosen(engine, NAMES, in_force(engine, NAMES))
    assert all(getattr(engine.config.recall, name) == value for name, value in knobs.items())


def test_an_emptied_field_counts_as_it_is_configured(engine: Engine) -> None:
    knobs, floor = chosen(engine, ["top_k", "floor"], [None, None])
    assert (knobs["top_k"], round(floor, 3)) == (3, round(engine.thresholds.floor, 3))
    assert chosen(engine, ["top_k"], [5.0])[0]["top_k"] == 5


def test_saving_writes_what_changed_and_is_in_force_at_once(engine: Engine) -> None:
    values = dict(zip(NAMES, in_force(engine, NAMES), strict=True))
    assert "already" in save(engine, NAMES, list(values.values()))
    said = save(engine, NAMES, list({**values, "top_k": 7, "floor": 0.4}.values()))
    assert "recall.top_k = 7" in said
    kept = tomllib.loads((engine.config.home / "config.toml").read_text())
    assert kept == {"recall": {"top_k": 7}, "thresholds": {"floor": 0.4}}
    assert (engine.config.recall.top_k, engine.thresholds.floor) == (7, 0.4)


def test_values_out_of_range_are_refused_and_nothing_is_written(engine: Engine) -> None:
    values = dict(zip(NAMES, in_force(engine, NAMES), strict=True))
    with pytest.raises(ConfigError, match="top_k"):
        save(engine, NAMES, list({**values, "top_k": 0}.values()))
    with pytest.raises(InputError, match="floor"):
        save(engine, NAMES, list({**values, "floor": 1.5}.values()))
    assert not (engine.config.home / "config.toml").exists()
