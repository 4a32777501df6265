"""export_manifest.json of sharded ChatGPT exports: which files the conversations are in.

Handles the list's form.
"""

from __future__ import annotations

import json

from pmg.importers.reading.fields import items, mapping, text


def shards(start: bytes) -> list[str]:
    """The conversation files that a manifest names; empty where the bytes are no manifest."""
    if b'"logical_files"' not in start[:20_000] or len(start) > 1_000_000:
        return []
    try:
        files = mapping(mapping(json.loads(start)).get("logical_files"))
    except (ValueError, RecursionError):
        return []
    return [
        text(name)
        for key, each in files.items()
        if "conversations" in key
        for name in items(mapping(each).get("files"))
    ]
