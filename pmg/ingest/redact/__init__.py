"""Redaction: secrets are taken out of a text before it is written, embedded, logged or sent.

The rules stand in tables (table.py joins them); scan.py runs them, redactor.py writes the marks.
"""

from __future__ import annotations

from pmg.ingest.redact.known import KnownValues
from pmg.ingest.redact.labelled import behind_label
from pmg.ingest.redact.marks import excerpts, is_hidden_in
from pmg.ingest.redact.redactor import UNCHECKED, Redacted, Redactor
from pmg.ingest.redact.rule import ExtraRule, Rule
from pmg.ingest.redact.table import DEFAULT_RULES

__all__ = [
    "DEFAULT_RULES",
    "UNCHECKED",
    "ExtraRule",
    "KnownValues",
    "Redacted",
    "Redactor",
    "Rule",
    "behind_label",
    "excerpts",
    "is_hidden_in",
]
