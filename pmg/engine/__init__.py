"""The engine: an open memory and the few verbs that everything else calls. Every write goes through it.

engine.py         Engine: putting in, getting out, looking after
memory_writes.py  what upkeep, imports, forgetting and exports may write; import_writes.py: an import's share of it
memory_view.py    the parts under some settings: `reads`, the indexes, the model
open_memory.py    what all views of one open memory share
"""

from __future__ import annotations

from pmg.engine.engine import Engine
from pmg.engine.memory_view import redactor_for

__all__ = ["Engine", "redactor_for"]
