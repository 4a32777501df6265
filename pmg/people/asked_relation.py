"""Which relation of a person's a question asks about, now or then: where somebody lives, works or comes from, who their partner is, and what they do; in English and German. Pure."""

from __future__ import annotations

import re

from pmg.base.claim import COMES_FROM, IS_A, LIVES_IN, PARTNER_OF, WORKS_AT

# What is asked of now: a question about then is for what was said.
_NOW = {
    WORKS_AT: (
        r"\bwhere (?:do|does|is|am) .+ (?:work|working|employed)\b|\bwho (?:do|does) .+ work for\b|\b(?:do|does|am|is|are) .+ still (?:work|working)\b"
        r"|\b(?:wo|bei wem) arbeite[nt]?\b|\barbeite[nt]? .+ noch\b"
    ),
    LIVES_IN: (
        r"\bwhere (?:do|does|is|am) .+ (?:live|living|based)\b|\b(?:which|what) (?:city|town|country) (?:do|does) .+ live\b|\b(?:do|does|am|is|are) .+ still (?:live|living)\b"
        r"|\b(?:wo|in welche[rm] (?:stadt|land|ort)) (?:wohn|leb)(?:e|en|t)\b|\b(?:wohn|leb)(?:e|en|t) .+ noch\b"
    ),
    COMES_FROM: r"\bwhere (?:do|does|is|am) .+ (?:come )?from\b|\bwoher (?:komm|stamm)(?:e|en|t)\b",
    PARTNER_OF: (
        r"\bwho is .+ (?:partner|wife|husband|girlfriend|boyfriend|spouse|married to|dating|seeing)\b|\b(?:am|is|are) .+ (?:dating|married|engaged)\b"
        r"|\bwer ist .+(?:partner|partnerin|mann|frau|freund|freundin)\b|\bmit wem (?:bin|ist|sind) .+ (?:zusammen|verheiratet)\b"
    ),
}  # fmt: skip
_THEN = {
    WORKS_AT: r"\bwhere (?:did|was|were) .+ (?:work|working|employed)\b|\bwho did .+ work for\b|\bwo (?:hab\w*|hat) .+ gearbeitet\b",
    LIVES_IN: r"\bwhere (?:did|was|were) .+ (?:live|living|based)\b|\b(?:which|what) (?:city|town|country) did .+ live\b|\bwo (?:hab\w*|hat) .+ ge(?:wohn|leb)t\b",
    PARTNER_OF: r"\bwho was .+ (?:partner|wife|husband|girlfriend|boyfriend|spouse|married to|dating|seeing)\b|\bmit wem (?:war|waren) .+ (?:zusammen|verheiratet)\b",
}  # fmt: skip
_NOW_ASKED, _THEN_ASKED = (
    {relation: re.compile(pattern, re.IGNORECASE) for relation, pattern in some.items()} for some in (_NOW, _THEN)
)
_SINCE = re.compile(
    r"\b(?:since when|how long|seit wann|wie lange)\b.*\b(?P<verb>work|live|living|arbeit|wohn|leb)", re.IGNORECASE
)
_SINCE_RELATION = {"work": WORKS_AT, "arbeit": WORKS_AT}
_ROLE = re.compile(
    r"\bwhat (?:do|does) (?:\w+ ){1,4}do(?: for (?:a living|work))?(?: now)?\W*$|\bwhat (?:is|are) (?:\w+['’]?s? ){0,3}(?:job|profession|occupation|position)(?: title)?\b"
    r"|\bwas (?:ist|bin) .+ von beruf\b|\bwas (?:macht|mache) .+ beruflich\b",
    re.IGNORECASE,
)


def asked_relation(question: str) -> str:
    """ "" where it asks for none of them."""
    since = _SINCE.search(question)
    if since is not None:
        return _SINCE_RELATION.get(since["verb"].lower(), LIVES_IN)
    return next((relation for relation, pattern in _NOW_ASKED.items() if pattern.search(question)), "")


def relation_asked_of_then(question: str) -> str:
    """ "Where did Anna live before?": "" where it asks for none of them, or for now."""
    return next((relation for relation, pattern in _THEN_ASKED.items() if pattern.search(question)), "")


def role_asked(question: str) -> tuple[str, ...]:
    """ "What does Anna do?" asks for what she is: the relation that tells it; nothing for any other question."""
    return (IS_A,) if _ROLE.search(question) else ()
