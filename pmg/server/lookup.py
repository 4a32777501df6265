"""One segment, session or speaker by the name that a caller gave, behind one wall.

Everything is asked of one namespace: what stands behind another wall is as unknown as what never was.
"""

from __future__ import annotations

from pmg.engine import Engine
from pmg.errors import NotFound
from pmg.ingest.turns import is_session_id
from pmg.model import Segment, Session
from pmg.recall.assemble import label

MAX_SPEAKERS = 100_000  # names that are looked through for one


def segment_of(engine: Engine, namespace: str, name: str) -> Segment:
    numbers = engine.reads.numbers_of([name])
    found = engine.reads.segments(list(numbers.values()))
    if not found or found[0].namespace != namespace:
        raise NotFound(f"There is no segment {label(name, 120)!r} in this memory. `search` gives ids.")
    return found[0]


def session_of(engine: Engine, namespace: str, name: str) -> Session:
    """By its id, or by the name under which it was told: another wall may have that as an id."""
    found = engine.reads.session(session_id_of(engine, namespace, name))
    if found is None or found.namespace != namespace:
        raise NotFound(f"There is no session {label(name, 120)!r} in this memory. `search` gives ids.")
    return found


def session_id_of(engine: Engine, namespace: str, name: str) -> str:
    """The id of the session that is called so here; the name itself where it can be no session's."""
    return engine.session_id(name, namespace) if is_session_id(name) else name


def speakers(engine: Engine, namespace: str) -> list[str]:
    return engine.reads.browse.people(namespace, MAX_SPEAKERS)


def speaker_named(engine: Engine, namespace: str, name: str) -> str | None:
    """The name as it is written in the memory, however it was typed."""
    wanted = name.strip().casefold()
    return next((one for one in speakers(engine, namespace) if one.casefold() == wanted), None)
