"""Waiting until something on the page stands still: where a thing ends that glides in is asked of the page, and not of a clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect, Locator

LOOK_MILLISECONDS = 150  # between two looks
LOOKS = 800  # two minutes, as any step of a story may take


def at_rest(one: Locator) -> FloatRect:
    """Its place, once two looks find it in the same."""
    before = one.bounding_box()
    for _ in range(LOOKS):
        one.page.wait_for_timeout(LOOK_MILLISECONDS)
        now = one.bounding_box()
        if now is not None and now == before:
            return now
        before = now
    raise AssertionError("it never stands still")
