"""What kind of message it is."""

from __future__ import annotations

import pytest

from pmg.answer.message import MessageKind, kind_of, tells_nothing


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("What dose does Biscuit get?", MessageKind.QUESTION),
        ("where did I put the keys", MessageKind.QUESTION),
        ("where'd I put the keys", MessageKind.QUESTION),
        ("why’d I cancel netflix", MessageKind.QUESTION),
        ("what're we doing on friday", MessageKind.QUESTION),
        ("how're you doing?", MessageKind.GREETING),
        ("how's it going", MessageKind.GREETING),
        ("how's it going with the bathroom", MessageKind.QUESTION),
        ("who'd have thought it would rain", MessageKind.TOLD),
        ("what'd be nice is a quiet week", MessageKind.TOLD),
        ("Wann ist die Prüfung", MessageKind.QUESTION),
        ("淀川の単位は何ですか？", MessageKind.QUESTION),
        ("I moved to Leipzig. Where did I live before?", MessageKind.QUESTION),
        ('Did she say "no"?', MessageKind.QUESTION),
        ("??", MessageKind.QUESTION),
        ("Hello, when is my exam?", MessageKind.QUESTION),
        ("Remind me what Dr Marsh said", MessageKind.SEARCH),
        ("please find the soup recipe", MessageKind.SEARCH),
        ("knee", MessageKind.SEARCH),
        ("Kindly find the hall booking receipt number", MessageKind.SEARCH),
        ("pls tell who gives the speakers", MessageKind.SEARCH),
        ("tuition fee for the dance class", MessageKind.SEARCH),
        ("Missed deadline for the tax return", MessageKind.TOLD),
        ("Am Sonntag wollen wir mit Familie Krause wandern gehen", MessageKind.TOLD),
        ("Am liebsten esse ich Spätzle", MessageKind.TOLD),
        ("am I late", MessageKind.QUESTION),
        ("Hi, da bin ich wieder", MessageKind.GREETING),
        ("I'm back at work", MessageKind.TOLD),
        ("ah stimmt", MessageKind.THANKS),
        ("oh, I see", MessageKind.THANKS),
        ("also wipes", MessageKind.TOLD),  # on a list that is told
        ("außerdem Windeln", MessageKind.TOLD),
        ("She's playing Lady Bracknell", MessageKind.TOLD),
        ("need to buy binliners", MessageKind.TOLD),
        ("need Anna's address", MessageKind.SEARCH),
        ("also what about mum", MessageKind.QUESTION),
        ("oil filter number for the massey", MessageKind.SEARCH),
        ("po number for the chicken", MessageKind.SEARCH),
        ("found the number for the plumber", MessageKind.TOLD),
        ("oil filter number for the massey is 4224811", MessageKind.TOLD),
        ("also Anna's birthday", MessageKind.SEARCH),
        ("also Urlaub in Kroatien", MessageKind.SEARCH),
        ("nut roast recipe", MessageKind.SEARCH),
        ("zebra in mongolia", MessageKind.SEARCH),
        ("zeig mir das Rezept", MessageKind.SEARCH),
        ("search service is written in Go", MessageKind.TOLD),
        ("Show tickets are booked", MessageKind.TOLD),
        ("show me what is left", MessageKind.SEARCH),
        ("list people I met in Rome", MessageKind.SEARCH),
        ("list friends who are vegan", MessageKind.SEARCH),
        ("anna's wedding in june", MessageKind.SEARCH),
        ("piotr's sharing with nigel", MessageKind.TOLD),
        ("anna's wedding photos", MessageKind.SEARCH),
        ("heuer gibts Raclette", MessageKind.TOLD),
        ("wieviel schuldet mir die moni noch", MessageKind.QUESTION),
        ("summarise my year", MessageKind.SUMMARY),
        ("fasse mein Jahr zusammen", MessageKind.SUMMARY),
        ("Please give me a short summary of March", MessageKind.SUMMARY),
        ("What happened last week?", MessageKind.SUMMARY),
        ("what did we do last night", MessageKind.SUMMARY),
        ("What did I get up to two days ago?", MessageKind.SUMMARY),
        ("what happened on the 1st of February 2025?", MessageKind.SUMMARY),
        ("Was haben wir am Freitag gemacht?", MessageKind.SUMMARY),
        ("Was ist vor drei Jahren passiert?", MessageKind.SUMMARY),
        ("What did I do at the gym yesterday?", MessageKind.QUESTION),
        ("Was habe ich mit Lena gemacht?", MessageKind.QUESTION),
        ("What have I got next Monday?", MessageKind.QUESTION),
        ("What happened to the boiler last week?", MessageKind.QUESTION),
        ("remind me to call Anna", MessageKind.ACTION),
        ("Could you send an email to Jonas", MessageKind.ACTION),
        ("Erinnere mich morgen an den Termin", MessageKind.ACTION),
        ("Call with Anna went well today.", MessageKind.TOLD),
        (
            "Call with Thornbury Foods today. They liked the planner but the buttons are too small for gloves. They pay 1,850 a month.",
            MessageKind.TOLD,
        ),
        ("Message from Tom: the keys are in the shed", MessageKind.TOLD),
        ("welchem team gehört brieftaube", MessageKind.QUESTION),
        ("I moved to Leipzig today.", MessageKind.TOLD),
        ("My dog is called Rex", MessageKind.TOLD),
        ("Was great to see you.", MessageKind.TOLD),
        ("thanks a lot for nothing, the boiler broke again", MessageKind.TOLD),
        ("Je suis arrivé à Paris ce matin avec ma sœur.", MessageKind.TOLD),
        ("Hi!", MessageKind.GREETING),
        ("Good morning", MessageKind.GREETING),
        ("Thank you so much!", MessageKind.THANKS),
        ("Danke schön", MessageKind.THANKS),
        ("Bye!", MessageKind.FAREWELL),
    ],
)
def test_kinds_of_messages_are_told_apart(text: str, kind: MessageKind) -> None:
    assert kind_of(text) is kind


