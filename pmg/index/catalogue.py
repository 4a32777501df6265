"""The shape of the memory, held in memory: for every segment, line and window the few numbers that ranking needs.

Knows: session and place in the chain, conversation, namespace, state, time, speaker, role and length; and the edges, as
arrays. It is derived from the store, like the indexes on disk, and never saved.

Numbers and ids are small and dense, so every column is a plain array indexed by them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pmg.base.model import Kind, Line, Passage, Role, State, segment_id
from pmg.base.project import ProjectScope, project_name
from pmg.base.text import unescape
from pmg.base.times import from_micros
from pmg.index.adjacency import Adjacency, Links, runs
from pmg.store.rows import NewEdges, Numbers

KINDS = tuple(Kind)
STATES = tuple(State)
ROLES = tuple(Role)
_ACTIVE = STATES.index(State.ACTIVE)
_DUPLICATE = STATES.index(State.DUPLICATE)
_NONE: Numbers = np.empty(0, dtype=np.int64)


class Names:
    """Texts as small numbers, in the order in which they were first seen."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._codes: dict[str, int] = {}

    def code(self, name: str) -> int:
        found = self._codes.get(name)
        if found is None:
            found = self._codes[name] = len(self.names)
            self.names.append(name)
        return found

    def find(self, name: str) -> int:
        """The code, or -1 for a name never seen."""
        return self._codes.get(name, -1)

    def codes(self, column: Any) -> NDArray[np.int64]:
        """A whole Arrow column at once: each distinct name is looked up one time."""
        encoded = column.combine_chunks().dictionary_encode()
        table = np.array([self.code(name) for name in encoded.dictionary.to_pylist()], dtype=np.int64)
        return table[encoded.indices.to_numpy()] if len(table) else _NONE


