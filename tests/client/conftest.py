"""The running server of tests/server, for the client's tests too."""

from __future__ import annotations

from tests.server.conftest import served

__all__ = ["served"]
