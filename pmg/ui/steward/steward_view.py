"""What the steward tab shows and does, as plain functions: tasks, dry runs, reviews, the journal, the archive.

Knows: the steward's verbs and one namespace, whose memories alone are shown; upkeep itself looks after all of them.
steward_tab.py puts it on the page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from pmg.base.errors import InputError, NotFound
from pmg.base.model import Kind, Segment
from pmg.base.progress import Progress
from pmg.figures.memory_words import counted_action
from pmg.store.rows import JournalEntry
from pmg.ui import speakers
from steward import tasks
from steward.journal import NOTES, SCORE, WEIGHTS, change_of
from steward.merge import MergePlan
from steward.review import SideBySide
from steward.schedule import LastRun, times
from steward.steward import RunReport

if TYPE_CHECKING:
    from pmg.ui.app_context import AppContext

PAGE_PAIRS = 12  # side by side at once: on a phone each is a screen and more
MAX_REPORTED = 40  # pairs of a dry run that are shown
MAX_NAMED = 3  # memories named under one entry of the journal

LABELS = {
    "verify": "Check",
    "score": "Score",
    "merge": "Merge duplicates",
    "archive": "Archive",
    "links": "Links and topics",
    "backup": "Back up",
    "report": "Report",
}
DOES = {
    "verify": "looks for damage and mends what can be made anew; closes chats left open",
    "score": "notes how often and how recently each memory was of use",
    "merge": "what was said twice in the same words counts once; what only sounds alike is for you to decide",
    "archive": "old memories nobody asks for no longer come up; they stay, and can be brought back",
    "links": "links what belongs together, learns from use which links help, finds topics",
    "backup": "writes the whole memory into one file",
    "report": "writes a page on how this memory is doing",
}
WHO = {"schedule": "by the schedule", "user": "by you"}


@dataclass(frozen=True, slots=True)
class TaskLine:
    name: str
    does: str
    when: str
    next: datetime | None
    last: datetime | None
    said: str
    failed: bool


@dataclass(frozen=True, slots=True)
class StewardOverview:
    """How things are: what the first lines of the tab say."""

    scheduled: bool
    quiet_hours: str
    to_review: int
    archived: int
    tasks: tuple[TaskLine, ...]


def standing(context: AppContext, namespace: str) -> StewardOverview:
    settings, schedule = context.engine.config.steward, context.schedule
    coming = schedule.next_times() if schedule else {}
    ran = tasks.last_runs(context.engine)
    last = schedule.last if schedule else {}
    lines = []
    for name, text in times(settings).items():
        at, said, failed = _last_time(context, name, ran, last)
        lines.append(TaskLine(name, DOES[name], in_words(text), coming.get(name), at, said, failed))
    return StewardOverview(
        bool(schedule) and settings.enabled,
        settings.quiet_hours,
        context.steward.to_review(namespace),
        len(context.engine.reads.maintenance.archived(namespace)),
        tuple(lines),
    )


def _last_time(
    context: AppContext, name: str, ran: Mapping[str, datetime], last: Mapping[str, LastRun]
) -> tuple[datetime | None, str, bool]:
    """When a task last ran, what it said and whether it failed: on the schedule or because a person asked, whichever is newer."""
    told, by_hand = last.get(name), context.steward.said.get(name)
    if told is not None and (told.failed or by_hand is None) and (by_hand is None or told.at >= by_hand[0]):
        return told.at, told.said, told.failed
    if by_hand is not None:
        return by_hand[0], by_hand[1], False
    return ran.get(name), "", False


def in_words(text: str) -> str:
    """`0 4 * * *` as a person says it; what is rarer stays as it was written."""
    fields = text.split()
    if text.strip().lower() in ("off", ""):
        return "off"
    if len(fields) == 5 and fields[2:] == ["*", "*", "*"] and fields[0].isdigit() and fields[1].isdigit():
        return f"every day at {int(fields[1]):02d}:{int(fields[0]):02d}"
    if len(fields) == 5 and fields[3:] == ["*", "*"] and all(field.isdigit() for field in fields[:3]):
        return f"on day {fields[2]} of each month at {int(fields[1]):02d}:{int(fields[0]):02d}"
    if len(fields) == 2 and fields[0].lower() == "every":
        units = {"s": "second", "m": "minute", "h": "hour", "d": "day"}
        count, unit = fields[1][:-1], units.get(fields[1][-1:].lower(), "")
        return f"every {unit}" if count == "1" else f"every {count} {unit}s"
    return text


# looking and running


@dataclass(frozen=True, slots=True)
class DryRun:
    lines: tuple[tuple[str, str, str], ...]  # task, what it would do, why it would ask first
    pairs: tuple[SideBySide, ...]
    merges: int  # pairs of this namespace, shown or not
    blocked: int
    elsewhere: int  # pairs in other namespaces, which are not shown here


def dry_run(context: AppContext, namespace: str, names: Sequence[str], full: bool, progress: Progress) -> DryRun:
    """What each task would do now; nothing is changed."""
    plans = context.steward.plan(chosen(names), full=full, progress=progress)
    lines = tuple((name, plan.summary, context.steward.too_much(name, plan)) for name, plan in plans.items())
    plan = plans.get("merge")
    if not isinstance(plan, MergePlan):
        return DryRun(lines, (), 0, 0, 0)
    mine = _of_namespace(context, plan, namespace)
    few = replace(
        mine, merges=mine.merges[:MAX_REPORTED], blocked=mine.blocked[: max(0, MAX_REPORTED - len(mine.merges))]
    )
    total, here = (len(p.merges) + len(p.blocked) for p in (plan, mine))
    pairs = speakers.named_pairs(context.engine, context.steward.pairs(few))
    return DryRun(lines, tuple(pairs), len(mine.merges), len(mine.blocked), total - here)


def _of_namespace(context: AppContext, plan: MergePlan, namespace: str) -> MergePlan:
    """The pairs in one namespace; both of a pair are always in the same."""
    catalogue = context.engine.indexes.catalogue
    codes, wanted = catalogue.segment("namespace"), catalogue.namespaces.find(namespace)
    merges = tuple(pair for pair in plan.merges if codes[pair.winner] == wanted)
    return replace(plan, merges=merges, blocked=tuple(pair for pair in plan.blocked if codes[pair.a] == wanted))


def usual(context: AppContext) -> list[str]:
    """The tasks a run does unless a person chooses others: those that are not off."""
    return [name for name, text in times(context.engine.config.steward).items() if in_words(text) != "off"]


def chosen(names: Sequence[str]) -> Sequence[str]:
    """The steward takes no name for all of them; a person who chose none means none."""
    if not names:
        raise InputError("Choose at least one task.")
    return names


def run_now(context: AppContext, names: Sequence[str], full: bool, progress: Progress, bulk: bool = False) -> RunReport:
    return context.steward.run(chosen(names), full=full, bulk=bulk, progress=progress)


def asked(report: RunReport) -> list[str]:
    """The tasks that stopped and want a person's word."""
    return [one.task for one in report.done if one.asks]


