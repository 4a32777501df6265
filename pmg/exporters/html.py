"""One page to read: everything in one file, nothing from outside, and nothing in it that runs.

Knows: the page. Every stored text is escaped; a policy in the page forbids scripts, pictures and connections altogether.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

from pmg.base.model import Segment, Session, State
from pmg.base.text import counted, printable
from pmg.base.times import shown
from pmg.exporters.files import write_rows

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
STYLE = """
:root{color-scheme:light dark;--ink:#1c1c1e;--soft:#6b6b70;--page:#fbfbf9;--card:#fff;--rule:#e4e4e0}
@media(prefers-color-scheme:dark){:root{--ink:#ececee;--soft:#9a9aa0;--page:#161618;--card:#1e1e21;--rule:#333338}}
body{font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--page);max-width:46rem;margin:0 auto;padding:2rem 1rem}
h1{font-size:1.5rem}details{background:var(--card);border:1px solid var(--rule);border-radius:.5rem;margin:.6rem 0;padding:.4rem 1rem}
summary{cursor:pointer;font-weight:600}summary small,.when,.who small{color:var(--soft);font-weight:400}
.when{border-top:1px solid var(--rule);margin-top:1rem;padding-top:.6rem;font-size:.85rem}.who{font-weight:600;margin:.6rem 0 0}
.said{white-space:pre-wrap;overflow-wrap:anywhere;margin:.1rem 0 .6rem}.aside{color:var(--soft)}
"""


def write(file: Path, sessions: Iterable[tuple[Session, Sequence[Segment]]]) -> None:
    write_rows(file, page(sessions))


def page(sessions: Iterable[tuple[Session, Sequence[Segment]]]) -> Iterator[str]:
    yield (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer">'
        f"<title>Memory</title><style>{STYLE}</style></head><body><h1>Memory</h1>\n"
    )
    count = 0
    for session, segments in sessions:
        count += 1
        yield from _session(session, segments)
    yield f'<p class="aside">{counted(count, "session")}.</p></body></html>\n'


def _session(session: Session, segments: Sequence[Segment]) -> Iterator[str]:
    told = f"{shown(session.started_at)} · {session.source} · {counted(len(segments), 'turn')}"
    yield f"<details><summary>{_text(session.title or session.id)} <small>{_text(told)}</small></summary>\n"
    for segment in segments:
        state = "" if segment.state is State.ACTIVE else f" · {segment.state.value}"
        yield f'<div class="when" id="{_text(segment.id)}">{_text(shown(segment.at) + state)}</div>\n'
        for line in segment.lines:
            yield (
                f'<div class="who">{_text(line.speaker)} <small>{_text(line.role.value)}</small></div>'
                f'<div class="said">{_text(line.text)}</div>\n'
            )
    yield "</details>\n"


def _text(text: str) -> str:
    return escape(printable(text), quote=True)
