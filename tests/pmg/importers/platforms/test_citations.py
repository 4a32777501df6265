"""Pages that an answer cites: in its text as links, wherever the platform keeps them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pmg.engine import Engine
from pmg.importers.conversation import Conversation
from pmg.importers.import_run import import_paths
from pmg.importers.platforms.chatgpt import conversations as chatgpt
from pmg.importers.platforms.claude import content as claude
from pmg.importers.read import read
from pmg.importers.reading.markdown import WebPage, cited
from tests.pmg.importers.memory import chat, dump, export, texts

CITE = "\ue200cite\ue202turn0search0\ue201"
BEES = {"matched_text": CITE, "alt": "([bees.example](https://bees.example/a))", "items": []}


def answers(file: Path) -> list[str]:
    found = [result for result in read([file]) if isinstance(result, Conversation)]
    return [message.text for talk in found for message in talk.messages if message.role == "assistant"]


def asked_of_chatgpt(said: str, **metadata: Any) -> Any:
    talk = chat("c1", [("Why do bees die?", said), ("And wasps?", said)])
    for name in ("mc1-1", "mc1-3"):
        talk["mapping"][name]["message"]["metadata"] |= metadata
    return talk


def asked_of_claude(**head: Any) -> Any:
    pages = [{"end_index": 11, "details": {"type": "web_search_citation", "url": "https://sport.example/norway"}}]
    said = [{"type": "text", "text": "Norway won. "}, {"type": "text", "text": "Sweden lost.", "citations": []}]
    said[0] |= {"citations": pages}
    rows = []
    for place in range(4):
        content = said if place % 2 else [{"type": "text", "text": f"who won {place}"}]
        row = {"uuid": f"m{place}", "sender": ("human", "assistant")[place % 2], "content": content}
        rows.append(row | {"created_at": f"2025-07-01T10:00:0{place}Z"})
    return {"name": "Cites", "created_at": "2025-07-01T10:00:00Z", "chat_messages": rows} | head


@pytest.mark.parametrize(
    ("said", "metadata", "read_as"),
    [
        (
            f"Bees die {CITE} of mites.",
            {"content_references": [BEES]},
            "Bees die ([bees.example](https://bees.example/a)) of mites.",
        ),
        (
            f"Bees die {CITE}.",
            {
                "content_references": [
                    {"matched_text": CITE, "items": [{"title": "Of [bees]", "url": "https://bees.example"}]}
                ]
            },
            "Bees die ([Of (bees)](https://bees.example)).",
        ),
        (
            "Bees die【4†source】.",
            {
                "citations": [
                    {"start_ix": 8, "end_ix": 18, "metadata": {"title": "Bees", "url": "https://bees.example"}}
                ]
            },
            "Bees die([Bees](https://bees.example)).",
        ),
        (f"Bees die {CITE}.", {}, "Bees die."),
        ("A 【title】 and \ue200entity\ue202Oslo\ue201", {}, "A 【title】 and \ue200entity\ue202Oslo\ue201"),
    ],
)
def test_a_mark_of_chatgpt_becomes_its_link(tmp_path: Path, said: str, metadata: Any, read_as: str) -> None:
    assert answers(export(tmp_path / "c.json", asked_of_chatgpt(said, **metadata))) == [read_as, read_as]


def test_the_report_of_a_deep_research_has_its_links(tmp_path: Path) -> None:
    report = {
        "id": "r1",
        "content": {"parts": [f"# Bees\nThey die {CITE}"]},
        "metadata": {"content_references": [BEES]},
    }
    file = tmp_path / "report.json"
    file.write_text(json.dumps({"widget_state": {"report_message": report}}), encoding="utf-8")
    assert answers(file) == ["# Bees\nThey die ([bees.example](https://bees.example/a))"]


def test_claude_cites_after_the_words_that_a_page_is_for(tmp_path: Path) -> None:
    said = "Norway won. ([sport.example](https://sport.example/norway)) Sweden lost."
    assert answers(export(tmp_path / "c.json", asked_of_claude(uuid="c1"))) == [said, said]


def test_only_addresses_of_pages_become_links() -> None:
    assert cited([WebPage("javascript:alert(1)", "x"), WebPage("", "y"), WebPage("https://a b", "z")]) == ""
    assert cited([WebPage("https://a.example"), WebPage("https://a.example")]) == "([a.example](https://a.example))"


@pytest.mark.parametrize("has_id", [True, False])
@pytest.mark.parametrize("platform", ["chatgpt", "claude"])
def test_a_chat_that_an_earlier_version_read_without_links_is_not_stored_twice(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, has_id: bool
) -> None:
    talk = asked_of_chatgpt(f"They die {CITE}.", content_references=[BEES])
    talk = talk if platform == "chatgpt" else asked_of_claude(uuid="c1")
    file = export(
        tmp_path / "c.json",
        talk if has_id else {key: value for key, value in talk.items() if key not in ("conversation_id", "uuid")},
    )
    with monkeypatch.context() as before:
        before.setattr(chatgpt, "with_links", lambda said, message: said)
        before.setattr(claude, "_linked", lambda said, block: said)
        assert import_paths(engine, [file]).turns == 2
    again = import_paths(engine, [file])
    assert again.turns == 0 and len(texts(engine)) == 2
    assert again.total("edited") + again.total("grown") == (2 if has_id else 0)
    assert all("https://" in said for said in texts(engine)) == has_id
    once = dump(engine)
    third = import_paths(engine, [file])
    assert dump(engine) == once and third.total("known") == 2
