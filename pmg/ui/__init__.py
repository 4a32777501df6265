"""The web page: one file a tab. Nothing is built at import, and importing this package imports no gradio."""

from __future__ import annotations

from pmg.ui.gradio_import import disable_telemetry, without_stubs

disable_telemetry()  # before any module of this room can import gradio, in the server and in a notebook alike
without_stubs()
