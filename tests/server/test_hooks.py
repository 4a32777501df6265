"""Hooks over real HTTP: what a session is given, what is taken in from it, and what is refused."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from pmg.base.model import Line, Role, Turn
from pmg.base.text import tokens
from pmg.base.times import now
from pmg.connections.client_tokens import ClientTokens
from pmg.connections.hook_tools import HOOK_TOOLS
from pmg.importers.turns import conversation_id
from pmg.ingest.turns import SessionInput
from pmg.server import hook_command
from pmg.server.hooks import app as hooks_app
from pmg.server.hooks import context as hook_context
from pmg.server.hooks.deadline import TimedWork
from pmg.store.duckdb.store import DuckStore
from tests.browser.conftest import Served, serving
from tests.server.hook_events import claude_context, claude_lines, context_in, event, prompted, tool, write_transcript
from tests.tiers import one_fast

NAMES = [one.name for one in HOOK_TOOLS]
CONFIG = {"steward": {"enabled": False}, "imports": {"settle_seconds": 0.05}}
PROMPT = "which tomato seeds did we choose for the garden?"


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home folder of whoever the tools run for."""
    return tmp_path_factory.mktemp("person")


@pytest.fixture(scope="module")
def served(person: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """With time enough: how fast this machine is must not decide a test. What is late has a test of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(person))
        for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
            patch.delenv(name, raising=False)
        patch.setattr(hooks_app, "DEADLINE_SECONDS", 60.0)
        yield from serving(tmp_path_factory.mktemp("hooks") / "memory", CONFIG, page=False)


@pytest.fixture
def namespace(request: pytest.FixtureRequest) -> str:
    """A namespace for each test."""
    return "t" + str(abs(hash(request.node.name)))[:12]


def remember(served: Served, namespace: str, *texts: str, session: str = "plans") -> None:
    turns = [Turn((Line("Ana", Role.PERSON, text),)) for text in texts]
    served.engine.ingest([SessionInput(turns, "Plans", namespace=namespace, id=f"{session}-{namespace}")])


def tell(api: httpx.Client, namespace: str, of: str, told: dict[str, Any]) -> httpx.Response:
    return api.post(f"/hooks/{namespace}/{of}", json=told)


def ask(api: httpx.Client, namespace: str, of: str, session: str, prompt: str, **more: Any) -> str:
    return context_in(tell(api, namespace, of, prompted(of, session, prompt, **more)))


def until(true: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def stored(served: Served, namespace: str, of: str, session: str) -> str:
    """What can be given: rows are written before the catalogue has them, and a fast reader comes in between."""
    name, indexes = conversation_id(tool(of).source, session), served.engine.indexes
    found = served.engine.reads.exchange.sessions_of(namespace, [name])[name]
    rows = [one for session in found for one in served.engine.reads.segments_of(session.id)]
    with indexes.lock.reading():
        known = indexes.catalogue.size
    return "\n".join(one.text for one in rows if one.number <= known)


@pytest.mark.parametrize("of", one_fast(NAMES))
def test_a_prompt_is_answered_with_what_bears_on_it(served: Served, api: httpx.Client, namespace: str, of: str) -> None:
    remember(
        served, namespace, "We chose the black cherry tomato seeds for the garden.", "The bank sent the tax invoice."
    )
    answer = tell(api, namespace, of, prompted(of, "s1", PROMPT))
    assert answer.json()["hookSpecificOutput"]["hookEventName"] == tool(of).prompt
    given = context_in(answer)
    assert given.startswith("<memory ") and "black cherry tomato seeds" in given
    assert answer.headers["content-type"] == "application/json" and answer.text.isascii()


def test_without_a_namespace_in_the_address_the_configured_one_counts(served: Served, api: httpx.Client) -> None:
    remember(served, "default", "The bike has a flat wheel again.")
    answer = api.post("/hooks/codex", json=prompted("codex", "s1", "what is wrong with the bike wheel"))
    assert "flat wheel" in context_in(answer)


def test_a_retry_gets_the_same_bytes_and_nothing_is_given_twice(
    served: Served, api: httpx.Client, namespace: str
) -> None:
    remember(
        served, namespace, *(f"On day {day} the tomato plants in the garden had {day} flowers." for day in range(40))
    )
    first = ask(api, namespace, "codex", "s1", PROMPT)
    assert first and ask(api, namespace, "codex", "s1", PROMPT) == first
    assert ask(api, namespace, "codex", "another", PROMPT) == first  # another session has seen nothing yet
    remember(served, namespace, "And the tomato seeds are in the shed.", session="later")
    assert ask(api, namespace, "codex", "s1", PROMPT) == first  # also when more is known meanwhile
    seen = set(rows(first))
    for prompt in ("how did the tomato plants do?", "tell me more of the garden flowers", PROMPT):
        more = ask(api, namespace, "codex", "s1", prompt)
        assert not seen & set(rows(more))
        seen |= set(rows(more))
    assert len(seen) > len(rows(first))


def rows(block: str) -> list[str]:
    return [row for row in block.splitlines() if row.startswith("Ana: ")]


def test_what_was_forgotten_is_not_in_a_retry(served: Served, api: httpx.Client, namespace: str) -> None:
    from pmg.forget import Selection, forget, plan

    remember(served, namespace, "The tomato seeds are from Ines.", "The garden has clay soil.")
    assert "Ines" in ask(api, namespace, "codex", "s1", PROMPT)
    forget(served.engine, plan(served.engine, Selection(segments=(f"seg_plans-{namespace}_0",), namespace=namespace)))
    again = ask(api, namespace, "codex", "s1", PROMPT)
    assert "Ines" not in again and "clay soil" in again


def test_what_is_given_stays_within_800_tokens(served: Served, api: httpx.Client, namespace: str) -> None:
    long = "the tomato garden needs water and soil and seeds " * 60
    remember(served, namespace, *(f"{number}: {long}" for number in range(20)))
    given = ask(api, namespace, "claude-code", "s1", PROMPT)
    assert 400 < tokens(given) <= 800 and len(given) < 10_000  # what Claude Code cuts off


@pytest.mark.parametrize(
    "prompt", ["", "   ", "/compact", "!ls", "thanks!", "yes", "go on", "Hallo", "can you fix this?"]
)
def test_a_prompt_that_asks_nothing_is_given_nothing(
    served: Served, api: httpx.Client, namespace: str, prompt: str
) -> None:
    remember(served, namespace, "Thanks, go on, yes, hallo compact ls fix.")
    assert ask(api, namespace, "codex", "s1", prompt) == ""


@pytest.mark.parametrize("prompt", ["Which bike do I have?", "Wie heißt mein bike?", "Who has the Cube?"])
def test_one_telling_word_is_enough_for_a_question_about_somebody(
    served: Served, api: httpx.Client, namespace: str, prompt: str
) -> None:
    remember(served, namespace, "My bike is a red Cube.")
    assert "My bike is a red Cube." in ask(api, namespace, "codex", "s1", prompt)


@pytest.mark.parametrize(
    "prompt",
    ["write a haiku about autumn leaves", "refactor the css of the landing page", "Who is the CEO of Initech?"],
)
def test_a_prompt_on_which_nothing_bears_is_given_nothing(
    served: Served, api: httpx.Client, namespace: str, prompt: str
) -> None:
    remember(
        served,
        namespace,
        "We chose the black cherry tomato seeds for the garden.",
        "The migration of the cache to KeyDB writes every page twice.",
        "Please look into the leaves of the fern.",
    )
    assert ask(api, namespace, "codex", "s1", prompt) == ""
    assert "black cherry" in ask(api, namespace, "codex", "s1", PROMPT)


def test_a_question_that_names_only_a_time_is_given_what_was_said_then(
    served: Served, api: httpx.Client, namespace: str
) -> None:
    remember(served, namespace, "We painted the fence.")
    assert "fence" in ask(api, namespace, "codex", "s1", "which chores did we finish this month?")


@pytest.mark.parametrize(
    ("source", "again"), [("compact", True), ("clear", True), ("resume", True), ("startup", False)]
)
def test_what_a_session_lost_is_given_again(
    served: Served, api: httpx.Client, namespace: str, source: str, again: bool
) -> None:
    remember(served, namespace, "We chose the black cherry tomato seeds for the garden.")
    assert "black cherry" in ask(api, namespace, "claude-code", "s1", PROMPT)
    start = event("SessionStart", "s1", source=source, cwd="/nowhere/at-all")
    assert [context_in(tell(api, namespace, "claude-code", start)) for _ in range(2)] == ["", ""]
    assert ("black cherry" in ask(api, namespace, "claude-code", "s1", f"once more: {PROMPT}")) is again


@pytest.mark.parametrize("of", one_fast(NAMES))
def test_a_compaction_brings_back_what_was_given_and_the_sessions_own_turns(
    served: Served, api: httpx.Client, person: Path, namespace: str, of: str
) -> None:
    remember(served, namespace, "We chose the black cherry tomato seeds for the garden.")
    session = f"{namespace}-long"
    file = write_transcript(
        of, person, session, ("Which soil for the tomato garden?", "Peat soil for the tomato garden.")
    )
    tell(api, namespace, of, event(tool(of).tells[0], session, transcript_path=str(file)))
    until(lambda: "Peat soil" in stored(served, namespace, of, session))
    served.engine.settle()
    first = ask(api, namespace, of, session, PROMPT)
    assert "black cherry" in first and "Peat soil" not in first
    assert tell(api, namespace, of, event(tool(of).compaction, session)).status_code == 204
    after = ask(api, namespace, of, session, "which tomato seeds and which soil for the garden?")
    assert "black cherry" in after and "Peat soil" in after


def test_no_session_is_read_whole_while_a_tool_waits(
    served: Served, api: httpx.Client, namespace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of thousands of turns takes longer than that."""
    name, begun = conversation_id(tool("codex").source, namespace), now()
    said = [("Sand is in the tomato garden soil.", -1), ("Clay is in the tomato garden soil.", 1)]
    turns = [Turn((Line("Ana", Role.USER, text),), begun + timedelta(hours=hours)) for text, hours in said]
    cwd = f"/projects/{namespace}"
    served.engine.ingest(
        [SessionInput(turns, namespace=namespace, id=f"{name}-1", conversation=name, meta={"cwd": cwd})]
    )
    monkeypatch.setattr(DuckStore, "segments_of", lambda *_: pytest.fail("a whole session was read"))
    assert tell(api, namespace, "codex", event(tool("codex").compaction, namespace)).status_code == 204
    after = ask(api, namespace, "codex", namespace, "what is in the soil of the tomato garden?")
    assert "Sand" in after and "Clay" not in after  # said since, so it still holds it
    start = context_in(tell(api, namespace, "codex", event("SessionStart", "another", source="startup", cwd=cwd)))
    assert "Sand" in start and "Clay" in start


def test_notes_of_an_earlier_version_are_read(served: Served, tmp_path: Path) -> None:
    from pmg.server.hooks import given

    (one,) = given._read('[["s", [1], "asked", [2]]]').values()
    assert (one.numbers, one.compacted_at) == ((1, 2), 0.0)


@pytest.mark.parametrize("of", one_fast(NAMES))
def test_a_transcript_is_taken_in_and_known_to_other_sessions(
    served: Served, api: httpx.Client, person: Path, namespace: str, of: str
) -> None:
    session = f"{namespace}-told"
    file = write_transcript(of, person, session, ("Let us plant the golden tomato seeds.", "Golden seeds it is."))
    for name in (one for one in tool(of).tells if one != tool(of).compaction):
        answer = tell(api, namespace, of, event(name, session, transcript_path=str(file)))
        assert (answer.status_code, answer.content) == (204, b"")
    until(lambda: "golden tomato" in stored(served, namespace, of, session))
    served.engine.settle()  # what is stored is looked for when it is indexed, a moment later
    assert "golden tomato" in ask(api, namespace, of, "another", PROMPT)
    assert ask(api, namespace, of, session, PROMPT) == ""  # the session holds it already
    write_transcript(of, person, session, ("Let us plant the golden tomato seeds.", "Golden seeds it is."),
                     ("And the soil?", "Clay soil for the garden."))  # fmt: skip
    tell(api, namespace, of, event(tool(of).tells[0], session, transcript_path=str(file)))
    until(lambda: "Clay soil" in stored(served, namespace, of, session))
    assert stored(served, namespace, of, session).count("Golden seeds it is.") == 1


def test_what_was_given_and_comes_back_in_the_transcript_is_not_stored(
    served: Served, api: httpx.Client, person: Path, namespace: str
) -> None:
    remember(served, namespace, "We chose the black cherry tomato seeds for the garden.")
    session = f"{namespace}-echo"
    given = ask(api, namespace, "claude-code", session, PROMPT)
    file = write_transcript("claude-code", person, session, (PROMPT, "You chose them in spring."))
    lines = claude_lines(session, (PROMPT, "You chose them in spring."))
    lines.insert(1, claude_context(session, given, lines[0]["uuid"]))
    lines.insert(
        2, claude_context(f"{session}", "Another hook says: mind the frost.", lines[0]["uuid"]) | {"uuid": "o"}
    )
    file.write_text("".join(json.dumps(row) + "\n" for row in lines))
    tell(api, namespace, "claude-code", event("Stop", session, transcript_path=str(file)))
    until(lambda: "in spring" in stored(served, namespace, "claude-code", session))
    kept = stored(served, namespace, "claude-code", session)
    assert "black cherry" not in kept and "<memory" not in kept and "hook_additional_context" not in kept
    assert "mind the frost" in kept


def test_a_new_session_is_given_how_the_last_ones_in_its_folder_ended(
    served: Served, api: httpx.Client, person: Path, namespace: str
) -> None:
    file = write_transcript("claude-code", person, f"{namespace}-old", ("Start the list.", "Started."),
                            ("Where are we?", "The fence is painted, the shed is not."))  # fmt: skip
    tell(
        api,
        namespace,
        "claude-code",
        event("SessionEnd", f"{namespace}-old", transcript_path=str(file), reason="other"),
    )
    until(lambda: "the shed is not" in stored(served, namespace, "claude-code", f"{namespace}-old"))
    begun = event("SessionStart", f"{namespace}-new", source="startup")
    answer = tell(api, namespace, "claude-code", begun)
    assert answer.json()["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    given = context_in(answer)
    assert "The fence is painted" in given and tokens(given) <= 800
    assert context_in(tell(api, namespace, "claude-code", begun)) == given
    assert context_in(tell(api, namespace, "claude-code", event("SessionStart", "other", cwd="/home/ana/other"))) == ""
    own = event("SessionStart", f"{namespace}-old", source="resume")
    assert context_in(tell(api, namespace, "claude-code", own)) == ""


def test_what_a_tool_told_its_model_about_itself_is_given_to_no_other_session(
    served: Served, api: httpx.Client, namespace: str
) -> None:
    said = (
        Line("System", Role.SYSTEM, "sandbox rules"),
        Line("User", Role.USER, "Paint the fence."),
        Line("Codex", Role.ASSISTANT, "Done."),
    )
    served.engine.ingest(
        [
            SessionInput(
                [Turn(said)],
                "Fence",
                id=f"{namespace}-fence",
                source="codex",
                namespace=namespace,
                meta={"cwd": "/home/ana/fence"},
            )
        ]
    )
    given = context_in(
        tell(api, namespace, "claude-code", event("SessionStart", "s9", cwd="/home/ana/fence", source="startup"))
    )
    assert "Paint the fence." in given and "sandbox rules" not in given


def test_a_new_session_in_a_new_folder_is_given_what_its_name_finds(
    served: Served, api: httpx.Client, namespace: str
) -> None:
    remember(served, namespace, "The greenhouse planner needs a calendar.")
    begun = event("SessionStart", "s1", cwd="/home/ana/Greenhouse_Planner", source="startup")
    assert "needs a calendar" in context_in(tell(api, namespace, "codex", begun))
    assert context_in(tell(api, namespace, "codex", event("SessionStart", "s2", cwd="", source="startup"))) == ""


def test_two_sessions_at_once_each_get_their_own(served: Served, api: httpx.Client, namespace: str) -> None:
    remember(served, namespace, *(f"Note {n} on the tomato garden and its seeds." for n in range(30)))

    def many(session: str) -> list[str]:
        return [ask(api, namespace, "codex", session, f"{PROMPT} {turn}") for turn in range(5)]

    with ThreadPoolExecutor(2) as pool:
        one, two = pool.map(many, ("s1", "s2"))
    for given in (one, two):
        said = [row for block in given for row in rows(block)]
        assert said and len(said) == len(set(said))
    assert one[0] == two[0]


def test_a_restart_in_between_repeats_nothing_and_a_retry_gets_the_same(
    person: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(person))
    monkeypatch.setattr(hooks_app, "DEADLINE_SECONDS", 60.0)
    notes = [f"Note {n} on the tomato garden and its seeds, {'water ' * 40}." for n in range(30)]
    given: list[str] = []
    for load in (True, False):
        for served in serving(tmp_path / "memory", CONFIG, page=False):
            if load:
                remember(served, "default", *notes)
            known = {"authorization": f"Bearer {served.token}"}
            with httpx.Client(base_url=served.address, headers=known, timeout=60) as api:
                prompts = (
                    [PROMPT, "more of the garden seeds"] if load else ["more of the garden seeds", "and the water?"]
                )
                given += [context_in(api.post("/hooks/codex", json=prompted("codex", "s1", one))) for one in prompts]
    first, second, retried, third = given
    assert retried == second and second
    assert not set(rows(first)) & set(rows(second)) and not set(rows(third)) & {*rows(first), *rows(second)}


BAD: dict[str, tuple[Any, int, str]] = {
    "no JSON": (b"{", 400, "not JSON"),
    "no UTF-8": (b'{"prompt": "\xff\xfe"}', 400, "not JSON"),
    "a list": (b"[]", 400, "one object"),
    "no event": (b"{}", 400, "is no event"),
    "an unknown event": (event("PreToolUse", "s1"), 400, "UserPromptSubmit"),
    "an event of another tool": (event("BeforeAgent", "s1"), 400, "is no event"),
    "no session": (event("Stop", ""), 400, "session_id has 0"),
    "a long session": (event("Stop", "s" * 5_000), 400, "session_id has 5000"),
    "a number for a prompt": (event("UserPromptSubmit", "s1", prompt=7), 400, "prompt is a int"),
    "deep JSON": (b"[" * 200_000, 400, "not JSON"),
    "10 MB": (event("UserPromptSubmit", "s1", prompt="x" * 10_000_000), 413, "4,194,304"),
}


@pytest.mark.parametrize("name", one_fast(BAD))
def test_bad_input_is_told_and_the_next_event_works(
    served: Served, api: httpx.Client, namespace: str, name: str
) -> None:
    body, status, said = BAD[name]
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = api.post(f"/hooks/{namespace}/claude-code", content=sent)
    assert answer.status_code == status and said in answer.json()["error"]
    assert tell(api, namespace, "claude-code", event("Stop", "s1")).status_code == 204


def test_half_characters_and_nul_in_a_prompt_do_no_harm(served: Served, api: httpx.Client, namespace: str) -> None:
    remember(served, namespace, "We chose the black cherry tomato seeds for the garden.")
    body = json.dumps(prompted("codex", "s\ud800\0", f"{PROMPT} \ud83d \0")).encode()
    assert "black cherry" in context_in(api.post(f"/hooks/{namespace}/codex", content=body))


def test_only_a_transcript_in_the_tools_own_folder_is_read(
    served: Served, api: httpx.Client, person: Path, namespace: str, tmp_path: Path
) -> None:
    secret = write_transcript("claude-code", tmp_path, "outside", ("The outside garden.", "No."))
    folder = person / ".claude" / "projects" / "-work-garden"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{namespace}.jsonl").symlink_to(secret)
    (person / ".claude" / "settings.json").write_text('{"a": 1}')
    (folder / "notes.md").write_text("User: garden\n\nAssistant: yes\n")
    (folder / "circle.jsonl").symlink_to(folder / "circle.jsonl")
    outside = [
        str(secret), str(folder / f"{namespace}.jsonl"), str(person / ".claude" / "settings.json"), str(folder / "notes.md"),
        f"{folder}/../../../.claude/settings.json", "-work-garden/x.jsonl", "/etc/passwd", "\0", "x" * 10_000,
        str(folder / "circle.jsonl"), str(folder), "~nobody-has-this-name/x.jsonl",
    ]  # fmt: skip
    for path in outside:
        answer = tell(api, namespace, "claude-code", event("Stop", "outside", transcript_path=path))
        assert answer.status_code == 400 and "is not a transcript of Claude Code" in answer.json()["error"], path
        assert str(tmp_path) not in answer.text
    codex = write_transcript("codex", person, "of-codex", ("The codex garden.", "Yes."))
    assert tell(api, namespace, "claude-code", event("Stop", "s1", transcript_path=str(codex))).status_code == 400
    missing = event("Stop", "s1", transcript_path=str(folder / "not-yet.jsonl"))
    assert tell(api, namespace, "claude-code", missing).status_code == 204
    assert served.engine.sessions(namespace) == []


def test_a_folder_that_a_variable_moved_is_read_for_whoever_holds_the_servers_own_token(
    served: Served, api: httpx.Client, namespace: str, tmp_path: Path
) -> None:
    """A client's token opens no other folder, and nobody's opens other files than transcripts."""
    moved = tmp_path / "moved ä"
    rows = "".join(json.dumps(row) + "\n" for row in claude_lines(f"{namespace}-moved", ("The moved garden.", "Yes.")))
    for file in (moved / "projects" / "-x" / "a.jsonl", moved / "settings.jsonl"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(rows)
    named = {hook_command.FOLDER_HEADER: quote(str(moved))}
    client = {"authorization": f"Bearer {ClientTokens(served.home).make(f'moved {namespace}')}"}

    def status(file: Path, headers: dict[str, str]) -> int:
        told = event("Stop", "s", transcript_path=str(file))
        return api.post(f"/hooks/{namespace}/claude-code", json=told, headers=headers).status_code

    inside = moved / "projects" / "-x" / "a.jsonl"
    assert status(inside, {}) == 400 == status(inside, {**named, **client})
    assert status(moved / "settings.jsonl", named) == 400
    assert (
        status(inside, {hook_command.FOLDER_HEADER: "moved"})
        == 400
        == status(inside, {hook_command.FOLDER_HEADER: "%00/"})
    )
    assert served.engine.sessions(namespace) == []
    assert status(inside, named) == 204
    until(lambda: "moved garden" in stored(served, namespace, "claude-code", f"{namespace}-moved"))


def test_a_path_with_a_tilde_is_the_persons_own(
    served: Served, api: httpx.Client, person: Path, namespace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(person))
    file = write_transcript("claude-code", person, f"{namespace}-tilde", ("The tilde garden.", "Yes."))
    path = f"~/{file.relative_to(person)}"
    assert tell(api, namespace, "claude-code", event("Stop", "s", transcript_path=path)).status_code == 204
    until(lambda: "tilde garden" in stored(served, namespace, "claude-code", f"{namespace}-tilde"))


def test_a_file_of_the_folder_that_is_no_transcript_brings_nothing(
    served: Served, api: httpx.Client, person: Path, namespace: str
) -> None:
    file = person / ".claude" / "projects" / "odd.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"mapping": {}, "messages": [{"role": "user", "content": "The odd garden."}]}))
    good = write_transcript("claude-code", person, f"{namespace}-good", ("The good garden.", "Yes."))
    for path in (file, good):
        assert tell(api, namespace, "claude-code", event("Stop", "s", transcript_path=str(path))).status_code == 204
    until(lambda: "good garden" in stored(served, namespace, "claude-code", f"{namespace}-good"))
    assert [one.source for one in served.engine.sessions(namespace)] == ["claude-code"]


def test_who_may_not_is_refused(served: Served, api: httpx.Client, namespace: str) -> None:
    made = ClientTokens(served.home)
    token, reader = (
        made.make(f"hook {namespace}", namespace=namespace),
        made.make(f"reader {namespace}", read_only=True),
    )
    told = prompted("codex", "s1", PROMPT)

    def status(path: str, token: str = "", **options: Any) -> int:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        return httpx.post(
            f"{served.address}{path}", headers=headers, timeout=60, **({"json": told} | options)
        ).status_code

    assert status("/hooks/codex") == 401 and status("/hooks/codex", "pmg_wrong") == 401
    assert status("/hooks/codex", token) == 204 == status(f"/hooks/{namespace}/codex", token)
    assert status("/hooks/another/codex", token) == 404
    assert status("/api/stats", token) == 401 == status("/", token)
    assert status("/hooks/codex", reader) == 204
    assert status("/hooks/codex", reader, json=event("Stop", "s1")) == 403
    assert status("/hooks/emacs", token) == 404 and status("/hooks/no wall/codex", served.token) == 400
    made.revoke(f"hook {namespace}")
    assert status("/hooks/codex", token) == 401
    assert httpx.get(f"{served.address}/hooks/codex", headers={"authorization": f"Bearer {served.token}"}).status_code == 405  # fmt: skip
    with httpx.Client(base_url=served.address, follow_redirects=True, timeout=60) as browser:
        place = str(browser.get(f"/?token={served.token}").raise_for_status().url).rstrip("/")
        assert browser.post(f"{place}/hooks/codex", json=told).status_code == 403  # a cookie is not enough


def test_a_recall_that_hangs_is_answered_with_nothing_and_delays_nobody(
    person: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("HOME", str(person))
    monkeypatch.setattr(hooks_app, "DEADLINE_SECONDS", 0.05)
    made: list[TimedWork[Any]] = []

    def timed(limit: float) -> TimedWork[Any]:
        made.append(TimedWork(limit))
        return made[-1]

    monkeypatch.setattr(hooks_app, "TimedWork", timed)
    hanging, free = threading.Event(), threading.Event()
    whole = hook_context.inject

    def slow(engine: Any, given: Any, namespace: str, told: Any) -> Any:
        if "hang" in told.prompt:
            hanging.set()
            assert free.wait(60)
        return whole(engine, given, namespace, told)

    monkeypatch.setattr(hooks_app, "inject", slow)
    try:
        for served in serving(tmp_path / "memory", CONFIG, page=False):
            remember(served, "default", "We chose the black cherry tomato seeds for the garden.")
            known = {"authorization": f"Bearer {served.token}"}
            with httpx.Client(base_url=served.address, headers=known, timeout=60) as api:
                late = api.post("/hooks/codex", json=prompted("codex", "s1", f"{PROMPT} hang"))
                assert (late.status_code, late.content) == (204, b"") and hanging.is_set() and not free.is_set()
                assert "took longer than 0.05 seconds" in caplog.text
                made[0]._limit = 60.0  # how fast this machine is must not decide the rest
                assert "black cherry" in context_in(api.post("/hooks/codex", json=prompted("codex", "s2", PROMPT)))
                assert not free.is_set()
                free.set()
                # What came late was given to nobody, so a retry gives it.
                again = api.post("/hooks/codex", json=prompted("codex", "s1", f"{PROMPT} hang"))
                assert "black cherry" in context_in(again)
    finally:
        free.set()


def test_what_each_program_asked_and_told_is_counted(served: Served, api: httpx.Client, namespace: str) -> None:
    remember(served, namespace, "We chose the black cherry tomato seeds for the garden.")
    token = ClientTokens(served.home).make(f"count {namespace}")
    known = {"authorization": f"Bearer {token}"}
    with httpx.Client(base_url=served.address, headers=known, timeout=60) as client:
        given = ask(client, namespace, "codex", "s1", PROMPT)
        tell(client, namespace, "codex", event("Stop", "s1"))
        called = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "recall", "arguments": {"question": "tomato"}}}  # fmt: skip
        accepted = {"accept": "application/json, text/event-stream"}
        assert client.post(f"/mcp/{namespace}", json=called, headers=accepted).is_success
    assert served.server.context is not None and served.server.context.activity is not None
    use = next(one for one in served.server.context.activity.all() if one.name == f"count {namespace}")
    assert (use.asked, use.told) == (2, 1) and use.tokens > tokens(given) > 0
    assert use.last_asked is not None and use.last_told is not None
