from __future__ import annotations

import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pmg.index import function_words
from pmg.index.stem import stem
from pmg.index.terms import MAX_LENGTH, STOP_WORDS, _runs, document_terms, query_terms
from tests.growth import LINEAR, growth


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Running runs", "run run"),
        ("don't we'll Anna's O'Brien", "dont we anna obrien brien"),
        ("café Łódź Straße", "cafe lodz strass"),
        ("snake_case camelCase HTTPServer", "snake_case snake case camelcase camel case httpserver http server"),
        ("config.toml", "config.toml config toml"),
        ("3.5 v2.1 3,000 192.168.0.1", "3.5 v2.1 2.1 3000 192.168.0.1"),
        ("GPT-4 e-mail C++ C#", "gpt4 gpt 4 email mail c++ c#"),
        ("10km", "10km 10 km"),
        ("a@b.org", "a@b.org org"),
        ("黑猫 猫", "黑猫 黑 猫 猫"),
        ("Pythonが好き", "python が好 好き 好"),
        ("오늘 좋다", "오늘 좋다"),
        ("ตลาด", "ตล ลา าด"),
        ("हिन्दी किताबें किताब", "हिन्द किताब किताब"),
        ("Красивый дом, красивого дома", "красив дом красив дом"),
        ("Θάλασσα θάλασσες", "θαλασσ θαλασσ"),
        ("الكتاب كتاب", "كتاب كتاب"),
        ("Київський کتاب‌ها", "киівськии کتابها"),
        ("👍🏽 ❤️ 👨‍👩‍👧 🇩🇪", "👍 ❤ 👨‍👩‍👧 🇩🇪"),
        ("ＡＢＣ ﬁne", "abc fine"),
        ("d41d8cd98f00b204e9800998ecf8427e", "d41d8cd98f00b204e9800998ecf8427e"),
        ("… — ?!", ""),
    ],
)
def test_a_text_gives_these_terms(text: str, terms: str) -> None:
    assert document_terms(text) == terms.split()


def test_a_question_leaves_out_stop_words_and_lone_characters_beside_their_pairs() -> None:
    assert query_terms("What is the name of 黑猫?") == ["name", "黑猫"]
    assert query_terms("猫") == ["猫"]
    assert query_terms("to be or not to be") == "to be or not to be".split()


@given(st.text(max_size=60))
def test_any_text_gives_short_clean_terms_that_its_own_question_asks_for(text: str) -> None:
    stored = document_terms(text)
    assert all(term and len(term) <= MAX_LENGTH and not any(letter.isspace() for letter in term) for term in stored)
    assert set(query_terms(text)) <= set(stored)
    assert bool(query_terms(text)) == bool(stored)
    "".join(stored).encode()  # no lone surrogate gets this far


@given(st.text(max_size=30), st.text(max_size=30))
def test_terms_do_not_cross_a_line_break(first: str, second: str) -> None:
    assert document_terms(f"{first}\n{second}") == document_terms(first) + document_terms(second)


@pytest.mark.parametrize("piece", ["a", "ab.", "a'b-", "aB1", "_", "😀\u200d", "猫", "é", "1,000"])
def test_time_grows_with_the_length_of_a_word_and_no_faster(piece: str) -> None:
    assert growth(document_terms, lambda size: piece * (size // len(piece)), 60_000) < LINEAR


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("organization", "organiz"), ("organ", "organ"), ("relational", "relat"), ("hopping", "hop"), ("hoping", "hope"),
        ("skies", "sky"), ("dying", "die"), ("evening", "evening"), ("caresses", "caress"), ("happily", "happili"),
        ("geologist", "geolog"), ("generously", "generous"), ("added", "add"), ("paste", "paste"), ("cried", "cri"),
        ("yes", "yes"), ("sayings", "say"), ("controlling", "control"), ("naïve", "naïve"), ("ox", "ox"),
    ],
)  # fmt: skip
def test_english_words_have_their_published_stems(word: str, wanted: str) -> None:
    assert stem(word) == wanted


def test_every_thread_has_its_own_stemmers_and_they_agree() -> None:
    words = [
        f"{start}{end}"
        for start in ("walk", "hope", "organ", "красив", "книг")
        for end in ("ing", "ed", "ization", "ого", "ами")
    ]
    alone = [stem.__wrapped__(word) for word in words]
    with ThreadPoolExecutor(4) as pool:
        assert all(
            found == alone for found in pool.map(lambda _: [stem.__wrapped__(word) for word in words], range(40))
        )


def test_stop_words_keep_their_form() -> None:
    assert document_terms("does this being") == ["does", "this", "being"]
    assert {"the", "dont"} <= STOP_WORDS


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("Wie heißt meine Katze?", ["heisst", "katz"]),
        ("¿Cómo se llama mi gato?", ["llama", "gato"]),
        ("どこに猫がいますか", ["こに", "に猫", "猫が", "がい"]),
        ("我的猫叫什么", ["的猫", "猫叫"]),
        ("Did the die break?", ["die", "break"]),  # German for "the", but this is English
        ("Wer ist das?", ["wer", "ist", "das"]),  # nothing else is left
    ],
)
def test_a_question_is_searched_without_its_languages_function_words(question: str, terms: list[str]) -> None:
    assert query_terms(question) == terms


def test_a_single_word_is_of_no_language_that_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(function_words, "_words", lambda: pytest.fail("the lists of words were looked at"))
    assert query_terms("Katze, Katze!") == ["katz", "katz"]


def test_a_combining_mark_of_any_script_is_part_of_its_word() -> None:
    marks = [chr(code) for code in range(0x300, 0x1E950) if unicodedata.category(chr(code))[0] == "M"]
    apart = [mark for mark in marks if len(_runs(f"q{mark}q")) != 1]
    assert apart == []
