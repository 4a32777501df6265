"""The tools that call a hook when something happens in them: which events, what each is for, and where their transcripts lie.

Knows: the events' names and the tools' folders, as each tool documents them. What is answered stands in pmg/server/hooks; how the
hooks get into a tool's settings in hook_entries.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pmg.connections.known_tools import ConfigPlaces


@dataclass(frozen=True, slots=True)
class HookTool:
    name: str  # as in `pmg connect`, and in the address of its hooks
    title: str
    source: str  # what its importer calls it
    prompt: str  # the event that brings what a person typed
    tells: tuple[str, ...]  # events after which there is more in the transcript
    transcripts: Callable[[ConfigPlaces], Path]
    settings: Callable[[ConfigPlaces], Path]  # the file that holds its hooks
    units_per_second: int = 1  # of its time limits
    has_named_hooks: bool = False  # its hooks have a name of their own
    variable: str = ""  # of the environment: moves its folder
    compaction: str = "PreCompact"  # the event before it throws most of its context away
    start: str = "SessionStart"
    end: str = "SessionEnd"

    @property
    def events(self) -> tuple[str, ...]:
        return (self.start, self.prompt, *self.tells)


def _claude(places: ConfigPlaces) -> Path:
    return places.folder("CLAUDE_CONFIG_DIR", ".claude")


def _codex(places: ConfigPlaces) -> Path:
    return places.folder("CODEX_HOME", ".codex")


HOOK_TOOLS = (
    HookTool("claude-code", "Claude Code", "claude-code", "UserPromptSubmit", ("Stop", "PreCompact", "SessionEnd"),
             lambda p: _claude(p) / "projects", lambda p: _claude(p) / "settings.json", variable="CLAUDE_CONFIG_DIR"),
    HookTool("codex", "Codex", "codex", "UserPromptSubmit", ("Stop", "PreCompact", "SessionEnd"),
             lambda p: _codex(p) / "sessions", lambda p: _codex(p) / "hooks.json", variable="CODEX_HOME"),
    HookTool("gemini-cli", "Gemini CLI", "gemini-cli", "BeforeAgent", ("AfterAgent", "PreCompress", "SessionEnd"),
             lambda p: p.home / ".gemini" / "tmp", lambda p: p.home / ".gemini" / "settings.json", 1_000, has_named_hooks=True,
             compaction="PreCompress"),
)  # fmt: skip


def hook_tool(name: str) -> HookTool | None:
    return next((one for one in HOOK_TOOLS if one.name == name), None)
