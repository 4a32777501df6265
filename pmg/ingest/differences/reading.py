"""Reads a text into the items that carry its meaning: who, what, how many, when, whether, in what tense.

Knows: the stages of reading, where a sentence begins and ends, and when it is a question or a request.
Does not know: what single words do (grammar.py, amounts.py), or the other text of the pair.
"""

from __future__ import annotations

from pmg.ingest.differences import words as w
from pmg.ingest.differences.amounts import measure
from pmg.ingest.differences.grammar import AUXILIARY, small
from pmg.ingest.differences.items import Chain, Item, State, emit_have, put, settle_have, tense_of
from pmg.ingest.differences.phrases import ASKING, REQUESTS, join
from pmg.ingest.differences.scan import Word, scan

_ENGLISH = frozenset(
    [
        *AUXILIARY,
        *w.PRONOUNS,
        *w.POSSESSIVES,
        "the",
        "a",
        "an",
        "and",
        "of",
        "to",
        "in",
        "on",
        "at",
        "for",
        "with",
        "not",
        "this",
        "that",
    ]
)


def read(text: str, offset: int = 0) -> list[Item]:
    """The items of a text in the order they are said."""
    tokens = scan(text, offset)
    if _foreign(tokens):
        return _plain(tokens)
    words = measure(join(tokens))
    state = State(shouted=text.isupper())
    _open(state, words, 0)
    for at, word in enumerate(words):
        _take(state, words, at, word)
    _close(state, "")
    return state.items


def _foreign(tokens: list[Word]) -> bool:
    """More small words of other languages than of English."""
    lows = [token.low for token in tokens]
    foreign = sum(low in w.FOREIGN for low in lows)
    return foreign > 0 and foreign > sum(low in _ENGLISH for low in lows)


def _plain(tokens: list[Word]) -> list[Item]:
    """In a language that is not understood every word counts as it is written."""
    asked = any("?" in token.text or "？" in token.text for token in tokens)
    kept = [token for token in tokens if token.kind not in ("stop", "comma") and token.low not in _POLITE]
    return [
        Item(
            "word", _DIGITS.get(token.low, token.low), token.text, token.start, token.end, question=asked, low=token.low
        )
        for token in kept
    ]


# What may be left out in other languages; and figures of Chinese and Japanese, which say what our digits say.
_POLITE = frozenset("bitte danke hallo gracias hola merci bonjour ¿ ¡".split())
_DIGITS = dict(zip("一二三四五六七八九", "123456789", strict=True))


def _take(state: State, words: list[Word], at: int, word: Word) -> None:
    low, kind = word.low, word.kind
    if low == "version" and at + 1 < len(words) and words[at + 1].kind == "number":
        return
    if kind == "stop":
        _close(state, word.text)
        _open(state, words, at + 1)
    elif kind == "comma":
        state.clause += 1
        state.role, state.joined = "", ","
    elif state.request and low in _BEFORE_REQUEST and len(state.items) == state.first:
        return
    elif state.request:
        state.request = low in (
            "can",
            "could",
            "would",
            "you",
            "will",
            "do",
            "know",
            "tell",
            "me",
            "happen",
            "to",
            "any",
            "please",
        )
        state.request = state.request and low != "please"
        if not state.request and low != "please":
            _take(state, words, at, word)
    elif kind in ("number", "date"):
        settle_have(state, False)
        put(state, word, kind, word.key)
    elif kind == "filler":
        return
    elif kind == "one":
        settle_have(state, False)
        state.determiner, state.one = "a", True
    elif kind in ("id", "mixed"):
        settle_have(state, False)
        put(state, word, "name", low.rstrip(".,;:!?)"))
    elif kind in ("sign", "cjk", "num"):
        put(state, word, "sign", low)
    else:
        small(state, words, at, word)


def _open(state: State, words: list[Word], at: int) -> None:
    """Looks at how a sentence begins: a request or a question that only asks to be told."""
    while at < len(words) and words[at].low in _BEFORE_REQUEST:
        at += 1
    lows = tuple(word.low for word in words[at : at + 5])
    state.request = False
    state.asking = _asks(words[at : at + 3])
    for size in (5, 4, 3, 2):
        if (
            lows[:size] in ASKING
            and size < 5
            and len(lows) > size
            and (lows[size] in w.WH or lows[size] in ("if", "when", "whether"))
        ):
            state.request = state.asking = True
            return
    if lows[:2] in REQUESTS or lows[:3] in REQUESTS:
        state.request = True
        state.asking = False
        state.chain.asked = True


_BEFORE_REQUEST = frozenset("hi hello hey please so ok okay and but sorry , thanks great well yes yeah sure".split())


def _close(state: State, mark: str) -> None:
    items = state.items[state.first :]
    chain = state.chain
    if chain.have is not None:
        emit_have(state)
        items = state.items[state.first :]
    elif chain.seen and items and not items[-1].tense:
        items[-1].tense, items[-1].modal = tense_of(chain, "", items[-1].key), chain.modal
    _settle_progressive(items)
    asked = state.asking or "?" in mark or "？" in mark
    asked = asked and not chain.asked
    for item in items:
        item.question = asked
    _settle_modal(items)
    state.chain = Chain()
    state.role, state.joined, state.determiner = "", "", ""
    state.first = len(state.items)
    state.clause += 1
    state.sentence += 1


def _settle_progressive(items: list[Item]) -> None:
    """With a day it is a plan either way: "I'm starting on Monday" is "I start on Monday"."""
    if any(_is_day(item) for item in items):
        for item in items:
            item.tense = "" if item.tense == "progressive" else item.tense


def _is_day(item: Item) -> bool:
    if item.kind == "number":  # on the 14th
        return item.role == "on" and item.key.endswith("th")
    return item.kind == "date" and item.key[0] in "rwm" and not item.key.endswith("*")


def _settle_modal(items: list[Item]) -> None:
    """ "How can I" asks what "how do I" asks; "what could I" what "what can I"."""
    first = items[0].key if items else ""
    if first in ("I", "we") and items[0].question:  # "could we move it?" is "can we move it?"
        for item in items:
            item.modal = "can" if item.modal == "could" else item.modal
    if first not in ("how", "where", "what", "which", "who"):
        return
    amount = first == "how" and len(items) > 1 and items[1].low in ("long", "often")
    for item in items:
        if item.modal in ("can", "could"):
            item.modal = "can" if amount or first not in ("how", "where") else ""
        elif amount and item.modal in ("should", "must"):  # "how long should I bake it" is "how long do I bake it"
            item.modal = ""


def _asks(words: list[Word]) -> bool:
    """A question without its mark: "where is the key", "is Anna coming"."""
    if len(words) < 2:
        return False
    first, second = words[0].low, words[1].low
    if first == "how" and second in ("many", "much", "long", "often", "far", "old"):
        return True
    if first in w.WH or first == "when":
        return second in AUXILIARY
    if first in AUXILIARY and second == "not" and len(words) > 2 and words[2].low in w.PRONOUNS:
        return True
    if first not in AUXILIARY or second in ("not", "be"):
        return False
    return (
        second in w.PRONOUNS
        or second in ("it", "there")
        or first not in ("do", "have", "had", "may", "be", "being", "having", "doing")
    )
