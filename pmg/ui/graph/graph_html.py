"""The graph tab's own part of the page: its fields, its ground, its list, and how they look in light, dark and on a phone.

Knows: HTML and CSS; the script that brings it to life is static/graph.js. The template must stay the same text for ever: gradio would
otherwise write over what the script has drawn.
"""

from __future__ import annotations

KEYS = "Arrows move it, plus and minus zoom, 0 shows all, n and p go from one to the next, Enter reads it, e adds its neighbours, Escape closes."

TEMPLATE = f"""
<div class="pmg-g">
  <div class="pmg-g-bar">
    <form class="pmg-g-find" role="search"><input type="search" aria-label="Find in the graph" placeholder="Find words, then Enter"></form>
    <span class="pmg-g-acts">
      <button type="button" data-act="whole" title="The whole memory from above">Whole memory</button>
      <button type="button" data-act="around" disabled title="Only what is chosen and what is next to it">Only around it</button>
      <button type="button" data-act="expand" disabled title="Add its neighbours to the picture (or double-click it)">Expand</button>
      <button type="button" data-act="drop" disabled title="Take it out of the picture; nothing is forgotten">Hide</button>
      <button type="button" data-act="in" aria-label="Zoom in" title="Zoom in">+</button>
      <button type="button" data-act="out" aria-label="Zoom out" title="Zoom out">−</button>
      <button type="button" data-act="fit" aria-label="Show all of it" title="Show all of it">⤢</button>
    </span>
  </div>
  <p class="pmg-g-said" role="status"></p>
  <div class="pmg-g-stage">
    <div class="pmg-g-canvas" tabindex="0" role="application" aria-label="Memory graph. {KEYS} The list below has the same in words."></div>
    <div class="pmg-g-tip" hidden></div>
    <p class="pmg-g-empty" role="status">Loading the graph …</p>
  </div>
  <div class="pmg-g-legend" role="group" aria-label="Legend: each kind can be hidden"></div>
  <div class="pmg-g-time" hidden>
    <span class="pmg-g-ends"><input type="range" data-end="from" aria-label="From"><input type="range" data-end="to" aria-label="To"></span>
    <output></output>
  </div>
  <details class="pmg-g-list"><summary>List of what is shown</summary><ul></ul></details>
</div>
"""

