"""Private keys written as blocks, whole or cut off, with real or escaped line ends.

Knows: PEM, OpenSSH, PGP, SSH2, PuTTY and OpenVPN forms, and PEM once more in Base64, as Kubernetes keeps it.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence

from pmg.base.patterns import AnyMatch, compile_linear
from pmg.ingest.redact.rule import Rule, Span, filler

_SEPARATOR = r"(?:\\+[nrt]|[\s\"'`+,>|#*;()\\])"
# What may stand between the lines of a key in code, JSON or a quoted mail. All of it belongs to the match, so no
# byte is looked at twice.
_BODY = compile_linear(
    rf"(?:{_SEPARATOR}*(?:[A-Z][A-Za-z-]{{2,20}}: [^\r\n\\]{{1,200}}))*"
    rf"(?:{_SEPARATOR}*[A-Za-z0-9+/=_]{{16,}})+"
    rf"(?:{_SEPARATOR}*[A-Za-z0-9+/=]{{1,15}})?{_SEPARATOR}*(?:-{{3,5}} ?END[A-Za-z0-9 ]{{0,60}}-{{3,5}})?",
    "private key body",
)
_SHORT_LINE = compile_linear(r"[A-Za-z0-9+/]{6,}", "private key line")
_ELIDED = compile_linear(r"\.\.\.|…|<|\[|\*\*\*|xxxx|XXXX|(?i:your|example)", "elided key")
_MAX_SHORT_BLOCK = 4000


def _block(data: bytes, match: AnyMatch) -> Sequence[Span]:
    start, end = match.span()
    body = _BODY.match(data, end)
    if body is not None:
        return ((start, _without_trailing_space(data, body.end())),)
    # A short body is only believed when the END line shows where it stops.
    closing = data.find(b"END", end, end + _MAX_SHORT_BLOCK)
    inner = data[end:closing] if closing > 0 else b""
    dashes = data.find(b"--", closing, closing + 60) if closing > 0 else -1
    if dashes < 0 or _SHORT_LINE.search(inner) is None or _ELIDED.search(inner) is not None:
        return ()
    while data[dashes : dashes + 1] == b"-":
        dashes += 1
    return ((start, dashes),)


def _without_trailing_space(data: bytes, end: int) -> int:
    while data[end - 1 : end] in (
        b" ",
        b"\n",
        b"\r",
        b"\t",
        b'"',
        b"'",
        b"`",
        b",",
        b";",
        b")",
        b"|",
        b"*",
        b"#",
        b">",
    ):
        end -= 1
    return end


def _encoded(data: bytes, match: AnyMatch) -> Sequence[Span]:
    """Certificates begin alike: only what calls itself a private key counts."""
    head = data[match.start() : match.start() + _HEAD]
    return (match.span(),) if b"PRIVATE KEY" in base64.b64decode(head) else ()


_HEAD = 64  # characters of Base64 that hold the first line of a PEM block
_BASE64_LINES = base64.b64encode(("-----BEGIN RSA " + "PRIVATE KEY-----\n" + filler(64)).encode()).decode()
_CERTIFICATE = base64.b64encode(("-----BEGIN CERTIFICATE-----\n" + filler(64)).encode()).decode()
_LINES = filler(64) + "\n" + filler(64, seed=3) + "\n" + filler(20) + "==\n"

BLOCK_RULES: tuple[Rule, ...] = (
    Rule(
        "private key",
        r"-{3,5} ?BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE (?:SUBKEY|KEY)(?: BLOCK)? ?-{3,5}|-{3,5}BEGIN OpenVPN (?:Static key V1|tls-crypt-v2 \w{6} key)-{3,5}",
        (
            ("-----BEGIN RSA ", "PRIVATE KEY-----\n", _LINES, "-----END RSA ", "PRIVATE KEY-----"),
            ("-----BEGIN OPENSSH ", "PRIVATE KEY-----\\n", filler(70), "\\n", filler(70, seed=2)),
            (
                "-----BEGIN PGP ",
                "PRIVATE KEY BLOCK-----\nVersion: 1\n\n",
                _LINES,
                "-----END PGP ",
                "PRIVATE KEY BLOCK-----",
            ),
            ("-----BEGIN OpenVPN Static ", "key V1-----\n{hex 32}\n{hex 32}\n-----END OpenVPN Static ", "key V1-----"),
        ),
        (
            (
                "A key starts with -----BEGIN ",
                "PRIVATE KEY----- and a newline.",
            ),
            ("-----BEGIN ", "PRIVATE KEY-----\n...\n-----END ", "PRIVATE KEY-----"),
            ("-----BEGIN PUBLIC KEY-----\n", _LINES, "-----END PUBLIC KEY-----"),
        ),
        ("-BEGIN ", "- BEGIN "),
        _block,
        is_local=False,
    ),
    Rule(
        "private key",
        r"b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/=]{40,}(?:\s{1,8}[A-Za-z0-9+/=]{24,})*(?:\s{1,8}[A-Za-z0-9+/]{1,24}={1,2})?",
        (("b3BlbnNzaC1r", "ZXktdjEAAAAA", filler(100)),),
        (("the magic b3BlbnNzaC1r", "ZXktdjE opens it"),),
        ("b3BlbnNzaC1rZXktdjE",),
    ),
    Rule(
        "private key",
        r"LS0tLS1CRUdJTi[A-Za-z0-9+/]{64,}={0,2}(?:\s{1,8}[A-Za-z0-9+/=]{24,})*",
        (("client-key-data: ", _BASE64_LINES),),
        (("certificate-authority-data: ", _CERTIFICATE), ("LS0tLS1CRUdJTi stands for five dashes",)),
        ("LS0tLS1CRUdJTi",),
        _encoded,
        is_local=False,
    ),
    Rule(
        "private key",
        r"Private-Lines: \d+[\r\n\\]+n?((?:[A-Za-z0-9+/=]{8,}[\s\\]*n?)+)",
        (("Private-Lines: 2\n", filler(64), "\n", filler(24), "\n"),),
        (("Private-Lines: none",),),
        ("Private-Lines:",),
    ),
)
