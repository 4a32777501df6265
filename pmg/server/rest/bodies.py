"""What REST takes: one model a body, with nothing in it that is not named here.

Times are ISO 8601 texts and are read by pmg/base/times.py, which says what is wrong with one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pmg.base.errors import InputError
from pmg.base.model import Line, LinkKind, Role, Turn
from pmg.base.times import parse
from pmg.ingest.turns import SessionInput, checked, exchange

IsoTime = Annotated[str, Field(description="ISO 8601, such as 2026-11-15T09:30:00+01:00; empty: not given.")]
IsoEnd = Annotated[
    str,
    Field(
        description="ISO 8601: the first moment that is left out, or a date alone, which is included; empty: not given."
    ),
]
ProjectName = Annotated[
    str, Field(description="The name, the folder or the repository of a project; empty: whatever it came from.")
]
SourceName = Annotated[str, Field(max_length=80, description="Which program tells it.")]


@contextmanager
def _standing_at(place: str) -> Iterator[None]:
    """An error of what is made here says where in the body it stands."""
    try:
        yield
    except InputError as problem:
        raise InputError(f"{place}: {problem}") from None


def _moment(at: str, place: str) -> datetime | None:
    with _standing_at(place):
        return parse(at) if at else None


class StrictBody(BaseModel):
    """Known fields with whole characters only: half of one (a lone surrogate) is a mistake of whoever sends it."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _whole_characters(cls, body: Any) -> Any:
        for name, value in body.items() if isinstance(body, dict) else ():
            try:
                json.dumps({name: value}, ensure_ascii=False).encode()
            except UnicodeEncodeError:
                raise ValueError(
                    f"{name!a} holds half a character (a lone surrogate): send text that is valid Unicode"
                ) from None
        return body


class RecallRequest(StrictBody):
    """`people`, `since` and `until` keep what these people said, in that time; `project` what came from there."""

    query: str
    people: list[str] = []
    since: IsoTime = ""
    until: IsoEnd = ""
    project: ProjectName = ""
    budget_tokens: int | None = None
    exclude_sessions: list[str] = []
    exclude_segments: list[Annotated[int, Field(ge=0, le=2**53)]] = []
    active_context: list[str] = []
    at: IsoTime = ""
    count: bool = True
    floor: Annotated[float | None, Field(ge=0, le=1)] = None
    knobs: dict[str, Any] = {}


class SearchRequest(StrictBody):
    query: str
    project: ProjectName = ""
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    cursor: str = ""


class AskRequest(StrictBody):
    """`as_of` answers from what was told by that day; `at` is the moment of asking, from which "this year" is counted."""

    query: Annotated[str, Field(max_length=4_000)] = ""
    question: Annotated[
        str, Field(max_length=4_000, description="The former name of `query`.", json_schema_extra={"deprecated": True})
    ] = ""
    as_of: IsoTime = ""
    at: IsoTime = ""


class RememberRequest(StrictBody):
    """An exchange as `user` and `assistant`, or a note in `text`. `session` goes on with that session, or begins it."""

    user: str = ""
    assistant: str = ""
    text: str = ""
    session: str = ""
    title: str = ""
    at: IsoTime = ""
    source: SourceName = ""


class LineBody(StrictBody):
    speaker: str = ""
    role: Role
    text: str
    at: IsoTime = ""

    def line(self, place: str) -> Line:
        return Line(self.speaker, self.role, self.text, _moment(self.at, f"{place}.at"))


class TurnBody(StrictBody):
    """`user` and `assistant`, then any lines with their speakers."""

    user: str | None = None
    assistant: str | None = None
    lines: list[LineBody] = []
    at: IsoTime = ""
    origin_id: str = ""
    meta: dict[str, str] = {}

    def turn(self, place: str = "body") -> Turn:
        lines = [line.line(f"{place}.lines.{number}") for number, line in enumerate(self.lines)]
        said = (*exchange(self.user, self.assistant), *lines)
        return Turn(said, _moment(self.at, f"{place}.at"), self.origin_id, self.meta)


class SessionStart(StrictBody):
    title: str = ""
    session: str = ""
    conversation: str = ""
    source: SourceName = ""
    started_at: IsoTime = ""


class SessionBody(StrictBody):
    turns: list[TurnBody]
    title: str = ""
    session: str = ""
    conversation: str = ""
    source: SourceName = ""
    started_at: IsoTime = ""
    meta: dict[str, str] = {}

    def session_input(self, namespace: str, source: str, place: str) -> SessionInput:
        begun = _moment(self.started_at, f"{place}.started_at")
        said = [turn.turn(f"{place}.turns.{number}") for number, turn in enumerate(self.turns)]
        return SessionInput(
            said,
            self.title,
            self.conversation,
            source or self.source or "api",
            begun,
            self.session,
            namespace,
            self.meta,
        )


class IngestRequest(StrictBody):
    """Whole sessions, or a transcript as `pmg remember FILE` reads it. Repeating it changes nothing."""

    sessions: list[SessionBody] = []
    transcript: str = ""

    def session_inputs(self, namespace: str, source: str, max_bytes: int) -> list[SessionInput]:
        """Raises for the first that cannot be taken in, and says which it is."""
        found = []
        for number, one in enumerate(self.sessions):
            place = f"body.sessions.{number}"
            found.append(one.session_input(namespace, source, place))
            for index, turn in enumerate(found[-1].turns):
                with _standing_at(f"{place}.turns.{index}"):
                    checked(turn, max_bytes)
        return found


class LinkRequest(StrictBody):
    source: str
    target: str
    kind: LinkKind
    weight: Annotated[float, Field(gt=0, le=1)] = 1.0
    origin: Literal["user", "model"] = "user"


class ForgetSelection(StrictBody):
    """Segments or sessions by name, or all that meet every other field. `person` is who speaks; `whose` is whom the named segments are of, so that turns of others which
    name them (or call them as in `also_called`) are counted."""

    segments: list[str] = []
    sessions: list[str] = []
    person: str = ""
    topic: str = ""
    since: IsoTime = ""
    until: IsoEnd = ""
    query: str = ""
    source: str = ""
    whose: str = ""
    also_called: list[str] = []


class ForgetRequest(ForgetSelection):
    """The same once more, with the token of its preview."""

    token: str


class ImportRequest(StrictBody):
    """Whole paths on the machine of the server."""

    paths: Annotated[list[str], Field(min_length=1)]
    dry_run: bool = False


class DocumentRequest(StrictBody):
    path: str


class SqlRequest(StrictBody):
    """All namespaces, as `pmg sql`."""

    statement: str
    limit: Annotated[int, Field(ge=0, le=1_000_000)] = 1_000
    seconds: Annotated[float, Field(gt=0, le=3_600)] = 60.0


class StewardRunRequest(StrictBody):
    tasks: list[str] = []
    full: bool = False
    yes: bool = False


class UndoRequest(StrictBody):
    """An entry by its number, a run by its name, or `last`."""

    what: str


class SegmentsRequest(StrictBody):
    segments: list[str]


class PinRequest(SegmentsRequest):
    pinned: bool = True


class TagsRequest(StrictBody):
    tags: list[str]


class DecisionRequest(StrictBody):
    review: Annotated[int, Field(ge=0, le=2**53)]
    decision: Literal["merge", "keep", "link"]
    kind: LinkKind | None = None
