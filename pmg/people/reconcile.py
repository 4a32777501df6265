"""The reconciler: is what two conversations say one thing, two, or can nobody tell?

    session        claims are read line by line, pronouns and short names resolved within it (extract.py)
    conversation   sessions of one conversation share their entities (entities.py)
    person         across conversations this decides: MERGE, SEPARATE or UNSURE, each with its reason

Two kinds of things are decided: something of one person's (their job in three conversations: one career or three?), and whether two people of one name are one. The reasons
name relations and days only. UNSURE is for a person's eye. Pure; who keeps and journals a decision stands in the package steward.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from pmg.base.claim import COMES_FROM, FUNCTIONAL, IS_A, KNOWS, OWNS, PARTNER_OF, Modality
from pmg.people.entities import folded, is_short_for
from pmg.people.facts import SURE
from pmg.people.knowledge import Knowledge, about, are_told_apart
from pmg.people.roles import bare, differ, exclude, is_family, role_in
from pmg.people.same_thing import is_unnamed, same
from pmg.people.tools import EntityComparison, compared, get_entity_timeline
from pmg.people.topics import topic_of
from pmg.store.people import Entity, EntityKind, Identity, PeopleReads, StoredClaim

MIN_EVIDENCE = 2  # marks that two of one name are one: a single one may be chance
_LASTING = frozenset((COMES_FROM,))  # nobody comes from two places
_TELLING = frozenset((*FUNCTIONAL, KNOWS, OWNS, COMES_FROM, IS_A))


@dataclass(frozen=True, slots=True)
class TopicVerdict:
    """Whether something of one person's in two conversations is one."""

    topic: str
    a: str  # conversations
    b: str
    verdict: Identity
    reason: str


@dataclass(frozen=True, slots=True)
class PersonVerdict:
    """Whether two of one name are one person."""

    a: Entity
    b: Entity
    verdict: Identity
    reason: str


# something of one person's


def reconcile_topic(people: PeopleReads, namespace: str, topic: str, person: str) -> list[TopicVerdict]:
    """Each conversation against the one before it in time."""
    steps = get_entity_timeline(people, namespace, topic, person)
    return [_topic_verdict(topic, compared(a, b, topic)) for a, b in pairwise(steps)]


def _topic_verdict(topic: str, found: EntityComparison) -> TopicVerdict:
    assert found.a is not None and found.b is not None
    days = f"{found.a.first} and {found.b.first}"
    verdict, reason = Identity.UNSURE, f"both speak of it in the same time ({days}) and name different things"
    if found.shared:
        verdict, reason = Identity.MERGE, f"both name the same ({days})"
    elif topic_of(topic) == "relationship" and PARTNER_OF in found.apart:
        verdict, reason = (
            Identity.SEPARATE,
            f"they name different people ({days}): two relationships, not one that went on",
        )
    elif found.is_sequential:
        how = "it went on from one to the other" if found.apart else "nothing in them differs"
        verdict, reason = Identity.MERGE, f"the second follows the first in time ({days}) and {how}"
    elif not found.apart:
        verdict, reason = Identity.MERGE, f"nothing in them differs ({days})"
    return TopicVerdict(topic, found.a.conversation, found.b.conversation, verdict, reason)


# who is who


def reconcile_people(people: PeopleReads, namespace: str) -> list[PersonVerdict]:
    """Every pair of people of one name from different conversations that nobody has decided on yet."""
    known = Knowledge.read(people, namespace)
    pairs = [pair for pair in namesakes(known) if known.decided(pair[0].id, pair[1].id) is None]
    if not pairs:
        return []
    claims = people.claims(namespace, about=sorted({one.id for pair in pairs for one in pair}))
    mine = {name for one in known.entities if not one.conversation for name in (one.name, *one.aliases)}
    places = sorted({one.conversation for pair in pairs for one in pair})
    own = {one for one in places if set(people.speakers(namespace, one)) <= mine}
    return [
        judged(
            a,
            b,
            about(claims, [a.id]),
            about(claims, [b.id]),
            others_of_that_name(known, a, b),
            mine,
            {a.conversation, b.conversation} <= own and _means_one(known, a, b),
        )
        for a, b in pairs
    ]


def _means_one(known: Knowledge, a: Entity, b: Entity) -> bool:
    """Whether one speaker can only mean one by it: nobody has told two of that name apart, and it is not short for two."""
    name = folded(a.name)
    if name != folded(b.name) or a.name.endswith(")"):
        return False
    same_name = {one.id for one in known.entities if one.kind is EntityKind.PERSON and folded(bare(one.name)) == name}
    several = [one for one in known.entities if one.id in same_name and one.name.endswith(")")]  # "Anna (boss)"
    longer = {folded(one.name) for one in known.entities if one.kind is EntityKind.PERSON}
    longer = {one for one in longer if len(one) > len(name) and is_short_for(name, one)}
    apart = [one for one in known.decisions if one.verdict is Identity.SEPARATE and {one.a, one.b} <= same_name]
    return not several and not apart and len(longer) < 2


