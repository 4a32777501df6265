"""The extractor: a session's lines, in their order, to claims.

    line → clauses → whom it is about → what it says of them → which relation that is → when it holds
    all of them → which of two people of one name it is about (namesakes.py)

No language model is asked. Precision comes first: a clause whose subject cannot be told gives no claim, and neither does one that says nothing by itself
("I love it"). Raise VERSION with every change here or in the files it uses: what was extracted before is then extracted again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import lru_cache

from pmg.base.claim import (
    CAN,
    FUNCTIONAL,
    IS,
    IS_A,
    KNOWS,
    LIKES,
    NEEDS,
    NEVER,
    OWNS,
    PARTNER_OF,
    UNKNOWN,
    WAS,
    WORKS_AT,
    Claim,
    Modality,
    SpokenLine,
)
from pmg.base.patterns import short
from pmg.base.words import STOP_WORDS
from pmg.people import things
from pmg.people.clauses import MAX_LINE, NOT_ABBREVIATED, Clause, clauses
from pmg.people.left_jobs import LEAVING
from pmg.people.moments import Period, period
from pmg.people.namesakes import told_apart
from pmg.people.predicates import Predicate, predicate
from pmg.people.relations import Related, related
from pmg.people.subjects import KIN, PARTNERS, PETS, TITLES, About, Gender, Scene, people_of, small_words, with_family
from pmg.people.tokens import PlacedWord, tokens

VERSION = 8
SPOKEN = frozenset(
    ("person", "user")
)  # whose "I" is a person's; what an assistant or a document says of things counts too
MAX_OBJECT = 160  # characters

# Moves of a conversation: they claim nothing about anybody.
_MOVES = frozenset(
    """think guess mean agree know hope wonder bet appreciate thank promise suppose understand imagine believe wish hear doubt say tell see feel look sound
    seem remember forget care matter let sorry mention assume figure congratulate ask talk worry hold keep stay let""".split()
)
_SAYING = frozenset(
    "feel look keep stay remember hear see talk tell ask".split()
)  # moves that claim something with an object of their own
_MOVED = frozenset(
    "here sure glad happy sorry right wrong there done".split()
)  # states that are moves: "I'm here for you", "I'm sure …"
_EMPTY = STOP_WORDS | frozenset(
    """thing things something anything everything way lot bit kind sort stuff one ones really great good nice amazing awesome cool fun time nothing much
    definitely too always never soon well right sure ok okay best better keep new way today tomorrow yesterday lately recently back like also go get know
    make makes made sense day yes lol haha sometime anytime here there glad sorry wrong""".split()
)
_WORD = re.compile(r"[^\W\d_]{3,}|\d+")
_CUT = short(
    r",?(?<!\s)\s+(?:but|because|although|even though|so that)\b|,\s+(?:so|and (?:now|then|it|that|the|this|sometimes|everyone|people))\b"
    r"|(?<!\s)\s+and (?:the|it|that|this|there|everyone|people|everything)\b(?=[^,]*\b(?:is|are|was|were|has|have|had|makes?|really)\b)"
    r"|,\s+(?:just )?let me know\b|,\s+(?=(?:\w+['’]s|it|that|this|they|life|\w+(?: and \w+)?) (?:been|is|are|was|were)\b)"
    rf"|[-–—]+\s|;|{NOT_ABBREVIATED}\.\s|\.\.\.|…|^(?:but|because|so|and)\b",
    re.IGNORECASE,
)
_TRAIL = short(
    r"(?:(?<!\s)\s+(?:and|but|so|because|or|then|that|which|too|as well|lol|haha|though|tho|if|when|while|since|with|to|at|for|of|in|on|by|from|like|ever))+\s*$",
    re.IGNORECASE,
)
_ELLIPTIC = re.compile(
    r"(?:just |finally |recently |also )*(?:went|bought|visited|joined|finished|signed up|got back|came back|moved|adopted|attended)\b",
    re.IGNORECASE,
)
_FAVOURITE = re.compile(
    r"(?P<owner>my|your) (?:all-time )?favou?rite (?P<what>[\w ]{2,40}?) (?:is|are|was|would be|has to be) (?P<o>[^.!?,;]{2,80})",
    re.IGNORECASE,
)
# "Tom and I split up last year", but not "to search the shop", and not "got separated in the crowd".
_PARTED = re.compile(
    r"(?:be|get) (?:\w+ly |now )?(?:divorced\b|separated\b(?! (?:by\b|(?:in|at|from|on|during) (?:the|an?|our|my|this)\b)))|(?:divorce|separate|break up|split up)"
    r"(?=\s*(?:$|[,.;:!?])| (?:last|this|(?:in|since|around|before|after) (?:early |late )?(?:\d{4}|[A-Z]\w+|(?:\w+ ){1,2}(?:months?|years?)|spring|summer|autumn|winter)|"
    r"(?:\w+ ){1,3}ago|yesterday|today|recently|again|for good|amicably|because)\b)"
)
_WORKPLACE = re.compile(
    r"(?:the )?[A-ZÀ-Þ]|(?:the|my|our|his|her|their) (?:\w+ )?(?:company|firm|agency|job|position)\b"
)
_SENTENCE_END = short(r"[.!?…]+(?=\s|$)|[;\n)]|$")
_COUPLE = re.compile(
    r"(?:be|get) (?:\w+ly |now |finally )?(?:engaged|married|dating|a couple|in a relationship)\b|(?:marry|date)\b"
)  # with "Jonas and I"
# "my first day at Ostkai": the day is the subject, and tells where somebody works from then on; a last day until when.
_DAY_AT = re.compile(
    r"(?:\b(?i:my)|(?:^|[.!?,:;–—-] ?|(?i:it was |it's |is )))\s*(?P<which>(?i:first|last))(?: (?:real|full|official|working|actual))?"
    r" (?i:day|week|shift)(?: (?i:of work))? (?i:at|with) (?:the )?(?P<o>[A-ZÀ-Þ][\w&.'’-]*(?:(?<![a-zß-ÿ]{2}\.) (?:& )?[A-ZÀ-Þ][\w&.'’-]*)*)"
)
# Before "I got divorced": with whom.
_PARTNER_AND = re.compile(rf"\b(?i:my) (?:{'|'.join(sorted(PARTNERS))})(?: (?P<name>[A-Z][\w'’-]+))? and\s*\Z")
_SINCE = re.compile(r"\bsince\b", re.IGNORECASE)  # "I worked there since May": whoever says so still does
# What says of itself that it was said by mistake: the line takes back what it denies.
_MISTAKEN = re.compile(
    r"\b(?:misspoke|mis-?typed|mistyped|typo|my mistake|by mistake|(?:I|that) was wrong|I meant|scratch that|no,? wait|correction|versprochen|vertan|verschrieben|vertippt|falsch gesagt|mein fehler)\b",
    re.IGNORECASE,
)
_ANY_MORE = re.compile(r"\b(?:any ?more|(?:any|no) longer|nicht mehr)\b", re.IGNORECASE)
_SECOND = frozenset("be live work move relocate settle start begin quit leave lose marry date intern teach".split())
_HELPERS = frozenset("do does did have has had are is was were will would can could should".split())
_GENERIC_YOU = frozenset("can could should will would may might must need have know see want feel think".split())


def extract(lines: Sequence[SpokenLine]) -> list[Claim]:
    """The claims of one session."""
    small = small_words(line.text[:MAX_LINE] for line in lines if line.role in SPOKEN)
    scene = Scene(people_of(line.speaker for line in lines if line.role in SPOKEN), small=small)
    return told_apart([claim for line in lines for claim in _of_line(scene, line)], lines)


def _of_line(scene: Scene, line: SpokenLine) -> Iterator[Claim]:
    scene.begin_line(line.speaker if line.speaker in scene.speakers else UNKNOWN, line.text)
    read = line.text[:MAX_LINE]
    for clause in clauses(line.text):
        if line.role in SPOKEN:
            yield from _of_clause(scene, line, clause)
        yield from _of_things(scene, line, clause)
    if line.role in SPOKEN:
        yield from _relatives(scene, line, read)
        yield from _days_at_work(scene, line, read)
        scene.notice(read)


# clauses


def _of_clause(scene: Scene, line: SpokenLine, clause: Clause) -> Iterator[Claim]:
    text = line.text
    favourite = _FAVOURITE.match(text, clause.start, clause.end)
    if favourite:
        owner = scene.speaker if favourite["owner"].lower() == "my" else scene.addressee
        what = f"{favourite['o'].strip()} (favourite {favourite['what'].strip()})"
        yield from _told(scene, line, clause, About(owner, 0), Predicate(verb="like"), LIKES, what)
        return
    words = _in_order(clause, tokens(text, clause.start, clause.end))
    about = _about(scene, clause, words, text)
    if about is None or (about.is_addressee and not clause.is_asked and _speaks_of_anybody(words, about)):
        return
    said = predicate(words, about.taken, clause.is_asked)
    if said is None or not said.verb:
        return
    if said.helper == CAN and words[0].word == "we" and not said.is_past:
        said.modality = Modality.HYPOTHETICAL  # "we can grab some snacks" proposes
    if about.is_addressee and clause.is_timed and not said.is_past:
        return  # "when you hang out with friends" speaks of anybody
    rest = _called_off(scene, _rest(text, words, said.at, clause.end))
    yield from _meant(scene, line, clause, about, said, rest)
    if said.modality is Modality.STATED:
        yield from _said_too(scene, line, clause, about, words)


def _said_too(
    scene: Scene, line: SpokenLine, clause: Clause, about: About, words: Sequence[PlacedWord]
) -> Iterator[Claim]:
    """ "I live in Bristol and work at Quillbrook": a second verb of the same subject, where it tells of a home, a job or a partner and of nothing else."""
    for place, word in enumerate(words):
        if word.word != "and" or place + 1 >= len(words) or words[place + 1].text[:1].isupper():
            continue
        said = predicate(words, place + 1)
        if said is None or said.modality is not Modality.STATED or said.helper or said.verb not in _SECOND:
            continue
        rest = _called_off(scene, _rest(line.text, words, said.at, clause.end))
        found = related(said.verb, rest, said.is_positive)
        if found is not None and found.relation in FUNCTIONAL:
            later = replace(clause, start=words[place + 1].start, timed_from=-1)
            yield from _meant(scene, line, later, about, said, rest)


def _in_order(clause: Clause, words: list[PlacedWord]) -> list[PlacedWord]:
    """ "did you visit …?" as "you did visit …": a question that begins with its helper has its subject behind it."""
    if (
        clause.is_asked
        and len(words) > 2
        and words[0].word in _HELPERS
        and words[1].word in ("i", "you", "he", "she", "they", "we")
    ):
        return [words[1], words[0], *words[2:]]
    return words


def _about(scene: Scene, clause: Clause, words: Sequence[PlacedWord], text: str) -> About | None:
    if clause.is_relative:
        return None
    quoted = _quoted_by(scene, clause)
    if clause.is_verbatim:
        # Between quotation marks "I" is the one quoted: whoever that is, it is not the one who tells it.
        found = scene.subject(words)
        if found is None or found.is_addressee:
            return None
        return replace(found, name=quoted) if found.is_speaker else found
    found = scene.subject(words)
    if found is None and _ELLIPTIC.match(text, clause.start, clause.end) and not clause.is_asked:
        return About(scene.speaker, 0, is_speaker=True)
    return found


def _quoted_by(scene: Scene, clause: Clause) -> str:
    """Whose words a quotation is: the reporter's, if one can be told."""
    if not clause.reporter or clause.reporter == "?":
        return UNKNOWN
    about = scene.subject(tokens(clause.reporter + " said"))
    return about.name if about else UNKNOWN


