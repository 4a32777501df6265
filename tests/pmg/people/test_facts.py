"""Which of a person's homes, jobs and partners hold, since when, and what ends them: from the words, each said on a day of its own, to the facts."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pmg.base.claim import FUNCTIONAL, SpokenLine
from pmg.people.extract import extract
from pmg.people.facts import Fact, contradictions, facts_of
from pmg.store.people import StoredClaim


def claimed(*said: tuple[str, str]) -> list[StoredClaim]:
    """What somebody tells an assistant, a session for each line."""
    found = [
        claim
        for place, (day, text) in enumerate(said)
        for claim in extract(
            [SpokenLine(f"seg_{place}", 0, "Ana", "user", text, datetime.fromisoformat(day).replace(tzinfo=UTC))]
        )
    ]
    return [StoredClaim(number, claim, "talk", "") for number, claim in enumerate(found, 1)]


def known(*said: tuple[str, str], who: str = "Ana") -> list[Fact]:
    mine = [one for one in claimed(*said) if one.claim.subject == who]
    return [fact for fact in facts_of(mine) if fact.claim.claim.relation in FUNCTIONAL]


def told(*said: tuple[str, str], who: str = "Ana") -> list[str]:
    """ "Gdansk 2025-01-20 to 2025-01-25" """
    return [
        f"{fact.claim.claim.object} {fact.start}{f' to {fact.end}' if fact.end else ''}" for fact in known(*said, who=who)
    ]  # fmt: skip


def conflicts(*said: tuple[str, str]) -> list[bool]:
    """Of each pair that cannot both hold, whether it is a change."""
    return [one.is_evolution for one in contradictions(claimed(*said))]


JAN, FEB = "2025-01-01", "2025-02-01"


@pytest.mark.parametrize(
    ("before", "then"),
    [
        ("I work at Nordwind.", "I almost took a job at Airbus."),
        ("I live in Bonn.", "I nearly moved to Mainz."),
        ("I live in Bonn.", "I perhaps live in Graz."),
        ("I live in Bonn.", "Suppose I live in Graz."),
        ("I live in Bonn.", "Imagine we live in Graz."),
        ("I live in Bonn.", "Angenommen, ich wohne in Graz."),
        ("I live in Bonn.", "Mal angenommen, wir wohnen in Graz."),
        ("I live in Bonn.", "Nehmen wir an, ich wohne in Graz."),
        ("I live in Bonn.", "Ich bin fast nach Graz gezogen."),
        ("I live in Bonn.", "Vielleicht wohne ich in Graz."),
        ("I live in Bonn.", "Ich wohne bald in Graz."),
        ("I work at Nordwind.", "Ich habe beinahe bei Airbus angefangen."),
    ],
)
def test_what_was_only_nearly_done_or_supposed_ends_nothing(before: str, then: str) -> None:
    (fact,) = known((JAN, before), (FEB, then))
    assert fact.end is None and fact.claim.claim.said_at.month == 1


@pytest.mark.parametrize(
    "then",
    [
        "I moved to Graz.",
        "I have almost finished unpacking, I live in Graz now.",
        "Almost there! I moved to Graz.",
        "I suppose I live in Graz now.",
        "Ich wohne jetzt in Graz.",
        "Ich wohne seit fast einem Jahr in Graz.",
        "Ich bin nach Graz gezogen.",
    ],
)
def test_what_was_done_ends_what_was(then: str) -> None:
    assert [fact.claim.claim.object for fact in known((JAN, "I live in Bonn."), (FEB, then)) if fact.end is None] == [
        "Graz"
    ]


@pytest.mark.parametrize(
    ("before", "then"),
    [
        ("I work at Nordwind.", "I used to work at Nestlé when I was a student."),
        ("I work at Nordwind.", "I worked at Nestlé."),
        ("I work at Nordwind.", "I worked at Nestlé in 2015."),
        ("I live in Kiel.", "I used to live in Rome as a child."),
        ("I live in Kiel.", "I lived in Rome for four years."),
        ("I live in Kiel.", "I lived in Rome until 2019."),
        ("I'm dating Tom.", "I used to date Jim."),
    ],
)
def test_what_was_over_when_it_was_told_ends_nothing_and_contradicts_nothing(before: str, then: str) -> None:
    said = ((JAN, before), (FEB, then))
    (still,) = [fact for fact in known(*said) if fact.end is None]
    assert still.claim.claim.said_at.month == 1 and conflicts(*said) == []
    assert conflicts((JAN, before), (JAN, then)) == []


def test_what_was_over_ends_itself() -> None:
    assert told((JAN, "I live in Rome."), (FEB, "I used to live in Rome.")) == ["Rome 2025-01-01 to 2025-02-01"]
    assert told((JAN, "I live in Rome."), (FEB, "I lived in Rome in 2019."))[-1] == "Rome 2025-01-01"


def test_a_role_told_in_the_past_tense_does_not_hold() -> None:
    roles = facts_of(claimed((JAN, "I was a student in 2010."), (JAN, "I worked as a nurse."), (JAN, "I'm a baker.")))
    assert [fact.claim.claim.object for fact in roles if fact.end is None] == ["a baker"]


def test_what_is_said_before_a_move_does_not_undo_it() -> None:
    plan = (("2025-01-20", "I live in Gdansk."), ("2025-01-21", "I'm moving to Warsaw in March."))
    still = ("2025-02-02", "I still live in Gdansk.")
    assert told(*plan, still) == ["Gdansk 2025-01-20 to 2025-03-01", "Warsaw 2025-03-01"] and conflicts(
        *plan, still
    ) == [True]
    off = ("2025-02-02", "I'm not moving to Warsaw after all.")
    assert told(*plan, off) == ["Gdansk 2025-01-20"]


@pytest.mark.parametrize(
    ("before", "then", "expected"),
    [
        ("I work at the shipyard.", "I started at Allegro in May.", ["the shipyard 2025-01-20 to 2025-05-01", "Allegro 2025-05-01"]),
        ("I work at my company.", "I started at Allegro in May.", ["my company 2025-01-20 to 2025-05-01", "Allegro 2025-05-01"]),
        ("I work at the shipyard.", "I work at the bakery.", ["the shipyard 2025-01-20 to 2025-06-20", "the bakery 2025-06-20"]),
        ("I work at my company.", "I work at Allegro.", ["Allegro 2025-01-20"]),
        ("I work at a bakery.", "I work at Backwerk.", ["Backwerk 2025-01-20"]),
        ("I work at Allegro.", "I work at the shipyard.", ["Allegro 2025-01-20"]),
        ("I live in Gdansk.", "I live in a small apartment.", ["Gdansk 2025-01-20"]),
    ],
)  # fmt: skip
def test_a_description_is_another_thing_where_it_cannot_be_the_same(
    before: str, then: str, expected: list[str]
) -> None:
    assert told(("2025-01-20", before), ("2025-06-20", then)) == expected


@pytest.mark.parametrize(
    ("before", "then"),
    [
        ("I work at Allegro.", "I quit Allegro last month."),
        ("I work at Allegro.", "I left Allegro two weeks ago."),
        ("I work at Allegro.", "I left Allegro last month and am unemployed now."),
        ("I work at Allegro.", "I'm unemployed now."),
        ("I work at Allegro.", "I was laid off last week."),
        ("I work at Allegro.", "I left the company two weeks ago."),
        ("I work at Allegro.", "I stopped working at Allegro."),
        ("I work at Allegro.", "Ich habe bei Allegro gekündigt."),
        ("I work at Allegro.", "Ich arbeite nicht mehr bei Allegro."),
        ("I live in Kiel.", "I no longer live in Kiel."),
        ("I live in Kiel.", "I am no longer living in Kiel."),
        ("My husband Piet is a baker.", "Piet and I got divorced in March."),
        ("My husband Piet is a baker.", "My husband and I got divorced."),
        ("My husband Piet is a baker.", "My ex-husband Piet called."),
    ],
)
def test_an_end_that_is_told_ends_it(before: str, then: str) -> None:
    (fact,) = known(("2025-09-01", before), ("2025-10-20", then))
    assert fact.end is not None


@pytest.mark.parametrize(
    ("before", "then"),
    [
        ("I work at Allegro.", "I didn't quit Allegro."),
        ("I work at Allegro.", "I didn't quit my job."),
        ("I work at Allegro.", "I almost quit Allegro."),
        ("I work at Allegro.", "I left Allegro at five."),
        ("I work at Allegro.", "I left Allegro early today."),
        ("I work at Allegro.", "I left Paris last month."),
        ("I work at Allegro.", "I quit Facebook last month."),
        ("I work at Allegro.", "I left the company dinner early."),
        ("I work at Allegro.", "I am not unemployed."),
        ("I work at Allegro.", "I was unemployed in 2010."),
        ("I work at Allegro.", "I got fired in 2010."),
        ("I work at Allegro.", "Ich habe nicht bei Allegro gekündigt."),
        ("My husband Piet is a baker.", "My parents got divorced."),
        ("My husband Piet is a baker.", "Tom and I broke up in 2012."),
        ("My husband Piet is a baker.", "My ex-husband Tom called."),
        ("My husband Piet is a baker.", "If my husband and I got divorced, I would move."),
    ],
)
def test_what_ends_something_else_leaves_it(before: str, then: str) -> None:
    (fact,) = [one for one in known(("2025-09-01", before), ("2025-10-20", then)) if one.end is None]
    assert fact.claim.claim.said_at.month == 9


def test_the_end_of_a_relatives_job_is_theirs() -> None:
    for before, then in (
        ("My sister Ingrid works at Bosch.", "My sister Ingrid no longer works at Bosch."),
        ("Meine Schwester Ingrid arbeitet bei Bosch.", "Meine Schwester Ingrid arbeitet nicht mehr bei Bosch."),
    ):
        said = (("2025-09-01", before), ("2025-10-20", then))
        assert told(*said, who="Ingrid") == ["Bosch 2025-09-01 to 2025-10-20"]


@pytest.mark.parametrize(
    "correction",
    [
        "No wait, I do not live in Kiel, I misspoke. I live in Lübeck.",
        "I live in Lübeck. I misspoke, I don't live in Kiel.",
        "Ich habe mich versprochen, ich wohne nicht in Kiel. Ich wohne in Lübeck.",
    ],
)
def test_what_was_said_by_mistake_was_never_a_fact(correction: str) -> None:
    said = (
        ("2025-01-14", "I live in Bonn."),
        ("2025-09-14", "Ich wohne jetzt in Kiel, seit August."),
        ("2025-09-15", correction),
    )
    assert told(*said) == ["Bonn 2025-01-14 to 2025-09-15", "Lübeck 2025-09-15"]


@pytest.mark.parametrize(
    "then", ["I don't live in Kiel anymore. I live in Lübeck.", "I live in Lübeck. No wait, it rains, I no longer live in Kiel."]
)  # fmt: skip
def test_what_is_over_was_a_fact(then: str) -> None:
    assert told(("2025-09-14", "I live in Kiel."), ("2025-12-15", then)) == [
        "Kiel 2025-09-14 to 2025-12-15",
        "Lübeck 2025-12-15",
    ]


@pytest.mark.parametrize(
    ("before", "then"),
    [
        ("I work at Siemens.", "I left Siemens and went home."),
        ("I work at Siemens.", "I left Siemens because I felt sick."),
        ("I work at Siemens.", "I left Siemens after lunch."),
        ("I work at Siemens.", "I left Siemens for a meeting."),
        ("I work at Siemens.", "I left Siemens this afternoon."),
        ("I work at Siemens.", "I left Siemens and I took the bus."),
        ("I work at Siemens.", "I leave Siemens for the gym on Mondays."),
        ("I work at Siemens.", "I left the company for lunch."),
        ("I work at Siemens.", "I left the company because I felt sick."),
        ("I work at Siemens.", "I left the firm and took the bus."),
        ("I work at Siemens.", "I left my job early today."),
        ("I work at Siemens.", "I was let go early because of the storm."),
        ("I work at Siemens.", "I worked at Siemens all day."),
        ("I work at Siemens.", "I worked at Siemens over the weekend."),
        ("I work at Siemens.", "I worked at Siemens until 8 last night."),
        ("I teach at Oakwood.", "I taught at Oakwood and then went swimming."),
        ("I've lived in Bonn since 2010.", "I lived in Bonn all my life, never anywhere else."),
        ("I live in Bonn.", "We lived in Bonn when the kids came."),
        ("I am married to Tom.", "Tom and I got separated in the crowd."),
        ("I am married to Tom.", "My husband and I separate the rubbish."),
        ("I am married to Tom.", "Tom and I split up to search the shop."),
        ("I am married to Tom.", "Tom and I were separated by the war."),
        ("I work at Siemens.", "Ich habe bei Siemens aufgehört, Kaffee zu trinken."),
    ],
)
def test_what_only_sounds_like_an_end_ends_nothing(before: str, then: str) -> None:
    (fact,) = known(("2025-09-01", before), ("2025-10-20", then))
    assert fact.end is None and fact.claim.claim.said_at.month == 9


@pytest.mark.parametrize(
    ("before", "then"),
    [
        ("I work at Siemens.", "I left Siemens."),
        ("I work at Siemens.", "I left Siemens in October."),
        ("I work at Siemens.", "I left Siemens two months ago."),
        ("I work at Siemens.", "I left Siemens to join Bosch."),
        ("I work at Siemens.", "I left Siemens for Bosch."),
        ("I work at Siemens.", "I left Siemens for good."),
        ("I work at Siemens.", "I left Siemens and am unemployed now."),
        ("I work at Siemens.", "I quit Siemens because I was unhappy."),
        ("I work at Siemens.", "I left the firm this month."),
        ("I work at Siemens.", "I was let go."),
        ("I work at Siemens.", "I used to work at Siemens."),
        ("I work at Siemens.", "I worked at Siemens until the end of September."),
        ("I am married to Tom.", "Tom and I separated last month."),
        ("I am married to Tom.", "Tom and I split up."),
        ("I am married to Tom.", "Tom and I are separated."),
        ("I work at Siemens.", "Ich habe bei Siemens aufgehört."),
    ],
)
def test_what_is_said_to_be_over_is_over(before: str, then: str) -> None:
    assert [fact for fact in known(("2025-09-01", before), ("2025-10-20", then)) if fact.end is None] == []


@pytest.mark.parametrize(
    "said",
    [
        "I almost always work at Siemens.",
        "I nearly exclusively work for Siemens.",
        "Ich arbeite fast ausschließlich für Siemens.",
        "Imagine my surprise, I work at Siemens.",
    ],
)
def test_what_is_nearly_always_so_is_a_fact(said: str) -> None:
    assert told((JAN, said)) == ["Siemens 2025-01-01"]
