"""One segment, session or speaker by the name that a caller gave, in one namespace.

Everything is asked of one namespace: what stands in another namespace is as unknown as what never was.
"""

from __future__ import annotations

import numpy as np

from pmg.base.errors import NotFound
from pmg.base.model import OWNER_WORDS, YOU, Role, Segment, Session
from pmg.engine import Engine
from pmg.index.catalogue import ROLES
from pmg.ingest.turns import is_session_id
from pmg.recall.assemble import label

UNSPOKEN = (Role.TOOL, Role.SYSTEM)
MAX_SPEAKERS = 100_000  # names that are looked through for one


def segment_of(engine: Engine, namespace: str, name: str) -> Segment:
    numbers = engine.reads.numbers_of([name])
    found = engine.reads.segments(list(numbers.values()))
    if not found or found[0].namespace != namespace:
        raise NotFound(f"There is no segment {label(name, 120)!r} in this memory. `search` gives ids.")
    return found[0]


def session_of(engine: Engine, namespace: str, name: str) -> Session:
    """By its id, or by the name under which it was told: another namespace may have that as an id."""
    found = engine.reads.session(session_id_of(engine, namespace, name))
    if found is None or found.namespace != namespace:
        raise NotFound(f"There is no session {label(name, 120)!r} in this memory. `search` gives ids.")
    return found


def session_id_of(engine: Engine, namespace: str, name: str) -> str:
    """The id of the session that is called so here; the name itself where it can be no session's."""
    return engine.session_id(name, namespace) if is_session_id(name) else name


def speakers(engine: Engine, namespace: str) -> list[str]:
    """Who says something here, the most talkative first: people and assistants. What a tool or a program wrote was said by nobody."""
    catalogue = engine.indexes.catalogue
    with engine.indexes.lock.reading():
        here = catalogue.segment("namespace")[catalogue.line("segment")] == catalogue.namespaces.find(namespace)
        speaking = here & ~np.isin(catalogue.line("role"), [ROLES.index(role) for role in UNSPOKEN])
        names = {catalogue.speakers.names[code] for code in np.unique(catalogue.line("speaker")[speaking]).tolist()}
    return [one for one in engine.reads.browse.people(namespace, MAX_SPEAKERS) if one in names]


def speaker_named(engine: Engine, namespace: str, name: str) -> str | None:
    """The name as it is written in the memory, however it was typed; `YOU` for the owner of the memory, as they or a model call them."""
    wanted = name.strip().casefold()
    known = engine.reads.browse.people(namespace, MAX_SPEAKERS)
    found = next((one for one in known if one.casefold() == wanted), None)
    return YOU if found is None and wanted in OWNER_WORDS else found
