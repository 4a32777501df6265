"""Patterns come through one door, pmg/base/patterns.py, and take no longer than their text is long.

A pattern of Python's own that runs over stored, told or foreign text can be made to take minutes by one message.
A test of the slow tier attacks each; this one holds the door, without running anything.
"""

from __future__ import annotations

import pytest

from pmg.base.patterns import MAX_SHORT, linear, short
from tests.growth import LINEAR, growth
from tests.test_architecture import ROOT, imports, modules

DOOR = "pmg.base.patterns"
_LIST = ROOT / "tests" / "data" / "own_patterns.txt"
HOW_TO_MEND = """import no `re`, take from pmg/base/patterns.py what fits first:
  linear(pattern)  google-re2: no look-around, no back-references; \\w \\b \\s \\d are ASCII there, flags are written (?i)
  plain(pattern)   Python's own, where every repeat goes forward only: r"\\w+", r"\\d{4}-\\d\\d"
  short(pattern)   Python's own, on the first 4,000 characters
or write a scanner (`str.find`, `partition`, a loop). Fewer patterns are better than more.
Modules stand on the list until they are mended; nothing is added to it."""


def _on_the_list() -> set[str]:
    return set(_LIST.read_text(encoding="utf-8").split())


def _with_patterns_of_their_own() -> set[str]:
    ours = {name: tree for name, tree in modules().items() if not name.startswith("benchmarks")}
    return {name for name, tree in ours.items() if {"re", "regex"} & {one.split(".")[0] for one in imports(tree)}}


def test_a_pattern_comes_through_the_door() -> None:
    assert sorted(_with_patterns_of_their_own() - {DOOR} - _on_the_list()) == [], HOW_TO_MEND


def test_what_is_mended_leaves_the_list() -> None:
    mended = (_on_the_list() & modules().keys()) - _with_patterns_of_their_own()
    assert sorted(mended) == [], f"take these lines out of {_LIST.relative_to(ROOT)}"


def test_a_linear_pattern_finds_in_any_text_what_pythons_own_would() -> None:
    word = linear(r"[\pL\pN_]+")
    assert word.findall("Grüße, 日本 x_1 🙂a") == ["Grüße", "日本", "x_1", "a"]
    assert [found.span() for found in word.finditer("ä\ud800ß")] == [(0, 1), (2, 3)]
    assert word.sub("-", "ä\ud800ß") == "-\ud800-"
    assert growth(linear(r"(?m)^\s*(?:a|b)+\s*$").search, lambda n: "a\n" * n + "!", 4_000) < LINEAR


@pytest.mark.parametrize("length", [MAX_SHORT, MAX_SHORT + 1, 4 * MAX_SHORT])
def test_a_short_pattern_sees_the_beginning_of_a_text_and_leaves_the_rest(length: int) -> None:
    text = "ab" * length
    seen = short(r"a(?=b)")
    assert len(seen.findall(text)) == len([*seen.finditer(text)]) == MAX_SHORT // 2
    assert seen.sub("", text) == "b" * (MAX_SHORT // 2) + text[MAX_SHORT:]
    assert seen.match(text) and not seen.search("b" * length + "ab")
    assert (short(r"b+").fullmatch("b" * length) is not None) == (length <= MAX_SHORT)