def _speaks_of_anybody(words: Sequence[PlacedWord], about: About) -> bool:
    """ "you can take your dog on a leash" speaks of anybody; "you were there" of the one spoken to."""
    following = words[about.taken].word if about.taken < len(words) else ""
    return following in _GENERIC_YOU


def _rest(text: str, words: Sequence[PlacedWord], at: int, end: int) -> str:
    if at >= len(words):
        return ""
    first = words[at]
    if first.word == "," or (at and first.start == words[at - 1].start):
        return ""
    rest = _CUT.split(text[first.start : end], maxsplit=1)[0].strip(' \n\t,;:.!?…-–—"“”*_()')
    return _TRAIL.sub("", rest).strip(" ,;:-–—")[:MAX_OBJECT]


def _called_off(scene: Scene, rest: str) -> str:
    """Without the name of the one spoken to at its end: "I'm getting there, Caroline"."""
    head, comma, name = rest.rpartition(", ")
    return head if comma and name in scene.names else rest


def _meant(scene: Scene, line: SpokenLine, clause: Clause, about: About, said: Predicate, rest: str) -> Iterator[Claim]:
    if said.verb in LEAVING and _WORKPLACE.match(rest):
        rest = _to_its_end(line.text, clause, rest)
        if not said.is_past and said.verb == "leave" and said.modality is Modality.STATED:
            said.modality = Modality.PLAN  # "I leave Siemens at five", "I'm leaving Siemens": it is not left yet
    found = related(said.verb, rest, said.is_positive, said.helper)
    parted = _parted_from(line, clause, about) if _PARTED.match(f"{said.verb} {rest}") else None
    if parted is not None:
        found = Related(PARTNER_OF, parted, is_over=True)
    elif about.companion and _COUPLE.match(f"{said.verb} {rest}"):
        found = Related(
            PARTNER_OF, about.companion, begins=said.verb in ("get", "marry"), lasts=said.verb in ("be", "date")
        )
    if (
        found is not None
        and found.is_over
        and (not said.is_positive or (found.lasts and said.is_past and not said.goes_on))
    ):
        return  # "I didn't quit my job", "I was unemployed": nothing is said of what holds
    if said.helper == NEEDS and said.verb != "be":
        relation, thing, over = NEEDS, f"to {said.verb} {rest}".strip(), False
    elif found is not None and (found.relation != IS or said.helper == ""):
        relation, thing, over = found.relation, found.object, found.is_over
        said.begins, said.lasts = found.begins, found.lasts
    elif said.helper == CAN:
        relation, thing, over = CAN, f"{said.verb} {rest}".strip(), False
    else:
        relation, thing, over = said.verb, rest, False
    thing = _TRAIL.sub("", thing)
    if relation == IS:
        thing = thing.split(",")[0].strip()
        relation = WAS if said.form in ("was", "were") else IS
    if not _says_something(relation, said, thing, rest):
        return
    if over:
        said.is_positive, said.is_past = False, True
    yield from _told(scene, line, clause, about, said, relation, thing)


