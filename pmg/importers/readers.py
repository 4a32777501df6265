"""The table of every reader, in the order they are asked: other packages' first, then platforms, plain forms last.

A new platform is one new module and one line here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeVar

from pmg.importers.platforms import (
    agent_lines,
    aider,
    cline,
    codex,
    copilot,
    deepseek,
    generic,
    goose,
    grok,
    jan,
    kimi,
    lechat,
    librechat,
    lmstudio,
    locomo,
    opencode,
    openwebui,
    perplexity,
    pmg_exports,
    prompt_history,
    specstory,
    telegram,
    transcripts,
    whatsapp,
)
from pmg.importers.platforms import notes as markdown_notes
from pmg.importers.platforms.chatgpt import conversations as chatgpt
from pmg.importers.platforms.chatgpt import files as chatgpt_files
from pmg.importers.platforms.claude import conversations as claude
from pmg.importers.platforms.claude import projects as claude_projects
from pmg.importers.platforms.claude_code import transcripts as claude_code
from pmg.importers.platforms.gemini import aistudio, captures, takeout, takeout_html
from pmg.importers.platforms.gemini import cli as gemini_cli
from pmg.importers.platforms.vscode import copilot_chat, state_database
from pmg.importers.plugins import plugin_readers
from pmg.importers.reader import DatabaseReader, PageReader, RowReader, ValueReader
from pmg.importers.reading.fields import Json

VALUES = (
    ValueReader(deepseek.claims, deepseek.parse),
    ValueReader(chatgpt.claims, chatgpt.parse),
    ValueReader(chatgpt_files.claims_report, chatgpt_files.parse_report),
    ValueReader(chatgpt_files.claims_document, chatgpt_files.parse_document),
    ValueReader(grok.claims, grok.parse),
    ValueReader(aistudio.claims, aistudio.parse),
    ValueReader(locomo.claims_haystack, locomo.parse_haystack),
    ValueReader(locomo.claims, locomo.parse),
    ValueReader(claude_projects.claims_memory, claude_projects.parse_memory),
    ValueReader(claude_projects.claims_project, claude_projects.parse_project),
    ValueReader(claude.claims, claude.parse),
    ValueReader(librechat.claims, librechat.parse),
    ValueReader(openwebui.claims, openwebui.parse),
    ValueReader(copilot_chat.claims, copilot_chat.parse),
    ValueReader(lmstudio.claims, lmstudio.parse),
    ValueReader(kimi.claims, kimi.parse),
    ValueReader(perplexity.claims, perplexity.parse),
    ValueReader(opencode.claims, opencode.parse),
    ValueReader(telegram.claims, telegram.parse),
    ValueReader(gemini_cli.claims, gemini_cli.parse),
    ValueReader(codex.claims_object, codex.parse_object),
)
ROWS = (
    RowReader(takeout.claims, takeout.gather),
    RowReader(codex.claims, codex.gather),
    RowReader(claude_code.claims, claude_code.gather),
    RowReader(prompt_history.claims, prompt_history.gather),
    RowReader(gemini_cli.claims_row, gemini_cli.gather),
    RowReader(copilot_chat.claims_log, copilot_chat.gather),
    RowReader(lechat.claims, lechat.gather),
    RowReader(jan.claims, jan.gather),
    RowReader(agent_lines.claims, agent_lines.gather),
    RowReader(goose.claims, goose.gather),
    RowReader(cline.claims, cline.gather),
    RowReader(markdown_notes.claims_memory, markdown_notes.gather),
)
# Asked after all the others, for their claims are wide.
PLAIN_VALUES = (ValueReader(generic.claims, generic.parse),)
PLAIN_ROWS = (RowReader(generic.claims_row, generic.gather),)
PAGES = (
    PageReader(pmg_exports.claims_vault, pmg_exports.refuse_vault),
    PageReader(pmg_exports.claims_page, pmg_exports.refuse_page),
    PageReader(chatgpt_files.claims_text, chatgpt_files.parse_text),
    PageReader(takeout_html.claims_text, takeout_html.parse_text),
    PageReader(copilot.claims_text, copilot.parse_text),
    PageReader(captures.claims_text, captures.parse_text),
    PageReader(aider.claims_text, aider.parse_text),
    PageReader(specstory.claims_text, specstory.parse_text),
    PageReader(whatsapp.claims_text, whatsapp.parse_text),
    PageReader(generic.claims_text, generic.parse_text),
    PageReader(transcripts.claims_text, transcripts.parse_text),
    PageReader(markdown_notes.claims_text, markdown_notes.parse_text),
)
DATABASES = (
    DatabaseReader(frozenset({"chat"}), openwebui.claims_tables, openwebui.parse_database),
    DatabaseReader(goose.TABLES, goose.claims_tables, goose.parse_database),
    DatabaseReader(opencode.TABLES, opencode.claims_tables, opencode.parse_database),
    DatabaseReader(state_database.TABLES, state_database.claims, state_database.parse),
)

Kind = TypeVar("Kind")


def reader_of(value: Json) -> ValueReader | RowReader | None:
    """Who reads this object, or None."""
    return next((reader for reader in json_readers() if reader.claims(value)), None)


@cache
def json_readers() -> tuple[ValueReader | RowReader, ...]:
    return (*platform_values(), *platform_rows(), *PLAIN_VALUES, *PLAIN_ROWS)


def _with_plugins(kind: type[Kind], ours: tuple[Kind, ...]) -> tuple[Kind, ...]:
    return (*(reader for reader in plugin_readers() if isinstance(reader, kind)), *ours)


@cache
def platform_values() -> tuple[ValueReader, ...]:
    return _with_plugins(ValueReader, VALUES)


@cache
def platform_rows() -> tuple[RowReader, ...]:
    return _with_plugins(RowReader, ROWS)


@cache
def pages() -> tuple[PageReader, ...]:
    return _with_plugins(PageReader, PAGES)


@cache
def databases() -> tuple[DatabaseReader, ...]:
    return _with_plugins(DatabaseReader, DATABASES)


def claimed(readers: Sequence[ValueReader | RowReader]) -> Callable[[Json], bool]:
    """Whether one of these reads an object."""
    return lambda value: any(reader.claims(value) for reader in readers)
