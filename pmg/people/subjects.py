"""Whom a clause is about: "I" is the speaker, "you" the one spoken to, "she" the last person that fits, a name is that name.

Knows: pronouns, kinship words, pets, names and how a session's people are followed through it. Whoever cannot be told is unknown and not guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from pmg.base.calendar_words import MONTHS, WEEKDAYS
from pmg.base.claim import UNKNOWN
from pmg.base.verbs import ADVERBS, BE, WILL, WOULD, is_past
from pmg.people.tokens import PlacedWord, tokens

MAX_FAMILY = 2  # words after a first name: "Anna Maria Berg"
MAX_DISTANCE = 3  # lines: a "she" further from the last person that fits is nobody we can tell


class Gender(StrEnum):
    MALE, FEMALE, MANY, ANY = "he", "she", "they", "any"


_KIN = {
    Gender.MALE: "husband boyfriend fiance dad father son brother uncle grandpa grandfather nephew stepdad",
    Gender.FEMALE: "wife girlfriend fiancee mom mum mother daughter sister aunt grandma grandmother niece stepmom",
    Gender.ANY: "partner friend neighbor neighbour boss manager colleague coworker cousin roommate child kid teacher mentor coach doctor therapist "
    "student baby bestie buddy grandson granddaughter landlord teammate",
    Gender.MANY: "kids children parents friends sons daughters brothers sisters neighbors colleagues coworkers cousins grandparents family team "
    "students classmates teammates roommates",
}
_PET = {
    Gender.ANY: "dog cat puppy pup kitten kitty rabbit bunny hamster parrot bird turtle tortoise snake lizard gecko horse guinea pig pet fish",
    Gender.MANY: "dogs cats puppies pups kittens rabbits turtles snakes horses pets fishes birds",
}
KIN = {word: gender for gender, words in _KIN.items() for word in words.split()}
PETS = {word: gender for gender, words in _PET.items() for word in words.split()}
PARTNERS = frozenset("husband wife boyfriend girlfriend fiance fiancee partner spouse".split())
_DESCRIBES = re.compile(r"(?:best|old|older|younger|little|big|new|own|good|close|dear|two|three|other|twin|late|ex)\Z")
_NAME = re.compile(r"[A-Z][a-zà-öø-ÿ]+(?:-[A-Z][a-z]+)?\Z")
# Capitalised words that begin a sentence or a clause far more often than they name anybody.
_WORDS = (
    frozenset((*WEEKDAYS, *MONTHS))
    | frozenset(
        """i a the my our your his her their its it this that these those there here what when where why who which how yes no not and but or so if then
    thanks thank hey hi hello wow oh ah well just also sorry sure great good nice cool awesome amazing congrats keep let lets looking sounds look
    can could would should will do does did is are was were have has had be been may might must shall seeing being having doing going getting
    every each all some any many most both few last next today tomorrow yesterday tonight recently now later once after before since until while
    christmas thanksgiving easter halloween god english german french spanish wishing hope hoping maybe perhaps definitely absolutely totally
    yeah yep yup yay okay ok haha honestly actually luckily sadly unfortunately anyway anything something nothing everything everyone everybody someone somebody anyone anybody nobody people life love music
    nature art work family friends time things one two three plus like super pretty fingers turns guess looks kids dogs sounds such really always never still even only speaking got get take try""".split()
    )
    | ADVERBS
)
# Forms of address: part of a name, never one by themselves.
TITLES = frozenset(
    """dr mr mrs ms miss mx prof professor doctor sir madam rev reverend herr frau fräulein signor signora signorina dott dottoressa avvocato monsieur madame
    mademoiselle mme mlle señor señora señorita senor senora sr sra srta senhor senhora doña meneer mevrouw""".split()
)
# Endings of nouns that are no names, and nouns that often begin a sentence.
_COMMON = re.compile(
    r"(?:tion|sion|ment|ness|ship|hood|ance|ence|ism|ities|ity|ages|ures|ies|logy|graphy)\Z|\A(?:memor(?:y|ies)|contracts?|rabies|silence|weather|traffic|rent|"
    r"dinner|lunch|breakfast|school|college|class|classes|job|jobs|meetings?|money|health|home|house|housework|car|food|water|sleep|stress|coffee|tea|practice|training|"
    r"rain|snow|news|power|internet|email|emails|phone|doctors?|nurses?|teachers?|students?|parents|mom|mum|dad|grandma|grandpa|sales|prices|tickets?|flights?|trains?|"
    r"buses|exams?|tests?|results?|pictures?|photos?|books?|movies?|songs?|games?|season|summer|winter|spring|autumn|nights?|mornings?|evenings?|days?|weeks?|months?|"
    r"years?|hours?|minutes?|half|part|parts|rest|rumou?r|word|words|folks|guys|men|women|boys|girls|cats?|trees|plants|flowers)\Z"
)
# Names that are words too: taken for a name only where a verb of the third person follows, or where somebody of that name speaks here.
WORD_NAMES = frozenset(
    "will may mark grace hope joy faith rose art bill sue pat drew chance dawn summer autumn april june august".split()
)


@dataclass(frozen=True, slots=True)
class About:
    """A subject: its name, and how many words of the clause it took. `kin` is the word for what it is to the speaker."""

    name: str
    taken: int
    is_speaker: bool = False
    is_addressee: bool = False
    kin: str = ""
    owner: str = ""
    companion: str = ""  # with whom: "Jonas and I"


@dataclass(slots=True)
class Scene:
    """Who is in a session, and who was spoken of last. One for each session; `begin_line` for every line in its order."""

    speakers: Sequence[str]
    last: list[tuple[int, str, Gender]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    small: frozenset[str] = frozenset()  # words that stand in small letters somewhere in the session
    kin_names: dict[tuple[str, str], str] = field(default_factory=dict)  # (speaker, "sister") → her name
    place: int = 0
    speaker: str = ""
    addressee: str = ""
    _before: str = ""

    def __post_init__(self) -> None:
        self.names |= {word for name in self.speakers for word in (name, name.split(" ")[0]) if word}

    def begin_line(self, speaker: str, text: str) -> None:
        """A new line begins: whose, and to whom."""
        self.place += 1
        if speaker != self.speaker:
            self._before = self.speaker
        self.speaker = speaker
        self.addressee = self._spoken_to(text)

    def _spoken_to(self, text: str) -> str:
        others = [name for name in self.speakers if name != self.speaker]
        if len(others) == 1:
            return others[0]
        called = [name for name in others if _vocative(name, text)]
        return called[0] if len(called) == 1 else UNKNOWN

    def mention(self, name: str, gender: Gender) -> None:
        name = self.resolved(name)  # "Anna" is Anna Berg who speaks here, and no third person
        if name and name not in (self.speaker, self.addressee):
            self.last.append((self.place, name, gender))

    def fitting(self, pronoun: Gender) -> str:
        """The last one mentioned who fits the pronoun, near enough."""
        for place, name, gender in reversed(self.last):
            if self.place - place >= (1 if pronoun is Gender.MANY else MAX_DISTANCE):
                break  # "they" may be anything that was said of before: only what this line names is sure
            if gender is pronoun or (gender is Gender.ANY and pronoun is not Gender.MANY):
                return name
        return UNKNOWN

    def learn(self, name: str, gender: Gender) -> None:
        """A pronoun told what somebody is."""
        self.last = [(place, n, gender if n == name and g is Gender.ANY else g) for place, n, g in self.last[-40:]]

    def resolved(self, name: str) -> str:
        """A short name of somebody who speaks here is that person's: "Mel" is Melanie if nobody else could be."""
        if name in self.speakers:
            return name
        fits = [one for one in self.speakers if len(name) > 2 and one.lower().startswith(name.lower())]
        return fits[0] if len(fits) == 1 else name

    def subject(self, words: Sequence[PlacedWord]) -> About | None:
        """Whom a clause is about that begins with these words; None where it begins with nobody."""
        if not words:
            return None
        first = words[0].word
        together = self._with_me(words)
        if together is not None:
            return together
        if len(words) > 1 and words[1].word in ("and", "or", "&"):
            return None  # "you and the dogs": of whom the rest is said cannot be told
        if first in ("i", "we"):
            return About(self.speaker, 1, is_speaker=True)
        if first in ("you", "u"):
            return About(self.addressee, 1, is_addressee=True)
        if first in ("he", "she", "they"):
            found = self.fitting(Gender(first))
            if found:
                self.learn(found, Gender(first))
            return About(found, 1)
        if first in ("my", "our", "your", "his", "her", "their"):
            return self._related(words)
        return self._named(words)

    def _with_me(self, words: Sequence[PlacedWord]) -> About | None:
        """ "Jonas and I": what is said holds of the speaker, whoever else it holds of."""
        place = next((at for at, word in enumerate(words[:5]) if word.word in ("and", "&")), 0)
        if not place or place + 1 >= len(words) or words[place + 1].word != "i":
            return None
        if words[0].word in ("my", "our"):
            found = self._related(words[:place])
            name = found.name if found is not None and found.taken == place else ""
        else:
            is_name = all(word.text in self.names or self._may_be_a_name(word) for word in words[:place])
            name = self.resolved(" ".join(word.text for word in words[:place])) if is_name else ""
        if name and "'s " not in name:
            self.names.add(name)
            self.mention(name, Gender.ANY)
        return About(self.speaker, place + 2, is_speaker=True, companion=name)

    def _related(self, words: Sequence[PlacedWord]) -> About | None:
        """ "my older sister Anna …", "your dog …"."""
        owner = {"my": self.speaker, "our": self.speaker, "your": self.addressee}.get(words[0].word)
        if owner is None:
            owner = self.fitting({"his": Gender.MALE, "her": Gender.FEMALE, "their": Gender.MANY}[words[0].word])
        taken = 1
        while taken < len(words) and _DESCRIBES.match(words[taken].word):
            taken += 1
        noun = words[taken].word if taken < len(words) else ""
        gender = KIN.get(noun) or PETS.get(noun)
        if gender is None:
            return None
        taken += 1
        name = f"{owner}'s {noun}" if owner else UNKNOWN
        if taken < len(words) and words[taken].word == ",":
            taken += 1
        titled = int(
            taken < len(words) and words[taken].text[:1].isupper() and words[taken].word in TITLES
        )  # "my landlord Signor Rossi"
        named = taken + titled < len(words) and _looks_like_a_name(words[taken + titled])
        if named and gender is not Gender.MANY:
            first, taken = taken, taken + titled + 1
            taken += _family(words[taken:]) if noun in KIN else 0  # "my friend Rose Miller"; a cat has one name
            name = self.resolved(" ".join(word.text for word in words[first:taken]))
            self.names |= {name, words[first].text} if not titled else {name}
            self.kin_names[(owner, noun)] = name
            if taken < len(words) and words[taken].word == ",":
                taken += 1
        elif (owner, noun) in self.kin_names:
            name = self.kin_names[(owner, noun)]
        self.mention(name, gender)
        companion = ""
        if taken + 1 < len(words) and words[taken].word in ("and", "&") and _looks_like_a_name(words[taken + 1]):
            companion = words[
                taken + 1
            ].text  # "my sister Anna and Tobias moved": it holds of her, whoever else it holds of
            taken += 2
        return About(name, taken, kin=noun, owner=owner, companion=companion)

    def _named(self, words: Sequence[PlacedWord]) -> About | None:
        first = words[0]
        known = first.text in self.names
        if not known and not self._may_be_a_name(first):
            return None
        taken = 2 if len(words) > 1 and _NAME.match(words[1].text) and words[1].word not in _WORDS else 1
        if taken >= len(words) or not (_third_person(words[taken].word, known) or _tells_home_or_work(words[taken:])):
            return None
        if (first.word in WORD_NAMES and not known) or (taken == 1 and first.word in TITLES):
            return None
        name = self.resolved(" ".join(word.text for word in words[:taken]))
        if name == self.speaker:
            return None  # nobody speaks of himself by his name: it is a greeting, a quotation, or another of that name
        self.names.add(name)
        self.mention(name, Gender.ANY)
        return About(name, taken, is_addressee=name == self.addressee)

    def _may_be_a_name(self, token: PlacedWord) -> bool:
        """A capital letter may come from the sentence it begins: a word that is written small elsewhere in the session is none."""
        return _looks_like_a_name(token) and token.word not in self.small and _COMMON.search(token.word) is None

    def notice(self, text: str) -> None:
        """People named inside a line, for the pronouns that follow: known names, and "my friend Anna"."""
        for found in _INSIDE.finditer(text):
            noun, name = found["noun"], found["name"]
            if name and name.lower() not in _WORDS | TITLES:
                whole = self.resolved(with_family(name, found["more"]) if noun in KIN else name)
                self.names |= {whole, name}
                self.mention(whole, KIN.get(noun) or PETS.get(noun) or Gender.ANY)
            elif noun:
                self.mention(f"{self.speaker}'s {noun}", KIN.get(noun) or PETS.get(noun) or Gender.ANY)
        for name in sorted(self.names):
            if name not in self.speakers and re.search(rf"\b{re.escape(name)}\b", text):
                self.mention(name, Gender.ANY)


