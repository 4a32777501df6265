"""A day with PMG in one process and its children: every command, a server with its page, chat and upkeep, a notebook.

    python -m tests.server.journey FOLDER

Run by test_nothing_leaves.py inside a network that leads nowhere. It prints the commands it tried, one a line.
"""

from __future__ import annotations

import functools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import nbformat
from nbclient import NotebookClient

from pmg import sample
from pmg.cli import main as run_words
from pmg.client import discovery
from pmg.ingest import model_in_force

ROOT = Path(__file__).resolve().parent.parent.parent
TIMEOUT = 300.0


def commands(folder: Path) -> list[list[str]]:
    talk = folder / "talk.txt"
    talk.write_text("User: Anna moved to Lisbon.\nAssistant: Noted.\n", encoding="utf-8")
    (folder / "notes.md").write_text("# Bread\n\nSourdough needs a warm kitchen and time.\n", encoding="utf-8")
    copy, notes = str(folder / "copy.duckdb"), str(folder / "notes.md")
    return [
        ["--home", str(folder / "sample"), "demo"],  # a memory of its own: the others need not be large
        ["remember", "--user", "hello", "--assistant", "hi"],
        ["learn", notes],
        ["import", str(talk)],
        ["recall", "Where does Anna live?"],
        ["sessions"],
        ["stats"],
        ["doctor"],
        ["sql", "FROM v_sessions LIMIT 1"],
        ["report", str(folder / "state.html")],
        ["export", str(folder / "vault")],
        ["config"],
        ["calibrate"],
        ["watch", "--once"],
        ["notebooks", str(folder / "notebooks")],
        ["connect"],
        ["token", "list"],
        ["ask", "who lives in Lisbon?"],
        ["people", "list"],
        ["people", "reconcile"],
        ["people", "extract"],
        ["steward", "plan"],
        ["steward", "run", "--yes"],
        ["steward", "review"],
        ["steward", "topics"],
        ["backup", copy],
        ["rebuild"],
        ["redact", "--rescan", "--yes"],
        ["redact", "--sealed"],
        ["forget", "--query", "Lisbon", "--yes"],
        ["restore", copy, "--yes"],
        ["encrypt"],
        ["decrypt"],
    ]


def shorten_the_sample() -> None:
    """What a command asks of the network does not hang on how many sessions it reads, and the model takes a second for ten of them."""
    some = sample.sessions()[:10]
    sample.sessions = lambda: some


def keep_the_model() -> None:
    """Loaded by the first command that needs it and not by each: what it asks of the network it asks then."""
    model_in_force.open_embedder = functools.cache(model_in_force.open_embedder)


def tried(words: list[str]) -> None:
    try:
        run_words(words)
    except SystemExit as end:
        assert end.code in (0, None), f"{words} ended with {end.code}"
    named = words[2:] if words[0] == "--home" else words
    print(f"tried {named[0]} {named[1] if named[0] == 'steward' else ''}".strip(), flush=True)


def serve(home: Path) -> None:
    process = subprocess.Popen([sys.executable, str(ROOT / "app.py"), "--port", "0"])
    try:
        found = up(home)
        with httpx.Client(
            base_url=found.address,
            headers={"authorization": f"Bearer {found.token}"},
            timeout=TIMEOUT,
            trust_env=False,
        ) as client:
            assert "gradio" in client.get("/").text
            assert client.post(
                "/api/v1/remember", json={"user": "My bike is a red Cube", "assistant": "noted"}
            ).is_success
            assert client.post("/api/v1/recall", json={"query": "which bike do I have?"}).is_success
            assert client.post("/api/v1/steward/run", json={}).is_success
            told = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "which bike do I have?"}
            assert client.post("/hooks/claude-code", json=told).is_success
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(TIMEOUT) == 0
    print("tried serve", flush=True)


def up(home: Path) -> discovery.RunningServer:
    end = time.monotonic() + TIMEOUT
    while True:
        assert time.monotonic() < end, "the server did not come up"
        found = discovery.find(home)
        try:
            if found is not None and json.loads(httpx.get(found.address + "/healthz", trust_env=False).text)["ready"]:
                return found
        except httpx.TransportError:
            pass
        time.sleep(0.2)


def notebook() -> None:
    file = ROOT / "notebooks" / "01_quick_start.ipynb"
    NotebookClient(
        nbformat.read(file, as_version=4), timeout=TIMEOUT, resources={"metadata": {"path": str(ROOT)}}
    ).execute()
    print("tried notebook", flush=True)


def main(folder: Path) -> None:
    home = Path(os.environ["PMG_HOME"])
    shorten_the_sample()
    keep_the_model()
    for words in commands(folder):
        tried(words)
    serve(home)
    notebook()
    assert sample.questions()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
