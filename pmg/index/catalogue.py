"""The shape of the memory, held in memory: for every segment, line and window the few numbers that ranking needs.

Knows: session and place in the chain, namespace, state, time, speaker, role and length; and the edges, as arrays.
Does not know: any text or vector. It is derived from the store, like the indexes on disk, and never saved.

Numbers and ids are small and dense, so every column is a plain array indexed by them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pmg.model import Kind, Line, Passage, Role, State, segment_id
from pmg.store.contract import NewEdges, Numbers
from pmg.text import unescape
from pmg.times import from_micros

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


@dataclass(frozen=True, slots=True)
class Links:
    """Edges that touch some segments, row for row: from one of them, to the other end."""

    source: Numbers
    target: Numbers
    kind: NDArray[np.int8]
    weight: NDArray[np.float32]

    def of_kinds(self, codes: list[int]) -> Links:
        rows = np.isin(self.kind, codes)
        return Links(self.source[rows], self.target[rows], self.kind[rows], self.weight[rows])


class Catalogue:
    def __init__(self) -> None:
        self.sessions, self.namespaces, self.speakers = Names(), Names(), Names()
        self._segment: dict[str, NDArray[Any]] = {
            name: np.zeros(1, dtype=kind)
            for name, kind in {
                "session": np.int32, "index": np.int32, "namespace": np.int32, "state": np.int8, "said_at": np.int64, "said_offset": np.int32,
                "stands_for": np.int64, "open": np.bool_, "document": np.bool_, "first_line": np.int64, "lines": np.int32,
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
        self._tails: dict[int, int] = {}  # session code -> its last segment
        self._edges = _Adjacency()
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
        return _runs(self._line["first_window"][lines], self._line["windows"][lines])

    def segments_of_lines(self, lines: Numbers) -> Numbers:
        return self._line["segment"][lines]

    def lines_of(self, segments: Numbers) -> Numbers:
        """The ids of all lines of these segments, in order."""
        return _runs(self._segment["first_line"][segments], self._segment["lines"][segments])

    def recallable(self, segments: Numbers, namespace: int) -> NDArray[np.bool_]:
        """Inside the wall, of a closed session, and neither duplicate, merged nor archived."""
        column = self._segment
        inside = (column["namespace"][segments] == namespace) & (column["state"][segments] == _ACTIVE)
        return np.asarray(inside & ~column["open"][segments] & (column["lines"][segments] > 0))

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
            )
        return found

    def links(self, segments: Numbers) -> Links:
        return self._edges.of(segments)

    def edge_count(self) -> int:
        return len(self._edges)

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
        column["index"][numbers] = _int(segments, "idx")
        column["said_at"][numbers] = _int(segments, "said_at")
        column["said_offset"][numbers] = _int(segments, "said_offset")
        column["stands_for"][numbers] = _int(segments, "stands_for")
        column["open"][numbers] = segments.column("is_open").to_numpy()
        column["document"][numbers] = segments.column("is_document").to_numpy()
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

    def set_edges(self, edges: pa.Table) -> None:
        kinds = Names()
        for kind in KINDS:
            kinds.code(kind.value)
        codes = kinds.codes(edges.column("kind")).astype(np.int8)
        weights = edges.column("weight").to_numpy().astype(np.float32, copy=False)
        self._edges = _Adjacency(_int(edges, "source"), _int(edges, "target"), codes, weights)

    def add_edges(self, new: NewEdges) -> None:
        codes = np.array([KINDS.index(kind) for kind in new.kind], dtype=np.int8)
        self._edges = self._edges.with_added(new.source, new.target, codes, new.weight)


class _Adjacency:
    """Undirected neighbours in two parts: a sorted block for what was there, short lists for what came since."""

    def __init__(
        self,
        source: Numbers = _NONE,
        target: Numbers = _NONE,
        kind: NDArray[np.int8] | None = None,
        weight: NDArray[np.float32] | None = None,
    ) -> None:
        ends = np.concatenate([source, target]).astype(np.int32)
        other = np.concatenate([target, source]).astype(np.int32)
        kinds = np.tile(kind if kind is not None else np.empty(0, np.int8), 2)
        weights = np.tile(weight if weight is not None else np.empty(0, np.float32), 2)
        order = np.lexsort((weights, kinds, other, ends))
        self._ends, self._other, self._kind, self._weight = ends[order], other[order], kinds[order], weights[order]
        self._recent: dict[int, list[tuple[int, int, float]]] = {}
        self._recent_count = 0

    def __len__(self) -> int:
        return len(self._ends) // 2 + self._recent_count

    def with_added(
        self, source: Numbers, target: Numbers, kind: NDArray[np.int8], weight: NDArray[np.float32]
    ) -> _Adjacency:
        """A few new edges go to the short lists; many make one new sorted block of everything."""
        if len(source) > 10_000 or self._recent_count > 50_000:
            return self._joined(source, target, kind, weight)
        for a, b, k, w in zip(source.tolist(), target.tolist(), kind.tolist(), weight.tolist(), strict=True):
            self._recent.setdefault(a, []).append((b, k, w))
            self._recent.setdefault(b, []).append((a, k, w))
        self._recent_count += len(source)
        return self

    def _joined(
        self, source: Numbers, target: Numbers, kind: NDArray[np.int8], weight: NDArray[np.float32]
    ) -> _Adjacency:
        recent = [(a, b, k, w) for a, rows in sorted(self._recent.items()) for b, k, w in rows if a < b]
        short = np.array(recent, dtype=np.float64).reshape(-1, 4)
        once = self._ends < self._other  # each edge stands here twice, once from each end
        return _Adjacency(
            np.concatenate([self._ends[once].astype(np.int64), short[:, 0].astype(np.int64), source]),
            np.concatenate([self._other[once].astype(np.int64), short[:, 1].astype(np.int64), target]),
            np.concatenate([self._kind[once], short[:, 2].astype(np.int8), kind]),
            np.concatenate([self._weight[once], short[:, 3].astype(np.float32), weight]),
        )

    def of(self, segments: Numbers) -> Links:
        segments = np.sort(segments)
        low, high = np.searchsorted(self._ends, segments, "left"), np.searchsorted(self._ends, segments, "right")
        count = high - low
        rows = _runs(low, count)
        source, target = np.repeat(segments, count), self._other[rows].astype(np.int64)
        kind, weight = self._kind[rows], self._weight[rows]
        extra = [(s, *row) for s in segments.tolist() for row in self._recent.get(s, ())] if self._recent else []
        if extra:
            more = np.array(extra, dtype=np.float64)
            source = np.concatenate([source, more[:, 0].astype(np.int64)])
            target = np.concatenate([target, more[:, 1].astype(np.int64)])
            kind = np.concatenate([kind, more[:, 2].astype(np.int8)])
            weight = np.concatenate([weight, more[:, 3].astype(np.float32)])
            # In the same order as if they had been there from the start: what follows must not depend on when they came.
            order = np.lexsort((weight, kind, target, source))
            source, target, kind, weight = source[order], target[order], kind[order], weight[order]
        return Links(source, target, kind, weight)


def _runs(first: Numbers, count: NDArray[Any]) -> Numbers:
    """first[0], first[0] + 1, … count[0] times, then the same for the next: without a Python loop."""
    ends = np.cumsum(count)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(first - (ends - count), count) + np.arange(total, dtype=np.int64)


def _int(table: pa.Table, name: str) -> Numbers:
    return np.asarray(table.column(name).to_numpy(), dtype=np.int64)


def _fit(columns: dict[str, NDArray[Any]], size: int) -> None:
    for name, column in columns.items():
        if len(column) < size:
            columns[name] = np.concatenate(
                [column, np.zeros(max(size, len(column) * 5 // 4) - len(column), column.dtype)]
            )
