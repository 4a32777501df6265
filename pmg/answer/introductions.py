"""Whether a text says who somebody is: "Malte, a colleague from the crane team", "my landlady is Frau Berger". Pure.

Knows: words for what people are to each other and at work, and how a name stands beside them.
"""

from __future__ import annotations

import re
from collections.abc import Collection

AROUND = 40  # characters to either side of a name in which a word for what they are is theirs
ROLE_WORD = re.compile(
    r"\b(?:friend|sister|brother|mother|mum|mom|father|dad|boss|doctor|landlady|landlord|vet|physio\w*|colleague|head of|daughter|son|husband|"
    r"wife|partner|team|family|kids|aunt|uncle|neighbou?r|caretaker|maintainer|contributor|freund(?:in)?|schwester|bruder|mutter|vater|chefin?|"
    r"ärztin|arzt|vermieterin?|kollegin?|nachbarin?|tochter|sohn|tierärztin)\b",
    re.IGNORECASE,
)
_GREETS = re.compile(
    r"\b(?:hi|hello|hey|dear|oh|thanks|thank you|sorry|bye|good (?:morning|evening|night)|hallo|liebe[rs]?|danke|guten (?:morgen|tag|abend))[\s,]+$",
    re.IGNORECASE,
)
# "Malte, a colleague …", "Haruka from Osaka"; "Frau Berger, thank you" speaks to her and says nothing of her.
_MORE_OF_THEM = re.compile(
    r"(?: \w+)?(?:, (?:who|whose|from|an?|the|my|our|his|her|their|der|die|das|eine?|meine?|unsere?|seine?|ihre?|aus|von|\d+)\b| from | is | \()",
    re.IGNORECASE,
)


def introduces(names: Collection[str], text: str) -> float:
    """One of the names stands beside a word for what somebody is, or with a comma and more about them; whom one greets is not introduced."""
    for name in names:
        for found in re.finditer(rf"\b{re.escape(name)}\b", text, re.IGNORECASE):
            if _GREETS.search(text[max(0, found.start() - AROUND) : found.start()]):
                continue
            around = text[max(0, found.start() - AROUND) : found.end() + AROUND]
            if ROLE_WORD.search(around) or _MORE_OF_THEM.match(text[found.end() : found.end() + AROUND]):
                return 1.0
    return 0.0
