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
KNOBS = {  # the label, and a second line that explains it
    "archive_after_days": ("Archive what is older than (days)", "it no longer comes up, and can be brought back"),
    "archive_recent_days": ("… unless it came up in the last (days)", "what is asked for stays"),
    "archive_floor": (
        "… and only what was of less use than",
        "from 0 (never) to 1 (often, and just now); 0 here: age alone decides",
    ),
    "most_share": ("Ask me before a task puts away more than", "as a share of all memories: 0.1 is a tenth"),
    "backup_keep": ("Automatic backups that are kept", "older ones are deleted; those you made yourself never"),
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
        '<p class="pmg-lead">When each task runs, by the clock of this machine. <span class="pmg-muted">You can also write a time: '
        "<code>every 6h</code> (m, h or d), <code>off</code>, or like cron <code>30 3 * * *</code> for every day at 03:30.</span></p>"
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
        for name, (label, info) in KNOBS.items():
            form.append(gr.Number(getattr(held, name), label=label, info=info, min_width=300))
    with gr.Row():
        button = gr.Button(
            "Keep these settings", variant="primary", elem_id="pmg-schedule-save", scale=0, min_width=220
        )

    def on_save(*given: Any) -> None:
        with shows_errors():
            inform(save(context, dict(zip(NAMES, given, strict=True))))

    button.click(on_save, form, None, api_visibility="private")
    return form
