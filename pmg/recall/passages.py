"""The passages of a long text that matter for a question, verbatim.

Knows: how a text falls into parts, which of them bear on what is asked, and how an excerpt leaves out the rest with `[…]`.
pack.py fills a block with such parts; whoever quotes one
text alone asks `passages`.

A part bears on a question by the question's words in it, rare ones more, and by those in the parts beside it: what answers a
question often stands in the sentence after the one that repeats its words. Where a text was embedded in several windows, the
nearness of the windows around a part counts too. A line break ends a part, so an item of a list stands by itself.

Of a text that is many times as long as what is shown only the stretches that bear most on the question are cut into parts: a coding
tool's output of forty thousand characters would take longer than all else of a recall, and twenty of them longer than a tool waits.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from pmg.base.sentences import Range, split
from pmg.base.text import printable
from pmg.index.terms import query_terms

CUT = "[…]"
MIN_PASSAGE = 50  # characters: less is joined to what follows, so that "1." or a heading is never alone
MAX_PASSAGE = 320  # characters: a longer sentence is cut at a blank
STRETCH = 1_000  # characters of a long text that are looked at together, about
MIN_CUT = 8_000  # characters that are cut into parts at least, however little is shown
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
        if not self.terms:
            return None
        spelt = [f"({_spelt(term)})" for term in self.terms]
        if all(term.isascii() for term in self.terms):  # whether a word begins is asked once a place, not once a term
            return re.compile(rf"(?<!\w)(?:{'|'.join(spelt)})", re.IGNORECASE)
        # scripts without spaces have no such beginnings
        begun = (rf"(?<!\w){one}" if term.isascii() else one for term, one in zip(self.terms, spelt, strict=True))
        return re.compile("|".join(begun), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NearPart:
    """Characters of a text that have a vector, and how near it is to the question: 1 for the nearest, 0 for the ordinary. Those of a text come in order."""

    start: int
    end: int
    nearness: float


NO_WORDS = WantedWords((), ())
WordPlace = tuple[int, int]  # a character of a text, and which of the wanted words begins there


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
    return "".join(_ACCENTS.get(letter, re.escape(letter)) for letter in _ENDINGS.sub("", term))


def parts(text: str, wanted: WantedWords, room: int, near: Sequence[NearPart] = ()) -> list[TextPart]:
    """All parts of the text in order; of a long one those in the stretches that bear most on the question. `room`: bytes there are to show them."""
    words = list(_words_in(text, wanted))
    kept = _bearing_stretches(text, words, wanted, near, max(MIN_CUT, room))
    ranges = [(first + start, first + end) for first, last in kept for start, end in cut(text[first:last])]
    if len(ranges) < 2:
        return [TextPart(start, end, 1.0) for start, end in ranges]
    own = _word_weights(ranges, words, wanted)
    most = max(own) or 1.0
    nearness = _nearness(ranges, near)
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
    left_out = len(text) - sum(last - first for first, last in kept)
    total = sum(worth) + FLOOR * most * left_out / size
    return [TextPart(start, end, w / total) for w, (start, end) in zip(worth, ranges, strict=True)]


def _bearing_stretches(
    text: str, words: Sequence[WordPlace], wanted: WantedWords, near: Sequence[NearPart], most: int
) -> list[Range]:
    """The whole text where it has no more characters than that; else those of its stretches that bear most on the question, in order."""
    if len(text) <= most:
        return [(0, len(text))]
    stretches = list(stretches_of(text))
    own = _word_weights(stretches, words, wanted)
    best = max(own) or 1.0
    weights = [weight + NEARNESS * best * one for weight, one in zip(own, _nearness(stretches, near), strict=True)]
    chosen: list[Range] = []
    for i in sorted(range(len(stretches)), key=lambda i: (-weights[i], i)):
        if most <= 0:
            break
        start, end = stretches[i]
        chosen.append((start, end))
        most -= end - start
    return sorted(chosen)


def stretches_of(text: str) -> Iterator[Range]:
    """The text in pieces of about one length, which end with a line where there is one, else at a blank."""
    start = 0
    while len(text) - start > STRETCH:
        half, end = start + STRETCH // 2, start + STRETCH
        end = next((found + 1 for mark in "\n " if (found := text.rfind(mark, half, end)) >= 0), end)
        yield start, end
        start = end
    yield start, len(text)


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


def _words_in(text: str, wanted: WantedWords) -> Iterator[WordPlace]:
    """Where the question's words stand, in order."""
    if wanted.pattern is not None:
        for match in wanted.pattern.finditer(text):
            if match.lastindex:
                yield match.start(), match.lastindex - 1


def _word_weights(ranges: Sequence[Range], words: Sequence[WordPlace], wanted: WantedWords) -> list[float]:
    """For every range the weights of the question's words in it, each word once."""
    seen: list[set[int]] = [set() for _ in ranges]
    starts = [start for start, _ in ranges]
    for place, word in words:
        at = bisect_right(starts, place) - 1
        if at >= 0 and place < ranges[at][1]:
            seen[at].add(word)
    return [sum(wanted.weights[word] for word in sorted(found)) for found in seen]


def _nearness(ranges: Sequence[Range], near: Sequence[NearPart]) -> list[float]:
    """For every range how near its middle is to the question."""
    starts, ends = [one.start for one in near], [one.end for one in near]
    middles = [(start + end) // 2 for start, end in ranges]
    around = (near[bisect_right(ends, place) : bisect_right(starts, place)] for place in middles)
    return [max((one.nearness for one in some), default=0.0) for some in around]


def passages(text: str, wanted: WantedWords, room: int, near: Sequence[NearPart] = ()) -> tuple[Range, ...]:
    """The parts that bear most on the question, in about `room` bytes: the whole text where it fits."""
    if size(text) <= room:
        return ((0, len(text)),) if text else ()
    taken: list[Range] = []
    for part in sorted(parts(text, wanted, room, near), key=lambda p: (-p.share, p.start)):
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
