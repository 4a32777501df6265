"""Whether a later line says that a thing is no longer where an earlier one has it: "Prue gave the frame back" beside "Lent my sewing frame to Prue", "took the boots back to the shop".

Knows: the words for it in English and German, which lines tell of a thing that was lent or bought, and which questions ask where it is now: to whom it was lent stays so. Which line
is shown first is time_order.py's. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pmg.chat.called_off import is_of

MAX_LINE = 300  # characters: a longer line tells of many things
_THING = r"[^.,;:!?\n]{2,60}"
_HANDED = r"(?:gave|given|brought|handed|sent|took|taken|passed|dropped|posted|carried)"
_BACK = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_HANDED} (?!back\b)(?P<what>{_THING}?) back\b",
        rf"\b{_HANDED} (?:(?:me|us|him|her|them) )?back (?P<what>{_THING}?)(?= to\b| from\b| today\b| yesterday\b| last\b| on\b| this\b|\s*(?:[.,;:!?\n]|$))",
        rf"\b(?:returned|got back|gotten back) (?P<what>{_THING}?)(?= to\b| from\b| today\b| yesterday\b| last\b| on\b| this\b|\s*(?:[.,;:!?\n]|$))",
        rf"\b(?:got|have|has|had) (?!back\b)(?P<what>{_THING}?) back\b",
        rf"(?:^\W*|[.;!] )(?P<what>{_THING}?)(?:['’]s| is| are| was| were| has been| have been)(?: now| finally)? (?:back (?:with (?:me|us)|home|from|here)\b|returned\b|(?:given|brought|handed|sent|taken) back\b)",
        rf"\b(?:hat|habe|haben) (?:(?:mir|uns|ich|wir|heute|gestern) ){{0,3}}(?P<what>{_THING}?) (?:heute |gestern |wieder |endlich )?(?:zurück|wieder)(?:gegeben|gebracht|geschickt|bekommen)\b",
    )
)
_NOT_SO = re.compile(
    r"\b(?:not|never|nearly|almost|if|unless|until|when|might|may|could|would|should|will|must|needs?|wants?|wanted|asked|promised|maybe|perhaps|whether|"
    r"nicht|nie|fast|beinahe|wenn|falls|ob|bis|vielleicht|könnte|würde|sollte|muss|will)\b|n['’]t\b",
    re.IGNORECASE,
)
# What was lent, borrowed or bought, or is said to be with somebody
_AWAY = re.compile(
    r"\b(?:lent|loaned|lend|borrow(?:ed|s|ing)?|bought|ordered|(?:has|have|['’]s got|has got|got) (?:my|our)|(?:is|are|['’]s) (?:still )?(?:with|at)|"
    r"verliehen|geliehen|ausgeliehen|gekauft|bestellt|(?:hat|haben) (?:noch )?(?:mein|unser)\w*)\b",
    re.IGNORECASE,
)
_ASKS_WHERE_NOW = re.compile(
    r"\W*(?:(?:and|but|so|und|aber)\W+)?(?:who(?:['’]s| has| have)(?: still)?(?: got)? (?!.*\b(?:lent|given)\b)|where(?:['’]s| is| are)\b|do(?:es)? (?:i|we|\w+) (?:still )?have\b|"
    r"(?:have|has) (?:i|we|\w+) (?:still )?got\b|is .*\b(?:with|at|back)\b|wer hat (?!.*geliehen\b)|wo (?:ist|sind)\b|(?:hat|habe|haben) \w+ (?:noch|immer noch)\b)",
    re.IGNORECASE,
)


def asks_where_it_is(question: str) -> bool:
    """ "Who has my frame?", not "Who did I lend it to?"."""
    return _ASKS_WHERE_NOW.match(question) is not None


def is_given_back(older: str, newer: str) -> bool:
    """Whether the newer says that what the older has lent, borrowed or bought is back."""
    if max(len(older), len(newer)) > MAX_LINE or _AWAY.search(older) is None:
        return False
    return any(is_of(what, older) for what in _things_given_back(newer))


def is_away_again(given_back: str, newer: str) -> bool:
    """Whether the newest says that what was given back is with somebody again."""
    if len(newer) > MAX_LINE or _AWAY.search(newer) is None:
        return False
    return any(is_of(what, newer) for what in _things_given_back(given_back))


def _things_given_back(text: str) -> Iterator[str]:
    for pattern in _BACK:
        for found in pattern.finditer(text):
            sentence = re.split(r"[.;!?\n]", text[: found.end()])[-1] or found[0]
            if not _NOT_SO.search(sentence):
                yield found["what"].strip()
