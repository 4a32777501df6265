"""Conversations without ids: never one for another, found again when they have grown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pmg.engine import Engine
from pmg.importers.import_run import ImportOptions, import_paths
from tests.pmg.importers.memory import chat, dump, export, texts


def talk(*said: str, title: str = "New chat", **more: Any) -> dict[str, Any]:
    roles = ("user", "assistant")
    return {"title": title, "messages": [{"role": roles[n % 2], "content": s} for n, s in enumerate(said)], **more}


def nameless(said: list[tuple[str, str]], title: str) -> Any:
    """A ChatGPT conversation without an id and without times, its nodes called 0, 1, 2 as in every other."""
    made = chat("x", said, title=title)
    names = {name: str(number) for number, name in enumerate(made["mapping"])}
    mapping = {}
    for name, node in made["mapping"].items():
        message = dict(node["message"], id=names[name], create_time=None) if node["message"] else None
        mapping[names[name]] = {
            "message": message,
            "parent": names.get(node["parent"] or ""),
            "children": [names[child] for child in node["children"]],
        }
    return {"title": title, "mapping": mapping, "current_node": names[made["current_node"]]}


THREE = (
    talk("hi", "hello", "which cat?", "a tabby"),
    talk("hi", "hello", "which dog?", "a beagle"),
    talk("hi", "hello"),
)


def test_three_chats_that_begin_alike_are_three(engine: Engine, tmp_path: Path) -> None:
    file = export(tmp_path / "a.json", *THREE)
    report = import_paths(engine, [file])
    assert (report.total("conversations"), report.turns, report.missing) == (3, 5, 0)
    assert len(texts(engine)) == 5
    before = dump(engine)
    again = import_paths(engine, [file])
    assert (again.turns, again.total("edited"), again.total("grown"), again.total("known")) == (0, 0, 0, 5)
    assert dump(engine) == before


def test_in_another_order_each_finds_its_own(engine: Engine, tmp_path: Path) -> None:
    import_paths(engine, [export(tmp_path / "a.json", *THREE)])
    before = dump(engine)
    report = import_paths(engine, [export(tmp_path / "b.json", *reversed(THREE))])
    assert (report.turns, report.total("edited"), report.total("grown")) == (0, 0, 0)
    assert dump(engine) == before


def test_a_longer_copy_of_a_chat_without_an_id_updates_it_in_place(engine: Engine, tmp_path: Path) -> None:
    import_paths(engine, [export(tmp_path / "a.json", THREE[0], THREE[1])])
    longer = talk("hi", "hello", "which dog?", "a beagle", "how old?", "three", title="The beagle")
    report = import_paths(engine, [export(tmp_path / "b.json", longer)])
    assert (report.turns, report.total("known"), report.total("edited")) == (1, 2, 0)
    (session,) = [s for s in engine.sessions() if s.segments == 3]
    assert session.title == "The beagle"


def test_chatgpt_files_without_ids_and_times_keep_every_conversation_and_its_title(
    engine: Engine, tmp_path: Path
) -> None:
    chats = [nameless([("hi", f"answer {n}"), (f"question {n}", "fine")], f"Title {n}") for n in range(5)]
    report = import_paths(engine, [export(tmp_path / "a.json", *chats)])
    assert (report.total("conversations"), report.turns) == (5, 10)
    assert sorted(s.title for s in engine.sessions()) == [f"Title {n}" for n in range(5)]
    assert report.untimed == 5
    assert all(s.meta["times"] == "none" for s in engine.sessions())


def test_one_id_for_two_different_conversations_of_a_file_keeps_both(engine: Engine, tmp_path: Path) -> None:
    file = export(tmp_path / "a.json", talk("cat", "a", id="1"), talk("dog", "b", id="1"))
    import_paths(engine, [file])
    assert len(texts(engine)) == 2
    assert import_paths(engine, [file]).turns == 0


@pytest.mark.parametrize("chats", [THREE, (chat("1", [("a", "b")]), chat("1", [("a", "b"), ("c", "d")], updated=2e9))])
def test_a_dry_run_promises_what_the_import_keeps(engine: Engine, tmp_path: Path, chats: tuple[Any, ...]) -> None:
    files = [export(tmp_path / f"{n}.json", one) for n, one in enumerate(chats)]
    files.append(export(tmp_path / "all.json", *chats))
    promised = import_paths(engine, files, ImportOptions(dry_run=True))
    kept = import_paths(engine, files)
    assert {n: vars_of(c) for n, c in promised.sources.items()} == {n: vars_of(c) for n, c in kept.sources.items()}
    assert len(texts(engine)) == kept.turns and kept.missing == 0


def vars_of(count: Any) -> dict[str, int]:
    return {name: getattr(count, name) for name in ("conversations", "sessions", "turns", "known", "grown", "edited")}


def test_a_turn_that_was_promised_and_is_not_there_is_told_loudly(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Engine.store_turns
    monkeypatch.setattr(Engine, "store_turns", lambda mine, sessions: store(mine, sessions[1:]))
    report = import_paths(engine, [export(tmp_path / "a.json", *THREE)])
    assert report.missing == 2
    assert report.text().splitlines()[0].startswith("WARNING: 2 turns")
    assert report.to_dict()["missing"] == 2


def regenerated(title: str) -> Any:
    """The newer export of a chat whose answer was made anew: the first answer is on another branch, the time is the same."""
    made = chat("1", [("name a tree", "an oak, which lives long")], title=title)
    message = json.loads(json.dumps(made["mapping"]["m1-1"]["message"]))
    message["id"], message["content"]["parts"] = "m1-new", ["a birch, which is pale"]
    made["mapping"]["m1-new"] = {"id": "m1-new", "message": message, "parent": "m1-0", "children": []}
    made["mapping"]["m1-0"]["children"].append("m1-new")
    made["current_node"] = "m1-new"
    return made


def test_an_older_export_with_the_same_time_reverts_no_answer_and_no_title(engine: Engine, tmp_path: Path) -> None:
    old = export(tmp_path / "old.json", chat("1", [("name a tree", "an oak, which lives long")], title="Tree"))
    new = export(tmp_path / "new.json", regenerated("Trees of the north"))
    import_paths(engine, [old])
    import_paths(engine, [new])
    wanted = texts(engine)
    assert any("birch" in text for text in wanted) and any("oak" in text for text in wanted)
    report = import_paths(engine, [old])
    assert (report.total("older"), report.retitled) == (1, 0)
    assert texts(engine) == wanted
    assert {s.title for s in engine.sessions()} == {"Trees of the north"}


def whatsapp(path: Path, other: str, *said: str, deleted: str = "") -> Path:
    """A chat of Sam's that begins with what he wrote to all; then the other and he take turns, a day apart each."""
    rows = ["01.02.23, 08:05 - Sam Weber: This is Sam, and this is my new number"]
    names = (other, "Sam Weber")
    rows += [f"{n + 2:02}.02.23, 10:00 - {names[n % 2]}: {text}" for n, text in enumerate(said)]
    path.write_text("\n".join(rows).replace(deleted or "\0", "This message was deleted"), encoding="utf-8")
    return path


