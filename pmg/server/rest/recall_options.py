"""What a caller may set for one recall beside its question, and what the receipt says of people that nobody knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pmg.base.errors import InputError
from pmg.config import Config, with_values
from pmg.engine import Engine
from pmg.recall.assemble import label
from pmg.recall.receipt import Recalled
from pmg.server.lookup import speaker_named
from pmg.server.rest.bodies import RecallRequest


def recall_knobs(config: Config, body: RecallRequest) -> dict[str, Any]:
    """The knobs of a body, `budget_tokens` among them. Raises for one that is no field of `recall`, and for a value out of its range."""
    if body.budget_tokens is None:
        knobs = dict(body.knobs)
    elif "budget_tokens" in body.knobs:
        raise InputError("budget_tokens stands in the body and in its knobs: give it once.")
    else:
        knobs = {**body.knobs, "budget_tokens": body.budget_tokens}
    with_values(config, {"recall": knobs}, "knobs")
    return knobs


def with_unknown_people(engine: Engine, namespace: str, found: Recalled, people: Sequence[str]) -> Recalled:
    """The recall, whose receipt notes who of those asked for does not speak here."""
    unknown = [name for name in people if name.strip() and speaker_named(engine, namespace, name) is None]
    if not unknown:
        return found
    nobody = f"Nobody called {' or '.join(label(name, 60) for name in unknown)} speaks in this memory: GET /people lists those who do."
    note = f"{found.receipt.note} {nobody}".strip()
    return replace(found, receipt=replace(found.receipt, note=note))
