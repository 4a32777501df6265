"""The splitter gives the same elements however the bytes arrive, and finds its way after broken ones."""

from __future__ import annotations

import itertools
import json
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pmg.importers.reading.jsonstream import elements
from tests.pmg.importers.places import unhurried

LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
JSON = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4))


def good(chunks: list[bytes], **options: object) -> list[object]:
    return [value for element in elements(chunks, **options) for value in element.decoded.values]  # type: ignore[arg-type]


def cut(data: bytes, places: list[int]) -> list[bytes]:
    edges = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[start:end] for start, end in itertools.pairwise(edges)]


@unhurried
@given(st.lists(JSON, max_size=6), st.lists(st.integers(0, 10_000), max_size=30), st.booleans(), st.booleans())
def test_any_chunking_gives_the_elements_of_the_array(
    values: list[object], places: list[int], plain: bool, pretty: bool
) -> None:
    data = json.dumps(values, ensure_ascii=plain, indent=2 if pretty else None).encode()
    assert good(cut(data, places)) == values


@unhurried
@given(st.lists(st.text(alphabet='"\\[]{},:a é', max_size=12), max_size=6))
def test_one_byte_at_a_time_is_enough(values: list[str]) -> None:
    data = json.dumps(values, ensure_ascii=False).encode()
    assert good([data[n : n + 1] for n in range(len(data))]) == values


@unhurried
@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=5))
def test_no_bytes_at_all_make_it_raise(data: bytes, places: list[int]) -> None:
    list(elements(cut(b"[" + data, places)))


def talks(count: int) -> list[dict[str, object]]:
    return [{"title": f"t{n}", "mapping": {"a": [{"title": "not one"}]}, "id": n} for n in range(count)]


@pytest.mark.parametrize("size", [1, 7, 64, 100_000])
@pytest.mark.parametrize(
    ("good_part", "bad_part"),
    [
        (b'"title": "t2", "mapping": {', b'"title": "t2", "mapping": {{'),
        (b'"title": "t2"', b'"title": "t2'),
        (b'"title": "t2"', b'"title": t2"'),
        (b'"title": "t2",', b'"title" "t2",'),
        (b'"id": 2}', b'"id": 2]}'),
        (b'"id": 2}', b'"id": 2'),
    ],
)
def test_a_broken_element_costs_only_itself(size: int, good_part: bytes, bad_part: bytes) -> None:
    data = json.dumps(talks(5)).encode()
    assert data.count(good_part) == 1
    data = data.replace(good_part, bad_part)
    found = good([data[n : n + size] for n in range(0, len(data), size)])
    assert [value for value in found if isinstance(value, dict) and value.get("id") in (0, 1, 3, 4)] == [
        talk for talk in talks(5) if talk["id"] != 2
    ]
    assert any(element.decoded.error for element in elements([data]))


def test_a_file_cut_off_gives_what_stood_before_and_says_where_it_ends() -> None:
    data = json.dumps(talks(4)).encode()[:-20]
    *whole, last = elements([data])
    assert [element.decoded.values[0]["id"] for element in whole] == [0, 1, 2]
    assert "ends inside" in last.decoded.error
    assert last.data.startswith(b'{"title": "t3"')


def test_an_element_over_the_limit_is_reported_with_its_size_and_the_others_come() -> None:
    values = ["a", "b" * 5000, "c"]
    data = json.dumps(values).encode()
    found = list(elements([data[n : n + 100] for n in range(0, len(data), 100)], limit=1000))
    assert [element.decoded.values for element in found] == [("a",), (), ("c",)]
    assert found[1].size in (5002, 5003)  # with the blank before it
    assert "limit" in found[1].decoded.error


def test_objects_without_a_comma_between_them_are_all_read() -> None:
    assert good([b'[{"a": 1} {"b": 2}, {"c": 3}]']) == [{"a": 1}, {"b": 2}, {"c": 3}]


def test_a_marker_finds_the_arrays_inside_an_object() -> None:
    data = b'{"version": [9], "conversations": [{"a": 1}, {"b": 2}], "other": {}, "projects" : [{"c": 3}]}'
    marker = re.compile(rb'"(?:conversations|projects)"\s*:\s*\[')
    for size in (1, 5, 1000):
        chunks = [data[n : n + size] for n in range(0, len(data), size)]
        assert good(chunks, marker=marker) == [{"a": 1}, {"b": 2}, {"c": 3}]


def test_nesting_too_deep_for_the_decoder_is_a_broken_element_and_no_crash() -> None:
    deep = b"[" * 100_000 + b"]" * 100_000
    found = list(elements([b'[{"a":1},' + deep + b',{"b":2}]']))
    assert [element.decoded.values for element in found] == [({"a": 1},), (), ({"b": 2},)]
    assert "deep" in found[1].decoded.error


def test_a_bracket_that_closes_the_array_too_early_hides_nothing_after_it() -> None:
    data = json.dumps(talks(5)).encode().replace(b'"id": 2}', b'"id": 2}]}')
    assert [value["id"] for value in good([data]) if isinstance(value, dict)] == [0, 1, 2, 3, 4]
    assert list(good([b'[{"a": 1}] trailing words'])) == [{"a": 1}]
    assert [element.decoded.error != "" for element in elements([b'[{"a": 1}] trailing words'])] == [False, True]


def test_many_breaks_in_a_large_file_lose_little() -> None:
    data = bytearray(json.dumps(talks(20_000)).encode())
    chance = random.Random(7)
    for _ in range(40):
        data[chance.randrange(len(data))] = ord(chance.choice('"{}[],'))
    chunks = [bytes(data[n : n + 50_000]) for n in range(0, len(data), 50_000)]
    assert sum(isinstance(value, dict) and "mapping" in value for value in good(chunks)) > 19_500


def test_blanks_inside_a_large_string_are_kept_where_the_reader_looks_into_it() -> None:
    words = "a" * (2 * 1024 * 1024 - 5) + " " * 100 + "b"
    data = json.dumps([{"title": words}]).encode()
    for size in (1 << 16, (1 << 21) + 30):
        assert good([data[n : n + size] for n in range(0, len(data), size)]) == [{"title": words}]


def test_a_large_first_element_is_not_cut_at_the_objects_inside_it() -> None:
    inner = [{"uuid": f"m{n}", "text": "words " * 20_000} for n in range(30)]
    values = [{"uuid": "c1", "account": {"uuid": "a"}, "chat_messages": inner}, {"uuid": "c2", "chat_messages": []}]
    data = json.dumps(values).encode()
    assert len(data) > 3_000_000
    assert good([data[n : n + 100_000] for n in range(0, len(data), 100_000)]) == values
