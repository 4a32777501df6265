"""Whether what a recall found bears on what was asked: by the asked words that it has, or because it means something close.

Knows: two measures and how much of them is enough. The words are on a scale that every memory shares; how close something means is so only in a language
that the embedding model knows, and in another it counts only beside some of the words. A recall hands on the nearest there is, however far it
lies; whoever gives it to a tool unasked has to know when that is too far. Only what stands in the block is looked at.
A model that has English alone knows no other language, of which a text gives two signs: to a model that does not know a language all its texts are alike.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pmg.answer.message import MessageKind, kind_of
from pmg.answer.phrases import german
from pmg.base.model import Line, Role
from pmg.embed import bundled
from pmg.embed.embedder import Embedder
from pmg.engine import Engine
from pmg.index.function_words import function_words
from pmg.index.other_forms import german_forms
from pmg.index.terms import document_terms, query_terms
from pmg.recall.passages import stretches_of
from pmg.recall.receipt import Recalled

ITS_WORDS = 0.5  # of what the asked words weigh, in one memory
CLOSE = 0.75  # of the way from what is absurd to what is linked (0.47 with the bundled model)
AROUND = "around "  # how a recall says which time it understood
BOTH = 0.85  # of either measure: two that nearly reach are as good as one that does
SOME_WORDS = 1 / 3  # where the model does not know the language: the least beside what seems close
READ, READ_LINE = (
    40_000,
    4_000,
)  # characters of all turns in the block, and of one line beyond what is shown: a hook has 250 ms


@dataclass(frozen=True, slots=True)
class BlockLine:
    """One line of a turn in the block, as much of it as is read."""

    turn: int  # its number
    place: int  # in its turn
    text: str


@dataclass(frozen=True, slots=True)
class AskedWord:
    """By its rarity, as in BM25: a word that nobody ever said here weighs most, for it is what the question has and the memory lacks."""

    forms: frozenset[str]  # any of them is the word
    weight: float


def bearing_memories(engine: Engine, found: Recalled) -> dict[int, float]:
    """Of those that were found the ones that do, by number, each with how much: both measures together, as they reach what is enough."""
    query = found.receipt.query  # as it was searched for: never a whole document
    timely = _of_its_time(query, found)
    if timely:
        return timely
    lines = read_lines(found)
    shares = shared_weights(_asked_words(engine, found.receipt.namespace, query), lines)
    embedder = engine.model.ready()
    if embedder is None or not lines:
        return {turn: share / ITS_WORDS for turn, share in shares.items() if share >= ITS_WORDS}
    close = _close(engine)
    nearness: dict[int, float] = {}
    near: dict[int, list[str]] = {}
    for line, cosine in zip(lines, _cosines(engine, embedder, found, lines), strict=True):
        nearness[line.turn] = max(cosine, nearness.get(line.turn, 0.0))
        if cosine >= close:
            near.setdefault(line.turn, []).append(line.text)

    def is_enough(turn: int, share: float) -> bool:
        if share >= ITS_WORDS or min(share / ITS_WORDS, nearness[turn] / close) >= BOTH:
            return True
        return turn in near and (share >= SOME_WORDS or _is_known(embedder, query, near[turn]))

    enough = {turn: share for turn, share in shares.items() if is_enough(turn, share)}
    return {turn: share / ITS_WORDS + nearness[turn] / close for turn, share in enough.items()}


def _is_known(embedder: Embedder, query: str, texts: Sequence[str]) -> bool:
    """Whether the model knows the language of the question, and of one of the texts that are near to it."""
    return knows_language(embedder, query) and any(knows_language(embedder, text) for text in texts)


def _of_its_time(query: str, found: Recalled) -> dict[int, float]:
    """ "What did we do last week?" names nothing but a time, and is answered by what was said then."""
    if kind_of(query) is not MessageKind.QUESTION or not any(cue.startswith(AROUND) for cue in found.receipt.cues):
        return {}
    rows = zip(found.segments, found.receipt.found, strict=True)
    dated = (one for one, row in rows if any(signal.name == "date" and signal.score > 0 for signal in row.signals))
    return {one.number: 1.0 for one in dated}


def read_lines(found: Recalled) -> list[BlockLine]:
    """The lines of what was found, the best first, as many as are read. What a tool printed is read only as far as it is shown."""
    turns = {one.id: one for one in found.segments}
    read: list[BlockLine] = []
    room = READ
    for line in found.lines:
        turn = turns.get(line.segment)
        if turn is not None and room > 0:
            text = _read(turn.lines[line.line], line.ranges)[:room]
            read.append(BlockLine(turn.number, line.line, text))
            room -= len(text)
    return read


def _read(line: Line, ranges: Sequence[tuple[int, int]]) -> str:
    shown = [line.text[start:end] for start, end in ranges]
    return "\n".join(shown if line.role is Role.TOOL else [*shown, line.text[:READ_LINE]])


def shared_weights(asked: Sequence[AskedWord], lines: Sequence[BlockLine]) -> dict[int, float]:
    """By memory: the largest share of what the asked words weigh that stands close together in it. In pages of text every word stands somewhere."""
    total = sum(word.weight for word in asked)
    texts: dict[int, list[str]] = {}
    for line in lines:
        texts.setdefault(line.turn, []).append(line.text)

    def share(text: str) -> float:
        terms = set(document_terms(text))
        return sum(word.weight for word in asked if not word.forms.isdisjoint(terms)) / total if total else 0.0

    whole = {turn: "\n".join(some) for turn, some in texts.items()}
    return {turn: max(share(text[start:end]) for start, end in stretches_of(text)) for turn, text in whole.items()}


def _asked_words(engine: Engine, namespace: str, query: str) -> list[AskedWord]:
    """Words in Latin letters are stemmed as English: a German one is also had in its other forms."""
    index = engine.indexes.lexical(namespace)
    if index is None:
        return []
    other = german_forms if german(query) else lambda _: frozenset[str]()
    forms = [frozenset({term, *other(term)}) for term in sorted(set(query_terms(query)))]
    every = sorted(frozenset().union(*forms))
    seen: Mapping[str, int] = dict(zip(every, index.frequencies(every), strict=True))
    return [AskedWord(some, _rarity(max(seen[form] for form in some), len(index))) for some in forms]


def _rarity(seen: int, count: int) -> float:
    return math.log(1 + (count - seen + 0.5) / (seen + 0.5))


def _cosines(engine: Engine, embedder: Embedder, found: Recalled, lines: Sequence[BlockLine]) -> list[float]:
    """Of the question and what is nearest to it in each line; 0 where a line is not indexed, and everywhere if the model was changed meanwhile."""
    vector = embedder.embed([found.receipt.query])
    best: dict[int, float] = {}
    with engine.indexes.lock.reading():
        index, held = engine.indexes.vector(found.receipt.namespace), engine.reads.model
        if index is None or held is None or held.fingerprint != embedder.fingerprint:
            return [0.0] * len(lines)
        catalogue = engine.indexes.catalogue
        first, count = catalogue.segment("first_line"), catalogue.segment("lines")
        ids = [int(first[one.turn]) + one.place if one.place < count[one.turn] else 0 for one in lines]
        windows = catalogue.windows_of_lines(np.array(ids, dtype=np.int64))
        likeness = np.nan_to_num(index.similarities(vector, windows))
        for line, value in zip(catalogue.lines_of_windows(windows).tolist(), likeness.tolist(), strict=True):
            best[line] = max(value, best.get(line, 0.0))
    return [best.get(line, 0.0) for line in ids]


def _close(engine: Engine) -> float:
    floor, edge = engine.thresholds.floor, engine.thresholds.edge
    return floor + CLOSE * (edge - floor)


ENGLISH_ONLY = frozenset({bundled.SHA256})  # fingerprints; of a model that a person brings it is not known
IN_PIECES = 0.5  # of the words: more of them are cut in no English text but one of names and terms
ENOUGH_WORDS = 6  # "Metformin dosage" is English, and each of its words is cut: pieces are a sign only among more words
READ_TEXT = 2_000  # characters of a text: its language shows in its beginning
_BEYOND_LATIN = "\u0250"  # letters from here on are in no English word: a few are sign enough
_WORD = re.compile(r"[^\W\d_]+")


def knows_language(embedder: Embedder, text: str) -> bool:
    """False only where the model has English alone and the text shows another language."""
    if embedder.fingerprint not in ENGLISH_ONLY:
        return True
    beginning = text[:READ_TEXT]
    if function_words(beginning):
        return False
    return _is_too_short(beginning) or _share_in_pieces(embedder, beginning) <= IN_PIECES


def _is_too_short(text: str) -> bool:
    """Whether pieces tell nothing of it: a few words, all in Latin letters. Then it shows no language."""
    words = _WORD.findall(text)
    return len(words) < ENOUGH_WORDS and max(map(max, words), default="") < _BEYOND_LATIN


def _share_in_pieces(embedder: Embedder, text: str) -> float:
    """Of the words, those that the model has only in pieces: a sign for every language, also one whose words nobody listed."""
    starts = [start for start, _ in embedder.token_spans(text).tolist()]
    words = [found.span() for found in _WORD.finditer(text)]
    cut = sum(bisect_left(starts, end) > bisect_right(starts, start) for start, end in words)
    return cut / len(words) if words else 0.0
