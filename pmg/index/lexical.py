"""Best matching words: BM25 over documents with two fields, their text and the context they were said in.

Knows: scoring, ranking, replacing and removing documents, and how the index is kept on disk.
Does not know: what the ids stand for, or how text becomes terms (terms.py).

Its own and not tantivy, because there the statistics go on counting removed and replaced documents until a background
merge, so the scores of the same memory depend on its history (here they are bit for bit those of a fresh index); and
because fusion wants the score of any document, which a top-k engine does not give. The score of a document is

    sum over the terms of: asked · idf · count · (k1 + 1) / (count + k1 · (1 − b + b · length / mean length))

with idf = ln(1 + (n − df + ½) / (df + ½)) and asked = times · (k3 + 1) / (times + k3) for a term that stands in the query
`times` times; computed for each field by itself and added up with the field's weight.
"""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pmg.base.errors import IndexDamaged, InputError
from pmg.index.content_files import Piece, is_there, read_catalog, read_piece, write_catalog, write_piece
from pmg.index.index_folder import REBUILD, Place
from pmg.index.kindred import KindredWords, kindred_scores
from pmg.index.manifest import Manifest
from pmg.index.marks import marks_of
from pmg.index.postings import Field, Ints, Mask, PostingBlock, build, merge, read_block, write_block
from pmg.index.terms import document_terms, query_terms
from pmg.index.top import bound

K1 = 1.2
B = 0.75  # less helps short turns (LoCoMo +1) and hurts long ones (LongMemEval −8 at 0.4)
CONTEXT_WEIGHT = 1.5  # speaker and date: LoCoMo R@10 57.8 without, 61.9 at 1.0, 63.0 here; LongMemEval is unmoved
K3 = 2.0  # a term that the query repeats counts up to three times: a pasted log must not drown the question
MAX_TERMS = 64  # distinct terms of a query; of more, the rarest in this memory are kept
READ_QUERY = 20_000  # characters of a query that are read: what comes after is not searched for
BATCH_DOCS, BATCH_LETTERS = 10_000, 8_000_000  # to a block while many are added: bounds the memory
DEAD_SHARE = 0.25  # of a block's documents removed, above which it is written anew

Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class LexicalDoc:
    """One line: its words, and in `context` its session's title, its date in words and its speaker."""

    id: int
    segment: int
    text: str
    context: str = ""


@dataclass(frozen=True, slots=True)
class LexicalHits:
    """Documents with their segments and scores, aligned."""

    ids: Ints
    segments: Ints
    scores: Scores


class WeighedQuery:
    """One query against every document, computed once. `mean` is the score of an ordinary document, `most` about what a document
    with every term of the query gets: the sum of their idf."""

    def __init__(self, hits: LexicalHits, mean: float, most: float, parts: list[_Part], scores: list[Scores]) -> None:
        self.hits, self.mean, self.most = hits, mean, most
        self._parts, self._scores = parts, scores

    def of(self, ids: Ints) -> Scores:
        """The score of each of these documents; 0 for one that shares no term with the query or is not here."""
        found = np.zeros(len(ids), np.float32)
        for part, scores in zip(self._parts, self._scores, strict=True):
            rows = part.rows_of(ids)
            found[rows >= 0] = scores[rows[rows >= 0]]
        return found


class KindredQuery:
    """How much of a query's words, or of words close to them, each document has: as a share of all of them, over the ordinary document's."""

    def __init__(self, parts: list[_Part], scores: list[Scores], mean: float, most: float) -> None:
        self._parts, self._scores, self._mean, self._most = parts, scores, mean, most

    def of(self, ids: Ints) -> Scores:
        """For each of these documents; one that is not here counts as one without any such word."""
        found = np.zeros(len(ids), np.float32)
        for part, scores in zip(self._parts, self._scores, strict=True):
            rows = part.rows_of(ids)
            found[rows >= 0] = scores[rows[rows >= 0]]
        return (found - np.float32(self._mean)) / np.float32(self._most)


