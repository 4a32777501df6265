"""What a sentence wants, by learnt weights: it asks, tells, greets, wants something found, summed up, forgotten or done. English and German.

A linear classifier over hashed features of its words: single words, pairs, the beginning, the end, pieces of words, and the same with rare words blotted out, so that
"what did I do yesterday" and "what did I do at the gym yesterday" differ by a word that says something. A tenth of a millisecond, the same on every machine. The
weights in intent.npz are made by `python -m training.message` from data/messages, data/reading and data/dialogues.jsonl, which measures them, too.
"""

from __future__ import annotations

import hashlib
import io
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from importlib import resources
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pmg.base import patterns
from pmg.base.calendar_words import GERMAN_WEEKDAYS, MONTHS, ONLY_GERMAN_MONTHS, WEEKDAYS
from pmg.base.errors import StoreError

FILE = "intent.npz"
SHA256 = "4bd42316d8e3dda701335ffa9c6cc47407f81444e838de877239bb04ed70a9fa"


class Intent(StrEnum):
    TOLD = "told"
    QUESTION = "question"
    SEARCH = "search"  # what is looked for is named: "nut roast recipe"
    HAPPENED = "happened"  # in a time, and nothing else of it
    SAID = "said"  # … what was told in it
    AHEAD = "ahead"  # … what is to come
    SUMMARY = "summary"
    FORGET = "forget"
    ACTION = "action"  # something to be done in the world
    GREETING = "greeting"
    THANKS = "thanks"
    FAREWELL = "farewell"
    ANSWER = "answer"  # yes, no, the blue one
    UNKNOWN = "unknown"  # of an assistant: it does not know, goes to look, offers help


INTENTS = tuple(Intent)
ASKING = (Intent.QUESTION, Intent.SEARCH, Intent.HAPPENED, Intent.SAID, Intent.AHEAD, Intent.SUMMARY, Intent.FORGET)
TALK = (Intent.GREETING, Intent.THANKS, Intent.FAREWELL)
BUCKETS = 1 << 15
KNOWN_BUCKETS = 1 << 16
FIRST, LAST = 30, 4  # words that are read: of a longer sentence its beginning and its end
_TOKEN = patterns.short(r"[^\W_]+(?:['’][^\W_]+)*|[?!:,;…]")
_DAYS, _MONTHS = frozenset((*WEEKDAYS, *GERMAN_WEEKDAYS)), frozenset((*MONTHS, *ONLY_GERMAN_MONTHS))
_MARKS = str.maketrans("？؟！。", "??!.")
TALKED = 0.9  # the chance of small talk from which on
_MAX_TEXT = 1_000  # characters


@dataclass(frozen=True, slots=True)
class Weights:
    weights: NDArray[np.int8]  # by bucket and intent
    scale: NDArray[np.float32]  # of each intent
    bias: NDArray[np.float32]
    known: NDArray[np.bool_]  # words that are common in what was taught


def chances(sentence: str) -> NDArray[np.float64]:
    """How likely each of INTENTS is; together 1."""
    return _chances(sentence[:_MAX_TEXT])


@lru_cache(maxsize=4096)  # a turn is judged at several doors
def _chances(sentence: str) -> NDArray[np.float64]:
    return chances_by(load(), sentence)


def chances_by(taught: Weights, sentence: str) -> NDArray[np.float64]:
    """Σ of the weights of its features, divided by the root of their number, as a softmax."""
    buckets = buckets_of(features(sentence, taught.known))
    sums = taught.weights[buckets].sum(axis=0, dtype=np.int64) / np.sqrt(len(buckets))
    scores = sums * taught.scale.astype(np.float64) + taught.bias
    powers = np.exp(scores - scores.max())
    return np.asarray(powers / powers.sum())


def chance(sentence: str, of: Sequence[Intent]) -> float:
    found = chances(sentence)
    return float(sum(found[INTENTS.index(one)] for one in of))


