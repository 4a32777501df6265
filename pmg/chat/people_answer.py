"""What claims answer in a chat without a language model: counts and lists, where somebody lives or works now, what is known of oneself, whose affair it is instead, a plain yes or no, and what was never told.

Knows: when claims are sure enough to speak before the quotes of evidence.py, and how little to say around them: our sentence repeats nothing
of a memory but the name that was asked for, so forgetting leaves nothing in a stored answer. How claims are found stands in pmg/people.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from pmg.base.claim import COMES_FROM, DISLIKES, IS_A, KNOWS, LIKES, LIVES_IN, OWNS, PARTNER_OF, WORKS_AT
from pmg.base.times import now
from pmg.chat.answer_signals import names_in
from pmg.chat.answer_type import AnswerType, asks_who_it_is, holds
from pmg.chat.corrected import correction_of
from pmg.chat.never_told import never_told, of_another
from pmg.chat.phrases import german, yes_or_no
from pmg.chat.quoted_passages import passages
from pmg.chat.replaced_since import says_replaced
from pmg.chat.responder import ChatRequest, Evidence, Quote, QuoteKind, Tone
from pmg.chat.reversal import is_not_so
from pmg.chat.sentences import split
from pmg.chat.told_change import changes_what_is_asked
from pmg.index.terms import document_terms
from pmg.people.answer import AnswerLine, Asked
from pmg.people.ask import UNKNOWN_ASKER, tells_of_self
from pmg.people.asked_relation import asked_relation
from pmg.people.counting import Counted
from pmg.people.entities import folded
from pmg.people.facts import Fact, facts_of, holding
from pmg.people.knowledge import Knowledge, about
from pmg.people.left_jobs import LEAVING, told_by
from pmg.people.route import AnswerKind
from pmg.people.shared_names import SharedName
from pmg.store.people import EntityKind, StoredClaim

if TYPE_CHECKING:
    from pmg.engine import Engine

MAX_QUOTES = 8  # quotes of a list; the number above them counts all
MAX_OF_KIND = 2  # homes, jobs, pets … of a profile
_LASTING = (LIVES_IN, WORKS_AT, PARTNER_OF, COMES_FROM, IS_A, OWNS, KNOWS, LIKES, DISLIKES)
_ABOUT_SELF = re.compile(
    r"(?:(?:so|and|und|also)[\s,]+)?(?:what (?:all )?do you (?:know|remember) (?:about|of) (?:me|myself)|tell me (?:about myself|what you know (?:about|of) me)|"
    r"what have i told you (?:about|of) (?:me|myself)|was weißt du (?:alles )?(?:über mich|von mir)|erzähl(?:e)? mir (?:etwas )?(?:über mich|von mir)|"
    r"was habe ich (?:dir )?(?:alles )?(?:über mich|von mir) erzählt)\W*",
    re.IGNORECASE,
)
_OF_SELF = frozenset("i my me mine we our us ich mein meine mir mich wir uns unser unsere".split())


@dataclass(frozen=True, slots=True)
class PeopleAnswer:
    lead: str
    quotes: tuple[Quote, ...]
    tone: Tone
    is_found: bool = False  # the quotes are those that were found, in another order or less surely
    notes: tuple[str, ...] = ()  # what is said of them beside the lead


def about_people(engine: Engine, ask: ChatRequest, asked: Asked, found: Evidence) -> PeopleAnswer | None:
    """None where claims have nothing surer to say than the quotes that were found, and nobody corrected these."""
    return _of_claims(engine, ask, asked, found) or _corrected(engine, ask, found)


def _of_claims(engine: Engine, ask: ChatRequest, asked: Asked, found: Evidence) -> PeopleAnswer | None:
    if asked.verdict is not None and not _said_only_here(ask, found):
        said = _yes_or_no(engine, ask, asked, asked.verdict)
        return None if said is not None and _changed_since(ask.text, said, found, True) else said
    if asked.is_asker_unknown and (unknown := _of_nobody_known(engine, ask, found)) is not None:
        return unknown
    if asked.shared is not None and not asked.is_introduction:
        return _of_several(engine, ask, asked.shared, found)
    if not asked.route.people:
        return None
    if asked.is_introduction:
        return _introduced(engine, ask, asked)
    if asked.route.is_mine and _ABOUT_SELF.fullmatch(ask.text.strip()):
        return _profile(engine, ask, asked)
    if lead := never_told(ask.text, asked, found):
        return PeopleAnswer(lead, _nearest(engine, asked, found), Tone.NOTHING)
    if asked.is_anothers and found.quotes and found.quotes[0].segment == asked.lines[0].segment:
        return PeopleAnswer(of_another(ask.text), found.quotes[:1], Tone.NOTHING)
    if asked.counted is not None and asked.lines:
        return None if _told_since(asked.counted, found) else _counted(engine, ask, asked)
    fact = _fact(engine, ask, asked) if asked.route.kind is AnswerKind.FACT else None
    if fact is not None and _changed_since(ask.text, fact, found):
        return None
    doubted = asked.premise is not None and asked.premise.is_doubted and asked.lines
    if fact is None and doubted and not _bears_on(asked.route.people, ask.text, found):
        return _instead(engine, ask, asked, found)
    if fact is None and (undecided := _of_undecided(engine, ask, asked, found)) is not None:
        return undecided
    return fact  # what is claimed of just this person speaks before a doubt about them


def _corrected(engine: Engine, ask: ChatRequest, found: Evidence) -> PeopleAnswer | None:
    """What corrects the first quote comes before it, never for sure: it may be about something else, and of two speakers nobody can say who is right."""
    right = correction_of(engine, ask, found)
    if right is None:
        return None
    rest = [one for one in found.quotes if (one.segment, one.line) != (right.segment, right.line)]
    lead = "Das wurde berichtigt:" if german(ask.text) else "This was corrected:"
    return PeopleAnswer(lead, (right, *rest), Tone.UNSURE, is_found=True)


def _of_nobody_known(engine: Engine, ask: ChatRequest, found: Evidence) -> PeopleAnswer | None:
    """Another's "I" answers nobody's question for sure, and what one of them said before is no history of the other."""
    answers = [quote for quote in found.quotes if quote.kind is QuoteKind.ANSWER]
    if found.tone is Tone.NOTHING or not answers:
        return None
    known = Knowledge.read(engine.reads.people, ask.namespace)
    if not tells_of_self(known, answers[0].speaker, answers[0].text):
        return None
    quotes = [
        replace(quote, kind=QuoteKind.ANSWER)
        if quote.kind is QuoteKind.OLDER and quote.speaker != answers[0].speaker
        else quote
        for quote in found.quotes
    ]
    lead = (
        "Hier sprechen nur Leute mit Namen, und wer fragt, weiß dein Gedächtnis nicht:"
        if german(ask.text)
        else "Only people with names speak here, and your memory does not know who asks:"
    )
    return PeopleAnswer(lead, tuple(quotes), Tone.UNSURE, is_found=True, notes=(UNKNOWN_ASKER,))


def _of_undecided(engine: Engine, ask: ChatRequest, asked: Asked, found: Evidence) -> PeopleAnswer | None:
    """Two who speak under one name in two conversations may be two people: what one said is no history of the other while nobody decided that they are one."""
    first = next((quote for quote in found.quotes if quote.kind is QuoteKind.ANSWER), None)
    older = [quote for quote in found.quotes if quote.kind is QuoteKind.OLDER]
    if first is None or not older or asked.route.is_mine or len(asked.route.people) != 1:
        return None
    name = asked.route.people[0]
    persons = _persons_speaking(engine, ask.namespace, name, (first, *older))
    others = {quote for quote in older if persons.get(quote, persons.get(first)) != persons.get(first)}
    if first not in persons or not others:
        return None
    quotes = tuple(replace(quote, kind=QuoteKind.ANSWER) if quote in others else quote for quote in found.quotes)
    lead = (
        f"{name} können hier mehrere sein; entschieden ist das nicht:"
        if german(ask.text)
        else f"{name} may be several people here; nobody decided:"
    )
    return PeopleAnswer(lead, quotes, Tone.UNSURE, is_found=True)


def _persons_speaking(
    engine: Engine, namespace: str, name: str, quotes: Sequence[Quote]
) -> dict[Quote, frozenset[int]]:
    """Of the quotes that somebody of that name said: the entities of whoever said each."""
    known = Knowledge.read(engine.reads.people, namespace)
    named = known.named(name)
    called = {folded(alias) for one in named for alias in (one.name, *one.aliases)}
    numbers = engine.reads.numbers_of(list(dict.fromkeys(quote.segment for quote in quotes)))
    session_of = {one.id: one.session_id for one in engine.reads.segments(sorted(numbers.values()))}
    sessions = [session for one in sorted(set(session_of.values())) if (session := engine.reads.session(one))]
    conversation_of = {one.id: one.conversation for one in sessions}
    person_of = {one.conversation: known.person(one.id) for one in named if one.conversation}
    return {
        quote: person_of[conversation]
        for quote in quotes
        if folded(quote.speaker) in called
        and (conversation := conversation_of.get(session_of.get(quote.segment, ""), "")) in person_of
    }


def _of_several(engine: Engine, ask: ChatRequest, shared: SharedName, found: Evidence) -> PeopleAnswer | None:
    """What holds of each whom the name may mean, or what was found, never for sure of one."""
    relation = asked_relation(ask.text)
    claimed = [_place(fact.claim) for ids in shared.people for fact in _current(engine, ask, ids, relation)]
    quotes = _quotes(engine, list(dict.fromkeys(claimed))[:MAX_QUOTES]) or found.quotes
    if not quotes or (not claimed and found.tone is not Tone.SURE):
        return None
    lead = (
        f"Mehrere heißen hier {shared.name}:" if german(ask.text) else f"Several people are called {shared.name} here:"
    )
    return PeopleAnswer(lead, quotes, Tone.UNSURE, is_found=not claimed)


def _current(engine: Engine, ask: ChatRequest, ids: Sequence[int], relation: str) -> list[Fact]:
    """What holds today of somebody, of one kind."""
    return [
        one for one in holding(_facts(engine, ask, ids, relation), _today(ask)) if one.claim.claim.relation == relation
    ]


def _facts(engine: Engine, ask: ChatRequest, ids: Sequence[int], relation: str) -> list[Fact]:
    if not relation:
        return []
    return facts_of(about(engine.reads.people.claims(ask.namespace, about=ids, relations=told_by(relation)), ids))


def _nearest(engine: Engine, asked: Asked, found: Evidence) -> tuple[Quote, ...]:
    """What may be about it comes before what only speaks of another of its kind: it may be told under a name ("Mira", of a daughter)."""
    if found.tone is Tone.UNSURE:
        return found.quotes
    return _lines(engine, asked.lines) or tuple(quote for quote in found.quotes if quote.kind is QuoteKind.ANSWER)[:1]


def _said_only_here(ask: ChatRequest, found: Evidence) -> bool:
    """The best quote is of a chat that is not kept: it is newer than all that memory holds."""
    return found.here and any(not turn.id for turn in ask.before)


def _yes_or_no(engine: Engine, ask: ChatRequest, asked: Asked, is_yes: bool) -> PeopleAnswer | None:
    quotes, older = _lines(engine, asked.lines[:1]), _lines(engine, asked.lines[1:2])
    if not quotes:
        return None
    lead = yes_or_no(is_yes, ask.text, quotes[0].at.date())
    return PeopleAnswer(lead, (*quotes, *(replace(one, kind=QuoteKind.OLDER) for one in older)), Tone.SURE)


def _introduced(engine: Engine, ask: ChatRequest, asked: Asked) -> PeopleAnswer | None:
    """Who somebody is, by the line that introduces them: what they said themselves tells what happened, seldom who they are."""
    quotes = _lines(engine, asked.lines)
    who = " & ".join(asked.route.people)
    lead = f"Über {who} steht in deinem Gedächtnis:" if german(ask.text) else f"Of {who} your memory says:"
    return PeopleAnswer(lead, quotes, Tone.UNSURE) if quotes else None


def _profile(engine: Engine, ask: ChatRequest, asked: Asked) -> PeopleAnswer | None:
    """What holds of oneself, the lasting things first: the newest of each kind."""
    ids = _one_person(engine, ask.namespace, asked)
    facts = facts_of(about(engine.reads.people.claims(ask.namespace, about=ids, relations=[*_LASTING, *LEAVING]), ids))
    today = _today(ask)
    lasting = [fact.claim for fact in reversed(holding(facts, today)) if fact.claim.claim.is_positive]
    kinds = [[one for one in lasting if one.claim.relation == relation][:MAX_OF_KIND] for relation in _LASTING]
    places = {(one.claim.segment, one.claim.line): one for kind in kinds for one in kind}
    quotes = _quotes(engine, [_place(one) for one in list(places.values())[:MAX_QUOTES]])
    lead = (
        "Das hast du von dir erzählt; unter „People“ steht mehr:"
        if german(ask.text)
        else "This is what you told of yourself; the tab People has more:"
    )
    return PeopleAnswer(lead, quotes, Tone.SURE) if quotes else None


def _bears_on(people: Sequence[str], question: str, found: Evidence) -> bool:
    """The first quote names them or is of themselves, what stands around it names them and nothing is said for sure, or it is asked who they are: then it is shown as it is. The doubt was measured where two people
    talk; what is told to an assistant is mostly of others, and is not its teller's for that."""
    first = next((quote for quote in found.quotes if quote.kind is QuoteKind.ANSWER), None)
    if first is None or asks_who_it_is(question):
        return first is not None
    names = names_in(" ".join(people))
    of_self = names & names_in(first.speaker) and _OF_SELF & names_in(first.text)
    if names & names_in(first.text) or of_self:
        return True
    around = passages(found.quotes)[0]
    return found.tone is Tone.UNSURE and any(names & names_in(quote.text) for quote in around)


