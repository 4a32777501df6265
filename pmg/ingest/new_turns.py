"""Which turns of some sessions are new, and each with its place: cleaned, held against what is known and what was forgotten.

Handles one batch of sessions inside the transaction that pipeline.py begins and ends. Nothing is written here but turns that could not be
checked (quarantine.py): the caller stores what `NewTurns` holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pmg.base.model import Session, Turn
from pmg.components import Components
from pmg.ingest import quarantine, turns
from pmg.ingest.clean_meta import clean_metas
from pmg.ingest.redact import KnownValues, Redactor
from pmg.ingest.redacted_places import RedactedPlace, places_of
from pmg.ingest.titles import clean_title
from pmg.ingest.turns import CleanedTurn, PlacedTurn, SessionInput
from pmg.store.forget import ForgottenDigests

Digested = tuple[Turn, str]  # with the hash of its content


@dataclass(slots=True)
class NewTurns:
    """Sessions are added one after the other; what comes twice in one batch is known the second time."""

    components: Components
    redactor: Redactor
    there: set[str]  # sessions that are stored
    known: dict[str, list[tuple[str, str]]]  # of each session the turns it has: content hash and origin id
    free: dict[str, int]  # of each session the next index
    forgotten_digests: ForgottenDigests
    placed: list[PlacedTurn] = field(default_factory=list)
    begun: dict[str, Session] = field(default_factory=dict)  # sessions that are not stored yet
    redacted: Counter[str] = field(default_factory=Counter)
    marks: list[RedactedPlace] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    seen: int = 0  # turns that were there already
    changed: int = 0  # of these: with other words under the same origin id
    forgotten: int = 0

    @classmethod
    def of(cls, components: Components, redactor: Redactor, names: Sequence[str], there: set[str]) -> NewTurns:
        """For the sessions of these names, of which some are there."""
        store = components.store
        known = {name: list[tuple[str, str]]() for name in names} | store.known_turns(sorted(there))
        free = {name: store.next_index(name) if has_turns else 0 for name, has_turns in known.items()}
        return cls(components, redactor, there, known, free, store.forgetting.digests())

    def add(self, session: SessionInput, name: str, namespace: str) -> None:
        secrets = KnownValues()
        cleaned = self._checked(session, name, secrets)
        fresh = self._unseen(cleaned, name, namespace, session.conversation or name)
        if not fresh:
            return
        for one in cleaned:
            self.redacted.update(one.redacted)
            self.marks += places_of(name, one)
        if name not in self.there:
            self.there.add(name)
            notes = clean_metas([session.meta], self.redactor, secrets)[0]
            self.redacted.update(notes.redacted)
            self.begun[name] = _session(session, name, namespace, self._title(session, secrets), notes.meta)
        self._place(session, name, fresh, {id(one.turn): one for one in cleaned if one.sealed})

    def _title(self, session: SessionInput, secrets: KnownValues) -> str:
        said = (line.text for turn in session.context or session.turns for line in turn.lines)
        return self.redactor.redact(clean_title(session.title, said, self.redactor), secrets).text

    def _checked(self, session: SessionInput, name: str, secrets: KnownValues) -> list[CleanedTurn]:
        """Every turn without its secrets; one on which a rule failed is kept aside."""
        limit = self.components.config.ingest.max_turn_bytes
        every = turns.clean_session(session, self.redactor, limit, secrets)
        cleaned = list(filter(quarantine.is_checked, every))
        if len(cleaned) < len(every):
            self.aside += quarantine.keep_unchecked(self.components.store, name, every)
        return cleaned

    def _unseen(self, cleaned: Sequence[CleanedTurn], name: str, namespace: str, talk: str) -> list[Digested]:
        fresh = turns.unseen([one.turn for one in cleaned], self.known[name])
        hold = self.forgotten_digests.hold
        kept = [(turn, hash_) for turn, hash_ in fresh if not hold(namespace, name, talk, hash_, turn.origin_id)]
        self.seen += len(cleaned) - len(fresh)
        if len(fresh) < len(cleaned):
            self.changed += turns.changed([one.turn for one in cleaned], self.known[name])
        self.forgotten += len(fresh) - len(kept)
        return kept

    def _place(
        self, session: SessionInput, name: str, fresh: Sequence[Digested], sealed: dict[int, CleanedTurn]
    ) -> None:
        moments = turns.times([turn for turn, _ in fresh], turns.started(session))
        first = self.free[name]
        self.free[name] += len(fresh)
        for at, ((turn, digest), moment) in enumerate(zip(fresh, moments, strict=True), first):
            boxes = sealed[id(turn)].sealed if id(turn) in sealed else ()
            self.placed.append(PlacedTurn(turn, name, at, moment, digest, boxes))
        self.known[name] = [*self.known[name], *((digest, turn.origin_id) for turn, digest in fresh)]


def _session(session: SessionInput, name: str, namespace: str, title: str, meta: Mapping[str, str]) -> Session:
    begun = turns.started(session)
    return Session(
        id=name,
        namespace=namespace,
        conversation=session.conversation or name,
        title=title,
        source=session.source,
        started_at=begun,
        ended_at=None,
        is_open=True,
        meta=meta,
    )
