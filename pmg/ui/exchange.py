"""The tab for what comes in, what goes out, and how the memory is set up.

Knows: which forms there are and when each is brought up to date. Does not know: what is in any of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gradio as gr

from pmg.ui import exports, import_form, keeping, models, privacy
from pmg.ui.edge import told

if TYPE_CHECKING:
    from pmg.ui.desk import Desk, Page

QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}


def build(desk: Desk, page: Page, tab: gr.Tab) -> None:
    with gr.Tabs(elem_id="pmg-exchange"):
        with gr.Tab("Import", id="import"):
            import_form.build(desk, page)
        with gr.Tab("Export", id="export"):
            exports.build(desk, page)
        with gr.Tab("Models", id="models") as models_tab:
            model_parts = models.build(desk)
        with gr.Tab("Namespaces", id="namespaces") as walls_tab:
            walls = keeping.build_walls(desk, page)
        with gr.Tab("Backup", id="backup") as backup_tab:
            copies = keeping.build_copies(desk)
        with gr.Tab("Privacy", id="privacy") as privacy_tab:
            privacy_parts = privacy.build_privacy(desk)
        with gr.Tab("Health", id="health") as health_tab:
            health_parts = privacy.build_health(desk)

    def wall_rows(space: str) -> str:
        with told():
            return keeping.walls_html(keeping.walls(desk, space), space)

    def copy_rows() -> str:
        with told():
            return keeping.copies_html(keeping.copies(desk), desk.engine.config.home)

    def privacy_rows(space: str) -> list[Any]:
        with told():
            return privacy.privacy_values(desk, space)

    def health_rows() -> list[Any]:
        with told():
            return privacy.health_values(desk)

    models_tab.select(lambda: models.values(desk), None, model_parts, **QUIET)
    for listen in (walls_tab.select, tab.select, page.namespace.change):
        listen(wall_rows, page.namespace, walls, **QUIET)
    backup_tab.select(copy_rows, None, copies, **QUIET)
    privacy_tab.select(privacy_rows, page.namespace, privacy_parts, **QUIET)
    health_tab.select(health_rows, None, health_parts, **QUIET)


CSS = (
    import_form.CSS
    + """
.pmg-h { margin: 18px 0 4px !important; font-size: 16px; font-weight: 600; }
.pmg-ways td:first-child { width: 110px; }
.pmg-walls td { font-variant-numeric: tabular-nums; }
#pmg-exchange code, #pmg-steward code { overflow-wrap: anywhere; white-space: normal; }
@media (max-width: 700px) { .pmg-ways td:first-child { width: auto; } }
"""
)
