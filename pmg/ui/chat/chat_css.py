"""The look of the Chat tab and of the first start, apart from what every tab shares."""

CSS = """
.pmg-chat .html-container { padding: 0 !important; }
.pmg-chat button { font-weight: 400; }
.pmg-chat button.primary { font-weight: 600; }
.pmg-chat { gap: 20px !important; align-items: stretch !important; flex-wrap: nowrap !important; height: calc(100dvh - 152px); min-height: 440px; }
.pmg-chats { width: 264px; flex: 0 0 264px !important; gap: 10px !important; flex-wrap: nowrap !important; height: 100%; min-height: 0; }
#pmg-list { flex: 1 1 0 !important; min-height: 0; overflow-y: auto !important; padding-right: 4px; }
.pmg-tools > *, .pmg-tries > *, .pmg-sources > * { margin: 0 !important; }
.pmg-group { font-size: 12px !important; font-weight: 600; color: var(--body-text-color-subdued) !important; margin: 12px 8px 4px !important; }
.pmg-session { display: block; width: 100%; text-align: left; border: 0; background: none; color: inherit; border-radius: 8px; padding: 7px 10px; cursor: pointer; font-size: 14px; line-height: 1.35; }
.pmg-session span { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; overflow-wrap: anywhere; }
.pmg-session small { color: var(--body-text-color-subdued); font-size: 12px; }
.pmg-session:hover { background: color-mix(in srgb, var(--primary-500) 9%, transparent); }
.pmg-session[aria-current] { background: color-mix(in srgb, var(--primary-500) 16%, transparent); }
.pmg-sessions summary { cursor: pointer; padding: 10px; font-size: 13px; color: var(--body-text-color-subdued); }
.pmg-none { padding: 8px 10px; }
.pmg-main { gap: 8px !important; min-width: 0 !important; flex-wrap: nowrap !important; height: 100%; min-height: 0; }
.pmg-main > * { flex: 0 0 auto !important; } .pmg-main > .pmg-scroll { flex: 1 1 0 !important; max-height: none !important; }
.pmg-bar { align-items: center !important; flex-wrap: nowrap !important; min-height: 40px; }
.pmg-title h2 { font-size: 17px !important; font-weight: 600; margin: 0 !important; line-height: 1.3; display: -webkit-box; -webkit-line-clamp: 1; -webkit-box-orient: vertical; overflow: hidden; overflow-wrap: anywhere; }
.pmg-acts { flex: 0 0 auto !important; width: auto !important; gap: 6px !important; flex-wrap: nowrap !important; }
.pmg-rename { align-items: center !important; gap: 8px !important; }
.pmg-acts > button { flex: none !important; width: auto !important; min-width: 80px !important; }
.pmg-drawer { display: none !important; }
.pmg-scroll { flex: 1 1 0 !important; min-height: 120px; overflow-y: auto; flex-wrap: nowrap !important; gap: 0 !important; padding: 2px 6px 2px 2px; display: block !important; }
.pmg-scroll > * { margin-bottom: 6px; }
.pmg-turn { max-width: 780px; margin: 0 0 16px; }
.pmg-turn.mine { margin-left: auto; max-width: 620px; }
.pmg-turn.mine .pmg-name { justify-content: flex-end; }
.pmg-name { display: flex; gap: 8px; align-items: baseline; font-size: 13px; font-weight: 600; margin: 0 4px 4px; }
.pmg-name time { font-weight: 400; color: var(--body-text-color-subdued); font-size: 12px; }
.pmg-bubble { border: 1px solid var(--border-color-primary); background: var(--block-background-fill); border-radius: 4px 14px 14px 14px; padding: 10px 14px; line-height: 1.55; overflow-wrap: anywhere; width: fit-content; max-width: 100%; box-sizing: border-box; }
.mine .pmg-bubble { background: color-mix(in srgb, var(--primary-500) 13%, var(--block-background-fill)); border-color: transparent; border-radius: 14px 4px 14px 14px; margin-left: auto; }
.pmg-bubble p { margin: 0 0 8px !important; } .pmg-bubble p:last-child { margin-bottom: 0 !important; }
.pmg-bubble pre { white-space: pre-wrap; background: var(--code-background-fill); padding: 10px 12px; border-radius: 8px; font-size: 13px; overflow-x: auto; }
.pmg-bubble code { font-family: var(--font-mono); font-size: .92em; }
.pmg-bubble ul, .pmg-bubble ol { margin: 4px 0 8px !important; padding-left: 22px !important; list-style: revert; }
.pmg-bubble table { display: block; overflow-x: auto; border-collapse: collapse; margin: 4px 0 8px !important; } .pmg-bubble th, .pmg-bubble td { border: 1px solid var(--border-color-primary); padding: 4px 10px; text-align: left; }
.pmg-bubble h3, .pmg-bubble h4, .pmg-bubble h5, .pmg-bubble h6 { font-size: 15px !important; margin: 8px 0 4px !important; }
.pmg-quote { margin: 10px 0 0 !important; padding: 2px 0 2px 12px !important; border-left: 3px solid var(--primary-400) !important; font-style: normal; color: inherit; }
.pmg-quote .pmg-around { color: var(--body-text-color-subdued); font-size: 14px; }
.pmg-quote .pmg-said > b { font-weight: 600; }
.pmg-quote footer { display: block !important; color: var(--body-text-color-subdued); font-size: 13px; margin-top: 3px; }
.pmg-sources { display: flex; flex-wrap: wrap; gap: 6px; margin: 8px 2px 0; align-items: center; }
.pmg-sources details { display: contents; } .pmg-sources summary { cursor: pointer; font-size: 12.5px; color: var(--body-text-color-subdued); padding: 3px 6px; }
.pmg-source { border: 1px solid var(--border-color-primary); background: var(--block-background-fill); color: var(--body-text-color); border-radius: 999px; padding: 3px 11px; font-size: 12.5px; cursor: pointer; line-height: 1.5; }
.pmg-source:hover { border-color: var(--primary-500); }
.pmg-source time { color: var(--body-text-color-subdued); margin-left: 4px; }
.pmg-cite { border: 0; background: none; padding: 0; border-radius: 3px; font-size: inherit; color: var(--primary-700); text-decoration: underline; text-underline-offset: 2px; text-align: start; }
.dark .pmg-cite { color: var(--primary-300); }
.pmg-cut-off { margin: 8px 0 0 !important; padding-top: 6px; border-top: 1px dashed var(--border-color-primary); font-size: 13px; color: #9a5b00; } .dark .pmg-cut-off { color: #f0b45c; }
.pmg-unknown { color: var(--body-text-color-subdued); text-decoration: line-through; }
.pmg-tools { display: flex; gap: 2px; margin: 4px 0 0; opacity: .9; transition: opacity .12s; } .mine .pmg-tools { justify-content: flex-end; }
.pmg-turn:hover .pmg-tools, .pmg-turn:focus-within .pmg-tools { opacity: 1; }
.pmg-tool { border: 0; background: none; color: var(--body-text-color-subdued); font-size: 12.5px; padding: 3px 8px; border-radius: 6px; cursor: pointer; }
.pmg-tool:hover { background: color-mix(in srgb, var(--primary-500) 12%, transparent); color: var(--body-text-color); }
.pmg-tool[data-copy="done"]::after { content: " ✓"; }
.pmg-code { position: relative; margin: 6px 0; } .pmg-code > .pmg-tool { position: absolute; top: 5px; right: 5px; background: var(--block-background-fill); }
.pmg-md :is(p, li, h3, h4, h5, h6, td, th, blockquote) { unicode-bidi: plaintext; text-align: start; }
.pmg-confirm { border: 1px solid #b7791f; border-radius: 10px; padding: 10px 14px !important; gap: 8px !important; }
.pmg-confirm p { margin: 0 0 6px !important; } .pmg-confirm ul { margin: 0 0 6px !important; padding-left: 20px !important; list-style: disc; font-size: 14px; }
#pmg-box[data-editing]::before { content: "Editing your last message: sending replaces it; Esc, or an empty field, leaves it as it was."; display: block; font-size: 12.5px; padding: 2px 8px 4px; color: var(--body-text-color-subdued); }
#pmg-box[data-waiting]::before { content: "An answer is still coming: this is yours to send when it is there."; display: block; font-size: 12.5px; padding: 2px 8px 4px; color: var(--body-text-color-subdued); }
.pmg-sample { flex: none !important; gap: 4px !important; padding: 0 4px; } .pmg-sample p { margin: 0 !important; }
/* While it goes, its progress has the place to itself. */
#pmg-sample:has(.wrap:not(.hide)) { min-height: 96px; } #pmg-sample:has(.wrap:not(.hide)) p { visibility: hidden; } .pmg-sample:has(#pmg-sample .wrap:not(.hide)) #pmg-remove-sample { display: none; }
.pmg-aside { margin: 0 0 12px 4px; font-size: 13px; color: var(--body-text-color-subdued); }
.pmg-notice { text-align: center; color: var(--body-text-color-subdued); font-size: 13px; border-top: 1px dashed var(--border-color-primary); padding-top: 8px; margin: 14px 0 !important; }
.pmg-wait { display: inline-flex; gap: 5px; padding: 6px 2px; } .pmg-wait i { width: 7px; height: 7px; border-radius: 50%; background: var(--primary-500); animation: pmg-breathe 1.2s infinite; }
.pmg-wait i:nth-child(2) { animation-delay: .2s; } .pmg-wait i:nth-child(3) { animation-delay: .4s; }
#pmg-box { border: 1px solid var(--input-border-color); border-radius: 14px; background: var(--input-background-fill); padding: 6px 6px 6px 8px; }
#pmg-box:focus-within { border-color: var(--input-border-color-focus); box-shadow: var(--input-shadow-focus); }
#pmg-box textarea { font-size: 16px; border: 0 !important; box-shadow: none !important; background: none !important; outline: none !important; }
#pmg-box .input-container { border: 0 !important; background: none !important; box-shadow: none !important; }
#pmg-box :is(.submit-button, .stop-button) { font-weight: 600; color: var(--primary-700); } .dark #pmg-box :is(.submit-button, .stop-button) { color: var(--primary-300); }
.pmg-switches { align-items: center !important; gap: 4px 18px !important; }
.pmg-switches .block { border: 0 !important; background: none !important; padding: 0 !important; flex: 0 0 auto !important; width: auto !important; min-width: 0 !important; overflow: visible !important; }
.pmg-switches .block:has(.pmg-where) { flex: 1 1 260px !important; }
.pmg-switches label { border: 0 !important; background: none !important; box-shadow: none !important; padding: 4px 0 !important; }
.pmg-where { font-size: 13px; margin: 0 !important; text-align: right; color: var(--body-text-color-subdued); }
.pmg-where.pmg-leaves { color: #9a5b00; font-weight: 550; } .dark .pmg-where.pmg-leaves { color: #f0b45c; }
.pmg-source-pane { width: 400px; flex: 0 0 400px !important; height: 100%; min-height: 0; overflow-y: auto; flex-wrap: nowrap !important; }
.pmg-source-pane > * { flex-shrink: 0; }
.pmg-begin { text-align: center; padding: 9vh 10px 20px; }
.pmg-begin h2, .pmg-hello h1 { font-size: 22px !important; font-weight: 600 !important; letter-spacing: -.01em; margin: 10px 0 6px !important; }
.pmg-begin p, .pmg-hello p { color: var(--body-text-color-subdued); margin: 0 0 6px !important; }
.pmg-tries { display: grid; grid-template-columns: repeat(auto-fit, minmax(230px, 1fr)); gap: 10px; max-width: 660px; margin: 22px auto 0; }
.pmg-try { border: 1px solid var(--border-color-primary); background: var(--block-background-fill); color: inherit; border-radius: 10px; padding: 12px 14px; text-align: left; font-size: 14px; cursor: pointer; line-height: 1.4; }
.pmg-try:hover { border-color: var(--primary-500); }
.pmg-hello { text-align: center; padding: 4vh 0 10px; } .pmg-hello svg { margin: 0 auto; display: block; }
.pmg-welcome { max-width: 900px; margin: 0 auto !important; }
.pmg-options { gap: 14px !important; align-items: stretch !important; }
.pmg-option { border: 1px solid var(--border-color-primary); background: var(--block-background-fill); border-radius: 12px; padding: 18px !important; justify-content: space-between !important; }
.pmg-option-title { font-size: 16px !important; font-weight: 600; margin: 0 0 4px !important; }
@media (max-width: 900px) {
  .pmg-chats { display: none !important; }
  .pmg-chats.pmg-shown { display: flex !important; position: fixed; inset: 0 20% 0 0; width: auto; height: auto; z-index: 60; background: var(--body-background-fill); padding: 14px; box-shadow: 0 0 40px rgb(0 0 0 / .35); }
  .pmg-drawer { display: inline-flex !important; }
  .pmg-source-pane { position: fixed !important; inset: 12vh 0 0 0; width: auto; height: auto; z-index: 60; background: var(--body-background-fill); padding: 14px !important; border-radius: 16px 16px 0 0; box-shadow: 0 0 40px rgb(0 0 0 / .35); }
  .pmg-chat { height: calc(100dvh - 134px); }
  .pmg-where { text-align: left; }
  .pmg-title .pmg-muted { display: none; }
  .pmg-bar { gap: 8px !important; }
  .pmg-acts button, .pmg-drawer { min-width: max-content !important; flex: none !important; padding-inline: 10px !important; }
  .pmg-bar > .block { flex: 1 1 0 !important; min-width: 0 !important; }
  .pmg-begin { padding-top: 3vh; }
  .pmg-hello { padding: 0 0 4px; } .pmg-hello svg { display: none; }
  .pmg-hello h1 { font-size: 19px !important; }
  .pmg-options { gap: 8px !important; } .pmg-option { padding: 12px 14px !important; gap: 8px !important; }
}
/* Beside three buttons a title would be two words long: it gets a line of its own. */
@media (max-width: 560px) {
  .pmg-bar { flex-wrap: wrap !important; }
  .pmg-bar > .block { order: 1; flex: 1 1 100% !important; }
  .pmg-acts { margin-left: auto; }
}
"""
