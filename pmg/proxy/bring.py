"""Memories brought along with what is asked: into the person's last message, and into no other place of a request.

A block that was brought stays with its message: programs send their history without it, so it is put back there with each request, and what
the upstream has seen before is the same to the byte. Prompt caches keep hitting. The rest of the body is not written anew: the block is spliced
into the bytes of the one text. Before a block goes out again, the memories in it are looked at: what was forgotten since stays here.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Protocol

from pmg.base.text import tokens
from pmg.importers.reading.fields import Json, items, mapping
from pmg.proxy.messages import USER, ModelRequest, digest, own_words
from pmg.proxy.side_calls import LastExchange, reason
from pmg.proxy.threads import RETRY_SECONDS, key_of
from pmg.proxy.wire import format_of

MAX_BODY = 4 << 20  # bytes that are read before they are passed on; a longer request passes as it comes
MAX_BLOCKS = 2_000  # messages whose blocks are put back
MAX_WORDS = 20_000  # characters of a message that are asked about
# Where a request has its messages, and a message its words.
_ROWS = (("messages", "content"), ("input", "content"), ("contents", "parts"))
_RESULTS = ("tool_result", "function_call_output", "functionResponse", "function_response")
_SPACE = " \t\r\n"
_DECODER = json.JSONDecoder()
Place = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class BringQuestion:
    """What a block is wanted for: the words, and the session they belong to, which the program has before it."""

    words: str
    session: str


@dataclass(frozen=True, slots=True)
class BroughtBlock:
    """A block, the numbers of the memories in it, and a mark that changes when one of them does."""

    text: str = ""
    numbers: tuple[int, ...] = ()
    made_from: str = ""
    at: float = field(default_factory=time.monotonic)


class Memory(Protocol):
    """None is said by what was late."""

    async def recall(self, asked: BringQuestion) -> BroughtBlock | None: ...

    async def unchanged(self, blocks: Sequence[BroughtBlock]) -> list[bool] | None: ...


@dataclass(frozen=True, slots=True)
class BroughtBody:
    """The body to send, and what was done, for the page."""

    body: bytes
    said: str


@dataclass(frozen=True, slots=True)
class ReadBody:
    """A request with the texts of the person in it; `states` are the hashes of the conversation up to each."""

    request: ModelRequest
    texts: tuple[tuple[Place, str], ...]
    states: tuple[str, ...]
    asks: bool  # the last of it is a message of the person
    may_begin_again: bool  # a program that does not name its conversations may begin another with the same words


class Bringer:
    """The blocks of the conversations that go on. Used in the server's loop."""

    def __init__(self, memory: Memory, session_of: Callable[[str, Mapping[str, str], ModelRequest], str]) -> None:
        self._memory = memory
        self._session_of = session_of
        self._blocks: OrderedDict[str, BroughtBlock] = OrderedDict()

    async def bring(
        self, upstream: str, path: str, headers: Mapping[str, str], body: bytes, last: tuple[LastExchange, ...]
    ) -> BroughtBody:
        read = await asyncio.to_thread(_read, upstream, path, headers, body, last)
        if isinstance(read, str):
            return BroughtBody(body, f"nothing brought: {read}")
        await self._drop_changed(read.states)
        said = "nothing brought: no new message of the person"
        if read.asks:
            said = await self._new(upstream, headers, read)
        found = [
            (place, f"\n\n{block.text}")
            for (place, _), state in zip(read.texts, read.states, strict=True)
            if (block := self._blocks.get(state)) is not None and block.text
        ]
        return BroughtBody(await asyncio.to_thread(with_blocks, body, found), said)

    async def _drop_changed(self, states: Iterable[str]) -> None:
        """A block whose memories were forgotten or say something else goes out no more; nor does one that nobody could look at in time."""
        held = {state: block for state in states if (block := self._blocks.get(state)) is not None and block.text}
        same = await self._memory.unchanged([*held.values()]) if held else []
        for state, holds in zip(held, same or [False] * len(held), strict=True):
            if not holds:
                self._blocks.pop(state, None)

    async def _new(self, upstream: str, headers: Mapping[str, str], read: ReadBody) -> str:
        state, began = read.states[-1], time.monotonic()
        held = self._blocks.get(state)
        if held is not None and not (read.may_begin_again and began - held.at > RETRY_SECONDS):
            return "brought: the same as before"
        session = await asyncio.to_thread(self._session_of, upstream, headers, read.request)
        block = await self._memory.recall(BringQuestion(own_words(read.texts[-1][1])[:MAX_WORDS], session))
        took = f"in {1_000 * (time.monotonic() - began):.0f} ms"
        # Also that there is none: the same message again gets the same again.
        self._blocks[state] = block or BroughtBlock()
        while len(self._blocks) > MAX_BLOCKS:
            self._blocks.popitem(last=False)
        if block is None:
            return f"nothing brought: not ready {took}"
        if not block.text:
            return f"nothing brought: nothing bears on it, {took}"
        return f"brought: {tokens(block.text):,} tokens {took}"


