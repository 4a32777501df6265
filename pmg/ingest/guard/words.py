"""A text as words, each with the marks before it.

A word with a digit or a sign inside (number, path, address) is compared letter by letter, and so is a line of code: there spaces and capitals count.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pmg.ingest.guard.tables import COMMANDS, DETERMINERS, PERSONS

_CODE = re.compile(
    r"[{}=\\|^<>\t]|;$|\w\(|\$[A-Za-z_({]|&&|/\*|\*/|^ *(?:[$%>#] |#!)|^ {4}|(?:^|\s)(?:\.{0,2}/|~/)\S"
    r"|(?:^|\s)--?[A-Za-z][\w-]*(?=\s|$)"
)
# The marks that come off a word; any other sign inside it makes the word exact.
_OPENING, _CLOSING = "\"'`“”„‘’«»(¿¡", ".,;:!?…)\"'“”‘’«»。！？，"
_MARK = re.compile(r"``|''|\.{2,}|[^.]|\.")
_SAME_MARK = {"…": "...", **dict.fromkeys(("``", "''", *"“”„«»"), '"'), **dict.fromkeys("‘’", "'")}
_SAME_MARK |= {**dict.fromkeys("!。！", "."), "？": "?", "，": ",", "—": "–"}
_PLAIN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_VERBS = ("do", "does", "did", "is", "are", "was", "were", "could", "would", "should", "has", "have", "had")
_WHO = ("i", "you", "we", "they", "he", "she", "it", "that", "there", "here", "who", "what", "where", "how")
_ENDINGS = {"m": "am", "re": "are", "ve": "have", "ll": "will", "s": "is", "d": "would"}
_FULL = {verb + end: (verb, "not") for verb in _VERBS for end in ("n't", "nt")}
_FULL |= {"can't": ("can", "not"), "cannot": ("can", "not"), "won't": ("will", "not")}
_FULL |= {f"{who}'{end}": (who, full) for who in _WHO for end, full in _ENDINGS.items()}
_GREETINGS = ("hi", "hello", "hey", "ok", "okay", "well", "wow", "um")
_HAS, _WOULD = re.compile(r"\s+(?:been|got)\b"), re.compile(r"\s+(?:like|love|prefer|rather)\b")  # after 's and 'd


@dataclass(frozen=True, slots=True)
class Token:
    """One word: what it is compared by, where it stands, and the marks between it and the word before."""

    key: str  # "" is the end of the text
    start: int
    end: int
    marks: tuple[str, ...] = ()
    opens: bool = False  # the first of a sentence: there a capital letter means nothing
    capital: bool = False
    exact: bool = False


def stops(marks: Iterable[str]) -> bool:  # does a sentence end here?
    return any(mark in (".", "?", "...") or mark[0] == "\n" for mark in marks)


def read(text: str) -> tuple[Token, ...]:
    """The words of a text, and at last its end."""
    tokens, marks = list[Token](), list[str]()
    for piece, start, kind in (*_pieces(text), ("", len(text), "exact")):
        if kind == "mark":
            marks.append(_SAME_MARK.get(piece, piece))
            continue
        word, end = unicodedata.normalize("NFC", piece), start + len(piece)
        first, *rest = (word,) if kind == "exact" else _keys(word.replace("’", "'"), text, end)
        opens, capital = not tokens or stops(marks), kind == "word" and piece[0].isupper()
        tokens.append(Token(first, start, end, tuple(sorted(marks)), opens, capital, kind == "exact"))
        tokens += [Token(key, start, end) for key in rest]
        marks.clear()
    return tuple(_without_courtesy(tokens))


def _without_courtesy(tokens: list[Token]) -> list[Token]:
    """A request is the same with "please" before or after it (not "Please the crowd"); so is a text after "Hi!" or "Well,"."""
    if len(tokens) > 4 and tokens[-2].key == "please":
        del tokens[-2]
    first, second = tokens[0].key, tokens[min(1, len(tokens) - 1)]
    asks = first == "please" and not (second.capital or second.key in DETERMINERS | PERSONS)
    if len(tokens) > 4 and (asks or (first in _GREETINGS and second.marks)):
        tokens[:2] = [replace(second, opens=True, marks=tokens[0].marks)]
    return tokens


def _pieces(text: str) -> Iterator[tuple[str, int, str]]:
    """(text, where, kind) of every mark, word and exact word; a line break is a mark that carries the indent after it."""
    fenced = False
    for number, line in enumerate(match for match in re.finditer(r"[^\n]+", text) if match[0].strip()):
        said, bare = line[0].rstrip(), line[0].strip()
        if number:
            yield "\n" + said[: len(said) - len(bare)], line.start(), "mark"
        fence = bare.startswith(("```", "~~~"))
        if fenced or fence or _CODE.search(said) or bare.split()[0] in COMMANDS:
            yield said, line.start(), "exact"
        else:
            for chunk in re.finditer(r"\S+", said):
                yield from _parts(chunk[0], line.start() + chunk.start())
        fenced ^= fence


def _parts(chunk: str, at: int) -> Iterator[tuple[str, int, str]]:
    lead = len(chunk) - len(chunk.lstrip(_OPENING))
    word = chunk[lead:].rstrip(_CLOSING)
    yield from ((mark, at, "mark") for mark in _MARK.findall(chunk[:lead]))
    if word:
        yield word, at + lead, "word" if _PLAIN.fullmatch(word) else "mark" if word in "–—" else "exact"
    yield from ((mark, at, "mark") for mark in _MARK.findall(chunk[lead + len(word) :]))


def _keys(word: str, text: str, end: int) -> tuple[str, ...]:
    """What a plain word is compared by: small letters, written out, unless it has capitals of its own (US, iPhone, X)."""
    small = word.lower()
    if word[1:] != small[1:] or (len(word) == 1 and small not in "ai"):
        return (word,)
    if small.endswith("'d") and not _WOULD.match(text, end):  # "I'd gone"
        return (small,)
    keys = _FULL.get(small, (small,))
    return (keys[0], "has") if small.endswith("'s") and len(keys) > 1 and _HAS.match(text, end) else keys
