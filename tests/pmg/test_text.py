"""Text goes into a database and back without loss, and cannot act on a terminal."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pmg.base.text import escape, printable, tokens, unescape

law = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
any_text = st.text(st.characters(codec=None) | st.sampled_from("\ud800\udfff\U0010ffff!\x00\x1b0123abcd"))


@law
@given(any_text)
def test_any_string_comes_back_from_its_escaped_form(text: str) -> None:
    assert unescape(escape(text)) == text


@law
@given(any_text)
def test_the_escaped_form_is_valid_unicode(text: str) -> None:
    assert escape(text).encode("utf-8").decode("utf-8") == escape(text)


def test_ordinary_text_is_not_changed() -> None:
    assert escape("naïve 猫 🐈 \x00") == "naïve 猫 🐈 \x00"


@law
@given(any_text)
def test_printable_text_has_no_control_characters(text: str) -> None:
    shown = printable(text)
    assert not [c for c in shown if ord(c) < 32 and c not in "\n\t"]
    assert not [c for c in shown if 0x7F <= ord(c) < 0xA0 or 0xD800 <= ord(c) <= 0xDFFF]


def test_terminal_escapes_become_visible_and_emoji_stay() -> None:
    assert printable("\x1b[2J\u009b") == "\\x1b[2J\\x9b"
    assert printable("👩‍🚀 ok\n\tنعم") == "👩‍🚀 ok\n\tنعم"
    assert printable("a\u202eb") == "a\\u202eb"  # a right-to-left override could hide what is said


def test_tokens_are_bytes_over_four_rounded_up() -> None:
    assert [tokens(text) for text in ("", "a", "abcd", "abcde", "猫猫", "\ud800")] == [0, 1, 1, 2, 2, 1]
