"""ChatGPT's chat.html as a browser shows it, saved without the data it was made from: titles, who spoke, and words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import unescape

from pmg.base.model import Role
from pmg.base.patterns import linear
from pmg.importers.conversation import SYSTEM, USER, Level, Result, Where
from pmg.importers.message_parts import MessagePart, assembled, numbered, title_from
from pmg.importers.people import role_of
from pmg.importers.platforms.chatgpt.content import NAME
from pmg.importers.platforms.chatgpt.conversations import SOURCE
from pmg.importers.reading.lines import whole_text

CONVERSATION, MESSAGE, AUTHOR = '<div class="conversation">', '<pre class="message">', '<div class="author">'
TAG = linear(r"<[^>]*>")
SPEAKERS = {Role.USER: USER, Role.ASSISTANT: NAME}


def claims_text(head: str) -> bool:
    return CONVERSATION in head and MESSAGE in head


def parse_text(chunks: Iterable[bytes], where: Where) -> Iterator[Result]:
    page, remark = whole_text(chunks)
    if remark:
        yield where.problem(remark, level=Level.NOTE)
    for number, conversation in enumerate(page.split(CONVERSATION)[1:]):
        head, *rows = conversation.split(MESSAGE)
        messages = [message for n, row in enumerate(rows) for message in numbered(f"message-{n}", [_said(row)])]
        if messages:
            yield assembled(
                SOURCE, "", _words(head) or title_from(messages), None, messages, counts={"messages": len(rows)}
            )
        else:
            yield Where(where.file, f"conversation {number}").problem("no words", raw=head, level=Level.SKIPPED)


def _said(row: str) -> MessagePart:
    author, _, words = row.partition(AUTHOR)[2].partition("</div>")
    role = role_of(_words(author)) or Role.SYSTEM
    return MessagePart(role, SPEAKERS.get(role, SYSTEM), _words(words.partition("</pre>")[0]))


def _words(html: str) -> str:
    return unescape(TAG.sub("", html)).strip()
