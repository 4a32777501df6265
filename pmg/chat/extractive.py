"""Answers without a language model: the best lines of memory, quoted with who said them and when; and a plain word when there is nothing.

Knows: when what was found is an answer, and how little to say around it. Memory is searched by turn.py, sentences are ranked by
sentence_ranking.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pmg.chat import sentence_ranking
from pmg.chat.message import MessageKind, kind_of, query_for
from pmg.chat.responder import ChatAnswer, ChatRequest, Quote, Used
from pmg.chat.sentence_ranking import ScoredSentence, Sentence
from pmg.model import Passage, Role

if TYPE_CHECKING:
    from pmg.engine import Engine

FOUND = "From your memory:"
NOT_FOUND = "Your memory does not tell me that."
UNSURE = "I am not sure your memory tells this. The closest I find:"
NOTED = "Noted."
RELATED = "Noted. You may remember:"
HELLO = "Hello. Ask about anything you have talked about: I answer by quoting your memory, without a language model."
OFF = "Memory is off for this message, and without a language model I can only quote memory. Switch it on to ask again."
EMPTY = "Your memory is empty so far: tell me something, load the sample, or import your history."
LEADS = (FOUND, UNSURE, NOT_FOUND, NOTED, HELLO, OFF, EMPTY)

# Measured on the sample memory: of 72 questions that it answers 49 reach SURE and 68 MAYBE; of 30 that it does not, 2 and 10.
SURE, MAYBE = 1.0, 0.62
CLOSE, FAR = 0.8, 0.9  # how near the best a further quote must be: to an answer, to something merely told
THIS_CHAT = "this chat"


class Extractive:
    """Meets Responder."""

    leaves = False
    where = "Answers are quotes from your memory: no language model, and nothing leaves this machine."
    budget_tokens: int | None = None

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def answer(self, ask: ChatRequest) -> Iterator[ChatAnswer]:
        kind = kind_of(ask.text)
        if kind is MessageKind.GREETING:
            yield ChatAnswer(HELLO)
        elif ask.recalled is None:
            yield ChatAnswer(OFF if kind is MessageKind.QUESTION else NOTED)
        elif kind is MessageKind.QUESTION:
            yield from self._asked(ask)
        else:
            near = [scored for scored in self._ranked(ask, ask.text) if sureness(scored) >= SURE]
            yield from _grown(RELATED, near, ask, FAR, 2) if near else iter((ChatAnswer(NOTED),))

    def _asked(self, ask: ChatRequest) -> Iterator[ChatAnswer]:
        question = query_for(ask.text, [turn.lines[0].text for turn in ask.before])
        ranked = self._ranked(ask, question)
        sure = sureness(ranked[0]) if ranked else 0.0
        if sure >= SURE:
            yield from _grown(FOUND, ranked, ask, CLOSE, self._engine.config.chat.quotes)
        elif sure >= MAYBE:
            yield from _grown(UNSURE, ranked, ask, CLOSE, 2)
        else:
            yield ChatAnswer(NOT_FOUND if ask.before or (ask.recalled and ask.recalled.segments) else EMPTY)

    def _ranked(self, ask: ChatRequest, question: str) -> list[ScoredSentence]:
        lexical = self._engine.indexes.lexical(ask.namespace)
        terms = sentence_ranking.terms_of(question)
        counts = lexical.frequencies(terms) if lexical is not None else [0] * len(terms)
        weights = sentence_ranking.rarity(terms, counts, len(lexical) if lexical is not None else 1)
        return sentence_ranking.rank(question, candidates(ask, terms), weights, self._engine.model.ready())


def candidates(ask: ChatRequest, terms: Sequence[str]) -> list[Sentence]:
    """Sentences of the recall's best lines, and of what the person said earlier in this chat."""
    found: list[Sentence] = []
    if ask.recalled is not None and ask.recalled.lines:
        by_id = {passage.id: passage for passage in ask.recalled.segments}
        best = max(ask.recalled.lines[0].score, 1e-9)
        for line in ask.recalled.lines[: sentence_ranking.LINES]:
            if not own_words(by_id[line.segment], line.line):
                found += sentence_ranking.sentences(by_id[line.segment], line.line, max(0.0, line.score / best), terms)
    for turn in ask.before:
        for i, said in enumerate(turn.lines):
            found += sentence_ranking.sentences(turn, i, 0.5, terms) if said.role is not Role.ASSISTANT else []
    return found


def own_words(passage: Passage, line: int) -> bool:
    """What this responder itself said around quotes is no memory of anything."""
    said = passage.lines[line]
    return said.role is Role.ASSISTANT and said.text.startswith(LEADS)


def sureness(best: ScoredSentence) -> float:
    """How near a sentence is to the question in meaning, and how much of what the question asks about stands there."""
    return best.cosine + best.covered


def _grown(
    lead: str, ranked: Sequence[ScoredSentence], ask: ChatRequest, share: float, most: int
) -> Iterator[ChatAnswer]:
    """The answer quote by quote."""
    roles = {found.segment: found.role for found in ask.recalled.receipt.found} if ask.recalled else {}
    chosen = chosen_of(ranked, share, most)
    for count in range(1, len(chosen) + 1):
        quotes = tuple(_quote(one) for one in chosen[:count])
        ids = dict.fromkeys(quote.segment for quote in quotes if quote.segment)
        yield ChatAnswer(lead, quotes, tuple(Used(name, roles.get(name, THIS_CHAT)) for name in ids))


def chosen_of(ranked: Sequence[ScoredSentence], share: float, most: int) -> list[Sentence]:
    """The best, and what is nearly as good and stands elsewhere or says something else."""
    chosen: list[Sentence] = []
    for scored in ranked:
        if len(chosen) == most or scored.score < share * ranked[0].score:
            break
        one = sentence_ranking.widened(scored.sentence)
        if not any(_overlap(held, one) or held.text == one.text for held in chosen):
            chosen.append(one)
    return chosen


def _overlap(a: Sentence, b: Sentence) -> bool:
    return a.passage is b.passage and a.line == b.line and a.start < b.end and b.start < a.end


def _quote(one: Sentence) -> Quote:
    line = one.passage.lines[one.line]
    return Quote(
        one.passage.id, one.line, one.start, one.end, one.text, line.speaker, one.passage.at, one.passage.title
    )
