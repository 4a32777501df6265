"""That something planned is off, and that it is on again."""

from __future__ import annotations

import pytest

from pmg.chat.called_off import calls_off, is_on_again

WHITBY = "We're going to Whitby on Saturday with the Hendersons"
CHOIR = "Choir is on Wednesdays at half seven in St Giles."


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (WHITBY, "Whitby is off, the Hendersons have covid"),
        (WHITBY, "We're not going to Whitby after all"),
        ("Booked a table at the Magpie for 1pm", "I cancelled the table at the Magpie"),
        ("Choir is on Thursday at 7", "choir's been called off"),
        ("Am Sonntag wollen wir mit Familie Krause wandern gehen", "Die Wanderung mit Krauses faellt aus, es soll gewittern"),
        ("Am 3. August fahre ich zum Festival nach Roskilde", "Roskilde habe ich abgesagt, zu teuer"),
        ("Zahnarzt am Montag um 9 Uhr", "Der Zahnarzttermin wurde abgesagt"),
        ("delacroix now 10 people, two coeliac, still friday 7.30", "delacroix cancelled. whole table. gutted"),
        ("Meiers kommen am Samstag zum Essen", "Meiers haben leider abgesagt"),
        ("Mum's visiting on Sunday", "Mum cancelled because of the snow"),
        ("Hendersons on Saturday at 7", "The Hendersons cancelled"),
        ("Anna will am Samstag kommen", "Anna hat abgesagt"),
        ("The plumber is due on Tuesday at 9", "The plumber cancelled"),
        ("The babysitter is booked for Friday", "The babysitter cancelled"),
        ("The band is playing on Friday at 9", "The band cancelled"),
        ("Anna picks me up at 8 on Friday", "Anna cancelled"),
        ("Lena teaches me piano on Monday at 5", "Lena cancelled"),
        ("Anna might come on Friday", "Anna cancelled"),
        ("Der Elektriker baut am Montag den Herd ein", "Der Elektriker hat abgesagt"),
        ("Tom holt mich am Freitag um 8 ab", "Tom hat abgesagt"),
        ("Tante Erna bringt am Sonntag Kuchen mit", "Tante Erna hat abgesagt"),
        ("Oma möchte am Sonntag kommen", "Oma hat abgesagt"),
        ("Tom bringt die Kinder am 4. März zur Schule", "Tom hat abgesagt"),
        ("gig at the Frog & Fiddle on 30 nov", "the Frog & Fiddle gig is cancelled, the pub lost its licence"),
        ("Dienstreise nach Graz vom 5. bis 7. November", "die Dienstreise nach Graz ist gestrichen, kein Budget"),
        ("Wir fahren im August nach Norwegen", "Norwegen ist geplatzt, wir bleiben hier"),
        ("Im August fliegen wir in die Türkei", "Die Türkei ist gestrichen, zu teuer"),
        ("Am Samstag ist eine Wanderung", "Die Wanderung ist gestrichen"),
        ("Das Konzert im Rathaus ist am 5. Mai", "Das Konzert wurde gestrichen"),
        ("Der Kurs ist am Montag um 9 Uhr", "Der Kurs ist leider ausgefallen"),
        ("I'm running the Leeds half on 11 May", "dropped out of the Leeds half"),
        ("Elternabend ist am 4. März", "Der Elternabend findet leider nicht statt"),
        (CHOIR, "Cancel the choir, I quit, too much going on."),
        (CHOIR, "I've stopped going to choir because of my voice"),
        (CHOIR, "I finally quit the choir and feel great"),
        (CHOIR, "I'm giving up choir"),
        ("Dentist on Monday at 10", "please cancel the dentist"),
        ("Der Chor ist mittwochs um halb acht", "Ich habe mit dem Chor aufgehört"),
        ("Der Chor ist mittwochs um halb acht", "Ich gehe nicht mehr zum Chor, keine Zeit"),
        ("Zahnarzt am Montag um 9 Uhr", "Sag den Zahnarzt bitte ab"),
    ],
)  # fmt: skip
def test_what_was_planned_is_off(older: str, newer: str) -> None:
    assert calls_off(older, newer)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (CHOIR, "Cancel choir this week, I have a cold"),
        (CHOIR, "Tom quit the choir"),
        (CHOIR, "If I quit the choir I could do yoga"),
        (CHOIR, "Remember to cancel the gym"),
        (CHOIR, "I nearly quit the choir"),
        (CHOIR, "I quit smoking, the choir helped"),
        (CHOIR, "I dreamt I quit the choir"),
        (CHOIR, "Mum thinks we gave up choir"),
        (CHOIR, "Tom said I've given up choir"),
        (CHOIR, "Ten years ago I quit the choir"),
        (CHOIR, "I quit the choir in 2012"),
        (CHOIR, "I regret that I quit the choir"),
        (CHOIR, "No way I'm giving up choir"),
        (CHOIR, "Gave up choir. Just kidding!"),
        (CHOIR, "Cancel the choir?"),
        ("Der Chor ist mittwochs um halb acht", "Die Nachbarn haben mit dem Chor aufgehört"),
        ("Der Chor ist mittwochs um halb acht", "Tom und Anna haben mit dem Chor aufgehört"),
        ("Der Chor ist mittwochs um halb acht", "Tom sagt, wir gehen nicht mehr zum Chor"),
        ("Der Chor ist mittwochs um halb acht", "Sag dem Chor ab Mai Bescheid"),
        ("Dentist on Monday at 10", "please cancel the dentist so I can go on Tuesday"),
        ("I start the job on Monday", "I quit the job last year and start the job on Monday"),
        ("I'm meeting Anna on Friday at the gym", "I quit the gym"),
        ("Dentist on Monday at 10", "cancel the dentist by Friday if it still hurts"),
        ("Tom works at the school", "Tom is off"),
        ("Tom starts at the school on Monday", "Tom is off sick"),
        ("Choir meets every Thursday at 7", "Choir is cancelled this week"),
        ("The milk comes on Mondays", "The milk is off"),
        (WHITBY, "We nearly cancelled Whitby"),
        (WHITBY, "I cancelled my gym membership"),
        ("Tom is coming on Friday", "Tom cancelled his gym membership"),
        ("Party at ours on Saturday at 7, Mia and Tom are coming", "Mia just cancelled, so only Tom"),
        ("Am Freitag um 10 Elterngespräch mit Frau Kern", "Frau Kern hat die Klassenfahrt abgesagt"),
        ("Am Montag um 9 Zahnarzt mit Ella", "Ella hat abgesagt für Mias Geburtstag"),
        ("We take the train to York on Friday at 9", "The train cancelled again today, typical"),
        ("Flight to Rome on 3 May", "My flight to Oslo was cancelled"),
        ("Mum is coming on Sunday", "Mum is off on Sunday"),
        ("The party is on 3 May", "I cancelled the cake for the party"),
        ("The party is on 3 May", "The party tent is cancelled"),
        ("The car service is on Monday at 8", "I cancelled the car insurance"),
        ("The school play is on Friday at 6", "They cancelled the play in 2019"),
        ("Die Küche wird am Montag gestrichen", "Die Küche ist gestrichen, in Blau"),
        ("Am Montag räumen wir das Kinderzimmer ein", "Das Kinderzimmer ist gestrichen"),
        ("Die Heizung wird am Dienstag um 9 Uhr gewartet", "Die Heizung ist ausgefallen"),
        ("Unser Server zieht am Montag um 20 Uhr um", "Der Server ist heute kurz ausgefallen"),
        ("Am Freitag kommt der Reifen vorne links neu drauf", "Der Reifen ist geplatzt"),
        ("Der Zahnarzt ist am Montag um 9 Uhr", "Der Zahnarzt fällt aus allen Wolken, weil ich geputzt habe"),
        ("Heating will be serviced on Tuesday at 9", "The heating is off, it is freezing"),
        ("Anna's birthday is on 5 May", "Anna cancelled last minute"),
        ("Anna is on holiday until Friday", "Anna cancelled due to rain"),
        ("Anna starts at Siemens on Monday", "Anna cancelled, no dinner tonight"),
        ("Dinner with Anna's parents on Friday", "Anna cancelled"),
        ("Lisa hat am Montag Schule", "Lisa hat abgesagt"),
        ("Anna's driving test is on Friday at 9", "Anna cancelled"),
        ("Anna works on Mondays", "Anna cancelled"),
        ("Oma hat am Sonntag Geburtstag", "Oma hat abgesagt"),
        ("Tom fliegt am Dienstag nach Rom", "Tom hat abgesagt"),
        ("Anna is flying to Rome on 4 May", "Anna is off, her taxi just left"),
    ],
)
def test_what_is_said_of_something_else_calls_nothing_off(older: str, newer: str) -> None:
    assert not calls_off(older, newer)


def test_it_may_be_on_again() -> None:
    assert is_on_again("Whitby is off", "Whitby is back on!")
    assert not is_on_again("Whitby is off", "Anna is doing well again")


@pytest.mark.parametrize(
    "newer", ["I'm back at choir, they missed me", "I rejoined the choir", "We're going to choir again"]
)
def test_what_one_quit_is_taken_up_again(newer: str) -> None:
    assert is_on_again("I quit the choir.", newer)
    assert not is_on_again("Choir is cancelled.", "Tom is back at choir") and not is_on_again(
        "I quit the choir.", "Tom is back at choir"
    )
