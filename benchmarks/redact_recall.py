"""How many secrets of each kind redaction takes out, over values that are made up at run time.

Every sample of the rule tables that has a random body gives several values, each of them in several surroundings that
say nothing of a secret; every name of a password or a token gives several values in the ways assignments are written. A
secret counts as removed when none of its bodies is left. What is taken out wrongly is not measured here
(tests/pmg/test_redact_benign.py).
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pmg.ingest.redact import DEFAULT_RULES, Redactor
from pmg.ingest.redact.rule import ALNUM, assembled
from pmg.ingest.redact.words import PASSWORD_PARTS, TOKEN_PARTS

GOAL = 95.0  # per cent of the secrets of the kinds that the tables name
VALUES = 5  # of each sample
_MIN_BODY_SIZE = 16  # a shorter body may be the number of an account beside the secret
_SIGNS = "!#%+=?@_-"
PASSWORDS_BY_NAME, TOKENS_BY_NAME = "password, by its name", "token, by its name"


@dataclass(frozen=True, slots=True)
class KindRecall:
    """Of one kind: how many texts held a secret, and from how many it was removed."""

    kind: str
    texts: int
    removed: int

    @property
    def percent(self) -> float:
        return 100.0 * self.removed / self.texts if self.texts else 0.0


@dataclass(frozen=True, slots=True)
class PlantedSecret:
    """A text and the pieces of it that must be gone."""

    kind: str
    text: str
    pieces: tuple[str, ...]


def measure(values: int = VALUES, redactor: Redactor | None = None) -> list[KindRecall]:
    """By kind, in the order of the tables."""
    worker, found = redactor or Redactor(), dict[str, list[bool]]()
    for secret in planted(values):
        left = worker.redact(secret.text).text
        found.setdefault(secret.kind, []).append(not any(piece in left for piece in secret.pieces))
    return [KindRecall(kind, len(removed), sum(removed)) for kind, removed in found.items()]


def total(kinds: Sequence[KindRecall]) -> KindRecall:
    return KindRecall("all kinds", sum(kind.texts for kind in kinds), sum(kind.removed for kind in kinds))


def planted(values: int) -> Iterator[PlantedSecret]:
    for rule in DEFAULT_RULES:
        for number, sample in enumerate(rule.examples):
            for value in range(values):
                made = assembled(sample, seed=1000 * number + 17 * value + 50)
                if made.bodies:
                    pieces = tuple(body for body in made.bodies if len(body) >= _MIN_BODY_SIZE)
                    yield from _around(rule.name, made.text, pieces or (max(made.bodies, key=len),))
    yield from _named(PASSWORDS_BY_NAME, sorted(filter(str.isascii, PASSWORD_PARTS)), values, 12)
    yield from _named(TOKENS_BY_NAME, sorted(filter(str.isascii, TOKEN_PARTS)), values, 32)


def _around(kind: str, text: str, pieces: tuple[str, ...]) -> Iterator[PlantedSecret]:
    """Surroundings that neither announce a secret nor change how it is written."""
    surroundings = [
        f"DEBUG=1\n{text}\nPORT=8080\n",
        f"I tried it with {text} and it still fails.",
        json.dumps({"id": 7, "value": text, "note": "from the log"}),
        f"2026-03-11T10:04:07Z WARN upstream said: {text}\n",
    ]
    if not any(sign in text for sign in " \"'\n"):
        surroundings += [f"client = connect('{text}')  # works\n", f"VALUE={text}\n", f"value: {text}\n"]
    for surrounding in surroundings:
        yield PlantedSecret(kind, surrounding, pieces)


def _named(kind: str, names: Sequence[str], values: int, size: int) -> Iterator[PlantedSecret]:
    dice = random.Random(20261116)
    for name in names:
        for number in range(values):
            value = "".join(dice.choices(ALNUM, k=size - 4)) + "".join(dice.choices("123456789", k=2))
            value += "".join(dice.choices(_SIGNS, k=2)) + "x" if number % 2 else "xq"
            for text in _assignments(name, value):
                yield PlantedSecret(kind, text, (value,))


def _assignments(name: str, value: str) -> Iterator[str]:
    yield f"{name.upper()}={value}\n"
    yield f"export MAIL_{name.upper()}='{value}'\n"
    yield json.dumps({"user": "bob", name: value})
    yield f"database:\n  {name}: {value}\n  port: 5432\n"
    yield f'    db_{name} = "{value}"\n'
    yield f"<settings><{name}>{value}</{name}></settings>\n"
    yield f"tool --user bob --{name} {value}\n"
    yield f"The {name}: {value}\n"
