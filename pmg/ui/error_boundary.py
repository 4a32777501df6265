"""The edge of the page: what a handler raises becomes a sentence, and the traceback goes to the log.

Knows: gradio's toasts, which show HTML, so every sentence is made harmless first.
"""

from __future__ import annotations

import logging
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import gradio as gr
from gradio.utils import get_upload_folder

from pmg.base.errors import PmgError
from pmg.base.progress import Progress
from pmg.ui.render import safe

log = logging.getLogger(__name__)
BAR_SECONDS = 0.1  # seconds between two looks of a bar: more is not seen, and each is a message to the browser


@contextmanager
def shows_errors() -> Iterator[None]:
    """Around a handler, as `with shows_errors():` or `@shows_errors()`."""
    try:
        yield
    except PmgError as error:
        raise gr.Error(safe(str(error)), print_exception=False) from error
    except gr.Error:
        raise
    except Exception as error:  # the edge: nobody further out could tell the person
        log.exception("a handler of the page failed")
        raise gr.Error(
            "Something went wrong on our side, and nothing was lost. The log says what; try again, or reload the page.",
            print_exception=False,
        ) from error


def inform(text: str) -> None:
    """A sentence that shows for some seconds."""
    gr.Info(safe(text))


def uploads() -> Path:
    """Where gradio puts what was dropped on the page, and may hand files out from."""
    return Path(get_upload_folder())


def outbox() -> Path:
    """A fresh folder for one download, for its owner alone; gradio clears it away with the rest of its cache."""
    uploads().mkdir(mode=0o700, parents=True, exist_ok=True)
    return Path(tempfile.mkdtemp(prefix="pmg-", dir=uploads()))


def on_bar(bar: gr.Progress) -> Progress:
    """The engine's progress on gradio's bar: steps where they are counted, else only what is being done."""
    last, doing = 0.0, ""

    def show(what: str, done: int, total: int) -> None:
        nonlocal last, doing
        moment = time.monotonic()
        if what == doing and done < total and moment - last < BAR_SECONDS:
            return
        last, doing = moment, what
        sentence = f"{what[:1].upper()}{what[1:]}"
        if total:
            bar(min(1.0, done / total), desc=f"{sentence}: {done:,} of {total:,}")
        else:
            bar(None, desc=sentence)

    return show
