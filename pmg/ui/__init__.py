"""The web page: one file a tab. Nothing is built at import, and importing this package imports no gradio."""

from __future__ import annotations

from pmg.ui.gradio_import import without_stubs
from pmg.ui.no_telemetry import disable_telemetry

disable_telemetry()  # before any module of this room can import gradio, in the server and in a notebook alike
without_stubs()
