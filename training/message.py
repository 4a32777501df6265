"""`python -m training.message`: teaches what a sentence wants (pmg/ingest/intent.npz), from our own data alone, in a minute on one core, and measures it.

A line of data/messages stands for many: `[a|b]` is either, `{then}` a time of periods.txt. Told lines and questions come from data/reading and the sets of
data/dialogues.jsonl other than T to W. held_out.txt and the sets T to W are kept back to measure with.
"""

from __future__ import annotations

import hashlib
import io
import json
import random
import re
import sys
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from benchmarks.lives import ME, parse
from pmg.base.sentences import pieces
from pmg.ingest import intent
from pmg.ingest.intent import ASKING, BUCKETS, INTENTS, KNOWN_BUCKETS, Intent, Weights, buckets_of, features
from training.questions import HELD_OUT

ROOT = Path(__file__).parent.parent
MESSAGES, LIVES, DIALOGUES = ROOT / "data" / "messages", ROOT / "data" / "reading", ROOT / "data" / "dialogues.jsonl"
OUT = ROOT / "pmg" / "ingest" / intent.FILE
WAYS = 24  # in which a line of data/messages is said
HELD = "held_out"
EVEN = 0.8  # 1: those of a kind weigh as much as those of another
BEGINS = 5  # marked questions that begin with a word
MIN_TOLD = 4  # words
COMMON = 25  # times that a word is taught: rarer ones are blotted out
SEEN = 3  # times that a feature is taught
SHARES = {"reading": 0.4, "messages": 0.6}  # of what is taught
L2 = 3e-7
MOST = 9_000  # sentences told, and as many asked: more say the same
STEPS = 120
SMALL = 1  # of 127: weights no larger are left out
_EITHER = re.compile(r"\[([^\[\]]*)\]")
_PERIOD = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Message:
    text: str
    says: Intent
    source: str
    weight: float = 1.0


# what is taught


def messages(held_out: bool, ways: int = WAYS) -> Iterator[Message]:
    """A line's ways weigh together as much as those of another, and the lines of a kind as much as those of another."""
    files = [file for file in sorted(MESSAGES.glob("*.txt")) if file.stem != "periods"]
    kept = [one for file in files if (file.stem == HELD) == held_out for one in _of_file(file)]
    counts = Counter(says for says, _, _ in kept)
    for says, line, language in kept:
        said = list(dict.fromkeys(_ways(line, language, ways)))
        for text in said:
            yield Message(text, says, "messages", 1 / len(said) / counts[says] ** EVEN)


def _of_file(file: Path) -> Iterator[tuple[Intent, str, str]]:
    says = Intent.TOLD
    for row in file.read_text(encoding="utf-8").splitlines():
        if row.startswith("## "):
            says = Intent(row[3:].strip())
        elif row.strip() and not row.startswith("#"):
            yield says, row, " de" if "german" in file.stem else ""


def _ways(line: str, language: str, count: int) -> Iterator[str]:
    chance = random.Random(line)
    times = periods()
    for _ in range(count):
        text = _PERIOD.sub(lambda found: chance.choice(times[found[1] + language]), line)
        while _EITHER.search(text):
            text = _EITHER.sub(lambda found: chance.choice(found[1].split("|")), text)
        yield text


def periods() -> dict[str, list[str]]:
    rows = (row.split(": ", 1) for row in (MESSAGES / "periods.txt").read_text(encoding="utf-8").splitlines())
    return {name: times.split("|") for name, times in rows}


def of_lives() -> Iterator[Message]:
    asked, told = [], []
    for file in sorted(LIVES.glob("*.txt")):
        for life in parse(file.read_text(encoding="utf-8")):
            told += [line.text for line in life.lines if line.speaker == ME]
            asked += [question.text for question in life.questions]
    yield from _told_and_asked(told, asked)


def of_dialogues(held_out: bool) -> Iterator[Message]:
    told, asked = [], []
    for row in DIALOGUES.read_text(encoding="utf-8").splitlines():
        dialogue = json.loads(row)
        if (HELD_OUT.match(dialogue["part"]) is not None) != held_out:
            continue
        for step in dialogue["steps"]:
            if "say" in step:
                is_asked = any(name in step for name in ("must", "first_must", "must_not", "tone"))
                (asked if is_asked else told).append(step["say"])
    yield from _told_and_asked(told, asked)


def _told_and_asked(told: Sequence[str], asked: Sequence[str]) -> Iterator[Message]:
    """By sentences. Without a mark a question is one that begins as marked ones do; a few words that somebody told may be thanks."""
    marked = Counter(text.lower().split()[0] for text in asked if text.endswith("?"))
    for text in asked:
        is_one = text.endswith("?") or marked[text.lower().split()[0]] >= BEGINS
        if is_one and len(_sentences(text)) == 1 and "," not in text:
            yield Message(text, Intent.QUESTION, "reading")
    for text in told:
        for sentence in _sentences(text):
            if sentence.endswith("?"):
                yield Message(sentence, Intent.QUESTION, "reading")
            elif len(sentence.split()) >= MIN_TOLD:
                yield Message(sentence, Intent.TOLD, "reading")


def _sentences(text: str) -> list[str]:
    return [piece for start, end in pieces(text) if (piece := text[start:end].strip())]