_NOUNS = "|".join(sorted({*KIN, *PETS}, key=lambda noun: (-len(noun), noun)))
_INSIDE = re.compile(
    rf"\b(?:my|our) (?:\w+ ){{0,2}}?(?P<noun>{_NOUNS})\b,?(?: (?:named |called )?(?P<name>[A-Z][a-z]+)(?P<more>(?: [A-Z][a-zà-öø-ÿ]+(?:-[A-Z][a-z]+)?)*))?"
)


def with_family(first: str, following: str) -> str:
    """The name with the family name behind it, if what follows begins with one."""
    words = tokens(following)
    return " ".join((first, *(word.text for word in words[: _family(words)])))


def _family(words: Sequence[PlacedWord]) -> int:
    """How many of these words go on with a name."""
    some = words[:MAX_FAMILY]
    return next((at for at, word in enumerate(some) if not _looks_like_a_name(word)), len(some))


def _looks_like_a_name(token: PlacedWord) -> bool:
    return (
        _NAME.match(token.text) is not None
        and token.word not in _WORDS
        and len(token.text) > 1
        and not token.word.endswith(("ing", "ly"))
    )


def _third_person(word: str, known: bool) -> bool:
    """Whether a verb can follow a name here. After somebody who is known an -s is a verb's; after any other word it may be a plural."""
    if is_past(word) and word not in BE and word not in ("had", "did"):
        return True
    return known and (
        word in ("'s", "was", "is", "has", "had", "did", "does", "also", "just")
        or word in WILL
        or word in WOULD
        or (word.endswith("s") and len(word) > 3 and not word.endswith(("ss", "'s")))
    )


