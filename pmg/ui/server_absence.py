"""The page without its server: the header says "not connected", or that PMG is starting, and once it is ready the page is loaded anew.

A server that was started anew knows nothing of the pages of the one before it, above all not which namespace each is in: so a page is never used on
with another server. While a server starts it refuses what is asked of it. Gradio would say for each click that the application is busy; those
clicks are left without an answer here, and one sentence says why. A message that was on its way comes back as a draft: message_script.py.
Where a click ends the server (a restored backup, encryption), the page that asked loads itself anew once it has been away and is ready again.
"""

from __future__ import annotations

from pmg.client.discovery import HEALTH

SCRIPT = r"""
(() => {
  const plain = window.fetch.bind(window), root = document.documentElement, PAUSE = 700, IDLE = 5000;  // milliseconds between two looks
  let waits = false;
  const path = (asked) => new URL(asked.url || asked, location.href).pathname;
  const told = async (address) => (await plain(address, {cache: 'no-store'})).json();
  const say = (state) => {
    root.toggleAttribute('data-lost', state !== 'ready');
    root.toggleAttribute('data-starting', state === 'starting');
    const shown = document.querySelector('#pmg-starting');
    if (state !== 'starting') { shown?.remove(); return; }
    if (shown) return;
    const line = document.createElement('div');
    line.id = 'pmg-starting';
    line.setAttribute('role', 'status');
    line.textContent = 'PMG is starting. This page comes back by itself, usually within half a minute; a message that you wrote stays.';
    document.body.append(line);
  };
  const health = async () => {
    try { return (await told('__HEALTH__')).ready ? 'ready' : 'starting'; }
    catch (error) { return error instanceof TypeError ? 'away' : 'ready'; }  // in a notebook nobody tells
  };
  const wait = async () => {
    if (waits) return;
    waits = true;
    for (let now = await health(); now !== 'ready'; now = await health()) {
      say(now);
      await new Promise((done) => setTimeout(done, PAUSE));
    }
    location.reload();
  };
  const starts = async (answer) => {
    if (answer.status !== 503 || await health() !== 'starting') return false;
    say('starting');
    wait();
    return true;
  };
  // A page that nobody uses hears of it by this alone.
  const look = async () => {
    const known = window.gradio_config;
    if (waits || document.hidden || !known?.app_id) return;
    let answer;
    try { answer = await plain(known.root + (known.api_prefix || '') + '/app_id', {cache: 'no-store'}); } catch { say('away'); return; }
    if (waits || await starts(answer) || !answer.ok) return;
    const another = (await answer.json()).app_id !== known.app_id;
    say(another ? 'away' : 'ready');
    if (another) wait();
  };
  setInterval(look, IDLE);
  document.addEventListener('visibilitychange', look);
  window.fetch = async (asked, options) => {
    if (path(asked) === '__HEALTH__') return plain(asked, options);  // answered while it starts, too
    let answer;
    try { answer = await plain(asked, options); }
    catch (error) { if (error instanceof TypeError && !waits) say('away'); throw error; }
    if (await starts(answer)) return new Promise(() => {});
    if (!waits) say('ready');
    return answer;
  };
})();
""".replace("__HEALTH__", HEALTH)

# In the head: what is said lies outside of gradio's own container. Meanwhile nothing else is said.
CSS = """
html[data-lost] .pmg-dot { display: inline !important; font-size: 0; }
html[data-lost] .pmg-dot::before { background: #c5473d !important; animation: none !important; }
html[data-lost] .pmg-dot::after { content: "not connected"; font-size: 13px; }
html[data-starting] .pmg-dot::after { content: "PMG is starting"; }
html[data-starting] .toast-wrap { display: none !important; }
#pmg-starting { position: fixed; z-index: 2000; bottom: 84px; left: 50%; transform: translateX(-50%); box-sizing: border-box; width: max-content; max-width: calc(100vw - 32px);
  padding: 12px 18px; border: 1px solid var(--border-color-primary); border-radius: 12px; background: var(--background-fill-primary); color: var(--body-text-color);
  font: 15px/1.4 var(--font); box-shadow: 0 4px 24px rgb(0 0 0 / .25); }
"""


# `unseen`: after how many looks a server that was never seen to be gone counts as a new one; `missed`: how many looks in a row without one make it gone.
_LOOK = f"""
(unseen, missed) => {{
  let away = 0, tried = 0;
  const look = async () => {{
    tried += 1;
    let ready = false;
    try {{ ready = (await (await fetch('{HEALTH}', {{cache: 'no-store'}})).json()).ready; }} catch (gone) {{ ready = false; }}
    if (ready && (away >= missed || tried > unseen)) {{ location.reload(); return; }}
    away = ready ? 0 : away + 1;
    if (away || tried <= 400) setTimeout(look, 700);
  }};
  look();
}}
"""
# Once the server said that it ends.
RELOAD_WHEN_READY = f"() => ({_LOOK})(30, 1)"
# From the click on: a server that ends may end before its answer to the click has come. It may also have refused, so one look in vain says nothing.
RELOAD_IF_IT_LEAVES = f"() => ({_LOOK})(Infinity, 2)"


def pending(what: str) -> str:
    """What is said meanwhile."""
    return (
        f'<p class="pmg-report" role="status">{what} The server starts anew; this page comes back by itself, usually within half a minute. '
        "Nothing is lost if you close it.</p>"
    )