def _told_since(counted: Counted, found: Evidence) -> bool:
    """Whether the first quote tells a number of the thing counted and is later than every claim of it: "a third cat, so three now" is no claim
    that can be counted, and newer than what can."""
    first = next((quote for quote in found.quotes if quote.kind is QuoteKind.ANSWER), None)
    last = max((one.claim.said_at for one in counted.rows), default=None)
    if first is None or last is None or first.at <= last:
        return False
    things = set(document_terms(counted.what)) & set(document_terms(first.text))
    return bool(things) and holds(AnswerType.NUMBER, first.text) > 0


def _changed_since(question: str, fact: PeopleAnswer, found: Evidence, asks_whether: bool = False) -> bool:
    """Whether the first quote is later than what is claimed and tells that it became another, or is no longer so: not every such line is read as a claim."""
    first = next((quote for quote in found.quotes if quote.kind is QuoteKind.ANSWER), None)
    claimed = [quote for quote in fact.quotes if quote.kind is QuoteKind.ANSWER]
    return first is not None and all(
        quote.at < first.at
        and (
            changes_what_is_asked(question, quote.text, first.text, quote.at.year)
            or (quote.speaker == first.speaker and is_not_so(question, quote.text, first.text))
            or says_replaced(question, quote.text, first.text, asks_whether, quote.speaker == first.speaker)
        )
        for quote in claimed
    )


