"""A responder of another package, checked at the border: whatever goes wrong in it is told by its name, with the mend.

Knows: what a responder has to be, and that an answer has words and its fields the types that responder.py names. Which package brings which is told by responder_choice.py.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from pmg.base.errors import ChatUnavailable, ConfigError
from pmg.chat.responder import ChatAnswer, ChatRequest
from pmg.config import RecallConfig, in_full

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
        low, high = _budget_bounds()
        if found is not None and not low <= found <= high:
            told = f"{found} as 'budget_tokens': {in_full(low)} to {in_full(high)}, or None for the configured size, is due"
            raise ConfigError(f"The responder {self._name!r} has {told}. {OTHERWISE}")
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
        piece = replace(piece, **_lists_as_tuples(piece))
        if problem := _problem(piece, ChatAnswer, ""):
            raise self._failed(f"gave a ChatAnswer whose {problem}")
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


def _budget_bounds() -> tuple[int, int]:
    rules = next(one.metadata for one in fields(RecallConfig) if one.name == "budget_tokens")
    return rules["low"], rules["high"]


def _lists_as_tuples(answer: ChatAnswer) -> dict[str, Any]:
    """A list does where several are due; what is kept is a tuple."""
    several = (name for name, hint in _hints(ChatAnswer).items() if get_origin(hint) is tuple)
    return {name: tuple(value) for name in several if isinstance(value := getattr(answer, name), list)}


def _problem(value: object, kind: Any, name: str) -> str:
    """What is not of its type in a value that is due to be a `kind`, or empty: "used[0].segment is int, not str"."""
    if get_origin(kind) is UnionType:
        (kind,) = (one for one in get_args(kind) if one is not NoneType)
        return "" if value is None else _problem(value, kind, name)
    if get_origin(kind) is tuple:
        inner = get_args(kind)[0]
        if not isinstance(value, tuple):
            return f"{name} is {_type(value)}, not a tuple of {inner.__name__}"
        parts = ((one, inner, f"{name}[{place}]") for place, one in enumerate(value))
    elif not isinstance(value, kind):
        return f"{name} is {_type(value)}, not {kind.__name__}"
    elif isinstance(kind, type) and is_dataclass(kind):
        dot = f"{name}." if name else ""
        parts = ((getattr(value, field), hint, f"{dot}{field}") for field, hint in _hints(kind).items())
    else:
        return ""
    return next(filter(None, (_problem(*part) for part in parts)), "")


@lru_cache
def _hints(kind: type[Any]) -> dict[str, Any]:
    found = get_type_hints(kind)
    return {field.name: found[field.name] for field in fields(kind)}


def _type(value: object) -> str:
    return "None" if value is None else type(value).__name__
