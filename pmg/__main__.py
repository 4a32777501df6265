"""The `pmg` script and `python -m pmg`: `pmg mcp` goes its short way, everything else to the command line.

A client starts `pmg mcp` with each of its windows, so nothing heavy is imported before it. Words that are not plainly that command,
a mistake or a wish for help among them, are the command line's to answer.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

_VALUES = {"--home": "home", "--namespace": "namespace", "--tools": "tools"}


def pump_words(words: Sequence[str]) -> dict[str, str] | None:
    """The options of a plain `pmg … mcp …`; None for anything else."""
    found: dict[str, str] = {}
    rest = list(words)
    seen = False
    while rest:
        word = rest.pop(0)
        name, mark, value = word.partition("=")
        if word == "mcp" and not seen:
            seen = True
        elif word == "--read-only" and seen:
            found["read_only"] = "1"
        elif name in _VALUES and (seen or name != "--tools") and (mark or rest):
            found[_VALUES[name]] = value if mark else rest.pop(0)
        else:
            return None
    return found if seen else None


def main() -> None:
    found = pump_words(sys.argv[1:])
    if found is None:
        from pmg.cli.main import main as command_line

        return command_line()
    from pmg.filesystem import default_home
    from pmg.server.stdio_pump import PumpOptions, serve_stdio

    home = Path(found["home"]).expanduser() if "home" in found else default_home()
    # Without a namespace the address names none, and the server takes its own.
    namespace = found.get("namespace") or os.environ.get("PMG_NAMESPACE", "")
    return serve_stdio(PumpOptions(home, namespace, found.get("tools", ""), read_only="read_only" in found))


if __name__ == "__main__":
    main()
