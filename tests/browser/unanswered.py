"""Waiting until everything that was asked of the server is answered and shown: a story that shares its page begins with nothing on the way.

Stories about somebody who is quicker than the server (test_quick_person.py) do not wait so: they hold an answer back instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

LOOK_MILLISECONDS = 50
LOOKS = 3  # in a row that find nothing on the way: what an answer changes may ask again
# Counts the events that the page joined and that no stream has brought the answer to.
_COUNT = r"""
(() => {
  const plain = window.fetch.bind(window), open = new Set(), early = new Set();
  let joining = 0;
  window.pmgUnanswered = () => joining + open.size;
  const join = async (asked, options) => {
    joining += 1;
    try {
      const answer = await plain(asked, options), told = answer.ok ? await answer.clone().json() : {};
      if (told.event_id && !early.delete(told.event_id)) open.add(told.event_id);
      return answer;
    } finally { joining -= 1; }
  };
  const stream = async (asked, options) => {
    const answer = await plain(asked, options), decoder = new TextDecoder();
    if (!answer.ok || !answer.body) return answer;
    let rest = '';
    const seen = new TransformStream({transform(chunk, out) {
      out.enqueue(chunk);
      const parts = (rest + decoder.decode(chunk, {stream: true})).split('\n\n');
      rest = parts.pop();
      for (const part of parts) {
        const start = part.slice(0, 300), id = (start.match(/"event_id":"(\w+)"/) || [])[1];
        if (start.includes('"msg":"process_completed"') && id && !open.delete(id)) early.add(id);
      }
    }});
    return new Response(answer.body.pipeThrough(seen), {status: answer.status, statusText: answer.statusText, headers: answer.headers});
  };
  window.fetch = (asked, options) => {
    const at = String(asked.url || asked);
    return at.includes('/queue/join') ? join(asked, options) : at.includes('/queue/data') ? stream(asked, options) : plain(asked, options);
  };
})();
"""
_STILL = """looks => {
  window.pmgStill = window.pmgUnanswered() ? 0 : (window.pmgStill || 0) + 1;
  return window.pmgStill >= looks;
}"""


def count_unanswered(context: BrowserContext) -> None:
    context.add_init_script(_COUNT)


def answered(page: Page) -> None:
    page.evaluate("window.pmgStill = 0")
    page.wait_for_function(_STILL, arg=LOOKS, polling=LOOK_MILLISECONDS)
