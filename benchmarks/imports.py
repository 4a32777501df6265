"""How fast a history comes in: a ChatGPT-style export is made, zipped and imported, embedding and linking aside.

Knows: a text of many words that depends on nothing but a seed, in the shape of LongMemEval's chats, and what to time.
Does not know: how good recall is, or how fast embedding is (`python -m benchmarks speed`).
The import runs in a process of its own, so that peak memory is its own; time is CPU time, which a busy machine does not stretch.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.import_floor import floor
from benchmarks.subprocesses import peak_mb
from pmg.config import Config
from pmg.engine import Engine
from pmg.importers.import_run import LINKING, import_paths

MB = 1024 * 1024
GOAL_RATE = 3_000.0  # turns a second, whichever way a turn is counted: a message, or a question with its answer
GOAL_MB = 600.0  # over the engine's own
START = 1_700_000_000.0
TOPICS = "travel cooking gardening running music finance photography history astronomy chess sewing cycling".split()
SUBJECTS = "my sister|our landlord|the new manager|my neighbour Ben|the clinic|our team|the school|my old laptop".split(
    "|"
)
ACTIONS = "moved to|asked about|finally finished|keeps forgetting|wants to change|paid for|recommended|cancelled".split(
    "|"
)
THINGS = (
    "the flat in Porto|a weekly plan|the second draft|her piano lessons|the invoice from March|a train to Lyon".split(
        "|"
    )
)
ADVICE = (
    "Start small and write down what changes from week to week.",
    "It helps to compare two or three options before you decide.",
    "Consider the total cost, including delivery and the time it takes.",
    "A short checklist keeps the steps in order and is easy to share.",
    "If the first attempt fails, change one thing at a time.",
)


@dataclass(frozen=True, slots=True)
class ImportSpeed:
    """`seconds` are of parsing and storing, CPU; indexing words comes after them. A turn is a question with its answer."""

    megabytes: float
    conversations: int
    turns: int
    messages: int
    seconds: float
    wall_seconds: float
    index_seconds: float
    engine_mb: float
    peak_mb: float
    floor_decode: float  # seconds that the JSON decoder alone takes for the same file
    floor_insert: float  # seconds for putting the same rows into empty tables, and nothing else

    @property
    def rate(self) -> float:
        """Turns a second."""
        return self.turns / self.seconds if self.seconds else 0.0

    @property
    def message_rate(self) -> float:
        return self.messages / self.seconds if self.seconds else 0.0

    @property
    def over_mb(self) -> float:
        return self.peak_mb - self.engine_mb

    def text(self) -> str:
        floor = self.floor_decode + self.floor_insert
        return (
            f"{self.messages:,} messages, {self.turns:,} exchanges of question and answer, {self.conversations:,} conversations "
            f"({self.megabytes:.0f} MB of JSON, zipped)\n"
            f"parsed and stored in {self.seconds:.1f} s of CPU ({self.wall_seconds:.1f} s on the clock): "
            f"{self.message_rate:,.0f} messages/s, {self.rate:,.0f} exchanges/s (goal {GOAL_RATE:,.0f} turns/s)\n"
            f"floor: json.loads of the file {self.floor_decode:.1f} s, its rows into empty tables {self.floor_insert:.1f} s; "
            f"the import takes {self.seconds / floor if floor else 0:.1f} times that\n"
            f"words indexed in {self.index_seconds:.1f} s of CPU more\n"
            f"peak memory {self.peak_mb:.0f} MB, {self.over_mb:.0f} MB over the engine's own (goal {GOAL_MB:.0f})"
        )


def sentence(dice: random.Random) -> str:
    return f"{dice.choice(SUBJECTS)} {dice.choice(ACTIONS)} {dice.choice(THINGS)} on day {dice.randrange(1000)}."


def question(dice: random.Random) -> str:
    told = " ".join(sentence(dice).capitalize() for _ in range(dice.randrange(1, 4)))
    return f"{told} What would you do about {dice.choice(TOPICS)} number {dice.randrange(10_000)}?"


def answer(dice: random.Random) -> str:
    """As long as LongMemEval's answers: some 1,500 characters with a list."""
    points = [f"{n}. **{dice.choice(TOPICS).title()}**: {sentence(dice)} {dice.choice(ADVICE)}" for n in range(1, 9)]
    return (
        f"Here is what I would do about {dice.choice(TOPICS)}:\n\n" + "\n".join(points) + f"\n\n{dice.choice(ADVICE)}"
    )


