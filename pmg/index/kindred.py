"""Words that are close in meaning: kitten and cat, camp and tent, married and wife.

Knows: a table that came with the package, and how much of a question's words, or of words close to them, a document has.
Does not know: vectors or models at run time; kindred_table.py made the table from the bundled embedding model, once.

This is late interaction over single words: every word of the question looks for the closest word of the document,

    score = Σ over the question's terms of idf · max over the document's terms of closeness        closeness of a term to itself is 1

Terms are stems, as in the index (terms.py). A term that the table does not know is close to itself alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pmg.index.postings import PostingBlock

FILE = "kindred.npz"
COMMON_SHARE = 16  # one document in so many: from here on a term counts as one of many documents

Scores = NDArray[np.float32]


class KindredWords:
    """The table: for every stem the stems close to it, least close first."""

    def __init__(
        self, stems: Sequence[str], starts: NDArray[np.uint32], kin: NDArray[np.uint16], closeness: NDArray[np.uint8]
    ) -> None:
        self._stems, self._starts, self._kin, self._closeness = stems, starts, kin, closeness
        self._numbers = {stem: number for number, stem in enumerate(stems)}

    def __contains__(self, term: str) -> bool:
        return term in self._numbers

    def of(self, term: str) -> list[tuple[str, float]]:
        """Terms close to this one with how close, least first; none where the table does not know it."""
        number = self._numbers.get(term)
        if number is None:
            return []
        span = slice(int(self._starts[number]), int(self._starts[number + 1]))
        names = (self._stems[kin] for kin in self._kin[span].tolist())
        return list(zip(names, (self._closeness[span] / np.float32(255)).tolist(), strict=True))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """As they are kept in the file."""
        text = np.frombuffer("\n".join(self._stems).encode(), dtype=np.uint8)
        return {"stems": text, "starts": self._starts, "kin": self._kin, "closeness": self._closeness}


@cache
def kindred_words() -> KindredWords:
    """The table of the package, read on first use: a third of a megabyte."""
    with files("pmg.index").joinpath(FILE).open("rb") as file, np.load(file, allow_pickle=False) as data:
        stems = data["stems"].tobytes().decode().split("\n")
        return KindredWords(stems, data["starts"], data["kin"], data["closeness"])


def kindred_scores(block: PostingBlock, terms: Iterable[tuple[str, float]], table: KindredWords) -> Scores:
    """The score of every document of a block; `terms` come with their idf."""
    total = np.zeros(len(block.ids), np.float32)
    best = np.zeros(len(block.ids), np.float32)
    for term, idf in terms:
        present = _present(block, table, term)
        everywhere = block.text.frequent(present[0][0]) if len(present) == 1 else None
        if everywhere is not None:  # by itself it needs no comparing
            total += _marked(everywhere, np.float32(present[0][1]) * np.float32(idf))
        else:
            _add(total, best, np.float32(idf), *_compared(block, best, present))
    return total


def _present(block: PostingBlock, table: KindredWords, term: str) -> list[tuple[int, float]]:
    """The words close to a term, and at last itself, that any document has: by number, with how close, rising."""
    words = ((block.terms.get(word), closeness) for word, closeness in (*table.of(term), (term, 1.0)))
    return [(number, closeness) for number, closeness in words if number is not None]


def _marked(counts: NDArray[np.uint8], mark: float | np.float32) -> Scores:
    return np.multiply(counts > 0, np.float32(mark), dtype=np.float32)


def _compared(
    block: PostingBlock, best: Scores, present: Sequence[tuple[int, float]]
) -> tuple[list[NDArray[np.intp]], bool]:
    """`best` becomes how close the closest word of each document is; which rows that touched, or whether very many."""
    touched, many = [], False
    for number, closeness in present:  # rising, so what is written last is the closest
        everywhere = block.text.frequent(number)
        if everywhere is not None:
            np.maximum(best, _marked(everywhere, closeness), out=best)
            many = True
        else:
            having = block.text.rows[block.text.span(number)].astype(np.intp)
            best[having] = closeness
            touched.append(having)
    return touched, many


def _add(total: Scores, best: Scores, idf: np.float32, touched: Sequence[NDArray[np.intp]], many: bool) -> None:
    """total += idf · best, and best is 0 again. Passing over all documents is cheaper than picking out many of them; the sums are the same."""
    if many or COMMON_SHARE * sum(map(len, touched)) > len(total):
        best *= idf
        total += best
        best.fill(0)
    elif touched:  # a row that is there twice is written twice with the same sum
        rows = np.concatenate(touched)
        total[rows] = total[rows] + idf * best[rows]
        best[rows] = 0
