"""That what a yes-or-no question asks for is not so, or no longer."""

from __future__ import annotations

import pytest

from pmg.chat.reversal import is_not_so, opens_with_its_verb


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("Kommt Lukas zu Pfingsten?", "Enkel Lukas kommt in den Pfingstferien eine Woche", "Lukas kommt doch nicht, er hat eine Freundin."),
        ("hat antje donnerstags noch spätdienst", "Meine Frau Antje hat donnerstags Spätdienst bis 22 Uhr.", "Antje macht ab Mai 30 Stunden, kein Spätdienst mehr."),
        ("are we using kafka", "decided: we use Kafka for the order events", "we dropped Kafka, too heavy. going with NATS instead"),
        ("is amara moving out", "Joy says that Amara may be moving out in summer.", "Amara is staying after all, she signed for another year."),
        ("is Beth taking the piano?", "Beth has offered to take the piano", "Beth doesn't want to take the piano after all"),
        ("do i still owe tash money", "owe tash 22 quid for the big shop", "paid tash back the 22 quid"),
        ("schulde ich greta noch die 50", "hab mir bei greta 50 euro geliehen", "hab greta die 50 zurückgegeben"),
        ("do I have a bicycle", "I have bought a bicycle for 120 euro", "My bicycle is stolen at the station."),
        ("Do we still have the Mazda?", "Our car is a Mazda 3", "we sold the Mazda"),
        ("Do I smoke?", "I smoke", "I've finally stopped smoking, three weeks now"),
        ("Do I take aspirin?", "I take aspirin", "The doctor took me off aspirin"),
        ("Rauche ich?", "Ich rauche", "Ich habe mit dem Rauchen aufgehört"),
        ("Do we have milk?", "We have milk", "The milk is gone, buy some"),
        ("Do we use Kafka?", "We use Kafka for events", "We dropped Kafka but keep Redis"),
        ("Wohnt Anna in Berlin?", "Anna wohnt in Berlin", "Anna wohnt nicht mehr in Berlin"),
        ("Haben wir einen Hund?", "Wir haben einen Hund", "Im Haus gibt es keinen Hund mehr"),
        ("Do I have a car?", "I have a car", "Talked to Anna, sold the car"),
        ("Haben wir das Auto noch?", "Wir haben ein Auto", "Gestern haben wir das Auto verkauft"),
        ("Is the milk in the fridge?", "The milk is in the fridge", "The milk is gone"),
        ("Do I play the guitar?", "I play the guitar at home", "My guitar is sold"),
        ("Hat Mia noch eine Zahnspange?", "Mia hat eine Zahnspange", "Die Zahnspange ist weg"),
        ("Wohnt Anna in Berlin?", "Anna wohnt in Berlin", "Sie wohnt nicht mehr in Berlin"),
        ("Do we use Kafka?", "We use Kafka for events", "Platform doesn't use Kafka any more"),
        ("Do we use Kafka?", "We use Kafka", "The team no longer uses Kafka"),
        ("Do I still see Dr Wolf?", "I see Dr Wolf", "Dr Wolf isn't my doctor any more"),
        ("Geht Ben in die Kita?", "Ben geht in die Kita", "Ben geht nicht mehr in die Kita"),
    ],
)  # fmt: skip
def test_what_is_asked_for_is_denied_later(question: str, older: str, newer: str) -> None:
    assert is_not_so(question, older, newer)


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("Is Anna moving?", "Anna is moving to Rome", "Anna no longer eats meat"),
        ("Does Anna work at Siemens?", "Anna works at Siemens", "Anna is no longer vegetarian"),
        ("are we using kafka", "we use Kafka for events", "we dropped Redis"),
        ("Is Ben coming?", "Ben is coming on Friday", "Ben says Anna isn't coming after all"),
        ("Do I have a bicycle?", "I have a bicycle", "Tom's bicycle is stolen"),
        ("Is Lukas still at school?", "Lukas is at school in York", "Lukas might not be at school any more in May"),
        ("do i owe tash money", "owe tash 22 quid", "Tash paid Ben back"),
        ("Does Mum take ramipril?", "Mum takes ramipril", "Dad no longer takes ramipril"),
        ("Is the boiler fixed?", "The boiler is fixed", "the boiler man is gone"),
        ("Do we have milk?", "we have milk", "dropped the milk off at Anna's"),
        ("Do I have a car?", "I have a car, a Skoda", "sold the car radio"),
        ("Is the party on?", "The party is on 3 May", "cancelled the cake for the party"),
        ("Does Ella play the violin?", "Ella plays the violin", "Ella isn't nervous about the violin any more"),
        ("Is the walk open to dogs?", "The walk is open to dogs", "The walk takes no longer than an hour with dogs"),
        ("Do I have Netflix?", "I have Netflix", "Ben cancelled Netflix because we share mine"),
        ("Is my bicycle red?", "My bicycle is red", "the bell of my bicycle was stolen"),
        ("Is Tom allergic to nuts?", "Tom is allergic to nuts", "Tom can eat almonds after all, just not other nuts"),
        ("Do I drive a Golf?", "I drive a Golf", "Dad sold his Golf"),
        ("Do I drink milk?", "I drink milk", "The milk is gone, buy some"),
        ("Do we use Kafka?", "We use Kafka for events", "We dropped Kafka Streams but keep Kafka"),
        ("Do we have a piano?", "We have a piano", "The piano is not out of tune any more"),
        ("Do we have a piano?", "We have a piano", "The piano isn't in the hall any more, it's upstairs"),
        ("Is Anna coming?", "Anna is coming to dinner", "Ben isn't coming to dinner after all, only Anna"),
        ("Does Ella play the violin?", "Ella plays the violin", "Ella did not give up the violin after all"),
        ("Do I eat meat?", "I eat meat", "Tom no longer eats meat"),
        ("Do I smoke?", "I smoke", "stopped smoking in the flat"),
        ("Do I have a bicycle?", "I have a bicycle", "My sister's bicycle was stolen"),
        ("Do I have a bicycle?", "I have a bicycle", "The bicycle of my sister was stolen"),
        ("Do I owe Tom 20 euros?", "I owe Tom 20 euros", "I paid back Anna 30 euros, Tom saw it"),
        ("Does Tom owe me 20 euros?", "Tom owes me 20 euros", "I paid Tom back for the pizza"),
        ("Wohnt Anna in Berlin?", "Anna wohnt in Berlin", "Tom wohnt nicht mehr in Berlin"),
        ("Nimmt Opa Ibuprofen?", "Opa nimmt Ibuprofen", "Oma nimmt kein Ibuprofen mehr"),
        ("Rauche ich?", "Ich rauche", "Tom hat aufgehört zu rauchen"),
        ("Rauche ich?", "Ich rauche", "Meine Eltern haben mit dem Rauchen aufgehört"),
        ("Rauche ich?", "Ich rauche", "Ich habe nicht aufgehört zu rauchen"),
        ("Do I smoke?", "I smoke", "My brother, a doctor, stopped smoking"),
        ("Do I smoke?", "I smoke", "Anna quit her job, stopped smoking and moved to York"),
        ("Do I eat meat?", "I eat meat", "Tom and Mia went vegan, stopped eating meat"),
        ("Raucht Tom?", "Tom raucht", "Ich habe mit dem Rauchen aufgehört"),
        ("Trinke ich noch Milch?", "Ich trinke Milch", "Die Milch ist weg"),
        ("Do I have an iPhone?", "I have an iPhone 13", "I dropped my iPhone in the sink, still works"),
    ],
)
def test_what_is_said_of_something_else_denies_nothing(question: str, older: str, newer: str) -> None:
    assert not is_not_so(question, older, newer)


@pytest.mark.parametrize(
    ("question", "opens"),
    [("Rauche ich?", True), ("Nimmt Opa Ibuprofen?", True), ("Wo wohne ich?", False), ("What does Anna eat?", False)],
)
def test_a_german_question_may_open_with_any_verb(question: str, opens: bool) -> None:
    assert opens_with_its_verb(question) is opens
