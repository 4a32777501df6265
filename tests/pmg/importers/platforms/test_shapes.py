"""Shapes in which a platform's words were once lost, taken for somebody else's, or put in the wrong order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pmg.importers.conversation import Conversation, Problem
from pmg.importers.read import read
from tests.pmg.importers.memory import chat

TEA = [("user", "How long does green tea take?"), ("assistant", "Three minutes.")]
MAST = [("user", "How tall is the mast?"), ("assistant", "Twelve metres.")]
ACTIVITY = {"header": "Gemini Apps", "title": "Prompted How tall is the mast?", "time": "2026-01-05T09:00:00Z"}


def written(folder: Path, content: Any) -> Path:
    """A text as it is, a tuple as lines of JSON, anything else as one JSON value."""
    file = folder / "export"
    if isinstance(content, tuple):
        content = "".join(json.dumps(row) + "\n" for row in content)
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return file


def everything(file: Path) -> list[Conversation]:
    """Every conversation of a file in which nothing is unknown."""
    results = list(read([file]))
    assert not [result for result in results if isinstance(result, Problem)]
    found = [result for result in results if isinstance(result, Conversation)]
    assert not [name for each in found for name in each.counts if name.startswith("unknown")]
    return found


def said(conversation: Conversation) -> list[tuple[str, str]]:
    return [(message.role.value, message.text) for message in conversation.messages]


def times(conversation: Conversation) -> list[str]:
    return [f"{message.at:%d %H:%M:%S}" if message.at else "" for message in conversation.messages]


def kimi(*times: object, words: Any) -> dict[str, Any]:
    """Kimi's messages, the newest first."""
    rows = zip(("user", "assistant"), ("How long does green tea take?", "Three minutes."), times, strict=True)
    messages = [{"role": role, "create_time": at, "blocks": [words(text)]} for role, text, at in rows]
    return {"title": "Tea", "messages": messages[::-1]}


def aistudio(*chunks: dict[str, Any]) -> dict[str, Any]:
    return {"runSettings": {"model": "models/m"}, "chunkedPrompt": {"chunks": list(chunks)}}


def pi(own: str, parent: str | None, **message: Any) -> dict[str, Any]:
    """A message of pi's, and of droid's, which were made alike."""
    return {"type": "message", "id": own, "parentId": parent, "timestamp": "2026-01-05T09:00:01Z", "message": message}


def deepseek(*fragments: dict[str, Any], at: str) -> dict[str, Any]:
    message = {"inserted_at": None, "updated_at": at, "fragments": list(fragments)}
    return {"id": "d1", "title": "Tides", "updated_at": at, "mapping": {"1": {"id": "1", "message": message}}}


TWO_TALKS = """# Boat

**You:**
Date: 2026-01-05 09:00

Is the hull dry?

**Claude:**
Date: 2026-01-05 09:01

It is.

# Checks
Dry below, dry above.

# Garden

**You:**
Date: 2026-01-06 10:00

Is the soil wet?

**Claude:**
Date: 2026-01-06 10:02

A little.
"""
CLOCKS = """# Lamps

### USER (Jan 5, 2026, 9:00 PM)

Which lamp?

### Assistant (9:01 PM)

The green one.

### USER (21:05:10)

Sure?
"""
# Fields of a summary, which are nobody's names: once in each part, or among the words of a chat that has both its sides.
FIELDS = "# Runs\n\n" + "".join(f"## {day}\n\n**Turns:** 12\n**Result:** done\n\n" for day in ("Mon", "Tue", "Wed"))
ANSWERS = (
    "**User:** Which?\n\n**Assistant:** Both.\n\n**Pros:** light\n\n**Cons:** dear\n\n**Pros:** dry\n\n**Cons:** cold\n"
)
QUERY = "<user_query>\nSort the ropes.\n</user_query>"
KEY = [("user", "Where is the key?"), ("assistant", "On the hook.")]

