"""Before a copy of the memory is written: its place is noted, and what a killed one left there goes.

Knows: the order. Noted first: if the writing is killed half-way, `forget` still knows where to look.
"""

from __future__ import annotations

from pathlib import Path

from pmg.base.errors import InputError
from pmg.base.half_written import remove_half_written
from pmg.engine import Engine
from pmg.store.forget import EXPORT, VAULT, KnownCopy


def begin_copy(engine: Engine, target: Path, form: str) -> None:
    """A place that cannot be one is refused before it is noted: what lies there is somebody else's, and `forget` must not touch it."""
    if form == VAULT and target.exists() and not target.is_dir():
        raise InputError(f"{target} is a file: name a folder for the vault.")
    if form != VAULT and target.is_dir():
        raise InputError(f"{target} is a directory: name a file.")
    # A file takes the place of a link of its name; into a folder it is written through one.
    place = target.resolve() if form == VAULT else target.parent.resolve() / target.name
    copy = KnownCopy(place, EXPORT, form)
    engine.record_copy(copy)
    remove_half_written(copy.folders)
