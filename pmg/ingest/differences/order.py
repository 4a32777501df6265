"""Brings the same roles into the same order: passive to active, "the dog of Anna" to "Anna's dog", what may stand
anywhere in its sentence to the end of it.

Knows: which moves keep who did what to whom. Every other order stays as it was said.
Does not know: the other text. Both texts are ordered by the same rules, then compared.
"""

from __future__ import annotations

from itertools import groupby

from pmg.ingest.differences.items import Item
from pmg.ingest.differences.moves import (
    alternatives,
    class_noun_last,
    compounds,
    equation,
    only_last,
    phrases_sorted,
    rates_last,
    work_as,
)
from pmg.ingest.differences.stems import singular, stem
from pmg.ingest.differences.words import PEOPLE

_FREE_PLACES = frozenset(["in", "at", "on", "for", "during", "with"])
_NO_AGENT = ("date", "number")  # "by Monday", "by ten percent"
_DATIVE = frozenset(
    stem(v)[0]
    for v in "give send show tell lend offer hand bring pass teach write sell pay owe read throw mail email forward".split()
)
_BENEFIT = frozenset(stem(v)[0] for v in "buy make cook get order find build bake".split())
_VERBS_OF = {"to": _DATIVE, "for": _BENEFIT}
_THINK = frozenset(stem(v)[0] for v in "think believe suppose guess reckon".split())
_TAKING = frozenset(
    stem(v)[0] for v in "like love hate want need have eat drink buy use know play speak bring get see".split()
)
_HAVING = frozenset(
    stem(v)[0] for v in "have want need see eat drink know like get use find own take speak buy say hear".split()
)
_NO = frozenset(["no", "nothing", "nobody"])
_SAYING = frozenset(
    stem(v)[0] for v in "say tell think promise hope know believe mention ask hear write announce claim".split()
)


def ordered(items: list[Item]) -> list[Item]:
    """The items in their settled order, sentence by sentence."""
    settled: list[Item] = []
    for _, group in groupby(items, key=_sentence):
        sentence = _sub_clause_last(list(group))
        for step in _STEPS:
            sentence = step(sentence)
        settled.extend(sentence)
    return _once(settled)


def _sentence(item: Item) -> int:
    return item.sentence


def _sub_clause_last(items: list[Item]) -> list[Item]:
    """ "If it rains, we stay" is "we stay if it rains"."""
    if len(items) < 3:
        return items
    so = [at for at, item in enumerate(items) if item.key == "so"]
    if so:
        return _cause_last(items, so)
    if items[0].kind != "condition" or items[0].key == "or":
        return items
    clauses = sorted({item.clause for item in items})
    if len(clauses) == 1:
        return _time_phrase_last(items)
    if len(clauses) != 2:
        return items
    return [item for item in items if item.clause != clauses[0]] + [item for item in items if item.clause == clauses[0]]


def _cause_last(items: list[Item], so: list[int]) -> list[Item]:
    """ "It rains, so we stay" is "we stay because it rains"."""
    at = so[0]
    if len(so) > 1 or at == 0 or any(item.kind == "condition" for item in items if item.key != "so"):
        return items
    items[at].key = "because"
    return [*items[at + 1 :], items[at], *items[:at]]


def _time_phrase_last(items: list[Item]) -> list[Item]:
    """ "After the run my knee hurts" without a comma: the phrase ends where a person comes in."""
    end = next((at for at, item in enumerate(items) if at > 1 and _opens_main(items, at)), 0)
    if items[1].kind == "date":  # "since Monday the printer is broken"
        end = next(at for at, item in enumerate([*items[1:], items[0]], 1) if item.kind != "date")
    if not end or end >= len(items) or items[end - 1].kind in ("condition", "question") or items[end].joined:
        return items
    return items[end:] + items[:end]


def _opens_main(items: list[Item], at: int) -> bool:
    if items[at].low in _SUBJECTS:
        return True
    return items[at].kind == "pronoun" and not any(item.tense or item.kind == "pronoun" for item in items[:at])


_SUBJECTS = frozenset(["i", "he", "she", "we", "they"])


def _type(item: Item) -> str:
    return item.key[0]


def _dates_last(items: list[Item]) -> list[Item]:
    """A day or time at the start or the end of a sentence says the same; in between it belongs to its neighbour."""
    dates = [item for item in items if item.kind == "date"]
    if not dates or any(item.key in _SAYING for item in items) or len({_type(item) for item in dates}) != len(dates):
        return items
    lead = 0
    while lead < len(items) and items[lead].kind == "date":
        lead += 1
    end = next((at for at, item in enumerate(items) if at > lead and item.kind == "condition"), len(items))
    tail = end
    while tail > lead and items[tail - 1].kind == "date":
        tail -= 1
    middle = items[lead:tail]
    if lead == len(items) or (lead and tail < end and len({item.clause for item in middle}) > 1):
        return items
    if not lead and tail == end:
        return _places_first(items, end)
    edge = sorted(items[:lead] + items[tail:end], key=lambda item: item.key)
    return middle + edge + items[end:]


