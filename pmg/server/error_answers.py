"""The one shape of an error over HTTP: `{"error": sentence, "type": class}`. The sentence names the value and the mend.

Knows: which status an error of ours has. The type is the name of a class in pmg/base/errors.py, so that a client can raise the same.
"""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import JSONResponse

from pmg.base.errors import (
    AccessDenied,
    DiskFull,
    InputError,
    ModelUnavailable,
    NotFound,
    PmgError,
    StoreBusy,
)

_STATUS: tuple[tuple[type[PmgError], int], ...] = (
    (NotFound, 404),
    (AccessDenied, 403),
    (StoreBusy, 409),
    (DiskFull, 507),
    (ModelUnavailable, 503),
    (PmgError, 400),
)
_TYPES: dict[int, type[PmgError]] = {
    400: InputError,
    401: AccessDenied,
    403: AccessDenied,
    404: NotFound,
    405: InputError,
    409: StoreBusy,
    413: InputError,
    422: InputError,
    503: StoreBusy,
}


class AsciiJson(JSONResponse):
    """Whatever is stored can be told: half a character, as broken exports hold them, is written as JSON escapes it."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()


def error_answer(said: str, status: int, headers: dict[str, str] | None = None) -> AsciiJson:
    kind = _TYPES.get(status, PmgError)
    return AsciiJson({"error": said, "type": kind.__name__}, status, headers)


def answer_of(error: PmgError) -> AsciiJson:
    status = next(code for kind, code in _STATUS if isinstance(error, kind))
    return AsciiJson({"error": str(error), "type": type(error).__name__}, status)
