"""The sentences of recalled memories that answer a question best.

    score = 2 · rank of its line in the recall + cosine(question, sentence) + ½ · covered(sentence) + ½ · covered(turn)

`covered` is the share of the question's terms, weighed by how rare each is in this memory, that stand there. Terms that this memory has
never seen count most: a question about Mongolia is not answered by a sentence that shares only "capital".
Knows: sentences and the two ways a question can be near one. Does not know: stores, pages. Pure but for the embedder it is given.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pmg.embed.embedder import Embedder
from pmg.index.terms import document_terms, query_terms
from pmg.model import Passage, Role
from pmg.sentences import Range, asks
from pmg.sentences import split as sentence_ranges
from pmg.words import STOP_WORDS, count_words

# Found on the sample and on two conversations of LoCoMo together; flat around these values.
RANK, COSINE, HERE, TURN, OWN = 2.0, 1.0, 0.5, 0.5, 0.1
LINES = 14  # of the recall's best that are looked into
PER_LINE = (
    12  # sentences of one line: a long answer says what it says near its beginning, or a search found it line by line
)
SHORTEST = 4  # words: less is joined to what follows
WIDE = 300  # characters that a quote is widened to: a sentence names the matter, the next ones say what about it
NEW = 2  # terms a line must add to the question's own to be worth quoting
LATE = 0.25  # what the latest of the candidates gains on the earliest when a question asks how something is now
_PRESENT = re.compile(
    r"\b(?:now|currently|current|still|latest|these days|at the moment|nowadays|jetzt|noch|aktuell|derzeit|momentan)\b",
    re.IGNORECASE,
)
_SPOKEN = frozenset((Role.USER, Role.ASSISTANT, Role.PERSON, Role.DOCUMENT))


@dataclass(frozen=True, slots=True)
class Sentence:
    """Characters `start` to `end` of a line; `rank` is 1 for the recall's best line and falls from there."""

    passage: Passage
    line: int
    start: int
    end: int
    rank: float

    @property
    def text(self) -> str:
        return self.passage.lines[self.line].text[self.start : self.end]

    @property
    def asks(self) -> bool:
        return asks(self.text)


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    sentence: Sentence
    cosine: float
    covered: float  # of the question's terms, in the sentence or its turn
    score: float


def split(text: str) -> list[Range]:
    """Sentences as ranges; very short ones belong to the one that follows."""
    return sentence_ranges(text, lambda piece: count_words(piece) >= SHORTEST)


def sentences(passage: Passage, line: int, rank: float, terms: Sequence[str]) -> list[Sentence]:
    """The sentences of a line that adds something to the question's own terms."""
    said = passage.lines[line]
    new = set(query_terms(said.text)).difference(terms, STOP_WORDS)
    if said.role not in _SPOKEN or len(new) < NEW:
        return []
    found = [Sentence(passage, line, start, end, rank) for start, end in split(said.text)[:PER_LINE]]
    return [one for one in found if not one.asks]  # a question answers no question


def widened(one: Sentence) -> Sentence:
    """The whole line if it is short; else the sentence and what follows it."""
    text = one.passage.lines[one.line].text
    if len(text.strip()) <= WIDE:
        ranges = split(text)
        return replace(one, start=ranges[0][0], end=ranges[-1][1])
    end = one.end
    for _, later in split(text):
        end = later if end < later <= one.start + WIDE else end
    return replace(one, end=end)


def rarity(terms: Sequence[str], frequencies: Sequence[int], total: int) -> dict[str, float]:
    """How much each term tells, as BM25 weighs it."""
    return {
        term: math.log(1 + (total - count + 0.5) / (count + 0.5))
        for term, count in zip(terms, frequencies, strict=True)
    }


def terms_of(question: str) -> list[str]:
    return list(dict.fromkeys(query_terms(question)))


def covered(weights: Mapping[str, float], text: str) -> float:
    total = sum(weights.values())
    there = set(document_terms(text))
    return sum(weight for term, weight in weights.items() if term in there) / total if total else 0.0


def rank(
    question: str, found: Sequence[Sentence], weights: Mapping[str, float], embedder: Embedder | None
) -> list[ScoredSentence]:
    """The sentences with their scores, best first; later ones first where they are equal, or where the question asks how it is now."""
    cosines = _cosines(question, found, embedder)
    if _PRESENT.search(question):
        times = sorted({one.passage.at for one in found})
        found = [replace(one, rank=one.rank + LATE * (times.index(one.passage.at) + 1) / len(times)) for one in found]
    scored = [_score(one, float(cosine), weights) for one, cosine in zip(found, cosines, strict=True)]
    return sorted(
        scored, key=lambda s: (-s.score, -s.sentence.passage.at.timestamp(), s.sentence.passage.id, s.sentence.start)
    )


def _score(one: Sentence, cosine: float, weights: Mapping[str, float]) -> ScoredSentence:
    line = one.passage.lines[one.line]
    here = covered(weights, f"{line.speaker} {one.text}")
    turn = covered(weights, f"{one.passage.title} {one.passage.text}")
    own = OWN if line.role in (Role.USER, Role.PERSON) else 0.0  # what a person said of themselves goes before advice
    return ScoredSentence(
        one, cosine, max(here, turn), RANK * one.rank + COSINE * cosine + HERE * here + TURN * turn + own
    )


def _cosines(question: str, found: Sequence[Sentence], embedder: Embedder | None) -> NDArray[np.float32]:
    if embedder is None or not found:
        return np.zeros(len(found), dtype=np.float32)
    vectors = embedder.embed([question, *(one.text for one in found)])
    return np.asarray(vectors[1:] @ vectors[0], dtype=np.float32)
