"""The weights of an answer, fitted on questions with known answers and tested on memories they were not fitted on.

Knows: what is gathered of each question, the folds, and the three fits: which excerpt answers, how sure that is, whether memory holds anything
about it. Does not know: the arithmetic of a fit (`logit.py`), or what uses the result (pmg/chat/answer_scoring.py).

The two kinds of memory, talk between people (LoCoMo) and chats with an assistant (the sample), count the same, however many questions each has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass

import numpy as np

from benchmarks.answers import NAMESPACE, UNANSWERABLE, AnswerCase, AnswerQuestion, gold_of, hit
from benchmarks.cases import LineRef
from benchmarks.logit import Array, ChoiceQuestion, added_weight, conditional_logit, logistic_regression
from benchmarks.run import memory
from pmg.base.progress import Progress, silent
from pmg.chat import answer_scoring, evidence
from pmg.chat.answer_scoring import BIAS, PRESENCE_TRAITS, SIGNALS, TRAITS, AnswerWeights
from pmg.chat.answer_signals import AnswerSignals, AskedQuestion
from pmg.chat.excerpts import Excerpt
from pmg.chat.responder import ChatRequest
from pmg.chat.time_order import ScoredExcerpt, in_time_order
from pmg.chat.turn import ChatTarget, requested
from pmg.embed.embedder import Embedder
from pmg.engine import Engine

SAMPLE = "sample"
FOLDS = 5  # of the conversations: two in each
MAX_EXCERPTS = 3  # excerpts of an unsure answer
RIDGE = 40.0  # of 2, 10 and 40 the best on held-out memories: the signals say much of the same
FOREIGN = 30  # questions of the next memory that each memory is asked: it holds nothing about them
SIZE_TRAIT = PRESENCE_TRAITS[-1]
_FALLING = frozenset(("by_another", "long"))  # all other signals speak for an excerpt
_TRAIT_SIGNS = {"score": 1, "lead": 1, "by_another": -1, "unknown": -1, "open": -1, "meaning": 1, "words": 1}


@dataclass(frozen=True, slots=True)
class FitQuestion:
    """One question with its excerpts, and whether each of them has the line that answers."""

    memory: str
    question: AnswerQuestion
    foreign: bool  # asked of a memory that is not its own
    asked: AskedQuestion
    found: Sequence[Excerpt]
    signals: Sequence[AnswerSignals]
    holds: Sequence[bool]

    @property
    def answerable(self) -> bool:
        return not self.foreign and self.question.asked.category not in UNANSWERABLE

    @property
    def kind(self) -> str:
        return SAMPLE if self.memory == SAMPLE else "LoCoMo"


@dataclass(frozen=True, slots=True)
class RankingFigures:
    """In shares of the questions: the evidence among what is shown, and in the first of it."""

    quoted: float
    first: float


@dataclass(frozen=True, slots=True)
class FoldFigures:
    """One fold: what the weights of today and the fitted ones reach on what was not fitted on."""

    name: str
    questions: int
    train: RankingFigures
    test: RankingFigures
    today: RankingFigures


# what is gathered


def gather(cases: Sequence[AnswerCase], embedder: Embedder, progress: Progress = silent) -> list[FitQuestion]:
    found: list[FitQuestion] = []
    for place, one in enumerate(cases):
        progress("asking questions", place, len(cases))
        after = cases[(place + 1) % len(cases)].questions[:FOREIGN] if len(cases) > 1 else ()
        with memory(one.case, embedder, Counter()) as engine:
            found += (collected(engine, one.case.name, question, False) for question in one.questions)
            found += (collected(engine, one.case.name, question, True) for question in after)
    progress("asking questions", len(cases), len(cases))
    return found


def collected(engine: Engine, name: str, question: AnswerQuestion, foreign: bool) -> FitQuestion:
    request: ChatRequest = requested(engine, ChatTarget(NAMESPACE), question.asked.text, None, question.asked.at)
    standalone = evidence.standalone_question(request)
    asked = evidence.understood(engine, request, standalone)
    ranked = evidence.rank(engine, request, asked, standalone.leans)
    gold = gold_of(question)
    found = [one.excerpt for one in ranked]
    holds = [
        any(hit(question, gold, LineRef(piece.passage.id, piece.line)) for piece in e.pieces) and not foreign
        for e in found
    ]
    return FitQuestion(name, question, foreign, asked, found, [one.signals for one in ranked], holds)


# the ranking


def fitted_weights(questions: Sequence[FitQuestion]) -> dict[str, float]:
    """From those questions whose answer is among their excerpts: the others teach nothing."""
    usable = [one for one in questions if one.answerable and any(one.holds)]
    counts = kind_weights(usable)
    choices = [
        ChoiceQuestion(answer_scoring.matrix(one.signals), np.array(one.holds, dtype=np.float64), count)
        for one, count in zip(usable, counts, strict=True)
    ]
    found = conditional_logit(choices, [-1 if name in _FALLING else 1 for name in SIGNALS], RIDGE)
    return {name: round(float(weight), 2) for name, weight in zip(SIGNALS, found, strict=True)}


def kind_weights(questions: Sequence[FitQuestion]) -> Array:
    """So that each kind of memory counts the same."""
    sizes = Counter(one.kind for one in questions)
    return np.array([1 / sizes[one.kind] for one in questions])


def reached(questions: Sequence[FitQuestion], weights: Mapping[str, float]) -> RankingFigures:
    """What would be shown of the answerable questions, by these weights."""
    rows = [_shown_right(one, weights) for one in questions if one.answerable]
    return RankingFigures(float(np.mean([any(row) for row in rows])), float(np.mean([row[0] for row in rows])))


def _shown_right(one: FitQuestion, weights: Mapping[str, float]) -> list[bool]:
    """Whether each passage holds the evidence, in the order shown."""
    if not one.found:
        return [False]
    ranked = evidence.ordered(one.found, one.signals, answer_scoring.scores(one.signals, weights))
    chosen = evidence.grown(evidence.of_different_turns(ranked, MAX_EXCERPTS), ranked)
    gold = gold_of(one.question)
    return [
        any(hit(one.question, gold, LineRef(piece.passage.id, piece.line)) for piece in shown.found.excerpt.pieces)
        for shown in in_time_order(one.asked, chosen)
    ]


def cross_validated(questions: Sequence[FitQuestion]) -> list[FoldFigures]:
    return [_fold(name, train, test) for name, train, test in folds([one for one in questions if one.answerable])]


def folds(questions: Sequence[FitQuestion]) -> Iterator[tuple[str, list[FitQuestion], list[FitQuestion]]]:
    """Conversations in turn; the whole sample, never seen; and each half of its questions with the other half fitted on."""
    memories = sorted({one.memory for one in questions} - {SAMPLE})
    for number in range(min(FOLDS, len(memories))):
        held = set(memories[number::FOLDS])
        yield _split(f"LoCoMo, fold {number + 1}", questions, [one.memory in held for one in questions])
    if not any(one.kind == SAMPLE for one in questions):
        return
    if memories:
        yield _split("sample, fitted on LoCoMo alone", questions, [one.kind == SAMPLE for one in questions])
    own = [one.question.group == SAMPLE for one in questions]
    yield _split("sample, its own questions", questions, own)
    later = [one.kind == SAMPLE and not mine for one, mine in zip(questions, own, strict=True)]
    yield _split("sample, those written later", questions, later)


def _split(
    name: str, questions: Sequence[FitQuestion], held: Sequence[bool]
) -> tuple[str, list[FitQuestion], list[FitQuestion]]:
    sides: tuple[list[FitQuestion], list[FitQuestion]] = ([], [])
    for one, test in zip(questions, held, strict=True):
        sides[test].append(one)
    return name, *sides


def _fold(name: str, train: Sequence[FitQuestion], test: Sequence[FitQuestion]) -> FoldFigures:
    weights = fitted_weights(train)
    today = reached(test, answer_scoring.FITTED.weights)
    return FoldFigures(name, len(test), reached(train, weights), reached(test, weights), today)


# the verdict


def fitted(questions: Sequence[FitQuestion], small: Sequence[FitQuestion], origin: str) -> AnswerWeights:
    """Weights from all questions, and the chance and the presence that go with them; what being small is worth from `small` memories alone."""
    weights = fitted_weights(questions)
    presence = fitted_presence(questions, weights)
    few = fitted_few(small, weights, presence)
    return AnswerWeights(origin, weights, fitted_chance(questions, weights), {**presence, SIZE_TRAIT: round(few, 3)})


def fitted_chance(questions: Sequence[FitQuestion], weights: Mapping[str, float]) -> dict[str, float]:
    """That the first passage answers. A question without an answer is one that it does not."""
    own = [one for one in questions if not one.foreign and one.found]
    rows = [astuple(evidence.traits_of(one.asked, _chosen(one, weights))) for one in own]
    yes = [one.answerable and _shown_right(one, weights)[0] for one in own]
    return _regressed(rows, yes, kind_weights(own), TRAITS)


def fitted_presence(questions: Sequence[FitQuestion], weights: Mapping[str, float]) -> dict[str, float]:
    """From questions of this memory and of another. What only has a false premise is about this memory, and is left out."""
    some = [one for one in questions if one.found and (one.answerable or one.foreign)]
    rows = [_presence_row(one, weights)[:-1] for one in some]
    return _regressed(rows, [not one.foreign for one in some], kind_weights(some), PRESENCE_TRAITS[:-1])


def fitted_few(questions: Sequence[FitQuestion], weights: Mapping[str, float], presence: Mapping[str, float]) -> float:
    """What a small memory adds to the score of presence, with all else as fitted on whole ones."""
    some = [one for one in questions if one.found and (one.answerable or one.foreign)]
    if not some:
        return 0.0
    rows = np.array([_presence_row(one, weights) for one in some])
    scores = presence[BIAS] + rows[:, :-1] @ np.array([presence[name] for name in PRESENCE_TRAITS[:-1]])
    return added_weight(rows[:, -1], scores, np.array([float(not one.foreign) for one in some]), np.ones(len(some)))


def _presence_row(one: FitQuestion, weights: Mapping[str, float]) -> tuple[float, ...]:
    return astuple(evidence.presence_of(one.asked, _chosen(one, weights)))


def _chosen(one: FitQuestion, weights: Mapping[str, float]) -> list[ScoredExcerpt]:
    ranked = evidence.ordered(one.found, one.signals, answer_scoring.scores(one.signals, weights))
    return evidence.different(ranked, MAX_EXCERPTS)


def _regressed(
    rows: Sequence[tuple[float, ...]], yes: Sequence[bool], counts: Array, names: Sequence[str]
) -> dict[str, float]:
    signs = [_TRAIT_SIGNS[name] for name in names]
    bias, found = logistic_regression(np.array(rows), np.array(yes, dtype=np.float64), counts, signs, 1.0)
    return {BIAS: round(bias, 3), **{name: round(float(x), 3) for name, x in zip(names, found, strict=True)}}
