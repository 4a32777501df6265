"""A JSON array of any size, one top-level element at a time, in memory bounded by the largest element.

Knows: where strings, escapes and brackets begin and end in bytes that arrive in any chunks, and where a later element
begins again after a broken one. Does not know: what the elements mean; the bytes must be UTF-8 or another superset of
ASCII (encoding.py).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from pmg.importers.reading.encoding import Decoded, decode_json
from pmg.importers.reading.fields import raw

WHOLE = rb'"(?:[^"\\]++|\\.)*+"'
LEVELS = 4  # a message of a chat export nests this deep: it is skipped in one match


def _run(stops: bytes, levels: int) -> bytes:
    """Skips whole strings, other bytes, and brackets that close within `levels`: what is inside strings is never seen.

    Where it stops stands another bracket, one of `stops`, or the quote of a string that the chunk cuts. The possessive
    forms keep the match linear and off the stack for strings of megabytes.
    """
    inner = WHOLE + rb'|[^"{}\[\]]++'
    closed = b""
    for _ in range(levels):
        closed = rb"|\{(?:" + inner + closed + rb")*+\}|\[(?:" + inner + closed + rb")*+\]"
    return rb"(?:" + WHOLE + rb'|[^"{}\[\]' + stops + rb"]++" + closed + rb")*+"


AT_TOP = re.compile(_run(b",", 0), re.DOTALL)
INSIDE = re.compile(_run(b"", LEVELS), re.DOTALL)
STRING_REST = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
FIRST_KEY = re.compile(rb'\s*\{\s*("(?:[^"\\]++|\\.)*+")\s*:', re.DOTALL)
ARRAY = re.compile(rb"\[")
# After the array: a second one, or elements after a bracket that closed too early. Anything but blanks is looked at.
NEXT_ARRAY = re.compile(rb"\A[ \t\r\n]*(?:[\[,]|(?=[^ \t\r\n]))")
SPACE = b" \t\r\n"
BLANK = re.compile(r"[ \t\r\n]*")
DECODER = json.JSONDecoder()
MAX_ELEMENT = 128 * 1024 * 1024  # an element larger than this is reported, not held
# Where no good element has been seen yet, one that is found again must at least hold what conversations do.
BODIES = frozenset(
    "mapping chat_messages messages chat conversation conversations responses session safeHtmlItem".split()
)
# An element that grows beyond this is looked into: it may have lost its end and be swallowing the ones after it.
DOUBT = 2 * 1024 * 1024
# A file made to be slow must not be: how often reading starts again after a broken element, and how many times
# its length a broken stretch is searched.
RESTARTS = 2_000
EFFORT = 2
TOO_DEEP = 1_500  # what nests deeper no decoder reads


@dataclass(frozen=True, slots=True)
class Element:
    """One element: its values, or the bytes that could not be read and why (`size` counts them where they are cut)."""

    index: int
    decoded: Decoded
    data: bytes = b""
    size: int = 0


@dataclass(frozen=True, slots=True)
class DecodedElement:
    """An element that was read at once: its value, where it ends, and whether a comma follows it or the array's end."""

    value: object
    end: int
    goes_on: bool


class AsciiChunk:
    """A chunk of ASCII, in which most elements can be read where they stand: the decoder itself finds their ends."""

    __slots__ = ("data", "text")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.text = data.decode("ascii") if data.isascii() else ""

    def element(self, pos: int) -> DecodedElement | None:
        """The element that begins here, None unless it is whole and in order: then it is looked at more closely."""
        text = self.text
        begin = BLANK.match(text, pos)
        if begin is None or text[begin.end() : begin.end() + 1] != "{":
            return None
        try:
            value, end = DECODER.raw_decode(text, begin.end())
        except (ValueError, RecursionError):
            return None
        after = BLANK.match(text, end)
        end = after.end() if after else end
        return DecodedElement(value, end, text[end] == ",") if text[end : end + 1] in (",", "]") else None


