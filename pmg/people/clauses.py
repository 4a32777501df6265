"""A line cut into clauses, each with what stands around it: asked, supposed, quoted, doubted.

Knows: where English (and, roughly, German) begins a new clause, which words lead in a supposition, what is a quotation, and the marks of irony.
Pure and linear.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from pmg.base import sentences
from pmg.base.patterns import linear, short

MAX_LINE = 4_000  # characters of a line that are read: beyond that it is a document, not something said
MAX_CLAUSE = 300

_ASIDE = linear(r"(?s)\[[^\]]*\]|```.*?(?:```|\z)|`[^`]*`|https?://\S+")
_PERSON = r"(?:i|we|you|he|she|they|my|our|your|his|her|their|it|this|that|there|ich|wir|du|er|sie|mein\w*)"
_MONTH = "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
_DAYS = "days?|weeks?|weekends?|fortnights?|months?|years?"
_NAMED = (
    rf"(?:{_MONTH})\b\.?(?: \d{{1,2}}(?:st|nd|rd|th)?)?(?:,? (?:of )?\d{{4}})?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|spring|summer|autumn|fall|winter|"
    rf"christmas|easter|new year['’]s(?: eve| day)?|(?:19|20)\d\d|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})\b(?:,? \d{{4}})?"
)
_MANY = (
    r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a couple of|a few|several|half a)"
)
# When something was, before the clause that it belongs to: "two months ago I moved", "since last March we live".
_TIME = (
    r"(?:(?:just|only|about|almost|over|nearly|around|exactly|early|late|back|already|ever|earlier|later|sometime|starting|beginning) )*"
    rf"(?:yesterday(?: (?:morning|afternoon|evening|night))?|today|tonight|tomorrow|the (?:other day|day before yesterday)|these days|nowadays|now|recently|lately|last night|"
    rf"(?:since |until |from |as of |in |during )?(?:last|this|next|the (?:last|past)) (?:(?:{_MANY} )?(?:{_DAYS})|{_NAMED}|morning|afternoon|evening)|"
    rf"(?:since )?{_MANY} (?:{_DAYS}) (?:ago|back|earlier|later)|(?:for|over|in|within|after) (?:about |almost |over |nearly )?{_MANY} (?:{_DAYS})(?: now)?|"
    rf"(?:in|since|from|until|till|by|as of|during|around|before|after|on|at)(?: the)?(?: (?:beginning of|start of|end of|middle of|early|late|mid|last)(?: the)?)?[ -](?:{_NAMED})|"
    r"since (?:yesterday|today)|as of (?:today|tonight|now|tomorrow)|after that|at first)"
)
_LEAD = re.compile(
    r"(?:(?:oh|ah|wow|yeah|yes|yep|yup|no|nope|hey|hi|hello|well|so|and|but|or|also|plus|btw|by the way|actually|honestly|anyway|haha+|lol|omg|aw+|"
    r"ugh|hmm+|ok|okay|cool|great|nice|awesome|sure|right|thanks|thank you|definitely|absolutely|of course|for sure|sounds good|congrats|"
    r"luckily|unfortunately|fortunately|sadly|hopefully|basically|apparently|first|then|"
    rf"{_TIME}|"
    r"as of \w+(?: \w+)?|since \w+(?: \w+)?|last \w+|on \w+day|in fact|as for me|guess what|speaking of which|true|good|glad|sorry|exactly|agreed|totally|man|dude|gosh)"
    r"(?:[,!.…:]+\s*|\s+-+\s*|\s+(?=" + _PERSON + r"\b)))+",
    re.IGNORECASE,
)
_DAY_BEFORE = re.compile(r"\b\d{1,2}\.\s*\Z")
_ABBREVIATIONS = (
    "St",
    "Dr",
    "Mr",
    "Mrs",
    "Ms",
    "Prof",
    "Hr",
    "Fr",
    "Sr",
    "Jr",
    "Mt",
    "Ft",
    "Nr",
    "No",
    "bzw",
    "ca",
    "vs",
    "[B-HJ-Z]",
)
_ABBREVIATED = re.compile(rf"(?<![\w’'])(?:{'|'.join(_ABBREVIATIONS)})\.\s*\Z")
# Before a full stop: not behind an abbreviation, whose full stop ends nothing.
NOT_ABBREVIATED = "".join(rf"(?<!\b(?-i:{short}))" for short in _ABBREVIATIONS)
_MONTH_AFTER = re.compile(r"(?:Jan|Jän|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)\w*")
_AT_TIME = re.compile(rf"{_TIME},?\s+(?={_PERSON}\b)", re.IGNORECASE)
_TWO_WORDS = short(r"([\w'’]+(?: [\w'’]+)?)\s*$")
_JOINT = short(
    r"[,;:]?(?<!\s)\s+(?P<word>and|but|so|because|['’]cause|since|while|when|whenever|although|though|even though|if|unless|once|until|till|after|before|as soon as|"
    r"as|or|then|that's why|which is why|und|aber|weil|dass|wenn)\s+(?:then\s+|now\s+|also\s+|that\s+)?(?="
    + rf"(?:{_TIME},?\s+)?{_PERSON}"
    + r"\b)"
    r"|(?:[,;:]|(?<!\s)\s+[-–—]+)\s*(?=(?:i|we|he|she|they|you|my \w+|it|ich|wir)\b)"
    r"|(?<!\s)\s*[-–—]\s+(?=(?:i|we|he|she|they|my|have you|do you|did you|are you|what|how|any)\b)"
    r"|[,;]?(?<!\s)\s+(?P<rel>which|who|where)\s+",
    re.IGNORECASE,
)
_THOUGHT = "think|thought|guess|believe|suppose|feel like|figure|bet|imagine"
_KNOWN = "know|knew|see|saw|heard|hear|remember|realized|realised|learned|found out|noticed|mean|glad|happy|proud|sure|excited|sorry|grateful|thankful|relieved"
_WISHED = "hope|hoping|wish|wonder|wondering|doubt|pretend|imagining|dream|make sure|ensure|let me know|in case|tell me|n't mean|n’t mean"
_TOLD = (
    "said|says|told (?:me|us|him|her|them|everyone)|claims|claimed|mentioned|explained|announced|swears|texted(?: me)?"
)
_COMPLEMENT = re.compile(
    rf"(?:\b|(?=n['’]t))(?:(?P<thought>{_THOUGHT})|(?P<known>(?<!let you )(?<!let me ){_KNOWN})|(?P<wished>{_WISHED})|(?P<told>{_TOLD}))\s+(?:that\s+|if\s+|whether\s+|how\s+)?(?={_PERSON}\b)",
    re.IGNORECASE,
)
_SUPPOSING = frozenset("if unless whether wenn once until till as_soon_as".split())
_TIMED = frozenset(("when", "after", "before", "while", "as"))  # of the past they tell; of what is to come they suppose
_OPENING = re.compile(
    r"(?:even )?(?:if|unless|whether|once|as soon as|until|wenn|falls)\b|(?:suppos(?:e|ing)|assum(?:e|ing)|imagine(?! (?:my|our|your|his|her|their)\b)|pretend|let['’]?s (?:say|assume|pretend)|say)(?: that)? "
    rf"(?={_PERSON}\b)|(?:mal |einmal )?angenommen,|(?:nehmen wir|stell dir|stellt euch|stellen sie sich)(?: mal| einmal)? (?:an|vor),",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"(?:what|where|when|why|who|which|how|do|does|did|have|has|had|are|is|was|were|will|would|can|could|should|any)\b",
    re.IGNORECASE,
)
# "Jonas and I", "my sister and I": one subject, whom no joint parts.
_AND_I = re.compile(r"(?:[A-ZÀ-Þ][\w'’-]*(?: [A-ZÀ-Þ][\w'’-]*)?|(?:my|our) (?:\w+ ){0,2}\w+)\s*\Z")
_ABLE = re.compile(r"(?:i|we|they|he|she|you) (?:can|could)\b", re.IGNORECASE)  # "so I can reach more people": what for
_LONG_AGO = re.compile(r"\b(?:while|ages|forever|long|time|years|months|weeks|days)\s*\Z", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“„«]([^\"”“«»]{2,400})[\"”“»]")
_SAID_BEFORE = short(
    rf"\b(he|she|they|i|my \w+|[A-Z][\w'’-]+)\s+(?:(?:was|were|is|are)\s+(?:like|saying)|{_TOLD}|say|asked(?: me)?|replied|yelled|wrote)\s*[,:]?\s*$",
    re.IGNORECASE,
)
_IRONY = re.compile(
    r"/s\b|🙄|😏|\byeah,? right\b|(?:^|[.!?] )as if\b|\bjust kidding\b|\bjk\b|\bsure,? because\b|\bkidding aside\b|\bsarcasm\b|\btotally not\b|"
    r"\bha+ ?ha+,? sure\b|\bin my dreams\b|\bobviously\s*\.\.\.",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """Characters of the line, and how what they say is put forward."""

    start: int
    end: int
    is_asked: bool = False
    is_supposed: bool = False
    is_timed: bool = False  # after "when": told if it is past, supposed if it is to come
    is_relative: bool = False  # after "which" or "who": its subject stands before it
    certainty: float = 1.0
    reporter: str = ""  # "she" in: she said I …
    is_verbatim: bool = False  # between quotation marks
    timed_from: int = -1  # where the words begin that tell when; before `start` if a time leads it in

    @property
    def when_from(self) -> int:
        return self.start if self.timed_from < 0 else self.timed_from


def clauses(text: str) -> Iterator[Clause]:
    """In their order; what is meant ironically is hardly certain."""
    low = 0.3 if _IRONY.search(_without_asides(text)) else 1.0
    for clause in cut(text):
        yield clause if low == 1.0 else replace(clause, certainty=min(low, clause.certainty))


def cut(text: str, wanted: Callable[[str], bool] | None = None) -> Iterator[Clause]:
    """In their order; asides (pictures, code, addresses) are nobody's words and are skipped. `wanted` chooses sentences: cutting is what takes long."""
    read = _without_asides(text)
    for first, last in sentence_spans(read):
        start, end = sentences.trimmed(read, first, last)
        if start < end and (wanted is None or wanted(text[start:end])):
            yield from _of_sentence(read, start, end)


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """As they end anywhere (pmg/base/sentences.py), but for the stops in "am 3. April", "St. Pauli", "Dr. Weiss" and "J. Smith"."""
    begin = 0
    for _, end in sentences.pieces(text):
        in_date = _DAY_BEFORE.search(text, begin, end) is not None and _MONTH_AFTER.match(text, end) is not None
        if end == len(text) or not (in_date or _ABBREVIATED.search(text, max(begin, end - 12), end)):
            yield begin, end
            begin = end


