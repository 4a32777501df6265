"""Writes docs/api.md from the public names themselves: `python docs/make_api.py`. A test holds the two together."""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import ModuleType, NoneType

import pmg
from pmg.base import errors
from pmg.chat import responder

HEAD = """# The public names

```python
import pmg

with pmg.open() as engine:
    print(engine.recall("what did we plan?").context)
```

What stands here changes only as [CONTRIBUTING.md](../CONTRIBUTING.md#deprecation) says. Everything else in `pmg` and `steward` may change without notice.
Also public: [commands](commands.md), [settings](configuration.md), [SQL views and macros](schema.md), [entry points](extending.md) and [REST](rest.md).

The packages carry their types. A time without a zone (`at`, `started_at`) is on the clock of this machine; in `since` and `until` on that of whoever spoke.
"""

# What a program of somebody's needs of an open memory. The rest of the engine serves our own server, importers and upkeep.
ENGINE_VERBS = frozenset(
    "open close with_config config thresholds session add_turn close_session ingest learn settle recall sessions segment edges link unlink "
    "counts sql backup rebuild reembed calibrate extract".split()
)


def page() -> str:
    parts = [HEAD, "## `import pmg`\n", f"`pmg.__version__`: the version as text, like `{pmg.__version__}`.\n"]
    parts += [
        _entry("pmg", name, getattr(pmg, name)) for name in sorted(pmg.__all__, key=str.lower) if name != "__version__"
    ]
    parts += ["## Errors, in `pmg.base.errors`\n", f"```\n{_tree()}\n```\n"]
    parts += ["## For a responder of your own, in `pmg.chat.responder`\n"]
    parts += [_entry("pmg.chat.responder", name, getattr(responder, name)) for name in _names(responder)]
    return "\n".join(parts)


def _names(module: ModuleType) -> list[str]:
    """The classes a module makes itself."""
    return sorted(
        name for name, value in vars(module).items() if inspect.isclass(value) and value.__module__ == module.__name__
    )


def _entry(module: str, name: str, value: object) -> str:
    title = f"### `{module}.{name}`\n"
    if inspect.isfunction(value):
        return f"{title}\n```python\n{name}{_signature(value)}\n```\n\n{_about(value)}\n"
    assert inspect.isclass(value), f"{name} is neither a function nor a class"
    if issubclass(value, enum.Enum):
        return f"{title}\n{_about(value)}\n\nOne of {', '.join(f'`{member.name}`' for member in value)}.\n".replace(
            "\n\n\n", "\n\n"
        )
    lines = [*_fields(value), *_members(value)]
    return "\n".join([title, *([_about(value), ""] if _about(value) else []), *lines, ""])


def _fields(value: type) -> Iterator[str]:
    if is_dataclass(value):
        yield from (f"- `{one.name}: {one.type}`" for one in fields(value))


def _members(value: type) -> Iterator[str]:
    ours = [one for one in value.__mro__ if one.__module__.startswith("pmg")]
    found = {
        name: member for one in reversed(ours) for name, member in vars(one).items()
    }  # with what it inherits from us
    for name, member in found.items():
        if name.startswith("_") or (value is pmg.Engine and name not in ENGINE_VERBS):
            continue
        if isinstance(member, property):
            yield f"- `.{name}`{_first(member.fget)}"
        elif isinstance(member, classmethod | staticmethod):
            yield f"- `{value.__name__}.{name}{_signature(member.__func__)}`{_first(member.__func__)}"
        elif inspect.isfunction(member):
            yield f"- `.{name}{_signature(member)}`{_first(member)}"


def _signature(function: Callable[..., object]) -> str:
    """As it is written, without `self`; a default that is no plain value is shown as …, for it may differ from run to run."""
    told = inspect.signature(function)
    given = [
        one.replace(default=_Written(one.default)) if one.default is not one.empty else one
        for one in told.parameters.values()
    ]
    kept = [one.replace(annotation=_Written(one.annotation, True)) for one in given if one.name not in ("self", "cls")]
    return str(inspect.Signature(kept, return_annotation=_Written(told.return_annotation, True)))


class _Written:
    """Shows itself in a signature as it stands in the source."""

    def __init__(self, value: object, as_is: bool = False) -> None:
        plain = isinstance(value, str | int | float | bool | tuple | NoneType) and not isinstance(value, enum.Enum)
        self._text = str(value) if as_is or isinstance(value, enum.Enum) else repr(value) if plain else "…"

    def __repr__(self) -> str:
        return self._text


def _about(value: object) -> str:
    own = getattr(value, "__doc__", None) or ""
    made = own.startswith(f"{getattr(value, '__name__', '')}(")  # what dataclasses writes for a class that says nothing
    return "" if made else inspect.cleandoc(own)


def _first(value: object) -> str:
    first = " ".join(_about(value).split("\n\n")[0].split())
    return f": {first}" if first else ""


def _tree() -> str:
    drawn = (errors.__doc__ or "").split("\n\n", 1)[1]
    return drawn.strip()


if __name__ == "__main__":
    (Path(__file__).parent / "api.md").write_text(page(), encoding="utf-8")
