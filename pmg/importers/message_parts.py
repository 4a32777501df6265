"""From the parts of source messages to messages, and from a tree of them to the current branch and the others.

Handles parts, placeholders for what an export does not hold, and how parts and trees become messages and branches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from pmg.base.model import Role
from pmg.base.patterns import IGNORECASE, linear, plain
from pmg.importers.conversation import Branch, Conversation, SourceMessage, short_id
from pmg.importers.tree import arrange, last_leaf
from pmg.recall.fence import without_blocks

# How local interfaces write a model's reasoning into the answer's text.
REASONING = linear(
    r"(?s)<details\b[^>]*\btype=\"reasoning\"[^>]*>.*?</details>|<think>.*?</think>|<thinking>.*?</thinking>"
)
# A tool of ours by the names that programs give it: mcp__pmg__recall, mcp_pmg_recall, pmg__recall, pmg.recall, pmg/recall.
OWN_TOOL = plain(
    r"(?:mcp_{1,2})?pmg(?:__?|[./:-])(?:recall|search|fetch|remember|timeline|people|link|forget|status)", IGNORECASE
)
MEDIA = {"image", "audio", "video", "document", "file", "attachment"}
COMMAND = "command"  # the kind of what a person called up in a program, such as /init
BRIEF = "brief"  # the kind of what a model told its sub-agent to do
TITLE = 80  # characters: what fits one line of a list


@dataclass(frozen=True, slots=True)
class MessagePart:
    """A piece of a source message that has one role: text, thinking, a tool call, a result, an attachment."""

    role: Role
    speaker: str
    text: str
    kind: str = "text"
    meta: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MessageNode:
    """A source message in a tree: its messages (none where it is empty), its parent, its time for choosing a leaf."""

    parent: str
    messages: tuple[SourceMessage, ...]
    rank: float = 0.0


def numbered(
    origin_id: str,
    parts: Iterable[MessagePart],
    *,
    at: datetime | None = None,
    model: str = "",
    session: str = "",
    meta: Mapping[str, str] | None = None,
) -> tuple[SourceMessage, ...]:
    """The parts that say something, as messages with one id and rising part numbers; `meta` goes to the first.

    What this memory itself told a tool is left out: it is stored where it was said, and would come back as if it were said again.
    """
    said = [part for part in map(without_memories, parts) if part.text.strip()]
    messages = [
        SourceMessage(
            origin_id=origin_id,
            role=part.role,
            speaker=part.speaker,
            text=part.text,
            at=at,
            part=number,
            model=model if part.role in (Role.ASSISTANT, Role.THINKING) else "",
            kind=part.kind,
            session=session,
            meta={**(meta or {}), **part.meta} if number == 0 else part.meta,
        )
        for number, part in enumerate(said)
    ]
    return tuple(messages)


def without_memories(part: MessagePart) -> MessagePart:
    """Without blocks of this memory; a call of a tool of ours, and what it gave, is about this memory alone."""
    if part.role is Role.TOOL and OWN_TOOL.fullmatch(part.speaker):
        return replace(part, text="")
    text = without_blocks(part.text)
    return part if text == part.text else replace(part, text=text)


def as_briefs(messages: Iterable[SourceMessage], name: str) -> tuple[SourceMessage, ...]:
    """The messages of a sub-agent: what the source calls the user's was written by the model `name` that started it."""
    return tuple(
        replace(one, role=Role.ASSISTANT, speaker=name, kind=BRIEF) if one.role is Role.USER else one
        for one in messages
    )


def placeholder(what: str, *details: object) -> str:
    """`[image: diagram.png, 400×279]`: what stands where the export holds no words."""
    said = ", ".join(str(detail) for detail in details if detail not in (None, "", 0))
    return f"[{what}: {said}]" if said else f"[{what}]"


def unfold(nodes: Mapping[str, MessageNode], leaf: str) -> tuple[tuple[SourceMessage, ...], tuple[Branch, ...]]:
    """The messages on the way to `leaf` (to the newest leaf where it is unknown), and the other branches."""
    parents = {name: node.parent for name, node in nodes.items()}
    if leaf not in nodes:
        leaf = last_leaf(parents, {name: node.rank for name, node in nodes.items()})
    shape = arrange(parents, leaf)
    current = tuple(message for name in shape.current for message in nodes[name].messages)
    branches = []
    for chain in shape.chains:
        messages = tuple(message for name in chain.nodes for message in nodes[name].messages)
        if messages:
            branches.append(Branch(_speaking(nodes, chain.at), messages))
    return current, tuple(branches)


def _speaking(nodes: Mapping[str, MessageNode], name: str) -> str:
    """The id of the nearest message at or above this node: empty nodes cannot be linked to."""
    seen: set[str] = set()
    while name in nodes and name not in seen:
        if nodes[name].messages:
            return nodes[name].messages[-1].origin_id
        seen.add(name)
        name = nodes[name].parent
    return ""


def stamp(at: datetime | None) -> float:
    return at.timestamp() if at else 0.0


def first_time(messages: Sequence[SourceMessage]) -> datetime | None:
    return next((message.at for message in messages if message.at), None)


def guessed_id(created: datetime | None, messages: Sequence[SourceMessage]) -> str:
    """For a conversation that its source does not name: from what stays the same when it grows (identity.py does the rest)."""
    first = next((message for message in messages if message.role is not Role.SYSTEM), messages[0])
    return short_id(str(stamp(created)) if created else "", first.role.value, first.text)


def assembled(
    source: str,
    own_id: str,
    title: str,
    created_at: datetime | None,
    messages: Iterable[SourceMessage],
    branches: Iterable[Branch] = (),
    updated_at: datetime | None = None,
    meta: Mapping[str, str] | None = None,
    counts: Mapping[str, int] | None = None,
) -> Conversation:
    """A conversation under the id that its source gives; where that is empty, under a guess from how it begins."""
    current, others = tuple(messages), tuple(branches)
    said = (*current, *(message for branch in others for message in branch.messages))
    return Conversation(
        source,
        own_id or guessed_id(created_at, said),
        title,
        created_at,
        current,
        others,
        updated_at,
        meta or {},
        counts or {},
        made_id=not own_id,
    )


def title_from(messages: Sequence[SourceMessage]) -> str:
    """For sources without titles: the beginning of the first thing the person said, or the sub-agent was told, or was answered."""
    asked = [message for message in messages if message.role in (Role.USER, Role.PERSON)]
    asked = asked or [message for message in messages if message.kind == BRIEF]
    asked = asked or [message for message in messages if message.role is Role.ASSISTANT]
    said = next((message.text for message in asked if message.kind not in MEDIA), asked[0].text if asked else "")
    line = " ".join(said[:400].split())
    return line if len(line) <= TITLE else line[:TITLE].rsplit(" ", 1)[0] + "…"


def without_reasoning(part: MessagePart) -> list[MessagePart]:
    """An answer with reasoning written into its text, as thinking and words in their order; every letter is kept."""
    found = [*REASONING.finditer(part.text)] if part.role is Role.ASSISTANT and "<" in part.text else []
    parts: list[MessagePart] = []
    start = 0
    for match in found:
        parts.append(MessagePart(part.role, part.speaker, part.text[start : match.start()], part.kind, part.meta))
        parts.append(MessagePart(Role.THINKING, part.speaker, match[0], "reasoning"))
        start = match.end()
    return [*parts, MessagePart(part.role, part.speaker, part.text[start:], part.kind, part.meta)]
