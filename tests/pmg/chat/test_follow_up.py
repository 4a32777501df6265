"""What a short question leans on."""

from __future__ import annotations

import pytest

from pmg.chat.counterpart import put_in_place
from pmg.chat.follow_up import standalone

ASKED = "When did Heron 0.8 come out?"


@pytest.mark.parametrize(
    "text",
    [
        "And when was that?",
        "und wann?",
        "why?",
        "When exactly?",
        "till when?",
        "wann war das?",
        "Und vorher?",
        "Und um wie viel Uhr?",
    ],
)
def test_a_short_follow_up_takes_what_was_asked_before_along(text: str) -> None:
    found = standalone(text, ["first", ASKED])
    assert found.leans and found.about == ASKED and found.asked == text
    assert found.search == f"{ASKED}\n{text}"


def test_a_second_follow_up_still_leans_on_what_was_asked_first() -> None:
    assert standalone("And where?", [ASKED, "Why?", "Thanks!"]).about == ASKED


@pytest.mark.parametrize(
    "text",
    [
        "When did I move to Leipzig?",
        "What did Dr Marsch say about running after that?",
        "wo ist das Gästebett",
        "Whose cake stand is it?",
    ],
)
def test_a_question_that_stands_by_itself_is_searched_alone(text: str) -> None:
    found = standalone(text, [ASKED])
    assert not found.leans and found.search == text


def test_the_first_message_has_nothing_before_it() -> None:
    assert standalone("why?", []).search == "why?"


@pytest.mark.parametrize(
    ("before", "name", "after"),
    [
        ("Where does Jonas live?", "Lena", "Where does Lena live?"),
        ("Where do I work?", "Lena", "Where do Lena work?"),
        ("Is there milk?", "Lena", "Is there milk Lena?"),
        ("What did we plan for Jonas?", "2026", "What did we plan for Jonas 2026?"),
    ],
)
def test_another_name_takes_the_place_of_the_one_before(before: str, name: str, after: str) -> None:
    assert put_in_place(before, name) == after


@pytest.mark.parametrize("text", ["What about Lena?", "and Lena?", "Und Lena?"])
def test_what_about_asks_the_same_of_another(text: str) -> None:
    assert standalone(text, ["Where does Jonas live?"]).search == "Where does Lena live?"


@pytest.mark.parametrize(
    ("before", "text", "after"),
    [
        # possessor for possessor
        ("When is mum's operation?", "And dad's?", "When is dad's operation?"),
        ("When is my brother's birthday?", "and my sister's?", "When is my sister's birthday?"),
        ("When is my exam?", "what about Lena's?", "When is Lena's exam?"),
        ("When is the exam?", "and Lena's?", "When is Lena's exam?"),
        ("Wann ist Omas Geburtstag?", "und Opas?", "Wann ist Opas Geburtstag?"),
        # person for person, in lower case too
        ("What does dad take?", "and mum?", "What does mum take?"),
        ("What does my boss like?", "what about the cleaner", "What does the cleaner like?"),
        ("When is Kate's wedding?", "and Lena?", "When is Lena's wedding?"),
        ("Who is mum's doctor?", "and uncle Ray?", "Who is uncle Ray's doctor?"),
        ("Wo wohnt mein Bruder?", "und meine Schwester?", "Wo wohnt meine Schwester?"),
        ("Wann hat meine Schwester Geburtstag?", "und Papa?", "Wann hat Papa Geburtstag?"),
        # thing for thing
        ("When was the boiler last serviced?", "and the car?", "When was the car last serviced?"),
        ("When does the yoga class start?", "and the pottery class?", "When does the pottery class start?"),
        # in German small letters an article tells a thing, an adjective alone takes the place of one
        ("wann muss der transporter zum tüv", "und der caddy?", "wann muss der caddy zum tüv"),
        ("was kostet der grosse service", "und der kleine", "was kostet der kleine service"),
        # what follows the same small word
        ("What's my rate for Carver & Holt now?", "and for the museum?", "What's my rate for the museum now?"),
        ("When is rent due?", "and council tax?", "When is council tax due?"),
        ("Did the Fabia pass its MOT?", "What about Dan's van?", "Did Dan's van pass its MOT?"),
        ("When does Tom have judo?", "and Maya's ballet?", "When does Maya have ballet?"),
        ("What is the neighbour's cat called?", "and the landlord's dog?", "What is the landlord's dog called?"),
        ("Wann ist Lenas Klavierstunde?", "was ist mit Pauls Geigenstunde?", "Wann ist Pauls Geigenstunde?"),
        ("Wann muss das Auto zum TÜV?", "und das Motorrad?", "Wann muss das Motorrad zum TÜV?"),
        # a time or a place for another
        ("Where did we stay in Trento?", "and in Verona?", "Where did we stay in Verona?"),
        ("What did we plan in 2023?", "and 2024?", "What did we plan in 2024?"),
        ("what floor is in the galley", "and in the bathroom?", "what floor is in the bathroom"),
        ("wo wohnt birgit", "und jens?", "wo wohnt jens"),
    ],
)  # fmt: skip
def test_each_takes_the_place_of_its_counterpart(before: str, text: str, after: str) -> None:
    found = standalone(text, [before])
    assert (found.search, found.in_full) == (after, after)


