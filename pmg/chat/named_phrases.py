"""Whom and what a short text names: "mum", "my sister's birthday", "the pottery class", "Pauls Geigenstunde".

Knows: how such phrases look in English and German, and where they end. Which words mean people is person_words.py's; other than that it has no dictionary: where an
English phrase ends is told by the words that end one. What is done with the phrases of a question is follow_up.py's and pronouns.py's. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pmg.base.calendar_words import GERMAN_WEEKDAYS, MONTHS, ONLY_GERMAN_MONTHS, WEEKDAYS
from pmg.base.verbs import ADVERBS, PASTS, is_participle, plain
from pmg.base.words import STOP_WORDS
from pmg.chat.person_words import FAMILY, LIVING, PEOPLE, gender_of
from pmg.chat.phrases import german
from pmg.people.subjects import TITLES, Gender

MAX_READ = 300  # characters: what is longer tells of many things, and is not read
_WORD = re.compile(r"[^\W_]+(?:[-'’.](?=[^\W_])[^\W_]+)*['’]?")

_MINE = frozenset("my our mein meine meinen meinem meiner meines unser unsere unseren unserem unserer".split())
_ARTICLES = frozenset("the a an this that these those der die das den dem des ein eine einen einem einer".split())
_DETERMINERS = _MINE | _ARTICLES
_OWN = frozenset("i me we us ich mich mir wir uns".split())
_CONTRACTED = frozenset(
    "what who where when how why it that there here let he she which whats whos wheres today tomorrow yesterday".split()
)
_TIMES = frozenset((*WEEKDAYS, *GERMAN_WEEKDAYS, *MONTHS, *ONLY_GERMAN_MONTHS)) - {"may", "mai"}
_WHICH = frozenset("which what welche welcher welchen welchem welches".split())
_NOT_NAMES = frozenset(
    """i'm i've i'd i'll christmas easter halloween thanksgiving english german french spanish italian weihnachten ostern pfingsten silvester neujahr advent uhr""".split()
)
_BEFORE_THINGS = frozenset("zu zum zur im am an auf ins vom beim um seit vor".split())
_BE = frozenset("is are was were 's ist sind war waren be".split())
_HELPERS = frozenset("do does did can could will would should must may might have has had".split())
# Verbs and what is said of a thing, with which a phrase has ended: of other words only their ending tells.
_ENDS = frozenset(
    """live work start end open close need want like love hate use play owe own cost expire land arrive move finish study help call happen belong fit
    weigh stay pass fail visit due ready allergic free away back off worth home left next usually pm am like made called named located kept stored""".split()
)
_BROKEN_BY = (STOP_WORDS | ADVERBS | _OWN | _HELPERS | _BE | {"at", "near", "since", "without", "next"}) - {"own"}
# German names that end as a genitive does.
_NAMES_IN_S = frozenset(
    """jonas lukas lucas thomas tomas andreas hannes johannes matthias mathias tobias niklas nicolas klaus claus hans jens lars markus marcus julius nils magnus iris doris
    agnes ines silas elias linus marius jannis yannis dennis boris rasmus justus marcus tess ross jess""".split()
)


@dataclass(frozen=True, slots=True)
class NamedPhrase:
    """Characters `start` to `end` of a text. `owner` is whose it is ("my sister" of "my sister's birthday", "my" of "my car"), without the mark of a genitive; `head` is the
    rest, "" where only an owner stands."""

    start: int
    end: int
    text: str
    owner: str
    head: str
    head_start: int
    is_living: bool  # a person or a pet; of one with an owner alone, the owner is one

    @property
    def is_mine(self) -> bool:
        return self.owner.lower() in _MINE

    @property
    def is_name(self) -> bool:
        return self.is_living and not self.owner and self.head[:1].isupper() and self.head.lower() not in LIVING

    @property
    def is_kin_or_name(self) -> bool:
        """Somebody who has a doctor, and no doctor."""
        last = self.head.lower().split()[-1] if self.head else ""
        return self.is_living and (last not in PEOPLE or last in FAMILY or (not self.owner and self.text == self.head))

    @property
    def gender(self) -> Gender:
        return gender_of(self.head or self.owner)


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int

    @property
    def lower(self) -> str:
        return self.text.lower()


def words_of(text: str) -> list[_Word]:
    return [_Word(found[0], found.start(), found.end()) for found in _WORD.finditer(text[:MAX_READ])]


def named_phrases(text: str) -> list[NamedPhrase]:
    """In the order in which they stand."""
    return _Reader(text).read() if len(text) <= MAX_READ else []


def one_phrase(text: str, is_german: bool) -> NamedPhrase | None:
    """A text that is one phrase and no sentence: nothing ends it but its end. None where it is none."""
    words = words_of(text)
    first = 1 if words and words[0].lower in _DETERMINERS else 0
    if len(words) == first:
        return None
    for place in range(first, min(len(words), first + 3)):
        if _is_owner(words, place, is_german):
            last = words[place]
            owner = text[words[0].start : last.start] + without_genitive(last.text)
            head = text[words[place + 1].start : words[-1].end] if place + 1 < len(words) else ""
            head_start = words[place + 1].start if head else last.end
            return NamedPhrase(0, words[-1].end, text, owner, head, head_start, not head or words[-1].lower in LIVING)
    head = text[words[first].start : words[-1].end]
    mine = words[0].text if first and words[0].lower in _MINE else ""
    is_name = not first and all(word.text[:1].isupper() for word in words) and words[0].lower not in _TIMES
    living = is_name or any(word.lower in PEOPLE for word in words) or words[-1].lower in LIVING
    return NamedPhrase(words[0].start, words[-1].end, text, mine, head, words[first].start, living)


def _is_owner(words: Sequence[_Word], place: int, is_german: bool) -> bool:
    word = words[place]
    mark = re.search(r"['’]s?$", word.text)
    if mark is not None:
        return word.lower[: mark.start()] not in _CONTRACTED
    follows = place + 1 < len(words) and words[place + 1].text[:1].isupper()
    is_genitive = word.text[:1].isupper() and word.text.endswith(("s", "ß", "x", "z"))
    is_only = len(words) == 1 and without_genitive(word.text) != word.text
    return is_german and is_genitive and word.lower not in PEOPLE and (follows or is_only)


def own_words(text: str) -> list[tuple[int, int]]:
    """Where whoever speaks names themselves: "I", "me", "ich"."""
    return [(word.start, word.end) for word in words_of(text) if word.lower in _OWN and word.text != "US"]


def without_genitive(word: str) -> str:
    """ "Owen's" and "Pauls" are Owen and Paul."""
    bare = re.sub(r"['’]s?$", "", word)
    if bare != word or not word.endswith("s") or word.lower() in _NAMES_IN_S or not word[:1].isupper():
        return bare
    return word[:-1]


class _Reader:
    """One text, word by word."""

    def __init__(self, text: str) -> None:
        self._text, self._words = text, words_of(text)
        self._german = german(text) or any(word.lower in ("der", "die", "das", "und") for word in self._words)
        self._helped = any(word.lower in _HELPERS for word in self._words[:4])

    def read(self) -> list[NamedPhrase]:
        found: list[NamedPhrase] = []
        place = 0
        while place < len(self._words):
            step = self._phrase(place)
            if step is None:
                place += 1
                continue
            phrase, place = step
            found.append(phrase)
        return [*found, *self._object(found)]

    def _phrase(self, place: int) -> tuple[NamedPhrase, int] | None:
        """The phrase that begins here, and the place after it."""
        begin = place
        determiner = self._words[place].lower if self._words[place].lower in _DETERMINERS else ""
        if determiner:
            if self._german and determiner == "das" and place + 1 == len(self._words):
                return None
            place += 1
        if place >= len(self._words) or (not determiner and not self._may_begin(place)):
            return None
        owner_end = self._owner_end(place, bool(determiner))
        if owner_end:
            return self._owned(begin, owner_end)
        end = self._end_of_head(place, bool(determiner))
        if end == place:
            return None
        return self._made(begin, begin if determiner in _MINE else -1, place, end), end

    def _owned(self, begin: int, owner_end: int) -> tuple[NamedPhrase, int]:
        """ "my sister's birthday"; what follows an owner is theirs up to where a phrase ends."""
        last = self._words[owner_end - 1]
        owner = f"{self._text[self._words[begin].start : last.start]}{without_genitive(last.text)}"
        end = self._end_of_head(owner_end, True) if owner_end < len(self._words) else owner_end
        head = self._between(owner_end, end)
        living = self._is_living(owner_end, end) if head else True
        stop = self._words[end - 1].end
        start = self._words[begin].start
        head_start = self._words[owner_end].start if head else stop
        return NamedPhrase(start, stop, self._text[start:stop], owner, head, head_start, living), end

    def _made(self, begin: int, owner_at: int, place: int, end: int) -> NamedPhrase:
        start, stop = self._words[begin].start, self._words[end - 1].end
        owner = self._words[owner_at].text if owner_at >= 0 else ""
        head = self._between(place, end)
        return NamedPhrase(
            start, stop, self._text[start:stop], owner, head, self._words[place].start, self._is_living(place, end)
        )

    def _between(self, place: int, end: int) -> str:
        return self._text[self._words[place].start : self._words[end - 1].end] if end > place else ""

    def _is_living(self, place: int, end: int) -> bool:
        """A word for people or pets is in it, or it is a name: in English one with a capital, in German one without an article."""
        if self._words[end - 1].lower in LIVING or self._words[place].lower in PEOPLE:
            return True
        if (len(self._words[place].text) > 1 and self._words[place].text.isupper()) or self._is_place(place):
            return False
        if place and self._words[place - 1].lower == "the" and self._words[end - 1].text.endswith("s"):
            return self._words[place].text[:1].isupper() and not self._german  # "the Okoros"
        has_article = place > 0 and self._words[place - 1].lower in _DETERMINERS
        owned = place > 0 and re.search(r"['’]s?$|^[A-ZÄÖÜ].*s$", self._words[place - 1].text) is not None
        return self._is_name(place) and not has_article and not (self._german and owned)

    def _is_place(self, place: int) -> bool:
        """ "in Trento", "moved to Leeds"."""
        before = [word.lower for word in self._words[max(0, place - 2) : place]]
        is_goal = len(before) == 2 and before[1] == "to" and plain(before[0]) in _MOTION
        return before[-1:] in (["in"], ["nach"], ["aus"], ["near"], ["at"]) or is_goal

    def _may_begin(self, place: int) -> bool:
        """Without an article: a name, a word for people, or somebody's."""
        word = self._words[place]
        is_asked_for = place > 0 and self._words[place - 1].lower in _WHICH
        is_one = word.lower in PEOPLE or self._is_name(place)
        return (is_one and not is_asked_for) or self._owner_end(place, False) > 0

    def _is_name(self, place: int) -> bool:
        word = self._words[place]
        if not word.text[:1].isupper() or word.lower in STOP_WORDS | _OWN | _TIMES | _NOT_NAMES:
            return False
        if place:
            before = self._words[place - 1].lower
            return not (self._german and before in _BEFORE_THINGS and word.lower not in PEOPLE)
        following = self._words[1].lower if len(self._words) > 1 else ""
        tells = following in _BE | {"has", "had"} or following in PASTS or following.endswith(("ed", "s", "t"))
        return tells and word.lower not in PASTS and not word.lower.endswith("ed") and not german(word.text)

    def _owner_end(self, place: int, determined: bool) -> int:
        """The place after an owner that begins here; 0 where none does."""
        at = place
        while at < len(self._words) and at < place + 3:
            word = self._words[at]
            mark = re.search(r"['’]s?$", word.text)
            if mark is not None and word.lower[: mark.start()] not in _CONTRACTED:
                return at + 1
            if self._german_genitive(at) and not determined:
                return at + 1
            if word.lower in _BROKEN_BY - {"own"} or (
                not word.text[:1].isupper() and not determined and word.lower not in PEOPLE
            ):
                return 0
            at += 1
        return 0

    def _german_genitive(self, at: int) -> bool:
        """ "Lenas Klavierstunde": a name with an s before a noun, which has a capital."""
        word, following = self._words[at], self._words[at + 1] if at + 1 < len(self._words) else None
        if not self._is_name(at) or not word.text.endswith(("s", "ß", "x", "z")) or following is None:
            return False
        is_german = self._german or without_genitive(word.text).lower() in PEOPLE
        return is_german and following.text[:1].isupper() and word.end + 1 == following.start

    def _end_of_head(self, place: int, determined: bool) -> int:
        """The place after the noun that begins here."""
        if self._german:
            return self._end_in_german(place)
        if self._is_name(place) and not determined:
            return self._end_of_name(place)
        at = place
        while at < len(self._words) and not self._breaks(at, at > place):
            at += 1
            if self._words[at - 1].lower in PEOPLE:  # "my friend Lena", "uncle Ray"
                return self._end_of_name(at)
        if not determined:
            return min(at, place + 1)
        # "When does the yoga class start?": behind do and its like the last of the words is the verb.
        is_subject = self._helped and self._words[place - 1].lower not in ("have", "has")
        at_end = at == len(self._words) or self._words[at].lower in _BROKEN_BY
        return at - 1 if is_subject and at_end and at - place > 1 and self._is_first(place) else at

    def _is_first(self, place: int) -> bool:
        """Whether it stands right behind the helper: then it is the subject."""
        before = [word.lower for word in self._words[max(0, place - 3) : place]]
        return any(word in _HELPERS for word in before)

    def _end_of_name(self, place: int) -> int:
        at = place
        while at < len(self._words) and at < place + 3 and self._is_name(at):
            at += 1
            if at < len(self._words) and self._text[self._words[at - 1].end : self._words[at].start].strip(". "):
                break
        return at

    def _end_in_german(self, place: int) -> int:
        """Words in lower case up to a noun, and a second name behind a title or a word for people."""
        at = place
        while at < len(self._words) and at < place + 3 and not self._words[at].text[:1].isupper():
            if self._words[at].lower in PEOPLE:
                return at + 1
            at += 1
        if at >= len(self._words) or not self._words[at].text[:1].isupper():
            return place
        is_title = self._words[at].lower in TITLES or self._words[at].lower in PEOPLE
        # "Wo wohnt meine Schwester Lena?", but "Wann hat meine Schwester Geburtstag?"
        is_object = self._words[at].lower not in TITLES and any(
            word.lower in _TAKES_OBJECT for word in self._words[:at]
        )
        has_name = is_title and at + 1 < len(self._words) and self._is_name(at + 1) and not is_object
        return at + 2 if has_name else at + 1

    def _breaks(self, at: int, begun: bool) -> bool:
        word = self._words[at].lower
        if word in _BROKEN_BY or self._parted(at):
            return True
        if not begun:
            return False
        is_verb = word in _ENDS or (plain(word) != word and is_participle(word)) or word.endswith("ing")
        return is_verb or (self._helped and plain(word) == word and word in _PLAIN_VERBS)

    def _parted(self, at: int) -> bool:
        return at > 0 and "\n" in self._text[self._words[at - 1].end : self._words[at].start]

    def _object(self, found: Sequence[NamedPhrase]) -> list[NamedPhrase]:
        """ "When does Tom have judo?", "When is choir?": a thing without an article, behind the verb."""
        if self._german or any(not one.is_living for one in found):
            return []
        places = [i for i, word in enumerate(self._words) if word.lower in _HAVE or (i and word.lower in _BE)]
        ends = [one.end for one in found]
        for i in reversed(places):
            if i + 1 < len(self._words) and not any(end > self._words[i].start for end in ends):
                end = self._end_of_head(i + 1, True)
                if end > i + 1 and self._words[i + 1].lower not in _ENDS:
                    return [self._made(i + 1, -1, i + 1, end)]
        return []


_TAKES_OBJECT = frozenset(
    "hat haben hatte hatten braucht brauchen spielt mag macht bekommt nimmt isst trinkt fährt kauft lernt studiert hört liest will sammelt sucht".split()
)
_MOTION = frozenset("move go fly travel drive relocate come get walk cycle".split())
_HAVE = frozenset("have has had get take do play use want need like eat drink drive see attend".split())
_PLAIN_VERBS = frozenset(
    """go come get take make give keep put have leave begin run eat drink sleep drive buy sell pay see meet know say tell think sit stand teach learn read write sing
    wear lose find grow fly ride break bring send spend win""".split()
)
