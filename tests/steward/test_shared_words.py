"""What two texts share in one sentence, counted in rare words."""

from __future__ import annotations

from steward.shared_words import rare_words, rarity, sentences


def test_a_word_of_one_text_weighs_one_and_a_word_of_all_nothing() -> None:
    assert rarity(1, 1000) > 0.9
    assert rarity(1000, 1000) < 0.01
    assert rarity(1, 1000) > rarity(10, 1000) > rarity(100, 1000) > rarity(1000, 1000) >= 0


def test_words_count_only_where_they_stand_in_one_sentence() -> None:
    together = sentences("Naproxen 250 mg from Marsh.")
    apart = sentences("Marsh rang. It rained. Naproxen is in the drawer.")
    weights = {term: 1.0 for parts in (together, apart) for part in parts for term in part}
    whole = rare_words(together, sentences("Now Marsh says naproxen."), weights | {"now": 0.0, "say": 0.0, "says": 0.0})
    assert whole == 2.0
    assert rare_words(together, apart, weights) == 1.0


def test_texts_without_a_common_word_share_nothing() -> None:
    assert rare_words(sentences("A cat."), sentences("Two dogs!"), {}) == 0.0
    assert rare_words(sentences(""), sentences("Two dogs!"), {}) == 0.0