def changed(report: RunReport) -> bool:
    """Whether there is something that an undo could put back."""
    return any(one.changed for one in report.done if one.task in ("score", "merge", "archive", "links"))


# the review list


def decide(context: AppContext, namespace: str, pick: str) -> str:
    """`merge:7`, `keep:7` or `link:7:contradicts`; the sentence that tells what was done."""
    decision, _, rest = pick.partition(":")
    number, _, kind = rest.partition(":")
    if not number.isdigit() or not _is_here(context, namespace, int(number)):
        raise NotFound(f"There is no pair {number or pick!r} to decide on here: the list may have changed meanwhile.")
    context.steward.decide(int(number), decision, Kind(kind) if kind in tuple(Kind) else None)
    result_text = {"merge": "merged", "keep": "kept as they are", "link": f"linked ({kind.replace('_', ' ')})"}
    return f"The two are {result_text[decision]}. The history can undo it."


def _is_here(context: AppContext, namespace: str, number: int) -> bool:
    found = context.engine.reads.maintenance.reviews(ids=[number])
    ends = context.engine.reads.segments([found[0].a]) if found else []
    return bool(ends) and ends[0].namespace == namespace


# the journal


@dataclass(frozen=True, slots=True)
class JournalLine:
    id: int
    action: str
    reason: str
    memories: tuple[Segment, ...]
    undone_at: datetime | None
    undoable: bool


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What was done in one go. `elsewhere` counts entries about memories in other namespaces, which are not listed; `is_cut`: it did more
    than was asked for here."""

    name: str
    at: datetime
    who: str
    entries: tuple[JournalLine, ...]
    elsewhere: int
    is_cut: bool = False

    @property
    def undoable(self) -> bool:
        return any(entry.undoable for entry in self.entries)

    @property
    def undone(self) -> bool:
        real = [entry for entry in self.entries if entry.action not in NOTES]
        return bool(real) and all(entry.undone_at is not None for entry in real)

    @property
    def text(self) -> str:
        counts = Counter(entry.action for entry in self.entries)
        result_text = [counted_action(action, count) for action, count in counts.items()]
        result_text += [f"{self.elsewhere} in other namespaces"] if self.elsewhere else []
        result_text += ["and more"] if self.is_cut else []
        return ", ".join(result_text)


def history(context: AppContext, namespace: str, limit: int) -> list[RunSummary]:
    """The newest entries, together with what was done in the same run, newest run first."""
    entries = context.steward.history(limit)
    touched = {entry.id: _touched(entry) for entry in entries}
    numbers = sorted({number for some in touched.values() for number in some})
    known = {one.number: one for one in speakers.named(context.engine, context.engine.reads.segments(numbers))}
    runs: dict[str, list[JournalEntry]] = {}
    for entry in entries:
        runs.setdefault(entry.run, []).append(entry)
    shown = [_run(name, found, touched, known, namespace) for name, found in runs.items()]
    if len(entries) < limit:
        return shown
    return [*shown[:-1], replace(shown[-1], is_cut=_goes_on(context, entries))]


def _goes_on(context: AppContext, entries: Sequence[JournalEntry]) -> bool:
    """Whether the oldest run did more than is listed: the next entry is its too."""
    following = context.steward.history(len(entries) + 1)[len(entries) :]
    return any(entry.run == entries[-1].run for entry in following)


def _touched(entry: JournalEntry) -> list[int]:
    """The memories an entry is about; notes, scores and weights are about the memory as a whole."""
    if entry.action in (*NOTES, SCORE, WEIGHTS):
        return []
    change = change_of(entry)
    named = [row.number for row in change.after.segments] or [n for r in change.after.reviews for n in (r.a, r.b)]
    return named or sorted(change.touched)[:MAX_NAMED]


def _run(
    name: str,
    found: Sequence[JournalEntry],
    touched: dict[int, list[int]],
    known: dict[int, Segment],
    namespace: str,
) -> RunSummary:
    listed = []
    for entry in found:
        memories = [known[number] for number in touched[entry.id] if number in known]
        here = tuple(segment for segment in memories if segment.namespace == namespace)
        if here or not memories:
            undoable = entry.undone_at is None and entry.action not in NOTES
            listed.append(
                JournalLine(entry.id, entry.action, entry.reason, here[:MAX_NAMED], entry.undone_at, undoable)
            )
    first = found[-1]
    who = WHO.get(first.actor, f"by {first.actor}")
    return RunSummary(name, first.at, who, tuple(listed), len(found) - len(listed))


def undo(context: AppContext, what: str) -> str:
    """An entry by its number or a run by its name; refused with the reason where something later builds on it."""
    undone = context.steward.undo(what)
    count = len(undone)
    return f"Undone: {count} {'change' if count == 1 else 'changes'}. Everything is as it was before, links included."


# the archive


def archive(context: AppContext, namespace: str, query: str, limit: int) -> list[Segment]:
    found = context.steward.search_archive(query, namespace=namespace, limit=limit)
    return speakers.named(context.engine, [one.segment for one in found])


def restore(context: AppContext, namespace: str, segment_id: str) -> str:
    segment = context.engine.segment(segment_id)
    if segment.namespace != namespace:
        raise NotFound(f"There is no memory {segment_id!r} in {namespace}.")
    if not context.steward.restore([segment_id]):
        raise InputError(
            f"The memory {segment_id!r} is not in the archive any more: it was restored meanwhile. Load the page again."
        )
    return "Back in recall, with its links."
