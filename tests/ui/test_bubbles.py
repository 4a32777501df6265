"""A chat as HTML: whatever was stored shows as text, and every source is a button."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from pmg.chat import sessions
from pmg.chat.history import ChatBubble
from pmg.chat.responder import Quote, Used
from pmg.engine import Engine
from pmg.model import Role
from pmg.ui.chat import bubbles

AT = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)
HOSTILE = '<script>x</script><img src="//evil.example"> ![p](//evil.example) [l](javascript:x) \x1b[31m "quoted"'


def shown(role: Role, **parts: object) -> str:
    return bubbles.bubble(ChatBubble(HOSTILE, role, HOSTILE, AT, **parts), {})  # type: ignore[arg-type]


@pytest.mark.parametrize("role", list(Role))
def test_stored_text_is_text_whoever_said_it(role: Role) -> None:
    html = shown(role)
    assert "<script" not in html and "<img" not in html and "href" not in html and "\x1b" not in html
    assert "&lt;script&gt;" in html


def test_a_quote_is_text_with_who_and_when() -> None:
    html = bubbles.quotes([Quote("seg_a_0", 0, 0, 5, HOSTILE, HOSTILE, AT, HOSTILE)])
    assert "<script" not in html and "<img" not in html
    assert "Sun 15 Nov 2026" in html


def test_a_forgotten_quote_is_mentioned() -> None:
    assert "1 quoted memory was forgotten since" in bubbles.quotes((), 1)
    assert "2 quoted memories were" in bubbles.quotes((), 2)


def test_a_chip_opens_its_memory_and_says_date_and_role(engine: Engine) -> None:
    with engine.session("t") as session:
        name = session.add(user=HOSTILE, assistant="a", at=AT)
    html = bubbles.chips([Used(name, "lateral"), Used("seg_gone_0", "entry")], {name: engine.segment(name)})
    assert html.count("<button") == 1 and f'data-pick="{name}"' in html
    assert "Sun 15 Nov 2026" in html and "<i>lateral</i>" in html
    assert "<script" not in html and "<img" not in html


def test_many_chips_fold(engine: Engine) -> None:
    with engine.session("t") as session:
        names = [session.add(user=f"turn {i}", assistant="a") for i in range(9)]
    html = bubbles.chips([Used(name, "entry") for name in names], {name: engine.segment(name) for name in names})
    assert html.count("<button") == 9 and "<summary>3 more</summary>" in html


def test_no_chips_are_drawn_where_nothing_was_used() -> None:
    assert bubbles.chips((), {}) == ""


def test_the_list_marks_the_chat_that_is_open_and_shows_titles_as_text(engine: Engine) -> None:
    engine.session(HOSTILE, session_id="hostile").add(user="hi", assistant="ho")
    html = bubbles.session_list(sessions.listed(engine, "default"), "hostile", date(2026, 11, 15))
    assert 'data-pick="hostile" aria-current="true"' in html and "<script" not in html and "1 turn<" in html


def test_an_empty_list_says_so() -> None:
    assert "No chats here yet" in bubbles.session_list(sessions.SessionList((), 0), "", date(2026, 11, 15))


def test_a_question_to_try_is_safe_in_its_button() -> None:
    html = bubbles.beginning(['Why "now"? <b>'])
    assert 'data-pick="ask:Why &quot;now&quot;? &lt;b&gt;"' in html


def test_an_answer_that_is_awaited_says_so_to_screen_readers() -> None:
    html = bubbles.bubble(ChatBubble("Assistant", Role.ASSISTANT, "", AT), {}, waiting=True)
    assert 'role="status"' in html and "aria-label" in html
