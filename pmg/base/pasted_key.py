"""A key where only the name of a key belongs: told apart by its shape, and never repeated.

A person who sets up a chat server has the key in the clipboard, and a field for a variable's name or a file looks like the place for it.
Pure: config.py refuses such a value, settings.py takes it out of a file that has one already.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_PARTS = re.compile(r"[^A-Za-z0-9]+")
LONG = (
    16  # characters in one piece: names are made of words, and words this long do not change case or hold digits inside
)
MAX_WORD = 32
_VERSION = re.compile(r"api-version=[\w.-]{1,40}", re.ASCII | re.IGNORECASE)
FIELDS = ("key_env", "key_file", "model", "base_url")  # of [chat]: where a key was ever put by mistake


def problem_with_variable(text: str) -> str:
    """Why this cannot be the name of an environment variable; empty where it can. The text itself is not in it."""
    if not text or (_NAME.fullmatch(text) and not looks_like_key(text)):
        return ""
    return (
        "what was given is not the name of an environment variable (letters, digits and _), and it was not kept. If it is the key "
        "itself, put it into the field Key of the page or into a file that only you can read"
    )


def problem_with_text(text: str) -> str:
    """The same for a field that is a file or a model's name."""
    if not looks_like_key(text):
        return ""
    return "what was given looks like a key, and it was not kept. A key belongs into the field Key of the page"


def problem_with_address(text: str) -> str:
    """The same for the address of a server: before its host or after its path some programs take a key, or it is nothing but one."""
    try:
        parts = urlsplit(text.strip())
    except ValueError:
        parts = urlsplit("")  # pmg/chat/server_address.py says what is wrong with it
    named = "@" in (parts.netloc or text)
    if not named and names_version(parts.query) and not parts.fragment and not looks_like_key(text):
        return ""
    return (
        "what was given has a name or a key in it, or is one, and it was not kept. An address is like http://127.0.0.1:11434/v1; a key "
        "belongs into the field Key of the page"
    )


def names_version(query: str) -> bool:
    """Of what may follow the path of an address, Azure's `api-version=2024-02-01` is no key; nothing is none either."""
    return not query or (_VERSION.fullmatch(query) is not None and not looks_like_key(query.partition("=")[2]))


def looks_like_key(text: str) -> bool:
    """Random characters in one piece: case or digits change inside it in a way that no word does."""
    if "/" in text or "\\" in text or " " in text.strip():
        return False
    return any(_random(part) for part in _PARTS.split(text.strip()) if len(part) >= LONG)


def _random(part: str) -> bool:
    steps = list(pairwise(part))
    digits = sum(a.isdigit() != b.isdigit() for a, b in steps)
    rises = sum(a.islower() and b.isupper() for a, b in steps)
    return digits >= 2 or rises >= 5 or len(part) >= MAX_WORD


def without_keys(values: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The values of a file without keys in the clear, and the fields that had one."""
    chat = values.get("chat")
    if not isinstance(chat, Mapping):
        return dict(values), ()
    found = tuple(name for name in FIELDS if isinstance(chat.get(name), str) and _problem(name, chat[name]))
    if not found:
        return dict(values), ()
    return {**values, "chat": {name: value for name, value in chat.items() if name not in found}}, found


def _problem(name: str, text: str) -> str:
    of_field = {"key_env": problem_with_variable, "base_url": problem_with_address}
    return of_field.get(name, problem_with_text)(text)