def test_what_has_no_counterpart_is_asked_for_in_its_own_words() -> None:
    assert standalone("and Femi's day off?", ["Where does Femi work?"]).search == "Femi's day off"


def test_the_counterpart_may_stand_in_the_question_before_the_last() -> None:
    asked = ["When does Tom have judo?", "who is his coach?"]
    assert standalone("and Maya's ballet?", asked).search == "When does Maya have ballet?"


@pytest.mark.parametrize(
    ("asked", "text", "after"),
    [
        (["Where did Joana grow up?"], "what does her sister do?", "what does Joana's sister do?"),
        (["Where did Joana grow up?", "what does her sister do?"], "where does she live?", "where does Joana's sister live?"),
        (["When is mum's operation?", "And dad's?"], "why is he nervous?", "why is dad nervous?"),
        (["When does Tom have judo?", "and Maya's ballet?"], "who teaches her?", "who teaches Maya?"),
        (["When does mum's passport expire?"], "where does she keep it?", "where does mum keep mum's passport?"),
        (["When is the yoga class?", "and the pottery class?"], "who teaches it?", "who teaches the pottery class?"),
        (["When is council tax due?"], "how much is it?", "how much is council tax?"),
        (["What did I give Piet for Christmas?"], "what did he give me?", "what did Piet give me?"),
        (["What does my brother drive?", "Where does my aunt live?"], "what does he earn?", "what does my brother earn?"),
        (["Wo wohnt meine Schwester?"], "wo arbeitet sie?", "wo arbeitet meine Schwester?"),
        (["Wann ist Lenas Kurs?", "und Pauls?"], "wie heißt seine Lehrerin?", "wie heißt Pauls Lehrerin?"),
        (["Wann muss das Motorrad zum TÜV?"], "wo steht es?", "wo steht das Motorrad?"),
        (["what does fiona work as"], "what does she drive?", "what does fiona drive?"),
        (["how old is micah"], "where does he live?", "where does micah live?"),
    ],
)  # fmt: skip
def test_a_pronoun_means_who_or_what_was_named_last(asked: list[str], text: str, after: str) -> None:
    assert standalone(text, asked).search == after


def test_whom_the_answer_named_a_pronoun_leaves_open() -> None:
    found = standalone("whats his number?", ["Where does Lena live?", "Who fixed the boiler?"])
    assert found.leans and found.search == "Who fixed the boiler?\nwhats his number?"


@pytest.mark.parametrize("text", ["What did Anna say about her job?", "Lena has moved and likes it there"])
def test_a_pronoun_of_whom_the_message_names_stays(text: str) -> None:
    assert standalone(text, ["When is mum's operation?"]).search == text


def test_a_question_of_one_word_more_leans_on_whom_was_asked_about_last() -> None:
    asked = ["When does Priya's flight land?", "and Owen's?"]
    assert standalone("which terminal?", asked).search == "When does Owen's flight land?\nwhich terminal?"


@pytest.mark.parametrize(
    "text",
    ["and when?", "and the other one?", "und warum?", "and then?", "and by when", "on which day?", "what date", "in which month", "with whom", "bis wann", "an welchem Tag"],
)  # fmt: skip
def test_what_names_nobody_and_nothing_asks_about_the_same(text: str) -> None:
    assert standalone(text, [ASKED]).search == f"{ASKED}\n{text}"


@pytest.mark.parametrize(
    ("text", "search"),
    [
        ("Plasterer's booked for Friday btw, what was the electrician called?", "what was the electrician called?"),
        ("Ich singe jetzt Alt. Wann ist das Konzert?", "Wann ist das Konzert?"),
        ("The bike was 900 euros.", "The bike was 900 euros."),
    ],
)
def test_of_a_message_that_tells_and_asks_the_question_is_looked_for(text: str, search: str) -> None:
    assert standalone(text, []).search == search


