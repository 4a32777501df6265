"""How a tab follows the page's address: when somebody comes to it, and when Back or Forward leads to it.

What an address says is read by page_address.py; what a tab shows then is the tab's own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gradio as gr

from pmg.ui import page_address
from pmg.ui.app_context import PageContext
from pmg.ui.reader.reader_pane import QUIET

HERE = "(address, space) => [location.hash, space]"  # the address stands in the browser alone
Arrive = Callable[[str, str], list[Any]]  # from an address and a namespace to what is shown


def wire_arriving(page: PageContext, tab: gr.Tab, name: str, arrive: Arrive, outputs: Sequence[Any]) -> None:
    """`arrive` when the tab is chosen, and after Back or Forward if the address is this tab's: another's is none of its business."""

    def return_to(address: str, namespace: str) -> list[Any]:
        here = page_address.parse(address).tab == name
        return arrive(address, namespace) if here else [gr.skip()] * len(outputs)

    asked = [page.address, page.namespace]
    tab.select(arrive, asked, outputs, js=HERE, **QUIET)
    page.route.click(return_to, asked, outputs, js=HERE, **QUIET)
