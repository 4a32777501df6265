"""How good the chat's answers are without a language model: what they quote, how sure they are, and how often they are wrong while sure.

Knows: the questions of the sample, of LoCoMo and of LongMemEval, and the figures of an answer. Does not know: how an answer is made (pmg/chat) or
how the figures are printed (benchmarks/commands/answers.py). The floor, in the same run, is the first line of recall.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks import locomo, longmemeval
from benchmarks.cases import AUDITED, RAW, BenchQuestion, Case, Gold, LineRef, read_json
from benchmarks.metrics import mean
from benchmarks.run import memory
from pmg import sample
from pmg.answer.evidence import Quote, QuoteKind, Tone
from pmg.base.model import Line, Role, Turn, segment_id
from pmg.base.progress import Progress, silent
from pmg.base.words import STOP_WORDS
from pmg.chat.extractive import Extractive
from pmg.chat.quoted_passages import passages
from pmg.chat.responder import ChatAnswer
from pmg.chat.turn import ChatTarget, requested
from pmg.embed.embedder import Embedder
from pmg.engine import Engine
from pmg.index.terms import document_terms
from pmg.ingest.turns import SessionInput

UNANSWERABLE = frozenset(("adversarial", "nothing"))
SAMPLE_ASKED = datetime.fromisoformat("2026-11-15T12:00:00+00:00")  # two days after the sample's last session
NAMESPACE = "default"
TOLD_AT = (datetime(2025, 2, 10, 9, tzinfo=UTC), datetime(2025, 10, 10, 9, tzinfo=UTC))  # of the two of a pair


@dataclass(frozen=True, slots=True)
class AnswerQuestion:
    """A question with the words of its answer (empty where they are not known) and the group its figures are told in."""

    asked: BenchQuestion
    group: str
    answer: str
    whole_turns: bool  # any line of an expected turn counts; else the very line


@dataclass(frozen=True, slots=True)
class AnswerCase:
    case: Case
    questions: tuple[AnswerQuestion, ...]


@dataclass(frozen=True, slots=True)
class AnswerResult:
    """What one answer reached. Words are shares of the gold answer's words; floor figures are those of recall's first line."""

    group: str
    tone: str
    answerable: bool
    quoted: bool
    first: bool
    anchored: bool  # the very line that answers is quoted as the answer, not only shown around another
    words_first: float
    words_all: float
    length: int
    floor: bool
    floor_words: float
    floor_length: int


@dataclass(frozen=True, slots=True)
class AnswerFigures:
    """Of one group, in shares of its questions."""

    group: str
    questions: int
    quoted: float
    first: float
    anchored: float
    words_first: float
    words_all: float
    length: float
    sure: float
    wrong_while_sure: float
    right_if_sure: float  # of the sure answers
    denied: float
    floor: float
    floor_words: float
    floor_length: float


# the questions


def sample_cases(more: Path | None = None) -> list[AnswerCase]:
    """The sample memory with its own questions and, from a checkout, those written later, by part."""
    found = [_sample_question(q.question, q.expect, q.kind, "sample") for q in sample.questions()]
    for row in _rows(more):
        expect = tuple(f"seg_{session}_{turn}" for session, turn in row["expect"])
        group = f"sample, {row['part']}" + ("" if expect else ", nothing to find")
        found.append(_sample_question(row["question"], expect, row["kind"], group))
    return [AnswerCase(Case("sample", sample.sessions(), [q.asked for q in found]), tuple(found))]


def told_twice_cases(file: Path) -> list[AnswerCase]:
    """The sample memory and, in it, pairs of an earlier and a later memory; a question about each pair, and which of the two answers it."""
    sessions, questions = list(sample.sessions()), []
    for place, row in enumerate(_rows(file)):
        name = f"twice-{place}"
        sessions += [
            _note(f"{name}-{which}", row[which], at) for which, at in zip(("old", "new"), TOLD_AT, strict=True)
        ]
        group = f"told twice, part {row['part']}, {row['kind']}"
        right = (segment_id(f"{name}-{row['right']}", 0),)
        questions.append(_sample_question(row["question"], right, row["kind"], group))
    return [AnswerCase(Case("told twice", sessions, [q.asked for q in questions]), tuple(questions))]


def _note(session: str, text: str, at: datetime) -> SessionInput:
    lines = (Line("User", Role.USER, text), Line("Assistant", Role.ASSISTANT, "Noted."))
    return SessionInput([Turn(lines, at)], started_at=at, id=session)


def _rows(file: Path | None) -> list[dict[str, Any]]:
    if file is None or not file.is_file():
        return []
    return [json.loads(row) for row in file.read_text(encoding="utf-8").split("\n") if row]


def _sample_question(text: str, expect: Iterable[str], kind: str, group: str) -> AnswerQuestion:
    gold = Gold(frozenset(LineRef(name, 0) for name in expect), frozenset())
    category = kind if gold.lines else "nothing"
    return AnswerQuestion(BenchQuestion(text, text, category, {RAW: gold}, SAMPLE_ASKED), group, "", True)


def locomo_cases(path: Path) -> list[AnswerCase]:
    """Categories 1, 2 and 4 can be answered by a quote, 5 must not be; 3 asks for conclusions and is left out."""
    dataset = locomo.load(path)
    file = path if path.is_file() else next(path.glob("locomo[0-9]*.json*"))
    answers = {
        f"locomo_{i}_qa{j}": str(row.get("answer") or "")
        for i, talk in enumerate(read_json(file))
        for j, row in enumerate(talk.get("qa") or ())
    }
    return [AnswerCase(case, tuple(_locomo_questions(case, answers))) for case in dataset.cases]


def _locomo_questions(case: Case, answers: Mapping[str, str]) -> Iterable[AnswerQuestion]:
    for question in case.questions:
        if question.category != "inference":
            yield AnswerQuestion(question, f"LoCoMo {question.category}", answers.get(question.id, ""), False)


def longmemeval_cases(path: Path) -> list[AnswerCase]:
    dataset = longmemeval.load(path)
    return [
        AnswerCase(
            case, tuple(AnswerQuestion(q, "LongMemEval", "", False) for q in case.questions if q.labels[RAW].lines)
        )
        for case in dataset.cases
    ]


# the run


def run(cases: Sequence[AnswerCase], embedder: Embedder, progress: Progress = silent) -> list[AnswerResult]:
    """Every question in a chat of its own, through the same path as the page."""
    total = sum(len(one.questions) for one in cases)
    results: list[AnswerResult] = []
    for one in cases:
        with memory(one.case, embedder, Counter()) as engine:
            for question in one.questions:
                progress("asking questions", len(results), total)
                results.append(asked(engine, question))
    progress("asking questions", total, total)
    return results


def asked(engine: Engine, question: AnswerQuestion) -> AnswerResult:
    request = requested(engine, ChatTarget(NAMESPACE), question.asked.text, None, question.asked.at)
    *_, answer = Extractive(engine).answer(request)
    gold = gold_of(question)
    answerable = question.asked.category not in UNANSWERABLE
    line = request.recalled.lines[0] if request.recalled and request.recalled.lines else None
    said = engine.segment(line.segment).lines[line.line].text if line is not None else ""
    floor = line is not None and hit(question, gold, LineRef(line.segment, line.line))
    return measured(question, answer, gold, answerable, floor and answerable, said)


def gold_of(question: AnswerQuestion) -> frozenset[LineRef]:
    labels = question.asked.labels
    return labels[AUDITED if AUDITED in labels else RAW].lines


def hit(question: AnswerQuestion, gold: frozenset[LineRef], place: LineRef) -> bool:
    return place.segment in {ref.segment for ref in gold} if question.whole_turns else place in gold


def measured(
    question: AnswerQuestion, answer: ChatAnswer, gold: frozenset[LineRef], answerable: bool, floor: bool, said: str
) -> AnswerResult:
    first = first_passage(answer.quotes)
    right = [hit(question, gold, LineRef(q.segment, q.line)) and answerable for q in answer.quotes]
    as_answer = [ok for ok, quote in zip(right, answer.quotes, strict=True) if quote.kind is QuoteKind.ANSWER]
    return AnswerResult(
        group=question.group,
        tone=(answer.tone or Tone.NOTHING).value,
        answerable=answerable,
        quoted=any(right),
        first=any(right[:first]),
        anchored=any(as_answer),
        words_first=words_in(question.answer, [q.text for q in answer.quotes[:first]]),
        words_all=words_in(question.answer, [q.text for q in answer.quotes]),
        length=sum(len(quote.text) for quote in answer.quotes),
        floor=floor,
        floor_words=words_in(question.answer, [said]),
        floor_length=len(said),
    )


def first_passage(quotes: Sequence[Quote]) -> int:
    """How many quotes the first passage has."""
    found = passages(quotes)
    return len(found[0]) if found else 0


def words_in(answer: str, quotes: Sequence[str]) -> float:
    wanted = set(document_terms(answer)) - STOP_WORDS
    there = {term for quote in quotes for term in document_terms(quote)}
    return len(wanted & there) / len(wanted) if wanted else float("nan")


# the figures


def figures(results: Sequence[AnswerResult]) -> list[AnswerFigures]:
    groups = dict.fromkeys(result.group for result in results)
    return [_figures(group, [r for r in results if r.group == group]) for group in groups]


def _figures(group: str, rows: Sequence[AnswerResult]) -> AnswerFigures:
    sure = [row for row in rows if row.tone == Tone.SURE]
    wrong = [row for row in sure if not row.quoted]
    return AnswerFigures(
        group=group,
        questions=len(rows),
        quoted=mean(row.quoted for row in rows),
        first=mean(row.first for row in rows),
        anchored=mean(row.anchored for row in rows),
        words_first=mean(row.words_first for row in rows),
        words_all=mean(row.words_all for row in rows),
        length=mean(row.length for row in rows),
        sure=len(sure) / len(rows),
        wrong_while_sure=len(wrong) / len(rows),
        right_if_sure=1 - len(wrong) / len(sure) if sure else float("nan"),
        denied=mean(row.tone == Tone.NOTHING for row in rows),
        floor=mean(row.floor for row in rows),
        floor_words=mean(row.floor_words for row in rows),
        floor_length=mean(row.floor_length for row in rows),
    )


def to_dict(results: Sequence[AnswerResult]) -> dict[str, Any]:
    return {"figures": [asdict(one) for one in figures(results)], "answers": [asdict(one) for one in results]}


def limited(cases: Sequence[AnswerCase], most: int | None) -> list[AnswerCase]:
    """The first questions of each memory only, for a quick look."""
    return [replace(one, questions=one.questions[:most]) for one in cases]
