"""What can leave this machine, what is left out of the memory, and whether everything is whole.

Knows: the settings that decide it, and says so in sentences that are true of them now. Secrets are found by pmg/ingest/redact.
"""

from __future__ import annotations

import platform
import re
from collections import Counter
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

import gradio as gr

from pmg import settings
from pmg.base.errors import ConfigError
from pmg.base.text import counted
from pmg.chat.responder_choice import open_responder
from pmg.doctor import BAD, CHOICE, WARN, Finding, examine
from pmg.embed.load import BUNDLED
from pmg.embed.multilingual import MULTILINGUAL
from pmg.ingest.redact import DEFAULT_RULES
from pmg.ui.error_boundary import inform, shows_errors
from pmg.ui.render import safe

if TYPE_CHECKING:
    from pmg.ui.app_context import AppContext

PACKAGES = ("private-memory-graph", "duckdb", "faiss-cpu", "gradio", "onnxruntime")
# What was taken out stands in the text as a mark; nothing else remembers it.
_MARKS = r"""SELECT regexp_extract_all(text, '\[redacted: ([^\]]*)\]', 1) AS kinds
FROM v_lines WHERE namespace = ? AND contains(text, '[redacted: ')"""


def leaving(context: AppContext) -> list[tuple[str, bool]]:
    """(sentence, whether something leaves) for every way out of this machine, as it is set now."""
    config = context.engine.config
    name = config.embed.model
    try:
        responder = open_responder(context.engine, config.chat)
        told = [(f"Chat: {responder.where}", responder.leaves)]
    except ConfigError as problem:  # nobody answers, so nothing leaves; the page opens all the same
        told = [(f"Chat: {problem}", False)]
    if name in (BUNDLED, MULTILINGUAL):
        told.append(("Finding by meaning: the model came with PMG and runs here; nothing is fetched.", False))
    else:
        told.append(
            (
                f"Finding by meaning: {name} runs here. A model that is not on this disk yet would be fetched once.",
                False,
            )
        )
    told.append(("Import, export, backup and upkeep work on this machine's files only.", False))
    here = config.server.host in ("127.0.0.1", "localhost", "::1")
    told.append(
        ("The page: only this machine gets in.", False)
        if here
        else (f"The page: the server answers at {config.server.host}, to whoever has the password.", True)
    )
    return told


def leaving_html(found: list[tuple[str, bool]]) -> str:
    out = [text for text, leaves in found if leaves]
    head = (
        "Nothing leaves this machine." if not out else "Something can leave this machine, because you switched it on:"
    )
    rows = "".join(
        f"<tr><td><span class='pmg-badge {'pmg-look' if leaves else 'pmg-good'}'>{'goes out' if leaves else 'stays here'}</span></td>"
        f"<td>{safe(text)}</td></tr>"
        for text, leaves in found
    )
    return f'<p class="pmg-lead"><b>{head}</b></p><table class="pmg-data-table pmg-ways"><tbody>{rows}</tbody></table>'


def marks(context: AppContext, namespace: str) -> list[tuple[str, int]]:
    """How many secrets of each kind were left out of what is stored here."""
    counts = Counter(kind for (kinds,) in context.engine.sql(_MARKS, [namespace]).rows for kind in kinds)
    return sorted(counts.items(), key=lambda one: (-one[1], one[0]))


def marks_html(found: list[tuple[str, int]], off: tuple[str, ...]) -> str:
    kinds = len({rule.name for rule in DEFAULT_RULES})
    total = sum(count for _, count in found)
    head = f"{kinds} kinds of secrets are looked for before anything is written, read for its meaning or sent. " + (
        f"{counted(total, 'secret was', 'secrets were')} left out here." if total else "None was found here so far."
    )
    rows = "".join(f"<tr><th scope='row'>{safe(kind)}</th><td>{count:,}</td></tr>" for kind, count in found)
    kept = f"<p class='pmg-stop'>Kept as they are, because you said so: {safe(', '.join(off))}</p>" if off else ""
    table = f"<table class='pmg-data-table'><tbody>{rows}</tbody></table>" if rows else ""
    return f"<p class='pmg-lead'>{head}</p>{table}{kept}"


