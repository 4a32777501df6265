"""What people's claims ask of a store: claims, whom and what they name, and who was decided to be one person.

Knows: the rows, and that everything here but decisions, rulings and given names is made from words and can be made again. The SQL stands in duckdb/people.py; how
claims are found in pmg/people. `extracted` marks which segments were read by which version of the extractor,
`model_read` which a language model has read too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from pmg.base.claim import Claim
from pmg.store.claim_rulings import ClaimRuling, Ruling


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
