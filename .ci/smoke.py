"""Waits for the server that was just started, reads its page with the token of server.json, and stops it.

Used by .github/workflows/ci.yml: PMG_PORT and PMG_HOME say which server.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

ADDRESS = f"http://127.0.0.1:{os.environ['PMG_PORT']}"
NOTE = Path(os.environ["PMG_HOME"]) / "server.json"
PATIENCE = 300  # seconds


def seen(path: str, wanted: str, token: str = "") -> None:
    """Until the answer holds what is wanted."""
    end = time.monotonic() + PATIENCE
    told: object = "no answer"
    while time.monotonic() < end:
        asked = urllib.request.Request(ADDRESS + path, headers={"authorization": f"Bearer {token}"} if token else {})
        try:
            told = urllib.request.urlopen(asked, timeout=10).read().decode()
        except OSError as problem:
            told = problem
        if isinstance(told, str) and wanted in told:
            print(f"{path}: {len(told)} characters", flush=True)
            return
        time.sleep(0.3)
    sys.exit(f"{path} did not come: {told}")


if __name__ == "__main__":
    seen("/healthz", "ok")
    seen("/", "window.gradio_config", json.loads(NOTE.read_text(encoding="utf-8"))["token"])
    subprocess.run([sys.executable, "-c", "from pmg.cli import main; main()", "serve", "--stop"], check=True)
