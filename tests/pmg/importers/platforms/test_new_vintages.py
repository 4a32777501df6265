"""What platforms write since 2026, and forms that only tools around them write: read to the letter."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from pmg.importers.conversation import Conversation, Problem
from pmg.importers.read import read
from pmg.importers.reading.local_times import looks_like_time, parse_local
from pmg.importers.reading.wrappers import wraps
from tests.pmg.importers.memory import chat
from tests.pmg.importers.places import OWN


def only(path: Path) -> Conversation:
    (found,) = [result for result in read([path]) if isinstance(result, Conversation)]
    return found


def said(conversation: Conversation) -> list[tuple[str, str]]:
    return [(str(message.role), message.text) for message in conversation.messages]


def test_chatgpt_keeps_what_stands_only_beside_its_messages() -> None:
    found = only(OWN / "chatgpt/2026-asides.json")
    assert [role for role, _ in said(found)] == [
        *("system", "user", "user", "thinking", "tool", "tool", "tool", "tool", "assistant", "assistant")
    ]
    assert [text for _, text in said(found)][1:] == [
        "[image: file-service://file-old, 320×200, 900 bytes]",
        "When is high water?",
        "Tables first, then the moon.",
        "Tide tables\nhttps://tides.example/bay\nHigh water 06:12",
        "Bay tides\nhttps://tides.example/bay",
        "[image: sediment://file_s1, 1024×768]",
        "372",
        "# Tides\n\nThe moon pulls twice a day.",
        "At 06:12.",
    ]
    assert [message.speaker for message in found.messages][4:8] == ["web.run", "computer.get", "computer.get", "python"]


def test_a_deep_research_report_is_found_in_the_words_of_its_widget_too(tmp_path: Path) -> None:
    report = {"content": {"content_type": "text", "parts": ["# Reefs"]}}
    talk = chat("c1", [("Look into reefs.", "x")])
    told = talk["mapping"]["mc1-1"]["message"]
    told["author"] = {"role": "tool", "name": "api_tool"}
    told["content"]["parts"] = ["The latest state of the widget is: " + json.dumps({"report_message": report})]
    file = tmp_path / "conversations.json"
    file.write_text(json.dumps([talk]), encoding="utf-8")
    assert said(only(file))[-1] == ("assistant", "# Reefs")
    assert said(only(file))[1][0] == "tool"  # the words themselves stay


@pytest.mark.parametrize(
    ("path", "title", "lines"),
    [
        ("chatgpt/textdoc.json", "Packing list", [("document", "# Packing list\n\n- a torch\n- two ropes")]),
        ("chatgpt/deep-research.dat", "Tides", [("assistant", "# Tides\n\nThe moon pulls twice a day.")]),
        ("chatgpt/web-answer.json", "Wrapped", [("user", "Is this wrapped?"), ("assistant", "Twice.")]),
        ("claude-code/bare.jsonl", "Sort the charts.", [("user", "Sort the charts."), ("assistant", "Sorted by bay.")]),
        ("claude-code/web-session.json", "Count the buoys.", [("user", "Count the buoys."), ("assistant", "Eleven.")]),
        (
            "deepseek/2025-chain.json",
            "Lamps",
            [
                ("user", "Which lamp?"),
                ("thinking", "Green is starboard."),
                ("assistant", "The green one."),
                ("user", "And oil?"),
            ],
        ),
        (
            "grok/2026.json",
            "Wind",
            [
                ("user", "Is there wind?"),
                ("tool", 'Asking the buoy.\n{"wind":"2 kn"}'),
                ("assistant", "A light one."),
                ("tool", "Buoy 7\nhttps://wind.example\n2 knots"),
                ("user", "And tomorrow?"),
                ("document", "[attachment: asset-1]"),
                ("system", "overloaded"),
            ],
        ),
        (
            "codex/rollout-2026.jsonl",
            "How deep is the bay?",
            [
                ("system", "<recommended_plugins>\nnone\n</recommended_plugins>"),
                ("user", "How deep is the bay?\n"),
                ("thinking", "Look at the chart."),
                ("tool", '{"query":"depth"}'),
                ("tool", '{"type":"function","name":"sounder"}'),
                ("tool", '{"where":"bay"}'),
                ("tool", "7 m"),
                ("tool", "[image: a chart of the bay]"),
                ("assistant", "Seven metres."),
            ],
        ),
    ],
)
def test_a_new_form_is_read_to_the_letter(path: str, title: str, lines: list[tuple[str, str]]) -> None:
    found = only(OWN / path)
    assert (found.title, said(found)) == (title, lines)


def test_claude_code_tells_a_persons_words_from_the_programs() -> None:
    found = only(OWN / "claude-code/session-2026.jsonl")
    assert found.title == "Mooring the boat"  # not a summary of another session, not a command
    assert not found.branches
    assert [(str(m.role), m.text.split("<")[0] or m.kind) for m in found.messages][1:] == [
        ("user", "command"),
        ("tool", "command_output"),
        ("user", "Moor the boat."),
        ("document", "knots = 2"),
        ("thinking", "Two knots."),
        ("tool", '{"file_path":"moor.py"}'),
        ("tool", "knots = 2"),
        ("user", "Use three knots."),
        ("system", "queued_command"),
        ("assistant", "Three knots it is."),
        ("system", "Conversation compacted"),
        ("system", "This session is being continued: the boat was moored."),
        ("user", "And the anchor?"),
        ("user", "The small anchor, I mean."),  # it has the name of the message before it
        ("assistant", "Dropped."),
    ]


def test_transcripts_that_name_no_session_stay_apart(tmp_path: Path) -> None:
    rows = (OWN / "claude-code/bare.jsonl").read_text(encoding="utf-8")
    (tmp_path / "a.jsonl").write_text(rows, encoding="utf-8")
    (tmp_path / "b.jsonl").write_text(rows.replace("charts", "ropes"), encoding="utf-8")
    names = [result.origin_id for result in read([tmp_path]) if isinstance(result, Conversation)]
    assert len(set(names)) == 2


def test_a_verb_that_stands_last_is_learnt_and_the_east_reads_its_clock_its_own_way() -> None:
    found = [result for result in read([OWN / "takeout/MyActivity-ko.html"]) if isinstance(result, Conversation)]
    assert [text for talk in found for _, text in said(talk)] == [
        *("바람은?", "약합니다.", "닻은 얼마나 무거운가요?", "십 킬로.", "배가 가라앉나요?", "아니요.")
    ]
    assert [str(talk.created_at) for talk in found] == ["2026-07-18 00:05:00+09:00", "2026-07-18 15:30:00+09:00"]


@pytest.mark.parametrize(
    ("written", "instant"),
    [
        ("18 juil. 2026, 15:31:22 CEST", "2026-07-18 15:31:22+02:00"),
        ("7 paź 2026, 08:00:00 CEST", "2026-10-07 08:00:00+02:00"),
        ("18 de jul. de 2026, 15:31:22 BRT", "2026-07-18 15:31:22-03:00"),
        ("18 июл. 2026 г., 15:31:22 MSK", "2026-07-18 15:31:22+03:00"),
        ("2026年7月18日 15:31:22 CST", "2026-07-18 15:31:22+08:00"),
        ("2026年7月18日 下午3:31:22 [CST]", "2026-07-18 15:31:22+08:00"),
        ("18.7.2026 klo 15.31.22 EEST", "2026-07-18 15:31:22+03:00"),
        ("18 Jul 2026 15.31.22 WIB", "2026-07-18 15:31:22+07:00"),
        ("18 ก.ค. 2569 15:31:22 GMT+07:00", "2026-07-18 15:31:22+07:00"),
        ("Jul 18, 2026, 12:05:00\u202fAM PDT", "2026-07-18 00:05:00-07:00"),
    ],
)
def test_a_time_is_read_as_its_country_writes_it(written: str, instant: str) -> None:
    assert looks_like_time(written)
    assert str(parse_local(written)) == instant


@pytest.mark.parametrize(
    ("start", "cut"),
    [
        (b'{"user": {"a": {"b": "}{"}}, "conversations": [ {"id"', True),
        (b'{"conversations": [{"id"', True),
        (b'{"title": "x \\"conversations\\": [{", "mapping": {}}', False),
        (b'{"messages": [], "conversations": [{"id"', False),
        (b'{"conversations": [], "other": [{"id"', False),
        (b'{"meta": {"open', False),
    ],
)
def test_an_object_is_cut_up_only_where_it_wraps_conversations(start: bytes, cut: bool) -> None:
    assert wraps(start) is cut


def test_every_conversation_inside_an_object_comes_in_and_the_platforms_form_counts_before_a_copy(
    tmp_path: Path,
) -> None:
    one, two = chat("c1", [("First?", "Yes.")]), chat("c2", [("Second?", "Too.")])
    copy = {"messages": [{"role": "user", "content": "First?"}, {"role": "assistant", "content": "Yes."}]}
    file = tmp_path / "capture.json"
    file.write_text(json.dumps({"seen": copy, "raw": {"by_id": {"c1": one, "c2": two}}}), encoding="utf-8")
    results = list(read([file]))
    assert [result.origin_id for result in results if isinstance(result, Conversation)] == ["c1", "c2"]
    assert not [result for result in results if isinstance(result, Problem)]


def test_a_note_with_bold_labels_is_no_talk_between_people(tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text(
        "# Boat\n\n**Status:** open\n**Owner:** Ana\n**Length:** 9 m\n\n**Status:** sold\n", encoding="utf-8"
    )
    assert [str(message.role) for message in only(note).messages] == ["document"]


def test_long_chains_cost_their_length_and_not_its_square(tmp_path: Path) -> None:
    count = 20_000
    rows = [
        {
            "type": "user",
            "uuid": f"m{n}",
            "parentUuid": f"m{n - 1}" if n else None,
            "sessionId": "s",
            "isSidechain": n > 0,
        }
        | {"message": {"role": "user", "content": f"line {n}"}}
        for n in range(count)
    ]
    (tmp_path / "agent.jsonl").write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    nodes = {
        str(n): {"parent": str(n - 1), "message": {"content": f"line {n}", "reasoning_content": None}}
        for n in range(count)
    }
    talk = [{"id": "d", "title": "Long", "inserted_at": "2025-02-01T10:00:00Z", "mapping": nodes}]
    (tmp_path / "deepseek.json").write_text(json.dumps(talk), encoding="utf-8")
    begun = time.process_time()
    code, deep = sorted((r for r in read([tmp_path]) if isinstance(r, Conversation)), key=lambda r: r.source)
    assert time.process_time() - begun < 20  # the square of the length took minutes
    assert len(code.messages) + len(code.branches[0].messages) == len(deep.messages) == count
    assert [str(message.role) for message in deep.messages[:2]] == ["user", "assistant"]


def test_tool_calls_written_into_an_open_webui_answer_get_their_role_and_lose_no_letter(tmp_path: Path) -> None:
    thought = '<details type="reasoning" done="true" duration="2">\n<summary>Thought</summary>\n> depth\n</details>\n'
    call = '<details type="tool_calls" done="true" name="sounder" arguments="{&quot;at&quot;: &quot;bay&quot;}" result="7">\n</details>'
    rows = {
        "u": {"id": "u", "parentId": None, "role": "user", "content": "How deep?", "timestamp": 1772000000},
        "a": {"id": "a", "parentId": "u", "role": "assistant", "content": f"{thought}{call}\nSeven.", "model": "m"},
    }
    file = tmp_path / "chat-export.json"
    file.write_text(
        json.dumps([{"id": "o", "title": "Depth", "chat": {"history": {"currentId": "a", "messages": rows}}}])
    )
    found = only(file)
    assert [(str(m.role), m.speaker) for m in found.messages] == [
        *(("user", "User"), ("thinking", "m"), ("tool", "sounder"), ("assistant", "m"))
    ]
    assert "".join(m.text for m in found.messages[1:]) == f"{thought}{call}\nSeven.".replace(
        "</details>\n<", "</details><"
    )


def test_messages_that_name_no_parent_follow_each_other(tmp_path: Path) -> None:
    lines = ["One?", "Two.", "Three?"]
    who = ["user", "assistant", "user"]
    nodes = {
        f"n{2 - n}": {
            "message": {"author": {"role": who[n]}, "content": {"parts": [lines[n]]}, "create_time": 1.7e9 + n}
        }
        for n in (2, 0, 1)
    }
    rows = {f"n{n}": {"id": f"n{n}", "role": who[n], "content": lines[n]} for n in range(3)}
    flat = [{"messageId": f"n{n}", "isCreatedByUser": n != 1, "text": lines[n]} for n in range(3)]
    talks = [
        {"title": "Bare", "id": "c", "mapping": nodes},
        {"id": "o", "title": "Bare", "chat": {"history": {"messages": rows}}},
        {"conversationId": "l", "title": "Bare", "messages": flat},
    ]
    for number, talk in enumerate(talks):
        file = tmp_path / f"{number}.json"
        file.write_text(json.dumps([talk]), encoding="utf-8")
        assert [text for _, text in said(only(file))] == lines, talk
        assert not only(file).branches


def test_chatgpt_nodes_without_parents_stand_as_they_are_where_a_message_has_no_time(tmp_path: Path) -> None:
    lines = ["One?", "Two.", "Three?"]
    messages = [
        {"author": {"role": who}, "content": {"parts": [line]}, "create_time": at}
        for who, line, at in zip(("user", "assistant", "user"), lines, (1.7e9 + 2, None, 1.7e9), strict=True)
    ]
    nodes = {f"n{number}": {"message": message} for number, message in enumerate(messages)}
    file = tmp_path / "conversations.json"
    file.write_text(json.dumps([{"title": "Bare", "id": "c", "mapping": nodes}]), encoding="utf-8")
    assert [text for _, text in said(only(file))] == lines
    assert not only(file).branches


def test_the_items_of_an_open_webui_answer_count_before_its_text_unless_it_was_changed(tmp_path: Path) -> None:
    items = [
        {"type": "reasoning", "content": [{"type": "output_text", "text": "Look outside"}], "summary": None},
        {"type": "function_call", "call_id": "c", "name": "weather", "arguments": '{"at":"bay"}'},
        {"type": "function_call_output", "call_id": "c", "output": [{"type": "input_text", "text": "18 C"}]},
        {"type": "message", "content": [{"type": "output_text", "text": "It is warm."}]},
    ]
    shown = '<details type="tool_calls"><summary>Tool Executed</summary>"18 C"</details>It is warm.'
    found = {}
    for name, content in (("same", shown), ("changed", "It is cold.")):
        row = {"id": "a", "parentId": None, "role": "assistant", "content": content, "output": items, "model": "m"}
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps([{"id": name, "chat": {"history": {"currentId": "a", "messages": {"a": row}}}}]))
        found[name] = said(only(file))
    assert found["same"] == [
        *(("thinking", "Look outside"), ("tool", '{"at":"bay"}'), ("tool", "18 C"), ("assistant", "It is warm."))
    ]
    assert found["changed"] == [("assistant", "It is cold.")]


def test_a_session_of_deepseeks_page_and_a_chatbot_ui_history_are_found_inside_their_objects(tmp_path: Path) -> None:
    rows = [
        {"message_id": 1, "parent_id": None, "role": "USER", "fragments": [{"type": "REQUEST", "content": "Deep?"}]},
        {
            "message_id": 2,
            "parent_id": 1,
            "role": "ASSISTANT",
            "fragments": [{"type": "RESPONSE", "content": "Old try."}],
        },
        {
            "message_id": 3,
            "parent_id": 1,
            "role": "ASSISTANT",
            "fragments": [{"type": "RESPONSE", "content": "Seven."}],
        },
    ]
    head = {"id": "d", "title": "Depth", "current_message_id": 3, "inserted_at": 1763826110.6}
    page = tmp_path / "page.json"
    page.write_text(
        json.dumps({"code": 0, "data": {"biz_data": {"chat_session": head, "chat_messages": rows}}}, indent=1)
    )
    found = only(page)
    assert (found.source, said(found)) == ("deepseek", [("user", "Deep?"), ("assistant", "Seven.")])
    assert [branch.messages[0].text for branch in found.branches] == ["Old try."]
    talk = {"id": "h", "name": "Hello", "prompt": "Be brief.", "model": {"id": "x", "name": "X-1"}}
    talk["messages"] = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]
    history = tmp_path / "history.json"
    prompts = [{"id": "p", "name": "Prompt 1", "content": "Not said by anybody."}]
    history.write_text(json.dumps({"version": 4, "history": [talk], "folders": [], "prompts": prompts}, indent=1))
    assert said(only(history)) == [("system", "Be brief."), ("user", "Hi"), ("assistant", "Hello.")]


def activity(**fields: object) -> dict[str, object]:
    row: dict[str, object] = {"header": "Gemini Apps", "title": "Prompted read it", "products": ["Gemini Apps"]}
    return row | {"time": "2025-07-01T10:00:00.000Z", "safeHtmlItem": [{"html": "<p>A bill.</p>"}]} | fields


@pytest.mark.parametrize(
    ("fields", "lines"),
    [
        (
            {
                "attachedFiles": ["bill-1f.jpg", "menu.pdf"],
                "subtitles": [{"name": "Attached 2 files."}, {"name": "-  bill.jpg", "url": "bill-1f.jpg"}],
            },
            ["read it", "[attachment: bill.jpg]", "[attachment: menu.pdf]", "A bill."],
        ),
        ({"attachedFiles": [{"name": "bill.jpg"}]}, ["read it", "[attachment: bill.jpg]", "A bill."]),
        (
            {
                "subtitles": [{"name": "Attached 1 file."}, {"name": "-  bill.jpg", "url": "bill.jpg"}],
                "safeHtmlItem": [],
            },
            ["read it", "[attachment: bill.jpg]"],
        ),
        ({"subtitles": [{"name": "A bill.", "url": "https://x.example"}], "safeHtmlItem": []}, ["read it", "A bill."]),
    ],
)
def test_files_of_a_takeout_row_are_kept_by_their_names(
    tmp_path: Path, fields: dict[str, object], lines: list[str]
) -> None:
    file = tmp_path / "MyActivity.json"
    file.write_text(json.dumps([activity(**fields)]), encoding="utf-8")
    assert [text for _, text in said(only(file))] == lines


def test_a_memory_of_claude_calls_its_projects_by_their_names(tmp_path: Path) -> None:
    memory = {"account_uuid": "a", "project_memories": {"p-1": "Three beds.", "p-2": "Unknown here."}}
    (tmp_path / "memories.json").write_text(json.dumps([memory]), encoding="utf-8")
    project = {"uuid": "p-1", "name": "Moving house", "docs": [{"uuid": "d", "filename": "a.md", "content": "Boxes."}]}
    (tmp_path / "projects.json").write_text(json.dumps([project]), encoding="utf-8")
    found = {each.title: each for each in read([tmp_path]) if isinstance(each, Conversation)}
    speakers = [message.speaker for message in found["Memories"].messages]
    assert speakers == ["Memory of project Moving house", "Memory of project p-2"]
