"""What kind of message it is, and what memory is searched with."""

from __future__ import annotations

import pytest

from pmg.chat.message import Kind, kind_of, query_for


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("What dose does Biscuit get?", Kind.QUESTION),
        ("where did I put the keys", Kind.QUESTION),
        ("Remind me what Dr Marsh said", Kind.QUESTION),
        ("Wann ist die Prüfung", Kind.QUESTION),
        ("淀川の単位は何ですか？", Kind.QUESTION),
        ("I moved to Leipzig. Where did I live before?", Kind.QUESTION),
        ('Did she say "no"?', Kind.QUESTION),
        ("??", Kind.QUESTION),
        ("I moved to Leipzig today.", Kind.TOLD),
        ("My dog is called Rex", Kind.TOLD),
        ("Was great to see you.", Kind.TOLD),
        ("Hi!", Kind.GREETING),
        ("Good morning", Kind.GREETING),
        ("thanks a lot for nothing, the boiler broke again", Kind.TOLD),
        ("Thank you so much!", Kind.GREETING),
        ("Hello, when is my exam?", Kind.QUESTION),
    ],
)
def test_questions_statements_and_greetings_are_told_apart(text: str, kind: Kind) -> None:
    assert kind_of(text) is kind


@pytest.mark.parametrize("text", ["And when was that?", "und wann?", "why?", "What about her?"])
def test_a_short_follow_up_takes_the_message_before_it_along(text: str) -> None:
    assert query_for(text, ["first", "When did Heron 0.8 come out?"]) == f"When did Heron 0.8 come out?\n{text}"


@pytest.mark.parametrize("text", ["When did I move to Leipzig?", "What did Dr Marsch say about running after that?"])
def test_a_question_that_stands_by_itself_is_searched_alone(text: str) -> None:
    assert query_for(text, ["When did Heron 0.8 come out?"]) == text


def test_the_first_message_has_nothing_before_it() -> None:
    assert query_for("why?", []) == "why?"
