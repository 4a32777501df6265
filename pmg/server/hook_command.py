"""`pmg hook TOOL`: hands an event from a tool to the memory's server, for tools whose hooks are commands.

Knows: the server's address, and that a tool waits for us: whatever goes wrong, it ends with 0, in time, and says nothing to the tool; what
kind of error it was, or why the server refused the event, is a line in logs/hook.log. It imports nothing heavy. Where no server runs, the start of a session starts one, and the end of a session is handed over by a process of its own;
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

from pmg.client import discovery
from pmg.connections.hook_tools import hook_tool
from pmg.server.loopback_http import ServerGone, posting

MAX_BYTES = 4 * 1024 * 1024  # as the server takes (hooks/events.py, which this must not import)
TIMEOUT = 1.0  # seconds that a tool may wait for this process; the server answers within 0.3
START_TIMEOUT = 180.0  # seconds that a server is waited for, behind the tool's back
RETRY_SECONDS = 0.5
LOG = Path("logs") / "hook.log"
MAX_LOG_BYTES = 64 * 1024
MAX_REASON = 300  # characters of what the server says
FOLDER_HEADER = "x-pmg-tool-folder"  # its bytes percent-encoded: a header is not Unicode, and a path need not be
START, END = "SessionStart", "SessionEnd"  # the three tools call them the same


class EventRefused(Exception):
    """The event was not taken; the message says why, without its words."""


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
        limit = threading.Timer(TIMEOUT, _give_up, (options.home,))
        limit.daemon = True
        limit.start()
    try:
        event = sys.stdin.buffer.read(MAX_BYTES + 1)
        if len(event) > MAX_BYTES:
            raise EventRefused(f"it has more than {MAX_BYTES:,} bytes")
        answer = (_delivered if options.deliver else _asked)(options, event)
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()
    except EventRefused as refusal:
        _note(options.home, str(refusal))
    except Exception as problem:  # the edge of the process: the tool goes on as if there were no hook
        _note(options.home, type(problem).__name__)  # its text may quote the event
    os._exit(0)


def _give_up(home: Path) -> None:
    _note(home, f"it took longer than {TIMEOUT:g} seconds")
    os._exit(0)


def _note(home: Path, why: str) -> None:
    """One line with the moment and the reason, never with words of the event. The file begins anew when it is large."""
    with suppress(OSError):
        if not home.is_dir():
            return
        (home / LOG.parent).mkdir(mode=0o700, exist_ok=True)
        anew = os.O_TRUNC if (home / LOG).exists() and (home / LOG).stat().st_size > MAX_LOG_BYTES else 0
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | anew
        with os.fdopen(os.open(home / LOG, flags, 0o600), "a", encoding="utf-8", errors="backslashreplace") as file:
            moment = datetime.now(UTC).isoformat(timespec="seconds")
            file.write(f"{moment} the event of a tool was not handed over: {why}\n")


def _asked(options: HookOptions, event: bytes) -> bytes:
    server = discovery.find(options.home)
    if server is not None:
        answer = _posted(server, options, event)
        if answer is None:
            raise EventRefused("the server is ending, or did not answer in time")
        return answer
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
        **_folder(options.tool),
    }
    try:
        with posting((parts.hostname or "127.0.0.1", parts.port or 80), options.path, headers, event, TIMEOUT) as told:
            body = b"".join(told.pieces())
    except ServerGone:
        return None
    if told.status >= 400 and told.status != 503:
        raise EventRefused(f"{told.status}, {_reason(body)}")
    return None if told.status == 503 else body if told.status == 200 else b""


def _reason(body: bytes) -> str:
    """What the server says of it on one line: it names what it wants, and quotes nothing that was said."""
    try:
        said = str(json.loads(body)["error"])
    except (ValueError, TypeError, KeyError):
        return "the server refused it"
    return " ".join(said.split())[:MAX_REASON]


def _folder(tool: str) -> dict[str, str]:
    """Where this tool keeps its files, if a variable moved them: the server may have been started without that variable."""
    known = hook_tool(tool)
    moved = os.environ.get(known.variable, "") if known is not None and known.variable else ""
    return {FOLDER_HEADER: quote(os.fsencode(Path(moved).absolute()))} if moved else {}
