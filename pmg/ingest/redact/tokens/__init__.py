"""The tables of tokens that are known by their shape, and the rules made from them."""

from __future__ import annotations

from pmg.ingest.redact.rule import Rule
from pmg.ingest.redact.tokens.chat import CHAT_TOKENS
from pmg.ingest.redact.tokens.clouds import CLOUD_TOKENS
from pmg.ingest.redact.tokens.hashes import HASH_TOKENS
from pmg.ingest.redact.tokens.models import MODEL_TOKENS
from pmg.ingest.redact.tokens.packages import PACKAGE_TOKENS
from pmg.ingest.redact.tokens.payment import PAYMENT_TOKENS
from pmg.ingest.redact.tokens.row import TokenRow
from pmg.ingest.redact.tokens.tools import TOOL_TOKENS

TOKENS: tuple[TokenRow, ...] = (
    *CLOUD_TOKENS,
    *MODEL_TOKENS,
    *CHAT_TOKENS,
    *PAYMENT_TOKENS,
    *PACKAGE_TOKENS,
    *TOOL_TOKENS,
    *HASH_TOKENS,
)
TOKEN_RULES: tuple[Rule, ...] = tuple(row.rule() for row in TOKENS)
