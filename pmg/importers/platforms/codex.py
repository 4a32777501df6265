"""Codex transcripts: rollout files of both formats (enveloped and bare items), the first single-object form, and `codex exec --json`.

Handles session_meta, turn_context, response items and events; which of two records of one message to take.
Holds one file's messages at a time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from pmg.base.model import Role
from pmg.base.project import plain_remote
from pmg.importers.conversation import SYSTEM, TOOL, USER, Result, SourceMessage, Where
from pmg.importers.message_parts import MessagePart, as_briefs, assembled, first_time, numbered, placeholder, title_from
from pmg.importers.reader import Row
from pmg.importers.reading.fields import Json, first_text, items, joined, mapping, mappings, notes, raw, text
from pmg.importers.reading.times import parse_time

SOURCE = "codex"
NAME = "Codex"
# Records of what the program sees around it and counts: no words of the conversation.
NOTES = {"world_state", "token_usage_record"}
# What `codex exec --json` tells of its course: what begins or goes on is told again when it is done.
STREAM = ("thread.", "turn.", "item.")
NOTES |= {"turn.started", "turn.completed", "item.started", "item.updated"}
ENVELOPES = {"session_meta", "response_item", "event_msg", "turn_context", "compacted"} | NOTES
ITEMS = {"message", "reasoning", "function_call", "function_call_output", "local_shell_call", "custom_tool_call"}
ITEMS |= {"custom_tool_call_output", "web_search_call", "local_shell_call_output", "ghost_snapshot"}
ITEMS |= {"tool_search_call", "tool_search_output", "image_generation_call", "mcp_tool_call_output"}
# Items that hold nothing anybody could read: a snapshot's commit, a history that only the model can open.
IGNORED = {"ghost_snapshot", "compaction", "context_compaction", "compaction_trigger"}
# What an item is that does not say so, by its fields.
SHAPES = {
    "message": {"role", "content"},
    "function_call_output": {"call_id", "output"},
    "function_call": {"name", "arguments"},
    "reasoning": {"summary"},
}
ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM, "developer": Role.SYSTEM}
# What the program puts into the person's mouth: context, not words of theirs. New kinds come as <one_tag>…</one_tag>.
CONTEXT = re.compile(
    r"\s*(<(environment_context|user_instructions|permissions|turn_aborted|INSTRUCTIONS|skill|user_action"
    r"|user_shell_command)|# AGENTS\.md)|\s*<([a-z]+_[a-z_]+)\b[^>]*>.*</\3>\s*\Z",
    re.DOTALL,
)
# What the program tells the model about itself, the same in every session: its sandbox, its skills.
PROGRAM = re.compile(r"\s*<([a-z][a-z_ ]*)>.*</\1>\s*\Z", re.DOTALL)
EVENTS = {"user_message": Role.USER, "agent_message": Role.ASSISTANT, "agent_reasoning": Role.THINKING}


@dataclass(slots=True)
class Rollout:
    """One file under way. Events repeat what the items say, so they are used only where no item says the same."""

    meta: Json = field(default_factory=dict)
    model: str = ""
    messages: list[SourceMessage] = field(default_factory=list)
    events: list[SourceMessage] = field(default_factory=list)
    tools: dict[str, str] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)


def claims(value: Json) -> bool:
    kind = text(value.get("type"))
    if kind in ENVELOPES and isinstance(value.get("payload"), dict):
        return True
    if kind.startswith(STREAM):
        return "thread_id" in value or kind.startswith("turn.") or isinstance(value.get("item"), dict)
    if value.get("record_type") == "state" or (kind in ITEMS and ("role" in value or "call_id" in value)):
        return "uuid" not in value
    return {"id", "timestamp", "instructions"} <= value.keys()


def gather(rows: Iterator[Row]) -> Iterator[Result]:
    rollout = Rollout()
    where: Where | None = None
    for index, row in enumerate(rows):
        where = where or row.where
        _take(rollout, row.value, index)
    if where:
        yield _finish(rollout, where)


def claims_object(value: Json) -> bool:
    return isinstance(value.get("session"), dict) and isinstance(value.get("items"), list)


def parse_object(value: Json, where: Where) -> Iterator[Result]:
    rollout = Rollout(meta=mapping(value.get("session")))
    for index, item in enumerate(mappings(value.get("items"))):
        _take(rollout, item, index)
    yield _finish(rollout, where)


def _take(rollout: Rollout, value: Json, index: int) -> None:
    kind, payload = text(value.get("type")), mapping(value.get("payload"))
    at = value.get("timestamp")
    rollout.counts[f"line:{kind or text(value.get('record_type')) or 'head'}"] += 1
    if kind == "session_meta":
        rollout.meta = rollout.meta or {"timestamp": at} | (mapping(payload.get("meta")) or payload)
    elif kind == "turn_context":
        rollout.model = text(payload.get("model")) or rollout.model
    elif kind in NOTES:
        return
    elif kind == "thread.started":
        rollout.meta = rollout.meta or {"id": f"result/{text(value.get('thread_id'))}"}  # its rollout tells it whole
    elif kind == "item.completed":
        rollout.messages.extend(numbered(f"line-{index}", _done(mapping(value.get("item"))), at=parse_time(at)))
    elif kind == "event_msg":
        _event(rollout, payload, at, index)
    elif kind == "compacted":
        said = MessagePart(Role.SYSTEM, SYSTEM, text(payload.get("message")), "compacted")
        rollout.messages.extend(numbered(f"line-{index}", [said], at=parse_time(at)))
    elif kind == "response_item":
        _item(rollout, payload, at, index)
    elif kind:
        _item(rollout, value, at, index)
    elif "id" in value:
        rollout.meta = rollout.meta or value


def _event(rollout: Rollout, payload: Json, at: object, index: int) -> None:
    kind = text(payload.get("type"))
    rollout.counts[f"event:{kind}"] += 1
    role = EVENTS.get(kind)
    if role is None:
        if kind == "mcp_tool_call_end" and text(payload.get("call_id")) not in rollout.tools:
            rollout.messages.extend(numbered(f"line-{index}", _mcp(payload), at=parse_time(at)))
        return
    speaker = USER if role is Role.USER else NAME
    part = MessagePart(role, speaker, first_text(payload, "message", "text"), text(payload.get("type")))
    rollout.events.extend(numbered(f"line-{index}", [part], at=parse_time(at), model=rollout.model))


def _mcp(payload: Json) -> Iterator[MessagePart]:
    """A call of another program's tool and its result, in one event."""
    asked, result = mapping(payload.get("invocation")), payload.get("result")
    name = ".".join(filter(None, (text(asked.get("server")), text(asked.get("tool"))))) or TOOL
    call = notes(call=payload.get("call_id"))
    yield MessagePart(Role.TOOL, name, raw(asked.get("arguments") or {}), "mcp_tool_call", call)
    outcome = mapping(mapping(result).get("Ok")) or mapping(result)
    yield MessagePart(Role.TOOL, name, _output(outcome.get("content")) or _output(result), "mcp_tool_result", call)


