"""The reader itself: a small model that looks at a question and a line together.

Knows: its file, what goes in and comes out, and how a span of pieces becomes characters. Does not know: which lines are read, what a score is worth
(`pmg/answer`), or how it was taught (`training/`). Word vectors are those of the bundled embedding model: they are not shipped twice.

One pair at a time: the same pair scores the same whatever is read beside it.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Tokenizer

from pmg.base.errors import ModelUnavailable
from pmg.embed.bundled import bundled_model
from pmg.embed.onnx_embedder import CANNOT_OPEN, open_session
from pmg.reader.text import LINE, LaterLine, Pieces, ReadLine, joined

MODEL, CARD = "reader.onnx", "card.json"
WORDS = "embeddings.word_embeddings.weight"
MAX_ANSWER = 24  # word pieces
MEND = "Reinstall PMG; until then the order of recall answers"


@dataclass(frozen=True, slots=True)
class LineReading:
    """How well a line answers (log odds), and the characters of it that do, if it does."""

    logit: float
    start: int
    end: int


class Reader:
    """Safe from several threads."""

    def __init__(
        self, session: onnxruntime.InferenceSession, tokenizer: Tokenizer, words: NDArray[np.float32], threads: int
    ) -> None:
        self._session, self._tokenizer, self._words, self._threads = session, tokenizer, words, threads

    @classmethod
    def open(cls, cache_dir: Path, threads: int | None = None) -> Reader:
        """The one in the package, its hash checked. Raises ModelUnavailable."""
        folder = bundled_model(cache_dir)
        with as_file(files("pmg.reader")) as here:
            data = _checked(here)
        count = threads or os.cpu_count() or 1
        try:
            session = open_session(data, 1)
        except CANNOT_OPEN as error:
            raise ModelUnavailable(f"The reader cannot be opened: {error}. {MEND}.") from error
        tokenizer = Tokenizer.from_file(str(folder.tokenizer))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return cls(session, tokenizer, word_vectors(folder.weights), count)

    def read(self, question: str, lines: Sequence[ReadLine]) -> list[LineReading]:
        """Row for row with the lines."""
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(lambda line: self._read(question, line), lines))

    def stands(self, question: str, pairs: Sequence[tuple[ReadLine, ReadLine]]) -> list[dict[LaterLine, float]]:
        """For each older and newer line the chance of every relation."""
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(lambda pair: self._stands(question, *pair), pairs))

    def _read(self, question: str, line: ReadLine) -> LineReading:
        pieces = joined(self._tokenizer, question, line.spoken, line.before)
        relevance, span = self._run(pieces, "relevance", "span")
        start, end = _best_span(span[0], pieces)
        spoken_before = len(line.spoken) - len(line.text)
        return LineReading(float(relevance[0, 0]), max(0, start - spoken_before), max(0, end - spoken_before))

    def _stands(self, question: str, older: ReadLine, newer: ReadLine) -> dict[LaterLine, float]:
        (found,) = self._run(joined(self._tokenizer, question, older.spoken, newer.spoken, LINE), "relation")
        shares = np.exp(found[0] - found[0].max())
        return dict(zip(LaterLine, (shares / shares.sum()).tolist(), strict=True))

    def _run(self, pieces: Pieces, *wanted: str) -> list[NDArray[np.float32]]:
        given = {"words": self._words[pieces.ids][None], "parts": pieces.parts[None]}
        found: list[NDArray[np.float32]] = self._session.run(wanted, given)
        return found


def _best_span(scores: NDArray[np.float32], pieces: Pieces) -> tuple[int, int]:
    """The characters from the likeliest first to the likeliest last piece of the line, not longer than an answer is; of equals the earlier."""
    count = len(pieces.spans)
    if not count:
        return 0, 0
    rows = scores[pieces.first_of_second : pieces.first_of_second + count].astype(np.float64)
    table = rows[:, 0][:, None] + rows[:, 1][None, :]
    at = np.arange(count)
    width = at[None, :] - at[:, None]
    table[(width < 0) | (width >= MAX_ANSWER)] = -np.inf
    first, last = np.unravel_index(int(table.argmax()), table.shape)
    return pieces.spans[int(first)][0], pieces.spans[int(last)][1]


def read_card(folder: Path) -> dict[str, Any]:
    """What was taught and how: the hash of the file, languages, what the chance is read with."""
    try:
        card: dict[str, Any] = json.loads((folder / CARD).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelUnavailable(f"The reader's {CARD} cannot be read: {error}. {MEND}.") from error
    return card


def _checked(folder: Path) -> bytes:
    try:
        data = (folder / MODEL).read_bytes()
    except OSError as error:
        raise ModelUnavailable(f"The reader's file {MODEL} cannot be read: {error}. {MEND}.") from error
    found, expected = hashlib.sha256(data).hexdigest(), read_card(folder).get("sha256")
    if found != expected:
        raise ModelUnavailable(f"The reader's file {MODEL} has sha256 {found[:12]}, not {str(expected)[:12]}. {MEND}.")
    return data


def word_vectors(safetensors_file: Path) -> NDArray[np.float32]:
    """Mapped, not read: a question touches a few dozen rows of thirty thousand."""
    with safetensors_file.open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    size = int.from_bytes(mapped[:8], "little")
    entry = json.loads(mapped[8 : 8 + size])[WORDS]
    first = 8 + size + entry["data_offsets"][0]
    rows, width = entry["shape"]
    return np.frombuffer(mapped, dtype="<f4", count=rows * width, offset=first).reshape(rows, width)
