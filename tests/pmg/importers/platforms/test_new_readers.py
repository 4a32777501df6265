"""Readers of single platforms, each on a small file of the platform's own shape."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from pmg.base.model import Role
from pmg.importers.conversation import Conversation, Level, Problem
from pmg.importers.read import read
from pmg.importers.turns import sessions_of
from tests.pmg.importers.places import OWN


def only(path: Path) -> Conversation:
    found = [result for result in read([path]) if isinstance(result, Conversation)]
    assert len(found) == 1, found
    return found[0]


def said(conversation: Conversation) -> list[tuple[str, str, str]]:
    return [(message.role.value, message.speaker, message.text) for message in conversation.messages]


# file → source, title, (role, speaker, text) of every message
EXPECTED = {
    "vscode-copilot/session.json": (
        "vscode-copilot",
        "Sort a list",
        [
            ("user", "mira", "how do I sort this list?"),
            ("document", "mira", "[attachment: file:list.py]"),
            ("thinking", "GitHub Copilot", "they want ascending order"),
            ("assistant", "GitHub Copilot", "Use `list.py` and call `sorted`."),
            ("tool", "copilot_readFile", "Read list.py"),
            ("tool", "edit", "/p/list.py\nitems = sorted(items)"),
            ("assistant", "GitHub Copilot", "Done."),
            ("assistant", "GitHub Copilot", '{"kind":"somethingNew","words":"kept all the same"}'),
        ],
    ),
    "vscode-copilot/log.jsonl": (
        "vscode-copilot",
        "Colours",
        [("user", "mira", "name a colour"), ("assistant", "GitHub Copilot", "teal")],
    ),
    "lmstudio/1746090000000.conversation.json": (
        "lmstudio",
        "Soup",
        [
            ("system", "System", "Be brief."),
            ("user", "User", "what goes into leek soup?"),
            ("thinking", "qwen2.5-7b", "classic recipe"),
            ("assistant", "qwen2.5-7b", "leeks, potatoes and cream"),
        ],
    ),
    "lechat/chat-7d2.json": (
        "lechat",
        "which river runs through Lyon?",
        [
            ("user", "User", "which river runs through Lyon?"),
            ("document", "User", "[image: map.png]"),
            ("assistant", "Le Chat", "The Rhône and the Saône."),
            ("tool", "web_search", '{"query":"Lyon"}\n{"n":1}'),
            ("assistant", "Le Chat", '{"type":"custom_element","shown":"a small map"}'),
        ],
    ),
    "kimi/messages.json": (
        "kimi",
        "Tea",
        [
            ("user", "User", "how hot for green tea?"),
            ("thinking", "Kimi", "they ask about temperature"),
            ("assistant", "Kimi", "Eighty degrees."),
            ("assistant", "Kimi", '{"note":"kept as it is"}'),
        ],
    ),
    "perplexity/thread.json": (
        "perplexity",
        "Lighthouses",
        [
            ("user", "User", "oldest lighthouse still in use?"),
            ("tool", "search", "Towers\nhttps://example.org/t\nA list of towers."),
            ("assistant", "Perplexity", "The Tower of Hercules."),
            ("assistant", "Perplexity", '{"intended_usage":"fresh_kind","fresh_block":{"note":"kept"}}'),
        ],
    ),
    "jan/messages.jsonl": (
        "jan",
        "what is a fjord?",
        [
            ("user", "User", "what is a fjord?"),
            ("thinking", "Jan", "geography"),
            ("thinking", "Jan", "<think>hm</think>"),
            ("assistant", "Jan", "A drowned valley."),
        ],
    ),
    "goose/20250501_090000.jsonl": (
        "goose",
        "Rename files",
        [
            ("user", "User", "rename a.txt to b.txt"),
            ("thinking", "Goose", "one move"),
            ("tool", "shell", '{"command":"mv a.txt b.txt"}'),
            ("tool", "shell", "ok"),
            ("assistant", "Goose", "Renamed."),
        ],
    ),
    "opencode/session.json": (
        "opencode",
        "Fix the test",
        [
            ("user", "User", "the test fails, why?"),
            ("thinking", "OpenCode", "look at the log"),
            ("tool", "bash", '{"command":"make test"}'),
            ("tool", "bash", "1 failed"),
            ("assistant", "OpenCode", "A typo in the name."),
        ],
    ),
    "cline/ui_messages.json": (
        "cline",
        "add a button to the page",
        [
            ("user", "User", "add a button to the page"),
            ("thinking", "Cline", "find the page first"),
            ("tool", "readFile", '{"tool":"readFile","path":"page.html"}'),
            ("assistant", "Cline", "Which colour?\nred\nblue"),
            ("user", "User", "blue"),
            ("assistant", "Cline", "The button is blue."),
        ],
    ),
    "telegram/result.json": (
        "telegram",
        "Jonas",
        [
            ("system", "System", "Mira phone call"),
            ("person", "Mira", "see https://example.org for the house"),
            ("person", "Jonas", "lovely garden"),
            ("person", "Jonas", "[photo: photos/photo_1.jpg]"),
        ],
    ),
    "whatsapp/WhatsApp Chat with Jonas.txt": (
        "whatsapp",
        "Mira and Jonas",
        [
            ("system", "System", "Messages and calls are end-to-end encrypted."),
            ("person", "Mira", "happy new year\nand a good start"),
            ("person", "Jonas", "to you too"),
            ("person", "Jonas", "<Media omitted>"),
        ],
    ),
    "whatsapp/_chat.txt": (
        "whatsapp",
        "Mira and Jonas",
        [("person", "Mira", "bringst du Brot mit?"), ("person", "Jonas", "ja: zwei Laibe")],
    ),
    "specstory/2025-05-01_sort.md": (
        "specstory",
        "Sort the shelf",
        [
            ("user", "User", "sort the books by colour"),
            ("thinking", "Assistant", "<think>by hue</think>"),
            ("assistant", "Assistant", "Red first, then orange."),
            ("tool", "Tool", '<tool-use data-tool-type="shell">ls shelf</tool-use>'),
            ("user", "User", "thanks"),
        ],
    ),
    "gemini-web/batchexecute.txt": (
        "gemini",
        "where is the Namib?",
        [
            ("user", "User", "where is the Namib?"),
            ("assistant", "Gemini", "In Namibia."),
            ("user", "User", "and its capital?"),
            ("assistant", "Gemini", "Windhoek."),
        ],
    ),
    "gemini-web/aistudio-capture.json": (
        "aistudio",
        "what is amber?",
        [("user", "User", "what is amber?"), ("assistant", "Gemini", "Old resin.")],
    ),
    "deepseek/list-without-parents.json": (
        "deepseek",
        "Bees",
        [
            ("user", "User", "do bees sleep?"),
            ("thinking", "DeepSeek", "yes"),
            ("assistant", "DeepSeek", "They do, at night."),
        ],
    ),
    "notes/openmemory.json": (
        "mem0",
        "Memories of mira",
        [("document", "mira", "Mira likes tea"), ("document", "mira", "Mira lives in Lyon")],
    ),
    "generic/pieces.json": (
        "generic",
        "Chunks",
        [
            ("user", "User", "say three things"),
            ("assistant", "Assistant", "one two three"),
            ("assistant", "Assistant", "four"),
            ("assistant", "Assistant", '{"extras":[{"aside":"and a thing nobody expected"}]}'),
        ],
    ),
    "notes/chat-with-fields.md": (
        "transcript",
        "Bread",
        [
            (
                "document",
                "Bread",
                "**Created:** 5/1/2024 10:00:00\n**Link:** https://example.org/chat/1",
            ),
            ("user", "User", "how long does rye rise?"),
            ("assistant", "ChatGPT", "Two hours.\n\n**Note:** keep it warm."),
        ],
    ),
}


@pytest.mark.parametrize("file", sorted(EXPECTED))
def test_a_platforms_file_is_read_whole(file: str) -> None:
    source, title, expected = EXPECTED[file]
    found = only(OWN / file)
    assert (found.source, found.title) == (source, title)
    assert [(role, speaker, text.strip()) for role, speaker, text in said(found)] == expected


@pytest.mark.parametrize(
    ("file", "first", "last"),
    [
        ("vscode-copilot/session.json", 1746090000, 1746090005),
        ("lechat/chat-7d2.json", 1746090000, 1746090007),
        ("jan/messages.jsonl", 1746090000, 1746090009),
        ("goose/20250501_090000.jsonl", 1746090000, 1746090007),
        ("opencode/session.json", 1746090000, 1746090005),
        ("gemini-web/batchexecute.txt", 1746090000, 1746090100),
        ("telegram/result.json", 1714550400, 1714550520),
        ("specstory/2025-05-01_sort.md", 1746093605, 1746093720),
    ],
)
def test_every_message_has_its_own_time(file: str, first: int, last: int) -> None:
    times = [message.at.timestamp() for message in only(OWN / file).messages if message.at]
    assert (times[0], times[-1]) == (first, last)


def test_every_start_of_aider_is_a_conversation_with_its_date() -> None:
    first, second = (r for r in read([OWN / "aider"]) if isinstance(r, Conversation))
    assert first.created_at is not None and first.created_at.isoformat() == "2024-05-01T10:00:00+00:00"
    asked = [message.text for message in first.messages if message.role is Role.USER]
    assert asked == ["make the loop faster\nand keep the tests green"]
    assert any("#### not a prompt" in message.text for message in first.messages if message.role is Role.ASSISTANT)
    assert second.title == "undo that"


def test_whatsapp_dates_tell_the_day_from_the_month(tmp_path: Path) -> None:
    american = only(OWN / "whatsapp" / "WhatsApp Chat with Jonas.txt")
    assert [message.at.isoformat() for message in american.messages if message.at][1:3] == [
        "2023-12-31T21:16:00+00:00",
        "2024-01-01T00:05:00+00:00",
    ]
    file = tmp_path / "chat.txt"
    file.write_text("03/04/24, 10:00 - Mira: hello\n03/04/24, 10:01 - Jonas: hi\n", encoding="utf-8")
    notes = [result.reason for result in read([file]) if isinstance(result, Problem)]
    assert notes == ["no date tells the day from the month: the day is taken to stand first"]


def test_a_regenerated_answer_of_lmstudio_is_a_branch() -> None:
    found = only(OWN / "lmstudio" / "1746090000000.conversation.json")
    assert [message.text for branch in found.branches for message in branch.messages] == ["water and salt"]


def test_a_list_that_nobody_knows_is_kept_and_told(tmp_path: Path) -> None:
    file = tmp_path / "odd.json"
    file.write_text('[["x", 1, ["nobody"]], [1, 2]]', encoding="utf-8")
    problems = [result for result in read([file]) if isinstance(result, Problem)]
    assert [(problem.level, problem.raw) for problem in problems] == [
        (Level.BROKEN, '["x",1,["nobody"]]'),
        (Level.BROKEN, "[1,2]"),
    ]


def test_a_list_that_says_who_spoke_is_read(tmp_path: Path) -> None:
    file = tmp_path / "capture.json"
    file.write_text('[["x",null,["user"]]]', encoding="utf-8")
    assert said(only(file)) == [("user", "User", "x")]


# databases


def cursor(database: sqlite3.Connection) -> None:
    database.execute("CREATE TABLE ItemTable (key TEXT UNIQUE, value BLOB)")
    database.execute("CREATE TABLE cursorDiskKV (key TEXT UNIQUE, value BLOB)")
    heads = [{"bubbleId": "b1", "type": 1}, {"bubbleId": "b2", "type": 2}]
    chat = {"composerId": "c1", "name": "Icons", "createdAt": 1746090000000, "fullConversationHeadersOnly": heads}
    tool = {"name": "read_file", "rawArgs": '{"path":"a.svg"}', "result": "<svg/>"}
    rows = {
        "composerData:c1": chat,
        "bubbleId:c1:b1": {"type": 1, "text": "draw an icon", "createdAt": "2025-05-01T09:00:01Z"},
        "bubbleId:c1:b2": {"type": 2, "text": "Here it is.", "thinking": {"text": "round"}, "toolFormerData": tool},
    }
    database.executemany(
        "INSERT INTO cursorDiskKV VALUES (?, ?)", [(key, json.dumps(value).encode()) for key, value in rows.items()]
    )
    old = {"tabs": [{"tabId": "t1", "chatTitle": "Old", "bubbles": [{"type": "user", "text": "hi"}, {"type": "ai", "rawText": "hello"}]}]}  # fmt: skip
    key = "workbench.panel.aichat.view.aichat.chatdata"
    database.execute("INSERT INTO ItemTable VALUES (?, ?)", (key, json.dumps(old)))


def openwebui(database: sqlite3.Connection) -> None:
    database.execute(
        "CREATE TABLE chat (id TEXT, user_id TEXT, title TEXT, chat TEXT, created_at INT, updated_at INT, meta TEXT)"
    )
    nodes = {
        "1": {"id": "1", "parentId": None, "role": "user", "content": "draw an icon", "timestamp": 1746090000},
        "2": {"id": "2", "parentId": "1", "role": "assistant", "content": "Here it is.", "timestamp": 1746090009},
    }
    chat = json.dumps({"history": {"messages": nodes, "currentId": "2"}})
    database.execute("INSERT INTO chat VALUES ('w1', 'u', 'Icons', ?, 1746090000, 1746090009, '{}')", (chat,))


def goose(database: sqlite3.Connection) -> None:
    database.execute("CREATE TABLE sessions (id TEXT, description TEXT, working_dir TEXT, created_at TEXT)")
    database.execute(
        "CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INT)"
    )
    database.execute("INSERT INTO sessions VALUES ('g1', 'Icons', '/p', '2025-05-01 09:00:00')")
    for role, words, at in (("user", "draw an icon", 1746090000), ("assistant", "Here it is.", 1746090009)):
        content = json.dumps([{"type": "text", "text": words}])
        database.execute(
            "INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES ('g1', ?, ?, ?)",
            (role, content, at),
        )


def opencode(database: sqlite3.Connection) -> None:
    database.execute("CREATE TABLE session (id TEXT, title TEXT, directory TEXT, time_created INT, time_updated INT)")
    database.execute("CREATE TABLE message (id TEXT, session_id TEXT, time_created INT, data TEXT)")
    database.execute("CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT)")
    database.execute("INSERT INTO session VALUES ('s1', 'Icons', '/p', 1746090000000, 1746090009000)")
    for own, role, words in (("m1", "user", "draw an icon"), ("m2", "assistant", "Here it is.")):
        data = json.dumps({"role": role, "time": {"created": 1746090000000}})
        database.execute("INSERT INTO message VALUES (?, 's1', 1, ?)", (own, data))
        part = json.dumps({"type": "text", "text": words})
        database.execute("INSERT INTO part VALUES (?, ?, 's1', ?)", (f"p{own}", own, part))


DATABASES = {"cursor": cursor, "openwebui": openwebui, "goose": goose, "opencode": opencode}


def made(file: Path, fill: Callable[[sqlite3.Connection], None], wal: bool = False) -> Path:
    database = sqlite3.connect(file)
    if wal:
        database.execute("PRAGMA journal_mode = WAL")
    fill(database)
    database.commit()
    database.close()
    return file


@pytest.mark.parametrize("source", sorted(DATABASES))
@pytest.mark.parametrize("zipped", [False, True])
def test_a_programs_database_is_read_and_not_touched(tmp_path: Path, source: str, zipped: bool) -> None:
    file = made(tmp_path / "state.vscdb", DATABASES[source], wal=zipped)
    before, there = file.read_bytes(), sorted(each.name for each in tmp_path.iterdir())
    if zipped:
        with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
            archive.write(file, "state.vscdb")
    found = [r for r in read([tmp_path / "all.zip" if zipped else file]) if isinstance(r, Conversation)]
    assert found[0].source == source and found[0].title == "Icons"
    words = [m.text for m in found[0].messages if m.role in (Role.USER, Role.ASSISTANT)]
    assert words == ["draw an icon", "Here it is."]
    assert file.read_bytes() == before
    assert sorted(each.name for each in tmp_path.iterdir() if each.suffix != ".zip") == there


def test_the_first_chats_of_cursor_are_found_too(tmp_path: Path) -> None:
    found = [r for r in read([made(tmp_path / "state.vscdb", cursor)]) if isinstance(r, Conversation)]
    assert [(c.title, len(c.messages)) for c in found] == [("Icons", 5), ("Old", 2)]
    assert [t.origin_id for session in sessions_of(found[0]) for t in session.turns] == ["b1"]


def test_a_view_that_calls_itself_a_table_of_chats_is_not_asked(tmp_path: Path) -> None:
    def fill(database: sqlite3.Connection) -> None:
        database.execute("CREATE TABLE hidden (id TEXT, title TEXT, chat TEXT)")
        database.execute("INSERT INTO hidden VALUES ('1', 't', '{}')")
        database.execute("CREATE VIEW chat AS SELECT * FROM hidden")

    problems = [r for r in read([made(tmp_path / "webui.db", fill)]) if isinstance(r, Problem)]
    assert [(p.level, "no reader knows (tables: hidden)" in p.reason) for p in problems] == [(Level.UNSUPPORTED, True)]


def test_a_reader_sees_only_the_tables_it_names(tmp_path: Path) -> None:
    from pmg.importers.reading import sqlite_file

    def fill(database: sqlite3.Connection) -> None:
        openwebui(database)
        database.execute("CREATE TABLE auth (password TEXT)")

    opened = sqlite_file.open_file(made(tmp_path / "webui.db", fill))
    with opened as database, sqlite_file.only(database, frozenset({"chat"})):
        assert database.execute("SELECT count(*) FROM chat").fetchone() == (1,)
        for statement in (
            "SELECT * FROM auth",
            "DELETE FROM chat",
            "ATTACH ':memory:' AS other",
            "SELECT load_extension('x')",
            "PRAGMA user_version",
        ):
            with pytest.raises(sqlite3.DatabaseError):
                database.execute(statement)


def test_a_damaged_database_is_told(tmp_path: Path) -> None:
    file = made(tmp_path / "webui.db", openwebui)
    file.write_bytes(file.read_bytes()[:3000])
    problems = [r for r in read([file]) if isinstance(r, Problem)]
    assert len(problems) == 1 and "damaged database" in problems[0].reason
