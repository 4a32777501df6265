"""The passages of a long text that matter for a question, verbatim.

Knows: how a text falls into parts, which of them bear on what is asked, and how an excerpt leaves out the rest with `[…]`.
pack.py fills a block with such parts; whoever quotes one
text alone asks `passages`.

A part bears on a question by the question's words in it, rare ones more, and by those in the parts beside it: what answers a
question often stands in the sentence after the one that repeats its words. Where a text was embedded in several windows, the
nearness of the windows around a part counts too. A line break ends a part, so an item of a list stands by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from pmg.index.terms import query_terms
from pmg.sentences import Range, split
from pmg.text import printable

CUT = "[…]"
MIN_PASSAGE = 50  # characters: less is joined to what follows, so that "1." or a heading is never alone
MAX_PASSAGE = 320  # characters: a longer sentence is cut at a blank
MARK = 7  # bytes of the mark with its blanks: every part is counted with one
MAX_WORDS = 32  # of a question: the first ones, should it be a document
FLOOR = 0.15  # of the best part's weight: what every part has, since an answer may share no word with its question
BEFORE, AFTER, SECOND = 0.5, 0.25, 0.2  # share of the weight of the part before, the part after, the second one before
NEARNESS = 1.0  # of the best part's weight, for the window nearest to the question

_ENDINGS = re.compile(r"(?<=\w{3})[iey]$")  # "studi" stands for study and studies: the stem without it begins both
_ACCENTS = {
    "a": "[aàáâãäåā]", "c": "[cçćč]", "e": "[eèéêëē]", "i": "[iìíîïī]", "n": "[nñń]", "o": "[oòóôõöøō]", "s": "[sśš]", "u": "[uùúûüū]", "z": "[zźż]",
}  # fmt: skip


@dataclass(frozen=True)
class WantedWords:
    """The words of a question as they may stand in a text. Group n of the pattern has the weight n − 1."""

    terms: tuple[str, ...]
    weights: tuple[float, ...]

    @cached_property
    def pattern(self) -> re.Pattern[str] | None:
        """Made when a text is long enough to be cut: where all are short it is not needed, and making it costs a millisecond."""
        return re.compile("|".join(f"({_spelt(term)})" for term in self.terms), re.IGNORECASE) if self.terms else None


@dataclass(frozen=True, slots=True)
class NearPart:
    """Characters of a text that have a vector, and how near it is to the question: 1 for the nearest, 0 for the ordinary."""

    start: int
    end: int
    nearness: float


NO_WORDS = WantedWords((), ())


@dataclass(frozen=True, slots=True)
class TextPart:
    """Some characters of a text, and which share of what bears on the question they hold: the shares of a text add up to 1."""

    start: int
    end: int
    share: float


def wanted_words(question: str, rarity: Callable[[Sequence[str]], Sequence[float]] | None = None) -> WantedWords:
    """`rarity` gives the weight of each search term; without it all weigh the same."""
    terms = tuple(dict.fromkeys(query_terms(question)))[:MAX_WORDS]
    weights = rarity(terms) if rarity is not None and terms else [1.0] * len(terms)
    return WantedWords(terms, tuple(float(weight) for weight in weights))


def _spelt(term: str) -> str:
    """A term as the beginning of a word; scripts without spaces have no such beginnings."""
    letters = "".join(_ACCENTS.get(letter, re.escape(letter)) for letter in _ENDINGS.sub("", term))
    return rf"(?<!\w){letters}" if term.isascii() else letters


def parts(text: str, wanted: WantedWords, near: Sequence[NearPart] = ()) -> list[TextPart]:
    """All parts of the text in order."""
    ranges = cut(text)
    if len(ranges) < 2:
        return [TextPart(start, end, 1.0) for start, end in ranges]
    own = _word_weights(text, ranges, wanted)
    most = max(own) or 1.0
    nearness = [_nearness((start + end) // 2, near) for start, end in ranges]
    flowed = [
        own[i]
        + BEFORE * (own[i - 1] if i else 0.0)
        + SECOND * (own[i - 2] if i > 1 else 0.0)
        + AFTER * (own[i + 1] if i + 1 < len(own) else 0.0)
        + NEARNESS * most * nearness[i]
        for i in range(len(own))
    ]
    size = sum(end - start for start, end in ranges) / len(ranges)
    worth = [w + FLOOR * most * (end - start) / size for w, (start, end) in zip(flowed, ranges, strict=True)]
    total = sum(worth)
    return [TextPart(start, end, w / total) for w, (start, end) in zip(worth, ranges, strict=True)]


def cut(text: str) -> list[Range]:
    """Sentences and lines, short ones joined to what follows, long ones cut at a blank."""
    return [piece for first, last in split(text, _long_enough) for piece in _pieces(text, first, last)]


def _long_enough(piece: str) -> bool:
    return len(piece) >= MIN_PASSAGE


def _pieces(text: str, first: int, last: int) -> list[Range]:
    found = []
    while last - first > MAX_PASSAGE:
        blank = text.rfind(" ", first + MAX_PASSAGE // 2, first + MAX_PASSAGE)
        middle = blank + 1 if blank > 0 else first + MAX_PASSAGE
        found.append((first, middle))
        first = middle
    return [*found, (first, last)]


def _word_weights(text: str, ranges: Sequence[Range], wanted: WantedWords) -> list[float]:
    """For every part the weights of the question's words in it, each word once."""
    if wanted.pattern is None:
        return [0.0] * len(ranges)
    found = []
    for start, end in ranges:
        seen = {match.lastindex for match in wanted.pattern.finditer(text, start, end)}
        found.append(sum(wanted.weights[group - 1] for group in seen if group))
    return found


def _nearness(place: int, near: Sequence[NearPart]) -> float:
    return max((one.nearness for one in near if one.start <= place < one.end), default=0.0)


def passages(text: str, wanted: WantedWords, room: int, near: Sequence[NearPart] = ()) -> tuple[Range, ...]:
    """The parts that bear most on the question, in about `room` bytes: the whole text where it fits."""
    if size(text) <= room:
        return ((0, len(text)),) if text else ()
    taken: list[Range] = []
    for part in sorted(parts(text, wanted, near), key=lambda p: (-p.share, p.start)):
        cost = size(text[part.start : part.end]) + MARK
        if cost <= room:
            taken.append((part.start, part.end))
            room -= cost
    return merged(text, taken)


def merged(text: str, ranges: Sequence[Range]) -> tuple[Range, ...]:
    """In order, those that only blanks part as one: a mark would be longer than what it stands for."""
    found: list[Range] = []
    for start, end in sorted(ranges):
        if found and _blank(text, found[-1][1], start):
            found[-1] = (found[-1][0], end)
        else:
            found.append((0 if not found and _blank(text, 0, start) else start, end))
    if found and _blank(text, found[-1][1], len(text)):
        found[-1] = (found[-1][0], len(text))
    return tuple(found)


def _blank(text: str, start: int, end: int) -> bool:
    return start >= end or (size(text[start:end]) <= MARK and not text[start:end].strip())


def excerpt(text: str, ranges: Sequence[Range]) -> str:
    """The ranges verbatim, with a mark wherever something is left out."""
    if not ranges:
        return ""
    shown = f" {CUT} ".join(printable(text[start:end]) for start, end in ranges)
    before, after = ranges[0][0] > 0, ranges[-1][1] < len(text)
    return (f"{CUT} " if before else "") + shown + (f" {CUT}" if after else "")


def size(text: str) -> int:
    """In bytes of UTF-8: what a budget of tokens is counted in."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
