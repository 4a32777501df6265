"""Names of secrets: which kind of value a name announces, if any.

`dbPassword` and `client_secret` announce one; `max_tokens`, `primary_key` and `show_password` do not. How the value must look
is judged in accept.py.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pmg.ingest.redact.words import (
    HARMLESS_KEYS,
    HARMLESS_PARTS,
    KEY_QUALIFIERS,
    PASSES,
    PASSWORD_ENDS,
    PASSWORD_PARTS,
    TOKEN_ENDS,
    TOKEN_PARTS,
    TRAILING_PARTS,
)

PASSWORD, TOKEN, KEY = "password", "token", "key"
PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\WA-Z\d_]+|\d+")


@lru_cache(4096)
def kind_of(name: str) -> str:
    """`password`, `token`, or `key` where only a long random value counts; "" when the name is not that of a secret."""
    parts = [part.lower() for part in PARTS.findall(name)]
    while parts and (parts[-1].isdigit() or parts[-1] in TRAILING_PARTS):
        parts.pop()
    if not parts or HARMLESS_PARTS.intersection(parts):
        return ""
    last, pair = parts[-1], "".join(parts[-2:])
    if last == "pass" and PASSES.intersection(parts[-2:-1]):
        return ""
    if (
        last in PASSWORD_PARTS
        or pair in PASSWORD_PARTS
        or parts[-3:] == ["mot", "de", "passe"]
        or last.endswith(PASSWORD_ENDS)
    ):
        return PASSWORD
    if last.endswith("key") and last[: -len("key")] in KEY_QUALIFIERS | TOKEN_PARTS:
        return TOKEN  # `tokenkey`, joined without a sign
    if last == "pat":  # a personal access token, or a pattern
        return KEY
    if last in TOKEN_PARTS or pair in TOKEN_PARTS or last.endswith(TOKEN_ENDS):
        return TOKEN
    return _kind_of_key(parts)


def _kind_of_key(parts: list[str]) -> str:
    last, before = parts[-1], parts[-2] if len(parts) > 1 else ""
    if last == "key":
        return TOKEN if before in KEY_QUALIFIERS else "" if HARMLESS_KEYS.intersection(parts) else KEY
    if last == "keys":
        return KEY if before in KEY_QUALIFIERS else ""
    return KEY if last in ("auth", "login") and (before in ("", "sonar", "docker", "npm", "basic", "http")) else ""
