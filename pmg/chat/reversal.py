"""Whether a later line told to this program says that what a yes-or-no question asks for is not so, or no longer: "Lukas kommt doch nicht", "we dropped Kafka", "my bicycle is stolen".

Knows: the words for it in English and German, and how much of the question such a line must name. A value that became another is told_values.py's, what was planned and is off
called_off.py's. Which line is shown first is time_order.py's. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pmg.chat.person_words import LIVING
from pmg.chat.phrases import german
from pmg.index.function_words import function_words
from pmg.index.terms import document_terms
from pmg.sentences import asks
from pmg.words import STOP_WORDS

MAX_LINE = 300  # characters: a longer line tells of many things
_THING = r"[^.,;:!?\n]{2,60}"
# What was meant to be is not, or the other way round: half of what is asked for is enough to know of what it speaks.
_AFTER_ALL = re.compile(
    r"(?:\bnot|n['’]t)\b.{0,60}?\bafter all\b|\b(?:stay|keep)\w*\s(?:\w+\s){0,4}?after all\b|\bdoch (?:nicht|kein\w*|ned|net)\b|\bbleib\w*\s(?:\w+\s){0,3}?doch\b",
    re.IGNORECASE,
)
_NO_LONGER = re.compile(
    r"(?:\bnot|n['’]t)\s(?P<a>\w+)\b.{0,60}?\bany ?(?:more|longer)\b|\bno longer (?!than\b)(?P<b>\w+)|"
    r"\bnicht mehr\b(?! (?:als|lange|so)\b)(?: (?P<c>\w+))?|\bkein\w*\s(?:\w+\s){0,3}?mehr\b",
    re.IGNORECASE,
)
# It was given up or lost: what is named right there must be what is asked for.
_GONE = (
    re.compile(rf"(?:^\W*|, |\band |\b(?:i|we)(?:['’]ve| have)? (?:just |finally )?)(?:dropped(?! my\b| our\b| the\b)|ditched|scrapped|sold|got rid of|gave up|quit|cancell?ed) (?!his\b|her\b|their\b)(?P<what>{_THING})", re.IGNORECASE),
    re.compile(
        rf"\b(?:my|our|the|mein\w*|unser\w*|der|die|das) (?P<what>{_THING}?) (?:is|are|was|were|got|has been|have been|wurden?|ist|sind)"
        r" (?:\w+ )?(?:stolen|sold|gone|written off|dead|geklaut|gestohlen|verkauft|weg|verschenkt)\b",
        re.IGNORECASE,
    ),
    re.compile(rf"\bhab(?:e|en)? (?P<what>{_THING}?) (?:verkauft|verschenkt|gekündigt|abgeschafft|aufgegeben|abgesetzt)\b", re.IGNORECASE),
)  # fmt: skip
_BEFORE_ANOTHER = re.compile(r"\s(?:of|for|to|because|since|as|and|in|on|at|from|with|after|für|weil|und|an|auf)\b")
_LEADS_ON = frozenset("a an the in at on with there here dabei da bei in im am".split())
_NAME = re.compile(r"\b[A-ZÄÖÜ][\w-]+")
_OWES = re.compile(r"\b(?:owes?|owed|schuld\w*)\b", re.IGNORECASE)
_PAID_BACK = re.compile(
    r"(?:^|,|\band|\b(?:i|we)(?:['’]ve| have)?)\W*(?:just |finally |now )*(?:paid\b.{0,40}?\b(?:back|off)\b|repaid\b|settled up\b)|"
    r"(?:^|,|\bund|\b(?:ich|wir)\b).{0,60}?\bzurück(?:gezahlt|gegeben|bezahlt)\b",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"\b(?:if|might|may|maybe|perhaps|could|would|should|nearly|almost|whether|thinking|wants?|says?|wenn|falls|vielleicht|könnte|würde|sollte|fast|beinahe|ob|sagt|meint|will)\b",
    re.IGNORECASE,
)


def is_not_so(question: str, older: str, newer: str) -> bool:
    """Asked whether something is so that the older line tells, and the newer denies it. What somebody says or thinks denies nothing."""
    if len(newer) > MAX_LINE or asks(newer):
        return False
    asked, there = _content(question), _content(newer)
    named = asked & _content(older)
    shared = named & there
    if not shared or not _people(question) & _content(older) <= there:
        return False
    clauses = [clause for clause in re.split(r"[.;!\n]\s+", newer) if not _DOUBT.search(clause)]
    if any(_AFTER_ALL.search(one) for one in clauses):
        return 2 * len(shared) >= len(named)
    if any(_is_of_what_is_asked(question, found) for one in clauses for found in _NO_LONGER.finditer(one)):
        return 2 * len(shared) > len(named)
    if any(_content(what) & shared for one in clauses for what in _given_up(one)):
        return True
    return _OWES.search(question) is not None and any(_PAID_BACK.search(one) for one in clauses)


def _is_of_what_is_asked(question: str, denied: re.Match[str]) -> bool:
    """ "Ella isn't nervous about the violin any more" says nothing of whether she plays it: what she is not is not asked for."""
    word = (denied["a"] or denied["b"] or denied["c"] or "").lower()
    if not word or word in _LEADS_ON or word.endswith("ing"):
        return True
    return not _content(word) or bool(_content(word) & _content(question))


def _given_up(clause: str) -> Iterator[str]:
    for pattern in _GONE:
        for found in pattern.finditer(clause):
            yield _BEFORE_ANOTHER.split(found["what"])[0].split()[-1]  # of "the bell of my bicycle" the bell


def _people(question: str) -> set[str]:
    """Whom it asks of: what is told of dad says nothing of mum."""
    words = _NAME.findall(question[:1].lower() + question[1:]) if not german(question) else []
    return {
        term
        for word in (*words, *(word for word in question.lower().split() if word in LIVING))
        for term in document_terms(word)
    }


def _content(text: str) -> set[str]:
    """What it speaks of: neither "still" nor "noch" does."""
    silent = STOP_WORDS | function_words(text) | {"still", "anymore", "immer", "jetzt", "hab", "get", "got"}
    words = (word for word in re.findall(r"[^\W_]+", text) if word.lower() not in silent)
    return {term for word in words for term in document_terms(word)}