def _places_first(items: list[Item], end: int) -> list[Item]:
    """ "at six at the station" is "at the station at six"."""
    start = end
    while start and (
        items[start - 1].kind == "date" or (items[start - 1].phrase and items[start - 1].role in ("in", "at", "on"))
    ):
        start -= 1
    if start == end or items[start].kind != "date":
        return items
    dates = sorted((item for item in items[start:end] if item.kind == "date"), key=lambda item: item.key)
    return items[:start] + [item for item in items[start:end] if item.kind != "date"] + dates + items[end:]


def _place_last(items: list[Item]) -> list[Item]:
    """ "In Berlin we met Anna" is "we met Anna in Berlin"."""
    if not items or not items[0].phrase or not _is_free(items[0]):
        return items
    size = sum(1 for item in items if item.phrase == items[0].phrase)
    while size < len(items) and items[size].phrase and items[size].role and items[size].clause == items[0].clause:
        size += 1  # "on the way to work | I"
    rest = items[size:]
    if (
        not rest
        or any(item.phrase == items[0].phrase for item in rest)
        or (items[size - 1].phrase != items[0].phrase and rest[0].low not in _SUBJECTS)
        or any(item.kind == "condition" for item in rest)
    ):
        return items
    if rest[0].kind != "pronoun" and not rest[0].fresh and rest[0].clause == items[0].clause:
        return items
    tail = len(rest)
    while tail and rest[tail - 1].kind == "date":
        tail -= 1
    for item in items[:size]:
        item.clause = rest[-1].clause
    return rest[:tail] + items[:size] + rest[tail:]


def _is_free(item: Item) -> bool:
    if item.role == "to":  # "to avoid traffic we leave early"
        return item.kind == "word" and not item.noun
    return item.role in _FREE_PLACES or (item.role == "by" and item.kind in _NO_AGENT)


def _adverbs_last(items: list[Item]) -> list[Item]:
    if not any(item.kind in ("adverb", "hedge") for item in items):
        return items
    begins = [at for at, item in enumerate(items) if at and _new_subject(items, at)]
    settled: list[Item] = []
    for start, end in zip([0, *begins], [*begins, len(items)], strict=True):
        settled += _adverbs_behind(items[start:end])
    return settled


def _new_subject(items: list[Item], at: int) -> bool:
    """ "it leaks again, | I think": a subject of its own opens a clause of its own."""
    return (
        items[at].clause != items[at - 1].clause
        and items[at].low in _SUBJECTS
        and any(item.kind not in ("adverb", "hedge") for item in items[:at])
    )


def _adverbs_behind(items: list[Item]) -> list[Item]:
    free = sorted((item for item in items if item.kind in ("adverb", "hedge")), key=lambda item: item.key)
    if not free or (any(item.kind == "negation" for item in items) and any(item.key != "anymore" for item in free)):
        return items  # "always not" and "not always" differ
    return [item for item in items if item.kind not in ("adverb", "hedge")] + free


def _passive(items: list[Item]) -> list[Item]:
    """ "Jonas was emailed by Anna" is "Anna emailed Jonas"."""
    for at, verb in enumerate(items):
        if not verb.passive:
            continue
        agent = [
            item
            for item in items[at + 1 :]
            if item.role == "by" and item.clause == verb.clause and item.kind not in _NO_AGENT
        ]
        counted = {item.phrase for item in items if item.kind in _NO_AGENT}
        agent = [item for item in agent if item.phrase not in counted]
        if not agent:
            continue
        agent = [item for item in agent if item.phrase == agent[0].phrase]
        begin = at
        while begin and items[begin - 1].clause == verb.clause and items[begin - 1].kind != "condition":
            begin -= 1
        subject = items[begin:at]
        kept = [item for item in subject if item.kind == "negation"]
        subject = [item for item in subject if item.kind != "negation"]
        rest = [item for item in items[at + 1 :] if item not in agent]
        for item in agent:
            item.role = ""
        verb.passive = False
        return items[:begin] + agent + kept + [verb] + subject + rest
    return items


def _of(items: list[Item]) -> list[Item]:
    """ "the manager of the team" is "the team manager"."""
    settled: list[Item] = []
    for item in items:
        if item.role == "of" and settled and item.kind in ("word", "name", "pronoun"):
            back = len(settled)
            while back and settled[back - 1].phrase == item.phrase and settled[back - 1].role == "of":
                back -= 1
            head = settled[back - 1] if back else None
            if head and back > 1 and settled[back - 2].kind == "number":  # "16 GB of RAM" is "16 GB RAM"
                item.role = ""
            elif (
                head
                and head.kind in ("word", "name")
                and head.sentence == item.sentence
                and head.tense != "past"
                and (head.noun or not head.copula)  # "is sick of", "is full of", "is scared of"
                and not head.passive
            ):
                settled.insert(back - 1, item)
                item.role, item.owner, item.moved = head.role, item.kind != "word", "of"
                item.phrase = head.phrase
                continue
        settled.append(item)
    return settled


