"""What the reading tools say: plain functions from an engine, a wall and a wish to text within a budget.

Knows: how memories read for a model: fenced, dated, with ids. Who asks and how it travels stand in tools.py. Everything is asked of
one namespace, so an id from behind another wall is unknown here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pmg.engine import Engine
from pmg.errors import InputError, NotFound
from pmg.model import Passage, Segment, Session, State
from pmg.recall.assemble import assemble, label
from pmg.recall.fence import quoted
from pmg.recall.pack import BlockItem
from pmg.recall.receipt import Recalled, Receipt
from pmg.server.mcp.receipts import ReceiptShelf
from pmg.server.mcp.signing import Signer
from pmg.store.browse import BrowseFilter, TimelinePoint
from pmg.text import tokens
from pmg.times import now, parse, shown

MOST = 100  # rows of one answer
DEEPEST = 500  # results of one search, all pages together
ONE_LINE = 160  # characters of a memory in a list
SLACK = 60  # tokens kept free for the receipt's id and a remark
LINKS = 5
LAST_DAYS = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class MemoryLink:
    """Where a recalled memory can be read whole."""

    segment: str
    name: str

    @property
    def uri(self) -> str:
        return f"pmg://segment/{self.segment}"


@dataclass(frozen=True, slots=True)
class RecallAnswer:
    text: str
    links: tuple[MemoryLink, ...]


def recall(engine: Engine, shelf: ReceiptShelf, namespace: str, question: str, budget: int) -> RecallAnswer:
    """The block, its receipt's id, and links for as long as the budget lasts."""
    found = engine.recall(_asked(question), namespace=namespace, budget_tokens=max(50, budget - SLACK))
    if not found.context:
        return RecallAnswer(f"Nothing in this memory matches. {found.receipt.note}".strip(), ())
    name = shelf.put(found.receipt)
    text = f"{found.context}\nreceipt {name}" + (f" ({found.receipt.note})" if found.receipt.note else "")
    return RecallAnswer(text, _links(found, budget - tokens(text)))


def _links(found: Recalled, room: int) -> tuple[MemoryLink, ...]:
    used = {entry.segment for entry in found.receipt.found if entry.in_context}
    made: list[MemoryLink] = []
    for segment in [one for one in found.segments if one.id in used][:LINKS]:
        link = MemoryLink(segment.id, f"{segment.at:%Y-%m-%d} {label(segment.title, 40)}".strip())
        room -= tokens(f'{{"type":"resource_link","name":"{link.name}","uri":"{link.uri}"}}') + 1
        if room < 0:
            break
        made.append(link)
    return tuple(made)


def search(engine: Engine, signer: Signer, namespace: str, query: str, limit: int, cursor: str) -> dict[str, Any]:
    """Ids with one line each, best first, in the shape that ChatGPT's connectors ask for."""
    offset = signer.offset(cursor, namespace, query) if cursor else 0
    if offset is None:
        raise InputError("This cursor is not of this search: begin again without one.")
    size = _between("limit", limit, 1, MOST)
    wanted = min(offset + size + 1, DEEPEST)
    found = engine.recall(_asked(query), namespace=namespace, count=False, limit=wanted, pool=max(100, wanted))
    rows = [_result(one) for one in found.segments[offset : offset + size]]
    more = len(found.segments) > offset + size
    return {"results": rows, **({"cursor": signer.cursor(offset + size, namespace, query)} if more else {})}


def _result(one: Passage) -> dict[str, str]:
    return {"id": one.id, "title": f"{shown(one.at)} · {label(one.title, 80)}", "url": f"pmg://segment/{one.id}",
            "text": label(one.text, ONE_LINE)}  # fmt: skip


def fetch(engine: Engine, shelf: ReceiptShelf, namespace: str, name: str, around: int, budget: int) -> dict[str, Any]:
    """A segment with its neighbours, a session or document whole, or the receipt of a recall."""
    receipt = shelf.get(name, namespace)
    if receipt is not None:
        return {"id": name, "title": "receipt", "text": quoted(_receipt_rows(receipt), name), "url": "", "metadata": {}}
    _between("budget_tokens", budget, 200, 100_000)
    if name.startswith("seg_"):
        chosen = segment_of(engine, namespace, name)
        beside = _between("neighbours", around, 0, 50)
        rows = [s for s in engine.reads.segments_of(chosen.session_id) if abs(s.index - chosen.index) <= beside]
        rows.sort(key=lambda s: (abs(s.index - chosen.index), s.index))
        return _fetched(name, chosen.title or chosen.session_id, rows, budget, f"pmg://segment/{name}", chosen.source)
    session = session_of(engine, namespace, name)
    rows = engine.reads.segments_of(name)
    return _fetched(name, session.title or name, rows, budget, f"pmg://session/{name}", session.source)


def _fetched(name: str, title: str, rows: Sequence[Segment], budget: int, url: str, source: str) -> dict[str, Any]:
    block = assemble([BlockItem(_passage(one), "quoted") for one in rows], budget, name, True)
    inside = {placed.item.segment.id for placed in block.placed}
    left = next((one.id for one in sorted(rows, key=lambda s: s.index) if one.id not in inside), "")
    metadata = {
        "source": source,
        "turns": str(len(rows)),
        "shown": str(len(inside)),
        **({"next": left} if left else {}),
    }
    return {"id": name, "title": label(title, 80), "text": block.text, "url": url, "metadata": metadata}


