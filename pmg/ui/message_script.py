"""A message leaves its field at the keypress: the script that takes it, keeps it until the server has it, and gives it back if it fails.

Gradio's own `submit` reads the field some time after Enter, so that what was typed meanwhile became part of the message; nothing hears it.
While a message of a chat is on its way, Enter leaves the next one in the field. `window.pmg` and the drafts are page_address.py's; the handler
that is called stands in chat/chat_sending.py.
"""

from __future__ import annotations

SCRIPT = r"""
(() => {
  const page = window.pmg, outbox = [], onTheWay = new Map();  // by id: several chats may be answered at once
  const TAKEN_WITHIN = 1000;  // milliseconds: gradio takes a message in the same moment, or never
  let count = 0, lost = false;
  const box = () => document.querySelector('#pmg-box');
  const field = () => document.querySelector('#pmg-box textarea');
  const told = (text) => { try { return JSON.parse(text) || {}; } catch { return {}; } };
  const waits = (yes) => { box()?.toggleAttribute('data-waiting', yes); };
  const joined = (...texts) => texts.filter(Boolean).join('\n');
  const post = (text, replaces) => {
    const chat = page.read().chat, namespace = page.namespace(), id = Date.now() + '-' + ++count;
    onTheWay.set(id, {id, chat, namespace, text, replaces, private: page.isUnkept()});
    outbox.push(id);
    document.querySelector('.pmg-scroll')?.removeAttribute('data-away');
    document.querySelector('#pmg-send')?.click();
    setTimeout(untaken, TAKEN_WITHIN, id);
  };
  // Once gradio has lost the connection it hears no click, and tells nobody.
  const untaken = (id) => {
    const at = outbox.indexOf(id);
    if (at < 0) return;
    outbox.splice(at, 1);
    returned(onTheWay.get(id));
    waits(false);
  };
  const keep = ({chat, namespace, text}) => {
    const draft = page.draft(chat, namespace);
    sessionStorage.setItem(draft, joined(text, sessionStorage.getItem(draft)));
  };
  const returned = (message) => {
    if (!message || !onTheWay.delete(message.id)) return;
    if (message.chat !== page.read().chat) { keep(message); return; }
    if (message.replaces) page.edits(message.replaces);
    page.type(message.replaces ? message.text : joined(message.text, field()?.value));  // beside an edit the draft waits
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
  // The server names the last messages that it is done with. One that it refused stays until `giveBack`.
  page.answered = (text) => {
    for (const id of told(text).done || []) if (onTheWay.delete(id)) waits(false);
  };
  // A message that was refused, one a call; where the server named none, it cannot be reached, and all of them come back.
  page.giveBack = (text) => {
    page.answered(text);
    const refused = (told(text).refused || []).find((id) => onTheWay.has(id));
    for (const message of refused ? [onTheWay.get(refused)] : [...onTheWay.values()]) returned(message);
    waits(false);
  };
  // A message that did not even leave: gradio tells that the server is lost, and no handler hears of it.
  const plain = window.fetch.bind(window);
  window.fetch = async (asked, options) => {
    if (String(asked?.url || asked).includes('/app_id')) lost = true;  // gradio asks this to connect anew, and then loads the page anew
    try { return await plain(asked, options); } catch (error) {
      const body = String(options?.body || '');
      for (const message of [...onTheWay.values()]) if (body.includes(message.id)) setTimeout(() => returned(message));
      throw error;
    }
  };
  // What is on its way when the page is loaded anew waits there as a draft, unless the server may be trusted to have it.
  window.addEventListener('pagehide', () => {
    const cut = lost || document.documentElement.hasAttribute('data-lost');
    for (const message of onTheWay.values()) if (cut || outbox.includes(message.id)) keep(message);
  });
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
    page.edits(act.dataset.segment);
    page.type(text);
    field()?.focus();
  }, true);
})();
"""
