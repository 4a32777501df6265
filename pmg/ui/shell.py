"""The page as a whole: a small header and the tabs, each from its own module.

Knows: which tabs there are, in which order, and what the header says. What happens inside a tab stands in its own folder. `build`
makes a fresh page for a server or a notebook; `PAGE_THEME` is what gradio wants beside it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import gradio as gr
from gradio.themes import Base

from pmg.base.model import State
from pmg.ui import gradio_page, gradio_script, page_address, quick_search, render, shortcuts, static_files, theme
from pmg.ui.analytics import analytics_tab
from pmg.ui.app_context import AppContext, PageContext
from pmg.ui.chat import chat_tab
from pmg.ui.event_options import LATEST
from pmg.ui.graph import graph_tab
from pmg.ui.people import people_tab
from pmg.ui.preview import preview_tab
from pmg.ui.settings import settings_tab
from pmg.ui.steward import steward_tab
from pmg.ui.tab_route import CORRECTED, ENTER, HERE, namespace_choice, tab_choice
from pmg.ui.timeline import timeline_tab

if TYPE_CHECKING:
    from fastapi import FastAPI

TITLE = "Private Memory Graph"
POLL_SECONDS = 2.0  # seconds between looks at a model that is still loading
DOWNLOADS = (300, 3600)  # seconds: how often files made for download are looked at, and how old they may get
MAX_CONCURRENT = 16  # handlers of one kind that may run together: a slow answer in one tab must not hold up another's
QUEUE_PAUSE = 0.02  # seconds between looks for a click: the library looks a thousand times a second, which is a twentieth of a core while nobody does anything

TABS = (
    ("chat", "Chat", chat_tab),
    ("preview", "Recall preview", preview_tab),
    ("timeline", "Timeline", timeline_tab),
    ("graph", "Graph", graph_tab),
    ("people", "People", people_tab),
    ("analytics", "Analytics", analytics_tab),
    ("steward", "Steward", steward_tab),
    ("exchange", "Import & settings", settings_tab),
)


@dataclass(frozen=True)
class PageTheme:
    """What gradio takes beside the page, at `launch` or `mount_gradio_app`."""

    theme: Base
    css: str
    head: str


@dataclass(frozen=True, slots=True)
class StatusLine:
    memories: int | None  # None: not known yet
    asked: int  # what one asked this memory: history, not recalled
    model: str  # absent, loading, ready or failed
    problem: str
    logout: bool = False  # whether there is a login to end


_LOGOUT = '<form class="pmg-logout" method="post" action="logout"><button type="submit">Log out</button></form>'


# plain functions


def status(context: AppContext, namespace: str) -> StatusLine:
    model = context.engine.model
    reads = context.engine.reads
    memories = reads.memories(namespace)
    asked = reads.segments_by_state(namespace)[State.ACTIVE] - memories
    return StatusLine(memories, asked, model.state, "" if model.state == "ready" else model.problem, context.logout)


def namespaces(context: AppContext, current: str) -> list[str]:
    return sorted({current, context.engine.config.namespace, *context.engine.reads.namespaces()})


def brand(now: StatusLine) -> str:
    said = {
        "ready": "embedding model ready",
        "loading": "embedding model loading: search by words works already",
        "absent": "no embedding model: search by words",
        "failed": "embedding model unavailable: search by words",
    }[now.model]
    count = render.counted(now.memories, "memory", "memories") if now.memories is not None else ""
    beside = f"and {now.asked:,} {'question' if now.asked == 1 else 'questions'} you asked, kept as history"
    dot = {"absent": "failed"}.get(now.model, now.model)
    return (
        f'<div class="pmg-brand">{theme.logo()}<div><strong>PMG <span>· {TITLE}</span></strong>'
        f'<div class="pmg-state" role="status"><span title="{beside if now.asked else ""}">{count}</span>'
        f'<span class="pmg-dot {dot}" title="{render.safe(now.problem)}">{said}</span></div></div>'
        '<button class="pmg-theme pmg-quick-button" type="button" aria-label="Search everything" title="Search everything (Ctrl K)">⌕</button>'
        '<button class="pmg-theme" type="button" aria-label="Switch between light and dark" title="Light or dark">◐</button>'
        '<button class="pmg-theme pmg-keys-button" type="button" aria-label="Keyboard shortcuts" title="Keys (?)">?</button>'
        f"{_LOGOUT if now.logout else ''}</div>"
    )


def no_namespace(named: str, into: str) -> str:
    """Of an address that names one which cannot be, and of the one that is shown instead."""
    rule = "a name has 1 to 64 letters, digits, - and _"
    return f"There is no namespace {render.shortened(named)!r}: {rule}. This page is in {into!r}."


# the page


def page_theme() -> PageTheme:
    css = [
        theme.CSS,
        shortcuts.CSS,
        quick_search.CSS,
        *dict.fromkeys(getattr(module, "CSS", "") for _, _, module in TABS),
    ]
    return PageTheme(theme.theme(), "\n".join(css), f"{theme.head()}<script>{quick_search.SCRIPT}</script>")


def build(context: AppContext) -> gr.Blocks:
    with gradio_page.assembled(
        MAX_CONCURRENT, title=TITLE, analytics_enabled=False, fill_width=True, delete_cache=DOWNLOADS
    ) as blocks:
        blocks._queue.sleep_when_free = QUEUE_PAUSE
        first = context.engine.config.namespace
        namespace, address = gr.State(first), gr.Textbox("", visible="hidden", label="Address of this page")
        with gr.Row(elem_classes="pmg-header"):
            # Written once, when the server starts: what it counted then would be shown until the page has asked.
            header = gr.HTML(brand(replace(status(context, first), memories=None)), js_on_load=theme.TOGGLE_JS)
            menu = gr.Dropdown(
                label="Namespace",
                choices=[first],
                value=first,
                show_label=False,
                container=False,
                scale=0,
                min_width=120,
                elem_id="pmg-namespace",
            )
            again = gr.Button("Look again", visible="hidden", elem_id="pmg-refresh")  # pressed by theme.REFRESH_JS
            # Both pressed by page_address.SCRIPT
            route = gr.Button("Go there", visible="hidden", elem_id="pmg-route")
            enter = gr.Button("Go into it", visible="hidden", elem_id="pmg-enter")
        if context.notice:
            gr.HTML(f'<p class="pmg-told" role="alert">{render.safe(context.notice)}</p>')
        with gr.Tabs(elem_id="pmg-tabs") as tabs:
            page = PageContext(tabs, namespace, address, route)
            for name, label, module in TABS:
                with gr.Tab(label, id=name, elem_id=f"pmg-tab-{name}") as tab:
                    module.build(context, page, tab)
        quick_search.build(context, page)
        clock = gr.Timer(POLL_SECONDS, active=context.engine.model.state == "loading")
        _wire(context, blocks, page, header, menu, clock, again, enter)
    return blocks


def _wire(
    context: AppContext,
    blocks: gr.Blocks,
    page: PageContext,
    header: gr.HTML,
    menu: gr.Dropdown,
    clock: gr.Timer,
    again: gr.Button,
    enter: gr.Button,
) -> None:
    configured = context.engine.config.namespace
    asked = [page.address, page.namespace]

    def named(address: str) -> str:
        """One that holds nothing yet is as good as any, or Forward and a reload would leave it."""
        return page_address.parse(address).namespace or configured

    def show_status(address: str, _namespace: str) -> tuple[str, gr.Timer]:
        now = status(context, named(address))
        return brand(now), gr.Timer(active=now.model == "loading")

    # The one way into a namespace, and from the address alone: what the page names and where it writes are never two.
    def restore(address: str, namespace: str) -> tuple[Any, ...]:
        into = named(address)
        if wrong := page_address.impossible_namespace(address):
            gr.Warning(render.safe(no_namespace(wrong, into)))
        shown = gr.Dropdown(choices=namespaces(context, into), value=into)
        return into, shown, *show_status(address, namespace)

    clock.tick(show_status, asked, [header, clock], js=HERE, **LATEST)
    # A fresh page stands on its first tab already: whoever clicks another while it loads stays there.
    for trigger, first in ((blocks.load, ""), (page.route.click, TABS[0][0])):
        trigger(None, None, page.tabs, js=tab_choice([name for name, _, _ in TABS], first), **LATEST)
    for trigger in (blocks.load, page.route.click, enter.click):
        trigger(None, None, menu, js=namespace_choice(configured), **LATEST)
    for trigger in (blocks.load, page.route.click, enter.click, page.tabs.change, again.click):
        trigger(restore, asked, [page.namespace, menu, header, clock], js=CORRECTED, **LATEST)
    menu.input(None, menu, None, js=ENTER, **LATEST)
    blocks.load(None, js=theme.THEME_JS, **LATEST)


PAGE_THEME = page_theme()
# Words that gradio looks up and does not have: a screen reader said the key.
WORDS = gr.I18n(en={"common.upload": "Add more files"})


def mount(app: FastAPI, context: AppContext, path: str = "/", port: int | None = None) -> None:
    """The page inside a web app, the same for a server and a notebook: nothing is shared, recorded or told outside."""
    static_files.mount(app, path)
    gradio_script.mount(app, path)
    gradio_page.icon_from_the_start(theme.favicon())
    gradio_page.mount(
        app,
        build(context),
        path=path,
        server_name="127.0.0.1",
        server_port=port,
        theme=PAGE_THEME.theme,
        css=PAGE_THEME.css,
        head=page_address.configured(context.engine.config.namespace) + PAGE_THEME.head,
        footer_links=[],
        i18n=WORDS,
        run_history=False,
        ssr_mode=False,
        mcp_server=False,
        enable_monitoring=False,
        pwa=False,
        show_error=False,  # what a handler did not mean to say is for the log
        app_kwargs={"openapi_url": None, "docs_url": None, "redoc_url": None},
    )
