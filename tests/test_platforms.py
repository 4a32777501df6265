"""What only one operating system has is asked for in few places, and the program starts without it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pmg.base import filesystem

ROOT = Path(__file__).resolve().parent.parent
# Called without asking whether it is there, each of these ends the program on Windows.
POSIX_ONLY = (
    "os.fchmod(",
    "os.getuid(",
    "os.geteuid(",
    "os.chown(",
    "os.fork(",
    "os.mkfifo(",
    "os.O_DIRECTORY",
    "signal.SIGKILL",
)

WITHOUT = """
import sys
for name in ("fcntl", "resource", "termios", "pwd", "grp"):
    sys.modules[name] = None  # importing it raises ImportError
from pmg.cli.main import load_commands
load_commands()
import pmg.server.run, steward.steward
print("loaded")
"""


def test_the_commands_and_the_server_load_where_posix_modules_are_missing() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == "loaded", done.stderr


def test_calls_that_windows_does_not_have_are_in_one_module() -> None:
    files = [*(ROOT / "pmg").rglob("*.py"), *(ROOT / "steward").rglob("*.py")]
    found = {
        f"{file.relative_to(ROOT).as_posix()}: {call}"
        for file in files
        if file.name != "filesystem.py"
        for line in file.read_text(encoding="utf-8").splitlines()
        for call in POSIX_ONLY
        if call in line and "hasattr(" not in line
    }
    assert not found, "use pmg/base/filesystem.py, or ask whether it is there"


def test_where_modes_mean_nothing_nothing_is_refused_for_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "key"
    file.write_text("k")
    file.chmod(0o644)
    assert filesystem.others_can_read(file)
    monkeypatch.setattr(filesystem, "HAS_MODES", False)
    assert not filesystem.others_can_read(file) and filesystem.is_mine(tmp_path)
    filesystem.sync_folder(tmp_path / "not there")  # not even opened
    filesystem.sync_file(file)


@pytest.mark.parametrize(("mode", "open_to_others"), [(0o600, False), (0o700, False), (0o640, True), (0o604, True)])
def test_a_mode_says_whether_others_can_read(tmp_path: Path, mode: int, open_to_others: bool) -> None:
    file = tmp_path / "key"
    file.touch()
    file.chmod(mode)
    assert filesystem.others_can_read(file) is open_to_others
