"""What each small word of English does to its neighbours: an auxiliary gives the next word its tense, a preposition its
role, a negator turns it round.

Knows: the closed classes of words.py and how they are used.
Does not know: where sentences begin and end (reading.py), or how words of content are read (content.py).
"""

from __future__ import annotations

from pmg.ingest.differences import words as w
from pmg.ingest.differences.content import content
from pmg.ingest.differences.items import Item, State, new_phrase, put, settle_have
from pmg.ingest.differences.scan import Word
from pmg.ingest.differences.stems import stem

_TO_PLACE = frozenset(
    "the a an my your his her our their this that work school bed church town college university".split()
)
AUXILIARY = frozenset([*w.MODALS, *w.BE_PRESENT, *w.BE_PAST, *w.HAVE, *w.DO, "be", "been", "being", "will"])
_POINTERS = {"this": "this", "these": "this", "that": "that", "those": "that"}
_SMALL = frozenset(
    [
        *AUXILIARY,
        *w.NEGATORS,
        *w.PRONOUNS,
        *w.POSSESSIVES,
        *w.ARTICLES,
        *w.FILLER,
        *w.PREPOSITIONS,
        *w.ADVERBS,
        *w.HEDGES,
        *w.SUBORDINATORS,
        *w.CONDITIONS,
        *w.QUANTIFIERS,
        *w.WH,
        *w.REFLEXIVES,
        "'s",
        "going",
        "and",
        "&",
        "so",
        "but",
        "then",
        "there",
        "got",
        "get",
        "gets",
        "getting",
    ]
)
_GET = frozenset(["got", "get", "gets", "getting"])


def small(state: State, words: list[Word], at: int, word: Word) -> None:
    low = word.low
    if low in _ODD and _odd(state, words, at, word):
        return
    if low in ("around", "about") and _is_amount(words, at + 1):
        put(state, word, "quantifier", "about")
        return
    if low not in _SMALL:
        content(state, words, at, word)
        return
    follows = words[at + 1].low if at + 1 < len(words) else ""
    if word.text in ("US", "IT", "WHO") and not state.shouted:
        content(state, words, at, word)
    elif low == "'s":
        _possess(state, follows)
    elif (low == "done" and state.chain.have is None) or (low in ("do", "doing") and state.chain.seen):
        content(state, words, at, word)  # "it is done", "what should I do"
    elif low in AUXILIARY:
        _auxiliary(state, words, at, word)
    elif low == "will":
        state.chain.tense, state.chain.seen = "future", True
    elif low in w.NEGATORS:
        _negate(state, word)
    elif low in _GET and follows and stem(follows)[1] in ("either", "participle"):
        state.chain.be, state.chain.seen = "past" if low == "got" else "present", True
        state.chain.tense = state.chain.tense or ("past" if low == "got" else "")
    elif low == "me" and _asked_for(state, follows):
        state.role = ""
    elif low in w.PRONOUNS:
        settle_have(state, False)
        new_phrase(state)
        put(state, word, "pronoun", w.PRONOUNS[low], keep_chain=True)
        state.role = ""
    elif low in w.POSSESSIVES:
        settle_have(state, False)
        new_phrase(state)
        key = w.POSSESSIVES[low]
        put(state, word, "pronoun", key, keep_chain=True)
        state.items[-1].owner = True
    elif (
        low == "going"
        and (state.chain.be or word.text.lower() == "gonna")
        and follows == "to"
        and _is_future(words, at + 2)
    ):
        state.chain.tense = "future-past" if state.chain.be == "past" else "future"
        state.chain.seen = True
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
        put(state, word, "condition", "so", keep_chain=True)
    elif low in ("but", "so", "then"):
        state.clause += 1
        state.role = ""
        state.joined = low if low == "then" else state.joined  # "to Rome and then to Naples" is no list
    elif low == "a" and (not follows or follows in _AFTER_LETTER):
        put(state, word, "name", low)
    elif low in w.ARTICLES:
        settle_have(state, False)
        state.pointer = _POINTERS.get(low, "")
        new_phrase(state)
        state.determiner = low
    elif (
        low == "there"
        and (state.chain.be or follows in w.BE_PRESENT or follows in w.BE_PAST or follows in ("will", "might"))
    ) or (low in w.FILLER and not _counts(low, state, follows)):
        return
    elif low in w.PREPOSITIONS:
        _preposition(state, word, words, at)
    else:
        _carrier(state, words, at, word)