class _Part:
    """A block with what has happened to it since: which documents live, and what of it is on disk."""

    def __init__(self, block: PostingBlock, alive: Mask | None = None, piece: Piece | None = None) -> None:
        self.block = block
        self.alive: Mask = np.ones(len(block.ids), bool) if alive is None else alive
        self.piece = piece
        self._norms: dict[int, tuple[float, Scores]] = {}
        self.count_alive()

    def count_alive(self) -> None:
        self.living = int(np.count_nonzero(self.alive))
        self.whole = self.living == len(self.alive)
        self.totals = [int(field.lengths[self.alive].sum()) for field in self.block.fields]

    def of_living(self, scores: Scores) -> Scores:
        return scores if self.whole else scores[self.alive]

    def norms(self, at: int, mean: float) -> Scores:
        """k1 · (1 − b + b · length / mean length) of every document, worked out again when the mean has moved."""
        kept = self._norms.get(at)
        if kept is None or kept[0] != mean:
            lengths = self.block.fields[at].lengths
            kept = self._norms[at] = (mean, (K1 * (1 - B + B * lengths / mean)).astype(np.float32))
        return kept[1]

    def kill(self, rows: NDArray[np.int64] | Mask) -> int:
        before = self.living
        self.alive[rows] = False
        self.count_alive()
        return before - self.living

    def rows_of(self, ids: Ints) -> NDArray[np.int64]:
        """The row of each id that lives here, -1 for the others."""
        at = np.minimum(np.searchsorted(self.block.ids, ids), len(self.block.ids) - 1)
        return np.where((self.block.ids[at] == ids) & self.alive[at], at, -1)


