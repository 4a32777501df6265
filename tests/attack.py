"""Texts that hold a pattern up, made from the pattern's own parse.

What makes a pattern slow is a repeat that is tried again: at every place where it could begin, or with every length that it could have.
So for each repeat: what must stand before it, its body again and again, and then what nothing fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

_VARIANTS = 2  # of a body: other characters of its classes, other branches
_USUAL = "a \n1A\t_.-é:/\"'<"
_ENDS = ("\x00", "\n\x00")
_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
_CATEGORY: dict[Any, Callable[[str], bool]] = {
    op.CATEGORY_WORD: lambda char: char.isalnum() or char == "_",
    op.CATEGORY_DIGIT: str.isdecimal,
    op.CATEGORY_SPACE: str.isspace,
    op.CATEGORY_NOT_WORD: lambda char: not (char.isalnum() or char == "_"),
    op.CATEGORY_NOT_DIGIT: lambda char: not char.isdecimal(),
    op.CATEGORY_NOT_SPACE: lambda char: not char.isspace(),
}


def _is_in(items: Iterable[tuple[Any, Any]], char: str) -> bool:
    """Whether a character class holds the character."""
    negated, held = False, False
    for kind, value in items:
        if kind is op.NEGATE:
            negated = True
        elif kind is op.LITERAL:
            held = held or chr(value) == char
        elif kind is op.RANGE:
            held = held or value[0] <= ord(char) <= value[1]
        else:
            held = held or _CATEGORY[value](char)
    return held != negated


def _classes(nodes: Iterable[tuple[Any, Any]]) -> Iterator[list[tuple[Any, Any]]]:
    """Every single character of the pattern, as a class."""
    for kind, value in nodes:
        if kind is op.IN:
            yield list(value)
        elif kind is op.LITERAL:
            yield [(kind, value)]
        elif kind is op.NOT_LITERAL:
            yield [(op.NEGATE, None), (op.LITERAL, value)]
        elif kind is op.ANY:
            yield [(op.NEGATE, None), (op.LITERAL, 10)]
        else:
            for inner in _inside(kind, value):
                yield from _classes(inner)


def _inside(kind: Any, value: Any) -> list[Any]:
    if kind in _REPEATS:
        return [value[2]]
    if kind is op.SUBPATTERN:
        return [value[3]]
    if kind is op.ATOMIC_GROUP:
        return [value]
    if kind is op.BRANCH:
        return list(value[1])
    if kind in (op.ASSERT, op.ASSERT_NOT):
        return [value[1]]
    if kind is op.GROUPREF_EXISTS:
        return [part for part in value[1:] if part]
    return []


class _Maker:
    """Makes texts for one parsed pattern."""

    def __init__(self, parsed: Any) -> None:
        classes = list(_classes(parsed))
        literals = [chr(items[-1][1]) for items in classes if items[-1][0] is op.LITERAL]
        alphabet = dict.fromkeys([*_USUAL, *literals])
        # Of characters that the pattern cannot tell apart one is enough; first those that most of its places take.
        kinds = {
            (*(_is_in(items, char) for items in classes), char == "\n", char.isalnum()): char
            for char in reversed(alphabet)
        }  # where a line or a word ends, `^` and `\b` tell them apart
        self._alphabet = [kinds[kind] for kind in sorted(kinds, key=sum, reverse=True)]

    def text(self, nodes: Iterable[tuple[Any, Any]], variant: int) -> str:
        return "".join(self._one(kind, value, variant) for kind, value in nodes)

    def _one(self, kind: Any, value: Any, variant: int) -> str:
        for items in _classes([(kind, value)]) if kind in (op.IN, op.LITERAL, op.NOT_LITERAL, op.ANY) else ():
            fitting = [char for char in self._alphabet if _is_in(items, char)]
            return fitting[variant % len(fitting)] if fitting else self._of_range(items)
        inside = _inside(kind, value)
        if kind in _REPEATS:
            return self.text(inside[0], variant) * min(value[0] or variant % 2, 64)
        if kind is op.ASSERT_NOT or (kind is op.ASSERT and value[0] > 0):
            return ""
        return self.text(inside[variant % len(inside)], variant) if inside else ""

    def _of_range(self, items: list[tuple[Any, Any]]) -> str:
        return next((chr(value[0]) for kind, value in items if kind is op.RANGE), "\x00")

    def repeats(self, nodes: Any, variant: int, before: str = "") -> Iterator[tuple[str, str]]:
        """Of every repeat what must stand before it, and its body."""
        for kind, value in nodes:
            for inner in _inside(kind, value):
                yield from self.repeats(inner, variant, before)
                if kind in _REPEATS and value[1] > 1:
                    yield before, self.text(inner, variant)
            before += self._one(kind, value, variant)


class Attack(NamedTuple):
    begin: str
    pump: str
    end: str

    def text(self, size: int) -> str:
        return self.begin + self.pump * max(1, size // len(self.pump)) + self.end


def attacks(pattern: str, flags: int = 0) -> set[Attack]:
    parsed = _parser.parse(pattern, flags)
    maker = _Maker(parsed)
    made = set[Attack]()
    for variant in range(_VARIANTS):
        for before, body in maker.repeats(parsed, variant):
            for begin, pump in ((before, body), ("", body), ("", before + body), ("", before)):
                made |= {Attack(begin, pump, end) for end in _ENDS if pump}
    return made