def _without_asides(text: str) -> str:
    return _ASIDE.sub(lambda found: " " * len(found[0]), text[:MAX_LINE])


def _of_sentence(text: str, start: int, end: int) -> Iterator[Clause]:
    asked = sentences.asks(text[start:end])
    quotes = [m for m in _QUOTED.finditer(text, start, end) if _is_speech(text, start, m)]
    for quote in quotes:
        before = _SAID_BEFORE.search(text[start : quote.start()])
        who = before[1] if before else "?"
        first, last = quote.span(1)
        yield Clause(first, last, text[first:last].rstrip().endswith("?"), reporter=who, is_verbatim=True)
        text = text[:first] + " " * (last - first) + text[last:]
    yield from _pieces(text, start, end, asked)


def _is_speech(text: str, start: int, quote: re.Match[str]) -> bool:
    """A title is short and has no "I"; what somebody said follows "said" or speaks of itself."""
    inside = quote[1]
    if _SAID_BEFORE.search(text[start : quote.start()]):
        return True
    return len(inside.split()) > 3 and re.search(r"\b(?:I|I'm|you|we|my)\b", inside) is not None


def _pieces(text: str, start: int, end: int, asked: bool) -> Iterator[Clause]:
    lead = _LEAD.match(text, start, end)
    begin = lead.end() if lead else start
    supposed = _OPENING.match(text, begin, end) is not None
    cuts = sorted(_cuts(text, begin, end), key=lambda cut: cut[:2])
    # "We go on Sunday, want to join?" asks at its end only; "Did you go, and was it good?" asks all along.
    along = asked and (not cuts or _ASKING.match(text, begin, end) is not None)
    current = Clause(begin, end, along, supposed, timed_from=start)
    for cut_start, cut_end, marks in cuts:
        if cut_start < current.start:
            continue
        yield _closed(current, cut_start)
        # "if" holds for what follows it up to its comma; the main clause of such a sentence is supposed as well.
        time = _AT_TIME.match(text, cut_end, end)
        current = Clause(time.end() if time else cut_end, end, along or (asked and cut_start == cuts[-1][0]), supposed or marks.is_supposed, marks.is_timed,
                         marks.is_relative, marks.certainty, marks.reporter, timed_from=cut_end)  # fmt: skip
    yield _closed(current, end)


