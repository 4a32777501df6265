"""A chat as HTML: bubbles, quotes with who and when, and the memories an answer used as buttons.

Knows: how a message looks. Messages come from chat_view.py. Every stored word goes through `render.safe`.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from datetime import date

from pmg.chat.history import ChatBubble
from pmg.chat.responder import Quote, QuoteKind, Used
from pmg.chat.sessions import SessionList, group_of
from pmg.model import Role, Segment, Session
from pmg.ui import markdown, render

CHIPS = 6  # memories shown under an answer at once; the rest are one click away
ASK = "ask:"  # what a button that asks a question for the person begins with
_OLDER = '<div class="pmg-muted">Before that:</div>'
_ROLE = {
    "entry": "found by the question itself",
    "lateral": "brought in by a link",
    "vertical": "said beside one that was found",
    "this chat": "said earlier in this chat",
}


def conversation(messages: Sequence[ChatBubble], sources: Mapping[str, Segment]) -> str:
    return "".join(bubble(message, sources) for message in messages)


def bubble(message: ChatBubble, sources: Mapping[str, Segment], waiting: bool = False) -> str:
    if message.role in (Role.THINKING, Role.TOOL, Role.SYSTEM):
        return (
            f'<details class="pmg-aside"><summary>{render.safe(message.role.value)}</summary>'
            f'<div class="pmg-said">{render.safe(message.text)}</div></details>'
        )
    mine = message.role in (Role.USER, Role.DOCUMENT)
    side = "mine" if mine else "theirs"
    who = "You" if message.speaker == "User" else message.speaker or message.role.value
    body = f'<div class="pmg-said">{render.safe(message.text)}</div>'
    body = markdown.to_html(message.text) if message.role is Role.ASSISTANT else body
    if waiting and not message.text:
        body = '<span class="pmg-wait" role="status" aria-label="Looking into your memory"><i></i><i></i><i></i></span>'
    return (
        f'<div class="pmg-turn {side}"><div class="pmg-name">{render.safe(who)}'
        f'<time title="{render.moment(message.at)}">{message.at:%H:%M}</time></div>'
        f'<div class="pmg-bubble">{body}{quotes(message.quotes, message.gone)}</div>{chips(message.used, sources)}</div>'
    )


def quotes(found: Sequence[Quote], gone: int = 0) -> str:
    shown = "".join(
        f'<blockquote class="pmg-quote">{_OLDER if quote.kind is QuoteKind.OLDER else ""}<div class="pmg-said">{render.safe(quote.text)}</div>'
        f"<footer>{render.safe(quote.speaker)} · {render.day(quote.at)}"
        f"{' · ' + render.safe(render.shortened(quote.title, 70)) if quote.title else ''}</footer></blockquote>"
        for quote in found
    )
    lost = f'<p class="pmg-muted">{gone} quoted {"memory was" if gone == 1 else "memories were"} forgotten since.</p>'
    return shown + (lost if gone else "")


def chips(used: Sequence[Used], sources: Mapping[str, Segment]) -> str:
    """Each opens its memory in its session; a memory that is gone has none."""
    there = [(one, sources[one.segment]) for one in used if one.segment in sources]
    if not there:
        return ""
    first = "".join(_chip(one, segment) for one, segment in there[:CHIPS])
    rest = "".join(_chip(one, segment) for one, segment in there[CHIPS:])
    more = f"<details><summary>{len(there) - CHIPS} more</summary>{rest}</details>" if rest else ""
    return f'<div class="pmg-sources" role="group" aria-label="Memories this answer used">{first}{more}</div>'


def _chip(one: Used, segment: Segment) -> str:
    who = next((line.speaker for line in segment.lines if line.role is not Role.ASSISTANT), "")
    about = f"{_ROLE.get(one.role, one.role)}: {render.shortened(segment.text, 160)}"
    return (
        f'<button type="button" class="pmg-source" data-pick="{html.escape(segment.id)}" title="{render.safe(about)}">'
        f"<b>{render.day(segment.at)}</b> {render.safe(render.shortened(who, 20))} <i>{render.safe(one.role)}</i></button>"
    )


def session_list(found: SessionList, current: str, today: date) -> str:
    if not found.sessions:
        return '<p class="pmg-muted pmg-none">No chats here yet.</p>'
    rows, heading = [], ""
    for session in found.sessions:
        group = group_of(session, today)
        if group != heading:
            heading = group
            rows.append(f'<h3 class="pmg-group">{group}</h3>')
        rows.append(_row(session, session.id == current))
    more = f'<p class="pmg-muted pmg-none">{found.more:,} more: search finds them.</p>' if found.more else ""
    return f'<nav class="pmg-sessions" aria-label="Chats">{"".join(rows)}{more}</nav>'


def _row(session: Session, current: bool) -> str:
    title = render.safe(render.shortened(session.title or "Untitled", 80))
    mark = ' aria-current="true"' if current else ""
    state = '<span class="pmg-open" title="open"></span>' if session.is_open else ""
    turns = f"{session.segments} {'turn' if session.segments == 1 else 'turns'}"
    about = f"{render.day(session.ended_at or session.started_at)} · {turns}"
    return (
        f'<button type="button" class="pmg-session" data-pick="{html.escape(session.id)}"{mark}>'
        f"<span>{state}{title}</span><small>{about}</small></button>"
    )


def beginning(questions: Sequence[str]) -> str:
    """An empty chat over a memory that has something in it."""
    asked = "".join(
        f'<button type="button" class="pmg-try" data-pick="{ASK}{html.escape(question, quote=True)}">{render.safe(question)}</button>'
        for question in questions
    )
    return (
        '<div class="pmg-begin"><h2>What would you like to remember?</h2>'
        "<p>Ask about anything you have talked about, or just go on talking.</p>"
        f'<div class="pmg-tries">{asked}</div></div>'
    )
