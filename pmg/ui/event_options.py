"""The options that the page's Gradio events share.

Every event is private: what a tab does is no part of an API. Programs have REST (pmg/server/rest) and MCP (pmg/server/mcp).
"""

from __future__ import annotations

from typing import Any

PRIVATE: dict[str, Any] = {"api_visibility": "private"}
QUIET: dict[str, Any] = {"show_progress": "hidden", **PRIVATE}  # for what is there at once: no spinner flashes up
