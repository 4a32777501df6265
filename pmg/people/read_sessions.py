"""The claims of some sessions, made anew and written in one transaction. Doing it again changes nothing.

What a language model read in them stays, for it was asked once; what it reads now takes the place of that.

Which sessions wait is in the store: after a kill, after a change of the extractor, or after a forgetting, the engine finds them there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pmg.base.claim import IS_A, Claim, SpokenLine
from pmg.base.model import Role, Segment, Session, State
from pmg.people.entities import Register, folded, kinds_of, object_kind
from pmg.people.extract import SPOKEN, VERSION, extract
from pmg.people.model_extract import ModelClaims, unlike
from pmg.people.namesakes import KnownRoles
from pmg.people.roles import bare, role_of
from pmg.store.contract import Store, StoreReads
from pmg.store.people import Entity, EntityKind, Mention, NewClaims


def read_sessions(store: Store, session_ids: Sequence[str], told: ModelClaims | None = None) -> None:
    """Some sessions, as they stand at this moment: what is forgotten or added meanwhile waits for the writer.

    `told` is what a model has read in them just now.
    """
    with store.writing():
        from_models = told.claims if told is not None else store.people.model_claims(session_ids)
        whole = list(store.sessions_with_segments(session_ids))
        registers = _registers(store, [session for session, _ in whole])
        roles = _roles(store, registers)
        next_id = store.people.next_entity()
        rows: list[tuple[int, Claim, int, int]] = []
        mentions: list[Mention] = []
        for session, segments in whole:
            active = [segment for segment in segments if segment.state is State.ACTIVE]
            claims = extract([line for segment in active for line in spoken(segment)])
            names = {segment.id for segment in active}
            claims += unlike([one for one in from_models if one.segment in names], claims)
            register = registers[session.namespace, session.conversation]
            known_roles = roles[session.namespace, session.conversation]
            claims = known_roles.told_apart(claims, {line.speaker for one in active for line in one.lines})
            known_roles.learn(claims)
            known, register.next_id = len(register.fresh), next_id
            found = _with_entities(register, active, claims)
            next_id = register.next_id
            rows += found[0]
            mentions += found[1]
            _share(register.fresh[known:], registers)
        fresh = [one for register in registers.values() for one in register.fresh]
        numbers = [segment.number for _, segments in whole for segment in segments]
        model = told.model if told is not None else ""
        store.people.put_claims(NewClaims(numbers, VERSION, rows, mentions, fresh, model))


def _registers(store: Store, sessions: Sequence[Session]) -> dict[tuple[str, str], Register]:
    """One for every conversation, with whoever is known in it."""
    conversations: dict[str, list[str]] = {}
    for session in sessions:
        conversations.setdefault(session.namespace, []).append(session.conversation)
    return {
        (namespace, conversation): Register.of(namespace, conversation, known, 0)
        for namespace, inside in conversations.items()
        for known in [store.people.entities(namespace, sorted(set(inside)))]
        for conversation in inside
    }


def _roles(store: Store, registers: Mapping[tuple[str, str], Register]) -> dict[tuple[str, str], KnownRoles]:
    """What earlier sessions of each conversation told of its people. Who belongs to all of them is nobody's sister there."""
    found = {key: KnownRoles.none() for key in registers}
    for namespace in dict.fromkeys(name for name, _ in registers):
        people = {one.id: one for key, register in registers.items() if key[0] == namespace for one in register.known.values()
                  if one.kind is EntityKind.PERSON and one.conversation}  # fmt: skip
        for stored in store.people.claims(namespace, about=sorted(people), relations=[IS_A]) if people else ():
            if stored.about in people:
                found[namespace, people[stored.about].conversation].learn([stored.claim])
        for one in people.values():
            found[namespace, one.conversation].shared |= {folded(bare(name)) for name in one.aliases if role_of(name)}
    return found


def _share(fresh: Sequence[Entity], registers: Mapping[tuple[str, str], Register]) -> None:
    """Whoever belongs to all conversations is known in all of them from now on."""
    for one in fresh:
        for register in registers.values() if one.conversation == "" else ():
            if register.namespace == one.namespace:
                register.known.setdefault((one.kind, folded(one.name)), one)


def spoken(segment: Segment) -> list[SpokenLine]:
    return [
        SpokenLine(segment.id, place, line.speaker, line.role.value, line.text, line.at or segment.at)
        for place, line in enumerate(segment.lines)
        if line.role not in (Role.SYSTEM, Role.TOOL, Role.THINKING)
    ]


def spoken_lines(store: StoreReads, session_id: str) -> list[SpokenLine]:
    """What is said in the active turns of one session."""
    return [
        line
        for _, segments in store.sessions_with_segments([session_id])
        for segment in segments
        if segment.state is State.ACTIVE
        for line in spoken(segment)
    ]


def _with_entities(
    register: Register, segments: Sequence[Segment], claims: Sequence[Claim]
) -> tuple[list[tuple[int, Claim, int, int]], list[Mention]]:
    """The claims with the entities they name, and where each entity is named."""
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
    return rows, mentions
