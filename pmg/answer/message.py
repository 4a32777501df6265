"""What kind of message it is: asked, told, searched for, to be summed up, to be forgotten, a greeting, thanks, or something this chat cannot do.

What each sentence wants is learnt (pmg/ingest/intent.py); here it becomes one kind for the whole message. What a question wants is in `answer_type.py`, what a
short one leans on in `standalone.py`.
"""

from __future__ import annotations

from enum import StrEnum

from pmg.base.patterns import IGNORECASE, short
from pmg.base.sentences import asks as has_mark
from pmg.ingest.asked import every, only_asks, sentences, told_part
from pmg.ingest.intent import ASKING, TALK, Intent, chance, intent, talks


class MessageKind(StrEnum):
    QUESTION = "question"
    TOLD = "told"
    SEARCH = "search"
    SUMMARY = "summary"
    FORGET = "forget"  # which a person does for themselves: this chat shows what it may be
    ACTION = "action"  # something to be done in the world: this chat only keeps and finds
    GREETING = "greeting"
    THANKS = "thanks"
    FAREWELL = "farewell"


_KINDS = {
    Intent.AHEAD: MessageKind.QUESTION,
    Intent.HAPPENED: MessageKind.SUMMARY,
    Intent.SAID: MessageKind.SUMMARY,
    Intent.ANSWER: MessageKind.THANKS,
}
_SMALL_TALK = (*TALK, Intent.ANSWER)
_MATTERS = (*ASKING, Intent.TOLD, Intent.ACTION)
_TALKED = short(r"\b(?:talk|talked|discuss|discussed)\b", IGNORECASE)
_OF_A_TIME = (Intent.HAPPENED, Intent.SAID, Intent.AHEAD)
_KEPT = (Intent.TOLD, Intent.ACTION)
EVEN = 0.5  # the chance of having told something from which on a mark makes no question of it
DOUBT = 0.2  # a chance of having told something from which on it is kept
SURE = 0.68  # the chance from which on a list of a time is wanted
FIRST, LAST = 12, 4  # sentences of a long message that are read
MAX_TIMED = 100  # characters of a message that asks for a time


def kind_of(text: str) -> MessageKind:
    """Who asks anything asks; else the first sentence says it. What is told with a wish to forget may correct it."""
    said = _intents(text)
    if any(one in (Intent.QUESTION, Intent.AHEAD) for one in said):
        return MessageKind.QUESTION
    first = said[0] if said else Intent.TOLD
    if first is Intent.FORGET and len(said) > 1:
        return MessageKind.TOLD
    return _KINDS.get(first) or MessageKind(first.value)


def asks_what_happened(text: str) -> bool:
    """Of a summary: what was in that time is asked for, not what was talked about then."""
    return _only(text, Intent.HAPPENED) and _TALKED.search(text) is None


def asks_what_was_told(text: str) -> bool:
    """In a time, and nothing else of it: "what did I tell you about Anna today?" is of Anna, and "what did I say?" of what was just said."""
    return _only(text, Intent.SAID)


def asks_what_is_ahead(text: str) -> bool:
    """What is to come in a time, and nothing else; which time is time_frame.py's."""
    return _only(text, Intent.AHEAD)


def is_small_talk(text: str) -> bool:
    """A greeting, thanks, "ah, I see" or a farewell, and nothing else."""
    return every(sentences(text), lambda one: talks(one, _SMALL_TALK), ())


def tells_nothing(text: str) -> bool:
    """A question, what is to be found or summed up ("list the members of my family"), or small talk."""
    return is_small_talk(text) or only_seeks(text)


def only_seeks(text: str) -> bool:
    """A question, or what is to be found or summed up; in doubt a few words that name a matter have told it."""
    return only_asks(text) or every(sentences(text), _seeks, _SMALL_TALK)


def _seeks(sentence: str) -> bool:
    return intent(sentence) in ASKING and chance(sentence, _KEPT) < DOUBT


def _intents(text: str) -> list[Intent]:
    """Of its sentences in their order, of a long text those at either end; small talk counts where nothing else is said."""
    said = sentences(text)
    found = [_intent(one) for one in (said if len(said) <= FIRST + LAST else [*said[:FIRST], *said[-LAST:]])]
    return [one for one in found if one not in _SMALL_TALK] or found[-1:]


def _intent(sentence: str) -> Intent:
    """A list of a time answers no other question: in doubt it is one. A word that nobody taught is looked for, not thanked for."""
    if told_part(sentence):
        return Intent.QUESTION  # what stands before it is told as well
    found = intent(sentence)
    if found in _SMALL_TALK and not talks(sentence, _SMALL_TALK):
        found = intent(sentence, _MATTERS)
    if found is Intent.TOLD and has_mark(sentence) and chance(sentence, (found,)) < EVEN:
        return Intent.QUESTION
    return Intent.QUESTION if found in _OF_A_TIME and chance(sentence, (found,)) < SURE else found


def _only(text: str, wanted: Intent) -> bool:
    return len(text) <= MAX_TIMED and _intents(text) == [wanted]
