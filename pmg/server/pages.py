"""The few pages that stand before the real one: starting, who are you, refused. Each is whole in itself.

Knows: how they look and what they say.
"""

from __future__ import annotations

import html

# A browser that was let in kept its place (theme.py): from any other address of ours it goes there. Where this page stands in that very
# place, the login has ended and the place is worth nothing any more.
_BACK = """<script>
const place = localStorage.getItem("pmg-place");
if (place && location.pathname.startsWith(place)) localStorage.removeItem("pmg-place");
else if (place && location.pathname !== "/login")
  location.replace(place + location.pathname.replace(/^[/]+/, "") + location.search.replace(/([?&])token=[^&]*&?/, "$1"));
</script>"""

_STYLE = """
:root { color-scheme: light dark; --ink: #1f2430; --soft: #5b6472; --paper: #f7f7f5; --card: #fff; --line: #d9dbe0; --go: #3a5a9b }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8ec; --soft: #a3abb8; --paper: #15171c; --card: #1d2027; --line: #363b46; --go: #8fb0f0 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
main { width: 100%; max-width: 30rem; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px }
h1 { margin: 0 0 .5rem; font-size: 1.25rem } p { margin: .5rem 0; color: var(--soft) } code { color: var(--ink) }
.bad { color: #b3261e } @media (prefers-color-scheme: dark) { .bad { color: #f2b8b5 } }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600 }
input { width: 100%; padding: .6rem .75rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--soft); border-radius: 8px }
button { margin-top: 1rem; padding: .6rem 1.25rem; font: inherit; font-weight: 600; color: var(--card); background: var(--go); border: 0; border-radius: 8px; cursor: pointer }
:focus-visible { outline: 2px solid var(--go); outline-offset: 2px }
.bar { height: 4px; margin-top: 1.25rem; border-radius: 2px; background: linear-gradient(90deg, var(--line) 30%, var(--go) 50%, var(--line) 70%) 0 0/300% }
@media (prefers-reduced-motion: no-preference) { .bar { animation: go 1.6s linear infinite } @keyframes go { from { background-position: 150% 0 } to { background-position: -150% 0 } } }
"""


def _page(title: str, body: str, head: str = "") -> str:
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>{head}'
        '<link rel="icon" href="data:,">'  # else a browser asks for /favicon.ico, which is refused to whoever is not let in
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>'
        f"<body><main>{body}</main></body></html>"
    )


def starting() -> str:
    """Reloads itself until the real page is there; without script, so that nothing can stand in its way."""
    return _page(
        "PMG is starting",
        '<h1>Opening your memory …</h1><p role="status">The page comes by itself in a few seconds.</p><div class="bar"></div>',
        '<meta http-equiv="refresh" content="1">',
    )


def redirect(target: str) -> str:
    """After a link from elsewhere: the next step is our own page's, so the browser sends the cookie with it."""
    return _page(
        "PMG", "<h1>Opening …</h1>", f'<meta http-equiv="refresh" content="0;url={html.escape(target, quote=True)}">'
    )


def login(password: bool, said: str = "") -> str:
    ask = "Password" if password else "Token"
    how = (
        "Give the password of this memory, or open the address that was printed where the server runs."
        if password
        else "Open the address that <code>pmg serve</code> printed, or run it again: it opens this page for you. "
        "You can also paste the token from that address."
    )
    wrong = f'<p class="bad" role="alert">{html.escape(said)}</p>' if said else ""
    return _page(
        "PMG: who are you?",
        f'<h1>This memory is private</h1><p>{how}</p>{wrong}<form method="post" action="/login">'
        f'<label for="secret">{ask}</label><input id="secret" name="secret" type="password" autofocus required '
        'autocomplete="current-password"><button>Open</button></form>',
        _BACK,
    )


def refused(said: str) -> str:
    return _page("PMG: refused", f"<h1>Refused</h1><p>{html.escape(said)}</p>")
