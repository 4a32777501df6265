"""The direction of imports and the owners of heavy libraries, read from the source itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# From the ground up; a room may import only rooms that stand before it. Rooms of one row do not import each other.
ROWS = (
    {"pmg.base"},
    {"pmg.config"},
    {"pmg.store"},
    {"pmg.embed"},
    {"pmg.index", "pmg.reader"},
    {"pmg.components"},
    {"pmg.ingest"},
    {"pmg.recall"},
    {"pmg.sample", "pmg.people"},
    {"pmg.engine"},
    {"pmg.answer"},
    {"pmg.forget"},  # below `pmg`: opening a memory finishes a forgetting that was killed
    {"pmg.client"},  # below `pmg`, which gives it out as pmg.connect()
    {"pmg"},
    {"pmg.doctor", "pmg.settings", "pmg.importers", "pmg.exporters", "pmg.chat", "pmg.analytics"},
    {"pmg.figures"},
    {"pmg.report"},
    {"steward"},  # above the report: one of its tasks writes it
    # The page shows what is in the first two; the one inside a notebook has connections of its own.
    {"pmg.connections", "pmg.proxy", "pmg.server.timed_connection"},
    {"pmg.ui"},
    {"pmg.server"},
    {"pmg.cli"},
    {"app", "pmg.__main__"},
    {"benchmarks"},  # beside the product: it stands on all of it, and nothing stands on it
)
ROW_OF_ROOM = {room: number for number, rooms in enumerate(ROWS) for room in rooms}
OWNERS = {
    "duckdb": {"pmg.store.duckdb.database", "benchmarks.speed"},
    "faiss": {"pmg.index.vector", "benchmarks.speed"},
    "sentence_transformers": {"pmg.embed.sentence_embedder"},
    "onnxruntime": {"pmg.embed.onnx_embedder", "pmg.reader.reader"},
    "re2": {"pmg.base.patterns"},
    "ahocorasick_rs": {"pmg.ingest.redact.literals"},
    "typer": {"pmg.cli", "benchmarks"},
    "gradio": {"pmg.ui"},
    "plotly": {"pmg.figures", "pmg.ui", "benchmarks"},
    "apscheduler": {"steward.schedule"},
    "fastapi": {"pmg.server", "pmg.ui.notebook"},
    "starlette": {"pmg.server", "pmg.ui.notebook", "pmg.ui.static_files"},
    "uvicorn": {"pmg.server", "pmg.ui.notebook"},
    "cryptography": {"pmg.store.seal"},
    "httpx": {"pmg.chat", "pmg.client", "pmg.proxy"},
    "httpx_sse": {"pmg.chat.connect"},
    "markdown_it": {"pmg.ui.markdown"},
    "tomlkit": {"pmg.connections.toml_file"},
    "mcp": {"pmg.server.mcp"},
    "mcp_types": {"pmg.server.mcp"},
    "Stemmer": {"pmg.index.stem"},
}


@lru_cache(maxsize=1)
def modules() -> dict[str, ast.Module]:
    """Not while tests are collected, which every worker does: all of the source is read for it."""
    files = [file for place in ("pmg", "steward", "benchmarks") for file in sorted((ROOT / place).rglob("*.py"))]
    return {
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): ast.parse(
            file.read_text(encoding="utf-8")
        )
        for file in files
    }


@cache
def imports(tree: ast.Module, *, typing_too: bool = False) -> tuple[str, ...]:
    """Every imported module, those inside functions too; what only the type checker sees is left out unless asked for."""
    nodes = list(ast.walk(tree))
    seen = [] if typing_too else [branch for branch in nodes if _typing_only(branch)]
    hidden = {id(node) for branch in seen for node in ast.walk(branch)}
    found: list[str] = []
    for node in nodes:
        if isinstance(node, ast.Import) and id(node) not in hidden:
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and id(node) not in hidden:
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return tuple(found)


def _typing_only(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def row_of(name: str) -> tuple[int, str] | None:
    """The longest room that holds the module, and its row. `pmg` is its `__init__` alone: what is in it has rooms of its own."""
    parts = name.split(".")
    for size in range(len(parts), 0, -1):
        room = ".".join(parts[:size])
        if room in ROW_OF_ROOM and (room != "pmg" or name == "pmg"):
            return ROW_OF_ROOM[room], room
    return None


def test_a_new_room_has_no_row_until_it_is_given_one() -> None:
    assert row_of("pmg") == (ROW_OF_ROOM["pmg"], "pmg")
    assert row_of("pmg.chat.turn") == (ROW_OF_ROOM["pmg.chat"], "pmg.chat")
    assert row_of("pmg.newroom.deep.module") is row_of("pmg.newmodule") is None


def test_every_room_is_there() -> None:
    assert [room for room in ROW_OF_ROOM if room not in modules() and room != "app"] == []


def test_imports_point_down() -> None:
    assert [name for name in modules() if row_of(name) is None] == [], "no row: say in ROWS where it belongs"
    found = [told for name, tree in modules().items() for told in _upwards(name, tree)]
    assert found == [], "what is imported stands above or beside"


def _upwards(name: str, tree: ast.Module) -> Iterator[str]:
    mine = row_of(name)
    for imported in imports(tree):
        theirs = row_of(_module(imported) or imported)
        if mine and theirs and theirs[1] != mine[1] and theirs[0] >= mine[0]:
            yield f"{name} imports {imported}"


def test_a_heavy_library_has_one_owner() -> None:
    assert [told for name, tree in modules().items() for told in _not_its_own(name, tree)] == []


def _not_its_own(name: str, tree: ast.Module) -> Iterator[str]:
    for imported in imports(tree):
        allowed = OWNERS.get(imported.split(".")[0])
        if allowed is not None and not any(name == owner or name.startswith(owner + ".") for owner in allowed):
            yield f"{name} imports {imported}"


def test_of_pmg_only_ui_server_and_cli_use_the_steward() -> None:
    for name, tree in modules().items():
        if name.startswith("pmg") and not name.startswith(("pmg.ui", "pmg.server", "pmg.cli")):
            assert not [i for i in imports(tree, typing_too=True) if i.split(".")[0] == "steward"], name


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Also not for the type checker alone: two files that need each other are one concern, or lack a third."""
    needs = {name: {found for i in imports(tree, typing_too=True) if (found := _module(i)) not in (None, name)}
             for name, tree in modules().items()}  # fmt: skip
    while free := [name for name, others in needs.items() if not others & needs.keys()]:
        for name in free:
            del needs[name]
    circles = {name: sorted(others & needs.keys()) for name, others in needs.items()}
    assert not circles, "these, or what they stand on, need each other"


