"""The log: private, rotated, without what was said and without keys."""

from __future__ import annotations

import asyncio
import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from pmg.base.errors import InputError
from pmg.server.logs import FILE, log_to_file, stop_logging

SAID = "my sister lives in Lisbon"
SECRET = "ghp_" + "a1B2c3D4e5F6" * 3


@pytest.fixture
def written(tmp_path: Path) -> Iterator[Path]:
    before = os.umask(0)
    handler = log_to_file(tmp_path, 1)
    yield tmp_path / "logs" / FILE
    stop_logging(handler)
    os.umask(before)


def test_an_exception_is_there_with_its_place_and_without_its_words(written: Path) -> None:
    log = logging.getLogger("pmg.test")
    try:
        try:
            raise ValueError(SAID)
        except ValueError as first:
            raise InputError(f"{SAID!r} cannot be taken") from first
    except InputError as error:
        log.exception("a handler failed")
        log.error("%s failed: %s\n%s", "merge", error, f'Traceback:\n  File "x.py", line 3\nValueError: {SAID}')
    text = written.read_text()
    assert "a handler failed" in text
    assert "InputError" in text and "ValueError" in text and "caused by" in text
    assert "test_logs.py" in text
    assert SAID not in text and "Lisbon" not in text


def test_keys_and_tokens_are_not_written(written: Path) -> None:
    log = logging.getLogger("pmg.test")
    log.info("asked for /?token=%s&x=1", "abc123def")
    log.warning("the key is %s", SECRET)
    log.warning("Authorization: Bearer %s", "abcdef123456")
    text = written.read_text()
    assert "abc123def" not in text and SECRET not in text and "abcdef123456" not in text
    assert "asked for /?token=…&x=1" in text


def test_the_file_is_private_whatever_the_umask_and_rotates(written: Path) -> None:
    log = logging.getLogger("pmg.test")
    for _ in range(300):
        log.info("%s", "x y " * 2_000)
    files = sorted(written.parent.iterdir())
    assert len(files) > 1
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in files)
    assert all(file.stat().st_size <= 1_000_000 for file in files)
    assert stat.S_IMODE(written.parent.stat().st_mode) == 0o700


def test_libraries_are_heard_from_warnings_up(written: Path) -> None:
    logging.getLogger("httpx").info("GET somewhere")
    logging.getLogger("uvicorn.error").warning("odd")
    assert "somewhere" not in written.read_text()
    assert "odd" in written.read_text()


def test_streams_that_are_cut_at_the_end_are_no_errors(written: Path) -> None:
    log = logging.getLogger("uvicorn.error")
    log.error("Cancel %s running task(s), timeout graceful shutdown exceeded", 1)
    try:
        raise asyncio.CancelledError
    except asyncio.CancelledError:
        log.exception("Exception in ASGI application")
    try:
        raise ValueError
    except ValueError:
        log.exception("Exception in ASGI application, of another kind")
    text = written.read_text()
    assert "Cancel" not in text and text.count("Exception in ASGI application") == 1 and "ValueError" in text
