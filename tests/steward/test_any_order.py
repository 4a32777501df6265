"""Whatever is done in whatever order: no text is lost, counts are right, and undoing everything leaves what was there.

A plain model beside the real memory: each segment's words, state and hits, and which changes still stand.
`forget` drops a segment and its word-for-word copies from the model; what gave way to it in other words is on its own again.
"""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pmg import config as configuration
from pmg.base.errors import InputError
from pmg.base.model import Kind, State
from pmg.engine import Engine
from pmg.forget import Selection, forget, plan
from steward import archive, merge
from steward.merge import MergePlan
from steward.steward import Steward
from tests.embedding import WordEmbedder
from tests.steward.memories import NOON, snapshot
from tests.stores import store_of

# Texts of one row say the same; texts of different rows do not.
ROWS = (
    ("My sister and I moved to Berlin last spring.", "my sister and I moved to Berlin last spring!"),
    ("The landlord said the flat in Ulm is cold.", "The landlord said that the flat in Ulm is cold."),
    ("I paid 40 euros for the bike.", "I paid 40 euros for the bike!"),
    ("I paid 50 euros for the bike.", "I paid 50 euros for the bike, yes."),
)
KINDS = (Kind.SUPPORTS, Kind.CONTRADICTS, Kind.RELATED_TO, Kind.PART_OF)


@dataclass
class Known:
    text: str
    state: State = State.ACTIVE
    behind: str = ""
    hits: int = 0


