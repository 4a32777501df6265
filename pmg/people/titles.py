"""How many books or films the words of a claim name: "Middlemarch in May" is one title, "Anna's letter" is none. Pure.

Knows: quotation marks, and what begins with a capital. "Romeo and Juliet" may be one or two: without quotation marks that is left open.
"""

from __future__ import annotations

import re

from pmg.people.amounts import VAGUE, Amount, goes_on_after_a_noun, is_plural

_TITLE = re.compile(r"[A-Z\"“]|\d{4}\b")  # not "a bit", "that" or "the Lakers play"
_CLOSES_FIRST = re.compile(r"[^\"“”]*\w[\"”](?!\w)")  # a claim loses the mark that it begins with: Dune" and "Emma
_QUOTED = re.compile(r"[\"“”][^\"“”]*[\"“”]?")
_COMPANY = re.compile(r"\bwith (?!the\b|an?\b).*", re.DOTALL)  # "Gone with the Wind" is no company
_SEVERAL = re.compile(r"(?:\b(?:and|or|plus)|&|,) ?[A-Z\"“]|\b(?:and|or|plus) \d")
_OWNERS = re.compile(r"[A-Z][\w-]*['’]s [a-z]")  # "Anna's letter"
_READ_TO = re.compile(r"[A-Z][\w-]* (?:the|an?|my|our|your|his|her|their|its) [a-z]")  # "Mum the letter"
_NAME = re.compile(r"[A-Z0-9][\w'’:-]*(?: (?:(?:of the|of|the|and the) )?[A-Z0-9][\w'’:-]*)*")
_ARTICLES = frozenset(("The", "A", "An"))
# where things are read and watched, and none of those things themselves
_CHANNELS = frozenset(
    """amazon arte bbc cnn discord disney eurosport facebook hbo hulu instagram itv kindle linkedin netflix prime reddit slack tiktok tv twitch
    news plus twitter video whatsapp wikipedia youtube zdf""".split()
)


def titles(thing: str) -> Amount | None:
    """None where it names no title."""
    if _TITLE.match(thing) is None:
        return None
    if _CLOSES_FIRST.match(thing):
        thing = f'"{thing}'
    bare = _COMPANY.sub("", _QUOTED.sub(" ", thing))
    if quoted := len(_QUOTED.findall(thing)):
        return VAGUE if _SEVERAL.search(bare) else Amount(quoted)
    if _OWNERS.match(thing) or _READ_TO.match(thing):
        return None
    return VAGUE if _SEVERAL.search(bare) else _of_a_name(bare)


def _of_a_name(thing: str) -> Amount | None:
    """By what comes after the words with capitals: "YouTube videos" are no title, and what "Arsenal lose" is stays open."""
    name = _NAME.match(thing)
    if name is None or set(name[0].lower().split()) <= _CHANNELS:
        return None
    after = next(iter(re.findall(r"[\w'’-]+", thing[name.end() :])), "")
    if not after or name[0].split()[0] in _ARTICLES or goes_on_after_a_noun(after):
        return Amount(1)
    return None if is_plural(after) else VAGUE
