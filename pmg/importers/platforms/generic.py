"""Anything plain: JSON, JSONL and CSV with messages in them, by a small schema with many accepted names.

The minimal schema. A message is an object (a JSONL line, an array element, an entry of `messages`) or a CSV row with
    who:   `role` (user, assistant, system, tool, person …) or `speaker` / `author` / `sender` / `from` / `name`, or a `type` that is a role
    text:  `text` / `content` / `message` / `body` / `value`
and, where known, `at` / `time` / `timestamp` / `created_at` / `date` / `said_at`, `id`, `conversation`, `session`, `title`, `model`.
A conversation is an object with a list of messages in `messages` / `turns` / `conversations` / `history` / `dialogue`,
or the messages of one file (of one `conversation` value, where they name one).
Sessions may also be given line by line, each session line followed by its turns:
    {"session": "s1", "conversation": "c1", "title": "…", "source": "…", "started_at": "2026-01-05T09:00:00+00:00"}
    {"at": "2026-01-05T09:00:10+00:00", "lines": [{"speaker": "Ana", "role": "user", "text": "…"}, …]}

Handles this schema.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from pmg.base.model import Role
from pmg.importers.conversation import SYSTEM, TOOL, USER, Conversation, Level, Result, SourceMessage, Where, role_of
from pmg.importers.message_parts import MessagePart, first_time, guessed_id, numbered, title_from, without_reasoning
from pmg.importers.platforms import pmg_exports
from pmg.importers.platforms.claude.content import parts_of as block_parts
from pmg.importers.platforms.claude.content import result_text
from pmg.importers.reader import Row
from pmg.importers.reading.fields import Json, first_text, mapping, mappings, notes, raw, text
from pmg.importers.reading.lines import TextLines, header_of, records
from pmg.importers.reading.times import oldest_first, time_of

SOURCE = "generic"
WHO = ("speaker", "author", "sender", "from", "name", "user", "username", "participant")
SAID = ("text", "content", "message", "body", "value", "utterance", "say")
PIECES = (
    "contentChunks",
    "content_chunks",
    "contentParts",
    "blocks",
    "parts",
    "chunks",
    "segments",
)  # words in pieces, where SAID is empty
CALLS = {"tool_calls", "function_call"}
# A line's `type` that says who speaks. Only these: an element of a page is called "a" or "q" too.
SIDES = ("user", "human", "assistant", "ai")
TYPES = (*SIDES, "system", "tool", "function")
ASKED = ("input", "arguments", "args", "parameters")  # of a tool
GAVE = ("output", "result")
WHEN = (
    "at",
    "time",
    "timestamp",
    "created_at",
    "createdAt",
    "create_time",
    "createTime",
    "createdTime",
    "created",
    "date",
    "datetime",
    "ts",
    "createdat",
    "epoch",
    "sent_at",
    "inserted_at",
    "creationDate",
    "said_at",
)
OWN_ID = ("id", "uuid", "message_id", "messageId", "msg_id")
TALK = (
    "conversation",
    "conversation_id",
    "conversationId",
    "thread",
    "thread_id",
    "chat",
    "chat_id",
    "chatId",
    "channel",
)
TALK_LOWER = (*(name.lower() for name in TALK), "session", "session_id")
LISTS = ("messages", "turns", "conversations", "history", "dialogue", "dialog", "chat", "conversation", "items")

# Fields of a message that are read, or that only say something about it.
READ = frozenset(
    (
        *SAID,
        *WHO,
        *WHEN,
        *OWN_ID,
        *TALK,
        "role",
        "type",
        *CALLS,
        "reasoning",
        "reasoning_content",
        "thinking",
        "metadata",
    )
)


def is_message(value: Json) -> bool:
    if is_wrapped(value):
        return True
    has_words = any(isinstance(value.get(key), str | list) for key in (*SAID, *PIECES)) or not CALLS.isdisjoint(value)
    named = "role" in value or any(isinstance(value.get(key), str) for key in WHO)
    return has_words and (named or value.get("type") in SIDES)


def is_action(value: Json) -> bool:
    """A line of its own for what a tool was asked or gave."""
    return "role" not in value and text(value.get("type")).startswith(("tool_", "function_"))


def is_wrapped(value: Json) -> bool:
    """A line that holds its message in a field, with its name and time (or who says it) beside it, as agents log them."""
    return _wrapped_in(value) != ""


def _wrapped_in(value: Json) -> str:
    for key in ("message", "data"):
        inner = mapping(value.get(key))
        speaks = "role" in inner or role_of(text(value.get("role"))) is not None or value.get("type") in TYPES
        if speaks and isinstance(inner.get("content"), str | list):
            return key
    return ""


def is_spoken(value: Json) -> bool:
    """A message that says who spoke in a field for it: of rows found inside something else, a name alone tells nothing."""
    return is_message(value) and (is_wrapped(value) or any(key in value for key in ("role", *WHO[:4])))


def claims(value: Json) -> bool:
    return _list_of(value) != ""


def _list_of(value: Json) -> str:
    for key in LISTS:
        rows = mappings(value.get(key))
        if rows and any(is_message(row) or "lines" in row for row in rows):
            return key
    return ""


def parse(value: Json, where: Where) -> Iterator[Result]:
    """An object that holds a list of messages."""
    head = {key: item for key, item in value.items() if key != _list_of(value)}
    rows = mappings(value[_list_of(value)])
    lost = len(value[_list_of(value)]) - len(rows)
    if lost:
        yield where.problem(f"{lost} entries of the messages are no objects", count=lost)
    yield from _conversation(head, rows, where)


def claims_row(value: Json) -> bool:
    return is_message(value) or is_session(value) or isinstance(value.get("lines"), list)


def is_session(value: Json) -> bool:
    return "session" in value and ("started_at" in value or "title" in value) and not is_message(value)


def gather(rows: Iterator[Row]) -> Iterator[Result]:
    """Session lines with their turns as they end; loose messages at the end, one conversation a name."""
    head: Json = {}
    turns: list[Json] = []
    loose: dict[str, list[Json]] = {}
    where: Where | None = None
    for row in rows:
        where = where or row.where
        if is_session(row.value):
            yield from _session(head, turns, where)
            head, turns = row.value, []
        elif head or "lines" in row.value:
            turns.append(row.value)
        elif is_message(row.value) or is_action(row.value):
            loose.setdefault(first_text(row.value, *TALK, "session", "session_id"), []).append(row.value)
        else:
            yield row.where.problem("neither a message nor a session", raw=raw(row.value))
    if where is None:
        return
    yield from _session(head, turns, where)
    for name, messages in loose.items():
        yield from _conversation({"conversation": name}, messages, Where(where.file))


def _session(head: Json, turns: list[Json], where: Where) -> Iterator[Result]:
    if turns:
        yield from _conversation(head, turns, where)
    elif head:
        reason = f"session {text(head.get('session'))!r} holds no turns"
        yield where.problem(reason, raw=raw(head), level=Level.SKIPPED)


def _conversation(head: Json, rows: list[Json], where: Where) -> Iterator[Result]:
    counts: Counter[str] = Counter()
    messages: list[SourceMessage] = []
    session = text(head.get("session"))
    messages.extend(_instruction(head, rows))
    counts["messages"] = len(rows)
    spoken = [_messages(row, index, session, counts) for index, row in enumerate(rows)]
    counts["empty"] = spoken.count(())
    for said in oldest_first([each for each in spoken if each], lambda each: each[0].at):
        messages.extend(said)
    head = {**mapping(head.get("metadata")), **head}
    title = first_text(head, "title", "name", "subject") or _readable(first_text(head, *TALK))
    if not messages:
        yield where.problem(f"conversation {title!r} holds no words", raw=raw(rows), level=Level.SKIPPED)
        return
    model = head.get("model")
    own = first_text(head, *TALK, "id", "uuid", "session", "session_id", "sessionId")
    started = time_of(head, "started_at", "start_time", *WHEN)
    yield Conversation(
        source=first_text(head, "source", "platform") or SOURCE,
        origin_id=own or guessed_id(started, messages),
        made_id=not own,
        title=title or title_from(messages),
        created_at=started or first_time(messages),
        messages=tuple(messages),
        updated_at=max((message.at for message in messages if message.at), default=None),
        meta=notes(model=first_text(mapping(model), "name", "id") or model, namespace=head.get("namespace")),
        counts=counts,
    )


def _readable(name: str) -> str:
    """What a conversation is called, where that is a name and no id: "health", "Trip 2024"."""
    return name if " " in name or not any(character.isdigit() for character in name) else ""


def _instruction(head: Json, rows: list[Json]) -> tuple[SourceMessage, ...]:
    """What the conversation's head tells the assistant to be; not where its messages say it again."""
    said = first_text(head, "system", "system_prompt", "systemPrompt", "prompt")
    if not said or any(row.get(key) == said for row in rows for key in SAID):
        return ()
    return numbered("system", [MessagePart(Role.SYSTEM, SYSTEM, said, "system_prompt")])