def _read(
    upstream: str, path: str, headers: Mapping[str, str], body: bytes, last: tuple[LastExchange, ...]
) -> ReadBody | str:
    """Or why nothing is brought. Of megabytes this takes a while."""
    given, format_ = _json(body), format_of("POST", path)
    if given is None or format_ is None:
        return "the request is compressed or no JSON"
    request = format_.read_request(given)
    aside = reason(request, headers, last)
    if aside:
        return aside
    texts = tuple(user_texts(given))
    key = key_of(headers, request) or request.previous
    states = tuple(accumulate((own_words(words) for _, words in texts), digest, initial=digest(upstream, key)))[1:]
    asks = bool(texts) and _is_last(given, texts[-1][0])
    return ReadBody(request, texts, states, asks, request.begins and not key)


def _json(body: bytes) -> Json | None:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def user_texts(body: Json) -> Iterator[tuple[Place, str]]:
    """The last text of each message of the person, and where it stands. What tools gave back is no message of theirs."""
    if isinstance(body.get("prompt"), str):
        yield ("prompt",), body["prompt"]
    for name, inner in _ROWS:
        if isinstance(body.get(name), str):
            yield (name,), body[name]
        for at, row in enumerate(items(body.get(name))):
            if mapping(row).get("role", "user") != USER or _has_results(mapping(row), inner):
                continue
            place = _text_in(mapping(row).get(inner))
            if place is not None:
                yield (name, at, inner, *place[0]), place[1]


def _has_results(row: Json, inner: str) -> bool:
    blocks = [mapping(one) for one in items(row.get(inner))]
    return any(one.get("type") in _RESULTS or any(name in one for name in _RESULTS) for one in [row, *blocks])


def _text_in(content: object) -> tuple[Place, str] | None:
    if isinstance(content, str):
        return ((), content) if content.strip() else None
    for at, block in reversed(list(enumerate(items(content)))):
        words = mapping(block).get("text")
        if (
            isinstance(words, str)
            and own_words(words).strip()
            and mapping(block).get("type", "text") in ("text", "input_text")
        ):
            return (at, "text"), words
    return None


def _is_last(body: Json, place: Place) -> bool:
    """Nothing stands behind it: no answer that is to be gone on with, no result of a tool."""
    return len(place) == 1 or place[1] == len(items(body.get(str(place[0])))) - 1


def with_blocks(body: bytes, blocks: list[tuple[Place, str]]) -> bytes:
    """The body with each block behind the text at its place; every other byte is as it was."""
    if not blocks:
        return body
    text = JsonText(body.decode())
    pieces, last = [], 0
    for end, block in sorted((text.end_of_string(place), block) for place, block in blocks):
        pieces += [text.text[last:end], json.dumps(block)[1:-1]]
        last = end
    return "".join([*pieces, text.text[last:]]).encode()


class JsonText:
    """Where values stand in a JSON text that can be read. Each list and mapping on the way is gone through once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts: dict[int, dict[str | int, int]] = {}

    def end_of_string(self, place: Place) -> int:
        """Where the closing quote of the string at this place stands."""
        at = self._skip(0)
        for step in place:
            if at not in self._starts:
                self._starts[at] = self._members(at) if self.text[at] == "{" else self._elements(at)
            at = self._starts[at][step]
        return int(scanstring(self.text, at + 1)[1]) - 1

    def _members(self, at: int) -> dict[str | int, int]:
        """Of a name that comes twice the last counts, as for whoever reads it."""
        found: dict[str | int, int] = {}
        at = self._skip(at + 1)
        while self.text[at] != "}":
            name, at = scanstring(self.text, at + 1)
            found[name] = self._skip(self._skip(at) + 1)
            at = self._behind(found[name])
        return found

    def _elements(self, at: int) -> dict[str | int, int]:
        found: dict[str | int, int] = {}
        at = self._skip(at + 1)
        while self.text[at] != "]":
            found[len(found)] = at
            at = self._behind(at)
        return found

    def _behind(self, at: int) -> int:
        """The next value of a list or name of a mapping, or its end."""
        at = self._skip(_DECODER.raw_decode(self.text, at)[1])
        return self._skip(at + 1) if self.text[at] == "," else at

    def _skip(self, at: int) -> int:
        while self.text[at] in _SPACE:
            at += 1
        return at
