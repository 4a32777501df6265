"""A message leaves its field at the keypress: the script that takes it, keeps it until the server has it, and gives it back if it fails.

Gradio's own `submit` reads the field some time after Enter, so that what was typed meanwhile became part of the message; nothing hears it.
While a message of a chat is on its way, Enter leaves the next one in the field. `window.pmg` and the drafts are page_address.py's; the handler
that is called stands in chat/chat_sending.py.
"""

from __future__ import annotations

SCRIPT = r"""
(() => {
  const page = window.pmg, outbox = [], onTheWay = new Map();  // by id: several chats may be answered at once
  let count = 0;
  const box = () => document.querySelector('#pmg-box');
  const field = () => document.querySelector('#pmg-box textarea');
  const told = (text) => { try { return JSON.parse(text) || {}; } catch { return {}; } };
  const waits = (yes) => { box()?.toggleAttribute('data-waiting', yes); };
  const post = (text, replaces) => {
    const {chat, in: namespace} = page.read(), id = Date.now() + '-' + ++count;
    onTheWay.set(id, {id, chat, namespace, text, replaces});
    outbox.push(id);
    document.querySelector('.pmg-scroll')?.removeAttribute('data-away');
    document.querySelector('#pmg-send').click();
  };
  const returned = ({id, chat, namespace, text, replaces}) => {
    if (!onTheWay.delete(id)) return;
    if (chat !== page.read().chat) { sessionStorage.setItem(page.draft(chat, namespace), text); return; }
    page.type([text, field()?.value].filter(Boolean).join('\n'));
    if (replaces) page.edits(replaces);
  };
  page.busy = () => [...onTheWay.values()].some((one) => one.chat === page.read().chat) || !!document.querySelector('#pmg-live .pmg-turn');
  page.send = () => {
    const text = field()?.value || '', replaces = page.replaces;
    if (!text.trim()) return;
    if (page.busy()) { waits(true); return; }
    page.type('');  // and with it the draft
    post(text, replaces);
  };
  // What the handler is given: each call of it takes one message.
  page.next = () => JSON.stringify(onTheWay.get(outbox.shift()) || {});
  // The server names each message that it is done with. One that it refused stays until `giveBack`.
  page.answered = (text) => {
    const {id, refused} = told(text);
    if (!refused && onTheWay.delete(id)) waits(false);
  };
  // A message that was refused; where the server named none, it cannot be reached, and all of them come back.
  page.giveBack = (text) => {
    page.answered(text);
    const {id} = told(text), one = onTheWay.get(id);
    for (const message of one ? [one] : [...onTheWay.values()]) returned(message);
    waits(false);
  };
  // A message that did not even leave: gradio tells that the server is lost, and no handler hears of it.
  const plain = window.fetch.bind(window);
  window.fetch = async (asked, options) => {
    try { return await plain(asked, options); } catch (error) {
      const body = String(options?.body || '');
      for (const message of [...onTheWay.values()]) if (body.includes(message.id)) setTimeout(() => returned(message));
      throw error;
    }
  };
  const enter = (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || !event.target.matches?.('#pmg-box textarea')) return;
    event.preventDefault();
    page.send();
  };
  for (const name of ['keydown', 'keypress']) document.addEventListener(name, enter, true);
  document.addEventListener('input', (event) => { if (event.target === field()) waits(false); });
  document.addEventListener('click', (event) => {
    if (event.target.closest?.('#pmg-box .submit-button')) page.send();
    const act = event.target.closest?.('[data-do]');
    if (!act || page.busy()) return;
    const text = [...document.querySelectorAll('#pmg-log .pmg-turn.mine')].pop()?.querySelector('.pmg-said').innerText || '';
    if (act.dataset.do !== 'edit') { post(text, act.dataset.segment); return; }
    page.type(text);
    page.edits(act.dataset.segment);
    field()?.focus();
  }, true);
})();
"""
