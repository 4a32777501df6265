"""Starting a process that outlives this one: the memory's server, for whoever needs one and finds none.

Imported by programs that must start at once, so it is loaded only where a process is really started.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def start_server(home: Path) -> subprocess.Popen[bytes]:
    return start(["--home", str(home), "serve", "--no-browser"])


def start(words: Sequence[str], given: bytes = b"") -> subprocess.Popen[bytes]:
    """`pmg WORDS` with a life of its own. `given` is its standard input; what it says goes nowhere."""
    apart: dict[str, Any] = (
        {"creationflags": 0x00000208}  # DETACHED_PROCESS and CREATE_NEW_PROCESS_GROUP
        if os.name == "nt"
        else {"start_new_session": True}
    )
    nothing = subprocess.DEVNULL
    process = subprocess.Popen(
        [sys.executable, "-m", "pmg", *words],
        stdin=subprocess.PIPE if given else nothing,
        stdout=nothing,
        stderr=nothing,
        **apart,
    )
    if process.stdin is not None:
        process.stdin.write(given)
        process.stdin.close()
    return process
