"""Figures: pure functions from small dataclasses to plotly figures. Nothing here reads a store."""
