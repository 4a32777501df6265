"""What is known of one person or thing: what holds, what changed, what cannot both hold, who said it, and who is near.

Knows: how claims become what the page shows. How it looks stands in person_html.py; whom there is in people_data.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from pmg.base.claim import GRAMMAR, Modality
from pmg.base.model import YOU, Segment
from pmg.base.times import now
from pmg.engine import Engine
from pmg.people.entities import folded
from pmg.people.facts import SURE, Contradiction, Fact, contradictions, facts_of, holding
from pmg.people.knowledge import Knowledge
from pmg.people.model_extract import MODEL
from pmg.people.whose_turns import turns_said_by
from pmg.store.graph import SESSION, NodeKey
from pmg.store.people import Entity, EntityKind, Identity, Ruling, StoredClaim
from pmg.ui.people.claim_text import LASTING, ClaimText, claim_text, relation_words, yours
from pmg.ui.people.people_data import EntityRow, namesakes, row_of, rows
from pmg.ui.people.whereabouts import Whereabouts

MAX_SEEN = 5  # sessions that are listed
MAX_TOPICS = 3
MAX_NEIGHBOURS = 12  # neighbours that are drawn: more cannot be read
_TONES = {
    Modality.QUESTION: "asked",
    Modality.HYPOTHETICAL: "supposed",
    Modality.PLAN: "planned",
    Modality.QUOTATION: "quoted",
}
_RULED = {Ruling.CORRECTED: "corrected by you", Ruling.HOLDS: "confirmed by you", Ruling.ENDED: "ended by you"}


@dataclass(frozen=True, slots=True)
class ShownClaim:
    """A claim with everything the page says of it. `about` and `speaker` are as they are shown."""

    id: int
    segment: str
    day: date
    speaker: str
    about: str
    text: ClaimText
    object: str  # the part that can be corrected
    tones: tuple[str, ...]
    is_lasting: bool
    is_pinned: bool = False  # the memory it was read from


@dataclass(frozen=True, slots=True)
class ShownChange:
    before: ShownClaim
    after: ShownClaim | None  # none: it only ended
    start: date
    end: date


@dataclass(frozen=True, slots=True)
class Neighbour:
    id: int  # of an entity; 0 for a speaker nobody claims anything of
    name: str
    kind: EntityKind
    says: str
    count: int


@dataclass(frozen=True, slots=True)
class SeenSession:
    name: str
    at: datetime
    first: str  # the id of its first turn with them


@dataclass(frozen=True, slots=True)
class Seen:
    """Where somebody comes up: in how many sessions, the last of them, and what most of those are about."""

    count: int = 0
    sessions: tuple[SeenSession, ...] = ()  # newest first
    topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PersonView:
    row: EntityRow
    seen: Seen
    facts: tuple[ShownClaim, ...]  # what holds now, as far as anybody said
    changes: tuple[ShownChange, ...]
    conflicts: tuple[tuple[ShownClaim, ShownClaim, str], ...]
    timeline: tuple[ShownClaim, ...]  # newest first
    by_others: tuple[ShownClaim, ...]
    of_others: tuple[ShownClaim, ...]
    neighbours: tuple[Neighbour, ...]
    namesakes: tuple[
        tuple[Entity, str, str], ...
    ]  # who may be the same, where they are known from, and why nobody could tell


def person_view(engine: Engine, namespace: str, entity: int) -> PersonView:
    store = engine.reads.people
    known = Knowledge.read(store, namespace)
    everybody = rows(known)
    row = row_of(everybody, entity)
    claims = store.claims(namespace)
    mine = [one for one in claims if one.about in row.ids or (_is_thing(row) and one.object_entity in row.ids)]
    told = [one for one in claims if _spoken_by(one, row) and one.about not in row.ids]
    shown = shown_claims([*mine, *told], everybody, clauses_of(engine, [*mine, *told]))
    facts = [] if _is_thing(row) else facts_of(mine)
    return PersonView(
        row,
        seen(engine, namespace, row, mine),
        tuple(shown[fact.claim.id] for fact in holding(facts, now().date()) if fact.claim.claim.is_positive),
        tuple(changes_of(facts, shown)),
        tuple((shown[one.a.id], shown[one.b.id], one.suggestion) for one in _conflicts(row, mine)),
        tuple(shown[one.id] for one in reversed(mine)),
        tuple(shown[one.id] for one in mine if not _spoken_by(one, row)),
        tuple(shown[one.id] for one in told),
        tuple(_neighbours(row, everybody, [*mine, *(one for one in claims if one.object_entity in row.ids)])),
        tuple(_namesakes(engine, known, everybody, row)),
    )


def seen(engine: Engine, namespace: str, row: EntityRow, claims: Sequence[StoredClaim]) -> Seen:
    """By what they said and what was claimed of them; of you nothing, for you are everywhere."""
    if row.is_you:
        return Seen()
    reads = engine.reads
    ids = {*turns_said_by(reads, namespace, row.parts), *(one.claim.segment for one in claims)}
    turns: dict[str, Segment] = {}
    for one in sorted(reads.segments(sorted(reads.numbers_of(sorted(ids)).values())), key=lambda one: one.at):
        turns.setdefault(one.session_id, one)
    last = sorted(turns.values(), key=lambda one: one.at, reverse=True)
    nodes = reads.graph.summaries(namespace, [NodeKey(SESSION, one.session_id) for one in last], "month")
    names = reads.graph.topic_names(namespace)
    topics = Counter(names[str(one.topic)] for one in nodes if str(one.topic) in names)
    shown = tuple(SeenSession(one.session_name, one.at, one.id) for one in last[:MAX_SEEN])
    return Seen(len(last), shown, tuple(name for name, _ in topics.most_common(MAX_TOPICS)))


def _is_thing(row: EntityRow) -> bool:
    return row.kind is not EntityKind.PERSON


def _spoken_by(one: StoredClaim, row: EntityRow) -> bool:
    return one.claim.speaker in row.names and (row.is_you or one.conversation in row.conversations)


def clauses_of(engine: Engine, claims: Iterable[StoredClaim]) -> dict[int, str]:
    """The words each claim was read from."""
    wanted = list(claims)
    numbers = engine.reads.numbers_of(sorted({one.claim.segment for one in wanted}))
    lines = {segment.id: segment.lines for segment in engine.reads.segments(sorted(numbers.values()))}
    return {
        one.id: lines[one.claim.segment][one.claim.line].text[one.claim.start : one.claim.end]
        for one in wanted
        if len(lines.get(one.claim.segment, ())) > one.claim.line
    }


def shown_claims(
    claims: Iterable[StoredClaim], everybody: Sequence[EntityRow], clauses: Mapping[int, str]
) -> dict[int, ShownClaim]:
    names = {number: row.name for row in everybody for number in row.ids}
    mine = {name for row in everybody if row.is_you for name in row.names}
    return {one.id: _one(one, names, mine, clauses.get(one.id, "")) for one in claims}


def _one(one: StoredClaim, names: Mapping[int, str], mine: set[str], clause: str) -> ShownClaim:
    claim = one.claim
    about = names.get(one.about) or yours(claim.subject)
    speaker = YOU if claim.speaker in mine else claim.speaker or "somebody"
    tones = [_TONES.get(claim.modality, ""), "not sure" if claim.certainty < SURE else ""]
    tones.append("" if claim.source == GRAMMAR else f"read by {claim.source.removeprefix(MODEL)}")
    tones.append(_RULED.get(one.ruling, "") if one.ruling else "")
    words = "" if one.ruling is Ruling.CORRECTED else clause  # what was corrected is not in anybody's words
    return ShownClaim(
        one.id,
        claim.segment,
        claim.said_at.date(),
        speaker,
        about,
        claim_text(claim, words, about),
        claim.object,
        tuple(tone for tone in tones if tone),
        claim.relation in LASTING,
    )


def changes_of(facts: Sequence[Fact], shown: Mapping[int, ShownClaim]) -> list[ShownChange]:
    """Newest first. What a person said came after is found by its day."""
    found = []
    for fact in facts:
        if fact.end is None or fact.is_former:
            continue  # that it was once is no change: nobody said when it ended
        later = fact.ended_by or next(
            (
                other.claim
                for other in facts
                if other.claim.claim.relation == fact.claim.claim.relation
                and other is not fact
                and other.start >= fact.end
            ),
            None,
        )
        found.append(ShownChange(shown[fact.claim.id], shown[later.id] if later else None, fact.start, fact.end))
    return sorted(found, key=lambda one: one.end, reverse=True)


def _conflicts(row: EntityRow, claims: Sequence[StoredClaim]) -> list[Contradiction]:
    return [] if _is_thing(row) else [one for one in contradictions(claims) if not one.is_evolution]


def _neighbours(row: EntityRow, everybody: Sequence[EntityRow], claims: Iterable[StoredClaim]) -> list[Neighbour]:
    """Who and what is named together with them, and who speaks of them; the closest first."""
    by_id = {number: one for one in everybody for number in one.ids}
    by_name = {(folded(name), place): one for one in everybody if one.kind is EntityKind.PERSON
               for name in one.names for place in (one.conversations or ("",))}  # fmt: skip
    found: Counter[tuple[int, str]] = Counter()
    for one in {one.id: one for one in claims}.values():
        for number in (one.about, one.object_entity):
            if number in by_id and number not in row.ids:
                found[(by_id[number].id, relation_words(one.claim.relation))] += 2
        name = folded(one.claim.speaker)
        speaker = by_name.get((name, one.conversation)) or by_name.get((name, ""))
        if speaker is not None and speaker is not row:
            found[(speaker.id, "speaks of")] += 1
    best: dict[int, Neighbour] = {}
    for (number, says), count in found.most_common():
        if number not in best:
            best[number] = Neighbour(number, by_id[number].name, by_id[number].kind, says, count)
    return list(best.values())[:MAX_NEIGHBOURS]


def _namesakes(
    engine: Engine, known: Knowledge, everybody: Sequence[EntityRow], row: EntityRow
) -> list[tuple[Entity, str, str]]:
    """Who may be the same: somebody nobody could tell from them, and whoever has their name and was not told apart yet."""
    by_id = {one.id: one for one in known.entities}
    found = {}
    for one in known.decisions:
        other = one.b if one.a in row.ids else one.a if one.b in row.ids else 0
        if one.verdict is Identity.UNSURE and other in by_id and other not in row.ids:
            found[other] = one.reason
    for same in namesakes(known, everybody, row):
        if not found.keys() & set(same.ids):
            found[same.id] = "one name, and nothing yet that tells"
    namespace = row.parts[0].namespace
    places = Whereabouts.read(engine, namespace, (by_id[other].conversation for other in found))
    return [(by_id[other], places.of_entity(by_id[other]), why) for other, why in found.items()]


def claim_view(engine: Engine, namespace: str, claim: int) -> ShownClaim | None:
    """One claim as it is shown; none where it is gone."""
    store = engine.reads.people
    found = [one for one in store.claims(namespace) if one.id == claim]
    everybody = rows(Knowledge.read(store, namespace))
    return shown_claims(found, everybody, clauses_of(engine, found)).get(claim)
