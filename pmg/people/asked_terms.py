"""The terms by which lines are searched for a question: its words without names, a name where its person does not speak, and the form of a word that memory has.

Knows: that people who speak are known by their lines, and people who are only spoken of by their names; that "broke" is what was said where "break" is asked, and "dog" where "Hund" is.
What a question asks for is cut out in route.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pmg.base.verbs import forms, plain
from pmg.index.indexes import Indexes
from pmg.index.terms import document_terms
from pmg.people import kinds
from pmg.people.entities import folded
from pmg.people.found_lines import MatchedLine, speaks
from pmg.people.knowledge import Knowledge
from pmg.people.route import Route
from pmg.store.contract import StoreReads

_FRAME = frozenset(
    term for word in "happen become do know tell think say new up".split() for term in document_terms(word)
)
# German words that say nothing by themselves; the word index leaves out English ones.
_GERMAN = frozenset(
    term
    for word in """der die das den dem des ein eine einen einem einer und oder nicht ist sind war waren wird bin ich du er sie es wir mir mich mein meine meinen meinem meiner
    unser unsere was wann wo wer wen wem warum wie welche welcher welches woher im in am zum zur von mit für auf aus bei nach seit vor über hat habe haben heißt heißen heißt""".split()
    for term in document_terms(word)
)
_IN_GERMAN = re.compile(
    r"\b(?:ich|mein\w*|wie|wo|wer|wen|wem|wann|warum|welche\w*|woher|ist|heißt|habe|wohnt|und)\b", re.IGNORECASE
)
MAX_CONVERSATIONS = 3  # conversations in which somebody is known: who speaks speaks in the first of them


def as_said(indexes: Indexes, namespace: str, question: str, words: Mapping[str, str]) -> dict[str, str]:
    """The terms, each that memory does not have replaced by other forms of its verb that it has."""
    index = indexes.lexical(namespace)
    if index is None or not words:
        return dict(words)
    found: dict[str, str] = {}
    asked = indexes.only_asked()
    if _IN_GERMAN.search(question):
        words = {term: word for term, word in words.items() if term not in _GERMAN} or dict(words)
    for (term, word), count in zip(words.items(), index.frequencies(list(words), asked), strict=True):
        named = (*forms(plain(word.lower())), *kinds.names(term)) if not count else ()
        others = {t: form for form in named for t in document_terms(form)[:1]}
        known = [t for t, n in zip(others, index.frequencies(list(others), asked), strict=True) if n] if others else []
        found |= {t: others[t] for t in known} if known else {term: word}
    return found


def with_names(
    reads: StoreReads,
    namespace: str,
    known: Knowledge,
    routed: Route,
    words: Mapping[str, str],
    rows: Sequence[MatchedLine],
) -> dict[str, str] | None:
    """The terms with the names of whoever is only spoken of; None where they are as they were."""
    if routed.is_mine:
        return None
    silent = [
        name for name in routed.people if not speaks(name, rows) and not _speaks_anywhere(reads, namespace, known, name)
    ]
    names = {term: word for name in silent for word in name.split() for term in document_terms(word)[:1]}
    return {**words, **names} if names else None


def is_by_name_alone(words: Mapping[str, str], rows: Sequence[MatchedLine]) -> bool:
    """Whether what was found shares nothing with the question but a name, though the question says more than "what happened with"."""
    asked = set(words) - _FRAME
    return bool(asked) and not any(asked & row.covered for row in rows)


def _speaks_anywhere(reads: StoreReads, namespace: str, known: Knowledge, name: str) -> bool:
    talks = dict.fromkeys(one.conversation for one in known.named(name))
    return any(
        folded(name) in map(folded, reads.people.speakers(namespace, talk))
        for talk in list(talks)[:MAX_CONVERSATIONS]
        if talk
    )
