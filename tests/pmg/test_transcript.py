"""The two small formats that `pmg remember` reads."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from pmg import sample
from pmg.base.errors import InputError
from pmg.base.model import Role
from pmg.ingest import transcript


def test_names_make_turns_and_lines_without_one_go_on() -> None:
    (session,) = transcript.read("User: what soup?\nmaybe lentil\nAssistant: Yes.\n\nAnn: hello\nBob: hi\n")
    said = [[(line.speaker, line.role, line.text) for line in turn.lines] for turn in session.turns]
    assert said == [
        [("User", Role.USER, "what soup?\nmaybe lentil"), ("Assistant", Role.ASSISTANT, "Yes.")],
        [("Ann", Role.PERSON, "hello")],
        [("Bob", Role.PERSON, "hi")],
    ]


def test_text_without_any_name_is_what_the_user_said() -> None:
    (session,) = transcript.read("just a thought\nand more of it")
    assert session.turns[0].lines[0].text == "just a thought\nand more of it"


def test_characters_that_look_like_line_ends_stay_in_the_text() -> None:
    text = "a\u2028b\x85c\x0bd"
    (plain,) = transcript.read(f"User: {text}\r\nAnn: x")
    assert plain.turns[0].lines[0].text == text
    (lines,) = transcript.read(json.dumps({"user": text}, ensure_ascii=False) + "\r\n")
    assert lines.turns[0].lines[0].text == text


def test_json_lines_hold_sessions_and_turns() -> None:
    rows = [
        {"user": "before any session"},
        {"session": "s1", "title": "T", "started_at": "2026-03-03T12:00"},
        {"at": "2026-03-03T12:00:01+01:00", "lines": [{"speaker": "Ann", "role": "person", "text": "hi"}]},
        {"session": None, "title": None},
        {"user": "u", "assistant": "a"},
    ]
    found = transcript.read("\n\n".join(map(json.dumps, rows)))
    assert [(s.id, s.title, len(s.turns)) for s in found] == [("", "", 1), ("s1", "T", 1), ("", "", 1)]
    assert found[1].turns[0].at is not None


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ('{"user": ', "Line 1 is not JSON"),
        ('{"role": "user", "content": "hi"}', "only 'role', 'content'.*pmg import"),
        ("{}", "only nothing in it"),
        ('{"user": 3}', "user 3: it must be a text"),
        ('{"user": ["a"]}', "it must be a text"),
        ('{"title": {}}', "it must be a text"),
        ('{"lines": [{"speaker": "A", "role": "king", "text": "x"}]}', "a role of user, assistant"),
        ('{"lines": ["x"]}', "each line needs speaker"),
        ('{"lines": null}', "each line needs speaker"),
        ('{"lines": [{"speaker": "A", "role": "user", "text": 7}]}', "text 7: it must be a text"),
        ('{"user": "x", "at": "soon"}', "'soon' is not a time"),
    ],
)
def test_what_cannot_be_read_is_refused_by_line(row: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        transcript.read(row)


def test_a_line_that_is_no_object_is_refused() -> None:
    with pytest.raises(InputError, match="Line 2 is list"):
        transcript.read('{"user": "x"}\n[1]')


def test_the_sample_memory_is_read_whole() -> None:
    sessions = sample.sessions()
    assert len(sessions) >= 60
    assert sum(len(s.turns) for s in sessions) >= 600
    assert sample.questions()


def test_a_time_and_bold_letters_may_stand_around_a_name() -> None:
    (session,) = transcript.read(
        "[2026-05-17 21:30] User: we moved\n[2026-05-17T21:31+02:00] Assistant: good\n2026-05-18 Ann: hello\n**Bob:** hi\n__Cy__: hey\n"
    )
    assert [[(line.speaker, line.text) for line in turn.lines] for turn in session.turns] == [
        [("User", "we moved"), ("Assistant", "good")],
        [("Ann", "hello")],
        [("Bob", "hi")],
        [("Cy", "hey")],
    ]
    times = [turn.at for turn in session.turns]
    assert times[0] is not None and times[0].strftime("%Y-%m-%d %H:%M") == "2026-05-17 21:30"
    assert times[1] is not None and times[1].strftime("%Y-%m-%d") == "2026-05-18" and times[2] is None
    answer = session.turns[0].lines[1].at
    assert answer is not None and answer.isoformat() == "2026-05-17T21:31:00+02:00"


def test_a_time_without_a_zone_is_on_the_clock_of_this_machine(set_clock: Callable[[str], None]) -> None:
    set_clock("America/Los_Angeles")
    (plain,) = transcript.read("[2026-05-17 21:30] Ann: hello\n[2026-12-17 21:30Z] Ann: bye\n")
    (rows,) = transcript.read('{"started_at": "2026-12-17 21:30"}\n{"at": "2026-12-17 21:31", "user": "hi"}\n')
    times = (*(turn.at for turn in plain.turns), rows.started_at, rows.turns[0].at)
    assert [at.isoformat() for at in times if at] == [
        "2026-05-17T21:30:00-07:00",
        "2026-12-17T21:30:00+00:00",
        "2026-12-17T21:30:00-08:00",
        "2026-12-17T21:31:00-08:00",
    ]


def test_a_time_that_is_none_is_told() -> None:
    with pytest.raises(InputError, match="2026-13-40"):
        transcript.read("[2026-13-40 21:30] User: we moved\n")


def test_a_label_of_a_secret_is_no_speaker() -> None:
    word, pin = "Kestrel" + "92!", "48" + "29"
    (notes,) = transcript.read(
        f"Password: {word}\n\n**PIN:** {pin}\n\nAnn: hello\nWifi password:  \n{word}\nBob: my pin is {pin}"
    )
    said = [[(line.speaker, line.text) for line in turn.lines] for turn in notes.turns]
    assert said == [
        [("User", f"Password: {word}\n\n**PIN:** {pin}")],
        [("Ann", f"hello\nWifi password:  \n{word}")],
        [("Bob", f"my pin is {pin}")],
    ]
