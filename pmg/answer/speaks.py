"""Whether anything in a memory speaks for a question: its words, or a text that means something close to it.

Knows: two numbers and when they are enough. A recall hands on the nearest there is, however far it lies; the page and the terminal say when that is far.
"""

from __future__ import annotations

from collections.abc import Iterable

from pmg.engine import Engine
from pmg.index.terms import document_terms, query_terms

NOTHING = "Nothing in this memory speaks for this: no memory has its words, and none means something close to it."
ITS_WORDS = 0.5  # of the question's, in one memory: one of four may be there by chance


def speaks(engine: Engine, query: str, namespace: str, texts: Iterable[str]) -> bool:
    """`texts` are the memories that were found."""
    return shared_words(query, texts) >= ITS_WORDS or nearest(engine, query, namespace) >= close(engine)


def shared_words(query: str, texts: Iterable[str]) -> float:
    """The largest share of the question's words that one text has."""
    asked = set(query_terms(query))
    return max((len(asked & set(document_terms(text))) / len(asked) for text in texts), default=0.0) if asked else 0.0


def nearest(engine: Engine, query: str, namespace: str) -> float:
    """The cosine of the question and the text nearest to it; 0 without a model, or where nothing is indexed."""
    embedder, index = engine.model.ready(), engine.indexes.vector(namespace)
    if embedder is None or index is None or not len(index):
        return 0.0
    return float(index.search(embedder.embed([query]), 1).scores[0, 0])


def close(engine: Engine) -> float:
    """Half way from what is absurd to what is linked: a question is less like its answer than one answer is like another."""
    return (engine.thresholds.floor + engine.thresholds.edge) / 2
