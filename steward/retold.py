"""Pairs for a person's eye: what was said nearly twice in different sittings, or told anew with something changed.

Knows: which of the pairs that `said_again` finds are worth a look, and in what two turns differ. Nothing of it is ever merged by itself; review.py
has what a person decides.

A fact that changed is told again in one sentence of a longer turn ("now 500 mg twice a day"): the turns as wholes are not alike, the two sentences
share the words that matter. A shared word weighs 1 if this memory has it once, and near 0 if it is everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from pmg.base.model import Segment
from pmg.base.sentences import pieces
from pmg.embed.thresholds import Thresholds
from pmg.index.terms import document_terms
from pmg.ingest import guard
from pmg.ingest.guard.compare import Difference, differences
from pmg.ingest.shown_differences import kinds
from pmg.ingest.spoken import PEOPLE, what_counts
from steward.near_pairs import said_again
from steward.task import TaskContext

MAX_LINE = 3_000  # characters of a line: who pastes more than that does not say it twice

Sentences = Sequence[frozenset[str]]


def sentences(text: str) -> Sentences:
    """Each sentence as its terms."""
    read = text[:MAX_LINE]
    return [frozenset(document_terms(read[start:end])) for start, end in pieces(read)]


def rarity(term_count: int, documents: int) -> float:
    """From 1 for a term of one document down to 0: its inverse document frequency beside that of the rarest."""
    weight = math.log(1 + (documents - term_count + 0.5) / (term_count + 0.5))
    return max(0.0, weight / math.log(1 + documents)) if documents > 1 else 1.0


def rare_words(a: Sentences, b: Sentences, weights: Mapping[str, float]) -> float:
    """The most that a sentence of the one shares with a sentence of the other, in rare words."""
    return max((sum(weights[term] for term in sorted(x & y)) for x, y in product(a, b) if x & y), default=0.0)


READ_BATCH = 256  # pairs whose texts are in memory together
# A pair is listed if cosine + PER_WORD · ln(1 + rare words that one sentence of each shares) reaches the threshold of likeness + TOLD_AGAIN, or if it is
# as alike as sure links are. Chosen on the updated facts of LongMemEval, where a person tells of a change: docs/benchmarks.md.
PER_WORD = 0.5
TOLD_AGAIN = 0.45
CONSIDERED = (
    20_000  # pairs whose words are looked at in one run, the most alike first: some seconds in a memory of any size
)
MAX_DISTANCE = 0.35  # below the threshold of likeness no number of words makes a pair


@dataclass(frozen=True, slots=True)
class BlockedPair:
    """Alike by vector, different in words: a < b."""

    a: int
    b: int
    cosine: float
    kinds: tuple[str, ...]


def retold(work: TaskContext, namespace: str, after: int, known: set[tuple[int, int]], room: int) -> list[BlockedPair]:
    """What people said nearly twice in different sittings, or told anew, the most telling first, as long as the list has room: nobody reads
    thousands."""
    least = review_threshold(work.components.thresholds)
    found = said_again(work.components, namespace, least - MAX_DISTANCE, after, work.pace)
    rows = zip(found.a.tolist(), found.b.tolist(), found.cosine.tolist(), strict=True)
    pairs = [row for row in rows if row[:2] not in known][:CONSIDERED]
    shared = _shared_words(work, namespace, pairs)
    sure = work.components.thresholds.link
    ranked = [(cosine + PER_WORD * math.log1p(shared.get((a, b), 0.0)), a, b, cosine) for a, b, cosine in pairs]
    worth = [one for one in ranked if one[0] >= least + TOLD_AGAIN or one[3] >= sure]
    best = sorted(worth, key=lambda one: (-one[0], one[1:3]))[: max(0, room)]
    texts = _texts(work, {n for _, a, b, _ in best for n in (a, b)})
    return [
        BlockedPair(a, b, round(cosine, 4), kinds(differing(texts[a], texts[b])))
        for _, a, b, cosine in best
        if a in texts and b in texts
    ]


def _shared_words(
    work: TaskContext, namespace: str, pairs: Sequence[tuple[int, int, float]]
) -> dict[tuple[int, int], float]:
    """For each pair how many rare words one sentence of each shares, in what people say."""
    words = work.components.indexes.lexical(namespace)
    if words is None:
        return {}
    weights: dict[str, float] = {}
    found: dict[tuple[int, int], float] = {}
    for some in work.pace.chunks(pairs, READ_BATCH):
        texts = _texts(work, {n for a, b, _ in some for n in (a, b)})
        said = {number: sentences(_spoken(segment)) for number, segment in texts.items()}
        new = sorted({term for parts in said.values() for part in parts for term in part} - weights.keys())
        counts = words.frequencies(new)
        weights |= {term: rarity(count, len(words)) for term, count in zip(new, counts, strict=True)}
        for a, b, _ in some:
            if a in said and b in said and work.pace.go():
                found[(a, b)] = rare_words(said[a], said[b], weights)
    return found


def _texts(work: TaskContext, numbers: set[int]) -> dict[int, Segment]:
    return {segment.number: segment for segment in work.engine.reads.segments(sorted(numbers))}


def _spoken(segment: Segment) -> str:
    return "\n".join(line.text for line in segment.lines if line.role in PEOPLE) or segment.text


def review_threshold(thresholds: Thresholds) -> float:
    """Half way between alike enough for an edge and alike enough for a link: where likeness alone begins to be worth a person's look."""
    return (thresholds.edge + thresholds.link) / 2


def differing(a: Segment, b: Segment) -> tuple[Difference, ...]:
    """In what two turns differ: of turns of different form in what the people say; of the same words in the answer."""
    one, other = what_counts(a), what_counts(b)
    if len(one.lines) == len(other.lines):
        return guard.blocks(one, other)
    x, y = (next((line.text for line in one.lines if line.role in PEOPLE), one.text) for one in (a, b))
    return differences(x, y) or (Difference("answer", "", ""),)
