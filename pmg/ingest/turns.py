"""From what was said to what is stored: checking, timing and redacting a turn.

Knows: what makes a turn acceptable, which name a speaker gets, and that redaction comes before everything else.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import zip_longest
from operator import is_

from pmg.base.errors import InputError
from pmg.base.model import USER_NAME, Line, Role, Turn, content_hash
from pmg.base.text import hidden_id, is_hidden_id
from pmg.base.times import now, with_zone
from pmg.ingest.asked import judged
from pmg.ingest.clean_meta import CleanedMeta, clean_metas
from pmg.ingest.qualities import qualities
from pmg.ingest.quality import quality
from pmg.ingest.redact import KnownValues, Redacted, Redactor
from pmg.store.rows import NewSegment
from pmg.store.sealed import SealedText

_SESSION_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,79}")


@dataclass(frozen=True, slots=True)
class SessionInput:
    """A whole session to take in: from an importer, a file or the sample. Without an id it gets one from its content.

    Where only some turns of a session are new, `context` are all of them: a secret that any of them names is taken out of
    the new ones too. Turns are then told apart by their `origin_id`.
    """

    turns: Sequence[Turn]
    title: str = ""
    conversation: str = ""
    source: str = "api"
    started_at: datetime | None = None
    id: str = ""
    namespace: str = ""
    meta: Mapping[str, str] = field(default_factory=dict)
    context: Sequence[Turn] = ()


@dataclass(frozen=True, slots=True)
class CleanedTurn:
    """A turn without secrets, how many of which kind were taken out, and which rules failed on it (quarantine.py)."""

    turn: Turn
    redacted: Mapping[str, int]
    failed: tuple[str, ...] = ()
    sealed: tuple[SealedText, ...] = ()  # what was taken out of its lines, if the person wants that kept


def exchange(
    user: str | None, assistant: str | None, names: tuple[str, str] = (USER_NAME, "Assistant")
) -> tuple[Line, ...]:
    """The two lines of a turn with an assistant; either may be missing."""
    said = ((names[0], Role.USER, user), (names[1], Role.ASSISTANT, assistant))
    return tuple(Line(speaker, role, text) for speaker, role, text in said if text is not None)


def clean(turn: Turn, redactor: Redactor, max_bytes: int, known: KnownValues | None = None) -> CleanedTurn:
    """The turn as it may be stored: redacted first, so that no later step ever sees a secret."""
    return clean_together([turn], redactor, max_bytes, known)[0]


def clean_together(
    turns: Sequence[Turn], redactor: Redactor, max_bytes: int, known: KnownValues | None = None
) -> list[CleanedTurn]:
    """Turns of one session: a value that is a secret in one of them is taken out of all of them."""
    for turn in turns:
        checked(turn, max_bytes)
    values = KnownValues() if known is None else known
    texts = iter(redactor.redact_together([line.text for turn in turns for line in turn.lines], values))
    metas = clean_metas([turn.meta for turn in turns], redactor, values)  # after the words, which may name a secret
    return [
        _cleaned(turn, [next(texts) for _ in turn.lines], meta, redactor)
        for turn, meta in zip(turns, metas, strict=True)
    ]


def clean_session(session: SessionInput, redactor: Redactor, max_bytes: int, known: KnownValues) -> list[CleanedTurn]:
    """The turns to take in, cleaned with all of their session; the secrets found are added to `known`."""
    cleaned = clean_together(session.context or session.turns, redactor, max_bytes, known)
    if not session.context:
        return cleaned
    wanted = {turn.origin_id for turn in session.turns}
    return [one for one in cleaned if one.turn.origin_id in wanted]


def _cleaned(turn: Turn, texts: Sequence[Redacted], meta: CleanedMeta, redactor: Redactor) -> CleanedTurn:
    """Almost every line stays as it is."""
    counts = Counter(meta.redacted)
    failed: set[str] = set()
    lines = []
    sealed: list[SealedText] = []
    for number, (line, text) in enumerate(zip(turn.lines, texts, strict=True)):
        sealed += [replace(one, line=number) for one in text.sealed]
        speaker = redactor.redact(line.speaker)
        for result in (text, speaker):
            if result.counts:
                counts.update(result.counts)
                failed.update(result.failed)
        name = speaker.text.strip() or line.role.value.capitalize()
        is_same = text.text is line.text and name == line.speaker
        lines.append(line if is_same else replace(line, speaker=name, text=text.text))
    same = all(map(is_, lines, turn.lines)) and meta.meta is turn.meta
    kept = turn if same else replace(turn, lines=tuple(lines), meta=meta.meta)
    return CleanedTurn(kept, counts, tuple(sorted(failed)), tuple(sealed))


def checked(turn: Turn, max_bytes: int) -> Turn:
    if not any(line.text.strip() for line in turn.lines):
        raise InputError("This turn has no words in it. Give at least one line with text.")
    size = sum(len(line.text) for line in turn.lines)
    if size > max_bytes:
        raise InputError(
            f"This turn has {size:,} characters; at most {max_bytes:,} are taken as one turn. "
            f"Use `pmg learn FILE` for a document, or raise ingest.max_turn_bytes."
        )
    return turn


def placed(cleaned: CleanedTurn, session_id: str, index: int, fallback: datetime) -> NewSegment:
    turn = cleaned.turn
    at = with_zone(turn.at) if turn.at is not None else fallback
    worth, meta = quality(turn.lines), judged(turn.meta, turn.lines)
    return NewSegment(session_id, index, at, turn.lines, worth, turn.origin_id, meta, sealed=cleaned.sealed)


@dataclass(frozen=True, slots=True)
class PlacedTurn:
    """A turn, and where and when it is stored."""

    turn: Turn
    session_id: str
    index: int
    at: datetime
    digest: str
    sealed: tuple[SealedText, ...] = ()


def placed_together(places: Sequence[PlacedTurn]) -> list[NewSegment]:
    """As `placed`, for the turns of a whole batch: judged together, several times as fast."""
    worth = qualities([place.turn.lines for place in places])
    metas = [judged(p.turn.meta, _with_answer(p, after)) for p, after in zip_longest(places, places[1:])]
    return [
        NewSegment(p.session_id, p.index, p.at, p.turn.lines, worthy, p.turn.origin_id, meta, p.digest, p.sealed)
        for p, worthy, meta in zip(places, worth, metas, strict=True)
    ]


def _with_answer(place: PlacedTurn, after: PlacedTurn | None) -> tuple[Line, ...]:
    """What is said in a turn, and in the next one of its session where that is the assistant's alone."""
    if after is None or after.session_id != place.session_id:
        return place.turn.lines
    answers = all(line.role is Role.ASSISTANT for line in after.turn.lines)
    return (*place.turn.lines, *after.turn.lines) if answers else place.turn.lines


