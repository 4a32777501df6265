"""`python -m training.build FOLDER OUT`: packs our own lives, the dialogues and the public questions for the teacher."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from benchmarks.commands.recall import embedder_for
from pmg.base.progress import silent
from pmg.embed.bundled import find_folder
from pmg.embed.onnx_graph import read_weights
from training.pack import Packer, save, save_base
from training.questions import SOURCES, of_dialogues, of_lives, of_public

ROOT = Path(__file__).parent.parent
LIVES, DIALOGUES = ROOT / "data" / "reading", ROOT / "data" / "dialogues.jsonl"


def main(public: Path, out: Path) -> None:
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
    save(packer.pack, out)
    save_base(packer.pack, dict(read_weights(find_folder() / "model.safetensors")), out.with_name("minilm.npz"))
    counts = Counter(packer.pack.sources[group[0]] for group in packer.pack.groups)
    print(
        json.dumps(
            {"questions": counts, "pairs": Counter(p[3] for p in packer.pack.pairs), "bytes": out.stat().st_size}
        )
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
