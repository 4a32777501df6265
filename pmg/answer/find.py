"""The evidence for an answer: the best lines of memory and of this chat, and how sure it is that they answer.

Knows: the order of the steps. Does not know: signals and weights (`signals.py`, `scoring.py`), or how an answer is worded.

    question → standalone question → candidates → signals → scores → the newest of the best → chance → tone → at most two quotes
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from pmg.answer import scoring, signals
from pmg.answer.answer_type import AnswerType, lacks
from pmg.answer.candidates import candidates
from pmg.answer.event_time import day_of, event_in, period
from pmg.answer.evidence import Evidence, Question, Quote, QuoteKind, Tone
from pmg.answer.excerpt_vectors import nearness
from pmg.answer.excerpts import Excerpt
from pmg.answer.forget_request import what_to_forget
from pmg.answer.known_forms import counts_of, form_known, forms_of
from pmg.answer.message import only_seeks
from pmg.answer.newest import newest_first
from pmg.answer.phrases import german
from pmg.answer.ranked import ScoredExcerpt, different, grown, of_different_turns, ordered
from pmg.answer.reading import in_its_language, newest_read, read, weighed
from pmg.answer.scoring import RANKED, READ, ReadTraits, Traits
from pmg.answer.signals import AskedQuestion
from pmg.answer.standalone import StandaloneQuestion, standalone
from pmg.answer.time_frame import periods
from pmg.base.model import Passage, Role
from pmg.base.times import now
from pmg.index.terms import document_terms, query_terms
from pmg.recall.question_time import AskedPeriod

if TYPE_CHECKING:
    from pmg.engine import Engine
    from pmg.reader.reader import Reader

MAX_QUOTES = 2  # of an answer that is not sure
MANY_WORDS = 0.33  # share of the question's words, by rarity: a line that has them is shown even where nothing lies near in meaning
NEAR_IN_MEANING = 0.25  # cosine: most lines that have nothing to do with a question are below


@dataclass(frozen=True, slots=True)
class BestLines:
    """What comes closest, the newest of it first; `traits` are what the chance is read from."""

    asked: AskedQuestion
    chosen: list[ScoredExcerpt]
    traits: Traits | ReadTraits
    has_older: bool  # the second is what was so before the first


def find(engine: Engine, question: Question) -> Evidence:
    best = best_lines(engine, question)
    if best is None:
        return Evidence(Tone.NOTHING)
    found = judged(best, scoring.chance(best.traits))
    return replace(found, quotes=named(engine, found.quotes))


def best_lines(engine: Engine, question: Question) -> BestLines | None:
    alone = standalone_question(question)
    asked = understood(engine, question, alone)
    ranked = rank(engine, question, asked, alone.leans)
    reader = engine.reader.ready() if engine.config.chat.reader and in_its_language(asked.text) else None
    ordered = _by_reading(reader, asked, ranked) if reader is not None else _by_ranking(asked, ranked)
    if ordered is None:
        return None
    in_order, has_older, traits = ordered
    different_turns = of_different_turns(in_order, MAX_QUOTES)
    has_older = has_older and any(one is in_order[1] for one in different_turns[1:])
    return BestLines(asked, grown(different_turns, in_order), traits, has_older)


Ordered = tuple[list[ScoredExcerpt], bool, Traits | ReadTraits]


def _by_ranking(asked: AskedQuestion, ranked: Sequence[ScoredExcerpt]) -> Ordered | None:
    """As recall and the signals rank them; whether the second was so before the first; what the chance is read from."""
    near = [one for one in ranked if _bears_on_it(one)]
    if not near:
        return None
    in_order, has_older = newest_first(near) if asked.newest else (near, False)
    traits = scoring.traits(asked, [(one.signals, one.score) for one in different(near, MAX_QUOTES)])
    return in_order, has_older, traits


def _by_reading(reader: Reader, asked: AskedQuestion, ranked: Sequence[ScoredExcerpt]) -> Ordered | None:
    """The same, as the reader finds that they answer."""
    if not ranked:
        return None
    in_order, has_older = read(reader, asked.text, ranked), False
    best = in_order[0]
    if asked.newest:
        in_order, has_older = newest_read(reader, asked.text, in_order)
    others = in_order[2:] if has_older else in_order[1:]  # what was so before is no rival of what is so now
    leading = [weighed(one) for one in different([best, *others], MAX_QUOTES)]
    return in_order, has_older, scoring.read_traits(best.logit or 0.0, leading, asked)


def _bears_on_it(one: ScoredExcerpt) -> bool:
    """It has a word of the question, or one close to it, or is near in meaning."""
    return one.signals.kindred > 0 or one.signals.meaning >= NEAR_IN_MEANING


def judged(best: BestLines, chance: float) -> Evidence:
    """Sure shows the answer and what it was before, unsure the two that come closest, nothing the nearest one where that is near."""
    first = best.chosen[0].excerpt
    second = QuoteKind.OLDER if best.has_older else QuoteKind.ANSWER
    kinds = zip(best.chosen, (QuoteKind.ANSWER, second), strict=False)
    both = tuple(quote for one, kind in kinds for quote in quotes_of(one.excerpt, kind))
    alone = tuple(quotes_of(first))
    levels = RANKED if isinstance(best.traits, Traits) else READ
    if chance < levels.unsure:
        nearest = best.chosen[0]
        is_near = (chance >= levels.near and _bears_on_it(nearest)) or nearest.signals.words >= MANY_WORDS
        return Evidence(Tone.NOTHING, alone if is_near else (), chance)
    if chance >= levels.sure and may_be_sure(best.asked, first):
        return Evidence(Tone.SURE, both if best.has_older else alone, chance, first.here)
    return Evidence(Tone.UNSURE, both, chance, first.here)


def may_be_sure(asked: AskedQuestion, first: Excerpt) -> bool:
    """Not of what an assistant said, nor without anything that looks like what is asked for: a price asked for, and no figure told."""
    is_past = bool(asked.periods)
    return first.anchor.role is not Role.ASSISTANT and not lacks(asked.kinds, first.said, is_past)


def related(engine: Engine, question: Question) -> tuple[Quote, ...]:
    """A memory that is surely of the same as what was told; most often there is none."""
    asked = understood(engine, question, StandaloneQuestion(question.text))
    ranked = [one for one in rank(engine, question, asked, False) if not one.excerpt.here]
    chosen = different(ranked, MAX_QUOTES)
    if not chosen or scoring.chance(scoring.traits(asked, [(one.signals, one.score) for one in chosen])) < RANKED.sure:
        return ()
    return named(engine, quotes_of(chosen[0].excerpt))


def named(engine: Engine, quotes: Sequence[Quote]) -> tuple[Quote, ...]:
    """With their sessions' names: recall knows titles, and a session that nobody gave one goes by its first words."""
    missing = sorted({quote.segment for quote in quotes if quote.segment and not quote.title})
    if not missing:
        return tuple(quotes)
    segments = engine.reads.segments(sorted(engine.reads.numbers_of(missing).values()))
    names = {segment.id: segment.session_name for segment in segments}
    return tuple(replace(quote, title=quote.title or names.get(quote.segment, "")) for quote in quotes)


