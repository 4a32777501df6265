"""The claims of one session, made anew and written in one transaction. Doing it again changes nothing.

Which sessions wait is in the store: after a kill, after a change of the extractor, or after a forgetting, the engine finds them there.
"""

from __future__ import annotations

from collections.abc import Sequence

from pmg.claim import Claim, SpokenLine
from pmg.model import Role, Segment, Session, State
from pmg.people.entities import Register, kinds_of, object_kind
from pmg.people.extract import SPOKEN, VERSION, extract
from pmg.store.contract import Store
from pmg.store.people import EntityKind, Mention, NewClaims


def read_session(store: Store, session_id: str) -> None:
    """One session, as it stands at this moment: what is forgotten or added meanwhile waits for the writer."""
    with store.writing():
        for session, segments in store.sessions_whole([session_id]):
            active = [segment for segment in segments if segment.state is State.ACTIVE]
            claims = extract([line for segment in active for line in spoken(segment)])
            known = store.people.entities(session.namespace, session.conversation)
            register = Register.of(session.namespace, session.conversation, known, store.people.next_entity())
            store.people.put_claims(_with_entities(register, session, active, claims))


def spoken(segment: Segment) -> list[SpokenLine]:
    return [
        SpokenLine(segment.id, place, line.speaker, line.role.value, line.text, line.at or segment.at)
        for place, line in enumerate(segment.lines)
        if line.role not in (Role.SYSTEM, Role.TOOL, Role.THINKING)
    ]


def _with_entities(
    register: Register, session: Session, segments: Sequence[Segment], claims: Sequence[Claim]
) -> NewClaims:
    mentions: list[Mention] = []
    people: dict[str, int] = {}
    for segment in segments:
        for place, line in enumerate(segment.lines):
            if line.role.value in SPOKEN and line.speaker.strip():
                entity = register.entity(line.speaker, EntityKind.PERSON, line.role is Role.USER)
                people[line.speaker] = entity
                mentions.append(Mention(segment.number, place, entity, line.speaker))
    numbers = {segment.id: segment.number for segment in segments}
    kinds = kinds_of(claims, people)
    rows = []
    for claim in claims:
        about = people.get(claim.subject) or register.entity(claim.subject, kinds[claim.subject])
        kind = object_kind(claim)
        thing = register.entity(claim.object, kind) if kind else 0
        number = numbers[claim.segment]
        rows.append((number, claim, about, thing))
        mentions += [
            Mention(number, claim.line, one, name)
            for one, name in ((about, claim.subject), (thing, claim.object))
            if one
        ]
    return NewClaims(session.id, VERSION, rows, mentions, register.fresh)
