"""A document is cut at paragraphs, learnt once, and linked to by what is said about it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pmg.base.errors import InputError, NotFound
from pmg.base.model import Kind, Role
from pmg.engine import Engine
from pmg.ingest import documents

paragraphs = st.text("ab \n", min_size=1, max_size=60)


@settings(deadline=None)
@given(st.lists(paragraphs, max_size=12).map("\n\n".join), st.integers(20, 200))
def test_pieces_joined_again_are_the_text_save_blank_lines(text: str, size: int) -> None:
    found = documents.pieces(text, size)
    assert "".join("".join(found).split()) == "".join(text.split())
    assert all(piece.strip() for piece in found)


def test_a_piece_ends_where_the_next_paragraph_would_be_too_much() -> None:
    text = "\n\n".join(["a" * 100, "b" * 100, "c" * 300])
    assert [len(piece) for piece in documents.pieces(text, 250)] == [202, 300]


def test_a_rule_between_two_paragraphs_joins_the_next() -> None:
    text = "\n\n".join(["a" * 260, "---", "c" * 249])
    assert [len(piece) for piece in documents.pieces(text, 250)] == [260, 254]


def test_a_document_is_learnt_once_and_grows(engine: Engine, tmp_path: Path) -> None:
    file = tmp_path / "notes.md"
    file.write_text("The cat sees the vet in the spring, every single year.\n\n" + "Bread needs a hot oven. " * 100)
    assert engine.learn(file).turns == 2
    again = engine.learn(file)
    assert (again.turns, again.known) == (0, 2)
    file.write_text(file.read_text() + "\n\n" + "Soup for dinner. " * 100)
    assert engine.learn(file).turns == 1
    (session,) = engine.sessions()
    assert (session.source, session.segments) == ("document", 3)
    assert engine.reads.segments_of(session.id)[0].lines[0].role is Role.DOCUMENT


def test_what_is_said_about_a_document_extends_it(engine: Engine, tmp_path: Path) -> None:
    file = tmp_path / "cats.md"
    file.write_text("cat kitten vet")
    engine.learn(file)
    with engine.session() as session:
        name = session.add(user="kitten vet cat")
    (edge,) = [e for e in engine.edges(name) if e.kind is Kind.EXTENDS_SOURCE]
    assert edge.source == name
    assert edge.target.startswith("seg_doc-")


def test_a_document_can_be_learnt_in_two_namespaces(engine: Engine, tmp_path: Path) -> None:
    file = tmp_path / "cats.md"
    file.write_text("cat kitten vet")
    assert [engine.learn(file, namespace=namespace).turns for namespace in ("mine", "yours", "mine")] == [1, 1, 0]


def test_what_cannot_be_learnt_is_refused(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "empty.md").write_text(" \n")
    (tmp_path / "binary.bin").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(NotFound, match=r"no file .*nowhere\.md"):
        engine.learn(tmp_path / "nowhere.md")
    with pytest.raises(NotFound):
        engine.learn(tmp_path)
    with pytest.raises(InputError, match="no text in it"):
        engine.learn(tmp_path / "empty.md")
    with pytest.raises(InputError, match="not a UTF-8 text file"):
        engine.learn(tmp_path / "binary.bin")
