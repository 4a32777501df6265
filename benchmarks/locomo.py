"""LoCoMo: ten long conversations between two people, with questions and the turns that answer them.

Knows: the file's fields and its traps: evidence ids written in five ways, dates without sessions, questions without evidence,
and the audit that lists wrong labels.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.cases import (
    AUDITED,
    RAW,
    BenchQuestion,
    Case,
    Dataset,
    Gold,
    LineRef,
    data_file,
    read_json,
    session_name,
)
from pmg.base.errors import InputError
from pmg.base.model import Line, Role, Turn, segment_id
from pmg.importers.reading.times import parse_time
from pmg.ingest.turns import SessionInput

AUDIT_FILE = "locomo-audit-errors.json"
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "inference", 4: "single-hop", 5: "adversarial"}
HEADLINE = ("multi-hop", "temporal", "inference", "single-hop")
# "D8:6; D9:17", "D:11:26", "D30:05" and "D9:1 D4:4 D4:6" all occur; a bare "D" names nothing.
_EVIDENCE = re.compile(r"D:?\s*(\d+)\s*:\s*(\d+)")
_SESSION = re.compile(r"session_(\d+)")
_UNDATED = datetime(
    2000, 1, 1, tzinfo=UTC
)  # fixed, so that a file without dates still gives the same memory every time
AUDIT_RULE = "the audit's correct_evidence stands in place of a label it calls wrong; a question it gives no evidence for is left out"

Audit = Mapping[str, tuple[str, tuple[str, ...]]]  # question id → the question, its right evidence


@dataclass(frozen=True, slots=True)
class Talk:
    """One conversation as the engine will see it, and which line each turn of the file became."""

    sessions: tuple[SessionInput, ...]
    lines: Mapping[str, LineRef]
    session_of: Mapping[str, str]  # segment id → session


def load(path: Path, audit: Path | None = None) -> Dataset:
    """The file (or the folder that holds it), with the audit from `audit` or from beside it."""
    # The audit's name begins with "locomo" too: the data's goes on with a number or ends there.
    file = data_file(path, ("locomo.json", "locomo.json.gz", "locomo[0-9]*.json", "locomo[0-9]*.json.gz"))
    beside = file.parent / AUDIT_FILE
    wrong = read_audit(audit or beside) if audit or beside.is_file() else None
    skipped: Counter[str] = Counter()
    cases = [_case(number, row, wrong, skipped) for number, row in enumerate(read_json(file))]
    notes = {RAW: "labels as published"} | ({AUDITED: AUDIT_RULE} if wrong is not None else {})
    return Dataset("locomo", cases, HEADLINE, "categories 1–4", True, skipped, notes)


def read_audit(file: Path) -> Audit:
    return {
        str(row["question_id"]): (str(row["question"]), tuple(evidence_ids(row.get("correct_evidence"))))
        for row in read_json(file)
    }


def evidence_ids(value: object) -> list[str]:
    """Every turn id in an evidence field, normalised to D<session>:<turn>, each once, in order."""
    written = value if isinstance(value, list) else [value] if isinstance(value, str) else []
    found = [f"D{int(session)}:{int(turn)}" for text in written for session, turn in _EVIDENCE.findall(str(text))]
    return list(dict.fromkeys(found))


def _case(number: int, row: Mapping[str, Any], audit: Audit | None, skipped: Counter[str]) -> Case:
    talk = read_talk(row.get("conversation"), skipped)
    asked = row.get("qa") or []
    found = (_question(f"locomo_{number}_qa{i}", q, talk, audit, skipped) for i, q in enumerate(asked))
    return Case(f"locomo_{number}", talk.sessions, [question for question in found if question is not None])


def read_talk(conversation: object, skipped: Counter[str]) -> Talk:
    if not isinstance(conversation, dict):
        raise InputError("This LoCoMo file has an entry without a conversation: it is not the published file.")
    numbers = sorted(
        int(m[1]) for key, v in conversation.items() if isinstance(v, list) and (m := _SESSION.fullmatch(key))
    )
    dates = {key.removesuffix("_date_time") for key in conversation if key.endswith("_date_time")}
    skipped["dates without a session"] += len(dates - {f"session_{n}" for n in numbers})
    sessions: list[SessionInput] = []
    lines: dict[str, LineRef] = {}
    session_of: dict[str, str] = {}
    last = _UNDATED
    for number in numbers:
        turns = list(_turns(number, conversation[f"session_{number}"]))
        if not turns:
            skipped["sessions without words"] += 1
            continue
        name = session_name(len(sessions) + 1)
        last = parse_time(conversation.get(f"session_{number}_date_time")) or last + timedelta(days=1)
        for place, (dia, _) in enumerate(turns):
            lines[dia] = LineRef(segment_id(name, place), 0)
            session_of[segment_id(name, place)] = name
        sessions.append(SessionInput([turn for _, turn in turns], source="benchmark", started_at=last, id=name))
    return Talk(tuple(sessions), lines, session_of)


def _turns(session: int, rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Turn]]:
    """What each utterance is called in the evidence, and the utterance. A shared picture is known by its caption."""
    for place, row in enumerate(rows, 1):
        said, caption = str(row.get("text") or "").strip(), str(row.get("blip_caption") or "").strip()
        text = " ".join(part for part in (said, f"[image: {caption}]" if caption else "") if part)
        if text:
            name = evidence_ids(row.get("dia_id")) or [f"D{session}:{place}"]
            yield name[0], Turn((Line(str(row.get("speaker") or "Unknown"), Role.PERSON, text),))


def _question(
    name: str, row: Mapping[str, Any], talk: Talk, audit: Audit | None, skipped: Counter[str]
) -> BenchQuestion | None:
    text = str(row.get("question") or "").strip()
    raw = _gold(evidence_ids(row.get("evidence")), talk, skipped)
    labels = {RAW: raw} if raw else {}
    if audit is not None:
        right = _gold(_audited(name, text, row, audit), talk, Counter())
        labels |= {AUDITED: right} if right else {}
    if not labels or not text:
        skipped["questions without evidence"] += 1
        return None
    # The file does not say when a question is asked: after the last session, so that every run asks at the same moment.
    asked = talk.sessions[-1].started_at if talk.sessions else None
    category = CATEGORIES.get(row.get("category", 0), "other")
    return BenchQuestion(name, text, category, labels, asked, str(row.get("answer", "")))


def _audited(name: str, text: str, row: Mapping[str, Any], audit: Audit) -> Sequence[str]:
    entry = audit.get(name)
    if entry is None:
        return evidence_ids(row.get("evidence"))
    if entry[0].strip() != text:
        raise InputError(
            f"The audit's {name} asks {entry[0]!r}, the file's {text!r}: the audit belongs to another file."
        )
    return entry[1]


def _gold(ids: Sequence[str], talk: Talk, skipped: Counter[str]) -> Gold | None:
    """Evidence that names no turn cannot be found by anybody: it is left out and counted."""
    lines = [talk.lines[name] for name in ids if name in talk.lines]
    skipped["evidence that names no turn"] += len(ids) - len(lines)
    return Gold(frozenset(lines), frozenset(talk.session_of[ref.segment] for ref in lines)) if lines else None
