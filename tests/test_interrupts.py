"""A test that interrupts itself is interrupted, whatever the garbage collector does at that moment."""

from __future__ import annotations

import gc
import re
import signal
from pathlib import Path

import pytest

from tests.interrupts import ctrl_c_arrives

SENDS = re.compile(r"^[^\"#]*\b(interrupt_main|raise_signal)\b", re.MULTILINE)


def test_no_callback_of_the_collector_swallows_an_interrupt() -> None:
    def interrupted(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            signal.raise_signal(signal.SIGINT)

    gc.callbacks.append(interrupted)
    try:
        with ctrl_c_arrives():
            gc.collect()
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
            assert not gc.isenabled()
        assert interrupted in gc.callbacks and gc.isenabled()
    finally:
        gc.callbacks.remove(interrupted)


def test_every_test_that_interrupts_this_process_sees_to_that() -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in Path(__file__).parent.rglob("*.py")}
    sending = {name for name, text in texts.items() if SENDS.search(text)}
    assert "test_database.py" in sending
    assert sending == {name for name in sending if "ctrl_c_arrives()" in texts[name]}
