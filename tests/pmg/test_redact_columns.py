"""What is read in columns is read as one by one: names and what follows them, literals that count, finders that are told."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchmarks.redact_recall import planted
from pmg.ingest.redact import DEFAULT_RULES, KnownValues, Redactor, keyvalue
from pmg.ingest.redact.code_names import is_label
from pmg.ingest.redact.generated import are_generated, is_generated
from pmg.ingest.redact.keyvalue import find_named
from pmg.ingest.redact.literals import ExactTexts, LiteralPlaces
from pmg.ingest.redact.marks import MARK_START, spliced
from pmg.ingest.redact.name_columns import read_together
from pmg.ingest.redact.place_columns import PlaceColumns, SpanColumns, columns_outside
from pmg.ingest.redact.rule import Span
from pmg.ingest.redact.scan import Scanner
from pmg.ingest.redact.values import is_plainly_random

SCANNER = Scanner(DEFAULT_RULES)
NAMES = "value password passwd api_key apiKey client-secret token_type max_tokens $dbPass -DdbPassword auth.token AKIA akia eyJ pat pw".split()
SIGNS = [
    "null,",
    '"",',
    *"=:>\"'<,/-_\\[ \t\n\0é",
    "</",
    '": "',
    "='",
    '", "',
    "[redacted: password]",
    "[redacted: ",
    "ENV ",
    "\x1b[1m",
    "--",
]
VALUES = [
    "abcd1234",
    "abcdefgh",
    "12345678",
    "aB3" * 70,
    "hunter22",
    "myPw1234",
    "12345678k",
    "value",
    "str",
    "null",
    "x" * 41,
]
TEXTS = st.lists(st.sampled_from(NAMES + SIGNS + VALUES), min_size=1, max_size=60).map("".join)


def _stems(data: bytes) -> list[Span]:
    places = SCANNER._prefilter.places(data).all
    spans = (spans for number, spans in SCANNER._told(data, places) if SCANNER._finders[number][0] is find_named)
    return next(iter(spans), [])


def _outside_marks(data: bytes) -> PlaceColumns:
    marks = ExactTexts([b"[redacted: password]"]).spans(data)
    return columns_outside(SCANNER._prefilter._literals.find_in_any_case(data), marks, len(data))


@settings(max_examples=400)
@given(TEXTS)
def test_names_in_columns_are_found_as_one_by_one(text: str) -> None:
    data, many = text.encode(), keyvalue._MIN_COLUMN_NAMES
    stems = _stems(data)
    alone = list(find_named(data, 0, len(data), stems))
    try:
        keyvalue._MIN_COLUMN_NAMES = 1
        assert list(find_named(data, 0, len(data), stems)) == alone
    finally:
        keyvalue._MIN_COLUMN_NAMES = many


def test_the_value_of_a_plain_assignment_is_read_whole() -> None:
    data = b'x = 1; password="abcd1234"; </password>\n'
    names = read_together(data, [(7, 11), (30, 34)])
    [(start, stop, name_start, name_end, form, value_start, value_end)] = names.rows()
    assert (start, stop, form) == (7, 11, 1) and data[name_start:name_end] == b"password"
    assert data[value_start:value_end] == b"abcd1234"


@example("password\tvalue")  # a finder that wants a blank, and no tab
@settings(max_examples=300)
@given(TEXTS)
def test_literals_in_columns_count_and_are_told_as_one_by_one(text: str) -> None:
    data = text.encode()
    prefilter = SCANNER._prefilter
    found = prefilter._literals.find_in_any_case(data)
    marks = ExactTexts([b"[redacted: password]"]).spans(data)
    alone = prefilter._counting(data, marks, found)
    columns = columns_outside(found, marks, len(data)).counting(data, prefilter._literals)
    assert columns.places() == alone
    told = [(number, list(spans)) for number, spans in SCANNER._table.told(data, columns)]
    assert told == SCANNER._told(data, alone)


@settings(max_examples=300)
@given(TEXTS, st.lists(st.integers(0, 400), min_size=2, max_size=20, unique=True))
def test_literals_are_carried_behind_marks_as_they_would_be_found(text: str, cuts: list[int]) -> None:
    data = text.encode()
    edges = sorted(cut for cut in cuts if cut <= len(data))
    secrets = [(start, end, "password") for start, end in zip(edges[::2], edges[1::2], strict=False)]
    if MARK_START in data or not secrets:
        return
    marked = spliced(data, secrets)
    carried = _outside_marks(data).moved(secrets)
    found = _outside_marks(marked)
    assert SCANNER._prefilter.counting(marked, carried).places() == SCANNER._prefilter.counting(marked, found).places()


@given(
    st.lists(st.sampled_from([value for value in VALUES if not value.isalpha() and not value.isdigit()]), max_size=20)
)
def test_values_are_judged_together_as_one_by_one(values: list[str]) -> None:
    alone = [is_generated(value.encode()) or (is_plainly_random(value) and not is_label(value)) for value in values]
    assert are_generated([value.encode() for value in values]) == alone


def test_places_that_are_not_yet_judged_are_judged_when_asked_for() -> None:
    places = LiteralPlaces([(0, 0, 1), (0, 4, 5), (1, 8, 9)], lambda found: [place for place in found if place[0] == 0])
    assert places.is_unjudged and places.between(4, 9) == [(0, 4, 5)]
    assert places.all == [(0, 0, 1), (0, 4, 5)] and not places.is_unjudged


def test_a_long_text_full_of_secrets_loses_them_all_and_nothing_else() -> None:
    secrets = [one for one in planted(1) if one.kind == "token, by its name"]
    redactor, whole = Redactor(), "".join(one.text for one in secrets)
    assert redactor.redact(whole).text == "".join(redactor.redact(one.text).text for one in secrets)


def test_of_two_known_values_that_begin_alike_the_longer_is_taken_out_in_short_texts_as_in_long_ones() -> None:
    values = KnownValues()
    for value in (b"q7Zr2mLx9", b"q7Zr2mLx9=="):
        values.add(value, "secret")
    assert values.occurrences(b"x q7Zr2mLx9== y") == [(2, 13, "secret")]
    long = b" " * 400_000
    assert values.occurrences(long + b"q7Zr2mLx9== y") == [(len(long), len(long) + 11, "secret")]


def test_spans_in_columns_are_a_sequence_of_spans() -> None:
    spans = SpanColumns(np.array([1, 4, 9]), np.array([3, 6, 12]))
    assert list(spans) == [(1, 3), (4, 6), (9, 12)] and len(spans) == 3
    assert spans[1] == (4, 6) and list(spans[1:]) == [(4, 6), (9, 12)]
