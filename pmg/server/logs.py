"""The log: a rotated file, its owner's alone, without what was said, without keys.

Knows: how a record is made harmless.
An exception's own message may quote what somebody said, so the log keeps its kind and where it happened, and leaves the message out.
"""

from __future__ import annotations

import asyncio
import logging
import logging.handlers
import os
import re
import traceback
from pathlib import Path
from types import TracebackType

from pmg.base.atomic_files import make_private_folder
from pmg.base.filesystem import make_private
from pmg.ingest.redact import Redactor

FILE = "pmg.log"
MAX_OLD_FILES = 5  # older files
MAX_RECORD = 20_000  # characters of a record: a traceback, not a document
_TOKEN = re.compile(
    r"(token|ticket|secret|password|authorization|cookie)([=:]\s*)(?:(?:bearer|basic)\s+)?[^\s&\"']+", re.IGNORECASE
)
_MESSAGE = re.compile(r"^((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*(?:Error|Exception|Warning|Busy|Found|Unavailable|Damaged|Model|New|Exit|Interrupt|Timeout)): .*", re.MULTILINE)  # fmt: skip
_ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class RedactingFormatter(logging.Formatter):
    """Formats a record so that no word of a conversation and no key is in it."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._redactor = Redactor()

    def format(self, record: logging.LogRecord) -> str:
        quiet = logging.makeLogRecord(record.__dict__)
        quiet.exc_text = None
        if isinstance(record.args, tuple):
            quiet.args = tuple(type(a).__name__ if isinstance(a, BaseException) else a for a in record.args)
        text = _MESSAGE.sub(r"\1", super().format(quiet)[:MAX_RECORD])
        return self._redactor.redact(_TOKEN.sub(r"\1\2…", text)).text

    def formatException(self, ei: _ExcInfo) -> str:
        """Where it happened and of what kind: the lines of our source, without the exception's words."""
        kind, error, trace = ei
        parts = []
        while error is not None:
            parts.append("".join(traceback.format_tb(error.__traceback__)) + type(error).__qualname__)
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\ncaused by\n".join(parts) if parts else f"{kind} {trace}"


def is_news(record: logging.LogRecord) -> bool:
    """At the end, streams of pages that are still open are cut: that is meant, and no error to be told with a traceback."""
    is_cut = record.exc_info is not None and record.exc_info[0] is asyncio.CancelledError
    return not (record.name == "uvicorn.error" and (is_cut or "timeout graceful shutdown" in str(record.msg)))


class PrivateFile(logging.handlers.RotatingFileHandler):
    """0600 from its first byte, whatever the umask."""

    def _open(self):  # type: ignore[no-untyped-def]
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        handle = os.open(self.baseFilename, flags, 0o600)
        make_private(handle)
        return os.fdopen(handle, "a", encoding="utf-8", errors="backslashreplace")


def log_to_file(home: Path, megabytes: int) -> logging.Handler:
    """Everything from warnings up, and what PMG itself tells, into logs/pmg.log. Close the handler with `stop_logging`."""
    folder = home / "logs"
    make_private_folder(folder)
    handler = PrivateFile(folder / FILE, maxBytes=megabytes * 1_000_000, backupCount=MAX_OLD_FILES)
    handler.setFormatter(RedactingFormatter())
    handler.addFilter(is_news)
    root = logging.getLogger()
    for other in root.handlers:  # the terminal hears what it heard before, and nothing it could leak either
        other.setLevel(max(other.level, root.level))
        other.setFormatter(RedactingFormatter())
        other.addFilter(is_news)
    root.addHandler(handler)
    for name in ("pmg", "steward"):
        logging.getLogger(name).setLevel(logging.INFO)
    logging.captureWarnings(True)
    return handler


def stop_logging(handler: logging.Handler) -> None:
    logging.getLogger().removeHandler(handler)
    handler.close()
