"""A key where its name belongs: refused without being repeated, and taken out of a file that has one."""

from __future__ import annotations

import secrets
import stat
import string
from pathlib import Path

import pytest

from pmg import config as configuration
from pmg import settings
from pmg.base.errors import ConfigError
from pmg.base.pasted_key import looks_like_key, problem_with_variable, without_keys


def random_key(prefix: str, alphabet: str = string.ascii_letters + string.digits, length: int = 40) -> str:
    """Made at run time: nothing here is or looks like a live secret in the source. Digits stand inside, as in nearly all."""
    body = "".join(secrets.choice(alphabet) for _ in range(length))
    return f"{prefix}{body[:8]}7{body[8:]}"


KEYS = [
    random_key("sk-"), random_key("sk-proj-"), random_key("sk_live_"), random_key("gh" + "p_"), random_key("AI" + "za"),
    random_key("hf_", string.ascii_letters), random_key("a", "0123456789abcdef", 32), random_key("xai-"),
    random_key("AK" + "IA", string.ascii_uppercase, 16),
]  # fmt: skip
NAMES = [
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "my_key",
    "KEY2",
    "AZURE_OPENAI_KEY_2024",
    "AZUREOPENAIKEY2024",
    "_k",
    "",
]
MODELS = [
    "gpt-4o-mini-2024-07-18", "llama3.2:3b-instruct-q4_K_M", "Meta-Llama-3.1-8B-Instruct-Q4_K_M", "Qwen2.5-Coder-32B-Instruct",
    "meta-llama/Llama-3.3-70B-Instruct-Turbo", "claude-sonnet-4-20250514", "~/.secrets/openai.key", "C:\\keys\\openai2024a1b2c3.txt",
]  # fmt: skip


@pytest.mark.parametrize("key", KEYS, ids=range(len(KEYS)))
def test_a_key_is_no_name_and_is_not_repeated(key: str) -> None:
    assert looks_like_key(key)
    said = problem_with_variable(key)
    assert said and key not in said and key[4:12] not in said


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_a_name(name: str) -> None:
    assert problem_with_variable(name) == ""


@pytest.mark.parametrize("name", MODELS)
def test_models_and_files_are_not_taken_for_keys(name: str) -> None:
    assert not looks_like_key(name)


@pytest.mark.parametrize("field", ["key_env", "key_file", "model"])
def test_no_way_of_setting_keeps_or_repeats_a_key(home: Path, field: str) -> None:
    key = random_key("sk-")
    for attempt in (
        lambda: settings.keep(home, {"chat": {field: key}}),
        lambda: configuration.load(home, {f"PMG_CHAT_{field.upper()}": key}),
    ):
        with pytest.raises(ConfigError) as refused:
            attempt()
        assert key not in str(refused.value) and f"chat.{field}" in str(refused.value)
    assert not (home / "config.toml").exists()


def test_a_file_that_has_a_key_is_cleaned_and_the_person_told(home: Path) -> None:
    key = random_key("sk-")
    home.mkdir(parents=True, exist_ok=True)
    file = home / "config.toml"
    file.write_text(f'namespace = "work"\n\n[chat]\nkey_env = "{key}"\nmodel = "m"\n')
    assert configuration.load(home, {}).chat.key_env == ""  # it opens all the same
    said = settings.remove_pasted_keys(home)
    assert "chat.key_env" in said and "change the key" in said and key not in said
    assert key not in file.read_text() and stat.S_IMODE(file.stat().st_mode) == 0o600
    found = configuration.load(home, {})
    assert (found.namespace, found.chat.model) == ("work", "m")
    assert settings.remove_pasted_keys(home) == ""


def test_a_file_without_one_stays_as_it_is(home: Path) -> None:
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.toml").write_text('# mine\n[chat]\nkey_env = "OPENAI_API_KEY"\n')
    assert settings.remove_pasted_keys(home) == ""
    assert (home / "config.toml").read_text().startswith("# mine")
    assert without_keys({"chat": "nonsense"}) == ({"chat": "nonsense"}, ())


@pytest.mark.parametrize(
    "address",
    [
        "http://[::1]:11434/v1",
        "https://mine.openai.azure.com/openai/v1/",
        "https://mine.openai.azure.com/openai/deployments/four?api-version=2024-02-01",
        "https://gateway.example.com/v1/0123456789abcdef0123456789abcdef/mine/openai",
    ],
)
def test_an_address_that_servers_have_is_kept(home: Path, address: str) -> None:
    settings.keep(home, {"chat": {"base_url": address}})
    assert configuration.load(home, {}).chat.base_url == address


@pytest.mark.parametrize(
    "shape",
    [
        "https://user:{}@api.example.com/v1",
        "user:{}@api.example.com/v1",
        "https://api.example.com/v1?key={}",
        "https://api.example.com/v1?api-version={}",
        "https://api.example.com/v1?api-version=2024-02-01&key={}",
        "https://api.example.com/v1#{}",
        "{}",
    ],
)
def test_a_key_in_an_address_is_refused_and_not_repeated(home: Path, shape: str) -> None:
    key = random_key("sk-")
    with pytest.raises(ConfigError) as refused:
        settings.keep(home, {"chat": {"base_url": shape.format(key)}})
    assert key not in str(refused.value) and not (home / "config.toml").exists()
    assert without_keys({"chat": {"base_url": shape.format(key)}})[1] == ("base_url",)
