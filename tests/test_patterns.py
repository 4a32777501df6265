"""Patterns come through one door, pmg/base/patterns.py, and take no longer than their text is long.

A pattern of Python's own that runs over stored, told or foreign text can be made to take minutes by one message.
tests/test_pattern_attack.py attacks each; this one holds the door, without running anything.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

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

# google-re2 has neither of them. Possessive repeats it has not either, but those only ever make a pattern faster.
_LOOKS = re.compile(r"\(\?(?:[=!(]|<[=!]|P=)|\).*(?<!\\)\\[1-9]")
MAY_LOOK = {
    "pmg.answer": "questions, and the lines found for them",
    "pmg.base.sentences": "a sentence ends behind its mark; sees every text, and goes forward only",
    "pmg.base.text": "a whole name, by what stands beside it",
    "pmg.chat": "a model's answer and its quotes",
    "pmg.connections.change": "ends of lines in settings of other tools",
    "pmg.exporters.markdown": "one sign and the next",
    "pmg.forget.copies": "cuts our own page in front of a tag",
    "pmg.forget.vault": "cuts our own page in front of a heading",
    "pmg.importers.platforms.codex": "the tag that opened closes; read at the beginning of a message",
    "pmg.importers.platforms.notes": "cuts in front of a heading",
    "pmg.importers.reading.jsonstream": "JSON of any size, read once from left to right",
    "pmg.importers.reading.local_times": "digits of a time alone; its line is short",
    "pmg.index.terms": "commas inside figures, capitals inside words; sees every text, and goes forward only",
    "pmg.ingest.day_words": "one sentence",
    "pmg.ingest.guard.words": "a flag of a command",
    "pmg.ingest.quality": "the first 1,500 characters",
    "pmg.ingest.redact": "on bytes, at a literal or on one value, and nearly every repeat has an end",
    "pmg.ingest.transcript": "a bold name ends in bold; one line",
    "pmg.people": "lines of at most 4,000 characters",
    "pmg.recall.german_times": "a question",
    "pmg.recall.passages": "words of a question in a passage",
    "pmg.recall.question_time": "a question",
    "pmg.server.hooks.context": "what was asked",
    "pmg.store.duckdb.user_sql": "a statement of SQL",
    "pmg.store.told_names": "a whole name, by what stands beside it",
    "pmg.ui.page_address": "a script of the browser",
    "pmg.ui.people.claim_text": "one claim",
    "pmg.ui.preview.path": "one reason",
}


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


def _looking(tree: ast.Module) -> Iterator[str]:
    """Texts of patterns with look-around or a reference, outside `short(…)`."""
    bounded = {
        id(node)
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "short"
        for node in ast.walk(call)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) and id(node) not in bounded:
            text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
            if _LOOKS.search(text):
                yield text


def _rooms_that_look() -> dict[str, list[str]]:
    found = dict[str, list[str]]()
    for name, tree in modules().items():
        if not name.startswith("benchmarks") and (texts := list(_looking(tree))):
            room = next((room for room in MAY_LOOK if name == room or name.startswith(f"{room}.")), name)
            found.setdefault(room, []).extend(texts)
    return found


def test_what_re2_cannot_express_is_bounded_or_on_the_list() -> None:
    unlisted = {room: texts for room, texts in _rooms_that_look().items() if room not in MAY_LOOK}
    assert unlisted == {}, "write it without look-around as linear(…), or as short(…) for at most 4,000 characters"


def test_no_room_stays_on_the_list_that_does_not_look() -> None:
    assert sorted(MAY_LOOK.keys() - _rooms_that_look().keys()) == []


def test_the_lint_sees_what_looks_around_and_not_what_is_bounded() -> None:
    seen = list(
        _looking(
            ast.parse(r"""A = plain("a(?=b)"), plain(rf"{x}(?<!y)"), short("a(?!b)"), plain(rb"(a)\1"), sub(r"\1")""")
        )
    )
    assert sorted(seen) == ["(?<!y)", r"(a)\1", "a(?=b)"]


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