class LexicalIndex:
    """All lines of one namespace. Without a folder it lives in memory only. Methods may be called from any thread."""

    def __init__(self, folder: Place | None = None) -> None:
        self.manifest: Manifest | None = None  # what is on disk, once saved or loaded
        self._folder = folder
        self._parts: list[_Part] = []
        self._lock = threading.RLock()

    def __len__(self) -> int:
        return sum(part.living for part in self._parts)

    def ids(self) -> Ints:
        """The ids of all documents, rising."""
        with self._lock:
            living = [part.block.ids[part.alive] for part in self._parts]
        return np.sort(np.concatenate(living)) if living else np.empty(0, np.int64)

    def add(self, docs: Iterable[LexicalDoc]) -> None:
        """Add documents, or replace those whose id is there; of an id given twice the last one stays."""
        for batch in _batches(docs):
            block = _block_of(batch)
            with self._lock:
                self.remove(block.ids)
                self._parts.append(_Part(block))
                self._tidy()

    def remove(self, ids: Ints) -> int:
        """Remove documents, ignoring unknown ids; how many were there."""
        wanted = np.asarray(ids, dtype=np.int64)
        with self._lock:
            gone = 0
            for part in self._parts:
                rows = part.rows_of(wanted)
                if (rows >= 0).any():
                    gone += part.kill(rows[rows >= 0])
            return gone

    def remove_segments(self, segments: Ints) -> int:
        """Remove the documents of these segments; how many there were."""
        wanted = np.asarray(segments, dtype=np.int64)
        with self._lock:
            gone = 0
            for part in self._parts:
                hit = np.isin(part.block.segments, wanted) & part.alive
                if hit.any():
                    gone += part.kill(hit)
            return gone

    def search(
        self, query: str, k: int, context_weight: float = CONTEXT_WEIGHT, without: Mask | None = None
    ) -> LexicalHits:
        """The k best documents that have any term of the query, best first, ties to the lower id.

        Stop words count only if the query has nothing else; a query without any term finds nothing. `without` marks segments, by number, that are passed over.
        """
        if k < 1:
            raise InputError(f"a search for {k} results: ask for at least 1")
        with self._lock:
            found = [
                _top(part, scores if without is None else np.where(_marked(without, part.block.segments), 0, scores), k)
                for part, scores in zip(self._parts, self._scores(_asked(query), context_weight), strict=True)
            ]
        hits = _joined(found)
        order = np.lexsort((hits.ids, -hits.scores))[:k]
        return LexicalHits(hits.ids[order], hits.segments[order], hits.scores[order])

    def weigh(self, query: str, k: int, context_weight: float = CONTEXT_WEIGHT) -> WeighedQuery:
        """The same search, and from the same sums the score of any document and what is ordinary for this query."""
        with self._lock:
            asked = _asked(query)
            parts, scores, count = list(self._parts), self._scores(asked, context_weight), len(self)
            found = _joined([_top(part, one, k) for part, one in zip(parts, scores, strict=True)])
            order = np.lexsort((found.ids, -found.scores))[:k]
            hits = LexicalHits(found.ids[order], found.segments[order], found.scores[order])
            seen = np.array([df for df in self.frequencies(asked) if df], dtype=np.float64)
        most = float(np.log(1 + (count - seen + 0.5) / (seen + 0.5)).sum())
        mean = sum(float(one.sum(dtype=np.float64)) for one in scores) / count if count else 0.0
        return WeighedQuery(hits, mean, most, parts, scores)

    def kindred(self, query: str, table: KindredWords) -> KindredQuery:
        """The words of the query in their near meanings, over the text alone: what the context field holds are names and dates."""
        with self._lock:
            parts, count = list(self._parts), len(self)
            terms = [term for term, _ in self._rarest(_asked(query))]
            known = [(t, df) for t, df in zip(terms, self.frequencies(terms), strict=True) if df or t in table]
            weighed = [(term, math.log(1 + (count - df + 0.5) / (df + 0.5))) for term, df in known]
            scores = [kindred_scores(part.block, weighed, table) for part in parts]
            total = sum(
                float(part.of_living(one).sum(dtype=np.float64)) for part, one in zip(parts, scores, strict=True)
            )
        return KindredQuery(parts, scores, total / count if count else 0.0, sum(idf for _, idf in weighed) or 1.0)

    def scores(self, query: str, context_weight: float = CONTEXT_WEIGHT) -> LexicalHits:
        """Every document with its score, 0 included, by id: for statistics over the whole memory."""
        with self._lock:
            all_of = [
                LexicalHits(part.block.ids[part.alive], part.block.segments[part.alive], scores[part.alive])
                for part, scores in zip(self._parts, self._scores(_asked(query), context_weight), strict=True)
            ]
        hits = _joined(all_of)
        order = np.argsort(hits.ids)
        return LexicalHits(hits.ids[order], hits.segments[order], hits.scores[order])

    def frequencies(self, terms: Iterable[str], without: Mask | None = None) -> list[int]:
        """In how many documents each term (as `terms.query_terms` gives it) occurs in the text, those of segments that `without` marks left out."""
        with self._lock:
            return [sum(_frequency(part, part.block.text, term, without) for part in self._parts) for term in terms]

    def having(self, terms: Iterable[str], ids: Ints) -> Mask:
        """Whether each of these documents has any of the terms in its text, or any of these marks."""
        wanted, found = list(terms), np.zeros(len(ids), bool)
        with self._lock:
            parts = list(self._parts)
        for part in parts:
            rows = part.rows_of(ids)
            numbers = [number for term in wanted if (number := part.block.terms.get(term)) is not None]
            for number in numbers:
                found |= _among(rows, part.block.text.rows[part.block.text.span(number)])
        return found

    def save(self, manifest: Manifest) -> Manifest:
        """Write what changed since the last save; returns the manifest as written."""
        with self._lock:
            if self._folder is None:
                raise InputError("this index has no folder to be saved in: give one when making it")
            self._tidy()
            for part in self._parts:
                if not is_there(self._folder, part.piece):
                    part.piece = write_block(self._folder, part.block)
            pieces = [part.piece for part in self._parts if part.piece is not None]
            if pieces:
                bits = np.packbits(np.concatenate([part.alive for part in self._parts]))
                pieces.append(write_piece(self._folder, (len(bits),), [bits]))
            self.manifest = write_catalog(self._folder, pieces, manifest, len(self))
            return self.manifest

    @classmethod
    def load(cls, folder: Place, expected: Manifest) -> LexicalIndex:
        """The index saved in `folder`, or IndexDamaged if it is missing, foreign or corrupt in a single bit."""
        manifest, pieces = read_catalog(folder, expected)
        index = cls(folder)
        if pieces:
            blocks = [(piece, read_block(folder, piece)) for piece in pieces[:-1]]
            bits = np.empty(pieces[-1].shape, np.uint8)
            read_piece(folder, pieces[-1], [bits])
            alive, start = np.unpackbits(bits).astype(bool), 0
            for piece, block in blocks:
                index._parts.append(_Part(block, alive[start : start + len(block.ids)].copy(), piece))
                start += len(block.ids)
        if len(index) != manifest.rows:
            raise IndexDamaged(f"the index at {folder} has {len(index)} rows, its manifest {manifest.rows}: {REBUILD}")
        index.manifest = manifest
        return index

    def _tidy(self) -> None:
        """Keep few blocks, each more than twice the next, so that adding stays cheap and a search visits few."""
        self._parts = [part for part in self._parts if part.living]
        self._parts = [
            part if len(part.alive) - part.living <= DEAD_SHARE * len(part.alive) else _merged([part])
            for part in self._parts
        ]
        while len(self._parts) > 1 and len(self._parts[-2].alive) <= 2 * len(self._parts[-1].alive):
            last = self._parts.pop()
            self._parts[-1] = _merged([self._parts[-1], last])

    def _scores(self, asked: Counter[str], context_weight: float) -> list[Scores]:
        """For each part the score of every row: in the order of the terms, so that every sum is the same sum."""
        count = len(self)
        scores = [np.zeros(len(part.alive), np.float32) for part in self._parts]
        if not count:
            return scores
        wanted = self._rarest(asked)
        for at, weight in ((0, 1.0), (1, context_weight)):
            mean = sum(part.totals[at] for part in self._parts) / count
            if not mean or not weight:
                continue
            norms = [part.norms(at, mean) for part in self._parts]
            for term, times in wanted:
                df = sum(_frequency(part, part.block.fields[at], term) for part in self._parts)
                if not df:  # most words of a question stand in no title
                    continue
                repeated = times * (K3 + 1) / (times + K3)
                idf = math.log(1 + (count - df + 0.5) / (df + 0.5))
                for part, norm, into in zip(self._parts, norms, scores, strict=True):
                    _accumulate(part, at, term, np.float32(repeated * weight * idf * (K1 + 1)), norm, into)
        for part, into in zip(self._parts, scores, strict=True):
            if not part.whole:
                into[~part.alive] = 0
        return scores

    def _rarest(self, counts: Counter[str]) -> list[tuple[str, int]]:
        """The query's terms with their counts, alphabetical; of too many, those that fewest documents have."""
        if len(counts) > MAX_TERMS:
            fields = [(part, field) for part in self._parts for field in part.block.fields]
            known = sorted((sum(_frequency(part, field, term) for part, field in fields), term) for term in counts)
            known = [(df, term) for df, term in known if df]
            return sorted((term, counts[term]) for _, term in known[:MAX_TERMS])
        return sorted(counts.items())


