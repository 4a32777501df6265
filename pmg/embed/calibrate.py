"""Sets the thresholds of an embedding model from what it says about pairs of texts whose relation is known.

Knows: the rule below. Does not know: which model it is, or the store: it is given vectors. Pure and deterministic.

Four kinds of pairs are measured: paraphrases and questions with their evidence (both ship with PMG, in conversation
style), unrelated texts (the first text of one shipped pair with the second of another), and random pairs of the store's
own segments from different sessions. Where the published values lie in BGE-m3's own distributions is not known to us, so
they are not mapped by quantile. Three anchors are measured, and the others keep their published place between them:

  floor  the 5th percentile of questions with their evidence, but never more than the 95th percentile of unrelated ones:
         it keeps out the absurd and costs at most one true memory in twenty. Rank decides the rest.
  edge   the 99th percentile of the store's own random pairs, kept between the 99.9th percentile of unrelated texts
         (an edge says more than chance) and the 5th of paraphrases (the same thing said again always gets one).
         Halfway between these two while the store is too small to say.
  merge  the median of paraphrases, but never less than 0.88, and never less than the 99.9th percentile of unrelated
         texts: being wrong here costs more than being late.

  link, extend, context duplicate and ingest duplicate lie on the line through (0.6 → edge), (0.88 → merge), (1 → 1).

With MiniLM the store's own 99th percentile is 0.73 on LoCoMo (two friends talking, names in every turn) and 0.35 on
LongMemEval (many unrelated matters): the reason why the edge is measured on the store and bounded on both sides.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from pmg.embed.embedder import Embedder, Progress, Vectors
from pmg.embed.thresholds import PUBLISHED, Thresholds

Cosines = NDArray[np.float64]

MIN_PAIRS = 2_000  # fewer random pairs of the store's own say nothing about a 99th percentile
RANDOM_PAIRS = 50_000
SEED = 20_240_501


@dataclass(frozen=True, slots=True)
class CalibrationPair:
    kind: str  # "paraphrase" or "question"
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class Measured:
    """Cosines of pairs of each kind."""

    paraphrase: Cosines
    question: Cosines
    unrelated: Cosines
    random: Cosines  # the store's own; may be empty


def shipped_pairs() -> list[CalibrationPair]:
    lines = files("pmg.embed").joinpath("paraphrases.jsonl").read_text(encoding="utf-8").splitlines()
    return [CalibrationPair(**json.loads(line)) for line in lines]


def measure(embedder: Embedder, random: Cosines | None = None, progress: Progress | None = None) -> Measured:
    """Embeds the shipped pairs; `random` comes from `random_pairs` of the store's vectors, if there are any."""
    pairs = shipped_pairs()
    vectors = embedder.embed([text for pair in pairs for text in (pair.a, pair.b)], progress).astype(np.float64)
    cosines = vectors[0::2] @ vectors[1::2].T
    is_paraphrase = np.array([pair.kind == "paraphrase" for pair in pairs])
    same_kind = is_paraphrase[:, None] == is_paraphrase[None, :]
    np.logical_and(same_kind, ~np.eye(len(pairs), dtype=bool), out=same_kind)
    return Measured(
        paraphrase=np.diag(cosines)[is_paraphrase],
        question=np.diag(cosines)[~is_paraphrase],
        unrelated=cosines[same_kind],
        random=np.empty(0) if random is None else random,
    )


def random_pairs(vectors: Vectors, sessions: NDArray[np.int64], count: int = RANDOM_PAIRS) -> Cosines:
    """Cosines of random pairs from different sessions; `sessions` names each row's. The same every time."""
    if len(vectors) < 2:
        return np.empty(0)
    generator = np.random.default_rng(SEED)
    first = generator.integers(0, len(vectors), count)
    second = generator.integers(0, len(vectors), count)
    apart = sessions[first] != sessions[second]
    one, other = vectors[first[apart]], vectors[second[apart]]
    return np.asarray(np.einsum("ij,ij->i", one, other, dtype=np.float64))


def calibrate(measured: Measured, origin: str) -> Thresholds:
    """The rule at the top of this file."""
    edge, merge = _edge(measured), _merge(measured)
    floor = min(np.quantile(measured.question, 0.05), np.quantile(measured.unrelated, 0.95))

    def placed(published: float) -> float:
        return _rounded(np.interp(published, [PUBLISHED.edge, PUBLISHED.merge, 1.0], [edge, merge, 1.0]))

    return Thresholds(
        edge=_rounded(edge),
        floor=_rounded(min(floor, edge)),
        link=placed(PUBLISHED.link),
        extend=placed(PUBLISHED.extend),
        context_duplicate=placed(PUBLISHED.context_duplicate),
        merge=_rounded(merge),
        ingest_duplicate=placed(PUBLISHED.ingest_duplicate),
        origin=origin,
    )


def from_shipped(embedder: Embedder) -> Thresholds:
    """For a model that nobody measured before, and a store that is still empty."""
    return calibrate(measure(embedder), f"measured for {embedder.name} on the pairs that ship with PMG")


def _edge(measured: Measured) -> float:
    highest = float(np.quantile(measured.paraphrase, 0.05))
    lowest = min(float(np.quantile(measured.unrelated, 0.999)), highest)
    if len(measured.random) < MIN_PAIRS:
        return (lowest + highest) / 2
    return float(np.clip(np.quantile(measured.random, 0.99), lowest, highest))


def _merge(measured: Measured) -> float:
    middle = float(np.median(measured.paraphrase))
    return min(1.0, max(PUBLISHED.merge, middle, float(np.quantile(measured.unrelated, 0.999))))


def _rounded(value: float) -> float:
    """Three places: what is stored, shown and compared is then the same number; small noise does not change it."""
    return round(float(np.clip(value, 0.0, 1.0)), 3)
