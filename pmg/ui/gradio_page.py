"""A page of gradio's, put together without the web apps and descriptions that the library makes of it on the way.

`Blocks()` and `queue()` each make a whole web app of an empty page, and the end of `with` describes every part twice; what is served is
made when the page is mounted: a third of what a start of the page takes a processor. Knows: the names in the version that `constraints.txt`
pins. Another version does as it likes.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import gradio as gr
import gradio.blocks

VERSION = "6.31."
_LIBRARY: Any = gradio.blocks  # where it finds the class of its web apps
_ASSEMBLING = threading.RLock()  # one page at a time: what is replaced below holds for all threads


class _NoApp:
    """In the place of gradio's App, which is made when the page has its parts."""

    @staticmethod
    def create_app(blocks: gr.Blocks, **options: Any) -> None:
        return None


@contextmanager
def assembled(concurrency: int, **options: Any) -> Iterator[gr.Blocks]:
    """As `with gr.Blocks(…)`, with a queue that runs so many handlers of one kind together."""
    known = gr.__version__.startswith(VERSION)
    with _ASSEMBLING:
        blocks = _empty(concurrency, known, options)
        if known:
            blocks.get_config_file = dict  # type: ignore[method-assign, assignment]
        try:
            with blocks:
                yield blocks
        finally:
            if known:
                del blocks.get_config_file


def _empty(concurrency: int, known: bool, options: dict[str, Any]) -> gr.Blocks:
    """While the page is empty: a queue makes a whole web app of what is there."""
    own = _LIBRARY.App
    _LIBRARY.App = _NoApp if known else own
    try:
        blocks = gr.Blocks(**options)
        blocks.queue(default_concurrency_limit=concurrency)
        return blocks
    finally:
        _LIBRARY.App = own