def _module(imported: str) -> str | None:
    """The module of ours that an import names; `from a import b` may name a module b or something inside a."""
    parts = imported.split(".")
    return next((n for size in range(len(parts), 0, -1) if (n := ".".join(parts[:size])) in modules()), None)


# The store

ENGINE = ROWS.index({"pmg.engine"})
HIDDEN = {"store", "_store", "_memory"}  # where an engine, or the parts it hands out, hold the store
OPEN_OTHERS = {"pmg.importers", "benchmarks"}  # these open databases that are not the engine's


def _above_the_engine() -> Iterator[tuple[str, ast.Module]]:
    for name, tree in modules().items():
        row = row_of(name)
        if row is not None and row[0] > ENGINE:
            yield name, tree


def test_nobody_above_the_engine_reaches_its_store() -> None:
    """They read through `engine.reads`, which the type checker knows to have no write, and write through verbs."""
    for name, tree in _above_the_engine():
        found = [n for n in ast.walk(tree) if isinstance(n, ast.Attribute) and n.attr in HIDDEN and not _own(n)]
        lines = [node.lineno for node in found]
        assert not lines, f"{name}, lines {lines}: use engine.reads or a verb"


def _own(node: ast.Attribute) -> bool:
    """`self._store`: a part of the object itself, not of an engine."""
    return isinstance(node.value, ast.Name) and node.value.id == "self"


def test_nobody_above_the_engine_opens_a_store_beside_it() -> None:
    for name, tree in _above_the_engine():
        if not any(name == room or name.startswith(room + ".") for room in OPEN_OTHERS):
            assert not [i for i in imports(tree) if i.startswith("pmg.store.duckdb.store")], name


HALVES = (
    ("pmg.store.contract", "StoreReads", "pmg.store.duckdb.store", "DuckStore"),
    ("pmg.store.maintenance", "MaintenanceReads", "pmg.store.duckdb.maintenance", "DuckMaintenance"),
    ("pmg.store.exchange", "ExchangeReads", "pmg.store.duckdb.exchange", "DuckExchange"),
    ("pmg.store.forget", "ForgettingReads", "pmg.store.duckdb.forget", "DuckForget"),
    ("pmg.store.people", "PeopleReads", "pmg.store.duckdb.people", "DuckPeople"),
)


@pytest.mark.parametrize("half", HALVES, ids=lambda half: half[1])
def test_what_may_be_read_begins_no_transaction(half: tuple[str, str, str, str]) -> None:
    contract, reads, module, name = half
    readable = {method.name for method in _methods(contract, reads)}
    made = [method for method in _methods(module, name) if method.name in readable]
    assert {method.name for method in made} | {"store_id"} >= readable
    writers = [m.name for m in made if any(isinstance(n, ast.Attribute) and n.attr == "writing" for n in ast.walk(m))]
    assert not writers


def _methods(module: str, name: str) -> list[ast.FunctionDef]:
    (found,) = [node for node in modules()[module].body if isinstance(node, ast.ClassDef) and node.name == name]
    return [node for node in found.body if isinstance(node, ast.FunctionDef)]


def test_a_public_class_name_exists_once() -> None:
    """One noun a thing: a reader who finds a name knows which thing it is."""
    places: dict[str, list[str]] = {}
    for name, tree in modules().items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(name)
    assert not {name: where for name, where in places.items() if len(where) > 1}


def test_nothing_is_pickled() -> None:
    for name, tree in modules().items():
        assert not {i.split(".")[0] for i in imports(tree)} & {"pickle", "dill", "joblib", "shelve", "marshal"}, name
