"""All derived state of one store: a vector and a lexical index for each namespace, and the catalogue.

Knows: how to open, catch up with, save and rebuild them from the store's feeds. They are caches: whatever is missing, stale,
foreign or corrupt is made again from the store, and nothing here is ever the only copy.
"""

from __future__ import annotations

import logging
import shutil
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pmg.base.atomic_files import make_private_folder
from pmg.base.errors import IndexDamaged
from pmg.base.progress import Progress, silent
from pmg.index import marks
from pmg.index.catalogue import Catalogue, adjacency
from pmg.index.index_folder import IndexFolder
from pmg.index.lexical import LexicalDoc, LexicalIndex
from pmg.index.manifest import Manifest
from pmg.index.read_write_lock import ReadWriteLock
from pmg.index.stem import VERSION
from pmg.index.vector import VectorIndex
from pmg.index.vector_background import VectorBackground
from pmg.store import evidence
from pmg.store.contract import Store
from pmg.store.rows import IndexLine, NewEdges, Numbers, StoredTurn
from pmg.store.seal import Seal

logger = logging.getLogger(__name__)
# An index whose terms were made otherwise would not find what it holds.
TERMS = f"terms {VERSION}, marks {marks.VERSION}"
RELEASE_LINES = 65_536  # read since the database last gave up its pages
SAVE_LINES = (
    4_096  # indexed since the last save: what a killed process makes the next start read again, in half a second
)


