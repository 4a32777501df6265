"""What the reader makes of the best excerpts: which answers, and whether a later one holds in its place.

Knows: what of an excerpt is read, and how the reader's word and the ranking are put together. Does not know: how the reader reads (`pmg/reader`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pmg.answer.excerpts import Excerpt, ExcerptPiece
from pmg.answer.newest import apart_and_of_one_voice
from pmg.answer.ranked import ScoredExcerpt
from pmg.answer.scoring import FITTED
from pmg.base.model import Role
from pmg.base.words import STOP_WORDS
from pmg.index.function_words import function_words
from pmg.index.terms import document_terms
from pmg.reader.text import ASSISTANT, ME, LaterLine, ReadLine

if TYPE_CHECKING:
    from pmg.reader.reader import Reader

READ = 24  # excerpts, best of the ranking first
RIVALS = 3  # later and earlier lines that are compared with the first
FAR = 2.5  # of the reader's log odds behind the best: what is further off is of something else
MOSTLY = 0.8  # of a question's letters are those of English
REPLACED = 0.7  # chance that a later line replaces or ends an earlier one


def in_its_language(question: str) -> bool:
    """It knows English alone: elsewhere the ranking answers."""
    letters = [letter for letter in question if letter.isalpha()]
    return not function_words(question) and sum(letter.isascii() for letter in letters) > MOSTLY * len(letters)


def read(reader: Reader, question: str, ranked: Sequence[ScoredExcerpt]) -> list[ScoredExcerpt]:
    """The best of the ranking in the order of both; what was not read stays behind them."""
    some = ranked[:READ]
    readings = reader.read(question, [line_of(one.excerpt) for one in some])
    read = [
        replace(one, logit=found.logit, answer=line_of(one.excerpt).text[found.start : found.end])
        for one, found in zip(some, readings, strict=True)
    ]
    places = sorted(range(len(read)), key=lambda place: (-weighed(read[place]), place))
    return [*(read[place] for place in places), *ranked[READ:]]


def weighed(one: ScoredExcerpt) -> float:
    return (one.logit or 0.0) + FITTED.reader["score"] * one.score


def line_of(excerpt: Excerpt) -> ReadLine:
    """The line, or the stretch of a long one, and what was said just before it."""
    anchor = excerpt.anchor
    place = next(
        n for n, piece in enumerate(excerpt.pieces) if piece.passage is anchor.passage and piece.line == anchor.line
    )
    piece = excerpt.pieces[place]
    before = excerpt.pieces[place - 1] if place else None
    return ReadLine(_speaker(piece), piece.text, f"{_speaker(before)}: {before.text}" if before else "")


def _speaker(piece: ExcerptPiece) -> str:
    return {Role.USER: ME, Role.ASSISTANT: ASSISTANT}.get(piece.role, piece.speaker)


def newest_read(reader: Reader, question: str, ranked: Sequence[ScoredExcerpt]) -> tuple[list[ScoredExcerpt], bool]:
    """All in their order, but for the newest line that holds in place of the first, and the one behind it that it replaced; whether there is one."""
    first = ranked[0]
    rivals = [one for one in ranked[1:READ] if _is_rival(first, one)]
    replaced = _replaced_by(reader, question)
    later = [one for one in rivals if _at(one) > _at(first)][:RIVALS]
    held = [one for one, is_it in zip(later, replaced([(first, one) for one in later]), strict=True) if is_it]
    newest = max(held, key=lambda one: (_at(one), weighed(one)), default=first)
    if newest is not first:
        earlier = [one for one in (first, *held) if _at(one) < _at(newest) and not _says_again(question, one, newest)]
    else:
        before = [one for one in rivals if _at(one) < _at(first)][:RIVALS]
        earlier = [one for one, is_it in zip(before, replaced([(one, first) for one in before]), strict=True) if is_it]
    older = max(earlier, key=lambda one: (_at(one), weighed(one)), default=None)
    head = [newest, older] if older is not None else [newest]
    return [*head, *(one for one in ranked if not any(one is shown for shown in head))], older is not None


def _replaced_by(
    reader: Reader, question: str
) -> Callable[[Sequence[tuple[ScoredExcerpt, ScoredExcerpt]]], list[bool]]:
    def replaced(pairs: Sequence[tuple[ScoredExcerpt, ScoredExcerpt]]) -> list[bool]:
        lines = [(line_of(older.excerpt), line_of(newer.excerpt)) for older, newer in pairs]
        chances = [stands[LaterLine.REPLACES] + stands[LaterLine.ENDS] for stands in reader.stands(question, lines)]
        says_again = [_says_again(question, older, newer) for older, newer in pairs]
        return [chance >= REPLACED and not same for chance, same in zip(chances, says_again, strict=True)]

    return replaced


def _says_again(question: str, older: ScoredExcerpt, newer: ScoredExcerpt) -> bool:
    """The newer line has the words by which the older one answers: it tells the same, and replaces nothing."""
    asked = {*document_terms(question), *STOP_WORDS}
    answer = set(document_terms(older.answer)) - asked
    return bool(answer) and answer <= set(document_terms(line_of(newer.excerpt).text))


def _at(one: ScoredExcerpt) -> float:
    return one.excerpt.anchor.passage.at.timestamp()


def _is_rival(first: ScoredExcerpt, other: ScoredExcerpt) -> bool:
    near = other.logit is not None and (first.logit or 0.0) - other.logit <= FAR
    return near and apart_and_of_one_voice(first, other)
