"""What a person points at, from the page to a handler.

Knows: how a click on a button with `data-pick`, and the key that such a button names in `data-key`, become events of one gr.HTML component.
"""

from __future__ import annotations

import json

import gradio as gr

_JS = """
element.addEventListener('click', (event) => {
  const button = event.target.closest('[data-pick]');
  if (button) trigger('pick', {pick: button.dataset.pick});
});
// One key a decision: it means the first thing in the list that has it, while the list is in view and nobody is typing.
const key = (event) => {
  if (!element.isConnected) { document.removeEventListener('keydown', key); return; }
  const typing = event.target.closest && event.target.closest('input, textarea, select, [contenteditable]');
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat || !element.offsetParent) return;
  const button = [...element.querySelectorAll('[data-key]')].find((one) => one.dataset.key === event.key);
  if (button) { event.preventDefault(); trigger('pick', {pick: button.dataset.pick}); }
};
document.addEventListener('keydown', key);
// What is read shows in its talk without looking for it; on a phone it stands below what was clicked: go there.
if (__FOLLOW__) watch('value', () => {
  const now = element.querySelector('.pmg-now'), talk = now && now.closest('.pmg-talk');
  if (talk) talk.scrollTop = now.offsetTop - talk.offsetTop - 24;
  if (innerWidth < 760 && element.querySelector('.pmg-reading')) element.scrollIntoView({behavior: 'smooth', block: 'start'});
});
"""


def clickable_html(value: str = "", *, label: str, elem_id: str, follow: bool = False) -> gr.HTML:
    """HTML whose `pick` event carries what was clicked in it. With `follow` a narrow page scrolls to it whenever it shows something new to read."""
    return gr.HTML(value, js_on_load=_JS.replace("__FOLLOW__", json.dumps(follow)), label=label, elem_id=elem_id)


def picked(event: gr.EventData) -> str:
    found = (event._data or {}).get("pick", "") if isinstance(event._data, dict) else ""
    return found if isinstance(found, str) else ""


def asked(event: gr.EventData) -> str:
    """The question above what was clicked, where there is one."""
    found = (event._data or {}).get("asked", "") if isinstance(event._data, dict) else ""
    return found if isinstance(found, str) else ""
