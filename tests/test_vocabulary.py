"""One vocabulary: names that a reader who knows databases, search and web servers can guess. docs/glossary.md has our few own words."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILES = [file for room in ("pmg", "steward", "tests") for file in sorted((ROOT / room).rglob("*.py"))]

# How much, without what of: MAX_ROWS, MIN_WORDS, TURN_BATCH.
BOUNDS = "MOST LEAST FEW FEWEST MANY ENOUGH LONGEST SHORTEST LARGEST SMALLEST DEEPEST WIDEST AT_ONCE".split()
# How long or how often, without what for: START_TIMEOUT, RETRY_SECONDS, POLL_SECONDS.
TIMES = "OFTEN AGAIN SOON LATE PATIENCE STARTING ENDING".split()
# Private words that were once here, each with the field's: browse, filter, disk space, read-write lock, shingles, dry run, pending …
PRIVATE = (
    "doors shelf desk sheet deeds keeping beside front through inside quiet tally looking sieve let_go onlooker take_in told heard hear "
    "aims ordinary tie anew promises known_turn known_version space coming_back dress room arriving look_back ahead "
    "wall walls behind_wall"
).split()


@cache
def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def defined(file: Path) -> Iterator[str]:
    """What a module defines for others: functions, classes and constants."""
    for node in parsed(file).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))


@lru_cache(maxsize=1)
def names() -> dict[str, set[str]]:
    """By file. Not while tests are collected, which every worker does."""
    return {file.relative_to(ROOT).as_posix(): set(defined(file)) for file in FILES}


def private_numbers(file: Path) -> Iterator[str]:
    """Private constants that are numbers, alone or in a row, without their underscore."""
    for node in parsed(file).body:
        if isinstance(node, ast.Assign) and _is_of_numbers(node.value):
            names = (one.id for target in node.targets for one in ast.walk(target) if isinstance(one, ast.Name))
            yield from (name.removeprefix("_") for name in names if name.startswith("_"))


def _is_of_numbers(value: ast.expr) -> bool:
    """`2**21` and `6, 4096` are."""
    leaves = [part for part in ast.walk(value) if not list(ast.iter_child_nodes(part)) and isinstance(part, ast.expr)]
    return all(isinstance(leaf, ast.Constant) and isinstance(leaf.value, int | float) for leaf in leaves)


_BOUND_PREFIXES = ("MOST_", "LEAST_", "FEWEST_", "LONGEST_", "SHORTEST_")


def test_a_constant_says_what_it_bounds_or_waits_for() -> None:
    found = {
        file: bare
        for file, there in names().items()
        if (
            bare := {one for one in there if one in (*BOUNDS, *TIMES) or one.startswith(_BOUND_PREFIXES)}
            | {one for one in private_numbers(ROOT / file) if one in BOUNDS or one.startswith(_BOUND_PREFIXES)}
        )
    }
    assert found == {}, "MAX_…, MIN_…, …_BATCH, …_SECONDS or …_TIMEOUT, with the thing it is about"


def test_no_private_word_comes_back() -> None:
    ours = {file: there for file, there in names().items() if not file.startswith("tests")}
    found = {file: bare for file, there in ours.items() if (bare := {one for one in there if _is_private(one)})}
    assert found == {}, "docs/glossary.md: give it the name that its field uses"
    assert [file for file in ours if Path(file).stem in PRIVATE] == []


def _is_private(name: str) -> bool:
    return not name.isupper() and re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower() in PRIVATE


def test_the_glossary_names_files_that_are_there() -> None:
    rows = re.findall(
        r"^\| \*\*.*\| (.+) \|$", (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    places = [place for row in rows for place in re.findall(r"`([^`]+)`", row) if not place.startswith("~")]
    assert len(places) > 15
    assert [place for place in places if not (ROOT / place).exists()] == []


# What a docstring names

_SOURCE = [file for file in FILES if file.relative_to(ROOT).parts[0] != "tests"]
# The names in these are those of other people's code.
_QUOTING = ROOT / "pmg" / "ingest" / "redact"
# Gradio's, a responder's, and what the kind of a link is in the data.
_OF_OTHERS = {"launch", "mount_gradio_app", "openai", "shared", "linked"}


def _trees() -> dict[Path, ast.Module]:
    return {file: parsed(file) for file in _SOURCE}


def _docstrings() -> Iterator[tuple[Path, ast.AST, str]]:
    for file, tree in _trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield file, node, ast.get_docstring(node, clean=False) or ""


def _words_of(tree: ast.AST) -> set[str]:
    """Every name that the code below uses, and its short strings: the keys and values of what it reads."""
    found: set[str] = set()
    for node in ast.walk(tree):
        found |= {str(getattr(node, part, "")) for part in ("name", "id", "attr", "arg")}
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 60:
            found |= set(re.findall(r"\w+", node.value))
    return found


def test_the_files_a_docstring_names_are_there() -> None:
    known = {part for file in _SOURCE for part in _endings(file)}
    named = [
        (file.relative_to(ROOT).as_posix(), place)
        for file, _, text in _docstrings()
        for place in re.findall(r"(?<![\w/.~*…])((?:pmg|steward|tests|docs)/[\w/]+\.\w+|[\w/]+\.py)\b", text)
    ]
    assert len(named) > 100
    assert [one for one in named if one[1] not in known and not (ROOT / one[1]).exists()] == []


def _endings(file: Path) -> Iterator[str]:
    parts = file.relative_to(ROOT).parts
    yield from ("/".join(parts[first:]) for first in range(len(parts)))


def test_the_constants_and_methods_a_docstring_names_are_there() -> None:
    used = set().union(*map(_words_of, _trees().values()))
    named = [
        (file.relative_to(ROOT).as_posix(), name)
        for file, _, text in _docstrings()
        for name in re.findall(r"`([A-Z][A-Z_]+|[A-Z]\w+\.\w+)(?:\(\))?`", text)
        if not file.is_relative_to(_QUOTING) and not name.startswith("PMG_")
    ]
    assert len(named) > 20
    assert [one for one in named if not used.issuperset(one[1].split("."))] == []


def test_what_a_class_says_of_itself_is_in_its_module() -> None:
    everywhere = {*dir(builtins), *keyword.kwlist, *_OF_OTHERS}
    named = [
        (file, node.name, name)
        for file, node, text in _docstrings()
        for name in re.findall(r"`([a-z_]\w*)(?:\(\))?`", text)
        if isinstance(node, ast.ClassDef) and name not in everywhere and not file.is_relative_to(_QUOTING)
    ]
    assert len(named) > 50
    words = {file: _words_of(_trees()[file]) for file in {one[0] for one in named}}
    assert [(file.name, there, name) for file, there, name in named if name not in words[file]] == []
