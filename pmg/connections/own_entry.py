"""Whether the entry called `pmg` in a tool's file is ours, or one of another program that has the same name.

Knows: what PMG writes there, today and before, and what a person writes who connects it by hand. What is neither is somebody else's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import PureWindowsPath
from urllib.parse import urlsplit

from pmg.config import ServerConfig
from pmg.connections import jsonc, toml_file
from pmg.connections.known_tools import JSON, NAME, KnownTool

ADDRESSES = ("url", "serverUrl", "httpUrl")  # what tools call the address of a server
_MCP_PATH = re.compile(r"/mcp(?:/[^/]+)?/?")
_TOKEN = re.compile(r"\bpmg_[\w-]{20,}|\bPMG_TOKEN\b")  # one that `pmg token` gave, or the variable for it


def has_entry(tool: KnownTool, text: str) -> bool:
    """Whether there is any of our name."""
    return _entry(tool, text) is not None


def has_own_entry(tool: KnownTool, text: str) -> bool:
    """Whether there is one that starts PMG, of any memory and any installation, or asks a server of it."""
    held = _entry(tool, text)
    if held is None:
        return False
    words = _values(tool, text, "command", "args")
    with_token = bool(_TOKEN.search(held))
    addresses = [*words, *(one for key in ADDRESSES for one in _values(tool, text, key))]
    return starts_pmg(words) or any(_is_address(one, with_token) for one in addresses)


def starts_pmg(words: Sequence[str], verb: str = "mcp") -> bool:
    """Whether a command is `pmg … mcp` or `python … -m pmg … mcp`, as a ToolCommand makes it or a person writes it."""
    command, *rest = words or ("",)
    script = PureWindowsPath(command).stem.lower()  # of either system: this one knows both slashes
    if script == NAME:
        return verb in rest
    # Options of Python may stand before it.
    module = rest.index("-m") if "-m" in rest and script.startswith("py") else 0
    return rest[module : module + 2] == ["-m", NAME] and verb in rest[module + 2 :]


def _is_address(word: str, with_token: bool) -> bool:
    """An address of MCP as a server of PMG has it: any program may have one on any port, so it takes our port or our token, too."""
    try:
        parts = urlsplit(word)
        port = parts.port
    except ValueError:
        return False
    if parts.scheme not in ("http", "https") or not _MCP_PATH.fullmatch(parts.path):
        return False
    return with_token or port == ServerConfig().port


def _entry(tool: KnownTool, text: str) -> str | None:
    if jsonc.is_empty(text):
        return None
    return jsonc.get_entry(text, tool.path) if tool.form == JSON else toml_file.get_entry(text, tool.path)


def _values(tool: KnownTool, text: str, *keys: str) -> list[str]:
    """The texts under these keys of the entry, a list's one by one: a person may have put comments between them."""
    if tool.form == JSON:
        paths = [(*tool.path, key) for key in keys]
        held = [one for path in paths for one in jsonc.get_items(text, path) or [jsonc.get_entry(text, path) or ""]]
        return [_read(one) for one in held]
    table = toml_file.value_of(text, tool.path) or {}
    values = [table.get(key, "") for key in keys]
    return [str(one) for value in values for one in (value if isinstance(value, list) else [value])]


def _read(value: str) -> str:
    """A text of JSON without its quotes and escapes: some programs write `\\/` in an address."""
    try:
        return str(json.loads(value))
    except ValueError:
        return value
