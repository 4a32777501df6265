"""One running server a test file, on the readable stand-in for a model. With the page only where a file says `PAGE = True`."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.browser.conftest import Served, serving


@pytest.fixture(scope="module")
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    values = {"steward": {"enabled": False}, **getattr(request.module, "CONFIG", {})}
    page = getattr(request.module, "PAGE", False)
    yield from serving(tmp_path_factory.mktemp("served") / "memory", values, page=page)


@pytest.fixture
def api(served: Served) -> Iterator[httpx.Client]:
    """A program with the token."""
    known = {"authorization": f"Bearer {served.token}"}
    with httpx.Client(base_url=served.address, headers=known, timeout=60) as client:
        yield client
