"""When upkeep runs, as a form.

Knows: the knobs of the schedule, how they are checked, kept and put in force. The schedule itself is steward/schedule.py.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import gradio as gr

from pmg import config as configuration
from pmg import settings
from pmg.ui.error_boundary import inform, shows_errors
from pmg.ui.steward.steward_view import DOES, LABELS, in_words
from steward import schedule as scheduling
from steward.tasks import TASKS

if TYPE_CHECKING:
    from pmg.config import StewardConfig as Settings
    from pmg.ui.app_context import AppContext

COMMON = (
    "off",
    "every 15m",
    "every 1h",
    "every 6h",
    "every 12h",
    "0 3 * * *",
    "0 4 * * *",
    "30 4 * * *",
    "0 5 * * *",
    "0 6 1 * *",
)
KNOBS = {
    "archive_after_days": "Archive what was said longer ago than (days)",
    "archive_recent_days": "… unless it was recalled in the last (days)",
    "archive_floor": "… and only with a score under (0: age alone)",
    "most_share": "Stop and ask when a task would take more than this share out of recall",
    "backup_keep": "Automatic backups that are kept",
}
NAMES = ("enabled", *TASKS, "quiet_hours", *KNOBS)  # in the order of the form


def values(held: Settings) -> list[Any]:
    return [getattr(held, name) for name in NAMES]


def save(context: AppContext, given: dict[str, Any]) -> str:
    """Checks everything first, then keeps it and puts it in force; the sentence says when it holds."""
    whole = {f.name: f.type for f in fields(context.engine.config.steward)}
    typed = {name: int(value) if whole[name] == "int" else value for name, value in given.items()}
    wanted = configuration.with_values(context.engine.config, {"steward": typed}, "The form").steward
    scheduling.check(wanted)
    held = context.engine.config.steward
    settings.change(context.engine, {"steward": {k: v for k, v in typed.items() if v != getattr(held, k)}})
    if context.schedule is None:
        return "Kept. Upkeep follows it from the next start of the server on."
    context.schedule.change(wanted)
    return "Kept, and in force from now on." if wanted.enabled else "Kept: from now on nothing runs by itself."


def choices() -> list[tuple[str, str]]:
    return [(in_words(text), text) for text in COMMON]


def build(context: AppContext) -> list[Any]:
    """The form; its fields are given back so that the tab can bring them up to date."""
    held = context.engine.config.steward
    gr.HTML(
        '<p class="pmg-muted">Choose a time, or write one: five cron fields like <code>30 3 * * *</code>, '
        "<code>every 6h</code> (m, h, d), or <code>off</code>. Times are this machine's own.</p>"
    )
    form: list[Any] = [gr.Checkbox(label="Upkeep runs by itself", value=held.enabled)]
    with gr.Row(equal_height=False, elem_classes="pmg-fields"):
        for name in TASKS:
            form.append(
                gr.Dropdown(
                    choices(),
                    value=getattr(held, name),
                    label=LABELS[name],
                    info=DOES[name],
                    allow_custom_value=True,
                    min_width=300,
                )
            )
    with gr.Row(equal_height=False, elem_classes="pmg-fields"):
        form.append(
            gr.Textbox(
                held.quiet_hours,
                label="Quiet hours",
                info="no task begins in this time",
                placeholder="09:00-18:00",
                min_width=300,
            )
        )
        for name, label in KNOBS.items():
            form.append(gr.Number(getattr(held, name), label=label, min_width=300))
    with gr.Row():
        button = gr.Button(
            "Keep these settings", variant="primary", elem_id="pmg-schedule-save", scale=0, min_width=220
        )

    def on_save(*given: Any) -> None:
        with shows_errors():
            inform(save(context, dict(zip(NAMES, given, strict=True))))

    button.click(on_save, form, None, api_visibility="private")
    return form
