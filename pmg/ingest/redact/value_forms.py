"""Where the value of a name stands, by how assignments, calls, tags and flags are written.

Knows: the ways of writing. Does not know: which names and values count (keyvalue.py).
"""

from __future__ import annotations

import re

TAG_REST = 64  # bytes within which a tag closes
_VALUE_START = rb"[*_]{0,3}[ \t]{0,24}+(?:\r?\n[ \t]{1,24}(?=[\"'`]))?(?:[bBrRuUfF@]{1,2}(?=[\"']))?"
# The `=` at the end of Base64 assigns nothing.
_TYPE = rb"[A-Za-z_&*][\w.:\[\]<> |?&*,]{0,60}?=(?![=>])[ \t]{0,8}(?=[^\s#])"
_ASSIGNED = re.compile(
    rb"(?:[ \t]\d{1,2})?(?:\[\d{0,4}\]|\(\))?\\{0,3}[\"'`]?[\])]{0,2}[*_]{0,3}[ \t]{0,24}+\??"
    rb"(?::[ \t]{0,8}" + _TYPE + rb"|:{1,3}=|\?\??=|[.+]=|=>|={1,3}|!==?|:(?!:[^\s])|->|\xe2\x86\x92|\xef\xbc\x9a|\xef\xbc\x9d|\|(?=[ \t]))"
    + _VALUE_START + rb"|[ \t]{1,3}[-\xe2\x80\x93]{1,3}[ \t]{1,3}(?=[\"'`])|[ \t]{1,8}(?:string|String|str|char|const char ?\*|auto|&str|&'static str|\[\]byte)[ \t]{0,8}=[ \t]{0,8}"
)  # fmt: skip
# `define('DB_PASSWORD', '…')`, `("password", "…")`, `setPassword("…")`, `WITH PASSWORD '…'`
_CALLED = re.compile(rb"\\{0,3}(?:[\"'`]\]?[ \t]{0,4},[ \t]{0,16}|\([ \t]{0,4}|[ \t]{1,4})\\{0,3}(?=[\"'`])")
# `<add key="Password" value="…"/>`, `name: X` with `value: …` on the next line, `variable "x" { default = "…" }`
_GIVEN = re.compile(
    rb"(?:\\{0,3}[\"']?,?\s{1,40}|\\{0,3}[\"'],)\\{0,3}[\"']?value\\{0,3}[\"']?[ \t]{0,4}[:=][ \t]{0,4}|"
    rb"[\"']\s{0,4}\{[^{}]{0,200}?\bdefault\s{0,12}=\s{0,8}"
)
# `process.env.API_KEY || "…"`, `AccountKey{"…"}`: what stands there is mostly a name or a default, so only a random value counts
FALLBACK = re.compile(rb"[\"'`]?\]?[ \t]{0,4}(?:(?:\|\||\?\?)\s{0,40}|\{\s{0,40})(?=[\"'`])")
_TAGGED = re.compile(rb"(?:[ \t][^<>\r\n]{0,60}?)?>\s{0,40}+(?=[^<\s])")
# `<b>Password</b>: …`, `<strong>Password:</strong> …`, `<td>Password</td><td>…`
_MARKED_UP = re.compile(
    rb"[ \t]{0,2}(?::[ \t]{0,2}</(?:b|strong|em|i|u|span|label|dt|th|td)>\s{0,8}|</(?:b|strong|em|i|u|span|label|code)>[ \t]{0,2}:\s{0,4}|"
    rb"</(?:td|th|dt)>\s{0,8}<(?:td|dd)(?: [^<>\r\n]{0,60})?>\s{0,8})(?:<(?:code|tt|kbd|span|b|strong)(?: [^<>\r\n]{0,60})?>)?(?=[^<\s])"
)
_SPACED = re.compile(rb"[ \t]{1,4}(?=[^\s-])")
# What each of these may begin with: most names are followed by something else.
_BEFORE_MARK_UP = (b"</", b":</", b": </", b" :</", b" </")
_AFTER_ASSIGNED = frozenset(bytes([byte]) for byte in b" \t[(\\\"'`])*_?:.+=!-|\xe2\xef")
_AFTER_CALLED = frozenset(bytes([byte]) for byte in b"\\\"'`( \t")
_AFTER_GIVEN = frozenset(bytes([byte]) for byte in b"\\\"', \t\r\n\f\v")
_ENVIRONMENT = re.compile(rb"(?:^|\n)[ \t]{0,12}(?:ENV|ARG|setenv|setx)[ \t]{1,4}$")


def value_place(data: bytes, name_start: int, stop: int) -> tuple[int, bool, bool] | None:
    """Where the value stands, whether its place alone tells that it is one, and whether it is the text of a tag."""
    following = data[stop : stop + 1]
    if data.startswith(_BEFORE_MARK_UP, stop) and (found := _MARKED_UP.match(data, stop)) is not None:
        return found.end(), False, False
    if following in _AFTER_ASSIGNED and (found := _ASSIGNED.match(data, stop)) is not None:
        return found.end(), False, False
    # Before calls and lists, which would read `value` itself as the value.
    if following in _AFTER_GIVEN and (found := _GIVEN.match(data, stop)) is not None:
        return found.end(), True, False
    if following in _AFTER_CALLED and (found := _CALLED.match(data, stop)) is not None:
        if following in b" \t" and (_is_verb(data, name_start, stop) or data[found.end() : found.end() + 1] == b"`"):
            return None
        return found.end(), False, False
    is_in_tag = following in b" \t>" and data.find(b">", stop, stop + TAG_REST) >= 0
    if is_in_tag and (found := _TAGGED.match(data, stop)) is not None:
        return found.end(), True, True
    if following in b" \t" and (found := _SPACED.match(data, stop)) is not None:
        is_flag = data[name_start : name_start + 1] == b"-"
        if is_flag or _ENVIRONMENT.search(data, max(0, name_start - 40), name_start) is not None:
            return found.end(), False, False
    return None


def _is_verb(data: bytes, name_start: int, stop: int) -> bool:
    """`pass 'x' to it`: the word alone, with nothing but a space behind it."""
    return data[name_start:stop].lower() in (b"pass", b"key", b"token", b"clave", b"login", b"auth")
