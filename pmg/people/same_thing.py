"""Whether two claims of a home, a job or a partner speak of one thing, though one names it and the other describes it. Pure.

Knows: names, short forms and descriptions. How long something holds stands in facts.py.
"""

from __future__ import annotations

from datetime import date

from pmg.people.entities import folded, is_short_for
from pmg.store.people import StoredClaim

# Nouns that say nothing of their own: whatever was named before may be meant.
_ANY_PLACE = frozenset(
    """company firm business employer corporation organisation organization office place job work team workplace city town village area
    neighbourhood neighborhood apartment flat house home studio room condo dorm cabin suburbs""".split()
)


def same(a: str, b: str) -> bool:
    """Whether two objects are one: the same name, a short form, or one that says nothing of its own ("my company")."""
    x, y = folded(a), folded(b)
    return x == y or is_short_for(x, y) or _says_nothing(a) or _says_nothing(b)


def is_unnamed(thing: str) -> bool:
    """ "my company", "the shipyard": a description, and no name."""
    return not thing or not any(word[:1].isupper() for word in thing.split())


def _says_nothing(thing: str) -> bool:
    return is_unnamed(thing) and (not thing or thing.split()[-1].lower() in _ANY_PLACE)


def may_be_one(known: StoredClaim, one: StoredClaim, last_said: date) -> bool:
    """Whether a claim speaks of the same thing as an earlier one. A description may be meant by a name that follows it if it waits for one ("a bakery"),
    and may mean a name that stands before it; what began after the other was last told of is another."""
    a, b = known.claim.object, one.claim.object
    if folded(a) == folded(b):
        return True
    if is_unnamed(a) or is_unnamed(b):
        if one.claim.valid_from is not None and one.claim.valid_from > last_said:
            return False
        if is_unnamed(a) != is_unnamed(b) and (is_unnamed(b) or a.lower().startswith(("a ", "an "))):
            return True
    return same(a, b)