def _counted(engine: Engine, ask: ChatRequest, asked: Asked) -> PeopleAnswer | None:
    assert asked.counted is not None
    quotes = _quotes(engine, [_place(row) for row in asked.counted.rows[-MAX_QUOTES:]])
    number, places = asked.counted.number, len(asked.counted.rows)
    lead = (
        f"{number}, an {places} Stellen, soweit es gesagt wurde; vielleicht ist es nicht alles:"
        if german(ask.text)
        else f"{number}, in {places} {'place' if places == 1 else 'places'}, as far as it was said; it may not be all:"
    )
    return PeopleAnswer(lead, quotes, Tone.SURE) if quotes else None


def _instead(engine: Engine, ask: ChatRequest, asked: Asked, found: Evidence) -> PeopleAnswer | None:
    """Whose it is, and what would have been shown otherwise: one in twenty is doubted wrongly."""
    who = asked.route.people[0]
    quotes = _lines(engine, asked.lines)
    known = {(quote.segment, quote.line) for quote in quotes}
    rest = [
        quote for quote in found.quotes if quote.kind is QuoteKind.ANSWER and (quote.segment, quote.line) not in known
    ]
    lead = (
        f"Nicht {who}, soweit dein Gedächtnis weiß. Darin steht:"
        if german(ask.text)
        else f"Not {who}, as far as your memory knows. It says:"
    )
    return PeopleAnswer(lead, (*quotes, *rest[:1]), Tone.UNSURE) if quotes else None


