"""More moves that keep the meaning: prepositional phrases that may change places, alternatives in a question, compounds.

Knows: single moves, each from one sentence's items to the same items in a settled order.
Does not know: in which sequence the moves are made (order.py).
"""

from __future__ import annotations

from itertools import groupby

from pmg.ingest.differences.items import Item
from pmg.ingest.differences.stems import stem
from pmg.ingest.differences.words import PEOPLE

_FREE = frozenset(["in", "at", "on", "with", "as", "for", "from", "during"])
_COMPOUND = frozenset(["for", "about"])
_TAKEN = _COMPOUND | {"to"}
_ALLERGY = stem("allergy")[0]
_NAMED_CLASSES = frozenset(stem(word)[0] for word in ("class", "function", "method", "module", "table", "component"))
_CLASSES = frozenset(
    stem(word)[0]
    for word in "function method class module package command script branch variable table column file folder endpoint".split()
)


def is_code(item: Item) -> bool:
    """parse_date, PaymentGateway, test_login.py: the name of a thing in a program."""
    return item.kind == "name" and (not item.text.isalpha() or any(letter.isupper() for letter in item.text[1:]))


def is_class_of(item: Item, neighbour: Item) -> bool:
    return item.kind == "word" and item.key in _CLASSES and is_code(neighbour)


def class_noun_last(items: list[Item]) -> list[Item]:
    """ "the class PaymentGateway" is "the PaymentGateway class"."""
    settled = list(items)
    for at in range(len(settled) - 1):
        named = settled[at].key in _NAMED_CLASSES and settled[at + 1].kind == "name"
        if named or is_class_of(settled[at], settled[at + 1]):
            settled[at], settled[at + 1] = settled[at + 1], settled[at]
    return settled


def phrases_sorted(items: list[Item]) -> list[Item]:
    """ "at Siemens as an engineer" is "as an engineer at Siemens": phrases at the end that begin with different words."""
    end = len(items)
    while end and items[end - 1].kind in ("date", "adverb", "hedge"):
        end -= 1
    start = end
    while start and items[start - 1].phrase and items[start - 1].role in _FREE and items[start - 1].kind != "condition":
        start -= 1
    groups = [list(group) for _, group in groupby(items[start:end], key=lambda item: item.phrase)]
    roles = [group[0].role for group in groups]
    if len(groups) < 2 or len(set(roles)) != len(roles) or any(item.joined == "and" for item in items[start:end]):
        return items
    groups.sort(key=lambda group: group[0].role)
    return [*items[:start], *(item for group in groups for item in group), *items[end:]]


def work_as(items: list[Item]) -> list[Item]:
    """ "works as a nurse" is "is a nurse"."""
    at = next((at for at, item in enumerate(items) if item.kind == "word" and item.key == "work"), -1)
    if at < 0:
        return items
    verb = items[at]
    trade = [item for item in items[at + 1 :] if item.role == "as" and item.clause == verb.clause]
    if not trade or any(item.phrase != trade[0].phrase for item in trade) or trade[0].kind != "word":
        return items
    trade[0].tense, trade[0].modal, trade[0].copula = verb.tense, verb.modal, True
    for item in trade:
        item.role = ""
    rest = [item for item in items[at + 1 :] if not any(item is other for other in trade)]
    return [*items[:at], *trade, *rest]


def compounds(items: list[Item]) -> list[Item]:
    """ "ideas for a birthday party" is "birthday party ideas". What stood between them is kept: a book for dogs is none
    about dogs."""
    settled: list[Item] = []
    for item, follows in zip(items, [*items[1:], None], strict=True):
        back = len(settled)
        while back and settled[back - 1].phrase == item.phrase and settled[back - 1].role in _TAKEN:
            back -= 1
        head = settled[back - 1] if back else None
        counted = back < len(settled) and settled[back].kind == "number"  # "for three years"
        listed = follows is not None and follows.joined == "and" and follows.phrase == item.phrase  # "to cats and dust"
        if head is not None and not counted and not listed and _is_compound(item, head):
            item.moved, item.role, item.phrase, item.plural = item.role, head.role, head.phrase, False
            settled.insert(back - 1, item)
        else:
            settled.append(item)
    return settled


