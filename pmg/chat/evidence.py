"""The evidence for an answer: the best excerpts of memory and of this chat, and how sure it is that they answer.

Knows: the order of the steps. Does not know: signals, weights (`answer_signals.py`, `answer_scoring.py`), or how an answer is worded.

    what is asked → candidates → signals → scores → the best that say different things → what else was found beside them →
    what is asked for in time first → tone
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING

from pmg.base.model import Passage, Role
from pmg.base.sentences import ASKS
from pmg.base.times import now
from pmg.base.words import STOP_WORDS
from pmg.chat import answer_scoring, answer_signals, excerpts
from pmg.chat.another_matter import (
    is_another_such_thing,
    is_of_other_kin,
    is_of_somebody_else,
    is_only_of_others,
    names_them,
)
from pmg.chat.answer_scoring import (
    ABOUT_AS_NEAR,
    LIKELY,
    MANY_LINES,
    NEAR,
    NEAR_AMONG_FEW,
    NEAR_IN_MEANING,
    PRESENT,
    SURE,
)
from pmg.chat.answer_signals import AnswerSignals, AskedQuestion
from pmg.chat.answer_type import AnswerType, asks_for_several
from pmg.chat.candidates import candidates
from pmg.chat.continued_line import adds_to
from pmg.chat.doubt import is_doubtful
from pmg.chat.event_time import day_of, event_in, period
from pmg.chat.excerpt_vectors import nearness
from pmg.chat.excerpts import Excerpt, ExcerptPiece
from pmg.chat.follow_up import StandaloneQuestion, standalone
from pmg.chat.forget_request import what_to_forget
from pmg.chat.known_forms import counts_of, form_known, forms_of
from pmg.chat.message import MessageKind, kind_of, only_seeks
from pmg.chat.namesake_lines import of_namesakes
from pmg.chat.phrases import german
from pmg.chat.possible_correction import possible_correction
from pmg.chat.responder import ChatRequest, Evidence, Quote, QuoteKind, Tone
from pmg.chat.score_adjustment import adjusted, more_for_work
from pmg.chat.spelling import mended
from pmg.chat.time_frame import periods
from pmg.chat.time_order import CLOSE, DatedExcerpt, ScoredExcerpt, called_off_first, in_time_order
from pmg.chat.told_day_order import by_told_day
from pmg.chat.told_identity import (
    IdentityTold,
    asked_thing,
    speaks_of_former,
    speaks_of_own,
    told_identity,
)
from pmg.chat.whose_deed import asked_deed, is_anothers
from pmg.embed.embedder import Vectors
from pmg.index.terms import document_terms, query_terms
from pmg.recall.question_time import AskedPeriod

if TYPE_CHECKING:
    from pmg.engine import Engine


AS_NEAR = 0.9  # of what the nearest shares with the question
MIN_OF_SEVERAL = 0.5  # share of the question that one of several lines must have
MAX_SEVERAL = 8  # lines of such an answer
MAX_OF_SEVERAL = 120  # characters of each that comes beside the usual ones: a long line is read for itself
MAX_TURNS_AFTER = 2  # turns after the best line in which more of it may be named
MOSTLY_UNKNOWN = 0.5  # of the question: words that were never told
# Cosine below which two such things are no two words for one: of 16 pairs those of one thing ("hire car", "rental car") have 0.49 to 0.70, others 0.29 to 0.47.
OF_ANOTHER_KIND = 0.45
OF_ANOTHER = 30  # candidates among which a line is looked for that names whom the same is asked of
_ASKS_FIRST = re.compile(
    r"\W*(?:and |und |so )?(?:what|when|where|which|who|whom|whose|why|how|is|does|"
    r"wann|wo|wer|wen|wem|wessen|warum|wieso|weshalb|wie|welche\w*|wohin|woher|wieviele?)\b",
    re.IGNORECASE,
)
LOOKED_AT = 4  # stretches of one line that may stand before an excerpt of another turn (candidates.STRETCHES)


def find(engine: Engine, ask: ChatRequest) -> Evidence:
    question = standalone_question(ask)
    asked = understood(engine, ask, question)
    scored = rank(engine, ask, asked, question.leans)
    if not scored:
        return Evidence(Tone.NOTHING)
    ranked = _without_questions(scored)
    best = different(scored, engine.config.chat.quotes)
    chance = answer_scoring.chance(traits_of(asked, _as_measured(asked, best)))
    presence = answer_scoring.presence(presence_of(asked, best))
    several = AnswerType.LIST in asked.kinds or asks_for_several(asked.text)
    chosen = of_different_turns(ranked, engine.config.chat.quotes)
    if several:
        chosen += _as_much_of_it(asked, chosen, ranked)
        chosen += added_to(chosen, ranked)
    found = in_time_order(asked, grown(chosen, ranked), ranked)
    found = called_off_first(asked, by_told_day(asked, ask.at or now(), found, ranked), ranked)
    as_scored, found = found[0], _of_it_first(question.instead, found, ranked)
    is_of_another = found[0] is not as_scored
    found, told = _identified_first(asked_thing(question.search), found, ranked)
    doubtful = is_of_another or is_doubtful(ask, asked, question, found[0].found, ranked)
    chance, presence = _with_identity(told, chance, presence)
    if is_only_of_others(asked, found[0].found.excerpt, [one.excerpt for one in ranked]):
        chance, presence = 0.0, min(NEAR, presence)
        found = _of_them_first(asked, found, ranked)
    elif (
        asked.unknown >= MOSTLY_UNKNOWN
        and found[0].found.signals.meaning < OF_ANOTHER_KIND
        and is_another_such_thing(asked, found[0].found.excerpt.said)
    ):
        chance, presence = 0.0, min(NEAR, presence)
    found = found if question.leans else _without_others(asked, found)  # whom "his" means is a guess
    verdict = judged(found, chance, presence, doubtful, several, asked.lines < MANY_LINES)
    if verdict.tone in (Tone.SURE, Tone.UNSURE):
        verdict = _with_correction(engine, ask, asked, verdict, found, ranked)
        verdict = _of_each_namesake(asked, verdict, found, ranked)
    return replace(verdict, quotes=named(engine, verdict.quotes))


def _with_correction(
    engine: Engine,
    ask: ChatRequest,
    asked: AskedQuestion,
    verdict: Evidence,
    found: Sequence[DatedExcerpt],
    ranked: Sequence[ScoredExcerpt],
) -> Evidence:
    """A line told later to this program that may correct the first, or one of anybody that says that it was replaced, comes before it; one that was said elsewhere behind it.
    With either the first is not sure."""
    first = found[0].found.excerpt
    later = possible_correction(engine, ask, asked, first.anchor, (one.excerpt.anchor for one in ranked))
    if later is None:
        return verdict
    line = Excerpt((later.line,), later.line, first.relevance, first.here)
    both = [line, first] if later.comes_first else [first, line]
    quotes = [quote for one in both for quote in quotes_of(one)]
    if verdict.tone is Tone.UNSURE:
        quotes += _quotes([one for one in found[1:] if not one.found.excerpt.overlaps(line)][: len(found) - 2])
    return replace(verdict, tone=Tone.UNSURE, quotes=tuple(quotes))


def _of_each_namesake(
    asked: AskedQuestion, verdict: Evidence, found: Sequence[DatedExcerpt], ranked: Sequence[ScoredExcerpt]
) -> Evidence:
    """Where lines that have as much of the question as the first tell it of two who have the name it asks for: a line of each is shown, and none is sure."""
    enough = AS_NEAR * found[0].found.signals.words
    as_near = [one.excerpt for one in ranked[:OF_ANOTHER] if one.signals.words >= enough]
    lines = [found[0].found.excerpt, *(one for one in as_near if one.anchor.role is not Role.ASSISTANT)]
    each = [lines[place] for place in of_namesakes(asked.text, [one.anchor.text for one in lines])][:MAX_SEVERAL]
    if not each:
        return verdict
    shown = {(quote.segment, quote.line) for quote in verdict.quotes}
    missing = [one for one in each if (one.anchor.passage.id, one.anchor.line) not in shown]
    quotes = (*verdict.quotes, *(quote for one in missing for quote in quotes_of(one)))
    return replace(verdict, tone=Tone.UNSURE, quotes=quotes)


def _without_questions(ranked: Sequence[ScoredExcerpt]) -> list[ScoredExcerpt]:
    """Below the first, nothing that was answered as a question when it was said here, its mark left out: it may have told something, but answers nothing beside what did."""
    return [*ranked[:1], *(one for one in ranked[1:] if not _was_answered(one.excerpt.anchor))]


def _was_answered(line: ExcerptPiece) -> bool:
    """Not "Did the Manchester marathon in 2023, rainy": by its first word alone it may be a diary's."""
    said = line.passage.lines[line.line].text
    if not line.is_told_here or any(mark in said for mark in ASKS) or _ASKS_FIRST.match(said) is None:
        return False
    return kind_of(said) is MessageKind.QUESTION


