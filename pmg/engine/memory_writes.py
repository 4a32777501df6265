"""Every write that somebody above the engine may ask for, beside the verbs of engine.py.

A concern that needs several writes at once is handed its own part of the store for one block: `changing()` for upkeep,
`importing()` for imports, `exclusive()` for forgetting. What should be written is decided by whoever asks.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from pmg.base.errors import DiskFull, InputError, NotFound
from pmg.base.model import Session
from pmg.engine.import_writes import ImportWrites
from pmg.engine.memory_view import MemoryView
from pmg.ingest import plaintext, restore_sealed
from pmg.ingest.build import build, count_waiting, much_waits
from pmg.store.contract import StoreReads
from pmg.store.forget import Forgetting, KnownCopy
from pmg.store.keys import key_for
from pmg.store.maintenance import Maintenance
from pmg.store.people import ClaimRuling, IdentityDecision
from pmg.store.rows import JournalEntry
from pmg.store.sealed import SealedRedaction

log = logging.getLogger(__name__)


class MemoryWrites(MemoryView):
    """One transaction at a time; one that is begun inside another of the same thread joins it."""

    @contextmanager
    def changing(self) -> Iterator[Maintenance]:
        """One transaction on everything but words: states, links, scores, tags, topics, reviews. Reads inside it see its writes."""
        with self._store.writing():
            yield self._store.maintenance

    @contextmanager
    def importing(self) -> Iterator[ImportWrites]:
        """One transaction of an import. Reads inside it see its writes."""
        with self._store.writing():
            yield ImportWrites(self._store)

    @contextmanager
    def between_writes(self) -> Iterator[StoreReads]:
        """Nobody writes inside this: what is read here belongs together, and a turn that is stored is in the indexes."""
        with self._memory.adding, self._store.alone():
            yield self._store

    @contextmanager
    def exclusive(self) -> Iterator[Forgetting]:
        """Nobody recalls, ingests or embeds inside this: what they work on is being replaced.

        Only here can something be forgotten: it is given out for that, and each of its writes is a transaction of its own.
        """
        held = self._memory
        with held.copying, held.building, held.model_switch.changing(), held.adding:
            held.recall_log.flush()
            yield self._store.forgetting
        held.extractor.wake()  # the claims of sessions that lost a turn are made again

    def flush_recalls(self) -> None:
        """Recalls that still wait to be counted are in the log when this returns: for what looks at how often something was recalled.

        On a full disk they are not counted: whoever only reads goes on.
        """
        self._store.require_open()
        try:
            self._memory.recall_log.flush()
        except DiskFull as problem:
            log.warning("recalls are not counted: %s", problem)

    def write_journal(self, entries: Iterable[JournalEntry]) -> int:
        """Inside `changing()` or `importing()` it is part of that transaction. The number of the first; the others follow."""
        return self._store.write_journal(entries)

    def put_identities(self, old: Sequence[IdentityDecision], new: Sequence[IdentityDecision]) -> None:
        """Decisions about who is who; inside `changing()` part of that transaction."""
        with self._store.writing():
            self._store.people.replace_decisions(old, new)

    def name_entity(self, entity: int, name: str) -> None:
        """A name given by hand, without what looks like a secret; an empty one takes it away."""
        with self._store.writing():
            self._store.people.give_name(entity, self.redactor.redact(name).text)

    def put_rulings(self, old: Sequence[ClaimRuling], new: Sequence[ClaimRuling]) -> None:
        """What a person decided about claims, without what looks like a secret; inside `changing()` part of that transaction."""
        clean = [replace(one, words=self.redactor.redact(one.words).text) for one in new]
        with self._store.writing():
            self._store.people.replace_rulings(old, clean)

    def put_note(self, key: str, value: str) -> None:
        """A small fact about the memory itself, for whoever asks `reads.note(key)`."""
        self._store.put_note(key, value)

    def record_copy(self, copy: KnownCopy) -> None:
        """A file that holds a copy of the memory: `forget` will clean it too. One that lies elsewhere is written also while the memory's own
        disk is full; then nothing is noted, and the person is told."""
        try:
            self._store.forgetting.record(copy)
        except DiskFull:
            log.error(
                "There is no room on the disk of %s to note that %s holds a copy: `pmg forget` will not clean it. Write it once more when "
                "there is room, or delete it yourself.", self.config.home, copy.path,
            )  # fmt: skip

    def drop_copies(self, paths: Sequence[Path]) -> None:
        """Files that are no more: `forget` need not look for them."""
        self._store.forgetting.unrecord(paths)

    def update_sessions(self, sessions: Sequence[Session], renamed: Sequence[str]) -> None:
        """Writes what is known of some sessions anew; `renamed` are the ids of those with another title.

        Recall searches the title with the turns, so these are indexed again; of those that are closed the plain text is written again.
        """
        names = set(renamed)
        with self._memory.adding, self._store.writing():
            self._store.put_sessions(sessions)
            self._store.touch_sessions(renamed)
        if renamed:
            self.write_plain_text([one.id for one in sessions if one.id in names and not one.is_open])
            self.indexes.catch_up()

    def restore_sealed(self, number: int, namespace: str = "") -> SealedRedaction:
        """A redaction taken back by the number it is listed under; with a namespace named only one of that namespace is known. Can be undone."""
        with self._memory.building:
            with self._store.writing():
                row = self._sealed(number, namespace)
                key = key_for(self._store.path)
                if key is None:
                    raise InputError(f"The memory in {self.config.home} is not encrypted: nothing is sealed in it.")
                restore_sealed.restore(self._store, row, key.box())
                self._store.write_journal([restore_sealed.entry(row)])
            self.refresh_sessions([row.session_id])
        return row

    def seal_again(self, number: int) -> None:
        """The way back, inside a transaction of the caller, who refreshes the session after it."""
        restore_sealed.seal_again(self._store, self._sealed(number, ""))

    def _sealed(self, number: int, namespace: str) -> SealedRedaction:
        row = self._store.sealed.find(number)
        if row is None or (namespace and row.namespace != namespace):
            raise NotFound(f"Nothing is sealed under {number}. `pmg redact --sealed` lists what is.")
        return row

    def refresh_sessions(self, session_ids: Sequence[str]) -> None:
        """After words of some sessions were changed: plain text, indexes, vectors and links follow."""
        self.indexes.catch_up()
        self.write_plain_text([s.id for s in self._store.sessions() if s.id in session_ids and not s.is_open])
        with self._memory.building:
            if much_waits(self.components):
                count_waiting(self.components)
            else:
                build(self.components)
        self._memory.extractor.wake()

    def write_plain_text(self, session_ids: Sequence[str]) -> None:
        """The readable file of each of these sessions, as the store has them now."""
        plaintext.write_all(self.components, session_ids)

    def announce(self, address: str) -> None:
        """Leaves the server's address for whoever finds the memory held."""
        self._store.announce(address)

    def release_pages(self) -> None:
        """Gives memory back that the database holds for what was just written."""
        self._store.release_pages()
