"""Facts told in the chat and asked for in another: what counts as right."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks import told_facts
from benchmarks.told_facts import ToldFact
from pmg.answer.evidence import Quote, QuoteKind, Tone
from pmg.chat.responder import ChatAnswer
from tests.embedding import WordEmbedder

FILE = Path(__file__).parents[2] / "data" / "told_facts.jsonl"


def quote(text: str, segment: str) -> Quote:
    return Quote(segment, 0, 0, len(text), text, "You", datetime(2026, 1, 1, tzinfo=UTC), "", QuoteKind.ANSWER)


@pytest.mark.parametrize(
    ("texts", "tone", "reached"),
    [
        (["There are six jackets."], Tone.SURE, "right, sure"),
        (["There are six jackets."], Tone.UNSURE, "right, unsure"),
        (["There are sixty jackets."], Tone.SURE, "wrong while sure"),
        (["four", "There are six jackets."], Tone.UNSURE, "shown further down"),
        (["four"], Tone.UNSURE, "missed, unsure"),
        ([], Tone.NOTHING, "nothing said"),
    ],
)
def test_an_answer_is_right_where_its_first_passage_holds_the_word(texts: list[str], tone: Tone, reached: str) -> None:
    fact = ToldFact("develop", "count", (), "How many?", "six")
    quotes = tuple(quote(text, f"seg_s{place}_0") for place, text in enumerate(texts))
    assert told_facts.outcome(fact, ChatAnswer("", quotes, tone=tone)) == reached


def test_the_file_has_forty_facts_in_two_halves_and_each_is_asked() -> None:
    facts = told_facts.read(FILE)
    assert [sum(fact.part == part for fact in facts) for part in ("develop", "held")] == [20, 20]
    results = told_facts.run(facts[:2], WordEmbedder())
    assert len(results) == 2 and "| develop, fact | 1 |" in told_facts.as_markdown(results)
