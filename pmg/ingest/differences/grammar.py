"""What each small word of English does to its neighbours: an auxiliary gives the next word its tense, a preposition its
role, a negator turns it round.

Knows: the closed classes of words.py and how they are used.
Does not know: where sentences begin and end (reading.py), or what the words of content mean.
"""

from __future__ import annotations

from pmg.ingest.differences import words as w
from pmg.ingest.differences.items import Item, State, new_phrase, put, settle_have, tense_of
from pmg.ingest.differences.scan import Word
from pmg.ingest.differences.stems import folded, is_plural, stem
from pmg.ingest.differences.synonyms import GROUPS_OF

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
_UNCHANGED = frozenset("put cut hit let set quit cost hurt shut read spread bet split".split())


def small(state: State, words: list[Word], at: int, word: Word) -> None:
    low = word.low
    if low in ("around", "about") and _is_amount(words, at + 1):
        put(state, word, "quantifier", "about")
        return
    if low not in _SMALL:
        _content(state, words, at, word)
        return
    follows = words[at + 1].low if at + 1 < len(words) else ""
    if word.text in ("US", "IT", "WHO") and not state.shouted:
        _content(state, words, at, word)
    elif low == "'s":
        _possess(state, follows)
    elif (low == "done" and state.chain.have is None) or (low in ("do", "doing") and state.chain.seen):
        _content(state, words, at, word)  # "it is done", "what should I do"
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
    order get generate compose prepare design plan check tell describe outline rewrite convert fix calculate""".split()
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
    settle_have(state, False)
    state.phrases += 1
    state.role, state.phrase, state.pointer = low, state.phrases, ""


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
        _content(state, words, at, word)


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


def _content(state: State, words: list[Word], at: int, word: Word) -> None:
    key, form = stem(folded(word.low))
    participle = form in ("either", "participle")
    if state.chain.have is not None and participle:
        perfect = "future perfect" if state.chain.tense == "future" else "perfect"
        state.chain.tense = "past-perfect" if state.chain.have.low == "had" else perfect
        state.chain.have = None
    settle_have(state, False)
    if form == "past":
        state.role = ""
    if (
        state.items
        and state.items[-1].kind == "word"
        and (is_plural(word.low) or word.low in _UNCHANGED)
        and len(state.items) - 1 != state.first  # "for function names, …": no verb without a subject
    ):  # "the manager of the team | lives", "| quit"
        new_phrase(state)
    name = _is_name(words, at, key)
    if name and state.items and state.items[-1].kind == "word":  # "on my laptop | Docker uses"
        new_phrase(state)
    if word.low in ("called", "named") and not state.chain.seen and _names_one(words, at):
        key = "named"
    passive = bool(state.chain.be) and participle
    tense = tense_of(state.chain, form, key)
    if word.low in _UNCHANGED and not state.chain.seen and not (at and words[at - 1].low == "to"):
        tense = "bare"
    if tense == "future" and key in _MACHINE and state.items and state.items[-1].key == "not" and _is_thing(state):
        tense = ""  # "the car won't start" is "the car doesn't start"
    if tense == "progressive" and (key in _MACHINE or key in _AILING) and _is_thing(state):
        tense = ""  # "the build is failing" is "the build fails"
    put(state, word, "name" if name else "word", folded(word.low) if name else key)
    item = state.items[-1]
    item.tense, item.passive, item.form = tense, passive, form
    item.copula = item.copula and not participle and form != "ing"
    item.plural = not name and is_plural(word.low) and not _is_counted(state.items)


_MACHINE = frozenset(
    stem(v)[0]
    for v in "start compile open load boot run work install connect charge print build close lock launch respond stop sync".split()
)


_AILING = frozenset(stem(v)[0] for v in "fail crash hurt leak freeze ache smell blink".split())


def _is_thing(state: State) -> bool:
    """The sentence begins with no person."""
    subject = [item for item in state.items[state.first :] if item.kind != "negation" and not item.owner]
    return bool(subject) and subject[-1].kind in ("word", "name") and not any(item.low in w.PEOPLE for item in subject)


def _is_counted(items: list[Item]) -> bool:
    """After a number the form says nothing new: "ten ideas", "10 birthday party ideas"."""
    at = len(items) - 2
    while at > 0 and items[at].kind == "word" and items[at].noun and items[at].phrase == items[-1].phrase:
        at -= 1
    return at >= 0 and items[at].kind == "number"


def _names_one(words: list[Word], at: int) -> bool:
    """ "a rescue dog called Luna", and not "my mother called Luna"."""
    return any(word.low in ("a", "an") for word in words[max(0, at - 4) : at]) and words[at + 1 : at + 2] != []


def _is_name(words: list[Word], at: int, key: str) -> bool:
    """Capitalised, and if that is only because a sentence begins here, no word we know."""
    word = words[at]
    if not word.text[:1].isupper() or not word.text.lower().replace("’", "'").startswith(word.low):
        return False
    starts = at == 0 or words[at - 1].kind in ("stop", "comma")
    return not starts or word.text[1:2].isupper() or key not in GROUPS_OF