def others_of_that_name(known: Knowledge, a: Entity, b: Entity) -> int:
    """Of "Anna" and "Anna Berg": how many other longer names "Anna" is short for. One Anna must not make Anna Berg and Anna Weiss one."""
    short, long = sorted((folded(bare(a.name)), folded(bare(b.name))), key=len)
    if short == long:
        return 0
    people = {folded(one.name) for one in known.entities if one.kind is EntityKind.PERSON}
    return sum(
        is_short_for(short, name) and not is_short_for(name, long) for name in people if name not in (short, long)
    )


def namesakes(known: Knowledge) -> Iterator[tuple[Entity, Entity]]:
    """People of one name, or of whom one's is short for the other's; "my mother" is somebody else's in every conversation."""
    people = [
        one for one in known.entities if one.kind is EntityKind.PERSON and "'s " not in one.name and one.conversation
    ]
    for a, b in combinations(people, 2):
        x, y = folded(bare(a.name)), folded(bare(b.name))
        if a.conversation != b.conversation and (x == y or is_short_for(x, y)):
            yield a, b
        elif a.conversation == b.conversation and x == y and not are_told_apart(a, b):
            yield a, b  # "my friend Anna", "my colleague Anna": one, or two?


def judged(
    a: Entity,
    b: Entity,
    of_a: Sequence[StoredClaim],
    of_b: Sequence[StoredClaim],
    others: int = 0,
    mine: Collection[str] = (),
    is_own_name: bool = False,
) -> PersonVerdict:
    """Shared facts speak for one person, facts that cannot both hold for two; a name alone decides nothing, unless it is what one speaker calls them (`is_own_name`): in
    chats in which nobody but the owner speaks, Jaro is Jaro. `others` have the shorter name too; `mine` are the names of the person whose memory this is."""
    shared, against = _marks(_stated(of_a), _stated(of_b), mine)
    full = len(folded(a.name).split()) > 1 and folded(a.name) == folded(b.name)
    points = len(shared) + full
    if against and not shared:
        return PersonVerdict(a, b, Identity.SEPARATE, f"one name, but {'; '.join(sorted(against))}")
    if others:
        reasons = [*sorted(shared), *sorted(against), f"{others} more of that name known"]
        return PersonVerdict(a, b, Identity.UNSURE, f"one name, and {'; '.join(reasons)}: not enough to tell which")
    if points >= MIN_EVIDENCE and not against:
        reasons = [*sorted(shared), *(["the same full name"] if full else [])]
        return PersonVerdict(a, b, Identity.MERGE, f"one name, and {'; '.join(reasons)}")
    if is_own_name and not against and not _have_two_roles(of_a, of_b):
        return PersonVerdict(a, b, Identity.MERGE, "one name, and nobody but you speaks of them")
    reasons = [*sorted(shared), *sorted(against)] or ["nothing that both say"]
    return PersonVerdict(a, b, Identity.UNSURE, f"one name, and {'; '.join(reasons)}: not enough to tell")


def _have_two_roles(of_a: Sequence[StoredClaim], of_b: Sequence[StoredClaim]) -> bool:
    """ "my friend Anna" and "my colleague Anna" may be two."""
    roles = [
        {told[0] for one in some if one.claim.relation == IS_A and (told := role_in(one.claim.object)) is not None}
        for some in (of_a, of_b)
    ]
    return any(differ(x, y) for x in roles[0] for y in roles[1])


def _stated(claims: Sequence[StoredClaim]) -> list[StoredClaim]:
    return [
        one
        for one in claims
        if one.claim.modality is Modality.STATED
        and one.claim.is_positive
        and one.claim.certainty >= SURE
        and one.claim.relation in _TELLING
    ]


def _marks(
    of_a: Sequence[StoredClaim], of_b: Sequence[StoredClaim], mine: Collection[str]
) -> tuple[set[str], set[str]]:
    """(what both say, what cannot both hold), without a word of anybody's."""
    shared, against = set(), set()
    for x in of_a:
        for y in of_b:
            if x.claim.relation != y.claim.relation or is_unnamed(x.claim.object) or is_unnamed(y.claim.object):
                continue
            days = f"{x.claim.said_at.date()} and {y.claim.said_at.date()}"
            roles = [role_in(one.claim.object) for one in (x, y) if one.claim.relation == IS_A]
            if roles and (told := [role for role in roles if role is not None]):
                if len(told) == 2 and told[0][1] == told[1][1] and exclude(told[0][0], told[1][0]):
                    against.add(f"another role ({days})")
                elif len(told) == 2 and told[0] == told[1]:
                    shared.add(f"the same {x.claim.relation}")
                    # nobody has two sisters of one name; whose sister it is is sure of the person whose memory this is
                    if is_family(told[0][0]) and told[0][1] in mine:
                        shared.add("one of your family")
            elif same(x.claim.object, y.claim.object):
                shared.add(f"the same {x.claim.relation}")
            elif x.claim.relation in _LASTING or (
                x.claim.relation in FUNCTIONAL and x.claim.said_at.date() == y.claim.said_at.date()
            ):
                against.add(f"another {x.claim.relation} ({days})")
    return shared, against
