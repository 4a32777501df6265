"""The SQL in the documentation runs on the sample memory, and the schema page is made from the code."""

from __future__ import annotations

import importlib.util
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pmg import config as configuration
from pmg import sample
from pmg.engine import Engine
from steward.steward import Steward
from tests.embedding import WordEmbedder

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "analytics.md").read_text(encoding="utf-8")
STATEMENTS = [
    *re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL),
    *re.findall(r'^pmg sql .*?"(.+)"$', PAGE, re.MULTILINE),
    *re.findall(r'^engine\.sql\("([^"?]+)"\)', PAGE, re.MULTILINE),
]


@pytest.fixture(scope="module")
def told(sample_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    home = tmp_path_factory.mktemp("docs") / "memory"
    shutil.copytree(sample_home, home)
    with Engine.open(configuration.load(home, {}), embedder=WordEmbedder()) as engine:
        for question in sample.questions()[:8]:
            engine.recall(question.question)
        Steward(engine).run(("score", "links"), bulk=True)
        yield engine


def test_the_page_has_statements() -> None:
    assert len(STATEMENTS) >= 15


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda text: " ".join(text.split())[:60])
def test_every_statement_of_the_page_runs_on_the_sample(told: Engine, statement: str) -> None:
    answer = told.sql(statement)
    may_be_empty = ("segments = 0", "v_reviews", "upkeep(")
    assert len(answer) > 0 or any(part in statement for part in may_be_empty)


def test_the_schema_page_is_made_from_the_code() -> None:
    spec = importlib.util.spec_from_file_location("make_schema", ROOT / "docs" / "make_schema.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    page = (ROOT / "docs" / "schema.md").read_text(encoding="utf-8")
    assert page == made.page(), "run `python docs/make_schema.py`"
