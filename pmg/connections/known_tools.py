"""The AI tools that PMG knows: where each keeps its MCP servers on this system, under which key, and in which shape.

Knows: files and shapes, as each tool documents them. What is done with a file stands in change.py; the tools that have hooks too in
hook_tools.py. All of these start `pmg mcp` over stdio, so no token stands in anybody's file.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

NAME = "pmg"  # of the entry in every tool's file
JSON, TOML = "json", "toml"
Entry = dict[str, object]
Folders = Callable[["ConfigPlaces"], Path]


@dataclass(frozen=True, slots=True)
class ConfigPlaces:
    """Where programs keep their settings on one system."""

    home: Path
    system: str  # linux, darwin or win32
    environ: Mapping[str, str]

    @classmethod
    def here(cls) -> ConfigPlaces:
        return cls(Path.home(), sys.platform, os.environ)

    @property
    def settings(self) -> Path:
        """Where desktop programs put theirs."""
        if self.system == "darwin":
            return self.home / "Library" / "Application Support"
        if self.system == "win32":
            return Path(self.environ.get("APPDATA") or self.home / "AppData" / "Roaming")
        return Path(self.environ.get("XDG_CONFIG_HOME") or self.home / ".config")

    def folder(self, variable: str, usual: str) -> Path:
        """A folder that a variable can move."""
        return Path(self.environ[variable]) if self.environ.get(variable) else self.home / usual

    def moved(self, variable: str, folder: str) -> ConfigPlaces:
        """The same places where this variable names that folder."""
        return replace(self, environ={**self.environ, variable: folder})


@dataclass(frozen=True, slots=True)
class KnownTool:
    name: str
    title: str
    file: Folders
    sign: Folders  # what is there when the tool is
    key: str = "mcpServers"
    form: str = JSON
    typed: bool = False  # its entries say `"type": "stdio"`

    @property
    def path(self) -> tuple[str, str]:
        return (self.key, NAME)

    def entry(self, command: Sequence[str]) -> Entry:
        kind: Entry = {"type": "stdio"} if self.typed else {}
        return {**kind, "command": command[0], "args": list(command[1:])}


def _claude_code(p: ConfigPlaces) -> Path:
    moved = p.environ.get("CLAUDE_CONFIG_DIR")
    return Path(moved) / ".claude.json" if moved else p.home / ".claude.json"


def _zed(p: ConfigPlaces) -> Path:
    folder = p.settings / "Zed" if p.system == "win32" else p.folder("XDG_CONFIG_HOME", ".config") / "zed"
    return folder / "settings.json"


KNOWN = (
    KnownTool("claude-code", "Claude Code", _claude_code, lambda p: p.folder("CLAUDE_CONFIG_DIR", ".claude"), typed=True),
    KnownTool("codex", "Codex", lambda p: p.folder("CODEX_HOME", ".codex") / "config.toml",
              lambda p: p.folder("CODEX_HOME", ".codex"), "mcp_servers", TOML),
    KnownTool("cursor", "Cursor", lambda p: p.home / ".cursor" / "mcp.json", lambda p: p.home / ".cursor"),
    KnownTool("vscode", "VS Code", lambda p: p.settings / "Code" / "User" / "mcp.json",
              lambda p: p.settings / "Code" / "User", "servers", typed=True),
    KnownTool("claude-desktop", "Claude Desktop", lambda p: p.settings / "Claude" / "claude_desktop_config.json",
              lambda p: p.settings / "Claude"),
    KnownTool("gemini-cli", "Gemini CLI", lambda p: p.home / ".gemini" / "settings.json", lambda p: p.home / ".gemini"),
    KnownTool("lm-studio", "LM Studio", lambda p: p.home / ".lmstudio" / "mcp.json", lambda p: p.home / ".lmstudio"),
    KnownTool("windsurf", "Windsurf", lambda p: p.home / ".codeium" / "windsurf" / "mcp_config.json",
              lambda p: p.home / ".codeium" / "windsurf"),
    KnownTool("zed", "Zed", _zed, lambda p: _zed(p).parent, "context_servers"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ToolCommand:
    """What a tool runs: the script beside this interpreter, or the interpreter itself; whole paths, for tools have a PATH of their own."""

    words: tuple[str, ...]
    read_only: bool = False

    @classmethod
    def of(cls, home: Path | None, namespace: str, read_only: bool) -> ToolCommand:
        script = Path(sys.executable).with_name("pmg.exe" if sys.platform == "win32" else "pmg")
        words = [str(script)] if script.exists() else [sys.executable, "-m", "pmg"]
        words += ["--home", str(home)] if home is not None else []
        words += ["--namespace", namespace] if namespace else []
        return cls(tuple(words), read_only)

    @property
    def mcp(self) -> list[str]:
        return [*self.words, "mcp", *(["--read-only"] if self.read_only else [])]
