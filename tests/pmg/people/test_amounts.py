"""How many of a thing the words of a claim tell, and where they leave it open."""

from __future__ import annotations

import pytest

from pmg.people.amounts import counted_things, is_habit, measured, noun_stem, occasions


@pytest.mark.parametrize(
    ("thing", "noun", "number"),
    [
        ("two novels and a lamp", "novels", 2),
        ("a lamp and two good novels", "novels", 2),
        ("a couple of books", "books", 2),
        ("one cat now", "cats", 1),
        ("a 5 km run on Sunday", "runs", 1),
        ("a $325,000 house", "houses", 1),
        ("1,200 bricks", "bricks", 1200),
        ("a lot of books", "books", None),
        ("books", "books", None),
        ("two or three books", "books", None),
        ("2-3 books", "books", None),
        ("10 hours of videos", "videos", None),
        ("a cat tree", "cats", None),
        ("a 3 bedroom house", "houses", 1),
        ("my 500 piece puzzle", "puzzles", 1),
        ("a 24 pack of beers", "packs", 1),
        ("a 10% discount", "discounts", 1),
        ("two 5 km runs", "runs", 2),
        ("3 apple trees", "trees", 3),
        ("4 grandchildren", "grandchildren", 4),
        ("3 sheep", "sheep", 3),
        ("two Teslas", "Teslas", 2),
        ("two 3 bedroom houses", "houses", None),
        ("two lamps, old novels", "novels", None),
        ("2 of the 6 beers", "beers", 2),
        ("one of two books", "books", 1),
        ("a total of 12 books", "books", 12),
        ("the first of three books", "books", None),
        ("6 packs of 12 eggs", "eggs", None),
        ("two novels and three lamps", "novels", 2),
        ("two pizzas for Anna and three for Ben", "pizzas", None),
        ("two pizzas for Anna and another for Ben", "pizzas", None),
        ("two pizzas and three more pizzas", "pizzas", None),
    ],
)
def test_a_number_counts_where_it_is_that_of_the_noun(thing: str, noun: str, number: int | None) -> None:
    found = counted_things(thing, [noun_stem(noun)])
    assert found is not None and found.number == number


@pytest.mark.parametrize("thing", ["some issues with my cat", "my cat's litter box", "a dog"])
def test_what_is_not_about_the_noun_is_not_counted(thing: str) -> None:
    assert counted_things(thing, [noun_stem("cats")]) is None


@pytest.mark.parametrize(
    ("thing", "unit", "number"),
    [
        ("at Casa Lindes in Llanes for nine nights", "nights", 9),
        ("11 km on Sunday in 58 minutes", "kilometers", 11),
        ("11 km on Sunday in 58 minutes", "minutes", 58),
        ("an hour on it", "hours", 1),
        ("10-12 hours on it", "hours", None),
        ("two and a half hours", "hours", None),
        ("countless hours honing my craft", "hours", None),
        ("11 km in 58 minutes", "minutes", 58),
        ("500mg of ibuprofen", "mg", 500),
        ("2 tablets of 500 mg", "milligrams", None),
        ("two 5 km runs", "km", None),
        ("1 hour 30 minutes", "minutes", None),
        ("20 euros for the book and 30 for the lamp", "euros", None),
    ],
)
def test_an_amount_is_that_of_the_unit(thing: str, unit: str, number: int | None) -> None:
    found = measured(thing, noun_stem(unit))
    assert found is not None and found.number == number


def test_a_unit_that_is_not_named_has_no_amount() -> None:
    assert measured("11 km on Sunday", noun_stem("miles")) is None


@pytest.mark.parametrize(
    ("thing", "number"),
    [("camping last weekend", 1), ("11 km on Sunday", 1), ("to Rome twice", 2), ("to yoga classes", None)],
)
def test_what_happened_happened_once_unless_told_otherwise(thing: str, number: int | None) -> None:
    assert occasions(thing).number == number


@pytest.mark.parametrize("thing", ["classes 3 times a week", "guitar for 30 minutes daily", "yoga on Sundays"])
def test_a_habit_is_known_by_its_words(thing: str) -> None:
    assert is_habit(thing)


@pytest.mark.parametrize("thing", ["to a yoga class last Friday", "for nine nights", "a day at the museum"])
def test_what_happened_is_no_habit(thing: str) -> None:
    assert not is_habit(thing)
