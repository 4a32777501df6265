"""What a short question leans on: "Why?", "and when was that?", "what about Lena?", "and dad's?", "who is her doctor?" say little without what was asked before.

Knows: which messages lean, and how they read once they stand by themselves. Whom and what a question names is named_phrases.py's, whom a pronoun means pronouns.py's. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from pmg.base.calendar_words import GERMAN_WEEKDAYS, MONTHS, ONLY_GERMAN_MONTHS, WEEKDAYS
from pmg.base.sentences import asks
from pmg.base.words import STOP_WORDS
from pmg.chat.counterpart import (
    after_preposition_swapped,
    article_swapped,
    both_without_capital,
    modifier_swapped,
    of_me,
    of_oneself,
    put_in_place,
    swapped,
    time_swapped,
)
from pmg.chat.message import MessageKind, is_small_talk, kind_of
from pmg.chat.named_phrases import named_phrases, one_phrase
from pmg.chat.phrases import german
from pmg.chat.pronouns import (
    NOTHING_SPOKEN,
    Antecedent,
    Spoken,
    named_in_answer,
    pronoun_inside,
    spoken_of,
    without_pronouns,
)
from pmg.chat.sentences import split
from pmg.ingest.asked import only_asks, told_part
from pmg.people.subjects import Gender

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_POINTS_BACK = frozenset(
    """it that this they them he she him her his their there then one ones es das er sie ihn ihm ihr ihre ihren ihrem ihrer sein seine seinen seinem seiner dort dann damals
    davon daran""".split()
)
_LAST_POINTS = frozenset("der die den dem denen".split())  # "was kostet die", where no noun follows
_FILLS = frozenset(
    """exactly happen happened again else more mean really please about say said know tell was when where who why how which what wann wo wer
    warum wie was welche genau noch nochmal passiert till until since bis seit ab much many long often old far viel viele lange oft alt weit
    ist sind war waren ein eine einen hat hatte haben habe hab man denn doch mal nicht mehr auch
    um uhr vorher davor zuvor früher danach nachher jetzt inzwischen earlier previously afterwards later now""".split()
)
_ASKS = frozenset(
    "what when where which who whom whose why how wann wo wer wen wem warum wieso weshalb wie welche welcher welches wohin woher".split()
)
_VERBS = frozenset(
    "is are was were am do does did have has had will would can could should ist sind war waren hat haben habe wird kann muss".split()
)
_INSTEAD = re.compile(
    r"\W*(?P<and>(?:and|und|but|aber|oder|or)[,\s]+)?"
    r"(?P<about>(?:(?:what|how)\s+about|what\s+of|was\s+(?:ist|war)\s+mit|wie\s+(?:ist|war|steht)\s+es\s+mit|wie\s+sieht\s+es\s+(?:aus\s+)?mit)\s+)?"
    r"(?:(?P<for>with|mit|for|für|bei)\s+)?(?P<named>[^\n?!;:]{2,60}?)(?P<end>\W*)$",
    re.IGNORECASE,
)
_MINE = re.compile(
    r"\W*(?:(?:and|und|but|aber)[,\s]+)?(?:(?:what|how)\s+about\s+|was\s+ist\s+mit\s+)?"
    r"(?:(?P<asks>who|what|where|when|which|wer|was|wo|wann)(?:\s+(?:is|are|was|were|ist|sind|war)|['’]?s)\s+)?(?:mine|ours|meine[rsmn]?|meins|unsere[rsmn]?)\W*$",
    re.IGNORECASE,
)
_ME = re.compile(
    r"\W*(?:(?:and|und|but|aber)[,\s]+(?:(?:what|how)\s+about\s+)?|(?:what|how)\s+about\s+|was\s+ist\s+mit\s+)(?:me|us|myself|i|ich|mir|wir|uns)\W*$",
    re.IGNORECASE,
)
_DOES_MINE = re.compile(
    r"\W*(?:(?:and|but)[,\s]+)?(?P<asks>who|what|where|when|how|which)\s+(?:do|did|am|have)\s+(?:i|we)\s+(?:\w+\s+){1,2}(?:mine|ours)\W*$",
    re.IGNORECASE,
)
_HIS = re.compile(r"\b(?:his|her|their)\b", re.IGNORECASE)
_FOR_ONE = re.compile(
    r"\W*(?:(?:and|und|but|aber)[,\s]+)?(?:(?:what|how)\s+about\s+)?(?:for|für|bei)\s+[^\W_]+\W*$", re.IGNORECASE
)
_BARE_NAME = re.compile(r"[A-ZÄÖÜ][\w'’-]+(?: [A-ZÄÖÜ][\w'’-]+)?$|\d{4}$")
_TIME = re.compile(
    rf"(?:\d{{4}}|(?:in|im|on|am|at|last|next|this|letzte[mnrs]?|nächste[mnrs]?|diese[mnrs]?) \w{{3,20}}(?: \w{{3,20}})?|today|tomorrow|yesterday|tonight|heute|morgen|gestern|"
    rf"(?:{'|'.join((*WEEKDAYS, *GERMAN_WEEKDAYS, *MONTHS, *ONLY_GERMAN_MONTHS))})s?)$",
    re.IGNORECASE,
)
_NAMES_ITS_THING = re.compile(
    r"\W*(?:whose|wessen)\s+(?P<thing>(?:\w+\s+){1,3})(?:is|was|are|were|ist|war|sind|waren)\s+(?P<it>it|that|this|they|those|das|es)\W*$",
    re.IGNORECASE,
)
_ABOUT_ONE = re.compile(
    r"\W*(?:(?:and|und|but|aber)[,\s]+)?(?:(?:what|how)\s+about|was\s+ist\s+mit)\s+(?P<one>[^\n,?!;:]{2,40}?)\s*[,?]\s*(?P<asks>(?:how|what|when|where|which|who|why|wie|was|wann|wo|welche[mnrs]?|wer|warum)\s[^\n]{3,100})$",
    re.IGNORECASE,
)
_THE_OLD = re.compile(
    r"\W*(?:and|und)\s+(?:the\s+(?:old|previous|former)(?:\s+one)?|(?:der|die|das|den|dem)\s+(?:alten?|vorigen?|früheren?|vorherigen?))\W*$",
    re.IGNORECASE,
)
_WHICH = re.compile(r"\W*(?:(?:and|und)\s+)?(?:which|welche[mnrs]?)\s+\w+(?:\s+\w+)?\s*\?\W*$", re.IGNORECASE)
# "And by when", "on which day", "what date": it says what is wanted, and nothing of what it is wanted of.
_ONLY_WANTS = re.compile(
    r"\W*(?:(?:and|und|but|aber|so)[,\s]+)?(?:(?:on|in|at|by|until|till|since|from|to|for|with|an|am|im|um|bis|seit|ab|von|mit|für|zu)\s+)?"
    r"(?:when|whom|wann|wem|wen|(?:what|which|welche[mnrs]?)\s+(?:days?|dates?|time|month|year|weekday|tag|datum|uhrzeit|monat|jahr|wochentag))"
    r"(?:\s+(?:exactly|genau|again|nochmal))?\W*$",
    re.IGNORECASE,
)
# When and why ask of what happened, these of the thing: "how much is it?" after "When is council tax due?"
_OF_A_THING = re.compile(
    r"\bhow (?:much|old|big|large|heavy|tall)\b|\bwie (?:viel|alt|groß|schwer|teuer|hoch)\b", re.IGNORECASE
)
# "And what does bartek have to do?" asks of somebody itself; "and when is the concert?" may be of what was asked before.
_OWN_SUBJECT = re.compile(
    r"\W*and\s+(?:who|what|where|when|why|how|which)\s+(?:(?:does|did|has)\s+(?!(?:it|that|this|he|she|they|there|the|a|an|my|our|your|his|her|their|i|we|you)\b)[^\W\d_]{2,}|(?:is|was)\s+[^\W\d_]{2,}['’]s)\s+\w",
    re.IGNORECASE,
)
MIN_WORDS = 3  # words that say something: a question with less may lean on the one before it
MAX_NAMED = 6  # words of what is asked about instead: more are a sentence
MAX_MIXED = 2_000  # characters of a message that tells and asks: in a longer one the question is about all of it
MAX_LEANING = 400  # characters of a question that may lean on another: a longer one says what it is about
MAX_EARLIER = 20  # messages of the talk that are read: more would take long, and nobody leans on them
LOOKED_BACK = 2  # questions in which the counterpart of what is asked about instead is looked for


@dataclass(frozen=True, slots=True)
class StandaloneQuestion:
    """`asked` says what is wanted, `about` what it is about; a question that leans takes what it is about from before, and is looked for in what was shown then, too. `instead`
    is what the same is asked of: "Lena" of "and Lena?"."""

    asked: str
    about: str
    leans: bool
    instead: str = ""

    @property
    def in_full(self) -> str:
        """As it would be asked by itself; "" where it cannot be, without the question before."""
        return self.asked if self.about == self.asked else ""

    @property
    def search(self) -> str:
        """What to look for: the matter first, then the new question, if it has words of its own."""
        return f"{self.about}\n{self.asked}" if self.leans and self.about != self.asked else self.asked


@dataclass(frozen=True, slots=True)
class AskedSoFar:
    """What was asked so far, as it would be asked of somebody who heard nothing else, and of whom and what."""

    questions: tuple[str, ...] = ()
    spoken: Spoken = NOTHING_SPOKEN

    @property
    def about(self) -> str:
        return self.questions[-1] if self.questions else ""

    def after(self, said: str, answer: str) -> AskedSoFar:
        question = _resolved(said, self)
        if question.about == self.about:
            return self
        is_asked = kind_of(said) is not MessageKind.TOLD
        spoken = spoken_of(question.about, is_asked, self.spoken)
        named = named_in_answer(question.about, answer) if is_asked else None
        spoken = spoken.with_person(named) if named is not None else spoken
        return AskedSoFar((*self.questions, question.about)[-LOOKED_BACK:], spoken)


def standalone(text: str, earlier: Sequence[str], answers: Sequence[str] = ()) -> StandaloneQuestion:
    """The message as it would be asked to somebody who did not hear the conversation: what was said before it, and what was quoted in answer to each. What it tells
    before it asks was said before, too."""
    told, text = _told_and_asked(text)
    talk = AskedSoFar()
    rows = [*zip_longest(earlier, answers, fillvalue=""), *([(told, "")] if told else [])]
    for said, answer in rows[-MAX_EARLIER:]:
        if not is_small_talk(said):
            talk = talk.after(said, answer)
    return _resolved(text, talk)


def _told_and_asked(text: str) -> tuple[str, str]:
    """ "I sing alto now. When is the concert?" in its two halves; the first is "" where a message only asks or only tells, or is long."""
    if len(text) > MAX_MIXED or not asks(text):
        return "", text
    parts = [part for start, end in split(text) if (part := text[start:end].strip())]
    halves = [
        (first, part[len(first) :].lstrip(" ,-–—")) if (first := told_part(part)) else ("", part) for part in parts
    ]
    asked = [second for _, second in halves if only_asks(second)]
    told = [half for first, second in halves for half in (first, "" if only_asks(second) else second) if half]
    if not asked or not told:
        return "", text
    return " ".join(told), " ".join(asked)


def _resolved(text: str, talk: AskedSoFar) -> StandaloneQuestion:
    if len(text) > MAX_LEANING:
        return StandaloneQuestion(text, text, False)
    text = _asked_of_one(text)
    if not talk.about:
        return StandaloneQuestion(text, text, False)
    if _THE_OLD.match(text):
        return StandaloneQuestion("und vorher?" if german(text) else "and before?", talk.about, True)
    is_short = leans(text) or _names_what_was_asked(text, talk.about)
    full = text
    if kind_of(text) in (MessageKind.QUESTION, MessageKind.SEARCH):
        mine = _asked_of_mine(text, talk.questions)
        if mine:
            return StandaloneQuestion(mine, mine, False)
        full = without_pronouns(
            text, talk.spoken, is_short and (bool(_telling(text)) or _OF_A_THING.search(text) is not None)
        )
        named = named_instead(full)
        if named:
            of_one = modifier_swapped(talk.about, named) if _FOR_ONE.match(full) else ""
            asked = of_one or _for_another(full, named, talk.about) or asked_instead(named, talk.questions)
            return StandaloneQuestion(asked, asked, False, named)  # what was shown before is of another
    if full != text:
        return StandaloneQuestion(full, full, True)
    return StandaloneQuestion(text, _of_whom(text, talk.about) if is_short else text, is_short)


def _asked_of_one(text: str) -> str:
    """ "What about Imogen, how old is she?" asks "how old is Imogen?"; any other text as it is."""
    found = _ABOUT_ONE.match(text)
    if found is None:
        return text
    one = Antecedent(found["one"], Gender.ANY, True)
    return without_pronouns(found["asks"], Spoken((one,), "", 1), False)


def _asked_of_mine(text: str, questions: Sequence[str]) -> str:
    """ "And who is mine?" after "Who is Yuki's supervisor?", "and me?" after "What does Priya play?"; "" where it asks of nothing that is mine."""
    if _ME.match(text):
        return next((asked for one in reversed(questions) if (asked := of_me(one))), "")
    does_mine = _DOES_MINE.match(text)
    if does_mine is not None:
        same = [one for one in reversed(questions) if one.lower().startswith(does_mine["asks"].lower())]
        return next((_HIS.sub("my", asked) for one in same if (asked := of_me(one))), "")
    found = _MINE.match(text)
    if found is None:
        return ""
    lead = (found["asks"] or "").lower()
    return next(
        (asked for one in reversed(questions) if one.lower().startswith(lead) and (asked := of_oneself(one))), ""
    )


def _for_another(text: str, named: str, about: str) -> str:
    """ "And for the museum?" after "What's my rate for Carver & Holt now?"; "" where the question before has nothing after that word."""
    found = _INSTEAD.match(text.strip())
    return after_preposition_swapped(about, found["for"], named) if found is not None and found["for"] else ""


def _of_whom(text: str, about: str) -> str:
    """What was asked before, of whom this names: "and who teaches Ella?" no longer asks about Jude."""
    named = next((one for one in named_phrases(text) if one.is_living), None)
    return (swapped(about, named) if named is not None else "") or about


def named_instead(text: str) -> str:
    """What "what about …?" and "and …?" ask about instead of what was asked about before; "" where they do not."""
    found = _INSTEAD.match(text.strip())
    if found is None:
        return ""
    named = (
        found["named"].strip(" .,'\"”’")
        if not found["named"].rstrip().endswith(("s'", "s’"))
        else found["named"].strip()
    )
    is_asked = "?" in found["end"]
    words = [word.lower() for word in _WORD.findall(named)]
    if not words or len(words) > MAX_NAMED or not set(words) - STOP_WORDS - _FILLS - _POINTS_BACK:
        return ""
    if _ASKS.intersection(words) or _VERBS.intersection(words) or words[-1] in STOP_WORDS - {"off"}:
        return ""
    if found["about"] or (found["and"] and is_asked) or (found["and"] and len(words) <= MIN_WORDS):
        return named
    return named if is_asked and (_BARE_NAME.match(named) or _TIME.match(named)) else ""


def asked_instead(named: str, questions: Sequence[str]) -> str:
    """The question before with this in the place of its counterpart, or the one before that; else in this one's own words."""
    if _TIME.match(named):
        return next((asked for one in reversed(questions) if (asked := time_swapped(one, named))), "") or put_in_place(
            questions[-1], named
        )
    alike = both_without_capital(questions[-1], named)
    if alike:
        return alike
    phrase = one_phrase(named, german(questions[-1]) or german(named))
    if phrase is None:
        return put_in_place(questions[-1], named)
    article = article_swapped(questions[-1], named) if german(questions[-1]) or german(named) else ""
    if article:
        return article
    for question in _asked_ones(questions):
        asked = swapped(question, phrase)
        if asked:
            return asked
    return put_in_place(questions[-1], named) if phrase.is_living else named