# "subtract a from b": no article stands before these.
_AFTER_LETTER = frozenset(
    [*w.PREPOSITIONS, *AUXILIARY, ".", ",", "?", "!", "and", "or", "-", "+", "*", "/", "=", "=="]
) - {"like", "per"}


_ODD = frozenset(["over", "better", "using", "until", "till"])


def _odd(state: State, words: list[Word], at: int, word: Word) -> bool:
    """Words that after some others say what a smaller word says: prefer tea over coffee, like it better than, done using Homebrew."""
    said = state.items[state.first :]
    if word.low == "over" and any(item.key == _PREFER for item in said):
        _preposition(state, Word("to", word.text, word.start, word.end), words, at)
    elif word.low == "better" and words[at + 1 : at + 2] and words[at + 1].low == "than" and _liked(said):
        put(state, word, "quantifier", "more")
    elif word.low in ("until", "till"):
        if not any(item.kind == "date" and item.role == "from" for item in said):
            return False
        _preposition(state, Word("to", word.text, word.start, word.end), words, at)  # from Monday until Thursday
    elif word.low == "using" and said and not state.chain.seen:
        _preposition(state, Word("with", word.text, word.start, word.end), words, at)
    else:
        return False
    return True


_PREFER = stem("prefer")[0]


def _liked(said: list[Item]) -> bool:
    return any(item.key in ("like", "love", "enjoy") for item in said)


def _is_amount(words: list[Word], at: int) -> bool:
    """ "about seven", "around a week", and not "about a dog"."""
    if at >= len(words):
        return False
    if words[at].kind in ("number", "date"):
        return words[at].kind == "number" or words[at].key.startswith("c:")  # about noon; but a poem about autumn
    unit = words[at + 1].low if at + 1 < len(words) else ""
    return words[at].low in ("half", "one") or (words[at].low in ("a", "an") and unit in _MEASURES)


_MEASURES = frozenset(
    "second minute hour day week month year decade mile kilometer meter liter pound kilo dozen hundred thousand third".split()
)


def _asked_for(state: State, follows: str) -> bool:
    """ "Write me a letter", "compare them for me": who asks is who it is for."""
    said = state.items[state.first :]
    if state.role == "for" and state.chain.asked:
        return True
    if not said or said[0].low not in _ASKED or said[0].tense or state.asking:
        return False
    if state.role == "for" or (
        state.role == "to" and said[0].low in ("explain", "show", "describe", "recommend", "suggest")
    ):
        return True
    return state.role == "" and len(said) == 1 and follows.isalnum() and follows not in _NO_OBJECT


_NO_OBJECT = w.PREPOSITIONS | frozenset("out off up down back away home over again".split())
_ASKED = frozenset(
    """write make create draft find compare summarize summarise translate explain show give suggest recommend list draw build book
    order get generate compose prepare design plan check describe outline rewrite convert fix calculate""".split()
)


def _counts(low: str, state: State, follows: str) -> bool:
    if low == "verymuch":
        return any(item.kind == "negation" for item in state.items[state.first :])
    if low == "sure":  # "sure, take it" only opens; "I am sure" says something
        return bool(state.items)
    if low == "well":
        return bool(state.items) and follows != "as"
    if state.items and state.items[-1].kind == "negation" and low in _WEAKENED:
        return True
    return (
        low == "too"
        and follows not in ("", ".", ",", "!", "?")
        and follows not in w.PREPOSITIONS
        and follows not in w.PRONOUNS
    )


# After "not" these say how far the "not" goes: "not just the price", "not very tired".
_WEAKENED = frozenset(
    "just simply very really quite totally absolutely extremely truly literally actually so already such rather".split()
)


def _is_future(words: list[Word], at: int) -> bool:
    """After "going to": a verb makes it future, a place makes it a way."""
    if at >= len(words):
        return True
    word = words[at]
    return word.kind == "word" and word.low not in _TO_PLACE and not word.text[:1].isupper()


_AFTER_IS = frozenset(
    """not a an the from in at on with for about to here there very so too really just now always never still already my your
    his her our their gonna only probably definitely usually""".split()
)


def _possess(state: State, follows: str) -> None:
    if state.items:
        if follows in ("been", "gone", "going", "coming") or follows.endswith("ing") or follows in _AFTER_IS:
            state.chain.be, state.chain.seen = "present", True
        else:
            state.items[-1].owner = True


