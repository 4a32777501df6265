"""Gradio's script of the page: quicker where its work grows with the square of the page, still where nothing happens, and its answers in order.

Knows: the text of these places in the version that `constraints.txt` pins, and what stands there instead. A version that reads differently
is served as it is; tests/ui/test_gradio_script.py says so. The page has some 650 parts and 360 handlers, so that a load and each opened
tab took seconds of a processor:

1. To find the events of a part, all handlers were looked through for each part: now there is one table.
2. To find a part by its number, the whole tree was looked through: now the ways to all of them are kept, and walked anew when one leads elsewhere.
3. When a handler begins and ends, every part below its outputs was copied as a whole to keep what was typed: a sign of progress changes no value.
4. To copy plain values, each was serialised, and each function refused with a new error: a plain value is its own copy, and one error does.
5. A part that was taken off the page while its handler ran went on to count its seconds, sixty times in each, as long as the page was open:
   a tenth of a core. Now the count ends with the part.

And where somebody is quicker than the server:

6. The handlers of one event ran one after the other, each waiting for the answer to the one before: Back filled a field seconds later, over what was
   typed meanwhile. Now they run together.
7. An event of a handler that still ran was kept for later without what it told: the first was answered twice, the last never. Now the last is kept.
8. The answer that came last stayed, also if it was asked for first. Now what shows (`LATEST` in event_options.py) never takes the place of an answer
   that was asked for after it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import gradio

from pmg.ui import static_files

if TYPE_CHECKING:
    from fastapi import FastAPI

FOLDER = Path(gradio.__file__).parent / "templates" / "frontend" / "assets"

_EVENTS = (
    "find_attached_events(e,t){let n=t.filter(t=>t.targets.find(([t])=>t===e.id))"
    ".map(t=>{let n=t.targets.find(([t])=>t===e.id);return n?n[1]:null}).filter(Boolean);",
    "find_attached_events(e,t){if(this.pmg_handlers!==t){this.pmg_handlers=t;this.pmg_events=new Map;"
    "for(let e of t){let t=new Set;for(let[n,r]of e.targets){if(t.has(n))continue;t.add(n);"
    "let e=this.pmg_events.get(n);e||this.pmg_events.set(n,e=[]);r&&e.push(r)}}}"
    "let n=[...this.pmg_events.get(e.id)||[]];",
)
_FOUND = (
    "function Z(e,t){if(e.id===t)return e;if(e.children)for(let n of e.children){let e=Z(n,t);if(e)return e}return null}",
    "var pmg_ways=new Map;"
    "function Z(e,t){let n=e;for(let e of pmg_ways.get(t)||[])if(!(n=n.children?.[e]))break;if(n&&n.id===t)return n;"
    "let r=null,i=(e,n)=>{pmg_ways.set(e.id,n);r||e.id!==t||(r=e);"
    "let a=e.children||[];for(let e=0;e<a.length;e++)i(a[e],[...n,e])};"
    "return i(e,[]),r}",
)
_PROGRESS = (
    "r&&!(`value`in t)&&(await this.#m(e,r),await this.#h(r));",
    "r&&!(`value`in t)&&Object.keys(t).some(e=>e!==`loading_status`)&&(await this.#m(e,r),await this.#h(r));",
)
_SECONDS = (
    "function ze(){me(()=>{F(Pe,(performance.now()-w(de))/1e3),W&&ze()})}",
    "function ze(){me(()=>{F(Pe,(performance.now()-w(de))/1e3),W&&U!==null&&U?.isConnected!==!1&&ze()})}",
)
_TOGETHER = (
    "else t=this.dependencies_by_event.get(`${e.event_name}-${e.target_id}`);for(",
    "else if(t=this.dependencies_by_event.get(`${e.event_name}-${e.target_id}`),t?.length>1){"
    "await Promise.all(t.map(t=>this.dispatch({...e,type:`fn`,fn_index:t.id})));return}for(",
)
_KEPT = (
    "if(t===`defer`){this.queue.add(r.id);continue}",
    "if(t===`defer`){this.queue.add(r.id);(this.pmg_kept??=new Map).set(r.id,e);continue}",
)
_LAST = "(this.queue.delete(r.id),this.dispatch(e))"
_LAST_KEPT = "(this.queue.delete(r.id),this.dispatch({...this.pmg_kept.get(r.id),type:`fn`,fn_index:r.id}))"
_NUMBERED = (
    "let n=await this.gather_state(r.inputs,r.component_prop_inputs),i=",
    "let pmg_order=this.pmg_order=(this.pmg_order||0)+1,n=await this.gather_state(r.inputs,r.component_prop_inputs),i=",
)
_HANDED = "await this.handle_data(r.outputs,{}.data)"
_HANDED_NUMBERED = "await this.handle_data(r.outputs,{}.data,pmg_order,r.trigger_modes===`always_last`)"
_SHOWN = (
    "async handle_data(e,t){await Promise.all(e.map(async(n,r)=>{let i=t[r]===void 0?qe:t[r];if(i!==qe)",
    "async handle_data(e,t,order,yields){let shown=this.pmg_shown??=new Map;await Promise.all(e.map(async(n,r)=>{"
    "let i=t[r]===void 0?qe:t[r];if(i!==qe&&!(Xe(i)&&Object.keys(i).every(e=>e===`__type__`||e===`props`))){"  # gr.skip() shows nothing
    "if(yields&&shown.get(n)>order)return;shown.set(n,Math.max(order,shown.get(n)||0))}if(i!==qe)",
)
_DISPATCH = (
    _TOGETHER,
    _KEPT,
    (f"{_LAST};return}}", f"{_LAST_KEPT};return}}"),
    (f"{_LAST}}}}}catch{{", f"{_LAST_KEPT}}}}}catch{{"),
    _NUMBERED,
    (_HANDED.format("t"), _HANDED_NUMBERED.format("t")),
    (_HANDED.format("s"), _HANDED_NUMBERED.format("s")),
    _SHOWN,
)
REPLACEMENTS = {
    "core-*.js": (_EVENTS, _FOUND, _PROGRESS),
    "statustracker-*.js": (_SECONDS,),
    "Blocks-*.js": _DISPATCH,
}

# What cannot be copied is refused as before: a function, and an object that has one.
CLONE_JS = r"""
(() => {
  const plain = window.structuredClone, refused = new DOMException('A function cannot be cloned.', 'DataCloneError');
  window.structuredClone = (value, options) => {
    const kind = typeof value;
    if (value === null || (kind !== 'object' && kind !== 'function' && kind !== 'symbol')) return value;
    if (kind === 'function') throw refused;
    return plain(value, options);
  };
})();
"""


def with_replacements(text: str, replacements: tuple[tuple[str, str], ...]) -> str:
    """All of the replacements or none: each is of the same version."""
    if any(text.count(old) != 1 for old, _ in replacements):
        return text
    for old, new in replacements:
        text = text.replace(old, new)
    return text


def mount(app: FastAPI, path: str) -> None:
    """Before the page, which serves its own assets."""
    for names, replacements in REPLACEMENTS.items():
        for file in FOLDER.glob(names):
            own = file.read_text(encoding="utf-8")
            text = with_replacements(own, replacements)
            if text != own:
                static_files.serve(app, f"{path.rstrip('/')}/assets/{file.name}", text)