SISTER = ("What is Tom's sister called?", "Tom's sister is called Aoife")
HUSBAND = ("who is her husband?", "Aoife's husband Brendan runs a bakery in Athenry")


@pytest.mark.parametrize(
    ("before", "text", "after"),
    [
        ([("who is Yuki's supervisor?", "Yuki's supervisor is Declan Foyle")], "where is his office?", "where is Declan Foyle's office?"),
        ([SISTER], "who is her husband?", "who is Aoife's husband?"),
        ([SISTER, HUSBAND], "what does he do?", "what does Brendan do?"),
        ([SISTER, HUSBAND, ("what does he do?", HUSBAND[1])], "and who is her midwife?", "and who is Aoife's midwife?"),
        ([("Wie heißt Florians Frau?", "Florians Frau heißt Katrin")], "Was ist sie von Beruf?", "Was ist Katrin von Beruf?"),
        ([("Wie heißt die Freundin von Jonas?", "Jonas hat eine Freundin, die heißt Svenja")], "Und was arbeitet sie?", "Und was arbeitet Svenja?"),
        ([(SISTER[0], "Tom's sister is called Aoife. She is a vet")], "where does she live?", "where does Aoife live?"),
        ([("Who did my sister marry?", "My sister married Tom Baker")], "what does he do?", "what does Tom Baker do?"),
        ([("Who teaches Poppy?", "Poppy's teacher is Mr Carmichael")], "What year is she in?", "What year is Poppy in?"),
        # what the question itself names stays: the answer names nobody new
        ([("When is mum's operation?", "Mum's operation is on Friday")], "who is her surgeon?", "who is mum's surgeon?"),
    ],
)  # fmt: skip
def test_whom_the_answer_named_a_pronoun_means(before: list[tuple[str, str]], text: str, after: str) -> None:
    assert standalone(text, [said for said, _ in before], [answer for _, answer in before]).search == after


@pytest.mark.parametrize(
    ("asked", "text", "after"),
    [
        (["Who is Yuki's supervisor?"], "And who is mine?", "Who is my supervisor?"),
        (["Who is Yuki's supervisor?", "where is Lena's office?"], "and who is mine?", "Who is my supervisor?"),
        (["When is Lena's birthday?"], "and mine?", "When is my birthday?"),
        (["Wann ist Lenas Geburtstag?"], "und meiner?", "Wann ist mein Geburtstag?"),
        (["what's the prod db host?"], "and for staging?", "what's the staging db host?"),
        (["When is the school trip for Lena?"], "and for Tom?", "When is the school trip for Tom?"),
        (["What does Tom Baker play?"], "and me?", "What do I play?"),
        (["what did anna say about the boat?"], "and insurance?", "what did anna say about insurance?"),
        (["what does Priya play as black?", "and Oskar?"], "and me?", "what do I play as black?"),
        (["what does wren get paid?"], "and mikkel?", "what does mikkel get paid?"),
        (["how does Carys take her coffee?"], "and how do i take mine?", "how do I take my coffee?"),
        (["What do I still have to do?"], "and what does bartek have to do?", "and what does bartek have to do?"),
    ],
)
def test_mine_and_for_another_ask_the_same_again(asked: list[str], text: str, after: str) -> None:
    assert standalone(text, asked).search == after


def test_who_did_it_with_his_own_asks_of_nobody_before() -> None:
    assert standalone("who lent me his drill", ["What does Tom drive?"]).search == "who lent me his drill"


def test_thousands_of_blanks_are_read_once() -> None:
    text = f"what about{' ' * 20_000}x?"
    assert standalone(text, ["Where is Anna?"]).search == text
    assert not standalone("knee", [text]).leans


def test_what_was_told_before_is_not_asked_of_another() -> None:
    said = ["was kostet der grosse service", "Das Halbtax ist verlängert bis 30. September."]
    assert "Halbtax" not in standalone("und der kleine?", said).search


@pytest.mark.parametrize("text", ["was kostet die", "wo war die?", "wem gehört der"])
def test_an_article_that_ends_a_question_points_back(text: str) -> None:
    found = standalone(text, ["wo ist unsere ferienwohnung"])
    assert found.leans and found.about == "wo ist unsere ferienwohnung"
