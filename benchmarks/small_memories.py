"""Memories of a few lines, cut from the conversations of a benchmark: as small as a memory is in its first days.

Knows: how lines that answer and others are drawn, the same in every run. What is asked of them is gathered in answer_fit.py.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from benchmarks.answers import AnswerCase, AnswerQuestion
from benchmarks.cases import RAW, BenchQuestion, Case, Gold, LineRef
from pmg.base.model import Turn, segment_id
from pmg.ingest.turns import SessionInput

SIZES = (3, 5, 8, 12, 20, 40, 80)  # lines
ASKED = 4  # questions of a memory, each with the one line that answers it
EACH = 24  # memories of a conversation
MIN_TEXT = 25  # characters: a shorter line says nothing to be asked for
SEED = 7


def small_cases(cases: Sequence[AnswerCase]) -> list[AnswerCase]:
    """One after the other of different conversations: the questions of the next are foreign to each."""
    drawn = [list(_of(one, random.Random(SEED + place))) for place, one in enumerate(cases)]
    longest = max(map(len, drawn), default=0)
    return [found[at] for at in range(longest) for found in drawn if at < len(found)]


def _of(one: AnswerCase, rng: random.Random) -> Iterator[AnswerCase]:
    turns = {
        segment_id(session.id, at): (turn, session)
        for session in one.case.sessions
        for at, turn in enumerate(session.turns)
        if len(turn.lines) == 1
    }
    asked = [q for q in one.questions if len(q.asked.labels[RAW].lines) == 1 and _line_of(q) in turns]
    others = [name for name, (turn, _) in turns.items() if len(turn.lines[0].text) >= MIN_TEXT]
    rng.shuffle(asked)
    for number in range(min(EACH, len(asked) // ASKED)):
        size = rng.choice(SIZES)
        some = asked[ASKED * number : ASKED * (number + 1)][:size]
        held = [_line_of(q) for q in some]
        rest = [name for name in rng.sample(others, min(len(others), 2 * size)) if name not in held]
        yield _case(f"{one.case.name}, {size} lines, {number}", [turns[n] for n in (held + rest)[:size]], some)


def _line_of(question: AnswerQuestion) -> str:
    return next(iter(question.asked.labels[RAW].lines)).segment


def _case(name: str, turns: Sequence[tuple[Turn, SessionInput]], asked: Sequence[AnswerQuestion]) -> AnswerCase:
    sessions = [SessionInput([turn], id=f"small-{i}", started_at=of.started_at) for i, (turn, of) in enumerate(turns)]
    questions = [_moved(question, segment_id(f"small-{i}", 0)) for i, question in enumerate(asked)]
    return AnswerCase(Case(name, sessions, [one.asked for one in questions]), tuple(questions))


def _moved(question: AnswerQuestion, segment: str) -> AnswerQuestion:
    old = question.asked
    labels = {RAW: Gold(frozenset((LineRef(segment, 0),)), frozenset())}
    asked = BenchQuestion(old.id, old.text, old.category, labels, old.at)
    return AnswerQuestion(asked, question.group, question.answer, question.whole_turns)