NAMIB = [
    *(("user", "where is the Namib?"), ("assistant", "In Namibia.")),
    *(("user", "and its capital?"), ("assistant", "Windhoek.")),
]
TURNS = [
    [["c_9a", "r_2"], None, [["and its capital?"], 1], [[["rc_2", ["Windhoek."]]]], [1746090100, 5]],
    [["c_9a", "r_1"], None, [["where is the Namib?"], 1], [[["rc_1", ["In Namibia."]]]], [1746090000, 7]],
]
ANSWER = [["wrb.fr", "hNvQHb", json.dumps([TURNS, None, None]), None, None, None, "generic"], ["di", 40]]
BODY = ")]}'\n\n900\n" + json.dumps(ANSWER)
RECEIVED: dict[str, Any] = {
    "without its guard": ANSWER,
    "the payload alone": [TURNS],
    "as a field": {"rpc": "hNvQHb", "payload": [TURNS]},
    "as a text in a field": {"url": "https://gemini.example/batchexecute", "body": BODY},
    "in an archive of requests": {"log": {"entries": [{"response": {"content": {"text": BODY}}}]}},
}
PAGE = """<!DOCTYPE html><html><head><title>ChatGPT Data Export</title></head><body><div id="root">
<div class="conversation"><h4>Lamps</h4>
<pre class="message"><div class="author">user</div><div>Which lamp is
starboard &amp; green, &lt;b&gt;?</div></pre>
<pre class="message"><div class="author">ChatGPT</div><div>The <b>green</b> one.</div></pre></div>
<div class="conversation"><h4>Ropes</h4><pre class="message"><div class="author">user</div><div>How many?</div></pre></div>
</div></body></html>"""

