"""What a tab works with: the open memory, its steward, and what belongs to one open page.

Knows: the parts that the server hands to the page. Who uses them stands in the tabs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import gradio as gr

    from pmg.connections.client_activity import ClientActivity
    from pmg.connections.client_tokens import ClientTokens
    from pmg.engine import Engine
    from pmg.proxy.forward import Proxy
    from steward.schedule import Schedule
    from steward.steward import Steward


# Work on the memory of a home while nobody holds it; what came of it, in a sentence for the page.
WhileClosed = Callable[[Path], str]


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
    proxy: Proxy | None = None  # the models' APIs that go through the server
    # Ends the server, does that work on its memory and starts it anew; None where nobody would start it again.
    restart: Callable[[WhileClosed], None] | None = None
    is_local: bool = False  # nobody but this machine can reach the page: a passphrase may be typed into it


@dataclass(frozen=True)
class PageContext:
    """Belongs to one open page: two people at once do not see each other's."""

    tabs: gr.Tabs
    namespace: gr.State  # the namespace this page looks into; every read and write of a tab passes it on
    address: gr.Textbox  # what a script hands over of the page's address; page_address.py reads it
    route: gr.Button  # pressed by the script when the person went back or forward
