"""The score of every line of a pool, part by part.

    own_i   = meaning_i + words_i + kindred_i
              meaning = (cosine − ordinary cosine) / its spread in this memory, to the nearest of what is asked for (question_focus.py)
              words   = 4 · (BM25 − ordinary BM25) / the most the query's terms could give
              kindred = 6 · (share of the query's terms, or of words close to them, that the line has − the ordinary share) (index/kindred.py)
    score_i = own_i + flow from the lines beside it (flow.py) + 3 · (1 − exp(−asserts_i / 15))
              + 4.5 · speaker_i + 0.7 · of_self_i + 1.5 · recounts_i + 3 · date_i + 2 · tells_when_i

Knows: the parts and their weights. Pure arrays.
The weights are round numbers; docs/recall.md says what they were chosen on. `python -m benchmarks … --folds` tries others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pmg.config import RecallConfig
from pmg.recall.flow import FLOW, FlowWeights, flow
from pmg.recall.line_pool import Background, LinePool

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ScoreWeights:
    """How much each part counts beside meaning, which counts once."""

    words: float = 4.0
    kindred: float = 6.0
    speaker: float = 4.5
    of_self: float = 0.7
    recounts: float = 1.5
    date: float = 3.0
    tells_when: float = 2.0
    substance: float = 3.0  # a line that asserts something is likelier to be what is asked for …
    enough: float = 15.0  # … and with so many words it nearly says enough
    flow: FlowWeights = FLOW


WEIGHTS = ScoreWeights()


@dataclass(frozen=True, slots=True)
class LineScores:
    """Row for row with the pool."""

    meaning: Scores
    words: Scores
    kindred: Scores
    beside: dict[int, Scores]  # what flows in, by how many lines away it comes from
    speaker: Scores
    date: Scores
    substance: Scores
    own: Scores  # meaning + words + kindred
    flowed: Scores  # all of `beside`
    total: Scores


@dataclass(frozen=True, slots=True)
class LineFacts:
    """What is known of each line besides its two search scores."""

    asserts: NDArray[np.int32]
    asks: NDArray[np.bool_]
    wanted: NDArray[np.bool_]  # by the person asked for
    of_self: NDArray[np.bool_]  # by the person asked for, who tells of themselves
    recounts: NDArray[np.bool_]  # by the person asked for, who tells what they did, where the past is asked for
    tells_when: NDArray[np.bool_]  # tells a time, where a time is asked for
    timely: Scores  # 0 to 1: how well its session fits the time asked for


def score(
    pool: LinePool, background: Background, facts: LineFacts, settings: RecallConfig, weights: ScoreWeights = WEIGHTS
) -> LineScores:
    meaning = pool.meaning
    words = weights.words * (pool.bm25 - background.bm25_mean) / background.bm25_most
    kindred = settings.kindred * weights.kindred * pool.kindred
    own = meaning + words + kindred
    flows = flow(own, facts.asserts, facts.asks, pool.segment, pool.step, weights.flow)
    beside = {step: settings.chain * part for step, part in flows.items()}
    flowed = sum(beside.values(), np.zeros(len(own)))
    theirs = weights.speaker * facts.wanted + weights.of_self * facts.of_self + weights.recounts * facts.recounts
    speaker = settings.speaker * theirs
    date = settings.dates * (weights.date * facts.timely + weights.tells_when * facts.tells_when)
    substance = weights.substance * (1 - np.exp(-facts.asserts / weights.enough))
    total = own + flowed + speaker + date + substance
    return LineScores(meaning, words, kindred, beside, speaker, date, substance, own, flowed, total)
