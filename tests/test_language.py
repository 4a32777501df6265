"""Language is learnt, not listed: the letters in patterns and word tables are counted, and may only become fewer."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.test_architecture import modules

MAX_LETTERS = 28_700  # 71,260 in the first release; a third of that is wanted
MAKERS = frozenset(("compile", "short", "plain", "linear", "compile_linear"))
NOT_LANGUAGE = ("pmg.ingest.redact", "pmg.importers")  # shapes of secrets and formats of files are data
MIN_WORDS = 8  # words of a set


def letters_listed() -> dict[str, int]:
    """By module: the letters of module constants that hold patterns or tables of words."""
    ours = {
        name: tree for name, tree in modules().items() if name.startswith("pmg") and not name.startswith(NOT_LANGUAGE)
    }
    return {name: count for name, tree in ours.items() if (count := sum(map(_letters, _tables(tree))))}


def _tables(tree: ast.Module) -> Iterator[ast.expr]:
    given = (one.value for one in tree.body if isinstance(one, ast.Assign | ast.AnnAssign))
    yield from (value for value in given if value is not None and any(map(_lists_words, ast.walk(value))))


def _lists_words(node: ast.AST) -> bool:
    if isinstance(node, ast.Set):
        return len(node.elts) >= MIN_WORDS
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    if isinstance(called, ast.Attribute):
        return called.attr in MAKERS or (called.attr == "split" and isinstance(called.value, ast.Constant))
    return isinstance(called, ast.Name) and called.id in MAKERS


def _letters(value: ast.expr) -> int:
    texts = (node.value for node in ast.walk(value) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return sum(character.isalpha() for text in texts for character in text)


def test_patterns_and_word_tables_become_fewer() -> None:
    found = letters_listed()
    longest = sorted(found.items(), key=lambda one: -one[1])[:10]
    assert sum(found.values()) <= MAX_LETTERS, (
        f"no rule for an example: mend the mechanism, or teach the model. The longest: {longest}"
    )


def test_a_table_is_counted_and_a_sentence_is_not() -> None:
    tree = ast.parse(
        'A = frozenset("red green".split())\nB = re.compile(r"\\bblue\\b")\nC = "a sentence"\nD = short("x(?:yz)")\n'
    )
    assert [_letters(one) for one in _tables(tree)] == [len("redgreen"), len("bblueb"), len("xyz")]
