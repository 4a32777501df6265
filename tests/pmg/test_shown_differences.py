"""What differs between two texts, as it is marked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pmg.ingest.shown_differences import Runs, marked

CODE = (
    "Back in {}: versions published under MIT stay MIT, so pinning `fluvia<2` is allowed. In practice you would ship a parser that nobody "
    "maintains, for a format that is still changing."
)


def different(runs: Runs) -> list[str]:
    return [text for text, differs in runs if differs]


def test_of_a_long_text_with_code_only_the_word_that_differs_is_marked() -> None:
    left, right = marked(CODE.format(2025), CODE.format(2024))
    assert (different(left), different(right)) == (["2025"], ["2024"])


def test_a_word_that_only_one_has_is_marked_there_and_nothing_in_the_other() -> None:
    left, right = marked(CODE.format(2025), CODE.format("2025, I think"))
    assert different(left) == [] and different(right) == [", I think"]


def test_what_has_little_in_common_is_marked_as_a_whole() -> None:
    left, _ = marked(
        CODE.format(2025), "`x` " + "Something else entirely is told here, of ferries and of cabins by the sea. " * 2
    )
    assert len(different(left)) <= 2 and len("".join(different(left))) > 100


@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=80))
def test_the_runs_of_a_text_joined_are_that_text(first: str, second: str, code: str) -> None:
    a, b = f"{first} `{code}` {second}", f"{second} `{code}` {first}"
    for text, runs in zip((a, b), marked(a, b), strict=True):
        assert "".join(part for part, _ in runs) == text
