"""A responder of another package, checked at the border: whatever goes wrong in it is told by its name, with the mend.

Knows: what a responder has to be (responder.py), and that an answer has words. Which package brings which is told by responder_choice.py.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import Any

from pmg.chat.responder import ChatAnswer, ChatRequest
from pmg.errors import ChatUnavailable, ConfigError

log = logging.getLogger(__name__)

FAILURES = (Exception, SystemExit)  # what was a program of its own may still end like one
OTHERWISE = "Mend or remove the package that brings it, or choose another chat.responder."


class GuardedResponder:
    """Meets `Responder` whatever it holds; where that cannot be, making it raises ConfigError."""

    def __init__(self, name: str, made: Any) -> None:
        self._name, self._made = name, made
        if not callable(getattr(made, "answer", None)):
            raise ConfigError(f"The responder {name!r} has no method answer(request). {OTHERWISE}")
        _ = self.where, self.leaves, self.budget_tokens  # wrong ones are told before anybody writes

    @property
    def where(self) -> str:
        found = self._fact("where")
        if not isinstance(found, str):
            raise self._wrong("where", found, "a sentence (str) that tells where text goes")
        return found

    @property
    def leaves(self) -> bool:
        found = self._fact("leaves")
        if not isinstance(found, bool):
            raise self._wrong("leaves", found, "True or False")
        return found

    @property
    def budget_tokens(self) -> int | None:
        found = self._fact("budget_tokens")
        if found is not None and not isinstance(found, int):
            raise self._wrong("budget_tokens", found, "a whole number (int), or None for the configured size")
        return found

    def answer(self, ask: ChatRequest) -> Iterator[ChatAnswer]:
        last: ChatAnswer | None = None
        try:
            for piece in self._pieces(ask):
                last = self._checked(piece) or last
                if last is not None:
                    yield last
        except ChatUnavailable:
            raise
        except FAILURES as error:
            log.error("the responder %s failed: %s", self._name, type(error).__name__)
            raise self._failed(f"failed ({type(error).__name__}: {error})") from error
        if last is None:
            raise self._failed("gave no answer")

    def _pieces(self, ask: ChatRequest) -> Iterable[object]:
        coming = self._made.answer(ask)
        if not isinstance(coming, Iterable):
            raise self._failed(f"gave back {_type(coming)} from answer(request), which has to yield each ChatAnswer")
        return coming

    def _checked(self, piece: object) -> ChatAnswer | None:
        """None for one that has no words yet."""
        if not isinstance(piece, ChatAnswer):
            raise self._failed(f"gave {_type(piece)} where a ChatAnswer is due")
        if not isinstance(piece.text, str):
            raise self._failed(f"gave a ChatAnswer whose text is {_type(piece.text)}, not str")
        return piece if piece.text.strip() or piece.quotes else None

    def _fact(self, name: str) -> Any:
        try:
            return getattr(self._made, name)
        except FAILURES as error:
            told = f"{type(error).__name__}: {error}"
            raise ConfigError(f"The responder {self._name!r} cannot say its {name!r} ({told}). {OTHERWISE}") from error

    def _wrong(self, name: str, found: object, wanted: str) -> ConfigError:
        return ConfigError(f"The responder {self._name!r} has {_type(found)} as {name!r}: {wanted} is due. {OTHERWISE}")

    def _failed(self, what: str) -> ChatUnavailable:
        return ChatUnavailable(f"The responder {self._name!r} {what}. {OTHERWISE}")


def _type(value: object) -> str:
    return "None" if value is None else type(value).__name__
