"""Every library that could report home is told not to, before any of them is imported.

Set when `pmg` is imported, so it holds for the package, the command, the server, a notebook and their children alike. Some of these
libraries read their switch in native code at the first import: a call afterwards comes too late. An environment that says
otherwise is overruled. The switches of the page's own library stand in pmg/ui/gradio_import.py.
"""

from __future__ import annotations

import os
from pathlib import Path

SWITCHES = {
    "ORT_DISABLE_TELEMETRY": "1",  # onnxruntime looks up a host and writes a device id at its first import
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_UPDATE_CHECK": "1",
    "DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
}
LEFT_BEHIND = (
    Path("Microsoft") / "DeveloperTools" / ".onnxruntime"
)  # in the person's cache: a device id, this interpreter's path


def disable_telemetry() -> None:
    os.environ.update(SWITCHES)


def remove_left_behind(cache: Path | None = None) -> bool:
    """What onnxruntime wrote before its switch was set: by an older version of ours, or by another program. It is of no use to anybody."""
    import shutil  # with what follows, a quarter of the time that `import pmg` would take

    import platformdirs

    folder = (cache or Path(platformdirs.user_cache_path())) / LEFT_BEHIND
    if not folder.is_dir() or folder.is_symlink():
        return False
    shutil.rmtree(folder, ignore_errors=True)
    for parent in (folder.parent, folder.parent.parent):  # only while they are empty
        try:
            parent.rmdir()
        except OSError:
            break
    return not folder.exists()
