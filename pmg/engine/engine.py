"""The verbs of an open memory: opening, putting in, getting out, looking after.

Each puts the parts together and leaves the work to ingest, recall and embed. Whoever stands above reads through `reads`, which has no
write, and writes through a verb here or in memory_writes.py. Pages, commands and file formats are theirs.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from threading import TIMEOUT_MAX

from pmg import config as configuration
from pmg.base import arguments
from pmg.base.errors import DiskFull, InputError, ModelUnavailable, NotFound, StoreError
from pmg.base.model import TYPED_KINDS, Edge, Kind, Origin, Segment, Session, Turn, segment_id
from pmg.base.progress import Progress, silent
from pmg.base.project import CWD, ProjectScope, scope_asked, with_repository
from pmg.base.times import now
from pmg.config import Config
from pmg.embed.embedder import Embedder, checked_embedder
from pmg.embed.load import ModelHolder
from pmg.embed.thresholds import Thresholds
from pmg.engine.memory_view import check_rules, checked_config, redactor_for
from pmg.engine.memory_writes import MemoryWrites
from pmg.engine.open_memory import OpenMemory
from pmg.index.indexes import Indexes
from pmg.ingest import documents, quarantine, reembed, turns
from pmg.ingest import pipeline as ingesting
from pmg.ingest.build import Built, build, count_waiting, much_waits
from pmg.ingest.model_in_force import (
    calibrate,
    opener,
    refuse_vectors_of_another,
    with_model_in_force,
)
from pmg.ingest.open_session import OpenSession
from pmg.ingest.pipeline import Ingested
from pmg.ingest.redact import KnownValues, Redactor
from pmg.ingest.session_arguments import checked_sessions, checked_turn
from pmg.ingest.turns import SessionInput
from pmg.people import changes
from pmg.people.model_extract import AskModel, ModelCost, ModelReading, cost_of
from pmg.people.read_sessions import spoken_lines
from pmg.recall import pipeline as recalling
from pmg.recall.receipt import Recalled
from pmg.store import encryption, leftovers
from pmg.store.duckdb.store import DuckStore
from pmg.store.forget import BACKUP, KnownCopy
from pmg.store.keys import seal_for
from pmg.store.rows import Counts, NewEdges, RecallRecord
from pmg.store.sql_result import SqlResult
from pmg.store.unlock import Ask, unlock

log = logging.getLogger(__name__)
PROJECT_POOL = 500  # candidates of each search where only those of a project are wanted
BUILD_TIMEOUT = 3.0  # seconds that somebody who asks or tells waits for a build in hand


class Engine(MemoryWrites):
    """An open memory. `Engine.open(config)` makes the parts; `close()` (or `with`) leaves the store to others."""

    @classmethod
    def open(
        cls,
        config: Config,
        *,
        embedder: Embedder | None = None,
        wait: bool = True,
        load: bool = True,
        progress: Progress = silent,
        passphrase: str | None = None,
        ask: Ask | None = None,
    ) -> Engine:
        """Opens the store, brings its indexes up, and closes and links what an earlier process left open.

        `wait` loads the embedding model first; without it the model loads behind, and memory works on words until then. Vectors that are missing
        are made if they are few; of many `indexes.waiting` has the number, words find them, and `settle()` makes them.
        `load=False` is for looking only: no model is loaded at all. An encrypted memory takes its passphrase from here, from
        PMG_PASSPHRASE or a file, or from `ask`, which is given the question.
        """
        config = checked_config(config)
        check_rules(config)  # a mistake in them must be found before anything is opened
        unlock(config, passphrase, ask)
        encryption.resume(config.home)
        redactor = redactor_for(config)  # it may need the key that is there now
        store = DuckStore.open(config.home)
        try:
            leftovers.clear(config.home)  # now that the store is ours, and with it what a killed process left
            if embedder is None:
                config = with_model_in_force(store, config)
            else:
                refuse_vectors_of_another(store, embedder)
            threads = config.embed.threads or None
            indexes = Indexes.open(config.home / "index", store, threads, progress, seal_for(store.path))
            holder = ModelHolder.holding(embedder) if embedder else ModelHolder(opener(config))
            memory = OpenMemory(store, indexes, holder, config, redactor)
        except BaseException:
            store.close()
            raise
        engine = cls(memory)
        try:
            engine._recover()
            if load:
                engine._begin(wait, progress)
        except BaseException:
            memory.abandon()
            raise
        return engine

    def with_config(self, config: Config) -> Engine:
        """The same open memory under other settings: everything is shared, and closing this view closes nothing."""
        self._store.require_open()
        return Engine(self._memory, checked_config(config))

    def _begin(self, wait: bool, progress: Progress) -> None:
        self.model.start()
        self._memory.extractor.wake()  # what a kill left, or a better extractor reads again
        if not wait:
            return
        try:
            self.model.wait()
        except ModelUnavailable as problem:
            log.warning("%s Memory goes on without it.", problem)
        try:
            self._settle_little(progress)
        except DiskFull as problem:
            log.warning("%s", problem)

    def _recover(self) -> None:
        """One process owns a store: whatever is open now was left open by one that ended."""
        left = [session.id for session in self._store.sessions(only_open=True)]
        try:
            if left:
                self._finish(left)
        except DiskFull as problem:  # they are closed at the next start; what is stored can be read meanwhile
            log.warning("%s", problem)

    def _finish(self, session_ids: Sequence[str]) -> None:
        self._store.close_sessions(session_ids)
        for session_id in session_ids:
            self._memory.known_values.pop(session_id, None)
        self.write_plain_text(session_ids)
        self.indexes.catch_up()
        self._memory.extractor.wake()

    # putting in

    def session(
        self,
        title: str = "",
        *,
        namespace: str = "",
        conversation: str = "",
        source: str = "api",
        session_id: str = "",
        started_at: datetime | None = None,
        folder: str = "",
    ) -> OpenSession:
        """Begins a session, or takes up one that is there. Its turns can be recalled at once and are linked when it closes.

        A name that is taken in another namespace is free here, and nothing is told about that one: the session gets another id.
        One that is there stays in the conversation it began in. `folder` is where the work is done of which it tells.
        """
        begun = turns.started(SessionInput((), started_at=arguments.moment(started_at, "started_at")))
        title, source = arguments.text(title, "title"), arguments.text(source, "source")
        conversation, session_id = (
            arguments.optional_text(conversation, "conversation") or "",
            arguments.optional_text(session_id, "session_id") or "",
        )
        namespace, redactor = self._namespace(namespace), self.redactor
        source, talk = redactor.redact(source).text, turns.plain_id(conversation, redactor)
        title = redactor.redact(title).text
        place = with_repository({CWD: arguments.text(folder, "folder")}) if folder else {}
        noted = {key: redactor.redact(value).text for key, value in place.items()}
        with (
            self._store.writing()
        ):  # two that begin one of the same name at once, perhaps in two namespaces, come one after the other
            name = self.session_id(session_id, namespace) if session_id else turns.fresh_session_id(begun)
            known = self._store.session(name)
            if known and conversation and known.conversation not in (conversation, talk):
                raise InputError(
                    f"The session {session_id!r} belongs to the conversation {known.conversation!r}, not to {conversation!r}: leave the "
                    "conversation out to add to it, or give a new session for that conversation."
                )
            fresh = Session(name, namespace, talk or name, title, source, begun, None, True, meta=noted)
            self._store.put_session(replace(known, is_open=True, ended_at=None) if known else fresh)
        return OpenSession(name, self.add_turn, self.close_session)

    def _namespace(self, given: str) -> str:
        return configuration.checked_namespace(given or self.config.namespace)

    def session_id(self, name: str, namespace: str) -> str:
        """The id of the session that is called so in this namespace: its name, or another where that is taken in another namespace or looks
        like a secret."""
        wished = turns.plain_id(turns.checked_session_id(name), self.redactor)
        if wished != name and self._store.session(name) is not None:
            wished = name  # from before ids were looked at: `redact --rescan` gives it the other one
        both = [wished, turns.id_in_namespace(wished, namespace)]
        return turns.name_here(wished, namespace, self._store.namespaces_of(both))

    def add_turn(self, session_id: str, turn: Turn) -> str:
        """One turn into an open session. When this returns it is on disk, without its secrets, and its words are found.

        Its vectors follow within a moment, in the background; a session that was closed is open again.
        """
        session_id = arguments.text(session_id, "session_id")
        turn = turns.with_plain_id(checked_turn(turn, "turn"), self.redactor)
        known = self._memory.known_values.setdefault(session_id, KnownValues())
        cleaned = turns.clean(turn, self.redactor, self.config.ingest.max_turn_bytes, known)
        if cleaned.failed:
            raise InputError("".join(quarantine.keep_unchecked(self._store, session_id, [cleaned])))
        with self.active_requests.here(), self._memory.adding:
            with self._store.writing():
                index = self._store.next_index(session_id)
                stored = self._store.append_turn(turns.placed(cleaned, session_id, index, now()))
            self.indexes.take_turn(stored)
        self._memory.embedder.wake()
        return segment_id(session_id, index)

    def close_session(self, session_id: str, progress: Progress = silent) -> Built:
        """Closes a session and links it into the graph; where very much waits for its vectors, it gets its own at once and its links after the others."""
        if self._store.session(arguments.text(session_id, "session_id")) is None:
            raise NotFound(f"There is no session {session_id!r}. `pmg sessions` lists them.")
        if much_waits(self.components, self._memory.long_told):
            self._memory.embed_pending(BUILD_TIMEOUT)
        self._embed_long_of(session_id)
        self._finish([session_id])
        return self._settle_little(progress)

    def _embed_long_of(self, session_id: str) -> None:
        """Turns that are embedded by themselves: whoever closes their session waits for those of it, and for no others."""
        if self._memory.long_told:
            own = {segment.number for segment in self._store.segments_of(session_id)}
            self._memory.embed_long(sorted(own & self._memory.long_told), BUILD_TIMEOUT)

    def close_idle(self, at: datetime | None = None) -> list[str]:
        """Closes and links open sessions without a turn for the configured time."""
        before = (arguments.moment(at, "at") or now()) - timedelta(minutes=self.config.ingest.idle_minutes)
        idle = [
            s.id for s in self._store.sessions(only_open=True) if (self._store.last_said(s.id) or s.started_at) < before
        ]
        if idle:
            self._finish(idle)
            self.settle()
        return idle

    def ingest(self, sessions: Iterable[SessionInput], progress: Progress = silent) -> Ingested:
        """Takes whole sessions in; repeating it changes nothing."""
        redactor = self.redactor
        given = (self._with_plain_ids(one, redactor) for one in checked_sessions(sessions, self.config.namespace))
        with self._memory.building:
            held = self._memory
            done = ingesting.ingest(self.components, given, redactor, held.between(progress), held.long_told)
        held.wake_long()
        held.extractor.wake()
        return done

    def _with_plain_ids(self, session: SessionInput, redactor: Redactor) -> SessionInput:
        plain = turns.with_plain_ids(session, redactor)
        is_older = plain.id != session.id and self._store.session(session.id) is not None  # as in `session_id`
        return replace(plain, id=session.id) if is_older else plain

    def store_turns(self, sessions: Sequence[SessionInput]) -> Ingested:
        """Takes whole sessions in as `ingest` does, and leaves indexing, embedding and linking to the next `ingest` or `settle`."""
        return ingesting.store_turns(self.components, sessions, self.redactor)

    def learn(self, file: str | Path, *, namespace: str = "", progress: Progress = silent) -> Ingested:
        """Takes a document in, cut at paragraphs; later turns about it are linked to it with extends_source."""
        document = documents.document(arguments.path(file, "file"), self.config.ingest.chunk_characters)
        return self.ingest([replace(document, namespace=namespace or self.config.namespace)], progress)

    def settle(self, progress: Progress = silent) -> Built:
        """Embeds whatever still waits for it, and links what is of closed sessions. Where the memory is about to be closed it ends early, and
        `waiting` has what is left."""
        was_closed = self._memory.closed
        with self._memory.building:
            try:
                return build(self.components, self._memory.between(progress), self._memory.long_told)
            except StoreError:
                if was_closed or not self._memory.stopping.is_set():
                    raise
                log.info("embedding and linking go on at the next start")
                return Built(waiting=self.indexes.waiting)
            finally:
                self._memory.wake_long()

    def _settle_little(self, progress: Progress) -> Built:
        """As `settle`, unless so much waits that it would take minutes: that is left, and counted."""
        components = self.components
        if components.embedder is not None and much_waits(components, self._memory.long_told):
            return Built(waiting=count_waiting(components))
        return self.settle(progress)

    def stop_building(self) -> None:
        """Whoever embeds or links ends at the next step, for good: `close()` follows. What is done is kept, and the next start goes on with the rest."""
        self._memory.stopping.set()

    def extract(self) -> int:
        """Reads the claims of every closed session that waits for it, now; how many there were. In the background it is done anyway.

        On a full disk, and while somebody embeds a whole history, they go on waiting: whoever only asks who said what is answered from the claims that
        are there.
        """
        self._store.require_open()
        try:
            return self._memory.extract_closed(BUILD_TIMEOUT)
        except DiskFull as problem:
            log.error("%s What the newest sessions say about people is not known until then.", problem)
            return 0

    def model_cost(self, model: str, namespace: str = "") -> ModelCost:
        """What `extract_with_model` would send, about. Nothing is sent."""
        waiting = self._store.people.waiting_for_model(namespace or self.config.namespace, model)
        return sum((cost_of(spoken_lines(self._store, name)) for name in waiting), ModelCost())

    def extract_with_model(
        self, model: str, ask: AskModel, namespace: str = "", progress: Progress = silent
    ) -> ModelReading:
        """Asks a language model for more claims of every closed session in one namespace that it has not read. Writes go on meanwhile; after a kill it goes on
        with the rest. `ask` sends messages and gives back what is answered."""
        waiting = self._store.people.waiting_for_model(namespace or self.config.namespace, model)
        return self._memory.extract_with_model(waiting, model, ask, progress)

    def link(
        self, source: str, target: str, kind: Kind | str, weight: float = 1.0, origin: Origin | str = Origin.USER
    ) -> None:
        """A typed link made by a person or a model. The steward's own way of linking can be undone."""
        kind, origin = arguments.member(kind, "kind", Kind, TYPED_KINDS), arguments.member(origin, "origin", Origin)
        a, b = self.linkable(source, target, kind, weight)
        new = NewEdges.one(a, b, kind, weight, origin)
        with self._store.writing():  # the same link once more replaces the first
            replaced = self._store.drop_edges(a, b, kind)
            self._store.put_edges(new)
        if replaced:
            self.indexes.reload_edges()
        else:
            self.indexes.add_edges(new)

    def linkable(self, source: str, target: str, kind: Kind, weight: float) -> tuple[int, int]:
        """The two as the store numbers them; raises for a link that would make no sense."""
        weight = arguments.number(weight, "weight")
        numbers = self._numbers([source, target])
        ends = self._store.segments([numbers[source], numbers[target]])
        if source == target or ends[0].namespace != ends[1].namespace:
            raise InputError(f"{source} and {target} cannot be linked: give two segments of one namespace.")
        if kind not in TYPED_KINDS or not 0.0 < weight <= 1.0:
            kinds = ", ".join(TYPED_KINDS)
            raise InputError(
                f"A {kind.value} link of weight {weight} cannot be made: give above 0 to 1 and one of {kinds}."
            )
        return numbers[source], numbers[target]

    def unlink(self, source: str, target: str, kind: Kind | str) -> int:
        """Takes links of one kind from one segment to another away; how many there were. Chains and what vectors alone say stay."""
        kind = arguments.member(kind, "kind", Kind, TYPED_KINDS)
        if kind not in TYPED_KINDS:
            raise InputError(f"A {kind.value} link cannot be taken away: give one of {', '.join(TYPED_KINDS)}.")
        numbers = self._numbers([source, target])
        removed = self._store.drop_edges(numbers[source], numbers[target], kind)
        self.indexes.reload_edges()
        return removed

    # getting out

    def recall(
        self,
        query: str,
        *,
        namespace: str = "",
        exclude_session: str | Sequence[str] = (),
        active_context: str | Sequence[str] = (),
        exclude_segments: Sequence[int | str] = (),
        project: str | ProjectScope = "",
        budget_tokens: int | None = None,
        at: datetime | None = None,
        count: bool = True,
        floor: float | None = None,
        **knobs: object,
    ) -> Recalled:
        """What matters for `query`: the block in `.context`, why in `.receipt`.

        `active_context` and `exclude_segments` (ids or numbers) are what the asker has already. `project` is the name, the folder or the repository that
        it came from; empty: any. `at` is the moment of asking, from which "last week"
        is counted; knobs are the fields of `config.recall`, and `floor` stands in for the threshold of that name.
        """
        wanted = knobs if budget_tokens is None else {**knobs, "budget_tokens": budget_tokens}
        settings = configuration.with_values(self.config, {"recall": wanted}, "recall()").recall
        namespace = self._namespace(namespace)
        query, at = arguments.text(query, "query"), arguments.moment(at, "at")
        excluded = arguments.texts(exclude_session, "exclude_session")
        scope = project if isinstance(project, ProjectScope) else scope_asked(arguments.text(project, "project"))
        if scope is not None:  # what is not of it is left out of what was found, so more is looked for
            settings = replace(settings, pool=max(settings.pool, PROJECT_POOL))
        context = arguments.texts(active_context, "active_context")
        held_already = self._held_already(exclude_segments)
        floor = None if floor is None else arguments.number(floor, "floor")
        with self.active_requests.here(), self._memory.model_switch.reading():
            components = self.components
            held = components.thresholds if floor is None else replace(components.thresholds, floor=floor)
            found = recalling.recall(
                replace(components, thresholds=held),
                query,
                settings,
                namespace=namespace,
                exclude_sessions=excluded,
                active_context=context,
                exclude_segments=held_already,
                scope=scope,
                at=at,
                changed=lambda numbers: changes.notes(self._store.people, namespace, numbers),
            )
            if count:  # inside: what is forgotten right after this must find the recall counted
                self._count(found, namespace)
        return found

    def _held_already(self, segments: object) -> list[int]:
        """Segments by number, whether they were named by it or by their id."""
        mend = "give a segment's id (str) or its number (int)"
        given = (
            [segments]
            if isinstance(segments, str)
            else arguments.items(segments, "exclude_segments", f"{mend}, in a list")
        )
        ids = self._numbers([one for one in given if isinstance(one, str)])
        return [
            ids[one] if isinstance(one, str) else arguments.whole_number(one, f"exclude_segments[{place}]", mend)
            for place, one in enumerate(given)
        ]

    def _count(self, found: Recalled, namespace: str) -> None:
        shown = [
            (segment.number, entry.role, entry.score)
            for segment, entry in zip(found.segments, found.receipt.found, strict=True)
            if entry.in_context
        ]
        query = self.redactor.redact(found.receipt.query).text
        self._memory.recall_log.add(
            RecallRecord(now(), namespace, query, found.receipt.mode, found.milliseconds, shown)
        )

    def sessions(self, namespace: str | None = None) -> list[Session]:
        return self._store.sessions(arguments.optional_text(namespace, "namespace"))

    def segment(self, segment_id: str, namespace: str = "") -> Segment:
        """One in another namespace is as unknown as one that never was, if a namespace is named."""
        number = self._numbers([arguments.text(segment_id, "segment_id")])[segment_id]
        found = self._store.segments([number])[0]
        if namespace and found.namespace != namespace:
            raise _unknown(segment_id)
        return found

    def edges(self, segment_id: str) -> list[Edge]:
        """The links of a segment; NotFound where there is none of that name."""
        self._numbers([arguments.text(segment_id, "segment_id")])
        return self._store.edges_of(segment_id)

    def _numbers(self, ids: Sequence[str]) -> dict[str, int]:
        found = self._store.numbers_of([arguments.text(name, "a segment's id") for name in ids]) if ids else {}
        missing = [name for name in ids if name not in found]
        if missing:
            raise _unknown(missing[0])
        return found

    def counts(self, namespace: str | None = None) -> Counts:
        self.flush_recalls()
        return self._store.counts(arguments.optional_text(namespace, "namespace"))

    def sql(
        self, statement: str, parameters: Sequence[object] = (), *, limit: int | None = None, seconds: float = 60.0
    ) -> SqlResult:
        """Asks this memory in SQL, reading only: `.rows`, `.arrow()` or `.df()`. docs/schema.md says what is there to ask."""
        limit = None if limit is None else arguments.whole_number(limit, "limit", "give a whole number")
        if limit is not None and limit < 0:
            raise InputError(f"limit is {limit}: give 0 or more, or None for all rows.")
        seconds = arguments.number(seconds, "seconds")
        if not 0 < seconds <= TIMEOUT_MAX:
            longest = f"above 0 and at most {TIMEOUT_MAX:.0f}"
            raise InputError(f"seconds is {seconds:g}: give the time that the answer may take, {longest}.")
        statement = arguments.text(statement, "statement")
        values = arguments.items(parameters, "parameters", "give a list with a value for each ? of the statement")
        self.flush_recalls()
        return self._store.ask(statement, list(values), limit=limit, seconds=seconds)

    # looking after

    def backup(self, file: str | Path) -> None:
        """One file with everything as it stands now; recalling and writing go on meanwhile. Folders that are not there are made."""
        file = arguments.path(file, "file")
        self.flush_recalls()
        with self._memory.copying:
            self._store.backup(file)
            if not file.resolve().is_relative_to((self.config.home / "backups").resolve()):
                self.record_copy(KnownCopy(file.resolve(), BACKUP))  # `forget` cleans it too, wherever it is

    def first_backup(self) -> Path | None:
        """A memory that was never backed up gets its first one, without anybody asking; those of the steward follow it."""
        folder = self.config.home / "backups"
        if any(folder.glob("*.duckdb")) or not sum(self._store.segments_by_state().values()):
            return None
        file = folder / f"auto-{now():%Y%m%d-%H%M%S}.duckdb"
        try:
            self.backup(file)
        except StoreError as problem:  # no room: what was taken in is stored all the same
            log.warning("no first backup was made: %s", problem)
            return None
        return file

    def rebuild(self, progress: Progress = silent) -> None:
        """Throws everything derived away and makes it from the store: the indexes and the plain text of each session."""
        self.reindex(progress)
        self.write_plain_text([session.id for session in self._store.sessions() if not session.is_open])
        self.settle(progress)
        self.indexes.save()

    def reindex(self, progress: Progress = silent) -> None:
        """Throws the indexes away, in memory and on disk, and makes them from the store."""
        self.indexes.renew(seal_for(self._store.path), progress)
        self._settle_little(progress)
        self.indexes.save()

    def reembed(
        self,
        embedder: Embedder,
        progress: Progress = silent,
        on_switch: Callable[[], None] = lambda: None,
        setting: str = "",
    ) -> int:
        """Changes the embedding model. Recall works on the old vectors until the new ones are whole; a kill loses nothing.

        `setting` is how the model is asked for (a name or a folder): the store keeps it, and opens it the next time. `on_switch` is
        called at the moment the new model is in force: the place to write it into the configuration too.
        """
        embedder = checked_embedder(embedder)
        with self._memory.building:
            reembed.embed_all(self.components, embedder, self._memory.between(progress))
            with self._memory.model_switch.changing():
                reembed.switch(self.components, progress, setting)
                self._memory.model = ModelHolder.holding(embedder)
            on_switch()
            return self.relink(progress)

    def relink(self, progress: Progress = silent) -> int:
        """Makes all automatic links anew from the vectors in force, and ties neighbours of a session that are not."""
        with self._memory.building:
            self._store.restore_chain()
            return reembed.relink(self.components, self._memory.between(progress))

    def calibrate(self) -> Thresholds:
        """Measures this memory and keeps the thresholds that fit its model; they hold from now on."""
        return calibrate(self.components, self.model.wait())


def _unknown(segment_id: str) -> NotFound:
    return NotFound(f"There is no segment {segment_id!r}. `pmg show SESSION` lists the segments of a session.")