SHAPES: dict[str, tuple[Any, str, list[tuple[str, str]]]] = {
    "takeout with the answer as description": (
        [{**ACTIVITY, "description": "Twelve metres.", "products": ["Gemini Apps"]}],
        "gemini",
        MAST,
    ),
    "takeout with one answer that is no list": (
        [{**ACTIVITY, "safeHtmlItem": {"htmlValue": "<p>Twelve metres.</p>"}}],
        "gemini",
        MAST,
    ),
    "words in parts, and a call as it was first written": (
        {
            "messages": [
                {"role": "user", "contentParts": [{"type": "text", "text": "Where is the key?"}]},
                {"role": "assistant", "content": None, "function_call": {"name": "look", "arguments": "{}"}},
                {"role": "assistant", "contentParts": [{"type": "text", "text": "On the hook."}]},
            ]
        },
        "generic",
        [("user", "Where is the key?"), ("tool", "{}"), ("assistant", "On the hook.")],
    ),
    "takeout with the answer among details": (
        [{**ACTIVITY, "details": [{"name": "Response", "value": "Twelve metres."}]}],
        "gemini",
        MAST,
    ),
    "takeout with question and answer among details": (
        [
            {
                **ACTIVITY,
                "title": "Used Gemini Apps",
                "details": [
                    {"name": "Prompt", "value": "How tall is the mast?"},
                    {"name": "Response", "value": "Twelve metres."},
                    {"name": "From Gemini"},
                ],
            }
        ],
        "gemini",
        MAST,
    ),
    "kimi with numbers for times": (
        kimi(1767600000, 1767600060.5, words=lambda text: {"text": {"content": text}}),
        "kimi",
        TEA,
    ),
    "kimi with question and answer in one second": (
        {
            "title": "Tea",
            "messages": [
                {"role": "assistant", "create_time": 2_000_000_060, "blocks": [{"text": {"content": "Yes."}}]},
                {"role": "user", "create_time": 2_000_000_060, "blocks": [{"text": {"content": "Sure?"}}]},
                {
                    "role": "assistant",
                    "create_time": 2_000_000_000,
                    "blocks": [{"text": {"content": "Three minutes."}}],
                },
                {"role": "user", "create_time": 2_000_000_000, "blocks": [{"text": {"content": TEA[0][1]}}]},
            ],
        },
        "kimi",
        [*TEA, ("user", "Sure?"), ("assistant", "Yes.")],
    ),
    "plain blocks, newest first": (
        kimi(1767600000, 1767600060, words=lambda text: {"type": "text", "content": text}),
        "generic",
        TEA,
    ),
    "codex items that say no type": (
        (
            {"timestamp": "2026-01-05T09:00:00Z", "type": "session_meta", "payload": {"id": "s1"}},
            {"type": "response_item", "payload": {"role": "user", "content": [{"text": "List the ropes."}]}},
            {"type": "response_item", "payload": {"summary": [{"text": "Look first."}]}},
            {"type": "response_item", "payload": {"name": "ls", "arguments": '{"in":"hold"}', "call_id": "c1"}},
            {"type": "response_item", "payload": {"call_id": "c1", "output": "two"}},
            {"type": "response_item", "payload": {"role": "assistant", "content": [{"text": "Two ropes."}]}},
        ),
        "codex",
        [
            *(("user", "List the ropes."), ("thinking", "Look first.")),
            *(("tool", '{"in":"hold"}'), ("tool", "two"), ("assistant", "Two ropes.")),
        ],
    ),
    "ai studio with files and thoughts among the parts": (
        aistudio(
            {
                "role": "user",
                "text": "How tall is the mast?",
                "parts": [
                    {"text": "How tall is the mast?"},
                    {"inlineData": {"mimeType": "image/png", "data": "aGVsbG8="}},
                    {"fileData": {"mimeType": "application/pdf", "fileUri": "https://files.example/1"}},
                ],
            },
            {
                "role": "model",
                "text": "Count the rungs.\n\nTwelve metres.",
                "parts": [{"text": "Count the rungs.\n\n", "thought": True}, {"text": "Twelve metres."}],
            },
        ),
        "aistudio",
        [
            MAST[0],
            *(("user", "[file: image/png]"), ("user", "[file: https://files.example/1, application/pdf]")),
            *(("thinking", "Count the rungs.\n\n"), MAST[1]),
        ],
    ),
    "deepseek with a file among the fragments": (
        [
            deepseek(
                {"type": "FILE", "file_name": "tides.pdf", "content": "High at six."},
                {"type": "FILE", "file_name": "moon.png", "file_size": 70},
                {"type": "REQUEST", "content": "When is high water?"},
                at="2026-01-05T09:00:01Z",
            )
        ],
        "deepseek",
        [
            *(("document", "High at six."), ("document", "[attachment: moon.png, 70]")),
            ("user", "When is high water?"),
        ],
    ),
    "perplexity with the answer as one text": (
        {
            "title": "Bees",
            "entries": [
                {
                    "query": "Do bees sleep?",
                    "answer": "At night.",
                    "created_at": "2026-01-05T09:00:00Z",
                    "sources": [{"title": "Bees", "url": "https://bees.example"}],
                },
                {"query": "How long?", "answer": "Five hours.", "created_at": "2026-01-05T09:01:00Z"},
            ],
        },
        "perplexity",
        [
            *(("user", "Do bees sleep?"), ("tool", "Bees\nhttps://bees.example"), ("assistant", "At night.")),
            *(("user", "How long?"), ("assistant", "Five hours.")),
        ],
    ),
    "lines whose type says who speaks": (
        (
            {"type": "human", "text": "Where is the key?"},
            {"type": "tool_use", "name": "look", "input": {"room": "hall"}},
            {"type": "tool_result", "name": "look", "content": [{"type": "text", "text": "a hook"}]},
            {"type": "assistant", "text": "On the hook."},
        ),
        "generic",
        [KEY[0], ("tool", '{"room":"hall"}'), ("tool", "a hook"), KEY[1]],
    ),
    "lines whose words are data": (
        (
            {"type": "human", "data": {"content": "Where is the key?"}},
            {"type": "ai", "data": {"content": "On the hook."}},
        ),
        "generic",
        KEY,
    ),
    "names with a clock": (
        CLOCKS,
        "transcript",
        [("user", "Which lamp?"), ("assistant", "The green one."), ("user", "Sure?")],
    ),
    "fields among the answer's words": (
        ANSWERS,
        "transcript",
        [
            ("user", "Which?"),
            ("assistant", "Both.\n\n**Pros:** light\n\n**Cons:** dear\n\n**Pros:** dry\n\n**Cons:** cold"),
        ],
    ),
    "cursor's agent": (
        (
            {"role": "user", "message": {"content": [{"type": "text", "text": f"<seen>\n</seen>\n{QUERY}"}]}},
            {
                "role": "assistant",
                "message": {"content": [{"type": "tool_use", "name": "Shell", "input": {"c": "ls"}}]},
            },
            {"type": "turn_ended"},
            {"role": "assistant", "message": {"content": [{"type": "text", "text": "Sorted."}]}},
        ),
        "cursor",
        [
            *(("system", "<seen>\n</seen>"), ("user", "Sort the ropes."), ("tool", '{"c":"ls"}')),
            ("assistant", "Sorted."),
        ],
    ),
    "pi": (
        (
            {"type": "session", "version": 3, "id": "p1", "timestamp": "2026-01-05T09:00:00Z", "cwd": "/p"},
            {"type": "model_change", "id": "a0", "parentId": None, "modelId": "m"},
            pi("a1", "a0", role="user", content="Sort the ropes."),
            pi("a2", "a1", role="assistant", content=[{"type": "toolCall", "name": "bash", "arguments": {"c": "ls"}}]),
            pi("a3", "a2", role="toolResult", toolName="bash", content=[{"type": "text", "text": "two"}]),
            pi("b4", "a3", role="assistant", content=[{"type": "text", "text": "By length?"}]),
            pi("a4", "a3", role="assistant", content=[{"type": "text", "text": "Sorted."}]),
            {"type": "compaction", "id": "a5", "parentId": "a4", "summary": "Ropes were sorted."},
            {"type": "session_info", "id": "a6", "parentId": "a5", "name": "Rope work"},
        ),
        "pi",
        [
            *(("user", "Sort the ropes."), ("tool", '{"c":"ls"}'), ("tool", "two")),
            *(("assistant", "Sorted."), ("system", "Ropes were sorted.")),
        ],
    ),
    "droid": (
        (
            {"type": "session_start", "id": "d1", "title": "Rope work", "owner": "mira", "cwd": "/p"},
            pi("m1", None, role="user", content=[{"type": "text", "text": "<system-reminder>\nBe kind."}]),
            pi("m2", "m1", role="user", content=[{"type": "text", "text": "Sort the ropes."}]),
            pi("m3", "m2", role="assistant", content=[{"type": "text", "text": "Sorted."}]),
        ),
        "droid",
        [("system", "<system-reminder>\nBe kind."), ("user", "Sort the ropes."), ("assistant", "Sorted.")],
    ),
    "codex exec": (
        (
            {"type": "thread.started", "thread_id": "t1"},
            {"type": "turn.started"},
            {"type": "item.completed", "item": {"type": "reasoning", "text": "Look first."}},
            {"type": "item.started", "item": {"type": "command_execution", "command": "ls"}},
            {
                "type": "item.completed",
                "item": {"type": "command_execution", "command": "ls", "aggregated_output": "two"},
            },
            {"type": "item.completed", "item": {"type": "web_search", "query": "ropes"}},
            {"type": "item.completed", "item": {"type": "agent_message", "text": "Two ropes."}},
            {"type": "turn.completed", "usage": {"input_tokens": 1}},
        ),
        "codex",
        [
            *(("thinking", "Look first."), ("tool", "ls"), ("tool", "two"), ("tool", "ropes")),
            ("assistant", "Two ropes."),
        ],
    ),
    "claude -p": (
        {"type": "result", "subtype": "success", "result": "Two ropes.", "session_id": "s1", "usage": {}},
        "claude-code",
        [("assistant", "Two ropes.")],
    ),
    "gemini -p": (
        {"session_id": "s1", "response": "Two ropes.", "stats": {"models": {}}},
        "gemini-cli",
        [("assistant", "Two ropes.")],
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_is_read_to_the_letter(name: str, tmp_path: Path) -> None:
    content, source, lines = SHAPES[name]
    (found,) = everything(written(tmp_path, content))
    assert (found.source, said(found)) == (source, lines)


@pytest.mark.parametrize(
    ("shape", "title", "branches"),
    [("pi", "Rope work", ["By length?"]), ("droid", "Rope work", []), ("codex exec", "Two ropes.", [])],
)
def test_an_agents_session_has_its_title_and_its_branches(
    shape: str, title: str, branches: list[str], tmp_path: Path
) -> None:
    (found,) = everything(written(tmp_path, SHAPES[shape][0]))
    assert found.title == title
    assert [message.text for branch in found.branches for message in branch.messages] == branches


def test_an_answer_alone_does_not_take_the_place_of_its_transcript(tmp_path: Path) -> None:
    for shape in ("codex exec", "claude -p", "gemini -p"):
        (found,) = everything(written(tmp_path, SHAPES[shape][0]))
        assert found.origin_id.startswith("result/")


@pytest.mark.parametrize("name", RECEIVED)
def test_what_geminis_page_received_is_found_however_it_was_saved(name: str, tmp_path: Path) -> None:
    (found,) = everything(written(tmp_path, RECEIVED[name]))
    assert (found.source, found.origin_id, said(found)) == ("gemini", "c_9a", NAMIB)


def test_a_page_of_chatgpt_that_a_browser_saved_is_read_as_it_shows(tmp_path: Path) -> None:
    lamps, ropes = everything(written(tmp_path, PAGE))
    assert (lamps.title, said(lamps)) == (
        "Lamps",
        [("user", "Which lamp is\nstarboard & green, <b>?"), ("assistant", "The green one.")],
    )
    assert (ropes.title, said(ropes)) == ("Ropes", [("user", "How many?")])


def test_a_page_of_chatgpt_is_read_though_a_long_list_of_files_stands_first(tmp_path: Path) -> None:
    files = json.dumps({f"file-{n}": "x" * 60 for n in range(20_000)})
    talk = json.dumps([chat("c1", [("Read this.", "Done.")])])
    page = (
        f"<html><head><title>ChatGPT Data Export</title></head><script>var assetsJson = {files};\nvar jsonData = {talk}"
    )
    (found,) = everything(written(tmp_path, page))
    assert said(found) == [("user", "Read this."), ("assistant", "Done.")]
    (tmp_path / "chat.html").write_text(page)  # beside its data it says everything once more
    (tmp_path / "export").write_text(talk)
    results = list(read([tmp_path]))
    assert [type(result).__name__ for result in results] == ["Conversation", "Problem"]


def test_a_message_has_the_time_that_stands_beside_it_under_any_name(tmp_path: Path) -> None:
    talk = kimi(1767600000, 1767600060, words=lambda text: {"text": {"content": text}})
    (found,) = everything(written(tmp_path, talk))
    assert times(found) == ["05 08:00:00", "05 08:01:00"]
    (found,) = everything(written(tmp_path, [deepseek({"type": "REQUEST", "content": "Why?"}, at="2026-01-05T09:00Z")]))
    assert times(found) == ["05 09:00:00"] and found.updated_at == found.created_at == found.messages[0].at


def test_several_conversations_of_one_file_come_in_each_with_its_times(tmp_path: Path) -> None:
    boat, garden = everything(written(tmp_path, TWO_TALKS))
    assert (boat.title, said(boat)) == (
        "Boat",
        [("user", "Is the hull dry?"), ("assistant", "It is.\n\n# Checks\nDry below, dry above.")],
    )
    assert (garden.title, said(garden)) == ("Garden", [("user", "Is the soil wet?"), ("assistant", "A little.")])
    assert times(boat) + times(garden) == ["05 09:00:00", "05 09:01:00", "06 10:00:00", "06 10:02:00"]


def test_a_clock_beside_a_name_is_of_the_day_named_last(tmp_path: Path) -> None:
    (found,) = everything(written(tmp_path, CLOCKS))
    assert times(found) == ["05 21:00:00", "05 21:01:00", "05 21:05:10"]


def test_words_that_begin_with_a_date_once_keep_it(tmp_path: Path) -> None:
    page = "**You:**\nDate: 2026-01-05\nis in my passport.\n\n**Claude:** So it is.\n\n**You:** Good.\n"
    (found,) = everything(written(tmp_path, page))
    assert said(found)[0] == ("user", "Date: 2026-01-05\nis in my passport.")


def test_fields_of_a_summary_are_nobodys_names_and_people_under_headings_are(tmp_path: Path) -> None:
    (found,) = everything(written(tmp_path, FIELDS))
    assert {role for role, _ in said(found)} == {"document"}
    talk = "## One\n\n**Ana:** hello\n\n**Ben:** hi\n\n**Ana:** so?\n\n**Ben:** so.\n\n## Two\n\n**Ana:** bye\n"
    (found,) = everything(written(tmp_path, talk))
    assert [message.speaker for message in found.messages if message.role.value == "person"] == [
        *("Ana", "Ben", "Ana", "Ben", "Ana")
    ]


def test_the_elements_of_a_page_are_nobodys_words(tmp_path: Path) -> None:
    elements = (
        {"type": "a", "text": "a link"},
        {"type": "q", "text": "a quotation"},
        {"type": "i", "data": {"content": "x"}},
    )
    results = list(read([written(tmp_path, elements)]))
    assert results and all(isinstance(result, Problem) for result in results)


def test_messages_without_an_order_of_time_stay_as_they_stand(tmp_path: Path) -> None:
    rows = [{"role": "user", "content": f"line {n}", "time": f"2026-01-0{day}"} for n, day in enumerate((2, 1, 3))]
    (found,) = everything(written(tmp_path, rows))
    assert [text for _, text in said(found)] == ["line 0", "line 1", "line 2"]


@pytest.mark.parametrize(
    ("pointer", "shown"),
    [
        ({"content_type": "file_asset_pointer", "name": "plan.pdf"}, "[file: plan.pdf, file-service://f1, 900 bytes]"),
        (
            {"content_type": "video_container_asset_pointer", "format": "mp4"},
            "[video: file-service://f1, mp4, 900 bytes]",
        ),
        ({"content_type": "sketch_asset_pointer"}, "[sketch: file-service://f1, 900 bytes]"),
    ],
)
def test_a_pointer_to_a_file_is_shown_as_one_and_is_no_words(
    pointer: dict[str, str], shown: str, tmp_path: Path
) -> None:
    talk = chat("c1", [("Read this.", "Done.")])
    parts = talk["mapping"]["mc1-0"]["message"]["content"]["parts"]
    parts.insert(0, {**pointer, "asset_pointer": "file-service://f1", "size_bytes": 900})
    (found,) = everything(written(tmp_path, [talk]))
    assert said(found)[:2] == [("user", shown), ("user", "Read this.")]


@pytest.mark.parametrize(
    ("name", "title"), [("health", "health"), ("Trip 2024", "Trip 2024"), ("c-17", "How long does green tea take?")]
)
@pytest.mark.parametrize("form", ["messages", "turns", "table"])
def test_a_conversation_that_has_a_name_and_no_title_is_called_so(
    tmp_path: Path, name: str, title: str, form: str
) -> None:
    contents: dict[str, Any] = {
        "messages": tuple({"role": role, "text": text, "conversation": name} for role, text in TEA),
        "turns": ({"session": "s1", "conversation": name, "started_at": "2026-01-05T09:00:00Z"},
                  {"lines": [{"role": role, "text": text} for role, text in TEA]}),
        "table": "role,text,conversation\n" + "".join(f"{role},{text},{name}\n" for role, text in TEA),
    }  # fmt: skip
    (one,) = everything(written(tmp_path, contents[form]))
    assert (one.title, one.origin_id, said(one)) == (title, name, TEA)