def _done(item: Json) -> Iterator[MessagePart]:
    """An item of `codex exec --json`."""
    kind = first_text(item, "type", "item_type")
    if kind in ("agent_message", "assistant_message"):
        yield MessagePart(Role.ASSISTANT, NAME, text(item.get("text")))
    elif kind == "reasoning":
        yield MessagePart(Role.THINKING, NAME, text(item.get("text")), kind)
    elif kind == "command_execution":
        yield MessagePart(Role.TOOL, "shell", text(item.get("command")), kind)
        yield MessagePart(Role.TOOL, "shell", first_text(item, "aggregated_output", "output"), f"{kind}_output")
    elif kind == "mcp_tool_call":
        yield from _mcp({"invocation": item, "result": item.get("result"), "call_id": item.get("id")})
    elif kind == "error":
        yield MessagePart(Role.SYSTEM, SYSTEM, text(item.get("message")), kind)
    else:
        about = {key: each for key, each in item.items() if key not in ("id", "type", "status")}
        yield MessagePart(Role.TOOL, kind or TOOL, first_text(item, "query", "text") or raw(about), kind or "item")


def _item(rollout: Rollout, item: Json, at: object, index: int) -> None:
    parts = list(_parts(rollout, item))
    name = f"line-{index}"
    rollout.messages.extend(numbered(name, parts, at=parse_time(at), model=rollout.model))
    rollout.counts["messages"] += 1


