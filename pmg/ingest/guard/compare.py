"""Whether two texts say the same in the same words, and if not, in what they differ.

Nothing is understood: another word for the same thing is a difference. In doubt two texts differ, and a person decides.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from pmg.ingest.guard import tables
from pmg.ingest.guard.moves import Tokens, moved
from pmg.ingest.guard.words import Token, read

INTRO = 8  # words of an opening phrase, after which a comma is free: "In the end(,) we left"
ALIGNED = 400  # words that are set side by side to say where texts differ: aligning costs the square
Span = tuple[int, int]
Found = tuple[str, Span, Span]  # kind, and where in each text
Reader = Callable[[str], tuple[Token, ...]]


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs: its kind, and the words of each text for showing ("" where a text has none)."""

    kind: str
    a: str
    b: str


def differences(a: str, b: str) -> tuple[Difference, ...]:
    """What differs between two texts; an empty tuple means that the one may stand for the other."""
    return tuple(dict.fromkeys(Difference(kind, a[slice(*x)], b[slice(*y)]) for kind, x, y in found_in(a, b)))


def is_same(a: str, b: str, reader: Reader = read) -> bool:
    """Are there no differences? Whoever compares one text with many gives a reader that remembers what it read."""
    return found_in(a, b, reader) == []  # other words are never none, and are not set side by side to see it


def found_in(a: str, b: str, reader: Reader = read) -> Iterable[Found]:
    """Each difference with its place in both texts: a list, or an iterator over words that differ, at least one."""
    x, y = reader(a), reader(b)
    if a == b or min(len(x), len(y)) == 1:  # 1: no word in it
        return [] if a == b else [("word", (0, len(a)), (0, len(b)))]
    if [token.key for token in x] == [token.key for token in y]:
        return [*_capitals(x, y, range(len(x))), *_marks(x, y, range(len(x)))]
    if move := moved(x, y):
        return [*_capitals(x, y, move.order(len(x))), *_marks(x, y, [len(x) - 1])]
    return _words(x, y)


def _capitals(x: Tokens, y: Tokens, order: Sequence[int]) -> Iterator[Found]:
    """A capital letter makes a name of a word, in German a noun: it is free only at a beginning, and where every word has one."""
    heading = len(x) > 5 and any(all(token.capital for token in words[:-1]) for words in (x, y))
    for token, other in ((x[at], y[to]) for to, at in enumerate(order) if not heading):
        free = token.opens or other.opens or token.key in tables.MONTHS - {"may"} or token.key == "i"
        if token.capital != other.capital and (not free or token.key in tables.TWO_MEANINGS):
            yield "capital letter", (token.start, token.end), (other.start, other.end)


def _marks(x: Tokens, y: Tokens, places: Iterable[int]) -> Iterator[Found]:
    """Marks count, but for those at the end and the commas that are free, if only one of the texts has more of them."""
    unlike = [at for at in places if x[at].marks != y[at].marks]
    both = len({len(x[at].marks) > len(y[at].marks) for at in unlike if x[at].key}) > 1
    for at in unlike:
        marks, others = set(x[at].marks), set(y[at].marks)
        comma = marks ^ others == {","} and not both and _is_free_comma(x, at) and _is_free_comma(y, at)
        if not (comma if x[at].key else _is_same_end(marks, others, x, y)):
            kind = "question" if "?" in marks ^ others else "punctuation"
            yield kind, (x[max(at - 1, 0)].start, x[at].end), (y[max(at - 1, 0)].start, y[at].end)


def _is_free_comma(tokens: Tokens, at: int) -> bool:
    """Is it before a lone "and", or after an opening phrase or greeting? Not "Let's eat(,) Grandma"."""
    joining, (start, end) = ("and", "or", "but"), (max(at - INTRO, 0), at + INTRO)
    if tokens[at].key in joining:  # not "Anna or Tom, and Sue" / "Anna, or Tom and Sue"
        return sum(token.key in joining for token in tokens[start:end]) == 1
    first = next((i for i in range(at - 1, start - 1, -1) if tokens[i].opens), at)
    subject = tokens[at].capital or tokens[at].key in tables.DETERMINERS | tables.SUBJECTS  # not "In short(,) texts …"
    phrase = tokens[first].key in tables.OPENERS and not any(token.marks for token in tokens[first + 1 : at])
    return (subject and phrase) or (tokens[first].key in tables.GREETINGS and first == at - 1)


def _is_same_end(marks: set[str], others: set[str], *texts: Tokens) -> bool:
    """A full stop at the very end is free; a question mark is where the words ask and no full stop denies it."""
    starts = [(x, next(at for at in range(len(x) - 2, -1, -1) if x[at].opens)) for x in texts]
    firsts = [x[at + (x[at].key in ("what", "where", "who", "which"))].key for x, at in starts]
    return marks - {"."} == others - {"."} or (marks | others == {"?"} and all(key in tables.ASKING for key in firsts))


def _words(x: Tokens, y: Tokens) -> Iterator[Found]:
    """Where the words differ. What both begin and end with is set aside first, so that one change in a long text is cheap."""
    a, b = [token.key for token in x], [token.key for token in y]
    short = min(len(a), len(b))
    start = next((i for i in range(short) if a[i] != b[i]), short)
    same = next((i for i in range(short - start) if a[-1 - i] != b[-1 - i]), short - start)
    left, right = a[start : len(a) - same], b[start : len(b) - same]
    changes, mixed = [("", 0, len(left), 0, len(right))], sorted(left) == sorted(right)
    if not mixed and max(len(left), len(right)) <= ALIGNED:
        changes = [code for code in SequenceMatcher(None, left, right, False).get_opcodes() if code[0] != "equal"]
    for _, i, to, j, end in changes:
        kind = "order" if mixed else _kind(x[start + i : start + to], y[start + j : start + end])
        yield kind, _span(x, start + i, start + to), _span(y, start + j, start + end)


def _span(x: Tokens, start: int, end: int) -> Span:
    return x[start].start, x[end - 1].end if start < end else x[start].start


def _kind(only: Tokens, others: Tokens) -> str:
    """How a person is told, by the gravest thing in it."""
    odd = {token.key: token for token in (*only, *others)}
    if tables.NEGATIONS & odd.keys():
        return "negation"
    if tables.NUMBERS & odd.keys() or any(re.fullmatch(r"\W*\d[\d\W]*\w{0,3}", key) for key in odd):
        return "number"
    if [token.key.lower() for token in only] == [token.key.lower() for token in others]:
        return "capital letter"
    exact = any(token.exact and key.isascii() for key, token in odd.items())
    name = any(token.capital and not token.opens for token in odd.values())
    return "exact text" if exact else "name" if name else "word"
