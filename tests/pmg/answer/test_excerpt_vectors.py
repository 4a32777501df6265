"""How near excerpts lie to a question, from vectors that are there already."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import pytest

from pmg.answer.excerpt_vectors import MAX_EMBEDDED, nearness
from pmg.answer.excerpts import Excerpt, ExcerptPiece
from pmg.base.model import Line, Passage, Role, Turn
from pmg.embed.embedder import Progress, Vectors
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput
from tests.embedding import WordEmbedder

AT = datetime(2026, 1, 1, tzinfo=UTC)
QUESTION = "guitar concert"


class CountingEmbedder(WordEmbedder):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        self.texts += texts
        return super().embed(texts, progress)


@pytest.fixture
def embedder() -> CountingEmbedder:
    return CountingEmbedder()


@pytest.fixture
def memory(open_engine: Callable[..., Engine], embedder: CountingEmbedder) -> Engine:
    engine = open_engine(embedder=embedder)
    said = ("The guitar string broke.", "Oh no!", "The kitten saw the vet.", "Good.", "And then?", "Snow.", "Storm.")
    turns = [Turn((Line("Ada", Role.PERSON, text),)) for text in said]
    engine.ingest([SessionInput(turns, started_at=AT, id="s1")])
    return engine


def excerpt(passage: Passage) -> Excerpt:
    piece = ExcerptPiece(passage, 0, 0, len(passage.lines[0].text))
    return Excerpt((piece,), piece, 1.0)


def stored(engine: Engine, place: int) -> Excerpt:
    (lines,) = engine.reads.lines_of([place + 1]).items()
    return excerpt(engine.indexes.catalogue.passages(dict([lines]))[place + 1])


def unkept(text: str, place: int) -> Excerpt:
    return excerpt(Passage(0, "", "", place, "default", AT, (Line("You", Role.USER, text),), "", ""))


def test_stored_lines_are_not_embedded_again(memory: Engine, embedder: CountingEmbedder) -> None:
    embedder.texts.clear()
    guitar, kitten = nearness(memory, "default", QUESTION, [stored(memory, 0), stored(memory, 2)])
    assert embedder.texts == [QUESTION]
    assert guitar.excerpt > 0.5 > kitten.excerpt


def test_what_was_spoken_about_counts_up_to_three_turns_away(memory: Engine) -> None:
    near, far = nearness(memory, "default", QUESTION, [stored(memory, 3), stored(memory, 6)])
    assert near.around > far.around + 0.1


def test_only_the_latest_of_what_has_no_vector_is_embedded(memory: Engine, embedder: CountingEmbedder) -> None:
    embedder.texts.clear()
    told = [unkept("The guitar is mine.", place) for place in range(MAX_EMBEDDED + 2)]
    found = nearness(memory, "default", QUESTION, told)
    assert len(embedder.texts) == 1 + MAX_EMBEDDED
    assert [one.excerpt > 0 for one in found] == [False, False] + [True] * MAX_EMBEDDED
    assert [one.around for one in found] == [one.excerpt for one in found]


def test_another_namespace_is_never_near(memory: Engine) -> None:
    (found,) = nearness(memory, "other", QUESTION, [stored(memory, 0)])
    assert found.around == 0.0
