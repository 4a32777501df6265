"""Where a key may come from, and from where it may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from pmg.base.errors import ConfigError
from pmg.chat.keys import read_key
from pmg.config import ChatConfig

KEY = "-".join(["made", "up", "for", "a", "test"])


def key_file(folder: Path, text: str, mode: int = 0o600) -> Path:
    file = folder / "key"
    file.write_text(text)
    file.chmod(mode)
    return file


def test_no_key_is_read_where_none_is_configured() -> None:
    assert read_key(ChatConfig(), Path(), {"OPENAI_API_KEY": KEY}) == ""


def test_a_key_comes_from_the_named_variable() -> None:
    assert read_key(ChatConfig(key_env="MY_KEY"), Path(), {"MY_KEY": f" {KEY}\n"}) == KEY


def test_an_empty_variable_is_told_by_name() -> None:
    with pytest.raises(ConfigError, match="MY_KEY"):
        read_key(ChatConfig(key_env="MY_KEY"), Path(), {})


def test_a_key_comes_from_a_file_of_ones_own(tmp_path: Path) -> None:
    assert read_key(ChatConfig(key_file=str(key_file(tmp_path, f"{KEY}\n"))), Path(), {}) == KEY


def test_a_file_that_names_no_folder_is_in_the_memorys(tmp_path: Path) -> None:
    assert read_key(ChatConfig(key_file=key_file(tmp_path, KEY).name), tmp_path, {}) == KEY


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644])
def test_a_file_that_others_can_read_is_refused_with_the_mend(tmp_path: Path, mode: int) -> None:
    with pytest.raises(ConfigError, match="chmod 600") as caught:
        read_key(ChatConfig(key_file=str(key_file(tmp_path, KEY, mode))), Path(), {})
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("text", ["", "two words", "one\r\nHeader: two", "naïve", "a\x00b"])
def test_what_is_no_key_is_refused_without_showing_it(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_key(ChatConfig(key_file=str(key_file(tmp_path, text))), Path(), {})
    assert not text or text not in str(caught.value)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_key(ChatConfig(key_file=str(tmp_path / "none")), Path(), {})


@pytest.mark.parametrize("text", [f"\ufeff{KEY}\r\n", f"{KEY}  \r\nfor http://127.0.0.1:11434/v1 \r\n"])
def test_a_file_that_an_editor_wrote_is_read(tmp_path: Path, text: str) -> None:
    file = key_file(tmp_path, "")
    file.write_bytes(text.encode())
    assert read_key(ChatConfig(key_file=str(file)), Path(), {}) == KEY