def _of_it_first(named: str, found: Sequence[DatedExcerpt], ranked: Sequence[ScoredExcerpt]) -> list[DatedExcerpt]:
    """Where the same is asked of another ("and Noah?"): what names them, before what does not."""
    terms = set(document_terms(named)) - STOP_WORDS
    if not terms or terms <= set(document_terms(found[0].found.excerpt.text)):
        return list(found)
    naming = next((one for one in ranked[:OF_ANOTHER] if terms <= set(document_terms(one.excerpt.text))), None)
    if naming is None:
        return list(found)
    rest = [one for one in found if not one.found.excerpt.overlaps(naming.excerpt)]
    return [DatedExcerpt(naming, QuoteKind.ANSWER), *rest][: len(found)]


def _as_measured(asked: AskedQuestion, best: Sequence[ScoredExcerpt]) -> list[ScoredExcerpt]:
    return [replace(one, score=one.score - more_for_work(asked, one.excerpt.anchor.text)) for one in best]


def _as_much_of_it(
    asked: AskedQuestion, chosen: Sequence[ScoredExcerpt], ranked: Sequence[ScoredExcerpt]
) -> list[ScoredExcerpt]:
    """Where all of several are asked for, the further lines told to this program that have as much of the question as the best: "what have I planted?" is answered by each."""
    enough = AS_NEAR * chosen[0].signals.words
    if chosen[0].signals.words < MIN_OF_SEVERAL:
        return []
    rest = of_different_turns(ranked, MAX_SEVERAL)[len(chosen) :]
    return [
        one
        for one in rest
        if one.signals.words >= enough
        and one.excerpt.anchor.is_told_here
        and len(one.excerpt.anchor.text) <= MAX_OF_SEVERAL
        and not is_anothers(asked_deed(asked.text), one.excerpt.anchor.text)
    ]


