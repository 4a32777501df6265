"""The command line: `pmg …`. One file a group of commands; nothing heavy is imported before a command needs it."""

from __future__ import annotations

from pmg.cli.main import main

__all__ = ["main"]
