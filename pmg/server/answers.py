"""What is read of a memory for a program: plain functions from an engine, a namespace and a request to text within a budget.

MCP, REST and the hooks use it. Knows how memories read for a model: fenced, dated, with ids. Who asks and how it travels stand in mcp/tools.py and rest/. Everything is asked of
one namespace, so an id of another namespace is unknown here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import unquote

from pmg.base.errors import InputError, NotFound
from pmg.base.model import YOU, Line, Passage, Role, Segment, State
from pmg.base.project import MAX_NAME, Project, ProjectScope, project_in, scope_asked
from pmg.base.text import tokens
from pmg.base.times import now, parse_range, shown, within
from pmg.client.results import TimelineEntry, TimelinePage
from pmg.engine import Engine
from pmg.recall.assemble import assemble, label
from pmg.recall.pack import BlockItem
from pmg.recall.receipt import Recalled, Receipt
from pmg.server import browsing
from pmg.server.browsing import MAX_RESULTS, MAX_ROWS, between
from pmg.server.fenced import StoredRow, fenced
from pmg.server.here import narrowed, recall_here
from pmg.server.lookup import segment_of, session_of, speaker_named, speakers
from pmg.server.receipt_cache import ReceiptCache
from pmg.server.signing import Signer

MAX_LINE = 160  # characters of a memory in a list
NOTHING_BEARS = "Nothing in this memory clearly bears on this. `search` lists the nearest."
RESERVED_TOKENS = 60  # tokens kept free for the receipt's id and a remark
MIN_BUDGET, MAX_BUDGET = 50, 1_000_000  # tokens of a recall, as `recall.budget_tokens`
SHOWN_SPEAKERS = 20
LINKS = 5
RECEIPT = "rcpt_"
ADDRESS = re.compile(r"pmg://(?:segment|session)/(.+)")
LABEL = re.compile(r"[0-9a-f]{12}:[0-9]{1,4}")  # as assemble.py heads what it quotes


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


@dataclass(frozen=True, slots=True)
class RecallFilter:
    """Only what these people said, only from these times. Empty: whoever, whenever."""

    people: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    owner: bool = False  # also whatever the owner of the memory said, under whatever name

    @classmethod
    def of(cls, people: Sequence[str], since: str, until: str) -> RecallFilter:
        names = tuple(name.strip().casefold() for name in people if name.strip())
        return cls(names, *parse_range(since, until))

    def of_memory(self, engine: Engine, namespace: str) -> RecallFilter:
        """With the names of its owner, where `you` or `me` is asked for and nobody here is called so."""
        asked = (name for name in self.people if speaker_named(engine, namespace, name) == YOU)
        if not any(asked):
            return self
        names = {name.casefold() for name in engine.reads.browse.owner_names(namespace)}
        return replace(self, people=(*self.people, *sorted(names)), owner=True)

    @property
    def is_empty(self) -> bool:
        return self == RecallFilter()

    def lets(self, one: Passage) -> bool:
        if not within(one.at, self.since, self.until):
            return False
        return not self.people or any(map(self._is_theirs, one.lines))

    def _is_theirs(self, line: Line) -> bool:
        return line.speaker.casefold() in self.people or (self.owner and line.role is Role.USER)


@dataclass(frozen=True, slots=True)
class AskedPlace:
    """Where a caller works, and which project it names: a name counts, `*` means all, and without one what is said here comes first."""

    project: str = ""
    folder: str = ""

    @property
    def only(self) -> ProjectScope | None:
        return scope_asked(self.project)

    @property
    def here(self) -> Project | None:
        return None if self.project.strip() else project_in(self.folder)

    @property
    def scope(self) -> ProjectScope | None:
        """Of a list, in which nothing stands apart."""
        return ProjectScope(self.here, nowhere=True) if self.here is not None else self.only

    @property
    def remark(self) -> str:
        """Below a list that nobody asked to be cut down."""
        return (
            f'Only {label(self.here.name, MAX_NAME)} and what is of no project: project="*" gives all.'
            if self.here
            else ""
        )


def recall(
    engine: Engine,
    receipts: ReceiptCache,
    namespace: str,
    question: str,
    budget: int,
    only: RecallFilter = RecallFilter(),  # noqa: B008 (frozen)
    place: AskedPlace = AskedPlace(),  # noqa: B008 (frozen)
) -> RecallAnswer:
    """The block, its receipt's id, and links for as long as the budget lasts."""
    between("budget_tokens", budget, MIN_BUDGET, MAX_BUDGET)
    only = only.of_memory(engine, namespace)
    room = max(MIN_BUDGET, budget - RESERVED_TOKENS)

    def ask(scope: ProjectScope | None) -> Recalled:
        return _recalled(engine, namespace, _asked(question), room, only, scope or place.only)

    here = recall_here(engine, place.here, question, ask)
    found = here.recalled
    if not found.context:
        return RecallAnswer(_nothing(engine, namespace, found, budget, only), ())
    if not here.bears:
        return RecallAnswer(NOTHING_BEARS, ())
    name = receipts.put(found.receipt, found.context)
    text = f"{here.text}\nreceipt {name}" + (f" ({found.receipt.note})" if found.receipt.note else "")
    return RecallAnswer(text, _links(found, budget - tokens(text)))


