"""Whom "she", "his", "it" or "ihr" in a question means: who or what the questions before it named last, or whom the answer to one of them names.

Knows: the pronouns of English and German, and that a "her" is not a brother. A pronoun that nobody can tell stays as it is.
What a question names is named_phrases.py's. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from pmg.base.calendar_words import MONTHS
from pmg.base.verbs import ADVERBS
from pmg.base.words import STOP_WORDS
from pmg.chat.answer_type import AnswerType, all_expected, asks_who_it_is
from pmg.chat.asked_subject import english_subject
from pmg.chat.named_phrases import named_phrases
from pmg.chat.person_words import gender_of
from pmg.people.subjects import Gender

MAX_PEOPLE = 4  # of the conversation that a pronoun may still mean


@dataclass(frozen=True, slots=True)
class Antecedent:
    text: str
    gender: Gender
    is_living: bool


@dataclass(frozen=True, slots=True)
class Spoken:
    """Of whom and of what was asked, the last first; `latest` is how many of the people the last question named."""

    people: tuple[Antecedent, ...] = ()
    thing: str = ""
    latest: int = 0

    def with_person(self, one: Antecedent) -> Spoken:
        """… and of this one last."""
        return Spoken((one, *self.people)[:MAX_PEOPLE], self.thing, self.latest + 1)


NOTHING_SPOKEN = Spoken()


_PRONOUN = re.compile(
    r"\b(?P<english>(?i:he|him|his|she|her|they|them|their))\b|\b(?P<german>er|ihn|ihm|sie|ihnen|ihr(?:e[nmrs]?)?|sein(?:e[nmrs]?)?)\b"
)
_IT = re.compile(r"\b(?:it|es)\b", re.IGNORECASE)
_GENDERS = {
    "he": Gender.MALE, "him": Gender.MALE, "his": Gender.MALE, "she": Gender.FEMALE, "her": Gender.FEMALE,
    "er": Gender.MALE, "ihn": Gender.MALE, "ihm": Gender.MALE, "sein": Gender.MALE,
}  # fmt: skip
ASKS_NAME = re.compile(r"\bname\b|\b(?:called|named)\b|\bhei(?:ß|ss)(?:t|en)\b", re.IGNORECASE)
_ONE_NAME = r"(?:(?:Dr|Mr|Mrs|Ms|Prof|St|[A-ZÄÖÜ])\.|[A-ZÄÖÜ][\w'’-]*)"
_CALLED = re.compile(rf"\b(?:called|named|hei(?:ß|ss)t)\s+(?P<name>{_ONE_NAME}(?:\s+{_ONE_NAME})*)")
_BEFORE_PLACE = re.compile(r"\b(?:in|at|near|nach|aus)\s+$", re.IGNORECASE)
_NAME_AT_END = re.compile(rf"(?<!\w){_ONE_NAME}(?:\s+{_ONE_NAME})*$")
# "Who lent me his drill?": the one who did it.
_OF_WHO = re.compile(r"\W*(?:who|wer)\s+[^\W_]+\s+(?:me|us|mir|uns)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_A_TIME = re.compile(
    r"(?:this|that|last|next|the|diese[mnrs]?|letzte[mnrs]?|nächste[mnrs]?|jede[mnrs]?|der|die|das)\s+(?:day|morning|afternoon|evening|night|weekend|week|month|year|time|tag|morgen|abend|woche|wochenende|monat|jahr|mal)$",
    re.IGNORECASE,
)
_HOW_OLD = re.compile(r"\bhow old\s*$", re.IGNORECASE)
_NEXT = re.compile(r"\s+(?P<word>[^\W_]+)")


def antecedents(text: str) -> list[Antecedent]:
    """In the order in which they are named: whose something is comes before it."""
    found = []
    for phrase in named_phrases(text):
        if phrase.owner and not phrase.is_mine:
            found.append(Antecedent(phrase.owner, gender_of(phrase.owner), True))
        if phrase.head:
            found.append(Antecedent(phrase.text, phrase.gender, phrase.is_living))
    return found


def spoken_of(text: str, is_asked: bool, before: Spoken) -> Spoken:
    """After this was said. Who asks who it was speaks next of whom the answer names: nobody from before."""
    found = antecedents(text)
    if is_asked and not any(one.is_living for one in found):
        found += _subject_without_capital(text)
    known = {one.text: one.gender for one in before.people}
    living = [
        replace(one, gender=known.get(one.text, one.gender)) if one.gender is Gender.ANY else one
        for one in found
        if one.is_living
    ]
    things = [
        one.text for one in found if not one.is_living and not one.text[:1].isupper() and not _A_TIME.match(one.text)
    ]
    people = tuple(reversed(living)) if is_asked else tuple(living[:1])  # a sentence that tells is about its subject
    thing = things[-1] if things else "" if people else before.thing
    if is_asked and not people and AnswerType.PERSON in all_expected(text):
        return Spoken((), thing)
    return Spoken((*people, *before.people)[:MAX_PEOPLE], thing, len(people))


def _subject_without_capital(question: str) -> list[Antecedent]:
    """ "what does fiona work as": nothing but its place tells that somebody is called so; a "she" of the next question means them all the same."""
    found = english_subject(question)
    if found is None or not found.word.islower():
        return []
    is_living = not found.follows_be or _HOW_OLD.search(question, 0, found.verb_start) is not None
    return [Antecedent(found.word, Gender.ANY, True)] if is_living else []


def named_in_answer(question: str, answer: str) -> Antecedent | None:
    """Asked who or how somebody is called, whom the answer names: "her", after "Tom's sister is called Aoife", is Aoife. None where it names nobody new."""
    asks_name = ASKS_NAME.search(question) is not None
    if AnswerType.PERSON not in all_expected(question) and not asks_name:
        return None
    named = new_name(question, answer)
    if not named:
        return None
    asked_of = [phrase for phrase in named_phrases(question) if phrase.is_living and phrase.head]
    is_the_one = bool(asked_of) and (asks_name or asks_who_it_is(question))  # not whom my sister married
    return Antecedent(named, asked_of[-1].gender if is_the_one else gender_of(named), True)


def new_name(question: str, text: str) -> str:
    """The first name of somebody in the text that the question does not have; "" where there is none."""
    known = {word.casefold() for word in _WORD.findall(question)}
    for called in _CALLED.finditer(text):
        if not known.issuperset(word.casefold() for word in _WORD.findall(called["name"])):
            return called["name"]
    for phrase in named_phrases(text):
        found = _NAME_AT_END.search(phrase.head) if phrase.is_living else None
        is_place = _BEFORE_PLACE.search(text[: phrase.start]) is not None
        if (
            found is None
            or is_place
            or found[0].lower() in MONTHS
            or known.issuperset(word.casefold() for word in _WORD.findall(found[0]))
        ):
            continue
        return found[0]
    return ""


def without_pronouns(text: str, spoken: Spoken, is_short: bool) -> str:
    """The text with whom and what its pronouns mean; as it is, where nobody can tell. `is_short`: nothing but the question before says what "it" is."""
    found = _PRONOUN.search(text)
    if found is not None and not pronoun_inside(text):
        meant = _meant(found[0].lower(), spoken)
        if meant is None:
            return text
        text = _replaced(text, found, meant)
    place = _IT.search(text) if is_short and spoken.thing else None
    return f"{text[: place.start()]}{spoken.thing}{text[place.end() :]}" if place is not None else text


def pronoun_inside(text: str) -> str:
    """The first pronoun, in lower case, if the text itself names somebody before it, or asks who did it; else ""."""
    found = _PRONOUN.search(text)
    if found is not None and _OF_WHO.match(text):
        return found[0].lower()
    named = next((one for one in antecedents(text) if one.is_living), None)
    if found is not None and named is None:  # "how did keith hurt his back?"
        named = next(iter(_subject_without_capital(text)), None)
    return found[0].lower() if found is not None and named is not None and text.find(named.text) < found.start() else ""


def _meant(pronoun: str, spoken: Spoken) -> Antecedent | None:
    """Of those the last question named, who is surely of the gender, then who was named last; then those from before. "They" and "sie" may be a thing."""
    gender = _GENDERS.get("sein" if pronoun.startswith("sein") else pronoun, Gender.ANY)
    latest, older = spoken.people[: spoken.latest], spoken.people[spoken.latest :]
    sure = [one for one in latest if one.gender is gender and gender is not Gender.ANY]
    fits = [one for one in (*sure, *latest) if _may_be(one.gender, gender, pronoun)]
    is_thing = gender is Gender.ANY or pronoun in ("er", "ihn")
    if not fits and spoken.thing and is_thing:
        return Antecedent(spoken.thing, Gender.ANY, False)
    fits += [one for one in older if _may_be(one.gender, gender, pronoun)]
    return fits[0] if fits else None


def _may_be(one: Gender, wanted: Gender, pronoun: str) -> bool:
    if one is Gender.ANY or wanted is Gender.ANY:
        return not (one is Gender.MALE and pronoun.startswith(("ihr", "sie")))
    return one is wanted


def _replaced(text: str, found: re.Match[str], meant: Antecedent) -> str:
    following = _NEXT.match(text, found.end())
    word = following["word"] if following is not None else ""
    name = _possessive(meant.text, found["german"] is not None) if _owns(found, word) else meant.text
    return f"{text[: found.start()]}{name}{text[found.end() :]}"


def _owns(found: re.Match[str], following: str) -> bool:
    """ "her sister", "seine Lehrerin"; not "who teaches her?" or "what did I give her for Easter?"."""
    if found["german"] is not None:
        return found[0].startswith(("sein", "ihr")) and found[0] != "ihnen" and following[:1].isupper()
    ends = not following or following.lower() in STOP_WORDS | ADVERBS | {"next", "this"}
    return found[0].lower() in ("his", "her", "their") and not ends


def _possessive(name: str, is_german: bool) -> str:
    if not is_german:
        return f"{name}'s"
    return f"{name}s" if " " not in name and not name.endswith(("s", "ß", "x", "z")) else name
