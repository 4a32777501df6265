"""Reads the value that stands at a place in a text: within quotes, or up to where an unquoted one ends."""

from __future__ import annotations

import re
from dataclasses import dataclass

_CLOSING = {"“": "”", "‘": "’", "«": "»", "„": "“", "「": "」", "『": "』"}
_STOP = re.compile(
    r"[\s\"`<>。、，；「」『』（）]|['’](?:$|[\s,;)\]}])|[,;](?:$|[\s\"'])|[&;,](?:amp;)?[\w.-]{1,40}=|&(?:nbsp|lt|gt|quot);|\),\(|\\[nrt\"]|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]"
)
_GOES_ON = re.compile(r"[A-Za-z0-9_+/=~!@#%^.:-]*+")  # no value stops at these: they are passed over fast
# What nearly all values look like: these need no closer look.
_PLAIN_QUOTED = re.compile(rb"([\"'`])([^\"'`\\\r\n\x80-\xff]{1,200}+)\1(?!\1)([^\r\n]{0,80})")
_PLAIN_BARE = re.compile(rb"([A-Za-z0-9_+/=~!@#%^-]{1,200}+)(?=[ \t\r\n<]|[,;][ \t\r\n\"']|$)([^\r\n]{0,80})")
_RUN = re.compile(rb"[!-~]{8,80}+(?=\s|\Z)")
_OPENING = {")": "(", "]": "[", "}": "{", ">": "<", '"': '"', "'": "'", "`": "`"}
_BACKSLASH = ord("\\")
_WINDOW_SIZE, _LONG_WINDOW_SIZE = 256, 1024


@dataclass(slots=True)
class Value:
    """A value as it is written: where, what, whether in quotes, and what comes after it on its line."""

    start: int
    end: int
    text: str
    quoted: bool
    after: str


def read_value(data: bytes, position: int) -> Value | None:
    if (found := _PLAIN_QUOTED.match(data, position)) is not None:
        return quoted_value(found.start(2), found[2], found[3])
    if (found := _PLAIN_BARE.match(data, position)) is not None:
        value = bare_value(position, found[1], found[2])
        if value is not None:
            return value
    value = _read(data, position, _WINDOW_SIZE)
    return (
        _read(data, position, _LONG_WINDOW_SIZE)
        if value is not None and value.end - position > _WINDOW_SIZE - 64
        else value
    )


def read_run(data: bytes, position: int) -> Value | None:
    """All up to the next blank, whatever signs there are, save those at the end that close a sentence or what was opened before."""
    if (found := _RUN.match(data, position)) is None:
        return None
    text = found[0].decode().rstrip(".,;:")
    while text and text[-1] in _OPENING and _OPENING[text[-1]] not in text[:-1]:
        text = text[:-1]
    after = data[position + len(text) : position + 256].partition(b"\n")[0]
    return Value(position, position + len(text), text, False, after.decode("utf-8", "ignore"))


def quoted_value(start: int, written: bytes, after: bytes) -> Value:
    """From what stands between quotes, in ASCII."""
    text = written.decode()
    if text[0] == " " or text[-1] == " ":
        start, text = start + len(text) - len(text.lstrip()), text.strip()
    return Value(start, start + len(text), text, True, after.decode("utf-8", "ignore"))


def bare_value(start: int, written: bytes, after: bytes) -> Value | None:
    """From an unquoted run of ASCII characters; what marks emphasis behind it does not belong to it."""
    text = written.decode().rstrip("_*")
    if not text:
        return None
    behind = after if len(text) == len(written) else written[len(text) :]
    return Value(start, start + len(text), text, False, behind.decode("utf-8", "ignore"))


def _read(data: bytes, position: int, reach: int) -> Value | None:
    window = data[position : position + reach].decode("utf-8", "ignore")
    skipped = len(window) - len(window.lstrip("\\"))
    mark = window[skipped : skipped + 1]
    closing = _CLOSING.get(mark, mark if mark in "\"'`" else "")
    if not closing or not mark:
        return _unquoted(position, window)
    opened = skipped + (3 if window.startswith(mark * 3, skipped) else 1)
    line_end = _line_end(window, opened)
    is_escaped = skipped > 0 or (position > 0 and data[position - 1] == _BACKSLASH)
    closed = _closing_quote(window, closing, opened, line_end, is_escaped)
    if closed < 0:
        return _unquoted(position + len(window[:opened].encode()), window[opened:])
    text = window[opened:closed].rstrip("\\")
    start = position + len(window[:opened].encode())
    return Value(start, start + len(text.encode()), text, True, window[closed + 1 : line_end])


def _closing_quote(window: str, closing: str, opened: int, line_end: int, is_escaped: bool) -> int:
    closed = window.find(closing, opened, line_end)
    # An escaped quote inside the value does not close it, unless the opening quote was escaped itself.
    while closed > opened and window[closed - 1] == "\\" and not is_escaped:
        closed = window.find(closing, closed + 1, line_end)
    return closed


def _line_end(window: str, start: int) -> int:
    end = window.find("\n", start)
    return len(window) if end < 0 else end


def _unquoted(position: int, window: str) -> Value | None:
    begun = _GOES_ON.match(window)
    stop = _STOP.search(window, begun.end() if begun else 0)
    text = window[: stop.start()] if stop else window
    text = text.rstrip(".,;:)]}|'*_\\")
    if not text or text[0] in "([{":
        return None
    after = window[len(text) : _line_end(window, len(text))]
    return Value(position, position + len(text.encode()), text, False, after)