class Catalogue:
    def __init__(self) -> None:
        self.sessions, self.namespaces, self.speakers, self.conversations = Names(), Names(), Names(), Names()
        self._segment: dict[str, NDArray[Any]] = {
            name: np.zeros(1, dtype=kind)
            for name, kind in {
                "session": np.int32, "index": np.int32, "namespace": np.int32, "conversation": np.int32, "state": np.int8,
                "said_at": np.int64, "said_offset": np.int32, "stands_for": np.int64, "document": np.bool_, "asked": np.bool_, "first_line": np.int64, "lines": np.int32,
                "previous": np.int64, "next": np.int64, "words": np.int32,
            }.items()
        }  # fmt: skip
        self._line: dict[str, NDArray[Any]] = {
            name: np.zeros(1, dtype=kind)
            for name, kind in {
                "segment": np.int64, "speaker": np.int32, "role": np.int8, "words": np.int32, "asserts": np.int32, "asks": np.bool_,
                "first_window": np.int64, "windows": np.int32,
            }.items()
        }  # fmt: skip
        self._window: dict[str, NDArray[Any]] = {"line": np.zeros(1, dtype=np.int64)}
        self._titles: dict[int, tuple[str, str]] = {}  # session code -> title, source
        self.projects: dict[int, str] = {}  # session code -> what stands for its project, where it came from one
        self._tails: dict[int, int] = {}  # session code -> its last segment
        self._edges = Adjacency()
        self.size = 0  # the highest segment number

    # columns, by segment number, line id or window id

    def segment(self, column: str) -> NDArray[Any]:
        return self._segment[column]

    def line(self, column: str) -> NDArray[Any]:
        return self._line[column]

    def lines_of_windows(self, windows: Numbers) -> Numbers:
        return self._window["line"][windows]

    def windows_of_lines(self, lines: Numbers) -> Numbers:
        """The ids of all windows of these lines, in order."""
        return runs(self._line["first_window"][lines], self._line["windows"][lines])

    def segments_of_lines(self, lines: Numbers) -> Numbers:
        return self._line["segment"][lines]

    def lines_of(self, segments: Numbers) -> Numbers:
        """The ids of all lines of these segments, in order."""
        return runs(self._segment["first_line"][segments], self._segment["lines"][segments])

    def recallable(self, segments: Numbers, namespace: int) -> NDArray[np.bool_]:
        """Inside the namespace, and neither duplicate, merged nor archived."""
        column = self._segment
        inside = (column["namespace"][segments] == namespace) & (column["state"][segments] == _ACTIVE)
        return np.asarray(inside & (column["lines"][segments] > 0))

    def showable(self, segments: Numbers, namespace: int) -> NDArray[np.bool_]:
        """What may stand beside a recalled segment as its context: also a duplicate, which is part of its session."""
        column = self._segment
        state = column["state"][segments]
        inside = (column["namespace"][segments] == namespace) & ((state == _ACTIVE) | (state == _DUPLICATE))
        return np.asarray(inside & (segments > 0) & (column["lines"][segments] > 0))

    def chain(self, segments: Numbers, step: int) -> Numbers:
        """The segment `step` places on in the same session (back if negative), 0 where the session ends."""
        column = self._segment["next" if step > 0 else "previous"]
        at = segments
        for _ in range(abs(step)):
            at = column[at]
        return at

    def ids_of(self, numbers: Iterable[int]) -> dict[int, str]:
        """Segment ids by number: they follow from session and place, so no store is asked."""
        session, index = self._segment["session"], self._segment["index"]
        return {n: segment_id(self.sessions.names[session[n]], int(index[n])) for n in numbers if 0 < n <= self.size}

    def title_of(self, session: int) -> str:
        """The title of a session by its code; empty where it has none."""
        return self._titles.get(session, ("", ""))[0]

    def passages(self, lines: Mapping[int, tuple[Line, ...]]) -> dict[int, Passage]:
        """The words of some segments with all that is known of them here."""
        found: dict[int, Passage] = {}
        for number, words in lines.items():
            row = {
                name: int(self._segment[name][number])
                for name in ("session", "index", "namespace", "said_at", "said_offset")
            }
            session, (title, source) = self.sessions.names[row["session"]], self._titles[row["session"]]
            found[number] = Passage(
                number,
                segment_id(session, row["index"]),
                session,
                row["index"],
                self.namespaces.names[row["namespace"]],
                from_micros(row["said_at"], row["said_offset"]),
                words,
                title,
                source,
                project=project_name(self.projects.get(row["session"], "")),
            )
        return found

    def links(self, segments: Numbers) -> Links:
        return self._edges.of(segments)

    # following the store

    def take_segments(self, segments: pa.Table, lines: pa.Table) -> None:
        """New and changed rows, as the store gives them, by number."""
        if not segments.num_rows:
            return
        numbers = _int(segments, "number")
        new = numbers[self._fresh(numbers)]
        self.size = max(self.size, int(numbers[-1]))
        _fit(self._segment, self.size + 1)
        column = self._segment
        column["session"][numbers] = self.sessions.codes(segments.column("session_id"))
        column["namespace"][numbers] = self.namespaces.codes(segments.column("namespace"))
        column["conversation"][numbers] = self.conversations.codes(segments.column("conversation"))
        column["index"][numbers] = _int(segments, "idx")
        column["said_at"][numbers] = _int(segments, "said_at")
        column["said_offset"][numbers] = _int(segments, "said_offset")
        column["stands_for"][numbers] = _int(segments, "stands_for")
        column["document"][numbers] = segments.column("is_document").to_numpy()
        column["asked"][numbers] = segments.column("is_asked").to_numpy()
        states = Names()
        for state in STATES:
            states.code(state.value)
        column["state"][numbers] = states.codes(segments.column("state"))
        self._take_names(segments)
        self._take_lines(lines)
        self._chain_up(new)

    def _take_names(self, segments: pa.Table) -> None:
        """Title and source of every session that has a changed segment."""
        codes = self.sessions.codes(segments.column("session_id"))
        _, first = np.unique(codes, return_index=True)
        rows = segments.select(["title", "source"]).take(pa.array(first))
        for code, title, source in zip(
            codes[first].tolist(), *(rows.column(i).to_pylist() for i in range(2)), strict=True
        ):
            self._titles[code] = (unescape(title), unescape(source))

    def take_projects(self, keys: Mapping[str, str]) -> None:
        """By the session's id."""
        self.projects |= {self.sessions.code(session): key for session, key in keys.items() if key}

    def project_of(self, session: str) -> str:
        """By the session's id; empty where it came from none."""
        return project_name(self.projects.get(self.sessions.find(session), ""))

    def projects_in(self, namespace: str) -> set[str]:
        """What stands for those that something to be recalled in this namespace came from."""
        shown = self.recallable(np.arange(self.size + 1), self.namespaces.find(namespace))
        codes = np.unique(self._segment["session"][: self.size + 1][shown])
        return {self.projects[code] for code in codes.tolist() if code in self.projects}

    def sessions_in(self, scope: ProjectScope) -> NDArray[np.int64]:
        """The codes of the sessions that came from there."""
        known = {key: scope.has(key) for key in {"", *self.projects.values()}}
        mine = [code for code in range(len(self.sessions.names)) if known[self.projects.get(code, "")]]
        return np.array(mine, dtype=np.int64)

    def _fresh(self, numbers: Numbers) -> NDArray[np.bool_]:
        known = self._segment["lines"]
        inside = numbers < len(known)
        fresh = np.ones(len(numbers), dtype=np.bool_)
        fresh[inside] = known[numbers[inside]] == 0
        return fresh

    def _take_lines(self, lines: pa.Table) -> None:
        if not lines.num_rows:
            return
        ids, owners = _int(lines, "id"), _int(lines, "segment")
        _fit(self._line, int(ids[-1]) + 1)
        column = self._line
        column["segment"][ids] = owners
        column["speaker"][ids] = self.speakers.codes(lines.column("speaker"))
        column["words"][ids] = _int(lines, "words")
        column["asserts"][ids] = _int(lines, "asserts")
        column["asks"][ids] = lines.column("asks").to_numpy()
        roles = Names()
        for role in ROLES:
            roles.code(role.value)
        column["role"][ids] = roles.codes(lines.column("role"))
        starts = np.flatnonzero(np.diff(owners, prepend=-1))
        self._segment["first_line"][owners[starts]] = ids[starts]
        self._segment["lines"][owners[starts]] = np.diff(np.append(starts, len(owners)))
        self._segment["words"][owners[starts]] = np.add.reduceat(_int(lines, "words"), starts)

    def _chain_up(self, numbers: Numbers) -> None:
        """Ties each new segment to the one before it: rows come by number, and a session grows only at its end."""
        column = self._segment
        order = numbers[np.lexsort((column["index"][numbers], column["session"][numbers]))]
        sessions = column["session"][order]
        same = np.flatnonzero(sessions[1:] == sessions[:-1]) + 1
        column["previous"][order[same]] = order[same - 1]
        column["next"][order[same - 1]] = order[same]
        for first in np.flatnonzero(np.diff(sessions, prepend=-1)):
            tail = self._tails.get(int(sessions[first]), 0)
            column["previous"][order[first]] = tail
            if tail:
                column["next"][tail] = order[first]
        for last in np.flatnonzero(np.diff(sessions, append=-1)):
            self._tails[int(sessions[last])] = int(order[last])

    def take_windows(self, windows: Numbers, lines: Numbers) -> None:
        """Windows by id, with the line each is cut from; the windows of one line have consecutive ids."""
        if not len(windows):
            return
        _fit(self._window, int(windows.max()) + 1)
        self._window["line"][windows] = lines
        starts = np.flatnonzero(np.diff(lines, prepend=-1))
        self._line["first_window"][lines[starts]] = windows[starts]
        self._line["windows"][lines[starts]] = np.diff(np.append(starts, len(lines)))

    def drop_windows(self) -> None:
        """All of them: the embedding model was changed."""
        self._window = {"line": np.zeros(1, dtype=np.int64)}
        self._line["windows"][:] = 0

    def forget_segments(self, numbers: Numbers) -> None:
        """Removed segments leave the chain: their neighbours are tied to each other."""
        for number in numbers[numbers <= self.size].tolist():
            before, after = int(self._segment["previous"][number]), int(self._segment["next"][number])
            if before:
                self._segment["next"][before] = after
            if after:
                self._segment["previous"][after] = before
            elif self._tails.get(int(self._segment["session"][number])) == number:
                self._tails[int(self._segment["session"][number])] = before
            for column in self._segment.values():
                column[number] = 0

    def set_edges(self, edges: Adjacency) -> None:
        self._edges = edges

    def add_edges(self, new: NewEdges) -> None:
        codes = np.array([KINDS.index(kind) for kind in new.kind], dtype=np.int8)
        self._edges.add(new.source, new.target, codes, new.weight)


def adjacency(edges: pa.Table) -> Adjacency:
    """Neighbours from the store's edges: the slow part of taking them in, and done without holding anybody up."""
    kinds = Names()
    for kind in KINDS:
        kinds.code(kind.value)
    codes = kinds.codes(edges.column("kind")).astype(np.int8)
    weights = edges.column("weight").to_numpy().astype(np.float32, copy=False)
    return Adjacency.of_edges(_int(edges, "source"), _int(edges, "target"), codes, weights)


def _int(table: pa.Table, name: str) -> Numbers:
    return np.asarray(table.column(name).to_numpy(), dtype=np.int64)


def _fit(columns: dict[str, NDArray[Any]], size: int) -> None:
    for name, column in columns.items():
        if len(column) < size:
            columns[name] = np.concatenate(
                [column, np.zeros(max(size, len(column) * 5 // 4) - len(column), column.dtype)]
            )
