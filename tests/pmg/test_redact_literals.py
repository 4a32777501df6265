"""Literals are found in one pass, each as it counts, and rules read the text where they stand."""

from __future__ import annotations

import pytest

from pmg.ingest.redact.anchored import anywhere, at_literals
from pmg.ingest.redact.linear import AnyMatch, PatternSet
from pmg.ingest.redact.literals import LiteralPlaces, Literals, outside_spans
from pmg.ingest.redact.rule import Span


def found(literals: Literals, text: str) -> list[str]:
    data = text.encode()
    return [data[start:end].decode() for _, start, end in literals.find(data)]


def test_a_literal_without_a_capital_counts_in_any_case() -> None:
    assert found(Literals(["token", "contraseña"], []), "Token TOKEN CONTRASEÑA") == ["Token", "TOKEN", "CONTRASEÑA"]


def test_a_literal_with_a_capital_counts_as_it_is_written() -> None:
    assert found(Literals(["AKIA"], []), "AKIA akia Akia") == ["AKIA"]


def test_a_short_word_counts_only_alone() -> None:
    assert found(Literals([], ["pat"]), "path spat pat my_pat pat2 PAT=") == ["pat", "pat", "PAT"]


def test_a_literal_within_another_is_found_too() -> None:
    assert found(Literals(["sk-", "sk-ant-"], []), "sk-ant-") == ["sk-", "sk-ant-"]


def test_a_literal_too_long_for_the_windows_is_refused() -> None:
    with pytest.raises(ValueError, match="longer than 64 bytes"):
        Literals(["x" * 65], [])


def test_places_are_asked_for_by_stretches() -> None:
    places = LiteralPlaces(Literals(["ab", "abc"], []).find(b"ab abc ab"))
    assert places.between(0, 2) == [(0, 0, 2)]
    assert places.between(3, 6) == [(0, 3, 5), (1, 3, 6)]


def test_what_stands_in_a_span_is_left_out() -> None:
    places = Literals(["ab"], []).find(b"ab [ab] ab")
    assert [start for _, start, _ in outside_spans(places, [(3, 7)])] == [0, 8]


def test_a_set_tells_which_of_its_patterns_a_text_holds() -> None:
    patterns = PatternSet([r"\d{3}", "(?i)abc", "z"], "test")
    assert sorted(patterns.found_in(b"ABC 123")) == [0, 1] and patterns.found_in(b"-") == []


def _whole(data: bytes, match: AnyMatch) -> list[Span]:
    return [match.span()]


def test_a_run_of_literals_without_a_match_is_read_once() -> None:
    find = at_literals("kind", rb"ey[a-z]{3,}+\.", _whole, run=b"[a-z]*", left=anywhere)
    data = b"eyaeyaeya eyaaa."
    hits = list(find(data, 0, len(data), [(0, 2), (3, 5), (6, 8), (10, 12)]))
    assert [(hit.start, hit.end, list(hit.secrets)) for hit in hits] == [(0, 9, []), (10, 16, [(10, 16)])]


def test_a_literal_inside_a_word_is_passed_over() -> None:
    find = at_literals("kind", rb"bearer \w+", _whole)
    assert [hit.start for hit in find(b"forbearer abc bearer abc", 0, 24, [(3, 9), (14, 20)])] == [14]
