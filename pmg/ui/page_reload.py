"""The page while its server ends and starts anew: once it has been away and is ready again, the page is loaded anew."""

from __future__ import annotations

from pmg.server.discovery import HEALTH

RELOAD_WHEN_READY = f"""
() => {{
  let away = false, tried = 0;
  const look = async () => {{
    tried += 1;
    try {{ const told = await (await fetch('{HEALTH}', {{cache: 'no-store'}})).json(); if (told.ready && (away || tried > 30)) {{ location.reload(); return; }} away = away || !told.ready; }}
    catch (gone) {{ away = true; }}
    setTimeout(look, 700);
  }};
  look();
}}
"""


def pending(what: str) -> str:
    """What is said meanwhile."""
    return (
        f'<p class="pmg-report" role="status">{what} The server starts anew; this page comes back by itself, usually within half a minute. '
        "Nothing is lost if you close it.</p>"
    )
