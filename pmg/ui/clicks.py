"""What a person points at, from the page to a handler.

Knows: how a click on a button with `data-pick`, the key that such a button names in `data-key`, and a click on a point of a plotly figure
become events of one gr.HTML component.

gr.Plot has no such events. plotly.js tells its own element, which gradio makes and throws away as tabs come and go; so
the figure is listened to from the moment the pointer first touches it, however often it was made anew.
"""

from __future__ import annotations

import json

import gradio as gr

_JS = """
const figure = __FIGURE__;
const point = (p) => { const c = p && p.customdata; return Array.isArray(c) ? c[0] : c; };
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
const hook = (event) => {
  if (!element.isConnected) {
    for (const name of ['pointerover', 'pointerdown', 'touchstart']) document.removeEventListener(name, hook, true);
    return;
  }
  const inside = event.target.closest && event.target.closest('#' + figure + ' .js-plotly-plot');
  if (!inside || inside.pmgEar === element) return;
  inside.pmgEar = element;
  // On a touch screen a drag scrolls the page; the buttons and a tap move through time.
  if (matchMedia('(pointer: coarse)').matches && window.Plotly) window.Plotly.relayout(inside, {dragmode: false});
  const mine = () => inside.pmgEar === element && element.isConnected;
  inside.on('plotly_click', (told) => {
    const picked = point(told.points[0]);
    if (mine() && picked) trigger('pick', {pick: String(picked)});
  });
};
// What is read shows in its talk without looking for it. On a phone it comes over the page as a sheet (theme.py): it begins at its top, and
// who closes it, also with Escape, stands again where they were.
if (__FOLLOW__) {
  const sheet = element.closest('.pmg-sheet'), back = sheet && sheet.querySelector('.pmg-back');
  const open = () => !!back && !!back.offsetParent;
  let opener = null;
  const leave = (event) => {
    if (!element.isConnected) { document.removeEventListener('keydown', leave); return; }
    if (event.key === 'Escape' && open() && !event.defaultPrevented) { event.preventDefault(); back.click(); }
  };
  document.addEventListener('keydown', leave);
  watch('value', () => {
    const now = element.querySelector('.pmg-now'), talk = now && now.closest('.pmg-talk');
    if (talk) talk.scrollTop = now.offsetTop - talk.offsetTop - 24;
    if (open()) {
      sheet.scrollTop = 0;
      if (!sheet.contains(document.activeElement)) { opener = document.activeElement; back.focus({preventScroll: true}); }
    } else if (opener) { opener.focus({preventScroll: true}); opener = null; }
  });
}
if (figure) for (const name of ['pointerover', 'pointerdown', 'touchstart']) document.addEventListener(name, hook, true);
"""


def clickable_html(value: str = "", *, label: str, elem_id: str, figure: str = "", follow: bool = False) -> gr.HTML:
    """HTML whose `pick` event carries what was clicked in it or in the figure with this element id.

    With `follow` it is a reader: what is read shows in its talk, and on a phone the sheet around it opens at its top.
    """
    listening = _JS.replace("__FIGURE__", json.dumps(figure)).replace("__FOLLOW__", json.dumps(follow))
    return gr.HTML(value, js_on_load=listening, label=label, elem_id=elem_id)


def picked(event: gr.EventData) -> str:
    found = (event._data or {}).get("pick", "") if isinstance(event._data, dict) else ""
    return found if isinstance(found, str) else ""


def asked(event: gr.EventData) -> str:
    """The question above what was clicked, where there is one."""
    found = (event._data or {}).get("asked", "") if isinstance(event._data, dict) else ""
    return found if isinstance(found, str) else ""
