"""How a word of content is read: its key, its tense, whether it is a name, one thing or several.

Knows: what the auxiliaries and articles before a word make of it.
Does not know: the small words themselves (grammar.py), or where sentences begin and end (reading.py).
"""

from __future__ import annotations

from pmg.ingest.differences import words as w
from pmg.ingest.differences.items import Item, State, new_phrase, put, settle_have, tense_of
from pmg.ingest.differences.scan import Word
from pmg.ingest.differences.stems import folded, is_plural, singular, stem
from pmg.ingest.differences.synonyms import GROUPS_OF

_UNCHANGED = frozenset("put cut hit let set quit cost hurt shut read spread bet split".split())


def content(state: State, words: list[Word], at: int, word: Word) -> None:
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
    if key == _REMEMBER and state.chain.modal == "can" and state.items and state.items[-1].key == "not":
        state.chain.modal = ""  # "I can't remember" is "I don't remember"
    if tense == "progressive" and key in _AILING and _is_thing(state):
        tense = ""  # "the build is failing" is "the build fails"
    put(state, word, "name" if name else "word", folded(word.low) if name else key)
    item = state.items[-1]
    item.tense, item.passive, item.form = tense, passive, form
    item.copula = item.copula and not participle and form != "ing"
    item.plural = not name and is_plural(word.low) and not _is_counted(state.items)


_REMEMBER = stem("remember")[0]
_MACHINE = frozenset(
    stem(v)[0]
    for v in "start compile open load boot run work install connect charge print build close lock launch respond stop sync".split()
)


_AILING = frozenset(
    stem(v)[0]
    for v in "fail crash hurt leak freeze ache smell blink return throw show render log run load compile boot".split()
)


def _is_thing(state: State) -> bool:
    """The sentence begins with no person."""
    subject = [item for item in state.items[state.first :] if item.kind != "negation" and not item.owner]
    return bool(subject) and subject[-1].kind == "word" and not any(_lives(item.low) for item in subject)


_ANIMATE = w.PEOPLE | frozenset(
    """man woman men women boy girl guy lady people person dog cat puppy kitten horse bird pet animal player runner athlete actor
    singer writer driver worker employee chef cook pilot officer president teacher pupil intern""".split()
)


def _lives(low: str) -> bool:
    return low in _ANIMATE or singular(low) in _ANIMATE or low == "children"


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
