"""Whether what was found bears on what was asked: in which language, in which part of what was found, and with which model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from numpy.typing import NDArray

from pmg.base.model import Line, Role, Turn
from pmg.embed import bundled
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput
from pmg.server import answers, bearing, browsing
from pmg.server.bearing import bearing_memories, knows_language
from pmg.server.receipt_cache import ReceiptCache
from tests.embedding import WordEmbedder

Opener = Callable[..., Engine]


class EnglishEmbedder(WordEmbedder):
    """Taken for the bundled model, which has English alone."""

    def __init__(self) -> None:
        super().__init__()
        self.fingerprint = bundled.SHA256


class CuttingEmbedder(EnglishEmbedder):
    """Has no word whole."""

    def token_spans(self, text: str) -> NDArray[np.int64]:
        return np.array([(at, at + 1) for at in range(len(text))], dtype=np.int64).reshape(-1, 2)


class WideEmbedder(WordEmbedder):
    """Another model, whose vectors have another width."""

    def __init__(self) -> None:
        super().__init__("wide")
        self.dimension += 1

    def embed(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        return np.pad(super().embed(texts, progress), ((0, 0), (0, 1)))


def told(engine: Engine, *texts: str, tool: str = "") -> None:
    printed = [Line("Bash", Role.TOOL, tool)] if tool else []
    engine.ingest([SessionInput([Turn((Line("Ana", Role.USER, text), *printed)) for text in texts], "Plans")])


def says_nothing_bears(engine: Engine, question: str) -> bool:
    said = answers.recall(engine, ReceiptCache(), engine.config.namespace, question, 800).text
    assert ("<memory " in said) is (said != answers.NOTHING_BEARS)
    return said == answers.NOTHING_BEARS


GERMAN = "Das bike hat jetzt ein neues wheel und eine Klingel."
ENGLISH = "The bike has a new wheel."


@pytest.mark.parametrize(
    ("memory", "question", "nothing"),
    [
        (GERMAN, "Wo kann ich mit dem bicycle zum cycling?", True),
        (GERMAN, "bicycle cycling ride", True),  # the question shows no language, the memory does
        (ENGLISH, "Wo kann ich mit dem bicycle zum cycling?", True),
        (GERMAN, "Sind Klingel und wheel am bike gut für das cycling?", False),  # a third of the words and close
        (GERMAN, "Welche Klingeln hat das bike?", False),  # in another form
        (ENGLISH, "where can I go cycling with the bicycle?", False),
    ],
)
def test_a_model_of_english_alone_judges_other_languages_by_words_too(
    open_engine: Opener, memory: str, question: str, nothing: bool
) -> None:
    engine = open_engine(embedder=EnglishEmbedder())
    told(engine, memory, "We painted the fence.")
    assert says_nothing_bears(engine, question) is nothing


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("Metformin dosage", True),
        ("My kombucha scoby went mouldy", True),
        ("no es", False),  # by its function words
        ("kde jsou moje klíče od sklepa", False),
        ("где мои ключи", False),
    ],
)
def test_a_few_rare_words_show_no_other_language(text: str, known: bool) -> None:
    assert knows_language(CuttingEmbedder(), text) is known


def test_any_other_model_judges_every_language_by_meaning(open_engine: Opener) -> None:
    engine = open_engine(embedder=WordEmbedder())
    told(engine, "bike wheel: neu und rot, mit der Klingel", "We painted the fence.")
    assert not says_nothing_bears(engine, "bicycle ride cycling mit dem")


FACTS = """Ich wohne seit März in Freiburg.
Meine Tochter Lena hat am 3. Juni Geburtstag.
Der Mietvertrag läuft bis Ende Oktober.
Ich nehme morgens 5 mg Ramipril.
Unser Auto ist ein alter Volvo.
Mein Chef heißt Herr Krüger.
Der Import bricht ab, wenn die Datei ein Semikolon im Feld hat.
Am 14. Mai fliegen wir nach Lissabon."""


@pytest.mark.model
def test_german_with_the_bundled_model(open_engine: Opener) -> None:
    engine = open_engine(embedder=None)
    engine.model.wait()
    told(engine, *FACTS.splitlines())
    for question in (
        "Behebe den Fehler im Test für die Suchfunktion.",
        "Welche Blutgruppe habe ich?",
        "Schreibe ein Gedicht über das Meer.",
        "Wie kocht man ein weiches Ei?",
        "Erkläre mir den Unterschied zwischen Mutex und Semaphore.",
        "Füge der Klasse eine neue Methode hinzu.",
    ):
        assert says_nothing_bears(engine, question), question
    for question in (
        "Wann hat meine Tochter Geburtstag?",
        "Wie lange läuft mein Mietvertrag?",
        "Warum bricht der Import bei einem Semikolon ab?",
        "Wann fliegen wir nach Lissabon?",
    ):
        assert not says_nothing_bears(engine, question), question


def test_a_block_ends_where_nothing_more_bears(open_engine: Opener) -> None:
    engine = open_engine()
    told(engine, "The garden has tomato seeds.", "The tomato plants want water.", "We painted the fence blue.")
    found = answers.recall(engine, ReceiptCache(), engine.config.namespace, "where are the tomato seeds?", 800)
    assert "tomato seeds" in found.text and "fence" not in found.text and len(found.links) < 3


def test_words_far_apart_in_a_long_text_are_not_about_one_thing(open_engine: Opener) -> None:
    engine = open_engine()
    between = "We walked along the river and talked of the harbour. " * 60
    told(engine, f"It began with the rain that night. {between} In the end Elsa showed us the old gauge.")
    assert says_nothing_bears(engine, "frobnicate the rain gauge")
    told(engine, "The rain gauge stands on the balcony.")
    assert not says_nothing_bears(engine, "frobnicate the rain gauge")


def test_a_timeline_about_something_holds_nothing_else(open_engine: Opener) -> None:
    engine = open_engine()
    told(engine, "The garden has tomato seeds.", "We painted the fence blue.", "The tomato plants want water.")
    namespace = engine.config.namespace
    text = answers.timeline(engine, namespace, "tomato", "", "", 20)
    assert "seeds" in text and "plants" in text and "fence" not in text
    assert not browsing.timeline(engine, namespace, "frobnicate", "", "", 20)


def test_a_filtered_recall_is_judged_by_its_own_block(open_engine: Opener) -> None:
    engine = open_engine()
    begun = datetime(2026, 3, 1, 10, tzinfo=UTC)
    turns = [
        Turn((Line(name, Role.PERSON, text),), begun + timedelta(hours=2 * hour))
        for hour, (name, text) in enumerate(
            [
                ("Ana", "The landing page has new css."),
                ("Ben", "The garden has tomato seeds on every page of the plan."),
            ]
        )
    ]
    engine.ingest([SessionInput(turns, "Plans")])
    for name, nothing in (("Ana", False), ("Ben", True)):
        only = answers.RecallFilter.of([name], "", "")
        said = answers.recall(engine, ReceiptCache(), engine.config.namespace, "landing page css", 800, only)
        assert (said.text == answers.NOTHING_BEARS) is nothing


def test_what_tools_printed_beyond_what_is_shown_is_not_read(
    open_engine: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_engine()
    told(engine, *(f"Run the deploy script number {number}." for number in range(20)), tool="deploy log line " * 2_600)
    found = engine.recall("why does the deploy script of the frobnicator and the gizmo fail?", budget_tokens=800)
    read = reading(monkeypatch)
    bearing_memories(engine, found)
    assert 0 < sum(map(len, read)) < 20_000 < sum(len(one.text) for one in found.segments)


def reading(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is read of memories from now on."""
    read: list[str] = []
    whole = bearing.document_terms
    monkeypatch.setattr(bearing, "document_terms", lambda text: (read.append(text), whole(text))[1])
    return read


@pytest.mark.parametrize("next_model", [WideEmbedder(), WordEmbedder("other")])
def test_a_model_that_is_just_being_changed_fails_no_recall(
    open_engine: Opener, monkeypatch: pytest.MonkeyPatch, next_model: WordEmbedder
) -> None:
    engine = open_engine()
    told(engine, "The cat purrs.")
    found = engine.recall("kitten and pet")
    assert bearing_memories(engine, found)
    judged: list[bool] = []
    with monkeypatch.context() as patch:  # the new vectors are there, the new model is not
        patch.setattr(engine.indexes, "save", lambda: judged.append(bool(bearing_memories(engine, found))))
        engine.reembed(next_model)
    assert judged == [False]  # by words alone
    assert bearing_memories(engine, engine.recall("kitten and pet"))
