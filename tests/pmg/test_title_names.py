"""Names are taken out of titles by their hashes."""

from __future__ import annotations

import pytest

from pmg.store.title_names import TitleNames, name_digest


@pytest.mark.parametrize(
    "title, name, left",
    [
        ("Sam Weber and Anna Berg", "Anna Berg", "Sam Weber"),
        ("Anna Berg and Sam Weber", "anna berg", "Sam Weber"),
        ("Sam, Anna Berg and 3 more", "Anna Berg", "Sam and 3 more"),
        ("Sam and Mu\u0308ller, Jo\u0308rg", "Müller, Jörg", "Sam"),
        ("Sam and ~ Anna 🌻", "Anna 🌻", "Sam"),
        ("Sam and +49 170 1234567", "+49 170 1234567", "Sam"),
        ("Anna Berg", "Anna Berg", ""),
        ("Dinner with Anna Berg", "Anna Berg", "Dinner with …"),
        ("Annabel Berg and Sam", "Anna", "Annabel Berg and Sam"),
        ("Sam and Anna", "Anna Berg", "Sam and Anna"),
    ],
)
def test_a_title_reads_well_without_the_name(title: str, name: str, left: str) -> None:
    names = TitleNames(frozenset({"mine"}), frozenset({name_digest("store", name)}), "store")
    assert names.without("mine", title) == left
    assert names.without("another", title) == title