@dataclass(slots=True)
class Splitter:
    """Fed with chunks, gives back elements; between chunks it holds only the element under way.

    `marker` says what stands before an array and ends with its bracket: `[` itself, or `"conversations": [`.
    """

    marker: re.Pattern[bytes] = ARRAY
    limit: int = MAX_ELEMENT
    depth: int = 0  # 0 outside the array, 1 between its elements, more inside one
    in_string: bool = False
    escaped: bool = False
    index: int = 0
    restarts: int = 0
    held: int = 0
    dropped: int = 0
    first_key: bytes = b""
    body: str = ""  # the key that holds most of an element: no nested object has it too
    doubt: int = DOUBT
    parts: list[bytes] = field(default_factory=list)
    tail: bytes = b""  # while seeking the marker: what may be its beginning

    def feed(self, chunk: bytes) -> Iterator[Element]:
        pos = 0
        plain = AsciiChunk(chunk)
        while pos < len(chunk):
            if self.depth == 0:
                chunk, pos = self._seek(chunk, pos)
                continue
            if self.depth == 1 and not self.held and not self.dropped and not self.in_string:
                plain = plain if plain.data is chunk else AsciiChunk(chunk)
                whole = plain.element(pos)
                if whole is not None and whole.end - pos <= self.limit:
                    yield self._good(chunk[pos : whole.end], whole.value)
                    pos = whole.end + 1
                    self.depth = 1 if whole.goes_on else 0
                    continue
            start, pos, closed = pos, *self._scan(chunk, pos)
            self._hold(chunk[start : pos - closed])
            # Inside a string there is nothing to doubt yet: a message may be long, and a lost quote shows outside it.
            if not closed and self.held <= (self.limit if self.in_string else min(self.doubt, self.limit)):
                continue
            element, again = self._finish() if closed else self._doubt()
            if element is not None:
                yield element
            if again:  # what was swallowed goes through once more, before what has not been looked at yet
                chunk, pos = again + chunk[pos - closed :], 0

    def _good(self, data: bytes, value: object) -> Element:
        self._learn(data, value)
        self.index += 1
        return Element(self.index - 1, Decoded((value,)), b"", len(data.strip(SPACE)))

    def close(self) -> Iterator[Element]:
        """What was under way when the bytes ended: whole elements found again in it, the rest as cut off."""
        while self.depth:
            data = self._take().strip(SPACE)
            again = -1 if self.dropped else self._next_good(data)
            if again < 0:
                self.depth = 0
                if data:
                    yield self._broken(data, "the file ends inside it", self.dropped)
                return
            element, rest = self._restart(data, again, "it has no end")
            yield element
            yield from self.feed(rest)

    def _seek(self, chunk: bytes, pos: int) -> tuple[bytes, int]:
        data = self.tail + chunk[pos:]
        follows = self.marker is ARRAY and self.index > 0
        found = (NEXT_ARRAY if follows else self.marker).search(data)
        if found is None:
            self.tail = data[-256:]  # longer than any marker; after an array only blanks may stand before the next
            return data, len(data)
        self.tail = b""
        self.depth = 1
        return data, found.end()

    def _scan(self, chunk: bytes, pos: int) -> tuple[int, bool]:
        """Go on to the end of the element (the position after its comma or bracket, True) or of the chunk."""
        if self.in_string:
            pos = self._end_string(chunk, pos)
        while pos < len(chunk):
            pos = _after_run(AT_TOP.match if self.depth == 1 else INSIDE.match, chunk, pos)
            if pos == len(chunk):
                break
            mark = chunk[pos]
            pos += 1
            if mark == 0x22:  # a quote
                self.in_string = True
                pos = self._end_string(chunk, pos)
            elif mark in b"{[":
                self.depth += 1
            elif mark == 0x2C or (self.depth == 1 and mark == 0x5D):  # a comma between elements, or the array's end
                self.depth = 1 if mark == 0x2C else 0
                return pos, True
            elif self.depth > 1:
                self.depth -= 1
        return len(chunk), False

    def _end_string(self, chunk: bytes, pos: int) -> int:
        if self.escaped and pos < len(chunk):
            pos += 1
            self.escaped = False
        found = STRING_REST.match(chunk, pos)
        end = found.end() if found else pos
        if end < len(chunk) and chunk[end] == 0x22:
            self.in_string = False
            return end + 1
        self.escaped = end < len(chunk)  # only a backslash that the chunk cuts from its letter stops the match here
        return len(chunk)

    def _hold(self, piece: bytes) -> None:
        if self.dropped:
            self.dropped += len(piece)
        elif piece:
            self.parts.append(piece)
            self.held += len(piece)

    def _take(self) -> bytes:
        data = b"".join(self.parts)
        self.parts = []
        self.held = 0
        return data

    def _finish(self) -> tuple[Element | None, bytes]:
        """The element that ended here (None for nothing between two commas), and what is to be read once more."""
        data, lost = self._take().strip(SPACE), self.dropped
        self.dropped = 0
        if not data:
            return None, b""
        decoded = Decoded(error=f"larger than the limit of {self.limit} bytes") if lost else decode_json(data)
        if not decoded.error:
            self._learn(data, decoded.values[0])
            self.index += 1
            return Element(self.index - 1, decoded, b"", len(data)), b""
        again = -1 if lost else self._next_good(data)
        if again < 0:
            return self._broken(data, decoded.error, lost), b""
        return self._restart(data, again, decoded.error)

    def _broken(self, data: bytes, error: str, size: int = 0) -> Element:
        self.index += 1
        return Element(self.index - 1, Decoded(error=error), data, size or len(data))

    def _learn(self, data: bytes, value: object) -> None:
        """Remember how the first good element begins: that is how a later one is known after a broken one."""
        self.doubt = DOUBT
        if not self.first_key and isinstance(value, dict) and (found := FIRST_KEY.match(data)):
            self.first_key = found[1]
            sizes = {key: len(raw(each)) for key, each in value.items() if isinstance(each, dict | list)}
            self.body = max(sizes, key=lambda key: sizes[key], default=next(iter(value)))

    def _doubt(self) -> tuple[Element | None, bytes]:
        """The element under way has grown large: start again at a good one inside it, go on, or give it up."""
        data = self._take()
        again = self._next_good(data)
        if again >= 0:
            return self._restart(data, again, "it has no end")
        self.doubt = min(2 * self.doubt, self.limit)
        self.parts, self.held = [data], len(data)
        if len(data) > self.limit:
            self.dropped, self.parts, self.held = len(data), [data[:65536]], 0
        return None, b""

    def _restart(self, data: bytes, again: int, error: str) -> tuple[Element, bytes]:
        self.restarts += 1
        self.doubt = DOUBT
        self.depth, self.in_string, self.escaped = 1, False, False
        return self._broken(data[:again].rstrip(b", \t\r\n"), error), data[again:]

    def _next_good(self, data: bytes) -> int:
        """Where the next element like the earlier ones begins after the start of `data`, or -1."""
        found = FIRST_KEY.match(data)
        key = self.first_key or (found[1] if found else b"")
        if not key or self.restarts >= RESTARTS:
            return -1
        starts = re.compile(rb"\{\s*" + re.escape(key) + rb"\s*:")  # begins with a letter, so the search is a fast one
        effort = EFFORT * len(data)
        for start in (found.start() for found in starts.finditer(data, 1)):
            end, closed = balanced(data, start)
            decoded = decode_json(data[start:end]) if closed else Decoded()
            if decoded.values and self._alike(decoded.values[0]):
                return start
            effort -= end - start
            if effort < 0:
                break
        return -1

    def _alike(self, value: dict[str, object]) -> bool:
        """Has what the earlier elements have most of: a nested object that only begins alike has not."""
        return self.body in value if self.first_key else not BODIES.isdisjoint(value)


def _after_run(match: Callable[[bytes, int], re.Match[bytes] | None], data: bytes, pos: int) -> int:
    found = match(data, pos)
    return found.end() if found else pos


def balanced(data: bytes, start: int) -> tuple[int, bool]:
    """The position after the bracket that closes the one at `start`, and True; or where the search ended, and False."""
    depth, pos = 1, start + 1
    while (pos := _after_run(INSIDE.match, data, pos)) < len(data) and depth < TOO_DEEP:
        mark = data[pos]
        pos += 1
        if mark == 0x22:
            return len(data), False
        depth += 1 if mark in b"{[" else -1
        if depth == 0:
            return pos, True
    return pos, False


def elements(
    chunks: Iterable[bytes], *, marker: re.Pattern[bytes] = ARRAY, limit: int = MAX_ELEMENT
) -> Iterator[Element]:
    """The elements of every array that follows a marker, in order; broken stretches come as elements too."""
    splitter = Splitter(marker, limit)
    for chunk in chunks:
        yield from splitter.feed(chunk)
    yield from splitter.close()
