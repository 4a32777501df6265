"""Text to search terms, the same way for what is stored and for what is asked.

Unicode folding, words, numbers, file names, addresses, code identifiers, emoji, scripts without spaces, and stop words.
stem.py finds the stems; lexical.py weighs the terms.

- Words are normalised (NFKC), lower-cased, freed of accents and stemmed by their script's language, Latin letters as English.
- A compound (config.toml, anna@example.org, snake_case, camelCase, GPT-4, python3, v2.1) gives itself and its parts.
- Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese runs give overlapping pairs of characters; stored text also
  gives single Han characters, so that a one-character question finds them.
- Stop words are kept in stored text; a question drops them unless it has nothing else.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import chain

from pmg.base.patterns import ASCII, TextPattern, plain
from pmg.base.words import STOP_WORDS
from pmg.index.function_words import function_words, without_grammar
from pmg.index.stem import stem

MAX_LENGTH = 64  # characters of a term; longer runs (hashes, base64) count by their beginning
READ = 1024  # characters of a run without a break that are looked at
# Their stems are those of words that say nothing ("own", "such", "can", "will").
_TELLING = frozenset("owns owned owning suche suchen canned willing".split())
MAX_PARTS = 6  # a run that falls into more pieces is noise (a hash), not an identifier


# Where Unicode has combining marks. Between lie the letters of Chinese, Korean, Tangut and cuneiform, which have none: to look there too takes more than twice as long.
_MARKED = (range(0x300, 0x3400), range(0xA660, 0xAC00), range(0xFB00, 0x12000), range(0x13400, 0x17000), range(0x1BC00, 0x1E950))  # fmt: skip


def _class_of_marks() -> str:
    """The combining marks as ranges of a regex class: \\w leaves them out, but in Thai, Hindi and others they are part
    of the word."""
    marks = [code for code in chain.from_iterable(_MARKED) if unicodedata.category(chr(code))[0] == "M"]
    known = set(marks)
    starts = [code for code in marks if code - 1 not in known]
    ends = [code for code in marks if code + 1 not in known]
    return "".join(f"{chr(start)}-{chr(end)}" for start, end in zip(starts, ends, strict=True))


_JOINT = r"(?:[.@'’\-]|(?<=\d),(?=\d{3}))"
_EMOJI = "[\u2139-\u21ff\u2300-\u23ff\u2460-\u27bf\u2900-\u297f\u2b00-\u2bff\U0001f000-\U0001f3fa\U0001f400-\U0001faff]"
# at most 16 words to a compound, so that a run never grows without bound
_ASCII_RUN = plain(rf"\w+(?:{_JOINT}\w+){{0,15}}[+#]{{0,2}}", ASCII)
_UNSPACED = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3035\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u318e\u31a0-\u31bf"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\uaa60-\uaa7f"
)
_PAIRED = plain(rf"[{_UNSPACED}]+")
_HAN = plain("[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_PARTS = plain(r"\d+(?:\.\d+)*|[^\W\d_]+")
_CASES = plain(r"[A-Z]+(?![a-z])|[A-Z]?[^A-Z\d]+|\d+")
_CLITIC = plain(r"(.+)'(?:s|m|re|ve|ll|d)\Z")
_MIXED = plain(r"\d[^\W\d]|[^\W\d]\d|[a-z][A-Z]|[A-Z]{2}[a-z]{2}|_")
_LETTERS_APART = str.maketrans({"ø": "o", "đ": "d", "ł": "l", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ı": "i"})


@lru_cache(maxsize=1)
def _run() -> TextPattern:
    """As `_ASCII_RUN` for all of Unicode. It is made for the first text that needs it: no command should wait for it that reads none."""
    word = rf"\w++(?:[{_class_of_marks()}\u200c]++\w*+)*+"
    return plain(
        rf"{word}(?:{_JOINT}{word}){{0,15}}[+#]{{0,2}}"
        rf"|[\U0001f1e6-\U0001f1ff]{{2}}|{_EMOJI}(?:[\ufe0f\U0001f3fb-\U0001f3ff]|\u200d{_EMOJI})*"
    )


def document_terms(text: str) -> list[str]:
    """The terms of a stored text, in their order, repeated as often as they occur."""
    runs = _runs(text)
    if max(map(len, runs), default=0) <= MAX_LENGTH:
        return list(chain.from_iterable(map(_terms_of, runs)))
    return [term for run in runs for term in (_terms_of(run) if len(run) <= MAX_LENGTH else _expand(run))]


def query_terms(text: str) -> list[str]:
    """The terms to search for: without words that say nothing, unless there is nothing else; without lone Han characters beside
    the pairs they are part of."""
    found: list[str] = []
    telling: list[str] = []
    silent = function_words(text)
    for run in _runs(text):
        terms = _terms_of(run) if len(run) <= MAX_LENGTH else _expand(run)
        paired = any(len(term) == 2 and _PAIRED.match(term) for term in terms)
        kept = [term for term in terms if not (paired and len(term) == 1 and _HAN.match(term))]
        found += kept
        if run.lower() not in silent:
            tells = run.lower() in _TELLING
            telling += kept if tells else without_grammar([term for term in kept if term not in STOP_WORDS])
    return telling or found


def _runs(text: str) -> list[str]:
    """Maximal runs of what belongs together. Plain ASCII, most of what is said, has a regex that is twice as fast."""
    return _ASCII_RUN.findall(text) if text.isascii() else _run().findall(unicodedata.normalize("NFKC", text))


@lru_cache(maxsize=200_000)  # most words of a memory are said again and again
def _terms_of(run: str) -> tuple[str, ...]:
    return tuple(_expand(run))


def _expand(run: str) -> list[str]:
    """The terms of one run of characters: script by script, each once in the order they appear."""
    if run.isascii() and run.isalpha() and (run.islower() or run[1:].islower()):
        return [_english(run.lower()[:MAX_LENGTH])]
    terms: list[str] = []
    end = 0
    for unspaced in _PAIRED.finditer(run):
        terms += _spaced(run[end : unspaced.start()])
        terms += _pairs(unspaced.group())
        end = unspaced.end()
    return terms + _spaced(run[end:])


def _pairs(run: str) -> list[str]:
    pairs = [run[at : at + 2] for at in range(len(run) - 1)]
    return pairs + _HAN.findall(run) if pairs else [run]


def _spaced(run: str) -> list[str]:
    """A word, a number, a compound with its parts, or an emoji."""
    run = run[:READ].replace("’", "'").replace("\u200c", "").strip("_.-'")
    if not run:
        return []
    if not _PARTS.search(run):
        return [_emoji(run)]
    if "'" in run:
        run = _without_apostrophe(run)
    if run.replace(".", "").replace(",", "").isdecimal():
        return [run.replace(",", "")[:MAX_LENGTH]]
    whole = _fold(run)
    parts = [part for piece in plain(r"[.@\-'_+#,]+").split(run) for part in _cases(piece)]
    if len(parts) == 1 and not run.endswith(("+", "#")):
        return [_plain(parts[0])]
    return _compound(whole, parts)


def _compound(whole: str, parts: list[str]) -> list[str]:
    joined = plain(r"['\-,]").sub("", whole)[:MAX_LENGTH]
    words = [_plain(part) for part in parts] if len(parts) <= MAX_PARTS or "." in whole else []
    if plain(r"v\d+(\.\d+)+").fullmatch(joined):  # v2.1 is also asked for as 2.1, and its digits alone say nothing
        return [joined, joined[1:]]
    return list(dict.fromkeys([joined, *(word for word in words if len(word) > 1 or word.isdecimal())]))


def _cases(piece: str) -> list[str]:
    """camelCase, HTTPServer and python3 into their parts; anything else as it is."""
    return _CASES.findall(piece) if _MIXED.search(piece) else [piece] if piece else []


def _without_apostrophe(run: str) -> str:
    """Anna's → Anna, we'll → we, don't → dont; O'Brien and l'amour keep their parts."""
    if found := _CLITIC.match(run.lower()):
        return run[: found.end(1)]
    return run.replace("'", "") if run.lower().endswith("n't") else run


def _plain(word: str) -> str:
    """One word as a term. English endings are found without accents; those of other scripts have marks in them (Russian й)."""
    folded = _fold(word)[:MAX_LENGTH]
    return _english(folded) if folded.isascii() else _fold(stem(word.casefold()[:MAX_LENGTH]))[:MAX_LENGTH] or folded


def _english(word: str) -> str:
    return word if word in STOP_WORDS else stem(word)


def _fold(word: str) -> str:
    """Lower case without accents. Marks of Indic and other scripts are letters there, and stay."""
    word = word.casefold()
    if word.isascii():
        return word
    apart = unicodedata.normalize("NFKD", word)
    bare = "".join(
        c for c in apart if not ("\u0300" <= c <= "\u036f" or "\u0591" <= c <= "\u05c7" or "\u064b" <= c <= "\u065f")
    )
    return unicodedata.normalize("NFC", bare).translate(_LETTERS_APART)


def _emoji(run: str) -> str:
    """Without the variation selector and the skin tone: one thumb up is like another."""
    return plain("[\ufe0f\U0001f3fb-\U0001f3ff]").sub("", run)[:MAX_LENGTH] or run
