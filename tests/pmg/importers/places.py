"""Where the fixtures are: our own, committed, and the shared ones that may be absent."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
OWN = ROOT / "tests" / "data" / "exports"
SHARED = ROOT.parent / "shared" / "data"
