"""The fence around what leaves the memory: it cannot be closed from inside, and it is known again when it comes back."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pmg.recall.fence import fence_of, frame, quoted, without_blocks
from tests.growth import LINEAR, growth


@given(st.text(), st.text())
def test_nothing_inside_can_close_the_block(body: str, salt: str) -> None:
    assert fence_of(body, salt) not in body


@given(st.text(alphabet="ab \n<>/memory0"), st.text(min_size=1), st.text(alphabet="xy z"))
def test_a_block_is_taken_out_and_what_stands_around_it_stays(before: str, body: str, after: str) -> None:
    text = f"{before}|{quoted(body, 'salt')}\n{after}"
    assert without_blocks(text) == f"{before}|{after}"


def test_a_block_inside_json_and_with_its_receipt_is_taken_out() -> None:
    block = quoted("User: the cat", "salt") + "\nreceipt rcpt_0123456789ab"
    assert without_blocks(f"so\n{block}\nit is") == "so\nit is"
    assert json.loads(without_blocks(json.dumps({"output": block}))) == {"output": ""}


def test_a_block_with_escaped_angles_is_taken_out_with_the_mark_around_it() -> None:
    """So Gemini CLI writes down what a hook gave it; programs in Go escape the angles of JSON in their own way."""
    escaped = quoted("User: 1 < 2", "salt").replace("<", "&lt;").replace(">", "&gt;")
    assert without_blocks(f"what is it?<hook_context>{escaped}</hook_context>") == "what is it?"
    assert without_blocks(f"<hook_context>mine</hook_context>{escaped}") == "<hook_context>mine</hook_context>"
    go = json.dumps({"output": quoted("User: the cat", "salt")}).replace("<", "\\u003c").replace(">", "\\u003e")
    assert json.loads(without_blocks(go)) == {"output": ""}


def test_what_only_looks_like_a_block_stays() -> None:
    for text in ("<memory 0123456789ab>\nmine\n</memory 0123456789ab>", "<memory x>", quoted("a", "s")[:-3]):
        assert without_blocks(text) == text


def test_a_block_in_our_shape_but_without_our_token_stays() -> None:
    """Text by others, and what stands around it, is theirs to tell."""
    for fence in ("0123456789ab", "ffffffffffff", fence_of("mine", "salt")[::-1]):
        text = f"{frame(fence, 'mine')}\nreceipt rcpt_0123456789ab"
        assert without_blocks(text) == text
    inside = f"a\n{quoted('mine', 'salt')}\nb"
    assert without_blocks(frame("0123456789ab", inside)) == frame("0123456789ab", "a\nb")


def test_of_two_blocks_each_is_taken_out_by_its_own_end() -> None:
    one, two = quoted("the cat", "salt"), quoted("the dog", "salt")
    assert without_blocks(f"a\n{one}\nb\n{two}\nc") == "a\nb\nc"
    assert without_blocks(f"a\n{one[:-1]}\nb\n{two}\nc") == f"a\n{one[:-1]}\nb\nc"


OPENING = quoted("the cat", "salt").removesuffix(quoted("the cat", "salt").split("\n")[-1])


@pytest.mark.parametrize(
    "text",
    [lambda n: OPENING + "<memory " + " " * n, lambda n: OPENING * (n // 40), lambda n: " \t" * n + OPENING + " " * n],
)
def test_a_long_text_takes_no_longer_than_its_length(text: Callable[[int], str]) -> None:
    assert growth(without_blocks, text, 8_000) < LINEAR


def test_blocks_without_an_end_and_with_different_tokens_take_no_longer_than_their_length() -> None:
    blocks = [quoted(str(number), "salt") for number in range(800)]
    openings = [block.rsplit("\n", 1)[0] for block in blocks]
    assert growth(without_blocks, lambda n: "\n".join(openings[:n]), 200) < LINEAR