def _to_its_end(text: str, clause: Clause, rest: str) -> str:
    """With the reason and what came next, up to the end of the sentence: they tell whether a job was left, or its building."""
    begin = text.find(rest, clause.start)
    end = _SENTENCE_END.search(text, begin + len(rest)) if begin >= 0 else None
    return text[begin : end.start()].strip()[:MAX_OBJECT] if end is not None else rest


def _parted_from(line: SpokenLine, clause: Clause, about: About) -> str | None:
    """ "Piet and I got divorced" names him, "my husband and I" nobody but whoever that is; None where no other is told of."""
    if about.companion:
        return about.companion
    found = _PARTNER_AND.search(line.text[: clause.start]) if about.is_speaker else None
    return (found["name"] or "") if found is not None else None


def _says_something(relation: str, said: Predicate, thing: str, rest: str) -> bool:
    if said.verb in _MOVES and relation == said.verb and not (said.verb in _SAYING and len(_content(rest)) > 2):
        return False
    if said.helper and said.verb in (*_MOVES, "wait"):
        return False
    if relation in (IS, WAS) and thing.split(" ")[0].lower() in _MOVED:
        return False
    content = _content(thing)
    if not content:
        return relation not in (IS, WAS, said.verb) and relation not in (CAN, NEEDS, LIKES) and bool(thing or relation)
    return True


