"""A text as words, each with the marks before it, whatever way it was typed.

Free are spaces, bullets, bold, the kind of quotes and an emoji at the end; "don't" is "do not", "two" is 2, "1,000" is 1000 and "3pm" is "3 pm".
Any other word with a digit or a sign inside (path, address) is compared letter by letter, and so is a line of code: there spaces and capitals count.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pmg.base.patterns import plain
from pmg.base.words import GERMAN_NUMBER_WORDS, NUMBER_WORDS

_CODE = plain(
    r"[{}=\\|^<>\t]|;$|\w\(|\$[A-Za-z_({]|&&|/\*|\*/|^ *(?:[$%>#] |#!)|^ {4}|(?:^|\s)(?:\.{0,2}/|~/)\S"
    r"|(?:^|\s)--?[A-Za-z][\w-]*(?=\s|$)"
)
_COMMANDS = "git rm sudo pip npm npx yarn docker kubectl ssh scp curl wget cd ls mkdir chmod grep sed awk cp mv".split()
_LINE, _CHUNK = plain(r"[^\n]+"), plain(r"\S+")
_BULLET = plain(r"\s*[-*•–]\s+(?=[^\W\d]|\*\*)")
_BOLD = plain(r"(?<![\w*])\*\*(?=[^\s*])([^*\n]+)(?<=\S)\*\*(?![\w*])")
# The marks that come off a word; any other sign inside it makes the word exact.
_OPENING, _CLOSING = "\"'`“”„‘’«»(¿¡", ".,;:!?…)\"'“”‘’«»。！？，"
_MARK = plain(r"``|''|\.{2,}|[^.]|\.")
_SAME_MARK = {"…": "...", **dict.fromkeys(("``", "''", *"“”„«»"), '"'), **dict.fromkeys("‘’", "'")}
_SAME_MARK |= {**dict.fromkeys("!。！", "."), "？": "?", "，": ",", "—": "–"}
# Pictures, with their skins and joiners: not a thumb that points down, an arrow or a coloured dot, which say something.
_PICTURE = plain(
    "[\U0001f300-\U0001f44d\U0001f44f-\U0001f4ff\U0001f550-\U0001f64f\U0001f900-\U0001faff\u2764\u200d\ufe0f]"
)
_PLAIN = plain(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_AMOUNT = plain(r"(\d[\d.,:]*)([^\W\d_]+|[%€$£°]|)")
_THOUSANDS = plain(r"[1-9]\d{0,2}(?:,\d{3})+")
_NUMBERS = {word: str(number) for number, word in enumerate(NUMBER_WORDS)}
_NUMBERS |= {word: str(number) for number, word in enumerate(GERMAN_NUMBER_WORDS, 2)}
_VERBS = ("do", "does", "did", "is", "are", "was", "were", "could", "would", "should", "has", "have", "had")
_WHO = ("i", "you", "we", "they", "he", "she", "it", "that", "there", "here", "who", "what", "where", "how")
_ENDINGS = {"m": "am", "re": "are", "ve": "have", "ll": "will", "s": "is"}
_FULL = {verb + end: (verb, "not") for verb in _VERBS for end in ("n't", "nt")}
_FULL |= {"can't": ("can", "not"), "cannot": ("can", "not"), "won't": ("will", "not")}
_FULL |= {f"{who}'{end}": (who, full) for who in _WHO for end, full in _ENDINGS.items()}


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


def read(text: str) -> tuple[Token, ...]:
    """The words of a text, and at last its end."""
    tokens, marks = list[Token](), list[str]()
    size = _without_pictures(text)
    for piece, start, kind in (*_pieces(text[:size]), ("", len(text), "exact")):
        if kind == "mark":
            marks.append(_SAME_MARK.get(piece, piece))
            continue
        word, end = unicodedata.normalize("NFC", piece), start + len(piece)
        first, *rest = (word,) if kind == "exact" else _keys(word.replace("’", "'"))
        opens, capital = not tokens or _stops(marks), kind == "word" and piece[0].isupper()
        tokens.append(Token(first, start, end, tuple(sorted(marks)), opens, capital, kind == "exact"))
        tokens += [Token(key, start, end) for key in rest]
        marks.clear()
    return tuple(tokens)


def pictures(text: str) -> str:
    """Those that a text ends with."""
    return "".join(text[_without_pictures(text) :].split())


def _without_pictures(text: str) -> int:
    end = len(text)
    while end and (text[end - 1].isspace() or _PICTURE.match(text[end - 1])):
        end -= 1
    return end


def _stops(marks: Iterable[str]) -> bool:  # does a sentence end here?
    return any(mark in (".", "?", "...") or mark[0] == "\n" for mark in marks)


def _pieces(text: str) -> Iterator[tuple[str, int, str]]:
    """(text, where, kind) of every mark, word and exact word; a line break is a mark that carries the indent after it."""
    fenced = False
    for number, line in enumerate(match for match in _LINE.finditer(text) if match[0].strip()):
        said, bare = line[0].rstrip(), line[0].strip()
        if number:
            yield "\n" + said[: len(said) - len(bare)], line.start(), "mark"
        fence = bare.startswith(("```", "~~~"))
        if fenced or fence or _CODE.search(said) or bare.split()[0] in _COMMANDS:
            yield said, line.start(), "exact"
        else:
            for chunk in _CHUNK.finditer(_bare(said)):
                yield from _parts(chunk[0], line.start() + chunk.start())
        fenced ^= fence


def _bare(line: str) -> str:
    """As long as it was, with blanks for a bullet and the signs of bold."""
    bullet = _BULLET.match(line)
    line = " " * bullet.end() + line[bullet.end() :] if bullet else line
    return _BOLD.sub(r"  \1  ", line)


def _parts(chunk: str, at: int) -> Iterator[tuple[str, int, str]]:
    lead = len(chunk) - len(chunk.lstrip(_OPENING))
    word = chunk[lead:].rstrip(_CLOSING)
    yield from ((mark, at, "mark") for mark in _MARK.findall(chunk[:lead]))
    if amount := _AMOUNT.fullmatch(word):
        number, unit = amount.groups()
        yield number, at + lead, "word"
        if unit:
            yield unit, at + lead + len(number), "word"
    elif word:
        yield word, at + lead, "word" if _PLAIN.fullmatch(word) else "mark" if word in "–—" else "exact"
    yield from ((mark, at, "mark") for mark in _MARK.findall(chunk[lead + len(word) :]))


def _keys(word: str) -> tuple[str, ...]:
    """What a plain word is compared by: small letters, written out, unless it has capitals of its own (US, iPhone, X)."""
    small = word.lower()
    if word[1:] != small[1:] or (len(word) == 1 and small not in "ai"):
        return (word,)
    if _THOUSANDS.fullmatch(small):
        return (small.replace(",", ""),)
    return _FULL.get(small, (_NUMBERS.get(small, small),))
