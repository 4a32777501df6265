"""Literals are found in one pass, each as it counts, and rules read the text where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from re import _constants as constants  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pmg.base.patterns import AnyMatch, PatternSet
from pmg.ingest.redact import DEFAULT_RULES
from pmg.ingest.redact.anchored import anywhere, at_literals, at_token, in_bytes
from pmg.ingest.redact.code_names import is_label
from pmg.ingest.redact.generated import is_generated
from pmg.ingest.redact.literals import ExactTexts, LiteralPlaces, Literals, outside_spans
from pmg.ingest.redact.rule import Rule, RuleHit, Span, made_up
from pmg.ingest.redact.scan import Scanner
from pmg.ingest.redact.tokens import TOKENS
from pmg.ingest.redact.tokens.row import TokenRow, anchored
from pmg.ingest.redact.values import is_plainly_random
from pmg.ingest.redact.words import PASSWORD_PARTS, PASSWORD_STEMS, SHORT_STEMS, TOKEN_PARTS, TOKEN_STEMS, WHOLE_STEMS

parse = _parser.parse
WORDS = "xxxx example placeholder yours changeme changeit replaceThis redacted goeshere tobedone dummy sample todo password apikey sha256 q".split()


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


def test_a_literal_with_a_bracket_is_refused() -> None:
    """It might begin in a text and end in a mark, and literals are carried from one look at a text to the next."""
    with pytest.raises(ValueError, match="brackets"):
        Literals(["a[b"], [])


def test_every_name_of_a_secret_holds_a_stem_that_its_finder_is_told_of() -> None:
    stems = [*PASSWORD_STEMS, *TOKEN_STEMS, *SHORT_STEMS]
    for name in sorted(PASSWORD_PARTS | TOKEN_PARTS):
        told = (
            stem
            for stem in stems
            for at in range(len(name))
            if name.startswith(stem, at)
            and not (stem in WHOLE_STEMS and name[at + len(stem) : at + len(stem) + 1].isalpha())
        )
        assert next(told, ""), name


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


@pytest.mark.parametrize("row", [row for row in TOKENS if not row.gate and not row.inside], ids=lambda row: row.name)
def test_a_pattern_that_is_read_at_its_literals_finds_nothing_before_them(row: TokenRow) -> None:
    """A literal further on would not be where the match begins, and the match would be missed."""
    pattern, _ = anchored(row.pattern)
    literals = [text.lower() for text in row.literals.split()]
    for example in row.examples:
        data = made_up((example,)).encode()
        places = [at for text in literals for at in range(len(data)) if data[at:].lower().startswith(text.encode())]
        assert any(re.compile(pattern).match(data, at) for at in places), example
    for beginning in beginnings(parse(pattern)):
        held = [text for text in literals if text in beginning[1:]]
        assert not held or any(beginning.startswith(text) for text in literals), beginning


def beginnings(items: Iterable[tuple[Any, Any]]) -> list[str]:
    """What a pattern may begin with, as far as that is written out in it, in small letters."""
    heads = [""]
    for kind, what in items:
        if kind is constants.LITERAL:
            ways = [chr(what).lower()]
        elif kind is constants.SUBPATTERN:
            ways = beginnings(what[3])
        elif kind is constants.BRANCH:
            ways = [way for branch in what[1] for way in beginnings(branch)]
        elif kind in (constants.AT, constants.ASSERT):
            continue
        else:
            break
        heads = [head + way for head in heads for way in ways]
    return heads


def test_exact_texts_are_found_as_they_are_written_the_longest_first() -> None:
    assert ExactTexts([b"abc", b"abcdef", b"X"]).spans(b"abcdef x X abc") == [(0, 6), (9, 10), (11, 14)]


def test_a_pattern_for_bytes_matches_letters_beyond_ascii_in_both_cases() -> None:
    assert re.fullmatch(in_bytes("(?i)schlüssel|пароль|密码"), "SCHLÜSSEL".encode())
    assert re.fullmatch(in_bytes("(?i)schlüssel|пароль|密码"), "Пароль".encode())
    assert re.fullmatch(in_bytes("(?i)schlüssel|пароль|密码"), "密码".encode())


@pytest.mark.parametrize(
    ("before", "told"),
    [("", True), (" ", True), ("_", True), ("x", False), ("\\n", True), ("%3D", True), ("\x1b[1m", True)],
)
def test_a_token_begins_behind_what_stands_for_a_gap(before: str, told: bool) -> None:
    assert at_token((before + "ghp_").encode(), len(before)) is told


def test_a_literal_without_what_must_follow_is_passed_over() -> None:
    told: list[Span] = []

    def find(data: bytes, start: int, end: int, places: Sequence[Span]) -> Iterator[RuleHit]:
        told.extend(places)
        return iter(())

    rule = Rule("kind", "", (), (), ("key",), find=find, follow=b" ")
    Scanner([rule]).find(b"key_a key b key")
    assert told == [(6, 9)]


def test_every_name_of_a_secret_is_found_by_a_stem() -> None:
    """A name without one would never be looked at."""
    stems = (*PASSWORD_STEMS, *TOKEN_STEMS)
    names = [name for name in PASSWORD_PARTS | TOKEN_PARTS if not any(stem.lower() in name for stem in stems)]
    assert set(names) <= set(SHORT_STEMS)


def test_a_long_text_read_at_once_holds_what_its_chunks_hold() -> None:
    scanner = Scanner(DEFAULT_RULES)
    samples = [made_up(sample) for rule in DEFAULT_RULES for sample in (*rule.examples, *rule.counter_examples)]
    data = "".join(f"{number} {sample} and so on\n" for number, sample in enumerate(samples)).encode()
    by_chunks = scanner.find(data, near=[(0, len(data))])
    assert sorted(scanner.find(data).findings) == sorted(by_chunks.findings) and len(by_chunks.findings) > len(
        DEFAULT_RULES
    )


def test_a_rule_that_fails_in_a_long_text_takes_no_more_than_its_chunk() -> None:
    def fail(data: bytes, match: AnyMatch) -> list[Span]:
        raise ValueError

    lines = b"".join(b"%d a line like no other\n" % number for number in range(2000))
    found = Scanner([Rule("kind", "", (), (), ("key",), find=at_literals("kind", b"key", fail))]).find(
        lines + b"key " + lines
    )
    assert found.failed == [0]
    assert all(end - start < 2048 and start <= len(lines) < end for start, end, _ in found.findings)


@given(
    st.text(alphabet="ab9xyoure", min_size=0, max_size=12), st.sampled_from(WORDS), st.text(alphabet="Kq7", max_size=9)
)
def test_what_is_taken_for_generated_is_neither_a_stand_in_nor_a_label(before: str, word: str, after: str) -> None:
    text = before + word + after
    if is_generated(text.encode()):
        assert is_plainly_random(text) and not is_label(text)


def _whole(data: bytes, match: AnyMatch) -> list[Span]:
    return [match.span()]


def test_a_run_of_literals_without_a_match_is_read_once() -> None:
    find = at_literals("kind", rb"ey[a-z]{3,}+\.", _whole, run=b"[a-z]*", left=anywhere)
    data = b"eyaeyaeya eyaaa."
    hits = list(find(data, 0, len(data), [(0, 2), (3, 5), (6, 8), (10, 12)]))
    assert [(start, end, list(secrets)) for start, end, secrets, _ in hits] == [(0, 9, []), (10, 16, [(10, 16)])]


def test_a_literal_inside_a_word_is_passed_over() -> None:
    find = at_literals("kind", rb"bearer \w+", _whole)
    assert [hit[0] for hit in find(b"forbearer abc bearer abc", 0, 24, [(3, 9), (14, 20)])] == [14]
