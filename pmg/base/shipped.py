"""The files that come with PMG and are no code: the sample memory and the notebooks.

They stand at the top of a checkout, and inside the package of an installation (setup.py puts them there).
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from pmg.base.errors import NotFound


def folder(name: str) -> Path:
    """`data` or `notebooks`."""
    package = Path(str(files("pmg")))
    installed, checkout = package / "_shipped" / name, package.parent / name
    if installed.is_dir():
        return installed
    # Beside an installed package a folder of this name would be somebody else's.
    if (package.parent / "pyproject.toml").is_file() and checkout.is_dir():
        return checkout
    raise NotFound(
        f"The {name} that come with PMG are not installed ({installed} is missing). Install PMG again from its wheel, or run it from a checkout."
    )
