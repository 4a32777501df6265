"""Every library that could report home is told not to, before it is imported.

Knows: the switches of gradio, Hugging Face and their like. Does not know: what they would have sent.
Switched off in code and not only in documentation: nobody has to remember it, and an environment that says otherwise is overruled.
"""

from __future__ import annotations

import os

SWITCHES = {
    "GRADIO_ANALYTICS_ENABLED": "False",  # else two outside hosts are looked up at the start
    "GRADIO_RUN_HISTORY": "False",  # else what is typed is kept in the browser, and a bucket is offered for it
    "GRADIO_SHARE": "False",
    "GRADIO_SSR_MODE": "False",
    "GRADIO_MCP_SERVER": "False",
    "GRADIO_FLAGGING_MODE": "never",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_UPDATE_CHECK": "1",
    "DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
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
