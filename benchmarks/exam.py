"""The sealed exam: lives that nobody who builds has read, asked through the path of the chat.

Each life is a memory of its own, told sitting by sitting; a question is asked on its day, after the one it leans on. What is kept of a run
are marks, never words. The parts lie beside this file as gz; `exams/seals.json` has their hashes and `exams/runs.jsonl` every run.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.bootstrap import Interval, paired
from benchmarks.cases import Case
from benchmarks.lives import ASSISTANT, ME, Life, LifeLine, LifeQuestion, parse
from benchmarks.run import memory
from pmg import config as configuration
from pmg.answer.evidence import Quote, QuoteKind, Tone
from pmg.base.errors import InputError
from pmg.base.model import CHAT_SOURCE, USER_NAME, Line, Passage, Role, Turn, segment_id
from pmg.base.progress import Progress, silent
from pmg.chat.extractive import Extractive
from pmg.chat.history import stored_text
from pmg.chat.responder import ChatAnswer, ChatRequest
from pmg.chat.turn import ChatTarget, requested
from pmg.embed.embedder import Embedder
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput, exchange

EXAMS = Path(__file__).parent / "exams"
NAMESPACE = "default"
IN_REACH = 24  # of recall's best lines
BINS = 10
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class ExamMark:
    """What one answer was worth. Shares are 0, 0.5 or 1."""

    id: str
    kind: str
    answerable: bool
    tone: str
    chance: float
    first: bool  # the first quote answers
    shown: bool  # any quote does
    stale_first: bool
    in_reach: bool
    declined: float  # of what was never told


def read_part(name: str, folder: Path = EXAMS) -> list[Life]:
    """Refused where the file is not the one that was sealed."""
    data = (folder / f"{name}.txt.gz").read_bytes()
    sealed = json.loads((folder / "seals.json").read_text(encoding="utf-8"))[name]
    found = hashlib.sha256(data).hexdigest()
    if found != sealed:
        raise InputError(
            f"Part {name} of the exam has the hash {found[:12]}, and {sealed[:12]} was sealed: restore the file."
        )
    return parse(gzip.decompress(data).decode("utf-8"))


def run(lives: Sequence[Life], embedder: Embedder, progress: Progress = silent, read: bool = True) -> list[ExamMark]:
    """`read`: with the reader, as by default; else by the ranking alone."""
    total = sum(len(life.questions) for life in lives)
    marks: list[ExamMark] = []
    for place, life in enumerate(lives):
        with memory(Case(f"life {place}", [], []), embedder, Counter()) as engine:
            settings = configuration.with_values(engine.config, {"chat": {"reader": read}}, "the exam")
            for mark in _asked(engine.with_config(settings), life, place):
                marks.append(mark)
                progress("asking questions", len(marks), total)
    return marks


def _asked(engine: Engine, life: Life, place: int) -> Iterator[ExamMark]:
    """By their days: what was told later is not there yet."""
    last = max(line.at for line in life.lines) + DAY
    waiting, numbers = list(life.sittings()), numbers_of(life)
    for number, question in sorted(enumerate(life.questions), key=lambda one: (one[1].at or last, one[0])):
        at = question.at or last
        due = [sitting for sitting in waiting if sitting[0].at <= at]
        waiting = waiting[len(due) :]
        engine.ingest([session_of(sitting) for sitting in due])
        answer, request = _answered_after(engine, question, at)
        yield mark(question, f"{place}.{number}", answer, request, numbers)


def turns_of(sitting: Sequence[LifeLine]) -> list[list[LifeLine]]:
    """A turn a line; an assistant's line answers the one before it."""
    turns: list[list[LifeLine]] = []
    for line in sitting:
        if line.speaker == ASSISTANT and turns and turns[-1][-1].speaker != ASSISTANT:
            turns[-1].append(line)
        else:
            turns.append([line])
    return turns


def session_of(sitting: Sequence[LifeLine]) -> SessionInput:
    turns = [
        Turn(tuple(_line(line) for line in turn), turn[0].at + timedelta(minutes=index))
        for index, turn in enumerate(turns_of(sitting))
    ]
    return SessionInput(turns, source=CHAT_SOURCE, started_at=sitting[0].at, id=_name(sitting))


def numbers_of(life: Life) -> dict[tuple[str, int], int]:
    """The life's number of each stored line."""
    return {
        (segment_id(_name(sitting), index), place): line.number
        for sitting in life.sittings()
        for index, turn in enumerate(turns_of(sitting))
        for place, line in enumerate(turn)
    }


def _name(sitting: Sequence[LifeLine]) -> str:
    return f"s{sitting[0].sitting:04d}"


def _line(line: LifeLine) -> Line:
    if line.speaker == ME:
        return Line(USER_NAME, Role.USER, line.text)
    if line.speaker == ASSISTANT:
        return Line("Assistant", Role.ASSISTANT, line.text)
    return Line(line.speaker, Role.PERSON, line.text)


