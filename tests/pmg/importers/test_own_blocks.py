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


def test_a_call_of_a_tool_of_ours_is_not_stored_and_another_tool_is(
    open_engine: Callable[..., Engine], tmp_path: Path
) -> None:
    """As Claude Code writes it: the call, a result with links to memories, an error of its own, an answer."""
    engine = open_engine()
    calls = [
        {"type": "tool_use", "id": "t1", "name": "mcp__pmg__recall", "input": {"question": "which pet"}},
        {"type": "tool_use", "id": "t2", "name": "mcp__notes__recall", "input": {"about": "the garden"}},
    ]
    results = [
        {"type": "tool_result", "tool_use_id": "t1", "content": "[Resource link: a] pmg://segment/seg_x_0"},
        {"type": "tool_result", "tool_use_id": "t2", "content": "Roses by the wall."},
    ]
    lines = [
        {"type": "user", "message": {"role": "user", "content": "what is my pet called?"}},
        {"type": "assistant", "message": {"role": "assistant", "content": calls}},
        {"type": "user", "message": {"role": "user", "content": results}},
        {"type": "assistant", "isApiErrorMessage": True, "message": {"role": "assistant", "content": "Not logged in"}},
        {"type": "assistant", "message": {"role": "assistant", "content": "It is Minka."}},
    ]
    file = tmp_path / "talk.jsonl"
    rows = [{**one, "uuid": f"u{n}", "parentUuid": f"u{n - 1}" if n else None, "sessionId": "s", "timestamp": f"2026-03-03T10:00:0{n}Z"} for n, one in enumerate(lines)]  # fmt: skip
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_paths(engine, [file])
    said = [line for s in engine.sessions() for one in engine.reads.segments_of(s.id) for line in one.lines]
    assert [line.text for line in said if line.speaker.startswith("mcp__")] == [
        '{"about":"the garden"}',
        "Roses by the wall.",
    ]
    assert not any("pmg" in line.text for line in said)
    assert {line.text: line.speaker for line in said}["Not logged in"] != "Claude"
    assert {line.text: line.speaker for line in said}["It is Minka."] == "Claude"


def test_a_codex_rollout_leaves_out_our_tools_and_what_the_program_counts(
    open_engine: Callable[..., Engine], tmp_path: Path
) -> None:
    engine = open_engine()
    told = {"type": "function_call", "name": "recall", "namespace": "mcp__pmg", "arguments": "{}", "call_id": "c1"}
    other = {"type": "function_call", "name": "look", "namespace": "mcp__notes", "arguments": "{}", "call_id": "c2"}
    about = "<skills_instructions>\nmany skills\n</skills_instructions>"
    rules = "<permissions instructions>\nno sandbox\n</permissions instructions>"
    items = [
        *(
            {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": text}]}
            for text in (about, rules)
        ),
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Which bike do I have?"}]},
        told,
        {"type": "function_call_output", "call_id": "c1", "output": "Wall time: 0.1 seconds\npmg://segment/seg_x_0"},
        other,
        {"type": "function_call_output", "call_id": "c2", "output": "A red one."},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "A Cube."}]},
    ]
    rows: list[dict[str, object]] = [
        {"type": "session_meta", "payload": {"id": "s1", "timestamp": "2026-03-03T10:00:00Z"}}
    ]
    rows += [{"type": "response_item", "timestamp": "2026-03-03T10:00:01Z", "payload": item} for item in items]
    rows.append({"type": "token_usage_record", "payload": {"response_id": "r", "usage": {"total_tokens": 2}}})
    file = tmp_path / "rollout.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_paths(engine, [file])
    said = [line for s in engine.sessions() for one in engine.reads.segments_of(s.id) for line in one.lines]
    assert [(line.speaker, line.text) for line in said] == [
        ("User", "Which bike do I have?"),
        ("mcp__notes__look", "{}"),
        ("mcp__notes__look", "A red one."),
        ("Codex", "A Cube."),
    ]


def test_what_gemini_cli_tells_its_model_before_the_first_word_is_no_word_of_the_person(
    open_engine: Callable[..., Engine], tmp_path: Path
) -> None:
    engine = open_engine()
    context = "<session_context>\nThis is the Gemini CLI. Today is Monday.\n</session_context>"
    call = {"name": "mcp_pmg_recall", "args": {"question": "bike"}, "result": [{"functionResponse": {"name": "mcp_pmg_recall", "response": {"output": "pmg://segment/seg_x_0"}}}]}  # fmt: skip
    rows = [
        {"sessionId": "g1", "projectHash": "h", "startTime": "2026-03-03T10:00:00Z"},
        {"$set": {"messages": [{"id": "m0", "type": "user", "content": [{"text": context}]}]}},
        {"id": "m1", "type": "user", "content": [{"text": "Which bike do I have?"}]},
        {"id": "m2", "type": "gemini", "content": "", "toolCalls": [call]},
        {"id": "m3", "type": "user", "content": [{"functionResponse": call["result"][0]["functionResponse"]}]},  # type: ignore[index]
        {"id": "m4", "type": "gemini", "content": "A red Cube."},
    ]
    file = tmp_path / "session.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_paths(engine, [file])
    [session] = engine.sessions()
    said = [(line.speaker, line.text) for one in engine.reads.segments_of(session.id) for line in one.lines]
    assert said == [("User", "Which bike do I have?"), ("Gemini", "A red Cube.")]
    assert session.title == "Which bike do I have?"
