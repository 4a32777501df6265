"""How the page looks: its colours, its sizes, its mark. System fonts only, so that nothing is fetched.

Knows: gradio's theme variables and the few classes that every tab shares.
"""

from __future__ import annotations

import base64
from functools import cache

import gradio as gr
from gradio.themes import Base
from gradio.themes.utils.colors import Color

from pmg.ui import event_stream, gradio_script, message_script, page_address, server_absence, shortcuts

# A quiet sea green: far from the blue of links and from the red and amber that warn. 600 on white has a contrast of 5.4.
_ACCENT = Color(
    c50="#eef8f6",
    c100="#d6eeea",
    c200="#aeddd6",
    c300="#7cc4bb",
    c400="#4aa79d",
    c500="#2b8b82",
    c600="#1d716a",
    c700="#1a5b56",
    c800="#194a47",
    c900="#173d3b",
    c950="#092423",
    name="sea",
)
_NEUTRAL = Color(
    c50="#f8f9f8",
    c100="#f0f2f1",
    c200="#e2e6e4",
    c300="#cbd2cf",
    c400="#98a3a0",
    c500="#6a7673",
    c600="#525d5a",
    c700="#3d4645",
    c800="#242b2a",
    c900="#1a201f",
    c950="#121716",
    name="slate-sea",
)
_SANS = ("ui-sans-serif", "system-ui", "-apple-system", "Segoe UI", "Roboto", "Noto Sans", "sans-serif")
_MONO = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "DejaVu Sans Mono", "monospace")

# Three memories and the links between them; one is the one that answers.
LOGO = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="{size}" height="{size}" aria-hidden="true">'
    '<rect width="32" height="32" rx="8" fill="#1d716a"/>'
    '<path d="M9.5 22 16 9.5 22.5 22Z" fill="none" stroke="#aeddd6" stroke-width="1.8" stroke-linejoin="round"/>'
    '<circle cx="9.5" cy="22" r="3" fill="#d6eeea"/><circle cx="22.5" cy="22" r="3" fill="#d6eeea"/>'
    '<circle cx="16" cy="9.5" r="4" fill="#fff"/></svg>'
)


def logo(size: int = 26) -> str:
    return LOGO.format(size=size)


def favicon() -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(logo(32).encode()).decode()


@cache
def theme() -> Base:
    sizes = gr.themes.sizes
    look = Base(
        primary_hue=_ACCENT,
        secondary_hue=_ACCENT,
        neutral_hue=_NEUTRAL,
        spacing_size=sizes.spacing_md,
        radius_size=sizes.radius_md,
        text_size=sizes.text_md,
        font=_SANS,
        font_mono=_MONO,
    )
    return look.set(
        body_background_fill="*neutral_50",
        body_background_fill_dark="*neutral_950",
        body_text_color="*neutral_900",
        body_text_color_dark="*neutral_100",
        body_text_color_subdued="*neutral_600",
        body_text_color_subdued_dark="*neutral_400",
        block_background_fill="white",
        block_background_fill_dark="*neutral_900",
        block_border_color="*neutral_200",
        block_border_color_dark="*neutral_800",
        border_color_primary="*neutral_200",
        border_color_primary_dark="#3a4441",  # small buttons and chips have no other edge: it must be seen on a dark ground
        block_shadow="none",
        block_label_text_color="*neutral_600",
        block_title_text_color="*neutral_700",
        block_title_text_color_dark="*neutral_300",
        block_title_text_weight="500",
        input_background_fill="white",
        input_background_fill_dark="*neutral_900",
        input_border_width="1px",
        input_border_width_dark="1px",
        input_border_color="*neutral_300",
        input_border_color_dark="*neutral_700",
        input_border_color_focus="*primary_500",
        input_border_color_focus_dark="*primary_400",
        checkbox_border_color="*neutral_400",
        checkbox_border_color_dark="*neutral_500",  # an empty box or circle on a dark ground must be seen
        input_shadow_focus="0 0 0 3px color-mix(in srgb, var(--primary-500) 18%, transparent)",
        input_shadow_focus_dark="0 0 0 3px color-mix(in srgb, var(--primary-400) 25%, transparent)",
        button_primary_background_fill="*primary_600",
        button_primary_background_fill_hover="*primary_700",
        button_primary_background_fill_dark="*primary_600",
        button_primary_background_fill_hover_dark="*primary_500",
        button_primary_text_color="white",
        button_secondary_background_fill="white",
        button_secondary_background_fill_hover="*neutral_100",
        button_secondary_background_fill_dark="*neutral_800",
        button_secondary_background_fill_hover_dark="*neutral_700",
        button_secondary_border_color="*neutral_300",
        button_secondary_border_color_dark="*neutral_700",
        button_border_width="1px",
        button_primary_border_color="*primary_600",
        link_text_color="*primary_700",
        link_text_color_dark="*primary_300",
        code_background_fill="*neutral_100",
        code_background_fill_dark="*neutral_800",
    )


