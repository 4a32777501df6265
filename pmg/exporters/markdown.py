"""A vault of Markdown: one file a session, front matter, links as [[…]]; Obsidian opens it as it is.

Knows: the layout (`2026/11/2026-11-15 Title (id).md`), YAML that no text can break out of, and text that stays text: what was
said cannot make a link, an embed, a script, a heading or a block of properties of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pmg.base.model import Edge, Kind, Segment, Session, State
from pmg.base.text import printable
from pmg.base.times import shown
from pmg.exporters.files import safe_name, write_rows

LINKED = 8  # links shown for a turn: the strongest
# A link is told in both files. Where the other turn is its source, by what it says from here; the kinds that are not named say the same both ways.
FROM_OTHER = {
    Kind.SUPPORTS: "supported_by",
    Kind.CONTRADICTS: "contradicted_by",
    Kind.PART_OF: "has_part",
    Kind.CAUSED_BY: "causes",
    Kind.EXTENDS_SOURCE: "extended_by",
}
_HTML = re.compile(r"<(?=[A-Za-z/!?])")
_EMBED = re.compile(r"!(?=\[)")
_WIKI = re.compile(r"\[(?=\[)")
_FENCE = re.compile(r"^( {0,3})(`{3,}|~{3,})", re.MULTILINE)
# Plugins of a vault run what stands in blocks of these languages, or in a code span that begins with a sign.
_RUN = re.compile(
    r"(?i)^( {0,3}(?:`{3,}|~{3,})[ \t]*)(?=(?:dataview|js-engine|templater|query|tasks|run-|button|meta-bind))",
    re.MULTILINE,
)
_SPAN = re.compile(r"(?<!`)`(?=\$?=)")
_HIDDEN = re.compile("%(?=%)")


def place_of(session: Session) -> Path:
    """Where the file of a session is, inside the vault. The id is in the name, so that two never meet."""
    day = f"{session.started_at.year:04d}-{session.started_at:%m-%d}"
    title = safe_name(session.title)
    name = f"{day} {title} ({session.id})" if title else f"{day} ({session.id})"
    return Path(f"{session.started_at.year:04d}") / f"{session.started_at:%m}" / f"{name}.md"


def write(
    folder: Path, session: Session, segments: Sequence[Segment], edges: Sequence[Edge], places: Mapping[str, Path]
) -> None:
    write_rows(folder / place_of(session), rendered(session, segments, edges, places))


def rendered(
    session: Session, segments: Sequence[Segment], edges: Sequence[Edge], places: Mapping[str, Path]
) -> Iterator[str]:
    yield from _front_matter(session, segments)
    yield f"\n# {_inline(session.title or session.id)}\n"
    for segment in segments:
        yield from _turn(segment, [e for e in edges if segment.id in (e.source, e.target)], places)


def _front_matter(session: Session, segments: Sequence[Segment]) -> Iterator[str]:
    people = sorted({line.speaker for segment in segments for line in segment.lines})
    tags = sorted({tag for segment in segments for tag in segment.tags})
    told: dict[str, object] = {
        "title": session.title,
        "session": session.id,
        "conversation": session.conversation,
        "namespace": session.namespace,
        "source": session.source,
        "started": session.started_at.isoformat(),
        "ended": session.ended_at.isoformat() if session.ended_at else "",
        "turns": len(segments),
        "people": people,
        "tags": [re.sub(r"\s+", "-", tag) for tag in tags],
    }
    yield "---\n"
    for key, value in told.items():
        yield f"{key}: {_yaml(value)}\n"
    if session.meta:
        yield f"origin: {_yaml(dict(session.meta))}\n"
    yield "---\n"


def _yaml(value: object) -> str:
    """JSON is YAML. ASCII where a character could end a line, no `<`, and no [[ ]] that a vault would follow."""
    text = json.dumps(_unlinked(value), ensure_ascii=not (isinstance(value, str) and value.isprintable()))
    return text.replace("<", "\\u003c")


def _unlinked(value: object) -> object:
    if isinstance(value, str):
        return value.replace("![", "! [").replace("[[", "[ [").replace("[[", "[ [")
    if isinstance(value, dict):
        return {key: _unlinked(item) for key, item in value.items()}
    return [_unlinked(item) for item in value] if isinstance(value, list) else value


def _turn(segment: Segment, edges: Sequence[Edge], places: Mapping[str, Path]) -> Iterator[str]:
    mark = "" if segment.state is State.ACTIVE else f" · {segment.state.value}"
    yield f"\n## {shown(segment.at)}{mark}\n"
    for line in segment.lines:
        yield f"\n**{_inline(line.speaker)}** ({line.role.value}):\n\n{body(line.text)}\n"
    links = list(_links(segment, edges, places))
    if links:
        yield "\n" + "\n".join(links) + "\n"
    yield f"\n^{re.sub(r'[^A-Za-z0-9-]', '-', segment.id)}\n"


def _links(segment: Segment, edges: Sequence[Edge], places: Mapping[str, Path]) -> Iterator[str]:
    for edge in edges[:LINKED]:
        is_source = edge.source == segment.id
        other = edge.target if is_source else edge.source
        session_id = other.removeprefix("seg_").rpartition("_")[0]
        place = places.get(session_id)
        if place is not None:
            anchor = re.sub(r"[^A-Za-z0-9-]", "-", other)
            told = edge.kind.value if is_source else FROM_OTHER.get(edge.kind, edge.kind.value)
            yield f"- {told}: [[{place.with_suffix('').as_posix()}#^{anchor}]]"


def body(text: str) -> str:
    """What was said, quoted line by line: inside a quote nothing can begin a heading, a property or another's turn."""
    safe = _WIKI.sub(r"\\[", _EMBED.sub(r"\\!", _HTML.sub("&lt;", printable(text))))
    safe = _HIDDEN.sub(r"\\%", _SPAN.sub("` ", _RUN.sub(r"\1text ", safe)))
    open_fences = len(_FENCE.findall(safe))
    rows = safe.split("\n")
    if open_fences % 2:
        rows.append("```")
    return "\n".join(f"> {row}" if row else ">" for row in rows)


def _inline(text: str) -> str:
    flat = " ".join(printable(text).split())
    return re.sub(r"([\\`*_\[\]>#!|])", r"\\\1", flat).replace("<", "&lt;")
