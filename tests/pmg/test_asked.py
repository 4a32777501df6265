"""What only asks, and whose answer says nothing, is history, not a memory: marked when it is kept, left out of recall with its reason, found if one wants."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from pmg.base.model import Line, Role, Turn
from pmg.chat import turn
from pmg.chat.responder import ChatAnswer, ChatRequest
from pmg.chat.turn import ChatTarget
from pmg.cli.maintenance import stats_lines
from pmg.engine import Engine
from pmg.exporters import tables
from pmg.importers.import_run import import_paths
from pmg.ingest.asked import is_asked, only_asks, sentences, tells_nothing
from pmg.ingest.turns import SessionInput, exchange
from pmg.server import writes


class Says:
    where, leaves, budget_tokens = "nowhere", False, None

    def __init__(self, text: str) -> None:
        self._text = text

    def answer(self, ask: ChatRequest) -> Iterator[ChatAnswer]:
        yield ChatAnswer(self._text)


def chat(engine: Engine, text: str, answer: str = "Noted.", session: str = "chat-1") -> str:
    (*_, last) = turn.converse(engine, Says(answer), ChatTarget("default", session), text)
    assert last.passage is not None
    return last.passage.id


@pytest.mark.parametrize(
    "text",
    [
        "Which bike do I have?",
        "which bike do I have",
        "how many pots of damson jam did Margaret make",
        "wieviel krieg ich für den comic",
        "wehre does micah live",
        "by which date must the poster be ready",
        "who can't eat gluten",
        "who makes the slides for the group project",
        "which bus goes to town",
        "what instead",
        "how many balls",
        "what temp for the focaccia",
        "warum nicht",
        "which used car",
        "which frozen peas",
        "which set menu",
        "which lost keys",
        "what good dentist",
        "what good restaurants",
        "what nice presents for mum",
        "what sweet wine",
        "wie oft hab ich physio",
        "wann hast du Zeit",
        "wo bist du",
        "when dose the aprentice start",
        "wovor fürchtet sich Lukas",
        "Hi! Who is Anna Berg?",
        "Thanks. And when was that?",
        "did I pay the rent",
        "whats our dog called",
        "who’s painting the flat",
        "on which day do I have to call Anna",
        "Why is the Heron 1.0 release blocked right now?",
        "seit wann ist Anna hier",
        "Where do I live? And since when?",
        "Wann war ich beim Zahnarzt?",
        "was hat Anna gesagt",
        "an welchem tag wird der müll abgeholt",
        "welchem team gehört brieftaube",
        "wich route have i been given",
        "which film did Tom and I see",
        "If it rains tomorrow, what did we plan?",
        "For the party, who is coming?",
        "I was wondering, who is my dentist?",
        "我的自行车是什么颜色？",
    ],
)
def test_a_message_that_only_asks_is_a_question(text: str) -> None:
    assert only_asks(text)


@pytest.mark.parametrize(
    "text",
    [
        "What Mum wants for Christmas is a scarf",
        "how many eggs Nan's cake needs is four",
        "when the kids are back we have pizza",
        "wieviel Arbeit das war",
        "who knew it was so hard",
        "which makes sense to me",
        "which matters to us",
        "which reminds me",
        "which Tom hates",
        "which usually takes me 40 minutes",
        "who got the job, Ben",
        "what a day",
        "wie gesagt Kita zu bis Freitag",
        "wie vereinbart Schlüssel unter der Matte",
        "where possible oat milk for Ben",
        "What great news about Priya",
        "how we met",
        "where dad parked",
        "how many eggs: 12",
        "who wins the quiz gets a ham",
        "what dose I take: 20 mg",
        "which cost us ninety euros",
        "which took the whole afternoon",
        "which ruined the carpet",
        "which went well",
        "what great news",
        "what terrible service at the garage",
        "what good news",
        "Hab ich erledigt",
        "wie gesagt hab ich die Kita angerufen",
        "wo Anna wohnt hab ich vergessen",
        "Wieviele Kinder kommen ist noch offen",
        "My new bike is a red Cube.",
        "My new bike is a red Cube. Which one do I have?",
        "when I was small we lived in Kiel",
        "what I like about Lisbon is the light",
        "Who dares wins.",
        "What's more, I sold the car",
        "for what it's worth, I liked it",
        "in what I read today there was a mistake",
        "have a look at the garden",
        "Did you know that my new bike is a red Cube?",
        "Can you remember that my dentist is Dr Kowalski?",
        "I'm bringing an apple tart over this evening, how many sugars does Carmel take?",
        "plasterer's booked for friday btw, what was the electrician called?",
        "did my back in lifting posts, the claim is in",
        "New dentist is my neighbour's cousin",
        "As a kid I had my own room",
        "Ich hab jetzt endlich die Gliederung fertig, an welchem Tag ist Sprechstunde?",
        "had my eyes tested yesterday, need reading glasses",
        "knee",
        "Hello!",
        "",
    ],
)
def test_whatever_tells_something_or_is_in_doubt_is_not(text: str) -> None:
    assert not only_asks(text)


def test_an_answer_in_words_of_its_own_is_worth_keeping() -> None:
    asked = "How do I cook lentil soup?"
    reference = "From your memory:\n" + "\n".join(
        f"– Anna, 2026-03-0{i}, in 'A long talk about soups'" for i in range(1, 9)
    )
    assert is_asked(exchange(asked, reference))
    assert is_asked(exchange(asked, None))
    assert not is_asked(exchange(asked, "Take lentils and " + "stir " * 40))
    assert not is_asked(exchange(None, "Noted."))


@pytest.mark.parametrize(
    ("user", "assistant"),
    [
        ("Why is the Heron 1.0 release blocked right now?", None),
        ("Why is the Heron 1.0 release blocked right now?", "I don't know."),
        ("Where is my passport?", "I'm sorry, I don't have any information about your passport."),
        ("Where is my passport?", "I don't have access to your files. Could you tell me more?"),
        ("When is the release?", "I couldn't find anything about the release in your notes."),
        ("Is it open?", "Let me check."),
        ("Wo ist mein Pass?", "Das weiß ich leider nicht."),
        ("¿Dónde está mi pasaporte?", None),
        (None, "Where is my passport?"),
        ("thanks", None),
        ("Danke!", "Gern geschehen!"),
        ("Thank you so much!", "You're welcome! Let me know if you need anything else."),
        ("Hi", "Hello! How can I help you today?"),
    ],
)
def test_a_question_that_nobody_answers_tells_nothing(user: str | None, assistant: str | None) -> None:
    assert tells_nothing(exchange(user, assistant))


@pytest.mark.parametrize(
    ("user", "assistant"),
    [
        ("Where do I live?", "In Graz."),
        ("Who is it?", "Anna."),
        ("Is Anna coming?", "Yes."),
        ("What is two and two?", "4"),
        ("Is it in May?", "I don't think so, it was moved to June."),
        ("Can I see it?", "I can't find it: the licence is missing."),
        ("Where are they?", "I don't have the keys, Anna has them."),
        ("Should I eat it?", "I wouldn't eat mushrooms."),
        ("Which is best?", "I don't recommend any of them."),
        ("Questions for them?", "- How many share on-call?\n- What should have changed by Christmas?"),
        ("Is it broken?", "I see no reason to worry."),
        ("Warum ist es blockiert?", "Weil die Lizenz fehlt."),
        ("Where do I live? I moved in May.", None),
        ("I don't know where the keys are.", None),
        ("Did you know that I moved to Graz?", None),
        ("I will be there", None),
        ("yes", "Noted."),
        ("no", None),
        ("I live in Graz.", "Noted."),
    ],
)
def test_an_answer_however_short_or_a_doubt_is_kept(user: str | None, assistant: str | None) -> None:
    assert not tells_nothing(exchange(user, assistant))


@pytest.mark.parametrize("role", [Role.PERSON, Role.TOOL, Role.DOCUMENT, Role.SYSTEM])
def test_what_people_ask_each_other_is_not_judged(role: Role) -> None:
    assert not tells_nothing((Line("Ana", role, "Where do you live now?"),))
    assert tells_nothing((Line("You", Role.USER, "Where?"), Line("Assistant", Role.THINKING, "Where, they ask.")))


QUESTION, FACT = "Why is the Heron 1.0 release blocked right now?", "The Heron release is blocked by the dry day."


def by_session(engine: Engine) -> None:
    with engine.session("A talk") as session:
        session.add(user=QUESTION)


def by_ingest(engine: Engine) -> None:
    engine.ingest([SessionInput([Turn(exchange(QUESTION, "I don't know."))], id="s1", source="claude-code")])


def by_import(engine: Engine) -> None:
    file = engine.config.home / "asked.jsonl"
    file.write_text(json.dumps({"role": "user", "text": QUESTION}))
    import_paths(engine, [file])


def by_note(engine: Engine) -> None:
    writes.remember(engine, "default", "cursor", text=QUESTION, user="", assistant="", session="", when="")


@pytest.mark.parametrize("door", [by_session, by_ingest, by_import, by_note])
def test_whatever_door_a_question_came_through_it_is_not_recalled(
    engine: Engine, door: Callable[[Engine], None]
) -> None:
    with engine.session("What was told") as session:
        told = session.add(user=FACT)
    door(engine)
    engine.settle()
    found = engine.recall(QUESTION)
    assert [segment.id for segment in found.segments] == [told]
    assert engine.counts().asked == 1
    counts = engine.counts("default")
    assert (
        counts.memories == sum(counts.segments.values()) - 1 == engine.reads.memories("default")
    )  # as the page counts
    assert f"memories  {counts.memories} " in "\n".join(stats_lines(counts))


def test_an_answer_in_the_next_turn_is_one(engine: Engine) -> None:
    alone = [Turn(exchange("Where is the dog?", None)), Turn(exchange(None, "On the leash."))]
    engine.ingest([SessionInput(alone, id="s1"), SessionInput(alone[:1], id="s2"), SessionInput(alone[1:], id="s3")])
    marks = engine.sql("SELECT segment FROM v_segments WHERE asked ORDER BY segment").rows
    assert marks == [("seg_s2_0",)]


def test_a_question_that_a_newer_export_answers_is_a_memory(engine: Engine) -> None:
    file = engine.config.home / "talk.json"
    said = [{"id": "m1", "role": "user", "content": "Where is the dog?"}]
    for answer in ([], [{"id": "m2", "role": "assistant", "content": "On the leash."}]):
        file.write_text(json.dumps({"id": "talk", "messages": [*said, *answer]}))
        import_paths(engine, [file])
        assert engine.counts().asked == (not answer)


@pytest.mark.parametrize("mode", ["diffuse", "fixed"])
def test_ones_own_question_is_left_out_with_its_reason_and_found_if_one_wants(engine: Engine, mode: str) -> None:
    told = chat(engine, "My cat Biscuit sees the vet on Monday.", session="chat-1")
    asked = chat(engine, "When does the cat Biscuit see the vet?", session="chat-2")
    engine.settle()
    found = engine.recall("cat Biscuit vet", mode=mode)
    assert [segment.id for segment in found.segments] == [told]
    assert [(one.segment, one.reason) for one in found.receipt.dropped] == [(asked, "a question of your own")]
    assert "When does" not in found.context
    both = engine.recall("cat Biscuit vet", mode=mode, own_questions=True)
    assert {segment.id for segment in both.segments} == {told, asked}


@pytest.mark.parametrize("mode", ["diffuse", "fixed"])
def test_a_question_beside_what_was_told_is_not_brought_along(engine: Engine, mode: str) -> None:
    chat(engine, "Where is the oven?")
    told = chat(engine, "My cat Biscuit sees the vet on Monday.")
    assert [segment.id for segment in engine.recall("cat Biscuit", mode=mode).segments] == [told]


def test_it_stays_in_the_history_is_counted_and_told_in_exports(engine: Engine) -> None:
    chat(engine, "Where is the cat?")
    chat(engine, "The cat is at the vet.")
    segments = engine.reads.segments_of("chat-1")
    assert [segment.lines[0].text for segment in segments] == ["Where is the cat?", "The cat is at the vet."]
    assert engine.counts().asked == 1
    assert engine.sql("SELECT asked FROM v_segments ORDER BY position").rows == [(True,), (False,)]
    (session,) = engine.sessions()
    place = list(tables.COLUMNS).index("asked")
    assert [row[place] for row in tables.rows_of(session, segments)] == [True, True, False, False]


def test_the_mark_is_kept_over_a_new_start_and_not_made_for_what_is_imported(engine: Engine) -> None:
    chat(engine, "Where is the cat?")
    engine.ingest([SessionInput([Turn(exchange("Where is the dog?", "On the leash."))], id="s1", source="chatgpt")])
    for _ in range(2):
        found = engine.recall("where is the dog and the cat")
        assert [segment.id for segment in found.segments] == ["seg_s1_0"]
        engine.reindex()


@pytest.mark.parametrize(
    "text",
    [
        "ich bin schwanger",
        "Tschüss, ich fahre morgen nach Rom",
        "Bye, I'm off to Rome until Sunday",
        "Guess what? I'm pregnant",
        "When I was ten we moved to Ohio",
        "Where I live there is no bus",
        "Wo ich wohne, gibt es keinen Bus",
        "Who I trust most is Maria",
        "How about that, I won the lottery",
        "Yes, I'm allergic to nuts",
        "Do you remember that I'm allergic to penicillin?",
        "Should I mention that I am vegetarian?",
    ],
)
def test_what_is_told_is_kept_whatever_it_begins_with(text: str) -> None:
    """A memory that is not found is a loss: in doubt something was told."""
    assert not tells_nothing([Line("User", Role.USER, text), Line("Assistant", Role.ASSISTANT, "I see.")])


def test_a_page_of_numbers_is_one_sentence_and_quickly_read() -> None:
    assert sentences("We meet am 1. März. Fine!") == ["We meet am 1. März.", "Fine!"]
    many = "1. " * 100_000  # minutes, were it quadratic
    assert sentences(many) == [many]