def _closed(clause: Clause, end: int) -> Clause:
    return Clause(clause.start, min(end, clause.start + MAX_CLAUSE), clause.is_asked, clause.is_supposed, clause.is_timed,
                  clause.is_relative, clause.certainty, clause.reporter, timed_from=clause.timed_from)  # fmt: skip


def _cuts(text: str, start: int, end: int) -> Iterator[tuple[int, int, Clause]]:
    """(where the clause before ends, where the next begins, the marks of the next)."""
    for found in _JOINT.finditer(text, start, end):
        word = (found["word"] or "").lower().replace(" ", "_")
        if word == "and" and _AND_I.match(text, start, found.start()) and re.match(r"I\b", text[found.end() : end]):
            continue
        # "it's been a while since I …" tells that I did not: what follows is no claim.
        aside = bool(found["rel"]) or (word == "since" and _LONG_AGO.search(text[start : found.start()]) is not None)
        purpose = word == "so" and _ABLE.match(text, found.end()) is not None
        marks = Clause(0, 0, False, purpose or word in _SUPPOSING, word in _TIMED, aside)
        yield found.start(), found.end(), marks
    for found in _COMPLEMENT.finditer(text, start, end):
        if found["told"]:
            before = _TWO_WORDS.search(text[start : found.start()])
            yield found.start(), found.end(), Clause(0, 0, reporter=before[1] if before else "?")
        elif found["wished"]:
            yield found.start(), found.end(), Clause(0, 0, is_supposed=True)
        else:
            doubt = 0.7 if found["thought"] else 1.0
            yield found.start(), found.end(), Clause(0, 0, certainty=doubt)
