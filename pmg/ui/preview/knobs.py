"""The knobs of a recall on the page: which there are, which of them act in which mode, and what each is for.

Knows: names, words and tooltips. A field says what it does to what is found; its tooltip has the reason and the name of the configuration.
Ranges, defaults and reasons stand in pmg/config.py.
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
    "mode": "How to look",
    "fusion": "What makes a hit good",
    FLOOR: "Least likeness (0 to 1)",
    "top_k": "Hits to begin with",
    "lateral": "Linked memories for each hit",
    "vertical": "Turns around each hit",
    "budget_tokens": "Room before a model (tokens)",
}
_SAID = {
    "pool": "Memories to look at",
    "limit": "Memories to show at most",
    "lexical": "Look for its words too",
    "rephrase": "Look for each of its parts",
    "kindred": "Words of like meaning",
    "chain": "What was said before and after",
    "semantic": "Memories that are alike",
    "speaker": "Who said it",
    "dates": "When it was said",
    "diversity": "Closest (1) or varied (0)",
    "own_questions": "Also what you only asked",
    "flag_instructions": "Mark what reads like an order",
}
# What a choice is called on the page.
CHOICES = {
    "mode": {"diffuse": "follow what belongs together", "fixed": "the best hits and their neighbours"},
    "fusion": {"score": "how strongly it matches", "rrf": "its place in both searches"},
}
MORE = {
    field.name: _SAID.get(field.name, field.name.replace("_", " ").capitalize())
    for field in fields(RecallConfig)
    if field.name not in MAIN
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
    """The reason of the default, and where the value is written: what is behind a field's plain name."""
    reason = str(_rules(name)["why"])
    section = "thresholds" if name == FLOOR else "recall"
    return f"{reason[:1].upper()}{reason[1:]}. In config.toml: {section}.{name}."


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
        choices = [(CHOICES.get(name, {}).get(one, one), one) for one in rules["choices"]]
        return gr.Dropdown(choices=choices, value=value, min_width=110, **common)
    if isinstance(value, bool):
        return gr.Checkbox(value=value, min_width=140, **common)
    step = 1 if isinstance(value, int) else 0.01 if name == FLOOR else 0.1
    return gr.Number(value=value, minimum=rules["low"], maximum=rules["high"], step=step, min_width=110, **common)
