"""The sample memory is complete, in order, and exactly what its sources say.

Knows: the promises data/README.md makes. Does not know: how the memory is ingested or recalled.
"""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from zoneinfo import ZoneInfo

import pytest

from pmg.ingest.guard.compare import differences

DATA = Path(__file__).resolve().parent.parent / "data"
FILES = ("sample.jsonl", "sample_questions.jsonl", "sample_pairs.jsonl")
MOVED = datetime.fromisoformat("2026-03-28T00:00:00+01:00")
Place = tuple[str, int]


@dataclass(frozen=True)
class Sitting:
    head: dict[str, str]
    turns: list[dict[str, object]]


def read(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def sittings_of(rows: list[dict[str, object]]) -> list[Sitting]:
    found: list[Sitting] = []
    for row in rows:
        if "session" in row:
            found.append(Sitting({key: str(value) for key, value in row.items()}, []))
        else:
            found[-1].turns.append(row)
    return found


@pytest.fixture(scope="module")
def sittings() -> list[Sitting]:
    return sittings_of(read("sample.jsonl"))


@pytest.fixture(scope="module")
def turns(sittings: list[Sitting]) -> dict[Place, dict[str, object]]:
    return {(one.head["session"], i): turn for one in sittings for i, turn in enumerate(one.turns)}


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_sample", DATA / "make_sample.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_sample"] = module  # dataclasses look their module up by name
    spec.loader.exec_module(module)
    return module


def lines_of(turn: dict[str, object]) -> list[dict[str, str]]:
    lines = turn["lines"]
    assert isinstance(lines, list)
    return lines


def text_of(turn: dict[str, object]) -> str:
    return "\n".join(f"{line['speaker']}: {line['text']}" for line in lines_of(turn))


def places_in(value: object) -> list[Place]:
    assert isinstance(value, list)
    return [(str(session), int(index)) for session, index in value]


def time_of(turn: dict[str, object]) -> datetime:
    return datetime.fromisoformat(str(turn["at"]))


def test_the_sample_holds_a_year_of_many_sessions_and_turns(sittings: list[Sitting]) -> None:
    assert len(sittings) >= 64
    assert sum(len(one.turns) for one in sittings) >= 640
    assert time_of(sittings[-1].turns[-1]) - time_of(sittings[0].turns[0]) >= timedelta(days=360)


def test_the_readme_states_the_true_counts(sittings: list[Sitting]) -> None:
    readme = (DATA / "README.md").read_text(encoding="utf-8")
    assert f"{len(sittings)} sessions, {sum(len(one.turns) for one in sittings)} turns" in readme
    assert f"{len(read('sample_questions.jsonl'))} questions" in readme
    assert f"{len(read('sample_pairs.jsonl'))} pairs" in readme


def test_regenerating_gives_the_committed_bytes(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(DATA / "make_sample.py"), "--out", str(tmp_path)], check=True)
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (DATA / name).read_bytes(), f"{name}: run data/make_sample.py"


def test_the_files_are_readable_utf8_without_escapes() -> None:
    for name in FILES:
        raw = (DATA / name).read_bytes()
        assert raw.endswith(b"\n") and b"\r" not in raw
        assert re.search(rb"\\u[0-9a-f]{4}", raw) is None


def test_every_session_line_has_the_promised_fields(sittings: list[Sitting]) -> None:
    for one in sittings:
        assert list(one.head) == ["session", "conversation", "title", "source", "started_at"]
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", one.head["session"])
        assert one.head["source"] in {"chat", "messages"}
        assert one.head["title"] and len(one.turns) >= 2
    assert len({one.head["session"] for one in sittings}) == len(sittings)


def test_a_chat_turn_is_question_and_answer_and_a_message_is_one_line(sittings: list[Sitting]) -> None:
    for one in sittings:
        for turn in one.turns:
            assert list(turn) == ["at", "lines"]
            roles = [line["role"] for line in lines_of(turn)]
            assert roles == (["user", "assistant"] if one.head["source"] == "chat" else ["person"])
            assert all(line["speaker"] and line["text"].strip() == line["text"] != "" for line in lines_of(turn))


def test_sessions_and_turns_stand_in_order_of_time_and_do_not_overlap(sittings: list[Sitting]) -> None:
    times = [time_of(turn) for one in sittings for turn in one.turns]
    assert all(earlier < later for earlier, later in pairwise(times))
    assert all(one.turns[0]["at"] == one.head["started_at"] for one in sittings)


def test_offsets_are_those_of_the_place_on_that_day(sittings: list[Sitting]) -> None:
    abroad = {"flat-viewing", "lena-flat-news"}  # in Leipzig for a week before the move
    for one in sittings:
        for turn in one.turns:
            at = time_of(turn)
            there = at >= MOVED or one.head["session"] in abroad
            zone = ZoneInfo("Europe/Berlin" if there else "Europe/London")
            assert at.utcoffset() == at.astimezone(zone).utcoffset(), one.head["session"]


def test_sessions_are_short_and_long_and_so_are_the_answers(sittings: list[Sitting]) -> None:
    lengths = Counter(len(one.turns) for one in sittings)
    assert lengths[2] >= 5
    assert sum(count for length, count in lengths.items() if 10 <= length <= 20) >= 10
    words = [len(line["text"].split()) for one in sittings for turn in one.turns for line in lines_of(turn)]
    assert sum(300 <= count <= 600 for count in words) >= 3
    assert sum(count <= 3 for count in words) >= 15  # "yes, that one": turns that mean nothing without their neighbours


