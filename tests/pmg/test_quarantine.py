"""A redaction rule that fails costs one turn, never its neighbours, and lets nothing through."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from pmg.base.errors import InputError
from pmg.base.model import Turn
from pmg.base.patterns import Match
from pmg.config import Config, RedactConfig
from pmg.engine import Engine, redactor_for
from pmg.importers.import_run import import_paths
from pmg.ingest.quarantine import ASIDE
from pmg.ingest.redact import DEFAULT_RULES, Redactor, Rule
from pmg.ingest.redact.rule import RuleHit, Span
from pmg.ingest.turns import SessionInput, clean_together, exchange
from tests.embedding import WordEmbedder
from tests.pmg.importers.memory import chat, export, texts

SECRET = "hunter" + "2" * 6


def _fails(data: bytes, match: Match) -> tuple[Span, ...]:
    raise ValueError(data.decode())


def _finds_nothing_and_fails(data: bytes, start: int, end: int, places: Sequence[Span]) -> Iterator[RuleHit]:
    raise IndexError
    yield


BROKEN = (*DEFAULT_RULES, Rule("broken", "zebra", (), (), ("zebra",), _fails))


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with Engine.open(Config(home=tmp_path), embedder=WordEmbedder()) as opened:
        opened._memory.redactor = Redactor(BROKEN)
        yield opened


def _turn(text: str) -> Turn:
    return Turn(exchange(text, "Yes."))


def test_a_rule_that_fails_takes_its_line_out_and_leaves_the_others() -> None:
    result = Redactor(BROKEN).redact(f"first\nthe zebra and more\npassword = '{SECRET}'")
    assert result.text == "first\nthe [redacted: unchecked text]\npassword = '[redacted: password]'"
    assert result.failed == ("broken",)


def test_a_finder_that_fails_lets_nothing_of_its_text_through() -> None:
    rules = [Rule("broken", "", (), (), ("zebra",), find=_finds_nothing_and_fails)]
    assert Redactor(rules).redact("the zebra knows it").text == "[redacted: unchecked text]"


def test_a_failure_is_logged_without_the_text(caplog: pytest.LogCaptureFixture) -> None:
    Redactor(BROKEN).redact("the zebra knows it")
    assert "broken" in caplog.text and "ValueError" in caplog.text and "zebra" not in caplog.text


def test_whatever_else_fails_the_text_does_not_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    redactor = Redactor()
    monkeypatch.setattr(redactor, "_redact", _fails)
    assert redactor.redact("words").text == "[redacted: unchecked text]"


def test_a_turn_on_which_a_rule_fails_is_kept_aside_and_its_neighbours_come_in(engine: Engine) -> None:
    turns = [_turn("One."), _turn(f"Two\nthe zebra {SECRET}\nthree"), _turn("Four.")]
    done = engine.ingest([SessionInput(turns, id="talk")])
    assert done.turns == 2 and len(done.aside) == 1 and "talk" in done.aside[0] and "broken" in done.aside[0]
    assert [segment.lines[0].text for segment in engine.reads.segments_of("talk")] == ["One.", "Four."]
    (entry,) = [e for e in engine.reads.maintenance.journal_entries(run=_run(done.aside[0])) if e.action == ASIDE]
    assert json.loads(entry.after)["lines"][0]["text"] == "Two\nthe [redacted: unchecked text]\nthree"
    engine.ingest([SessionInput(turns, id="talk")])
    assert len(engine.reads.maintenance.journal_entries(run=_run(done.aside[0]))) == 1


def test_it_comes_in_whole_once_the_rule_is_mended(engine: Engine) -> None:
    turns = [_turn("One."), _turn("the zebra"), _turn("Four.")]
    engine.ingest([SessionInput(turns, id="talk")])
    engine._memory.redactor = Redactor()
    assert engine.ingest([SessionInput(turns, id="talk")]).turns == 1


def test_an_import_tells_what_it_kept_aside_and_brings_it_once_the_rule_is_mended(
    engine: Engine, tmp_path: Path
) -> None:
    said = [("the river is high", "Yes."), ("the zebra knows it", "No."), ("the rain is over", "Good.")]
    file = export(tmp_path / "chats" / "a.json", chat("1", said))
    report = import_paths(engine, [file])
    assert (report.turns, report.missing) == (3, 0) and len(texts(engine)) == 2
    (told,) = [problem.reason for problem in report.problems]
    assert "broken" in told and "aside-" in told
    engine._memory.redactor = Redactor()
    again = import_paths(engine, [file])
    assert (again.turns, again.missing, again.total("edited")) == (1, 0, 0) and len(texts(engine)) == 3


def test_a_turn_of_an_open_session_is_kept_aside_and_told(engine: Engine) -> None:
    with engine.session() as session:
        session.add(user="One.", assistant="Yes.")
        with pytest.raises(InputError, match=r"broken.*journal"):
            session.add(user="the zebra", assistant="Yes.")
        session.add(user="Two.", assistant="Yes.")
    assert len(engine.reads.segments_of(session.id)) == 2


def test_a_value_found_once_goes_from_the_whole_session() -> None:
    turns = [_turn(f"I typed {SECRET} there"), _turn(f"password = '{SECRET}'"), _turn(f"({SECRET}) again")]
    cleaned = clean_together(turns, Redactor(), 10_000)
    assert all(SECRET not in line.text for one in cleaned for line in one.turn.lines)
    assert cleaned[0].turn.lines[0].text == "I typed [redacted: password] there"
    assert [dict(one.redacted) for one in cleaned] == [{"password": 1}] * 3


def test_a_value_found_in_an_open_session_goes_from_its_later_turns(engine: Engine) -> None:
    with engine.session() as session:
        session.add(user=f"password = '{SECRET}'", assistant="Yes.")
        session.add(user=f"try {SECRET} now", assistant="Yes.")
    with engine.session() as other:
        other.add(user=f"{SECRET} is a word here", assistant="Yes.")
    said = [segment.lines[0].text for segment in engine.reads.segments_of(session.id)]
    assert said[1] == "try [redacted: password] now"
    assert engine.reads.segments_of(other.id)[0].lines[0].text == f"{SECRET} is a word here"


def test_what_was_taken_out_is_told_with_the_words_around_it(engine: Engine) -> None:
    done = engine.ingest([SessionInput([_turn(f"my note: password = '{SECRET}' for the shop")], id="talk")])
    (place,) = done.places
    assert (place.kind, place.session) == ("password", "talk")
    assert place.excerpt == "my note: password = '[redacted: password]' for the shop"


def _run(told: str) -> str:
    return "aside-" + told.split("aside-")[1][:16]


def test_the_redactor_is_built_once_for_the_same_wishes(tmp_path: Path) -> None:
    one = redactor_for(Config(home=tmp_path))
    assert redactor_for(Config(home=tmp_path / "other")) is one
    assert redactor_for(Config(home=tmp_path, redact=RedactConfig(off=("jwt",)))) is not one