def _fact(engine: Engine, ask: ChatRequest, asked: Asked) -> PeopleAnswer | None:
    relation = asked_relation(ask.text)
    ids = _one_person(engine, ask.namespace, asked) if relation else []
    if not ids:
        return None
    facts = _facts(engine, ask, ids, relation)
    today = _today(ask)
    current = [fact for fact in holding(facts, today) if fact.claim.claim.relation == relation]
    ended = [fact for fact in facts if not fact.is_open(today) and fact.ended_by is not None]
    quotes = _quotes(engine, [_place(fact.claim) for fact in current])
    if not quotes:
        return None
    older = _quotes(engine, [_place(fact.claim) for fact in ended[-1:]], QuoteKind.OLDER)
    return PeopleAnswer(_since(ask.text, current), (*quotes, *older), Tone.SURE if len(current) == 1 else Tone.UNSURE)


def _today(ask: ChatRequest) -> date:
    return (ask.at or now()).date()


def _one_person(engine: Engine, namespace: str, asked: Asked) -> list[int]:
    """Nobody where the name is that of several people: one of them would be answered for the other. "My sister" is not oneself."""
    if asked.relative:
        return list(asked.about[0]) if len(asked.about) == 1 else []
    known, names = Knowledge.read(engine.reads.people, namespace), asked.route.people
    named = known.named(names[0]) if len(names) == 1 else []
    if (
        named and " " in names[0] and len({one.conversation for one in named}) == 1
    ):  # in one conversation a full name is one person's
        whole = known.apart(named)
        return [one.id for one in whole[0] if one.kind is EntityKind.PERSON] if len(whole) == 1 else []
    people = {known.person(one.id) for one in named}
    everybody = next(iter(people)) if len(people) == 1 else frozenset()
    return [one.id for one in known.entities if one.id in everybody and one.kind is EntityKind.PERSON]


