"""The edge of the command line: what went wrong is one line and an exit code, never a traceback for a bad value or Ctrl-C."""

from __future__ import annotations

import io
import json
import sys
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import pytest
from rich.progress import Progress, ProgressColumn

from pmg.base.errors import InputError
from pmg.cli import byte_bar, console


@pytest.mark.parametrize(
    ("raised", "code", "told"),
    [
        (InputError("give a number"), 1, "pmg: give a number"),
        (ValueError("invalid literal"), 1, "pmg: ValueError: invalid literal. PMG_TRACEBACK=1 shows where."),
        (OverflowError("int too large"), 1, "OverflowError"),
        (PermissionError(13, "Permission denied"), 1, "Permission denied"),
        (KeyboardInterrupt(), 130, "pmg: stopped."),
    ],
)
def test_an_error_is_one_line_and_an_exit_code(
    raised: BaseException, code: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left, console.errors():
        raise raised
    assert left.value.code == code
    said = capsys.readouterr().err
    assert told in said
    assert "Traceback" not in said


def test_a_character_that_the_terminal_has_not_is_shown_as_another(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, "ascii"))
    console.show_what_can_be_shown()
    console.say("✓ Zoë … said so")
    console.say_json({"name": "Zoë"})
    sys.stdout.flush()
    told, _, as_json = written.getvalue().decode("ascii").partition("\n")
    assert told == "ok Zo\\xeb ... said so"
    assert json.loads(as_json) == {"name": "Zoë"}


def test_a_fault_of_ours_keeps_its_traceback() -> None:
    with pytest.raises(KeyError), console.errors():
        raise KeyError("a fault")


def test_who_asks_for_tracebacks_gets_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PMG_TRACEBACK", "1")
    with pytest.raises(ValueError, match="bad"), console.errors():
        raise ValueError("bad")


def shown_while(is_terminal: bool, answered_at_once: bool) -> str:
    screen, started = io.StringIO(), threading.Event()
    err = console.console(file=screen, force_terminal=is_terminal)
    here = replace(console.terminal(), err=err)
    with console.typed_at(here), console.waiting("Waiting for the server …", 600 if answered_at_once else 0.01) as over:
        if answered_at_once:
            over()
        while is_terminal and not answered_at_once and "Waiting" not in screen.getvalue():
            started.wait(0.01)
    return screen.getvalue()


def test_a_command_that_is_silent_for_a_while_says_what_it_waits_for() -> None:
    assert "Waiting for the server …" in shown_while(is_terminal=True, answered_at_once=False)
    assert shown_while(is_terminal=True, answered_at_once=True) == ""
    assert shown_while(is_terminal=False, answered_at_once=False) == ""


@pytest.mark.parametrize("bar", [console.bar, byte_bar.byte_bar])
def test_the_time_left_is_told_also_where_a_step_takes_a_minute(
    bar: Callable[[], AbstractContextManager[console.Show]], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Progress] = []
    at = [0.0]

    class Timed(Progress):
        def __init__(self, *columns: ProgressColumn, **options: Any) -> None:
            super().__init__(*columns, get_time=lambda: at[0], **options)
            made.append(self)

    for module in (console, byte_bar):
        monkeypatch.setattr(module, "Progress", Timed)
    err = console.console(file=io.StringIO(), force_terminal=True)
    with console.typed_at(replace(console.terminal(), err=err)), bar() as show:
        for done in range(4):
            show("embedding", 10 * done, 100)
            at[0] += 60.0
        assert made[0].tasks[0].time_remaining == pytest.approx(60 * 7, abs=61)
