"""Values that were found to be secrets: wherever else they stand in the same session, they go too.

They are held in memory only, for as long as a text, a session that is taken in, or an open session is; nothing here is
written anywhere. Only values that cannot well be an everyday word or number are remembered.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from pmg.ingest.redact.generated import is_generated
from pmg.ingest.redact.literals import ExactTexts
from pmg.ingest.redact.marks import Secret
from pmg.ingest.redact.values import is_placeholder, is_wordy, shape_of

_MIN_VALUE_SIZE, _MAX_VALUE_SIZE = 6, 4096  # bytes
_SHORT_NAME = re.compile(rb"[A-Za-z]{3,5}\d{1,3}")  # `abc123` is too often something else
_MAX_NAME_OCCURRENCES = 8
_NAME = re.compile(rb"[&*]?'?[A-Za-z]+\d?")
_MIN_NUMBER_DIGITS = 12  # a shorter number may well be another number
_MAX_VALUES = 200  # values of one session: beyond that it is a list of secrets, not talk about one
_MAX_SEPARATE_SEARCH = (
    600_000  # bytes, of the text once for each value: so much is looked through one by one; more is faster together
)


class KnownValues:
    """The values of one text or session, by kind. Its repr shows none of them."""

    __slots__ = ("_kinds", "_together")

    def __init__(self) -> None:
        self._kinds: dict[bytes, str] = {}
        self._together: ExactTexts | None = None

    def __len__(self) -> int:
        return len(self._kinds)

    def __repr__(self) -> str:
        return f"KnownValues({len(self._kinds)})"

    @property
    def is_full(self) -> bool:
        return len(self._kinds) >= _MAX_VALUES

    def add(self, value: bytes, kind: str) -> None:
        if value not in self._kinds and not self.is_full and _is_telling(value):
            self._kinds[value] = kind
            self._together = None

    def occurrences(self, data: bytes) -> list[Secret]:
        """Where the values stand as words of their own, in order; where two overlap, the first, and the longer of two.

        A word, with a digit at most, that stands there again and again is the name of something after all.
        """
        out: list[Secret] = []
        for start, end in sorted(self._spans(data), key=lambda span: (span[0], -span[1])):
            if (not out or start >= out[-1][1]) and _is_alone(data, start, end):
                out.append((start, end, self._kinds[data[start:end]]))
        if len(out) <= _MAX_NAME_OCCURRENCES:
            return out
        counts = Counter(data[start:end] for start, end, _ in out)
        often = {text for text, count in counts.items() if count > _MAX_NAME_OCCURRENCES and _NAME.fullmatch(text)}
        return [secret for secret in out if data[secret[0] : secret[1]] not in often]

    def _spans(self, data: bytes) -> Iterator[tuple[int, int]]:
        if len(self._kinds) * len(data) > _MAX_SEPARATE_SEARCH:
            if self._together is None:
                self._together = ExactTexts(list(self._kinds))
            yield from self._together.spans(data)
            return
        for value in self._kinds:
            start = data.find(value)
            while start >= 0:
                yield start, start + len(value)
                start = data.find(value, start + len(value))


def _is_telling(value: bytes) -> bool:
    if not _MIN_VALUE_SIZE <= len(value) <= _MAX_VALUE_SIZE:
        return False
    if len(value) == _MIN_VALUE_SIZE and _SHORT_NAME.fullmatch(value) is not None:
        return False
    if is_generated(value):
        return True
    text = value.decode("utf-8", "replace")
    shape = shape_of(text)
    if is_placeholder(text) or "\n" in text or "\ufffd" in text:
        return False
    if shape.letters == 0:
        return shape.digits >= _MIN_NUMBER_DIGITS
    return not is_wordy(text) and (shape.is_mixed or shape.symbols > 1 or (shape.size >= 16 and " " not in text))


def _is_alone(data: bytes, start: int, end: int) -> bool:
    """Not a piece of a longer word."""
    return not (_is_word(data[start - 1 : start]) and _is_word(data[start : start + 1])) and not (
        _is_word(data[end - 1 : end]) and _is_word(data[end : end + 1])
    )


def _is_word(character: bytes) -> bool:
    return character.isalnum() or character == b"_"
