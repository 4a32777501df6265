"""What people's claims ask of a store: claims, whom and what they name, and who was decided to be one person.

Knows: the rows, and that everything here but decisions, rulings and given names is made from words and can be made again. A ruling is about the place
that a claim was read from, so that it stands when claims are read again. The SQL stands in duckdb/people.py; how
claims are found in pmg/people. `extracted` marks which segments were read by which version of the extractor,
`model_read` which a language model has read too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import Protocol

from pmg.base.claim import Claim


class Ruling(StrEnum):
    WRONG = "wrong"  # never held, or was misread: it claims nothing any more
    HOLDS = "holds"  # nothing that is ruled the same ends or contradicts it
    ENDED = "ended"  # held until a day
    CORRECTED = "corrected"  # `words` stand where its object stood


@dataclass(frozen=True, slots=True)
class ClaimRuling:
    """`segment`, `line`, `start`, `relation` and `object` are the claim's as it was read."""

    segment: str
    line: int
    start: int
    relation: str
    object: str
    ruling: Ruling
    words: str = ""
    ended: date | None = None

    @property
    def place(self) -> tuple[str, int, int, str, str]:
        return (self.segment, self.line, self.start, self.relation, self.object)


class EntityKind(StrEnum):
    PERSON = "person"
    ORGANISATION = "organisation"
    PLACE = "place"
    PROJECT = "project"
    TOOL = "tool"
    PET = "pet"
    EVENT = "event"
    THING = "thing"


@dataclass(frozen=True, slots=True)
class Entity:
    """Somebody or something inside one conversation; the person whose memory this is belongs to all of them ("").

    `name` is what it is called most; a name that a person gave it comes before that.
    """

    id: int
    namespace: str
    conversation: str
    kind: EntityKind
    name: str
    aliases: tuple[str, ...] = ()
    mentions: int = 0


@dataclass(frozen=True, slots=True)
class StoredClaim:
    """A claim as it is kept. `about` and `object_entity` are entities, 0 where there is none.

    `ruling` is what a person decided about it, if anything; of a corrected one `read_as` is the object that was read.
    """

    id: int
    claim: Claim
    session: str
    conversation: str
    about: int = 0
    object_entity: int = 0
    ruling: Ruling | None = None
    read_as: str = ""


@dataclass(frozen=True, slots=True)
class Mention:
    """Where an entity is named, by the number of the segment."""

    segment: int
    line: int
    entity: int
    name: str


@dataclass(frozen=True, slots=True)
class NewClaims:
    """What some sessions gave: claims with the entities they name, row for row, and whatever entities are new."""

    segments: Sequence[int]  # that were read, all of them
    version: int
    claims: Sequence[tuple[int, Claim, int, int]]  # segment number, claim, subject's entity, object's entity
    mentions: Sequence[Mention]
    entities: Sequence[Entity]
    model: str = ""  # that has read these segments too, if one did now


@dataclass(frozen=True, slots=True)
class FoundLine:
    """A line that a search found, with where it stands: what an answer needs of it and no more."""

    id: int
    line: int  # its place in its segment
    speaker: str
    text: str
    said_at: datetime
    segment: str
    number: int  # of the segment
    index: int  # of the segment in its session
    session: str
    conversation: str


class Identity(StrEnum):
    """Whether two entities of different conversations are one."""

    MERGE = "MERGE"
    SEPARATE = "SEPARATE"
    UNSURE = "UNSURE"


@dataclass(frozen=True, slots=True, order=True)
class IdentityDecision:
    """`reason` holds relations and dates, no word of anybody's."""

    a: int  # a < b
    b: int
    verdict: Identity
    reason: str
    actor: str
    decided_at: int  # microseconds


@dataclass(frozen=True, slots=True)
class EntityKey:
    """Somebody or something as another memory would know it: numbers are each memory's own. `name` is what it is called most."""

    namespace: str
    conversation: str
    kind: EntityKind
    name: str


@dataclass(frozen=True, slots=True)
class PortableDecision:
    """A decision about who is who, as it leaves a memory and comes into another."""

    a: EntityKey
    b: EntityKey
    verdict: Identity
    reason: str
    actor: str
    decided_at: int  # microseconds


@dataclass(frozen=True, slots=True)
class PortableName:
    """A name given by hand."""

    of: EntityKey
    name: str


@dataclass(frozen=True, slots=True)
class PortableRuling:
    """What a person decided about a claim; the claim is named by its place, so only the namespace is missing."""

    namespace: str
    ruling: ClaimRuling


PortableRow = PortableDecision | PortableName | PortableRuling


class PeopleReads(Protocol):
    def waiting(self, version: int) -> list[str]: ...
    def entities(self, namespace: str, conversations: Sequence[str] | None = None) -> list[Entity]: ...
    def subjects(self, segments: Sequence[int], relations: Sequence[str]) -> list[int]: ...
    def claims(
        self,
        namespace: str,
        *,
        about: Sequence[int] | None = None,
        segments: Sequence[int] | None = None,
        relations: Sequence[str] | None = None,
    ) -> list[StoredClaim]: ...
    def next_entity(self) -> int: ...
    def decisions(self, namespace: str) -> list[IdentityDecision]: ...
    def given_names(self, namespace: str) -> dict[int, str]: ...
    def speakers(self, namespace: str, conversation: str) -> list[str]: ...
    def talks(self, sessions: Sequence[str]) -> dict[str, list[str]]: ...
    def lines(self, ids: Sequence[int]) -> list[FoundLine]: ...
    def rulings(self, namespace: str) -> list[ClaimRuling]: ...
    def waiting_for_model(self, namespace: str, model: str) -> list[str]: ...
    def model_claims(self, sessions: Sequence[str]) -> list[Claim]: ...


class People(PeopleReads, Protocol):
    """Writes join the transaction of `Store.writing()`."""

    def put_claims(self, new: NewClaims) -> None: ...
    def replace_decisions(self, old: Sequence[IdentityDecision], new: Sequence[IdentityDecision]) -> None: ...
    def give_name(self, entity: int, name: str) -> None: ...
    def replace_rulings(self, old: Sequence[ClaimRuling], new: Sequence[ClaimRuling]) -> None: ...


def ruling_on(one: StoredClaim, ruling: Ruling, words: str = "", ended: date | None = None) -> ClaimRuling:
    """A ruling on a claim as it stands in the store; of a corrected one the words that were read stay its name."""
    claim = one.claim
    return ClaimRuling(
        claim.segment, claim.line, claim.start, claim.relation, one.read_as or claim.object, ruling, words, ended
    )


def ruled(claims: Iterable[StoredClaim], rulings: Sequence[ClaimRuling]) -> list[StoredClaim]:
    """The claims as a person wants them read."""
    by_place = {one.place: one for one in rulings}
    if not by_place:
        return list(claims)
    found = []
    for one in claims:
        claim = one.claim
        ruling = by_place.get((claim.segment, claim.line, claim.start, claim.relation, claim.object))
        if ruling is None:
            found.append(one)
        elif ruling.ruling is not Ruling.WRONG:
            found.append(_ruled(one, ruling))
    return found


def _ruled(one: StoredClaim, ruling: ClaimRuling) -> StoredClaim:
    claim = one.claim
    if ruling.ruling is Ruling.ENDED:
        claim = replace(claim, valid_to=ruling.ended)
    if ruling.ruling is Ruling.CORRECTED:
        claim = replace(claim, object=ruling.words, certainty=1.0, is_positive=True)
        return replace(one, claim=claim, object_entity=0, ruling=ruling.ruling, read_as=one.claim.object)
    return replace(one, claim=claim, ruling=ruling.ruling)
