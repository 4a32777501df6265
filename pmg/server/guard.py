"""The one way in. Everything the server offers stands behind this, whoever added it: page, uploads, REST, streams, sockets.

Knows: Host, Origin, token, place and cookie of a browser, the login page, and the headers of every answer.
Order: the name we were called by, the page that asks, then who asks. Nothing of the body is read before all three are right.
A browser works under its own place (browser_logins.py): the app behind is told of it as a root path, as behind a proxy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode

from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pmg.base.loopback import is_loopback
from pmg.client.discovery import HEALTH
from pmg.connections.client_tokens import CLIENT, ClientToken, ClientTokens
from pmg.proxy.upstreams import PREFIX
from pmg.server import pages
from pmg.server.access import Access
from pmg.server.browser_logins import BrowserLogin, place_of
from pmg.server.error_answers import error_answer
from pmg.server.headers import security_headers
from pmg.server.hosts import LOOPBACK_NAMES, Hosts, from_elsewhere, name_of, own_origin

LOGIN = "/login"
LOGOUT = "/logout"
MAX_FORM_BYTES = 4_096
MAX_COOKIES = 10
BY = "pmg.by"  # in the scope behind the guard: "token", "client" (a token of its own) or "cookie"
FOR_CLIENTS = ("/mcp", "/hooks", "/api/v1")  # where a client's own token leads, with what is below
_MEND = (
    "For a program, `pmg token new` on the machine of this server makes a token that stays, for /mcp, /hooks and /api/v1. "
    "The server's own token, new at every start, is in the address that it printed and in its server.json."
)
_NO_TOKEN = f"This wants a token, as `Authorization: Bearer …`. {_MEND}"
_WRONG_TOKEN = f"That token does not open this here: it was revoked or mistyped, or is of an earlier start. {_MEND}"
# What a proxy would tell us. There is none, and whoever sends these wants the page to believe it is somewhere else.
_NOT_HEARD = (b"x-forwarded-", b"forwarded", b"x-original-", b"x-real-ip", b"x-gradio-")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the guard says of a request: its own answer, or who asks."""

    answer: Response | None
    by: str = ""
    login: BrowserLogin | None = None
    client: ClientToken | None = None


