"""Which relation of a person's a question asks about, now or then: where somebody lives, works or comes from, and who their partner is. Pure."""

from __future__ import annotations

import re

from pmg.claim import COMES_FROM, LIVES_IN, PARTNER_OF, WORKS_AT

# What is asked of now: a question about then is for what was said.
_NOW = {
    WORKS_AT: re.compile(r"\bwhere (?:do|does|is|am) .+ (?:work|working|employed)\b|\bwho (?:do|does) .+ work for\b", re.IGNORECASE),
    LIVES_IN: re.compile(r"\bwhere (?:do|does|is|am) .+ (?:live|living|based)\b|\bwhich (?:city|town|country) (?:do|does) .+ live\b", re.IGNORECASE),
    COMES_FROM: re.compile(r"\bwhere (?:do|does|is|am) .+ (?:come )?from\b", re.IGNORECASE),
    PARTNER_OF: re.compile(r"\bwho is .+ (?:partner|wife|husband|girlfriend|boyfriend|spouse|married to)\b", re.IGNORECASE),
}  # fmt: skip
_THEN = {
    WORKS_AT: re.compile(r"\bwhere (?:did|was|were) .+ (?:work|working|employed)\b|\bwho did .+ work for\b", re.IGNORECASE),
    LIVES_IN: re.compile(r"\bwhere (?:did|was|were) .+ (?:live|living|based)\b|\bwhich (?:city|town|country) did .+ live\b", re.IGNORECASE),
    PARTNER_OF: re.compile(r"\bwho was .+ (?:partner|wife|husband|girlfriend|boyfriend|spouse|married to)\b", re.IGNORECASE),
}  # fmt: skip
_SINCE = re.compile(r"\b(?:since when|how long)\b.*\b(?P<verb>work|live)", re.IGNORECASE)
_SINCE_RELATION = {"work": WORKS_AT, "live": LIVES_IN}


def asked_relation(question: str) -> str:
    """ "" where it asks for none of them."""
    since = _SINCE.search(question)
    if since is not None:
        return _SINCE_RELATION[since["verb"].lower()]
    return next((relation for relation, pattern in _NOW.items() if pattern.search(question)), "")


def relation_asked_of_then(question: str) -> str:
    """ "Where did Anna live before?": "" where it asks for none of them, or for now."""
    return next((relation for relation, pattern in _THEN.items() if pattern.search(question)), "")
