"""The terms of one irregular verb."""

from __future__ import annotations

from pmg.index.other_forms import verb_forms


def test_forms_of_one_verb_stand_for_each_other() -> None:
    assert "lent" in verb_forms("lend")
    assert "give" in verb_forms("gave") and "given" in verb_forms("gave")


def test_a_regular_or_helping_verb_has_no_other_terms() -> None:
    assert verb_forms("plant") == verb_forms("have") == frozenset()
