"""What a session is given: the memories that bear on a prompt, or where the work in a folder was left.

Knows: how they are chosen and that the block stays within a budget, repeats nothing, and is the same for the same choice. Whether it
comes in time is decided by deadline.py; what was given before stands in given.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath, PureWindowsPath

from pmg.chat.message import MessageKind, kind_of
from pmg.engine import Engine
from pmg.importers.turns import conversation_id
from pmg.model import Segment, Session, State
from pmg.recall.assemble import assemble
from pmg.recall.pack import BlockItem
from pmg.recall.passages import wanted_words
from pmg.recall.receipt import Recalled
from pmg.server.hooks.events import HookEvent
from pmg.server.hooks.given import GivenMemories, Pin, digest
from pmg.server.mcp.answers import passage_of
from pmg.words import STOP_WORDS, count_words

BUDGET = 800  # tokens
LAST_SESSIONS = 3  # of a folder, each with the end of it
LAST_TURNS = 2
FEWEST_WORDS = 2  # that say something: "go on" asks for nothing
LONG_WORD = 4  # letters: a folder called src or app says nothing
RECENT = "recent"
_SMALL_TALK = (MessageKind.GREETING, MessageKind.THANKS, MessageKind.FAREWELL)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Injection:
    """What one event is answered with, and what has to be remembered of it once it was answered in time."""

    session: str
    asked: str
    pins: tuple[Pin, ...]
    text: str


def inject(engine: Engine, given: GivenMemories, namespace: str, event: HookEvent) -> Injection:
    """The same event twice in a row is a retry, and gets the same again."""
    session = digest(namespace, event.tool.name, event.session)
    asked = digest(event.name, event.source, event.prompt)
    known = given.to(session)
    pins = known.pins if asked == known.asked else _chosen(engine, namespace, event, known.everything)
    return Injection(session, asked, pins, block_of(engine, namespace, pins, event.prompt))


def _chosen(engine: Engine, namespace: str, event: HookEvent, before: Sequence[int]) -> tuple[Pin, ...]:
    own = own_sessions(engine, namespace, event)
    if event.name == event.tool.prompt:
        return pins_of(_recalled(engine, namespace, event.prompt, own, before)) if asks_memory(event.prompt) else ()
    recent = _recent(engine, namespace, event.cwd, {one.id for one in own}, set(before))
    return recent or _named(engine, namespace, folder_words(event.cwd), own, before)


def own_sessions(engine: Engine, namespace: str, event: HookEvent) -> list[Session]:
    """What is stored of this very session: it holds that already."""
    name = conversation_id(event.tool.source, event.session)
    return engine.reads.exchange.sessions_of(namespace, [name])[name]


def asks_memory(prompt: str) -> bool:
    """Whether a prompt says enough to look for: no command of the tool, no small talk, no bare "go on"."""
    said = prompt.strip()
    if not said or said.startswith(("/", "!")) or (len(said) < 200 and kind_of(said) in _SMALL_TALK):
        return False
    telling = [word for word in _WORD.findall(said[:2_000].lower()) if word not in STOP_WORDS]
    return sum(count_words(word) for word in telling) >= FEWEST_WORDS


def folder_words(cwd: str) -> str:
    """What a project is called: the last folder of its path, as words; empty where that says nothing (src, app)."""
    name = (PureWindowsPath(cwd) if "\\" in cwd else PurePath(cwd)).name
    words = [word for word in _WORD.findall(name.replace("_", " ").lower()) if word not in STOP_WORDS]
    return " ".join(words) if any(len(word) >= LONG_WORD for word in words) else ""


def _named(engine: Engine, namespace: str, name: str, own: Iterable[Session], before: Sequence[int]) -> tuple[Pin, ...]:
    """What speaks of a project by its name. What merely sounds like it would be noise, for nobody has asked anything yet."""
    if not name:
        return ()
    found = _recalled(engine, namespace, name, own, before)
    speaking = {one.number for one in found.segments if all(word in one.text.lower() for word in name.split())}
    return tuple(pin for pin in pins_of(found) if pin.number in speaking)


def _recalled(engine: Engine, namespace: str, query: str, own: Iterable[Session], before: Sequence[int]) -> Recalled:
    return engine.recall(
        query,
        namespace=namespace,
        exclude_session=[session.id for session in own],
        exclude_segments=before,
        budget_tokens=BUDGET,
    )


def pins_of(found: Recalled) -> tuple[Pin, ...]:
    """What stands in the block, with the lines that matched: those with at least half the score of the segment's best."""
    scores: dict[str, dict[int, float]] = {}
    for line in found.lines:
        scores.setdefault(line.segment, {})[line.line] = line.score
    pins = []
    for segment, entry in zip(found.segments, found.receipt.found, strict=True):
        if entry.in_context:
            best = max(scores[segment.id].values())
            strong = tuple(sorted(i for i, score in scores[segment.id].items() if score >= 0.5 * best))
            pins.append(Pin(segment.number, entry.role, strong))
    return tuple(pins)


def _recent(engine: Engine, namespace: str, cwd: str, own: set[str], before: set[int]) -> tuple[Pin, ...]:
    """How the last sessions in this folder ended, the latest first."""
    if not cwd:
        return ()
    here = (s for s in sorted(engine.sessions(namespace), key=_when, reverse=True)
            if s.meta.get("cwd") == cwd and s.id not in own)  # fmt: skip
    pins = []
    for session in islice(here, LAST_SESSIONS):
        ending = [one for one in engine.reads.segments_of(session.id) if _may(one, namespace)][-LAST_TURNS:]
        pins += [Pin(one.number, RECENT) for one in reversed(ending) if one.number not in before]
    return tuple(pins)


def _when(session: Session) -> tuple[float, str]:
    return ((session.ended_at or session.started_at).timestamp(), session.id)


def _may(one: Segment, namespace: str) -> bool:
    return one.namespace == namespace and one.state is State.ACTIVE


def block_of(engine: Engine, namespace: str, pins: Sequence[Pin], query: str) -> str:
    """The chosen memories as they stand in the store now. The same choice gives the same bytes."""
    held = {one.number: one for one in engine.reads.segments([pin.number for pin in pins])} if pins else {}
    items = [
        BlockItem(passage_of(one), pin.role, _places(one, pin, place))
        for place, pin in enumerate(pins)
        if (one := held.get(pin.number)) is not None and _may(one, namespace)
    ]
    flagged = engine.config.recall.flag_instructions
    return assemble(items, BUDGET, engine.reads.store_id, flagged, wanted_words(query)).text


def _places(one: Segment, pin: Pin, place: int) -> dict[int, int]:
    """The lines that matched stand where their segment does; where none is named, all of them."""
    matched = [i for i in pin.lines if i < len(one.lines)]
    return dict.fromkeys(matched or range(len(one.lines)), place)
