"""The terms that are forms of one irregular verb: who asks what was lent asks with "lend". Regular forms have one stem (stem.py).

Knows: the table of pmg/base/verbs.py, as terms. Helpers ("be", "do", "have") say nothing and are left out. Pure.
"""

from __future__ import annotations

from functools import lru_cache

from pmg.base.verbs import IRREGULAR_FORMS
from pmg.index.terms import document_terms

_HELPERS = frozenset(("be", "do", "have", "go", "get", "let"))


def other_forms(term: str) -> frozenset[str]:
    """The other terms of its verb; none for any other word."""
    return _table().get(term, frozenset())


@lru_cache(maxsize=1)
def _table() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for plain, inflected in IRREGULAR_FORMS.items():
        if plain in _HELPERS:
            continue
        terms = {term for form in (plain, *inflected) for term in document_terms(form)}
        for term in terms:
            found.setdefault(term, set()).update(terms - {term})
    return {term: frozenset(others) for term, others in found.items() if others}
