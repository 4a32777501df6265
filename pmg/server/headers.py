"""The headers every answer carries.

Knows: what the page may load (itself, nothing from outside), who may frame it, what may be kept.
"""

from __future__ import annotations

# gradio's page holds its settings and styles inline, and plotly draws through blobs: hence unsafe-inline. No host but our own is
# named anywhere, so neither stored text nor a mistake of ours can make the browser ask another machine for anything.
_POLICY = (
    "default-src 'self'",
    "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "media-src 'self' data: blob:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "frame-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
)


def policy(frames: tuple[str, ...] = ()) -> str:
    return "; ".join([*_POLICY, f"frame-ancestors {' '.join(frames) or chr(39) + 'none' + chr(39)}"])


def security_headers(path: str, kind: str, frames: tuple[str, ...] = ()) -> list[tuple[bytes, bytes]]:
    """For one answer: `path` was asked for, `kind` is its content type."""
    headers = {
        "content-security-policy": policy(frames),
        "x-content-type-options": "nosniff",
        # same-origin and not no-referrer: with that one a form's Origin is `null`, which the guard refuses.
        "referrer-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    }
    if not frames:
        headers["x-frame-options"] = "DENY"
    if path.startswith("/api/") or kind.startswith(("text/html", "application/json", "text/event-stream")):
        headers["cache-control"] = "no-store"
    return [(name.encode(), value.encode()) for name, value in headers.items()]
