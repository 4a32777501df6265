"""Where a page is, as the part of its address after the `#`: tab, namespace, chat, memory that is read, what a tab is filtered by.

That part never reaches the server by itself, so no log has it; the browser's Back, a reload and a bookmark carry it. The script keeps the
address, the drafts and which chats of a page are not to be remembered; Python reads what the script hands over, and takes none of it on trust.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from urllib.parse import parse_qs

from pmg.base.errors import ConfigError
from pmg.config import checked_namespace

MAX_FIELDS = 60  # fields of an address that are read
_FRESH = re.compile(r"\d{8}-\d{6}-[0-9a-f]{6}", re.ASCII)  # as `fresh_session_id` makes them


@dataclass(frozen=True, slots=True)
class PageAddress:
    tab: str = ""
    namespace: str = ""
    chat: str = ""
    memory: str = ""


def parse(address: str) -> PageAddress:
    """What an address says; a part that cannot be right is empty."""
    found = _fields(address)
    return PageAddress(
        found.get("tab", ""), possible_namespace(found.get("in", "")), found.get("chat", ""), found.get("memory", "")
    )


def filters(address: str, tab: str) -> dict[str, str]:
    """What a tab keeps of itself in the address, as `tab-name=value`; by name. The tab checks each value."""
    return {
        name.removeprefix(f"{tab}-"): value for name, value in _fields(address).items() if name.startswith(f"{tab}-")
    }


def _fields(address: str) -> dict[str, str]:
    try:
        return {
            name: values[0] for name, values in parse_qs(address.removeprefix("#"), max_num_fields=MAX_FIELDS).items()
        }
    except ValueError:  # more fields than any page of ours writes
        return {}


def possible_namespace(text: str) -> str:
    """A namespace as the script names it; empty if none can be called so."""
    try:
        return checked_namespace(text) if text else ""
    except ConfigError:
        return ""


def impossible_namespace(address: str) -> str:
    """What an address names as a namespace though none can be called so; else empty."""
    named = _fields(address).get("in", "")
    return "" if possible_namespace(named) else named


def is_fresh(chat: str) -> bool:
    """Whether a browser may begin a chat under this id."""
    return _FRESH.fullmatch(chat) is not None


def configured(namespace: str) -> str:
    """What tells the script which namespace an address means that names none."""
    return f'<meta name="pmg-namespace" content="{html.escape(namespace)}">'


# `pmg` is the one name this puts on the page. A chat has its id from the moment it is begun, so what is typed belongs to it at once.
SCRIPT = r"""
window.pmg = (() => {
  const read = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const put = (changes, quiet) => {
    const next = {...read(), ...changes};
    for (const name of Object.keys(next)) if (!next[name]) delete next[name];
    const hash = '#' + new URLSearchParams(next);
    if (hash === location.hash) return;
    history[quiet ? 'replaceState' : 'pushState'](null, '', location.pathname + location.search + hash);
    note();
  };
  const pad = (number) => String(number).padStart(2, '0');
  const fresh = () => {
    const at = new Date(), bytes = crypto.getRandomValues(new Uint8Array(3));
    return at.getUTCFullYear() + pad(at.getUTCMonth() + 1) + pad(at.getUTCDate()) + '-' + pad(at.getUTCHours()) + pad(at.getUTCMinutes())
      + pad(at.getUTCSeconds()) + '-' + [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  };
  const namespace = () => read().in || document.querySelector('meta[name=pmg-namespace]')?.content || '';
  const draft = (chat = read().chat, within = namespace()) => 'pmg-draft ' + within + ' ' + (chat || '');
  // A chat that is not to be remembered: the tick is that chat's alone, and outlives a reload.
  const unkept = (chat = read().chat) => 'pmg-unkept ' + namespace() + ' ' + (chat || '');
  const isUnkept = () => sessionStorage.getItem(unkept()) !== null;
  const tick = (on, chat) => { if (on) sessionStorage.setItem(unkept(chat), ''); else sessionStorage.removeItem(unkept(chat)); };
  const note = () => sessionStorage.setItem('pmg-last ' + namespace(), read().chat || '');
  const box = () => document.querySelector('#pmg-box textarea');
  const type = (text) => {
    const field = box();
    if (!field || field.value === text) return;
    field.value = text;
    field.dispatchEvent(new Event('input', {bubbles: true}));
  };
  const edits = (segment) => {
    page.replaces = segment;
    page.editedIn = segment ? draft() : '';
    document.querySelector('#pmg-box')?.toggleAttribute('data-editing', !!segment);
  };
  const drafted = () => type(sessionStorage.getItem(draft()) || '');
  const page = {
    read, put, namespace, type, draft, drafted, edits, isUnkept, tick, replaces: '', editedIn: '',
    restore() { if (!box()?.value) drafted(); },  // what is typed or given back while the page loads stays
    here() { if (!read().chat) put({chat: fresh()}, true); page.asked.add(read().chat); return location.hash; },
    go(chat) {
      edits('');
      put({tab: 'chat', chat: chat || fresh(), memory: ''});
      tick(false);  // a new chat and one of the list are remembered
      drafted();
      page.asked.add(read().chat);
      return location.hash;
    },
    // The address comes first: a message that is sent before the server has answered goes where the address leads.
    enter(name) {
      edits('');
      put({in: name, chat: sessionStorage.getItem('pmg-last ' + name) || fresh(), memory: ''});
      drafted();
      document.querySelector('#pmg-enter')?.click();
    },
    // The address as it is told to the server, once; a namespace that none can be called leaves it at once.
    corrected() {
      const told = location.hash, name = read().in;
      if (name && !/^(?=.*[a-z\d])[\w-]{1,64}$/i.test(name)) put({in: ''}, true);
      return told;
    },
    // The chat that is shown: one of the server's own making stands in the address then; one that was left meanwhile gives way to that of the address.
    settle(chat) {
      if (!chat || chat === read().chat) return;
      if (page.asked.has(chat)) { document.querySelector('#pmg-route')?.click(); return; }
      const ticked = isUnkept();
      put({chat}, true);
      tick(ticked);
    },
    // Where a result of a search leads, as Back and Forward do.
    open(changes) {
      edits('');
      put(changes);
      document.querySelector('#pmg-route')?.click();
      drafted();
    },
    asked: new Set(),
    // What a handler has just shown is on the page some frames later.
    whenThere(selector, act, looks = 120) {
      const found = document.querySelector(selector);
      if (found && found.offsetParent) act(found);
      else if (looks) requestAnimationFrame(() => page.whenThere(selector, act, looks - 1));
    },
    announce(text) {
      let region = document.querySelector('#pmg-announce');
      if (!region) {
        region = document.createElement('div');
        region.id = 'pmg-announce';
        region.className = 'pmg-unseen';
        region.setAttribute('role', 'status');
        region.setAttribute('aria-live', 'polite');
        document.body.append(region);
      }
      region.textContent = text.slice(0, 2000);
    },
  };
  document.addEventListener('input', (event) => {
    if (event.target !== box()) return;
    if (page.replaces) {  // what is edited is no draft: the draft waits, and comes back when the editing ends
      if (!event.target.value) { edits(''); drafted(); }
      return;
    }
    if (event.target.value) sessionStorage.setItem(draft(), event.target.value);
    else sessionStorage.removeItem(draft());
  });
  document.addEventListener('change', (event) => {
    if (!event.target.closest?.('#pmg-private')) return;
    page.here();  // so that there is a chat to tick
    // Where turns would be dropped with the tick, the server asks first.
    if (event.target.checked || !document.querySelector('#pmg-log .pmg-unkept')) tick(event.target.checked);
  }, true);
  document.addEventListener('click', (event) => {
    const on = (selector) => event.target.closest && event.target.closest(selector);
    const tab = on('#pmg-tabs [role=tab]');
    if (tab) { const name = (tab.id.match(/^pmg-tab-(\w+)-button$/) || [])[1]; if (name) put({tab: name, memory: ''}); }
    const session = on('.pmg-session[data-pick]');
    if (session) page.go(session.dataset.pick);
    const source = on('.pmg-chat [data-read]');
    if (source) put({memory: source.dataset.read});
    const card = on('#pmg-preview-result [data-pick], #pmg-preview-stages [data-pick]');
    if (card) put({memory: card.dataset.pick});
    const namespace = on('#pmg-namespaces [data-pick]');
    if (namespace) page.enter(namespace.dataset.pick);
    const copy = on('[data-copy]');
    if (copy) {
      const from = copy.closest('.pmg-code')?.querySelector('pre') || copy.closest('.pmg-turn')?.querySelector('.pmg-bubble');
      navigator.clipboard.writeText((from?.innerText || '').trim()).then(() => {
        copy.dataset.copy = 'done';
        page.announce('Copied');
        setTimeout(() => { copy.dataset.copy = ''; }, 1500);
      });
    }
  }, true);
  // The graph's form before its own script has come: sent as a plain form it would load the page anew and lose the words.
  document.addEventListener('submit', (event) => {
    const form = event.target.closest && event.target.closest('.pmg-g-find');
    if (form) { event.preventDefault(); put({'graph-words': form.querySelector('input').value.trim()}); }
  }, true);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && event.target === box() && page.replaces) type('');
  });
  window.addEventListener('popstate', () => {
    const stays = page.replaces && page.editedIn === draft();  // Back from a memory or another tab: what is edited is still there
    if (!stays) edits('');
    document.querySelector('#pmg-route')?.click();
    if (!stays) drafted();
  });
  return page;
})();
"""
