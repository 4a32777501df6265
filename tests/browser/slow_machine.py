"""A slow machine for the stories: `PMG_SLOW_PAGE=4` makes the browser four times slower, and each answer of the server late by a random while.

What depends on the order in which answers come, or on being there before somebody clicks, fails here and not only in a busy hour.
The same number gives the same lateness. `make slow-stories`.
"""

from __future__ import annotations

import asyncio
import os
import random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gradio.blocks import Blocks
    from playwright.sync_api import Page

SLOWNESS = float(os.environ.get("PMG_SLOW_PAGE", "1"))
MEAN_DELAY_SECONDS = 0.15  # seconds an answer is late on average, times the factor: more than most take


def slow_page(page: Page) -> None:
    if SLOWNESS > 1:
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWNESS})


def slow_answers() -> None:
    if SLOWNESS <= 1:
        return
    # Here and through our own way: every worker imports this file to look for tests, and another way into gradio takes twice as long.
    from pmg.ui.gradio_page import gr

    Blocks = gr.Blocks
    if hasattr(Blocks.process_api, "is_late"):
        return
    whole, chance = Blocks.process_api, random.Random(SLOWNESS)

    async def late(self: Blocks, *given: Any, **named: Any) -> Any:
        if named.get("iterator") is None:  # the first piece of an answer that comes in pieces
            await asyncio.sleep(chance.expovariate(1 / (MEAN_DELAY_SECONDS * SLOWNESS)))
        return await whole(self, *given, **named)

    late.is_late = True  # type: ignore[attr-defined]
    Blocks.process_api = late  # type: ignore[method-assign]
