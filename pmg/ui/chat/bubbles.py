"""A chat as HTML: bubbles, quotes with who and when, and the chats an answer rests on as buttons.

Knows: how a message looks. Messages come from chat_view.py. Every stored word goes through `render.safe`.
"""

from __future__ import annotations

import html
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import groupby
from types import MappingProxyType

from pmg.answer.evidence import Quote, QuoteKind
from pmg.answer.phrases import german
from pmg.base.model import YOU, Role, Segment, Session
from pmg.base.patterns import ASCII, TextMatch, linear, plain
from pmg.chat.history import ChatBubble
from pmg.chat.quoted_passages import passages
from pmg.chat.responder import Citation, CutOff, Used
from pmg.chat.sessions import PAGE, SessionList, group_of
from pmg.ui import highlight, markdown, render
from pmg.ui.highlight import Terms

CHIPS = 4  # sources shown under an answer at once; the rest are one click away
ASK = "ask:"  # what a button that asks a question for the person begins with
# over a quote, in English and in German, as the words before the quotes are
_LABELS = {QuoteKind.OLDER: ("Before that:", "Davor:")}
_TALKED_THEN = ("Talked about then:", "Worüber gesprochen wurde:")  # sessions of a time, beside lines that tell of it
_CITED = linear(
    r"(?s)<pre\b.*?</pre>|<code\b.*?</code>|\[\d{1,3}(?:\s*[,;]\s*\d{1,3})*\]\(?"
)  # code is stepped over: `row[3]` cites nothing
LOOSE = 100  # characters of a part that no memory backs
_MARKS = " `*#>-_"  # of Markdown, around such a part
MAX_LOOSE = 5  # such parts that are told one by one
_NUMBER = plain(r"\d+", ASCII)
_NO_ANSWER = {
    CutOff.STOPPED: "You stopped before an answer came.",
    CutOff.BROKEN: "No answer came.",
}
_CUT_OFF = {
    CutOff.STOPPED: "You stopped this answer here: it is not whole.",
    CutOff.BROKEN: "The answer broke off here: it is not whole.",
}
_ROLE = {
    "entry": "found by the question itself",
    "lateral": "brought in by a link",
    "vertical": "said beside one that was found",
    "this chat": "said earlier in this chat",
}


def conversation(
    messages: Sequence[ChatBubble], sources: Mapping[str, Segment], replaced: Collection[str] = (), tools: bool = True
) -> str:
    """Every message in order; what was asked or answered anew is folded away, however often, in one fold. The last turn can be asked again or changed."""
    asked, shown, folded = "", [], []
    last = messages[-1].segment if messages and tools else ""
    for message in messages:
        asked = message.text if message.role is Role.USER else asked
        html_of = bubble(message, sources, asked=asked, last=bool(last) and message.segment == last)
        if message.segment in replaced:
            folded.append((message.segment, html_of))
            continue
        shown += [_fold(folded), html_of]
        folded = []
    return "".join([*shown, _fold(folded)])


def _fold(earlier: Sequence[tuple[str, str]]) -> str:
    """Turns that others took the place of, as (segment, HTML) of each message."""
    if not earlier:
        return ""
    turns = len({segment for segment, _ in earlier})
    said = "An earlier version" if turns == 1 else f"{turns} earlier versions"
    inside = "".join(html_of for _, html_of in earlier)
    return f'<details class="pmg-aside"><summary>{said}</summary>{inside}</details>'


def bubble(
    message: ChatBubble, sources: Mapping[str, Segment], waiting: bool = False, asked: str = "", last: bool = False
) -> str:
    if message.role in (Role.THINKING, Role.TOOL, Role.SYSTEM):
        return (
            f'<details class="pmg-aside"><summary>{render.safe(message.role.value)}</summary>'
            f'<div class="pmg-said" dir="auto">{render.safe(message.text)}</div></details>'
        )
    mine = message.role in (Role.USER, Role.DOCUMENT) or message.speaker == YOU
    body = f'<div class="pmg-said" dir="auto">{render.safe(message.text)}</div>'
    body = _cited(_markdown(message.text), message) if message.role is Role.ASSISTANT else body
    cut_off = _CUT_OFF if message.text else _NO_ANSWER
    body += f'<p class="pmg-cut-off" role="note">{cut_off[message.cut_off]}</p>' if message.cut_off else ""
    if waiting and not message.text:
        body = '<span class="pmg-wait" role="status" aria-label="Looking into your memory"><i></i><i></i><i></i></span>'
    terms = highlight.terms_of(asked)
    return (
        f'<div class="pmg-turn {"mine" if mine else "theirs"}"><div class="pmg-name">{render.speaker(message.speaker, message.role)}'
        f'<time title="{render.moment(message.at)}">{message.at:%H:%M}</time></div>'
        f'<div class="pmg-bubble">{body}{quotes(message.quotes, message.gone, terms, german(message.text), sources)}</div>'
        f"{chips(message.used, sources, message.quotes, message.citations)}{'' if waiting else _tools(message, mine, last)}</div>"
    )


