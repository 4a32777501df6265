"""One search over everything, under Ctrl-K: memories, chats, people, topics, settings and commands. Memories and chats are
found by words and by meaning, the rest by words.

Plain functions find and draw; `build` puts the overlay on the page, and SCRIPT opens it, moves through it and goes where a result leads.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import gradio as gr

from pmg.chat import sessions
from pmg.people.knowledge import Knowledge
from pmg.store.graph import TOPIC, NodeKey
from pmg.ui import render, speakers
from pmg.ui.error_boundary import shows_errors
from pmg.ui.event_options import LATEST
from pmg.ui.people import people_data

if TYPE_CHECKING:
    from pmg.ui.app_context import AppContext, PageContext

MAX_RESULTS = {"Memories": 6, "Chats": 5, "People": 4, "Topics": 3}  # results of each kind
MAX_WORDS = 200  # characters of a search that are read


@dataclass(frozen=True, slots=True)
class Result:
    """`leads` is what the script does: an address of the page, a sub-tab of it, or an element to press."""

    label: str
    about: str
    leads: dict[str, str]


def _place(label: str, about: str, tab: str, sub: str = "") -> Result:
    return Result(label, about, {"tab": tab, "sub": sub} if sub else {"tab": tab})


PLACES = (
    Result("New chat", "begin a conversation", {"tab": "chat", "chat": ""}),
    Result("Light or dark", "how the page looks", {"press": ".pmg-theme:not(.pmg-quick-button)"}),
    Result("Keyboard shortcuts", "every key of the page", {"press": ".pmg-keys-button"}),
    _place("Recall preview", "what memory gives for a question, and why", "preview"),
    _place("Timeline", "everything by its day", "timeline"),
    _place("Graph", "topics, people and sessions, and how they are linked", "graph"),
    _place("People", "what is known about you and others", "people"),
    _place("Analytics", "charts of growth, use and content", "analytics"),
    _place("Ask in SQL", "query the memory as tables", "analytics", "Ask in SQL"),
    _place("Steward", "upkeep: duplicates, contradictions, archive, schedule", "steward"),
    _place("Review", "pairs of memories to merge or keep", "steward", "Review"),
    _place("History", "what was done, and undo", "steward", "History"),
    _place("Name topics", "name, merge, split and pin topics", "steward", "Topics"),
    _place("Import", "bring in chats from ChatGPT, Claude and other programs, or a file", "exchange", "Import"),
    _place("Export", "take everything out as files", "exchange", "Export"),
    _place("Connections", "connect programs and assistants, tokens, proxy", "exchange", "Connections"),
    _place("Models", "the language model that answers, the embedding model", "exchange", "Models"),
    _place("Namespaces", "separate memories, for work and for home", "exchange", "Namespaces"),
    _place("Backup & encryption", "copies, going back to one, a passphrase", "exchange", "Backup & encryption"),
    _place(
        "Privacy & health",
        "secrets that were left out, what leaves this machine, whether all works",
        "exchange",
        "Privacy & health",
    ),
)


# plain functions


def found(context: AppContext, namespace: str, words: str) -> dict[str, list[Result]]:
    """Results by kind, best first. Without words the last chats, and everything one can go to."""
    words = " ".join(words[:MAX_WORDS].split())
    chats = _chats(context, namespace, words)
    if not words:
        return {"Chats": chats, "Go to": list(PLACES)}
    return {
        "Go to": _places(words),
        "People": _people(context, namespace, words),
        "Chats": chats,
        "Topics": _topics(context, namespace, words),
        "Memories": _memories(context, namespace, words),
    }


def _memories(context: AppContext, namespace: str, words: str) -> list[Result]:
    recalled = context.engine.recall(words, namespace=namespace, count=False, limit=MAX_RESULTS["Memories"]).segments
    shown = speakers.named(context.engine, recalled[: MAX_RESULTS["Memories"]])
    return [
        Result(render.shortened(render.plain(one), 110), render.day(one.at), {"tab": "chat", "memory": one.id})
        for one in shown
    ]


def _chats(context: AppContext, namespace: str, words: str) -> list[Result]:
    listed = sessions.listed(context.engine, namespace, words)
    return [
        Result(one.name or "Untitled", render.day(one.ended_at or one.started_at), {"tab": "chat", "chat": one.id})
        for one in (*listed.sessions, *listed.similar)[: MAX_RESULTS["Chats"]]
    ]


def _people(context: AppContext, namespace: str, words: str) -> list[Result]:
    known = Knowledge.read(context.engine.reads.people, namespace)
    rows = people_data.matching(people_data.once(known, people_data.rows(known)), words, "")
    return [
        Result(
            one.name, render.counted(one.mentions, "mention", "mentions"), {"tab": "people", "people-at": str(one.id)}
        )
        for one in rows[: MAX_RESULTS["People"]]
    ]


def _topics(context: AppContext, namespace: str, words: str) -> list[Result]:
    topics = [one for one in context.steward.topics(namespace) if _holds(f"{one.name} {' '.join(one.terms)}", words)]
    return [
        Result(
            one.name,
            render.counted(len(one.members), "memory", "memories"),
            {"tab": "graph", "graph-at": NodeKey(TOPIC, str(one.id)).id},
        )
        for one in topics[: MAX_RESULTS["Topics"]]
    ]


def _places(words: str) -> list[Result]:
    """Those with the words, their names first."""
    named = [one for one in PLACES if _holds(one.label, words)]
    return named + [one for one in PLACES if one not in named and _holds(f"{one.label} {one.about}", words)]


def _holds(text: str, words: str) -> bool:
    """Whether each of the words begins one of the text's: one searches while one types."""
    known = text.casefold().replace("/", " ").split()
    return all(any(one.startswith(word) for one in known) for word in words.casefold().split())


