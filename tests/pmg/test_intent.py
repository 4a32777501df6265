"""What a sentence wants is learnt: measured on lines that were never taught."""

from __future__ import annotations

import pytest

from pmg.base.errors import StoreError
from pmg.ingest import intent
from pmg.ingest.intent import ASKING, INTENTS, Intent, chance, chances
from training.message import messages, of_dialogues


def test_messages_that_were_never_taught_are_known() -> None:
    found = [(one, intent.intent(one.text)) for one in messages(held_out=True)]
    assert len(found) > 100
    assert sum((one.says in ASKING) == (said in ASKING) for one, said in found) >= 0.9 * len(found)
    assert sum(one.says is said for one, said in found) >= 0.8 * len(found)


def test_in_dialogues_that_were_never_taught_what_asks_is_told_from_what_tells() -> None:
    found = [
        (one.says in ASKING) == (intent.intent(one.text) in ASKING) for one in list(of_dialogues(held_out=True))[::4]
    ]
    assert sum(found) >= 0.985 * len(found)


@pytest.mark.parametrize("text", ["", " ", "?", "🙂", "a" * 5_000, "¿", "\x00", "1 2 3", "。"])
def test_any_text_has_chances(text: str) -> None:
    assert chances(text).sum() == pytest.approx(1)
    assert 0 <= chance(text, (Intent.TOLD,)) <= 1


def test_a_mark_of_any_script_asks() -> None:
    assert intent.intent("我的自行车是什么颜色？") in (Intent.QUESTION, Intent.SEARCH)


def test_weights_of_another_make_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    intent.load.cache_clear()
    monkeypatch.setattr(intent, "SHA256", "0" * 64)
    with pytest.raises(StoreError, match="install the package anew"):
        intent.load()
    assert len(INTENTS) == 14
