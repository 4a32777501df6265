"""The other forms of a German word, as terms."""

from __future__ import annotations

import pytest

from pmg.index.other_forms import german_forms
from pmg.index.terms import document_terms


@pytest.mark.parametrize(
    ("asked", "told"),
    [("Pflanzen", "Pflanze"), ("Katzen", "Katze"), ("arbeiten", "arbeitet"), ("Wohnungen", "Wohnung")],
)  # fmt: skip
def test_one_form_stands_for_another(asked: str, told: str) -> None:
    (term,) = document_terms(asked)
    assert not german_forms(term).isdisjoint(document_terms(told))


@pytest.mark.parametrize(
    ("asked", "other"), [("Hammer", "Hamm"), ("Messer", "Messe"), ("Kelle", "Keller"), ("Mieter", "Miete")]
)
def test_another_word_is_no_form(asked: str, other: str) -> None:
    (term,) = document_terms(asked)
    assert german_forms(term).isdisjoint(document_terms(other))


def test_what_has_no_stem_has_no_forms() -> None:
    assert german_forms("ab") == frozenset()
    assert "katz" not in german_forms("katz")
