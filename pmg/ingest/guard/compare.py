"""Whether two texts have the same words in the same order, and if not, in what they differ.

Nothing is understood: another word for the same thing, a phrase that stands elsewhere and a comma more are differences. In doubt two texts differ, and a
person decides. What is free is only how a text is typed (words.py), the full stop at its end and the capital letter at the beginning of a sentence.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from pmg.base.calendar_words import MONTHS, WEEKDAYS
from pmg.base.patterns import plain
from pmg.ingest.guard.words import Token, pictures, read

ALIGNED = 400  # words that are set side by side to say where texts differ: aligning costs the square
Span = tuple[int, int]
Found = tuple[str, Span, Span]  # kind, and where in each text
Tokens = Sequence[Token]
Reader = Callable[[str], tuple[Token, ...]]
NEGATIONS = frozenset("not no never nobody nothing without nicht kein keine nie".split())
_NUMBER = plain(r"\W*\d[\d\W]*\w{0,3}")
_CALENDAR = frozenset((*MONTHS, *WEEKDAYS)) - {"may", "march", "august"}
_POLITE = frozenset("sie ihr ihre ihren ihrem ihnen".split())  # to whom it is said, even at the beginning of a sentence


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
        return [*_capitals(x, y), *_marks(x, y), *_pictures(a, b)]
    return _words(x, y)


def _capitals(x: Tokens, y: Tokens) -> Iterator[Found]:
    """A capital letter makes a name of a word, in German a noun: it is free only at a beginning, and where every word has one."""
    if len(x) > 5 and any(all(token.capital for token in words[:-1]) for words in (x, y)):  # a heading
        return
    for token, other in zip(x, y, strict=True):
        free = token.opens or other.opens or token.key in _CALENDAR or token.key == "i"
        if token.capital != other.capital and (not free or token.key in _POLITE):
            yield "capital letter", (token.start, token.end), (other.start, other.end)


def _marks(x: Tokens, y: Tokens) -> Iterator[Found]:
    for at, (token, other) in enumerate(zip(x, y, strict=True)):
        unlike = set(token.marks) ^ set(other.marks)
        if token.marks != other.marks and (token.key or unlike - {"."}):
            before = max(at - 1, 0)
            kind = "question" if "?" in unlike else "punctuation"
            yield kind, (x[before].start, token.end), (y[before].start, other.end)


def _pictures(a: str, b: str) -> Iterator[Found]:
    """What one text ends with is free; two that are not the same may say two things."""
    x, y = pictures(a), pictures(b)
    if x and y and x != y:
        yield "emoji", (len(a.rstrip()) - len(x), len(a)), (len(b.rstrip()) - len(y), len(b))


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
    if NEGATIONS & odd.keys():
        return "negation"
    if any(_NUMBER.fullmatch(key) for key in odd):
        return "number"
    if [token.key.lower() for token in only] == [token.key.lower() for token in others]:
        return "capital letter"
    exact = any(token.exact and key.isascii() for key, token in odd.items())
    name = any(token.capital and not token.opens for token in odd.values())
    return "exact text" if exact else "name" if name else "word"