def _nothing(engine: Engine, namespace: str, found: Recalled, budget: int, only: RecallFilter) -> str:
    """Why there is no block: no room for what was found, nobody of that name, or nothing at all."""
    if found.segments:
        count = len(found.segments)
        what = "1 memory matches, but it does not fit" if count == 1 else f"{count} memories match, but none fits"
        return f"{what} into budget_tokens={budget}: give more."
    unknown = [name for name in only.people if speaker_named(engine, namespace, name) is None]
    if unknown:
        return _nobody(engine, namespace, unknown[0])
    return f"Nothing in this memory matches. {found.receipt.note}".strip()


def _nobody(engine: Engine, namespace: str, name: str) -> str:
    known = fenced(engine, map(StoredRow, speakers(engine, namespace)[:SHOWN_SPEAKERS]))
    return f"Nobody called {label(name, 60)} speaks in this memory. Those who do:\n{known}"


def _recalled(
    engine: Engine, namespace: str, question: str, budget: int, only: RecallFilter, scope: ProjectScope | None
) -> Recalled:
    many: dict[str, Any] = {} if only.is_empty else {"limit": MAX_RESULTS, "pool": MAX_RESULTS}
    found = engine.recall(question, namespace=namespace, budget_tokens=budget, project=scope or "", **many)
    return found if only.is_empty else narrowed(engine, found, only.lets)


def _links(found: Recalled, room: int) -> tuple[MemoryLink, ...]:
    used = {entry.segment for entry in found.receipt.found if entry.in_context}
    made: list[MemoryLink] = []
    for segment in [one for one in found.segments if one.id in used][:LINKS]:
        link = MemoryLink(segment.id, f"{segment.at:%Y-%m-%d}")
        room -= tokens(f'{{"type":"resource_link","name":"{link.name}","uri":"{link.uri}"}}') + 1
        if room < 0:
            break
        made.append(link)
    return tuple(made)


@dataclass(frozen=True, slots=True)
class Hits:
    """A page of a search, best first. `cursor` leads to the next one; empty: there is none."""

    rows: tuple[Passage, ...]
    cursor: str


def search(
    engine: Engine,
    signer: Signer,
    namespace: str,
    query: str,
    limit: int,
    cursor: str,
    place: AskedPlace = AskedPlace(),  # noqa: B008 (frozen)
) -> Hits:
    asked = (namespace, query, place.project, place.folder)
    offset = signer.offset(cursor, *asked) if cursor else 0
    if offset is None:
        raise InputError("This cursor is not of this search: begin again without one.")
    size = between("limit", limit, 1, MAX_ROWS)
    wanted = min(offset + size + 1, MAX_RESULTS)
    many: dict[str, Any] = {"limit": wanted, "pool": max(100, wanted)}
    found = engine.recall(_asked(query), namespace=namespace, project=place.scope or "", count=False, **many)
    more = len(found.segments) > offset + size
    following = signer.cursor(offset + size, *asked) if more else ""
    return Hits(tuple(found.segments[offset : offset + size]), following)


def titled(one: Passage) -> str:
    return " · ".join(part for part in (shown(one.at), label(one.project or one.session_name, 80)) if part)


def listed(engine: Engine, hits: Hits, remark: str = "") -> dict[str, Any]:
    """Ids for a model, in the shape that ChatGPT's connectors ask for, and one fenced text with a line of each."""
    results = [{"id": one.id, "title": shown(one.at), "url": f"pmg://segment/{one.id}"} for one in hits.rows]
    rows = (StoredRow(f"{one.id} · {titled(one)} · {label(one.text, MAX_LINE)}", (one.id,)) for one in hits.rows)
    more = {"cursor": hits.cursor} if hits.cursor else {}
    return {"results": results, "text": fenced(engine, rows), **({"remark": remark} if remark else {}), **more}


def fetch(
    engine: Engine, receipts: ReceiptCache, namespace: str, name: str, around: int, budget: int
) -> dict[str, Any]:
    """A segment with its neighbours, a session or document whole, or the receipt of a recall; by its id, its address, or the label that
    it has in a recalled block."""
    name = _named(receipts, namespace, name)
    receipt = receipts.get(name, namespace)
    if receipt is None and name.startswith(RECEIPT):
        raise NotFound(f"There is no receipt {label(name, 60)!r} here, or no longer: recall again, and it gives one.")
    if receipt is not None:
        return {
            "id": name,
            "title": "receipt",
            "text": fenced(engine, _receipt_rows(receipt)),
            "url": "",
            "metadata": {},
        }
    between("budget_tokens", budget, 200, 100_000)
    if name.startswith("seg_"):
        chosen = segment_of(engine, namespace, name)
        beside = between("neighbours", around, 0, 50)
        rows = [s for s in engine.reads.segments_of(chosen.session_id) if abs(s.index - chosen.index) <= beside]
        rows.sort(key=lambda s: (abs(s.index - chosen.index), s.index))
        return _fetched(name, chosen.session_name or name, rows, budget, f"pmg://segment/{name}", chosen.source)
    session = session_of(engine, namespace, name)
    rows = engine.reads.segments_of(session.id)
    return _fetched(name, session.name or name, rows, budget, f"pmg://session/{name}", session.source)


