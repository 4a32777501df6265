"""What speaks against an answer that looks sure: it lacks what is asked for, may be outdated, is one of several, or tells of another. One doubt is enough.

Knows: the doubts. How likely an answer is without them is answer_scoring.py's. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pmg.base.model import CHAT_SOURCE, Role
from pmg.base.words import STOP_WORDS
from pmg.chat.another_matter import is_of_another_thing, lacks_its_subject
from pmg.chat.anothers_deed import is_told_of_another
from pmg.chat.answer_signals import AskedQuestion, only_shares_names
from pmg.chat.answer_type import (
    AnswerType,
    asks_clock,
    asks_for_several,
    lacks,
    lacks_age,
    lacks_somebody,
    lacks_sum_paid,
    may_hold_clock,
)
from pmg.chat.continued_line import goes_on
from pmg.chat.either_or import says_the_other
from pmg.chat.excerpts import Excerpt
from pmg.chat.follow_up import StandaloneQuestion, says_nothing
from pmg.chat.newer_value import surely_tells_of_another, told_here_anew, told_here_as_new
from pmg.chat.pronouns import ASKS_NAME, new_name
from pmg.chat.responder import ChatRequest
from pmg.chat.time_order import ScoredExcerpt
from pmg.chat.told_change import may_change_work
from pmg.chat.told_identity import is_only_anothers, own_thing
from pmg.chat.which_one import asks_only_which_of, lacks_which
from pmg.chat.whose_deed import asked_deed, is_own
from pmg.index.terms import document_terms, query_terms
from pmg.people.considered import asks_for_plans, is_only_considered
from pmg.recall.question_time import asks_past

# What is called something, a word with a capital that begins no sentence, or one with a figure or a mark of code.
_MAY_BE_NAME = re.compile(
    r"\b(?i:called|named|name is|name['’]s|hei(?:ß|ss)(?:t|en))\s+(?!(?:back|me|him|her|us|them|off|out|in|on|round|around|again|up|it|the|to|for|about|from)\b)\w"
    r"|(?<=[\w,;:)] )[A-ZÄÖÜ][\w'’-]+|\w[\d_/@]|[\d_/@]\w|['\"“„]\w"
)
_WORD = re.compile(r"[^\W_]+")
_WHICH_ONES = re.compile(
    r"\b(?:which|what) (?:[a-z]+ )?(?P<many>(?P<one>[a-z]{3,40})s) (?:do|did|have) (?:i|we)\b", re.IGNORECASE
)
_ASKS_AGE = re.compile(r"\bhow old\b|\bwie alt\b", re.IGNORECASE)
_ASKS_COST = re.compile(
    r"\b(?:what|how much) (?:do|does|did|would|will) (?P<goods>(?!(?:it|that|this|they|he|she|i|we|you)\b)[^?\n]{2,40}?) cost\b"
    r"|\b(?:was|wie ?viel) kost(?:et|ete|en|eten) (?:denn |jetzt |noch |eigentlich )*(?:(?:der|die|das|den|ein|eine|einen|mein\w*) )?(?P<german>(?!(?:es|der|die|das|er|sie)\b)[^\W\d_]{3,40})",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")
_OF_ELSE = re.compile(
    r"[€£$]\s?\d+(?:[.,:]\d+)*|\d+(?:[.,:]\d+)*\s?(?:kg|kilos?|grams?|stone|cm|mm|km|miles?|met(?:er|re)s?|euros?|€|quid|pounds?|lit(?:er|re)s?|%|per ?cent|prozent|min(?:ute)?s?|hours?|uhr|am|pm)\b",
    re.IGNORECASE,
)
_ASKS_HOLDER = re.compile(
    r"\W*(?:and |und )?(?:who(?:['’]?s| has| have) (?:got |still got )?|wer hat )(?:the|my|our|his|her|their|der|die|das|den|mein\w*|unser\w*)\b",
    re.IGNORECASE,
)
_HOLDS = re.compile(
    r"\b(?:has|have|had|got|took|takes|taken|with|at|lent|loaned|borrow\w*|gave|given|keeps?|keeping|kept|holds?|stole|owns?|hat|haben|habe|hab|bei|mit|geliehen|verliehen|ausgeliehen|gegeben|genommen|behält|gehört)\b|['’](?:s|ve) got\b",
    re.IGNORECASE,
)
# "Until when?": that it is so since Monday does not tell.
_ASKS_END = re.compile(
    r"\b(?:until|till?|bis) (?:when|wann|what|which|welche\w*)\b|\bhow much longer\b(?!.*\bthan\b)", re.IGNORECASE
)
_BEGAN = re.compile(r"\b(?:since|seit)\b", re.IGNORECASE)
_HAS_END = re.compile(
    r"\b(?:until|till?|to|through|end\w*|finish\w*|runs?|expir\w*|returns?|home|last|another|left|bis|läuft|zurück|wieder|noch)\b|\d ?[-–] ?\d|\b\d+ (?:day|week|month|year)s?\b",
    re.IGNORECASE,
)
# Of somebody else than oneself: a diary's "Play the cello on Mondays" leaves out its "I".
_ASKS_DEED = re.compile(
    r"\b(?:what|which [\w ]{2,40}?) (?:does|did) (?!(?:i|we)\b)(?:(?:the|my|our|his|her|their) )?[\w'’-]{2,40} (?P<verb>[a-z]{3,20})\W*$",
    re.IGNORECASE,
)
_BEFORE_NOUN = (
    r"(?:^\W*|[.!?]\s+|\b(?:an?|the|this|that|my|our|his|her|their|school|in|at|for|of|on|after|before)\s+|['’]s\s+)"
)
_OF_IT = re.compile(r"\b(?:it|that|this|es|das)\b", re.IGNORECASE)
MIN_SHARED = 0.25  # of the words that the first shares with the question: a later line with fewer is of something else


def is_doubtful(
    ask: ChatRequest,
    asked: AskedQuestion,
    question: StandaloneQuestion,
    first: ScoredExcerpt,
    ranked: Sequence[ScoredExcerpt],
) -> bool:
    """Whether the first of what was found may not be called sure. `ranked` is all that was found."""
    excerpt = first.excerpt
    only_considered = not asks_for_plans(question.search) and is_only_considered(excerpt.anchor.text)
    return (
        only_considered
        or bool(ask.slips)
        or _lacks_the_answer(asked, question.asked, excerpt)
        or _lacks_a_name(question.asked, excerpt.said)
        or _lacks_somebody(asked, excerpt.said)
        or _lacks_a_holder(question.asked, excerpt.said)
        or is_only_anothers(own_thing(question.search), excerpt.anchor.text)
        or _is_told_of_another(question.search, excerpt)
        or _lacks_which(question.asked, excerpt, ranked)
        or _is_one_of_several(asked, excerpt, ranked)
        or says_the_other(asked.text, excerpt.anchor, (one.excerpt.anchor for one in ranked))
        or _may_be_outdated(asked, first, ranked)
        or _is_shown_again(ask, asked, question.leans, excerpt)
        or is_of_another_thing(asked, excerpt.text)
        or _lacks_its_subject(asked, excerpt)
        or _is_of_other_goods(question.asked, excerpt.text)
        or _has_no_age(question.asked, excerpt.said)
        or has_its_verb_as_noun(question.asked, excerpt.anchor.text)
        or _tells_only_when_it_began(question.asked, excerpt.said)
        or (asks_clock(question.asked) and not may_hold_clock(excerpt.said))
        or lacks_age(question.asked, excerpt.said)
        or lacks_sum_paid(question.asked, excerpt.said)
        or _is_a_models_word(excerpt)
    )


def _is_a_models_word(excerpt: Excerpt) -> bool:
    """What a language model said in this program's own chat, it may have made up. Answers of other programs are kept to be found."""
    anchor = excerpt.anchor
    return anchor.role is Role.ASSISTANT and anchor.passage.source == CHAT_SOURCE


