"""What would be forgotten, before it is: the segments a wish names, their copies, and everything that hangs on them.

Knows: how a wish becomes segments, and what a person should see before saying yes. Which words a turn holds is known by
held_words.py; carry_out.py removes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import zip_longest
from pathlib import Path

from pmg.base.errors import InputError, NotFound, PmgError
from pmg.base.half_written import half_written
from pmg.base.model import Segment
from pmg.base.text import has_name
from pmg.base.times import shown
from pmg.config import checked_namespace
from pmg.engine import Engine
from pmg.forget import shingles
from pmg.forget.copies import ExportChange, export_changes
from pmg.forget.held_words import has_words, holding_words
from pmg.forget.named_turns import NamedTurns, first_names, named_turns
from pmg.forget.shingles import Shingles
from pmg.ingest.turns import is_session_id
from pmg.people.entities import folded
from pmg.people.roles import bare
from pmg.store.forget import BACKUP, EXPORT, ForgetExtent, ForgetFilter, ForgetOrder, KnownCopy
from pmg.store.title_names import name_digest, title_names

MAX_LINES = 8  # lines of a preview
WIDTH = 96  # characters of each
MAX_NEAREST = 5  # lines of what a query that selects nothing may have meant
NO_WORDS = "No turn here holds these words, so nothing is selected."
NOTHING = "Nothing in this memory is meant by that."


@dataclass(frozen=True, slots=True)
class Selection:
    """What to forget: segments or sessions by name, or all that meet every other field. `person` is who speaks; `query` selects the turns
    that hold its words, and nothing where none does."""

    segments: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    person: str = ""
    topic: str = ""
    since: datetime | None = None
    until: datetime | None = None
    query: str = ""
    namespace: str = ""
    source: str = ""
    whose: str = ""  # the person whose turns the segments are, by name: turns of others that name them are counted

    also_called: tuple[str, ...] = ()  # other names of that person in what was said

    @property
    def names(self) -> tuple[str, ...]:
        """What the person is called whom it is about, if it is about one."""
        names = (self.person.strip() or self.whose, *self.also_called)
        return tuple(dict.fromkeys(name for name in names if name.strip()))


@dataclass(frozen=True, slots=True)
class ForgetPlan:
    """What would go. `numbers` are the segments chosen and their word-for-word copies; nothing here is written anywhere."""

    selection: Selection
    namespace: str
    numbers: tuple[int, ...] = ()
    ids: tuple[str, ...] = ()
    hashes: tuple[str, ...] = ()
    copies: int = 0  # among them: said again word for word in another place
    freed: int = 0  # said it in other words and gave way to it: these stay, on their own
    mentions: int = 0  # segments that stay and name the person, by one of `names`
    elsewhere: int = 0  # segments that stay and hold one of the lines, among others
    extent: ForgetExtent = field(default_factory=ForgetExtent)
    sessions: tuple[str, ...] = ()  # that lose turns
    backups: tuple[Path, ...] = ()
    exports: tuple[KnownCopy, ...] = ()
    preview: tuple[str, ...] = ()  # a few shortened lines
    pieces: Shingles | None = field(default=None, repr=False, compare=False)
    inside: int = 0  # segments that stay and have the query inside longer words
    nothing: str = ""  # why nothing is selected
    names: tuple[str, ...] = ()  # of the person, with first names that are no ordinary words here
    nearest: tuple[str, ...] = ()  # where no turn holds the query's words: what it may mean. None of it is selected
    gone: ForgetOrder | None = field(default=None, repr=False, compare=False)
    titles: int = 0  # of conversations in which the person spoke: these lose the name
    titles_left: int = 0  # of other sessions that name the person: these stay
    exports_rewritten: int = 0  # files
    exports_deleted: int = 0  # files in which cutting out does not suffice, packed ones, and half-written ones

    @property
    def segments(self) -> int:
        return len(self.numbers)

    @property
    def counts(self) -> Mapping[str, int]:
        """By kind, for showing."""
        counts = {
            "segments": self.segments,
            "of them said again word for word": self.copies,
            "sessions gone whole": self.extent.sessions,
            "sessions that lose some turns": self.extent.sessions_touched,
            "titles that lose their name": self.titles,
            "lines": self.extent.lines,
            "bytes of text": self.extent.text_bytes,
            "vectors": self.extent.windows,
            "links": self.extent.edges,
            "pairs for review": self.extent.reviews,
            "recalls in the log": self.extent.recalls,
            "journal texts": self.extent.journal,
            "backups to write anew": len(self.backups),
            "exported files to write anew": self.exports_rewritten,
            "exported files to delete": self.exports_deleted,
        }
        return {name: count for name, count in counts.items() if count}


def plan(engine: Engine, selection: Selection) -> ForgetPlan:
    """What forgetting this would remove. Nothing is changed."""
    engine.flush_recalls()  # they are part of what would go
    namespace = checked_namespace(selection.namespace or engine.config.namespace)
    selection = replace(selection, sessions=_sessions_here(engine, selection.sessions, namespace))
    store = engine.reads.forgetting
    wanted, query = _wanted(engine, selection, namespace), selection.query.strip()
    held = _held(engine, query, namespace) if query else None
    chosen = store.chosen(replace(wanted, numbers=held))
    copies = store.copies(chosen)
    numbers = tuple(sorted({*chosen, *copies}))
    found = engine.reads.segments(numbers)
    known = distinctive(engine, numbers)
    naming = _naming(engine, selection.names, namespace, numbers)
    gone = _order(engine, replace(selection, namespace=namespace), numbers, tuple(segment.id for segment in found))
    titles = store.titles_left(numbers, namespace) if selection.names else []
    lost, left = _naming_titles(titles, selection.names, gone)
    exports = tuple(copy for copy in store.recorded() if copy.kind == EXPORT) if numbers else ()
    changes = [change for copy in exports for change in _export_changes(copy, gone, known)]
    return ForgetPlan(
        selection,
        namespace,
        numbers,
        gone.ids,
        gone.hashes,
        len(set(copies)),
        len(store.freed(numbers)),
        len(naming.segments),
        store.said_elsewhere(numbers),
        store.extent(numbers, known.held_by, selection.sessions),
        tuple(sorted({segment.session_id for segment in found})),
        tuple(backups_of(engine)) if numbers else (),
        exports,
        tuple(_line(segment) for segment in found[:MAX_LINES]),
        known,
        inside=len(_inside(engine, wanted, query, numbers)) if query else 0,
        names=naming.names,
        nothing="" if numbers else NO_WORDS if held == () else NOTHING,
        nearest=tuple(_nearest(engine, wanted, query)) if held == () else (),
        gone=gone,
        titles=lost,
        titles_left=left,
        exports_rewritten=sum(not change.is_deleted for change in changes),
        exports_deleted=sum(change.is_deleted for change in changes) + len(_half_written(exports)),
    )


def _order(engine: Engine, selection: Selection, numbers: Sequence[int], ids: tuple[str, ...]) -> ForgetOrder:
    store, store_id = engine.reads.forgetting, engine.reads.store_id
    names = {folded(bare(name)) for name in selection.names}
    speakers = [name for name in store.people_speaking(numbers) if folded(bare(name)) in names] if names else []
    return ForgetOrder(
        selection.namespace,
        ids,
        tuple(store.hashes(numbers)),
        store_id=store_id,
        quoting=tuple(store.quoting(numbers)),
        sessions=selection.sessions,
        names=tuple(sorted({name_digest(store_id, name) for name in speakers})),
        unnamed=tuple(store.silenced(numbers, speakers)) if speakers else (),
    )


def _naming_titles(titles: Sequence[tuple[str, str]], names: Sequence[str], gone: ForgetOrder) -> tuple[int, int]:
    """How many titles lose a name of the person, and how many keep one."""
    cut = title_names(gone)
    left = [(title, cut.without(session, title)) for session, title in titles]
    return sum(before != after for before, after in left), sum(
        any(has_name(after, name) for name in names) for _, after in left
    )


def _export_changes(copy: KnownCopy, gone: ForgetOrder, pieces: Shingles) -> list[ExportChange]:
    """What would become of an export; of one that cannot be read the receipt tells."""
    try:
        return list(export_changes(copy, gone, pieces))
    except (PmgError, OSError, ValueError):
        return []


def _half_written(exports: Sequence[KnownCopy]) -> list[Path]:
    return half_written(dict.fromkeys(folder for copy in exports for folder in copy.folders))


def _sessions_here(engine: Engine, names: Sequence[str], namespace: str) -> tuple[str, ...]:
    """The ids of sessions by the names under which they were told; a name that is none here stays as it is."""
    ids = {name: engine.session_id(name, namespace) for name in names if is_session_id(name)}
    namespaces = engine.reads.namespaces_of(list(ids.values()))
    return tuple(ids[name] if namespaces.get(ids.get(name, "")) == namespace else name for name in names)


def _wanted(engine: Engine, selection: Selection, namespace: str) -> ForgetFilter:
    wanted = ForgetFilter(
        namespace,
        selection.segments,
        selection.sessions,
        None,
        selection.person.strip(),
        selection.topic.strip(),
        selection.source.strip(),
        selection.since,
        selection.until,
    )
    if wanted == ForgetFilter(namespace) and not selection.query.strip():
        raise InputError(
            "Nothing says what to forget: name segments, sessions, a person, a topic, a source, a time or a query."
        )
    _refuse_unknown(engine, selection, namespace)
    return wanted


def _refuse_unknown(engine: Engine, selection: Selection, namespace: str) -> None:
    numbers = engine.reads.numbers_of(list(selection.segments))
    namespaces = {s.id: s.namespace for s in engine.reads.segments(sorted(numbers.values()))}
    missing = [name for name in selection.segments if namespaces.get(name) != namespace]
    if missing:
        raise NotFound(
            f"There is no segment {missing[0]!r} in the namespace {namespace}. `pmg show SESSION` lists them."
        )
    namespaces = engine.reads.namespaces_of(list(selection.sessions))
    unknown = [name for name in selection.sessions if namespaces.get(name) != namespace]
    if unknown:
        raise NotFound(f"There is no session {unknown[0]!r} in the namespace {namespace}. `pmg sessions` lists them.")


def _naming(engine: Engine, names: Sequence[str], namespace: str, without: Sequence[int]) -> NamedTurns:
    """The turns that stay and name a person."""
    looked_for = [*names, *first_names(names)]
    return named_turns(names, engine.reads.forgetting.naming(namespace, looked_for, without) if names else ())


def _held(engine: Engine, query: str, namespace: str) -> tuple[int, ...]:
    """The segments that hold the query's words, and no others; signs without a word are looked for as they stand."""
    store = engine.reads.forgetting
    if not has_words(query):
        return tuple(store.holding(namespace, query))
    return tuple(holding_words(query, (line for some in store.said(namespace) for line in some)))


