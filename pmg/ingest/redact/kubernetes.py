"""Secrets as Kubernetes writes them: each value under `data` and `stringData` of what says `kind: Secret`, in YAML and JSON.

Their names announce nothing, and in Base64 no value looks like one. Written by a program `data` stands above `kind`, by
people below it.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Sequence

from pmg.base.patterns import plain
from pmg.ingest.redact.rule import Rule, RuleHit, Span
from pmg.ingest.redact.values import is_placeholder

_EDGE = plain(rb"(?m)^---|[\"']?\bkind\b[\"']?[ \t]{0,3}:")
_YAML = plain(rb"(?m)^([ \t]{0,40})(data|stringData):[ \t]*\r?\n((?:\1[ \t]+[^\r\n]*(?:\r?\n|\Z)|[ \t]*\r?\n)+)")
_ENTRY = plain(
    rb"(?m)^([ \t]*)[\w.\"'/-]+:[ \t]*(?:[|>][+-]?[ \t]*\r?\n((?:\1[ \t]+[^\r\n]*(?:\r?\n|\Z))+)|([^\r\n]*))"
)
_JSON = plain(rb"\"(data|stringData)\"\s{0,8}:\s{0,8}\{([^{}]*)\}")
_PAIR = plain(rb"\"[^\"\r\n]{1,200}\"\s{0,8}:\s{0,8}\"((?:[^\"\\]|\\.)*)\"")
_BASE64 = plain(rb"(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=")
_CERTIFICATE = b"BEGIN CERTIFICATE"
_MIN_SIZE = 3  # bytes


def find_secrets(data: bytes, start: int, end: int, places: Sequence[Span]) -> Iterator[RuleHit]:
    edge = start  # of what was read
    for begin, stop in places:
        if begin < edge:
            continue
        above = max((found.start() for found in _EDGE.finditer(data, edge, begin)), default=edge)
        below = found.start() if (found := _EDGE.search(data, stop)) is not None else len(data)
        spans = _values(data, above, begin) or _values(data, stop, below)
        edge = stop
        if spans:
            yield begin, max(stop, spans[-1][1]), spans, "secret"


def _values(data: bytes, start: int, end: int) -> list[Span]:
    spans = list[Span]()
    for block in _YAML.finditer(data, start, end):
        entries = (found.span(2) if found[2] else found.span(3) for found in _ENTRY.finditer(data, *block.span(3)))
        spans += [span for entry in entries if _is_secret(data, span := _bare(data, entry), block[2] == b"data")]
    for written in _JSON.finditer(data, start, end):
        pairs = (found.span(1) for found in _PAIR.finditer(data, *written.span(2)))
        spans += [span for span in pairs if _is_secret(data, span, written[1] == b"data")]
    return sorted(spans)


def _bare(data: bytes, span: Span) -> Span:
    """Without blanks, line ends and quotes around it."""
    written = data[slice(*span)]
    start = span[0] + len(written) - len(written.lstrip(b" \t\r\n\"'"))
    return start, max(start, span[1] - (len(written) - len(written.rstrip(b" \t\r\n\"'"))))


def _is_secret(data: bytes, span: Span, is_encoded: bool) -> bool:
    written = data[slice(*span)]
    if len(written) < _MIN_SIZE or is_placeholder(written.decode("utf-8", "replace")):
        return False
    return not is_encoded or (_BASE64.fullmatch(written) is not None and _CERTIFICATE not in _decoded(written))


def _decoded(written: bytes) -> bytes:
    try:
        return base64.b64decode(written)
    except binascii.Error:
        return b""


_HEAD = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: shop\n"
KUBERNETES_RULES: tuple[Rule, ...] = (
    Rule("secret", "",
         ((_HEAD, "data:\n  anything: {alnum 24}\n"), (_HEAD, "stringData:\n  anything: Sommer im Garten\n"), ("apiVersion: v1\ndata:\n  anything: {alnum 24}\n", "kind: Secret\n"),
          ('{"kind": "Secret", ', '"data": {"anything": "{alnum 24}"}}')),
         (("kind: ConfigMap\ndata:\n  anything: c29tZXRoaW5n\n",), (_HEAD, "data:\n  anything: {{ .Values.it | b64enc }}\n"), (_HEAD, "data: {}\n---\nkind: ConfigMap\ndata:\n  anything: c29tZXRoaW5n\n")),
         literals=("kind: Secret", '"kind": "Secret"', '"kind":"Secret"'), find=find_secrets, follow=b" \t\r\n,}\0", is_local=False),
)  # fmt: skip
