"""The one way in. Everything the server offers stands behind this, whoever added it: page, uploads, REST, streams, sockets.

Knows: Host, Origin, token, cookie, the login page, and the headers of every answer. Does not know: what is behind it.
Order: the name we were called by, the page that asks, then who asks. Nothing of the body is read before all three are right.
"""

from __future__ import annotations

from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode

from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pmg.server import pages
from pmg.server.access import DAY, Access
from pmg.server.headers import security_headers
from pmg.server.hosts import Hosts, from_elsewhere, own_origin

HEALTH = "/healthz"
LOGIN = "/login"
LOGOUT = "/logout"
MOST_FORM_BYTES = 4_096
BY = "pmg.by"  # in the scope behind the guard: "token" or "cookie"
# What a proxy would tell us. There is none, and whoever sends these wants the page to believe it is somewhere else.
_NOT_HEARD = (b"x-forwarded-", b"forwarded", b"x-original-", b"x-real-ip", b"x-gradio-")


@dataclass(frozen=True, slots=True)
class RequestFacts:
    """One request, as far as the guard looks at it."""

    kind: str  # http or websocket
    method: str
    path: str
    query: str
    headers: dict[str, str]
    hosts: tuple[str, ...]  # all Host headers: two are a trick
    address: str

    @classmethod
    def of(cls, scope: Scope) -> RequestFacts:
        pairs = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in scope["headers"]]
        return cls(
            kind=scope["type"],
            method=scope.get("method", "GET"),
            path=scope["path"],
            query=scope.get("query_string", b"").decode("latin-1"),
            headers=dict(pairs),
            hosts=tuple(value for name, value in pairs if name == "host"),
            address=(scope.get("client") or ("?",))[0],
        )

    def header(self, name: str) -> str:
        return self.headers.get(name, "")

    @property
    def bearer(self) -> str | None:
        scheme, _, value = self.header("authorization").partition(" ")
        return value.strip() if scheme.lower() == "bearer" else None

    def cookie(self, name: str) -> str:
        try:
            found = SimpleCookie(self.header("cookie")).get(name)
        except CookieError:
            return ""
        return found.value if found else ""

    @property
    def wants_page(self) -> bool:
        return self.method in ("GET", "HEAD") and "text/html" in self.header("accept")


