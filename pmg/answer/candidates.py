"""The excerpts among which an answer is looked for: around the best lines of the recall, and of this very chat.

Knows: how lines that were found become excerpts with what stands around them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from pmg.answer.answer_type import AnswerType, share_held
from pmg.answer.evidence import Question
from pmg.answer.excerpts import MAX_NEIGHBOURS, SPOKEN, Excerpt, Thread, excerpts, thread_around
from pmg.answer.message import only_seeks
from pmg.answer.phrases import OURS
from pmg.answer.signals import AskedQuestion, cover
from pmg.base.model import CHAT_SOURCE, Passage, Role
from pmg.base.words import STOP_WORDS
from pmg.index.terms import query_terms
from pmg.ingest.asked import only_asks

if TYPE_CHECKING:
    from pmg.engine import Engine

_DENIES = re.compile(r"\b(?:not|never|no|nicht|nie|kein\w*)\b|n['’]t\b", re.IGNORECASE)
LINES = 24  # of the recall's best that are looked into: 40 hold one or two more answers of a hundred, and show no more of them
STRETCHES = 4  # of one long line: those that share most with the question
MAX_SHOWN = 3  # sources of the answer before that a follow-up is looked for in
MIN_NEW_TERMS = (
    2  # terms that a line which only asks must add to the question's own to be worth quoting; one that tells needs one
)
ANSWER_TYPE_BONUS = 0.15  # what a stretch gains by holding what is wanted, against a share of the question's words


def candidates(engine: Engine, ask: Question, asked: AskedQuestion, leans: bool = False) -> list[Excerpt]:
    """A question that leans on the one before is answered from what was shown then, too."""
    before = _shown_before(engine, ask, asked) if leans else []
    return [*_of_this_chat(ask, asked), *before, *_of_memory(engine, ask, asked)]


def _shown_before(engine: Engine, ask: Question, asked: AskedQuestion) -> list[Excerpt]:
    """The sources of the answer before, and what was said around them: "Why?" is answered a line or two further on."""
    numbers = sorted(engine.reads.numbers_of(ask.shown[:MAX_SHOWN]).values())
    if not numbers:
        return []
    shown = engine.indexes.catalogue.passages(engine.reads.lines_of(numbers))
    around = neighbours(engine, [p for p in shown.values() if p.namespace == ask.namespace], ask.namespace)
    found: list[Excerpt] = []
    for passage in sorted(around.values(), key=lambda p: (p.at, p.number)):
        thread = thread_around(passage, around)
        for line in range(len(passage.lines)):
            if worth_quoting(passage, line, asked):
                found += _best(asked, list(excerpts(thread, thread.place(passage, line), 1.0)))
    return found


def _of_memory(engine: Engine, ask: Question, asked: AskedQuestion) -> list[Excerpt]:
    if ask.recalled is None or not ask.recalled.lines:
        return []
    by_id = {passage.id: passage for passage in ask.recalled.segments}
    best = max(ask.recalled.lines[0].score, 1e-9)
    told = [line for line in ask.recalled.lines if ask.may_know(by_id[line.segment].at)]
    usable = (line for line in told if worth_quoting(by_id[line.segment], line.line, asked))
    lines = list(islice(usable, LINES))
    around = neighbours(engine, [by_id[line.segment] for line in lines], ask.namespace)
    found: list[Excerpt] = []
    for line in lines:
        passage = by_id[line.segment]
        thread = thread_around(passage, around)
        place = thread.place(passage, line.line)
        found += _best(asked, list(excerpts(thread, place, max(0.0, line.score / best))))
    return found


def _of_this_chat(ask: Question, asked: AskedQuestion) -> list[Excerpt]:
    """What people said here counts like the best of the recall: it is the latest there is. Our own answers are no news, nor is what was asked."""
    thread = Thread(tuple((turn, i) for turn in ask.before for i in range(len(turn.lines))))
    found: list[Excerpt] = []
    for place, (turn, line) in enumerate(thread.lines):
        said = turn.lines[line]
        if said.role is not Role.ASSISTANT and not only_seeks(said.text) and worth_quoting(turn, line, asked):
            alone = Thread((thread.lines[place],))
            found += _best(asked, list(excerpts(alone, 0, 1.0, here=True)))
    return found


def _best(asked: AskedQuestion, stretches: Sequence[Excerpt]) -> list[Excerpt]:
    """Of a long line only the stretches that share most with the question."""
    if len(stretches) <= STRETCHES:
        return list(stretches)
    worth = [
        cover(asked.weights, e.anchor.text) + ANSWER_TYPE_BONUS * share_held(asked.kinds, e.anchor.text)
        for e in stretches
    ]
    order = sorted(range(len(stretches)), key=lambda i: (-worth[i], i))[:STRETCHES]
    return [stretches[i] for i in sorted(order)]


def worth_quoting(passage: Passage, line: int, asked: AskedQuestion) -> bool:
    """It is spoken, it is not one of our own answers, and it adds something to the question; asked whether something is so, who says it in the very words
    of the question answers it."""
    said = passage.lines[line]
    if said.role not in SPOKEN or (said.role is Role.ASSISTANT and said.text.startswith(OURS)):
        return False
    if passage.source == CHAT_SOURCE and said.role is Role.USER and only_seeks(said.text):
        return False  # what was asked of this program is no memory
    new = set(query_terms(said.text)).difference(asked.weights, STOP_WORDS)
    if only_asks(said.text):
        return len(new) >= MIN_NEW_TERMS
    denies = _DENIES.search(said.text) is not None and _DENIES.search(asked.text) is None
    says_it = AnswerType.YES_NO in asked.kinds or _turns_it_round(asked.text, said.text)
    return bool(new) or denies or says_it


def _turns_it_round(question: str, text: str) -> bool:
    """ "Anna wohnt in Berlin", asked "Wohnt Anna in Berlin?": in German any verb may stand first in what asks whether something is so."""
    asked, told = (re.findall(r"\w+", one.lower()) for one in (question, text))
    return len(told) > 1 and asked[:1] == told[1:2] and set(told) <= set(asked)


def neighbours(engine: Engine, passages: Sequence[Passage], namespace: str) -> dict[tuple[str, int], Passage]:
    """The turns before and after, by session and place, as far as they may be shown."""
    catalogue = engine.indexes.catalogue
    numbers = np.array([passage.number for passage in passages], dtype=np.int64)
    steps = [step for step in range(-MAX_NEIGHBOURS, MAX_NEIGHBOURS + 1) if step]
    with engine.indexes.lock.reading():
        near = np.unique(np.concatenate([numbers, *(catalogue.chain(numbers, step) for step in steps)]))
        near = near[near > 0]
        near = near[catalogue.showable(near, catalogue.namespaces.find(namespace))]
        found = catalogue.passages(engine.reads.lines_of(near.tolist()))
    return {(p.session_id, p.index): p for p in (*found.values(), *passages)}
