"""The knobs of a recall on the page: which there are, which of them act in which mode, and what each is for.

Knows: names, words and tooltips. Ranges, defaults and reasons stand in pmg/config.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import gradio as gr

from pmg import config as configuration
from pmg.config import RecallConfig
from pmg.engine import Engine

FLOOR = "floor"
# The knobs people turn, then the others; with the words of the page.
MAIN = {
    "mode": "Mode",
    "fusion": "Fusion",
    FLOOR: "Floor (cosine)",
    "top_k": "Top-k entries",
    "lateral": "Lateral each",
    "vertical": "Vertical ±",
    "budget_tokens": "Budget (tokens)",
}
_SAID = {
    "limit": "At most",
    "kindred": "Kindred words",
    "chain": "Chain flow",
    "semantic": "Semantic flow",
    "speaker": "Speaker weight",
    "dates": "Date weight",
    "diversity": "Diversity λ",
    "lexical": "Search by words",
    "flag_instructions": "Mark instructions",
}
NOT_HERE = ("reranker",)  # it names a model to load: a matter of settings, not of one query
MORE = {
    field.name: _SAID.get(field.name, field.name.replace("_", " ").capitalize())
    for field in fields(RecallConfig)
    if field.name not in MAIN and field.name not in NOT_HERE
}
NAMES = (*MAIN, *MORE)
# What the other mode does not look at. All that stands in neither acts in both.
ONLY = {
    "fixed": frozenset({"fusion", "top_k", "lateral", "vertical"}),
    "diffuse": frozenset({"lexical", "kindred", "chain", "semantic", "speaker", "dates", "diversity"}),
}


def acts(name: str, mode: str) -> bool:
    """Whether turning this knob can change anything in this mode."""
    return all(name not in only for other, only in ONLY.items() if other != mode)


def in_force(engine: Engine, names: Sequence[str]) -> list[Any]:
    """The values that hold now, in this order."""
    return [round(engine.thresholds.floor, 3) if n == FLOOR else getattr(engine.config.recall, n) for n in names]


def tooltip(name: str) -> str:
    reason = str(_rules(name)["why"])
    return reason[:1].upper() + reason[1:] + "."


def _rules(name: str) -> Any:
    section = configuration.ThresholdConfig if name == FLOOR else RecallConfig
    return next(field.metadata for field in fields(section) if field.name == name)


def knob_field(engine: Engine, name: str, label: str, mode: str) -> Any:
    """The input that suits a knob: a choice, a switch or a number, hidden where it would do nothing."""
    (value,) = in_force(engine, [name])
    rules = _rules(name)
    common: dict[str, Any] = {
        "label": label,
        "info": tooltip(name),
        "visible": acts(name, mode),
        "elem_classes": "pmg-knob",
    }
    if rules["choices"]:
        return gr.Dropdown(choices=list(rules["choices"]), value=value, min_width=110, **common)
    if isinstance(value, bool):
        return gr.Checkbox(value=value, min_width=140, **common)
    step = 1 if isinstance(value, int) else 0.01 if name == FLOOR else 0.1
    return gr.Number(value=value, minimum=rules["low"], maximum=rules["high"], step=step, min_width=110, **common)
