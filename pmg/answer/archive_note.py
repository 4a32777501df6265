"""That the archive may have what a question asks for, where recall found nothing or nothing sure.

Knows: words alone. No index holds the archive, so its lines are looked through once for the rarest words of the question; `pmg steward archived`
searches it by meaning too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pmg.answer.phrases import german
from pmg.base.text import counted
from pmg.index.terms import document_terms, query_terms

if TYPE_CHECKING:
    from pmg.engine import Engine

RARE_SHARE = 0.02  # of the lines in recall: a rare word stands in no more,
MIN_RARE_LINES = 3  # or in these, in a small memory
MIN_LETTERS = 3  # of a rare word
MIN_RARE_WORDS = 3  # from which one may be missing
_WORD = re.compile(r"\w+")
_ENDING = 2  # letters at the end of a term that its word may have otherwise ("happi", "happy")


def archive_note(engine: Engine, namespace: str, question: str, *, on_page_as: str | None = None) -> str:
    """One sentence, or nothing: how many archived lines have the question's rare words, and how to look; on the page in the language of these words."""
    rare = _rare_terms(engine, namespace, question)
    if not rare:
        return ""
    needed = len(rare) - (len(rare) >= MIN_RARE_WORDS)
    two = rare[:2]  # where one may be missing, the other is there
    letters = [term[: max(MIN_LETTERS, len(term) - _ENDING)] for term in two]
    lines = engine.reads.maintenance.archived_holding(namespace, letters)
    count = sum(len(set(rare).intersection(document_terms(text))) >= needed for text in lines if not _asks(text))
    if not count:
        return ""
    if on_page_as is not None:
        return _on_page(count, german(on_page_as))
    return _sentence(count, _as_typed(rare, question), german(question))


def _rare_terms(engine: Engine, namespace: str, question: str) -> list[str]:
    """The rarest first."""
    terms, index = list(dict.fromkeys(query_terms(question))), engine.indexes.lexical(namespace)
    held = index.frequencies(terms) if index is not None else [0] * len(terms)
    most = max(MIN_RARE_LINES, RARE_SHARE * len(index)) if index is not None else MIN_RARE_LINES
    found = sorted(
        (lines, term) for lines, term in zip(held, terms, strict=True) if lines <= most and len(term) >= MIN_LETTERS
    )
    return [term for _, term in found]


def _asks(text: str) -> bool:
    return text.rstrip().endswith("?")


def _as_typed(terms: list[str], question: str) -> str:
    return " ".join(word for word in _WORD.findall(question) if not set(terms).isdisjoint(document_terms(word)))


def _sentence(count: int, words: str, in_german: bool) -> str:
    if in_german:
        return f'Das Archiv hat {counted(count, "Zeile, die", "Zeilen, die")} dazu gehören {"könnte" if count == 1 else "könnten"}: pmg steward archived "{words}"'
    return f'The archive has {counted(count, "line")} that may be about it: pmg steward archived "{words}"'


def _on_page(count: int, in_german: bool) -> str:
    """Without the words: what the chat says is kept, and is not to be found for them."""
    if in_german:
        return f"Das Archiv hat {counted(count, 'Zeile, die', 'Zeilen, die')} dazu gehören {'könnte' if count == 1 else 'könnten'} (Steward, Archive)."
    return f"The archive has {counted(count, 'line')} that may be about it (Steward, Archive)."
