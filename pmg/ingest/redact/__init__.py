"""Redaction: secrets are taken out of a text before it is written, embedded, logged or sent.

Knows: which kinds of secrets there are and how to mark them. Does not know: who calls it.
"""

from __future__ import annotations

from pmg.ingest.redact.rule import ExtraRule, Rule
from pmg.ingest.redact.scan import Redacted, Redactor
from pmg.ingest.redact.table import DEFAULT_RULES

__all__ = ["DEFAULT_RULES", "ExtraRule", "Redacted", "Redactor", "Rule"]
