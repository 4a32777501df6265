"""How tables, reports and lists of actions look in the steward's tab and in the settings.

Knows: their classes, wide and narrow, light and dark.
"""

from __future__ import annotations

CSS = """
.pmg-lead { margin: 4px 0 10px !important; line-height: 1.5; }
.pmg-data-table { width: 100%; border-collapse: collapse; margin: 0 0 14px !important; font-size: 14px; border: 0 !important; }
.pmg-data-table tr { border: 0 !important; }
.pmg-data-table th, .pmg-data-table td { text-align: left; vertical-align: top; padding: 8px 10px 8px 0 !important; font-weight: 400;
  border: 0 !important; border-bottom: 1px solid var(--border-color-primary) !important; background: none !important;
  color: var(--body-text-color) !important; white-space: normal; overflow-wrap: anywhere; }
.pmg-data-table tbody th { font-weight: 600; width: 42%; }
@media (min-width: 701px) { .pmg-tasks tbody th { width: 52%; } .pmg-tasks th, .pmg-tasks td { padding: 6px 10px 6px 0 !important; } }  /* the buttons below it stay in view */
.pmg-data-table thead th { color: var(--body-text-color-subdued) !important; font-size: 13px; }
.pmg-data-table .pmg-muted { font-weight: 400; }
.pmg-report { border-left: 3px solid var(--primary-500); padding: 6px 12px; margin: 8px 0; line-height: 1.5; }
.pmg-report p { margin: 0 !important; }
.pmg-stop { border-left: 3px solid #b7791f; padding: 6px 12px; margin: 8px 0 !important; }
.pmg-bad { color: #b3372e; }
.dark .pmg-bad { color: #f0a29b; }
.pmg-run-head { display: flex; gap: 12px; justify-content: space-between; align-items: flex-start; }
.pmg-run-head > div, .pmg-run-head > span { min-width: 0; overflow-wrap: anywhere; }
.pmg-run details { margin-top: 8px; }
.pmg-run summary { cursor: pointer; color: var(--body-text-color-subdued); font-size: 13px; }
.pmg-run .pmg-small, .pmg-kept .pmg-small { flex: none; }
.pmg-entry { display: flex; gap: 12px; justify-content: space-between; align-items: flex-start; padding: 8px 0;
  border-top: 1px solid var(--border-color-primary); }
.pmg-entry > div { min-width: 0; overflow-wrap: anywhere; }
.pmg-entry ul { margin: 4px 0 0 !important; padding-left: 18px !important; font-size: 13px; }
@media (max-width: 700px) {
  .pmg-data-table thead { display: none; }
  .pmg-data-table, .pmg-data-table tbody { display: block; }
  .pmg-data-table tr { display: block; border-bottom: 1px solid var(--border-color-primary) !important; padding: 8px 0; }
  .pmg-data-table th, .pmg-data-table td { display: block; width: auto !important; border-bottom: 0 !important; padding: 2px 0 !important; }
  .pmg-data-table td[data-label]::before { content: attr(data-label) ": "; color: var(--body-text-color-subdued); }
}
"""
