"""The timeline's own part of the page: its ground, its buttons, and how they look in light, dark and on a phone.

Knows: HTML and CSS; static/timeline.js brings it to life. The template must stay the same text for ever: gradio would otherwise write
over what the script has drawn.
"""

from __future__ import annotations

TEMPLATE = """
<div class="pmg-t">
  <div class="pmg-t-bar">
    <p class="pmg-t-said" role="status"></p>
    <span class="pmg-t-acts">
      <button type="button" data-act="all">Everything</button>
      <button type="button" data-act="earlier" title="Earlier">‹ Earlier</button>
      <button type="button" data-act="later" title="Later">Later ›</button>
      <button type="button" data-act="in" aria-label="Zoom in" title="Zoom in">+</button>
      <button type="button" data-act="out" aria-label="Zoom out" title="Zoom out">−</button>
    </span>
  </div>
  <div class="pmg-t-stage" tabindex="0" role="application" aria-label="Timeline. Left and right move it, plus and minus zoom, 0 shows everything, Escape closes what is read. The list below has the same sessions in words.">
    <svg class="pmg-t-strip" height="54"></svg>
    <svg class="pmg-t-main"></svg>
    <p class="pmg-t-empty" role="status">Loading the timeline …</p>
    <div class="pmg-t-tip" hidden></div>
  </div>
  <p class="pmg-t-hint pmg-t-by-touch">Drag to move it, + and − zoom, a tap reads. <span class="pmg-t-changes">A red diamond is something that changed: tap it to read where it was told.</span></p>
  <p class="pmg-t-hint pmg-t-by-mouse">Scroll to zoom, drag to mark a range, hold Shift to move. The strip above has the whole memory: drag its window. <span class="pmg-t-changes">A red diamond is something that changed: click it to read where it was told.</span></p>
  <div class="pmg-t-legend" role="group" aria-label="Colours"></div>
</div>
"""

CSS = """
.pmg-t { display: flex; flex-direction: column; gap: 6px; color: var(--body-text-color); }
.pmg-t-bar { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: center; justify-content: space-between; }
.pmg-t-said { margin: 0; font-size: 14px; font-weight: 600; }
.pmg-t-acts { display: flex; flex-wrap: wrap; gap: 6px; }
.pmg-t-acts button { border: 1px solid var(--border-color-primary); background: var(--block-background-fill); color: inherit; font: inherit;
  font-size: 13px; border-radius: 8px; padding: 5px 10px; cursor: pointer; }
.pmg-t-acts button:hover { border-color: var(--primary-500); }
.pmg-t-stage { position: relative; border: 1px solid var(--border-color-primary); border-radius: 10px; background: var(--background-fill-primary);
  overflow: hidden; }
.pmg-t-stage:focus-visible { outline: 2px solid var(--primary-500); outline-offset: -2px; }
.pmg-t-stage svg { display: block; width: 100%; user-select: none; }
.pmg-t-main { touch-action: pan-y; cursor: crosshair; min-height: 220px; }
.pmg-t-strip { touch-action: pan-y; cursor: grab; border-bottom: 1px solid var(--border-color-primary); }
.pmg-t-item { cursor: pointer; } .pmg-t-item:hover rect { filter: brightness(1.15); stroke: var(--body-text-color); stroke-width: 1; }
.pmg-t-change path { fill: #c9484f; stroke: var(--background-fill-primary); stroke-width: 1.5; } .pmg-t-change:hover path { stroke: var(--body-text-color); }
.pmg-t-faded { opacity: .45; }
.pmg-t-grid { stroke: var(--border-color-primary); stroke-width: 1; }
.pmg-t-tick, .pmg-t-lane { fill: var(--body-text-color-subdued); font-size: 11px; }
.pmg-t-lane { font-weight: 600; } .pmg-t-label { fill: var(--body-text-color); font-size: 11.5px; }
.pmg-t-brush { fill: var(--primary-500); opacity: .2; }
.pmg-t-off { fill: var(--background-fill-primary); opacity: .62; }
.pmg-t-window { fill: none; stroke: var(--primary-500); stroke-width: 2; } .pmg-t-grip { fill: var(--primary-500); cursor: ew-resize; }
.pmg-t-tip { position: absolute; z-index: 5; width: max-content; max-width: min(290px, 92%); pointer-events: none; padding: 6px 10px; border-radius: 8px;
  background: #242b2a; color: #f3f6f5; font-size: 13px; line-height: 1.4; white-space: pre-line; overflow-wrap: anywhere; }
.pmg-t-empty { position: absolute; inset: 78px 0 0; margin: 0; display: grid; place-items: center; text-align: center; padding: 20px;
  color: var(--body-text-color-subdued); pointer-events: none; }
.pmg-t-empty[hidden], .pmg-t-tip[hidden] { display: none; }
.pmg-t-hint { margin: 0; font-size: 12px; color: var(--body-text-color-subdued); }
.pmg-t-legend { display: flex; flex-wrap: wrap; gap: 4px 14px; font-size: 12.5px; }
.pmg-t-legend span { display: inline-flex; align-items: center; gap: 6px; overflow-wrap: anywhere; }
.pmg-t-legend i { width: 11px; height: 11px; border-radius: 3px; flex: none; }
.pmg-t-by-touch { display: none; }
@media (max-width: 760px), (pointer: coarse) { .pmg-t-by-touch { display: block; } .pmg-t-by-mouse { display: none; } .pmg-t-acts button { padding: 6px 9px; } }
"""
