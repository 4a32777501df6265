"""A memory as JSON lines: the one complete form in which it leaves a store and comes back the same.

    {"pmg": "export", "version": 1, "store": "…", "exported_at": "…"}
    {"session": id, "namespace", "conversation", "title", "source", "started_at", "ended_at", "open", "meta"}
    {"segment": id, "session": id, "index", "at", "lines": [{"speaker", "role", "text", "at"}], "state", "stands_for", …}   its turns
    {"edge": kind, "from": id, "to": id, "weight", "origin", "created_at"}                    at the end
    {"identity": verdict, "a": who, "b": who, "reason", "actor", "decided_at"}                 and who was decided to be whom
    {"given_name": name, "of": who}                                                           who: {"namespace", "conversation", "kind", "name"}
    {"ruling": what, "on": segment id, "namespace", "line", "start", "relation", "object", "words", "ended"}   a claim as a person wants it read

Only what cannot be made again is there: vectors, semantic edges, automatic links and claims follow from the words.
Knows: this form, and that what is read may be anybody's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from pmg.base.errors import InputError
from pmg.base.model import Edge, Kind, Line, Origin, Role, Segment, Session, State, content_hash
from pmg.base.text import escape, unescape
from pmg.base.times import parse
from pmg.store.exchange import StoredSegment
from pmg.store.people import (
    ClaimRuling,
    EntityKey,
    EntityKind,
    Identity,
    PortableDecision,
    PortableName,
    PortableRow,
    PortableRuling,
    Ruling,
)

VERSION = 1
HEAD = b'{"pmg": "export"'


def head_row(store_id: str, exported_at: datetime) -> str:
    return _row({"pmg": "export", "version": VERSION, "store": store_id, "exported_at": exported_at.isoformat()})


def session_row(session: Session) -> str:
    return _row(
        {
            "session": session.id,
            "namespace": session.namespace,
            "conversation": session.conversation,
            "title": session.title,
            "source": session.source,
            "started_at": session.started_at.isoformat(),
            "ended_at": _time(session.ended_at),
            "open": session.is_open,
            "meta": dict(session.meta),
        }
    )


def segment_row(whole: StoredSegment) -> str:
    segment = whole.segment
    return _row(
        {
            "segment": segment.id,
            "session": segment.session_id,
            "index": segment.index,
            "at": segment.at.isoformat(),
            "lines": [_line_row(line) for line in segment.lines],
            "state": segment.state.value,
            "stands_for": segment.stands_for,
            "hits": segment.hits,
            "last_hit": _time(segment.last_hit),
            "pinned": segment.pinned,
            "tags": list(segment.tags),
            "quality": segment.quality,
            "origin_id": whole.origin_id,
            "meta": dict(segment.meta),
        }
    )


def _line_row(line: Line) -> dict[str, Any]:
    row: dict[str, Any] = {"speaker": line.speaker, "role": line.role.value, "text": line.text}
    return row if line.at is None else {**row, "at": line.at.isoformat()}


def edge_row(edge: Edge) -> str:
    return _row(
        {
            "edge": edge.kind.value,
            "from": edge.source,
            "to": edge.target,
            "weight": edge.weight,
            "origin": edge.origin.value,
            "created_at": edge.created_at.isoformat(),
        }
    )


def people_row(row: PortableRow) -> str:
    if isinstance(row, PortableRuling):
        return _row(_ruling_row(row))
    if isinstance(row, PortableName):
        return _row({"given_name": row.name, "of": _key_row(row.of)})
    return _row(
        {
            "identity": row.verdict.value,
            "a": _key_row(row.a),
            "b": _key_row(row.b),
            "reason": row.reason,
            "actor": row.actor,
            "decided_at": row.decided_at,
        }
    )


def _ruling_row(row: PortableRuling) -> dict[str, Any]:
    one = row.ruling
    return {
        "ruling": one.ruling.value,
        "on": one.segment,
        "namespace": row.namespace,
        "line": one.line,
        "start": one.start,
        "relation": one.relation,
        "object": one.object,
        "words": one.words,
        "ended": one.ended.isoformat() if one.ended else None,
    }


def _key_row(key: EntityKey) -> dict[str, str]:
    return {
        "namespace": key.namespace,
        "conversation": key.conversation,
        "kind": key.kind.value,
        "name": key.name,
    }


def record(row: str) -> Session | StoredSegment | Edge | PortableRow | None:
    """What a row tells; None for the head. InputError says what is wrong with a row that tells nothing."""
    try:
        parsed = _unescaped(json.loads(row))
        if "pmg" in parsed:
            _check_head(parsed)
            return None
        if "edge" in parsed:
            return _edge(parsed)
        if "identity" in parsed or "given_name" in parsed:
            return _people(parsed)
        if "ruling" in parsed:
            return _ruling(parsed)
        return _segment(parsed) if "segment" in parsed else _session(parsed)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, OverflowError) as error:
        raise InputError(f"not a row of an export of PMG ({type(error).__name__}: {error})") from None


def store_of(row: str) -> str:
    """The id of the store that a head names; InputError for a head that this version does not read."""
    try:
        head = json.loads(row)
        _check_head(head)
        return str(head.get("store", ""))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(f"damaged: not the head of an export of PMG ({type(error).__name__}: {error})") from None


def _check_head(head: Mapping[str, Any]) -> None:
    version = head["version"]
    if not isinstance(version, int) or version > VERSION:
        raise InputError(f"an export of version {version!r}; this PMG reads up to {VERSION}: upgrade PMG")


def _session(row: Mapping[str, Any]) -> Session:
    return Session(
        id=_text(row["session"]),
        namespace=_text(row.get("namespace", "")),
        conversation=_text(row.get("conversation", "")),
        title=_text(row.get("title", "")),
        source=_text(row.get("source", "")),
        started_at=parse(row["started_at"]),
        ended_at=parse(row["ended_at"]) if row.get("ended_at") else None,
        is_open=bool(row.get("open", False)),
        meta=_texts(row.get("meta", {})),
    )


def _segment(row: Mapping[str, Any]) -> StoredSegment:
    lines = tuple(_line(one) for one in row["lines"])
    segment = Segment(
        number=0,
        id=_text(row["segment"]),
        session_id=_text(row["session"]),
        index=int(row["index"]),
        namespace="",
        at=parse(row["at"]),
        lines=lines,
        state=State(row.get("state", State.ACTIVE.value)),
        stands_for=_text(row.get("stands_for", "")),
        hits=min(max(int(row.get("hits", 0)), 0), 2**31 - 1),
        last_hit=parse(row["last_hit"]) if row.get("last_hit") else None,
        pinned=bool(row.get("pinned", False)),
        tags=tuple(_text(tag) for tag in row.get("tags", ())),
        quality=min(max(float(row.get("quality", 0.5)), 0.0), 1.0),
        meta=_texts(row.get("meta", {})),
    )
    return StoredSegment(segment, _text(row.get("origin_id", "")), content_hash(lines))


def _line(row: Mapping[str, Any]) -> Line:
    at = parse(row["at"]) if row.get("at") else None
    return Line(_text(row["speaker"]), Role(row["role"]), _text(row["text"]), at)


def _edge(row: Mapping[str, Any]) -> Edge:
    kind, weight = Kind(row["edge"]), float(row["weight"])
    if kind in (Kind.CHAIN, Kind.SEMANTIC) or not 0.0 < weight <= 1.0:
        raise ValueError(f"a link {kind.value} of weight {weight}")
    return Edge(_text(row["from"]), _text(row["to"]), kind, weight, Origin(row["origin"]), parse(row["created_at"]))


def _people(row: Mapping[str, Any]) -> PortableDecision | PortableName:
    if "given_name" in row:
        return PortableName(_key(row["of"]), _text(row["given_name"]))
    at, reason, actor = int(row["decided_at"]), _text(row["reason"]), _text(row["actor"])
    if not 0 <= at < 2**62:
        raise ValueError(f"a decision at {at}")
    return PortableDecision(_key(row["a"]), _key(row["b"]), Identity(row["identity"]), reason, actor, at)


def _ruling(row: Mapping[str, Any]) -> PortableRuling:
    line, start = int(row["line"]), int(row["start"])
    if not (0 <= line < 2**31 and 0 <= start < 2**31):
        raise ValueError(f"a claim at line {line}, character {start}")
    ended = date.fromisoformat(_text(row["ended"])) if row.get("ended") else None
    place = (_text(row["on"]), line, start, _text(row["relation"]), _text(row["object"]))
    return PortableRuling(
        _text(row["namespace"]), ClaimRuling(*place, Ruling(row["ruling"]), _text(row.get("words", "")), ended)
    )


def _key(row: Mapping[str, Any]) -> EntityKey:
    kind = EntityKind(row["kind"])
    return EntityKey(_text(row["namespace"]), _text(row["conversation"]), kind, _text(row["name"]))


def _row(row: Mapping[str, Any]) -> str:
    # Escaped first: JSON would make one character of two lone surrogates that stand side by side.
    return json.dumps(_escaped(row), ensure_ascii=False)


def _escaped(value: Any) -> Any:
    if isinstance(value, str):
        return escape(value)
    if isinstance(value, Mapping):
        return {escape(key): _escaped(item) for key, item in value.items()}
    return [_escaped(item) for item in value] if isinstance(value, list) else value


def _unescaped(value: Any) -> Any:
    if isinstance(value, str):
        return unescape(value)
    if isinstance(value, Mapping):
        return {unescape(key): _unescaped(item) for key, item in value.items()}
    return [_unescaped(item) for item in value] if isinstance(value, list) else value


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise TypeError(f"{value!r} is not a text")


def _texts(value: Mapping[str, Any]) -> dict[str, str]:
    return {_text(key): _text(item) for key, item in value.items()}


def _time(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()
