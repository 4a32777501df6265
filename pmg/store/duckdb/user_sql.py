"""Questions in SQL, asked by a person: only what reads this memory, and nothing else, is answered.

Knows: the order: parse, check, run; how a parsed statement is searched for tables and functions, and which of them only read the memory.
Does not know: how a statement is parsed or run: database.py does, in a read-only transaction besides.

DuckDB's own switch against file access cannot be turned back on, and backups need files. So a statement is let through only
if every table it names is one of ours or of DuckDB's catalogue, and every function is known to stay inside. What is not
known is refused: a function that a later DuckDB brings must be looked at first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from pmg.base.errors import InputError
from pmg.base.patterns import IGNORECASE, plain
from pmg.base.text import escape
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.views import MACROS, VIEWS
from pmg.store.sql_result import SqlResult


def ask(
    database: Database,
    statement: str,
    parameters: Sequence[Any],
    functions: frozenset[str],
    limit: int | None,
    seconds: float,
) -> SqlResult:
    statement = escape(statement)  # as stored text is: what no database can hold is then found too
    values = [escape(value) if isinstance(value, str) else value for value in parameters]
    parsed = database.parsed(without_explain(statement))
    refuse_unless_reading(parsed, _relations(database), functions, [macro.name for macro in MACROS])
    return database.ask(statement, values, limit, seconds)


def _relations(database: Database) -> list[str]:
    """Tables, our own views and DuckDB's catalogue. A view somebody put into a file that was restored is not ours."""
    own = [view.name for view in VIEWS]
    found = database.rows(
        """SELECT table_name FROM duckdb_tables() UNION
           SELECT view_name FROM duckdb_views() WHERE internal AND view_name NOT LIKE 'duckdb_logs%'"""
    )
    return [*own, *(name for (name,) in found if name not in REFUSED_VIEWS)]


def functions(database: Database) -> frozenset[str]:
    """DuckDB's own, those with a value. The same as long as the process lives, and slow to list."""
    kinds = "('scalar', 'aggregate', 'macro', 'window')"
    sql = f"SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type IN {kinds} AND internal"
    return frozenset(name for (name,) in database.rows(sql))


# Table functions read files, run text as SQL or change settings, with few exceptions: only these are let through.
TABLE_FUNCTIONS = frozenset(
    """unnest generate_series range repeat json_each json_tree summary pragma_table_info pragma_version pragma_storage_info
    pragma_database_size duckdb_columns duckdb_constraints duckdb_functions duckdb_indexes duckdb_keywords duckdb_memory
    duckdb_schemas duckdb_tables duckdb_types duckdb_views icu_calendar_names pg_timezone_names""".split()
)
# Views of DuckDB's catalogue that tell of this machine: its folders and settings.
REFUSED_VIEWS = frozenset("duckdb_databases pragma_database_list pg_settings".split())
# Everything else that has a value is let through but for these: they plan another text, keep state, write, or only wait.
REFUSED_FUNCTIONS = frozenset(
    """getenv getvariable nextval currval setseed write_log json_serialize_plan json_deserialize_sql
    json_execute_serialized_sql query query_table sleep_ms pg_sleep current_setting parse_duckdb_log_message""".split()
)
# How a table may stand in FROM; anything else (a Python variable, a file) has no such form.
_PLACES = frozenset(
    "BASE_TABLE SUBQUERY JOIN TABLE_FUNCTION EXPRESSION_LIST EMPTY EMPTY_FROM PIVOT SHOW_REF CTE".split()
)
_PLAIN = plain(r"[^\W\d]\w*")
_EXPLAIN = plain(r"EXPLAIN\s+(?:ANALYZE\s+)?(?=\w)", IGNORECASE)
_SCHEMAS = frozenset(("", "main", "information_schema", "pg_catalog"))


def without_explain(statement: str) -> str:
    """The statement that an EXPLAIN is about: it must be one that may be asked by itself."""
    return _EXPLAIN.sub("", statement, count=1)


def refuse_unless_reading(
    parsed: Mapping[str, Any], relations: Collection[str], functions: Collection[str], macros: Collection[str]
) -> None:
    """`relations` are the tables and views there are, `functions` the scalar and aggregate ones, `macros` our table macros."""
    named = {name.lower() for name in relations}
    known = {name.lower() for name in functions} - REFUSED_FUNCTIONS
    own = TABLE_FUNCTIONS | {name.lower() for name in macros}
    nodes = list(_nodes(parsed["statements"]))
    ctes = {_cte(entry["key"]) for node in nodes for entry in node.get("cte_map", {}).get("map", ())}
    sources = {id(node["function"]) for node in nodes if node.get("type") == "TABLE_FUNCTION"}
    for node in nodes:
        if "from_table" in node:
            _check_place(node["from_table"])
        if node.get("type") == "BASE_TABLE":
            _check_table(node, named | ctes)
        if "function_name" in node:
            allowed = own if id(node) in sources else known
            _check_function(str(node["function_name"]), allowed)


def _nodes(parsed: Any) -> Iterator[dict[str, Any]]:
    """Every object of the parsed statement; no recursion, so that depth is no attack."""
    waiting = [parsed]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            yield one
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)


def _cte(name: object) -> str:
    # A file's name has a dot in it: a WITH that is called like one could hide that another part of the statement means the file.
    if isinstance(name, str) and _PLAIN.fullmatch(name):
        return name.lower()
    raise InputError(f"{name!r} cannot name a WITH part: use letters, digits and underscores.")


def _check_place(place: Mapping[str, Any]) -> None:
    if str(place.get("type")) not in _PLACES:
        raise InputError(f"{place.get('type')} cannot be asked for here: name tables, views and macros of this memory.")


def _check_table(node: Mapping[str, Any], allowed: Collection[str]) -> None:
    name, schema = str(node.get("table_name")), str(node.get("schema_name") or "")
    if name.lower() not in allowed or schema.lower() not in _SCHEMAS:
        raise InputError(
            f"There is no table or view {name!r} in this memory, and files are not read here. "
            f'`pmg sql "SHOW TABLES"` lists what is there; docs/schema.md explains it.'
        )


def _check_function(name: str, allowed: Collection[str]) -> None:
    if name.lower() not in allowed:
        raise InputError(
            f"{name}() cannot be used here: `pmg sql` only reads this memory, no files, no settings, no other programs. "
            f"`pmg export` writes files."
        )
