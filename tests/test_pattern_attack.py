"""No text, however it is made, holds a pattern of the product up: four times the text takes about four times as long.

Each pattern is run, as the code uses it, over texts made for it (tests/attack.py), and its processor time for a text and for one four times as
long is compared in one run. What one pattern costs is held here, not how often the code around it asks.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator

import pytest

from pmg.base.patterns import MAX_SHORT, linear, short
from tests.attack import Attack, attacks
from tests.compiled_patterns import Compiled, compiled_patterns
from tests.growth import LINEAR, growth, seconds
from tests.tiers import one_fast

_PUMPS = (12, 16, 20, 24, 28)  # so few that what doubles with each is seen before it takes hours
_SIZES = (125, 500, 2_000)
_LONG = 16_000  # for what is repeated with a beginning of its own, which is tried less often
_MIN_LONG_PUMP = 4
_FEW_SECONDS = 0.05  # of processor time, for a hundred characters
_MEASURABLE = 0.001
_SQUARE = 32.0  # four times the text: quadratic is 16, cubic 64; allowed on at most 4,000 characters


def held_up(pattern: Compiled) -> str:
    """The first attack that works, in words; "" if none does."""
    for attack in sorted(attacks(pattern.source, pattern.flags)):
        if found := _growth(pattern, attack):
            return f"{pattern.where}: {pattern.source[:100]!r} {found} on {attack.text(40)!r}"
    return ""


def _growth(pattern: Compiled, attack: Attack) -> str:
    for pumps in _PUMPS:
        if seconds(pattern.run, attack.text(pumps * len(attack.pump)), 1) > _FEW_SECONDS:
            return "explodes"
    slow = next(
        (size for size in _sizes(pattern, attack) if seconds(pattern.run, attack.text(size), 1) > _MEASURABLE), None
    )
    if slow is None:
        return ""
    grown = min(_until(_allowed(pattern), lambda size: growth(pattern.run, attack.text, size), slow))
    return f"takes {grown:.0f} times as long for four times the text" if grown > _allowed(pattern) else ""


def _sizes(pattern: Compiled, attack: Attack) -> tuple[int, ...]:
    if pattern.is_short:
        return _SIZES[:-1]  # what is worse than quadratic shows early
    return _SIZES if attack.begin or len(attack.pump) < _MIN_LONG_PUMP else (*_SIZES, _LONG)


def _until(allowed: float, measure: Callable[[int], float], slow: int) -> Iterator[float]:
    """Where it was too much, again, as other work on the machine makes one measurement long, and for more: `.{2,60}` has an end."""
    for size in (slow // 4, slow // 4, slow):
        yield (measured := measure(size))
        if measured <= allowed:
            return


def _allowed(pattern: Compiled) -> float:
    return _SQUARE if pattern.is_short else LINEAR


@pytest.mark.slow
def test_no_pattern_of_the_product_is_held_up() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the parser, about sets within sets
        found = {pattern.key: pattern for pattern in compiled_patterns()}
        assert len(found) > 500
        slow = [held_up(pattern) for pattern in found.values()]
    assert [told for told in slow if told] == []


@pytest.mark.parametrize(
    "pattern",
    one_fast(
        [
            r"^\s*(?:system|user):",
            r"<memory [^>]*>",
            r"\s+$",
            r"(?:a+b?)+c",
            r"(\w+)*\1!",
            r"<!--\s*(?:([\w .-]+?)\s+)?Session",
            r"<think>.*?</think>",
            r"\d+(?:\.\d+)+",
            r"(?=.*x)y",
        ]
    ),
)
def test_an_attack_finds_what_can_be_held_up(pattern: str) -> None:
    assert held_up(Compiled("here", re.compile(pattern, re.MULTILINE)))


@pytest.mark.parametrize(
    "compiled",
    [
        re.compile,
        linear,
    ],
)
@pytest.mark.parametrize("pattern", one_fast([r"\w+", r"[a-z]{3}-\d{1,4}", r"(?:one|two) [^\n]{0,40}"]))
def test_an_attack_finds_nothing_in_what_goes_forward(pattern: str, compiled: Callable[[str], object]) -> None:
    assert held_up(Compiled("here", compiled(pattern))) == ""


def test_what_is_quadratic_is_allowed_where_it_is_short_and_what_is_worse_is_not() -> None:
    assert held_up(Compiled("here", short(r"\d+(?:\.\d+)+"))) == ""
    assert held_up(Compiled("here", short(r"\w+\s*\w*!")))  # cubic: worse takes minutes to find
    assert MAX_SHORT == 4_000


def test_linear_is_not_held_up_where_pythons_own_is() -> None:
    pattern = r"<!--\s*(?:([\w .-]+?)\s+)?Session"
    assert held_up(Compiled("here", linear(pattern))) == ""