def _markdown(text: str) -> str:
    """A model's answer; each piece of code has a button that copies it."""
    copy = '<div class="pmg-code"><button type="button" class="pmg-tool" data-copy="">Copy</button><pre>'
    inside = markdown.to_html(text).replace("<pre>", copy).replace("</pre>", "</pre></div>")
    return f'<div class="pmg-md" dir="auto">{inside}</div>'


def _cited(inside: str, message: ChatBubble) -> str:
    """`[3]` in a model's answer leads to that memory, one that stands for none is struck out; what cites nothing is told."""
    known = {citation.number: citation.segment for citation in message.citations}

    def link(found: TextMatch) -> str:
        if found[0].startswith("<") or found[0].endswith("(") or not known:
            return found[0]
        return _NUMBER.sub(lambda number: _citation(number.group(), known), found.group())

    return _CITED.sub(link, inside) + _loose(message)


def _loose(message: ChatBubble) -> str:
    """Which parts of a model's answer no memory backs, in its own words."""
    pieces = (" ".join(message.text[one.start : one.end].split()) for one in message.unsupported)
    parts = [render.shortened(piece.strip(_MARKS), LOOSE) for piece in pieces]
    if not parts:
        return ""
    listed = " ".join(f"“{render.safe(part)}”" for part in parts[:MAX_LOOSE])
    more = f" and {len(parts) - MAX_LOOSE} more" if len(parts) > MAX_LOOSE else ""
    return f'<p class="pmg-muted" role="note">No memory backs these parts of the answer, they may not come from yours: {listed}{more}</p>'


def _citation(number: str, known: Mapping[int, str]) -> str:
    if int(number) not in known:
        return number
    segment = html.escape(known[int(number)])
    if not segment:
        return f'<span class="pmg-unknown" title="It was shown no such memory">{number}</span>'
    return f'<button type="button" class="pmg-source pmg-cite" data-pick="{segment}" data-read="{segment}">{number}</button>'


def _tools(message: ChatBubble, mine: bool, last: bool) -> str:
    """What can be done with a message: its words taken along, and of the last turn, asked again or changed."""
    copy = '<button type="button" class="pmg-tool" data-copy="">Copy</button>'
    name = html.escape(message.segment)
    change = f'<button type="button" class="pmg-tool" data-do="edit" data-segment="{name}">Edit</button>'
    retry = f'<button type="button" class="pmg-tool" data-do="retry" data-segment="{name}">Retry</button>'
    asks = last and message.role in (Role.USER, Role.ASSISTANT)  # messages between people asked nobody here
    return f'<div class="pmg-tools">{copy}{(change if mine else retry) if asks else ""}</div>'


def quotes(
    found: Sequence[Quote],
    gone: int = 0,
    terms: Terms = frozenset(),
    is_german: bool = False,
    sources: Mapping[str, Segment] = MappingProxyType({}),
) -> str:
    talked = next(
        (at for at, quote in enumerate(found) if quote.kind is QuoteKind.SESSION), 0
    )  # 0: nothing else before it
    shown = "".join(
        _passage(group, terms, is_german, bool(talked) and found[talked] in group, sources) for group in passages(found)
    )
    lost = f'<p class="pmg-muted">{gone} quoted {"memory was" if gone == 1 else "memories were"} forgotten since.</p>'
    return shown + (lost if gone else "")


def _passage(
    group: Sequence[Quote], terms: Terms, is_german: bool, begins_sessions: bool, sources: Mapping[str, Segment]
) -> str:
    """One block: the answer, and more quietly what was said around it; who said it stands at each line where there are several."""
    answer = next((quote for quote in group if quote.kind is not QuoteKind.AROUND), group[0])
    several = len(group) > 1
    lines = "".join(
        f'<div class="pmg-said{" pmg-around" if several and quote is not answer else ""}" dir="auto">'
        f"{f'<b>{render.speaker(quote.speaker)}</b> ' if several else ''}{_quoted(quote, terms, sources)}</div>"
        for quote in group
    )
    words = _TALKED_THEN if begins_sessions else _LABELS.get(answer.kind)
    label = f'<div class="pmg-muted">{words[is_german]}</div>' if words else ""
    return f'<blockquote class="pmg-quote">{label}{lines}<footer>{_cite(answer, sources.get(answer.segment), named=not several)}</footer></blockquote>'


def _quoted(quote: Quote, terms: Terms, sources: Mapping[str, Segment]) -> str:
    """Its words, marked; what an assistant wrote is Markdown, as in its own bubble."""
    lines = sources[quote.segment].lines if quote.segment in sources else ()
    if quote.line < len(lines) and lines[quote.line].role is Role.ASSISTANT:
        return markdown.quoted(quote.text, partial(highlight.marked, terms=terms))
    return highlight.marked(quote.text, terms)