@dataclass(frozen=True, slots=True)
class RequestFacts:
    """One request, as far as the guard looks at it."""

    kind: str  # http or websocket
    method: str
    path: str  # inside the place
    place: str  # `/browser/…`, or empty
    query: str
    headers: dict[str, str]
    hosts: tuple[str, ...]  # all Host headers: two are a trick
    address: str

    @classmethod
    def of(cls, scope: Scope) -> RequestFacts:
        pairs = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in scope["headers"]]
        place, path = place_of(scope["path"])
        return cls(
            kind=scope["type"],
            method=scope.get("method", "GET"),
            path=path,
            place=place,
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

    def cookies(self, name: str) -> list[str]:
        """All of that name: another server on this machine can set one too, and must not push ours out."""
        pairs = (part.strip().partition("=") for part in self.header("cookie").split(";"))
        return [value for given, _, value in pairs if given == name][:MAX_COOKIES]

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
        frames: tuple[str, ...] = (),
        clients: ClientTokens | None = None,
    ) -> None:
        self._inner = inner
        self._access = access
        self._hosts = hosts
        self._logins = access.logins
        self._cookie_name = cookie_name
        self._frames = frames
        self._clients = clients

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self._inner(scope, receive, send)
        asked = RequestFacts.of(scope)
        if asked.path.startswith(PREFIX) and not asked.place:
            return await self._through_proxy(asked, scope, receive, send)
        verdict = await self._verdict(asked, receive)
        sending = self._with_headers(asked, send, verdict.login)
        if verdict.answer is None:
            scope = {**scope, "headers": _request_headers(scope["headers"]), "root_path": asked.place, BY: verdict.by}
            scope[CLIENT] = verdict.client
            return await self._inner(scope, receive, sending)
        if asked.kind == "websocket":
            return await send({"type": "websocket.close", "code": 1008, "reason": "refused"})
        return await verdict.answer(scope, receive, sending)

    async def _through_proxy(self, asked: RequestFacts, scope: Scope, receive: Receive, send: Send) -> None:
        """Its token is the upstream's, so what protects it is the place: programs on this machine, and no page of a browser. Of the
        answer nothing is changed."""
        wrong = _no_program_here(asked) or self._misplaced(asked)
        if not wrong:
            return await self._inner(scope, receive, send)
        if asked.kind == "websocket":
            return await send({"type": "websocket.close", "code": 1008, "reason": "refused"})
        return await error_answer(wrong, 403)(scope, receive, send)

    async def _verdict(self, asked: RequestFacts, receive: Receive) -> Verdict:
        wrong = self._misplaced(asked)
        if wrong:
            return Verdict(_refusal(asked, 403, wrong))
        if asked.path == HEALTH and not asked.place:
            return Verdict(None)
        if asked.kind == "http" and asked.path.rstrip("/") == LOGIN:
            return Verdict(await self._log_in(asked, receive))
        if asked.method == "GET" and asked.kind == "http" and "token=" in asked.query and not asked.place:
            return Verdict(self._exchange(asked))
        if asked.bearer is not None and not asked.place:  # one that is wrong is not made right by a cookie
            return self._by_bearer(asked, asked.bearer)
        login = self._logins.known(asked.place, asked.cookies(self._cookie_name)) if asked.place else None
        if login is None or asked.bearer is not None:
            return Verdict(self._unknown(asked))
        if asked.method == "POST" and asked.path.rstrip("/") == LOGOUT:
            return Verdict(self._log_out(login))
        return Verdict(None, "cookie", login)

    def _by_bearer(self, asked: RequestFacts, token: str) -> Verdict:
        """The server's own token opens everything; that of a program neither the page nor what runs commands."""
        if self._access.is_token(token):
            return Verdict(None, "token")
        inside = any(asked.path == place or asked.path.startswith(f"{place}/") for place in FOR_CLIENTS)
        client = self._clients.find(token) if self._clients is not None and inside else None
        return Verdict(None, "client", client=client) if client is not None else Verdict(self._unknown(asked))

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

    def _unknown(self, asked: RequestFacts, said: str = "") -> Response:
        if asked.wants_page:
            return HTMLResponse(pages.login(self._access.has_password, said), 401)
        return _refusal(asked, 401, _WRONG_TOKEN if said or asked.bearer is not None else _NO_TOKEN)

    def _exchange(self, asked: RequestFacts) -> Response:
        """A token in the address is exchanged for a place and a cookie, and the address goes on without it. A wrong one is no guess
        worth slowing down: it has 256 bits, and an old address in a bookmark must not keep a person out."""
        pairs = parse_qsl(asked.query, keep_blank_values=True)
        given = next((value for name, value in pairs if name == "token"), "")
        if not (self._access.is_token(given) or self._access.takes_ticket(given)):
            return self._unknown(asked, "That token is not of this server: it is new at every start.")
        rest = urlencode([(name, value) for name, value in pairs if name != "token"])
        login = self._logins.begin()
        target = f"{login.place}/" + asked.path.lstrip("/\\") + (f"?{rest}" if rest else "")
        if asked.header("sec-fetch-site") in ("", "none", "same-origin"):
            return self._let_in(RedirectResponse(target, 303), login)
        return self._let_in(HTMLResponse(pages.redirect(target)), login)

    async def _log_in(self, asked: RequestFacts, receive: Receive) -> Response:
        """The token always lets in, however many wrong guesses came before; a password waits with the others of its address."""
        password = self._access.has_password
        if asked.method != "POST":
            return HTMLResponse(pages.login(password), 200)
        given = await _secret(receive)
        if given is not None and self._access.is_token(given):
            return self._begin()
        wait = self._access.tries.wait(asked.address) if password else 0.0
        if wait > 0:
            seconds = str(int(wait) + 1)
            said = f"Too many wrong tries: wait {seconds} seconds, or open the address that the server printed."
            return HTMLResponse(pages.login(password, said), 429, {"retry-after": seconds})
        if given is not None and self._access.is_password(given):
            self._access.tries.right(asked.address)
            return self._begin()
        if password:  # without one there is only the token, which nobody guesses
            self._access.tries.wrong(asked.address)
        return HTMLResponse(pages.login(password, "That is not right."), 401)

    def _begin(self) -> Response:
        login = self._logins.begin()
        return self._let_in(RedirectResponse(f"{login.place}/", 303), login)

    def _log_out(self, login: BrowserLogin) -> Response:
        self._logins.end(login)
        answer = RedirectResponse("/", 303)
        answer.delete_cookie(self._cookie_name, path=login.place, httponly=True, samesite="strict")
        return answer

    def _let_in(self, answer: Response, login: BrowserLogin) -> Response:
        answer.headers.append("set-cookie", self._cookie(login))
        return answer

    def _cookie(self, login: BrowserLogin) -> str:
        """Its path is the secret place: a browser sends it to no other port."""
        life = int(self._logins.seconds)
        return f"{self._cookie_name}={login.cookie}; Path={login.place}; Max-Age={life}; HttpOnly; SameSite=Strict"

    def _with_headers(self, asked: RequestFacts, send: Send, login: BrowserLogin | None) -> Send:
        """Every answer, ours and those from behind, gets the security headers; they stand above what was set there."""

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                kind = next((value.decode("latin-1") for name, value in headers if name.lower() == b"content-type"), "")
                ours = security_headers(asked.path, kind, self._frames)
                names = {name for name, _ in ours} | {b"server", b"access-control-allow-origin"}
                if login is not None and self._logins.renew(login):
                    ours.append((b"set-cookie", self._cookie(login).encode()))
                message = {**message, "headers": [*(h for h in headers if h[0].lower() not in names), *ours]}
            await send(message)

        return sending


def _no_program_here(asked: RequestFacts) -> str:
    """Node sends Sec-Fetch-Mode with its requests too; where a request comes from is told by browsers alone."""
    if not is_loopback(asked.address) or len(asked.hosts) != 1 or name_of(asked.hosts[0]) not in LOOPBACK_NAMES:
        return "The proxy is for programs on this machine alone, under 127.0.0.1 or localhost."
    if any(name.encode("latin-1").startswith(_NOT_HEARD) for name in asked.headers):
        return "The proxy is for programs on this machine alone, and not behind a web server."
    if asked.headers.get("origin") is not None or asked.header("sec-fetch-site"):
        return "The proxy is for programs, not for pages in a browser."
    return ""


def _request_headers(headers: Any) -> list[tuple[bytes, bytes]]:
    return [(name, value) for name, value in headers if not name.lower().startswith(_NOT_HEARD)]


def _refusal(asked: RequestFacts, status: int, said: str) -> Response:
    if asked.wants_page:
        return HTMLResponse(pages.refused(said), status)
    return error_answer(said, status, {"www-authenticate": "Bearer"} if status == 401 else None)


async def _secret(receive: Receive) -> str | None:
    """The one field of the login form; None for whatever is not that form."""
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if len(body) > MAX_FORM_BYTES:
            return None
        if not message.get("more_body"):
            break
    found = parse_qs(body.decode("utf-8", "replace")).get("secret", [])
    return found[0] if len(found) == 1 else None