_AT_HOME_OR_WORK = {"lives": "in", "works": "at"}


def _tells_home_or_work(words: Sequence[PlacedWord]) -> bool:
    """ "lives in Bergen", "no longer works at Equinor": with a place or a company by its name behind them these are verbs, whoever stands before them."""
    rest = [word for word in words[:7] if word.word not in ADVERBS]
    if [word.word for word in rest[:2]] == ["no", "longer"]:
        rest = rest[2:]
    return len(rest) > 2 and _AT_HOME_OR_WORK.get(rest[0].word) == rest[1].word and rest[2].text[:1].isupper()


def _vocative(name: str, text: str) -> bool:
    first = re.escape(name.split(" ")[0])
    return (
        re.search(
            rf"(?:^|[,!.?] ?|\b(?:hey|hi|hello|thanks|thank you|wow|yes|yeah|no) ){first}(?:[,!.?]|$)",
            text,
            re.IGNORECASE,
        )
        is not None
    )


_SMALL = re.compile(r"(?<![\w'’])[a-zà-öø-ÿ]{3,}")


def small_words(texts: Iterable[str]) -> frozenset[str]:
    """The words that stand in small letters somewhere."""
    return frozenset(word for text in texts for word in _SMALL.findall(text))


def people_of(lines: Iterable[str]) -> tuple[str, ...]:
    """Who speaks, each once, in the order of their first line; nobody without a name."""
    return tuple(dict.fromkeys(name for name in lines if name.strip() and name.lower() not in ("unknown", "?")))
