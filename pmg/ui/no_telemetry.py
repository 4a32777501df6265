"""The page's library is told not to report home, not to share and not to keep what is typed, before it is imported.

Only for a process that shows the page: a program that imports `pmg` may use gradio as it likes. pmg/base/no_telemetry.py has the rest.
Switched off in code and not only in documentation: nobody has to remember it, and an environment that says otherwise is overruled.
"""

from __future__ import annotations

import os

SWITCHES = {
    "GRADIO_ANALYTICS_ENABLED": "False",  # else two outside hosts are looked up at the start
    "GRADIO_ANALYTICS_CACHE_FREQUENCY": "1000000000",  # else every click sums up all clicks before it for a page we do not serve
    "GRADIO_RUN_HISTORY": "False",  # else what is typed is kept in the browser, and a bucket is offered for it
    "GRADIO_SHARE": "False",
    "GRADIO_SSR_MODE": "False",
    "GRADIO_MCP_SERVER": "False",
    "GRADIO_FLAGGING_MODE": "never",
}
# An environment must not open folders to the page, nor turn on what runs code from it.
UNSET = (
    "GRADIO_ALLOWED_PATHS",
    "GRADIO_ROOT_PATH",
    "GRADIO_SHARE_SERVER_ADDRESS",
    "GRADIO_HISTORY_BUCKET",
    "GRADIO_VIBE_MODE",
    "GRADIO_HOT_RELOAD",
    "GRADIO_WATCH_DIRS",
    "GRADIO_NUM_WORKERS",
    "GRADIO_API_SERVER",
    "GRADIO_DEBUG",
)


def disable_telemetry() -> None:
    os.environ.update(SWITCHES)
    for name in UNSET:
        os.environ.pop(name, None)
