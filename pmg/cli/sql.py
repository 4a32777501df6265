"""`pmg sql`: a question in SQL, answered from this memory and nothing else.

Knows: how an answer is printed or written. Does not know: what may be asked: the store refuses what does not only read.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from pmg.base.errors import InputError
from pmg.base.text import counted, printable
from pmg.cli import console
from pmg.cli.root import app, engine_of
from pmg.store.forget import ANSWER

if TYPE_CHECKING:
    import pyarrow as pa

MAX_CELL = 120  # characters of a cell on a terminal, and of a column's width elsewhere: there a cell is whole
ROWS = 100  # rows on a terminal unless asked for more


@app.command()
def sql(
    context: typer.Context,
    statement: Annotated[
        str, typer.Argument(help="A SELECT, or FROM, WITH, DESCRIBE, SHOW, SUMMARIZE, EXPLAIN; `-` reads it.")
    ],
    form: Annotated[str, typer.Option("--format", help="table, csv, json or parquet.")] = "table",
    out: Annotated[Path | None, typer.Option("--out", help="Write the answer into this file.")] = None,
    limit: Annotated[
        int | None, typer.Option(help="At most so many rows; 100 for a table unless given, else all.")
    ] = None,
    seconds: Annotated[float, typer.Option(help="Stop a question that takes longer.")] = 60.0,
) -> None:
    """Ask this memory in SQL, reading only; docs/schema.md says what there is to ask."""
    with console.errors():
        _check(form, out, limit, seconds)
        with engine_of(context, model=False) as engine:
            from pmg.analytics import run_sql
            from pmg.exporters.files import begin_copy

            asked = console.standard_input().decode("utf-8", "replace") if statement == "-" else statement
            most = limit if limit is not None else (ROWS if form == "table" and out is None else None)
            found = run_sql(engine, asked, limit=most, seconds=seconds)
            if out is not None:  # `forget` cleans it too, wherever it is
                begin_copy(engine, console.path_of(out), ANSWER)
            _give(found, form, out)


def _check(form: str, out: Path | None, limit: int | None, seconds: float) -> None:
    from pmg.exporters.answers import FORMS

    if form not in FORMS:
        raise InputError(f"--format {form} is not known: {', '.join(FORMS)}.")
    if form == "parquet" and out is None:
        raise InputError("Parquet is not for a terminal: name a file with --out FILE.parquet.")
    if limit is not None and limit < 0:
        raise InputError(f"--limit {limit} is negative: give 0 or more, or leave it out.")
    if seconds <= 0:
        raise InputError(f"--seconds {seconds:g} leaves no time: give a number above 0.")


def _give(table: pa.Table, form: str, out: Path | None) -> None:
    from pmg.exporters import answers

    if out is not None:
        place = console.path_of(out)
        new_folder = console.new_folder(place)
        answers.write(table, place, "csv" if form == "table" else form)
        console.say(f"Wrote {counted(table.num_rows, 'row')} to {out}.{new_folder}")
    elif form == "csv":
        console.terminal().out.file.write(answers.csv_text(table))
    elif form == "json":
        console.say_json(answers.json_rows(table))
    else:
        _show(table)


def _show(table: pa.Table) -> None:
    """For a terminal in columns that fit it; whole into a pipe or a file, where another program looks for something."""
    rows = [
        [_cell(value) for value in row] for row in zip(*(column.to_pylist() for column in table.columns), strict=True)
    ]
    is_terminal = console.terminal().out.is_terminal
    if is_terminal:
        _draw(table.schema, rows)
    else:
        console.terminal().out.file.write(_whole(table.schema, rows))
    more = b"more" in (table.schema.metadata or {})
    cut = is_terminal and any(len(cell) > MAX_CELL for row in rows for cell in row)
    console.terminal().err.print(
        counted(table.num_rows, "row")
        + (", and more: --limit N shows them, --out FILE writes all" if more else "")
        + ("; long cells are cut: --format csv shows them whole" if cut else "")
    )


def _draw(columns: pa.Schema, rows: list[list[str]]) -> None:
    drawn = Table(box=None, pad_edge=False, show_edge=False)
    for field in columns:
        justify: Literal["right", "left"] = "right" if _is_number(field) else "left"
        drawn.add_column(Text(printable(field.name)), justify=justify, overflow="fold")
    for row in rows:
        drawn.add_row(*(Text(cell if len(cell) <= MAX_CELL else f"{cell[: MAX_CELL - 1]}…") for cell in row))
    console.terminal().out.print(drawn, soft_wrap=False)


def _whole(columns: pa.Schema, rows: list[list[str]]) -> str:
    """One line a row. A cell that is longer than a column may be wide moves the rest of its own row alone."""
    told = [[printable(field.name) for field in columns], *rows]
    widths = [min(MAX_CELL, max(map(cell_len, column))) for column in zip(*told, strict=True)]
    numeric = [_is_number(field) for field in columns]
    lines = []
    for row in told:
        pads = [" " * max(0, width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)]
        cells = (pad + cell if right else cell + pad for cell, pad, right in zip(row, pads, numeric, strict=True))
        lines.append(" ".join(cells).rstrip() + "\n")
    return "".join(lines)


def _is_number(field: pa.Field) -> bool:
    return str(field.type) in _NUMBERS


_NUMBERS = frozenset("int8 int16 int32 int64 uint8 uint16 uint32 uint64 float double".split())


def _cell(value: Any) -> str:
    from pmg.exporters.answers import plain

    if value is None:
        return ""
    found = plain(value)
    text = f"{found:g}" if isinstance(found, float) else str(found)
    return " ".join(printable(text).split("\n"))
