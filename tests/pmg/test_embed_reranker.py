from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from pmg.base.errors import ModelUnavailable
from pmg.embed.reranker import open_reranker
from pmg.engine import Engine


class Shortest:
    """Prefers short memories: an order nobody else would give."""

    def scores(self, query: str, texts: Sequence[str]) -> np.ndarray:
        return np.array([-float(len(text)) for text in texts])


def test_a_reranker_orders_the_same_memories_anew(open_engine: Callable[..., Engine]) -> None:
    engine = open_engine()
    with engine.session(session_id="s") as session:
        session.add(user="The bread needs an hour in the oven, and flour, and yeast.")
        session.add(user="Bread is in the oven.")
    plain = engine.recall("bread oven")
    engine._memory.rerankers["shortest"] = Shortest()
    again = engine.recall("bread oven", reranker="shortest")
    assert {s.id for s in again.segments} == {s.id for s in plain.segments}
    assert [s.id for s in again.segments] == ["seg_s_1", "seg_s_0"]
    assert again.receipt.found[0].signals[-1].name == "rerank"
    assert engine.recall("bread oven").receipt.found == plain.receipt.found  # only the recall that names it


def test_a_recall_that_names_a_missing_reranker_fails_instead_of_going_without(engine: Engine) -> None:
    with pytest.raises(ModelUnavailable, match=r"'\./nowhere', and there is no such folder"):
        engine.recall("bread", reranker="./nowhere")
    assert engine.recall("bread").receipt.settings["reranker"] == ""


def test_a_mistyped_folder_is_refused() -> None:
    with pytest.raises(ModelUnavailable, match="no such folder"):
        open_reranker("./nowhere")


@pytest.mark.slow
@pytest.mark.model
def test_a_cross_encoder_in_a_folder_is_loaded_and_asked(tmp_path: Path) -> None:
    from pmg.embed.bundled import find_folder
    from pmg.embed.cross_encoder import CrossEncoder

    made = CrossEncoder(str(find_folder()), num_labels=1, device="cpu")  # the bundled weights with an untrained head
    made.save_pretrained(str(tmp_path / "cross"))
    scores = open_reranker(str(tmp_path / "cross")).scores("why?", ["because", "a cat sat"])
    assert scores.shape == (2,)
    assert np.isfinite(scores).all()
