"""Claims from a language model: nothing of it is taken on trust, it is asked once, and nobody waits for it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from pmg import config as configuration
from pmg import forget
from pmg.base.claim import GRAMMAR, Modality
from pmg.base.errors import ChatUnavailable
from pmg.cli import people_extract  # noqa: F401  (adds its command to the app)
from pmg.cli.root import app
from pmg.engine import Engine
from pmg.people import read_sessions
from pmg.people.model_extract import MAX_LINES, NoClaims, cost_of, extract_with, messages, parts
from steward.steward import Steward
from tests.chat_server import ChatServer, raw, serving
from tests.embedding import WordEmbedder
from tests.pmg.people.talk import lines, session
from tests.stores import store_of

MAY, JUNE = (datetime(2023, month, 8, 12, tzinfo=UTC) for month in (5, 6))
SAID = lines(("Ana", "Got the keys to the Bergen flat since March!"), ("Ben", "Lovely."))
GOOD = {"line": 1, "about": "Ana", "relation": "lives_in", "object": "Bergen flat", "words": "Got the keys to the Bergen flat",
        "negated": False, "modality": "stated", "certainty": 0.8, "since": "2023-03-01", "until": None}  # fmt: skip


def answering(*answers: str) -> tuple[list[Sequence[dict[str, str]]], Any]:
    asked: list[Sequence[dict[str, str]]] = []
    left = iter(answers)

    def ask(sent: Sequence[dict[str, str]]) -> str:
        asked.append(sent)
        return next(left)

    return asked, ask


def told(*rows: Any) -> str:
    return json.dumps({"claims": list(rows)})


def test_a_row_that_its_line_bears_out_is_a_claim_with_its_source() -> None:
    _, ask = answering(f"Here you are:\n```json\n{told(GOOD)}\n```")
    (claim,) = extract_with(ask, "llama", SAID).claims
    assert (claim.speaker, claim.subject, claim.relation, claim.object) == ("Ana", "Ana", "lives_in", "Bergen flat")
    assert SAID[0].text[claim.start : claim.end] == GOOD["words"]
    assert (claim.source, claim.certainty, claim.valid_from) == ("model:llama", 0.8, date(2023, 3, 1))
    assert claim.modality is Modality.STATED and claim.is_positive


@pytest.mark.parametrize(
    "change",
    [
        {"line": 9},
        {"line": True},
        {"line": "1"},
        {"words": "I moved to Bergen"},
        {"about": "Zoe"},
        {"about": ""},
        {"relation": "LIVES; DROP"},
        {"object": "Bergen castle"},
        {"object": "x" * 400},
        {"modality": "sworn"},
        {"certainty": 7},
        {"since": "in spring"},
        {"certainty": "high"},
    ],
)
def test_what_the_line_does_not_say_is_refused(change: dict[str, Any]) -> None:
    _, ask = answering(told(GOOD | change))
    found = extract_with(ask, "llama", SAID)
    assert (found.claims, found.refused) == ((), 1)


def test_an_answer_that_is_no_json_is_asked_for_once_more() -> None:
    asked, ask = answering("I'd rather not.", told(GOOD))
    assert len(extract_with(ask, "llama", SAID).claims) == 1
    assert [len(sent) for sent in asked] == [2, 4] and "not usable" in asked[1][-1]["content"]
    _, ask = answering("No.", '{"claims": 3}')
    with pytest.raises(NoClaims):
        extract_with(ask, "llama", SAID)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), lambda x: st.lists(x, max_size=3) | st.dictionaries(st.sampled_from([*GOOD, "x"]), x, max_size=4), max_leaves=8))  # fmt: skip
def test_any_answer_at_all_gives_claims_of_these_lines_or_none(value: Any) -> None:
    _, ask = answering(told(value, value))
    for claim in extract_with(ask, "llama", SAID).claims:
        assert SAID[0].text[claim.start : claim.end]


def test_a_long_session_goes_in_parts_and_its_cost_is_counted() -> None:
    many = lines(*[("Ana", f"I bought boat number {n}.") for n in range(MAX_LINES + 1)])
    assert [len(part) for part in parts(many)] == [MAX_LINES, 1]
    cost = cost_of(many)
    assert (cost.sessions, cost.lines, cost.requests) == (1, MAX_LINES + 1, 2)
    sent = sum(len(row["content"]) for part in parts(many) for row in messages(part))
    assert sent // 4 < cost.tokens < sent


# with a memory and a server


def reads(handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
    """A model that claims of every line that its speaker keeps the word after "keeps"."""
    rows = []
    for number, speaker, text in re.findall(r"^(\d+)\. \[[\d-]+\] (\w+): (.*)$", body["messages"][1]["content"], re.M):
        if found := re.search(r"keeps (\w+)", text):
            rows.append(GOOD | {"line": int(number), "about": speaker, "relation": "owns", "object": found[1], "words": found[0], "since": None})  # fmt: skip
    answer = {"choices": [{"message": {"content": told(*rows)}}]}
    raw(json.dumps(answer).encode(), "application/json")(handler, body)


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with serving(reads) as made:
        yield made


@pytest.fixture
def filled(engine: Engine) -> Engine:
    engine.ingest(
        [
            session("one", MAY, ("Ana", "My yard, which keeps bees. I live in Oslo."), ("Ben", "Oh.")),
            session("two", JUNE, ("Ana", "My roof, which keeps swifts."), ("Ben", "Oh.")),
            session("walled", JUNE, ("Zoe", "My shed, which keeps badgers."), ("Ben", "Oh."), namespace="private"),
        ]
    )
    engine.extract()
    return engine


def asker(server: ChatServer, stop_after: int = 99) -> Any:
    from pmg.chat.openai import OpenAI
    from pmg.config import ChatConfig

    client = OpenAI(ChatConfig(base_url=server.base_url), lambda: "")

    def ask(sent: Sequence[dict[str, str]]) -> str:
        if len(server.asked) >= stop_after:
            raise ChatUnavailable("gone")
        return client.complete("first", sent)

    return ask


def owned(engine: Engine, namespace: str = "default") -> list[tuple[str, str]]:
    return [(one.claim.object, one.claim.source) for one in engine.reads.people.claims(namespace) if one.claim.relation == "owns"]  # fmt: skip


BOTH = [("bees", "model:first"), ("swifts", "model:first")]


def test_it_is_asked_once_goes_on_after_a_failure_and_stays_when_grammar_reads_again(
    filled: Engine, server: ChatServer
) -> None:
    before = filled.reads.people.claims("default")
    assert {one.claim.source for one in before} == {GRAMMAR}
    with pytest.raises(ChatUnavailable):
        filled.extract_with_model("first", asker(server, 1))
    assert owned(filled) == BOTH[:1]
    done = filled.extract_with_model("first", asker(server))
    assert (done.sessions, done.claims) == (1, 1) and owned(filled) == BOTH and len(server.asked) == 2
    assert filled.extract_with_model("first", asker(server)).sessions == 0 and len(server.asked) == 2
    assert filled.model_cost("first").requests == 0 and filled.model_cost("second").requests == 2
    read_sessions.read_sessions(store_of(filled), ["one", "two"])
    assert owned(filled) == BOTH
    kept = [one.claim for one in filled.reads.people.claims("default") if one.claim.source == GRAMMAR]
    assert kept == [one.claim for one in before]
    assert "badgers" not in server.sent_text and owned(filled, "private") == []


def test_a_ruling_forgetting_and_sql_treat_its_claims_as_any_other(filled: Engine, server: ChatServer) -> None:
    filled.extract_with_model("first", asker(server))
    claim = next(one for one in filled.reads.people.claims("default") if one.claim.object == "bees")
    Steward(filled).correct_claim(claim.id, "wasps")
    assert [thing for thing, _ in owned(filled)] == ["wasps", "swifts"]
    rows = filled.sql("SELECT object, source, ruling, corrected FROM v_claims WHERE relation = 'owns' ORDER BY 1").rows
    assert rows == [("bees", "model:first", "corrected", "wasps"), ("swifts", "model:first", "", "")]
    assert forget.forget(filled, forget.plan(filled, forget.Selection(segments=("seg_one_0",)))).clean
    filled.extract()
    assert owned(filled) == BOTH[1:]
    assert filled.reads.people.waiting_for_model("default", "first") == ["one"]  # what is left of it, if anybody asks


def test_a_session_that_changed_meanwhile_waits_for_the_next_time(filled: Engine, server: ChatServer) -> None:
    ask = asker(server)

    def slow(sent: Sequence[dict[str, str]]) -> str:
        answer: str = ask(sent)
        if len(server.asked) == 1:  # a turn is forgotten while the model thinks: nothing waits for it
            forget.forget(filled, forget.plan(filled, forget.Selection(segments=("seg_one_0",))))
        return answer

    done = filled.extract_with_model("first", slow)
    assert (done.sessions, done.skipped) == (1, 1) and owned(filled) == BOTH[1:]


def test_the_command_is_off_shows_its_cost_and_asks_first(
    home: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Engine.open(configuration.load(home, {}), embedder=WordEmbedder()) as engine:
        engine.ingest([session("one", MAY, ("Ana", "My yard, which keeps bees."), ("Ben", "Oh."))])

    def typed(*words: str, answer: str = "") -> tuple[int, str]:
        done = CliRunner().invoke(app, ["--home", str(home), "people", "extract", *words], input=answer)
        return done.exit_code, " ".join(done.output.split())

    assert typed()[0] == 0
    code, said = typed("--model")
    assert code == 1 and "chat.extract_claims true" in said
    monkeypatch.setenv("PMG_CHAT_EXTRACT_CLAIMS", "true")
    monkeypatch.setenv("PMG_CHAT_BASE_URL", server.base_url)
    code, said = typed("--model", answer="n\n")
    assert code != 0 and "1 time about 2 lines of 1 session" in said and "on this machine" in said
    assert server.asked == []
    code, said = typed("--model", "--yes")
    assert code == 0 and "1 claim from 1 session; 0 were not borne out" in said
    assert "read everything" in typed("--model")[1] and len(server.asked) == 1
