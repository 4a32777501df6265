"""Every knob has a reason and a range; a wrong name or value is refused with the value and the mend."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from enum import StrEnum
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pmg import config as configuration
from pmg.base.errors import ConfigError
from pmg.config import (
    SECTIONS,
    ChatConfig,
    Config,
    ImportConfig,
    RecallConfig,
    checked_config,
    load,
    with_values,
)
from pmg.settings import to_toml

KNOBS = [(section, f) for section, kind in SECTIONS.items() for f in fields(kind)]
names = [f"{section}.{f.name}" for section, f in KNOBS]


@pytest.mark.parametrize(("section", "field"), KNOBS, ids=names)
def test_every_knob_says_why(section: str, field: object) -> None:
    assert len(field.metadata["why"]) > 10  # type: ignore[attr-defined]


@pytest.mark.parametrize(("section", "field"), KNOBS, ids=names)
def test_every_default_is_inside_its_own_range(section: str, field: object, tmp_path: Path) -> None:
    values = {section: {field.name: field.default}}  # type: ignore[attr-defined]
    assert with_values(Config(tmp_path), values, "a test") == Config(tmp_path)


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"recal": {}}, "'recal'.*Known: namespace, embed"),
        ({"recall": {"topk": 3}}, "recall.topk.*Known in recall: mode"),
        ({"recall": {"top_k": 0}}, "recall.top_k is 0; it must be from 1 to 100"),
        ({"recall": {"top_k": "3"}}, "recall.top_k is '3'; it must be a number"),
        ({"recall": {"top_k": 3.5}}, "recall.top_k is 3.5"),
        ({"recall": {"top_k": True}}, "recall.top_k is True"),
        ({"recall": {"mode": "magic"}}, "recall.mode is 'magic'; it must be one of diffuse, fixed"),
        ({"recall": {"flag_instructions": 1}}, "true or false"),
        ({"recall": 3}, "'recall'"),
        ({"recall": {"budget_tokens": 1}}, "recall.budget_tokens is 1; it must be from 50 to 1,000,000"),
        ({"thresholds": {"edge": 1.01}}, "thresholds.edge is 1.01; it must be from 0 to 1"),
        ({"thresholds": {"edge": float("nan")}}, "thresholds.edge is nan"),
        ({"redact": {"off": "all"}}, "redact.off is 'all'; it must be a list of texts"),
        ({"namespace": "a/b"}, "namespace 'a/b' is not allowed"),
        ({"namespace": ""}, "namespace '' is not allowed"),
        ({"namespace": ".."}, "namespace '..' is not allowed"),
        ({"namespace": 3}, "namespace 3 is not allowed"),
        ({"namespace": "x" * 65}, "1 to 64 letters"),
    ],
)
def test_a_wrong_name_or_value_is_refused_with_the_mend(tmp_path: Path, values: dict[str, object], says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        with_values(Config(tmp_path), values, "a test")


def test_the_file_and_then_the_environment_are_read(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('namespace = "work"\n[recall]\ntop_k = 5\nlimit = 7\n')
    found = load(tmp_path, {"PMG_RECALL_TOP_K": "9", "PMG_REDACT_OFF": "a, b", "PMG_RECALL_FLAG_INSTRUCTIONS": "no"})
    assert (found.namespace, found.recall.top_k, found.recall.limit) == ("work", 9, 7)
    assert found.redact.off == ("a", "b")
    assert found.recall.flag_instructions is False


def test_a_wrong_value_in_the_environment_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"recall\.top_k is 'many'"):
        load(tmp_path, {"PMG_RECALL_TOP_K": "many"})
    with pytest.raises(ConfigError, match=r"the environment has recall\.topk"):
        load(tmp_path, {"PMG_RECALL_TOPK": "3"})


@pytest.mark.parametrize("content", [b"[recall\ntop_k = 1", b"top_k = = 3", b"\xff\xfe"])
def test_a_broken_file_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "config.toml").write_bytes(content)
    with pytest.raises(ConfigError, match=r"config\.toml is not valid TOML.*Mend that line"):
        load(tmp_path, {})


def test_a_file_that_cannot_be_read_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "config.toml").mkdir()
    with pytest.raises(ConfigError, match=r"config\.toml cannot be read"):
        load(tmp_path, {})


def test_a_config_that_was_put_together_by_hand_is_checked() -> None:
    told = checked_config(Config(home="~/memory", recall=RecallConfig(top_k=5)))  # type: ignore[arg-type]
    assert told == Config(home=Path.home() / "memory", recall=RecallConfig(top_k=5))
    with pytest.raises(ConfigError, match="namespace 'a b' is not allowed"):
        checked_config(Config(home=Path("memory"), namespace="a b"))
    with pytest.raises(ConfigError, match=r"recall\.top_k is 5000; it must be from 1 to 100"):
        checked_config(Config(home=Path("memory"), recall=RecallConfig(top_k=5000)))


class _Responders(StrEnum):
    OURS = "extractive"


def test_paths_and_numbers_of_numpy_do_in_a_config_that_was_put_together_by_hand() -> None:
    given = Config(
        home=Path("memory"),
        recall=RecallConfig(top_k=np.int64(5)),  # type: ignore[arg-type]
        imports=ImportConfig(drop=Path("drop")),  # type: ignore[arg-type]
        chat=ChatConfig(responder=_Responders.OURS, timeout_seconds=np.float32(20)),  # type: ignore[arg-type]
    )
    made = checked_config(given)
    plain = Config(
        home=Path("memory"),
        recall=RecallConfig(top_k=5),
        imports=ImportConfig(drop="drop"),
        chat=ChatConfig(responder="extractive", timeout_seconds=20.0),
    )
    assert made == plain and type(made.recall.top_k) is int and type(made.chat.responder) is str
    with pytest.raises(ConfigError, match="it must be a number like 3"):
        checked_config(Config(home=Path("memory"), recall=RecallConfig(top_k=np.float64(5.5))))  # type: ignore[arg-type]


def test_pmg_home_moves_the_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PMG_HOME", str(tmp_path / "elsewhere"))
    assert configuration.default_home() == tmp_path / "elsewhere"
    monkeypatch.delenv("PMG_HOME")
    assert configuration.default_home() == Path.home() / ".pmg"


law = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
plain = st.text(st.characters(codec="utf-8"))
values = st.one_of(plain, st.booleans(), st.integers(-(2**62), 2**62), st.floats(allow_nan=False), st.lists(plain))
keys = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1)


@law
@given(st.dictionaries(keys, st.one_of(values, st.dictionaries(keys, values))))
def test_what_is_written_as_toml_is_read_back(told: dict[str, object]) -> None:
    assert tomllib.loads(to_toml(told)) == told
