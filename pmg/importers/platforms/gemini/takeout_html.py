"""Gemini in Google Takeout as an HTML page: cut into activity cells as it streams, each cell into an activity.

Knows: the cells of My Activity pages in any language, told by their classes, not by their words.
Does not know: how activities become conversations (takeout.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime

from pmg.base.patterns import IGNORECASE, linear, plain
from pmg.importers.conversation import Level, Result, Where
from pmg.importers.platforms.gemini.takeout import ATTACHED, THREAD, Activity, conversations, is_gemini
from pmg.importers.reading.encoding import decode
from pmg.importers.reading.html_text import html_text
from pmg.importers.reading.local_times import looks_like_time, parse_local

CELL = b'<div class="outer-cell'
CONTENT = linear(r'(?i)<div class="content-cell[^"]*">')
HEADER = linear(r'(?is)<div class="header-cell[^"]*">(.*?)</div>')
BREAK = plain(r"<br\s*/?>", IGNORECASE)
FILE = linear(r'(?s)[\s\pZ]*(?:-|–|•)?(?:&nbsp;|[\s\pZ])*<a [^>]*href="([^"]*)"[^>]*>(.*?)</a>[\s\pZ]*$')
MAX_BYTES = 32 * 1024 * 1024


def claims_text(head: str) -> bool:
    return "outer-cell" in head and "content-cell" in head


def parse_text(chunks: Iterable[bytes], where: Where) -> Iterator[Result]:
    found: list[Activity] = []
    others: Counter[str] = Counter()
    for number, cell in enumerate(_cells(chunks)):
        if len(cell) > MAX_BYTES:
            yield Where(where.file, f"cell {number}").problem(
                f"a cell of {len(cell)} bytes", raw=decode(cell[:9999])[0]
            )
            continue
        page, remark = decode(cell)
        if remark:
            yield Where(where.file, f"cell {number}").problem(remark, level=Level.NOTE)
        header = HEADER.search(page)
        product = html_text(header[1]) if header else ""
        activity = _activity(page) if is_gemini(product) else None
        if activity:
            found.append(activity)
        else:
            others[product or "no product"] += 1
    yield from conversations(found, others, where)


def _cells(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes from one cell's beginning to the next; what stands before the first is the page's own."""
    held: list[bytes] = []
    started, tail = False, b""
    for chunk in chunks:
        pieces = (tail + chunk).split(CELL)
        for piece in pieces[:-1]:
            held.append(piece)
            if started:
                yield b"".join(held)
            held, started = [], True
        last = pieces[-1]
        cut = max(0, len(last) - len(CELL) + 1)  # a marker may be cut in two
        held.append(last[:cut])
        tail = last[cut:]
    if started:
        yield b"".join([*held, tail])


def _activity(page: str) -> Activity | None:
    starts = list(CONTENT.finditer(page))
    if not starts:
        return None
    end = starts[1].start() if len(starts) > 1 else len(page)
    body = page[starts[0].end() : end].rstrip().removesuffix("</div>").rstrip()
    lines = BREAK.split(body)
    for number, line in enumerate(lines):
        plain = html_text(line)
        if looks_like_time(plain) and "<p" not in line:
            at = parse_local(plain)
            answer = "<br>".join(lines[number + 1 :])
            return _asked(lines[:number], html_text(answer), at)
    return _asked(lines[:1], html_text("<br>".join(lines[1:])), None)


def _asked(lines: list[str], answer: str, at: datetime | None) -> Activity:
    files = [html_text(found[2]) or found[1] for line in lines[1:] if (found := FILE.match(line))]
    words = [
        html_text(line)
        for number, line in enumerate(lines)
        if number == 0 or not (FILE.match(line) or (files and ATTACHED.match(html_text(line))))
    ]
    thread = THREAD.search(" ".join(lines))
    return Activity(
        title="\n".join(words).strip(),
        answer=answer,
        at=at,
        thread=thread[1] if thread else "",
        files=tuple(files),
        answered=bool(answer),
    )
