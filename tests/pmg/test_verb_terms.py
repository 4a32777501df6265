"""The terms of one irregular verb."""

from __future__ import annotations

from pmg.index.verb_terms import other_forms


def test_forms_of_one_verb_stand_for_each_other() -> None:
    assert "lent" in other_forms("lend")
    assert "give" in other_forms("gave") and "given" in other_forms("gave")


def test_a_regular_or_helping_verb_has_no_other_terms() -> None:
    assert other_forms("plant") == other_forms("have") == frozenset()
