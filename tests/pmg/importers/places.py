"""Where the fixtures are (our own, committed; the shared ones may be absent), and how laws are tried."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[3]
OWN = ROOT / "tests" / "data" / "exports"
SHARED = ROOT.parent / "shared" / "data"

# A busy machine is no fault of the code: no deadline, and a slow draw is no failure.
unhurried = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
