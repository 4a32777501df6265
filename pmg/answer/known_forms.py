"""The forms of a question's words that memory has: "lent" where "lend" is asked, "Pflanze" where "Pflanzen" is.

Knows: how often a term and its other forms occur in a namespace. Which forms a word has is index/other_forms.py's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from pmg.answer.phrases import german
from pmg.index.other_forms import clipped_forms, german_forms, verb_forms
from pmg.index.terms import query_terms

if TYPE_CHECKING:
    from pmg.engine import Engine


def forms_of(terms: Iterable[str], question: str) -> dict[str, tuple[str, ...]]:
    """Each term with its other forms in the question's language; it comes first itself."""
    other = german_forms if german(question) else verb_forms
    return {term: (term, *sorted(other(term) | clipped_forms(term))) for term in terms}


def form_known(forms: Sequence[str], counts: Mapping[str, int]) -> str:
    """The form that memory has, the asked one (the first) if it has that or none."""
    return forms[0] if counts[forms[0]] else max(forms, key=lambda form: (counts[form], form == forms[0]))


def counts_of(engine: Engine, namespace: str, terms: Iterable[str]) -> dict[str, int]:
    """In how many memories each of them occurs."""
    every = list(dict.fromkeys(terms))
    lexical = engine.indexes.lexical(namespace)
    counts = lexical.frequencies(every, engine.indexes.only_asked()) if lexical is not None else [0] * len(every)
    return dict(zip(every, counts, strict=True))


def in_known_forms(engine: Engine, namespace: str, question: str) -> str:
    """The question with the forms of its words that memory has, where it does not have the one that is asked with."""
    forms = {term: every for term, every in forms_of(query_terms(question), question).items() if len(every) > 1}
    if not forms:
        return question
    counts = counts_of(engine, namespace, chain.from_iterable(forms.values()))
    known = [form for term, every in forms.items() if not counts[term] for form in every if counts[form]]
    return " ".join((question, *dict.fromkeys(known)))
