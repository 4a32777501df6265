"""`pmg upstream …` and what it keeps."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from pmg.base.errors import ConfigError, InputError, NotFound
from pmg.cli.main import load_commands
from pmg.cli.root import app
from pmg.proxy import upstreams

load_commands()


def said(home: Path, *words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["--home", str(home), "upstream", *words])
    return done.exit_code, done.output


def test_add_list_pause_resume_and_remove(home: Path) -> None:
    code, told = said(home, "add", "ollama", "http://127.0.0.1:11434/v1", "--kind", "openai")
    assert code == 0 and "http://127.0.0.1:7640/u/ollama" in told
    said(home, "pause", "ollama")
    assert "ollama openai http://127.0.0.1:11434/v1 paused" in said(home, "list")[1]
    said(home, "resume", "ollama")
    assert "paused" not in said(home, "list")[1]
    assert said(home, "remove", "ollama")[0] == 0
    assert "There is none" in said(home, "list")[1]


def test_bring_is_off_unless_wanted(home: Path) -> None:
    said(home, "add", "a", "http://127.0.0.1:1")
    said(home, "add", "b", "http://127.0.0.1:1", "--bring")
    assert [one.bring for one in upstreams.in_force(home)] == [False, True]


def test_other_settings_stay_as_they_are(home: Path) -> None:
    home.mkdir()
    (home / "config.toml").write_text('[chat]\nmodel = "small"\n')
    upstreams.add(home, upstreams.checked("a", "openai", "http://127.0.0.1:1"))
    assert 'model = "small"' in (home / "config.toml").read_text()


@pytest.mark.parametrize(
    ("name", "kind", "url"),
    [
        ("Big", "openai", "http://127.0.0.1:1"),
        ("a/b", "openai", "http://127.0.0.1:1"),
        ("", "openai", "http://127.0.0.1:1"),
        ("a", "mistral", "http://127.0.0.1:1"),
        ("a", "openai", "127.0.0.1:1"),
        ("a", "openai", "ftp://127.0.0.1"),
        ("a", "openai", "http://"),
        ("a", "openai", "https://me:word@api.example.com/v1"),
        ("a", "openai", "https://api.example.com/v1?key=" + "sk-" + "A1b2" * 8),
    ],
)
def test_what_is_none_is_refused(name: str, kind: str, url: str) -> None:
    with pytest.raises(ConfigError):
        upstreams.checked(name, kind, url)


@pytest.mark.parametrize("line", ["a", "a openai", "a openai http://127.0.0.1:1 always"])
def test_a_wrong_line_of_the_file_names_itself(line: str) -> None:
    with pytest.raises(ConfigError, match="a"):
        upstreams.of_line(line)


def test_a_wrong_line_takes_no_other_upstream_away(home: Path, caplog: pytest.LogCaptureFixture) -> None:
    home.mkdir()
    lines = ["a openai http://127.0.0.1:1", "b openai", "c ollama http://127.0.0.1:2 bring"]
    (home / "config.toml").write_text(f"[proxy]\nupstreams = {lines}\n")
    assert [one.name for one in upstreams.Upstreams(home).all()] == ["a", "c"]
    assert [one.getMessage() for one in caplog.records if "'b openai'" in one.getMessage()]


def test_a_name_is_there_once(home: Path) -> None:
    upstreams.add(home, upstreams.checked("a", "openai", "http://127.0.0.1:1"))
    with pytest.raises(InputError, match="already"):
        upstreams.add(home, upstreams.checked("a", "openai", "http://127.0.0.1:2"))
    with pytest.raises(NotFound, match="There are: a"):
        upstreams.remove(home, "b")