def _asked(query: str) -> Counter[str]:
    """The terms of a query in their order, with how often each stands in it."""
    return Counter(query_terms(query[:READ_QUERY]))


def _among(rows: NDArray[np.int64], having: NDArray[np.uint32]) -> Mask:
    """Which of some rows are among those that have a term; these come rising, so a few rows cost little however many they are."""
    if not len(having):
        return np.zeros(len(rows), bool)
    # In their own type, or all of `having` would be copied first; a row of -1 becomes one beyond the last, and equals none.
    at = np.minimum(np.searchsorted(having, rows.astype(having.dtype)), len(having) - 1)
    return np.asarray(having[at] == rows)


def _batches(docs: Iterable[LexicalDoc]) -> Iterator[list[LexicalDoc]]:
    batch: list[LexicalDoc] = []
    letters = 0
    for doc in docs:
        batch.append(doc)
        letters += len(doc.text) + len(doc.context)
        if len(batch) >= BATCH_DOCS or letters >= BATCH_LETTERS:
            yield batch
            batch, letters = [], 0
    if batch:
        yield batch


def _block_of(batch: list[LexicalDoc]) -> PostingBlock:
    last = {doc.id: doc for doc in batch}
    docs = [last[id_] for id_ in sorted(last)]
    if docs[0].id < 0:
        raise InputError(f"the id {docs[0].id} is negative: ids of the store count from 0")
    return build(
        [doc.id for doc in docs],
        [doc.segment for doc in docs],
        [document_terms(doc.text) for doc in docs],
        [document_terms(doc.context) for doc in docs],
        [marks_of(doc.text) for doc in docs],
    )