def added_to(chosen: Sequence[ScoredExcerpt], ranked: Sequence[ScoredExcerpt]) -> list[ScoredExcerpt]:
    """ "Also Ned, and Cyril if his back lets him", told right after the best line, where it is not among the chosen."""
    best = chosen[0].excerpt.anchor.passage
    shown = {one.excerpt.anchor.passage.id for one in chosen}
    added = [
        one
        for one in of_different_turns(ranked, len(ranked))
        if (line := one.excerpt.anchor).is_told_here
        and line.passage.session_id == best.session_id
        and 0 < line.passage.index - best.index <= MAX_TURNS_AFTER
        and line.passage.id not in shown
        and adds_to(line.text)
    ]
    return sorted(added, key=lambda one: one.excerpt.anchor.passage.index)


def _identified_first(
    thing: tuple[str, ...], found: list[DatedExcerpt], ranked: Sequence[ScoredExcerpt]
) -> tuple[list[DatedExcerpt], IdentityTold | None]:
    """Asked who or which one's own is: the newest line that says so before others, and what the first then says of it. What one said of it since may
    tell of another: then all stays in its order, and is as sure as was measured."""
    anchors = [one.found.excerpt.anchor for one in found]
    told = [told_identity(thing, anchor.text) if anchor.role is Role.USER else None for anchor in anchors]
    places = [
        place
        for place, one in enumerate(told)
        if one is IdentityTold.IDENTIFIED and found[place].kind is QuoteKind.ANSWER
    ]
    if not places:
        return found, told[0]
    newest = max(places, key=lambda place: (anchors[place].passage.at, -place))
    since = anchors[newest].passage.at
    later = [one.excerpt.anchor for one in ranked if one.excerpt.anchor.passage.at > since]
    spoken = [
        one.text
        for one in later
        if one.role is Role.USER and speaks_of_own(thing, one.text) and not speaks_of_former(thing, one.text)
    ]
    if any(told_identity(thing, text) is not IdentityTold.DESCRIBED for text in spoken):
        return found, IdentityTold.UNCLEAR
    ordered_anew = [found[newest], *found[:newest], *found[newest + 1 :]]
    return ordered_anew, IdentityTold.UNCLEAR if spoken else IdentityTold.IDENTIFIED