def _answered_after(engine: Engine, question: LifeQuestion, at: datetime) -> tuple[ChatAnswer, ChatRequest]:
    """In a chat that holds the question before it, if there is one, and our answer to that."""
    place = ChatTarget(NAMESPACE, kept=False)
    if question.before:
        answer, _ = answered(engine, place, question.before, at)
        lines = exchange(question.before, stored_text(answer) or None)
        turn = Passage(0, "", "", 0, NAMESPACE, at, lines, "", CHAT_SOURCE)
        place = ChatTarget(NAMESPACE, kept=False, before=(turn,), shown=tuple(quote.segment for quote in answer.quotes))
    return answered(engine, place, question.text, at)


def answered(engine: Engine, place: ChatTarget, text: str, at: datetime) -> tuple[ChatAnswer, ChatRequest]:
    request = requested(engine, place, text, None, at)
    *_, answer = Extractive(engine).answer(request)
    return answer, request


def mark(
    question: LifeQuestion,
    name: str,
    answer: ChatAnswer,
    request: ChatRequest,
    numbers: Mapping[tuple[str, int], int],
) -> ExamMark:
    gold = {number for number, _ in question.answers}
    placed = [(numbers.get((quote.segment, quote.line), 0), quote) for quote in answer.quotes]
    told = [one for one in placed if one[1].kind is not QuoteKind.AROUND][:1]
    is_nothing = answer.tone is Tone.NOTHING
    reach = request.recalled.lines[:IN_REACH] if request.recalled else ()
    return ExamMark(
        id=name,
        kind=question.kind,
        answerable=bool(gold),
        tone=(answer.tone or Tone.NOTHING).value,
        chance=request.evidence.chance if request.evidence else 0.0,
        first=any(_right(*one, question) for one in told) and not is_nothing,
        shown=any(_right(*one, question) for one in placed),
        stale_first=any(number in question.stale for number, _ in told),
        in_reach=any(numbers.get((line.segment, line.line), 0) in gold for line in reach),
        declined=0.0 if not is_nothing else 0.5 if answer.quotes else 1.0,
    )


def _right(number: int, quote: Quote, question: LifeQuestion) -> bool:
    """The line that answers, or a passage with its very words."""
    return any(number == line or (words and words in quote.text) for line, words in question.answers)


@dataclass(frozen=True, slots=True)
class ExamFigures:
    """In per cent, but for the counts and the calibration."""

    questions: int
    first: float  # of those that can be answered
    not_shown: float  # of those that recall's best lines hold
    stale_first: float  # of those that can be answered
    wrong_while_sure: float  # of sure answers; a stale value is wrong
    sure_of_right: float  # of those right first, how many were sure
    unsure: float  # of all
    declined: float  # of what was never told
    calibration: float  # mean distance of chance and share right over ten bins


def figures(marks: Sequence[ExamMark]) -> ExamFigures:
    told = [one for one in marks if one.answerable]
    sure = [one for one in marks if one.tone == Tone.SURE]
    reach = [one for one in told if one.in_reach]
    return ExamFigures(
        len(marks),
        _percent(one.first for one in told),
        _percent(not one.shown for one in reach),
        _percent(one.stale_first for one in told),
        _percent(not (one.answerable and one.first) for one in sure),
        _percent(one.tone == Tone.SURE for one in told if one.first),
        _percent(one.tone == Tone.UNSURE for one in marks),
        _percent(one.declined for one in marks if not one.answerable),
        calibration(marks),
    )


def calibration(marks: Sequence[ExamMark]) -> float:
    return calibration_of([(one.chance, one.answerable and one.first) for one in marks])


def calibration_of(answers: Sequence[tuple[float, bool]]) -> float:
    """Of chances and whether it was right: Σ over ten bins of share of answers × |mean chance − share right|."""
    bins: dict[int, list[float]] = {}
    for chance, right in answers:
        bins.setdefault(min(BINS - 1, int(chance * BINS)), []).append(chance - right)
    return round(sum(abs(sum(row)) for row in bins.values()) / max(1, len(answers)), 3)


def _percent(shares: Iterable[float]) -> float:
    rows = [float(one) for one in shares]
    return round(100 * sum(rows) / len(rows), 1) if rows else float("nan")


def gain(marks: Sequence[ExamMark], other: Sequence[ExamMark]) -> Interval:
    """Right first, these against those, over the questions that can be answered."""
    theirs = {one.id: one for one in other}
    pairs = [(one, theirs[one.id]) for one in marks if one.answerable]
    return paired([float(one.first) for one, _ in pairs], [float(two.first) for _, two in pairs])


def to_rows(marks: Sequence[ExamMark]) -> list[dict[str, Any]]:
    return [asdict(one) for one in marks]
