"""Every `pmg …` in a block of README and docs is known here: run on the sample memory it gives what was seen to be right, or it says why it is not run."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pmg.cli.main import load_commands
from pmg.cli.root import app

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", *(page for page in sorted((ROOT / "docs").rglob("*.md")) if page.name != "api.md")]
BLOCK = re.compile(r"```[a-z]*\n(.*?)```", re.DOTALL)
EXAMPLE = re.compile(r"^(?:\$ )?(pmg .*?)(?:\s{2,}.*|\s+#.*)?$", re.MULTILINE)
YOURS = re.compile(r"\b[A-Z]{4,}\b|…|~/|\bA B\b|seg_\d|\.zip$")  # a place for a name of one's own

# Words of the answer, by the memory that ships.
ON_THE_SAMPLE = {
    'pmg ask "why is the Heron 1.0 release blocked?"': ["the sample data isn't licensed"],
    'pmg recall "why is the Heron 1.0 release blocked?"': ["the sample data isn't licensed"],
    'pmg recall "why is the Heron 1.0 release blocked?" --why': ["the sample data isn't licensed", "found because"],
    "pmg people list": ["Mara", "Lena", "Anna Berg"],
    "pmg people show Mara": ["Lindenhofstraße 23"],
    "pmg people timeline location Mara": ["Bristol", "Lindenhofstraße 23", "it went on from one to the other"],
    "pmg people context leipzig-flat location": ["Where does Mara live", "Lindenhofstraße 23"],
    "pmg people compare location deutsch leipzig-flat Mara": ["one after the other; they differ in lives_in"],
    "pmg people claims Anna": ["said by Anna Berg", "rubber boots"],
    "pmg people review": ["Nobody waits to be told apart"],
    "pmg sessions": ["Anna Berg: clause 4"],
    "pmg stats": ["754"],
    "pmg sql \"FROM growth('default')\"": ["2025-11-03", "total"],
    "pmg sql \"FROM growth('default') ORDER BY day DESC LIMIT 5\"": ["5 rows"],
    'pmg sql "SELECT said_at, text FROM v_segments ORDER BY said_at DESC LIMIT 5"': ["5 rows"],
}
# The page tells something first.
ON_WHAT_THE_PAGE_TELLS = {
    'pmg --namespace work ask "What is the staging database called?"': ["The staging database is called heron."],
    'pmg ask "Where do I live?"': ["I live in Austin now."],
    'pmg ask "When does the plumber come?"': ["12 May at 8", "Ben, 2 May 2026"],
    'pmg recall "When does the plumber come?" --why': ["12 May at 8", "found because"],
}
# By their first words.
NOT_RUN = {
    "begins or ends a server, or wants one": ("serve", "mcp", "hook", "watch", "token", "upstream"),
    "writes into the settings of another program": ("connect", "disconnect"),
    "asks first, and has tests of its own": ("forget", "redact", "encrypt", "decrypt", "restore", "recover", "people forget"),
    "is upkeep, with tests of its own": ("steward", "doctor", "rebuild", "calibrate", "reembed", "people reconcile"),
    "is a person's own word": ("people decide", "people rename", "people split", "people correct", "people resolve"),
    "writes files or fills a memory": ("import", "learn", "remember", "--namespace work remember", "demo", "report", "export", "backup", "notebooks", "sql --format"),
    "sets a knob": ("config",),
    "asks a language model": ("people extract",),
}  # fmt: skip
TOLD_ELSEWHERE = {  # of a telling that only the page has: not run, but for the namespace below
    "pmg people show Lena", 'pmg ask "What is the staging database called?"',
    'pmg recall "what did we plan?"',
}  # fmt: skip


def examples() -> list[str]:
    blocks = (block for page in PAGES for block in BLOCK.findall(page.read_text(encoding="utf-8")))
    return list(dict.fromkeys(example for block in blocks for example in EXAMPLE.findall(block)))


def test_every_example_was_looked_at_or_is_not_run_for_a_reason() -> None:
    first = tuple(f"pmg {words}" for some in NOT_RUN.values() for words in some)
    known = {*ON_THE_SAMPLE, *ON_WHAT_THE_PAGE_TELLS, *TOLD_ELSEWHERE}
    there = examples()
    assert [one for one in there if one not in known and not YOURS.search(one) and not one.startswith(first)] == []
    assert known - set(there) == set()


def answer(home: Path, example: str) -> str:
    load_commands()
    done = CliRunner().invoke(app, ["--home", str(home), *shlex.split(example)[1:]])
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture(scope="module")
def sample_memory(embedded_sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("examples") / "memory"
    shutil.copytree(embedded_sample, home)
    return home


@pytest.mark.slow
@pytest.mark.parametrize("example", ON_THE_SAMPLE)
def test_it_answers_what_is_right(sample_memory: Path, example: str) -> None:
    told = answer(sample_memory, example)
    assert [words for words in ON_THE_SAMPLE[example] if words not in told] == [], told


@pytest.fixture(scope="module")
def told_memory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the tutorial and the how-to on namespaces have one tell."""
    folder = tmp_path_factory.mktemp("told")
    talk = re.search(r"cat > talk\.md <<'END'\n(.*?)END", (ROOT / "docs" / "tutorial.md").read_text("utf-8"), re.DOTALL)
    assert talk is not None
    (folder / "talk.md").write_text(talk[1], encoding="utf-8")
    told = [f"pmg remember {folder / 'talk.md'}", *(one for one in examples() if " remember " in one and '"' in one)]
    for example in told:
        answer(folder / "memory", example)
    return folder / "memory"


@pytest.mark.slow
@pytest.mark.parametrize("example", ON_WHAT_THE_PAGE_TELLS)
def test_it_answers_from_what_the_page_tells(told_memory: Path, example: str) -> None:
    told = answer(told_memory, example)
    assert [words for words in ON_WHAT_THE_PAGE_TELLS[example] if words not in told] == [], told


@pytest.mark.slow
def test_another_namespace_has_nothing_of_it(told_memory: Path) -> None:
    assert "heron" not in answer(told_memory, 'pmg ask "What is the staging database called?"')
