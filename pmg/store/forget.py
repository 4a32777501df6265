"""What forgetting asks of a store, beyond what the engine asks.

Knows: which segments a wish names, how much hangs on them, and an order to remove them, by names and hashes only. The SQL stands
in duckdb/forget.py and duckdb/strip.py; files outside the database are cleaned by pmg/forget, which also gives `Holds`, the test
for a piece of forgotten text.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pmg.store.sealed import SealedText

BACKUP, EXPORT = "backup", "export"
REPORT, PACKED, ANSWER = "report", "zip", "answer"  # forms of an export beside those of `pmg export`
VAULT = "markdown"  # the form that is a folder of files
FORGOTTEN = "forgotten"  # stands where a journal entry had words
WATCHED = "watched"  # the note of files that were taken in from followed folders, one for each namespace
Holds = Callable[[Sequence[str]], NDArray[np.bool_]]  # which of some texts hold a piece of what is forgotten

Clean = Callable[[str], str]  # a text as it may be kept
TakenFrom = Callable[[str], Sequence[SealedText]]  # what a cleaner takes out of a text, in order


@dataclass(frozen=True, slots=True)
class ForgetFilter:
    """Segments of one namespace that meet everything that is set."""

    namespace: str
    segments: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    numbers: tuple[int, ...] | None = None
    person: str = ""
    topic: str = ""
    source: str = ""
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class ForgetExtent:
    """How much hangs on some segments."""

    sessions: int = 0  # that go with all their turns
    sessions_touched: int = 0  # that lose some, or are still open
    lines: int = 0
    text_bytes: int = 0
    windows: int = 0
    edges: int = 0
    reviews: int = 0
    recalls: int = 0
    journal: int = 0


@dataclass(frozen=True, slots=True)
class ForgetOrder:
    """An order to remove: segments by id, and every copy of the same words by its content hash. No text is in it."""

    namespace: str
    ids: tuple[str, ...]
    hashes: tuple[str, ...] = ()
    allow_return: bool = False
    store_id: str = ""
    quoting: tuple[
        str, ...
    ] = ()  # turns that stay and name one of them: in an export they go too, for it can be made again
    sessions: tuple[str, ...] = ()  # asked for by name: these go with their last turn even while they are open
    names: tuple[str, ...] = ()  # of a person who is forgotten, as hashes (title_names.py)
    unnamed: tuple[str, ...] = ()  # sessions that stay and whose titles lose these names

    @property
    def not_in_exports(self) -> frozenset[str]:
        return frozenset((*self.ids, *self.quoting))


@dataclass(frozen=True, slots=True)
class KnownCopy:
    """A file that holds a copy of the memory."""

    path: Path
    kind: str
    form: str = ""

    @property
    def folders(self) -> tuple[Path, ...]:
        """Those in which its files are written: of a vault one for each month."""
        return tuple(sorted(self.path.glob("[0-9]*/[0-9]*"))) if self.form == VAULT else (self.path.parent,)


@dataclass(frozen=True, slots=True)
class StripResult:
    """What was removed from one database, by kind, and which sessions lost turns."""

    counts: Mapping[str, int] = field(default_factory=Counter)
    sessions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ForgottenDigests:
    """The hashes of what was forgotten, so that an import does not bring it back."""

    store_id: str
    digests: frozenset[str] = frozenset()

    def hold(self, namespace: str, session_id: str, conversation: str, content: str, origin: str) -> bool:
        """Whether a turn was forgotten: the same words in the same session, or what its source calls it."""
        if not self.digests:
            return False
        return not self.digests.isdisjoint(digests(self.store_id, namespace, session_id, conversation, content, origin))

    def hide_title(self, namespace: str, session_id: str) -> bool:
        """Whether a session's title quoted what was forgotten."""
        return bool(self.digests) and digest(self.store_id, namespace, "title", session_id) in self.digests


class ForgettingReads(Protocol):
    # what a wish names, and what hangs on it
    def chosen(self, wanted: ForgetFilter) -> list[int]: ...
    def holding(self, namespace: str, text: str) -> list[int]: ...
    def said(self, namespace: str) -> Iterator[list[tuple[int, str]]]: ...
    def copies(self, numbers: Sequence[int]) -> list[int]: ...
    def freed(self, numbers: Sequence[int]) -> list[int]: ...
    def extent(self, numbers: Sequence[int], holds: Holds, named: Sequence[str] = ()) -> ForgetExtent: ...
    def hashes(self, numbers: Sequence[int]) -> list[str]: ...
    def naming(self, namespace: str, names: Sequence[str], without: Sequence[int]) -> list[tuple[int, str]]: ...
    def quoting(self, numbers: Sequence[int]) -> list[str]: ...
    def people_speaking(self, numbers: Sequence[int]) -> list[str]: ...
    def titles_left(self, numbers: Sequence[int], namespace: str) -> list[tuple[str, str]]: ...
    def silenced(self, numbers: Sequence[int], speakers: Sequence[str]) -> list[str]: ...
    def said_elsewhere(self, numbers: Sequence[int]) -> int: ...

    # texts and vectors, to look for what is left of them
    def texts(self, numbers: Sequence[int]) -> Iterator[list[str]]: ...
    def vectors(self, numbers: Sequence[int]) -> Iterator[NDArray[np.float32]]: ...
    def other_vectors(self, numbers: Sequence[int]) -> Iterator[NDArray[np.float32]]: ...
    def other_texts(self, numbers: Sequence[int]) -> Iterator[list[str]]: ...
    def asked_in_chat(self) -> Iterator[list[str]]: ...
    def columns(self, file: Path | None = None) -> Iterator[tuple[str, str, Any]]: ...
    def stored(self) -> Iterator[tuple[str, str, int]]: ...
    def spoken(self) -> Iterator[tuple[str, str]]: ...

    # what was forgotten before, and files that hold copies
    def digests(self) -> ForgottenDigests: ...
    def recorded(self) -> list[KnownCopy]: ...


class Forgetting(ForgettingReads, Protocol):
    """Each write is a transaction of its own; `rewrite` replaces the database's file."""

    def strip(self, gone: ForgetOrder, holds: Holds) -> StripResult: ...
    def strip_backup(self, file: Path, gone: ForgetOrder, holds: Holds) -> StripResult: ...
    def rewrite(self) -> int: ...
    def cleanse(self, clean: Clean, taken_from: TakenFrom, *, keep: bool) -> StripResult: ...
    def cleanse_backup(self, file: Path, clean: Clean, taken_from: TakenFrom) -> StripResult: ...
    def record(self, copy: KnownCopy) -> None: ...
    def unrecord(self, paths: Sequence[Path]) -> None: ...


def digests(
    store_id: str, namespace: str, session_id: str, conversation: str, content: str, origin: str
) -> frozenset[str]:
    """What a forgotten turn is known by: its words in its session, and what its source calls it. Keyed by the store."""
    named = [("words", session_id, content)] + ([("origin", conversation, origin)] if origin else [])
    return frozenset(digest(store_id, namespace, *parts) for parts in named)


def watched_name(store_id: str, path: str) -> str:
    """What a followed file is remembered by; one that is a digest already stays."""
    return path if re.fullmatch("[0-9a-f]{32}", path) else digest(store_id, WATCHED, path)


def digest(store_id: str, *parts: str) -> str:
    data = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, key=store_id.encode()[:64], digest_size=16).hexdigest()
