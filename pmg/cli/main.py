"""The `pmg` script: every group of commands is loaded, then the words are read.

What a command does stands in the module that adds it; what all commands share stands in root.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from pmg.cli import console
from pmg.cli.root import app


def load_commands() -> None:
    """Each module adds its commands to the app."""
    from pmg.cli import (  # noqa: F401
        connect,
        encryption,
        forget,
        maintenance,
        mcp,
        memory,
        notebooks,
        people,
        people_edits,
        people_extract,
        report,
        serve,
        sql,
        steward,
        token,
        transfer,
        upstream,
    )


def main(words: Sequence[str] | None = None) -> None:
    """The `pmg` script; with `words`, as if they were typed after it."""
    load_commands()
    console.show_what_can_be_shown()
    with console.errors():
        app(args=words, prog_name="pmg")
