"""A claim as a person reads it: a plain sentence where its relation has one, else the speaker's own words in quotation marks. Pure.

Knows: English for the relations of pmg/base/claim.py, in the second person for the owner of the memory.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pmg.base.claim import (
    BLOCKED_BY,
    CAN,
    CAUSED_BY,
    COMES_FROM,
    DEPENDS_ON,
    DISLIKES,
    IS,
    IS_A,
    KNOWS,
    LIKES,
    LIVES_IN,
    NEEDS,
    OWNS,
    PART_OF,
    PARTNER_OF,
    USES,
    WAS,
    WORKS_AT,
    Claim,
    Modality,
)
from pmg.base.model import YOU

# Of you, and of somebody else.
_SAYS = {
    WORKS_AT: ("work at", "works at"),
    LIVES_IN: ("live in", "lives in"),
    COMES_FROM: ("come from", "comes from"),
    KNOWS: ("know", "knows"),
    OWNS: ("have", "has"),
    USES: ("use", "uses"),
    DEPENDS_ON: ("depend on", "depends on"),
    PART_OF: ("are part of", "is part of"),
    IS_A: ("are", "is"),
    LIKES: ("like", "likes"),
    DISLIKES: ("dislike", "dislikes"),
    BLOCKED_BY: ("are blocked by", "is blocked by"),
    CAUSED_BY: ("were caused by", "was caused by"),
}
# Said only where somebody's own words are not at hand.
_SAYS_TOO = {IS: ("are", "is"), WAS: ("were", "was"), CAN: ("can", "can"), NEEDS: ("need", "needs")}
_BEING = frozenset(("are", "is", "were", "was"))
_MINE = {"my": "your", "me": "you", "mine": "yours", "myself": "yourself", "i": "you", "our": "your", "us": "you"}
_THEIRS = {
    "my": "their",
    "me": "them",
    "mine": "theirs",
    "myself": "themselves",
    "i": "they",
    "our": "their",
    "us": "them",
}
_FIRST_PERSON = re.compile(r"\b(?:my|me|mine|myself|I|our|us)\b")
_DETERMINED = re.compile(
    r"(?:an?|the|my|our|their|his|her|your|one|two|three|some|all|very|not|from|in|at|on)\b|\d", re.IGNORECASE
)
_OWNER = re.compile(r"^User(?:'|’)s |(?<=\bof )User$")  # how a claim names the owner whose lines have no name
_ROLE_OF_YOU = re.compile(r"(?:an? )?([\w -]+) of you")
LASTING = frozenset(_SAYS) | {PARTNER_OF}  # what a profile begins with; what else was said comes after it


@dataclass(frozen=True, slots=True)
class ClaimText:
    """`is_quote`: the words are the speaker's own."""

    text: str
    is_quote: bool


def claim_text(claim: Claim, clause: str, subject: str) -> ClaimText:
    """`subject` is how the one it is about is shown; `clause` are the words it was read from, "" where they are not at hand."""
    plain = claim.modality is Modality.STATED and claim.object and claim.relation in LASTING
    if plain or not clause:
        return ClaimText(_sentence(claim, subject), False)
    return ClaimText(" ".join(clause.split()).strip(" ,;:"), True)


def _sentence(claim: Claim, subject: str) -> str:
    is_you = subject == YOU
    thing = _object(claim, is_you)
    if claim.relation == PARTNER_OF:
        whose = "Your" if is_you else f"{subject}’s"
        return f"{whose} partner is {'' if claim.is_positive else 'not '}{thing}"
    forms = _SAYS.get(claim.relation) or _SAYS_TOO.get(claim.relation)
    if forms is None:
        denied = "" if claim.is_positive else "not "
        return f"{subject}: {denied}{claim.relation.replace('_', ' ')} {thing}".rstrip()
    said = forms[0 if is_you else 1] if claim.is_positive else _denied(forms, is_you)
    return f"{subject} {said} {thing}".rstrip()


def _denied(forms: tuple[str, str], is_you: bool) -> str:
    first, _, rest = forms[0 if is_you else 1].partition(" ")
    if first in _BEING:
        return f"{first} not {rest}".rstrip()
    return "cannot" if first == "can" else f"{'do' if is_you else 'does'} not {forms[0]}"


def _object(claim: Claim, is_you: bool) -> str:
    """Its object from where the reader stands: what somebody calls "my" of themselves is "your" or "their"."""
    thing = yours(claim.object)
    if claim.speaker == claim.subject:
        words = _MINE if is_you else _THEIRS
        thing = _FIRST_PERSON.sub(lambda found: words[found[0].lower()], thing)
    if claim.relation == IS_A and (role := _ROLE_OF_YOU.fullmatch(thing)):
        return f"your {role[1]}"
    if claim.relation == IS_A and thing[:1].islower() and _DETERMINED.match(thing) is None:
        thing = f"{'an' if thing[0] in 'aeiou' else 'a'} {thing}"
    return thing


def yours(name: str) -> str:
    """ "User's sister" is yours, "sister of User" of you: nobody is called "User"."""
    return _OWNER.sub(lambda found: "Your " if found[0].endswith(" ") else "you", name)


def relation_words(relation: str) -> str:
    """On a line of the drawing: "lives in", "works at"."""
    forms = _SAYS.get(relation)
    return forms[1] if forms else "partner" if relation == PARTNER_OF else relation.replace("_", " ")
