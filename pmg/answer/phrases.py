"""What the chat itself says around quotes, in the language of the message.

Knows: every sentence of our own in English and German, and which of the two a message is in.
A message in any other language is answered in English.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from enum import StrEnum

from pmg.base.calendar_words import GERMAN_MONTHS, GERMAN_WEEKDAYS
from pmg.people.meant_days import MeantTime


class Phrase(StrEnum):
    FOUND = "found"
    HERE = "here"
    UNSURE = "unsure"
    NOTHING = "nothing"
    NEAREST = "nearest"
    NOTED = "noted"
    NOTED_BUT_SECRET = "noted but secret"
    SECRET = "secret"
    RELATED = "related"
    NOT_KEPT = "not kept"
    HELLO = "hello"
    WELCOME = "welcome"
    BYE = "bye"
    ACTION = "action"
    ACTION_NOT_KEPT = "action not kept"
    FORGET = "forget"
    SUMMARY = "summary"
    TOLD_OF = "told of"
    NO_SUMMARY = "no summary"
    OFF = "off"
    EMPTY = "empty"
    UNREAD = "unread"


_ENGLISH = {
    Phrase.FOUND: "From your memory:",
    Phrase.HERE: "From this chat:",
    Phrase.UNSURE: "This may be about it:",
    Phrase.NOTHING: "I find nothing about that.",
    Phrase.NEAREST: "I find no clear answer to that. The nearest I have:",
    Phrase.UNREAD: "The reader is not there, so this is the order of the search (pmg doctor says why).",
    Phrase.NOTED: "Noted.",
    Phrase.NOTED_BUT_SECRET: "Noted, without the secret: passwords and codes are left out of what I keep.",
    Phrase.SECRET: "That is a secret, and secrets are left out of what I keep. What was said around it:",
    Phrase.RELATED: "Noted. You may remember:",
    Phrase.NOT_KEPT: "This chat is not remembered: I can use it here, and it is gone when the page is.",
    Phrase.HELLO: "Hello. Ask about anything you have talked about: I answer by quoting your memory, without a language model.",
    Phrase.WELCOME: "You are welcome.",
    Phrase.BYE: "Goodbye.",
    Phrase.ACTION: "I cannot do that: I only keep what is said and find it again. Your words are kept. For more than that, connect a language model under Import & settings, Models.",
    Phrase.ACTION_NOT_KEPT: "I cannot do that: I only find what was said, and this chat is not remembered. For more than that, connect a language model under Import & settings, Models.",
    Phrase.FORGET: "I forget nothing because of a message, so that nothing goes by mistake. If it is one of these, open it and press “Forget …”:",
    Phrase.SUMMARY: "What you talked about most, by date:",
    Phrase.TOLD_OF: "From your memory of that time:",
    Phrase.NO_SUMMARY: "I find no conversation in that time.",
    Phrase.OFF: "Memory is off for this message, and without a language model I can only quote memory. Switch it on to ask again.",
    Phrase.EMPTY: "Your memory is empty so far: tell me something, load the sample, or import your history.",
}
_GERMAN = {
    Phrase.FOUND: "Aus deinem Gedächtnis:",
    Phrase.HERE: "Aus diesem Chat:",
    Phrase.UNSURE: "Das könnte dazu gehören:",
    Phrase.NOTHING: "Dazu finde ich nichts.",
    Phrase.NEAREST: "Dazu finde ich keine klare Antwort. Am nächsten kommt:",
    Phrase.UNREAD: "Der Leser fehlt, deshalb steht hier die Reihenfolge der Suche (pmg doctor sagt, warum).",
    Phrase.NOTED: "Notiert.",
    Phrase.NOTED_BUT_SECRET: "Notiert, ohne das Geheimnis: Passwörter und Codes behalte ich nicht.",
    Phrase.SECRET: "Das ist ein Geheimnis, und Geheimnisse behalte ich nicht. Was dazu gesagt wurde:",
    Phrase.RELATED: "Notiert. Vielleicht gehört das dazu:",
    Phrase.NOT_KEPT: "Dieser Chat wird nicht behalten: Hier kann ich ihn nutzen, mit der Seite ist er weg.",
    Phrase.HELLO: "Hallo. Frag nach allem, worüber du gesprochen hast: Ich antworte mit Zitaten aus deinem Gedächtnis, ohne Sprachmodell.",
    Phrase.WELCOME: "Gern.",
    Phrase.BYE: "Bis bald.",
    Phrase.ACTION: "Das kann ich nicht: Ich behalte nur, was gesagt wird, und finde es wieder. Deine Worte sind behalten. Für mehr verbinde ein Sprachmodell unter Import & settings, Models.",
    Phrase.ACTION_NOT_KEPT: "Das kann ich nicht: Ich finde nur, was gesagt wurde, und dieser Chat wird nicht behalten. Für mehr verbinde ein Sprachmodell unter Import & settings, Models.",
    Phrase.FORGET: "Wegen einer Nachricht vergesse ich nichts, damit nichts aus Versehen verschwindet. Ist es eines davon, öffne es und drücke „Forget …“:",
    Phrase.SUMMARY: "Worüber du am meisten gesprochen hast, nach Datum:",
    Phrase.TOLD_OF: "Aus deinem Gedächtnis zu dieser Zeit:",
    Phrase.NO_SUMMARY: "In dieser Zeit finde ich kein Gespräch.",
    Phrase.OFF: "Für diese Nachricht ist das Gedächtnis aus, und ohne Sprachmodell kann ich nur zitieren. Schalte es ein und frag noch einmal.",
    Phrase.EMPTY: "Dein Gedächtnis ist noch leer: Erzähl mir etwas, lade das Beispiel oder importiere deine Gespräche.",
}
# What earlier versions said, or began with: answers that are stored must still be known as ours.
_FORMER = (
    "Your memory does not tell me that.",
    "I am not sure your memory tells this. The closest I find:",
    "Yes, by what you said on ",
    "No, by what you said on ",
    "Ja, nach dem, was du am ",
    "Nein, nach dem, was du am ",
    "I find no word of “",
    "Von „",
    "I know that of somebody else, not of you:",
    "Von dir selbst weiß ich das nicht; erzählt hast du es von jemand anderem:",
)
# How answers begin that go on with a day.
_MEANT, _GEMEINT = "From your memory; that is ", "Aus deinem Gedächtnis; gemeint ist "
_MAYBE_MEANT, _VIELLEICHT = "This may be about it (the first: ", "Das könnte dazu gehören (das erste: "
OURS = (*_ENGLISH.values(), *_GERMAN.values(), *_FORMER, _MEANT, _GEMEINT, _MAYBE_MEANT, _VIELLEICHT)

_WORD = re.compile(r"[^\W\d_]+")
_GERMAN_WORDS = frozenset(
    """der die das den dem des ein eine einen einem einer und oder nicht ist sind war waren wird werden ich du er sie es wir ihr mir mich
    dir dich mein meine meinen dein was wann wo wer wen wem warum wieso weshalb wie welche welcher welches woher wohin bitte danke hallo
    guten tag morgen abend im am zum zur von mit für auf aus bei nach seit vor über unter zwischen hat habe haben hast kann kannst soll
    fasse zusammen zeig zeige suche finde erinnere jahr woche monat heute gestern wohnt wohne wohnst wohnte lebt lebe lebst lebte arbeitet
    arbeite arbeitest arbeitete mag magst mochte isst trinkt spielt gibt gab geht ging kommt kam macht machte kennt kenne kennst kannte
    steht liegt kostet kostete fand noch schon auch gern an vielen dank lieben ruf rufe fehlt fehlen braucht brauche heißt heißen""".split()
)
_ENGLISH_WORDS = frozenset(
    """the a an and or not is are was were will i you he she it we they me my your what when where who why how which please thanks
    hello hi good on at to of with for from by about did do does has have had can could should this that last year week month""".split()
)


_I_AM = re.compile(r"\bim (?:[a-z]+ing|an?|the|not|so|on|off|at|with|gonna|really|very)\b")  # without its mark


def in_language_of(message: str, earlier: Sequence[str]) -> str:
    """The message, or if its words are of neither language the last before it that are of one: "Super!" in a German chat is answered in German."""
    return next((text for text in (message, *reversed(earlier)) if _is_decided(text)), message)


def _is_decided(message: str) -> bool:
    words = {word.lower() for word in _WORD.findall(message)}
    return not words.isdisjoint(_GERMAN_WORDS | _ENGLISH_WORDS) or re.search("[äöüß]", message.lower()) is not None


def german(message: str) -> bool:
    words = [word.lower() for word in _WORD.findall(message)]
    theirs = sum(word in _GERMAN_WORDS for word in words) + 2 * bool(re.search("[äöüß]", message.lower()))
    ours = sum(word in _ENGLISH_WORDS for word in words) + 2 * bool(_I_AM.search(message))
    return theirs > ours


def day_in(message: str, day: date) -> str:
    """A day in the language of the message."""
    return (
        f"{day.day}. {GERMAN_MONTHS[day.month - 1].capitalize()} {day.year}"
        if german(message)
        else f"{day.day} {day:%B %Y}"
    )


def time_in(message: str, time: MeantTime) -> str:
    """A day with its weekday, or a span, in the language of the message."""
    first, last, is_german = time.first, time.last, german(message)
    if first == last:
        return (
            f"{GERMAN_WEEKDAYS[first.weekday()].capitalize() if is_german else f'{first:%A}'}, {day_in(message, first)}"
        )
    if (first.month, first.day, last.month, last.day) == (1, 1, 12, 31):
        return str(first.year)
    if first.day == 1 and first.month == last.month and (last + timedelta(1)).month != last.month:
        return f"{GERMAN_MONTHS[first.month - 1].capitalize() if is_german else f'{first:%B}'} {first.year}"
    return f"{day_in(message, first)} {'bis' if is_german else 'to'} {day_in(message, last)}"


def day_meant(message: str, time: MeantTime, is_sure: bool) -> str:
    """Before the quotes, of which the first says "on Thursday" or "yesterday"."""
    told = time_in(message, time)
    if is_sure:
        return f"{_GEMEINT if german(message) else _MEANT}{told}:"
    return f"{_VIELLEICHT if german(message) else _MAYBE_MEANT}{told}):"


def say(phrase: Phrase, message: str) -> str:
    """The sentence in the language of the message."""
    return (_GERMAN if german(message) else _ENGLISH)[phrase]
