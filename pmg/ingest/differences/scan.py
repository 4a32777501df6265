"""Cuts a text into words, numbers, names of things and marks, each with its place in the text.

Knows: what one token looks like (a word, a number with its unit, a URL, a path, a sign) and how contractions open up.
Does not know: what any word means.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pmg.ingest.differences.words import CONTRACTIONS, IS_BEFORE, SPELLINGS

_TOKEN = re.compile(
    r"""
    (?P<cjk>[\u3040-\u30ff\u3400-\u9fff])
  | (?P<word>[^\W\d_]++(?:['’][^\W\d_]++)*+['’]?+(?![\w@/\\]|[.+-]\w|://|\.$))
  | (?P<id>https?://\S+|www\.\S+|[\w.+-]{1,64}@[\w-]{1,64}\.[\w.]{1,64}|[@\#]\w+)
  | (?P<abbr>(?:[A-Za-z]\.){2,})
  | (?P<num>(?<![^\W\u3040-\u30ff\u3400-\u9fff])(?<!\.)[-+]?\d+(?:[.,:/-]\d+)*(?:st|nd|rd|th|[a-zA-Z]{1,4})?(?![^\W\u3040-\u30ff\u3400-\u9fff]))
  | (?P<mixed>\w+(?:[._/\\]+\w+)+|\w*\d\w*|\w*_\w*|--?[a-z]\w*(?=\b)(?<=\s-\w)|--[a-z][\w-]*)
  | (?P<rest>[^\W\d_]+(?:['’][^\W\d_]+)*['’]?)
  | (?P<stop>[.!?…。！？]+|\n+)
  | (?P<minus>(?<=[\w)])\s-\s(?=[\w(]\b|\d+\b))
  | (?P<comma>[,;:、，]|\s[-–—]+\s|—)
  | (?P<sign>[$€£¥₹%°]|==|!=|<=|>=|=>|->|[-+*/]=|[<>=+*/^|&~](?=\s*[\w(])|[^\w\s\x00-\u2189])
    """,
    re.VERBOSE,
)
_SLASHED = re.compile(r"[^\W\d_]{2,}(?:/[^\W\d_]{2,})+\Z")


@dataclass(slots=True)
class Word:
    """One token. `low` is what it is looked up by, `kind` what it turned out to be, `key` what it is compared by."""

    low: str
    text: str
    start: int
    end: int
    kind: str = "word"
    key: str = ""


def scan(text: str, start: int = 0) -> list[Word]:
    """The tokens of `text` in order, contractions opened ("can't" is can, not), usual misspellings mended."""
    found: list[Word] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "word"
        piece = match.group()
        begin, end = match.start() + start, match.end() + start
        if piece == "s" and begin and text[begin - start - 1 : begin - start] in ("'", "’") and found:
            found.append(Word("'s", piece, begin, end))  # main.py's
        elif kind in ("word", "rest"):
            _word(found, piece, begin, end)
        elif kind == "mixed" and _SLASHED.match(piece):  # "and/or", "he/she": words, not a path
            for part in re.finditer(r"[^/]+", piece):
                _word(found, part.group(), begin + part.start(), begin + part.end())
        elif kind == "stop" and piece == "." and found and found[-1].low in _TITLES:
            continue
        elif kind == "minus":
            found.append(Word("-", "-", begin, end, "sign" if _in_sum(found) else "comma"))
        elif kind == "abbr":
            low = piece.replace(".", "").lower()
            found.append(Word(low, piece, begin, end))
            if low not in _NOT_LAST and text[end - start :].strip() == "":
                found.append(Word(".", ".", end, end, "stop"))
        else:
            found.append(Word(piece.lower(), piece.strip(), begin, end, kind))
    return found


def _in_sum(found: list[Word]) -> bool:
    """Behind a number or a single letter a dash takes away; behind a word it only parts."""
    return bool(found) and (found[-1].kind == "num" or (len(found[-1].low) == 1 and found[-1].kind == "word"))


_TITLES = frozenset("dr mr mrs ms prof vs st approx".split())
_NOT_LAST = frozenset(["eg", "ie"])


def _word(found: list[Word], piece: str, start: int, end: int) -> None:
    low = piece.lower().replace("’", "'")
    if "'" in low:
        low = low.rstrip("'")
        for part in _opened(low):
            found.append(Word(part, piece, start, end))
        return
    low = SPELLINGS.get(low, low)
    opened = CONTRACTIONS.get(low)
    if opened is None:
        found.append(Word(low, piece, start, end))
        return
    for part in opened:
        found.append(Word(part, piece, start, end))


def _opened(low: str) -> tuple[str, ...]:
    known = CONTRACTIONS.get(low.replace("'", "")) if low not in ("we'll", "we're", "she'll", "he'll", "i'll") else None
    if known is not None:
        return known
    head, _, tail = low.partition("'")
    if tail == "t" and head.endswith("n"):
        return head[:-1], "not"
    if tail == "s":
        return (head, "is") if head in IS_BEFORE else (head, "'s")
    verb = {"m": "am", "re": "are", "ve": "have", "ll": "will", "d": "would"}.get(tail)
    if verb:
        return head, verb
    return (SPELLINGS.get(low.replace("'", ""), low.replace("'", "")),)
