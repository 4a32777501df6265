"""Whether a later line says that an amount of mine was made another: "GP upped my ramipril to 10 mg" beside "I take 5 mg of ramipril in the morning".

Knows: the verbs for it in English and German, with the thing and the new figure right behind, and whose thing it is. Values that are told anew without such a verb are
newer_value.py's. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pmg.base.words import STOP_WORDS
from pmg.chat.person_words import FAMILY
from pmg.index.terms import document_terms
from pmg.people.told_values import units

MAX_LINE = 200  # characters: a longer line tells of many things
_AMOUNT_VERB = r"(?:upped|raised|lowered|cut|bumped|increased|reduced|doubled|halved|dropped|changed|adjusted)"
_VERB = rf"(?:{_AMOUNT_VERB}|(?P<moved>moved|pushed|switched|put))"
_FIGURE = r"(?:about |around |roughly )?(?P<figure>[€£$]?\d[\d.,]*(?:\s?(?:%|€|£|\$|[^\W\d_]+))?)"
_THING = r"(?P<what>[^\W\d_][\w'’-]*(?: (?!(?:to|up|down|from|by|hat|haben|wurden?|ist|sind)\b)[\w'’-]+){0,3}?)"
_FROM = r"(?: from [\w€£$.,]+(?: [^\W\d_]+)?)?"
_MINE = r"(?P<mine>my|our|mein\w*|unser\w*)"
_OWN = rf"(?:{_MINE}|the|de[rn]|die|das)"
_CHANGES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_VERB} (?P<side>up |down )?(?:{_OWN} )?{_THING}(?P<behind> up| down| back)?{_FROM} to {_FIGURE}",
        rf"\b{_OWN} {_THING} (?:was|were|got|has been|have been|is being)(?: \w+ly)? {_VERB}(?P<side> up| down| back)?{_FROM} to {_FIGURE}",
        rf"\b{_VERB} (?P<mine>me) (?P<side>up |down |back )?{_FROM}to {_FIGURE} (?:of )?(?P<what>[^\W\d_][\w'’-]*)",
        rf"\b{_OWN} {_THING} (?:(?:heute|gestern|jetzt|wieder) ){{0,2}}auf {_FIGURE} (?:\w+ )?(?:erhöht|gesenkt|reduziert|angehoben|verdoppelt|halbiert|hochgesetzt|(?:he)?runtergesetzt|gesetzt)\b",
    )
)
# Who changes what is mine without a "my": oneself, they, and whom one's doses, rents and wages come from. A name may be anybody's.
_BY_WHOM = re.compile(
    r"(?:\W*\b(?:i|we|they|he|she|the|my|our|gp|doctor|dr|consultant|nurse|surgery|hospital|landlord|landlady|bank|boss|have|has|had|ve|s|just|now|also|so|and|then|finally|today|yesterday|"
    r"last (?:week|night|month)|this (?:week|morning|month)|update|note|ich|wir|sie|er|der|die|das|mein\w*|unser\w*|arzt|ärztin|hausarzt|hausärztin|vermieter|vermieterin|chef|chefin|hat|haben|habe|wurden?|"
    r"jetzt|heute|gestern|inzwischen|und)\b)*\W*",
    re.IGNORECASE,
)
_ANOTHERS = re.compile(
    r"\b(?:his|her|their|your|seine?\w*|ihre?\w*|deine?\w*)\b|[^\W\d_]['’]s\s(?!been\b)|s['’]\s", re.IGNORECASE
)
_NOT_SO = re.compile(
    r"\b(?:not|never|nearly|almost|if|might|may|could|would|should|will|wants?|wanted|plans?|maybe|perhaps|dream\w*|wish\w*|threat\w*|pretend\w*|thought|imagin\w*|"
    r"nicht|nie|fast|wenn|falls|vielleicht|könnte|würde|sollte|wollte\w*|will|träum\w*|geträumt|droh\w*|gedroht)\b|(?:n['’]t|['’]d)\b",
    re.IGNORECASE,
)
# Of then, for a while, or taken back in the same sentence.
_NO_LONGER = re.compile(
    r"\b(?:in (?:19|20)\d\d|(?:last|that|next) (?:year|summer|winter|spring|autumn)|ago|back then|used to|for (?:a|an|one|two|three|four|\d+)|until|till|only|but|except|instead of|by mistake|in error|wrong\w*|"
    r"(?:letzte[nrms]?|vorige[nrms]?) (?:jahr|sommer|winter)|damals|früher|vor \w+ jahren|für (?:ein\w*|zwei|drei|\d+)|bis|nur|aber|versehentlich)\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?;](?!\d)|\n")
_HAS_FIGURE = re.compile(r"\d")
_DOSES = frozenset(document_terms("dose dosage amount Dosis Menge"))
_WORD = re.compile(r"[^\W\d_]+")


def changes_amount(question: str, older: str, newer: str) -> bool:
    """Of just the thing that the question and the older line name, and both of one's own; what is another's, denied, of then or only wished for changes nothing."""
    if len(newer) > MAX_LINE or _HAS_FIGURE.search(older) is None or _is_of_another(f"{question}\n{older}"):
        return False
    wanted, told = set(document_terms(question)), set(document_terms(older))
    asked = wanted & told - STOP_WORDS
    return any(_is_of(found["what"], asked, wanted | told) and _is_alike(older, found) for found in _own(newer))


def _is_of(what: str, asked: set[str], named: set[str]) -> bool:
    """Its last word is asked for: of "the ramipril price" the price. A dose is of what it is called by, and "the upstairs rent" is no rent that nobody named so."""
    terms = [term for term in document_terms(what) if term not in _DOSES and term not in STOP_WORDS]
    return bool(terms) and terms[-1] in asked and named.issuperset(terms)


def _own(text: str) -> Iterator[re.Match[str]]:
    for pattern in _CHANGES:
        for found in pattern.finditer(text):
            before = _SENTENCE_END.split(text[: found.start()])[-1]
            after = _SENTENCE_END.split(text[found.end() :])[0]
            is_mine = found["mine"] is not None or _BY_WHOM.fullmatch(before) is not None
            is_so = not _NOT_SO.search(text[: found.end()]) and not _NO_LONGER.search(f"{before}\n{after}")
            if is_mine and is_so and not _is_of_another(f"{text[: found.end()]}\n{after}"):
                yield found


def _is_of_another(text: str) -> bool:
    return _ANOTHERS.search(text) is not None or not FAMILY.isdisjoint(_WORD.findall(text.lower()))


def _is_alike(older: str, found: re.Match[str]) -> bool:
    """A figure of the unit that the older has, or either without one: "the standing order to 3 days later" is no other amount, nor "moved my run to 9"."""
    told, there = units(found["figure"]), units(older)
    names = found.groupdict()
    if names.get("moved") and not (names.get("side") or names.get("behind")):
        return bool(told & there)
    return not told or not there or bool(told & there)
