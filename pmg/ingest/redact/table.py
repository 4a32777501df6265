"""The rule table, in order of telling power: where two rules find the same text, the earlier one names it."""

from __future__ import annotations

from pmg.ingest.redact.blocks import BLOCK_RULES
from pmg.ingest.redact.codes import CODE_RULES
from pmg.ingest.redact.commands import COMMAND_RULES
from pmg.ingest.redact.headers import HEADER_RULES
from pmg.ingest.redact.keyvalue_rules import KEY_VALUE_RULES
from pmg.ingest.redact.kubernetes import KUBERNETES_RULES
from pmg.ingest.redact.numbers import NUMBER_RULES
from pmg.ingest.redact.password_tables import TABLE_RULES
from pmg.ingest.redact.prose import PROSE_RULES
from pmg.ingest.redact.prose_forms import PROSE_FORM_RULES
from pmg.ingest.redact.rule import Rule
from pmg.ingest.redact.shown_keys import SHOWN_KEY_RULES
from pmg.ingest.redact.tokens import TOKEN_RULES

DEFAULT_RULES: tuple[Rule, ...] = (
    *BLOCK_RULES,
    *TOKEN_RULES,
    *HEADER_RULES,
    *NUMBER_RULES,
    *KEY_VALUE_RULES,
    *KUBERNETES_RULES,
    *COMMAND_RULES,
    *PROSE_RULES,
    *CODE_RULES,
    *PROSE_FORM_RULES,
    *SHOWN_KEY_RULES,
    *TABLE_RULES,
)
