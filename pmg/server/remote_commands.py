"""Commands of the command line, run inside the server that holds the memory.

Knows: what comes with a command, how its output travels (one JSON object a line), and that whoever asked may go away.
Does not know: which commands there are; the command line hands that in.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from pmg.base.errors import InputError

if TYPE_CHECKING:
    from pmg.ui.app_context import AppContext

log = logging.getLogger(__name__)
Event = dict[str, Any]  # {"out": text}, {"err": text}, {"bar": [style, what, done, total]}, {"exit": code}
Emit = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class RemoteCommand:
    """The words after `pmg`, and what the terminal they were typed in is like."""

    words: tuple[str, ...]
    folder: str  # the working directory: relative paths are meant from there
    namespace: str
    width: int = 80
    colours: str = ""  # what the terminal can show, in rich's words; empty: none
    bars: bool = False
    recall: dict[str, Any] = field(default_factory=dict)  # the knobs in force where the command was typed
    given: bytes = b""  # standard input
    id: str = ""  # by which it can be stopped

    def to_bytes(self) -> bytes:
        fields = {key: value for key, value in asdict(self).items() if key != "given"}
        return json.dumps(fields).encode() + b"\n" + self.given

    @classmethod
    def from_bytes(cls, data: bytes) -> RemoteCommand:
        head, _, given = data.partition(b"\n")
        try:
            fields = json.loads(head)
            return cls(**{**fields, "words": tuple(map(str, fields["words"]))}, given=given)
        except (ValueError, TypeError, KeyError):
            raise InputError(
                "That is not a command: the first line must be JSON with words, folder and namespace."
            ) from None


Commands = Callable[[RemoteCommand, "AppContext", Emit], int]


class RemoteCommands:
    """The commands in hand. `stop` interrupts them as Ctrl-C would, and waits for them."""

    def __init__(self, context: AppContext, commands: Commands) -> None:
        self._context = context
        self._commands = commands
        self._stopping = threading.Event()
        self._running: set[threading.Thread] = set()
        self._interrupts: dict[str, threading.Event] = {}

    def interrupt(self, command: str) -> bool:
        """As Ctrl-C would, while its reader stays to hear what it says of that. False where it is over."""
        found = self._interrupts.get(command)
        if found is not None:
            found.set()
        return found is not None

    async def run(self, call: RemoteCommand) -> AsyncIterator[bytes]:
        """The events of a command, as they come. When the reader goes, the command is interrupted."""
        loop, waiting = asyncio.get_running_loop(), asyncio.Queue[Event]()
        gone, interrupt, raised = threading.Event(), threading.Event(), threading.Event()

        def emit(event: Event) -> None:
            """Into the reader's loop; once, when it is stopped or nobody reads any more, as the interrupt that Ctrl-C is on a terminal."""
            is_over = interrupt.is_set() or gone.is_set() or self._stopping.is_set()
            if is_over and "exit" not in event and not raised.is_set():
                raised.set()
                raise KeyboardInterrupt
            if not gone.is_set() and not loop.is_closed():
                loop.call_soon_threadsafe(waiting.put_nowait, event)

        thread = threading.Thread(target=self._work, args=(call, emit), name="pmg-call", daemon=True)
        self._running.add(thread)
        self._interrupts[call.id] = interrupt
        thread.start()
        try:
            while True:
                event = await waiting.get()
                yield json.dumps(event).encode() + b"\n"
                if "exit" in event:
                    return
        finally:
            gone.set()
            self._interrupts.pop(call.id, None)

    def _work(self, call: RemoteCommand, emit: Emit) -> None:
        code = 1
        try:
            code = self._commands(call, self._context, emit)
        except Exception as error:  # the edge of a thread: the log gets the traceback, the person a sentence
            log.exception("a command failed")
            emit({"err": f"pmg: the server could not do that ({type(error).__name__}); its log says where.\n"})
        finally:
            emit({"exit": code})
            self._running.discard(threading.current_thread())

    def stop(self, timeout: float = 30.0) -> None:
        self._stopping.set()
        for thread in list(self._running):
            thread.join(timeout)