def save_redaction(context: AppContext, off: list[str], allow: str) -> str:
    texts = [row.strip() for row in allow.splitlines() if row.strip()]
    settings.change(context.engine, {"redact": {"off": list(off), "allow": texts}})
    return "Kept. It holds for what is written from now on; what is stored stays as it is."


def _with_code(text: str) -> str:
    """A command between backticks looks like one."""
    return re.sub(r"`([^`<>]+)`", r"<code>\1</code>", safe(text))


def _under(text: str) -> str:
    return f"<div class='pmg-muted'>{_with_code(text)}</div>" if text else ""


def health_html(found: list[Finding]) -> str:
    words = {CHOICE: ("", "your choice"), WARN: ("pmg-look", "look"), BAD: ("pmg-look", "mend")}
    rows = "".join(
        f"<tr><td><span class='pmg-badge {words.get(f.level, ('pmg-good', 'fine'))[0]}'>{words.get(f.level, ('', 'fine'))[1]}</span></td>"
        f"<td>{_with_code(f.what)}{_under(f.mend)}{_under(f.detail)}</td></tr>"
        for f in found
    )
    return f"<table class='pmg-data-table pmg-ways'><tbody>{rows}</tbody></table>"


def about_html(context: AppContext) -> str:
    rows = "".join(f"<tr><th scope='row'>{name}</th><td>{safe(text)}</td></tr>" for name, text in about(context))
    return f"<table class='pmg-data-table'><tbody>{rows}</tbody></table>"


def about(context: AppContext) -> list[tuple[str, str]]:
    found = [("memory", str(context.engine.config.home)), ("Python", platform.python_version())]
    return [*((name, version_of(name)) for name in PACKAGES), *found]


def version_of(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed as a package"


# the page


def build_privacy(context: AppContext) -> list[Any]:
    """What can leave, what was left out, and the person's exceptions; gives back what the tab brings up to date."""
    out = gr.HTML(label="What can leave this machine", elem_id="pmg-leaving")
    gr.HTML("<h3 class='pmg-h'>Secrets that are left out</h3>")
    left = gr.HTML(label="Secrets left out", elem_id="pmg-redacted")
    with gr.Accordion("Exceptions", open=False):
        kinds = sorted({rule.name for rule in DEFAULT_RULES})
        off = gr.Dropdown(kinds, multiselect=True, label="Kinds that are kept", info="none: all kinds are left out")
        allow = gr.Textbox(
            label="Texts that are never left out", info="one a line, such as a documented example", lines=2
        )
        with gr.Row():
            save = gr.Button("Keep these exceptions", scale=0, min_width=240)

    def keep(kept: list[str], texts: str) -> None:
        with shows_errors():
            inform(save_redaction(context, kept or [], texts or ""))

    save.click(keep, [off, allow], None, api_visibility="private")
    return [out, left, off, allow]


def privacy_values(context: AppContext, namespace: str) -> list[Any]:
    redact = context.engine.config.redact
    return [
        leaving_html(leaving(context)),
        marks_html(marks(context, namespace), redact.off),
        list(redact.off),
        "\n".join(redact.allow),
    ]


def build_health(context: AppContext) -> list[Any]:
    gr.HTML("<h3 class='pmg-h'>Health</h3>")
    with gr.Row():
        look = gr.Button("Look again", elem_id="pmg-doctor", scale=0, min_width=160)
    health = gr.HTML(label="Health", elem_id="pmg-health")
    gr.HTML("<h3 class='pmg-h'>About</h3>")
    gr.HTML(about_html(context), label="About")

    def examined() -> str:
        with shows_errors():
            return health_html(examine(context.engine))

    look.click(examined, None, health, api_visibility="private")
    return [health]


def health_values(context: AppContext) -> list[Any]:
    return [health_html(examine(context.engine))]