def _cite(quote: Quote, source: Segment | None, named: bool = True) -> str:
    """Who said it, when and in which tool, which leads there; a quote that stands for its whole chat names it."""
    who = f"{render.speaker(quote.speaker)} · " if named else ""
    whole = quote.kind is QuoteKind.SESSION and quote.title and not render.repeats(quote.title, quote.text)
    parts = (render.shortened(quote.title, 70) if whole else "", render.day(quote.at), source.source if source else "")
    told = render.safe(" · ".join(part for part in parts if part))
    if not quote.segment:
        return f"{who}{told}"
    name, title = html.escape(quote.segment), render.safe(render.shortened(quote.title, 160))
    return (
        f'{who}<button type="button" class="pmg-source pmg-cite" data-pick="{name}" data-read="{name}" title="{title}" '
        f'dir="auto">{told}</button>'
    )


def chips(
    used: Sequence[Used],
    sources: Mapping[str, Segment],
    quoted: Sequence[Quote] = (),
    cited: Sequence[Citation] = (),
) -> str:
    """What an answer rests on beside what it quotes: the memories that it cites, by their numbers, then the other chats, each once.
    A memory that is gone has none."""
    roles = {one.segment: one for one in used}
    numbered = sorted((one for one in cited if one.segment in sources), key=lambda one: one.number)
    rows = [
        _chip(roles.get(one.segment, Used(one.segment, "entry")), sources[one.segment], f"[{one.number}] ")
        for one in numbered
    ]
    shown = (*(quote.segment for quote in quoted), *(one.segment for one in numbered))
    named = {sources[name].session_id for name in shown if name in sources}
    for one in used:
        segment = sources.get(one.segment)
        if segment is not None and segment.session_id not in named:
            named.add(segment.session_id)
            rows.append(_chip(one, segment))
    if not rows:
        return ""
    rest = "".join(rows[CHIPS:])
    more = f"<details><summary>{len(rows) - CHIPS} more</summary>{rest}</details>" if rest else ""
    lead = f'<span class="pmg-muted">{"Also looked at" if quoted else "Sources"}</span>'
    label = "Memories this answer used"
    return f'<div class="pmg-sources" role="group" aria-label="{label}">{lead}{"".join(rows[:CHIPS])}{more}</div>'


def _chip(one: Used, segment: Segment, number: str = "") -> str:
    """A source by what it says, when, and in which tool."""
    about = f"{_ROLE.get(one.role, one.role)}: {render.shortened(render.plain(segment), 160)}"
    name, says = html.escape(segment.id), next((line.text for line in segment.lines if line.text.strip()), "")
    where = " · ".join(part for part in (render.day(segment.at), segment.source) if part)
    return (
        f'<button type="button" class="pmg-source" data-pick="{name}" data-read="{name}" title="{render.safe(about)}">'
        f'{number}<span dir="auto">{render.safe(render.shortened(says, 60))}</span> <time>{render.safe(where)}</time></button>'
    )


def session_list(found: SessionList, current: str, today: date, searched: bool = False) -> str:
    """The list at the side: what is beyond a page of it is folded, and open where the chat that is shown stands in it."""
    none = f'<p class="pmg-muted pmg-none">{"No chat holds these words." if searched else "No chats here yet."}</p>'
    if not found.sessions and not found.similar:
        return none
    first, rest = found.sessions[:PAGE], found.sessions[PAGE:]
    shown = _grouped(first, current, today) if first else none
    if rest:
        is_open = " open" if any(session.id == current for session in rest) else ""
        shown += f"<details{is_open}><summary>{len(rest):,} older</summary>{_grouped(rest, current, today)}</details>"
    if found.more:
        shown += f'<p class="pmg-muted pmg-none">{found.more:,} more stand in the Timeline; search finds them too.</p>'
    if found.similar:  # the most alike first: headings of dates would go up and down
        shown += '<h3 class="pmg-group">Without these words, but perhaps about it</h3>'
        shown += "".join(_row(session, session.id == current) for session in found.similar)
    return f'<nav class="pmg-sessions" aria-label="Chats">{shown}</nav>'


def _grouped(some: Sequence[Session], current: str, today: date) -> str:
    return "".join(
        f'<h3 class="pmg-group">{group}</h3>{"".join(_row(session, session.id == current) for session in sessions)}'
        for group, sessions in groupby(some, key=lambda session: group_of(session, today))
    )


def _row(session: Session, current: bool) -> str:
    title = render.safe(render.shortened(session.name or "Untitled", 80))
    mark = ' aria-current="true"' if current else ""
    about = (
        f"{render.day(session.ended_at or session.started_at)} · {render.counted(session.segments, 'turn', 'turns')}"
    )
    return (
        f'<button type="button" class="pmg-session" data-pick="{html.escape(session.id)}"{mark}>'
        f'<span dir="auto">{title}</span><small>{about}</small></button>'
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
