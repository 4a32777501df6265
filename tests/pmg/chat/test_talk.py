"""One turn of the chat: what is recalled, what is sent, what is kept, and how it is shown again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pmg.answer.evidence import Tone
from pmg.answer.scoring import RANKED
from pmg.base.errors import ChatUnavailable
from pmg.base.model import CHAT_SOURCE, Line, Role, Turn
from pmg.chat import history, turn
from pmg.chat.extractive import Extractive
from pmg.chat.responder import ChatAnswer, ChatRequest, CutOff
from pmg.chat.responder_choice import Choice, open_responder
from pmg.chat.turn import ChatTarget, ChatTurn
from pmg.engine import Engine
from pmg.ingest.turns import exchange
from steward.steward import Steward
from tests.chat_server import refuse, serving, stream

PLACE = ChatTarget("default", "chat-1")


class Parrot:
    """Says what a test wants, and remembers what it was asked."""

    where, leaves, budget_tokens = "nowhere", False, None

    def __init__(self, *texts: str, fails: bool = False) -> None:
        self._texts, self._fails = texts, fails
        self.asked: list[ChatRequest] = []

    def answer(self, ask: ChatRequest) -> Iterator[ChatAnswer]:
        self.asked.append(ask)
        for text in self._texts:
            yield ChatAnswer(text)
        if self._fails:
            raise ChatUnavailable("it broke")


@pytest.fixture
def memory(engine: Engine) -> Engine:
    with engine.session("Cats") as cats:
        cats.add(user="The cat Biscuit gets 5 mg of medicine a day.", assistant="Noted.")
    return engine


def last(engine: Engine, responder: object, text: str, place: ChatTarget = PLACE) -> ChatTurn:
    return list(turn.converse(engine, responder, place, text))[-1]  # type: ignore[arg-type]


def ends(engine: Engine) -> list[CutOff | None]:
    """Of each kept answer, as it is shown again, why it is not whole."""
    shown = history.messages_of(engine, engine.reads.segments_of("chat-1"))
    return [one.cut_off for one in shown if one.role is Role.ASSISTANT]


def test_a_turn_is_on_disk_when_its_answer_is_whole(memory: Engine) -> None:
    said = last(memory, Parrot("Hello."), "Good to see you")
    (segment,) = memory.reads.segments_of("chat-1")
    assert [line.text for line in segment.lines] == ["Good to see you", "Hello."]
    assert said.passage is not None and said.passage.id == segment.id
    assert ends(memory) == [None]
    session = memory.reads.session("chat-1")
    assert (
        session is not None and session.title == "Good to see you" and session.source == CHAT_SOURCE and session.is_open
    )


def test_the_next_turn_sees_the_one_before_and_not_its_own_session_in_recall(memory: Engine) -> None:
    last(memory, Parrot("Yes."), "The cat Biscuit sleeps all day.")
    parrot = Parrot("It does.")
    last(memory, parrot, "What does the cat Biscuit do?")
    assert [turn.lines[0].text for turn in parrot.asked[0].before] == ["The cat Biscuit sleeps all day."]
    recalled = parrot.asked[0].recalled
    assert recalled is not None and recalled.segments
    assert all(passage.session_id != "chat-1" for passage in recalled.segments)


def test_a_turn_that_is_asked_anew_is_out_of_the_chat_while_it_is_and_after(memory: Engine) -> None:
    last(memory, Parrot("Yes."), "The cat Biscuit sleeps all day.")
    last(memory, Parrot("Dogs bark."), "What does the dog do?")
    parrot = Parrot("The cat sleeps.")
    last(memory, parrot, "What does the cat do?", replace(PLACE, replaces="seg_chat-1_1"))
    assert [turn.id for turn in parrot.asked[0].before] == ["seg_chat-1_0"]
    steward = Steward(memory)
    steward.tag("seg_chat-1_1", [turn.REPLACED])
    steward.archive(["seg_chat-1_1"])
    last(memory, parrot, "And at night?")
    assert [turn.id for turn in parrot.asked[1].before] == ["seg_chat-1_0", "seg_chat-1_2"]


def test_a_follow_up_in_a_chat_that_is_not_remembered_knows_what_was_shown(memory: Engine) -> None:
    unkept = ChatTarget("default", "chat-1", kept=False)
    said = last(memory, Parrot("5 mg."), "How much medicine does the cat get?", unkept)
    assert said.passage is not None
    parrot = Parrot("A day.")
    last(memory, parrot, "Why?", replace(unkept, before=(said.passage,), shown=("seg_cats_0",)))
    assert parrot.asked[0].shown == ("seg_cats_0",)


def test_memory_switched_off_recalls_nothing(memory: Engine) -> None:
    parrot = Parrot("ok")
    last(memory, parrot, "What does the cat get?", ChatTarget("default", "chat-1", memory=False))
    assert parrot.asked[0].recalled is None


def test_a_chat_that_is_not_to_be_remembered_writes_nothing(memory: Engine) -> None:
    before = memory.counts()
    said = last(memory, Parrot("ok"), "This is between us.", ChatTarget("default", "chat-1", kept=False))
    assert memory.reads.session("chat-1") is None
    assert memory.counts().segments == before.segments
    assert said.passage is not None and said.passage.id == "" and said.passage.lines[0].text == "This is between us."


def test_a_secret_reaches_neither_the_model_nor_the_disk(open_engine: Callable[..., Engine]) -> None:
    secret = "sk-" + "proj-" + "aB3dE6gH9" * 5
    with serving(stream("I see.")) as server:
        engine = open_engine(config={"chat": {"responder": "openai", "base_url": server.base_url, "model": "m"}})
        said = last(engine, Choice(engine).now(), f"My key is {secret}, keep it")
    assert secret not in server.sent_text and "My key is" in server.sent_text
    assert secret not in engine.reads.segments_of("chat-1")[0].text
    assert said.secrets == 1 and secret not in said.user


def test_what_came_of_a_broken_answer_is_kept_and_the_reason_told(memory: Engine) -> None:
    said = last(memory, Parrot("half", fails=True), "Tell me")
    assert said.problem == "it broke"
    assert memory.reads.segments_of("chat-1")[0].lines[1].text == "half"
    assert ends(memory) == [CutOff.BROKEN] and said.answer.cut_off is CutOff.BROKEN


def test_an_answer_that_never_began_raises_and_keeps_nothing(memory: Engine) -> None:
    with pytest.raises(ChatUnavailable):
        last(memory, Parrot(fails=True), "Tell me")
    assert memory.reads.session("chat-1") is None


def test_an_answer_that_the_person_stops_is_kept_as_far_as_it_came(memory: Engine) -> None:
    coming = turn.converse(memory, Parrot("half", "half and more"), PLACE, "Tell me")
    assert next(coming).answer.text == "half"
    coming.close()  # type: ignore[attr-defined]
    assert memory.reads.segments_of("chat-1")[0].lines[1].text == "half"
    assert ends(memory) == [CutOff.BROKEN]  # the page is gone: nobody pressed Stop


@pytest.mark.parametrize(
    "said", ["The boiler hums at night.", "Danke!", "Unsere Oma zieht im Mai um.", "How much did the boat cost?"]
)
def test_an_answer_without_a_model_that_was_complete_when_the_page_went_away_is_whole(
    memory: Engine, said: str
) -> None:
    coming = turn.converse(memory, Extractive(memory), PLACE, said)
    assert next(coming).answer.complete
    coming.close()  # type: ignore[attr-defined]
    assert len(memory.reads.segments_of("chat-1")) == 1 and ends(memory) == [None]


def test_an_answer_of_several_quotes_is_whole_only_with_the_last(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pmg.answer.find.RANKED", replace(RANKED, sure=2.0, unsure=0.0))
    with engine.session("Visits", session_id="visits") as visits:
        for month, told in ((3, "Anna came to the harbour."), (4, "Anna came to the lake.")):
            visits.add(user=told, assistant="Noted.", at=datetime(2026, month, 2, 10, tzinfo=UTC))
    coming = turn.converse(engine, Extractive(engine), PLACE, "Where did Anna come to?")
    assert not next(coming).answer.complete
    coming.close()  # type: ignore[attr-defined]
    assert ends(engine) == [CutOff.BROKEN]


def test_a_stop_ends_an_answer_at_once_even_while_the_model_is_silent(open_engine: Callable[..., Engine]) -> None:
    gate, stop = threading.Event(), threading.Event()
    with serving(stream("half ", "more", wait=gate)) as server:
        engine = open_engine(config={"chat": {"responder": "openai", "base_url": server.base_url, "model": "m"}})
        coming = turn.converse(engine, Choice(engine).now(), PLACE, "Tell me", stop)
        assert next(coming).answer.text == "half "
        stop.set()
        rest = list(coming)
        gate.set()
    assert len(rest) == 1 and rest[0].passage is not None and not rest[0].problem
    assert engine.reads.segments_of("chat-1")[0].lines[1].text == "half "
    assert ends(engine) == [CutOff.STOPPED]


def test_a_stop_before_the_first_word_keeps_the_message_alone(memory: Engine) -> None:
    stop = threading.Event()
    stop.set()
    list(turn.converse(memory, Parrot("too late"), PLACE, "Never mind", stop))
    assert [line.text for line in memory.reads.segments_of("chat-1")[0].lines] == ["Never mind"]
    assert ends(memory) == [CutOff.STOPPED]  # in a bubble without words, which can be asked again


def test_what_a_model_makes_up_in_reply_to_what_was_told_is_never_sure(open_engine: Callable[..., Engine]) -> None:
    with serving(stream("Anna is 41 years old and drives a red Fiat.")) as server:
        engine = open_engine(config={"chat": {"responder": "openai", "base_url": server.base_url, "model": "m"}})
        told = last(engine, Choice(engine).now(), "I am visiting my sister Anna next week.")
    assert {told.answer.text[one.start : one.end] for one in told.answer.unproven} >= {"41", "Fiat"}
    asked = last(engine, Extractive(engine), "How old is Anna?", ChatTarget("default", "chat-2"))
    assert asked.answer.tone is not Tone.SURE


def test_what_a_model_cites_in_a_letter_is_held_against_it_and_the_letter_itself_is_not(
    open_engine: Callable[..., Engine],
) -> None:
    letter = "Dear vet. The cat Biscuit gets 9 mg of medicine [1] [7]. Kindly yours, as always."
    with serving(stream(letter)) as server:
        engine = open_engine(config={"chat": {"responder": "openai", "base_url": server.base_url, "model": "m"}})
        with engine.session("Cats") as cats:
            source = cats.add(user="The cat Biscuit gets 5 mg of medicine a day.", assistant="Noted.")
        last(engine, Choice(engine).now(), "Write a letter to the vet about the medicine of the cat Biscuit")
    theirs = history.messages_of(engine, engine.reads.segments_of("chat-1"))[1]
    assert [(one.number, one.segment) for one in theirs.citations] == [(1, source), (7, "")]
    assert [letter[one.start : one.end] for one in theirs.unsupported] == ["9"]


def test_a_model_is_shown_what_the_answers_before_it_quoted(open_engine: Callable[..., Engine]) -> None:
    with serving(stream("Yes.")) as server:
        engine = open_engine(config={"chat": {"responder": "openai", "base_url": server.base_url, "model": "m"}})
        with engine.session("Cats") as cats:
            cats.add(user="The cat Biscuit gets 5 mg of medicine a day.", assistant="Noted.")
        last(engine, Extractive(engine), "How much medicine does the cat Biscuit get?")
        last(engine, Choice(engine).now(), "Is that much?")
    before = [one["content"] for one in server.asked[0]["messages"] if one["role"] == "assistant"]
    assert len(before) == 1 and "“The cat Biscuit gets 5 mg of medicine a day.”" in before[0]


def test_a_closed_session_is_taken_up_again(memory: Engine) -> None:
    last(memory, Parrot("one"), "The cat was at the vet.")
    memory.close_session("chat-1")
    last(memory, Parrot("two"), "Bread needs a hot oven.")
    session = memory.reads.session("chat-1")
    assert (
        session is not None and session.is_open and session.segments == 2 and session.title == "The cat was at the vet."
    )


def test_quotes_are_kept_as_references_and_shown_again_in_full(memory: Engine) -> None:
    said = last(memory, open_responder(memory, memory.config.chat), "How much medicine does the cat Biscuit get?")
    quoted = said.answer.quotes[0].text
    (segment,) = memory.reads.segments_of("chat-1")
    assert quoted not in segment.text
    mine, theirs = history.messages_of(memory, [segment])
    assert mine.text == "How much medicine does the cat Biscuit get?"
    assert theirs.quotes == said.answer.quotes and theirs.used == said.answer.used


def test_a_stored_answer_copies_no_title_name_or_word_of_what_it_quotes(memory: Engine) -> None:
    with memory.session("Zanzibar secrets") as session:
        memory.add_turn(session.id, Turn((Line("Quentin", Role.PERSON, "The garden needs tomato seeds in spring."),)))
    said = last(memory, open_responder(memory, memory.config.chat), "What does the garden need?")
    assert any(quote.speaker == "Quentin" for quote in said.answer.quotes)
    (segment,) = memory.reads.segments_of("chat-1")
    for copied in ("Quentin", "Zanzibar", "tomato"):
        assert copied not in segment.text and copied not in " ".join(segment.meta.values())


def test_answers_of_earlier_versions_are_shown_as_before(memory: Engine) -> None:
    (source,) = memory.reads.segments_of(memory.sessions()[0].id)
    old = "From your memory:\n– User, 2026-01-01, in 'Cats'"
    memory.session("old", session_id="old")
    meta = {"quoted": f"{source.id}/0/0/7", "used": f"{source.id}/entry"}
    memory.add_turn("old", Turn(exchange("What does the cat get?", old), meta=meta))
    theirs = history.messages_of(memory, memory.reads.segments_of("old"))[1]
    assert theirs.text == "From your memory:" and [quote.text for quote in theirs.quotes] == ["The cat"]


def test_citations_of_a_models_answer_are_checked_kept_and_marked(open_engine: Callable[..., Engine]) -> None:
    with serving(stream("It gets 5 mg a day [1]. It was born in Paris last May [7].")) as server:
        engine = open_engine(config={"chat": {"responder": "openai", "base_url": server.base_url, "model": "m"}})
        with engine.session("Cats") as cats:
            source = cats.add(user="The cat Biscuit gets 5 mg of medicine a day.", assistant="Noted.")
        said = last(engine, Choice(engine).now(), "How much medicine does the cat get?")
    assert [(one.number, one.segment) for one in said.answer.citations] == [(1, source), (7, "")]
    theirs = history.messages_of(engine, engine.reads.segments_of("chat-1"))[1]
    assert theirs.citations == said.answer.citations
    assert [theirs.text[one.start : one.end] for one in theirs.unsupported] == ["It was born in Paris last May [7]."]


def test_what_a_models_answer_invents_is_marked_though_it_cites_a_memory(open_engine: Callable[..., Engine]) -> None:
    told = "It gets 7 mg of medicine a day [1]. The cat Biscuit gets 5 mg [1]. Doctor Hoffmann said so about medicine [1]. Nothing else matters much there [1]."
    with serving(stream(told)) as server:
        engine = open_engine(config={"chat": {"responder": "openai", "base_url": server.base_url, "model": "m"}})
        with engine.session("Cats") as cats:
            cats.add(user="The cat Biscuit gets 5 mg of medicine a day.", assistant="Noted.")
        said = last(engine, Choice(engine).now(), "How much medicine does the cat get?")
    invented = ["7", "Hoffmann", "Nothing else matters much there [1]."]
    assert [told[one.start : one.end] for one in said.answer.unproven] == invented
    theirs = history.messages_of(engine, engine.reads.segments_of("chat-1"))[1]
    assert [theirs.text[one.start : one.end] for one in theirs.unsupported] == invented
    assert not any(word in str(engine.reads.segments_of("chat-1")[0].meta) for word in ("Hoffmann", "matters"))


def test_a_quoted_memory_that_is_gone_is_counted_not_shown(memory: Engine) -> None:
    last(memory, open_responder(memory, memory.config.chat), "How much medicine does the cat Biscuit get?")
    (segment,) = memory.reads.segments_of("chat-1")
    quotes, gone = history._quotes(segment, {})
    assert quotes == () and gone >= 1


def test_the_memories_of_a_models_answer_are_shown_again(open_engine: Callable[..., Engine]) -> None:
    with serving(stream("5 mg a day.")) as server:
        engine = open_engine(config={"chat": {"responder": "openai", "base_url": server.base_url, "model": "m"}})
        with engine.session("Cats") as cats:
            source = cats.add(user="The cat Biscuit gets 5 mg of medicine a day.", assistant="Noted.")
        last(engine, Choice(engine).now(), "How much medicine does the cat get?")
    theirs = history.messages_of(engine, engine.reads.segments_of("chat-1"))[1]
    assert theirs.text == "5 mg a day." and [one.segment for one in theirs.used] == [source]


def test_another_setting_is_another_responder_at_once(open_engine: Callable[..., Engine]) -> None:
    from pmg import settings

    engine = open_engine()
    choice = Choice(engine)
    first = choice.now()
    assert choice.now() is first
    settings.change(engine, {"chat": {"responder": "local"}})
    assert choice.now() is not first and not choice.now().leaves


def test_two_chats_at_once_keep_to_themselves(open_engine: Callable[..., Engine]) -> None:
    gate = threading.Event()
    with serving(stream("slow ", "answer", wait=gate)) as slow, serving(refuse(500)) as broken:
        engine = open_engine(config={"chat": {"responder": "openai", "base_url": slow.base_url, "model": "m"}})
        one = turn.converse(engine, Choice(engine).now(), ChatTarget("default", "one"), "first chat")
        assert next(one).answer.text == "slow "
        other = last(engine, Parrot("quick"), "second chat", ChatTarget("default", "two"))
        gate.set()
        rest = list(one)
    assert other.answer.text == "quick" and rest[-1].answer.text == "slow answer" and not broken.asked
    assert [s.lines[0].text for s in engine.reads.segments_of("one")] == ["first chat"]
    assert [s.lines[0].text for s in engine.reads.segments_of("two")] == ["second chat"]
