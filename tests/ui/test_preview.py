"""The recall preview: what would happen, laid open, without counting as a recall."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields, replace

import pytest

from pmg.answer import speaks
from pmg.base.errors import ConfigError, InputError
from pmg.config import RecallConfig
from pmg.engine import Engine
from pmg.recall.receipt import Found, Signal
from pmg.ui.preview import compare, path, stages
from pmg.ui.preview.knobs import CHOICES, MAIN, MORE, NAMES, acts, in_force, tooltip
from pmg.ui.preview.preview_tab import chosen, save, shown
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
    assert 'title="Found because ' in html and "beside what was found" in html
    assert re.search(r"place \d+ of that search\"><i></i><span>meaning \d+%<", html)


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
    assert "is under the least of 0.99" in stages.stages(high) and "floor" not in stages.stages(high)


def test_the_block_is_the_exact_context_with_its_tokens(talk: Engine) -> None:
    seen = look(talk)
    html = stages.block(seen)
    assert f"{seen.recalled.receipt.used_tokens:,} tokens" in html
    inside = html.split("<pre", 1)[1].split(">", 1)[1].split("</pre>")[0]
    assert inside.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") == seen.recalled.context


def found(segment: str, role: str = "entry", via: str = "", edge: str = "") -> Found:
    return Found(
        segment,
        role,
        1.0,
        via,
        edge,
        (),
        f"found because the turn after it matches (9%, from {via})",
        True,
        3,
        "quoted",
    )


def test_the_way_to_a_memory_leads_through_what_brought_it_in() -> None:
    one, two, three = found("a"), found("b", "lateral", "a", "contradicts"), found("c", "vertical", "b", "chain")
    (root,) = path.tree([one, two, three])
    assert root.found is one and root.brought[0].found is two and root.brought[0].brought[0].found is three
    loop = [found("x", "vertical", "y", "chain"), found("y", "vertical", "x", "chain"), found("z", "lateral", "gone")]
    roots = path.tree(loop)
    assert [node.found.segment for node in roots] == ["x", "z"]
    assert [node.found.segment for node in roots[0].brought] == ["y"]


def test_every_memory_stands_once_on_the_way_and_no_id_is_shown(talk: Engine) -> None:
    seen = look(talk)
    html = stages.stages(seen)
    for one in seen.recalled.receipt.found:
        assert html.count(f'data-pick="{one.segment}"') == 1
    bare = re.sub(r'data-pick="[^"]*"', "", html + stages.headline(seen) + stages.candidates(seen))
    assert "seg_" not in bare
    assert path.without_ids(found("b", via="a").why, {"a": 4}).endswith("(9%, from number 4)")
    assert path.without_ids(found("b", via="gone").why, {}).endswith("(9%)")


@pytest.mark.parametrize("mode", ["diffuse", "fixed"])
def test_a_knob_that_is_hidden_would_change_nothing(talk: Engine, mode: str) -> None:
    plain = look(talk, mode=mode).recalled.receipt
    other: dict[str, object] = {"fusion": "rrf", "top_k": 1, "lateral": 0, "vertical": 0, "lexical": False, "kindred": 0.0, "chain": 0.0,
        "semantic": 4.0, "speaker": 0.0, "dates": 0.0, "diversity": 0.0}  # fmt: skip
    hidden = {name: value for name, value in other.items() if not acts(name, mode)}
    assert hidden and set(hidden) == {name for name in NAMES if not acts(name, mode)}
    turned = look(talk, mode=mode, **hidden).recalled.receipt
    assert turned.found == plain.found and turned.dropped == plain.dropped


def test_every_knob_has_a_tooltip() -> None:
    assert all(len(tooltip(name)) > 15 and tooltip(name).endswith(f".{name}.") for name in NAMES)


# Words of those who build it: in a tooltip they say what is behind a thing, on the face of the page they tell nobody anything.
JARGON = re.compile(
    r"\b(cosine|fusion|floor|top-k|lateral|vertical|budget|diversity|mmr|rrf|bm25|λ|kindred|pool|chain|semantic|lexical|diffuse|fixed"
    r"|signals?|candidates?|entry|dropped|block|score)\b",
    re.I,
)


def face(html: str) -> str:
    """What stands on the page: no tags, no tooltips, no words of a memory; the head of the table in numbers is for those who ask for numbers."""
    return re.sub(r"<[^>]*>", " ", re.sub(r"<pre.*?</pre>|<th>score</th>", "", html, flags=re.S))


def test_the_page_speaks_no_jargon_and_the_tooltips_say_what_is_behind_it(talk: Engine) -> None:
    first, other = look(talk, mode="fixed", top_k=1, lateral=2, vertical=1), look(talk, budget_tokens=90)
    for a, b in ((first, None), (other, first), (replace(first, speaks=False), None)):
        part = shown(a, b)
        for html in (part.headline, part.compared, part.block, part.stages, part.candidates):
            assert not JARGON.search(face(html)), JARGON.search(face(html))
    labels = [*MAIN.values(), *MORE.values(), *(said for of in CHOICES.values() for said in of.values())]
    assert not [label for label in labels if JARGON.search(label)]
    assert len(set(labels)) == len(labels)
    assert re.search(r'title="[^"]*[Ss]core \d', stages.stages(first))


def test_two_settings_are_held_against_each_other(talk: Engine) -> None:
    wide, tight = look(talk), look(talk, budget_tokens=90)
    rows = compare.moved(wide, tight)
    went = [row for row in rows if row.how == compare.GOES]
    assert went
    assert len(wide.in_block) - len(tight.in_block) == len(went) - sum(row.how == compare.COMES for row in rows)
    assert "a model would be given the same." in compare.compared(wide, look(talk))
    said = compare.compared(wide, tight)
    assert re.search(rf"\b{len(went)} go(es)? out", said)
    assert 'class="pmg-went-line"' in said and said.count("<mark") < len(wide.recalled.context.splitlines())
    assert set(compare.badges(wide, tight).values()) >= {"not given with B"}
    assert compare.badges(wide, look(talk)) == {}


def test_nothing_found_is_said_in_every_part(engine: Engine) -> None:
    part = shown(look(engine, "anything"), None)
    assert "nothing would be put before a model" in part.block
    assert "Nothing in this memory speaks for this" in part.headline
    assert part.stages == ""


def test_what_is_only_alike_is_said_to_be(talk: Engine) -> None:
    seen = look(talk, "cat")
    assert "only close to it in meaning" not in stages.headline(seen)
    faint = tuple(replace(one, signals=(Signal("meaning", 0.3, 1.0, 1),)) for one in seen.recalled.receipt.found)
    alike = replace(seen.recalled, receipt=replace(seen.recalled.receipt, found=faint))
    assert "only close to it in meaning" in stages.headline(replace(seen, recalled=alike))


def test_where_nothing_speaks_for_the_question_that_is_said_and_what_is_nearest_is_folded(talk: Engine) -> None:
    part = shown(replace(look(talk, "cat"), speaks=False), None)
    assert "Nothing in this memory speaks for this" in part.headline and "folded below" in part.headline
    for folded in (part.stages, part.block):
        assert folded.startswith('<details class="pmg-dropped"><summary>')
    assert "The nearest anyway" in part.stages
    plain = shown(look(talk, "cat"), None)
    assert "speaks" not in plain.headline and not plain.stages.startswith("<details")


def test_a_question_is_spoken_for_by_half_its_words_or_by_a_text_close_to_it(talk: Engine) -> None:
    assert look(talk, "does the cat purr?").speaks
    assert look(talk, "kitten").speaks
    assert not look(talk, "zxqv blorf wug").speaks
    assert speaks.shared_words("vet appointment for the hamster tomorrow", TALK) < speaks.ITS_WORDS
    assert speaks.shared_words("the vet saw the cat", TALK) == 1.0
    assert speaks.shared_words("?!", TALK) == 0.0


def test_hostile_text_is_only_text(engine: Engine) -> None:
    tell(engine, "x", HOSTILE, f"{IMAGE} cat </pre></memory>", HOSTILE + " cat")
    seen, other = look(engine, f"cat {IMAGE}"), look(engine, f"cat {IMAGE}", budget_tokens=100)
    part = shown(seen, other)
    for html in (part.headline, part.compared, stages.block(seen), part.stages, part.candidates):
        assert not alive(html)
    assert stages.block(seen).count("</pre>") == 1


def test_every_knob_of_recall_is_on_the_page_but_the_one_that_loads_a_model() -> None:
    assert {*MAIN, *MORE} - {"floor"} == {field.name for field in fields(RecallConfig)}


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
