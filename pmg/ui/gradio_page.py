"""A page of gradio's, put together without the web apps and descriptions that the library makes of it on the way.

`Blocks()` and `queue()` each make a whole web app of an empty page, and the end of `with` describes every part twice; what is served is
made when the page is mounted: a third of what a start of the page takes a processor. `mount` leaves out the first of two more descriptions,
and the parameters of a component's class are looked up once, not for each component and each visitor.
Knows: the names in the version that `constraints.txt` pins. Another version does as it likes.
"""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any

import gradio as gr
import gradio.blocks
import gradio.component_meta
import gradio.routes

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


def mount(app: Any, blocks: gr.Blocks, **options: Any) -> None:
    """As `gr.mount_gradio_app`, which describes the page, sets its looks, and describes it again."""
    if gr.__version__.startswith(VERSION):

        def nothing_yet() -> dict[str, Any]:
            del blocks.get_config_file
            return {}

        blocks.get_config_file = nothing_yet  # type: ignore[method-assign, assignment]
    gr.mount_gradio_app(app, blocks, **options)


def icon_from_the_start(href: str) -> None:
    """Names the icon in the page as it is served. Gradio adds what stands in `head` by script: by then a browser has asked the root of the
    server for /favicon.ico, where nobody is let in."""
    loader: Any = gradio.routes.templates.env.loader

    def with_icon(environment: Any, name: str) -> tuple[str, *tuple[Any, ...]]:
        text, *more = type(loader).get_source(loader, environment, name)
        return text.replace("<head>", f'<head><link rel="icon" href="{href}">', 1), *more

    loader.get_source = with_icon


class _InspectOnce:
    """`inspect` for two modules of the library: of functions that stay, which are the constructors of its classes, the answer is kept."""

    def __getattr__(self, name: str) -> Any:
        return getattr(inspect, name)

    def signature(self, of: Callable[..., Any]) -> inspect.Signature:
        return _signature(of) if isinstance(of, FunctionType) else inspect.signature(of)

    def getfullargspec(self, of: Callable[..., Any]) -> inspect.FullArgSpec:
        return _arguments(of) if isinstance(of, FunctionType) else inspect.getfullargspec(of)


_signature = functools.cache(inspect.signature)
_arguments = functools.cache(inspect.getfullargspec)


def _inspect_once() -> None:
    components: Any = gradio.component_meta
    for module in (_LIBRARY, components):
        module.inspect = _InspectOnce()


if gr.__version__.startswith(VERSION):
    _inspect_once()