class Indexes:
    """Made by `Indexes.open`. Searches hold `lock.reading()`; what they see is changed under `lock.changing()`.

    Writing to disk changes nothing that a search sees, so people search meanwhile; those who write take turns.
    """

    def __init__(self, folder: Path, store: Store, threads: int | None = None, seal: Seal | None = None) -> None:
        self._folder = folder
        self._seal = seal  # with one, everything here is on disk encrypted
        self._store = store
        self._threads = threads
        self._vectors: dict[str, VectorIndex] = {}
        self._lexical: dict[str, LexicalIndex] = {}
        self._generation = 0
        # Up to which change of the store, and which window, each part has followed it.
        self._change = {"catalogue": 0, "lexical": 0, "vector": 0}
        self._window = {"catalogue": 0, "vector": 0}
        self.catalogue = Catalogue()
        self.lock = ReadWriteLock()
        self._saving = threading.Lock()  # taken before `lock.reading()`; who holds `lock.changing()` is alone anyway
        self._edge_stamp = 0
        self._unsaved = 0  # lines indexed since the lexical indexes were last written
        self.waiting = 0  # segments that have no vectors yet, as ingest last counted them
        self.rebuilt: list[str] = []  # what had to be made again, and why: for doctor

    @classmethod
    def open(
        cls,
        folder: Path,
        store: Store,
        threads: int | None = None,
        progress: Progress = silent,
        seal: Seal | None = None,
    ) -> Indexes:
        make_private_folder(folder)
        indexes = cls(folder, store, threads, seal)
        indexes._load_lexical()
        indexes._load_vectors()
        indexes.catch_up(progress)
        indexes._mend_windows(progress)
        return indexes

    # opening

    def _load_lexical(self) -> None:
        for namespace in self._store.namespaces():
            place = self._place(namespace, "lexical")
            try:
                self._lexical[namespace] = LexicalIndex.load(place, Manifest(self._store.store_id, TERMS))
                self._refuse_loss(self._lexical[namespace])
                self._refuse_future(place, self._lexical[namespace])
            except IndexDamaged as damage:
                self._clear(place, damage)
                self._lexical[namespace] = LexicalIndex(place)
        self._change["lexical"] = min((_change_of(index) for index in self._lexical.values()), default=0)

    def _load_vectors(self) -> None:
        model = self._store.model
        if model is None:
            return
        self._generation = model.generation
        expected = Manifest(self._store.store_id, model.fingerprint, model.generation)
        for namespace in self._store.namespaces():
            place = self._place(namespace, "vector")
            try:
                self._vectors[namespace] = VectorIndex.load(place, expected, model.dimension, self._threads)
                self._refuse_future(place, self._vectors[namespace])
            except IndexDamaged as damage:
                self._clear(place, damage)
                self._vectors[namespace] = VectorIndex(model.dimension, self._threads)
        whole = all(index.manifest is not None for index in self._vectors.values())
        self._change["vector"] = min((_change_of(index) for index in self._vectors.values()), default=0)
        tops = [int(index.ids().max()) for index in self._vectors.values() if len(index)]
        self._window["vector"] = max(tops, default=0) if whole else 0

    def _mend_windows(self, progress: Progress) -> None:
        """A kill while several namespaces were saved can leave one behind the windows that another has seen."""
        model = self._store.model
        indexed = sum(len(index) for index in self._vectors.values())
        if model is None or indexed == self._store.indexable_windows(model.generation):
            return
        logger.warning("the vector indexes do not hold what the store holds: they are made again")
        self.rebuilt.append(f"vector: {indexed} windows did not match the store")
        with self.lock.changing():
            self._vectors, self._change["vector"], self._window["vector"] = {}, 0, 0
            self._follow_vectors(progress)
            self._change["vector"] = self._change["catalogue"]

    def _refuse_loss(self, index: LexicalIndex) -> None:
        """Numbers are never given twice: a line that is indexed and was never given one here is a loss of the store's."""
        unknown = int((index.ids() > self._store.last_line()).sum())
        if unknown:
            raise evidence.behind(self._store.path.parent, unknown)

    def _refuse_future(self, place: IndexFolder, index: VectorIndex | LexicalIndex) -> None:
        """What the index saw after the store's last change was undone: a transaction that failed."""
        if _change_of(index) > self._store.last_change():
            raise IndexDamaged(f"the index at {place} is ahead of the store: it is rebuilt from the store")

    def _place(self, namespace: str, name: str) -> IndexFolder:
        if self._seal is None:
            return IndexFolder(self._folder / namespace / name)
        digest = self._seal.hasher()
        digest.update(namespace.encode())
        return IndexFolder(self._folder / digest.hexdigest()[:16] / name, self._seal)

    def _clear(self, folder: IndexFolder, damage: IndexDamaged) -> None:
        place = folder.path
        if place.exists():
            logger.warning("the %s index is made again: %s", place.name, damage)
            self.rebuilt.append(f"{place.parent.name}/{place.name}: {damage}")
            shutil.rmtree(place)

    # reading

    def vector(self, namespace: str) -> VectorIndex | None:
        return self._vectors.get(namespace)

    def lexical(self, namespace: str) -> LexicalIndex | None:
        return self._lexical.get(namespace)

    def only_asked(self) -> NDArray[np.bool_] | None:
        """By segment number: what the person only asked. A question tells nothing: who looks for what was told passes over it."""
        asked = self.catalogue.segment("asked")
        return asked if asked.any() else None

    def knows(self, segments: Numbers) -> bool:
        """Whether the catalogue has followed the store as far as these segments."""
        known = self.catalogue.segment("lines")
        return not len(segments) or bool(segments.max() < len(known) and (known[segments] > 0).all())

    def vector_background(self, namespace: str) -> VectorBackground | None:
        """What vectors here are like: it depends on what is stored and nothing else."""
        index = self._vectors.get(namespace)
        return index.background() if index is not None else None

    def sizes(self) -> dict[str, tuple[int, int]]:
        """For each namespace how many windows and lines are indexed."""
        names = sorted({*self._lexical, *self._vectors})
        return {n: (len(self._vectors.get(n, ())), len(self._lexical.get(n, ()))) for n in names}

    # following the store

    def catch_up(self, progress: Progress = silent) -> None:
        """Takes in every change since each part last looked: cheap when there are few, complete when there are many.

        Whatever changes is stamped, so a part that has seen the last stamp need not ask for more.
        """
        upto, windows = self._store.last_change(), self._store.last_window()
        with self.lock.changing():
            if self._change["catalogue"] < upto:
                self._follow_catalogue(self._change["catalogue"])
            if self._change["lexical"] < upto:
                self._follow_lexical(self._change["lexical"], upto, progress)
            if self._change["vector"] < upto or self._window["catalogue"] < windows or self._has_other_model():
                self._follow_vectors(progress)
            for name in self._change:
                self._change[name] = max(self._change[name], upto)

    def take_turn(self, turn: StoredTurn) -> None:
        """A turn that was just written, without reading it back: its words are searched when this returns.

        Turns of one session must come in their order. What another change is waited for stays with `catch_up`, which takes the turn
        in once more and finds nothing new in it.
        """
        with self.lock.changing():
            self.catalogue.take_segments(turn.segment, turn.lines)
            self.catalogue.take_projects(dict.fromkeys(turn.segment.column("session_id").to_pylist(), turn.project))
            for namespace in {line.namespace for line in turn.index_lines}:
                self._add_lines(namespace, turn.index_lines)
            self._unsaved += len(turn.index_lines)
            for name, reached in self._change.items():
                if reached == turn.change - 1:
                    self._change[name] = turn.change
            if self._unsaved >= SAVE_LINES:
                self._save_lexical(self._change["lexical"])

    def _add_lines(self, namespace: str, lines: Sequence[IndexLine]) -> None:
        if namespace not in self._lexical:
            self._lexical[namespace] = LexicalIndex(self._place(namespace, "lexical"))
        self._lexical[namespace].add([_document(line) for line in lines])

    def _follow_catalogue(self, since: int) -> None:
        self.catalogue.take_segments(*self._store.catalogue_rows(since))
        self.catalogue.take_projects(self._store.projects(since))
        self.catalogue.forget_segments(np.unique(self._store.removed_since(since).segment))
        if since == 0:
            self.catalogue.set_edges(adjacency(self._store.edge_rows()))

    def _follow_lexical(self, since: int, upto: int, progress: Progress) -> None:
        changed = self._store.changed_segments(since)
        if not len(changed):
            return
        for index in self._lexical.values():
            if len(index):  # one that starts empty has nothing to take out
                index.remove_segments(changed)
        taken = held = 0
        for lines in self._store.index_lines(since):
            taken += len(lines)
            if taken - held >= RELEASE_LINES:
                self._store.release_pages()
                held = taken
            for namespace in sorted({line.namespace for line in lines}):
                self._add_lines(namespace, [line for line in lines if line.namespace == namespace])
            progress("indexing words", int(np.searchsorted(changed, lines[-1].segment)) + 1, len(changed))
        self._unsaved += taken
        if self._unsaved >= SAVE_LINES:
            self._save_lexical(upto)

    def _save_lexical(self, change: int) -> None:
        for index in self._lexical.values():
            index.save(Manifest(self._store.store_id, TERMS, change=change))
        self._unsaved = 0

    def _has_other_model(self) -> bool:
        model = self._store.model
        return model is not None and model.generation != self._generation

    def _follow_vectors(self, progress: Progress) -> None:
        model = self._store.model
        if model is None:
            return
        if model.generation != self._generation:  # the model was changed: nothing of the old one may be searched
            self._vectors, self._generation = {}, model.generation
            self.catalogue.drop_windows()
            self._change["vector"] = self._window["vector"] = self._window["catalogue"] = 0
        since, newest = self._change["vector"], self._window["vector"]
        windows, lines = self._store.window_rows(self._window["catalogue"], model.generation)
        self.catalogue.take_windows(windows, lines)
        self._window["catalogue"] = max(self._window["catalogue"], int(windows.max(initial=0)))
        gone = self._store.unindexed_windows(since, model.generation)
        for index in self._vectors.values():
            index.remove(gone)
        total, done = int((windows > newest).sum()), 0
        for ids, segments, vectors in self._store.index_vectors(since, newest, model.generation):
            self._add(ids, segments, vectors)
            done += len(ids)
            progress("indexing meaning", done, max(total, done))

    def absorb(
        self,
        ids: Numbers,
        lines: Numbers,
        vectors: NDArray[np.float32],
        kept: NDArray[np.bool_],
        edges: list[NewEdges],
    ) -> None:
        """What ingest has just written and still holds: taken in without reading it back. Only `kept` ones are searched."""
        with self.lock.changing():
            self.catalogue.take_windows(ids, lines)
            self._window["catalogue"] = max(self._window["catalogue"], int(ids.max(initial=0)))
            self._add(ids[kept], self.catalogue.segments_of_lines(lines[kept]), vectors[kept])
            for new in edges:
                self._take_edges(new)

    def _add(self, ids: Numbers, segments: Numbers, vectors: NDArray[np.float32]) -> None:
        codes = self.catalogue.segment("namespace")[segments]
        for code in np.unique(codes):
            namespace = self.catalogue.namespaces.names[int(code)]
            if namespace not in self._vectors:
                self._vectors[namespace] = VectorIndex(vectors.shape[1], self._threads)
            mine = codes == code
            self._vectors[namespace].add(ids[mine], vectors[mine])
        self._window["vector"] = max(self._window["vector"], int(ids.max(initial=0)))

    def add_edges(self, new: NewEdges) -> None:
        with self.lock.changing():
            self._take_edges(new)

    def _take_edges(self, new: NewEdges) -> None:
        self._edge_stamp += 1
        self.catalogue.add_edges(new)

    def reload_edges(self) -> None:
        """After edges were changed in the store by other means than ingest. They are sorted before anybody is held up."""
        before = self._edge_stamp
        edges = adjacency(self._store.edge_rows())
        with self.lock.changing():
            if self._edge_stamp != before:  # ingest made some meanwhile, and they may not be among these
                edges = adjacency(self._store.edge_rows())
            self._edge_stamp += 1
            self.catalogue.set_edges(edges)

    def save(self) -> None:
        """Writes every index with the watermark it has reached. What is not saved is taken from the store at the next start."""
        model = self._store.model
        with self._saving, self.lock.reading():
            self._save_lexical(self._change["lexical"])
            if model is None or model.generation != self._generation:
                return
            manifest = Manifest(self._store.store_id, model.fingerprint, model.generation, self._change["vector"])
            for namespace, index in self._vectors.items():
                index.save(self._place(namespace, "vector"), manifest)

    def clear(self) -> None:
        """Throws every derived file away; the next `open` makes them again."""
        with self.lock.changing():
            self._vectors, self._lexical = {}, {}
            shutil.rmtree(self._folder, ignore_errors=True)

    def renew(self, seal: Seal | None = None, progress: Progress = silent) -> None:
        """Everything made from the store again, here and on disk. Whoever holds these indexes goes on with them."""
        self.clear()
        fresh = Indexes.open(self._folder, self._store, self._threads, progress, seal)
        with self.lock.changing():
            vars(self).update({name: value for name, value in vars(fresh).items() if name not in ("lock", "_saving")})


def _change_of(index: VectorIndex | LexicalIndex) -> int:
    return index.manifest.change if index.manifest is not None else 0


def _document(line: IndexLine) -> LexicalDoc:
    """Title, date in words and speaker go to the context field: "what did Anna say in March" meets them there."""
    return LexicalDoc(line.id, line.segment, line.text, f"{line.speaker} {line.title} {line.at:%A %d %B %Y}")
