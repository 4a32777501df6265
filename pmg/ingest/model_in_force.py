"""Which embedding model and which thresholds are in force for a store.

Knows: that vectors of two models must never meet, and where each threshold comes from: the person, a calibration of this store,
or the model's own table. Thresholds are measured by calibrate.py.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import fields, replace

import numpy as np

from pmg.base.errors import WrongModel
from pmg.components import Components
from pmg.config import Config
from pmg.embed import bundled
from pmg.embed.calibrate import MIN_PAIRS, measure, random_pairs
from pmg.embed.calibrate import calibrate as calibrate_from
from pmg.embed.embedder import Embedder
from pmg.embed.load import BUNDLED, default_cache_dir, open_embedder
from pmg.embed.thresholds import Thresholds, thresholds_for
from pmg.store.contract import Store

log = logging.getLogger(__name__)
SETTING = "embed.model"  # the store's note of how the model in force is asked for: a name or a folder
CALIBRATED = "calibrated"  # the store's note that holds the result of `pmg calibrate`


def with_model_in_force(store: Store, config: Config) -> Config:
    """The settings with the model whose vectors the store holds: the store decides, and the configuration follows.

    A change of model is written down in the store first. A kill before the configuration heard of it must not leave a memory that
    nothing opens.
    """
    name = _setting(store, config.embed.model)
    if name == config.embed.model:
        return config
    log.warning(
        "The configuration asks for the model %r, and this memory holds vectors of %r, which stays in force. `pmg config embed.model "
        "%s` makes the configuration say so; `pmg reembed --model %s` changes the memory over.",
        config.embed.model, name, name, config.embed.model,
    )  # fmt: skip
    return replace(config, embed=replace(config.embed, model=name))


def _setting(store: Store, asked: str) -> str:
    """How the model of this memory is asked for."""
    held = store.model
    if held is None:
        return asked
    if held.fingerprint == bundled.SHA256:
        return BUNDLED
    told = json.loads(store.note(SETTING) or "{}")
    if told.get("fingerprint") == held.fingerprint:
        return str(told["model"])
    return held.name if asked == BUNDLED else asked  # changed by a PMG that wrote nothing down


def keep_setting(store: Store, setting: str, fingerprint: str) -> None:
    """Inside the transaction that changes the model."""
    store.put_note(SETTING, json.dumps({"fingerprint": fingerprint, "model": setting}))


def refuse_vectors_of_another(store: Store, embedder: Embedder) -> None:
    held = store.model
    if held is not None and held.fingerprint != embedder.fingerprint:
        raise _mismatch(held.name, embedder.name)


def _mismatch(held: str, asked: str) -> WrongModel:
    return WrongModel(
        f"This memory holds vectors of the model {held!r}, and the configuration asks for {asked!r}. Nothing was changed. "
        f"Set embed.model to the first, or change the memory over with `pmg reembed --model {asked}`."
    )


def opener(config: Config) -> Callable[[], Embedder]:
    """How the configured model is opened, when somebody asks for it. Whether it fits the store is asked at each use."""

    def opened() -> Embedder:
        return open_embedder(config.embed.model, default_cache_dir(), config.embed.threads or None, log.info)

    return opened


def thresholds_in_force(config: Config, store: Store) -> Thresholds:
    """The model's own, or this store's calibration of it, with whatever the person set on top."""
    held = store.model
    name, fingerprint = (held.name, held.fingerprint) if held is not None else (bundled.NAME, bundled.SHA256)
    found = thresholds_for(name, fingerprint, calibration(store, fingerprint))
    chosen = {f.name: getattr(config.thresholds, f.name) for f in fields(config.thresholds)}
    mine = {name: value for name, value in chosen.items() if value > 0}
    return replace(found, **mine, origin=f"{found.origin}; set by you: {', '.join(mine)}") if mine else found


def calibration(store: Store, fingerprint: str) -> Thresholds | None:
    saved = json.loads(store.note(CALIBRATED) or "{}")
    return Thresholds(**saved["thresholds"]) if saved.get("fingerprint") == fingerprint else None


def keep_calibration(store: Store, fingerprint: str, found: Thresholds) -> None:
    values = {f.name: getattr(found, f.name) for f in fields(found)}
    store.put_note(CALIBRATED, json.dumps({"fingerprint": fingerprint, "thresholds": values}))


def calibrate(components: Components, embedder: Embedder) -> Thresholds:
    """Measures random pairs of this memory's own segments and the pairs that ship with PMG, and keeps what follows."""
    indexed = [index for index in map(components.indexes.vector, components.indexes.sizes()) if index is not None]
    ids = np.concatenate([np.sort(index.ids()) for index in indexed]) if indexed else np.empty(0, dtype=np.int64)
    vectors = np.concatenate([index.vectors_of(np.sort(index.ids())) for index in indexed]) if indexed else None
    catalogue = components.indexes.catalogue
    sessions = catalogue.segment("session")[catalogue.segments_of_lines(catalogue.lines_of_windows(ids))]
    random = random_pairs(vectors, sessions.astype(np.int64)) if vectors is not None else np.empty(0)
    counts = len(random) >= MIN_PAIRS
    measured_on = "this memory" if counts else "the pairs that ship with PMG, for this memory is too small to count,"
    origin = f"measured for {embedder.name} on {measured_on} by `pmg calibrate`"
    found = calibrate_from(measure(embedder, random), origin)
    keep_calibration(components.store, embedder.fingerprint, found)
    return found
