"""How a question and lines become word pieces: the one place that teaching (training/) and reading share. Pure, but for the tokenizer it is given."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pmg.embed.tokens import readable

if TYPE_CHECKING:
    from tokenizers import Tokenizer

QUESTION, LINE, BEFORE = 40, 112, 32  # word pieces of each that are read
MAX_PIECES = 160  # of all together
CLS, SEP = 101, 102
CLIPPED = 4_000  # characters that are looked at: a word piece has seldom more than thirty
ME, ASSISTANT = "me", "assistant"


class LaterLine(StrEnum):
    """What a later line does to an earlier one, in the order in which the model says it."""

    INDEPENDENT = "independent"
    REPLACES = "replaces"
    ENDS = "ends"
    PLANS = "plans"


@dataclass(frozen=True, slots=True)
class ReadLine:
    """What was said, by whom ("me" and "assistant" are the two of a chat), and what was said just before it."""

    speaker: str
    text: str
    before: str = ""

    @property
    def spoken(self) -> str:
        return f"{self.speaker}: {self.text}" if self.speaker else self.text


@dataclass(frozen=True, slots=True)
class Pieces:
    """Word pieces of up to three texts: which text each is of, and the characters of the second that each stands for."""

    ids: NDArray[np.int64]
    parts: NDArray[np.int64]
    spans: tuple[tuple[int, int], ...]  # of the second text's pieces
    first_of_second: int


def joined(tokenizer: Tokenizer, first: str, second: str, third: str, most_of_third: int = BEFORE) -> Pieces:
    """[CLS] first [SEP] second [SEP] third [SEP], cut at MAX_PIECES; without a third, without its [SEP]."""
    a = encoded(tokenizer, first[-CLIPPED:], CLIPPED)[0][
        -QUESTION:
    ]  # what is asked stands at the end of a long question
    b, spans = encoded(tokenizer, second, LINE)
    c, _ = encoded(tokenizer, third, most_of_third)
    ids = [CLS, *a, SEP, *b, SEP, *((*c, SEP) if c else ())][:MAX_PIECES]
    parts = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [2] * (len(c) + 1)
    begins = len(a) + 2
    return Pieces(np.array(ids), np.array(parts[: len(ids)]), tuple(spans[: MAX_PIECES - begins]), begins)


def encoded(tokenizer: Tokenizer, text: str, most: int) -> tuple[list[int], list[tuple[int, int]]]:
    found = tokenizer.encode(readable(text[:CLIPPED]), add_special_tokens=False)
    return found.ids[:most], found.offsets[:most]
