"""All questions as arrays of word pieces, so that whoever teaches needs no words, no tokenizer and no loader.

Hard wrong lines are chosen here: the ones marked as near, then those nearest in meaning, then some at random.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from training.questions import RELATIONS, TaughtLine, TaughtQuestion

QUESTION, LINE, BEFORE = 40, 112, 32  # word pieces of each that are read
NEAREST, DRAWN = 8, 3  # wrong lines of a question
Embed = Callable[[Sequence[str]], NDArray[np.float32]]


@dataclass(slots=True)
class Pack:
    """`pieces[offsets[t]:offsets[t+1]]` is text t. Rows of `candidates`: text, text before, 1 right / 0 wrong, first and last piece of the answer or -1."""

    texts: dict[tuple[str, int], int] = field(default_factory=dict)
    pieces: list[list[int]] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    groups: list[tuple[int, int, int, int]] = field(default_factory=list)  # source, question, first row, rows
    candidates: list[tuple[int, int, int, int, int]] = field(default_factory=list)
    pairs: list[tuple[int, int, int, int]] = field(default_factory=list)  # question, older, newer, relation


class Packer:
    def __init__(self, tokenizer: Tokenizer, embed: Embed, seed: int = 0) -> None:
        self.pack = Pack()
        self._tokenizer, self._embed, self._chance = tokenizer, embed, random.Random(seed)
        self._text("", BEFORE)  # text 0: nothing was said before

    def add(self, questions: Iterable[TaughtQuestion], near: bool) -> None:
        """`near`: wrong lines are chosen by meaning too, which costs an embedding each."""
        found = list(questions)
        vectors = self._vectors(found) if near else {}
        for one in found:
            self._add(one, vectors)

    def _vectors(self, questions: Sequence[TaughtQuestion]) -> dict[str, NDArray[np.float32]]:
        texts = sorted({text for one in questions for text in (one.question, *(line.text for line in one.lines))})
        return dict(zip(texts, self._embed(texts), strict=True))

    def _add(self, one: TaughtQuestion, vectors: dict[str, NDArray[np.float32]]) -> None:
        wrong = self._wrong(one, vectors)
        if not wrong and len(one.right) < 1:
            return
        question = self._text(one.question, QUESTION)
        first = len(self.pack.candidates)
        for place in (*one.right, *wrong):
            line = one.lines[place]
            start, end = self._span(line, one.spans.get(place, "")) if place in one.right else (-1, -1)
            row = (self._text(line.spoken, LINE), self._text(line.before, BEFORE), int(place in one.right), start, end)
            self.pack.candidates.append(row)
        if one.source not in self.pack.sources:
            self.pack.sources.append(one.source)
        source = self.pack.sources.index(one.source)
        self.pack.groups.append((source, question, first, len(self.pack.candidates) - first))
        for pair in one.pairs:
            older, newer = self._text(pair.older.spoken, LINE), self._text(pair.newer.spoken, LINE)
            self.pack.pairs.append((question, older, newer, RELATIONS.index(pair.says)))

    def _wrong(self, one: TaughtQuestion, vectors: dict[str, NDArray[np.float32]]) -> list[int]:
        out = {*one.right, *one.left_out}
        rest = [place for place in range(len(one.lines)) if place not in out]
        chosen = [place for place in one.near if place in rest]
        if vectors:
            asked = vectors[one.question]
            order = sorted(rest, key=lambda place: -float(asked @ vectors[one.lines[place].text]))
            chosen += [place for place in order[:NEAREST] if place not in chosen]
        rest = [place for place in rest if place not in chosen]
        return chosen + self._chance.sample(rest, min(DRAWN if vectors else NEAREST, len(rest)))

    def _text(self, text: str, most: int) -> int:
        known = self.pack.texts.get((text, most))
        if known is None:
            known = self.pack.texts[(text, most)] = len(self.pack.pieces)
            self.pack.pieces.append(self._tokenizer.encode(text, add_special_tokens=False).ids[:most])
        return known

    def _span(self, line: TaughtLine, words: str) -> tuple[int, int]:
        at = line.spoken.find(words, len(line.spoken) - len(line.text)) if words else -1
        if at < 0:
            return -1, -1
        offsets = self._tokenizer.encode(line.spoken, add_special_tokens=False).offsets[:LINE]
        inside = [n for n, (start, end) in enumerate(offsets) if start < at + len(words) and end > at]
        return (inside[0], inside[-1]) if inside else (-1, -1)


def used(pack: Pack) -> set[int]:
    """Word pieces of any text, and those that stand around them."""
    return {piece for one in pack.pieces for piece in one} | {0, 101, 102}


def save(pack: Pack, shares: Mapping[str, float], file: Path) -> None:
    lengths = np.array([len(one) for one in pack.pieces])
    np.savez_compressed(
        file,
        pieces=np.array([piece for one in pack.pieces for piece in one], dtype=np.uint16),
        offsets=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32),
        groups=np.array(pack.groups, dtype=np.int32),
        candidates=np.array(pack.candidates, dtype=np.int32),
        pairs=np.array(pack.pairs, dtype=np.int32),
        sources=np.array(pack.sources),
        shares=np.array(json.dumps(shares)),
    )