# With a sidebar, `margin: auto` alone collapses the page: the width is said too.
CSS = """
.gradio-container { width: 100% !important; max-width: 1600px !important; margin-inline: auto !important; padding: 0 20px 24px !important; }
/* What is hidden by `hidden` scrolls, if only by a script, and then nothing inside can stay in the window while the page moves on. */
.gradio-container { overflow: clip !important; }
gradio-app > .gradio-container > .main { padding: 0 !important; }
.pmg-header .html-container { padding: 0 !important; }
body > gradio-app > .gradio-container > .main footer, .gradio-container > footer { display: none !important; }
.pmg-header { border: 0 !important; background: none !important; padding: 10px 0 4px !important; align-items: center !important; flex-wrap: nowrap !important; }
.pmg-brand { display: flex; align-items: center; gap: 12px; min-height: 38px; }
.pmg-brand strong { font-size: 17px; letter-spacing: -.01em; font-weight: 650; white-space: nowrap; }
.pmg-state { display: flex; flex-wrap: wrap; gap: 4px 14px; color: var(--body-text-color-subdued); font-size: 13px; }
.pmg-state span { white-space: nowrap; }
.pmg-dot::before { content: ""; display: inline-block; width: 8px; height: 8px; border-radius: 50%; margin-right: 6px; background: var(--neutral-400); }
.pmg-dot.ready::before { background: #2f9e6e; }
.pmg-dot.loading::before { background: #d99a2b; animation: pmg-breathe 1.4s ease-in-out infinite; }
.pmg-dot.failed::before { background: #c5473d; }
.pmg-dot.warning::before { background: #d99a2b; }
@keyframes pmg-breathe { 50% { opacity: .3; } }
@media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important; } }
.pmg-theme { margin-left: auto; flex: none; border: 1px solid var(--border-color-primary); background: var(--block-background-fill); color: inherit; border-radius: 8px; width: 36px; height: 36px; cursor: pointer; font-size: 16px; line-height: 1; padding: 0; text-align: center; }
.pmg-logout { flex: none; margin: 0; } .pmg-theme + .pmg-theme, .pmg-theme + .pmg-logout { margin-left: -4px; }
.pmg-logout button { border: 1px solid var(--border-color-primary); background: var(--block-background-fill); color: inherit; border-radius: 8px; height: 36px; cursor: pointer; font-size: 13px; padding: 0 10px; white-space: nowrap; }
.pmg-theme:hover, .pmg-logout button:hover { border-color: var(--primary-500); }
.pmg-line { padding: 4px 0; overflow-wrap: anywhere; line-height: 1.55; }
.pmg-who { font-weight: 600; margin-right: 4px; }
.pmg-said { white-space: pre-wrap; }
textarea, input[type=text] { unicode-bidi: plaintext; }
mark { background: color-mix(in srgb, var(--primary-400) 30%, transparent); color: inherit; border-radius: 3px; padding: 0 1px; }
.pmg-unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.pmg-told { border-left: 3px solid #b7791f; padding: 8px 12px; margin: 8px 0 !important; line-height: 1.5; }
#pmg-namespace { flex: 0 0 auto !important; width: auto !important; min-width: 0 !important; display: flex !important; align-items: center; gap: 8px; overflow: visible !important; padding-left: 10px !important; }
#pmg-namespace::before { content: "Namespace"; color: var(--body-text-color-subdued); font-size: 13px; }
#pmg-namespace input { width: 122px; padding-right: 26px !important; text-overflow: ellipsis; } /* before its arrow */ #pmg-namespace .container, #pmg-namespace .wrap { min-height: 36px; }
.pmg-muted { color: var(--body-text-color-subdued); font-size: 13px; }
/* Fields in a row stand on one line, however long their names are. */
.pmg-fields .form > .block { display: flex; flex-direction: column; justify-content: flex-end; }
.pmg-fields .form > .block > .container { height: auto; }
button:focus-visible, a:focus-visible, [tabindex]:focus-visible, [role=tab]:focus-visible { outline: 2px solid var(--primary-500) !important; outline-offset: 2px; }
[role=tab]:focus-visible { outline-offset: -3px; } /* outside itself a tab is cut off */
input:is([type=checkbox], [type=radio]):focus-visible { outline: 2px solid var(--primary-500) !important; outline-offset: 2px; }
/* A list to choose from has the edge of a field, and the ring goes round its frame: its own field is only the words in it. */
.wrap:has(> .wrap-inner input[role=combobox]) { border-color: var(--input-border-color) !important; }
.wrap:has(> .wrap-inner input[role=combobox]:focus-visible) { outline: 2px solid var(--primary-500) !important; outline-offset: 1px; border-radius: var(--input-radius); }
body { color-scheme: light; scrollbar-color: var(--neutral-300) transparent; }
body.dark { color-scheme: dark; scrollbar-color: var(--neutral-600) transparent; }
/* The page's own scrollbar is the root's, which does not ask its body. */
html:has(body.dark) { color-scheme: dark; scrollbar-color: #525d5a transparent; }
/* A message stands above, between the name and the buttons, where nothing can be clicked; in a window too narrow for that, below in the middle. */
.toast-wrap { top: 3px !important; bottom: auto !important; right: 500px !important; left: auto !important; width: min(470px, 86vw); max-width: none !important; pointer-events: none; }
.toast-wrap > * { pointer-events: auto; }
/* On one line with its cross: three lines of words end above the tabs. */
.toast-wrap .toast-body { flex-direction: row-reverse !important; align-items: flex-start; border-left: 4px solid var(--toast-color) !important; width: 100%; }
.toast-wrap .toast-title, .toast-wrap .toast-icon { display: none !important; }
.toast-wrap .toast-header { padding: 4px !important; } .toast-wrap .toast-messages { flex: 1; min-width: 0; padding: 3px 4px 5px 10px !important; }
.toast-wrap .toast-message-item { padding: 0 !important; } .toast-wrap .toast-message-text { font-size: 13px !important; line-height: 1.3 !important; }
/* A longer one lies over the tabs: a click goes through it to what lies below, only its buttons take one. */
.toast-wrap .toast-body { pointer-events: none; } .toast-wrap .toast-body :is(button, a) { pointer-events: auto; }
.tab-container button { font-size: 15px !important; }
.tab-container button.selected { color: var(--primary-700) !important; }
.dark .tab-container button.selected { color: var(--primary-300) !important; }
@media (max-width: 700px) {
  .gradio-container { padding: 0 10px 12px !important; }
  .pmg-brand strong span, .pmg-state .pmg-dot.ready { display: none; }
  .pmg-header { padding-top: 6px !important; gap: 8px !important; }
  #pmg-namespace { padding-left: 0 !important; } #pmg-namespace::before { display: none; } #pmg-namespace input { width: 80px; padding-right: 22px !important; }
  .pmg-brand { gap: 6px; } .pmg-brand > svg { display: none; } .pmg-logout button { padding: 0 6px; font-size: 12px; font-weight: 500; } .pmg-theme + .pmg-logout { margin-left: 0; }
  /* What the header tells gives way to its buttons, never the other way round. */
  .pmg-brand > div { min-width: 0; } .pmg-state span { max-width: 100%; overflow: hidden; text-overflow: ellipsis; }
}
/* A phone has no keys, and no room for the button. */
@media (max-width: 480px) { .pmg-theme:not(.pmg-quick-button) { display: none; } }
/* Beside the list there is no room on a phone: what is read comes over it as a sheet, with a way back. The chat has a sheet of its own. */
.pmg-back { display: none !important; }
@media (max-width: 760px) {
  .pmg-sheet:not(:has(.pmg-reading)):not(.pmg-source-pane *), #pmg-people-close { display: none !important; }
  .pmg-sheet:has(.pmg-reading):not(.pmg-source-pane *) { position: fixed !important; inset: 9vh 0 0 0; z-index: 70; overflow-y: auto; overscroll-behavior: contain;
    flex-wrap: nowrap !important; gap: 10px !important; padding: 0 12px 24px !important; background: var(--body-background-fill); border-radius: 16px 16px 0 0;
    box-shadow: 0 0 0 100vmax rgb(0 0 0 / .45); }
  .pmg-sheet:has(.pmg-reading) > * { flex-shrink: 0 !important; }
  .pmg-sheet:has(.pmg-reading):not(.pmg-source-pane *) > .pmg-back { display: block !important; position: sticky; top: 0; z-index: 2; text-align: left; font-size: 15px;
    padding: 12px 6px; border: 0; border-radius: 0; background: var(--body-background-fill); border-bottom: 1px solid var(--border-color-primary); }
}
/* Tabs that find no room in a narrow window are behind a button that says so. */
.tab-wrapper .overflow-menu > button { width: auto !important; padding: 0 12px !important; font-size: 15px !important; white-space: nowrap; }
.tab-wrapper .overflow-menu > button > * { display: none !important; }
.tab-wrapper .overflow-menu > button::after { content: "More ▾"; }
"""

