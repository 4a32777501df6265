"""Reading takes a time that grows with the file and no faster, whatever somebody wrote into it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pmg.importers.conversation import Where
from pmg.importers.message_parts import REASONING
from pmg.importers.platforms import aider, openwebui, specstory, transcripts
from pmg.importers.platforms.gemini import takeout_html
from pmg.importers.reading.times import parse_time
from tests.growth import LINEAR, growth

_FILES: dict[str, tuple[Callable[[str], object], str, str]] = {
    "blanks in a comment": (lambda page: [*specstory.parse_text([page.encode()], Where("a.md"))], "<!--", " "),
    "thoughts without an end": (specstory.ASIDE.search, "", "<think>"),
    "blanks in a heading": (lambda page: transcripts.claims_text(page), "#\t\t-", " "),
    "blanks behind a title": (transcripts.TITLE.search, "# a", " "),
    "blanks behind a start": (aider.START.search, "# aider chat started at a", "\t"),
    "tags without an end": (openwebui.CALL.search, "", "<details"),
    "thinking without an end": (REASONING.search, "", "<details"),
    "a cell of blanks": (takeout_html._activity, '<div class="content-cell">a<br>', " "),
    "a header without an end": (takeout_html.HEADER.search, "", '<div class="header-cell">'),
    "a time that is none": (parse_time, "[time:", "time:"),
}


@pytest.mark.parametrize("name", _FILES)
def test_what_is_made_to_hold_reading_up_does_not(name: str) -> None:
    read, begin, pump = _FILES[name]
    assert growth(read, lambda size: begin + pump * (size // len(pump)) + "!", 2_000) < LINEAR