def _messages(row: Json, index: int, session: str, counts: Counter[str]) -> tuple[SourceMessage, ...]:
    if inner := _wrapped_in(row):
        who = {"role": text(row.get("role")) or text(row.get("type"))}
        row = who | {key: item for key, item in row.items() if key not in (inner, "type")} | row[inner]
    own = first_text(row, *OWN_ID) or f"{session or 'message'}-{index}"
    at = time_of(row, *WHEN)
    session = session or first_text(row, "session", "session_id")
    if "lines" not in row:
        return numbered(own, _parts(row, counts), at=at, model=text(row.get("model")), session=session)
    parts = [part for line in mappings(row.get("lines")) for part in _parts(line, counts)]
    said = numbered(own, parts, at=at, model=text(row.get("model")), session=session)
    return tuple(replace(message, turn=own) for message in said)


def _action(row: Json, counts: Counter[str]) -> Iterator[MessagePart]:
    """What a tool was asked, then what it gave."""
    name = first_text(row, "name", "tool", "tool_name") or TOOL
    for key in (*ASKED, *SAID, *GAVE):
        if said := row.get(key):
            words = (
                result_text(said, counts) if isinstance(said, list) else said if isinstance(said, str) else raw(said)
            )
            yield MessagePart(Role.TOOL, name, words, text(row.get("type")))


