"""The steward: plans, runs, undoes and tells, for the command line, the schedule and the web page alike.

Knows: how a run is put together, when it must ask first, and how its report reads. Each task stands in a file of its own;
tasks.py lists them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

from pmg.base.errors import InputError
from pmg.base.model import Kind, State
from pmg.base.progress import Progress, silent
from pmg.base.text import counted
from pmg.base.times import now
from pmg.engine import Engine
from pmg.ingest.tags import clean_tags
from pmg.people.reconcile import PersonVerdict
from pmg.store.maintenance import Topic
from pmg.store.people import Entity, Identity, IdentityDecision
from pmg.store.rows import JournalEntry
from steward import (
    archive,
    journal,
    kept_apart,
    links,
    people_edits,
    put_back,
    review,
    topic_edits,
)
from steward.archive import Archived
from steward.journal import Actor
from steward.namespaces import entries_of_namespace, mark
from steward.people_edits import Resolution
from steward.review import SideBySide
from steward.task import Pace, TaskContext, TaskPlan, TaskResult
from steward.tasks import TASKS, Task, last_runs, put_runs

BULK = 5  # so few are no bulk, however small the memory


@dataclass(frozen=True, slots=True)
class RunReport:
    """What a run did. `text` is for the person."""

    run: str
    done: tuple[TaskResult, ...]

    @property
    def asks(self) -> tuple[str, ...]:
        return tuple(one.asks for one in self.done if one.asks)

    @property
    def text(self) -> str:
        said = [one.said for one in self.done if one.said]
        if said:
            return ", ".join(said) + "; nothing was deleted"
        return "nothing to do: everything is in order" if not self.asks else "nothing was done"


class Steward:
    """Everything here may be called from any thread; one run works at a time."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime] = now) -> None:
        self.engine = engine
        self._clock = clock
        self._pace = Pace(
            engine.config.steward.rest, lambda: engine.active_requests.somebody or engine.indexes.lock.busy
        )
        self._running = threading.Lock()
        self.said: dict[str, tuple[datetime, str]] = {}  # what each task said when it last ran in this process

    def _work(self, actor: str, progress: Progress = silent, full: bool = False, namespace: str = "") -> TaskContext:
        at = self._clock()
        who = Actor(journal.new_run(at), actor, at)
        return TaskContext(self.engine, who, self._pace, progress, full, namespace)

    def stop(self) -> None:
        """The step in hand is finished and no other is begun."""
        self._pace.stop()

    # looking

    def plan(
        self, names: Sequence[str] = (), *, full: bool = False, namespace: str = "", progress: Progress = silent
    ) -> dict[str, TaskPlan]:
        """What each task would do now, in the whole memory or in one namespace; nothing is changed."""
        self.engine.flush_recalls()  # they are part of what a plan looks at
        work = self._work("plan", progress, full, namespace)
        return {task.name: task.plan(work) for task in _chosen(names, namespace)}

    def history(self, limit: int = 100, namespace: str = "") -> list[JournalEntry]:
        """The newest entries, of one namespace if one is named."""
        if not namespace:
            return self.engine.reads.journal(limit)
        found = entries_of_namespace(self.engine, namespace, self.engine.reads.journal(journal.MAX_ENTRIES))
        return list(islice(found, limit))

    def topics(self, namespace: str = "") -> list[Topic]:
        namespace = namespace or self.engine.config.namespace
        return [topic for topic in self.engine.reads.maintenance.topics() if topic.namespace == namespace]

    def pairs(self, plan: TaskPlan) -> list[SideBySide]:
        """The pairs of a merge plan side by side: what would be merged (winner first), then what differs."""
        from steward.merge import MergePlan, shown_pairs

        if not isinstance(plan, MergePlan):
            return []
        listed: dict[tuple[int, int], tuple[float, tuple[str, ...]]]
        listed = {(p.winner, p.loser): (p.cosine, ()) for p in plan.merges}
        listed |= {(p.a, p.b): (p.cosine, p.kinds) for p in plan.blocked}
        shown = [(a, b, *listed[(a.number, b.number)]) for a, b in shown_pairs(self._work("plan"), listed)]
        return [review.side_by_side(a, b, cosine, kinds=kinds) for a, b, cosine, kinds in shown]

    # doing

    def run(
        self,
        names: Sequence[str] = (),
        *,
        actor: str = "user",
        full: bool = False,
        bulk: bool = False,
        namespace: str = "",
        progress: Progress = silent,
    ) -> RunReport:
        """Plans and does the tasks, one after the other. `bulk` says that a person agreed to a large plan."""
        with self._running:
            self.engine.flush_recalls()
            work = self._work(actor, progress, full, namespace)
            done = []
            for task in _chosen(names, namespace):
                if self._pace.stopping:
                    break
                done.append(self._run_one(task, work, bulk, named=bool(names)))
            self._remember(done)
            return RunReport(work.who.run, tuple(done))

    def _remember(self, done: Sequence[TaskResult]) -> None:
        """When each task ran and what it said: a task that only asked has not run."""
        ran = [one for one in done if not one.asks]
        if ran:
            at = self._clock()
            self.said.update({one.task: (at, one.said) for one in ran})
            put_runs(self.engine, last_runs(self.engine) | {one.task: at for one in ran})

    def _run_one(self, task: Task, work: TaskContext, bulk: bool, named: bool) -> TaskResult:
        """A task that was named and has nothing to tell says what its plan was: a report that is off."""
        plan = task.plan(work)
        asks = "" if bulk else self.too_much(task.name, plan, work.namespace)
        if asks:
            return TaskResult(task.name, "", 0, asks)
        done = task.apply(work, plan)
        return done if done.said or not named else replace(done, said=plan.summary)

    def too_much(self, name: str, plan: TaskPlan, namespace: str = "") -> str:
        """Why a plan needs a person's word first, or nothing. A clock that jumped makes everything look old at once."""
        active = self.engine.reads.counts(namespace or None).segments[State.ACTIVE]
        share = self.engine.config.steward.most_share
        if plan.leaving <= max(min(BULK, active // 2), share * active):
            return ""
        return (
            f"{name} would take {plan.leaving:,} of {active:,} memories out of recall, more than {share:.0%}. Nothing was done. "
            f"Is the clock right ({self._clock():%Y-%m-%d})?"
        )

    def can_undo(self, run: str) -> bool:
        """Whether a run changed anything that can be put back: a backup or a look at the whole leaves nothing to undo."""
        entries = self.engine.reads.maintenance.journal_entries(run=run)
        return any(entry.undone_at is None and entry.action not in journal.NOTES for entry in entries)

    def undo(self, name: str, actor: str = "user", namespace: str = "") -> list[JournalEntry]:
        """An entry by its number, a run by its name, or `last`: put back exactly, or refused with the reason. In one namespace only
        what touched nothing else is known."""
        with self._running:
            self.engine.flush_recalls()
            work, found = self._work(actor), journal.entries_named(self.engine, name, namespace)
            undone = journal.undo(self.engine, found, work.who, namespace, restore_topics=topic_edits.undo)
            kept_apart.look_again(self.engine, undone)
            self.engine.indexes.catch_up()
            self.engine.indexes.reload_edges()
            if words := put_back.sessions_of(self.engine, undone):
                self.engine.refresh_sessions(words)
            return undone

    def left_out(self, undone: Sequence[JournalEntry], namespace: str = "") -> list[JournalEntry]:
        """What `last` could not put back, for it changed memories that were forgotten since; `undone` is what it did put back."""
        return journal.left_out(self.engine, undone, namespace)

    # the archive, pins and the review list

    def archive(self, segment_ids: Sequence[str]) -> int:
        return archive.put_away(self._work("user"), self._numbers(segment_ids))

    def restore(self, segment_ids: Sequence[str], namespace: str = "") -> int:
        return archive.restore(self._work("user"), self._numbers(segment_ids, namespace))

    def pin(self, segment_ids: Sequence[str], pinned: bool = True, namespace: str = "") -> int:
        return archive.pin(self._work("user"), self._numbers(segment_ids, namespace), pinned)

    def tag(self, segment_id: str, tags: Sequence[str]) -> None:
        """These tags and no others, without secrets. The history tells that they changed; a tag's words are not kept in it."""
        work, segment = self._work("user"), self.engine.segment(segment_id)
        kept = clean_tags(tags, self.engine.redactor)
        with self.engine.changing() as tables:
            tables.put_tags(segment.number, kept)
            journal.note(self.engine, work.who, journal.TAGS, "asked for", after=mark(segment.namespace))

    def link(self, source: str, target: str, kind: Kind) -> None:
        links.link(self._work("user"), source, target, kind)

    def unlink(self, source: str, target: str, kind: Kind) -> None:
        links.unlink(self._work("user"), source, target, kind)

    def search_archive(self, query: str = "", *, namespace: str = "", limit: int = 20) -> list[Archived]:
        return archive.search(self._work("user"), query, namespace or self.engine.config.namespace, limit)

    # topics by hand

    def rename_topic(self, number: int, name: str, namespace: str = "") -> Topic:
        return topic_edits.rename(self._work("user", namespace=namespace), number, name)

    def pin_topic(self, number: int, pinned: bool = True, namespace: str = "") -> Topic:
        """A pinned topic keeps its members and its name; only what is new may join."""
        return topic_edits.pin(self._work("user", namespace=namespace), number, pinned)

    def merge_topics(self, numbers: Sequence[int], namespace: str = "") -> Topic:
        return topic_edits.merge(self._work("user", namespace=namespace), numbers)

    def split_topic(self, number: int, namespace: str = "") -> list[Topic]:
        return topic_edits.split(self._work("user", namespace=namespace), number)

    # who is who

    def reconcile(self, namespace: str = "") -> list[PersonVerdict]:
        """Decides which people of one name are one; what cannot be told waits for a person's word."""
        return people_edits.reconcile(self._work("user"), namespace or self.engine.config.namespace)

    def unsure(self, namespace: str = "") -> list[tuple[Entity, Entity, IdentityDecision]]:
        return people_edits.waiting(self.engine, namespace or self.engine.config.namespace)

    def identify(self, a: int, b: int, verdict: Identity, namespace: str = "") -> None:
        people_edits.decide(self._work("user"), namespace or self.engine.config.namespace, a, b, verdict)

    def split_person(self, entity: int, namespace: str = "") -> None:
        """One conversation's part of a person is somebody else from now on."""
        people_edits.split(self._work("user"), namespace or self.engine.config.namespace, entity)

    def rename(self, entity: int, name: str, namespace: str = "") -> None:
        people_edits.rename(self._work("user"), namespace or self.engine.config.namespace, entity, name)

    def correct_claim(self, claim: int, words: str, namespace: str = "") -> None:
        """Other words for what a claim says; none says that it is wrong."""
        people_edits.correct(self._work("user"), namespace or self.engine.config.namespace, claim, words)

    def resolve(self, first: int, second: int, how: Resolution, namespace: str = "") -> None:
        """Which of two claims that cannot both hold is right."""
        people_edits.resolve(self._work("user"), namespace or self.engine.config.namespace, first, second, how)

    def _numbers(self, ids: Sequence[str], namespace: str = "") -> list[int]:
        return [self.engine.segment(name, namespace).number for name in ids]

    def review(self, namespace: str = "", limit: int | None = None) -> list[SideBySide]:
        """Pairs to decide on, what waits longest first; of one namespace if one is named."""
        return review.waiting(self._work("user"), namespace, limit)

    def to_review(self, namespace: str = "") -> int:
        return len(review.listed(self._work("user"), namespace))

    def uncompared(self) -> int:
        """How many memories no merge has looked at yet: pairs of these are not on the list."""
        from steward.merge import uncompared

        return uncompared(self._work("user"))

    def decide(self, number: int, decision: str, kind: Kind | None = None, namespace: str = "") -> None:
        """`merge`, `keep`, or `link` with a kind."""
        work = self._work("user", namespace=namespace)
        if decision == "merge":
            review.decide_merge(work, number)
        elif decision == "keep":
            review.decide_keep(work, number)
        elif decision == "link" and kind is not None:
            review.decide_link(work, number, kind)
        else:
            raise InputError(f"{decision!r} is no decision: merge, keep, or link with a kind.")


def _chosen(names: Sequence[str], namespace: str) -> list[Task]:
    unknown = [name for name in names if name not in TASKS]
    if unknown:
        raise InputError(f"There is no task {unknown[0]!r}. There are: {', '.join(TASKS)}.")
    whole = [name for name in names if namespace and not TASKS[name].per_namespace]
    if whole:
        raise InputError(f"{whole[0]} looks after the whole memory, not one namespace: leave the namespace out.")
    return [t for name, t in TASKS.items() if (name in names if names else t.per_namespace or not namespace)]


def in_words(report: RunReport) -> str:
    """The report and whatever needs a person, as one paragraph."""
    asked = [f"\n{counted(len(report.asks), 'question')}: " + " ".join(report.asks)] if report.asks else []
    return report.text[:1].upper() + report.text[1:] + "." + "".join(asked)
