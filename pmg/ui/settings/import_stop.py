"""The button that ends an import before it is done.

Knows: which run of which page wants to end: two pages may import one after the other, and each stops its own. What a stopped import keeps is told
by import_progress.py.
"""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import gradio as gr

from pmg.ui.event_options import LATEST, QUIET


class ImportStop:
    """Built where the button is to stand; it shows while a run of its page goes on."""

    def __init__(self, elem_id: str) -> None:
        self.button = gr.Button("Stop", variant="stop", elem_id=elem_id, scale=0, min_width=120, visible=False)
        self.run = gr.State("")  # of this page, the one that goes on or was the last
        self._asked: set[str] = set()
        self.button.click(self._ask, self.run, self.button, **QUIET)

    @property
    def outputs(self) -> list[Any]:
        """Of the event that calls `begin`."""
        return [self.run, self.button]

    def begin(self) -> tuple[str, Any]:
        return uuid4().hex, gr.Button("Stop", visible=True, interactive=True)

    def is_asked(self, run: str) -> bool:
        return run in self._asked

    def ends_with(self, event: Any) -> None:
        for after in (event.success, event.failure):
            after(self._end, self.run, self.button, **LATEST)

    def _ask(self, run: str) -> Any:
        self._asked.add(run)
        return gr.Button("Stopping …", interactive=False)

    def _end(self, run: str) -> Any:
        self._asked.discard(run)
        return gr.Button(visible=False)
