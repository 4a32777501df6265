"""Bytes of unknown encoding into UTF-8 chunks, and elements or lines into values.

Handles byte order marks, UTF-16 without one, Windows-1252 as the last resort, JSON with small faults.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pmg.importers.reading import deep_json

BEYOND_ASCII = bytes(range(128, 256))
WORD_BEYOND_ASCII = re.compile(rb"[\x80-\xff]{3,}")
BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def guess(head: bytes) -> tuple[str, int]:
    """The encoding that the first bytes show and the length of its mark: utf-8 unless they show another."""
    for mark, name in BOMS:
        if head.startswith(mark):
            return name, len(mark)
    even, odd = head[:2000:2], head[1:2000:2]
    zeros = (even.count(0) * 2 > len(even), odd.count(0) * 2 > len(odd))  # ASCII in UTF-16: every second byte is zero
    if len(head) >= 4 and zeros == (False, True) and not even.count(0):
        return "utf-16-le", 0
    if len(head) >= 4 and zeros == (True, False) and not odd.count(0):
        return "utf-16-be", 0
    return "utf-8", 0


def to_utf8(chunks: Iterable[bytes], encoding: str, mark: int) -> Iterator[bytes]:
    """The chunks without their mark, in UTF-8. UTF-8 passes as it is: what is wrong in it is judged piece by piece."""
    decoder = None if encoding == "utf-8" else codecs.getincrementaldecoder(encoding)("replace")
    for number, chunk in enumerate(chunks):
        data = chunk[mark:] if number == 0 else chunk
        yield data if decoder is None else decoder.decode(data).encode("utf-8", "surrogatepass")
    if decoder is not None:
        yield decoder.decode(b"", True).encode("utf-8", "surrogatepass")


def decode(data: bytes) -> tuple[str, str]:
    """The text, and a remark where it was not UTF-8."""
    try:
        return data.decode("utf-8"), ""
    except UnicodeDecodeError as error:
        remark = f"not UTF-8 at byte {error.start}: {read_as(data)}"
        return data.decode("cp1252", "surrogateescape").encode("utf-8", "surrogatepass").decode(
            "utf-8", "replace"
        ), remark


def read_as(data: bytes) -> str:
    """How bytes that are no UTF-8 are read, and what to do. In Windows-1252 letters beyond ASCII stand alone or in pairs; words of them are another's.

    Whose cannot be told for sure, and what was imported so is known again only so: it is read as Windows-1252 all the same.
    """
    beyond = len(data) - len(data.translate(None, BEYOND_ASCII))
    if 2 * sum(map(len, WORD_BEYOND_ASCII.findall(data))) > beyond:
        return "read as Windows-1252, which it can hardly be: save it as UTF-8 and import that, or its words are unreadable"
    return "read as Windows-1252; if its letters look wrong, save it as UTF-8 and import that"


@dataclass(frozen=True, slots=True)
class Decoded:
    """What a piece of JSON holds: its values (more than one where commas are missing), remarks, or why it is broken."""

    values: tuple[Any, ...] = ()
    remark: str = ""
    error: str = ""


def decode_json(data: bytes) -> Decoded:
    """Strict JSON first; then raw control characters inside strings; then several values without a comma between."""
    written, remark = decode(data)
    try:
        return Decoded((json.loads(written),), remark)
    except RecursionError:
        return _deep(written, remark)
    except json.JSONDecodeError as error:
        fault = str(error)
    except ValueError:  # good JSON with a number that Python does not take
        return Decoded((json.loads(written, parse_int=_whole_number),), remark)
    values = _loose(written)
    if values:
        return Decoded(values, "; ".join(filter(None, (remark, f"not strict JSON ({fault}), read all the same"))))
    return Decoded(error=f"invalid JSON: {fault}")


def _whole_number(digits: str) -> int | str:
    """One of thousands of digits stays as it is written."""
    try:
        return int(digits)
    except ValueError:
        return digits


def _deep(written: str, remark: str) -> Decoded:
    """A long chat may be written as one nest: its messages are good, however deep they stand."""
    try:
        return Decoded((deep_json.loads(written),), remark)
    except ValueError as error:
        return Decoded(error=f"nested too deeply to read ({error})")


def _loose(written: str) -> tuple[Any, ...]:
    decoder = json.JSONDecoder(strict=False, parse_int=_whole_number)
    values: list[Any] = []
    pos = 0
    while pos < len(written):
        try:
            value, pos = decoder.raw_decode(written, pos)
        except (ValueError, RecursionError):
            return ()
        values.append(value)
        while pos < len(written) and written[pos] in " \t\r\n,":
            pos += 1
    return tuple(values) if all(isinstance(value, dict) for value in values) else ()
