"""Nests that Python's own decoder refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pmg.importers.conversation import Conversation
from pmg.importers.read import read
from pmg.importers.reading import deep_json
from pmg.importers.reading.encoding import decode_json
from tests.pmg.importers.places import unhurried

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES, st.sampled_from([None, 1]), st.booleans())
@unhurried
def test_it_reads_what_json_reads(value: Any, indent: int | None, plain: bool) -> None:
    written = json.dumps(value, indent=indent, ensure_ascii=plain)
    assert deep_json.loads(written) == json.loads(written)


@pytest.mark.parametrize(
    "written", ["", "{", "[1", "[1 2]", '{"a"}', '{"a":}', "{1:2}", "[1]]", '["a]', "[1,]", "nul", "[" * 60_000]
)
def test_what_is_no_json_is_refused(written: str) -> None:
    with pytest.raises(ValueError):
        deep_json.loads(written)


def test_a_chat_written_as_one_nest_of_thousands_comes_in_whole(tmp_path: Path) -> None:
    count = 5_000
    opened = "".join(f'{{"messageId":"m{n}","sender":"User","text":"line {n}","children":[' for n in range(count))
    file = tmp_path / "chat.json"
    file.write_text(
        '{"conversationId":"c","title":"Nest","messages":[' + opened + "]}" * count + "]}", encoding="utf-8"
    )
    (found,) = read([file])
    assert isinstance(found, Conversation)
    assert [message.text for message in found.messages] == [f"line {n}" for n in range(count)]


def test_a_number_of_thousands_of_digits_costs_no_message(tmp_path: Path) -> None:
    """Python's own decoder takes no such number."""
    digits = "7" * 5_000
    file = tmp_path / "talk.json"
    file.write_text(
        '[{"title": "t", "messages": [{"role": "user", "content": "hello there", "n": %s}]}]'.replace("%s", digits)
    )
    (found,) = read([file])
    assert isinstance(found, Conversation)
    assert [message.text for message in found.messages] == ["hello there"]
    assert decode_json(b"[1, " + digits.encode() + b"]").values == ([1, digits],)
