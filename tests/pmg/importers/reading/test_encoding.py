"""Bytes that are no UTF-8: read all the same, and said, with what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from pmg.importers.conversation import Level, Problem
from pmg.importers.read import read
from pmg.importers.reading.encoding import decode


@pytest.mark.parametrize(
    ("said", "encoding", "is_doubted"),
    [
        ("User: Grüße aus Köln\n", "cp1252", False),
        ("User: “naïve café”\n", "cp1252", False),
        ("User: Привет, мир, как дела?\n", "cp1251", True),
        ("User: こんにちは\n", "shift_jis", True),
    ],
)
def test_a_text_of_another_encoding_is_told_from_a_western_one(said: str, encoding: str, is_doubted: bool) -> None:
    remark = decode(said.encode(encoding))[1]
    assert "save it as UTF-8" in remark and ("can hardly be" in remark) == is_doubted


def test_a_table_that_is_no_utf8_is_said_to_be_none(tmp_path: Path) -> None:
    file = tmp_path / "talk.csv"
    file.write_bytes("speaker,text\nAna,Straße\nBo,ja\n".encode("latin-1"))
    (note,) = [result for result in read([file]) if isinstance(result, Problem)]
    assert note.level is Level.NOTE and note.reason.startswith("not UTF-8 at line 2: read as Windows-1252")
