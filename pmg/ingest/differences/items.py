"""What a text says, piece by piece, and the state a reader keeps while reading it.

Knows: what an item is, and how auxiliaries before a word become its tense.
Does not know: which words are auxiliaries, pronouns or names (grammar.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pmg.ingest.differences.scan import Word
from pmg.ingest.differences.stems import stem


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
    noun: bool = False  # stands after an article, a number or an owner, with at most adjectives between
    one: bool = False  # stands after "one" or 1
    form: str = ""  # what its ending says: past, participle, either, ing
    moved: str = ""  # the preposition it had before it became part of a compound
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
    one: bool = False
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
    for v in "live work stay study feel look plan hope wonder think want wait try consider need enjoy use learn teach save".split()
)


_INNER = frozenset(["feel", "hope", "wonder"])  # "I was feeling ill" is "I felt ill"


def new_phrase(state: State) -> None:
    """A determiner after the words of a prepositional phrase begins another noun: "in the kitchen | the light is on"."""
    if state.phrase and not state.joined and state.items and state.items[-1].phrase == state.phrase:
        state.role = ""
        state.fresh = True


def settle_have(state: State, participle: bool) -> None:
    """ "have" before a participle is an auxiliary, before anything else a verb of its own."""
    if state.chain.have is not None and not participle:
        emit_have(state)


def emit_have(state: State) -> None:
    word = state.chain.have
    assert word is not None
    state.chain.have = None
    going_on = word.low == "having" and state.chain.be == "present"
    put(state, word, "word", "have")
    if going_on and not state.items[-1].tense:  # "I'm having a baby" is not "I have a baby"
        state.items[-1].tense = "progressive"


def tense_of(chain: Chain, form: str, key: str) -> str:
    if not chain.seen:
        return "past" if form in ("past", "either") else ""
    tense = chain.tense
    if tense == "perfect":
        if form == "ing" and chain.be:
            return "perfect" if key in LASTING else "perfect progressive"
        lasting = key in LASTING or (chain.be and form not in ("either", "participle"))
        return "perfect" if lasting else "past"
    if form == "ing" and chain.be and tense in ("", "past") and not chain.modal:
        if key in SAME_PROGRESSIVE and (tense == "" or key in _INNER):
            return tense
        return ("past " if tense else "") + "progressive"
    return tense


def _is_noun(state: State) -> bool:
    last = state.items[-1] if len(state.items) > state.first else None
    if state.determiner or last is None or state.chain.seen:
        return bool(state.determiner)
    return (
        last.kind in ("number", "quantifier")
        or last.owner
        or (last.noun and last.phrase == (state.phrase if state.role else 0))
    )


def put(state: State, word: Word, kind: str, key: str, *, keep_chain: bool = False) -> None:
    item = Item(
        kind, key, word.text, word.start, word.end, role=state.role, phrase=state.phrase if state.role else 0,
        clause=state.clause, sentence=state.sentence, joined=state.joined, low=word.low,
        single=state.determiner in ("a", "an"), fresh=state.fresh, one=state.one, noun=_is_noun(state),
    )  # fmt: skip
    if not keep_chain:
        if state.chain.seen:
            item.tense, item.modal = tense_of(state.chain, "", key), state.chain.modal
            item.copula = bool(state.chain.be)
            have, asked = state.chain.have, state.chain.asked
            state.chain = Chain(have=have, asked=asked)
        item.pointer = state.pointer
        state.determiner, state.pointer, state.one = "", "", False
    state.joined, state.fresh = "", False
    state.items.append(item)