@lru_cache(maxsize=10_000)
def _content(text: str) -> tuple[str, ...]:
    """The words that say something."""
    return tuple(word for word in _WORD.findall(text.lower()) if word not in _EMPTY)


def _told(
    scene: Scene, line: SpokenLine, clause: Clause, about: About, said: Predicate, relation: str, thing: str
) -> Iterator[Claim]:
    if not about.name or (not thing and relation not in ("works_at", "partner_of")):
        return
    modality = _modality(clause, said)
    words = line.text[clause.when_from : clause.end]
    held = period(words, line.at, said.is_past, modality is Modality.PLAN)
    ahead = held.start is not None and held.start > line.at.date()
    if held.start is not None and (
        (said.is_past and ahead) or (modality is Modality.PLAN and held.start < line.at.date())
    ):
        held = Period()  # "I booked a trip for next month": the trip's time, not the booking's
    if said.begins or (relation in FUNCTIONAL and _reaches_on(held, line, said)):
        held = held.onwards
    if relation in FUNCTIONAL and not said.is_positive and _takes_back(line.text, words):
        held = Period(NEVER)
    elif relation in ("works_at", "partner_of") and not said.is_positive:
        held = Period(None, held.start or line.at.date())
    elif said.is_over or (said.lasts and said.is_past and not said.goes_on and _SINCE.search(words) is None):
        held = held if held.start and held.end else Period(None, held.end or _last_known(relation, line, said))
    quoted = _quoted_by(scene, clause) if clause.reporter else UNKNOWN
    start, end = _trimmed(line.text, clause.start, clause.end)
    yield Claim(
        scene.speaker, about.name, relation, thing, line.at, line.segment, line.line, start, end, said.is_positive,
        round(clause.certainty * said.certainty * (0.8 if about.is_addressee else 1.0), 2), modality, held.start, held.end, quoted,
    )  # fmt: skip


