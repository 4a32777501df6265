"""Whether a later line says that an amount of mine was made another: "GP upped my ramipril to 10 mg" beside "I take 5 mg of ramipril in the morning".

Knows: the verbs for it in English and German, with the thing and the new figure right behind, and whose thing it is. Values that are told anew without such a verb are
newer_value.py's. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pmg.chat.person_words import FAMILY
from pmg.index.terms import document_terms
from pmg.people.told_values import units
from pmg.words import STOP_WORDS

MAX_LINE = 200  # characters: a longer line tells of many things
_VERB = r"(?:upped|raised|lowered|cut|bumped|increased|reduced|doubled|halved|dropped|changed|adjusted|moved|pushed|switched|put)"
_FIGURE = r"(?:about |around |roughly )?(?P<figure>[€£$]?\d[\d.,]*(?:\s?(?:%|€|£|\$|[^\W\d_]+))?)"
_THING = r"(?P<what>[^\W\d_][\w'’-]*(?: (?!(?:to|up|down|from|by)\b)[\w'’-]+){0,3}?)"
_FROM = r"(?: from [\w€£$.,]+(?: [^\W\d_]+)?)?"
_OWN = r"(?:my|our|the|mein\w*|unser\w*|de[rn]|die|das)"
_CHANGES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_VERB} (?:up |down )?(?:{_OWN} )?{_THING}(?: up| down| back)?{_FROM} to {_FIGURE}",
        rf"\b{_OWN} {_THING} (?:was|were|got|has been|have been|is being)(?: \w+ly)? {_VERB}(?: up| down| back)?{_FROM} to {_FIGURE}",
        rf"\b{_VERB} me (?:up |down |back )?{_FROM}to {_FIGURE} (?:of )?(?P<what>[^\W\d_][\w'’-]*)",
        rf"\b{_OWN} {_THING} (?:(?:heute|gestern|jetzt|wieder) ){{0,2}}auf {_FIGURE} (?:\w+ )?(?:erhöht|gesenkt|reduziert|angehoben|verdoppelt|halbiert|hochgesetzt|(?:he)?runtergesetzt|gesetzt)\b",
    )
)
_ANOTHERS = re.compile(
    r"\b(?:his|her|their|your|seine?\w*|ihre?\w*|deine?\w*)\b|[^\W\d_]['’]s\s(?!been\b)", re.IGNORECASE
)
_NOT_SO = re.compile(
    r"\b(?:not|never|nearly|almost|if|might|may|could|would|should|will|wants?|plans?|maybe|perhaps|nicht|nie|fast|wenn|falls|vielleicht|könnte|würde|sollte|will)\b|n['’]t\b",
    re.IGNORECASE,
)
_HAS_FIGURE = re.compile(r"\d")
_DOSES = frozenset(document_terms("dose dosage amount Dosis Menge"))
_WORD = re.compile(r"[^\W\d_]+")


def changes_amount(question: str, older: str, newer: str) -> bool:
    """Of just the thing that the question and the older line name; what is another's, denied or only wished for changes nothing."""
    if len(newer) > MAX_LINE or _HAS_FIGURE.search(older) is None:
        return False
    asked = set(document_terms(question)) & set(document_terms(older)) - STOP_WORDS
    return any(_is_of(found["what"], asked) and _is_alike(older, found) for found in _own(newer))


def _is_of(what: str, asked: set[str]) -> bool:
    """Its last word is asked for: of "the ramipril price" the price. A dose is of what it is called by."""
    terms = [term for term in document_terms(what) if term not in _DOSES]
    return bool(terms) and terms[-1] in asked


def _own(text: str) -> Iterator[re.Match[str]]:
    for pattern in _CHANGES:
        for found in pattern.finditer(text):
            before = text[: found.end()]
            is_anothers = _ANOTHERS.search(before) or not FAMILY.isdisjoint(_WORD.findall(before.lower()))
            if not is_anothers and not _NOT_SO.search(before):
                yield found


def _is_alike(older: str, found: re.Match[str]) -> bool:
    """A figure of the unit that the older has, or either without one: "the standing order to 3 days later" is no other amount."""
    told, there = units(found["figure"]), units(older)
    return not told or not there or bool(told & there)
