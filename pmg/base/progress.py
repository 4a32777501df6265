"""How long work tells how far it is. A bar in the terminal or in the page is one of these; who wants none passes `silent`."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]  # what is being done, done, total (0: unknown)


def silent(_what: str, _done: int, _total: int) -> None:
    """Nobody is looking."""
