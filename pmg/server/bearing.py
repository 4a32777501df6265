"""Whether what a recall found bears on what was asked: by the asked words that it has, or because it means something close.

Knows: two measures and how much of them is enough, each on a scale that every memory shares. A recall hands on the nearest there is,
however far it lies; whoever gives it to a tool unasked has to know when that is too far.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from pmg.chat.message import MessageKind, kind_of
from pmg.engine import Engine
from pmg.index.terms import document_terms, query_terms
from pmg.model import Passage
from pmg.recall.receipt import Recalled

ITS_WORDS = 0.5  # of what the asked words weigh, in one memory
CLOSE = 0.75  # of the way from what is absurd to what is linked (0.47 with the bundled model)
AROUND = "around "  # how a recall says which time it understood
BOTH = 0.85  # of either measure: two that nearly reach are as good as one that does


def bears(engine: Engine, namespace: str, query: str, found: Recalled) -> bool:
    """Whether any of what was found does."""
    if _fits_its_time(query, found):
        return True
    words = shared_weight(_weights(engine, namespace, query), found.segments) / ITS_WORDS
    if words >= 1 or not found.segments:
        return words >= 1
    meaning = _cosine(engine, namespace, query, [one.number for one in found.segments]) / _close(engine)
    return meaning >= 1 or min(words, meaning) >= BOTH


def _fits_its_time(query: str, found: Recalled) -> bool:
    """ "What did we do last week?" names nothing but a time, and is answered by what was said then."""
    if kind_of(query) is not MessageKind.QUESTION or not any(cue.startswith(AROUND) for cue in found.receipt.cues):
        return False
    return any(signal.name == "date" and signal.score > 0 for one in found.receipt.found for signal in one.signals)


def shared_weight(weights: Mapping[str, float], segments: Sequence[Passage]) -> float:
    """The largest share of what the asked words weigh that one memory has, its session's name among its words."""
    total = sum(weights.values())
    texts = (set(document_terms(f"{one.session_name}\n{one.text}")) for one in segments)
    return max((sum(weights[term] for term in text & weights.keys()) / total for text in texts), default=0.0) if total else 0.0  # fmt: skip


def _weights(engine: Engine, namespace: str, query: str) -> dict[str, float]:
    """By their rarity, as in BM25: a word that nobody ever said here weighs most, for it is what the question has and the memory lacks."""
    terms, index = sorted(set(query_terms(query))), engine.indexes.lexical(namespace)
    if index is None:
        return {}
    count = len(index)
    return {
        term: math.log(1 + (count - seen + 0.5) / (seen + 0.5))
        for term, seen in zip(terms, index.frequencies(terms), strict=True)
    }


def _cosine(engine: Engine, namespace: str, query: str, numbers: Sequence[int]) -> float:
    """Of the question and the text nearest to it among these memories; 0 without a model, or where none of them is indexed."""
    embedder, index = engine.model.ready(), engine.indexes.vector(namespace)
    if embedder is None or index is None:
        return 0.0
    vector = embedder.embed([query])
    with engine.indexes.lock.reading():
        catalogue = engine.indexes.catalogue
        windows = catalogue.windows_of_lines(catalogue.lines_of(np.array(numbers, dtype=np.int64)))
        likeness = index.similarities(vector, windows)
    return float(np.nanmax(likeness)) if np.isfinite(likeness).any() else 0.0


def _close(engine: Engine) -> float:
    floor, edge = engine.thresholds.floor, engine.thresholds.edge
    return floor + CLOSE * (edge - floor)