def results_html(results: dict[str, list[Result]], words: str) -> str:
    """With the words they were found by, so that SCRIPT follows no result of an earlier search."""
    shown = "".join(_section(title, some) for title, some in results.items() if some)
    shown = shown or '<p class="pmg-muted">Nothing here has these words or is about it.</p>'
    return f'<div class="pmg-q-found" data-words="{html.escape(words)}">{shown}</div>'


def _section(title: str, some: Iterable[Result]) -> str:
    rows = "".join(
        f'<button type="button" class="pmg-q-row" role="option" data-leads="{render.safe(json.dumps(one.leads))}">'
        f'<span dir="auto">{render.safe(one.label)}</span><small>{render.safe(one.about)}</small></button>'
        for one in some
    )
    return f'<div role="group" aria-label="{title}"><h3>{title}</h3>{rows}</div>'


# the overlay


def build(context: AppContext, page: PageContext) -> None:
    with gr.Column(elem_id="pmg-quick", elem_classes="pmg-q"):
        field = gr.Textbox(
            "", label="Search everything", placeholder="Search memories, chats, people, topics, settings …",
            show_label=False, container=False, max_lines=1, elem_id="pmg-quick-words",
        )  # fmt: skip
        listed = gr.HTML("", label="Results", elem_id="pmg-quick-results")

    @shows_errors()
    def search(words: str, namespace: str) -> str:
        return results_html(found(context, namespace, words), words)

    opened = gr.Button("Search", visible="hidden", elem_id="pmg-quick-open")  # pressed by SCRIPT
    opened.click(None, None, listed, js="() => ''", **LATEST)
    # One event for both: of two the older answer could come last and stay.
    gr.on([field.change, opened.click], search, [field, page.namespace], listed, **LATEST)