def _asked_ones(questions: Sequence[str]) -> list[str]:
    """The last first; one that was told is only asked of another where nothing else was said."""
    asked = [one for one in reversed(questions) if kind_of(one) is not MessageKind.TOLD]
    return asked or list(reversed(questions))


def leans(text: str) -> bool:
    """Few words of its own, and none or one that point back."""
    if _ONLY_WANTS.match(text):
        return True
    telling = _telling(text)
    if not telling:
        return kind_of(text) is MessageKind.QUESTION
    words = [word.lower() for word in _WORD.findall(text)]
    inside = pronoun_inside(text) or _thing_inside(text)  # "What did Anna say about her job?" does not point back
    pointing = [
        word for word, after in zip(words, [*words[1:], ""], strict=True) if not _is_article(word, after, telling)
    ]
    goes_on = words[:1] in (["and"], ["und"]) and _OWN_SUBJECT.match(text) is None
    points = any(word in _POINTS_BACK and word != inside for word in pointing) or goes_on or words[-1] in _LAST_POINTS
    return (points or _WHICH.match(text) is not None) and len(telling) < MIN_WORDS


def asks_only_which(text: str) -> bool:
    """ "Which hotel?", "und welcher Arzt?"."""
    return _WHICH.match(text) is not None


def says_nothing(text: str) -> bool:
    """No word of its own that says of what or for what it asks: "Was hat er?"."""
    return not _telling(text)


def _names_what_was_asked(text: str, about: str) -> bool:
    """ "Whose wedding was it?" after "Where was the wedding?"."""
    found = _NAMES_ITS_THING.match(text)
    return found is not None and found["thing"].split()[-1].lower() in about.lower()


def _thing_inside(text: str) -> str:
    """ "Whose cake stand is it?" has a thing of its own."""
    found = _NAMES_ITS_THING.match(text)
    return found["it"].lower() if found is not None else ""


def _is_article(word: str, after: str, telling: Sequence[str]) -> bool:
    """ "Wo ist das Gästebett?" points nowhere, "wann war das?" does."""
    return word == "das" and after in telling


def _telling(text: str) -> list[str]:
    words = [word.lower() for word in _WORD.findall(text)]
    words = words[:-1] if words[-1:] and words[-1] in _LAST_POINTS else words
    return [word for word in words if word not in STOP_WORDS and word not in _FILLS and word not in _POINTS_BACK]
