"""A later line that says in so many words that what the answer names was replaced or is no longer in use: "We moved CI from Jenkins to GitHub Actions", "the Hetzner server is switched off".

Knows: the forms of words for it in English and German, and when such a line is of the answer's matter. They are plain enough to hold whoever told them, and by whichever door.
What may be a correction in other words is possible_correction.py's. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pmg.base.model import Role
from pmg.base.sentences import asks
from pmg.base.words import STOP_WORDS
from pmg.chat.answer_signals import AskedQuestion
from pmg.chat.answer_type import AnswerType
from pmg.chat.excerpts import ExcerptPiece
from pmg.chat.person_words import PEOPLE
from pmg.chat.sentences import split
from pmg.index.function_words import function_words
from pmg.index.terms import document_terms
from pmg.recall.question_time import asks_past

MAX_LINE = 300  # characters of a line that is read as a whole: a longer one tells of many things, each in a sentence
_THING = r"[\w+#.'’/-]*\w"
_OLD = rf"(?P<what>{_THING}(?: {_THING}){{0,3}}?)"
_NEW = rf"(?P<new>{_THING})"
_OBJECT = r"(?P<object>(?:(?!from\b|to\b)[\w'’/-]+ ){0,6}?)"
_FROM_TO = (
    rf"{_OBJECT}(?:over )?(?:away )?from (?:the |our |my )?{_OLD} (?:over )?(?:on|in)?to (?:the |our |my |an? )?{_NEW}"
)
_IS = r"(?:is|are|was|were|got|has been|have been)(?: (?:now|finally|already|just|all))*"
_FIRST = (
    r"(?:^\W*|[,;:.!]\s+|\b(?:and|but|so|because|since|as|that|the|our|my|old|und|aber|weil|der|die|das|unser\w*) )"
)
_ENDS = r"(?=\s*(?:[,;.!]|$)| (?:now|since|for good|today|as|any ?more|and|but|so|because|worden|und|aber)\b)"


def _patterns(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


# Of what one uses: who says so needs not say what for.
_NO_LONGER_USED = _patterns(
    rf"\b(?:switched|migrated|changed|swapped|converted|transitioned|ported) {_FROM_TO}",
    rf"\breplaced (?:the |our |my )?{_OLD} (?:with|by) (?:the |an? )?{_NEW}",
    rf"\b(?:swapped(?: out)?|ditched|dropped) (?:the |our |my )?{_OLD} (?:for|in favou?r of) (?:the |an? )?{_NEW}",
    rf"{_FIRST}{_OLD} {_IS} replaced (?:with|by) (?:the |an? )?{_NEW}",
    rf"{_FIRST}{_OLD} {_IS} (?:decommissioned|discontinued|phased out|retired|no longer (?:used|in use)|not (?:used|in use) any ?more)\b",
    rf"\b(?:stopped using|no longer use|got rid of) (?:the |our |my )?{_OLD}{_ENDS}",
    rf"\b(?:do not|don['’]?t) use (?:the |our |my )?{_OLD} (?:for [\w ]{{2,40}}? )?any ?more\b",
    rf"\bvon {_OLD} (?:auf|zu|zum|zur|nach) {_NEW}(?: {_THING}){{0,3}} (?:umgestellt|umgestiegen|gewechselt|migriert)\b",
    rf"\b(?:haben|habe|wurden?) (?:den |die |das )?{_OLD} durch {_NEW}(?: {_THING}){{0,3}} (?:ersetzt|abgelöst)\b",
    rf"{_FIRST}{_OLD} (?:wurden?|ist|sind) (?:\w+ )?durch {_NEW}(?: {_THING}){{0,3}} (?:ersetzt|abgelöst)\b",
    rf"\b(?:nutzen|benutzen|verwenden|nutze|benutze|verwende) {_OLD} nicht mehr\b",
)
# Of anything that moves or stops: only where the line has the word for what is asked, too.
_ELSEWHERE = _patterns(
    rf"\b(?:moved|went|gone|shifted|transferred|relocated) {_FROM_TO}",
    rf"{_FIRST}{_OLD} {_IS} (?:(?:switched|turned) off|shut ?down|taken down|gone){_ENDS}",
    rf"\bvon {_OLD} (?:auf|zu|zum|zur|nach|in) {_NEW}(?: {_THING}){{0,3}} (?:umgezogen|verlegt)\b",
    rf"{_FIRST}{_OLD} (?:ist|sind|wurden?) (?:\w+ )?(?:abgeschaltet|stillgelegt|abgeschafft){_ENDS}",
)
# Without one of these no expression above finds anything: they are read one after the other only where there is one.
_MAY_SAY_SO = re.compile(
    r"\bfrom\b|replaced|swapped|ditched|dropped|decommissioned|discontinued|phased out|retired|no longer|any ?more|stopped using|got rid|\boff\b|\bdown\b|shutdown|gone|"
    r"umgest|gewechselt|migriert|ersetzt|abgelöst|nicht mehr|umgezogen|verlegt|abgeschaltet|stillgelegt|abgeschafft",
    re.IGNORECASE,
)
_NOT_SO = re.compile(
    r"\b(?:not|never|nearly|almost|if|when|once|unless|whether|might|may|could|would|should|will|want\w*|plan\w*|thinking|consider\w*|maybe|perhaps|before|until|"
    r"nicht|nie|fast|beinahe|wenn|falls|ob|vielleicht|könnte\w*|würde\w*|sollte\w*|woll\w*|bevor|bis)\b|n['’]t\b",
    re.IGNORECASE,
)
# Behind it: for a while, or taken back.
_FOR_NOW = re.compile(
    r"\b(?:for (?:today|tonight|now|a|an|one|two|three|\d+)|temporarily|just (?:today|once)|(?:came|went|switched|changed|moved|going|coming|go) back|back again|but (?:not|only)|"
    r"für (?:heute|ein\w*|zwei|drei|\d+)|vorübergehend|(?:wieder )?zurück)\b",
    re.IGNORECASE,
)
_OWNED = re.compile(r"\b[^\W\d_]+(?:['’]s|s['’]?) (?=(?P<whom>[^\W\d_]+(?: [^\W\d_]+)?))")
_SENTENCE_END = re.compile(r"[.!?;]\s")
_OF_ONE = re.compile(r"\b(?:i|my|ich|mein\w*)\b", re.IGNORECASE)
_OF_ONESELF = re.compile(r"\b(?:i|we|my|our|ich|wir|mein\w*|unser\w*)\b", re.IGNORECASE)
_OF_NOBODY = re.compile(r"\W*(?:the|all|everything|die|der|das|alle|alles)\b(?!.*['’]s\b)", re.IGNORECASE | re.DOTALL)
_ONESELF = re.compile(
    r"(?:\W*\b(?:i|we|they|the team|have|has|had|ve|now|finally|just|already|also|today|yesterday|so|and|last|this|since|week|month|night|update|note|"
    r"ich|wir|haben|habe|sind|bin|wurden?|jetzt|heute|gestern|inzwischen)\b)*\W*",
    re.IGNORECASE,
)
# What a thing in use is called beside its name: "the Jenkins server".
_ANY_THING = frozenset(
    document_terms(
        "server servers machine box instance service account setup system one old subscription contract plan version cluster host deployment site app tool"
        " vertrag rechner dienst konto anlage alte alter altes alten"
    )
)
_ADDS_UP = frozenset((AnswerType.REASON, AnswerType.LIST))


@dataclass(frozen=True, slots=True)
class _Ending:
    what: str  # is no longer so
    new: str  # took its place; "" where that is not said
    of: str  # what is said to have changed from it: "CI", of "we moved CI from Jenkins"; "" where that is not said
    is_ones_use: bool  # told by who used it, and of what they use


def replaced_since(asked: AskedQuestion, answer: ExcerptPiece, later: Iterable[ExcerptPiece]) -> ExcerptPiece | None:
    """The newest of the later lines that says so of what the answer names; None where one after it goes back to that."""
    if asked.periods or not _ADDS_UP.isdisjoint(asked.kinds):
        return None
    for line in sorted(later, key=lambda one: (one.passage.at, one.passage.index), reverse=True):
        for piece in _told(line) if _tells(line) else ():
            if takes_up_again(answer.text, piece.text):
                return None
            is_same = line.speaker == answer.speaker
            if says_replaced(asked.text, answer.text, piece.text, AnswerType.YES_NO in asked.kinds, is_same):
                return piece
    return None


def says_replaced(
    question: str, older: str, newer: str, asks_whether: bool = False, is_same_speaker: bool = True
) -> bool:
    """Whether the newer says that something the older tells was replaced or is not in use, and is of the same matter: it has a word that question and older share, or tells of
    nothing but that, and not "I" of another speaker. A question that asks whether it is so names it itself."""
    if asks(newer):
        return False
    wanted, known = _terms(question), _terms(older)
    told = known if asks_whether else known - wanted
    if any(_is_named(one.what, known, told) for one in _endings(older)):
        return False
    ended = [one for one in _endings(newer) if _is_named(one.what, known, told) and _terms(one.new).isdisjoint(known)]
    shared = wanted & known & _terms(_OWNED.sub(_without_owner, newer))
    if any(shared - _terms(one.what) for one in ended):
        return True
    may_be_of_it = (_OF_ONESELF.search(older) or _OF_NOBODY.match(older)) and not asks_past(question)
    if not is_same_speaker and (_OF_ONE.search(older) or _OF_ONE.search(newer)):
        return False
    return bool(may_be_of_it) and any(one.is_ones_use and _terms(one.of) <= known | wanted for one in ended)


def takes_up_again(older: str, newer: str) -> bool:
    """ "We moved CI back from GitHub Actions to Jenkins", of what was said to run on Jenkins."""
    shared = _terms(older) & _terms(newer)
    return any((new := _terms(one.new)) and new < shared for one in _endings(newer))


def _tells(line: ExcerptPiece) -> bool:
    """People, papers, and the notes that a program left under its own name; what a model answered may be made up, and has before it what it answers."""
    is_note = line.role is Role.ASSISTANT and line.line == 0 and line.speaker == line.passage.source
    return is_note or line.role in (Role.USER, Role.PERSON, Role.DOCUMENT)


def _told(line: ExcerptPiece) -> Iterator[ExcerptPiece]:
    """A short line as a whole, a long one by its sentences."""
    if line.end - line.start <= MAX_LINE:
        yield line
        return
    for start, end in split(line.text):
        if end - start <= MAX_LINE:
            yield ExcerptPiece(line.passage, line.line, line.start + start, line.start + end)


def _endings(text: str) -> Iterator[_Ending]:
    if _MAY_SAY_SO.search(text) is None:
        return
    for pattern in (*_NO_LONGER_USED, *_ELSEWHERE):
        for found in pattern.finditer(text):
            before, after = _around(text, found)
            parts = found.groupdict()
            new = parts.get("new") or ""
            if _NOT_SO.search(before) or _FOR_NOW.search(after) or (new and _is_anew(found["what"], new + after)):
                continue
            is_ones_use = pattern in _NO_LONGER_USED and _ONESELF.fullmatch(before) is not None
            yield _Ending(found["what"], new, parts.get("object") or "", is_ones_use)


def _around(text: str, found: re.Match[str]) -> tuple[str, str]:
    """What its sentence has before it and behind it."""
    return _SENTENCE_END.split(text[: found.start()])[-1], _SENTENCE_END.split(text[found.end() :])[0]


def _is_anew(what: str, new: str) -> bool:
    """ "Replaced the old Jenkins with a new Jenkins server"."""
    return bool((_terms(what) - _ANY_THING) & _terms(" ".join(new.split()[:4])))


def _without_owner(found: re.Match[str]) -> str:
    """ "Ella's friend" is not Ella."""
    return found[0] if PEOPLE.keys().isdisjoint(found["whom"].casefold().split()) else " "


def _terms(text: str) -> set[str]:
    silent = STOP_WORDS | function_words(text)
    return {term for term in document_terms(text) if term not in silent and len(term) > 1}


def _is_named(what: str, known: set[str], told: set[str]) -> bool:
    """It is in the older line as what that tells, not as what is asked about: "the Jenkins server" of "CI runs on Jenkins", not the Jenkins docs."""
    terms = _terms(what)
    return not terms.isdisjoint(told) and terms <= known | _ANY_THING
