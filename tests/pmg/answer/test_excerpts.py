"""What is quoted around a line so that it can be understood."""

from __future__ import annotations

from pmg.answer.excerpts import MAX_EXCERPT, MAX_GROWN, NEXT_BEST, Excerpt, Thread, excerpts, grown, thread_around
from pmg.base.model import Line, Passage, Role
from pmg.base.times import now

AT = now()


def message(index: int, speaker: str, text: str, role: Role = Role.PERSON) -> Passage:
    return Passage(index + 1, f"seg_a_{index}", "a", index, "default", AT, (Line(speaker, role, text),), "", "")


def around(messages: list[Passage], place: int) -> Excerpt:
    by_place = {(one.session_id, one.index): one for one in messages}
    thread = thread_around(messages[place], by_place)
    return next(excerpts(thread, thread.place(messages[place], 0), 1.0))


def test_a_short_message_takes_the_messages_around_it_along() -> None:
    talk = [message(0, "Ana", "When do you come?"), message(1, "Ben", "23rd"), message(2, "Ana", "Good")]
    found = around(talk, 1)
    assert [piece.text for piece in found.pieces] == [
        "When do you come?",
        "23rd",
        "Good",
    ] and found.anchor.text == "23rd"
    assert found.text == "Ana: When do you come?\nBen: 23rd\nAna: Good"


def test_an_excerpt_has_room_for_so_much_and_leaves_no_gap() -> None:
    talk = [
        message(0, "Ana", "far"),
        message(1, "Ana", "x" * MAX_EXCERPT),
        message(2, "Ben", "here"),
        message(3, "Ana", "after"),
    ]
    assert [piece.text for piece in around(talk, 2).pieces] == ["here", "after"]


def test_a_turn_that_is_not_known_ends_the_thread() -> None:
    talk = [message(0, "Ana", "before"), message(2, "Ben", "here")]
    assert [piece.text for piece in around(talk, 1).pieces] == ["here"]


def test_a_long_line_is_quoted_from_the_sentence_that_answers() -> None:
    text = (
        "First something else entirely here. " * 12
        + "The boiler pressure should be 1.5 bar. Check it in October. "
        + "And more. " * 60
    )
    long = message(0, "Ana", text)
    found = [e for e in excerpts(Thread(((long, 0),)), 0, 1.0) if e.anchor.text.startswith("The boiler")]
    assert found[0].text.startswith("Ana: The boiler pressure should be 1.5 bar. Check it in October.")
    assert all(len(one.pieces[0].text) <= MAX_EXCERPT for one in found)


def test_thinking_tools_and_our_own_answers_never_come_along() -> None:
    talk = [
        message(0, "A", "hm", Role.THINKING),
        message(1, "Ben", "here it is"),
        message(2, "Assistant", "From your memory:", Role.ASSISTANT),
    ]
    assert [piece.text for piece in around(talk, 1).pieces] == ["here it is"]


def test_excerpts_of_the_same_words_overlap() -> None:
    talk = [message(0, "Ana", "one two"), message(1, "Ben", "three four"), message(9, "Ana", "far away")]
    assert around(talk, 0).overlaps(around(talk, 1)) and not around(talk, 0).overlaps(around(talk, 2))


def talk_of(*lengths: int) -> list[Passage]:
    return [message(i, "Ana", f"{i}" * length) for i, length in enumerate(lengths)]


def turns(excerpt: Excerpt) -> list[int]:
    return [piece.passage.index for piece in excerpt.pieces]


def test_a_passage_grows_by_the_next_best_that_overlaps_it_and_keeps_its_anchor() -> None:
    talk = talk_of(100, 200, 100, 200, 100)
    first, second = around(talk, 1), around(talk, 3)
    assert (turns(first), turns(second)) == ([0, 1], [2, 3])
    middle = around(talk, 2)  # of turns 1 and 2 both
    (longer, other) = grown([first, second], [first, second, around(talk, 0)])
    assert longer == first and other == second  # nothing new in it
    (longer,) = grown([first], [first, middle])
    assert turns(longer) == [0, 1, 2] and longer.anchor == first.anchor
    assert grown([first, second], [first, second, middle]) == [first, second]  # it belongs to both: neither grows


def test_a_passage_grows_only_so_far_and_only_by_the_best() -> None:
    talk = talk_of(100, 200, 100, 310)
    first, last = around(talk, 1), around(talk, 3)
    wide = Excerpt((*first.pieces, *last.pieces), last.anchor, 1.0)
    assert sum(len(piece.text) for piece in wide.pieces) > MAX_GROWN and grown([first], [first, wide]) == [first]
    middle = around(talk, 2)
    assert middle.overlaps(first) and turns(grown([first], [first, middle])[0]) != turns(first)
    assert grown([first], [first] * NEXT_BEST + [middle]) == [first]