def talks(sentence: str, of: Sequence[Intent] = TALK) -> bool:
    """Small talk and nothing told with it."""
    return chance(sentence, of) >= TALKED


def intent(sentence: str, of: Sequence[Intent] = INTENTS[:-1]) -> Intent:
    """The likeliest; unless it is asked for, nobody but an assistant is UNKNOWN."""
    found = chances(sentence)
    return max(of, key=lambda one: found[INTENTS.index(one)])


def words(sentence: str) -> list[str]:
    """As written; a mark is a word of its own."""
    return _TOKEN.findall(sentence)


def features(sentence: str, known: NDArray[np.bool_]) -> Iterator[str]:
    sentence = sentence.translate(_MARKS).strip()
    written = words(sentence)
    if len(written) > FIRST + LAST:
        written = [*written[:FIRST], *written[-LAST:]]
    said = [plain(word) for word in written]
    blotted = [word if is_known(word, known) else _shape(sign) for word, sign in zip(said, written, strict=True)]
    mark = sentence[-1:] if sentence[-1:] in ".!?:…," else ""
    yield "bias"
    yield f"n {min(len(said), 12)}"
    yield f"rare {min(sum(word[:1] == '<' for word in blotted), 4)}"
    yield f"end {mark} {min(len(said), 4)}"
    yield from _of_words("w", said)
    yield from _of_words("s", blotted)
    yield from (f"with {blotted[0]} {word}" for word in blotted[1:12])
    yield from (piece for word in (said[:3] if len(said) > 5 else said) for piece in _pieces(word))
    yield from (f"ends {min(at, 3)} {word[-3:]}" for at, word in enumerate(said))


def _of_words(sort: str, given: Sequence[str]) -> Iterator[str]:
    yield from (f"{sort} {word}" for word in given)
    yield from (f"{sort}2 {a} {b}" for a, b in pairwise(given))
    yield from (f"{sort}3 {a} {b} {c}" for a, b, c in zip(given, given[1:], given[2:], strict=False))
    yield from (f"{sort}at{at} {word}" for at, word in enumerate(given[:5]))
    yield from (f"{sort}first {' '.join(given[:count])}" for count in range(2, min(6, len(given)) + 1))
    yield from (f"{sort}last {' '.join(given[-count:])}" for count in (1, 2, 3))
    if len(given) < 9:
        yield f"{sort}all {' '.join(given)}"


def plain(word: str) -> str:
    lower = word.lower().replace("’", "'")
    if lower in _DAYS:
        return "=day"
    if lower in _MONTHS:
        return "=month"
    return "".join("0" if letter.isdecimal() else letter for letter in lower)


def _shape(word: str) -> str:
    if word[:1].isdecimal():
        return "<0>"
    return "<Aa>" if word[:1].isupper() else f"<a{word[-1:]}>"


def is_known(word: str, known: NDArray[np.bool_]) -> bool:
    return word[:1] == "=" or not word[:1].isalpha() or bool(known[zlib.crc32(word.encode()) % KNOWN_BUCKETS])


def _pieces(word: str) -> Iterator[str]:
    marked = f"^{word}$"
    yield from (f"c {marked[at : at + size]}" for size in (3, 4) for at in range(len(marked) - size + 1))


def buckets_of(given: Iterator[str]) -> NDArray[np.int64]:
    found = {zlib.crc32(one.encode("utf-8", "replace")) % BUCKETS for one in given}
    return np.fromiter(sorted(found), np.int64, len(found))


@cache
def load() -> Weights:
    data = (resources.files("pmg.ingest") / FILE).read_bytes()
    found = hashlib.sha256(data).hexdigest()
    if found != SHA256:
        raise StoreError(f"{FILE} has sha256 {found}, expected {SHA256}: install the package anew.")
    return read(data)


def read(data: bytes) -> Weights:
    held: Any = np.load(io.BytesIO(data), allow_pickle=False)
    known = np.unpackbits(held["known"]).astype(np.bool_)
    return Weights(held["weights"], held["scale"], held["bias"], known)
