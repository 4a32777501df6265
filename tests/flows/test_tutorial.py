"""The tutorial tells the truth: its commands print what it shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pmg.cli.main import load_commands
from pmg.cli.root import app

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "tutorial.md").read_text(encoding="utf-8")


@pytest.mark.model
def test_the_tutorial_shows_what_its_commands_print(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PMG_HOME", str(home))
    monkeypatch.chdir(tmp_path)
    (conversation,) = re.findall(r"cat > talk.md <<'END'\n(.*?)END\n", PAGE, re.DOTALL)
    Path("talk.md").write_text(conversation, encoding="utf-8")
    load_commands()
    steps = re.findall(r"^pmg ((?:remember|ask) .*)\n```(?:\n\n```text\n([^`]*)```)?", PAGE, re.MULTILINE)
    assert len(steps) >= 3 and sum(bool(shown) for _, shown in steps) >= 2
    for command, shown in steps:
        result = CliRunner().invoke(app, shlex.split(command))
        assert result.exit_code == 0, result.output
        assert not shown or result.stdout.strip() == shown.strip(), command
