"""What the extractor takes from a line, and what it leaves."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pmg import sample
from pmg.base.claim import Modality, SpokenLine
from pmg.people.extract import extract
from pmg.people.facts import facts_of
from pmg.people.question_form import question_form
from pmg.store.people import StoredClaim
from tests.pmg.people.talk import MAY, claims, lines, short, told

CLEAR = [
    ("I work at TechCorp as a software engineer.", ("Ana", "works_at", "TechCorp")),
    ("I live in Seattle.", ("Ana", "lives_in", "Seattle")),
    ("I moved to Austin last month.", ("Ana", "lives_in", "Austin")),
    ("We moved from Brussels to Antwerp yesterday.", ("Ana", "lives_in", "Antwerp")),
    ("I live at Elm Street 23 now.", ("Ana", "lives_in", "Elm Street 23")),
    ("My fencing partner Kunigunde has sold her Vespa.", ("Kunigunde", "is_a", "fencing partner of Ana")),
    ("My beautiful wife Noemi sings.", ("Noemi", "is_a", "wife of Ana")),
    ("My ex husband Tom called.", ("Tom", "is_a", "ex husband of Ana")),
    ("My wonderful partner Noemi repairs harpsichords.", ("Ana", "partner_of", "Noemi")),
    ("We live in St. Pauli now. It rains.", ("Ana", "lives_in", "St. Pauli")),
    ("I work at Dr. Oetker since May.", ("Ana", "works_at", "Dr. Oetker")),
    ("I've been at TechCorp for four years.", ("Ana", "works_at", "TechCorp")),
    ("I'm a nurse.", ("Ana", "is_a", "a nurse")),
    ("I love hiking in the mountains.", ("Ana", "likes", "hiking in the mountains")),
    ("I can't stand loud music.", ("Ana", "dislikes", "loud music")),
    ("We have two dogs.", ("Ana", "owns", "two dogs")),
    ("I bought a new telescope yesterday.", ("Ana", "buy", "a new telescope yesterday")),
    ("I ran a charity race for mental health.", ("Ana", "run", "a charity race for mental health")),
    ("I'm dating Sarah.", ("Ana", "partner_of", "Sarah")),
    ("I use PostgreSQL at work.", ("Ana", "uses", "PostgreSQL")),
    ("You were so brave at the meeting.", ("Ben", "was", "brave at the meeting")),
    ("My favorite book is Dune.", ("Ana", "likes", "Dune (favourite book)")),
    ("Project X depends on internal-api-v2.", ("Project X", "depends_on", "internal-api-v2")),
    ("The release is blocked by the API refactor.", ("The release", "blocked_by", "the API refactor")),
    ("Ich arbeite bei Siemens.", ("Ana", "works_at", "Siemens")),
    ("I almost always work at Siemens.", ("Ana", "works_at", "Siemens")),
    ("I nearly exclusively work for Siemens.", ("Ana", "works_at", "Siemens")),
    ("Ich arbeite fast ausschließlich für Siemens.", ("Ana", "works_at", "Siemens")),
    ("Imagine my surprise, I work at Siemens.", ("Ana", "works_at", "Siemens")),
    ("Ich wohne in München.", ("Ana", "lives_in", "München")),
    ("Seit Mai wohne ich in Leipzig.", ("Ana", "lives_in", "Leipzig")),
    (
        "Ich wohne seit vier Jahren in Bristol und arbeite seit vier Jahren bei Quillbrook.",
        ("Ana", "lives_in", "Bristol"),
    ),
    (
        "Ich wohne seit vier Jahren in Bristol und arbeite seit vier Jahren bei Quillbrook.",
        ("Ana", "works_at", "Quillbrook"),
    ),
    ("Ich arbeite als Ärztin.", ("Ana", "is_a", "Ärztin")),
    ("Ich bin letzten Monat nach Leipzig gezogen.", ("Ana", "lives_in", "Leipzig")),
    ("Today was my first day at Ostkai!", ("Ana", "works_at", "Ostkai")),
    ("First day at Ostkai. My boss is Eva.", ("Ana", "works_at", "Ostkai")),
    ("I started at Ostkai last week.", ("Ana", "works_at", "Ostkai")),
    ("We moved into our new flat in Leipzig.", ("Ana", "lives_in", "Leipzig")),
    ("As of tonight I live at Lindenhof 23.", ("Ana", "lives_in", "Lindenhof 23")),
    ("Jonas and I are engaged.", ("Ana", "partner_of", "Jonas")),
    ("My sister and I moved to Porto.", ("Ana", "lives_in", "Porto")),
    ("My sister Eva and Tobias moved to Porto.", ("Eva", "lives_in", "Porto")),
    ("My sister Eva and Tobias got married.", ("Eva", "partner_of", "Tobias")),
    ("I live in Bristol and work at Harrow & Pike as an engineer.", ("Ana", "works_at", "Harrow & Pike")),
    ("My brother Felix lost his job and moved back to Porto.", ("Felix", "lives_in", "Porto")),
    ("I got promoted to head of signalling three weeks ago.", ("Ana", "is_a", "head of signalling")),
]


@pytest.mark.parametrize(("text", "expected"), CLEAR, ids=[text for text, _ in CLEAR])
def test_a_clear_sentence_gives_its_claim(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in short(told(text))


@pytest.mark.parametrize(
    "text",
    ["I love it!", "I think so too.", "Thanks, I appreciate it.", "I know, right?!", "It was great.", "Will you come?", "May I ask you something?",
     "You can take a dog on the train.", "I hope so.", "", "😀😀😀", "..."],
)  # fmt: skip
def test_what_claims_nothing_gives_nothing(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    "text", ["Already bought forty goats.", "Dr. is a title.", "My doctor, Dr. Salgado, put me on iron."]
)
def test_an_adverb_and_a_bare_title_are_nobodys_name(text: str) -> None:
    assert not {"Already", "Dr"} & {who for claim in told(text) for who in (claim.subject, claim.object)}


@pytest.mark.parametrize(
    "text",
    [
        "Memory failed me again.",
        "Contract started on the first.",
        "Yoga helped me a lot, and yoga is fun.",
        "Registration closed early.",
    ],
)
def test_a_common_noun_that_begins_a_sentence_is_nobody(text: str) -> None:
    assert {claim.subject for claim in told(text)} <= {"Ana", "Ben"}


def test_what_is_denied_in_german_is_denied() -> None:
    (claim,) = told("Ich wohne nicht in Berlin.")
    assert (claim.relation, claim.object, claim.is_positive) == ("lives_in", "Berlin", False)


def test_german_times_are_read_before_and_inside_a_sentence() -> None:
    (since,) = told("Seit Mai wohne ich in Leipzig.")
    (years, _) = sorted(
        told("Ich wohne seit vier Jahren in Bristol und arbeite bei Quillbrook."), key=lambda c: c.relation
    )
    assert since.valid_from == date(2023, 5, 1)
    assert years.valid_from == date(2019, 5, 8)


def test_a_last_day_ends_a_job_and_a_first_day_begins_one() -> None:
    (last,) = told("My last day at Quillbrook was Friday.")
    (first,) = told("Today was my first day at Ostkai!")
    assert not last.is_positive and last.valid_to is not None
    assert first.is_positive and first.valid_from == date(2023, 5, 8)


def test_a_name_with_its_title_is_whole() -> None:
    assert ("Dr Marsch", "lives_in", "Leipzig") in short(told("Dr Marsch moved to Leipzig."))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Anna lives in Bergen.", ("Anna", "lives_in", "Bergen")),
        ("Anna Berg now works at Equinor.", ("Anna Berg", "works_at", "Equinor")),
        ("Anna no longer works at Equinor.", ("Anna", "works_at", "Equinor")),
        ("Mein Bruder Jens ist nach Kiel gezogen.", ("Jens", "lives_in", "Kiel")),
        ("I work at 1&1.", ("Ana", "works_at", "1&1")),
        ("I started at 7-Eleven.", ("Ana", "works_at", "7-Eleven")),
        ("I work at the computer shop.", ("Ana", "works_at", "the computer shop")),
    ],
)
def test_where_somebody_lives_or_works_is_read_of_whoever_is_named(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in short(told(text))


@pytest.mark.parametrize(
    "text",
    ["I started at 9 today.", "I start at 8am on Mondays.", "I worked at a table in the library.", "I work at my desk all day.", "I work at a fast pace.",
     "Nobody lives in Antarctica.", "Everybody works at Google.", "Tuesday works for Anna.", "Student lives matter.", "Music lives in Vienna."],
)  # fmt: skip
def test_a_time_a_desk_and_a_common_noun_make_no_job_and_no_home(text: str) -> None:
    assert not [one for one in told(text) if one.relation in ("works_at", "lives_in")]


def test_a_stay_on_a_journey_is_no_home() -> None:
    assert not any(claim.relation == "lives_in" for claim in told("We stay in Alfama until Sunday."))


def test_first_person_is_the_speaker_and_you_the_one_spoken_to() -> None:
    found = claims(("Ana", "I painted a sunrise."), ("Ben", "I painted a fence. You were brave."))
    assert [(c.speaker, c.subject) for c in found] == [("Ana", "Ana"), ("Ben", "Ben"), ("Ben", "Ana")]


def test_in_a_group_you_is_whoever_is_called_by_name_and_else_nobody() -> None:
    group = [(f"P{i}", "Hello all.") for i in range(10)]
    assert claims(*group, ("P0", "You were late yesterday.")) == []
    assert claims(*group, ("P0", "Hey P3, you were late yesterday."))[0].subject == "P3"


def test_a_pronoun_is_the_last_person_that_fits() -> None:
    found = claims(("Ana", "My sister Eva visited me. My brother Tom stayed home. She bought a violin."))
    assert ("Eva", "buy", "a violin") in short(found)


def test_a_pronoun_without_anybody_that_fits_is_nobody() -> None:
    assert short(told("She bought a violin.")) == []


def test_an_unknown_speaker_is_unknown() -> None:
    assert claims(("Unknown", "I bought a violin."), ("", "I bought a piano.")) == []


@pytest.mark.parametrize(
    ("text", "modality", "positive"),
    [
        ("I never visited Rome.", Modality.STATED, False),
        ("I didn't buy the guitar.", Modality.STATED, False),
        ("Did you visit Rome?", Modality.QUESTION, True),
        ("If I won the lottery, I would buy a castle.", Modality.HYPOTHETICAL, True),
        ("I'm going to visit Rome next month.", Modality.PLAN, True),
        ("I want to learn pottery.", Modality.PLAN, True),
        ("I might buy a boat.", Modality.HYPOTHETICAL, True),
        ("I hope I win the marathon.", Modality.HYPOTHETICAL, True),
    ],
)
def test_what_is_asked_supposed_planned_or_denied_is_kept_as_that(
    text: str, modality: Modality, positive: bool
) -> None:
    found = told(text)
    assert found
    assert {(claim.modality, claim.is_positive) for claim in found} == {(modality, positive)}


def test_a_quotation_is_somebody_elses_words() -> None:
    (claim,) = told('My mom said "I sold the old house".')
    assert (claim.modality, claim.subject, claim.quoted) == (Modality.QUOTATION, "Ana's mom", "Ana's mom")


def test_a_claim_about_oneself_in_reported_speech_is_the_speaker_reported_by_another() -> None:
    (claim,) = told("My mom said I broke the vase.")
    assert (claim.modality, claim.subject, claim.speaker) == (Modality.QUOTATION, "Ana", "Ana")


def test_irony_is_kept_as_said_and_hardly_believed() -> None:
    (claim,) = told("Yeah right, I bought a castle yesterday.")
    assert claim.certainty < 0.5 < told("I bought a castle yesterday.")[0].certainty


def test_a_name_that_is_a_word_is_a_name_only_where_somebody_has_it() -> None:
    assert short(claims(("Ana", "Will you come?"), ("Ben", "May I?"))) == []
    talk = [("Will", "Hello."), ("Ana", "Hello."), ("Ben", "Will bought a boat. Will you come too?")]
    assert short(claims(*talk)) == [("Will", "buy", "a boat")]


def test_a_short_name_is_the_persons_who_speaks_here() -> None:
    found = claims(("Melanie", "Hello!"), ("Caroline", "Hi Mel!"), ("Tim", "Mel painted a sunrise."))
    assert ("Melanie", "paint", "a sunrise") in short(found)


def test_names_in_other_scripts_speak_for_themselves() -> None:
    found = claims(("Анна", "I live in Kyoto."), ("田中", "I bought a bicycle."))
    assert short(found) == [("Анна", "lives_in", "Kyoto"), ("田中", "buy", "a bicycle")]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("I visited Rome yesterday.", date(2023, 5, 7), date(2023, 5, 8)),
        ("I have worked at TechCorp since March.", date(2023, 3, 1), None),
        ("I've lived in Oslo for 4 years.", date(2019, 5, 8), None),
        ("I'm going to visit Rome next month.", date(2023, 6, 1), date(2023, 7, 1)),
        ("I moved to Austin last week.", date(2023, 5, 1), None),
        ("I started a job at TechCorp last month.", date(2023, 4, 8), None),
        ("Ich bin gestern nach Berlin gezogen.", date(2023, 5, 7), None),
        ("I live in Boston this month.", date(2023, 4, 8), None),
        ("I've lived in Boston this year.", date(2022, 5, 8), None),
        ("I lived in Boston last month.", date(2023, 4, 8), date(2023, 5, 9)),
        ("I work at TechCorp until June.", None, date(2023, 7, 1)),
        ("I bought a boat.", None, None),
        ("I'm moving to Vienna in January.", date(2024, 1, 1), None),
        ("I fly home on Sunday.", date(2023, 5, 14), date(2023, 5, 15)),
        ("We hike in the mountains in June.", date(2023, 6, 1), date(2023, 7, 1)),
        ("We hiked in the mountains in June.", date(2022, 6, 1), date(2022, 7, 1)),
    ],
)
def test_times_are_counted_from_the_day_it_was_said(text: str, start: date | None, end: date | None) -> None:
    claim = told(text)[0]
    assert (claim.valid_from, claim.valid_to) == (start, end)


def test_the_evidence_is_the_clause_in_the_line() -> None:
    text = "Wow, that's great! I bought a boat yesterday, but my mom hates boats."
    found = told(text)
    assert [text[claim.start : claim.end] for claim in found] == ["I bought a boat yesterday", "my mom hates boats."]


def test_a_claim_reads_as_a_question_and_its_answer() -> None:
    form = question_form(told("I work at TechCorp.")[0])
    assert (form.question, form.answer) == ("Where does Ana work?", "TechCorp")


def test_pictures_code_and_addresses_are_nobodys_words() -> None:
    assert told("Look! [image: I bought a boat] ```I sold a boat``` https://example.org/i-bought-a-boat") == []


def test_the_end_of_time_is_no_crash() -> None:
    late = datetime(9999, 12, 31, tzinfo=UTC)
    assert told("I'm going to visit Rome next month, and tomorrow I will buy a boat.", at=late)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(("Ana", "Ben", "Will", "", "Émile")), st.text(max_size=120)), max_size=4))
def test_any_text_at_all_gives_claims_inside_their_lines(said: list[tuple[str, str]]) -> None:
    spoken = lines(*said)
    texts = {line.segment: line.text for line in spoken}
    for claim in extract(spoken):
        assert 0 <= claim.start <= claim.end <= len(texts[claim.segment])


def test_the_sample_memory_tells_of_a_new_home_and_a_new_job() -> None:
    found: list[StoredClaim] = []
    for one in sample.sessions():
        said = [
            SpokenLine(f"seg_{one.id}_{place}", at, line.speaker, line.role.value, line.text, line.at or turn.at or MAY)
            for place, turn in enumerate(one.turns)
            for at, line in enumerate(turn.lines)
        ]
        found += [StoredClaim(len(found) + i, claim, one.id, "") for i, claim in enumerate(extract(said), 1)]
    mara = [one for one in found if one.claim.subject == "Mara"]
    facts = {
        relation: [(fact.claim.claim.object.split()[0], fact.end is not None) for fact in facts_of(mara) if fact.claim.claim.relation == relation]
        for relation in ("lives_in", "works_at")
    }  # fmt: skip
    assert facts == {
        "lives_in": [("Bristol", True), ("Lindenhofstraße", False)],
        "works_at": [("Quillbrook", True), ("Ostkai", False)],
    }
    assert not {"Contract", "Rabies", "Memory"} & {one.claim.subject for one in found}


def test_a_partner_at_something_is_no_partner_in_life() -> None:
    found = told("My fencing partner Kunigunde has sold her Vespa. My late wife Anna sang.")
    assert [one for one in found if one.relation == "partner_of"] == []


def test_a_word_in_small_letters_is_no_piece_of_work() -> None:
    assert short(told("Then wait; silence is part of it.")) == []
    assert short(told("It costs more, the cat depends on the flat, and the shop is near.")) == []
    assert ("Heron 0.9", "depends_on", "a small parser library") in short(
        told("Heron 0.9 depends on a small parser library.")
    )
    assert ("the api", "depends_on", "Postgres") in short(told("the api depends on Postgres."))


def test_what_is_part_of_nothing_named_is_not_said() -> None:
    assert [one for one in short(told("The API is part of it.")) if one[1] == "part_of"] == []


@pytest.mark.parametrize("title", ["Signor", "Signora", "Señor", "Madame", "Miss", "Herr"])
def test_a_form_of_address_is_part_of_a_name_and_never_one(title: str) -> None:
    found = short(
        told(f"{title} arrived late. My landlord {title} Rossi moved to Rome. {title} Rossi painted the door.")
    )
    names = {name for one in found for name in (one[0], one[2])}
    assert title not in names and (f"{title} Rossi", "lives_in", "Rome") in found


def test_a_speakers_first_name_is_nobody_else() -> None:
    talk = claims(
        ("Mara", "Thanks for the template, Anna wrote it all."),
        ("Anna Berg", "It is clause 4, and Dr Hofer wants it changed. But he is on leave until the 20th."),
    )
    assert [one for one in short(talk) if "leave" in one[2]] == []