def _dative(items: list[Item]) -> list[Item]:
    """ "gave the book to Anna" is "gave Anna the book"."""
    for at, item in enumerate(items):
        verbs = _VERBS_OF.get(item.role)
        if verbs is None or not _is_person(item) or (at and items[at - 1].phrase == item.phrase):
            continue
        end = at + 1
        while end < len(items) and items[end].phrase == item.phrase and _is_person(items[end]):
            end += 1
        for back in range(at - 1, max(-1, at - 5), -1):
            before = items[back]
            if before.kind == "word" and before.key in verbs:
                if items[end - 1].owner:
                    break
                for moved in items[at:end]:
                    moved.role = ""
                return [*items[: back + 1], *items[at:end], *items[back + 1 : at], *items[end:]]
            if before.kind in ("name", "pronoun") and not before.owner:
                break
    return items


def _is_person(item: Item) -> bool:
    return item.kind in ("name", "pronoun") or item.low in PEOPLE or singular(item.low) in PEOPLE


def _negation(items: list[Item]) -> list[Item]:
    """ "have no money" is "do not have money"; "do not think it will" is "think it will not"; "no dogs are" is "dogs are not"."""
    settled = list(items)
    if (
        len(settled) > 2
        and settled[0].low == "no"
        and settled[1].kind == "word"
        and (settled[2].passive or settled[2].copula)
    ):
        settled[0], settled[1] = settled[1], settled[0]
    for at in range(len(settled) - 1):
        first, second = settled[at], settled[at + 1]
        if (first.key in _HAVING and second.kind == "negation" and second.low in _NO) or (
            first.kind == "negation"
            and first.key == "not"
            and (second.key in _THINK or (second.kind == "pronoun" and second.question))
        ):
            settled[at], settled[at + 1] = second, first
    return settled


def _lists(items: list[Item]) -> list[Item]:
    """ "Anna and Jonas" is "Jonas and Anna" where nothing but the list stands before or after."""
    settled = list(items)
    at = 0
    while at < len(settled):
        end = at + 1
        while end < len(settled) and settled[end].joined and _alike(settled[at], settled[end]):
            end += 1
        if (
            end - at > 1
            and settled[end - 1].joined == "and"
            and settled[at].kind in ("name", "pronoun", "word")
            and _stands_alone(settled, at, end)
        ):
            run = settled[at:end]
            marks = [(item.clause, item.joined, item.role, item.phrase, item.tense, item.modal) for item in run]
            run.sort(key=lambda item: item.key)
            for item, mark in zip(run, marks, strict=True):
                item.clause, item.joined, item.role, item.phrase, item.tense, item.modal = mark
            settled[at:end] = run
        at = end
    return settled


def _alike(first: Item, other: Item) -> bool:
    if other.tense:
        return False
    return other.kind == first.kind or (other.kind == "name" and first.text[:1].isupper())


def _stands_alone(items: list[Item], at: int, end: int) -> bool:
    if any(item.owner for item in items[at:end]):
        return False
    closed = (
        end == len(items)
        or (items[end].role != "" and items[end].role != items[at].role)
        or items[end].kind in ("date", "adverb")
    )
    if not closed:
        return at == 0 and (items[at].kind == "pronoun" or items[at].text[:1].isupper())
    before = items[at - 1] if at else None
    return (
        before is None
        or (before.key == "between" and end == at + 2)
        or items[at].role != before.role
        or before.tense != ""
        or before.kind == "pronoun"
        or items[at].kind == "name"
        or before.key in _TAKING
    )


def _once(items: list[Item]) -> list[Item]:
    """Drops a pronoun that only repeats the last person spoken of: "I went and I saw", "I lost my keys"."""
    last = plain = ""  # the last person mentioned at all, and not as an owner
    kept: list[Item] = []
    subject, before = "", None
    for item in items:
        opens = before is None or before.clause != item.clause
        before = item
        if opens and item.low in _SUBJECTS:
            if item.key == subject and kept and not _is_person(kept[-1]):
                last = plain = item.key
                continue
            subject = item.key
        elif opens and _is_person(item):
            subject = ""
        if item.kind in ("pronoun", "name") and item.key != "self":
            person = item.key
            if item.kind == "pronoun" and person == (last if item.owner else plain) and person == last:
                continue
            last = person
            plain = "" if item.owner else person
            if item.kind == "pronoun" and item.owner:
                item.key = person + "'s"
        kept.append(item)
    return kept


_STEPS = (
    work_as, rates_last, _dates_last, _place_last, _adverbs_last, _passive, _of, _dative, compounds, phrases_sorted, _negation, _lists,
    alternatives, class_noun_last, only_last, equation,
)  # fmt: skip