def _inside(engine: Engine, wanted: ForgetFilter, query: str, without: Sequence[int] = ()) -> list[int]:
    """Segments that have the query inside longer words ("cat" in "catalogue"): somebody may want these gone too."""
    store = engine.reads.forgetting
    letters = set(store.holding(wanted.namespace, query)) - set(without)
    return store.chosen(replace(wanted, numbers=tuple(letters)))


def _nearest(engine: Engine, wanted: ForgetFilter, query: str) -> list[str]:
    """What a query may mean whose words no turn holds, each with its name: longer words, then what a recall finds first."""
    found = engine.recall(query, namespace=wanted.namespace, count=False)
    entries = [s.number for s, e in zip(found.segments, found.receipt.found, strict=True) if e.role == "entry"]
    fitting = set(engine.reads.forgetting.chosen(replace(wanted, numbers=tuple(entries))))
    near = [*_inside(engine, wanted, query), *(number for number in entries if number in fitting)]
    numbers = list(dict.fromkeys(near))[:MAX_NEAREST]
    segments = {segment.number: segment for segment in engine.reads.segments(numbers)}
    return [f"{segments[number].id}  {_line(segments[number])}" for number in numbers]


def distinctive(engine: Engine, numbers: Sequence[int]) -> Shingles:
    """Pieces of their words and vectors that occur nowhere in what stays."""
    store, factor = engine.reads.forgetting, shingles.new_factor()
    words = shingles.of_texts((form for some in store.texts(numbers) for text in some for form in _forms(text)), factor)
    wide = shingles.of_texts((_wide(text) for some in store.texts(numbers) for text in some), factor, zeros=True)
    if len(words) or len(wide):
        # In every form in which pieces are made: else what stays looks like a trace.
        for texts in store.other_texts(numbers):
            for form in zip_longest(*map(_forms, texts), fillvalue=b""):
                words = words.without(shingles.as_bytes(b"\0".join(filter(None, form))))
            wide = wide.without(shingles.as_bytes(b"\0\0".join(map(_wide, texts))))
    vectors = shingles.of_texts(
        (row.tobytes() for some in store.vectors(numbers) for row in some), factor, varied=10, zeros=True
    )
    if len(vectors):
        for others in store.other_vectors(numbers):
            vectors = vectors.without(shingles.as_bytes(others.tobytes()))
    return words.fewer().joined(wide.fewer()).joined(vectors.fewer())