def _last_known(relation: str, line: SpokenLine, said: Predicate) -> date:
    """The first day on which it holds no more, where none is named: "I worked at Siemens all day" does not say that it is over by now."""
    today = line.at.date()
    return today if said.is_over or relation not in FUNCTIONAL or today == date.max else today + timedelta(days=1)


def _takes_back(text: str, words: str) -> bool:
    """Whether a line says that what it denies was said by mistake. "Not any more" tells of an end."""
    return _MISTAKEN.search(text) is not None and _ANY_MORE.search(words) is None


def _reaches_on(held: Period, line: SpokenLine, said: Predicate) -> bool:
    """ "I live in Boston this month", "I have lived …": nobody said that it ends with the month."""
    return held.end is not None and held.end > line.at.date() and (said.goes_on or not said.is_past)


def _modality(clause: Clause, said: Predicate) -> Modality:
    if clause.reporter:
        return Modality.QUOTATION
    if clause.is_asked:
        return Modality.QUESTION
    if clause.is_supposed or (clause.is_timed and not said.is_past):
        return Modality.HYPOTHETICAL
    return said.modality


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


# people and things beside the grammar of clauses


_ONE = {noun for noun, gender in (*KIN.items(), *PETS.items()) if gender is not Gender.MANY}
_NOUN = "|".join(sorted(_ONE, key=len, reverse=True))
_RELATIVE = re.compile(
    rf"\b(?i:my|our) (?P<kind>(?:\w+ ){{0,2}}?(?:(?i:ex)-)?)(?P<noun>{_NOUN}),? (?:named |called )?(?P<name>[A-Z][a-zà-ÿ]{{1,20}})\b(?P<more>(?: [A-Z][a-zà-öø-ÿ]+(?:-[A-Z][a-z]+)?\b)+)?"
    r"(?! [A-Z][a-z]|\s+(?:and|&)\s+I\b)(?(more)|(?!['’]s\b))"
)
_FORMER = re.compile(r"\b(?:ex|former|late)\b", re.IGNORECASE)
_PARTED_SINCE = re.compile(r"\b(?:ex|former)\b", re.IGNORECASE)
# A fencing or business partner is none in life: any word before it but one of these says in what.
_OF_WHAT = re.compile(
    r"\b(?!(?:dear|beloved|lovely|new|long|time|longtime|current|life|own|civil|wonderful|amazing|domestic|sweet)\b)\w+",
    re.IGNORECASE,
)
_NOT_NAMES = frozenset(
    "I The My And But So It He She They We You This That Is Was Has Had In On At For With Who Which Day Monday Friday Sunday Saturday Christmas".split()
)