def unseen(turns: Sequence[Turn], known: Sequence[tuple[str, str]]) -> list[tuple[Turn, str]]:
    """The turns a session does not hold yet, with their content hashes. A turn is known by what the source calls it, or by its words.

    The same words said twice are two turns: the n-th of them in the input is held against the n-th that is stored.
    """
    held = _names_held(turns, {origin for _, origin in known if origin})
    # A stored turn that the source names is found again by that name only: the next "yes" has a name of its own.
    nameless = Counter(digest for digest, origin in known if not origin)
    stored = Counter(digest for digest, _ in known)
    fresh = []
    for turn in turns:
        digest = content_hash(turn.lines)
        if turn.origin_id in held:
            continue
        left = nameless if turn.origin_id else stored
        if left[digest] > 0:
            left[digest] -= 1
            continue
        fresh.append((turn, digest))
    return fresh


def _names_held(turns: Sequence[Turn], stored: set[str]) -> set[str]:
    """Which of the names of turns are stored, as they are or in place of a secret: the one may come from before the other was."""
    wanted = {turn.origin_id for turn in turns if turn.origin_id}
    held = wanted & stored
    if any(map(is_hidden_id, stored)):
        held |= {name for name in wanted - held if hidden_id(name) in stored}
    if any(map(is_hidden_id, wanted - held)):
        held |= wanted & set(map(hidden_id, stored))
    return held


