"""Reads a text into the items that carry its meaning: who, what, how many, when, whether, in what tense.

Knows: the small words of English and what each does to its neighbours: an auxiliary gives the next word its tense, a
preposition its role, a question mark makes its sentence a question.
Does not know: what the items mean, or the other text of the pair.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pmg.ingest.differences import words as w
from pmg.ingest.differences.amounts import measure
from pmg.ingest.differences.phrases import ASKING, REQUESTS, join
from pmg.ingest.differences.scan import Word, scan
from pmg.ingest.differences.stems import is_plural, stem
from pmg.ingest.differences.synonyms import GROUPS_OF


@dataclass(slots=True)
class Item:
    """One thing said. Two texts say the same when their items are the same, in the same roles, tenses and order."""

    kind: str  # word, name, number, date, pronoun, negation, condition, quantifier, question, adverb, hedge, sign
    key: str
    text: str
    start: int
    end: int
    tense: str = ""
    modal: str = ""
    role: str = ""  # the preposition before it
    phrase: int = 0  # which prepositional phrase it is in
    clause: int = 0
    sentence: int = 0
    question: bool = False
    passive: bool = False
    plural: bool = False
    copula: bool = False  # what a form of "be" says of the subject
    single: bool = False  # stands after a or an
    owner: bool = False  # my, Anna's
    joined: str = ""  # "and" or a comma directly before it
    pointer: str = ""  # this or that
    fresh: bool = False  # begins a noun of its own after a prepositional phrase
    low: str = ""


@dataclass(slots=True)
class Chain:
    """The auxiliaries seen since the last verb."""

    modal: str = ""
    tense: str = ""
    be: str = ""
    have: Word | None = None
    seen: bool = False
    asked: bool = False


@dataclass(slots=True)
class State:
    items: list[Item] = field(default_factory=list)
    chain: Chain = field(default_factory=Chain)
    role: str = ""
    phrase: int = 0
    phrases: int = 0
    clause: int = 0
    sentence: int = 0
    first: int = 0  # where in items the sentence begins
    determiner: str = ""
    joined: str = ""
    pointer: str = ""
    fresh: bool = False
    shouted: bool = False
    request: bool = False
    asking: bool = False


# Verbs where "have lived" and "lived", or "is working" and "works", are told apart or not.
LASTING = frozenset(
    stem(v)[0]
    for v in "be live work know have own study love like smoke use play want need stay teach learn believe".split()
)
SAME_PROGRESSIVE = frozenset(
    stem(v)[0]
    for v in "live work stay study feel look plan hope wonder think want wait try consider need enjoy".split()
)
_TO_PLACE = frozenset(
    "the a an my your his her our their this that work school bed church town college university".split()
)
_AUXILIARY = frozenset([*w.MODALS, *w.BE_PRESENT, *w.BE_PAST, *w.HAVE, *w.DO, "be", "been", "being", "will"])
_ENGLISH = frozenset(
    [
        *_AUXILIARY,
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
_POINTERS = {"this": "this", "these": "this", "that": "that", "those": "that"}
_GET = frozenset(["got", "get", "gets", "getting"])
_UNCHANGED = frozenset("put cut hit let set quit cost hurt shut read spread bet split".split())


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
    asked = any("?" in token.text for token in tokens)
    return [
        Item("word", token.low, token.text, token.start, token.end, question=asked, low=token.low)
        for token in tokens
        if token.kind not in ("stop", "comma")
    ]


def _take(state: State, words: list[Word], at: int, word: Word) -> None:
    low, kind = word.low, word.kind
    if kind == "stop":
        _close(state, word.text)
        _open(state, words, at + 1)
    elif kind == "comma":
        state.clause += 1
        state.role, state.joined = "", ","
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
        state.request = state.request and not (low == "please")
        if not state.request and low != "please":
            _take(state, words, at, word)
    elif kind in ("number", "date"):
        _settle_have(state, False)
        _put(state, word, kind, word.key)
    elif kind == "filler":
        return
    elif kind in ("id", "mixed"):
        _settle_have(state, False)
        _put(state, word, "name", low.rstrip(".,;:!?)"))
    elif kind in ("sign", "cjk", "num"):
        _put(state, word, "sign", low)
    else:
        _small(state, words, at, word)


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


_BEFORE_REQUEST = frozenset("hi hello hey please so ok okay and but sorry".split())


def _close(state: State, mark: str) -> None:
    items = state.items[state.first :]
    chain = state.chain
    if chain.have is not None:
        _emit_have(state)
        items = state.items[state.first :]
    elif chain.seen and items and not items[-1].tense:
        items[-1].tense, items[-1].modal = _tense(chain, "", items[-1].key), chain.modal
    asked = state.asking or "?" in mark or "？" in mark
    asked = asked and not chain.asked
    for item in items:
        item.question = asked
    if items and items[0].key in ("how", "where"):  # "how can I" asks what "how do I" asks
        for item in items:
            item.modal = "" if item.modal in ("can", "could") else item.modal
    state.chain = Chain()
    state.role, state.joined, state.determiner = "", "", ""
    state.first = len(state.items)
    state.clause += 1
    state.sentence += 1


def _asks(words: list[Word]) -> bool:
    """A question without its mark: "where is the key", "is Anna coming"."""
    if len(words) < 2:
        return False
    first, second = words[0].low, words[1].low
    if first in w.WH or first == "when":
        return second in _AUXILIARY
    if first not in _AUXILIARY or second in ("not", "be"):
        return False
    return (
        second in w.PRONOUNS
        or second in ("it", "there")
        or first not in ("do", "have", "had", "may", "be", "being", "having", "doing")
    )


def _small(state: State, words: list[Word], at: int, word: Word) -> None:
    low = word.low
    follows = words[at + 1].low if at + 1 < len(words) else ""
    if word.text in ("US", "IT", "WHO") and not state.shouted:
        _content(state, words, at, word)
    elif low == "'s":
        _possess(state, follows)
    elif low in _AUXILIARY:
        _auxiliary(state, words, at, word)
    elif low == "will":
        state.chain.tense, state.chain.seen = "future", True
    elif low in w.NEGATORS:
        _negate(state, word)
    elif low in _GET and follows and stem(follows)[1] in ("either", "participle"):
        state.chain.be, state.chain.seen = "past" if low == "got" else "present", True
        state.chain.tense = state.chain.tense or ("past" if low == "got" else "")
    elif low in w.PRONOUNS:
        _settle_have(state, False)
        _new_phrase(state)
        _put(state, word, "pronoun", w.PRONOUNS[low], keep_chain=True)
        state.role = ""
    elif low in w.POSSESSIVES:
        _settle_have(state, False)
        _new_phrase(state)
        key = w.POSSESSIVES[low]
        _put(state, word, "pronoun", key, keep_chain=True)
        state.items[-1].owner = True
    elif low == "going" and state.chain.be and follows == "to" and _is_future(words, at + 2):
        state.chain.tense = "future" if state.chain.be == "present" else "future-past"
        state.chain.be = ""
    elif low in ("and", "&"):
        state.clause += 1
        state.joined = "and"
    elif (
        low == "so"
        and len(state.items) > state.first
        and (follows in w.PRONOUNS or follows in w.POSSESSIVES or follows in w.ARTICLES)
    ):
        state.clause += 1
        state.role = ""
        _put(state, word, "condition", "so", keep_chain=True)
    elif low in ("but", "so", "then"):
        state.clause += 1
        state.role = ""
    elif low in w.ARTICLES:
        _settle_have(state, False)
        state.pointer = _POINTERS.get(low, "")
        _new_phrase(state)
        state.determiner = low
    elif low == "there" and (
        state.chain.be or follows in w.BE_PRESENT or follows in w.BE_PAST or follows in ("will", "might")
    ):
        return
    elif low in w.FILLER and not _counts(low, state, follows):
        return
    elif low in w.PREPOSITIONS:
        _preposition(state, word, words, at)
    else:
        _carrier(state, words, at, word)


def _new_phrase(state: State) -> None:
    """A determiner after the words of a prepositional phrase begins another noun: "in the kitchen | the light is on"."""
    if state.phrase and not state.joined and state.items and state.items[-1].phrase == state.phrase:
        state.role = ""
        state.fresh = True


def _counts(low: str, state: State, follows: str) -> bool:
    if low == "well":
        return bool(state.items) and follows != "as"
    return (
        low == "too"
        and follows not in ("", ".", ",", "!", "?")
        and follows not in w.PREPOSITIONS
        and follows not in w.PRONOUNS
    )


def _is_future(words: list[Word], at: int) -> bool:
    """After "going to": a verb makes it future, a place makes it a way."""
    if at >= len(words):
        return True
    word = words[at]
    return word.kind == "word" and word.low not in _TO_PLACE and not word.text[:1].isupper()


def _possess(state: State, follows: str) -> None:
    if state.items:
        if (
            follows in ("been", "gone", "going", "coming")
            or follows.endswith("ing")
            or follows in ("not", "a", "the", "an")
        ):
            state.chain.be, state.chain.seen = "present", True
        else:
            state.items[-1].owner = True


def _negate(state: State, word: Word) -> None:
    low = word.low
    if low in ("no", "none", "nothing", "nobody", "nowhere"):
        _settle_have(state, False)
    if state.chain.modal == "must":
        state.chain.modal = "must not"  # "must not go" forbids, "not must go" frees
    keep = Item(
        "negation", _NEGATION.get(low, low), word.text, word.start, word.end,
        clause=state.clause, sentence=state.sentence, low=low,
    )  # fmt: skip
    state.items.append(keep)
    if low in _NEGATED_THING:
        _put(state, word, "quantifier", _NEGATED_THING[low])


_NEGATION = {
    **dict.fromkeys("not no none nothing nobody nowhere".split(), "not"),
    "barely": "hardly",
    "scarcely": "hardly",
}
_NEGATED_THING = {"nothing": "anything", "nobody": "anyone", "nowhere": "anywhere"}


def _auxiliary(state: State, words: list[Word], at: int, word: Word) -> None:
    chain, low = state.chain, word.low
    if low in w.MODALS:
        if low == "may" and word.text[:1].isupper() and at > 0 and words[at - 1].kind == "word":
            _put(state, word, "date", "m:5")
            return
        chain.modal = w.MODALS[low]
    elif low == "will":
        chain.tense = "future"
    elif low == "is" and at + 1 < len(words) and words[at + 1].low == "been":  # she's been
        chain.have = Word("has", word.text, word.start, word.end)
    elif low in w.BE_PRESENT or low in w.BE_PAST or low in ("be", "been", "being"):
        tense = "past" if low in w.BE_PAST else "present"
        if low == "been" and chain.have is not None:
            chain.tense, chain.have = "perfect" if chain.have.low != "had" else "past-perfect", None
        elif chain.tense == "" and low in w.BE_PAST:
            chain.tense = "past"
        chain.be = tense
    elif low in w.HAVE:
        _settle_have(state, False)
        if low == "had" and not chain.tense:
            chain.tense = "past"
        chain.have = word
    else:
        chain.tense = w.DO[low] or chain.tense
    chain.seen = True


def _settle_have(state: State, participle: bool) -> None:
    """ "have" before a participle is an auxiliary, before anything else a verb of its own."""
    if state.chain.have is not None and not participle:
        _emit_have(state)


def _emit_have(state: State) -> None:
    word = state.chain.have
    assert word is not None
    state.chain.have = None
    _put(state, word, "word", "have")


def _preposition(state: State, word: Word, words: list[Word], at: int) -> None:
    low = w.SAME_PREPOSITION.get(word.low, word.low)
    if low == "about" and at + 1 < len(words) and words[at + 1].kind in ("number", "date"):
        _put(state, word, "quantifier", "about")
        return
    if low in ("like", "as") and not (state.chain.be or low == "as"):
        _carrier(state, words, at, word)
        return
    _settle_have(state, False)
    state.phrases += 1
    state.role, state.phrase = low, state.phrases


def _carrier(state: State, words: list[Word], at: int, word: Word) -> None:
    low = word.low
    if low in w.ADVERBS:
        _put(state, word, "adverb", w.ADVERBS[low], keep_chain=True)
    elif low in w.HEDGES:
        _put(state, word, "hedge", w.HEDGES[low], keep_chain=True)
    elif low in w.SUBORDINATORS:
        _subordinate(state, word)
    elif low in w.CONDITIONS:
        _put(state, word, "condition", low, keep_chain=True)
    elif low in w.QUANTIFIERS and not (low == "little" and (state.determiner or state.items and state.items[-1].owner)):
        _settle_have(state, False)
        _put(state, word, "quantifier", w.QUANTIFIERS[low], keep_chain=True)
    elif low in w.WH:
        _put(state, word, "question", "who" if low == "whom" else low, keep_chain=True)
    elif low in w.REFLEXIVES:
        _put(state, word, "pronoun", "self", keep_chain=True)
    else:
        _content(state, words, at, word)


def _subordinate(state: State, word: Word) -> None:
    state.clause += 1
    state.role = ""
    _put(state, word, "condition", w.SUBORDINATORS[word.low], keep_chain=True)


def _content(state: State, words: list[Word], at: int, word: Word) -> None:
    key, form = stem(word.low)
    participle = form in ("either", "participle")
    if state.chain.have is not None and participle:
        state.chain.tense = "past-perfect" if state.chain.have.low == "had" else "perfect"
        state.chain.have = None
    _settle_have(state, False)
    if form in ("past", "either") or state.chain.seen:
        state.role = "" if not (form == "either" and state.role and not state.chain.seen) else state.role
    if (
        state.items and state.items[-1].kind == "word" and (is_plural(word.low) or word.low in _UNCHANGED)
    ):  # "the manager of the team | lives", "| quit"
        _new_phrase(state)
    name = _is_name(words, at, key)
    if name and state.items and state.items[-1].kind == "word":  # "on my laptop | Docker uses"
        _new_phrase(state)
    if word.low in ("called", "named") and state.items and state.items[-1].single and not state.chain.seen:
        key = "named"
    passive = bool(state.chain.be) and participle
    tense = _tense(state.chain, form, key)
    if word.low in _UNCHANGED and not state.chain.seen and not (at and words[at - 1].low == "to"):
        tense = "bare"
    _put(state, word, "name" if name else "word", word.low if name else key)
    item = state.items[-1]
    item.tense, item.passive = tense, passive
    item.copula = item.copula and not participle and form != "ing"
    counted = len(state.items) > 1 and state.items[-2].kind == "number"  # after a number the form says nothing new
    item.plural = not name and not counted and is_plural(word.low)


def _is_name(words: list[Word], at: int, key: str) -> bool:
    """Capitalised, and if that is only because a sentence begins here, no word we know."""
    word = words[at]
    if not word.text[:1].isupper() or not word.text.lower().replace("’", "'").startswith(word.low):
        return False
    starts = at == 0 or words[at - 1].kind in ("stop", "comma")
    return not starts or word.text[1:2].isupper() or key not in GROUPS_OF


def _tense(chain: Chain, form: str, key: str) -> str:
    if not chain.seen:
        return "past" if form in ("past", "either") else ""
    tense = chain.tense
    if tense == "perfect":
        if form == "ing" and chain.be:
            return "perfect progressive"
        lasting = key in LASTING or (chain.be and form not in ("either", "participle"))
        return "perfect" if lasting else "past"
    if form == "ing" and chain.be and tense in ("", "past") and not chain.modal:
        if tense == "" and key in SAME_PROGRESSIVE:
            return ""
        return ("past " if tense else "") + "progressive"
    return tense


def _put(state: State, word: Word, kind: str, key: str, *, keep_chain: bool = False) -> None:
    item = Item(
        kind, key, word.text, word.start, word.end, role=state.role, phrase=state.phrase if state.role else 0,
        clause=state.clause, sentence=state.sentence, joined=state.joined, low=word.low,
        single=state.determiner in ("a", "an"), fresh=state.fresh,
    )  # fmt: skip
    if not keep_chain:
        if state.chain.seen:
            item.tense, item.modal = _tense(state.chain, "", key), state.chain.modal
            item.copula = bool(state.chain.be)
            have, asked = state.chain.have, state.chain.asked
            state.chain = Chain(have=have, asked=asked)
        item.pointer = state.pointer
        state.determiner = state.pointer = ""
    state.joined, state.fresh = "", False
    state.items.append(item)