@pytest.mark.parametrize(
    "text",
    [
        "Dan cycles to work",
        "Wilf planted dahlias",
        "Phil doesn't eat pork",
        "Tom won't touch mushrooms",
        "Bella died",
        "Planted garlic",
        "Marathon on Sunday",
        "Lena liest gerade Tschick",
        "Tom isst kein Fleisch",
        "Can you remember that my bike is blue?",
        "Kannst du dir merken, dass ich dienstags nie kann?",
        "dev weighs 19 kg",
        "Das Bier besorgt Jakob",
        "Einkauf für Mama: Zwieback",
        "Had the boat hull waxed",
        "muss noch Katzenfutter kaufen",
        "huw allergic to penicillin",
        "Fiete wiegt 28 Kilo",
        "also need paraffin",
        "Alun's the manager",
        "Callum's from Middlesbrough",
        "Cillian only eats pasta",
        "tierarzt heisst Dr. Amstutz",
        "tuned Mrs Lee's upright",
        "Friederike betreut die Suche",
        "did my back in lifting a beam so I'm seeing a chiropractor called Lindsay",
    ],
)
def test_a_short_statement_is_told(text: str) -> None:
    assert kind_of(text) is MessageKind.TOLD


@pytest.mark.parametrize(
    "text",
    [
        "she plays the cello",
        "he hates olives",
        "he drives a Skoda",
        "and she speaks Welsh",
        "they sell honey",
        "they brew beer",
        "she quit smoking",
        "it sleeps 7",
        "its 62 a day",
        "shes a nurse",
        "sie sammeln Briefmarken",
        "er fährt Rad",
        "Tilly lost a tooth",
        "lost the keys",
        "Bogdan folds the napkins",
        "Saoirse's coat still fits",
        "Jens ruft sonntags an",
        "Minka frisst nur Nassfutter",
    ],
)
def test_a_subject_and_its_verb_tell_without_a_full_stop(text: str) -> None:
    assert kind_of(text) is MessageKind.TOLD
    assert not tells_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "IT support contract",
        "it services leeds",
        "ER Diagramm",
        "he man figures",
        "she wolf lyrics",
        "dentist appointment",
        "risk management",
        "lost keys",
        "Kitchen light",
        "train times",
        "Fotos aus Rom",
        "book club",
        "order number",
        "Call of Duty",
        "cello",
    ],
)
def test_a_bare_topic_is_looked_for_and_not_kept(text: str) -> None:
    assert kind_of(text) is MessageKind.SEARCH
    assert tells_nothing(text)


