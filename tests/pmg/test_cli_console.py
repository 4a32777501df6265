"""The edge of the command line: what went wrong is one line and an exit code, never a traceback for a bad value or Ctrl-C."""

from __future__ import annotations

import pytest

from pmg.cli import console
from pmg.errors import InputError


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


def test_a_fault_of_ours_keeps_its_traceback() -> None:
    with pytest.raises(KeyError), console.errors():
        raise KeyError("a fault")


def test_who_asks_for_tracebacks_gets_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PMG_TRACEBACK", "1")
    with pytest.raises(ValueError, match="bad"), console.errors():
        raise ValueError("bad")