# In the head and not in CSS: gradio keeps rules of a media query to what lies inside its own container, and messages lie outside of it.
TOASTS = """
@media (max-width: 1240px) {
  html body .toast-wrap.toast-wrap.toast-wrap { top: auto !important; bottom: 84px !important; right: auto !important; left: 50% !important; transform: translateX(-50%); }
  /* There a tap goes through it to what lies below; only its cross takes one. */
  html body .toast-wrap > *, html body .toast-wrap .toast-body { pointer-events: none !important; }
  html body .toast-wrap .toast-close { pointer-events: auto !important; }
}
"""

# The person's choice of light or dark stays with their browser; `?__theme=` in the address goes above it.
_THEME_JS = """
(() => {
  const asked = new URLSearchParams(location.search).get("__theme");
  const kept = asked || localStorage.getItem("pmg-theme");
  if (kept === "light" || kept === "dark") document.body.classList.toggle("dark", kept === "dark");
})
"""
THEME_JS = _THEME_JS.strip()

TOGGLE_JS = """
element.addEventListener("click", (event) => {
  if (event.target.closest(".pmg-keys-button")) { document.dispatchEvent(new KeyboardEvent("keydown", {key: "?"})); return; }
  if (!event.target.closest(".pmg-theme:not(.pmg-quick-button)")) return;
  const dark = document.body.classList.toggle("dark");
  localStorage.setItem("pmg-theme", dark ? "dark" : "light");
});
"""


