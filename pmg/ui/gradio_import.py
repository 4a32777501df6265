"""Gradio is imported without the stub files that it writes for editors beside its own code.

At each import the library parses the source of its eighty components and looks whether their stubs still fit: half of the seconds that
its import takes, at every start of the server, and a write into a folder that is not ours. Nothing reads the stubs at run time. A gradio
that somebody imported before us, or a version that makes them elsewhere, is left as it is.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

MODULE = "gradio.component_meta"
WRITER = "create_or_modify_pyi"


class _WithoutStubs(Loader):
    """Runs the module as its own loader does, then takes the writer of stubs out of it."""

    def __init__(self, own: Loader) -> None:
        self._own = own

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._own.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._own.exec_module(module)
        if hasattr(module, WRITER):
            setattr(module, WRITER, lambda component_class, class_name, events: None)


class _Finder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target) if fullname == MODULE else None
        if spec is not None and spec.loader is not None:
            spec.loader = _WithoutStubs(spec.loader)
        return spec


def without_stubs() -> None:
    """Before gradio is imported. Told again, it does nothing."""
    if MODULE not in sys.modules and not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
