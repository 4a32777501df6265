"""Whether a later line says that a thing is no longer where an earlier one has it: "Prue gave the frame back" beside "Lent my sewing frame to Prue", "took the boots back to the shop".

Knows: the words for it in English and German, which lines tell of a thing that was lent or bought, and which questions ask where it is now: to whom it was lent stays so. Who gives back
what is theirs, and what a third person has, is of another thing. Which line is shown first is time_order.py's. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pmg.base.words import STOP_WORDS
from pmg.chat.called_off import is_of
from pmg.index.terms import document_terms

MAX_LINE = 300  # characters: a longer line tells of many things
_THING = r"[^.,;:!?\n]{2,60}"
_HANDED = r"(?:gave|given|brought|handed|sent|took|taken|passed|dropped|posted|carried)"
_AFTER = r"(?= to\b(?! front\b)| from\b| (?:today|yesterday|now|already|finally|and|but|because|as|with|home|tonight|this|last|on|for|in)\b|\s*(?:[.,;:!?\n–—]|$))"
_GIVEN = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_HANDED} (?!back\b)(?P<what>{_THING}?) back\b{_AFTER}",
        rf"\b{_HANDED} (?:(?:me|us|him|her|them) )?back (?P<what>{_THING}?){_AFTER}",
        rf"\breturned (?P<what>{_THING}?){_AFTER}",
        rf"(?:^\W*|[.;!] )(?P<what>{_THING}?)(?:['’]s| is| are| was| were| has been| have been)(?: now| finally)? (?:returned|(?:given|brought|handed|sent|taken) back)\b{_AFTER}",
        rf"\b(?:hat|habe|haben) (?:(?:mir|uns|ich|wir|heute|gestern) ){{0,3}}(?P<what>{_THING}?) (?:heute |gestern |wieder |endlich )?(?:zurück|wieder)(?:gegeben|gebracht|geschickt)\b",
    )
)
# Of what was away: what is back from the garage was never somebody else's.
_GOT = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:got back|gotten back) (?P<what>{_THING}?){_AFTER}",
        rf"\b(?:got|have|has) (?!back\b)(?P<what>{_THING}?) back\b{_AFTER}",
        rf"(?:^\W*|[.;!] )(?P<what>{_THING}?)(?:['’]s| is| are| was| were| has been| have been)(?: now| finally)? back (?:with (?:me|us)|home|from|here)\b",
        rf"\b(?:hat|habe|haben) (?:(?:mir|uns|ich|wir|heute|gestern) ){{0,3}}(?P<what>{_THING}?) (?:heute |gestern |wieder |endlich )?(?:zurück|wieder)bekommen\b",
    )
)
_NOT_SO = re.compile(
    r"\b(?:not|never|nearly|almost|if|unless|until|when|might|may|could|would|should|will|must|needs?|wants?|wanted|asked|promised|maybe|perhaps|whether|"
    r"nicht|nie|fast|beinahe|wenn|falls|ob|bis|vielleicht|angeblich|könnte|würde|sollte|muss|will)\b|n['’]t\b",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"\b(?:in (?:19|20)\d\d|last year|ago|back then|(?:isn|aren|wasn|weren)['’]t (?:here|there|back)|letztes jahr|damals|vor \w+ jahren)\b",
    re.IGNORECASE,
)
_ANOTHERS = re.compile(r"\b(?:his|her|their|seine?\w*|ihre?\w*)\b|[^\W\d_](?:['’]s|s['’])\s", re.IGNORECASE)
# Beside whom the earlier line names, who may give it back: "Then she finally"
_WHO = re.compile(
    r"\b(?:i|we|he|she|they|you|it|have|has|had|ve|s|got|been|just|now|also|so|and|then|today|yesterday|this|last|week|night|morning|finally|already|ok|okay|oh|good|news|"
    r"the|my|our|from|ich|wir|er|sie|es|hat|habe|haben|heute|gestern|jetzt|und|der|die|das|den|mein\w*|unser\w*)\b",
    re.IGNORECASE,
)
# What was lent, borrowed or bought, or is said to be with somebody
_LENT = re.compile(
    r"\b(?:lent|loaned|lend|borrow(?:ed|s|ing)?|(?<!\bi )(?<!\bwe )(?:has|have|['’]s got|has got|got) (?:my|our)|(?:is|are|['’]s) (?:still )?(?:with|at)|"
    r"verliehen|geliehen|ausgeliehen|(?:hat|haben) (?:noch )?(?:mein|unser)\w*)\b",
    re.IGNORECASE,
)
_BOUGHT = re.compile(r"\b(?:bought|ordered|gekauft|bestellt)\b", re.IGNORECASE)
# What was bought goes back to whom it was bought from: "took the bike back for its service" gives up nothing.
_TO_SELLER = re.compile(
    r"\s*(?:to (?:the )?(?:shop|store|seller|dealer|supplier|manufacturer|company)|today|yesterday|and|because|as|(?:on|last|this) \w+)\b|\s*(?:[.,;:!?\n–—]|$)",
    re.IGNORECASE,
)
_ASKS_WHERE_NOW = re.compile(
    r"\W*(?:(?:and|but|so|und|aber)\W+)?(?:who(?:['’]s| has| have)(?: still)?(?: got)? (?!.*\b(?:lent|given)\b)|where(?:['’]s| is| are)\b(?!.*\bfrom\W*$)|do(?:es)? (?:i|we|\w+) (?:still )?have\b|"
    r"(?:have|has) (?:i|we|\w+) (?:still )?got\b|is .*\b(?:with|at|back)\b|wer hat (?!.*geliehen\b)|wo (?:ist|sind)\b|(?:hat|habe|haben) \w+ (?:noch|immer noch)\b)",
    re.IGNORECASE,
)
_ASKS_WHETHER = re.compile(r"\W*(?:(?:and|but|so)\W+)?is\b", re.IGNORECASE)
_BEHIND_THING = re.compile(
    r"\b(?:for|of|from|in|on|with|at|by|that|which|who|back|again|gone|now|still|these|für|von|vom|aus|bei|beim|mit|im|am|den ich|die ich|das ich|jetzt|gerade|noch|wieder|zurück)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")


def is_no_longer_there(question: str, older: str, newer: str) -> bool:
    """Whether it is asked where just that thing is, or who has it, and the newer says that it is back from where the older has it."""
    if not asks_where_it_is(question):
        return False
    asked = _asked_thing(question)
    return any(asked in document_terms(what)[-1:] for what in _back(older, newer))


def asks_where_it_is(question: str) -> bool:
    """ "Who has my frame?", not "Who did I lend it to?"."""
    return _ASKS_WHERE_NOW.match(question) is not None


def is_given_back(older: str, newer: str) -> bool:
    """Whether the newer says that what the older has lent, borrowed or bought is back."""
    return next(_back(older, newer), None) is not None


def is_away_again(given_back: str, newer: str) -> bool:
    """Whether the newest says that what was given back is with somebody again."""
    if len(newer) > MAX_LINE or _LENT.search(newer) is None or _NOT_SO.search(newer) or _THEN.search(newer):
        return False
    return any(is_of(found["what"].strip(), newer) for found in _things_given_back(given_back))


def _asked_thing(question: str) -> str:
    """The last word of it: of "who has my sewing frame now?" the frame, of "where is the receipt for the boots?" the receipt."""
    begins = _ASKS_WHETHER.match(question) or _ASKS_WHERE_NOW.match(question)
    for part in _BEHIND_THING.split(question[begins.end() if begins else 0 :]):
        terms = [term for term in document_terms(part) if term not in STOP_WORDS]
        if terms:
            return terms[-1]
    return ""


def _back(older: str, newer: str) -> Iterator[str]:
    """Each thing that the older has somewhere and the newer says is back."""
    if max(len(older), len(newer)) > MAX_LINE:
        return
    is_lent, is_bought = _LENT.search(older) is not None, _BOUGHT.search(older) is not None
    if not (is_lent or is_bought):
        return
    known = {word.casefold() for word in _WORD.findall(older)}
    for found in _things_given_back(newer):
        is_seller = found.re in _GIVEN and _TO_SELLER.match(newer, found.end()) is not None
        if (is_lent or is_seller) and _is_by(newer, found, known) and is_of(found["what"].strip(), older):
            yield found["what"].strip()


def _is_by(text: str, found: re.Match[str], known: set[str]) -> bool:
    """By oneself, or by whom the older line names: what Tom returned is not what Prue has."""
    before = re.split(r"[.;!?\n]", text[: found.start()])[-1]
    return all(word.casefold() in known for word in _WORD.findall(_WHO.sub(" ", before)))


def _things_given_back(text: str) -> Iterator[re.Match[str]]:
    for pattern in (*_GIVEN, *_GOT):
        for found in pattern.finditer(text):
            before = re.split(r"[.;!?\n]", text[: found.end()])[-1] or found[0]
            after = re.split(r"(?<=[.;!?\n])", text[found.end() :])[0]
            is_so = not _NOT_SO.search(before) and not _THEN.search(f"{before}{after}") and not after.endswith("?")
            if is_so and not _ANOTHERS.search(found["what"]):
                yield found