def test_several_partners_and_groups_talk_to_the_owner(sittings: list[Sitting]) -> None:
    speakers: dict[str, set[str]] = {}
    for one in sittings:
        if one.head["source"] == "messages":
            found = {line["speaker"] for turn in one.turns for line in lines_of(turn)}
            speakers[one.head["conversation"]] = speakers.get(one.head["conversation"], set()) | found
    assert all("Mara" in found for found in speakers.values())
    assert sum(len(found) == 2 for found in speakers.values()) >= 3
    assert sum(len(found) > 2 for found in speakers.values()) >= 1


def test_other_scripts_and_code_are_in_it(turns: dict[Place, dict[str, object]]) -> None:
    texts = [text_of(turn) for turn in turns.values()]
    assert sum("ß" in text or " nicht " in text for text in texts) >= 10
    assert sum(re.search(r"[\u3040-\u30ff]", text) is not None for text in texts) >= 2
    assert sum("```python" in text for text in texts) >= 4
    assert sum("```sql" in text for text in texts) >= 3


def test_python_in_the_answers_compiles(turns: dict[Place, dict[str, object]]) -> None:
    for place, turn in turns.items():
        for code in re.findall(r"```python\n(.*?)```", text_of(turn), flags=re.DOTALL):
            compile(code, str(place), "exec")


def test_no_text_is_said_twice_word_for_word(turns: dict[Place, dict[str, object]]) -> None:
    long = Counter(text_of(turn) for turn in turns.values() if len(text_of(turn).split()) > 8)
    assert [text for text, count in long.items() if count > 1] == []


def test_every_question_names_evidence_that_exists(turns: dict[Place, dict[str, object]]) -> None:
    rows = read("sample_questions.jsonl")
    assert len(rows) >= 40
    assert {row["kind"] for row in rows} == {"single", "multi", "temporal", "update", "person", "non-english"}
    assert len({row["question"] for row in rows}) == len(rows)
    for row in rows:
        expect = places_in(row["expect"])
        assert expect and len(set(expect)) == len(expect)
        assert all(place in turns for place in expect), row["question"]


def test_a_multi_question_needs_more_than_one_turn() -> None:
    for row in read("sample_questions.jsonl"):
        if row["kind"] == "multi":
            assert len(places_in(row["expect"])) >= 2, row["question"]


def test_the_intended_pairs_are_there(turns: dict[Place, dict[str, object]]) -> None:
    rows = read("sample_pairs.jsonl")
    kinds = Counter(str(row["kind"]) for row in rows)
    assert kinds["near-duplicate"] >= 10 and kinds["contradiction"] >= 8 and kinds["look-alike"] >= 5
    assert set(kinds) == {"near-duplicate", "contradiction", "look-alike"}
    for row in rows:
        a, b = places_in([row["a"], row["b"]])
        assert time_of(turns[a]) < time_of(turns[b]), (a, b)
        assert text_of(turns[a]) != text_of(turns[b])


def test_the_guard_merges_no_contradiction_and_no_look_alike(turns: dict[Place, dict[str, object]]) -> None:
    for row in read("sample_pairs.jsonl"):
        if row["kind"] != "near-duplicate":
            a, b = places_in([row["a"], row["b"]])
            assert differences(text_of(turns[a]), text_of(turns[b])), (a, b)


def test_near_duplicates_share_words_across_sessions(turns: dict[Place, dict[str, object]]) -> None:
    for row in read("sample_pairs.jsonl"):
        if row["kind"] == "near-duplicate":
            a, b = places_in([row["a"], row["b"]])
            assert a[0] != b[0]
            mine, other = (set(re.findall(r"\w+", text_of(turns[place]).casefold())) for place in (a, b))
            assert len(mine & other) / min(len(mine), len(other)) >= 0.25, (a, b)


@pytest.mark.parametrize(
    ("first", "second"),
    [("Anna Berg", "Anne Berger"), ("Jonas", "Jonah"), ("Heron", "Herring"), ("Dr Marsh", "Dr Marsch")],
)
def test_look_alike_names_both_occur_often(first: str, second: str, turns: dict[Place, dict[str, object]]) -> None:
    texts = [text_of(turn) for turn in turns.values()]
    for name in (first, second):
        assert sum(re.search(rf"\b{name}\b", text) is not None for text in texts) >= 4, name


def test_nothing_looks_like_a_secret_or_a_phone_number() -> None:
    text = (DATA / "sample.jsonl").read_text(encoding="utf-8")
    assert re.search(r"\+\d{2} ?\d{3,}|\b0\d{3,4}[ /-]\d{5,}", text) is None
    assert re.search(r"\b(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{20,}\b", text, re.IGNORECASE) is None
    assert "@gmail" not in text and "http" not in text


def test_a_source_that_breaks_the_notation_is_refused_with_the_mend(script: ModuleType) -> None:
    header = "=== one | t | chat | 2026-01-01T10:00:00+00:00 | T\n"
    with pytest.raises(script.SourceError, match="a chat goes M> A>"):
        list(script.parse_sessions(header + "M> hello\nM> again\n", "x.txt"))
    with pytest.raises(script.SourceError, match="write slug"):
        list(script.parse_sessions("=== one | two\nM> a\nA> b\n", "x.txt"))
    with pytest.raises(script.SourceError, match="#:nowhere"):
        script.place("nowhere", {})
