"""The state of a memory as one HTML page that needs no network."""

from __future__ import annotations

from pmg.report.write import write_report

__all__ = ["write_report"]
