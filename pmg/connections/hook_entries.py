"""Our hooks in a tool's settings: one command for each event, beside whatever hooks are there.

Knows: how an entry looks in each tool's file, and how ours is told from others. The files and events stand in hook_tools.py, putting
text in and taking it out in jsonc.py.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import PurePosixPath

from pmg.connections import jsonc
from pmg.connections.hook_tools import HookTool
from pmg.connections.known_tools import NAME
from pmg.connections.own_entry import starts_pmg

HOOKS = "hooks"
SECONDS = 5  # after which a tool gives up; `pmg hook` does so after one
AT_THE_END = 3  # Codex gives no more to the end of a session
_WINDOWS_WORD = re.compile(r'(?:"[^"]*"|[^\s"])+')


def set_hooks(text: str, tool: HookTool, command: Sequence[str], system: str, tells: bool = True) -> str:
    """The text with our hooks, those of an earlier connection replaced. `tells`: transcripts are taken in."""
    line = command_line([*command, "hook", tool.name], system)
    wanted = tool.events if tells else (tool.start, tool.prompt)
    for event in tool.events:
        group = _group(tool, event, line)
        held = [json.loads(one) for one in jsonc.get_items(text, (HOOKS, event)) if _is_ours(one, tool)]
        if held == ([group] if event in wanted else []):
            continue
        text = jsonc.remove_items(text, (HOOKS, event), lambda one: _is_ours(one, tool))
        text = jsonc.append_item(text, (HOOKS, event), group) if event in wanted else text
    return text


def remove_hooks(text: str, tool: HookTool) -> str:
    if not any(_is_ours(one, tool) for event in tool.events for one in jsonc.get_items(text, (HOOKS, event))):
        return text
    for event in tool.events:
        text = jsonc.remove_items(text, (HOOKS, event), lambda one: _is_ours(one, tool))
    return jsonc.remove_entry(text, (HOOKS,)) if jsonc.get_entry(text, (HOOKS,)) == "{}" else text


def has_hooks(text: str, tool: HookTool) -> bool:
    return any(_is_ours(one, tool) for one in jsonc.get_items(text, (HOOKS, tool.prompt)))


def command_line(words: Sequence[str], system: str) -> str:
    """For a shell: all three tools hand the line to one."""
    return subprocess.list2cmdline(words).replace("\\", "/") if system == "win32" else shlex.join(words)


def _group(tool: HookTool, event: str, line: str) -> dict[str, object]:
    limit = (AT_THE_END if event == tool.end else SECONDS) * tool.units_per_second
    name = {"name": NAME} if tool.has_named_hooks else {}
    return {"hooks": [{**name, "type": "command", "command": line, "timeout": limit}]}


def _is_ours(item: str, tool: HookTool) -> bool:
    """A group with one command, which is `pmg … hook TOOL`. One with comments or more in it was changed by a person, and is theirs."""
    try:
        handlers = json.loads(item)["hooks"]
        line = handlers[0]["command"] if len(handlers) == 1 else ""
    except (ValueError, TypeError, KeyError, IndexError):
        return False
    return isinstance(line, str) and _starts_pmg(line, tool)


def _starts_pmg(line: str, tool: HookTool) -> bool:
    """By the program that is named, whatever stands before it (`PMG_HOME=/x pmg hook …`): a folder called pmg says nothing."""
    plain = line.replace("\\", "/")
    # An apostrophe is no quote to the shell of Windows: `C:/Users/O'Brien/pmg.exe`.
    words = [one.replace('"', "") for one in _WINDOWS_WORD.findall(plain)]
    if words[-2:] != ["hook", tool.name]:
        return False
    return starts_pmg(words, "hook") or NAME in _scripts(plain)


def _scripts(line: str) -> set[str]:
    """The last names of what stands before `hook TOOL`."""
    try:
        words = shlex.split(line)[:-2]
    except ValueError:
        return set()
    return {PurePosixPath(one).name.lower().removesuffix(".exe") for one in words}
