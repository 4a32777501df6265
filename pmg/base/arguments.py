"""What a caller gave to a public verb, checked before anything is done with it.

Each function takes the value and the argument's name, and gives the value back in the type that the verb works with, or
raises InputError with the name, the type that came and what to give. The value itself is not repeated: it may be somebody's words.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date, datetime
from enum import StrEnum
from math import inf, isfinite
from operator import index
from os import PathLike
from pathlib import Path
from typing import ParamSpec, SupportsFloat, SupportsIndex, TypeVar

from pmg.base.errors import InputError
from pmg.base.times import checked, on_this_clock

LARGEST_BITS = 63  # of a whole number in the store, beside its sign

Given = TypeVar("Given")
Params = ParamSpec("Params")
Result = TypeVar("Result")
Member = TypeVar("Member", bound=StrEnum)


def renamed(**former: str) -> Callable[[Callable[Params, Result]], Callable[Params, Result]]:
    """Takes an argument under its former name too, and says how it is called: `renamed(question="query")`."""

    def taking(verb: Callable[Params, Result]) -> Callable[Params, Result]:
        @functools.wraps(verb)
        def with_its_name(*args: Params.args, **named: Params.kwargs) -> Result:
            for old in former.keys() & named.keys():
                warnings.warn(f"{old}= is called {former[old]}= now", DeprecationWarning, stacklevel=2)
                named[former[old]] = named.pop(old)
            return verb(*args, **named)

        return with_its_name

    return taking


def instance(value: object, argument: str, kind: type[Given], mend: str) -> Given:
    if not isinstance(value, kind):
        raise wrong(value, argument, mend)
    return value


def text(value: object, argument: str) -> str:
    return instance(value, argument, str, "give text (str)")


def optional_text(value: object, argument: str) -> str | None:
    return None if value is None else text(value, argument)


def texts(value: object, argument: str) -> tuple[str, ...]:
    """One text, or several."""
    if isinstance(value, str):
        return (value,)
    given = items(value, argument, "give a text or a list of texts")
    return tuple(text(one, f"{argument}[{number}]") for number, one in enumerate(given))


def items(value: object, argument: str, mend: str) -> Collection[object]:
    """Several of something, also what can be gone through only once; a single text is not several letters."""
    given = each(value, argument, mend)
    return given if isinstance(given, Collection) else tuple(given)


def each(value: object, argument: str, mend: str) -> Iterable[object]:
    """As `items`, not yet gone through."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise wrong(value, argument, mend)
    return value


def notes(value: object, argument: str) -> Mapping[str, str]:
    if not isinstance(value, Mapping):
        raise wrong(value, argument, "give a mapping of text to text")
    for key, note in value.items():
        text(key, f"a key of {argument}")
        text(note, f"{argument}[{key!r}]")
    return value


def moment(value: object, argument: str) -> datetime | None:
    """One without a zone is on the clock of this machine."""
    mend = "give a datetime, such as datetime.fromisoformat('2026-01-31T09:00:00+00:00')"
    return None if value is None else checked(on_this_clock(instance(value, argument, datetime, mend)))


def day(value: object, argument: str) -> date | None:
    if value is None:
        return None
    given = instance(value, argument, date, "give a date, such as date.fromisoformat('2026-01-31')")
    return given.date() if isinstance(given, datetime) else given


def number(value: object, argument: str) -> float:
    """Also one of another library, such as NumPy; a finite one."""
    if isinstance(value, bool | str) or not isinstance(value, SupportsFloat):
        raise wrong(value, argument, "give a number")
    try:
        given = float(value)
    except OverflowError:
        given = inf
    except (TypeError, ValueError):  # an array of several
        raise wrong(value, argument, "give a number") from None
    if not isfinite(given):
        raise InputError(f"{argument} is {given}: give a finite number.")
    return value if isinstance(value, int) else given


def whole_number(value: object, argument: str, mend: str) -> int:
    """Also one of another library, such as NumPy; one that the store can hold."""
    if not isinstance(value, SupportsIndex):
        raise wrong(value, argument, mend)
    try:
        given = index(value)
    except TypeError:  # an array of several
        raise wrong(value, argument, mend) from None
    if given.bit_length() > LARGEST_BITS:
        raise InputError(f"{argument} is a number of more than {LARGEST_BITS} bits: {mend}.")
    return given


def path(value: object, argument: str) -> Path:
    if not isinstance(value, str | PathLike):
        raise wrong(value, argument, "give a path (str or pathlib.Path)")
    if isinstance(value, str) and not value.strip():  # as a path it would be the current folder
        raise InputError(f"{argument} is empty: give a path.")
    given = Path(value).expanduser()
    if "\0" in str(given):
        raise InputError(f"{argument} holds a NUL character, which no path may: give another path.")
    return given


def member(value: object, argument: str, kind: type[Member], among: Iterable[Member] = ()) -> Member:
    """A member of an enum, also by its text. `among` are those that are named where it is none, if not all are any use."""
    if isinstance(value, kind):
        return value
    if isinstance(value, str) and value in [one.value for one in kind]:
        return kind(value)
    given = repr(value[:40]) if isinstance(value, str) else type_name(value)
    raise InputError(f"{argument} is {given}: give one of {', '.join(among or kind)}.")


def wrong(value: object, argument: str, mend: str) -> InputError:
    return InputError(f"{argument} is {type_name(value)}: {mend}.")


def type_name(value: object) -> str:
    return "None" if value is None else type(value).__name__
