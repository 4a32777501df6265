"""A memory as a plain value, to hold two of them against each other; and small exports made on the spot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pmg.engine import Engine
from pmg.store.exchange import ExportFilter


def dump(engine: Engine) -> dict[str, Any]:
    """Everything that is not derived, by id and in an order of its own."""
    engine.counts()  # what is waiting to be counted is counted
    exchange = engine.reads.exchange
    sessions = {}
    for session in exchange.chosen(ExportFilter()):
        wholes = exchange.stored_segments(session.id)
        told = (session.namespace, session.conversation, session.title, session.source, session.started_at)
        sessions[session.id] = (told, dict(session.meta), [_turn(whole) for whole in wholes])
    edges = [(e.source, e.target, e.kind, round(e.weight, 5), e.origin) for e in exchange.lasting_edges()]
    return {"sessions": sessions, "edges": edges}


def _turn(whole: Any) -> tuple[Any, ...]:
    s = whole.segment
    marks = (s.state, s.stands_for, s.hits, s.last_hit, s.pinned, s.tags, round(s.quality, 5))
    times = [line.at for line in s.lines]
    return (s.id, s.index, s.at, s.lines, times, marks, dict(s.meta), whole.origin_id, whole.content_hash)


def texts(engine: Engine) -> list[str]:
    return sorted(w.segment.text for s in engine.sessions() for w in engine.reads.exchange.stored_segments(s.id))


def chat(
    name: str, said: list[tuple[str, str]], *, title: str = "Talk", updated: float = 0.0, at: float = 1.7e9
) -> Any:
    """A ChatGPT conversation; each (question, answer) is a turn, `m<name>-<place>` its messages."""
    mapping: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None, "children": []}}
    parent = "root"
    flat = [text for pair in said for text in pair if text]
    for place, text in enumerate(flat):
        own = f"m{name}-{place}"
        message = {
            "id": own,
            "author": {"role": "assistant" if place % 2 else "user"},
            "create_time": at + 60.0 * place,
            "content": {"content_type": "text", "parts": [text]},
            "metadata": {"model_slug": "gpt-4o"} if place % 2 else {},
        }
        mapping[own] = {"id": own, "message": message, "parent": parent, "children": []}
        mapping[parent]["children"].append(own)
        parent = own
    return {
        "title": title,
        "conversation_id": name,
        "create_time": at,
        "update_time": updated or at + 60.0 * len(flat),
        "mapping": mapping,
        "current_node": parent,
    }


def export(file: Path, *chats: Any) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(list(chats)), encoding="utf-8")
    return file