@pytest.mark.parametrize("together", [True, False])
def test_two_chats_that_begin_with_the_same_broadcast_are_two(engine: Engine, tmp_path: Path, together: bool) -> None:
    files = [
        whatsapp(tmp_path / "a.txt", "Anna Berg", "Saved, thank you", "Well then", "I move to Hamburg"),
        whatsapp(tmp_path / "b.txt", "Jörg Müller", "All right", "Good", "My dog is called Rex"),
    ]
    for some in [files] if together else [[file] for file in files]:
        assert import_paths(engine, some).retitled == 0
    titles = {s.conversation: s.title for s in engine.sessions()}
    assert sorted(titles.values()) == ["Sam Weber and Anna Berg", "Sam Weber and Jörg Müller"]
    assert sum("my new number" in text for text in texts(engine)) == 2
    before = dump(engine)
    assert [import_paths(engine, [file]).turns for file in files] == [0, 0] and dump(engine) == before


def test_a_chat_that_has_grown_or_lost_a_message_is_found_again(engine: Engine, tmp_path: Path) -> None:
    said = ("Saved, thank you", "Well then", "I move to Hamburg", "When?", "In May")
    import_paths(engine, [whatsapp(tmp_path / "a.txt", "Anna Berg", *said[:4])])
    report = import_paths(engine, [whatsapp(tmp_path / "b.txt", "Anna Berg", *said, deleted="When?")])
    assert (report.turns, report.total("known")) == (2, 4)
    assert len({s.conversation for s in engine.sessions()}) == 1
