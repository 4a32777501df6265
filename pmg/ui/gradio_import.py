"""How Gradio is imported: told not to report home, not to share and not to keep what is typed, and without the stub files that it writes.

The switches are set in code and not only in documentation: nobody has to remember them, and an environment that says otherwise is overruled. They are for a process that shows the page: a program
that imports `pmg` may use gradio as it likes. pmg/base/no_telemetry.py has those of other libraries.

At each import the library parses the source of its eighty components and looks whether their stubs still fit: half of the seconds that
its import takes, at every start of the server, and a write into a folder that is not ours. Nothing reads the stubs at run time. A gradio
that somebody imported before us, or a version that makes them elsewhere, is left as it is.
"""

from __future__ import annotations

import os
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


SWITCHES = {
    "GRADIO_ANALYTICS_ENABLED": "False",  # else two outside hosts are looked up at the start
    "GRADIO_ANALYTICS_CACHE_FREQUENCY": "1000000000",  # else every click sums up all clicks before it for a page we do not serve
    "GRADIO_RUN_HISTORY": "False",  # else what is typed is kept in the browser, and a bucket is offered for it
    "GRADIO_SHARE": "False",
    "GRADIO_SSR_MODE": "False",
    "GRADIO_MCP_SERVER": "False",
    "GRADIO_FLAGGING_MODE": "never",
}
# An environment must not open folders to the page, nor turn on what runs code from it.
UNSET = (
    "GRADIO_ALLOWED_PATHS",
    "GRADIO_ROOT_PATH",
    "GRADIO_SHARE_SERVER_ADDRESS",
    "GRADIO_HISTORY_BUCKET",
    "GRADIO_VIBE_MODE",
    "GRADIO_HOT_RELOAD",
    "GRADIO_WATCH_DIRS",
    "GRADIO_NUM_WORKERS",
    "GRADIO_API_SERVER",
    "GRADIO_DEBUG",
)


def disable_telemetry() -> None:
    os.environ.update(SWITCHES)
    for name in UNSET:
        os.environ.pop(name, None)