class AnyOrder(RuleBasedStateMachine):
    @initialize()
    def begin(self) -> None:
        self.home = Path(tempfile.mkdtemp(dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
        config = configuration.with_values(configuration.load(self.home / "m", {}), {"steward": {"rest": 0.0}}, "test")
        self.engine = Engine.open(config, embedder=WordEmbedder())
        self.steward = Steward(self.engine, lambda: NOON)
        self.known: dict[str, Known] = {}
        self.links: Counter[tuple[str, str, str]] = Counter()
        self.forgotten: set[str] = set()
        self.merges: dict[int, tuple[str, str, int]] = {}  # live entry → winner, loser, hits that passed

    def teardown(self) -> None:
        if hasattr(self, "engine"):
            self.engine.close()
            shutil.rmtree(self.home)

    def number(self, name: str) -> int:
        return self.engine.segment(name).number

    def some(self, pick: int, state: State) -> str | None:
        names = [name for name, one in self.known.items() if one.state is state]
        return names[pick % len(names)] if names else None

    @rule(row=st.integers(0, 3), form=st.integers(0, 1))
    def ingest(self, row: int, form: int) -> None:
        opened = self.engine.session(session_id="all")  # one session: repeats in another would be known at ingest
        name = opened.add(lines=[_line(ROWS[row][form])], at=NOON)
        opened.close()
        self.known[name] = Known(ROWS[row][form])

    @rule(row=st.integers(0, 3))
    def recall(self, row: int) -> None:
        found = self.engine.recall(ROWS[row][0])
        for entry in found.receipt.found:
            assert self.known[entry.segment].state is State.ACTIVE
            self.known[entry.segment].hits += entry.in_context

    @rule(a=st.integers(0, 20), b=st.integers(0, 20), kind=st.sampled_from(KINDS))
    def link(self, a: int, b: int, kind: Kind) -> None:
        first, second = self.some(a, State.ACTIVE), self.some(b, State.ACTIVE)
        if first and second and first != second:
            self.engine.link(first, second, kind)
            self.links[(first, second, kind.value)] += 1

    @rule()
    def merge(self) -> None:
        self.engine.counts()
        plan = self.steward.plan(["merge"], full=True)["merge"]
        assert isinstance(plan, MergePlan)
        work = self.steward._work("test")
        merge.apply(work, plan)
        names = self.engine.reads.ids_of([n for p in plan.merges for n in (p.winner, p.loser)])
        entries = [e for e in self.engine.reads.maintenance.journal_entries(run=work.who.run) if e.action == "merge"]
        assert len(entries) == len(plan.merges)
        for entry, pair in zip(entries, plan.merges, strict=True):
            winner, loser = names[pair.winner], names[pair.loser]
            assert _row(self.known[winner].text) == _row(self.known[loser].text)
            self.known[loser].state, self.known[loser].behind = State.MERGED, winner
            self.known[winner].hits += self.known[loser].hits
            self.merges[entry.id] = (winner, loser, self.known[loser].hits)

    @rule(pick=st.integers(0, 20))
    def archive(self, pick: int) -> None:
        name = self.some(pick, State.ACTIVE)
        if name:
            archive.move(self.steward._work("test"), [self.number(name)], State.ACTIVE, State.ARCHIVED, "test")
            self.engine.indexes.catch_up()
            self.known[name].state = State.ARCHIVED

    @rule(pick=st.integers(0, 20))
    def restore(self, pick: int) -> None:
        name = self.some(pick, State.ARCHIVED)
        if name:
            assert self.steward.restore([name]) == 1
            self.known[name].state = State.ACTIVE

    @precondition(lambda self: self.engine.reads.journal(1))
    @rule(pick=st.integers(0, 40))
    def undo(self, pick: int) -> None:
        live = [e for e in self.steward.history(1000) if e.undone_at is None and e.action not in ("undo", "forget")]
        if not live:
            return
        entry = live[pick % len(live)]
        before = snapshot(self.engine)
        try:
            self.steward.undo(str(entry.id))
        except InputError as refused:
            assert "cannot be undone" in str(refused)
            assert snapshot(self.engine) == before
            return
        if entry.action == "merge":
            winner, loser, hits = self.merges.pop(entry.id)
            self.known[loser].state, self.known[loser].behind = State.ACTIVE, ""
            self.known[winner].hits -= hits
        elif entry.action in ("archive", "restore"):
            (number,) = [row[0] for row in _numbers(entry.after)]
            name = self.engine.reads.ids_of([number])[number]
            self.known[name].state = State.ACTIVE if entry.action == "archive" else State.ARCHIVED

    @precondition(lambda self: len(self.known) > 2)
    @rule(pick=st.integers(0, 20))
    def forget(self, pick: int) -> None:
        names = sorted(self.known)
        text = self.known[names[pick % len(names)]].text
        todo = plan(self.engine, Selection(segments=(names[pick % len(names)],)))
        assert forget(self.engine, todo).clean
        gone = {name for name, one in self.known.items() if one.text == text}
        assert set(todo.ids) == gone
        for name in gone:
            del self.known[name]
        for one in self.known.values():
            if one.behind in gone:
                one.state, one.behind = State.ACTIVE, ""
        self.forgotten |= gone
        self.links = Counter({row: count for row, count in self.links.items() if not gone & {*row[:2]}})

    @invariant()
    def nothing_is_lost_and_counts_are_right(self) -> None:
        if not hasattr(self, "engine") or not self.known:
            return
        self.engine.counts()
        found = {s.id: s for s in self.engine.reads.segments_of("all")}
        assert {n: (s.lines[0].text, s.state, s.stands_for, s.hits) for n, s in found.items()} == {
            n: (k.text, k.state, k.behind, k.hits) for n, k in self.known.items()
        }
        edges = store_of(self.engine).database.rows("SELECT source, target, kind FROM edges")
        assert all(a != b for a, b, _ in edges)
        assert sum(kind == "chain" for _, _, kind in edges) == 2 * (len(self.known) - 1)
        numbers = {s.number for s in found.values()}
        assert all(a in numbers and b in numbers for a, b, _ in edges)
        active = sum(one.state is State.ACTIVE for one in self.known.values())
        assert self.engine.indexes.sizes()["default"] == (active, active)

    @precondition(lambda self: len(self.known) > 2)
    @rule()
    def undo_everything(self) -> None:
        """Newest first nothing is refused but what involved something forgotten; what is left is what was put in."""
        stuck = False
        for entry in self.steward.history(1000):
            if entry.undone_at is None and entry.action not in ("undo", "forget"):
                try:
                    self.steward.undo(str(entry.id))
                except InputError as refused:
                    assert self.forgotten and "cannot be undone" in str(refused)
                    stuck = True
        if stuck:
            return self._take_over()
        for _, loser, _ in self.merges.values():
            self.known[loser].state, self.known[loser].behind = State.ACTIVE, ""
        for winner, _, hits in self.merges.values():
            self.known[winner].hits -= hits
        self.merges.clear()
        for one in self.known.values():
            one.state = State.ACTIVE
        rows = store_of(self.engine).database.rows(
            """SELECT a.id, b.id, e.kind FROM edges e JOIN segments a ON a.number = e.source
               JOIN segments b ON b.number = e.target WHERE e.kind <> 'chain'"""
        )
        assert Counter(rows) == self.links
        return None

    def _take_over(self) -> None:
        """The states as they are now: which merges still stand is for the store to say, after some could not be undone."""
        found = {s.id: s for s in self.engine.reads.segments_of("all")}
        assert found.keys() == self.known.keys()
        for name, segment in found.items():
            assert segment.lines[0].text == self.known[name].text
            self.known[name] = Known(segment.lines[0].text, segment.state, segment.stands_for, segment.hits)
        live = {entry.id for entry in self.steward.history(1000) if entry.undone_at is None}
        self.merges = {number: one for number, one in self.merges.items() if number in live}


def _line(text: str):  # type: ignore[no-untyped-def]
    from pmg.base.model import Line, Role

    return Line("Ana", Role.PERSON, text)


def _row(text: str) -> int:
    return next(i for i, row in enumerate(ROWS) if text in row)


def _numbers(after: str) -> list[list[int]]:
    import json

    return json.loads(after)["segments"]  # type: ignore[no-any-return]


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(
    max_examples=12, stateful_step_count=16, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
