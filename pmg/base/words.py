"""How much a text says by itself, in words.

Knows: which English words say little, which are numbers, what is a question, and how to count words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pmg.base.sentences import ASKS, asks, pieces

STOP_WORDS = frozenset(
    """a about above after again against all am an and any are arent as at be because been before being below between
    both but by can cant could couldnt did didnt do does doesnt doing dont down during each few for from further had
    hadnt has hasnt have havent having he her here hers herself him himself his how i if in into is isnt it its itself
    just me more most my myself no nor not now of off on once only or other our ours ourselves out over own same she
    should shouldnt so some such than that the their theirs them themselves then there these they this those through to
    too under until up us very was wasnt we were werent what when where which while who whom whose why will with wont
    would wouldnt you your yours yourself yourselves""".split()
)
# By value: the word at place n means n.
NUMBER_WORDS = tuple(
    """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen twenty""".split()
)
GERMAN_NUMBER_WORDS = tuple(
    "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf".split()
)  # from 2: "ein" is an article
SMALL_NUMBERS = {word: number for number, word in enumerate(NUMBER_WORDS[:13])}  # what people write out as a count

_WORD = re.compile(r"\w+")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0eff]")
_FOREIGN = re.compile(r"[^\x00-\x7f]")
_LOWER_WORDS = bytes(
    ord(chr(code).lower()) if chr(code).isalnum() or code == 95 else 32 for code in range(128)
) + bytes(range(128, 256))
_PLAIN_STOP_WORDS = frozenset(word.encode() for word in STOP_WORDS)
_BLANKS = bytes(not chr(code).isspace() for code in range(256))
_STOPS = pa.array(sorted({"", *STOP_WORDS}))  # nothing stands where a text begins or ends with a blank
_BATCH = 1_024  # lines: their columns stay in the processor's cache
_READ = 20_000  # characters: beyond this a line stands on its own whatever else it says


@dataclass(frozen=True, slots=True)
class TextMeasure:
    words: int
    asserts: int  # words that say something, outside questions: what the line states without its neighbours
    asks: bool


def count_words(text: str) -> int:
    """Words between spaces; in scripts without spaces two characters count as one."""
    return len(text.split()) + len(_UNSPACED.findall(text)) // 2


def measure(text: str) -> TextMeasure:
    """One line's; `measure_all` measures many at once, to the same numbers."""
    asserts, asked = 0, False
    for sentence in _sentences(text[:_READ]):
        if asks(sentence):
            asked = True
        else:
            asserts += _telling(sentence)
    return TextMeasure(len(text.split()), asserts, asked)


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in pieces(text)]


def _telling(sentence: str) -> int:
    """Words that are not stop words; in scripts without spaces two characters count as one."""
    if sentence.isascii():  # most sentences of a text that is not plain: the same, several times as fast
        plain = sentence.encode().translate(_LOWER_WORDS).split()
        return len(plain) - sum(map(_PLAIN_STOP_WORDS.__contains__, plain))
    words = _WORD.findall(sentence.lower())
    telling = len(words) - sum(map(STOP_WORDS.__contains__, words))
    return telling + len(_UNSPACED.findall(sentence)) // 2


def measure_all(texts: Sequence[str]) -> list[TextMeasure]:
    """Lines of scripts with spaces are counted together in a few passes over all their characters, the others one by one."""
    said: list[TextMeasure] = []
    for start in range(0, len(texts), _BATCH):
        some = texts[start : start + _BATCH]
        spaced = [text.isascii() or _UNSPACED.search(text) is None for text in some]
        together = iter(_together([text for text, one in zip(some, spaced, strict=True) if one]))
        said += [next(together) if one else measure(text) for text, one in zip(some, spaced, strict=True)]
    return said


def _together(texts: list[str]) -> list[TextMeasure]:
    heads = [assertion(text[:_READ]) for text in texts]
    telling = _telling_all([told if told.isascii() else _parted(told) for told, _ in heads])
    return [TextMeasure(*row) for row in zip(_between_spaces(texts), telling, [asks for _, asks in heads], strict=True)]


def assertion(head: str) -> tuple[str, bool]:
    """The text without its questions, and whether it had any."""
    if "?" not in head and (head.isascii() or not any(mark in head for mark in ASKS)):
        return head, False
    sentences = _sentences(head)
    told = [sentence for sentence in sentences if not asks(sentence)]
    return "\n".join(told), len(told) < len(sentences)


def _parted(told: str) -> str:
    """In small letters, with blanks for the foreign characters that part words."""
    lower = told.lower()
    for character in set(_FOREIGN.findall(lower)):
        if not character.isalnum():
            lower = lower.replace(character, " ")
    return lower


def _between_spaces(texts: list[str]) -> list[int]:
    """How many words between spaces each text has."""
    plain = [text if text.isascii() else " ".join(text.split()) for text in texts]
    written = np.frombuffer("\n".join(["", *plain]).encode("ascii", "replace").translate(_BLANKS), np.uint8)
    starts = np.flatnonzero(written[1:] > written[:-1])
    found: list[int] = np.diff(np.searchsorted(starts, offsets([len(text) + 1 for text in plain]))).tolist()
    return found


def _telling_all(texts: list[str]) -> list[int]:
    written = [text.encode() for text in texts]
    data = b"".join(written).translate(_LOWER_WORDS)
    ends = offsets([len(one) for one in written]).astype(np.int32)
    column = pa.StringArray.from_buffers(len(texts), pa.py_buffer(ends), pa.py_buffer(data))
    words = pc.ascii_split_whitespace(column)
    stops = pc.is_in(words.values, value_set=_STOPS).to_numpy(zero_copy_only=False)
    found: list[int] = np.diff(offsets(~stops)[words.offsets.to_numpy()]).tolist()
    return found


def offsets(sizes: Sequence[int] | NDArray[np.bool_]) -> NDArray[np.int64]:
    """0, then the sum up to and with each."""
    ends = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=ends[1:])
    return ends
