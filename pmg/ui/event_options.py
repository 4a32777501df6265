"""The options that the page's Gradio events share.

Every event is private: what a tab does is no part of an API. Programs have REST (pmg/server/rest) and MCP (pmg/server/mcp).
"""

from __future__ import annotations

from typing import Any

PRIVATE: dict[str, Any] = {"api_visibility": "private"}
QUIET: dict[str, Any] = {"show_progress": "hidden", **PRIVATE}  # for what is there at once: no spinner flashes up
# For what only shows: asked for again while it runs, it runs once more for what was asked last, and an answer never takes the place of one that was
# asked for after it (pmg/ui/gradio_script.py). What changes a memory stays QUIET: a second click while it runs is no second change.
LATEST: dict[str, Any] = {**QUIET, "trigger_mode": "always_last"}
