"""Settings changed while a memory is open: checked, written to `config.toml`, and in force.

What each knob means stands in config.py.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pmg import config as configuration
from pmg.base.atomic_files import write_atomically
from pmg.base.errors import ConfigError
from pmg.base.pasted_key import without_keys
from pmg.base.progress import Progress, silent
from pmg.config import Config
from pmg.store.keys import HEADER, is_encrypted_home, no_key_to_seal_with
from pmg.store.owner import prepare_home

if TYPE_CHECKING:
    from pmg.engine import Engine

Values = Mapping[str, Any]  # {section: {field: value}}, as in the file
_one_at_a_time = threading.Lock()  # two pages that save at once must not write over each other


def keep(home: Path, values: Values) -> None:
    """Writes values into the file beside what is there; the file is replaced only by one that loads."""
    file = home / "config.toml"
    known = without_keys(configuration.read_file(file))[0] if file.exists() else {}
    for name, value in values.items():
        held = known.get(name)
        known[name] = {**held, **value} if isinstance(held, dict) and isinstance(value, Mapping) else value
    new = configuration.with_values(Config(home=home), known, "The new configuration")
    if new.redact.keep_sealed and not (is_encrypted_home(home) or (home / HEADER).is_file()):
        raise ConfigError(no_key_to_seal_with(home))
    prepare_home(home)
    write_atomically(file, to_toml(known).encode())


def remove_pasted_keys(home: Path) -> str:
    """Takes keys in the clear out of the file; a sentence for the person, empty where there was none."""
    file = home / "config.toml"
    if not file.exists():
        return ""
    cleaned, fields = without_keys(configuration.read_file(file))
    if not fields:
        return ""
    write_atomically(file, to_toml(cleaned).encode())
    names = " and ".join(f"chat.{name}" for name in fields)
    return (
        f"A key stood in the clear in config.toml ({names}). It was taken out. Copies of that file may still have it: change the key "
        f"where you got it, and put the new one into the field Key under Import & settings, Models."
    )


def change(engine: Engine, values: Values) -> Config:
    """The same for an open memory: in force at once, except the embedding model, which `reembed` changes."""
    from pmg.engine import redactor_for  # heavy: a command that only writes the file needs no engine

    with _one_at_a_time:
        new = configuration.with_values(engine.shared_config, values, "The new configuration")
        redactor_for(new)  # a mistake in the rules must be found before anything is written
        keep(new.home, values)
        engine.reconfigure(new)
    return new


@dataclass(frozen=True, slots=True)
class ModelChange:
    """The embedding model that is in force now, and how many links were made anew."""

    name: str
    dimension: int
    links: int


def change_embedding_model(engine: Engine, model: str, progress: Progress = silent) -> ModelChange:
    """The whole memory embedded by another model; the setting changes at the moment the new vectors are in force."""
    from pmg.embed.load import default_cache_dir, open_embedder  # heavy, as above

    embedder = open_embedder(model, default_cache_dir(), engine.config.embed.threads or None)
    links = engine.reembed(embedder, progress, lambda: _keep_model(engine, model), model)
    return ModelChange(embedder.name, embedder.dimension, links)


def _keep_model(engine: Engine, model: str) -> None:
    change(engine, {"embed": {"model": model}})


def to_toml(values: Mapping[str, Any]) -> str:
    """The few shapes a config file has: text, numbers, booleans, lists of text, one level of tables."""
    top = [f"{key} = {_toml(value)}" for key, value in values.items() if not isinstance(value, Mapping)]
    tables = [
        "\n".join([f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in table.items())])
        for name, table in values.items()
        if isinstance(table, Mapping)
    ]
    return "\n\n".join(["\n".join(top), *tables] if top else tables) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    if isinstance(value, str):
        escaped = "".join(
            f"\\u{ord(c):04x}" if ord(c) < 32 or ord(c) == 127 else "\\" + c if c in '"\\' else c for c in value
        )
        return f'"{escaped}"'
    return repr(value)
