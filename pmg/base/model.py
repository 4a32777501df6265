"""The nouns of PMG, as frozen dataclasses.

Knows: what a line, turn, session, segment, window and edge are, and which values their fields may take.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal

from pmg.base.project import project_key, project_name

USER_NAME = "User"  # of the person whose memory this is, where no other was given
CHAT_SOURCE = "pmg chat"  # of what is said in the chat of this program
YOU = "You"  # what the page calls that person, whatever names their lines have
OWNER_WORDS = frozenset({YOU.casefold(), "me", "i", "myself", "ich", "mich", "mir"})  # as they or a model ask for them


class Role(StrEnum):
    """Who a line comes from, seen from the person whose memory this is."""

    USER = "user"
    ASSISTANT = "assistant"
    PERSON = "person"  # people talking to each other: the speaker's name says who
    SYSTEM = "system"
    TOOL = "tool"
    THINKING = "thinking"  # an assistant's reasoning: kept and marked, never shown as an answer
    DOCUMENT = "document"  # a piece of an ingested file


class State(StrEnum):
    """Every segment is in exactly one of these; only ACTIVE ones are recalled."""

    ACTIVE = "active"
    DUPLICATE = "duplicate"  # said again word for word or nearly: its text stays in its session
    MERGED = "merged"  # the steward merged it into another; undo brings it back
    ARCHIVED = "archived"


class Kind(StrEnum):
    """What an edge between two segments says."""

    CHAIN = "chain"
    SEMANTIC = "semantic"
    RELATED_TO = "related_to"
    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    PART_OF = "part_of"
    CAUSED_BY = "caused_by"
    EXTENDS_SOURCE = "extends_source"


TYPED_KINDS = tuple(kind for kind in Kind if kind not in (Kind.CHAIN, Kind.SEMANTIC))
LinkKind = Literal[
    "related_to", "supports", "contradicts", "part_of", "caused_by", "extends_source"
]  # the same as a schema names them
# What vectors alone say: made again with them. Of these an edge of `Origin.AUTO` is nobody's decision.
AUTO_KINDS = (Kind.SEMANTIC, Kind.RELATED_TO, Kind.EXTENDS_SOURCE)


class Origin(StrEnum):
    """Who made an edge."""

    AUTO = "auto"
    USER = "user"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Line:
    """One speaker's words inside a turn, verbatim.

    `at` is when this line was said, None where only the turn's time is known. It says nothing about the words: two
    lines are equal whenever they were said.
    """

    speaker: str
    role: Role
    text: str
    at: datetime | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Turn:
    """One user message and its response, or one utterance where people talk to each other: what is put in.

    `at` is None where the source gives no time; `origin_id` and `meta` carry what the source calls it.
    """

    lines: tuple[Line, ...]
    at: datetime | None = None
    origin_id: str = ""
    meta: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Session:
    """One sitting. A conversation groups the sessions of one thread or of the same people."""

    id: str
    namespace: str
    conversation: str
    title: str
    source: str
    started_at: datetime
    ended_at: datetime | None
    is_open: bool
    segments: int = 0
    meta: Mapping[str, str] = field(default_factory=dict)
    name: str = field(default="", compare=False)  # as it is shown: the title, or the first words; "" without either
    project: str = field(default="", compare=False)  # as it is shown: the name of the repository or folder it came from

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name or self.title)
        object.__setattr__(self, "project", self.project or project_name(project_key(self.meta)))


@dataclass(frozen=True, slots=True)
class Segment:
    """One stored turn, the unit of search and recall. `number` is its short name inside one store."""

    number: int
    id: str
    session_id: str
    index: int
    namespace: str
    at: datetime
    lines: tuple[Line, ...]
    state: State
    stands_for: str  # the id of the segment that a duplicate or merged one gave way to, else ""
    hits: int
    last_hit: datetime | None
    pinned: bool
    tags: tuple[str, ...]
    quality: float
    title: str = ""  # of its session
    source: str = ""  # of its session
    meta: Mapping[str, str] = field(default_factory=dict)
    session_name: str = field(default="", compare=False)  # Session.name
    project: str = field(default="", compare=False)  # Session.project

    def __post_init__(self) -> None:
        object.__setattr__(self, "session_name", self.session_name or self.title)

    @property
    def text(self) -> str:
        return text_of(self.lines)


@dataclass(frozen=True, slots=True)
class Passage:
    """A segment as recall gives it: its words, when and where they were said. `Segment` has the rest."""

    number: int
    id: str
    session_id: str
    index: int
    namespace: str
    at: datetime
    lines: tuple[Line, ...]
    title: str  # of its session
    source: str  # of its session
    session_name: str = field(default="", compare=False)  # Session.name
    project: str = field(default="", compare=False)  # Session.project

    def __post_init__(self) -> None:
        object.__setattr__(self, "session_name", self.session_name or self.title)

    @property
    def text(self) -> str:
        return text_of(self.lines)


@dataclass(frozen=True, slots=True)
class Edge:
    """A directed link between two segments, by their ids."""

    source: str
    target: str
    kind: Kind
    weight: float
    origin: Origin
    created_at: datetime


def segment_id(session_id: str, index: int) -> str:
    return f"seg_{session_id}_{index}"


def text_of(lines: tuple[Line, ...]) -> str:
    """The turn as a person reads it: one `speaker: text` paragraph a line."""
    return "\n".join(f"{line.speaker}: {line.text}" for line in lines)


def content_hash(lines: tuple[Line, ...]) -> str:
    """Names the words of a turn: equal exactly when every speaker, role and text is equal."""
    digest = hashlib.sha256()
    for line in lines:
        for part in (line.speaker, line.role.value, line.text):
            data = part.encode("utf-8", "surrogatepass")
            digest.update(len(data).to_bytes(8, "big"))
            digest.update(data)
    return digest.hexdigest()[:32]