def standalone_question(question: Question) -> StandaloneQuestion:
    return standalone(what_to_forget(question.text) or question.text, question.said_before)


def understood(engine: Engine, question: Question, alone: StandaloneQuestion) -> AskedQuestion:
    """The question with how often each of its terms occurs, in memory and in this chat."""
    terms = list(dict.fromkeys(query_terms(alone.search)))
    forms = forms_of(terms, alone.search)
    counts = counts_of(engine, question.namespace, chain.from_iterable(forms.values()))
    said = Counter(
        term
        for turn in question.before
        for line in turn.lines
        if line.role is not Role.ASSISTANT and not only_seeks(line.text)
        for term in document_terms(line.text)
    )
    occurs = {form: counts[form] + said[form] for form in counts}
    known = {term: sum(occurs[form] for form in forms[term]) for term in terms}
    as_known = {term: form_known(forms[term], occurs) for term in terms} if german(alone.search) else {}
    years = sorted({passage.at.year for passage in _passages(question)})
    frames = periods(alone.search, question.at or now(), years) or _around_an_event(engine, question, alone)
    lexical = engine.indexes.lexical(question.namespace)
    total = (len(lexical) if lexical is not None else 0) + len(question.before)
    asked = signals.asked_question(alone.search, alone.asked, known, total, frames, as_known)
    # What is to be forgotten may be said in just these words, as what a yes or no is asked of.
    return replace(asked, kinds=(AnswerType.YES_NO,)) if what_to_forget(question.text) else asked


def _around_an_event(engine: Engine, question: Question, alone: StandaloneQuestion) -> tuple[AskedPeriod, ...]:
    event = event_in(alone.search)
    day = day_of(engine, question, event) if event else None
    return (period(event, day),) if event and day else ()


def _passages(question: Question) -> list[Passage]:
    return [*(question.recalled.segments if question.recalled else ()), *question.before]


def rank(engine: Engine, question: Question, asked: AskedQuestion, leans: bool) -> list[ScoredExcerpt]:
    """All candidates, best first."""
    found = candidates(engine, question, asked, leans)
    near = nearness(engine, question.namespace, asked.text, found)
    measured = signals.measure(asked, found, near)
    return ordered(found, measured, scoring.scores(measured), [one.vector for one in near])


def quotes_of(excerpt: Excerpt, kind: QuoteKind = QuoteKind.ANSWER) -> list[Quote]:
    """Piece by piece, in the order they were said; what only stands around the anchor is marked as that."""
    return [
        Quote(
            piece.passage.id,
            piece.line,
            piece.start,
            piece.end,
            piece.text,
            piece.speaker,
            piece.passage.at,
            piece.passage.title,
            kind if piece.passage is excerpt.anchor.passage and piece.line == excerpt.anchor.line else QuoteKind.AROUND,
        )
        for piece in excerpt.pieces
    ]
