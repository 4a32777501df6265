"""Every shared export against a second, simple reading of the same file: counts, order and words must agree."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from pmg.base.model import Role
from pmg.importers.conversation import Conversation, Level, Problem
from pmg.importers.read import read
from pmg.importers.reading.html_text import html_text
from pmg.importers.turns import sessions_of
from tests.pmg.importers.places import SHARED

EXPORTS = SHARED / "exports"
FILES = sorted(path for path in EXPORTS.rglob("*") if path.is_file()) if EXPORTS.is_dir() else []
needs_shared = pytest.mark.skipif(not FILES, reason="the shared exports are not here")


def files(folder: str) -> list[Path]:
    return [path for path in FILES if path.parent.name == folder]


def named(path: Path) -> str:
    return path.stem


def digest(texts: list[str]) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def conversations(path: Path) -> list[Conversation]:
    return [result for result in read([path]) if isinstance(result, Conversation)]


def load(path: Path) -> list[dict[str, Any]]:
    """The file as a list of objects; what is no JSON at all has none."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return []
    return [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict)]


# -- ChatGPT ---------------------------------------------------------------------------------------------------------


def branch(talk: dict[str, Any]) -> list[dict[str, Any]]:
    """The messages from the root to the current node, or to the last leaf where that is not there."""
    nodes = talk["mapping"]
    name = talk.get("current_node")
    if name not in nodes:
        name = [each for each in nodes if not any(child in nodes for child in nodes[each]["children"])][-1]
    path: list[dict[str, Any]] = []
    while name in nodes:
        path.insert(0, nodes[name])
        name = nodes[name]["parent"]
    return [node["message"] | {"node": node["id"]} for node in path if node["message"]]


def written(message: dict[str, Any]) -> str:
    """The words of the plainest content types."""
    content = message["content"]
    kind = content["content_type"]
    if kind in ("text", "multimodal_text"):
        return "\n".join(part for part in content["parts"] if isinstance(part, str))
    return content["text"] if kind in ("code", "execution_output") else ""


@needs_shared
@pytest.mark.parametrize("path", files("chatgpt"), ids=named)
def test_chatgpt_messages_agree_in_number_order_and_words(path: Path) -> None:
    expected = [talk for talk in load(path) if isinstance(talk.get("mapping"), dict)]
    expected = [talk for talk in expected if any(node["message"] for node in talk["mapping"].values())]
    found = conversations(path)
    assert [talk.title for talk in found] == [talk["title"] for talk in expected]
    for talk, source in zip(found, expected, strict=True):
        plain = [(m.get("id") or m["node"], written(m)) for m in branch(source) if written(m).strip()]
        kinds = ("text", "multimodal_text", "code", "tool_call", "execution_output")
        ours = [(m.origin_id, m.text) for m in talk.messages if m.kind in kinds]
        assert [name for name, _ in ours] == [name for name, _ in plain]
        assert digest([text for _, text in ours]) == digest([text for _, text in plain])
        assert talk.counts["messages"] == sum(1 for node in source["mapping"].values() if node["message"])


@needs_shared
@pytest.mark.parametrize("path", files("chatgpt"), ids=named)
def test_chatgpt_turns_are_as_many_as_the_user_messages_of_the_branch(path: Path) -> None:
    expected = [talk for talk in load(path) if any(n["message"] for n in (talk.get("mapping") or {}).values())]
    for talk, source in zip(conversations(path), expected, strict=True):
        asked = [
            message
            for message in branch(source)
            if message["author"]["role"] == "user" and message["content"]["content_type"] != "user_editable_context"
        ]
        assert sum(len(sitting.turns) for sitting in sessions_of(talk, branches=False)) == len(asked)


@needs_shared
def test_every_message_off_the_branch_is_on_another() -> None:
    for path in files("chatgpt"):
        for source in [talk for talk in load(path) if isinstance(talk.get("mapping"), dict)]:
            everything = "\0".join(
                message.text
                for talk in conversations(path)
                for message in (*talk.messages, *(m for b in talk.branches for m in b.messages))
            )
            for node in source["mapping"].values():
                assert not node["message"] or written(node["message"]) in everything


# -- Claude ----------------------------------------------------------------------------------------------------------


