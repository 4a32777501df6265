"""What kind of message it is, and what memory is searched with."""

from __future__ import annotations

import pytest

from pmg.chat.message import MessageKind, kind_of, query_for


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("What dose does Biscuit get?", MessageKind.QUESTION),
        ("where did I put the keys", MessageKind.QUESTION),
        ("Remind me what Dr Marsh said", MessageKind.QUESTION),
        ("Wann ist die Prüfung", MessageKind.QUESTION),
        ("淀川の単位は何ですか？", MessageKind.QUESTION),
        ("I moved to Leipzig. Where did I live before?", MessageKind.QUESTION),
        ('Did she say "no"?', MessageKind.QUESTION),
        ("??", MessageKind.QUESTION),
        ("I moved to Leipzig today.", MessageKind.TOLD),
        ("My dog is called Rex", MessageKind.TOLD),
        ("Was great to see you.", MessageKind.TOLD),
        ("Hi!", MessageKind.GREETING),
        ("Good morning", MessageKind.GREETING),
        ("thanks a lot for nothing, the boiler broke again", MessageKind.TOLD),
        ("Thank you so much!", MessageKind.GREETING),
        ("Hello, when is my exam?", MessageKind.QUESTION),
    ],
)
def test_questions_statements_and_greetings_are_told_apart(text: str, kind: MessageKind) -> None:
    assert kind_of(text) is kind


@pytest.mark.parametrize("text", ["And when was that?", "und wann?", "why?", "What about her?"])
def test_a_short_follow_up_takes_the_message_before_it_along(text: str) -> None:
    assert query_for(text, ["first", "When did Heron 0.8 come out?"]) == f"When did Heron 0.8 come out?\n{text}"


@pytest.mark.parametrize("text", ["When did I move to Leipzig?", "What did Dr Marsch say about running after that?"])
def test_a_question_that_stands_by_itself_is_searched_alone(text: str) -> None:
    assert query_for(text, ["When did Heron 0.8 come out?"]) == text


def test_the_first_message_has_nothing_before_it() -> None:
    assert query_for("why?", []) == "why?"
