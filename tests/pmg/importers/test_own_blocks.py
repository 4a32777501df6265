"""What this memory told a tool is not stored again when the tool's transcript comes in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from pmg.engine import Engine
from pmg.importers.import_run import import_paths


def test_a_recall_in_a_transcript_is_not_stored_again(open_engine: Callable[..., Engine], tmp_path: Path) -> None:
    engine = open_engine()
    with engine.session(session_id="first") as opened:
        opened.add(user="my cat is called Minka", assistant="noted")
    block = engine.recall("cat").context
    assert "Minka" in block
    lines = [
        {"type": "user", "message": {"role": "user", "content": f"{block}\nwhat is my pet called?"}},
        {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "recall", "input": {"question": "pet"}}]}},
        {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": block}]}]}},
        {"type": "assistant", "message": {"role": "assistant", "content": "You told me in spring."}},
    ]  # fmt: skip
    file = tmp_path / "talk.jsonl"
    rows = [{**one, "uuid": f"u{n}", "parentUuid": f"u{n - 1}" if n else None, "sessionId": "later", "timestamp": f"2026-03-03T10:00:0{n}Z"} for n, one in enumerate(lines)]  # fmt: skip
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_paths(engine, [file])
    later = [s for session in engine.sessions() if session.id != "first" for s in engine.reads.segments_of(session.id)]
    said = "\n".join(line.text for segment in later for line in segment.lines)
    assert "what is my pet called?" in said and "You told me in spring." in said
    assert "Minka" not in said and "<memory" not in said
