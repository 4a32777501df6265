"""`pmg hook TOOL`: hands an event from a tool to the memory's server, for tools whose hooks are commands.

Knows: the server's address, and that a tool waits for us: whatever goes wrong, it ends with 0, in time, and says nothing to the tool; what
kind of error it was is a line in logs/hook.log. It imports nothing heavy. Where no server runs, the start of a session starts one, and the end of a session is handed over by a process of its own;
all between is let pass, for the transcript at the end holds it too.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote, urlsplit

from pmg.server import discovery
from pmg.server.loopback_http import ServerGone, posting

MAX_BYTES = 4 * 1024 * 1024  # as the server takes (hooks/events.py, which this must not import)
TIMEOUT = 1.0  # seconds that a tool may wait for this process; the server answers within 0.3
START_TIMEOUT = 180.0  # seconds that a server is waited for, behind the tool's back
RETRY_SECONDS = 0.5
LOG = Path("logs") / "hook.log"
MAX_LOG_BYTES = 64 * 1024
START, END = "SessionStart", "SessionEnd"  # the three tools call them the same


@dataclass(frozen=True)
class HookOptions:
    home: Path
    tool: str
    namespace: str = ""
    deliver: bool = False  # nobody waits: until a server has it

    @property
    def path(self) -> str:
        parts = [self.namespace, self.tool] if self.namespace else [self.tool]
        return "/hooks/" + "/".join(quote(part, safe="") for part in parts)

    @property
    def words(self) -> list[str]:
        chosen = ["--namespace", self.namespace] if self.namespace else []
        return ["--home", str(self.home), *chosen, "hook", self.tool, "--deliver"]


def run_hook(options: HookOptions) -> None:
    """Never raises, and never ends with anything but 0: other numbers stop a tool or frighten its user."""
    if not options.deliver:
        limit = threading.Timer(TIMEOUT, os._exit, (0,))
        limit.daemon = True
        limit.start()
    try:
        event = sys.stdin.buffer.read(MAX_BYTES + 1)
        answer = (_delivered if options.deliver else _asked)(options, event) if len(event) <= MAX_BYTES else b""
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()
    except Exception as problem:  # the edge of the process: the tool goes on as if there were no hook
        _note(options.home, problem)
    os._exit(0)


def _note(home: Path, problem: Exception) -> None:
    """One line with the moment and the kind of error, never its text: that may quote the event. The file begins anew when it is large."""
    with suppress(OSError):
        if not home.is_dir():
            return
        (home / LOG.parent).mkdir(mode=0o700, exist_ok=True)
        anew = os.O_TRUNC if (home / LOG).exists() and (home / LOG).stat().st_size > MAX_LOG_BYTES else 0
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | anew
        with os.fdopen(os.open(home / LOG, flags, 0o600), "a", encoding="utf-8") as file:
            moment = datetime.now(UTC).isoformat(timespec="seconds")
            file.write(f"{moment} the event of a tool was not handed over: {type(problem).__name__}\n")


def _asked(options: HookOptions, event: bytes) -> bytes:
    server = discovery.find(options.home)
    if server is not None:
        return _posted(server, options, event) or b""
    name = json.loads(event).get("hook_event_name")
    if name in (START, END):
        from pmg.server import detached  # seldom needed, and slow to import

        if name == START:
            detached.start_server(options.home)
        else:
            detached.start(options.words, event)
    return b""


def _delivered(options: HookOptions, event: bytes) -> bytes:
    from pmg.server import detached

    end = time.monotonic() + START_TIMEOUT
    started = None
    while time.monotonic() < end:
        server = discovery.find(options.home)
        if server is not None and _posted(server, options, event) is not None:
            return b""
        if server is None and started is None:
            started = detached.start_server(options.home)
        elif started is not None and started.poll():
            return b""  # it cannot start; `pmg serve` in a terminal says why
        time.sleep(RETRY_SECONDS)
    return b""


def _posted(server: discovery.RunningServer, options: HookOptions, event: bytes) -> bytes | None:
    """What the server answers; None when it is not there yet or not any more."""
    parts = urlsplit(server.address)
    headers = {
        "authorization": f"Bearer {server.token}",
        "content-type": "application/json",
        "user-agent": "pmg-hook",
    }
    try:
        with posting((parts.hostname or "127.0.0.1", parts.port or 80), options.path, headers, event, TIMEOUT) as told:
            body = b"".join(told.pieces())
            return None if told.status == 503 else body if told.status == 200 else b""
    except ServerGone:
        return None
