"""Entries go into people's JSON files and out again, and nothing else changes."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pmg.base.errors import InputError
from pmg.connections.jsonc import get_entry, remove_entry, set_entry

PATH = ("mcpServers", "pmg")
ENTRY = {"command": "/usr/bin/pmg", "args": ["mcp"]}
ZED = """// Zed's settings
{
  "theme": "One Dark", // dark
  /* fonts "with": {braces} */
  "buffer_font_size": 15,
  "context_servers": {
    "other": {
      "command": "npx", // keep
      "args": ["-y", "x"],
    },
  },
  "vim_mode": false,
}
"""


def test_an_entry_is_put_beside_the_others_and_comments_stay() -> None:
    path = ("context_servers", "pmg")
    changed = set_entry(ZED, path, ENTRY)
    assert json.loads(get_entry(changed, path) or "") == ENTRY
    assert get_entry(changed, ("context_servers", "other", "command")) == '"npx"'
    assert all(row in changed.splitlines() for row in ZED.splitlines())
    assert remove_entry(changed, path) == ZED


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{\n  "a": 1\n}\n',
        '{"a": 1}',
        '{\n\t"a": {"b": [1, 2]}, // last\n}\n',
        '{\n  "mcpServers": {}\n}\n',
        '{\n  "mcpServers": {\n    "x": {"command": "y"} // note\n  }\n}\n',
        '\ufeff{\r\n  "a": "// no comment",\r\n  "b": "\\"{"\r\n}\r\n',
        "",
    ],
)
def test_set_keeps_every_line_and_removing_it_again_leaves_it_out(text: str) -> None:
    changed = set_entry(text, PATH, ENTRY)
    assert json.loads(get_entry(changed, PATH) or "") == ENTRY
    assert set_entry(changed, PATH, ENTRY) == changed
    for comment in re.findall(r"// (?:last|note)", text):
        assert comment in changed
    gone = remove_entry(changed, PATH)
    assert get_entry(gone, PATH) is None
    for key in ("a", "b"):
        assert get_entry(gone, (key,)) == (get_entry(text, (key,)) if text else None)
    assert get_entry(gone, ("mcpServers", "x")) == (get_entry(text, ("mcpServers", "x")) if text else None)


@pytest.mark.parametrize(
    "text",
    ["[]", "{", '{"a" 1}', '{"a": }', '{"a": 1 "b": 2}', "nonsense", '{"mcpServers": 3}', "{/*", r'{"C:\path": 1}'],
)
def test_a_broken_file_is_refused_and_says_where(text: str) -> None:
    with pytest.raises(InputError, match="by hand"):
        set_entry(text, PATH, ENTRY)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(), VALUES, max_size=4), st.sampled_from([None, 1, 2, 4]), st.booleans())
def test_for_any_json_only_the_entry_is_new(value: dict[str, object], indent: int | None, inside: bool) -> None:
    value.pop("mcpServers", None)
    start = {**value, "mcpServers": {"x": 1}} if inside else value
    text = json.dumps(start, indent=indent)
    changed = set_entry(text, PATH, ENTRY)
    assert json.loads(changed) == {**value, "mcpServers": {**({"x": 1} if inside else {}), "pmg": ENTRY}}
    gone = json.loads(remove_entry(changed, PATH))
    assert gone == {**value, "mcpServers": {"x": 1} if inside else {}}
