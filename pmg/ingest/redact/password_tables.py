"""Tables with a column of passwords: what a browser or a password manager exports as CSV, and tables in Markdown.

Only the first row says what stands in the column. Each row is read once, however many there are; a cell counts if it looks like a
password, and in a list of accounts (a column of users beside it) any word does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pmg.base.patterns import compile_linear
from pmg.ingest.redact.accept import is_numbered_word, is_password, is_unit
from pmg.ingest.redact.prose import is_odd
from pmg.ingest.redact.reading import Value
from pmg.ingest.redact.rule import Rule, RuleHit, Span
from pmg.ingest.redact.values import is_code, is_number, is_place, is_placeholder, is_wordy, shape_of

PASSWORD_CELLS = (
    "password",
    "passwort",
    "kennwort",
    "passwd",
    "login_password",
    "login_totp",
    "contraseña",
    "mot de passe",
    "wachtwoord",
)
_PASSWORD_CELL = frozenset(name.encode() for name in PASSWORD_CELLS)
_PLACE_CELL = re.compile(
    rb"(?:web ?)?site|url|website|service|dienst|seite|web|domain|host(?:name)?|server", re.IGNORECASE
)
_USER_CELL = re.compile(
    rb"(?:login_|web_)?(?:user(?: ?name)?|login(?: ?name)?|e-?mail|account|benutzer(?:name)?|konto|username)"
)
_NAME_CELL = re.compile(rb"[\w .()/#*-]{0,40}")
_CSV_CELL = re.compile(rb'"((?:[^"]|"")*+)"|([^,;\t"\r\n]*+)')
_RULER = compile_linear(
    r"[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*", "ruler of a table", captures=False
)
_SEPARATORS = (b",", b";", b"\t")
_BEFORE_CELL, _BEHIND_CELL = frozenset(b'\n,;\t| "*`'), frozenset(b"\r\n,;\t| *`")
_MAX_LINE = 2_000  # bytes: no row of such a table is longer
_MIN_ACCOUNT_CELLS = 3
_MIN_WORD = 4  # characters of a password that is a plain word


def find_tables(data: bytes, position: int, end: int, places: Sequence[Span]) -> Iterator[RuleHit]:
    for begin, stop in places:
        if begin < position or not _is_cell(data, begin, stop):
            continue
        start, last = data.rfind(b"\n", 0, begin) + 1, data.find(b"\n", stop)
        position = last = len(data) if last < 0 else last
        spans = list[Span]()
        if last - start <= _MAX_LINE:
            spans, position = _secrets(data, start, last)
        if spans or position > end:
            yield begin, position, spans, "password"


def _is_cell(data: bytes, begin: int, stop: int) -> bool:
    """Told fast: most of what is called so is the name of something else."""
    behind = stop + (data[stop : stop + 1] == b'"')
    return (not begin or data[begin - 1] in _BEFORE_CELL) and (behind >= len(data) or data[behind] in _BEHIND_CELL)


def _line(data: bytes, start: int) -> Span:
    found = data.find(b"\n", start, start + _MAX_LINE)
    return start, found if found >= 0 else min(len(data), start + _MAX_LINE)


def _secrets(data: bytes, start: int, end: int) -> tuple[list[Span], int]:
    """Of the table that this line begins, if it does: the passwords, and where it ends."""
    header = data[start:end].rstrip(b"\r")
    separator = b"|" if header.count(b"|") > 1 else next((one for one in _SEPARATORS if one in header), b"")
    names = (
        [header[slice(*span)].strip(b' \t"*`').lower() for span in _cells(header, 0, separator)] if separator else []
    )
    columns = [number for number, name in enumerate(names) if name in _PASSWORD_CELL]
    is_named = all(map(_NAME_CELL.fullmatch, names)) and (separator == b"|" or all(names))
    if not columns or not is_named:
        return [], end
    if separator == b"|":
        start, end = _line(data, end + 1)
        if _RULER.fullmatch(data[start:end].rstrip(b"\r")) is None:
            return [], start
    has_users = any(map(_USER_CELL.fullmatch, names))
    of_accounts = has_users or any(map(_PLACE_CELL.fullmatch, names))
    is_account = has_users and separator != b"|" and len(names) >= _MIN_ACCOUNT_CELLS
    spans = list[Span]()
    while end < len(data):
        row_start, row_end = _line(data, end + 1)
        cells = _cells(data[row_start:row_end].rstrip(b"\r"), row_start, separator)
        if len(cells) != len(names):
            break
        bare = [_bare(data, cells[number]) for number in columns]
        spans += [span for span in bare if _is_secret(data, span, is_account, of_accounts)]
        end = row_end
    return spans, end


def _cells(line: bytes, offset: int, separator: bytes) -> list[Span]:
    """Where the cells of a row stand, without the quotes around them."""
    if separator == b"|":
        return _between_bars(line, offset)
    spans, position = list[Span](), 0
    while (found := _CSV_CELL.match(line, position)) is not None:
        inner = found.span(1) if found[1] is not None else found.span(2)
        position = found.end()
        while position < len(line) and line[position : position + 1] != separator:
            position = inner_end = _rest(line, position, separator)
            inner = (inner[0], inner_end)
        spans.append((inner[0] + offset, inner[1] + offset))
        if position >= len(line):
            break
        position += 1
    return spans


def _rest(line: bytes, position: int, separator: bytes) -> int:
    """Another sign that parts cells elsewhere belongs to the cell here."""
    found = line.find(separator, position)
    return len(line) if found < 0 else found


def _between_bars(line: bytes, offset: int) -> list[Span]:
    spans, position = list[Span](), 0
    for piece in line.split(b"|"):
        spans.append((position + offset, position + len(piece) + offset))
        position += len(piece) + 1
    return spans


def _bare(data: bytes, span: Span) -> Span:
    """Without blanks and what marks emphasis or code."""
    cell = data[slice(*span)]
    start = span[0] + len(cell) - len(cell.lstrip(b" \t`*"))
    return start, max(start, span[1] - (len(cell) - len(cell.rstrip(b" \t`*"))))


def _is_secret(data: bytes, span: Span, is_account: bool, of_accounts: bool) -> bool:
    text = data[slice(*span)].decode("utf-8", "ignore")
    if len(text) < _MIN_WORD or is_placeholder(text) or is_place(text) or is_code(text) or " " in text:
        return False
    if is_account:
        return not is_wordy(text) or shape_of(text).digits > 0
    if is_unit(text) or is_number(text) or not is_odd(text) or (not of_accounts and is_numbered_word(text)):
        return False
    return is_password(Value(*span, text, False, ""), True)


TABLE_RULES: tuple[Rule, ...] = (
    Rule("password", "",
         (("name,url,username,password\nnetflix,https://netflix.com,anna,", "kdW9mPq2vL"), ("| site | password |\n|---|---|\n| bahn | ", "Wint3r!x |")),
         (("name,type,password\nfield,string,required",), ("| method | password |\n|---|---|\n| SSH | optional |",), ("Enter your name, password\nand then, press Enter",)),
         literals=PASSWORD_CELLS, find=find_tables, follow=b' \t,;|"\r\n*`', is_local=False),
)  # fmt: skip
