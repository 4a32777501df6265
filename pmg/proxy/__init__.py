"""The proxy: a model's API under `/u/NAME/…`, passed on byte for byte, and what was said remembered beside it."""