def _parts(rollout: Rollout, item: Json) -> Iterator[MessagePart]:
    shape = next((name for name, fields in SHAPES.items() if fields <= item.keys()), "")
    kind, call = text(item.get("type")) or shape, text(item.get("call_id"))
    if kind == "message":
        yield from _spoken(rollout, item)
    elif kind == "reasoning":
        said = [text(each.get("text")) for each in mappings(item.get("summary")) + mappings(item.get("content"))]
        said += [text(item.get(key)) for key in ("summary", "content")]
        yield MessagePart(Role.THINKING, NAME, joined(said, "\n\n"), kind)
    elif kind == "image_generation_call":
        yield MessagePart(Role.TOOL, "image_generation", placeholder("image", item.get("revised_prompt")), "image")
    elif kind in ("function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call"):
        # A tool of another program stands in a namespace of its own, mcp__NAME.
        name = "__".join(filter(None, (text(item.get("namespace")), text(item.get("name"))))) or kind.removesuffix(
            "_call"
        )
        rollout.tools[call] = name
        said_to = first_text(item, "arguments", "input") or raw(item.get("action") or item.get("arguments") or {})
        yield MessagePart(Role.TOOL, name, said_to, kind, notes(call=call))
    elif kind.endswith("_output"):
        output = next((item[key] for key in ("output", "tools", "result") if item.get(key)), "")
        yield MessagePart(Role.TOOL, rollout.tools.get(call, TOOL), _output(output), kind, notes(call=call))
    elif kind in IGNORED:
        rollout.counts[f"silent:{kind}"] += 1
    else:
        rollout.counts[f"unknown:{kind}"] += 1
        yield MessagePart(Role.SYSTEM, SYSTEM, raw(item), kind or "unknown")


def _spoken(rollout: Rollout, item: Json) -> Iterator[MessagePart]:
    role = ROLES.get(text(item.get("role")), Role.SYSTEM)
    content = item.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else items(content)
    for block in blocks:
        said, kind = _block(rollout, mapping(block))
        if item.get("role") == "developer" and (found := PROGRAM.match(said)):
            rollout.counts[f"silent:{found[1]}"] += 1
            continue
        own = Role.SYSTEM if role is Role.USER and CONTEXT.match(said) else role
        speaker = {Role.USER: USER, Role.ASSISTANT: NAME}.get(own, SYSTEM)
        yield MessagePart(own, speaker, said, kind)


def _block(rollout: Rollout, block: Json) -> tuple[str, str]:
    kind = text(block.get("type"))
    if kind in ("input_text", "output_text", "text", "summary_text", ""):
        return text(block.get("text")), "text"
    if kind in ("input_image", "image"):
        url = first_text(block, "image_url", "url")
        return placeholder("image", f"{len(url)} characters inline" if url.startswith("data:") else url), "image"
    rollout.counts[f"unknown:{kind}"] += 1
    return raw(block), kind


def _output(output: object) -> str:
    """A tool's output: text, text wrapped in JSON, or blocks."""
    if isinstance(output, str):
        return output
    if isinstance(output, list):
        return joined([text(each.get("text")) or _unsaid(each) for each in mappings(output)])
    return first_text(mapping(output), "content", "output", "text") or (raw(output) if output else "")


def _unsaid(block: Json) -> str:
    """A block without words: a picture as a placeholder, anything else as it is."""
    kind = text(block.get("type"))
    return placeholder("image") if "image" in kind else raw(block)


def _finish(rollout: Rollout, where: Where) -> Result:
    messages = tuple(sorted([*_events_without_item(rollout), *rollout.messages], key=_line))
    if not messages:
        return where.problem(f"a Codex session without messages ({sum(rollout.counts.values())} lines)")
    if "subagent" in mapping(rollout.meta.get("source")):
        messages = as_briefs(messages, NAME)
    started = parse_time(rollout.meta.get("timestamp")) or first_time(messages)
    git = mapping(rollout.meta.get("git"))
    return assembled(
        SOURCE,
        first_text(rollout.meta, "id", "session_id"),
        title_from(messages),
        started,
        messages,
        (),
        max((message.at for message in messages if message.at), default=started),
        notes(
            cwd=rollout.meta.get("cwd"),
            version=rollout.meta.get("cli_version"),
            git_branch=git.get("branch"),
            repository=plain_remote(text(git.get("repository_url"))),
            forked_from=rollout.meta.get("forked_from_id"),
        ),
        rollout.counts,
    )


def _events_without_item(rollout: Rollout) -> list[SourceMessage]:
    """The events whose words no item has: files of some versions hold a side of the conversation only as events."""
    said: dict[Role, set[str]] = {}
    for message in rollout.messages:
        said.setdefault(message.role, set()).add(_plain(message.text))
    whole = {role: "\n".join(sorted(texts)) for role, texts in said.items()}
    found = []
    for event in rollout.events:
        words = _plain(event.text)
        if words not in said.get(event.role, ()) and words not in whole.get(event.role, ""):
            found.append(event)
    return found


def _plain(words: str) -> str:
    return " ".join(words.split())


def _line(message: SourceMessage) -> int:
    return int(message.origin_id.removeprefix("line-"))
