"""`python -m training.build FOLDER OUT [LARGER]`: packs our own lives, the dialogues and the public questions, and the weights to begin from.

LARGER is the model.safetensors of all-mpnet-base-v2: taught first, it teaches the one that is shipped.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from benchmarks.answer_fit import NOT_TAUGHT
from benchmarks.commands.recall import embedder_for
from pmg.base.progress import silent
from pmg.embed.bundled import NAME, find_folder
from pmg.embed.onnx_graph import read_weights
from training import base
from training.base import under_our_names
from training.pack import Packer, save, used
from training.questions import SHARES, SOURCES, of_dialogues, of_lives, of_public

ROOT = Path(__file__).parent.parent
LIVES, DIALOGUES = ROOT / "data" / "reading", ROOT / "data" / "dialogues.jsonl"


def main(public: Path, out: Path, larger: Path | None = None) -> None:
    tokenizer = Tokenizer.from_file(str(find_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    embedder = embedder_for("bundled", silent)

    def embed(texts: list[str]) -> NDArray[np.float32]:
        return embedder.embed(texts)

    packer = Packer(tokenizer, embed)
    for file in sorted(LIVES.glob("*.txt")):
        packer.add(of_lives(file.stem, file.read_text(encoding="utf-8")), near=True)
    packer.add(of_dialogues(DIALOGUES), near=True)
    for name in SOURCES:
        packer.add(of_public(public, name), near=False)
    save(packer.pack, SHARES, out)
    begin = under_our_names(read_weights(find_folder() / "model.safetensors"), used(packer.pack))
    base.save(begin, out.with_name("minilm.npz"), whole=True)
    if larger is not None:
        base.save(under_our_names(read_weights(larger), used(packer.pack)), out.with_name("mpnet.npz"), whole=False)
    counts = Counter(packer.pack.sources[group[0]] for group in packer.pack.groups)
    manifest = {
        "questions": counts,
        "pairs": len(packer.pack.pairs),
        "began as": NAME,
        "taught by": larger and "all-mpnet-base-v2",
        "held out": NOT_TAUGHT,
    }
    out.with_name("manifest.json").write_text(json.dumps(manifest, indent=1), encoding="utf-8")
    print(json.dumps(manifest))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
