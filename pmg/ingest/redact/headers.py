"""Credentials that travel with requests: JWTs, URIs with passwords, Authorization headers, cookies.

Knows: the places where these stand. Does not know: the vendors whose tokens they carry (those rules come first).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pmg.base.patterns import AnyMatch
from pmg.ingest.redact.anchored import Anchored, anywhere, at_either, at_literals
from pmg.ingest.redact.generated import is_generated
from pmg.ingest.redact.marks import MARK
from pmg.ingest.redact.rule import HEX, Rule, Span, filler
from pmg.ingest.redact.tokens.row import genuine
from pmg.ingest.redact.values import (
    is_basic_pair,
    is_code,
    is_identifier,
    is_placeholder,
    is_plainly_random,
    looks_random,
)

_SCHEMES = (
    r"postgres(?:ql)?|mysqlx?|mariadb|mssql|sqlserver|oracle|db2|cockroach(?:db)?|redshift|snowflake|clickhouse|"
    r"mongodb|rediss?|valkeys?|amqps?|kafka|nats|mqtts?|stomp|wss?|ldaps?|s?ftps?|ssh|scp|smtps?|imaps?|pop3s?|https?|"
    r"socks[45]h?|git|svn|smb|cifs|nfs|rsync|vnc|rdp|sip|xmpp|neo4j|bolt|elasticsearch|couchdb|cassandra|influxdb|"
    r"memcached|celery|jdbc|odbc|proxy|docker|tcp|sentinel|vertica|trino|presto|hive|databricks|turso|libsql"
)
_URI = rf"(?i)\b(?:{_SCHEMES})(?:\+[a-z0-9_+-]+)?://[^\s:/?#\[\]\"'<>`|]{{0,128}}:([^\s\"'<>`/]{{1,256}})@[^\s@/:\"']"
# Behind `authorization`, `bearer` and `cookie`.
_AUTHORIZATION = (
    rb"\\{0,3}[\"'`\])]{0,3}\s{0,4}(?:=>|:|=|,)\s{0,4}\\{0,3}[\"'`]?(?:f?[\"'])?"
    rb"(?:(?i:bearer|basic|token|digest|apikey|api-key|key|negotiate|jwt|oauth|bot|hmac|dpop|aws4-hmac-sha256)\s{1,4})?"
    rb"([A-Za-z0-9._~+/=%:|-]{6,}[^\s\"'`,;<>{}\\]*)"
)
_BEARER = rb"[ \t:]{1,3}[\"'`]?([A-Za-z0-9._~+/=-]{12,})"
_COOKIE = rb"2?[sS]?\\{0,3}[\"'`]?\s{0,3}(?:=>|:|=|,)\s{0,3}\\{0,3}[\"'`]?([^\s=;\"'<]{1,100}=[^\r\n<]+)"
_BASIC = rb"(?i:basic)[ \t]{1,3}([A-Za-z0-9+/]{6,}={0,2})"
_NAMED_COOKIE = (
    rb"(?:PHPSESSID|JSESSIONID|ASP\.NET_SessionId|connect\.sid|sessionid|csrftoken|laravel_session|ASPXAUTH|"
    rb"_session_id|wordpress_logged_in_[0-9a-f]+)\\{0,3}[\"']?\s{0,2}[=:]\s{0,2}\\{0,3}[\"']?([A-Za-z0-9%._~+/=:-]{16,})"
)
_RUN = rb"[A-Za-z0-9_-]"
_JWT = (
    rb"(ey[JK]" + _RUN + rb"{8,}+(?:\." + _RUN + rb"{8,}+(?:\." + _RUN + rb"++){0,3}+"
    rb"|\.\." + _RUN + rb"{8,}+(?:\." + _RUN + rb"++){0,2}+))"
)  # fmt: skip
# In small letters.
_COOKIE_NAME = re.compile(
    rb"sess|sid\b|auth|token|jwt|csrf|xsrf|remember|login|secret|passw|ident|cf_clearance|__host|__secure"
)
# Behind the last character of a name; fewer characters open no session. It begins with a plain one, which makes it fast.
_COOKIE_VALUE = re.compile(rb"=(?<=[^\s=;,\"']=)\"?([^;\r\n\"']{6,}+)")
_OF_COOKIE_NAME = bytes(set(range(256)).difference(b" \t\n\r\f\v=;,\"'"))
# No cookie holds these as they are: a script that names cookies does, and the rest of a page that is one line.
_OF_SCRIPTS = re.compile(r"[()\[\]{}]|\\|,\w+[=/]")
_ATTRIBUTES = {b"path", b"domain", b"expires", b"max-age", b"samesite", b"priority", b"version", b"comment"}
_CODE_BEFORE = (b"= ", b", ")
_BRACKET = ord("[")
_MIN_SESSION_SIZE = 6  # characters of what opens a session at least
_MIN_UNNAMED_SESSION_SIZE = 16  # characters of what opens a session, where its name does not tell
_TEMPLATE = re.compile(r"[${}<>%]|\.\.\.|your|example|token$|key$|^\+[a-z_]\w*[.(\[]")


def _uri_password(data: bytes, match: AnyMatch) -> Sequence[Span]:
    start, end = match.span(1)
    value = data[start:end].decode("utf-8", "replace")
    # host:port/path@… is no password: `https://host:8080/@scope`.
    if value[0].isdigit() and "/" in value and value.split("/")[0].isdigit():
        return ()
    return () if is_placeholder(value) or value.lower() in {"pass", "pwd", "pw"} else ((start, end),)


def _authorization(data: bytes, match: AnyMatch) -> Sequence[Span]:
    start, end = match.span(1)
    written = data[start:end]
    if is_generated(written):
        is_name = data[start - 2 : start] in _CODE_BEFORE and is_identifier(written.decode())
        return () if is_name else ((start, end),)
    if written.lower() == b"bearer":
        return ()  # a mark stands behind it, or nothing
    value = written.decode("utf-8", "replace")
    if "(" in value or _TEMPLATE.search(value.lower()) is not None:
        return ()
    if is_plainly_random(value):
        return ((start, end),)
    if is_placeholder(value):
        return ()
    bare = value.rstrip(").")  # the end of a call or a sentence
    return ((start, end),) if looks_random(bare, 8) or is_basic_pair(bare) else ()


def _bearer(data: bytes, match: AnyMatch) -> Sequence[Span]:
    start, end = match.span(1)
    if is_generated(data[start:end]):
        return ((start, end),)
    value = data[start:end].decode("utf-8", "replace")
    if value[0] == "+" and is_code(value):
        return ()  # `"Bearer "+config.Token`
    is_random = is_plainly_random(value) or (looks_random(value, 12) and not is_placeholder(value))
    return ((start, end),) if is_random else ()


def _basic(data: bytes, match: AnyMatch) -> Sequence[Span]:
    start, end = match.span(1)
    return ((start, end),) if is_basic_pair(data[start:end].decode()) else ()


def _session(data: bytes, match: AnyMatch) -> Sequence[Span]:
    start, end = match.span(1)
    written, is_call = data[start:end], data[end : end + 1] == b"("
    is_random = is_generated(written) or looks_random(written.decode(), _MIN_UNNAMED_SESSION_SIZE)
    return ((start, end),) if is_random and not is_call else ()


def _cookies(data: bytes, match: AnyMatch) -> Sequence[Span]:
    """The values that open a session; preferences stay readable."""
    spans, (last, stop) = [], match.span(1)
    following = _COOKIE_VALUE.search
    while (pair := following(data, last, stop)) is not None:
        before, (start, end) = data[last : pair.start()], pair.span(1)
        last = end
        if data[start] == _BRACKET and MARK.match(data, start) is not None:
            continue  # taken out before
        name = before[len(before.rstrip(_OF_COOKIE_NAME)) :].lower()
        if name in _ATTRIBUTES:
            continue
        if end - start >= _MIN_UNNAMED_SESSION_SIZE and is_generated(pair[1]):
            spans.append((start, end))
            continue
        value = pair[1].decode("utf-8", "replace").strip()
        if _OF_SCRIPTS.search(value) is not None:
            continue
        is_telling = len(value) >= _MIN_SESSION_SIZE and (name == b"id" or _COOKIE_NAME.search(name) is not None)
        if (
            (is_telling or looks_random(value, _MIN_UNNAMED_SESSION_SIZE))
            and not is_placeholder(value)
            and not is_code(value)
        ):
            spans.append((start, end))
    return spans


_find_authorization = at_either(
    "authorization header",
    b"authorization",
    Anchored(_AUTHORIZATION, _authorization, is_behind=True),
    Anchored(_BEARER, _bearer, is_behind=True),
)
_find_cookies = at_either(
    "session cookie", b"cookie", Anchored(_COOKIE, _cookies, is_behind=True), Anchored(_NAMED_COOKIE, _session)
)

HEADER_RULES: tuple[Rule, ...] = (
    Rule(
        "jwt",
        "",
        (("eyJhbGciOiJIUzI1NiJ9", ".", "eyJzdWIiOiIxIn0", ".", filler(43)),),
        (("eyJ is how a token starts",), ("greyJacket.jpegfile",)),
        ("eyJ", "eyK"),
        find=at_literals("jwt", _JWT, genuine, run=_RUN + b"*", left=anywhere),
    ),
    Rule(
        "uri password",
        _URI,
        (
            ("postgres://app:", "s3cretPw", "@db.internal:5432/app"),
            ("mongodb+srv://u:", "p%40ss", "@cluster0.mongodb.net"),
            ("redis://:", "hunter22", "@cache:6379/0"),
            ("https://bob:", "tr0ub4dor", "@example.org/"),
        ),
        (
            ("https://example.org:8080/path@2x.png",),
            ("postgres://user:password@localhost/db",),
            ("postgres://${USER}:${PASS}@db/app",),
            ("http://localhost:3000 or me@example.org",),
        ),
        judge=_uri_password,
        gate=r"://[^\s/]*:[^\s/]+@",
    ),
    Rule(
        "authorization header",
        "",
        (
            ("Authorization: Bearer ", filler(32)),
            ("Authorization: Basic ", "Ym9iOmh1bnRlcjI="),
            ("authorization: token ", filler(40, HEX)),
        ),
        (
            ("Authorization: Bearer <token>",),
            ("Authorization: Bearer ${TOKEN}",),
            ("authorization: required",),
            ('headers["Authorization"] = build(user1, request2)',),
        ),
        ("authorization",),
        find=_find_authorization,
    ),
    Rule(
        "authorization header",
        "",
        (("use Bearer ", filler(40)),),
        (("Bearer of bad news",), ("bearer authentication-scheme",), ("Bearer YOUR_ACCESS_TOKEN",)),
        ("bearer",),
        find=_find_authorization,
    ),
    Rule(
        "authorization header",
        "",
        (("header: Basic ", "Ym9iOmh1bnRlcjI="),),
        (("basic authentication",), ("Basic knowledge",)),
        ("basic ", "basic\t"),
        find=at_literals("authorization header", _BASIC, _basic),
    ),
    Rule(
        "session cookie",
        "",
        (("Cookie: sessionid=", filler(32)), ("Set-Cookie: sid=", filler(24), "; Path=/; HttpOnly")),
        (("Cookie: theme=dark; lang=en",), ("Set-Cookie: <name>=<value>",)),
        ("cookie",),
        find=_find_cookies,
    ),
    Rule(
        "session cookie",
        r"[ \t](?:-b|--cookie)[ =]{1,2}[\"']?([^\s=;\"']{1,100}=[^\r\n\"']+)",
        (("curl -b 'session=", filler(32), "' example.org"),),
        (("curl -b cookies.txt example.org",), ("curl -b 'lang=en; theme=dark' example.org",)),
        judge=_cookies,
        gate=r"[ \t](?:-b|--cookie)[ =]",
    ),
    Rule(
        "session cookie",
        "",
        (("PHPSESSID=", filler(26)),),
        (("JSESSIONID is a cookie",), ("csrftoken = document.querySelector('x').value",)),
        (
            "phpsessid",
            "jsessionid",
            "asp.net_sessionid",
            "connect.sid",
            "sessionid",
            "csrftoken",
            "laravel_session",
            "aspxauth",
            "_session_id",
            "wordpress_logged_in_",
        ),
        find=_find_cookies,
    ),
)
