"""Whether two texts that sound alike differ in something that matters, and in what.

Knows: negation, quantities, dates, names, roles, tense, questions, modality, conditions and plain content words.
Does not know: embeddings, the store, or what is done about a difference. It only ever blocks: when in doubt, they differ.

Each text is read into items (scan, phrases, amounts, reading), brought into a settled order (order), and compared item by
item (compare). English is understood; in other languages every changed word counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import zip_longest

from pmg.ingest.differences.compare import Found, compare
from pmg.ingest.differences.items import Item
from pmg.ingest.differences.order import ordered
from pmg.ingest.differences.reading import read

__all__ = ["Difference", "differences", "marked"]

# Beyond this many characters only equal wording passes: nobody paraphrases 60 kB, and the cost stays linear.
LONGEST = 60_000
LONG = 600
_SENTENCE = re.compile(r"(?s:.+?)(?:[.!?]\s+|\n+|\Z)")
_PLAIN = re.compile(r"[^\W_]{4,}")
_LABEL = re.compile(r"^[ \t]*([^\W\d_][\w.'’-]{0,30}(?: [\w.'’-]{1,30}){0,2}):[ \t]+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs: its kind, and the words of each text for showing ("" where a text has none)."""

    kind: str
    a: str
    b: str


def differences(a: str, b: str) -> tuple[Difference, ...]:
    """What differs between two texts; an empty tuple means that the one may stand for the other."""
    seen: dict[Difference, None] = {}
    for kind, x, y in _found(a, b):
        seen[Difference(kind, x.text if x else "", y.text if y else "")] = None
    return tuple(seen)


def marked(a: str, b: str) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
    """Both texts as runs (text, differs); the runs of a text joined are that text."""
    found = _found(a, b)
    spans_a = [(x.start, x.end) for _, x, _ in found if x]
    spans_b = [(y.start, y.end) for _, _, y in found if y]
    return _runs(a, spans_a), _runs(b, spans_b)


def _found(a: str, b: str) -> list[Found]:
    if a == b or a.split() == b.split():
        return []
    if max(len(a), len(b)) > LONGEST:
        return [("length", Item("word", "", a[:80], 0, len(a)), Item("word", "", b[:80], 0, len(b)))]
    said_a, said_b = _lines(a), _lines(b)
    if not said_a or not said_b:
        return _texts(a, 0, b, 0)
    labels = [("speaker", x[0], y[0]) for x, y in zip(said_a, said_b, strict=False) if x[0].key != y[0].key]
    if labels or len(said_a) != len(said_b):
        return [*labels] or [("speaker", said_a[-1][0], said_b[-1][0])]
    found: list[Found] = []
    for (_, at_a, text_a), (_, at_b, text_b) in zip(said_a, said_b, strict=True):
        if text_a.split() != text_b.split():
            found.extend(_texts(text_a, at_a, text_b, at_b))
    return found


def _texts(a: str, at_a: int, b: str, at_b: int) -> list[Found]:
    """Compares what is left when the sentences that both begin and end with are set aside."""
    if min(len(a), len(b)) < LONG:
        return compare(ordered(read(a, at_a)), ordered(read(b, at_b))) or _both_empty(a, b)
    cut_a, cut_b = _SENTENCE.findall(a), _SENTENCE.findall(b)
    lead = _shared(cut_a, cut_b)
    tail = _shared(cut_a[lead:][::-1], cut_b[lead:][::-1])
    at_a, at_b = at_a + sum(map(len, cut_a[:lead])), at_b + sum(map(len, cut_b[:lead]))
    rest_a, rest_b = "".join(cut_a[lead : len(cut_a) - tail]), "".join(cut_b[lead : len(cut_b) - tail])
    return _far(rest_a, at_a, rest_b, at_b) or compare(ordered(read(rest_a, at_a)), ordered(read(rest_b, at_b)))


def _shared(a: list[str], b: list[str]) -> int:
    return next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _far(a: str, at_a: int, b: str, at_b: int) -> list[Found]:
    """Two long passages with many words that only one of them has differ; no need to read them closely."""
    if min(len(a), len(b)) < LONG:
        return []
    words_a, words_b = {m[0].lower(): m for m in _PLAIN.finditer(a)}, {m[0].lower(): m for m in _PLAIN.finditer(b)}
    only_a, only_b = words_a.keys() - words_b.keys(), words_b.keys() - words_a.keys()
    if 5 * (len(only_a) + len(only_b)) < len(words_a) + len(words_b):
        return []
    alone_a = [_shown(words_a[word], at_a) for word in sorted(only_a)]
    alone_b = [_shown(words_b[word], at_b) for word in sorted(only_b)]
    return [("word", x, y) for x, y in zip_longest(alone_a, alone_b)]


def _shown(match: re.Match[str], at: int) -> Item:
    return Item("word", "", match[0], match.start() + at, match.end() + at)


def _both_empty(a: str, b: str) -> list[Found]:
    """Nothing was understood in either text (only fillers or signs): then only equal letters are the same."""
    if read(a) or read(b):
        return []
    letters_a, letters_b = re.sub(r"[\W_]+", "", a).lower(), re.sub(r"[\W_]+", "", b).lower()
    if letters_a == letters_b and letters_a:
        return []
    return [("word", Item("word", "", a[:80], 0, len(a)), Item("word", "", b[:80], 0, len(b)))]


def _lines(text: str) -> list[tuple[Item, int, str]]:
    """(speaker, where the words begin, the words) for each `speaker: words` line; none if the text does not begin with one."""
    labels = list(_LABEL.finditer(text))
    if not labels or labels[0].start() != 0:
        return []
    ends = [label.start() for label in labels[1:]] + [len(text)]
    return [
        (Item("name", label[1].lower(), label[1], label.start(1), label.end(1)), label.end(), text[label.end() : end])
        for label, end in zip(labels, ends, strict=True)
    ]


def _runs(text: str, spans: list[tuple[int, int]]) -> list[tuple[str, bool]]:
    runs: list[tuple[str, bool]] = []
    at = 0
    for start, end in sorted(set(spans)):
        if start > at:
            runs.append((text[at:start], False))
        if end > max(at, start):
            runs.append((text[max(at, start) : end], True))
        at = max(at, end)
    if at < len(text):
        runs.append((text[at:], False))
    return runs