def _is_of_other_goods(question: str, text: str) -> bool:
    """Asked what beech costs: what oak costs is no answer."""
    found = _ASKS_COST.search(question)
    goods = set(document_terms(found["goods"] or found["german"])) - STOP_WORDS if found is not None else set()
    return bool(goods) and goods.isdisjoint(document_terms(text))


def _has_no_age(question: str, text: str) -> bool:
    """Asked how old somebody is: that they weigh 9 kilo says nothing of it."""
    figures = _FIGURE.findall(text)
    return _ASKS_AGE.search(question) is not None and bool(figures) and len(_OF_ELSE.findall(text)) == len(figures)


def has_its_verb_as_noun(question: str, text: str) -> bool:
    """ "What does Freya play?": "Play at school was on Friday" has the word, but nobody plays there."""
    deed = _ASKS_DEED.search(question)
    if deed is None:
        return False
    verb = deed["verb"].casefold()
    kin = [word for word in _WORD.findall(text.casefold()) if word.startswith(verb[:-1])]
    as_noun = re.findall(rf"{_BEFORE_NOUN}{re.escape(verb)}\b(?! the\b| an?\b)", text, re.IGNORECASE)
    return bool(as_noun) and len(as_noun) == len(kin)


def _tells_only_when_it_began(question: str, text: str) -> bool:
    began = _BEGAN.search(text) is not None and _HAS_END.search(text) is None
    return began and _ASKS_END.search(question) is not None


def _lacks_its_subject(asked: AskedQuestion, excerpt: Excerpt) -> bool:
    told = excerpt.anchor.role is Role.USER and not goes_on(excerpt.anchor.text)
    return told and lacks_its_subject(asked, excerpt.text)


