"""The `pmg` script and `python -m pmg`: `pmg mcp` and `pmg hook` go their short way, everything else to the command line.

A tool starts `pmg mcp` with each of its windows and `pmg hook` with each prompt, so nothing heavy is imported before them. Words that
are not plainly `pmg mcp`, a mistake or a wish for help among them, are the command line's to answer. A hook is never answered by it,
unless help is wished for: a usage error ends with 2, which tools take for a refusal of what the person typed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

_VALUES = {"--home": "home", "--namespace": "namespace", "--tools": "tools"}
_HELP = ("--help", "-h")


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


def hook_words(words: Sequence[str]) -> dict[str, str] | None:
    """The options of a `pmg … hook TOOL …`, whatever else is said; None where `hook` is not the command."""
    found: dict[str, str] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name, mark, value = word.partition("=")
        if name in _VALUES and (mark or rest):
            found[_VALUES[name]] = value if mark else rest.pop(0)
        elif word == "--deliver":
            found["deliver"] = "1"
        elif word in _HELP:
            return None
        elif not word.startswith("-"):
            if "command" not in found and word != "hook":
                return None
            found["tool" if "command" in found else "command"] = word
    return found if "command" in found else None


def main() -> None:
    try:
        _run()
    except KeyboardInterrupt:  # while the libraries are still being loaded; later each command says what was kept
        print("pmg: stopped.", file=sys.stderr)
        sys.exit(130)


def _run() -> None:
    words = sys.argv[1:]
    hooked = hook_words(words)
    if hooked is not None:
        from pmg.server.hook_command import HookOptions, run_hook

        return run_hook(
            HookOptions(_home(hooked), hooked.get("tool", ""), _namespace(hooked), deliver="deliver" in hooked)
        )
    found = pump_words(words)
    if found is None:
        from pmg.cli.main import main as command_line

        return command_line()
    from pmg.server.stdio_pump import PumpOptions, serve_stdio

    return serve_stdio(
        PumpOptions(_home(found), _namespace(found), found.get("tools", ""), read_only="read_only" in found)
    )


def _home(found: dict[str, str]) -> Path:
    from pmg.base.filesystem import default_home

    return Path(found["home"]).expanduser() if "home" in found else default_home()


def _namespace(found: dict[str, str]) -> str:
    """Without one the address names none, and the server takes its own."""
    return found.get("namespace") or os.environ.get("PMG_NAMESPACE", "")


if __name__ == "__main__":
    main()
