"""The cosines at which something happens. They belong to an embedding model: 0.6 means little on one, much on another.

Knows: the published values, those measured for the two models that PMG knows, and which ones are in force.
Does not know: how values are measured: calibrate.py does.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from pmg.base.errors import ConfigError
from pmg.embed import bundled, multilingual

PUBLISHED_MODEL = "bge-m3"


@dataclass(frozen=True, slots=True)
class Thresholds:
    edge: float  # a semantic edge is made
    floor: float  # below this a memory found by meaning alone is absurd
    link: float  # a related_to link is made
    extend: float  # a turn extends a learnt document
    context_duplicate: float  # a memory says what the active context already says
    merge: float  # the steward looks at the pair
    ingest_duplicate: float  # the turn has been said before, if nothing in it differs
    origin: str  # where the values come from, in words for the person

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name != "origin" and not 0.0 <= value <= 1.0:
                raise ConfigError(f"The threshold {field.name} is {value}; give a cosine from 0 to 1.")


PUBLISHED = Thresholds(
    edge=0.6,
    floor=0.6,
    link=0.75,
    extend=0.75,
    context_duplicate=0.85,
    merge=0.88,
    ingest_duplicate=0.92,
    origin="published for BGE-m3",
)

# Made by: python -c "from pathlib import Path; from pmg.embed import calibrate, load;
#   print(calibrate.from_shipped(load.open_embedder('bundled', load.default_cache_dir())))"
# A test of the marked set makes them again and compares.
BUNDLED = Thresholds(
    edge=0.567,
    floor=0.168,
    link=0.735,
    extend=0.735,
    context_duplicate=0.847,
    merge=0.88,
    ingest_duplicate=0.92,
    origin="measured for all-MiniLM-L6-v2 on the pairs that ship with PMG",
)

# Made in the same way, with open_embedder('multilingual', …).
MULTILINGUAL = Thresholds(
    edge=0.55,
    floor=0.043,
    link=0.727,
    extend=0.727,
    context_duplicate=0.845,
    merge=0.88,
    ingest_duplicate=0.92,
    origin="measured for universal-sentence-encoder-multilingual-v3 on the pairs that ship with PMG",
)
_MEASURED = {bundled.SHA256: BUNDLED, multilingual.FINGERPRINT: MULTILINGUAL}


def thresholds_for(name: str, fingerprint: str, calibrated: Thresholds | None = None) -> Thresholds:
    """What `pmg calibrate` measured, if it has run; else what belongs to the model; else the published values."""
    if calibrated is not None:
        return calibrated
    if fingerprint in _MEASURED:
        return _MEASURED[fingerprint]
    if name.rsplit("/", 1)[-1].lower() == PUBLISHED_MODEL:
        return PUBLISHED
    values = {field.name: getattr(PUBLISHED, field.name) for field in fields(PUBLISHED)}
    return Thresholds(**values | {"origin": f"published for BGE-m3, not measured for {name}: run `pmg calibrate`"})
