"""Finds what differs between two readings.

Knows: when two items are the same (same key, a synonym, a slip of the finger), and what to call it when they are not.
Does not know: how the items were read from the text.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from rapidfuzz.distance import Indel

from pmg.ingest.differences.items import Item
from pmg.ingest.differences.moves import is_class_of
from pmg.ingest.differences.opposites import opposite
from pmg.ingest.differences.slips import slip
from pmg.ingest.differences.stems import american, folded, singular, stem
from pmg.ingest.differences.synonyms import synonyms
from pmg.ingest.differences.words import CONTRASTED, PEOPLE, PLURALS

Found = tuple[str, Item | None, Item | None]

_KINDS = {
    "word": "word", "name": "name", "number": "quantity", "quantifier": "quantity", "date": "date", "pronoun": "role",
    "negation": "negation", "condition": "condition", "question": "question", "adverb": "word", "hedge": "modality", "sign": "word",
}  # fmt: skip
# decide to decision follows no rule; organize to organization, treat to treatment do.
_NOMINAL = ("ization", "ation", "ition", "ion", "ment", "ance", "ence", "ness")
_OTHER_ROOTS = frozenset("apart depart import confer compart quest profess".split())


def compare(a: list[Item], b: list[Item]) -> list[Found]:
    """Every difference: first what one has and the other lacks, then role, tense, modality and question of what both have."""
    left = _same_keys(a, b)
    if left:
        return left
    keys_a, keys_b = [item.key for item in a], [item.key for item in b]
    if keys_a != keys_b:
        return _misplaced(a, b, keys_a, keys_b)
    found: list[Found] = []
    behind = [*zip(a[1:], b[1:], strict=True), None]
    for x, y, then in zip(a, b, behind, strict=False):
        kind = _unlike(x, y) or _owned(x, y, then)
        if kind:
            found.append((kind, x, y))
    return found


def _owned(x: Item, y: Item, then: tuple[Item, Item] | None) -> str:
    """ "I got my dad's phone", "I got my dad a phone"; but "my dad's ill" is "my dad is ill"."""
    if x.owner == y.owner or then is None or then[0].copula or then[1].copula or "of" in (x.moved, y.moved):
        return ""
    if x.kind == "pronoun" or (x.low not in PEOPLE and y.low not in PEOPLE):
        return ""
    return "role"


def _same_keys(a: list[Item], b: list[Item]) -> list[Found]:
    """Pairs what is left over on both sides as synonyms or slips, gives the pairs one key, and returns the rest."""
    counts_a, counts_b = Counter(item.key for item in a), Counter(item.key for item in b)
    if counts_a == counts_b:
        return []
    rest_a, rest_b = _rest(a, counts_a - counts_b), _rest(b, counts_b - counts_a)
    only_a: list[Item] = []
    for x in rest_a:
        twin = next((y for y in rest_b if _same(x, y)), None)
        if twin is not None:
            rest_b.remove(twin)
            twin.key = x.key
        elif not _is_two(x, rest_b, b):
            only_a.append(x)
    rest_b = [y for y in rest_b if not _is_two(y, only_a, a)]
    if len(only_a) + len(rest_b) == 1:
        _drop_class(a, only_a)
        _drop_class(b, rest_b)
    return _named(only_a, rest_b)


def _is_two(x: Item, rest: list[Item], items: list[Item]) -> bool:
    """ "startup" and "start-up", "LH1234" and "LH 1234": two words of the other text are this one; they become one there."""
    for first, second in pairwise(rest):
        if second.start - first.end in (0, 1) and x.low == first.low + second.low:
            first.key, first.kind = x.key, x.kind
            for gone in (first, second):
                rest[:] = [item for item in rest if item is not gone]
            items[:] = [item for item in items if item is not second]
            return True
    return False


def _drop_class(items: list[Item], alone: list[Item]) -> None:
    """ "the function parse_date" is "parse_date"."""
    if not alone:
        return
    at = next(at for at, item in enumerate(items) if item is alone[0])
    if at and is_class_of(alone[0], items[at - 1]):
        del items[at]
        alone.clear()


def _rest(items: list[Item], surplus: Counter[str]) -> list[Item]:
    """The items behind a surplus of keys; of equal ones the last."""
    rest: list[Item] = []
    for item in reversed(items):
        if surplus[item.key] > 0:
            surplus[item.key] -= 1
            rest.append(item)
    rest.reverse()
    return rest


def _same(x: Item, y: Item) -> bool:
    if x.low == y.low and x.kind in ("word", "name") and y.kind in ("word", "name"):
        return True
    if x.kind not in ("word", "name") or y.kind not in ("word", "name") or opposite(x.key, y.key):
        return False
    if synonyms(stem(x.low)[0], stem(y.low)[0]) or american(x.low) == american(y.low):
        return True
    if x.kind == "name" or y.kind == "name":
        return False
    return synonyms(x.key, y.key) or _derived(x.key, y.key) or slip(x.low, y.low)


def _derived(a: str, b: str) -> bool:
    """A verb or adjective and its noun: organize and organization, happy and happiness."""
    short, long = sorted((a, b), key=len)
    if len(short) < 5 or short in _OTHER_ROOTS:
        return False
    return any(long == short + end for end in _NOMINAL)


def _named(only_a: list[Item], only_b: list[Item]) -> list[Found]:
    """Sets side by side, kind by kind, what each text has alone."""
    found: list[Found] = []
    waiting = list(only_b)
    for x in only_a:
        twin = next((y for y in waiting if _KINDS[y.kind] == _KINDS[x.kind]), None)
        if twin is not None:
            waiting.remove(twin)
        found.append((_name(x, twin), x, twin))
    found.extend((_name(y, None), None, y) for y in waiting)
    return found


def _name(x: Item, y: Item | None) -> str:
    if x.kind == "word" and y is not None and opposite(x.key, y.key):
        return "opposite"
    return _KINDS[x.kind]


def _misplaced(a: list[Item], b: list[Item], keys_a: list[str], keys_b: list[str]) -> list[Found]:
    """The same items in another order: somebody or something has another role."""
    moved_a: list[Item] = []
    moved_b: list[Item] = []
    for step in Indel.opcodes(keys_a, keys_b):
        if step.tag in ("delete", "replace"):
            moved_a.extend(a[step.src_start : step.src_end])
        if step.tag in ("insert", "replace"):
            moved_b.extend(b[step.dest_start : step.dest_end])
    return [("role", x, y) for x, y in zip(moved_a, moved_b, strict=False)]


def _unlike(x: Item, y: Item) -> str:
    """What tells two matched items apart, or ""."""
    if x.low != y.low and x.kind == y.kind == "word" and _only_look_alike(x, y):
        return "word"
    if x.question != y.question:
        return "question"
    if x.modal != y.modal:
        return "modality"
    if x.tense != y.tense and not _unchanged(x, y):
        return "tense"
    if _turned(x, y) or (x.role != y.role and _contrast(x, y)):
        return "role"
    if (x.owner != y.owner and x.kind == "name" and "of" not in (x.moved, y.moved)) or (
        x.moved and y.moved and x.moved != y.moved
    ):
        return "role"
    if x.one != y.one and not (x.single and y.single):
        return "quantity"
    if x.plural != y.plural and x.kind == y.kind == "word" and _counted(x, y):
        return "quantity"
    if x.pointer and y.pointer and x.pointer != y.pointer:
        return "word"
    return ""


def _only_look_alike(x: Item, y: Item) -> bool:
    """One key, two words: marie and mary, heroine and heroin, a painting and a paint."""
    if stem(x.low)[0] != stem(y.low)[0]:
        return False  # synonyms
    if (x.form == "ing") != (y.form == "ing") and (x if x.form == "ing" else y).noun:
        return True
    if x.form or y.form or x.plural or y.plural or x.low.endswith("ly") or y.low.endswith("ly"):
        return False
    return american(folded(_one_of(x.low))) != american(folded(_one_of(y.low)))


def _turned(x: Item, y: Item) -> bool:
    """ "I was fired" and "I fired"; but "I am scared" is "I am afraid"."""
    return x.passive != y.passive and not (x.copula or y.copula)


def _unchanged(x: Item, y: Item) -> bool:
    """ "quit" may be past or present; "hurt" and "hurts" may not be both."""
    if "bare" not in (x.tense, y.tense):
        return False
    return {x.tense, y.tense} == {"bare", "past"} or ({x.tense, y.tense} == {"bare", ""} and x.low == y.low)


def _counted(x: Item, y: Item) -> bool:
    """One cat and cats; a form in -s may also be a verb, which its subject decides on both sides alike."""
    return x.single or y.single or _one_of(x.low) == _one_of(y.low)


def _one_of(low: str) -> str:
    return PLURALS.get(low) or singular(low)


# Prepositions that people put for each other before a thing. All others tell apart: waiting for the bus, on the bus.
_ALIKE = frozenset(
    frozenset(pair.split())
    for pair in (
        "in at",
        "on at",
        "into in",
        "into to",
        "onto on",
        "about on",
        "at for",
        "of in",
        "of for",
        "during in",
        "about of",
    )
)


_SAME_WAY = ({"into", "to"}, {"into", "in"}, {"onto", "on"}, {"onto", "to"})


def _other_place(x: Item, y: Item) -> bool:
    if "" in (x.role, y.role):
        role = x.role or y.role
        if any(item.fresh and item.plural for item in (x, y)):  # a plural that was taken for a verb: "function | names"
            return False
        return role in ("from", "for", "with", "by", "about") or (role == "to" and x.noun and y.noun)
    return frozenset((x.role, y.role)) not in _ALIKE


def _contrast(x: Item, y: Item) -> bool:
    """Whether two prepositions before the same thing give it another role."""
    roles = {x.role, y.role}
    if roles in _SAME_WAY:
        return False
    if (x.role in CONTRASTED and y.role in CONTRASTED) or (roles == {"in", "for"} and x.kind == "number"):
        return True
    if x.kind in ("date", "number"):
        return "" not in roles and bool(roles & {"by", "from", "to"})
    if x.kind not in ("name", "pronoun") and x.low not in PEOPLE:
        return _other_place(x, y)
    if "" in roles:
        return bool(roles & {"from", "for", "with", "by", "than", "about"})
    return bool(roles & CONTRASTED) and roles != {"at", "for"}