def said_otherwise(one: Message, chance: random.Random) -> Iterator[Message]:
    """As people type: without its mark, in small letters, with two letters changed."""
    yield one
    bare = one.text.rstrip(".?! ")
    if bare and bare != one.text and one.says not in (Intent.GREETING,):
        yield replace(one, text=bare)
    if chance.random() < 0.5:
        yield replace(one, text=(bare or one.text).lower())
    if one.says is Intent.TOLD and chance.random() < 0.3 and bare == one.text:
        yield replace(one, text=f"{bare}.")
    if chance.random() < 0.15:
        yield replace(one, text=_mistyped(one.text, chance))


def _mistyped(text: str, chance: random.Random) -> str:
    words = text.split(" ")
    at = chance.randrange(min(3, len(words)))
    word = words[at]
    if len(word) > 2:
        place = chance.randrange(len(word) - 1)
        words[at] = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    return " ".join(words)


# teaching


def taught() -> tuple[list[Message], NDArray[np.bool_]]:
    """Our messages, and what was told and asked elsewhere: without questions that by our messages alone ask for a time or are something else."""
    chance = random.Random(0)
    said = [*of_lives(), *of_dialogues(held_out=False)]
    chance.shuffle(said)
    known = known_words(said)
    ours = [other for one in messages(held_out=False) for other in said_otherwise(one, chance)]
    asked = [one for one in said if one.says is Intent.QUESTION][:MOST]
    first = fit(ours, known)
    plain = [
        one
        for one in asked
        if INTENTS[int(intent.chances_by(first, one.text).argmax())] in (Intent.QUESTION, Intent.TOLD)
    ]
    told = [one for one in said if one.says is Intent.TOLD][:MOST]
    return [*ours, *(other for one in (*told, *plain) for other in said_otherwise(one, chance))], known


def known_words(said: Sequence[Message]) -> NDArray[np.bool_]:
    counts = Counter(word for one in said for word in set(map(intent.plain, intent.words(one.text))))
    known = np.zeros(KNOWN_BUCKETS, np.bool_)
    for word, count in counts.items():
        if count >= COMMON and word[:1].isalpha():
            known[zlib.crc32(word.encode()) % KNOWN_BUCKETS] = True
    return known


def fit(given: Sequence[Message], known: NDArray[np.bool_]) -> Weights:
    """Logistic regression: the weights that make what was taught likeliest and stay small."""
    rows = [buckets_of(features(one.text, known)) for one in given]
    seen = np.bincount(np.concatenate(rows), minlength=BUCKETS) >= SEEN
    matrix = _matrix(rows)[:, np.flatnonzero(seen)]
    target = np.eye(len(INTENTS))[[INTENTS.index(one.says) for one in given]]
    weight, width = _weights(given)[:, None], matrix.shape[1]

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        w, bias = flat[:-1], flat[-1]
        scores = matrix @ w + bias
        scores -= scores.max(axis=1, keepdims=True)
        logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
        error = weight * (np.exp(logs) - target)
        slope = np.vstack((matrix.T @ error + L2 * w, error.sum(axis=0)))
        return -(weight * logs * target).sum() + L2 / 2 * (w**2).sum(), slope

    def flat_loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        value, slope = loss(flat.reshape(width + 1, -1))
        return value, slope.ravel()

    start = np.zeros((width + 1) * len(INTENTS))
    found = minimize(flat_loss, start, jac=True, method="L-BFGS-B", options={"maxiter": STEPS}).x.reshape(width + 1, -1)
    scale = np.abs(found[:-1]).max(axis=0) / 127
    weights = np.zeros((BUCKETS, len(INTENTS)), np.int8)
    weights[seen] = np.rint(found[:-1] / scale)
    weights[np.abs(weights) <= SMALL] = 0
    return Weights(weights, scale.astype(np.float32), found[-1].astype(np.float32), known)


def _matrix(rows: Sequence[NDArray[np.int64]]) -> csr_matrix:
    values = np.concatenate([np.full(len(row), len(row) ** -0.5) for row in rows])
    return csr_matrix(
        (values, np.concatenate(rows), np.cumsum([0, *map(len, rows)])), shape=(len(rows), BUCKETS), dtype=np.float64
    )


def _weights(given: Sequence[Message]) -> NDArray[np.float64]:
    weights = np.array([one.weight for one in given])
    for source, share in SHARES.items():
        of_it = np.array([one.source == source for one in given])
        weights[of_it] *= share / max(weights[of_it].sum(), 1e-9)
    return weights


def save(made: Weights) -> bytes:
    out = io.BytesIO()
    np.savez_compressed(out, weights=made.weights, scale=made.scale, bias=made.bias, known=np.packbits(made.known))
    return out.getvalue()


# measuring


def report(name: str, given: Sequence[Message]) -> None:
    """How often the intent is right, and how often it is right whether something is asked."""
    found = [(one, intent.intent(one.text)) for one in given]
    right = sum(one.says is said for one, said in found)
    asks = sum((one.says in ASKING) == (said in ASKING) for one, said in found)
    print(f"{name}: of {len(found)} intent right {right / len(found):.1%}, asked or not {asks / len(found):.1%}")
    if "-v" in sys.argv:
        print("\n".join(f"  {one.says}, taken for {said}: {one.text}" for one, said in found if one.says is not said))


def main() -> None:
    given, known = taught()
    print(Counter(one.says.value for one in given))
    made = fit(given, known)
    data = save(made)
    OUT.write_bytes(data)
    print(f"{len(data):,} bytes, to stand in pmg/ingest/intent.py:\nSHA256 = {hashlib.sha256(data).hexdigest()!r}")
    intent.load = lambda: made
    report("messages never taught", list(messages(held_out=True)))
    report("dialogues T to W", list(of_dialogues(held_out=True)))


if __name__ == "__main__":
    main()