CSS = """
.pmg-g { display: flex; flex-direction: column; gap: 6px; color: var(--body-text-color); }
.pmg-g-bar { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.pmg-g-find { flex: 1 1 220px; margin: 0; }
.pmg-g-find input { width: 100%; padding: 7px 11px; font: inherit; font-size: 14px; color: inherit; border-radius: 8px;
  border: 1px solid var(--input-border-color); background: var(--input-background-fill); }
.pmg-g-find input::placeholder { color: var(--input-placeholder-color); opacity: 1; }
.pmg-g-find input:focus { outline: 2px solid var(--primary-500); outline-offset: 0; }
.pmg-g-acts { display: flex; flex-wrap: wrap; gap: 6px; }
.pmg-g-acts button, .pmg-g-legend button { border: 1px solid var(--border-color-primary); background: var(--block-background-fill);
  color: inherit; font: inherit; font-size: 13px; border-radius: 8px; padding: 5px 10px; cursor: pointer; }
.pmg-g-acts button:hover:enabled { border-color: var(--primary-500); }
.pmg-g-acts button:disabled { opacity: .45; cursor: default; }
.pmg-g-said { margin: 0; min-height: 1.35em; font-size: 13px; color: var(--body-text-color-subdued); }
.pmg-g-stage { position: relative; border: 1px solid var(--border-color-primary); border-radius: 10px; overflow: hidden;
  background: var(--background-fill-primary); }
.pmg-g-canvas { height: max(380px, calc(100vh - 330px)); touch-action: none; }
.pmg-g-canvas:focus-visible { outline: 2px solid var(--primary-500); outline-offset: -2px; }
.pmg-g-tip { position: absolute; z-index: 5; max-width: min(320px, 90%); pointer-events: none; padding: 6px 10px; border-radius: 8px;
  background: #242b2a; color: #f3f6f5; font-size: 13px; line-height: 1.4; white-space: pre-line; overflow-wrap: anywhere; }
.pmg-g-empty { position: absolute; inset: 0; margin: 0; display: grid; place-items: center; text-align: center; padding: 24px;
  color: var(--body-text-color-subdued); pointer-events: none; }
.pmg-g-empty[hidden], .pmg-g-time[hidden] { display: none; }
.pmg-g-legend { display: flex; flex-wrap: wrap; gap: 4px 6px; }
.pmg-g-legend button { display: inline-flex; align-items: center; gap: 6px; font-size: 12px; padding: 2px 9px; border-radius: 999px; }
.pmg-g-legend button[aria-pressed=false] { opacity: .5; text-decoration: line-through; }
.pmg-g-legend i { display: inline-block; width: 12px; height: 12px; background: var(--neutral-400); }
.pmg-g-legend i.pmg-g-line { width: 22px; height: 0; background: none; }
.pmg-g-topic { border-radius: 50%; transform: scale(1.15); } .pmg-g-memory { border-radius: 50%; transform: scale(.7); }
.pmg-g-session { border-radius: 3px; } .pmg-g-period { clip-path: polygon(0 0, 70% 0, 100% 50%, 70% 100%, 0 100%); }
.pmg-g-person { clip-path: polygon(25% 5%, 75% 5%, 100% 50%, 75% 95%, 25% 95%, 0 50%); }
.pmg-g-time { display: flex; gap: 14px; align-items: center; font-size: 13px; color: var(--body-text-color-subdued); }
.pmg-g-ends { position: relative; flex: 1; height: 26px; }
.pmg-g-ends::before { content: ""; position: absolute; left: 0; right: 0; top: 11px; height: 4px; border-radius: 2px;
  background: linear-gradient(90deg, var(--border-color-primary) var(--low, 0%), var(--primary-500) var(--low, 0%) var(--high, 100%), var(--border-color-primary) var(--high, 100%)); }
.pmg-g-ends input { position: absolute; inset: 0; width: 100%; margin: 0; background: none; appearance: none; pointer-events: none; }
.pmg-g-ends input::-webkit-slider-runnable-track { background: none; }
.pmg-g-ends input::-moz-range-track { background: none; }
.pmg-g-ends input::-webkit-slider-thumb { appearance: none; pointer-events: auto; width: 20px; height: 20px; margin-top: 0; border-radius: 50%;
  border: 2px solid #fff; background: var(--primary-600); cursor: grab; }
.pmg-g-ends input::-moz-range-thumb { pointer-events: auto; width: 16px; height: 16px; border-radius: 50%; border: 2px solid #fff;
  background: var(--primary-600); cursor: grab; }
.pmg-g-time output { white-space: nowrap; min-width: 170px; text-align: right; }
.pmg-g-list summary { cursor: pointer; font-size: 13px; color: var(--body-text-color-subdued); padding: 4px 0; }
.pmg-g-list ul { list-style: none; margin: 0; padding: 0; max-height: 300px; overflow-y: auto; }
.pmg-g-list li { display: flex; gap: 8px; align-items: baseline; padding: 2px 0; }
.pmg-g-list button { border: 0; background: none; color: inherit; font: inherit; font-size: 14px; text-align: left; cursor: pointer;
  padding: 2px 6px; border-radius: 6px; overflow-wrap: anywhere; }
.pmg-g-list button:hover { background: var(--background-fill-secondary); }
@media (max-width: 760px) {
  .pmg-g-canvas { height: max(360px, 64vh); }
  .pmg-g-acts button { padding: 6px 9px; }
  .pmg-g-time { flex-direction: column; align-items: stretch; gap: 2px; } .pmg-g-ends { flex: none; } .pmg-g-time output { text-align: left; }
}
"""