def changed(turns: Sequence[Turn], known: Sequence[tuple[str, str]]) -> int:
    """How many turns are known by what the source calls them and have other words than what is stored under that name."""
    stored: dict[str, set[str]] = {}
    for digest, origin in known:
        stored.setdefault(origin, set()).add(digest)
    held = (turn for turn in turns if turn.origin_id and turn.origin_id in stored)
    return sum(content_hash(turn.lines) not in stored[turn.origin_id] for turn in held)


def times(turns: Sequence[Turn], started_at: datetime) -> list[datetime]:
    """A turn without a time gets that of the turn before it, a microsecond later, so that order is kept."""
    found: list[datetime] = []
    last = started_at
    for turn in turns:
        last = with_zone(turn.at) if turn.at is not None else _just_after(last) if found else last
        found.append(last)
    return found


def _just_after(at: datetime) -> datetime:
    try:
        return at + timedelta(microseconds=1)
    except OverflowError:  # the last moment Python knows: the order in the session still tells the two apart
        return at


def started(session: SessionInput) -> datetime:
    if session.started_at is not None:
        return with_zone(session.started_at)
    return next((with_zone(turn.at) for turn in session.turns if turn.at is not None), None) or now()


def session_name(session: SessionInput, namespace: str = "") -> str:
    """The session's own id, checked, or one made from its content and namespace: the same input always gets the same."""
    if session.id:
        return checked_session_id(session.id)
    digest = hashlib.sha256()
    first = session.turns[0] if session.turns else Turn(())
    moment = session.started_at or first.at
    for part in (
        namespace,
        session.source,
        session.conversation,
        session.title,
        moment.isoformat() if moment else "",
        content_hash(first.lines),
    ):
        digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return f"s-{digest.hexdigest()[:16]}"


def plain_id(name: str, redactor: Redactor) -> str:
    """An id as it may be stored: one that looks like a secret becomes another, always the same, so that it still names the same thing."""
    return hidden_id(name) if name and redactor.redact(name).counts else name


def with_plain_ids(session: SessionInput, redactor: Redactor) -> SessionInput:
    """The session with ids that may be stored, its turns' too. The source is a name of the same kind."""
    return replace(
        session,
        id=plain_id(session.id, redactor),
        conversation=plain_id(session.conversation, redactor),
        source=redactor.redact(session.source).text,
        turns=[with_plain_id(turn, redactor) for turn in session.turns],
        context=[with_plain_id(turn, redactor) for turn in session.context],
    )


def with_plain_id(turn: Turn, redactor: Redactor) -> Turn:
    name = plain_id(turn.origin_id, redactor)
    return turn if name == turn.origin_id else replace(turn, origin_id=name)


def is_session_id(name: str) -> bool:
    return _SESSION_ID.fullmatch(name) is not None


def checked_session_id(session_id: str) -> str:
    if not is_session_id(session_id):
        raise InputError(
            f"{session_id[:100]!r} cannot name a session: use 1 to 80 letters, digits and -, beginning with a letter or digit."
        )
    return session_id


def id_in_namespace(session_id: str, namespace: str) -> str:
    """Another name for a session whose own is taken in another namespace; the same one each time."""
    return f"{session_id[:60]}-{hashlib.sha256(f'{namespace}/{session_id}'.encode()).hexdigest()[:12]}"


def name_here(wished: str, namespace: str, taken: Mapping[str, str]) -> str:
    """The id that a session called so has in a namespace. `taken` has the namespaces of its own name and of `id_in_namespace`, where they are in use.

    Once it has another name it keeps it, also when its own becomes free in the other namespace: what was told under a name is found under it.
    """
    other = id_in_namespace(wished, namespace)
    if taken.get(wished, namespace) != namespace:
        return other
    return other if wished not in taken and taken.get(other) == namespace else wished


def fresh_session_id(at: datetime) -> str:
    return f"{at:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