def _is_compound(item: Item, head: Item) -> bool:
    return (
        (item.role in _COMPOUND or (item.role == "to" and head.key == _ALLERGY))
        and item.kind == "word"
        and item.low not in PEOPLE
        and not item.tense
        and item.form != "ing"
        and head.kind == "word"
        and head.noun
        and head.phrase != item.phrase
        and head.clause == item.clause
        and not head.tense
    )


def alternatives(items: list[Item]) -> list[Item]:
    """ "By card or cash" is "by cash or card"; in a question "take the train or rent a car" is "rent a car or take the train"."""
    at = [i for i, item in enumerate(items) if item.key == "or"]
    if len(at) != 1:
        return items
    middle = at[0]
    right = items[middle + 1 :]
    size = len(right)
    if not items[middle].question and (size != 1 or right[0].form or any(item.kind == "negation" for item in items)):
        return items
    left = items[max(0, middle - size) : middle]
    if not 0 < size < 4 or len(left) != size or [_shape(item) for item in left] != [_shape(item) for item in right]:
        return items
    first, second = sorted((left, right), key=lambda side: [item.key for item in side])
    if first is right:
        for x, y in zip(left, right, strict=True):
            x.tense, y.tense, x.modal, y.modal, x.role, y.role = y.tense, x.tense, y.modal, x.modal, y.role, x.role
    return [*items[: middle - size], *first, items[middle], *second]


def _shape(item: Item) -> str:
    return "thing" if item.kind in ("word", "name") else item.kind


def only_last(items: list[Item]) -> list[Item]:
    """ "It only happens in Firefox" is "it happens only in Firefox": a verb and one phrase behind it, nothing else."""
    at = next((at for at, item in enumerate(items) if item.key == "only"), -1)
    if at < 0 or at + 2 >= len(items) or items[at + 1].kind != "word" or items[at + 1].phrase:
        return items
    rest = items[at + 2 :]
    amount = rest[0].kind == "number" and len(rest) < 3  # "it lasts only four hours"
    if not amount and (not rest[0].phrase or any(item.phrase != rest[0].phrase for item in rest)):
        return items
    return [*items[:at], items[at + 1], items[at], *rest]


def rates_last(items: list[Item]) -> list[Item]:
    """ "my monthly budget is 400" is "my budget is 400 a month"."""
    rates = [item for item in items if item.kind == "date" and item.key.endswith("*")]
    if len(rates) != 1 or not any(item.kind == "number" for item in items):
        return items
    rates[0].role = ""
    return [item for item in items if item is not rates[0]] + rates


def equation(items: list[Item]) -> list[Item]:
    """ "My favourite dish is lasagna" is "lasagna is my favourite dish"."""
    at = next((at for at, item in enumerate(items) if item.copula), 0)
    if not at or not any(item.owner for item in items) or not _is_equation(items):
        return items
    tense, items[at].tense = items[at].tense, ""
    items[at].copula = False
    if at > 1 and items[at - 1].owner and items[at - 1].kind == "pronoun":  # "Ada is | my boss"
        at -= 1
    left, right = items[:at], items[at:]
    first, second = sorted((left, right), key=lambda side: (len(side), side[0].key))
    if min(len(left), len(right)) != 1 and not any(all(item.kind == "name" for item in side) for side in (left, right)):
        first, second = left, right
    second[0].tense = tense
    return first + second


def _is_equation(items: list[Item]) -> bool:
    return (
        sum(item.copula for item in items) == 1
        and len({item.clause for item in items}) == 1
        and not any(item.role or item.kind not in ("word", "name", "pronoun") or item.modal for item in items)
    )
