"""The receipt in words a person understands.

Knows: how a score's parts are said. They are computed in scores.py and flow.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from pmg.components import Components
from pmg.recall.candidates import Query
from pmg.recall.picks import ENTRY, LATERAL, Pick
from pmg.recall.receipt import Signal

_SAID = {
    "meaning": "it means something close to the question",
    "words": "it has the question's words",
    "kindred": "it has the question's words or words close to them",
    "neighbour": "the turns beside it match",
    "turn": "the rest of this turn matches",
    "next": "the turn after it matches",
    "previous": "the turn before it matches",
    "answer": "it answers the turn before it",
    "link": "a linked memory matches",
    "speaker": "the person you name said it",
    "date": "it fits the time you name",
    "substance": "it says a lot",
}


def why(chosen: Pick, signals: Sequence[Signal]) -> str:
    """One sentence: the largest reasons first, each with its share of the score."""
    if chosen.role == LATERAL and chosen.edge:
        lead = f"brought in by a {chosen.edge.replace('_', ' ')} link"
    elif chosen.role != ENTRY:
        lead = "brought in by its neighbours"
    else:
        lead = "found"
    description = sorted((s for s in signals if s.share >= 0.05), key=lambda s: -s.share)
    reasons = [f"{_SAID.get(s.name, s.name)} ({s.share:.0%}{_place(s)})" for s in description[:3]]
    return f"{lead} because {', '.join(reasons)}" if reasons else lead


def _place(signal: Signal) -> str:
    if signal.rank:
        return f", place {signal.rank} of that search"
    return f", from {signal.via}" if signal.via and signal.name != "turn" else ""


def what_was_missing(components: Components, query: Query) -> str:
    if not query.text.strip():
        return "The query has no words: nothing was searched."
    if components.embedder is None:
        return "No embedding model is ready: this was found by words and the chain alone."
    waiting = components.indexes.waiting
    return f"{waiting} segments have no vectors yet: they can be found by words alone." if waiting else ""
