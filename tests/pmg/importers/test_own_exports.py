"""One small export of our own for every platform and vintage, read to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from pmg.base.model import Role
from pmg.importers.conversation import Conversation, Level, Problem
from pmg.importers.read import read
from tests.pmg.importers.places import OWN


def all_of(path: Path | str) -> tuple[list[Conversation], list[Problem]]:
    results = list(read([OWN / path]))
    return (
        [result for result in results if isinstance(result, Conversation)],
        [result for result in results if isinstance(result, Problem)],
    )


def only(path: str) -> Conversation:
    found, _ = all_of(path)
    assert len(found) == 1
    return found[0]


def said(conversation: Conversation) -> list[tuple[str, str]]:
    return [(str(message.role), message.text) for message in conversation.messages]


def test_every_fixture_gives_a_conversation_or_a_problem_and_never_an_exception() -> None:
    for path in sorted(OWN.rglob("*")):
        if path.is_file():
            assert list(read([path])), path


@pytest.mark.parametrize(
    ("path", "source", "origin", "title", "lines"),
    [
        (
            "chatgpt/2023-plain.json",
            "chatgpt",
            None,
            "Sourdough",
            [
                ("user", "How sour should a starter smell?"),
                ("assistant", "Like yoghurt, not like paint."),
                ("user", "Mine smells of paint."),
                ("assistant", "Feed it twice a day."),
            ],
        ),
        (
            "chatgpt/2024-branches.json",
            "chatgpt",
            "c-branches",
            "Plot a sine",
            [
                ("user", "Plot a sine wave."),
                ("tool", "plot(sin)"),
                ("tool", "<<ImageDisplayed>>"),
                ("tool", "[image: file-service://file-77, 640×480, 1200 bytes, made from: a sine wave]"),
                ("assistant", "Here it is."),
            ],
        ),
        (
            "chatgpt/2025-types.json",
            "chatgpt",
            "c-types",
            "A clip",
            [
                ("system", "Likes tea.\nBe short."),
                ("system", "1. Has a cat."),
                ("user", "What is in this clip?"),
                ("user", "a cat meows"),
                ("user", "[audio: sediment://file_a, wav, 99 bytes]"),
                ("user", "[audio: sediment://file_b, wav, 2 frames]"),
                ("document", "[attachment: notes.pdf, application/pdf, 512 bytes]"),
                ("thinking", "Listening\nIt is a cat.\n\nDone"),
                ("thinking", "Thought for 3 seconds"),
                ("tool", "About cats\nL1: cats meow"),
                ("tool", "Cats\nhttps://example.org\nCats meow."),
                ("tool", "Timeout\nthe tool took too long"),
                ("assistant", '{"content_type":"holo_widget","payload":{"x":1}}'),
                ("assistant", "A cat."),
            ],
        ),
        (
            "chatgpt/chat.html",
            "chatgpt",
            "h0",
            "In a page",
            [("user", "Is it in here?"), ("assistant", 'Yes, with ] and "quotes".')],
        ),
        (
            "claude/2023-text.json",
            "claude",
            "cl-1",
            "Old chat",
            [("user", "Summarise this."), ("document", "Dear Ida, come soon."), ("assistant", "She is asked to come.")],
        ),
        (
            "claude/2025-content.json",
            "claude",
            "cl-2",
            "Rivers",
            [
                ("user", "Which river is longest?"),
                ("document", "[file: map.png]"),
                ("thinking", "Nile or Amazon?"),
                ("tool", '{"query":"longest river"}'),
                ("tool", "Rivers\nhttps://example.org/r\nThe Nile.\nEnd."),
                ("assistant", "The Nile, most say."),
                ("assistant", '{"type":"voice_note","seconds":3}'),
            ],
        ),
        (
            "claude/web-tree.json",
            "claude",
            "cl-3",
            "Edited",
            [("user", "Name a small tree."), ("assistant", "Bonsai.")],
        ),
        (
            "claude/memories.json",
            "claude",
            "acc-memories",
            "Memories",
            [("document", "Ida gardens."), ("document", "Three beds."), ("document", "- lives in Oslo")],
        ),
        (
            "claude/design-chat.json",
            "claude",
            "ds-1",
            "Poster",
            [
                ("user", "Make a poster."),
                ("document", "Use green."),
                ("assistant", "On it."),
                ("tool", '{"w":1}'),
                ("tool", "done"),
                ("system", "Overloaded"),
            ],
        ),
        (
            "claude-code/session.jsonl",
            "claude-code",
            "sess-1",
            "Fix the parser",
            [
                ("user", "Fix the parsr"),
                ("system", "Caveat: generated while running commands"),
                ("thinking", "Look first."),
                ("user", "Fix the parser"),
                ("user", "[image: image/png, about 3 bytes]"),
                ("tool", '{"file_path":"a.py"}'),
                ("tool", "x = 1"),
                ("system", "lint passed"),
                ("assistant", "Done: the parser is fixed."),
            ],
        ),
        (
            "codex/rollout-2025-10.jsonl",
            "codex",
            "cx-1",
            "List the files",
            [
                ("system", "<environment_context>\n  <cwd>/home/ida/app</cwd>\n</environment_context>"),
                ("user", "List the files"),
                ("user", "[image: 26 characters inline]"),
                ("thinking", "I should run ls."),
                ("tool", '{"command":["ls"]}'),
                ("tool", "a.py b.py"),
                ("assistant", "There are a.py and b.py."),
            ],
        ),
        (
            "codex/rollout-2025-06.jsonl",
            "codex",
            "cx-0",
            "Say hello",
            [("user", "Say hello"), ("assistant", "Hello.")],
        ),
        (
            "codex/rollout-2025-04.json",
            "codex",
            "cx-00",
            "Rename it",
            [("user", "Rename it"), ("tool", "{}"), ("tool", '{"output":"ok"}'), ("assistant", "Renamed.")],
        ),
        (
            "gemini-cli/session-2025.json",
            "gemini-cli",
            "gc-1",
            "Read a.txt",
            [
                ("user", "Read a.txt"),
                ("thinking", "Reading\nI open the file."),
                ("assistant", "It says hi."),
                ("tool", '{"path":"a.txt"}'),
                ("tool", "hi"),
                ("system", "Session saved."),
            ],
        ),
        (
            "gemini-cli/session-2026.jsonl",
            "gemini-cli",
            "gc-2",
            "A map of Oslo",
            [("user", "Draw a map"), ("assistant", "Of what?"), ("user", "Of Oslo"), ("assistant", "Here is Oslo.")],
        ),
        (
            "gemini-cli/checkpoint.json",
            "gemini-cli",
            None,
            "What is 2+2?",
            [
                ("user", "What is 2+2?"),
                ("thinking", "Adding."),
                ("tool", '{"e":"2+2"}'),
                ("tool", "4"),
                ("assistant", "It is 4."),
            ],
        ),
        (
            "takeout/MeineAktivitaeten.html",
            "gemini",
            None,
            "Wie ist das Wetter in Oslo?",
            [
                ("user", "Wie ist das Wetter in Oslo?"),
                ("document", "[attachment: karte.png]"),
                ("assistant", "Sonnig.\n\n- 18 Grad"),
                ("user", "Und in Bergen?"),
                ("assistant", "Dort regnet es."),
            ],
        ),
        (
            "aistudio/prompt.json",
            "aistudio",
            None,
            "What does it say?",
            [
                ("system", "Be kind."),
                ("user", "[document: doc-1]"),
                ("user", "What does it say?"),
                ("thinking", "Reading it."),
                ("assistant", "It says hello."),
                ("tool", "print(1)"),
                ("tool", "1"),
                ("user", "And then?"),
            ],
        ),
        (
            "copilot/copilot-chat-activity.csv",
            "copilot",
            None,
            "Research",
            [("user", "Query"), ("assistant", "Answer")],
        ),
        (
            "deepseek/2025-fragments.json",
            "deepseek",
            "ds-1",
            "Primes",
            [
                ("user", "Is 7 prime?"),
                ("document", "[attachment: n.txt]"),
                ("thinking", "7 has no divisors."),
                ("tool", "Seven\nhttps://example.org/7\na prime"),
                ("assistant", "Yes."),
            ],
        ),
        (
            "deepseek/2025-content.json",
            "deepseek",
            "ds-0",
            "Old form",
            [("user", "Hi"), ("thinking", "A greeting."), ("assistant", "Hello!")],
        ),
        (
            "grok/prod-grok-backend.json",
            "grok",
            "gk-1",
            "Stars",
            [
                ("user", "How far is Vega?"),
                ("document", "[attachment: star.png]"),
                ("thinking", "Known value."),
                ("assistant", "25 light years."),
                ("tool", "Vega\nhttps://example.org/v\n25 ly"),
            ],
        ),
        (
            "openwebui/chat-export.json",
            "openwebui",
            "ow-1",
            "Local",
            [
                ("system", "Be brief."),
                ("user", "Why is the sky blue?"),
                ("document", "Rayleigh."),
                (
                    "thinking",
                    '<details type="reasoning" done="true" duration="2">\n<summary>Thought for 2 seconds</summary>\n'
                    "> Scattering.\n</details>",
                ),
                ("assistant", "\nScattered light."),
            ],
        ),
        (
            "librechat/flat.json",
            "librechat",
            "lc-1",
            "Soup",
            [
                ("user", "A soup?"),
                ("thinking", "Leeks are in season."),
                ("tool", '{"q":"leek"}'),
                ("tool", "leek soup"),
                ("assistant", "Leek soup."),
            ],
        ),
        ("librechat/tree.json", "librechat", "lc-2", "Nested", [("user", "Up?"), ("assistant", "Down.")]),
        (
            "notes/coffee.md",
            "notes",
            "coffee-brewing",
            "Coffee Brewing",
            [
                ("document", "# Coffee Brewing\n\nWhat I know."),
                (
                    "document",
                    "## Observations\n- [method] Pour over gives clarity #brewing\n- [fact] Water at 94 °C (measured)",
                ),
                ("document", "## Relations\n- relates_to [[Tea]]"),
            ],
        ),
        (
            "notes/mem0.json",
            "mem0",
            "mem0-ida",
            "Memories of ida",
            [("document", "Likes leek soup"), ("document", "Lives in Oslo")],
        ),
        (
            "locomo/two-sessions.json",
            "locomo",
            "lo-1",
            "Ida and Per",
            [
                ("person", "I adopted a cat."),
                ("person", "Show me!"),
                ("person", "Here."),
                ("person", "[image: a grey cat]"),
                ("person", "How is the cat?"),
            ],
        ),
        (
            "locomo/haystack.json",
            "longmemeval",
            None,
            "I moved to Bergen.",
            [("user", "I moved to Bergen."), ("assistant", "Enjoy the rain.")],
        ),
        (
            "generic/messages.jsonl",
            "generic",
            None,
            "2+2?",
            [
                ("system", "Be brief."),
                ("user", "2+2?"),
                ("tool", '{"e":"2+2"}'),
                ("tool", "4"),
                ("thinking", "<think>easy</think>"),
                ("assistant", "4."),
            ],
        ),
        (
            "generic/object.json",
            "generic",
            "g-1",
            "Two people",
            [("person", "Hello Per"), ("person", "Hello Ida")],
        ),
        (
            "generic/sharegpt.json",
            "generic",
            "sg-1",
            "Name a colour.",
            [("user", "Name a colour."), ("assistant", "Blue.")],
        ),
        (
            "generic/table.csv",
            "generic",
            "Club",
            "Club",
            [("person", "Who comes; when?"), ("person", "Me.")],
        ),
        (
            "generic/transcript.md",
            "transcript",
            None,
            "On bread",
            [
                ("user", "Why does it rise?"),
                ("assistant", "Yeast.\n\n```\n## User\nnot a mark\n```"),
                ("user", "And without?"),
                ("assistant", "Then it stays flat."),
            ],
        ),
        (
            "generic/chat.txt",
            "transcript",
            None,
            "Shall we go?",
            [("person", "Shall we go?"), ("person", "Yes:\nat noon."), ("person", "Good.")],
        ),
    ],
)
def test_an_export_is_read_to_the_letter(
    path: str, source: str, origin: str | None, title: str, lines: list[tuple[str, str]]
) -> None:
    found = only(path)
    assert found.source == source
    assert origin is None or found.origin_id == origin
    assert found.origin_id
    assert found.title == title
    assert said(found) == lines


@pytest.mark.parametrize(
    ("path", "at", "lines"),
    [
        ("chatgpt/2024-branches.json", "u1", ["I cannot plot.", "Try again, you can."]),
        ("claude/web-tree.json", "", ["Name a tree.", "Oak."]),
        ("claude-code/session.jsonl", "c3", ["Fix the tests", "Tests it is."]),
        ("claude-code/session.jsonl", "c6", ["Explore the folder", "Two files."]),
        ("gemini-cli/session-2026.jsonl", "h2", ["Of Mars"]),
        ("deepseek/2025-fragments.json", "ds-1-1", ["Perhaps."]),
        ("grok/prod-grok-backend.json", "q1", ["26 light years."]),
        ("openwebui/chat-export.json", "b1", ["Paint."]),
        ("librechat/flat.json", "f1", ["Tomato soup."]),
    ],
)
def test_the_other_branches_are_kept_and_linked_where_they_leave(path: str, at: str, lines: list[str]) -> None:
    branches = {(branch.at, tuple(message.text for message in branch.messages)) for branch in only(path).branches}
    assert (at, tuple(lines)) in branches


def test_models_speakers_and_zones_are_kept() -> None:
    answer = only("chatgpt/2024-branches.json").messages[-1]
    assert (answer.model, answer.speaker) == ("gpt-4o", "ChatGPT")
    asked, *_, answered = only("deepseek/2025-content.json").messages
    assert asked.at is not None
    assert asked.at.isoformat() == "2025-02-01T10:00:01+08:00"
    assert answered.model == "deepseek-chat"
    assert only("claude/2023-text.json").messages[0].speaker == "Ida Holm"
    assert [message.speaker for message in only("claude-code/session.jsonl").messages if message.role is Role.TOOL] == [
        "Read",
        "Read",
    ]
    assert only("takeout/MeineAktivitaeten.html").messages[0].at is not None


def test_what_is_not_understood_is_counted() -> None:
    assert only("chatgpt/2025-types.json").counts["unknown:holo_widget"] == 1
    assert only("claude/2025-content.json").counts["unknown:voice_note"] == 1
    assert only("claude/2025-content.json").counts["silent:token_budget"] == 1
    assert only("claude-code/session.jsonl").counts["line:file-history-snapshot"] == 1


def test_copilot_rows_are_turned_round_and_kept_in_their_own_conversations() -> None:
    found, problems = all_of("copilot/copilot-activity-history.csv")
    assert problems == []
    assert {talk.title: said(talk) for talk in found} == {
        "Cats": [("user", "What do cats do?"), ("assistant", "They sleep.")],
        "Trip, planned": [
            ("user", "Where to?"),
            ("assistant", "Go north."),
            ("user", 'How "long"?'),
            ("assistant", "**Two** days:\n- one\n- two"),
        ],
    }


def test_takeout_rows_are_grouped_by_thread_and_pause_and_colliding_times_keep_their_order() -> None:
    found, problems = all_of("takeout/MyActivity.json")
    by_title = {talk.title: said(talk) for talk in found}
    assert by_title["One?"] == [
        ("user", "One?"),
        ("document", "[attachment: one.pdf]"),
        ("assistant", "One."),
        ("user", "And a second?"),
        ("assistant", "Two & more:\n\n- a\n- b"),
        ("user", "And a third?"),
        ("assistant", "Three."),
    ]
    assert by_title["No time"] == [("user", "No time")]
    assert by_title["Gave feedback: Good response"] == [("system", "Gave feedback: Good response")]
    assert [talk.origin_id for talk in found if talk.title == "In a thread"] == ["abc123"]
    assert [(problem.level, problem.count) for problem in problems] == [(Level.SKIPPED, 1)]


def test_the_words_before_a_prompt_are_learnt_for_a_language_not_seen_before() -> None:
    found, _ = all_of("takeout/MyActivity-fr.json")
    assert [talk.messages[0].text for talk in found] == ["Bonjour ?", "Un chat ?", "Trois ?"]


def test_session_lines_give_their_sittings_titles_and_turns() -> None:
    found, problems = all_of("generic/sessions.jsonl")
    assert problems == []
    assert [(talk.source, talk.origin_id, talk.title) for talk in found] == [
        ("sample", "c-1", "Planning"),
        ("sample", "c-1", "Talking"),
    ]
    assert [(message.turn, message.speaker) for message in found[0].messages] == [
        ("s-1-0", "Ida"),
        ("s-1-0", "Helper"),
        ("s-1-1", "Helper"),
    ]


def test_projects_bring_their_documents_and_an_empty_one_is_told() -> None:
    found, problems = all_of("claude/projects.json")
    assert said(found[0]) == [
        ("system", "Plans for spring"),
        ("system", "Answer as a gardener."),
        ("document", "# Beds\n\nThree of them."),
    ]
    assert ["Bare" in problem.reason for problem in problems] == [True]


def test_cycles_orphans_and_missing_parts_cost_nothing_that_was_said() -> None:
    found, problems = all_of("chatgpt/broken-trees.json")
    assert {talk.origin_id: [line for _, line in said(talk)] for talk in found} == {
        "cyc": ["Round?", "And round."],
        "orp": ["Whose am I?", "Nobody's."],
        "dup": ["Same?", "Same."],
    }
    assert len(problems) == 5
    assert all(problem.reason for problem in problems)
    assert any("no-mapping" in problem.raw for problem in problems)


def test_invalid_json_halfway_loses_one_conversation_and_says_which() -> None:
    found, problems = all_of("chatgpt/broken-halfway.json")
    assert [talk.origin_id for talk in found] == ["ok1", "ok2"]
    assert [(problem.level, "Lost?" in problem.raw) for problem in problems] == [(Level.BROKEN, True)]
    found, problems = all_of("chatgpt/broken-end.json")
    assert [talk.origin_id for talk in found] == ["ok1", "bad"]
    assert [problem.position for problem in problems] == ["element 2"]


def test_a_sharded_export_comes_in_whole_and_a_shard_that_is_missing_is_told() -> None:
    found, problems = all_of("chatgpt/2026-sharded")
    assert [talk.origin_id for talk in found] == ["s0", "s1"]
    missing = [problem.reason for problem in problems if problem.level is Level.NOTE]
    assert missing == ["the export's list names conversations-002.json, which is not here"]


def test_a_prompt_history_gives_one_conversation_a_session() -> None:
    found, problems = all_of("claude-code/history.jsonl")
    assert problems == []
    assert [(talk.source, talk.origin_id, said(talk)) for talk in found] == [
        ("claude-code", "history/h-1", [("user", "Fix it"), ("document", "a long paste"), ("user", "Thanks")]),
        ("claude-code", "history/h-2", [("user", "Start over")]),
    ]
    found, _ = all_of("codex/history.jsonl")
    assert [said(talk) for talk in found] == [[("user", "List the files")]]