class Guard:
    """Wraps one ASGI app. Nothing that is refused reaches it."""

    def __init__(
        self,
        inner: ASGIApp,
        access: Access,
        hosts: Hosts,
        *,
        cookie_name: str,
        cookie_days: int = 30,
        frames: tuple[str, ...] = (),
    ) -> None:
        self._inner = inner
        self._access = access
        self._hosts = hosts
        self._cookie_name = cookie_name
        self._cookie_days = cookie_days
        self._frames = frames

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self._inner(scope, receive, send)
        asked = RequestFacts.of(scope)
        answer, by = await self._answer(asked, receive)
        if answer is None:
            scope = {**scope, "headers": _response_headers(scope["headers"]), BY: by}
            return await self._inner(scope, receive, self._with_headers(asked, send))
        if asked.kind == "websocket":
            return await send({"type": "websocket.close", "code": 1008, "reason": "refused"})
        return await answer(scope, receive, self._with_headers(asked, send))

    async def _answer(self, asked: RequestFacts, receive: Receive) -> tuple[Response | None, str]:
        """What the guard itself answers, or None and who asks: then the request goes through."""
        wrong = self._misplaced(asked)
        if wrong:
            return _refusal(asked, 403, wrong), ""
        if asked.path == HEALTH:
            return None, ""
        if asked.kind == "http" and asked.path.rstrip("/") in (LOGIN, LOGOUT):
            return await self._log_in_or_out(asked, receive), ""
        if asked.method == "GET" and asked.kind == "http" and "token=" in asked.query:
            return self._exchange(asked), ""
        by = self._who(asked)
        return (None, by) if by else (self._unknown(asked), "")

    def _misplaced(self, asked: RequestFacts) -> str:
        """Why this request did not come from our own page or a program on this machine; empty when it may have."""
        if len(asked.hosts) != 1 or not self._hosts.accept(asked.hosts[0]):
            return (
                "This server does not answer to that name. Use the address it printed, or add the name to server.hosts."
            )
        origin = asked.headers.get("origin")
        if origin is not None and not own_origin(origin, asked.hosts[0]):
            return "Another page asked for this. Only the page of this memory may."
        site, mode, dest = (asked.header(f"sec-fetch-{name}") for name in ("site", "mode", "dest"))
        if from_elsewhere(site, mode, dest, asked.method, bool(self._frames)):
            return "Another page asked for this. Only the page of this memory may."
        return ""

    def _who(self, asked: RequestFacts) -> str:
        if asked.bearer is not None:  # one that is wrong is not made right by a cookie
            return "token" if self._access.is_token(asked.bearer) else ""
        cookie = asked.cookie(self._cookie_name)
        return "cookie" if cookie and self._access.is_cookie(cookie) else ""

    def _unknown(self, asked: RequestFacts, said: str = "") -> Response:
        if asked.wants_page:
            return HTMLResponse(pages.login(self._access.has_password, said), 401)
        return _refusal(
            asked, 401, "Give the token of this server: it is in the address that was printed, and in server.json."
        )

    def _exchange(self, asked: RequestFacts) -> Response:
        """A token in the address is exchanged for a cookie, and the address goes on without it."""
        pairs = parse_qsl(asked.query, keep_blank_values=True)
        given = next((value for name, value in pairs if name == "token"), "")
        right = self._access.is_token(given) or self._access.takes_ticket(given)
        if not (right or self._who(asked)):  # an old address in a browser that is let in already is no guess
            self._access.tries.wrong(asked.address)
            return self._unknown(asked, "That token is not of this server: it is new at every start.")
        rest = urlencode([(name, value) for name, value in pairs if name != "token"])
        # Two slashes at the beginning would lead to another machine.
        target = "/" + asked.path.lstrip("/\\") + (f"?{rest}" if rest else "")
        if asked.header("sec-fetch-site") in ("", "none", "same-origin"):
            return self._let_in(RedirectResponse(target, 303))
        return self._let_in(HTMLResponse(pages.hop(target)))

    async def _log_in_or_out(self, asked: RequestFacts, receive: Receive) -> Response:
        if asked.method != "POST":
            return HTMLResponse(pages.login(self._access.has_password), 200)
        if asked.path.rstrip("/") == LOGOUT:
            answer = RedirectResponse(LOGIN, 303)
            answer.delete_cookie(self._cookie_name, path="/", httponly=True, samesite="strict")
            return answer
        wait = self._access.tries.wait(asked.address)
        if wait > 0:
            said = f"Too many wrong tries: wait {int(wait) + 1} seconds."
            return HTMLResponse(pages.login(self._access.has_password, said), 429, {"retry-after": str(int(wait) + 1)})
        given = await _secret(receive)
        if given is not None and (self._access.is_password(given) or self._access.is_token(given)):
            self._access.tries.right(asked.address)
            return self._let_in(RedirectResponse("/", 303))
        self._access.tries.wrong(asked.address)
        return HTMLResponse(pages.login(self._access.has_password, "That is not right."), 401)

    def _let_in(self, answer: Response) -> Response:
        answer.set_cookie(
            self._cookie_name,
            self._access.cookie(),
            max_age=self._cookie_days * DAY,
            path="/",
            httponly=True,
            samesite="strict",
        )
        return answer

    def _with_headers(self, asked: RequestFacts, send: Send) -> Send:
        """Every answer, ours and those from behind, gets the security headers; they stand above what was set there."""

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                kind = next((value.decode("latin-1") for name, value in headers if name.lower() == b"content-type"), "")
                ours = security_headers(asked.path, kind, self._frames)
                names = {name for name, _ in ours} | {b"server", b"access-control-allow-origin"}
                message = {**message, "headers": [*(h for h in headers if h[0].lower() not in names), *ours]}
            await send(message)

        return sending


def _response_headers(headers: Any) -> list[tuple[bytes, bytes]]:
    return [(name, value) for name, value in headers if not name.lower().startswith(_NOT_HEARD)]


def _refusal(asked: RequestFacts, status: int, said: str) -> Response:
    if asked.wants_page:
        return HTMLResponse(pages.refused(said), status)
    return JSONResponse({"error": said}, status, {"www-authenticate": "Bearer"} if status == 401 else None)


async def _secret(receive: Receive) -> str | None:
    """The one field of the login form; None for whatever is not that form."""
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if len(body) > MOST_FORM_BYTES:
            return None
        if not message.get("more_body"):
            break
    found = parse_qs(body.decode("utf-8", "replace")).get("secret", [])
    return found[0] if len(found) == 1 else None
