"""`python -m benchmarks …`: every group of commands is loaded, then the words are read."""

from __future__ import annotations

from benchmarks.commands.recall import bench
from pmg.cli import console


def load_commands() -> None:
    """Each module adds its commands."""
    from benchmarks.commands import (  # noqa: F401
        analytics,
        answers,
        bearing,
        exam,
        imports,
        mcp,
        people,
        proxy,
        redact,
        review,
        speed,
        told_twice,
        topics,
        ui,
    )


def main() -> None:
    load_commands()
    console.show_what_can_be_shown()
    with console.errors():
        bench(prog_name="python -m benchmarks")


if __name__ == "__main__":
    main()
