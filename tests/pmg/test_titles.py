"""A title that was cut from what was said holds no piece of a secret. Secrets are put together at run time."""

from __future__ import annotations

import pytest

from pmg.ingest.redact import Redactor
from pmg.ingest.titles import clean_title, title_behind_mark

REDACTOR = Redactor()
SEED = " ".join(("legal winner thank year wave", "sausage worth useful legal winner thank yellow"))
ACCOUNT = "DE89 3704 0044 " + "0532 0130 00"
PHRASE = '"umbrella violin gravel ' + 'sunset otter lantern"'
TOLD = (
    f"my seed phrase: {SEED}",
    f"Bitte überweise die Miete für November an Herrn Kowalski, IBAN {ACCOUNT}",
    f"Please note: the passphrase of the family vault is {PHRASE}",
    f"My\tseed phrase:\n  {SEED}",
)


@pytest.mark.parametrize("told", TOLD)
@pytest.mark.parametrize("size", range(20, 100, 7))
def test_a_title_cut_at_any_length_holds_no_piece_of_a_secret(told: str, size: int) -> None:
    title = " ".join(told.split())[:size] + "…"
    secret = next(one for one in (SEED, ACCOUNT, PHRASE) if one in told)
    cleaned = clean_title(title, ["Hello there.", told], REDACTOR)
    shown = set(secret.split()).intersection(cleaned.rstrip("…").split())
    assert not shown and cleaned[:7] == title[:7]


def test_a_title_that_does_not_reach_the_secret_stays() -> None:
    assert clean_title("my seed phrase…", [TOLD[0]], REDACTOR) == "my seed phrase…"
    assert clean_title("Wallets", [TOLD[0]], REDACTOR) == "Wallets"
    assert clean_title("", [TOLD[0]], REDACTOR) == ""


@pytest.mark.parametrize("told", TOLD)
def test_the_mark_in_a_turn_shows_a_title_from_before_that_says_more(told: str) -> None:
    stored = REDACTOR.redact(told).text
    title = " ".join(told.split())[: len(told) - 8] + "…"
    assert title_behind_mark(title, [stored]) == " ".join(stored.split())


@pytest.mark.parametrize(
    "title", ["my seed phrase: [redacted: seed…", "my seed phrase…", "my seed phrase and other stories", "Our week…"]
)
def test_a_title_that_says_no_more_than_its_turn_stays(title: str) -> None:
    assert title_behind_mark(title, [REDACTOR.redact(TOLD[0]).text]) == title
