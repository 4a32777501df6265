"""A memory as data: questions in SQL and what follows from their answers. No charts here: pmg.figures draws."""

from __future__ import annotations

from pmg.analytics.sql import run_sql

__all__ = ["run_sql"]