def _negate(state: State, word: Word) -> None:
    low = word.low
    if low in ("no", "none", "nothing", "nobody", "nowhere"):
        settle_have(state, False)
    if state.chain.modal == "must":
        state.chain.modal = "must not"  # "must not go" forbids, "not must go" frees
    keep = Item(
        "negation", _NEGATION.get(low, low), word.text, word.start, word.end,
        clause=state.clause, sentence=state.sentence, low=low,
    )  # fmt: skip
    state.items.append(keep)
    if low in _NEGATED_THING:
        put(state, word, "quantifier", _NEGATED_THING[low])


_NEGATION = {
    **dict.fromkeys("not no none nothing nobody nowhere".split(), "not"),
    "barely": "hardly",
    "scarcely": "hardly",
}
_NEGATED_THING = {"nothing": "anything", "nobody": "anyone", "nowhere": "anywhere"}


def _auxiliary(state: State, words: list[Word], at: int, word: Word) -> None:
    chain, low = state.chain, word.low
    state.role, state.pointer = "", ""  # a verb ends the phrase before it
    if low in w.MODALS:
        if low == "may" and word.text[:1].isupper() and at > 0 and words[at - 1].kind == "word":
            put(state, word, "date", "m:5")
            return
        chain.modal = w.MODALS[low]
    elif low == "will":
        chain.tense = "future"
    elif low == "is" and at + 1 < len(words) and words[at + 1].low == "been":  # she's been
        chain.have = Word("has", word.text, word.start, word.end)
    elif low in w.BE_PRESENT or low in w.BE_PAST or low in ("be", "been", "being"):
        tense = "past" if low in w.BE_PAST else "present"
        if low == "been" and chain.have is not None:
            perfect = "future perfect" if chain.tense == "future" else "perfect"
            chain.tense, chain.have = perfect if chain.have.low != "had" else "past-perfect", None
        elif chain.tense == "" and low in w.BE_PAST:
            chain.tense = "past"
        chain.be = tense
    elif low in w.HAVE:
        settle_have(state, False)
        if low == "had" and not chain.tense:
            chain.tense = "past"
        chain.have = word
    else:
        if low == "done" and chain.have is not None:  # "have done the dishes" is "did the dishes"
            chain.tense, chain.have = "past", None
        chain.tense = w.DO[low] or chain.tense
    chain.seen = True


def _preposition(state: State, word: Word, words: list[Word], at: int) -> None:
    low = w.SAME_PREPOSITION.get(word.low, word.low)
    if low in ("like", "as") and not (state.chain.be or low == "as"):
        _carrier(state, words, at, word)
        return
    if low == "on" and state.items and state.items[-1].key in _TOPICAL:  # a book on Rome is a book about Rome
        low = "about"
    settle_have(state, False)
    state.phrases += 1
    state.role, state.phrase, state.pointer = low, state.phrases, ""


_TOPICAL = frozenset(
    stem(word)[0]
    for word in "book article essay course talk lecture podcast information advice opinion documentary".split()
)


def _carrier(state: State, words: list[Word], at: int, word: Word) -> None:
    low = word.low
    if low in w.ADVERBS:
        put(state, word, "adverb", w.ADVERBS[low], keep_chain=True)
    elif low in w.HEDGES:
        put(state, word, "hedge", w.HEDGES[low], keep_chain=True)
    elif low in w.SUBORDINATORS:
        _subordinate(state, words, at, word)
    elif low in w.CONDITIONS:
        put(state, word, "condition", low, keep_chain=True)
    elif low in w.QUANTIFIERS and not (
        low == "little" and (state.determiner or (state.items and state.items[-1].owner))
    ):
        settle_have(state, False)
        put(state, word, "quantifier", w.QUANTIFIERS[low], keep_chain=True)
    elif low in w.WH:
        put(state, word, "question", "who" if low == "whom" else low, keep_chain=True)
    elif low in w.REFLEXIVES:
        put(state, word, "pronoun", "self", keep_chain=True)
    else:
        content(state, words, at, word)


def _subordinate(state: State, words: list[Word], at: int, word: Word) -> None:
    follows = words[at + 1] if at + 1 < len(words) else None
    ends = follows is None or follows.kind == "stop"
    if word.low == "before" and ends and any(item.key in ("never", "ever") for item in state.items[state.first :]):
        return
    key = w.SUBORDINATORS[word.low]
    if word.low == "since" and follows is not None and follows.kind in ("date", "number"):
        key = "since"
    state.clause += 1
    state.role = ""
    put(state, word, "condition", key, keep_chain=True)
