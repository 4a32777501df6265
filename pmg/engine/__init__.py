"""The engine: an open memory and the few verbs that everything else calls.

Every write goes through it. engine.py has the verbs, open_memory.py what several views of one memory share, import_writes.py what
an import may write.
"""

from __future__ import annotations

from pmg.engine.engine import Engine, redactor_for

__all__ = ["Engine", "redactor_for"]
