"""The web page: one file a tab. Nothing is built at import, and importing this package imports no gradio."""