def _with_identity(told: IdentityTold | None, chance: float, presence: float) -> tuple[float, float]:
    """Who or which it is is the answer in so many words; how the very thing is is none."""
    match told:
        case IdentityTold.IDENTIFIED:
            return max(SURE, chance), max(PRESENT, presence)
        case IdentityTold.UNCLEAR:
            return chance, max(PRESENT, presence)
        case IdentityTold.DESCRIBED:
            return min(LIKELY, chance), presence
        case None:
            return chance, presence


def judged(
    found: Sequence[DatedExcerpt],
    chance: float,
    presence: float,
    is_doubtful: bool = False,
    asks_several: bool = False,
    is_small: bool = False,
) -> Evidence:
    """Sure shows the answer, and what it was before or what answers as well; unsure shows all; nothing shows what comes nearest if that is near, or none; in a small
    memory (`is_small`) less is near enough. `is_doubtful` is never sure."""
    here = found[0].found.excerpt.here
    if presence < PRESENT and chance < LIKELY:
        is_near = presence >= NEAR or (is_small and presence >= NEAR_AMONG_FEW and _near_in_meaning(found[0]))
        return Evidence(Tone.NOTHING, _quotes(_nearest(found, asks_several, is_small)) if is_near else (), chance)
    if chance >= SURE and presence >= PRESENT and not is_doubtful:
        earlier = [one for one in found[1:] if one.kind in (QuoteKind.OLDER, QuoteKind.ALSO)][:1]
        return Evidence(Tone.SURE, _quotes([found[0], *earlier]), chance, here)
    return Evidence(Tone.UNSURE, _quotes(found), chance, here)


def _of_them_first(
    asked: AskedQuestion, found: Sequence[DatedExcerpt], ranked: Sequence[ScoredExcerpt]
) -> list[DatedExcerpt]:
    """What comes nearest, where it was told of others alone: the best of what is known of the one asked about, and what was told of another."""
    of_them = (one for one in ranked if names_them(asked, one.excerpt.anchor.text))
    return [*(DatedExcerpt(one, QuoteKind.ANSWER) for one in islice(of_them, 1)), found[0]]


def _without_others(asked: AskedQuestion, found: Sequence[DatedExcerpt]) -> list[DatedExcerpt]:
    """Where the first line is of the one asked about, the same told of somebody else is no answer beside it; asked who, anybody may be."""
    first, *others = found
    if AnswerType.PERSON in asked.kinds:
        return list(found)
    answer = first.found.excerpt.anchor.text
    names_one = names_them(asked, answer)

    def is_of_another(line: ExcerptPiece) -> bool:
        if not line.is_told_here:
            return False
        return (names_one and is_of_somebody_else(asked, answer, line.text)) or is_of_other_kin(
            asked, answer, line.text
        )

    return [first, *(one for one in others if not is_of_another(one.found.excerpt.anchor))]


