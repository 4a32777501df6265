"""A first word that could be a command: what is wanted, or a thing of which something is told."""

from __future__ import annotations

import pytest

from pmg.answer.command_word import is_a_thing
from pmg.answer.message import MessageKind, kind_of, tells_nothing


@pytest.mark.parametrize(
    "text",
    [
        "Show starts at 7:30 on Thursday at the Lowry.",
        "Show at the Lowry begins at 8",
        "Show costs £40",
        "Show runs until 9 May",
        "Show sold out",
        "Find of the day: a brass lamp for 8 quid",
        "Search party found the dog on Sunday",
        "Search for the cat is over",
        "Recall notice for the toaster came, serial 4471",
        "List for Sunday: milk, eggs",
        "List of guests: Anna, Tom and Ben",
        "List of guests is on the fridge",
        "List of chores hangs on the fridge",
        "Recall of the toaster costs them a million",
        "Search of the attic turned up nothing",
        "Book club on 1 December is cancelled.",
        "Book club meets at Jeanette's house on Wednesdays at 2",
        "Order arrived yesterday, two chairs were missing.",
        "Order arrived yesterday",
        "Order from Ikea arrived",
        "Schedule changed: I work Tuesdays now",
        "Send-off for Kim is on 9 May",
        "Buy-in from Tom: he agreed to 3k",
        "Phone screen cracked",
        "Phone screen cracked on Monday",
        "Phone shop found my charger",
        "Book club met on Tuesday",
        "Phone contract ends in May",
        "Call centre opens at 8",
        "Pay rise came through",
        "Such a lovely day, we went to Kew",
        "Spiel gegen Ulm fällt aus",
        "Suche nach der Wohnung ist vorbei",
        "Suche läuft noch",
    ],
)
def test_a_noun_of_which_something_is_said_is_no_command(text: str) -> None:
    assert kind_of(text) is MessageKind.TOLD
    assert not tells_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "show plans for May",
        "show walks in Wales",
        "find shops in Leeds",
        "find lost keys",
        "list used cars",
        "show planned trips",
        "find photos taken in Rome",
        "list books bought last year",
        "list food bought in May",
        "list friends from work who are vegan",
        "list friends from work Anna has met",
        "list photos from Rome Anna took",
        "List of books I read in 2023",
        "list of my allergies",
        "list of people who owe me money",
        "list of bills paid in May",
        "find photo taken the other day",
        "find wine drunk the other night",
        "show dress worn the day of the wedding",
        "find house sold a year ago",
        "find the recipe that was good",
        "search for the pub we liked",
        "search for photos Dan took",
        "show tickets for Hamlet",
        "show notes: boiler",
        "find everything about the show",
        "Suche nach Fotos von Anna",
        "suche das Restaurant wo wir waren",
    ],
)
def test_what_is_to_be_found_is_a_search_whatever_verb_it_has(text: str) -> None:
    assert kind_of(text) is MessageKind.SEARCH
    assert not is_a_thing(text)


@pytest.mark.parametrize(
    "text",
    [
        "book a table for two",
        "book table for two on Friday",
        "book flights for when school is out",
        "call Anna",
        "call mum",
        "call for a plumber, the sink is leaking",
        "order flowers for Mum's party which is on Sunday",
        "order fried rice",
        "order garden plants for Mum",
        "call plumber recommended by Anna",
        "call dentist seen in May",
        "pay bill",
        "pay bill sent by Ikea",
        "pay invoice received yesterday",
        "book restaurant recommended by Anna",
        "play song heard on the radio",
        "text Anna that dinner is at 8",
        "email Jonas: I'm late",
        "play songs Anna liked",
        "schedule a call with Tom",
        "spiel Musik",
        "Ruf bitte Jens an",
    ],
)
def test_what_is_to_be_done_is_a_command_whatever_verb_it_has(text: str) -> None:
    assert kind_of(text) is MessageKind.ACTION
    assert not is_a_thing(text)
