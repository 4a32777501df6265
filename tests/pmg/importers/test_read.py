"""Whatever the bytes are: told by content, read once, bounded, and never an exception."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pmg.importers.conversation import Conversation, Level, Problem
from pmg.importers.detect import conversations
from pmg.importers.read import read
from pmg.importers.reading.archive import Limits
from pmg.importers.turns import sessions_of
from tests.pmg.importers.places import OWN, unhurried

FIXTURES = sorted(path for path in OWN.rglob("*") if path.is_file())
TALK = OWN / "claude/2023-text.json"


def found(*paths: Path) -> list[Conversation]:
    return [result for result in read(paths) if isinstance(result, Conversation)]


def problems(*paths: Path) -> list[Problem]:
    return [result for result in read(paths) if isinstance(result, Problem)]


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name)
def test_the_name_of_a_file_is_never_asked(path: Path, tmp_path: Path) -> None:
    renamed = tmp_path / "download (3)"
    renamed.write_bytes(path.read_bytes())
    ours = [(talk.source, talk.origin_id, talk.title, talk.messages) for talk in found(renamed)]
    assert ours == [(talk.source, talk.origin_id, talk.title, talk.messages) for talk in found(path)]


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name)
def test_small_chunks_give_what_the_whole_file_gives(path: Path) -> None:
    data = path.read_bytes()
    whole = [result for result in conversations([data], "f", Limits()) if isinstance(result, Conversation)]
    chunks = [data[n : n + 1000] for n in range(0, len(data), 1000)]
    assert [r for r in conversations(chunks, "f", Limits()) if isinstance(r, Conversation)] == whole


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_encodings_give_the_same_words(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(TALK.read_text(encoding="utf-8").replace("Old chat", "Œuvre 日本 🎉"), encoding=encoding)
    (talk,) = found(path)
    assert talk.title == "Œuvre 日本 🎉"


def test_bytes_that_are_no_utf8_are_read_as_windows_text_with_a_remark(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_bytes(TALK.read_text(encoding="utf-8").replace("Old chat", "Café – “x”").encode("cp1252"))
    (talk,) = found(path)
    assert talk.title == "Café – “x”"
    assert [(problem.level, "Windows-1252" in problem.reason) for problem in problems(path)] == [(Level.NOTE, True)]


def test_the_same_conversation_comes_once_and_a_changed_one_comes_again(tmp_path: Path) -> None:
    talk = json.loads(TALK.read_text(encoding="utf-8"))
    longer = json.loads(TALK.read_text(encoding="utf-8"))
    longer[0]["chat_messages"].append({"uuid": "m3", "sender": "human", "text": "Thanks.", "created_at": "2023-08-02"})
    (tmp_path / "1.json").write_text(json.dumps(talk), encoding="utf-8")
    (tmp_path / "2.json").write_text(json.dumps(talk, indent=3), encoding="utf-8")
    (tmp_path / "3.json").write_text(json.dumps(longer), encoding="utf-8")
    assert [len(talk.messages) for talk in found(tmp_path)] == [3, 4]
    assert [problem.level for problem in problems(tmp_path)] == [Level.NOTE]


def test_a_newer_export_without_ids_is_the_same_conversation(tmp_path: Path) -> None:
    old = json.loads((OWN / "chatgpt/2023-plain.json").read_text(encoding="utf-8"))
    new = json.loads(json.dumps(old))
    said = {"content_type": "text", "parts": ["One more."]}
    message = {"id": "a0", "author": {"role": "user"}, "create_time": 1684086600.0, "content": said}
    new[0]["mapping"]["a0"] = {"id": "a0", "parent": "a2", "children": [], "message": message}
    new[0] |= {"title": "Renamed", "update_time": 1684086600.0}
    (tmp_path / "1.json").write_text(json.dumps(old), encoding="utf-8")
    (tmp_path / "2.json").write_text(json.dumps(new), encoding="utf-8")
    first, second = found(tmp_path)
    assert first.origin_id == second.origin_id
    assert [sitting.id for sitting in sessions_of(first)] == [sitting.id for sitting in sessions_of(second)]


def test_the_page_of_an_export_is_read_only_where_the_data_beside_it_failed(tmp_path: Path) -> None:
    page = (OWN / "chatgpt/chat.html").read_bytes()
    (tmp_path / "chat.html").write_bytes(page)
    data = tmp_path / "conversations.json"
    data.write_bytes((OWN / "chatgpt/2023-plain.json").read_bytes())
    assert [talk.title for talk in found(tmp_path)] == ["Sourdough"]
    assert ["repeats" in problem.reason for problem in problems(tmp_path)] == [True]
    data.write_bytes((OWN / "chatgpt/broken-halfway.json").read_bytes())
    assert [talk.title for talk in found(tmp_path)] == ["Good one", "Good two", "In a page"]


def test_files_of_an_export_without_conversations_are_told_not_broken(tmp_path: Path) -> None:
    (tmp_path / "users.json").write_text('[{"uuid": "u", "full_name": "Ida", "email_address": "ida@example.org"}]')
    (tmp_path / "user.json").write_text('{"id": "u", "email": "ida@example.org", "chatgpt_plus_user": true}')
    (tmp_path / "readme.txt").write_text("nothing of interest here\n")
    (tmp_path / "empty.json").write_text("[]")
    (tmp_path / "blank.json").write_text(" \n")
    assert found(tmp_path) == []
    assert {problem.level for problem in problems(tmp_path)} == {Level.SKIPPED, Level.UNSUPPORTED}


def test_a_file_in_which_nothing_is_found_is_named_itself(tmp_path: Path) -> None:
    for name, content in (("a/empty.json", b"[]"), ("b/photo.png", b"\x89PNG\0"), ("c/blank.txt", b"")):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_bytes(content)
    files = [tmp_path / "a/empty.json", tmp_path / "b/photo.png", tmp_path / "c/blank.txt"]
    found = {result.file: result.reason for result in read(files) if isinstance(result, Problem)}
    assert sorted(found) == [str(file) for file in files]
    assert found[str(files[0])] == "no conversation is in it"


def test_a_message_of_fifty_megabytes_comes_in_whole(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    words = "tea and “words” " * 3_500_000
    talk = json.loads(TALK.read_text(encoding="utf-8"))
    talk[0]["chat_messages"][0]["text"] = words
    path.write_text(json.dumps(talk, ensure_ascii=False), encoding="utf-8")
    assert path.stat().st_size > 50_000_000
    (big,) = found(path)
    assert big.messages[0].text == words


def test_a_chat_ten_thousand_deep_and_a_nest_too_deep_are_no_danger(tmp_path: Path) -> None:
    nodes = {"0": {"id": "0", "parent": None, "children": ["1"], "message": None}}
    for n in range(1, 10_001):
        said = {"content_type": "text", "parts": [f"line {n}"]}
        author = {"role": "user" if n % 2 else "assistant"}
        nodes[str(n)] = {
            "id": str(n),
            "parent": str(n - 1),
            "children": [],
            "message": {"author": author, "content": said},
        }
    path = tmp_path / "conversations.json"
    nest = "[" * 5000 + "]" * 5000
    path.write_text(f'[{json.dumps({"title": "Deep", "id": "d", "mapping": nodes})}, {{"mapping": {nest}}}]')
    (deep,) = found(path)
    assert len(deep.messages) == 10_000
    tree: dict[str, object] = {"messageId": "x", "text": "last", "sender": "User", "children": []}
    for n in range(150):
        tree = {"messageId": str(n), "text": f"line {n}", "sender": "User", "children": [tree]}
    path.write_text(json.dumps({"conversationId": "l", "title": "Nest", "messages": [tree]}))
    (nested,) = found(path)
    assert len(nested.messages) == 151


@pytest.mark.parametrize("depth", range(850, 1000, 7))
def test_content_nested_just_below_the_limit_is_no_danger(depth: int) -> None:
    nest = "[" * depth + "]" * depth
    message = f'{{"author": {{"role": "user"}}, "content": {{"content_type": "odd", "x": {nest}}}}}'
    node = f'{{"id": "a", "parent": null, "children": [], "message": {message}}}'
    data = f'[{{"title": "t", "id": "i", "mapping": {{"a": {node}}}}}]'.encode()
    assert len(list(conversations([data], "f", Limits()))) == 1


def test_broken_lines_cost_themselves(tmp_path: Path) -> None:
    lines = (OWN / "claude-code/session.jsonl").read_text(encoding="utf-8").splitlines()
    lines[3] = lines[3][:50]
    path = tmp_path / "s.jsonl"
    path.write_text("\n".join(lines) + '\n{"type":"assis', encoding="utf-8")
    (talk,) = found(path)
    assert talk.messages[-1].text == "Done: the parser is fixed."
    assert [problem.position for problem in problems(path)] == ["line 4", "line 16"]


def test_rows_that_nobody_knows_are_kept_raw_up_to_a_bound_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_text(json.dumps([{"colour": n} for n in range(500)]))
    told = problems(path)
    assert sum(problem.count for problem in told) == 500
    assert len(told) < 60
    assert told[0].raw == '{"colour":0}'


@unhurried
@given(st.sampled_from(FIXTURES), st.data())
def test_a_fixture_with_bytes_changed_or_lost_never_raises(path: Path, data: st.DataObject) -> None:
    raw = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, max(0, len(raw) - 1)))
        if data.draw(st.booleans()):
            raw[place : place + data.draw(st.integers(1, 40))] = b""
        elif raw:
            raw[min(place, len(raw) - 1)] = data.draw(st.sampled_from(b'"{}[],:\\x0\xff\n'))
    for result in conversations([bytes(raw)], "f", Limits()):
        assert isinstance(result, Conversation | Problem)
        if isinstance(result, Conversation):
            lines = [line for sitting in sessions_of(result) for turn in sitting.turns for line in turn.lines]
            assert len(lines) == len(result.messages) + sum(len(branch.messages) for branch in result.branches)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**13) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "mapping message author role content parts content_type text chat_messages uuid sender messages chat history "
                "conversationId session lines conversation responses response header title time products type payload "
                "sessionId parent children current_node chunkedPrompt chunks items docs memory attachments files thoughts "
                "haystack_sessions session_1 safeHtmlItem html toolCalls metadata name id fragments timestamp".split()
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=30,
)


@unhurried
@given(st.lists(JUNK, max_size=4), st.booleans())
@example([{"messages": [{"fragments": None}], "mapping": None}], False)
def test_any_json_with_the_words_of_exports_in_it_never_raises(values: list[object], lines: bool) -> None:
    data = "\n".join(json.dumps(value) for value in values).encode() if lines else json.dumps(values).encode()
    for result in conversations([data], "f", Limits()):
        assert isinstance(result, Conversation | Problem)
        if isinstance(result, Conversation):
            lines = [line for sitting in sessions_of(result) for turn in sitting.turns for line in turn.lines]
            assert len(lines) == len(result.messages) + sum(len(branch.messages) for branch in result.branches)


def test_an_empty_chat_of_telegram_without_a_name_is_skipped_and_nothing_is_broken(tmp_path: Path) -> None:
    said = {"id": 1, "type": "message", "date_unixtime": "1675238400", "from": "Olga", "text": "Privet"}
    chats = [
        {"name": "Olga", "type": "personal_chat", "id": 5, "messages": [said]},
        {"name": None, "type": "saved_messages", "id": 6, "messages": []},
    ]
    path = tmp_path / "result.json"
    path.write_text(json.dumps({"chats": {"list": chats}}), encoding="utf-8")
    assert [talk.title for talk in found(path)] == ["Olga"]
    told = [(problem.level, problem.reason) for problem in problems(path)]
    assert told == [(Level.SKIPPED, "the chat 'saved messages' holds no words")]