def asked_since(engine: Engine, pieces: Shingles) -> tuple[int, Shingles]:
    """How many of one's own messages in the chat hold some of these pieces, and the pieces that none of them holds: what was asked about it while it
    was being forgotten is no trace that forgetting left."""
    count = 0
    for texts in engine.reads.forgetting.asked_in_chat():
        for text in (text for text, held in zip(texts, pieces.held_by(texts), strict=True) if held):
            count += 1
            for form in (*_forms(text), _wide(text)):
                pieces = pieces.without(shingles.as_bytes(form))
    return count, pieces


def _forms(text: str) -> list[bytes]:
    """The ways in which a text may stand in a file of UTF-8: as it is, and with JSON's escapes."""
    plain, escaped = text.encode("utf-8", "surrogatepass"), json.dumps(text)[1:-1].encode()
    return [plain] if escaped == plain else [plain, escaped]


def _wide(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


def backups_of(engine: Engine) -> list[Path]:
    """Those in the memory's own directory, and those that were written elsewhere."""
    folder = engine.config.home / "backups"
    inside = sorted(folder.glob("*.duckdb")) if folder.is_dir() else []
    backups = [copy.path for copy in engine.reads.forgetting.recorded() if copy.kind == BACKUP]
    return list(dict.fromkeys([*inside, *backups]))


def _line(segment: Segment) -> str:
    flat = " ".join(f"{line.speaker}: {line.text}" for line in segment.lines)
    text = " ".join(flat.split())
    return f"{shown(segment.at)}  {text if len(text) <= WIDTH else text[: WIDTH - 1] + '…'}"
