"""The tab for what comes in, what goes out, and how the memory is set up.

Knows: which forms there are and when each is brought up to date. What is in each stands in its own file beside this one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gradio as gr

from pmg.ui.error_boundary import shows_errors
from pmg.ui.event_options import LATEST
from pmg.ui.settings import connections, exports, import_form, models, namespaces, privacy, safety

if TYPE_CHECKING:
    from pmg.ui.app_context import AppContext, PageContext


def build(context: AppContext, page: PageContext, tab: gr.Tab) -> None:
    with gr.Tabs(elem_id="pmg-exchange"):
        with gr.Tab("Import", id="import"):
            import_form.build(context, page)
        with gr.Tab("Export", id="export"):
            exports.build(context, page)
        with gr.Tab("Connections", id="connections") as connections_tab:
            connection_parts = connections.build(context)
        with gr.Tab("Models", id="models") as models_tab:
            model_parts = models.build(context)
        with gr.Tab("Namespaces", id="namespaces") as namespaces_tab:
            namespace_list = namespaces.build_namespaces()
        with gr.Tab("Backup & encryption", id="backup") as backup_tab:
            safety.build(context, backup_tab)
        with gr.Tab("Privacy & health", id="privacy") as privacy_tab:
            privacy_parts = privacy.build_privacy(context)
            health_parts = privacy.build_health(context)

    def namespace_rows(namespace: str) -> str:
        with shows_errors():
            return namespaces.namespaces_html(namespaces.listed_namespaces(context, namespace), namespace)

    def privacy_rows(namespace: str) -> list[Any]:
        with shows_errors():
            return privacy.privacy_values(context, namespace)

    def health_rows() -> list[Any]:
        with shows_errors():
            return privacy.health_values(context)

    def connection_rows() -> list[Any]:
        with shows_errors():
            return connections.values(context)

    connections_tab.select(connection_rows, None, connection_parts, **LATEST)
    models.wire_select(context, models_tab, model_parts)
    for listen in (namespaces_tab.select, tab.select, page.namespace.change):
        listen(namespace_rows, page.namespace, namespace_list, **LATEST)
    privacy_tab.select(privacy_rows, page.namespace, privacy_parts, **LATEST)
    privacy_tab.select(health_rows, None, health_parts, **LATEST)


CSS = (
    import_form.CSS
    + safety.CSS
    + """
.pmg-h { margin: 8px 0 0 !important; font-size: 16px; font-weight: 600; }
.html-container:has(.pmg-h):not(:has(table)) { padding-bottom: 0 !important; }
.pmg-ways td:first-child { width: 110px; }
.pmg-ai-tools tbody th, .pmg-programs tbody th { width: 30%; }
.pmg-programs td { font-variant-numeric: tabular-nums; }
.pmg-programs .pmg-muted, .pmg-upstreams .pmg-muted, .pmg-captures .pmg-muted { font-size: 13px; }
.pmg-namespaces td { font-variant-numeric: tabular-nums; }
#pmg-exchange code, #pmg-steward code { overflow-wrap: anywhere; white-space: normal; }
@media (max-width: 700px) { .pmg-ways td:first-child { width: auto; } }
"""
)
