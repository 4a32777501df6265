"""What may be told twice is found as if each were compared with each, without doing so."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pmg.people.told_twice import any_nested, nested, told_first

WORDS = st.frozensets(st.sampled_from("abcdef"), max_size=4)


class Compared(frozenset[str]):
    """A set of words that counts how often any is compared with another."""

    times = 0

    def __le__(self, other: object) -> bool:
        Compared.times += 1
        return super().__le__(other)  # type: ignore[operator]


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return one <= other or other <= one


@given(st.lists(WORDS, max_size=12))
def test_those_told_first_are_those_that_a_comparison_of_each_with_each_keeps(things: list[frozenset[str]]) -> None:
    kept: list[int] = []
    for at, thing in enumerate(things):
        if not any(_alike(thing, things[place]) for place in kept):
            kept.append(at)
    assert told_first(things) == kept


@given(st.lists(WORDS, max_size=8), st.lists(WORDS, max_size=8))
def test_nested_things_are_found_both_ways_round(some: list[frozenset[str]], others: list[frozenset[str]]) -> None:
    assert any_nested(some, others) == any(_alike(a, b) and a != b for a in some for b in others)
    assert set(nested(some)) == {(a, b) for a in some for b in some if a < b}


def test_many_things_that_share_most_words_are_hardly_compared() -> None:
    things = [Compared(("book", "rome", f"topic{at}")) for at in range(500)]
    Compared.times = 0
    assert len(told_first(things)) == 500 and not any_nested(things[:250], things)
    assert Compared.times <= 4 * len(things)
