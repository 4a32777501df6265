"""A command that runs in the server which holds the memory, shown on this terminal as if it ran here.

Knows: what the server must know about this terminal, and how its events are shown. The command itself runs in the server
(served.py).
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from pmg.base.errors import PmgError, StoreBusy
from pmg.cli import console
from pmg.client.discovery import RunningServer
from pmg.config import Config
from pmg.server.client import Client
from pmg.server.remote_commands import RemoteCommand


def run(server: RunningServer, config: Config, words: tuple[str, ...]) -> int:
    """The exit code of the command. One that asks first is run again with --yes when the answer is yes."""
    here = console.terminal()
    call = RemoteCommand(
        words=words,
        folder=str(Path.cwd()),
        namespace=config.namespace,
        width=here.out.width,
        colours=here.out.color_system or "",
        bars=here.err.is_terminal,
        recall=asdict(config.recall),
        given=console.standard_input() if "-" in words else b"",
        id=uuid4().hex,
    )
    first = RemoteOutput(server)
    code = first.play(call)
    if not first.question:
        return code
    console.confirm(first.question)
    return RemoteOutput(server, known=first.said).play(replace(call, words=(*words, "--yes")))


@contextmanager
def stopped_there(server: RunningServer, call: RemoteCommand, begun: threading.Event) -> Iterator[None]:
    """Ctrl-C stops the command in the server, which then says what it kept; a second one, or one before it has begun, ends this program at
    once."""
    if threading.current_thread() is not threading.main_thread():  # signals are the main thread's
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def stop(number: int, frame: object) -> None:
        signal.signal(signal.SIGINT, before)
        try:
            is_stopping = Client(server).ask("POST", f"/api/cli/{call.id}/stop")["stopping"]
        except PmgError:
            raise KeyboardInterrupt from None
        if (
            not is_stopping and not begun.is_set()
        ):  # what has begun and is not there any more is over: its end is on the way
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class RemoteOutput:
    """One command as its events come. What was shown before (`known`) is not shown again, if it comes again as it was."""

    def __init__(self, server: RunningServer, known: str = "") -> None:
        self._server = server
        self._known = known
        self._bars: dict[str, console.Show] = {}
        self.said = ""
        self.question = ""

    def play(self, call: RemoteCommand) -> int:
        waiting = console.waiting("Waiting for the memory's server …")
        begun = threading.Event()
        with ExitStack() as bars, stopped_there(self._server, call, begun), waiting as answered:
            for event in Client(self._server).stream("/api/cli", call.to_bytes()):
                answered()
                begun.set()
                if "exit" in event:
                    return int(event["exit"])
                self._show(event, bars)
        raise StoreBusy(
            f"The server at {self._server.address} ended before the command did. What was acknowledged is kept; run it again."
        )

    def _show(self, event: dict[str, Any], bars: ExitStack) -> None:
        if "out" in event:
            self._out(event["out"])
        elif "err" in event:
            sys.stderr.write(event["err"])
            sys.stderr.flush()
        elif "ask" in event:
            self.question = event["ask"]
        elif "bar" in event:
            style, what, done, total = event["bar"]
            if style not in self._bars:
                self._bars[style] = bars.enter_context(_bar(style))
            self._bars[style](what, done, total)

    def _out(self, text: str) -> None:
        before, self.said = self.said, self.said + text
        if self._known.startswith(self.said):
            return
        known, self._known = self._known, ""
        sys.stdout.write(
            self.said[len(known) :] if known and self.said.startswith(known) else (before if known else "") + text
        )
        sys.stdout.flush()


def _bar(style: str) -> Any:
    from pmg.cli.byte_bar import byte_bar

    return byte_bar() if style == "bytes" else console.bar()