def _near_in_meaning(one: DatedExcerpt) -> bool:
    return one.found.signals.meaning >= NEAR_IN_MEANING


def _nearest(found: Sequence[DatedExcerpt], asks_several: bool, is_small: bool) -> list[DatedExcerpt]:
    """What is shown where nothing answers: the first; where several are asked for those that share as much with the question, in its words or others; and of a small
    memory, where meaning alone must do, one that comes about as near."""
    first, *others = found
    shared, score = first.found.signals.kindred, first.found.score
    if asks_several and shared:
        return [first, *(one for one in others if one.found.signals.kindred >= AS_NEAR * shared)]
    return [first, *(one for one in others[:1] if is_small and score - one.found.score <= ABOUT_AS_NEAR)]


def related(engine: Engine, ask: ChatRequest) -> tuple[Quote, ...]:
    """A memory that is surely of the same as what was told; most often there is none."""
    asked = understood(engine, ask, StandaloneQuestion(ask.text, ask.text, False))
    ranked = [one for one in rank(engine, ask, asked, False) if not one.excerpt.here]
    chosen = different(ranked, 2)
    if not chosen or answer_scoring.chance(traits_of(asked, chosen)) < SURE:
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


def standalone_question(ask: ChatRequest) -> StandaloneQuestion:
    question = standalone(what_to_forget(ask.text) or ask.text, ask.said_before, ask.answers_before)
    return replace(question, asked=mended(question.asked, ask.slips), about=mended(question.about, ask.slips))


def understood(engine: Engine, ask: ChatRequest, question: StandaloneQuestion) -> AskedQuestion:
    """The question with how often each of its terms occurs, in memory and in this chat."""
    terms = list(dict.fromkeys(query_terms(question.search)))
    forms = forms_of(terms, question.search)
    counts = counts_of(engine, ask.namespace, chain.from_iterable(forms.values()))
    said = Counter(
        term
        for turn in ask.before
        for line in turn.lines
        if line.role is not Role.ASSISTANT and not only_seeks(line.text)
        for term in document_terms(line.text)
    )
    occurs = {form: counts[form] + said[form] for form in counts}
    known = {term: sum(occurs[form] for form in forms[term]) for term in terms}
    as_known = {term: form_known(forms[term], occurs) for term in terms} if german(question.search) else {}
    years = sorted({passage.at.year for passage in _passages(ask)})
    frames = periods(question.search, ask.at or now(), years) or _around_an_event(engine, ask, question)
    lexical = engine.indexes.lexical(ask.namespace)
    total = (len(lexical) if lexical is not None else 0) + len(ask.before)
    asked = answer_signals.asked_question(question.search, question.asked, known, total, frames, as_known)
    # What is to be forgotten may be said in just these words, as what a yes or no is asked of.
    return replace(asked, kinds=(AnswerType.YES_NO,)) if what_to_forget(ask.text) else asked


def _around_an_event(engine: Engine, ask: ChatRequest, question: StandaloneQuestion) -> tuple[AskedPeriod, ...]:
    event = event_in(question.search)
    day = day_of(engine, ask, event) if event else None
    return (period(event, day),) if event and day else ()


def _passages(ask: ChatRequest) -> list[Passage]:
    return [*(ask.recalled.segments if ask.recalled else ()), *ask.before]


def rank(engine: Engine, ask: ChatRequest, asked: AskedQuestion, leans: bool) -> list[ScoredExcerpt]:
    """All candidates, best first; of equals the later one."""
    found = candidates(engine, ask, asked, leans)
    near = nearness(engine, ask.namespace, asked.text, found)
    signals = answer_signals.measure(asked, found, near)
    scores = adjusted(ask, asked, leans, found, answer_scoring.scores(signals))
    return ordered(found, signals, scores, [one.vector for one in near])