@pytest.mark.parametrize("text", ["need stamps", "bring the pink ball", "Jakob schnarcht", "Hecke geschnitten"])
def test_what_may_have_been_told_is_kept(text: str) -> None:
    assert not tells_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "what did I tell you today?",
        "what have I told you so far?",
        "What did I write on Monday?",
        "was habe ich dir heute erzählt?",
        "was hab ich heute gemacht",
        "summarise what I told you about Marek",
        "fass zusammen, was ich dir über Jonas gesagt habe",
    ],
)
def test_what_was_told_is_summed_up_and_tells_nothing_itself(text: str) -> None:
    assert kind_of(text) is MessageKind.SUMMARY
    assert tells_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "what did I say?",
        "what did I just tell you?",
        "what did I tell you about Anna today?",
        "what did I tell Anna yesterday?",
        "was habe ich Anna gestern gesagt?",
    ],
)
def test_what_was_said_of_somebody_is_a_question(text: str) -> None:
    assert kind_of(text) is MessageKind.QUESTION


def test_a_summary_that_is_told_is_kept() -> None:
    assert not tells_nothing("Recap of the meeting: Anna was late")
    assert not tells_nothing("summarise what we said. Anna is ill.")


@pytest.mark.parametrize(
    "text", ["chicken fried rice", "used cars", "recipe for stuffed peppers", "Kate's address", "Urlaub in Italien"]
)
def test_a_few_words_without_a_verb_are_looked_for(text: str) -> None:
    assert kind_of(text) is MessageKind.SEARCH


@pytest.mark.parametrize(
    "text",
    [
        "brilliant, you're a star",
        "lovely",
        "great, that's it thanks",
        "toll, danke dir",
        "much obliged",
        "Super, vielen lieben Dank!",
    ],
)
def test_thanks_come_in_many_words(text: str) -> None:
    assert kind_of(text) is MessageKind.THANKS


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Thanks, that's it for today.", MessageKind.THANKS),
        ("That'll be all for now, thank you!", MessageKind.THANKS),
        ("Danke, das war's für heute.", MessageKind.THANKS),
        ("Thanks, good night!", MessageKind.FAREWELL),
        ("That's it for today's shopping.", MessageKind.TOLD),
        ("Thanks, that's it for Tom, he quit.", MessageKind.TOLD),
        ("Thanks, see you on Friday at the dentist.", MessageKind.TOLD),
    ],
)
def test_who_ends_the_talk_tells_nothing(text: str, kind: MessageKind) -> None:
    assert kind_of(text) is kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("wehn did we dig over the top bed", MessageKind.QUESTION),
        ("wich foreign route have i been given", MessageKind.QUESTION),
        ("can you remember my size?", MessageKind.QUESTION),
        ("wats the wifi password at dads", MessageKind.QUESTION),
        ("wich gateway for the vpn", MessageKind.QUESTION),
        ("wat time is training", MessageKind.QUESTION),
        ("Wat Arun was beautiful", MessageKind.TOLD),
        ("name of the webhook secret env var", MessageKind.SEARCH),
        ("name of the new cat: Biscuit", MessageKind.TOLD),
        ("Name of the plumber Gary Hobbs", MessageKind.TOLD),
        ("location of the spare key under the flowerpot", MessageKind.TOLD),
        ("Wath market is on Tuesdays", MessageKind.TOLD),
        ("wich is why I don't eat pork", MessageKind.TOLD),
        ("wats worse the boiler broke", MessageKind.TOLD),
        ("number of the plumber 0171 555", MessageKind.TOLD),
        ("price of milk went up", MessageKind.TOLD),
        ("wünscht sich ne ballonfahrt", MessageKind.TOLD),
        ("wobei wird mir übel", MessageKind.QUESTION),
        ("und was kostet die Massage", MessageKind.QUESTION),
        ("now find the other recipe", MessageKind.SEARCH),
        ("did my parcel arrive", MessageKind.QUESTION),
        ("waren die Kinder da", MessageKind.QUESTION),
        ("show me what I said about the extractor", MessageKind.SUMMARY),
        ("zeig mir was ich über Nino gesagt habe", MessageKind.SUMMARY),
        ("bye, see you tomorrow", MessageKind.FAREWELL),
    ],
)
def test_a_mistyped_question_is_one(text: str, kind: MessageKind) -> None:
    assert kind_of(text) is kind


@pytest.mark.parametrize(
    "text",
    [
        "show me what I said about the deposit",
        "look up who paid",
        "zeig mir, was ich sagte",
        "who paid?",
        "okay",
        "Hallo!",
    ],
)
def test_what_is_only_looked_for_tells_nothing(text: str) -> None:
    assert tells_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "Show was great",
        "Halden renews in september",
        "the dishwasher leaks",
        "Tell me what I owe. I was charged 40 today",
    ],
)
def test_what_may_tell_is_kept(text: str) -> None:
    assert not tells_nothing(text)
