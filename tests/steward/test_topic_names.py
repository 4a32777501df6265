"""Names of topics: telling words in the form they were written in, or a title; never a filler, a day or a speaker."""

from __future__ import annotations

import pytest

from steward.topic_names import UnitText, name_groups, words


def group(*texts: str, title: str = "") -> list[UnitText]:
    return [UnitText(title, text, 1.0) for text in texts]


BREAD = group(
    "I fed the Sourdough starter", "the sourdoughs rise in the oven", "Sourdough, oven, flour", "an oven for Sourdough"
)
CATS = group("The kitten sleeps", "two kittens and a vet", "the vet saw the Kitten", "kittens purr for the vet")


def test_words_are_folded_to_one_and_shown_as_written_most() -> None:
    bread, cats = name_groups([BREAD, CATS])
    assert bread.terms[0] == "Sourdough"
    assert set(cats.terms[:2]) == {"vet", "kitten"}
    assert bread.name == " · ".join(bread.terms[:3])


@pytest.mark.parametrize(
    "text",
    [
        "ich und ist nicht aber auch",
        "nous avons toujours été très bien",
        "pero también cuando nosotros",
        "что это когда потому",
        "okay yeah thanks nobody else anyway honestly",
        "Monday Dienstag mercredi jueves суббота October Dezember",
    ],
)
def test_function_words_fillers_days_and_months_name_nothing(text: str) -> None:
    assert list(words(text)) == []


def test_a_word_must_be_in_a_quarter_of_the_sessions() -> None:
    many = group(*(f"the vet sees a kitten and word{'abcdefghijklmnop'[i]}" for i in range(12)), "zebra zebra", "zebra")
    (made, _) = name_groups([many, BREAD])
    assert "zebra" not in made.terms
    assert {"vet", "kitten"} <= set(made.terms)


def test_those_who_speak_do_not_name_a_topic() -> None:
    group_of = group("Henrike fixed the boiler", "the boiler, said Henrike", "Henrike: boiler again", "boiler pressure")
    (made, _) = name_groups([group_of, CATS], speakers=["Henrike Vogel"])
    assert made.terms[0] == "boiler"
    assert all("Henrike" not in term for term in made.terms)


def test_a_title_in_the_middle_serves_where_no_words_do() -> None:
    vague = [
        UnitText("Off to the sea", "we went", 0.2),
        UnitText("Three days in Porto", "it was so nice", 0.9),
        UnitText("", "yes", 1.0),
    ]
    (made, _) = name_groups([vague, CATS])
    assert made.name == "Three days in Porto"


def test_a_title_with_the_telling_words_is_the_name_and_a_question_or_a_cut_title_is_none() -> None:
    said = ("the cake for Mum", "Mum wants a cake", "cake, and Mum", "Mum and the cake")
    titles = (
        "Mum's 65th: first ideas",
        "Mum's 65th: four days to go",
        "Which cake does Mum like?",
        "Mum said that the…",
    )
    units = [UnitText(title, text, 1.0) for title, text in zip(titles, said, strict=True)]
    (made, _) = name_groups([units, CATS])
    assert made.name == "Mum's 65th" and "cake" in made.terms
    plain = [UnitText("Sunday", text, 1.0) for text in said]
    assert name_groups([plain, CATS])[0].name == "cake · Mum"


def test_no_two_topics_have_the_same_name() -> None:
    titled = [UnitText("Odds and ends", "yes", 0.5), UnitText("Odds and ends", "no", 0.5)]
    names = [one.name for one in name_groups([titled, list(titled), CATS])]
    assert len(set(names)) == 3


def test_words_of_titles_come_first() -> None:
    units = [UnitText("Leipzig", f"the lease and the deposit {i}", 1.0) for i in range(4)]
    (made, _) = name_groups([units, CATS])
    assert made.terms[0] == "Leipzig"


def test_scripts_without_spaces_give_names_too() -> None:
    assert {"水位", "センサー"} <= set(words("川の水位センサーを調べる"))


def test_what_was_done_names_nothing_what_it_was_done_to_does() -> None:
    seeds = group("we planted the seed", "the seed was planted", "planted seed by seed", "seed is planted, Alfred")
    (made, _) = name_groups([seeds, CATS])
    assert "seed" in made.terms and "planted" not in made.terms