def ordered(
    found: Sequence[Excerpt],
    signals: Sequence[AnswerSignals],
    scores: Sequence[float],
    vectors: Sequence[Vectors | None] = (),
) -> list[ScoredExcerpt]:
    rows = zip(found, signals, scores, vectors or [None] * len(found), strict=True)
    return sorted((ScoredExcerpt(*row) for row in rows), key=_order)


def _order(one: ScoredExcerpt) -> tuple[float, float, str, int, int]:
    anchor = one.excerpt.anchor
    return (-one.score, -anchor.passage.at.timestamp(), anchor.passage.id, anchor.line, anchor.start)


def different(ranked: Sequence[ScoredExcerpt], most: int) -> list[ScoredExcerpt]:
    """The best that do not overlap and do not repeat one another: by these the chance was fitted. Of two that say the same and answer as well the later one: "I see the
    dentist on Monday" is of another Monday each time."""
    chosen: list[ScoredExcerpt] = []
    for one in ranked:
        same = next((place for place, held in enumerate(chosen) if held.excerpt.text == one.excerpt.text), None)
        if same is not None:
            chosen[same] = one if _is_as_good_and_later(one, chosen[same]) else chosen[same]
        elif len(chosen) < most and not any(held.excerpt.overlaps(one.excerpt) for held in chosen):
            chosen.append(one)
    return chosen


def _is_as_good_and_later(one: ScoredExcerpt, held: ScoredExcerpt) -> bool:
    is_later = one.excerpt.anchor.passage.at > held.excerpt.anchor.passage.at
    return is_later and held.score - one.score <= CLOSE


def of_different_turns(ranked: Sequence[ScoredExcerpt], most: int) -> list[ScoredExcerpt]:
    """What is shown of them. One turn is shown once: if its best stretch is not the answer, the next best excerpt of another turn more likely is."""
    first: dict[tuple[str, str, int], ScoredExcerpt] = {}
    for one in different(ranked, LOOKED_AT * most):
        passage = one.excerpt.anchor.passage
        first.setdefault((passage.id, passage.session_id, passage.index), one)
    return list(first.values())[:most]


def grown(chosen: Sequence[ScoredExcerpt], ranked: Sequence[ScoredExcerpt]) -> list[ScoredExcerpt]:
    longer = excerpts.grown([one.excerpt for one in chosen], [one.excerpt for one in ranked])
    return [replace(one, excerpt=excerpt) for one, excerpt in zip(chosen, longer, strict=True)]


def traits_of(asked: AskedQuestion, chosen: Sequence[ScoredExcerpt]) -> answer_scoring.Traits:
    following = chosen[1].score if len(chosen) > 1 else None
    return answer_scoring.traits(asked, chosen[0].signals, chosen[0].score, following)


def presence_of(asked: AskedQuestion, chosen: Sequence[ScoredExcerpt]) -> answer_scoring.PresenceTraits:
    return answer_scoring.presence_traits(asked, [one.signals for one in chosen])


def _quotes(shown: Sequence[DatedExcerpt]) -> tuple[Quote, ...]:
    return tuple(quote for one in shown for quote in quotes_of(one.found.excerpt, one.kind))


def quotes_of(excerpt: Excerpt, kind: QuoteKind = QuoteKind.ANSWER) -> list[Quote]:
    """ExcerptPiece by piece, in the order they were said; what only stands around the anchor is marked as that."""
    found: list[Quote] = []
    for piece in excerpt.pieces:
        answers = piece.passage is excerpt.anchor.passage and piece.line == excerpt.anchor.line
        found.append(
            Quote(
                piece.passage.id,
                piece.line,
                piece.start,
                piece.end,
                piece.text,
                piece.speaker,
                piece.passage.at,
                piece.passage.title,
                kind if answers else QuoteKind.AROUND,
            )
        )
    return found
