"""How fast redaction is, by kind of text: talk, code, files full of secrets, and text made to be slow.

Every text depends on nothing but a seed, and no line of the ordinary kinds is like another, so that nothing is remembered
from one to the next. Time is that of the processor, on one core. What is found is counted, not judged (tests/pmg/test_redact*.py).
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from benchmarks.imports import answer, question
from pmg.ingest.redact import DEFAULT_RULES, Redactor
from pmg.ingest.redact.rule import ALNUM, HEX, made_up

MB = 1_000_000
GOAL, GOAL_TALK = 5.0, 25.0  # megabytes a second
TALK = "chat"
MESSAGE = 2_000  # characters of a message, where a text is read as messages are
WORDS = "user order cache page index table render filter match total parse queue worker label chart state".split()
VENDORS = "stripe slack github mail maps search backup billing deploy metrics".split()


@dataclass(frozen=True, slots=True)
class RedactionRate:
    """Megabytes a second of processor time, and how many secrets were found, on one kind of text."""

    kind: str
    megabytes: float
    seconds: float
    secrets: int

    @property
    def rate(self) -> float:
        return self.megabytes / self.seconds if self.seconds else 0.0

    @property
    def goal(self) -> float:
        return GOAL_TALK if self.kind == TALK else GOAL


def measure(megabytes: float, redactor: Redactor | None = None, kinds: Sequence[str] = ()) -> Iterator[RedactionRate]:
    """Each kind of text once; another text of the kind comes first, so that every pattern is compiled when the clock starts."""
    worker = redactor or Redactor()
    for kind, make in KINDS.items():
        if kinds and kind not in kinds:
            continue
        size = int(megabytes * MB)
        texts = _messages(make, size) if kind == TALK else [_text(make, size)]
        worker.redact(_text(make, size, seed=1))
        begun = time.process_time()
        found = sum(sum(worker.redact(text).counts.values()) for text in texts)
        seconds = time.process_time() - begun
        yield RedactionRate(kind, sum(map(len, texts)) / MB, seconds, found)


Maker = Callable[[random.Random, int], str]  # a piece of text: with dice, and the number of the piece


def _text(make: Maker, size: int, seed: int = 7) -> str:
    dice, pieces, written = random.Random(seed), [], 0
    for number in count():
        piece = make(dice, number)
        pieces.append(piece)
        written += len(piece)
        if written >= size:
            return "".join(pieces)[:size]
    return ""


def _messages(make: Maker, size: int) -> list[str]:
    text = _text(make, size)
    return [text[start : start + MESSAGE] for start in range(0, len(text), MESSAGE)]


def _value(dice: random.Random, size: int, alphabet: str = ALNUM) -> str:
    return "".join(dice.choices(alphabet, k=size))


def _chat(dice: random.Random, number: int) -> str:
    return f"{question(dice)}\n\n{answer(dice)}\n\n"


def _code(dice: random.Random, number: int) -> str:
    one, two = dice.choice(WORDS), dice.choice(WORDS)
    return (
        f"def {one}_{two}_{number}(self, {two}: str, limit: int = {dice.randrange(100)}) -> list[str]:\n"
        f'    """Return the {two} of every {one} that the {dice.choice(WORDS)} holds."""\n'
        f"    {one} = self.{one}s.get({two}, default=None)\n"
        f"    if {one} is None or len({one}.{two}) > limit:\n"
        f'        raise ValueError(f"no {one} {{{two}!r}} in the {dice.choice(WORDS)}")\n'
        f"    return [row.{two} for row in {one}.rows[:limit]]\n\n\n"
    )


def _json_names(dice: random.Random, number: int) -> str:
    word = dice.choice(WORDS)
    return (
        f'{{"id": {number}, "token_type": "bearer", "max_tokens": {dice.randrange(9000)}, "password_hint": "{word} {number}", '
        f'"api_key_name": "{word}-{number}", "secret": null, "password": "", "access_token": "<your token>", "key": "{word}"}},\n'
    )


def _env(dice: random.Random, number: int) -> str:
    name = f"{dice.choice(VENDORS)}_{dice.choice(WORDS)}".upper()
    lines = (
        f"{name}_HOST={dice.choice(WORDS)}{number}.internal\n{name}_PORT={dice.randrange(9999)}\n",
        f"{name}_PASSWORD={_value(dice, 14)}\n",
        f"export {name}_SECRET_KEY='{_value(dice, 32)}'\n",
        f"{name}_TOKEN={_value(dice, 40)}\n",
        f"{name}_DEBUG=false\n# how {dice.choice(WORDS)} reaches {dice.choice(WORDS)}\n",
    )
    return dice.choice(lines)


def _json_secrets(dice: random.Random, number: int) -> str:
    return (
        f'{{"name": "{dice.choice(WORDS)}{number}", "password": "{_value(dice, 14)}", "api_key": "{_value(dice, 32)}", '
        f'"region": "eu-{number}", "client_secret": "{_value(dice, 40)}", "timeout": {dice.randrange(90)}}},\n'
    )


def _xml(dice: random.Random, number: int) -> str:
    return (
        f'<server id="{number}">\n  <host>{dice.choice(WORDS)}.internal</host>\n  <user>{dice.choice(WORDS)}</user>\n'
        f"  <password>{_value(dice, 14)}</password>\n  <apiKey>{_value(dice, 32)}</apiKey>\n</server>\n"
    )


def _headers(dice: random.Random, number: int) -> str:
    return (
        f"GET /{dice.choice(WORDS)}/{number} HTTP/1.1\nHost: {dice.choice(WORDS)}.example.org\n"
        f"Authorization: Bearer {_value(dice, 40)}\nCookie: sessionid={_value(dice, 32)}; theme=dark\nAccept: */*\n\n"
    )


def _dense(dice: random.Random, number: int) -> str:
    """An example of every rule, one after the other."""
    rule = DEFAULT_RULES[number % len(DEFAULT_RULES)]
    example = made_up(rule.examples[number // len(DEFAULT_RULES) % len(rule.examples)])
    return f"{number} {example} and {dice.choice(WORDS)}\n"


def _log(dice: random.Random, number: int) -> str:
    return (
        f"2026-03-{dice.randrange(10, 28)}T10:{dice.randrange(10, 59)}:07Z INFO request={_value(dice, 32, HEX)} "
        f"GET https://api.example.org/v1/{dice.choice(WORDS)}/{number}?page={dice.randrange(50)} 200 {dice.randrange(900)}ms\n"
    )


def _repeated(unit: str) -> Maker:
    return lambda dice, number: unit * 200


KINDS: dict[str, Maker] = {
    TALK: _chat,
    "code": _code,
    "logs and addresses": _log,
    "JSON full of names": _json_names,
    "JSON full of secrets": _json_secrets,
    "env files": _env,
    "XML": _xml,
    "HTTP headers": _headers,
    "every rule in turn": _dense,
    "`eyJ` without end": _repeated("eyJ"),
    "`AKIA` without end": _repeated("AKIA"),
    '`password="` without end': _repeated('password="'),
    "`my password is ` without end": _repeated("my password is "),
    "`Authorization: ` without end": _repeated("Authorization: "),
    "`http://a:b@` without end": _repeated("http://a:b@"),
}
