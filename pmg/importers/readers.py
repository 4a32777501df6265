"""The table of every reader, in the order they are asked: platforms first, plain forms last.

Handles which function claims a value, a row or a page, and which reads it.
A new platform is one new module and one line here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from pmg.importers.conversation import Result, Where
from pmg.importers.platforms import (
    codex,
    copilot,
    deepseek,
    generic,
    grok,
    librechat,
    locomo,
    openwebui,
    prompt_history,
    transcripts,
)
from pmg.importers.platforms import notes as markdown_notes
from pmg.importers.platforms.chatgpt import conversations as chatgpt
from pmg.importers.platforms.chatgpt import files as chatgpt_files
from pmg.importers.platforms.claude import conversations as claude
from pmg.importers.platforms.claude import projects as claude_projects
from pmg.importers.platforms.claude_code import transcripts as claude_code
from pmg.importers.platforms.gemini import aistudio, takeout, takeout_html
from pmg.importers.platforms.gemini import cli as gemini_cli
from pmg.importers.reading.fields import Json
from pmg.importers.reading.rows import Row


@dataclass(frozen=True, slots=True)
class ValueReader:
    """Reads one object that holds a whole conversation (or several)."""

    claims: Callable[[Json], bool]
    parse: Callable[[Json, Where], Iterator[Result]]


@dataclass(frozen=True, slots=True)
class RowReader:
    """Reads the rows of a file together, from the first one it claims to the end."""

    claims: Callable[[Json], bool]
    gather: Callable[[Iterator[Row]], Iterator[Result]]


@dataclass(frozen=True, slots=True)
class PageReader:
    """Reads a file that is no JSON; claims it by its beginning."""

    claims: Callable[[str], bool]
    parse: Callable[[Iterable[bytes], Where], Iterator[Result]]


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
    ValueReader(gemini_cli.claims, gemini_cli.parse),
    ValueReader(codex.claims_object, codex.parse_object),
)
ROWS = (
    RowReader(takeout.claims, takeout.gather),
    RowReader(codex.claims, codex.gather),
    RowReader(claude_code.claims, claude_code.gather),
    RowReader(prompt_history.claims, prompt_history.gather),
    RowReader(gemini_cli.claims_row, gemini_cli.gather),
    RowReader(markdown_notes.claims_memory, markdown_notes.gather),
)
# Asked after all the others, for their claims are wide.
PLAIN_VALUES = (ValueReader(generic.claims, generic.parse),)
PLAIN_ROWS = (RowReader(generic.claims_row, generic.gather),)
PAGES = (
    PageReader(takeout_html.claims_text, takeout_html.parse_text),
    PageReader(copilot.claims_text, copilot.parse_text),
    PageReader(generic.claims_text, generic.parse_text),
    PageReader(transcripts.claims_text, transcripts.parse_text),
    PageReader(markdown_notes.claims_text, markdown_notes.parse_text),
)


def reader_of(value: Json) -> ValueReader | RowReader | None:
    """Who reads this object, or None."""
    for reader in (*VALUES, *ROWS, *PLAIN_VALUES, *PLAIN_ROWS):
        if reader.claims(value):
            return reader
    return None


def claimed(readers: Sequence[ValueReader | RowReader]) -> Callable[[Json], bool]:
    """Whether one of these reads an object."""
    return lambda value: any(reader.claims(value) for reader in readers)
