"""One block of words that stands elsewhere in the sentence: "Last spring I moved to Berlin" / "I moved to Berlin last spring".

It may not cross into another clause, nor a word that would then apply to something else, nor land behind another noun or an event with a time of its own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pmg.ingest.guard import tables
from pmg.ingest.guard.words import Token, stops

MAX_DISTANCE = 40  # words from the one place to the other: beyond, it is another sentence
SHARED = 3  # "in Rome in May" / "in May in Rome": so many equal words at the edges may belong to the blocks
Tokens = Sequence[Token]


@dataclass(frozen=True, slots=True)
class Move:
    """a[start:cut] and a[cut:end] have changed places in b."""

    start: int
    cut: int
    end: int

    def order(self, size: int) -> list[int]:  # for each word of b, the place in a that it comes from
        return [*range(self.start), *range(self.cut, self.end), *range(self.start, self.cut), *range(self.end, size)]


def moved(a: Tokens, b: Tokens) -> Move | None:
    """The one harmless move that makes b of a, if there is one."""
    for move in _swaps([token.key for token in a], [token.key for token in b]):
        back = Move(move.start, move.start + move.end - move.cut, move.end)
        if _marks_fit(a, b, move) and _is_harmless(a, b, move) and _is_harmless(b, a, back):
            return move
    return None


def _swaps(a: list[str], b: list[str]) -> Iterator[Move]:
    """Every way in which two neighbouring blocks of a, changed about, make b."""
    unlike = [i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y]
    start, end = unlike[0], unlike[-1] + 1
    if len(a) != len(b) or end - start > MAX_DISTANCE:
        return
    for first in range(start, max(start - SHARED, 0) - 1, -1):
        for last in range(end, min(end + SHARED, len(a) - 1) + 1):
            for cut in range(first + 1, last):
                if a[cut] == b[first] and a[cut:last] + a[first:cut] == b[first:last]:
                    yield Move(first, cut, last)


def _marks_fit(a: Tokens, b: Tokens, move: Move) -> bool:
    """All marks are as they were, but for commas where the block was and where it is; compare.py looks at the end."""
    cut = move.start + move.end - move.cut
    for at, source in enumerate(move.order(len(a) - 1)):
        here, there = b[at].marks, a[at if at in (move.start, move.end) else source].marks
        if at == cut:  # in both texts the second block begins within a sentence
            here, there = (*here, *a[move.cut].marks), ()
        if here != there and (at not in (move.start, cut, move.end) or set(here) ^ set(there) != {","}):
            return False
    return True


def _is_harmless(a: Tokens, b: Tokens, move: Move) -> bool:
    before, first, second, after = a[: move.start], a[move.start : move.cut], a[move.cut : move.end], a[move.end]
    last = not after.key or stops(after.marks)
    # What follows must not belong to the noun before it: "He met Anna in Rome(,) who …"
    free = last or (after.marks and b[move.end].marks) or after.key in tables.OPENERS
    ways = ((first, second), (second, first))
    twins = first[0].key == second[0].key and _is_time(first) == _is_time(second)  # "for Anna for Tom"
    if any(_is_date(*way) for way in ways) or twins or not free or after.key in tables.RELATIVES:
        return any(_is_date(*way) for way in ways)
    return any(_may_front(*way, last) if first[0].opens else _may_change(*way, before) for way in ways)


def _is_date(days: Tokens, month: Tokens) -> bool:
    """Is it "3 March" / "March 3", or "3 and 4 March"?"""
    named = len(month) == 1 and month[0].key in tables.MONTHS and month[0].capital
    return named and all(token.key == "and" or (token.key.isdecimal() and len(token.key) < 3) for token in days)


def _may_front(block: Tokens, crossed: Tokens, last: bool) -> bool:
    """May the block open the sentence as well as stand behind the crossed words?"""
    if not _is_phrase(block) or _is_barred(crossed, block) or _is_clause(crossed):
        return False
    pointing, own = ({token.key for token in words} & tables.THIRD_PERSONS for words in (crossed, block))
    if _is_clause(block):  # not "When John left, he cried" / "He cried when John left"
        return last and (not pointing or bool(own))
    # not "He met a man with a house in Rome" / "In Rome he met a man with a house", nor "I saw the man | in the car"
    thing = block[0].key != "for" and tables.DETERMINERS & {token.key for token in crossed[1:][-3:]}
    mixed = own or thing or any(token.key in tables.BEHIND_NOUNS for token in (*block[1:], *crossed))
    return _is_time(block) or not mixed


def _may_change(block: Tokens, crossed: Tokens, before: Tokens) -> bool:
    """May the block change places with its neighbour within a sentence?"""
    if not _is_phrase(block) or _is_barred(crossed, block) or _is_clause(block) or _is_clause(crossed):
        return False
    near, key = [token.key for token in before[-3:]], crossed[0].key
    if near[-1] in tables.BE | {"i", "he", "she", "we", "they"}:  # "He was in 1905 elected"
        return key not in tables.BE
    noun = tables.DETERMINERS & set(near) and not _is_time(block)  # "the man | in the car"
    return not noun and (key == "as" or _is_phrase(crossed))


def _is_phrase(block: Tokens) -> bool:
    """Is it one phrase that opens with a preposition or a time word? Not "over 100 people"."""
    if _is_time(block) or len(block) < 2 or (block[0].key in tables.ABOUTS and block[1].exact):
        return _is_time(block)
    return block[0].key in tables.PREPOSITIONS | tables.CLAUSES and not _is_barred(block, block)


def _is_time(block: Tokens) -> bool:
    known = all(token.key in tables.TIME_WORDS or token.key[0].isdigit() for token in block)
    named = any(token.key in tables.TIME_NOUNS or token.key[0].isdigit() for token in block)
    opened = block[0].key in tables.PREPOSITIONS | tables.TIME_OPENERS
    return known and named and opened and not any(stops(token.marks) for token in block[1:])


def _is_clause(block: Tokens) -> bool:
    return block[0].key in tables.CLAUSES and not _is_time(block)


def _is_barred(words: Tokens, block: Tokens) -> bool:
    """Does a new clause begin after the first of these words, or would one of them apply to something else?"""
    keys = [token.key for token in words]
    barriers = tables.BARRIERS if _is_time(block) or _is_clause(block) else tables.BARRIERS | tables.FREQUENCIES
    if block[0].key not in tables.TIME_OPENERS:  # "not last night" is never meant, "not on Monday" may be
        barriers |= tables.NEGATIONS
    places, dated = range(1, len(words) if words is not block else 1), _is_time(block) and block[0].key != "every"
    about = any(_is_of_noun(words, at) or (dated and _is_event(keys, at)) for at in places)
    if about or tables.SAYING & set(keys[:-1]) or barriers & set(keys[keys[0] in tables.OPENERS :]):
        return True
    marks = {mark for token in words[1:] for mark in token.marks}
    return bool(marks - set(",'\"()")) or any(_begins_clause(words, at, _is_time(block)) for at in range(len(words)))


def _is_of_noun(words: Tokens, at: int) -> bool:
    """Does a clause about the noun before it begin here: "the boat | my father built", "friends | we met", "the car | parked there"?"""
    key, last = words[at].key, words[at - 1].key
    noun = tables.DETERMINERS & {token.key for token in words[1 : max(at - 1, 1)][-2:]}
    deed = last.endswith(("ed", "ing")) and not noun and not last.endswith("thing")  # "expecting | our second child"
    if deed or last in tables.NO_NOUNS or key in tables.TIME_WORDS - tables.DETERMINERS - {"by"}:
        return False
    if key in tables.SUBJECTS | {"by"} or key.endswith(("ed", "ing")):
        return bool(noun) or key in ("i", "he", "she", "we", "they")
    end = next((i for i in range(at + 1, len(words)) if words[i].key in tables.OPENERS | {"and"}), len(words))
    thing = key in tables.DETERMINERS  # of "our parents" or "Anna" alone nothing is told
    return (thing or (words[at].capital and not words[at - 1].capital)) and at > 2 and end - at > 1 + thing


def _is_event(keys: list[str], at: int) -> bool:
    """May a time behind it be its own: "my appointment | on Thursday", "about the flood | last week", "considered quitting | in May"?"""
    start = next((i for i in range(max(at - 3, 0), at) if keys[i] in tables.DETERMINERS or keys[i][-2:] == "'s"), at)
    key, holder, before = keys[at], keys[start - 1], keys[max(start - 2, 0)]
    goes = holder == "to" and before in tables.BEFORE_TO
    if start == 0 or goes or holder in tables.HOLDING or key in tables.TIME_WORDS:
        return False
    if start == at and key.endswith("ing") and len(key) > 5 and not key.endswith("thing"):
        return not tables.BE & {before, holder}
    matter = holder in ("for", "about", "against") or (holder == "of" and before != "out")
    known = key in tables.EVENTS and (start < at or holder in tables.PREPOSITIONS | {"of"})
    return known or (matter and keys[start] in ("the", "a", "an"))


def _begins_clause(words: Tokens, at: int, time: bool) -> bool:
    """Is it "to" before a verb, or "and" or a comma before another deed? A time may cross to a deed of the same doer."""
    key, before, after = words[at].key, words[:at], words[at + (words[at].key in ("and", "to")) :]
    if key == "to":
        thing = after and (after[0].capital or after[0].key in tables.DETERMINERS or not after[0].key.islower())
        return not thing and not (before and before[-1].key in tables.BEFORE_TO)
    if key != "and" and not (before and "," in words[at].marks):
        return False
    if all(token.capital for token in before) or (at == 2 and before[0].key in tables.DETERMINERS):
        return False  # "Anna and Tom", "my wife and I"
    return len(after) != 1 and not (time and after and (after[0].key.endswith("ed") or after[0].key in tables.BE))