def _merged(parts: list[_Part]) -> _Part:
    return _Part(merge([part.block for part in parts], [part.alive for part in parts]))


def _frequency(part: _Part, field: Field, term: str, without: Mask | None = None) -> int:
    number = part.block.terms.get(term)
    if number is None:
        return 0
    span = field.span(number)
    if without is not None:
        rows = field.rows[span]
        return int(np.count_nonzero(part.alive[rows] & ~_marked(without, part.block.segments[rows])))
    return span.stop - span.start if part.whole else int(np.count_nonzero(part.alive[field.rows[span]]))


def _marked(without: Mask, segments: Ints) -> Mask:
    """Which segments are passed over. One that came after the marks were read is not among them."""
    known = segments < len(without)
    marked = np.zeros(len(segments), dtype=np.bool_)
    marked[known] = without[segments[known]]
    return marked


def _accumulate(part: _Part, at: int, term: str, weight: np.float32, norms: Scores, into: Scores) -> None:
    """weight · counts / (counts + norms), added to the rows that have the term; both ways give the same sums bit for bit."""
    number = part.block.terms.get(term)
    if number is None:
        return
    field = part.block.fields[at]
    everywhere = field.frequent(number)
    if everywhere is not None:
        gain = everywhere.astype(np.float32)
        divisor = norms + gain
        gain *= weight
        gain /= divisor
        into += gain
    else:
        span = field.span(number)
        # in place, by `take` and `add.at`, which are several times as fast
        rows = field.rows[span].astype(np.intp)
        gain = field.counts[span].astype(np.float32)
        divisor = norms.take(rows, mode="clip")
        divisor += gain
        gain *= weight
        gain /= divisor
        np.add.at(into, rows, gain)


def _top(part: _Part, scores: Scores, k: int) -> LexicalHits:
    """The best k of one part and all that tie with the last of them."""
    least = bound(scores, k)
    rows = np.flatnonzero(scores >= least if least > 0 else scores)
    if len(rows) > k:
        found = scores[rows]
        rows = rows[found >= np.partition(found, len(found) - k)[len(found) - k]]
    return LexicalHits(part.block.ids[rows], part.block.segments[rows], scores[rows])


def _joined(hits: list[LexicalHits]) -> LexicalHits:
    if not hits:
        return LexicalHits(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32))
    return LexicalHits(
        np.concatenate([hit.ids for hit in hits]),
        np.concatenate([hit.segments for hit in hits]),
        np.concatenate([hit.scores for hit in hits]),
    )