def timeline(engine: Engine, namespace: str, about: str, since: str, until: str, limit: int) -> str:
    """What was said when, oldest first. Without a time the last week of the memory; with a topic whatever it finds."""
    first, last = (parse(text) if text else None for text in (since, until))
    size = _between("limit", limit, 1, MOST)
    if about.strip():
        found = engine.recall(about, namespace=namespace, count=False, limit=size).segments
        inside = [one for one in found if (first is None or one.at >= first) and (last is None or one.at < last)]
        return _listed((_row(one.id, one.at, one.title, one.text, "") for one in sorted(inside, key=_when)), namespace)
    end = engine.reads.browse.extent(BrowseFilter(namespace)).last
    begin = first or (end - LAST_DAYS if end and last is None else None)
    points = engine.reads.browse.marks(BrowseFilter(namespace, since=begin, until=last), "state", size)
    return _listed((_point(one) for one in points), namespace)


def people(engine: Engine, namespace: str, name: str, question: str, limit: int) -> str:
    """Who speaks in this memory, or what one of them said, by date; with a question, their lines that bear on it."""
    known = engine.reads.browse.people(namespace)
    if not name.strip():
        return _listed(known, namespace) or "Nobody has said anything in this memory yet."
    who = next((one for one in known if one.casefold() == name.strip().casefold()), None)
    if who is None:
        return f"Nobody called {label(name, 60)} speaks in this memory. Those who do:\n{_listed(known[:20], namespace)}"
    size = _between("limit", limit, 1, MOST)
    if question.strip():
        return _said(engine, namespace, who, question, size) or f"{label(who, 60)} said nothing that bears on this."
    points = engine.reads.browse.marks(BrowseFilter(namespace, person=who), "state", size)
    return _listed((_point(one) for one in points), namespace)


def _said(engine: Engine, namespace: str, who: str, question: str, size: int) -> str:
    found = engine.recall(question, namespace=namespace, limit=DEEPEST)
    segments = {one.id: one for one in found.segments}
    ranked = [row for row in found.lines if segments[row.segment].lines[row.line].speaker == who][:size]
    rows = sorted(ranked, key=lambda row: (_when(segments[row.segment]), row.line))
    return _listed(
        (_row(r.segment, (s := segments[r.segment]).at, s.title, f"{who}: {s.lines[r.line].text}", "") for r in rows),
        namespace,
    )


def ending(engine: Engine, namespace: str, name: str, budget: int) -> str:
    """The last turns of a session, as many as fit."""
    rows = engine.reads.segments_of(session_of(engine, namespace, name).id)
    items = [BlockItem(_passage(one), "quoted") for one in reversed(rows[-MOST:])]
    return assemble(items, budget, name, True).text


def today(engine: Engine, namespace: str) -> str:
    begin = now().replace(hour=0, minute=0, second=0, microsecond=0)
    points = engine.reads.browse.marks(BrowseFilter(namespace, since=begin), "state", MOST)
    return _listed((_point(one) for one in points), namespace) or "Nothing was said today."


def segment_of(engine: Engine, namespace: str, name: str) -> Segment:
    numbers = engine.reads.numbers_of([name])
    found = engine.reads.segments(list(numbers.values()))
    if not found or found[0].namespace != namespace:
        raise NotFound(f"There is no segment {label(name, 120)!r} in this memory. `search` gives ids.")
    return found[0]


def session_of(engine: Engine, namespace: str, name: str) -> Session:
    found = engine.reads.session(name)
    if found is None or found.namespace != namespace:
        raise NotFound(f"There is no session {label(name, 120)!r} in this memory. `search` gives ids.")
    return found


def _asked(question: str) -> str:
    if not question.strip():
        raise InputError("The question is empty: say what to look for.")
    return question


def _between(name: str, value: int, low: int, high: int) -> int:
    if not low <= value <= high:
        raise InputError(f"{name} is {value}: give {low} to {high}.")
    return value


def _listed(rows: Iterable[str], salt: str) -> str:
    return quoted("\n".join(label(row, 400) for row in rows), salt)


def _point(one: TimelinePoint) -> str:
    return _row(one.id, one.at, one.title, one.words, "" if one.state is State.ACTIVE else one.state.value)


def _row(name: str, at: datetime, title: str, text: str, state: str) -> str:
    mark = f" [{state}]" if state else ""
    return f"{at:%a %Y-%m-%d %H:%M} · {label(title, 60)} · {name}{mark} · {label(text, ONE_LINE)}"


def _receipt_rows(receipt: Receipt) -> str:
    head = f"mode {receipt.mode}, {receipt.used_tokens} of {receipt.budget_tokens} tokens used"
    rows = [f"{one.segment} · {one.role} · {one.score:.3f} · {one.why}" for one in receipt.found]
    left = [f"left out: {one.segment} · {one.reason}" for one in receipt.dropped[:20]]
    return "\n".join([head, *rows, *left])


def _when(one: Passage) -> tuple[datetime, int]:
    return (one.at, one.number)


def _passage(one: Segment) -> Passage:
    return Passage(
        one.number, one.id, one.session_id, one.index, one.namespace, one.at, one.lines, one.title, one.source
    )
