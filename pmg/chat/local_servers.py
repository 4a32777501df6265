"""Model servers that people run on their own machine, found on their usual ports when somebody asks for them.

Knows: which they are and that only this machine is asked. openai.py asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pmg.base.errors import ChatUnavailable
from pmg.chat.openai import OpenAI
from pmg.config import ChatConfig

USUAL = (("Ollama", 11434), ("LM Studio", 1234))
TIMEOUT = 2.0  # seconds: a server on this machine answers at once or is not there


@dataclass(frozen=True, slots=True)
class LocalServer:
    name: str
    base_url: str
    models: tuple[str, ...]


def look(settings: ChatConfig, usual: Sequence[tuple[str, int]] = USUAL) -> list[LocalServer]:
    """Those that answer now, with the models they list. No key is sent: whatever listens there gets none."""
    found = []
    for name, port in usual:
        address = f"http://127.0.0.1:{port}/v1"
        asked = replace(settings, base_url=address, timeout_seconds=TIMEOUT)
        try:
            found.append(LocalServer(name, address, tuple(OpenAI(asked, lambda: "").models())))
        except ChatUnavailable:
            continue
    return found