def _named(receipts: ReceiptCache, namespace: str, asked: str) -> str:
    """The id that is meant by an address (`pmg://segment/…`) or by the label of a heading (`195c6c0667b2:1`)."""
    name = asked.strip().strip("[]")
    address = ADDRESS.fullmatch(name)
    if address is not None:
        return unquote(address[1])
    if LABEL.fullmatch(name) is None:
        return asked
    found = receipts.under(name, namespace)
    if not found:
        raise NotFound(f"The recall with the label {name} is no longer known: recall again, or `search` gives ids.")
    return found


def _fetched(name: str, title: str, rows: Sequence[Segment], budget: int, url: str, source: str) -> dict[str, Any]:
    block = assemble([BlockItem(passage_of(one), "quoted") for one in rows], budget, name, True)
    inside = {placed.item.segment.id for placed in block.placed}
    left = next((one.id for one in sorted(rows, key=lambda s: s.index) if one.id not in inside), "")
    metadata = {
        "source": source,
        "turns": str(len(rows)),
        "shown": str(len(inside)),
        **({"next": left} if left else {}),
    }
    return {"id": name, "title": label(title, 80), "text": block.text, "url": url, "metadata": metadata}


def timeline(
    engine: Engine,
    namespace: str,
    about: str,
    since: str,
    until: str,
    limit: int,
    before: str = "",
    place: AskedPlace = AskedPlace(),  # noqa: B008 (frozen)
) -> str:
    """What was said when, oldest first; empty where nothing was, unless that is the last week, which nobody named."""
    page = browsing.timeline(engine, namespace, about, since, until, limit, before, place.scope)
    if page.entries or about.strip() or since or until or before or place.only:
        return _paged(engine, page, "timeline")
    last = browsing.newest(engine, namespace, place.scope)
    if last is None:
        return ""
    return f"Nothing was said in the last week. The newest is of {last.date()}: name a time with `since`."


def people(engine: Engine, namespace: str, name: str, question: str, limit: int, before: str = "") -> str:
    """Who speaks in this memory, or what one of them said, by date; with a question, their lines that bear on it."""
    if not name.strip():
        if question.strip():
            raise InputError("`query` wants the `name` of whom it is about, or view=ask for an answer by lines.")
        return (
            fenced(engine, map(StoredRow, speakers(engine, namespace)))
            or "Nobody has said anything in this memory yet."
        )
    who = speaker_named(engine, namespace, name)
    if who is None:
        return _nobody(engine, namespace, name)
    said = _paged(engine, browsing.said_by(engine, namespace, who, question, limit, before), "people")
    return said or "They said nothing that bears on this."


def ending(engine: Engine, namespace: str, name: str, budget: int) -> str:
    """The last turns of a session, as many as fit."""
    rows = engine.reads.segments_of(session_of(engine, namespace, name).id)
    items = [BlockItem(passage_of(one), "quoted") for one in reversed(rows[-MAX_ROWS:])]
    return assemble(items, budget, name, True).text


def today(engine: Engine, namespace: str) -> str:
    begin = now().replace(hour=0, minute=0, second=0, microsecond=0)
    end = begin + timedelta(days=1)
    said = timeline(engine, namespace, "", begin.isoformat(), end.isoformat(), browsing.MAX_ROWS)
    return said or "Nothing was said today."


def _asked(question: str) -> str:
    if not question.strip():
        raise InputError("The question is empty: say what to look for.")
    return question


def _paged(engine: Engine, page: TimelinePage, tool: str) -> str:
    """The rows, and which tool gives the older ones where there are more."""
    older = f"\nThere are older ones: `{tool}` gives them with before={page.before}" if page.before else ""
    return fenced(engine, map(_row, page.entries)) + older


def _row(one: TimelineEntry) -> StoredRow:
    mark = "" if one.state is State.ACTIVE else f" [{one.state.value}]"
    place = label(one.project or one.title, 60)
    named = f" · {place}" if place else ""
    return StoredRow(f"{shown(one.at)}{named} · {one.segment}{mark} · {label(one.text, MAX_LINE)}", (one.segment,))


def _receipt_rows(receipt: Receipt) -> list[StoredRow]:
    head = f"mode {receipt.mode}, {receipt.used_tokens} of {receipt.budget_tokens} tokens used"
    rows = [
        StoredRow(f"{one.segment} · {one.role} · {one.score:.3f} · {one.why}", (one.segment,)) for one in receipt.found
    ]
    left = [StoredRow(f"left out: {one.segment} · {one.reason}", (one.segment,)) for one in receipt.dropped[:20]]
    return [StoredRow(head), *rows, *left]


def passage_of(one: Segment) -> Passage:
    return Passage(
        one.number,
        one.id,
        one.session_id,
        one.index,
        one.namespace,
        one.at,
        one.lines,
        one.title,
        one.source,
        one.session_name,
        one.project,
    )
