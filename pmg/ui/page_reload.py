"""The page while its server ends and starts anew: once it has been away and is ready again, the page is loaded anew."""

from __future__ import annotations

from pmg.client.discovery import HEALTH

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