def _since(question: str, holding: Sequence[Fact]) -> str:
    if len(holding) > 1:
        return "Mehreres wurde gesagt:" if german(question) else "More than one thing was said:"
    day = holding[0].start
    return f"Aus deinem Gedächtnis, seit {day}:" if german(question) else f"From your memory, since {day}:"


# quotes


def _place(one: StoredClaim) -> tuple[str, int, int, int]:
    return (one.claim.segment, one.claim.line, one.claim.start, one.claim.end)


def _lines(engine: Engine, lines: Sequence[AnswerLine]) -> tuple[Quote, ...]:
    return _quotes(engine, [(line.segment, line.line, 0, len(line.text)) for line in lines])


def _whole_sentences(text: str, start: int, end: int) -> tuple[int, int]:
    """A claim is read from a clause; a person reads sentences."""
    around = [piece for piece in split(text) if piece[0] < end and start < piece[1]]
    return (min(start, around[0][0]), max(end, around[-1][1])) if around else (start, end)


def _quotes(
    engine: Engine, places: Sequence[tuple[str, int, int, int]], kind: QuoteKind = QuoteKind.ANSWER
) -> tuple[Quote, ...]:
    """Word for word, in the order in which they are given."""
    numbers = engine.reads.numbers_of(list(dict.fromkeys(place[0] for place in places)))
    segments = {one.id: one for one in engine.reads.segments(list(numbers.values()))}
    found = []
    for name, line, start, end in places:
        segment = segments.get(name)
        if segment is None or line >= len(segment.lines):
            continue
        said = segment.lines[line]
        at = said.at or segment.at
        start, end = _whole_sentences(said.text, start, end)
        found.append(Quote(name, line, start, end, said.text[start:end], said.speaker, at, segment.session_name, kind))
    return tuple(found)
