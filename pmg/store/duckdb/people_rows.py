"""Claims, entities and lines as rows of the database, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from pmg.base.claim import Claim, Modality
from pmg.base.text import escape, unescape
from pmg.base.times import from_micros
from pmg.store.people import Entity, EntityKind, FoundLine, NewClaims, StoredClaim


def entity_of(row: tuple[Any, ...]) -> Entity:
    given, names = row[4], [unescape(name) for name in row[5]]
    return Entity(
        row[0],
        row[1],
        unescape(row[2]),
        EntityKind(row[3]),
        unescape(given) if given else names[0],
        tuple(names),
        int(row[6]),
    )


def claim_of(row: tuple[Any, ...]) -> StoredClaim:
    claim = Claim(
        unescape(row[1]), unescape(row[2]), row[3], unescape(row[4]), from_micros(row[5], row[6] or 0), row[7], row[8], row[9],
        row[10], row[11], round(row[12], 2), Modality(row[13]), row[14], row[15], unescape(row[16]), unescape(row[21]),
    )  # fmt: skip
    return StoredClaim(row[0], claim, row[17], unescape(row[18]), row[19], row[20])


def found_line_of(row: tuple[Any, ...]) -> FoundLine:
    said_at = from_micros(row[4], row[5] or 0)
    return FoundLine(
        row[0],
        row[1],
        unescape(row[2]),
        unescape(row[3]),
        said_at,
        row[6],
        row[7],
        row[8],
        row[9],
        unescape(row[10]),
    )


def entity_columns(entities: Sequence[Entity]) -> dict[str, Any]:
    return {
        "id": pa.array([one.id for one in entities], pa.int64()),
        "namespace": pa.array([one.namespace for one in entities], pa.string()),
        "conversation": pa.array([escape(one.conversation) for one in entities], pa.string()),
        "kind": pa.array([one.kind.value for one in entities], pa.string()),
    }


def mention_columns(new: NewClaims) -> dict[str, Any]:
    return {
        "segment": pa.array([one.segment for one in new.mentions], pa.int64()),
        "line": pa.array([one.line for one in new.mentions], pa.int32()),
        "entity": pa.array([one.entity for one in new.mentions], pa.int64()),
        "name": pa.array([escape(one.name) for one in new.mentions], pa.string()),
    }


def claim_columns(rows: Sequence[tuple[int, Claim, int, int]], first: int) -> dict[str, Any]:
    claims = [claim for _, claim, _, _ in rows]
    return {
        "id": pa.array(range(first, first + len(rows)), pa.int64()),
        "segment": pa.array([row[0] for row in rows], pa.int64()),
        "line": pa.array([claim.line for claim in claims], pa.int32()),
        "start_at": pa.array([claim.start for claim in claims], pa.int32()),
        "end_at": pa.array([claim.end for claim in claims], pa.int32()),
        "speaker": pa.array([escape(claim.speaker) for claim in claims], pa.string()),
        "subject": pa.array([escape(claim.subject) for claim in claims], pa.string()),
        "relation": pa.array([escape(claim.relation) for claim in claims], pa.string()),
        "object": pa.array([escape(claim.object) for claim in claims], pa.string()),
        "is_positive": pa.array([claim.is_positive for claim in claims], pa.bool_()),
        "certainty": pa.array([claim.certainty for claim in claims], pa.float32()),
        "modality": pa.array([claim.modality.value for claim in claims], pa.string()),
        "valid_from": pa.array([claim.valid_from for claim in claims], pa.date32()),
        "valid_to": pa.array([claim.valid_to for claim in claims], pa.date32()),
        "quoted": pa.array([escape(claim.quoted) for claim in claims], pa.string()),
        "about": pa.array([row[2] for row in rows], pa.int64()),
        "object_entity": pa.array([row[3] for row in rows], pa.int64()),
        "source": pa.array([escape(claim.source) for claim in claims], pa.string()),
    }