def spoken(message: dict[str, Any]) -> str:
    """The text blocks, or `text` where there are none."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    blocks = [str(block["text"]) for block in content or [] if block["type"] == "text" and block["text"] is not None]
    joined = "\n\n".join(blocks)
    return joined or message.get("text") or ""


@needs_shared
@pytest.mark.parametrize("path", files("claude"), ids=named)
def test_claude_messages_agree_in_number_order_and_words(path: Path) -> None:
    expected = [talk for talk in load(path) if talk.get("chat_messages")]
    found = [talk for talk in conversations(path) if talk.origin_id in {source["uuid"] for source in expected}]
    assert [talk.title for talk in found] == [source["name"] for source in expected]
    for talk, source in zip(found, expected, strict=True):
        messages = [message for message in source["chat_messages"] if message]
        plain = [(message["uuid"], spoken(message)) for message in messages if spoken(message).strip()]
        words: dict[str, list[str]] = {}
        for message in talk.messages:
            if message.kind == "text":
                words.setdefault(message.origin_id, []).append(message.text)
        assert [(name, "\n\n".join(texts)) for name, texts in words.items()] == plain
        assert digest(["\n\n".join(texts) for texts in words.values()]) == digest([text for _, text in plain])
        asked = [message for message in messages if message["sender"] == "human"]
        turns = sum(len(sitting.turns) for sitting in sessions_of(talk))
        assert turns == len(asked) + (messages[0]["sender"] != "human")


@needs_shared
def test_every_thought_and_tool_call_of_a_claude_export_is_there() -> None:
    for path in files("claude"):
        kept = {(m.role, m.text) for talk in conversations(path) for m in talk.messages}
        for source in load(path):
            for message in source.get("chat_messages") or []:
                content = message.get("content") if message else None
                for block in content if isinstance(content, list) else []:
                    if block["type"] == "thinking":
                        assert (Role.THINKING, block["thinking"]) in kept
                    if block["type"] == "tool_use":
                        assert any(
                            role is Role.TOOL and json.loads(said) == block["input"] for role, said in tools(kept)
                        )


def tools(kept: set[tuple[Role, str]]) -> list[tuple[Role, str]]:
    return [(role, said) for role, said in kept if role is Role.TOOL and said.startswith("{")]


# -- the others ------------------------------------------------------------------------------------------------------


@needs_shared
@pytest.mark.parametrize("path", files("gemini"), ids=named)
def test_takeout_rows_agree_in_number_and_words(path: Path) -> None:
    rows = [row for row in load(path) if "Gemini" in row["header"]]
    found = [message for talk in conversations(path) for message in talk.messages]
    assert len({message.origin_id for message in found}) == len(rows)
    for row in rows:
        answer = "\n\n".join(html_text(item["html"]) for item in row.get("safeHtmlItem", []))
        prompt = next(m for m in found if m.role in (Role.USER, Role.SYSTEM) and row["title"].endswith(m.text))
        if answer:
            answers = [m.text for m in found if m.origin_id == prompt.origin_id and m.role is Role.ASSISTANT]
            assert answers == [answer]
    times = [message.at for message in found if message.at]
    assert times == sorted(times)


@needs_shared
@pytest.mark.parametrize("path", [*files("claude-code"), *files("codex")], ids=named)
def test_transcripts_agree_in_order_and_words(path: Path) -> None:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    bodies = [line.get("message") or line.get("payload") or {} for line in lines]
    expected = [(b["role"], part["text"]) for b in bodies if "content" in b for part in b["content"]]
    (talk,) = conversations(path)
    assert [(str(message.role), message.text) for message in talk.messages] == expected


@needs_shared
@pytest.mark.parametrize("path", FILES, ids=named)
def test_what_did_not_come_in_is_told_with_a_reason_and_its_raw_text(path: Path) -> None:
    results = list(read([path]))
    assert results
    for result in results:
        if isinstance(result, Problem):
            assert result.reason
            assert result.file == str(path) or result.level is Level.NOTE
            assert result.raw or result.level is not Level.BROKEN


@pytest.mark.skipif(not (SHARED / "locomo10.json").is_file(), reason="LoCoMo is not here")
def test_locomo_comes_in_with_every_utterance_in_its_session() -> None:
    source = json.loads((SHARED / "locomo10.json").read_text(encoding="utf-8"))
    found = conversations(SHARED / "locomo10.json")
    assert len(found) == len(source) == 10
    assert sum(len(list(sessions_of(talk))) for talk in found) == 272
    assert sum(len(sitting.turns) for talk in found for sitting in sessions_of(talk)) == 5882
    for talk, sample in zip(found, source, strict=True):
        said = [row["text"] for n in range(1, 99) for row in sample["conversation"].get(f"session_{n}", [])]
        assert digest([m.text for m in talk.messages if m.kind == "text"]) == digest([text for text in said if text])


@pytest.mark.skipif(not (SHARED / "longmemeval_s_dev60.json.gz").is_file(), reason="LongMemEval is not here")
def test_a_packed_file_is_read_without_unpacking_it_first() -> None:
    for count, result in enumerate(read([SHARED / "longmemeval_s_dev60.json.gz"])):
        assert isinstance(result, Conversation)
        assert result.source == "longmemeval"
        if count == 50:
            break