# What a tab runs after it changed the memory: the header looks again.
REFRESH_JS = "() => { document.querySelector('#pmg-refresh')?.click(); }"


# The secret part of the address, for the next time this browser opens the plain one. Storage belongs to one port; a cookie would not.
PLACE_JS = r"""
const place = location.pathname.match(/^\/browser\/[\w-]{43}\//);
if (place) localStorage.setItem("pmg-place", place[0]);
"""

# gradio's page names its manifest by the root of the server, where no browser is let in: ours lies in the browser's own place.
MANIFEST_JS = """
{
  const own = () => {
    const link = document.querySelector("link[rel=manifest]");
    if (link) { link.crossOrigin = "use-credentials"; link.href = "manifest.json"; }
  };
  own();
  document.addEventListener("DOMContentLoaded", own);
}
"""


# Whoever comes back to the page sees the numbers of now: other programs may have told or imported something meanwhile.
FRESH_JS = """
document.addEventListener("visibilitychange", () => { if (!document.hidden) document.querySelector("#pmg-refresh")?.click(); });
"""


def head() -> str:
    return (
        f"<script>{{{PLACE_JS}}}</script>"
        f"<script>{event_stream.SCRIPT}</script>"
        f"<script>{server_absence.SCRIPT}</script>"
        f"<script>{gradio_script.CLONE_JS}</script>"
        f"<script>{page_address.SCRIPT}</script>"
        f"<script>{message_script.SCRIPT}</script>"
        f"<script>{shortcuts.script()}{MANIFEST_JS}{FRESH_JS}</script>"
        f"<style>{TOASTS}{server_absence.CSS}</style>"
        f'<link rel="icon" type="image/svg+xml" href="{favicon()}">'
        '<link rel="apple-touch-icon" href="icon.svg">'
        '<meta name="theme-color" content="#1d716a">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="same-origin">'
    )
