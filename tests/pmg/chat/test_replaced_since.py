"""A later line that says that what the answer names was replaced or is no longer in use: then the older is not the sure answer, whoever told the newer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from pmg.base.model import Line, Role, Turn
from pmg.chat.ask import ask
from pmg.chat.replaced_since import says_replaced, takes_up_again
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput
from pmg.server import writes

CI = "The CI runs on Jenkins."
API = "The API is deployed to Hetzner, server fsn1-web-2."
MOVED = "We moved CI from Jenkins to GitHub Actions."
OFF = "Mia said: the API runs on Fly.io since today, the Hetzner server is switched off."
NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("where does the CI run?", CI, MOVED),
        ("what does our CI run on?", CI, MOVED),
        ("where does the CI run?", CI, "CI has been migrated from Jenkins to GitHub Actions"),
        ("where does the CI run?", CI, "Mia moved the CI over from the Jenkins server to GitHub Actions"),
        ("where does the CI run?", CI, "We switched from Jenkins to GitHub Actions last week."),
        ("where does the CI run?", CI, "We replaced Jenkins with GitHub Actions."),
        ("where does the CI run?", CI, "We no longer use Jenkins."),
        ("where does the CI run?", CI, "Jenkins is decommissioned."),
        ("what does our CI run on?", CI, "We don't use Jenkins for the CI any more."),
        ("where is the API deployed?", API, OFF),
        ("which database do we use?", "We use MySQL as the database.", "The database was changed from MySQL to Postgres."),
        ("Wo läuft die CI?", "Die CI läuft auf Jenkins.", "Wir haben die CI von Jenkins auf GitHub Actions umgestellt."),
        ("Wo läuft die CI?", "Die CI läuft auf Jenkins.", "Wir haben Jenkins durch GitHub Actions ersetzt."),
    ],
)  # fmt: skip
def test_what_the_older_line_tells_was_replaced(question: str, older: str, newer: str) -> None:
    assert says_replaced(question, older, newer)


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("where does the CI run?", CI, "We moved the docs from Jenkins to Confluence."),
        ("where does the CI run?", CI, "We moved CI from CircleCI to Jenkins."),
        ("where does the CI run?", CI, "We have not moved CI from Jenkins to GitHub Actions."),
        ("where does the CI run?", CI, "If we moved CI from Jenkins to GitHub Actions, it would be cheaper."),
        ("where does the CI run?", CI, "Have we moved CI from Jenkins to GitHub Actions?"),
        ("where does the CI run?", CI, "The Jenkins docs are gone, ask the CI folks."),
        ("where is the API deployed?", API, "The Hetzner server is switched off at night, the API sleeps."),
        ("where does Tom live?", "Tom lives in Berlin with Anna.", "Anna moved from Berlin to Munich."),
        ("where is the gate?", "The Brandenburg gate is in Berlin.", "I moved from Berlin to Munich."),
        ("where is the router?", "The router is next to the TV.", "The TV is switched off."),
        ("who is mum's internet with?", "Mum's internet is with Vodafone.", "We switched from Vodafone to O2."),
        ("which editor do I use?", "My editor is Vim.", "Anna switched from Vim to Emacs."),
        ("when is choir?", "Choir is on Monday.", "The gym moved from Monday to Tuesday."),
        ("where does the CI run?", CI, "We switched from Jenkins to TeamCity for a week."),
        ("where does the CI run?", CI, "We switched from Jenkins to TeamCity in 2015 and came back."),
        ("where does the CI run?", CI, "We replaced the old Jenkins with a new Jenkins server."),
        ("what does Ella play?", "Ella plays the cello.", "Ella's friend switched from cello to violin."),
        ("what does Ella play?", "Ella plays the cello.", "Ella's best friend switched from cello to violin."),
        ("Was spielt Ella?", "Ella spielt Cello.", "Ellas Freundin ist von Cello zu Geige gewechselt."),
    ],
)  # fmt: skip
def test_what_is_of_another_matter_or_did_not_happen_does_not_count(question: str, older: str, newer: str) -> None:
    assert not says_replaced(question, older, newer)


def test_what_another_uses_is_not_what_one_uses_oneself() -> None:
    question, older, newer = "who is my bank?", "My bank is Barclays.", "I switched from Barclays to Monzo."
    assert says_replaced(question, older, newer) and not says_replaced(question, older, newer, is_same_speaker=False)
    assert says_replaced("where does the CI run?", CI, "We replaced Jenkins with TeamCity.", is_same_speaker=False)


def test_a_line_that_tells_the_change_itself_is_not_replaced_by_one_that_tells_it_again() -> None:
    assert not says_replaced("where does the CI run?", MOVED, "We switched CI from Jenkins to GitHub Actions.")


def test_whether_it_is_so_is_asked_with_the_name_of_what_was_replaced() -> None:
    question = "does the CI run on Jenkins?"
    assert says_replaced(question, CI, MOVED, asks_whether=True) and not says_replaced(question, CI, MOVED)


def test_who_goes_back_takes_it_up_again() -> None:
    assert takes_up_again(CI, "We moved CI back from GitHub Actions to Jenkins.")
    assert not takes_up_again(CI, MOVED)


def note(engine: Engine, text: str, when: str) -> None:
    writes.remember(engine, "default", "mcp", text=text, user="", assistant="", session="", when=when)


def told(engine: Engine, text: str, when: str) -> None:
    writes.remember(engine, "default", "cli", text="", user=text, assistant="", session="", when=when)


@pytest.mark.parametrize("tell", [note, told])
@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [("where does the CI run?", CI, MOVED), ("where is the API deployed?", API, OFF)],
)
def test_the_newer_line_comes_first_by_whichever_door(
    engine: Engine, tell: Callable[[Engine, str, str], None], question: str, older: str, newer: str
) -> None:
    tell(engine, older, "2026-09-04 10:00")
    tell(engine, newer, "2026-10-20 10:00")
    engine.extract()
    found = ask(engine, question, at=NOW)
    assert [line.text for line in found.lines[:2]] == [newer, older]


def test_a_plain_yes_is_not_said_of_what_was_replaced(engine: Engine) -> None:
    told(engine, CI, "2026-09-04 10:00")
    told(engine, MOVED, "2026-10-20 10:00")
    engine.extract()
    found = ask(engine, "does the CI run on Jenkins?", at=NOW)
    assert found.verdict is None and found.lines[0].text == MOVED


def test_what_was_moved_elsewhere_leaves_the_answer_first(engine: Engine) -> None:
    told(engine, CI, "2026-09-04 10:00")
    told(engine, "We moved the docs from Jenkins to Confluence.", "2026-10-20 10:00")
    engine.extract()
    assert ask(engine, "where does the CI run?", at=NOW).lines[0].text == CI


def test_what_a_model_answered_replaces_nothing_even_under_the_name_of_its_source(engine: Engine) -> None:
    told(engine, CI, "2026-09-04 10:00")
    answer = Line("aider", Role.ASSISTANT, MOVED)
    at = datetime(2026, 10, 20, 10, tzinfo=UTC)
    turn = Turn((Line("User", Role.USER, "Tidy up the CI, please."), answer), at)
    engine.ingest([SessionInput([turn], "tidy", id="tidy", started_at=at, source="aider")])
    engine.extract()
    assert ask(engine, "where does the CI run?", at=NOW).lines[0].text == CI