def _relatives(scene: Scene, line: SpokenLine, text: str) -> Iterator[Claim]:
    """ "my sister Anna", "our cat Luna": whom or what the speaker has, and what it is."""
    if not scene.speaker:
        return
    for found in _RELATIVE.finditer(text):
        noun, name = found["noun"].lower(), found["name"]
        if name in _NOT_NAMES or name.lower() in TITLES or name == scene.speaker:
            continue
        name = with_family(name, found["more"] or "") if noun in KIN else name
        is_partner = noun in PARTNERS and not _is_another_kind(noun, found["kind"])
        role = f"{found['kind'].lower()}{noun}" if noun in PARTNERS and not is_partner else noun
        relation = PARTNER_OF if is_partner else OWNS if noun in PETS else KNOWS
        made = Claim(scene.speaker, scene.speaker, relation, name, line.at, line.segment, line.line, *found.span())
        yield made
        if noun in PARTNERS and _PARTED_SINCE.search(found["kind"]):
            yield replace(made, relation=PARTNER_OF, is_positive=False, valid_to=line.at.date())
        yield replace(made, subject=name, relation=IS_A, object=f"{role} of {scene.speaker}")


def _is_another_kind(noun: str, words: str) -> bool:
    """ "ex husband", "fencing partner": what stands before it says that it is no partner in life, now."""
    return _FORMER.search(words) is not None or (noun == "partner" and _OF_WHAT.search(words) is not None)


def _days_at_work(scene: Scene, line: SpokenLine, text: str) -> Iterator[Claim]:
    """ "My first day at Ostkai": likely a job, though a school or a park has first days too."""
    for found in _DAY_AT.finditer(text) if scene.speaker else ():
        over = found["which"].lower() == "last"
        held = period(text[found.start() : found.end() + 60].split(".")[0], line.at, True)
        day = held.start if held.start is not None and held.start <= line.at.date() else line.at.date()
        start, end = found.start("which"), found.end()
        yield Claim(scene.speaker, scene.speaker, WORKS_AT, found["o"].rstrip(".'’"), line.at, line.segment, line.line, start, end, not over, 0.7,
                    Modality.STATED, None if over else day, day if over else None)  # fmt: skip


def _of_things(scene: Scene, line: SpokenLine, clause: Clause) -> Iterator[Claim]:
    supposed = (
        Modality.QUESTION if clause.is_asked else Modality.HYPOTHETICAL if clause.is_supposed else Modality.STATED
    )
    found = [*things.things(line.text, clause.start, clause.end)]
    german = [*things.german(line.text, clause.start, clause.end)] if line.role in SPOKEN else []
    for one in (*found, *german):
        subject = scene.speaker if one.subject == things.SPEAKER else one.subject
        if subject:
            begin = (
                clause.when_from if one in german else one.start
            )  # "Seit Mai wohne ich …": the time may stand before it
            held = period(line.text[begin : clause.end], line.at, one.is_past)
            held = held.onwards if one in german else held  # these tell of what holds, or of how it began
            if (
                not one.is_positive
                and one.relation in FUNCTIONAL
                and _takes_back(line.text, line.text[begin : one.end])
            ):
                held = Period(NEVER)
            elif one.is_over:
                held = Period(None, held.start or line.at.date())
            modality = one.modality if supposed is Modality.STATED else supposed
            yield Claim(line.speaker if line.role not in SPOKEN else scene.speaker, subject, one.relation, one.object, line.at, line.segment,
                        line.line, one.start, one.end, one.is_positive, min(clause.certainty, one.certainty), modality, held.start, held.end)  # fmt: skip
