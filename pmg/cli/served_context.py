"""What a command finds when it runs inside the server instead of at a terminal: the open memory, and how it was typed.

Set by served.py around each command; read by root.py, which otherwise opens the memory itself.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pmg.server.remote_commands import RemoteCommand
    from pmg.ui.app_context import AppContext

served_context: ContextVar[AppContext | None] = ContextVar("served_context", default=None)
current_command: ContextVar[RemoteCommand] = ContextVar("current_command")