SCRIPT = r"""
(() => {
  const box = () => document.querySelector('#pmg-quick'), field = () => box()?.querySelector('textarea, input');
  const results = () => document.querySelector('#pmg-quick [data-words]');
  const rows = () => [...(results()?.querySelectorAll('.pmg-q-row') || [])];
  const current = () => rows().find((one) => one.getAttribute('aria-selected') === 'true') || rows()[0];
  let before = null, waiting = 0;
  const choose = (row) => {
    for (const one of rows()) one.setAttribute('aria-selected', String(one === row));
    row?.scrollIntoView({block: 'nearest'});
  };
  const shut = () => { cancelAnimationFrame(waiting); box()?.classList.remove('pmg-open'); before?.focus?.({preventScroll: true}); };
  const open = () => {
    if (!box()) return;
    before = document.activeElement;
    box().classList.add('pmg-open');
    field().focus();
    field().select();
    results()?.removeAttribute('data-words');  // they are of an earlier search, perhaps of another namespace
    document.querySelector('#pmg-quick-open')?.click();
  };
  const sub = (tab, name, looks = 120) => {
    const found = [...document.querySelectorAll('#pmg-' + tab + ' [role=tab]')].find((one) => one.innerText.trim() === name);
    if (found) found.click();
    else if (looks) requestAnimationFrame(() => sub(tab, name, looks - 1));
  };
  const follow = (row) => {
    if (!row) return;
    const {press, sub: inner, ...where} = JSON.parse(row.dataset.leads);
    shut();
    if (press) { document.querySelector(press)?.click(); return; }
    window.pmg.open({memory: '', ...where});
    if (inner) sub(where.tab, inner);
    if (where.chat === '') window.pmg.whenThere('#pmg-box textarea', (message) => message.focus({preventScroll: true}));
  };
  const enter = (words) => {  // as soon as the results of these words are there
    cancelAnimationFrame(waiting);
    if (field().value !== words) return;
    if (results()?.dataset.words === words) follow(current());
    else waiting = requestAnimationFrame(() => enter(words));
  };
  document.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      if (box()?.classList.contains('pmg-open')) shut(); else open();
      return;
    }
    if (!event.target.closest?.('#pmg-quick')) return;
    const all = rows(), at = all.indexOf(current());
    const to = {ArrowDown: at + 1, ArrowUp: at - 1}[event.key];
    if (event.key === 'Escape') { event.preventDefault(); shut(); }
    else if (event.key === 'Enter') { event.preventDefault(); enter(field().value); }
    else if (to !== undefined) { event.preventDefault(); choose(all[Math.max(0, Math.min(all.length - 1, to))]); }
    else return;
    event.stopPropagation();
  }, true);
  document.addEventListener('click', (event) => {
    if (event.target.closest?.('.pmg-quick-button')) { open(); return; }
    const row = event.target.closest?.('.pmg-q-row');
    if (row) follow(row);
    else if (box()?.classList.contains('pmg-open') && event.isTrusted && !event.target.closest('#pmg-quick')) shut();
  });
})();
"""

CSS = """
.pmg-q { display: none !important; }
.pmg-q.pmg-open { display: flex !important; position: fixed; z-index: 80; top: 9vh; left: 50%; transform: translateX(-50%); width: min(640px, 94vw); max-height: 78vh;
  gap: 0 !important; padding: 10px !important; border: 1px solid var(--border-color-primary); border-radius: 14px; background: var(--block-background-fill);
  box-shadow: 0 0 0 100vmax rgb(0 0 0 / .35), 0 12px 48px rgb(0 0 0 / .35); flex-wrap: nowrap !important; }
#pmg-quick-words { flex: none !important; } #pmg-quick-words :is(textarea, input) { font-size: 17px; }
#pmg-quick-results { overflow-y: auto !important; min-height: 0; margin-top: 6px; }
.pmg-q-found:not([data-words]) { display: none; }
#pmg-quick h3 { font-size: 12px !important; font-weight: 600; color: var(--body-text-color-subdued) !important; margin: 10px 10px 2px !important; }
.pmg-q-row { display: flex; gap: 12px; align-items: baseline; justify-content: space-between; width: 100%; text-align: left; border: 0; background: none; color: inherit;
  border-radius: 8px; padding: 7px 10px; font-size: 14px; font-weight: 400; line-height: 1.4; cursor: pointer; }
.pmg-q-row span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.pmg-q-row small { flex: none; max-width: 55%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: 12.5px; color: var(--body-text-color-subdued); }
.pmg-q-row:hover { background: color-mix(in srgb, var(--primary-500) 7%, transparent); }
.pmg-q-row[aria-selected=true], #pmg-quick-results:not(:has([aria-selected=true])) [role=group]:first-child h3 + .pmg-q-row {
  background: color-mix(in srgb, var(--primary-500) 16%, transparent); }
"""
