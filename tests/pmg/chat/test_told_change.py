"""A change that is told takes the place of what was so; one of another, wished for, denied or of long ago does not."""

from __future__ import annotations

import pytest

from pmg.chat.told_change import changes_what_is_asked, ends_its_state, may_change_work, only_plans_a_change

KATE = ("Where does Kate live?", "My sister Kate lives in Sheffield, on Crookes Road")


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        (*KATE, "Kate moved to Manchester, to Chorlton"),
        (*KATE, "My sister has moved to Leeds"),
        (*KATE, "Guess what: Kate's moved back to York"),
        ("Where does my sister Ines live?", "My sister Ines lives in Porto.", "Ines moved to Lisbon last weekend."),
        ("Where do the Okoros live?", "The Okoros live in Reading", "The Okoros relocated to Lagos in the spring"),
        ("Where do I live?", "I live in Norwich", "We moved to Ipswich last weekend, boxes everywhere"),
        ("Where does Gareth work?", "Gareth works at the brewery", "Gareth started at the water board this week"),
        (
            "Where does my daughter work?",
            "My daughter works at Lloyds",
            "My daughter joined a start-up called Fernhill",
        ),
        ("Who does Magda work for?", "Magda works for a law firm", "Magda retired at the end of May"),
        ("Where do I live?", "I live in Norwich", "I've moved to Ipswich"),
        ("Where do we live?", "We live in Norwich", "We've moved, the new address is 5 Elm Road"),
        ("Wo wohnen wir?", "Wir wohnen an der Talstrasse 88", "Wir sind umgezogen, neue Adresse ist Breiteweg 5."),
        ("What do I use for invoices?", "For invoices I use FreshBooks", "I switched to Zoho for invoices"),
        ("Wo wohnt Gerda?", "Meine Tante Gerda wohnt in Kassel", "Gerda ist nach Erfurt gezogen, in die Altstadt"),
        ("In welchem Heim wohnt Opa?", "Opa wohnt im Haus Sonnenhof", "Opa ist letzte Woche ins Marienstift umgezogen"),
        ("Wo arbeitet Timo?", "Timo arbeitet bei der Sparkasse", "Timo hat bei Bosch angefangen"),
    ],
)
def test_a_change_of_the_one_asked_about_ends_what_was(question: str, older: str, newer: str) -> None:
    assert changes_what_is_asked(question, older, newer, 2026)
    assert ends_its_state(question, older, newer, 2026)


@pytest.mark.parametrize(
    ("question", "newer"),
    [
        ("Where does Kate live?", "Lena moved to Manchester"),
        ("Where does Kate live?", "Kate's son moved to Manchester"),
        ("Where does Kate live?", "Kate says that Tom moved to Manchester"),
        ("Where does Kate live?", "Kate moved the piano to the cellar"),
        ("Where does Kate live?", "Kate moved to Manchester as a child"),
        ("Where does Kate live?", "In 1998 Kate moved to Manchester"),
        ("Where does Kate live?", "Has Kate moved to Manchester?"),
        ("Where does Kate work?", "Kate moved to Manchester"),
        ("Where do I live?", "I moved the sofa today, the shop's address is 9 Park Row"),
        ("Where do I live?", "Moved the meeting, the new address is 5 Dock Street"),
        ("Where do we live?", "We moved the piano to the new address"),
        ("Wo wohnen wir?", "Wir sind mit dem Server umgezogen, neue Adresse ist 10.0.0.4"),
        ("Where do I work?", "I switched to the early shift"),
        ("Where does Kate work?", "Kate joined a choir in the old town"),
        ("Where does Kate work?", "Kate started at 9 today"),
        ("When is Kate's birthday?", "Kate moved to Manchester"),
        ("What do I use for notes?", "I switched to Zoho for invoices"),
        ("Where do I live?", "Kate moved to Manchester"),
        ("Wo wohnt Gerda?", "Gerdas Sohn ist nach Erfurt gezogen"),
    ],
)
def test_another_or_another_thing_changes_nothing(question: str, newer: str) -> None:
    assert not changes_what_is_asked(question, KATE[1], newer, 2026)


@pytest.mark.parametrize(
    ("question", "newer"),
    [
        ("Where does Kate live?", "Kate wants to move to Manchester"),
        ("Where does Kate live?", "Kate is thinking about moving to Manchester"),
        ("Where does Kate live?", "Kate nearly moved to Manchester"),
        ("Where does Kate live?", "Kate hasn't moved to Manchester"),
        ("Where does Kate work?", "Kate would love to start at the museum"),
        ("Wo wohnt Gerda?", "Gerda überlegt, nach Wien zu ziehen"),
        ("Wo wohnt Gerda?", "Gerda will nach Erfurt ziehen"),
    ],
)
def test_what_is_only_planned_or_denied_is_no_change(question: str, newer: str) -> None:
    assert not changes_what_is_asked(question, KATE[1], newer, 2026)
    assert only_plans_a_change(question, newer)


def test_a_move_within_work_may_be_another_place_of_work() -> None:
    assert may_change_work("Where do I work now?", "From this month I've moved to the endoscopy unit")
    assert not may_change_work("Where do I live now?", "I've moved to the endoscopy unit")
    assert not may_change_work("Where do I work now?", "Kate moved to Manchester")
