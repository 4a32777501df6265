"""What a command finds when it runs inside the server instead of at a terminal: the open memory, and how it was typed.

Set by served.py around each command; read by root.py, which otherwise opens the memory itself. A command sees the server's memory under the
settings of the terminal it was typed at.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import replace
from typing import TYPE_CHECKING

from pmg import config as configuration
from pmg.base.errors import ModelUnavailable
from pmg.cli import console

if TYPE_CHECKING:
    from pmg.engine import Engine
    from pmg.server.remote_commands import RemoteCommand
    from pmg.ui.app_context import AppContext

served_context: ContextVar[AppContext | None] = ContextVar("served_context", default=None)
current_command: ContextVar[RemoteCommand] = ContextVar("current_command")


def engine_for(app_context: AppContext, asked: str, model: bool) -> Engine:
    """The open memory under the settings in force where the command was typed."""
    call, engine = current_command.get(), app_context.engine
    namespace = configuration.checked_namespace(asked or call.namespace)
    config = replace(configuration.with_values(engine.config, {"recall": call.recall}, "The call"), namespace=namespace)
    if model:
        try:
            engine.model.wait()
        except ModelUnavailable as problem:
            console.terminal().err.print(f"{problem} Memory goes on without it.")
    return engine if config == engine.config else engine.with_config(config)
