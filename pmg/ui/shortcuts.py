"""Keys: one list of them, the script that hears them, and the page under `?` that shows them.

Knows: which key does what, and that nobody who is typing is interrupted. The keys of the review list are heard in clicks.py, those of the
pictures in static/graph.js and static/timeline.js.
"""

from __future__ import annotations

import json

KEYS = (
    ("?", "show or hide this list"),
    ("Ctrl + K", "search everything: memories, chats, people, topics, settings, commands"),
    ("Alt + 1 … 9", "go to a tab, in the order in which they stand"),
    ("/", "write the message, or search: the first field of another tab"),
    ("Enter", "send the message; Shift + Enter begins a new line"),
    ("Esc", "close this list, the list of chats on a phone, the source beside a chat, or leave a title as it was"),
    ("← → ↑ ↓  +  −  0", "Graph, Timeline: move it, zoom, show all of it"),
    ("n  p  Enter  e", "Graph: the next, the one before, read it, add its neighbours"),
    ("m  k  c  r", "Steward, Review: merge, keep both, contradicts, related"),
)


def dialog() -> str:
    rows = "".join(f"<tr><th><kbd>{keys}</kbd></th><td>{does}</td></tr>" for keys, does in KEYS)
    return (
        '<dialog class="pmg-keys" aria-label="Keyboard shortcuts"><h2>Keys</h2>'
        f'<table>{rows}</table><form method="dialog"><button class="pmg-small">Close</button></form></dialog>'
    )


SCRIPT = r"""
(() => {
  const typing = (event) => event.target.closest && event.target.closest('input, textarea, select, [contenteditable]');
  const drawer = () => document.querySelector('.pmg-chats.pmg-shown');
  const keys = () => {
    let list = document.querySelector('dialog.pmg-keys');
    if (!list) { document.body.insertAdjacentHTML('beforeend', __DIALOG__); list = document.querySelector('dialog.pmg-keys'); }
    if (list.open) list.close(); else list.showModal();
  };
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && drawer()) { drawer().classList.remove('pmg-shown'); document.querySelector('.pmg-drawer')?.focus(); return; }
    if (event.key === 'Escape' && event.target.closest?.('.pmg-rename')) { document.querySelector('#pmg-keep-title')?.click(); return; }
    if (event.key === 'Escape' && !typing(event) && !document.querySelector('dialog[open]')) {
      const hide = document.querySelector('#pmg-hide-source');
      if (hide && hide.offsetParent) { hide.click(); return; }
    }
    if (event.altKey && !event.ctrlKey && !event.metaKey && /^Digit[1-9]$/.test(event.code)) {
      const tab = document.querySelectorAll('#pmg-tabs > .tab-wrapper [role=tab]')[Number(event.code.slice(5)) - 1];
      if (tab) { event.preventDefault(); tab.click(); }
      return;
    }
    if (typing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '?') { event.preventDefault(); keys(); }
    if (event.key === '/') {
      const fields = document.querySelectorAll('#pmg-tabs textarea, #pmg-tabs input[type=text], #pmg-tabs input[type=search]');
      const there = [...fields].filter((one) => one.offsetParent && !one.disabled && !one.readOnly);
      const field = there.find((one) => one.closest('#pmg-box')) || there[0];  // in the chat one writes; its search is a Tab away
      if (field) { event.preventDefault(); field.focus(); }
    }
  });
  // Gradio hears a key when the focus has moved on already, and would open a list of choices again that was just left.
  window.addEventListener('keydown', (event) => {
    if (event.key === 'Tab' && event.target.matches?.('input[aria-controls$="-options"]')) event.stopPropagation();
  }, true);
  // On a phone the chats lie over the page: a tap beside them, or the choice of one, puts them away.
  document.addEventListener('click', (event) => {
    const open = drawer();
    if (!open || event.target.closest('.pmg-drawer')) return;
    if (!open.contains(event.target) || event.target.closest('[data-pick]')) open.classList.remove('pmg-shown');
  });
})();
"""


def script() -> str:
    return SCRIPT.replace("__DIALOG__", json.dumps(dialog()).replace("</", "<\\/"))


CSS = """
.pmg-keys { border: 1px solid var(--border-color-primary); border-radius: 12px; padding: 18px 22px; max-width: min(560px, 92vw); margin: auto;
  background: var(--block-background-fill); color: var(--body-text-color); }
.pmg-keys::backdrop { background: rgb(0 0 0 / .4); }
.pmg-keys h2 { margin: 0 0 10px; font-size: 17px; }
.pmg-keys table { border-collapse: collapse; margin: 0 0 14px; }
.pmg-keys th, .pmg-keys td { text-align: left; vertical-align: top; padding: 5px 14px 5px 0; font-weight: 400; line-height: 1.45; }
.pmg-keys th { white-space: nowrap; }
kbd { font: 12px var(--font-mono); border: 1px solid var(--border-color-primary); border-radius: 4px; padding: 1px 5px; }
"""