def _is_told_of_another(question: str, excerpt: Excerpt) -> bool:
    return excerpt.anchor.role is Role.USER and is_told_of_another(question, excerpt.anchor.text)


def _lacks_which(question: str, excerpt: Excerpt, ranked: Sequence[ScoredExcerpt]) -> bool:
    """ "Which knee is it?": no line that has a knee without saying which, nor one of several that have one."""
    if lacks_which(question, excerpt.said):
        return True
    kind, answer = asks_only_which_of(question), excerpt.anchor
    others = [one.excerpt.anchor for one in ranked if one.excerpt.anchor.passage.id != answer.passage.id]
    return bool(kind) and any(one.role is Role.USER and kind <= set(document_terms(one.text)) for one in others)


def _is_shown_again(ask: ChatRequest, asked: AskedQuestion, leans: bool, excerpt: Excerpt) -> bool:
    """The line that answered the question before, asked next for somebody: it names nobody but the one that the talk is of. Or for anything, in words that say nothing ("Was hat er?")."""
    if not leans or excerpt.anchor.passage.id not in ask.shown[:1]:
        return False
    if AnswerType.ANYTHING in asked.kinds and says_nothing(ask.text) and not _OF_IT.search(ask.text):
        return True
    return AnswerType.PERSON in asked.kinds and not new_name(asked.text, excerpt.said)


def _may_be_outdated(asked: AskedQuestion, first: ScoredExcerpt, ranked: Sequence[ScoredExcerpt]) -> bool:
    """One said of the same later that something is another now: it may be this, though it was not put first. Asked for what is so now, something new is enough."""
    answer = first.excerpt.anchor
    says_so = told_here_anew if asked.now < 1 else told_here_as_new
    shared = MIN_SHARED * first.signals.words
    later = [one.excerpt.anchor for one in ranked if one.excerpt.anchor.passage.at > answer.passage.at]
    if asked.now >= 1 and any(one.role is Role.USER and may_change_work(asked.text, one.text) for one in later):
        return True
    return answer.role is Role.USER and any(
        one.excerpt.anchor.role is Role.USER
        and one.signals.words >= shared
        and one.excerpt.anchor.passage.at > answer.passage.at
        and says_so(first.excerpt, one.excerpt)
        and not surely_tells_of_another(asked.text, answer, one.excerpt.anchor)
        for one in ranked
    )


def _is_one_of_several(asked: AskedQuestion, first: Excerpt, ranked: Sequence[ScoredExcerpt]) -> bool:
    """Asked for all of several, with another memory that tells more of it: one of them alone is not the answer."""
    answer = first.anchor
    others = [
        one.excerpt.anchor.text
        for one in ranked
        if one.excerpt.anchor.role is Role.USER and one.excerpt.anchor.passage.id != answer.passage.id
    ]
    if _tells_of_one(asked.text, answer.text):
        return True
    if asks_for_several(asked.text):
        terms = set(query_terms(asked.text))
        shared = terms & set(document_terms(answer.text))
        return bool(shared) and any(2 * len(shared & set(document_terms(text))) >= len(shared) for text in others)
    deed = asked_deed(asked.text)
    if AnswerType.LIST not in asked.kinds or not deed or not is_own(deed, answer.text):
        return False
    return any(is_own(deed, text) for text in others)


def _tells_of_one(question: str, text: str) -> bool:
    """ "Which doctors do I have?": my eye doctor is one of them."""
    several = _WHICH_ONES.search(question)
    if several is None:
        return False
    words = _WORD.findall(text.casefold())
    return several["one"].casefold() in words and several["many"].casefold() not in words


def _lacks_a_name(question: str, text: str) -> bool:
    """Asked how somebody or something is called: "the electrician never called back" has no name in it."""
    if ASKS_NAME.search(question) is None or new_name(question, text):
        return False
    known = set(_WORD.findall(question.casefold()))  # "zwei Katzen", asked how they are called
    return all(known.issuperset(_WORD.findall(found[0].casefold())) for found in _MAY_BE_NAME.finditer(text))


def _lacks_somebody(asked: AskedQuestion, text: str) -> bool:
    """ "Who is Sioned marrying?": that she is getting married on 3 August names nobody."""
    return AnswerType.PERSON in asked.kinds and lacks_somebody(asked.text, text)


def _lacks_a_holder(question: str, text: str) -> bool:
    """ "Who has the cat?": that it is called Mingus does not tell."""
    return _ASKS_HOLDER.match(question) is not None and _HOLDS.search(text) is None


def _lacks_the_answer(asked: AskedQuestion, wants: str, excerpt: Excerpt) -> bool:
    """It may be about the matter, and does not hold what is asked of it."""
    return lacks(asked.kinds, excerpt.said, asks_past(wants)) or only_shares_names(asked, excerpt.said)
