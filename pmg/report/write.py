"""Writes a report: gathers, draws, and puts one file in its place.

Knows: the order, and which charts stand in a report. Charts come from pmg/figures/gallery.py.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pmg import config as configuration
from pmg.base.errors import InputError
from pmg.base.times import now
from pmg.exporters.files import begin_copy, write_rows
from pmg.figures import gallery
from pmg.report.facts import gather
from pmg.report.page import page
from pmg.store.forget import REPORT

if TYPE_CHECKING:
    from pmg.engine import Engine

# Names and numbers only: no chart with the words of a memory (the map of meaning has them).
CHARTS = ("growth", "volume", "recalls", "recall_funnel", "topic_months", "activity", "people_months", "quality_spread",
          "degrees", "states", "bytes_by_kind")  # fmt: skip


def write_report(engine: Engine, file: Path, namespace: str = "", at: datetime | None = None) -> Path:
    """One self-contained page on the state of a memory in one namespace (the configured one unless given)."""
    if file.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"{file} should end in .html: a report is a page for the browser.")
    namespace = configuration.checked_namespace(namespace or engine.config.namespace)
    begin_copy(engine, file, REPORT)  # it names people and topics: `forget` must know of it
    write_rows(file, [report(engine, namespace, at or now())])
    return file


def report(engine: Engine, namespace: str, at: datetime) -> str:
    charts = [gallery.chart(key) for key in CHARTS]
    drawn = [(chart.title, chart.about, chart.draw(chart.data(engine, namespace))) for chart in charts]
    return page(gather(engine, namespace, at), drawn)
