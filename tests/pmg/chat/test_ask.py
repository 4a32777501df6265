"""One question without a chat: claims answer what is asked about people, the chat's passages the rest, each as sure as the chat is."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from pmg.base.errors import InputError
from pmg.chat import evidence, turn
from pmg.chat.ask import ask
from pmg.chat.extractive import Extractive
from pmg.chat.responder import Evidence, Quote, QuoteKind, Tone
from pmg.chat.turn import ChatTarget
from pmg.engine import Engine
from pmg.store.people import Identity
from steward.steward import Steward
from tests.pmg.people.talk import session, told_to_assistant

MAY, JUNE, JULY = (datetime(2023, month, 8, 12, tzinfo=UTC) for month in (5, 6, 7))
QUESTIONS = (
    "Where does Melanie live?",
    "Which sourdough flour works best?",
    "Who is Frau Berger?",
    "How many books did Melanie buy?",
    "When is the inspection of the boiler?",
)


@pytest.fixture
def memory(engine: Engine) -> Engine:
    engine.ingest(
        [
            session("one", MAY, ("Melanie", "I live in Oslo. I bought two books."), ("Caroline", "Nice."), conversation="c"),
            session("two", JUNE, ("Melanie", "I live in Rome now."), ("Caroline", "Lovely."), conversation="c"),
            told_to_assistant("bread", JUNE, "The rye flour from the mill works best for the sourdough.", "The oven was cold.", "My sister Clara moved to Porto in June, she works as a nurse there."),
            told_to_assistant("house", JUNE, "Frau Berger, thank you for the key!", "Our landlady is Frau Berger, a retired teacher.", "The inspection of the boiler is on Friday."),
        ]
    )  # fmt: skip
    engine.extract()
    return engine


@pytest.mark.parametrize("question", QUESTIONS)
def test_it_begins_with_what_the_chat_quotes_first(memory: Engine, question: str) -> None:
    request = turn.requested(memory, ChatTarget("default", kept=False), question, None, JULY)
    chat = list(Extractive(memory).answer(request))[-1]
    first = next(quote for quote in chat.quotes if quote.kind is not QuoteKind.AROUND)
    line = ask(memory, question, at=JULY).lines[0]
    assert (line.segment, line.line) == (first.segment, first.line)
    assert first.text.rstrip(".") in line.text


def test_what_no_claim_tells_is_answered_by_a_passage_with_its_source(memory: Engine) -> None:
    found = ask(memory, "Which sourdough flour works best?", at=JULY)
    line = found.lines[0]
    assert (line.segment, line.speaker, line.conversation, line.said_at) == ("seg_bread_0", "User", "bread", JUNE)
    assert found.abstained == "" and 0 < line.confidence <= 1


def test_what_changed_is_answered_by_what_holds_and_says_what_was(memory: Engine) -> None:
    found = ask(memory, "Where does Melanie live?", at=JULY)
    assert ["Rome" in line.text for line in found.lines] == [True, False]
    assert "until" in found.lines[1].note and found.lines[0].conversation == "c" and not found.is_unsure
    assert "Oslo" in ask(memory, "Where does Melanie live?", at=JULY, as_of=date(2023, 5, 20)).lines[0].text


def test_who_somebody_is_is_told_by_the_line_that_introduces_them_not_by_one_that_greets(memory: Engine) -> None:
    assert "landlady" in ask(memory, "Who is Frau Berger?", at=JULY).lines[0].text


def test_when_is_answered_with_the_day_that_was_meant(memory: Engine) -> None:
    assert "2023-06-09" in ask(memory, "When is the inspection of the boiler?", at=JULY).lines[0].note


def test_what_nothing_tells_is_nothing(memory: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "NEAR_IN_MEANING", 0.9)  # two texts of the stand-in are near by chance
    found = ask(memory, "zebra in mongolia", at=JULY)
    assert (found.lines, found.abstained, found.is_unsure) == ((), "I find nothing about that.", False)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Wo ist das Zebra in der Mongolei?", "Dazu finde ich nichts."),
        ("Wie heißt mein Hamster?", "Von „Hamster“ steht nichts in dem, was du erzählt hast."),
    ],
)
def test_a_german_question_is_declined_in_german(
    memory: Engine, monkeypatch: pytest.MonkeyPatch, question: str, told: str
) -> None:
    monkeypatch.setattr("pmg.chat.evidence.find", lambda *_: Evidence(Tone.NOTHING))
    found = ask(memory, question, at=JULY)
    assert (found.lines, found.abstained, found.is_unsure) == ((), told, False)


def test_a_nearest_passage_is_said_to_be_no_answer(memory: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    other = Quote("seg_bread_1", 0, 0, 18, "The oven was cold.", "User", JUNE, "bread")
    monkeypatch.setattr("pmg.chat.evidence.find", lambda *_: Evidence(Tone.NOTHING, (other,), 0.1))
    found = ask(memory, "Wo ist das Zebra in der Mongolei?", at=JULY)
    assert found.abstained == "Dazu finde ich keine klare Antwort. Am nächsten kommt:" and len(found.lines) == 1


def test_a_decline_keeps_the_line_that_its_sentence_is_about(memory: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    question = "What did I buy in June?"
    told = memory.ask(question, at=JULY)
    assert told.abstained.endswith(":") and told.lines, told
    other = Quote("seg_bread_1", 0, 0, 18, "The oven was cold.", "User", JUNE, "bread")
    monkeypatch.setattr("pmg.chat.evidence.find", lambda *_: Evidence(Tone.NOTHING, (other,), 0.1))
    found = ask(memory, question, at=JULY)
    assert (found.abstained, found.lines) == (told.abstained, told.lines)


def test_it_is_unsure_where_the_chat_is(memory: Engine) -> None:
    for question in QUESTIONS[1::3]:
        request = turn.requested(memory, ChatTarget("default", kept=False), question, None, JULY)
        assert request.evidence is not None
        assert ask(memory, question, at=JULY).is_unsure is (request.evidence.tone is Tone.UNSURE)


def test_an_empty_question_is_refused(engine: Engine) -> None:
    with pytest.raises(InputError, match="question is empty"):
        ask(engine, "  ")


def test_nothing_is_written_of_what_was_asked(memory: Engine) -> None:
    before = [one.id for one in memory.sessions()]
    ask(memory, "Which sourdough flour works best?", at=JULY)
    assert [one.id for one in memory.sessions()] == before


def _team(engine: Engine) -> None:
    said = [
        session("a", MAY, ("Anna Berg", "I'm Anna Berg, I live in Bergen."), ("Farid", "I live in Malmö."), conversation="c"),
        session("b", JUNE, ("Anna Berg", "I moved to Oslo last month."), ("Udo", "Nice."), conversation="c"),
        session("d", JULY, ("Chidi", "My sister Anna works there too."), ("Udo", "Small world."), conversation="c"),
        session("e", JULY, ("Anna Weiss", "I live in Vienna."), ("Udo", "Nice."), conversation="c"),
    ]  # fmt: skip
    for one in said:
        engine.ingest([one])
        engine.extract()


def test_a_full_name_is_that_one_person_though_another_has_the_first_name(engine: Engine) -> None:
    _team(engine)
    found = ask(engine, "Where does Anna Berg live?", at=JULY)
    assert not found.is_unsure and [line.segment for line in found.lines] == ["seg_b_0", "seg_a_0"]


def test_a_first_name_of_several_is_answered_for_each_and_not_surely(engine: Engine) -> None:
    _team(engine)
    found = ask(engine, "Where does Anna live?", at=JULY)
    assert found.is_unsure and {"seg_b_0", "seg_e_0"} <= {line.segment for line in found.lines}
    assert any("Several people are called Anna" in note for note in found.notes)


def test_nobodys_i_is_answered_surely_where_only_people_with_names_speak(engine: Engine) -> None:
    _team(engine)
    found = ask(engine, "Where do I live?", at=JULY)
    assert found.is_unsure and found.notes == ("Only people with names speak here: who asks is not known.",)
    first = found.lines[0].speaker
    assert not any(line.note == "before that" and line.speaker != first for line in found.lines)


def test_the_owner_of_a_memory_is_answered_beside_people_with_names(engine: Engine) -> None:
    _team(engine)
    engine.ingest([told_to_assistant("mine", JULY, "I live in Graz.")])
    engine.extract()
    found = ask(engine, "Where do I live?", at=JULY)
    assert not found.is_unsure and found.lines[0].segment == "seg_mine_0" and found.notes == ()


KEY = ("Bram", "Who has the key to the storage room?"), ("Anna Weiss", "Chidi has the key. Farid gave it back in June.")


@pytest.mark.parametrize(
    ("next_line", "is_corrected"),
    [
        ("Correction, Anna Berg has the key, I handed it to her on Monday.", True),
        ("Small correction: Anna Berg has the key.", True),
        ("Korrektur: Anna Berg hat den key.", True),
        ("Correction, the meeting is on Monday.", False),
        ("The correction of the key list is done.", False),
        ("No correction, please, the key is safe.", False),
    ],
)
def test_what_another_corrects_comes_before_it(engine: Engine, next_line: str, is_corrected: bool) -> None:
    engine.ingest([session("k", JULY, *KEY, ("Chidi", next_line), conversation="c")])
    engine.extract()
    found = ask(engine, "Who has the key to the storage room?", at=JULY)
    assert (found.lines[0].segment == "seg_k_2") is is_corrected
    assert found.is_unsure or not is_corrected


@pytest.mark.parametrize("name", ["Thomas Müller", "Frau Schulz", "Speaker 1"])
def test_two_of_one_full_name_in_two_conversations_are_not_one_while_nobody_decided(engine: Engine, name: str) -> None:
    engine.ingest([session("a", MAY, (name, "I live in Bergen."), ("Ben", "Ok."), conversation="a")])
    engine.ingest([session("b", JUNE, (name, "I live in Vienna."), ("Udo", "Nice."), conversation="b")])
    engine.extract()
    found = ask(engine, f"Where does {name} live?", at=JULY)
    assert found.is_unsure and {line.segment for line in found.lines} == {"seg_a_0", "seg_b_0"}
    assert not any(line.note for line in found.lines)


def test_two_of_one_full_name_who_were_decided_to_be_one_have_one_home(engine: Engine) -> None:
    engine.ingest([session("a", MAY, ("Thomas Müller", "I live in Bergen."), ("Ben", "Ok."), conversation="a")])
    engine.ingest([session("b", JUNE, ("Thomas Müller", "I live in Vienna."), ("Udo", "Nice."), conversation="b")])
    engine.extract()
    one, other = (who.id for who in engine.reads.people.entities("default") if who.name == "Thomas Müller")
    Steward(engine).identify(one, other, Identity.MERGE)
    found = ask(engine, "Where does Thomas Müller live?", at=JULY)
    assert not found.is_unsure and found.lines[0].segment == "seg_b_0"


HOWTO = [
    ("How do I reset the router?", "To reset the router, hold the small button for ten seconds.", False),
    ("Where can I park?", "You can park behind the bakery.", False),
    ("Wo beantrage ich Urlaub?", "Urlaub beantragt man im Portal bei Frau Lamb.", False),
    ("Where do I park?", "I park behind the bakery.", True),
]


@pytest.mark.parametrize(("question", "said", "is_their_own"), HOWTO)
def test_what_is_so_for_anybody_is_so_for_whoever_asks(
    engine: Engine, question: str, said: str, is_their_own: bool
) -> None:
    engine.ingest([session("a", MAY, ("Bram", said), ("Chidi", "The cat sleeps."), conversation="c")])
    engine.extract()
    found = ask(engine, question, at=JULY)
    assert found.lines[0].segment == "seg_a_0" and bool(found.notes) is is_their_own


@pytest.mark.parametrize(
    ("question", "said", "next_line"),
    [
        ("When is the team meeting?", "The team meeting is on Monday at ten.", "Correction: the team lunch costs 12 euros."),
        ("When is the team meeting?", "The team meeting is on Monday at ten.", "Correction: the team lunch is on Friday."),
        ("Where is the key to the storage room?", "The storage room key hangs in the kitchen.", "Correction: the storage room is on floor two."),
        ("Where is the spare key?", "The spare key hangs in the kitchen.", "Correction: the spare key costs 12 euros."),
    ],
)  # fmt: skip
def test_what_corrects_something_else_displaces_nothing(
    engine: Engine, question: str, said: str, next_line: str
) -> None:
    engine.ingest([session("k", JULY, ("Bram", said), ("Chidi", "Thanks."), ("Bram", next_line), conversation="c")])
    engine.extract()
    assert ask(engine, question, at=JULY).lines[0].segment == "seg_k_0"


def test_a_correction_is_looked_for_in_the_next_turns_and_no_session_is_read_for_it(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine.ingest([session("k", JULY, *KEY, ("Chidi", "Correction, Anna Berg has the key."), conversation="c")])
    engine.extract()
    monkeypatch.setattr(type(engine.reads), "segments_of", None)
    assert ask(engine, "Who has the key to the storage room?", at=JULY).lines[0].segment == "seg_k_2"