def conversation(number: int, turns: int, dice: random.Random) -> dict[str, Any]:
    """One conversation as ChatGPT exports it: a tree of messages and the node it stands at."""
    at = START + number * 3600.0
    mapping: dict[str, Any] = {f"r{number}": {"id": f"r{number}", "message": None, "parent": None, "children": []}}
    parent = f"r{number}"
    for place in range(2 * turns):
        name = f"m{number}-{place}"
        role = "assistant" if place % 2 else "user"
        text = answer(dice) if place % 2 else question(dice)
        message = {
            "id": name,
            "author": {"role": role, "name": None, "metadata": {}},
            "create_time": at + 30.0 * place,
            "content": {"content_type": "text", "parts": [text]},
            "status": "finished_successfully",
            "metadata": {"model_slug": "gpt-4o"} if place % 2 else {},
            "recipient": "all",
        }
        mapping[name] = {"id": name, "message": message, "parent": parent, "children": []}
        mapping[parent]["children"].append(name)
        parent = name
    return {
        "title": f"{dice.choice(TOPICS).title()} {number}",
        "create_time": at,
        "update_time": at + 60.0 * turns,
        "mapping": mapping,
        "current_node": parent,
        "conversation_id": f"c{number}",
    }


def conversations(megabytes: float, seed: int = 7) -> Iterator[str]:
    """JSON of conversations of some five turns, as LongMemEval's have, until there is enough."""
    dice = random.Random(seed)
    written = number = 0
    while written < megabytes * MB:
        text = json.dumps(conversation(number, dice.randrange(3, 8), dice))
        written += len(text) + 1
        number += 1
        yield text


def make_export(file: Path, megabytes: float) -> None:
    with (
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("conversations.json", "w", force_zip64=True) as out,
    ):
        glue = b"["
        for text in conversations(megabytes):
            out.write(glue + text.encode())
            glue = b","
        out.write(b"]")


def measure(megabytes: float) -> ImportSpeed:
    """Makes the export and measures its import in a fresh process."""
    with tempfile.TemporaryDirectory(prefix="pmg-bench-import-") as folder:
        export = Path(folder) / "export.zip"
        make_export(export, megabytes)
        command = [sys.executable, "-m", "benchmarks.imports", str(export), str(Path(folder) / "home"), str(megabytes)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return ImportSpeed(**json.loads(done.stdout))


def timed(export: Path, home: Path, megabytes: float) -> ImportSpeed:
    """Imports without a model: vectors and links wait, everything else is done."""
    with Engine.open(Config(home), load=False) as engine:
        own = peak_mb()
        marks = [(time.process_time(), time.monotonic())]

        def on_progress(what: str, _done: int, _total: int) -> None:
            if what == LINKING:
                marks.append((time.process_time(), time.monotonic()))

        report = import_paths(engine, [export], progress=on_progress)
        end, peak = time.process_time(), peak_mb()
        messages = engine.reads.counts().lines
    stored, least = marks[1], floor(export, home)
    return ImportSpeed(
        megabytes=megabytes,
        conversations=report.total("conversations"),
        turns=report.turns,
        messages=messages,
        seconds=stored[0] - marks[0][0],
        wall_seconds=stored[1] - marks[0][1],
        index_seconds=end - stored[0],
        engine_mb=own,
        peak_mb=peak,
        floor_decode=least.decode,
        floor_insert=least.insert,
    )


if __name__ == "__main__":
    print(json.dumps(asdict(timed(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3])))))