def _parts(row: Json, counts: Counter[str]) -> Iterator[MessagePart]:
    if is_action(row):
        yield from _action(row, counts)
        return
    role, speaker = _who(row)
    said = next((row[key] for key in (*SAID, *PIECES) if row.get(key)), "")
    yield MessagePart(Role.THINKING, speaker, first_text(row, "reasoning_content", "reasoning", "thinking"), "thinking")
    if isinstance(said, list):
        yield from block_parts(said, role, speaker, counts)
    elif isinstance(said, str):
        yield from without_reasoning(MessagePart(role, speaker, said))
    else:
        counts["unknown:text"] += 1
        yield MessagePart(role, speaker, raw(said), "unknown")
    for call in [*mappings(row.get("tool_calls")), *filter(None, [mapping(row.get("function_call"))])]:
        asked = mapping(call.get("function")) or call
        given = asked.get("arguments", asked.get("args", {}))
        name = text(asked.get("name")) or TOOL
        yield MessagePart(Role.TOOL, name, given if isinstance(given, str) else raw(given), "tool_call")
    yield from _unread(row, role, speaker, counts)


def _unread(row: Json, role: Role, speaker: str, counts: Counter[str]) -> Iterator[MessagePart]:
    """Fields that nobody knows and that hold prose which the message does not: kept as they are, and listed."""
    nested = [key for key, value in row.items() if key not in READ and isinstance(value, list | dict) and value]
    if not nested:
        return
    spoken = next((key for key in (*SAID, *PIECES) if row.get(key)), "")
    known = text(row.get(spoken)) or raw(row.get(spoken))
    for key in nested:
        if key != spoken and any(words not in known for words in _prose(row[key])):
            counts[f"unknown:{key}"] += 1
            yield MessagePart(role, speaker, raw({key: row[key]}), "unknown")


def _prose(value: object) -> Iterator[str]:
    """The texts inside a value that read like something said: several words, no address."""
    todo = [value]
    while todo:
        each = todo.pop()
        if isinstance(each, dict):
            todo.extend(each.values())
        elif isinstance(each, list):
            todo.extend(each)
        elif isinstance(each, str) and len(each.split()) >= 3 and not each.startswith(("http", "data:", "{", "[")):
            yield each


def _who(row: Json) -> tuple[Role, str]:
    """The role, told by `role` or else by the name; a name of nobody we know is a person's."""
    named = next((row[key] for key in WHO if isinstance(row.get(key), str) and row[key]), "")
    written = text(row.get("role")) or text(row.get("type"))
    role = role_of(written) or (Role(written) if written in Role.__members__.values() else None)
    if role is None and row.get("isThought"):
        role = Role.THINKING
    if role is None:
        role = role_of(named) or (Role.PERSON if named else role_of(written) or Role.PERSON)
    if role is Role.ASSISTANT and row.get("isThought"):
        role = Role.THINKING
    if named and role_of(named) is None:
        return role, named
    plain = {Role.USER: USER, Role.SYSTEM: SYSTEM, Role.TOOL: TOOL}
    return role, plain.get(role, named or ("Assistant" if role in (Role.ASSISTANT, Role.THINKING) else "Unknown"))


def claims_text(head: str) -> bool:
    """A table whose header names who and what."""
    names = set(header_of(head))
    return bool(names & {*WHO, "role"}) and bool(names & set(SAID))


def parse_text(chunks: Iterable[bytes], where: Where) -> Iterator[Result]:
    talks: dict[str, list[Json]] = {}
    is_own = False
    lines = TextLines(chunks)
    for line, record in records(lines):
        if not is_own and pmg_exports.is_table(record):
            is_own = True
            yield where.problem(pmg_exports.TABLE_READ, level=Level.NOTE)
        record = pmg_exports.unguarded(record) if is_own else record
        if not any(record.get(key, "").strip() for key in SAID):
            yield Where(where.file, f"line {line}").problem("a row without text", raw=raw(record))
            continue
        talks.setdefault(first_text(record, *TALK_LOWER, "title"), []).append(dict(record))
    if lines.remark:
        yield where.problem(lines.remark, level=Level.NOTE)
    # A column `source` is not asked: a conversation's name is made from it, so a table that an earlier version read would come in twice.
    for name, rows in talks.items():
        yield from _conversation({"conversation": name, "title": first_text(rows[0], "title")}, rows, where)
