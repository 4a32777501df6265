"""Stories of the stream that carries answers to the page: a click made while it ends is answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

# The end of every stream reaches the page late, as on a busy machine: what is clicked meanwhile is acknowledged before it.
LATE_END = """
(() => {
  const plain = window.fetch.bind(window);
  window.pmgEnds = 0;
  window.fetch = async (asked, options) => {
    const answer = await plain(asked, options);
    if (!String(asked.url || asked).includes('/queue/data')) return answer;
    const late = new TransformStream({async transform(chunk, out) {
      if (new TextDecoder().decode(chunk).includes('close_stream')) { await new Promise((done) => setTimeout(done, 1500)); window.pmgEnds += 1; }
      out.enqueue(chunk);
    }});
    return new Response(answer.body.pipeThrough(late), {status: answer.status, headers: answer.headers});
  };
})();
"""
TITLES = ("A year in one page", "Six kilometres", "A year in one page", "Six kilometres")


def test_a_click_while_the_stream_ends_is_answered(open_page: Callable[..., Page]) -> None:
    page = open_page(script=LATE_END)
    for title in TITLES:
        page.locator(".pmg-session", has_text=title).click()
        page.get_by_role("heading", name=title).wait_for()
    page.wait_for_function("window.pmgEnds > 1")  # it did end in between
    page.get_by_role("button", name="New chat").click()
    page.get_by_text("What would you like to remember?").wait_for()
