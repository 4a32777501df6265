"""What a person can do about people and claims: each is one verb of the steward, journaled, and says in a sentence what it did.

Knows: which verb each action is, and that nothing reaches into another namespace. people_tab.py has the buttons; forgetting is pmg/forget's.
"""

from __future__ import annotations

from pmg import forget as forgetting
from pmg.base.errors import InputError
from pmg.base.progress import Progress
from pmg.base.text import counted
from pmg.engine import Engine
from pmg.forget import ForgetPlan, Selection
from pmg.people.roles import bare
from pmg.people.whose_turns import turns_about, turns_said_by
from pmg.store.people import EntityKind, Identity
from pmg.ui import render
from pmg.ui.app_context import AppContext
from pmg.ui.forget_plan_html import what_goes
from pmg.ui.people.people_data import EntityRow, listed, row_of
from steward.people_edits import Resolution
from steward.put_back import DECISIONS

MAX_NAME = 80
UNDO = "Undo takes it back."
_DID = {"identity": "who is who", "rename": "a name", "claim": "a claim"}


def rename(context: AppContext, namespace: str, entity: int, name: str) -> str:
    clean = " ".join(name.split())
    if len(clean) > MAX_NAME:
        raise InputError(f"The name has {len(clean)} characters: {MAX_NAME} at most.")
    row_of(listed(context.engine, namespace), entity)
    context.steward.rename(entity, clean, namespace)
    return f"Renamed. What was said stays as it was said. {UNDO}" if clean else f"It has its own name again. {UNDO}"


def merge(context: AppContext, namespace: str, entity: int, other: str | None) -> str:
    if not other or not other.isdecimal():
        raise InputError("Choose whom they are the same as first.")
    context.steward.identify(entity, int(other), Identity.MERGE, namespace)
    return f"They are one person now. {UNDO}"


def split(context: AppContext, namespace: str, entity: int, part: str | None) -> str:
    """One conversation's part of a person becomes somebody else: apart from every other part."""
    row = row_of(listed(context.engine, namespace), entity)
    if not part or not part.isdecimal() or int(part) not in row.ids:
        raise InputError("Choose the conversation whose part is somebody else first.")
    context.steward.split_person(int(part), namespace)
    return f"They are two people now. {UNDO}"


def decide(context: AppContext, namespace: str, a: int, b: int, is_one: bool) -> str:
    context.steward.identify(a, b, Identity.MERGE if is_one else Identity.SEPARATE, namespace)
    return f"Kept: {'one person' if is_one else 'two people'}. {UNDO}"


def reconcile(context: AppContext, namespace: str) -> str:
    found = context.steward.reconcile(namespace)
    told = {
        verdict: sum(one.verdict is verdict for one in found)
        for verdict in (Identity.MERGE, Identity.SEPARATE, Identity.UNSURE)
    }
    if not found:
        return "Nobody has a name that somebody else has too, or all of them were decided on."
    return (
        f"{counted(told[Identity.MERGE], 'pair is', 'pairs are')} one person, {told[Identity.SEPARATE]} are two, "
        f"{told[Identity.UNSURE]} wait for your word. {UNDO}"
    )


def correct(context: AppContext, namespace: str, claim: int, words: str) -> str:
    if not words.strip():
        raise InputError("Type what is right, or press “It is wrong”.")
    context.steward.correct_claim(claim, words, namespace)
    return f"Corrected. What was said stays as it was said. {UNDO}"


def set_aside(context: AppContext, namespace: str, claim: int) -> str:
    context.steward.correct_claim(claim, "", namespace)
    return f"Set aside as wrong: it answers nothing any more. {UNDO}"


def settle(context: AppContext, namespace: str, first: int, second: int, how: str) -> str:
    context.steward.resolve(first, second, Resolution(how), namespace)
    return f"Settled. {UNDO}"


def undo(context: AppContext, namespace: str) -> str:
    """The newest change to people that still stands; whatever else the steward did stays."""
    found = next(
        (
            entry
            for entry in context.steward.history(1_000, namespace)
            if entry.action in DECISIONS and entry.undone_at is None and entry.after
        ),
        None,
    )
    if found is None:
        raise InputError("There is nothing to undo: nobody was renamed, merged, split or corrected.")
    context.steward.undo(found.run, namespace=namespace)
    return f"Undone: the change to {_DID[found.action]}."


# forgetting


def plan_of(engine: Engine, namespace: str, row: EntityRow, with_others: bool) -> ForgetPlan:
    """Everything a person said; `with_others` also what a claim about them was read from, whoever said it."""
    if row.is_you or row.kind is not EntityKind.PERSON:
        raise InputError(
            "Only another person can be forgotten here. What you said yourself: choose it in the timeline."
        )
    chosen = turns_said_by(engine.reads, namespace, row.parts)
    chosen += turns_about(engine.reads, namespace, row.parts) if with_others else []
    if not chosen:
        raise InputError(f"{row.name} says nothing here and is only spoken of: tick “also what others said of them”.")
    names = sorted({bare(alias) for one in row.parts for alias in one.aliases}, key=len, reverse=True)
    told = Selection(tuple(dict.fromkeys(chosen)), namespace=namespace, whose=names[0], also_called=tuple(names[1:]))
    return forgetting.plan(engine, told)


def plan_html(engine: Engine, namespace: str, row: EntityRow, with_others: bool) -> str:
    """What a person sees before they say yes. Nothing is changed."""
    plan = plan_of(engine, namespace, row, with_others)
    lines = "".join(f'<p class="pmg-quiet">{render.safe(line)}</p>' for line in plan.preview)
    who = render.safe(row.name)
    what = f"said, and what a claim about {who} was read from," if with_others else "said"
    stays = "" if with_others else " What others said of them stays."
    return (
        f"<p><b>Everything that {who} {what} will be gone for good</b>, from the memory, its indexes, its text files and its backups, and with it "
        f"every claim that was read from it. It cannot be undone.{stays}</p>{lines}{what_goes(plan)}"
    )


def forget(engine: Engine, namespace: str, row: EntityRow, with_others: bool, progress: Progress) -> str:
    """What the receipt says."""
    receipt = forgetting.forget(engine, plan_of(engine, namespace, row, with_others), progress)
    engine.extract()  # the claims of sessions that lost a turn
    return f"Forgotten for good. {receipt.text}"
