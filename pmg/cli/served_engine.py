"""The server's engine as a remote command sees it: its own memory, under the settings of the terminal it was typed at."""

from __future__ import annotations

from dataclasses import replace

from pmg import config as configuration
from pmg.base.errors import ModelUnavailable
from pmg.cli import console
from pmg.cli.served_context import current_command
from pmg.engine import Engine
from pmg.ui.app_context import AppContext


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
