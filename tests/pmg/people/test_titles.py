"""Which words of a claim are titles of books and films, and where they leave open how many."""

from __future__ import annotations

import pytest

from pmg.people.titles import titles


@pytest.mark.parametrize(
    ("thing", "number"),
    [
        ("Middlemarch", 1),
        ("Piranesi this month", 1),
        ("Emma by Jane Austen", 1),
        ("Emma and loved it", 1),
        ("1984 in May", 1),
        ("The midnight library", 1),
        ("Gone with the Wind", 1),
        ("Ocean's 11", 1),
        ("Barbie with Anna and Ben", 1),
        ('"Barbie" with Anna and Ben', 1),
        ('"War and Peace"', 1),
        ('Dune" and "Emma', 2),  # a claim loses the marks it begins and ends with
        ("“Dune” and “Emma” last week", 2),
        ("War and Peace", None),
        ("Middlemarch and Stoner", None),
        ("Dune, Emma", None),
        ('"Dune" and Emma', None),
        ("Emma by Jane Austen and Dune", None),
        ("Arsenal lose", None),
    ],
)
def test_a_title_is_one_and_names_joined_without_quotation_marks_are_left_open(thing: str, number: int | None) -> None:
    found = titles(thing)
    assert found is not None and found.number == number


@pytest.mark.parametrize(
    "thing", ["Anna's letter", "Mum the letter", "Netflix", "Prime Video", "YouTube videos about bread", "the news"]
)
def test_what_belongs_to_somebody_or_is_where_things_are_watched_is_no_title(thing: str) -> None:
    assert titles(thing) is None
