"""What a tab works with: the open memory, its steward, and what belongs to one open page.

Knows: the parts that the server hands to the page. Who uses them stands in the tabs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import gradio as gr

    from pmg.engine import Engine
    from pmg.server.client_activity import ClientActivity
    from pmg.server.client_tokens import ClientTokens
    from steward.schedule import Schedule
    from steward.steward import Steward


@dataclass(frozen=True)
class AppContext:
    """Shared by all pages of one server. In a notebook there is no schedule, and nobody who could log out."""

    engine: Engine
    steward: Steward
    schedule: Schedule | None = None
    logout: bool = False
    notice: str = ""  # what the person has to be told until the server ends
    clients: ClientTokens | None = None  # of the programs that may ask; in a notebook nobody does
    activity: ClientActivity | None = None
    restore: Callable[[Path], None] | None = None  # starts anew on a backup; None where nobody would start it again


@dataclass(frozen=True)
class PageContext:
    """Belongs to one open page: two people at once do not see each other's."""

    tabs: gr.Tabs
    namespace: gr.State  # the wall this page looks behind; every read and write of a tab passes it on
    address: gr.Textbox  # what a script hands over of the page's address; page_address.py reads it
    route: gr.Button  # pressed by the script when the person went back or forward
