"""Tags as they may be kept: short, none blank, each once, without secrets."""

from __future__ import annotations

from collections.abc import Iterable

from pmg.base.errors import InputError
from pmg.ingest.redact import Redactor

TAG_LENGTH = 40  # characters
MAX_TAGS = 20  # that one memory may have
_SHOWN = 30  # characters of a tag in its error


def checked_tags(given: Iterable[str]) -> list[str]:
    """What a person or a program wants as tags: each once, in their order. Raises for one that is too long, and for too many."""
    found = list(dict.fromkeys(" ".join(tag.split()) for tag in given if tag.strip()))
    long = next((tag for tag in found if len(tag) > TAG_LENGTH), None)
    if long is not None:
        shown = long[: _SHOWN - 1].rstrip() + "…"
        raise InputError(f"The tag {shown!r} is longer than {TAG_LENGTH} characters: shorten it.")
    if len(found) > MAX_TAGS:
        raise InputError(f"{len(found)} tags are too many: {MAX_TAGS} at most, so that each still says something.")
    return found


def clean_tags(tags: Iterable[str], redactor: Redactor) -> list[str]:
    """Without secrets: a mark stands where one was."""
    return list(dict.fromkeys(redactor.redact(tag).text for tag in tags))
