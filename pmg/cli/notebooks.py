"""`pmg notebooks`: the notebooks that come with PMG, copied to where they can be opened and changed."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from pmg.base import shipped
from pmg.base.errors import InputError
from pmg.cli.console import errors, say
from pmg.cli.root import app


@app.command()
def notebooks(
    to: Annotated[Path, typer.Argument(metavar="[folder]", help="Where to put them.")] = Path("pmg-notebooks"),
) -> None:
    """Copy the notebooks that come with PMG into a folder, to open in Jupyter."""
    with errors():
        found = sorted(shipped.folder("notebooks").glob("*.ipynb"))
        there = [file.name for file in found if (to / file.name).exists()]
        if there:
            raise InputError(
                f"{to / there[0]} is there already: choose another folder, so that nothing of yours is overwritten."
            )
        to.mkdir(parents=True, exist_ok=True)
        for file in found:
            shutil.copyfile(file, to / file.name)
        say(f"{len(found)} notebooks are in {to}: `jupyter lab {to}` opens them (`pip install jupyterlab`).")
