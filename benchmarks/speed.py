"""How fast and how large the engine is, beside the plain libraries under it, in the same run.

Knows: a synthetic memory of any size whose vectors cost nothing to make, and what to time.
Every size runs in a process of its own, so that peak memory is that size's own.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import faiss
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from benchmarks import subprocesses
from pmg.base.model import Kind, Line, Role, Turn
from pmg.config import Config
from pmg.embed.embedder import Spans, Vectors
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput

DIMENSION = 384
TURNS = 20  # a session
RECALLS = 200
BATCH = 4_096  # vectors made together
_START = datetime(2020, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class SpeedResult:
    """Seconds, milliseconds and bytes for one size; `floor_…` are the plain libraries on the same data."""

    segments: int
    ingest_s: float
    floor_faiss_s: float
    floor_insert_s: float
    session_ms: float
    recall_p50_ms: float
    recall_p95_ms: float
    floor_search_ms: float
    open_s: float
    extra_bytes: float  # a segment, beyond its text and vectors
    peak_mb: float
    vectors_mb: float
    edges: int

    @property
    def ingest_ratio(self) -> float:
        return self.ingest_s / (self.floor_faiss_s + self.floor_insert_s)

    @property
    def recall_ratio(self) -> float:
        return self.recall_p50_ms / self.floor_search_ms


class RowEmbedder:
    """Gives the vector whose number stands in the text: no model in the figures."""

    name, fingerprint, dimension, max_tokens = "synthetic", "synthetic", DIMENSION, 256

    def __init__(self, vectors: NDArray[np.float32]) -> None:
        self._vectors = vectors

    def embed(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        rows = [int(text.rsplit("#", 1)[1]) if "#" in text else 0 for text in texts]
        return self._vectors[np.array(rows, dtype=np.int64)]

    def token_spans(self, text: str) -> Spans:
        ends = np.cumsum([len(word) + 1 for word in text.split(" ")])
        return np.stack([np.concatenate([[0], ends[:-1]]), np.minimum(ends, len(text))], axis=1).astype(np.int64)


class FileEmbedder(RowEmbedder):
    """The same from a file: a hundred thousand vectors held by the benchmark would count as the engine's memory."""

    def __init__(self, file: Path) -> None:
        self._file = file.open("rb")

    def embed(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        size = 4 * DIMENSION
        rows = [int(text.rsplit("#", 1)[1]) if "#" in text else 0 for text in texts]
        data = b"".join(os.pread(self._file.fileno(), size, row * size) for row in rows)
        return np.frombuffer(data, dtype=np.float32).reshape(-1, DIMENSION)


def make_vectors(count: int) -> NDArray[np.float32]:
    return np.concatenate(list(_vectors(count)))


def _vectors(count: int) -> Iterator[NDArray[np.float32]]:
    """Topics of about forty turns each, so that links are as dense as in a real memory; some at a time."""
    random = np.random.default_rng(7)
    centres = random.standard_normal((max(1, count // 40), DIMENSION), dtype=np.float32)
    for start in range(0, count, BATCH):
        some = min(BATCH, count - start)
        vectors = centres[random.integers(0, len(centres), some)]
        vectors += 0.75 * random.standard_normal((some, DIMENSION), dtype=np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        yield vectors


def make_sessions(count: int, first: int = 0) -> Iterator[SessionInput]:
    """Turns of about forty words with word frequencies as in a language (Zipf)."""
    random = np.random.default_rng(11 + first)
    for start in range(first, first + count, TURNS):
        rows = range(start, min(start + TURNS, first + count))
        words = np.minimum(random.zipf(1.3, (len(rows), 40)), 30_000)
        turns = [
            Turn((Line("Ana", Role.PERSON, " ".join(f"w{w}" for w in row) + f" #{i}"),), _START + timedelta(minutes=i))
            for i, row in zip(rows, words, strict=True)
        ]
        yield SessionInput(turns, f"session {start}", source="bench", id=f"b{start:08d}")


def measure(count: int, folder: Path) -> SpeedResult:
    file = folder / "vectors"
    with file.open("wb") as out:
        for some in _vectors(count + TURNS):
            some.tofile(out)
    config = Config(home=folder / "memory")
    with Engine.open(config, embedder=FileEmbedder(file)) as engine:
        begun = time.perf_counter()
        engine.ingest(make_sessions(count))
        engine.indexes.save()
        ingest_s = time.perf_counter() - begun
        engine.extract()  # else the process that is timed next would read claims in the background
        links = engine.counts().links
        edges = sum(links.values()) + links[Kind.CHAIN]  # as they are stored: a chain both ways
        text_bytes = engine.counts().text_bytes
    peak_mb = subprocesses.peak_mb()
    used = subprocesses.ask("benchmarks.speed", "use", str(count), str(folder))
    disk = sum(
        file.stat().st_size for file in config.home.rglob("*") if file.is_file() and "sessions" not in file.parts
    )
    plain = sum(file.stat().st_size for file in config.home.rglob("*.md"))
    vectors = np.fromfile(file, dtype=np.float32).reshape(-1, DIMENSION)[:count]
    faiss_s, search_ms = _plain_faiss(vectors)
    return SpeedResult(
        segments=count,
        ingest_s=ingest_s,
        floor_faiss_s=faiss_s,
        floor_insert_s=_plain_insert(vectors, folder),
        session_ms=used["session_ms"],
        recall_p50_ms=used["recall_p50_ms"],
        recall_p95_ms=used["recall_p95_ms"],
        floor_search_ms=search_ms,
        open_s=used["open_s"],
        extra_bytes=(disk + plain - 2 * text_bytes - 4 * DIMENSION * count) / count,
        peak_mb=max(peak_mb, used["peak_mb"]),
        vectors_mb=4 * DIMENSION * count / 1e6,
        edges=edges,
    )


def use(count: int, folder: Path) -> dict[str, float]:
    """As after a restart, in a process that did not fill the memory: opened, asked, and one more session taken in."""
    begun = time.perf_counter()
    engine = Engine.open(Config(home=folder / "memory"), embedder=FileEmbedder(folder / "vectors"))
    open_s = time.perf_counter() - begun
    recalls = _recalls(engine, count)
    session_ms = _one_more_session(engine, count)
    engine.close()
    return {
        "open_s": open_s,
        "recall_p50_ms": float(np.percentile(recalls, 50)),
        "recall_p95_ms": float(np.percentile(recalls, 95)),
        "session_ms": session_ms,
        "peak_mb": subprocesses.peak_mb(),
    }


def _recalls(engine: Engine, count: int) -> list[float]:
    random = np.random.default_rng(3)
    times = []
    for i in range(RECALLS):
        words = " ".join(f"w{w}" for w in np.minimum(random.zipf(1.3, 8), 30_000))
        begun = time.perf_counter()
        engine.recall(f"{words} #{int(random.integers(0, count))}")
        times.append(1000 * (time.perf_counter() - begun))
        if i == 0:
            times.clear()  # the first one warms caches
    return times


def _one_more_session(engine: Engine, count: int) -> float:
    (session,) = make_sessions(TURNS, count)
    begun = time.perf_counter()
    engine.ingest([session])
    return 1000 * (time.perf_counter() - begun)


def _plain_faiss(vectors: NDArray[np.float32]) -> tuple[float, float]:
    """All against all, and one query against all, with the library alone."""
    index = faiss.IndexIDMap2(faiss.IndexFlatIP(DIMENSION))
    index.add_with_ids(vectors, np.arange(len(vectors)))
    begun = time.perf_counter()
    for start in range(0, len(vectors), 1024):
        index.search(vectors[start : start + 1024], 20)
    whole = time.perf_counter() - begun
    single = []
    for i in range(50):
        begun = time.perf_counter()
        index.search(vectors[i : i + 1], 20)
        single.append(1000 * (time.perf_counter() - begun))
    return whole, float(np.percentile(single, 50))


def _plain_insert(vectors: NDArray[np.float32], folder: Path) -> float:
    rows = pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), DIMENSION)
    texts = [turn.lines[0].text for session in make_sessions(len(vectors)) for turn in session.turns]
    incoming = pa.table({"id": np.arange(len(vectors)), "text": texts, "vector": rows})
    connection = duckdb.connect(str(folder / "plain.duckdb"))
    begun = time.perf_counter()
    connection.register("incoming", incoming)
    connection.execute("CREATE TABLE plain AS SELECT * FROM incoming")
    connection.close()
    return time.perf_counter() - begun


def run(sizes: Sequence[int], on_result: Callable[[SpeedResult], None]) -> list[SpeedResult]:
    """Results are told as they come."""
    found = []
    for told in subprocesses.run_each("benchmarks.speed", sizes):
        found.append(SpeedResult(**told))
        on_result(found[-1])
    return found


def machine() -> str:
    return f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, DuckDB {duckdb.__version__}, FAISS {faiss.__version__}"


if __name__ == "__main__":
    if sys.argv[1] == "use":
        subprocesses.answer(use(int(sys.argv[2]), Path(sys.argv[3])))
    else:
        subprocesses.tell(lambda size, folder: asdict(measure(size, folder)))
