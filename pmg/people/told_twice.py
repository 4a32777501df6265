"""Which of many things may be told twice: those whose words tell nothing that another's do not. Pure.

Not each is compared with each: a thing is filed under its rarest word, and whatever has all its words has that one too.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

Words = frozenset[str]


def nested(things: Iterable[Words]) -> Iterator[tuple[Words, Words]]:
    """The pairs of different things of which the first has no word that the second has not."""
    distinct = set(things)
    filed = _filed(distinct)
    return ((smaller, thing) for thing in distinct for smaller in _held(thing, filed))


def any_nested(some: Collection[Words], others: Collection[Words]) -> bool:
    """Whether a thing of the first has all the words of a different one of the second, or the other way round."""
    first, second = _filed(set(some)), _filed(set(others))
    return _any_has_one(some, second) or _any_has_one(others, first)


def told_first(things: Sequence[Words]) -> list[int]:
    """The places of those that are no other telling of one before them that is kept."""
    first = {thing: at for at, thing in reversed(list(enumerate(things)))}
    alike: defaultdict[Words, set[Words]] = defaultdict(set)
    for smaller, larger in nested(first):
        alike[smaller].add(larger)
        alike[larger].add(smaller)
    kept: set[Words] = set()
    for thing in sorted(first, key=first.__getitem__):
        if kept.isdisjoint(alike[thing]):
            kept.add(thing)
    return sorted(first[thing] for thing in kept)


def _filed(things: Collection[Words]) -> Mapping[str, Sequence[Words]]:
    """Each under its rarest word."""
    often = Counter(word for thing in things for word in thing)
    found: defaultdict[str, list[Words]] = defaultdict(list)
    for thing in things:
        found[min(thing, key=lambda word: (often[word], word), default="")].append(thing)
    return found


def _held(thing: Words, filed: Mapping[str, Sequence[Words]]) -> Iterator[Words]:
    """The others that have no word but its own."""
    return (other for word in ("", *thing) for other in filed.get(word, ()) if other <= thing and other != thing)


def _any_has_one(things: Iterable[Words], filed: Mapping[str, Sequence[Words]]) -> bool:
    return any(next(_held(thing, filed), None) is not None for thing in set(things))
