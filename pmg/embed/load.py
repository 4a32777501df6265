"""Opens the embedding model that the configuration names, now or in the background.

Knows: which way each model is opened and what to do when the fast way is not there. They embed in onnx_embedder.py,
multilingual.py and sentence_embedder.py.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib.metadata
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import platformdirs

from pmg.base.errors import ModelUnavailable
from pmg.base.no_telemetry import remove_left_behind
from pmg.embed import bundled, multilingual
from pmg.embed.bundled import ModelFolder, bundled_model
from pmg.embed.embedder import Embedder
from pmg.embed.files import sha256_of, write_cached
from pmg.embed.multilingual import MULTILINGUAL, MultilingualEmbedder

if TYPE_CHECKING:
    from pmg.embed.onnx_export import Report
    from pmg.embed.sentence_embedder import SentenceEmbedder

log = logging.getLogger(__name__)

BUNDLED = "bundled"
EXIT_SECONDS = 30.0  # that the end of a program waits for a model that is loading
CHECKED_RUNTIME = "1.31."  # of onnxruntime: tests/server/test_nothing_leaves.py has watched it
State = Literal["absent", "loading", "ready", "failed"]


def default_cache_dir() -> Path:
    return Path(platformdirs.user_cache_dir("pmg", appauthor=False)) / "models"


def open_embedder(
    model: str, cache_dir: Path, threads: int | None = None, on_progress: Report | None = None
) -> Embedder:
    """The embedder for `bundled`, `multilingual`, a folder, or the name of a sentence-transformers model."""
    report = on_progress or log.info
    if model in (BUNDLED, bundled.NAME):
        return _open_fast(bundled_model(cache_dir), cache_dir, threads, report)
    if model in (MULTILINGUAL, multilingual.NAME):
        return MultilingualEmbedder.open()
    model = _folder_or_name(model)
    weights = Path(model) / "model.safetensors"
    if weights.is_file() and sha256_of(weights) == bundled.SHA256:
        # The bundled model in another place: the same vectors, so the same name and fingerprint.
        return _open_torch(ModelFolder(bundled.NAME, bundled.SHA256, Path(model)), threads, report)
    from pmg.embed.sentence_embedder import SentenceEmbedder  # imports torch, which takes seconds

    report(f"Loading the embedding model {model} …")
    return SentenceEmbedder.open(model, threads=threads)


def _folder_or_name(model: str) -> str:
    """A mistyped folder must not be looked up on a hub: a model's names are `name`, of one on this machine, or `owner/name`, nothing else."""
    path = Path(model).expanduser()
    if model.strip() and path.is_dir():
        return str(path)
    if not model.strip() or model[0] in "./~\\" or "\\" in model or model.count("/") > 1:
        raise ModelUnavailable(
            f"There is no folder {model!r} with an embedding model. Correct it, or set it to 'bundled'."
        )
    return model


def may_be_downloaded(model: str) -> bool:
    """Is it the name of a model that another machine is asked for, if this one has not got it?"""
    known = (BUNDLED, bundled.NAME, MULTILINGUAL, multilingual.NAME)
    return model not in known and not Path(model).expanduser().is_dir() and "/" in _folder_or_name(model)


def _open_fast(model: ModelFolder, cache_dir: Path, threads: int | None, report: Report) -> Embedder:
    """The ONNX form, made if need be; torch itself when that cannot be made, kept, or trusted."""
    unchecked = unchecked_runtime()
    if unchecked:  # looked up before it is imported: importing it would be too late
        report(f"{unchecked}; going on with torch, which is slower.")
        return _open_torch(model, threads, report)
    _clean_up_once(cache_dir)
    # onnxruntime is for those who embed: who only looks starts sooner without its 30 MB
    from pmg.embed.onnx_embedder import OnnxEmbedder
    from pmg.embed.onnx_export import find_export, make_export

    folder = cache_dir / model.fingerprint
    exported = find_export(model, folder)
    if exported is not None:
        try:
            return OnnxEmbedder.open(
                exported, model.tokenizer, model.name, model.fingerprint, bundled.MAX_LENGTH, threads
            )
        except ModelUnavailable as problem:
            report(f"{problem} It is made anew.")
    reference = _open_torch(model, threads, report)
    try:
        exported = make_export(model, folder, bundled.MAX_LENGTH, reference.embed, report)
        return OnnxEmbedder.open(exported, model.tokenizer, model.name, model.fingerprint, bundled.MAX_LENGTH, threads)
    except (OSError, ModelUnavailable) as problem:
        report(
            f"The fast form of the embedding model is not available ({problem}); going on with torch, which is slower."
        )
        return reference


def unchecked_runtime(installed: str = "") -> str:
    """Why this onnxruntime is not used: only a version whose silence a test has seen may be imported. Empty for a good one."""
    found = installed or importlib.metadata.version("onnxruntime")
    if found.startswith(CHECKED_RUNTIME):
        return ""
    return f"onnxruntime {found} was not checked for what it sends (install {CHECKED_RUNTIME}x)"


def _clean_up_once(cache_dir: Path) -> None:
    """What onnxruntime wrote about this machine before its switch was set. Once: afterwards it is another program's."""
    done = cache_dir / "telemetry-removed"
    if done.exists():
        return
    if remove_left_behind():
        log.info("removed what onnxruntime had written about this machine")
    with contextlib.suppress(OSError):  # a cache that cannot be written: it is looked for again at the next start
        write_cached(done, b"")


def _open_torch(model: ModelFolder, threads: int | None, report: Report) -> SentenceEmbedder:
    from pmg.embed.sentence_embedder import SentenceEmbedder  # imports torch, which takes seconds

    report(f"Loading the embedding model {model.name} with torch …")
    return SentenceEmbedder.open(model.path, model.name, model.fingerprint, threads)


class ModelHolder:
    """A model that may not be there yet. Recall asks `ready()` and does without; ingest can `wait()`. Thread-safe."""

    def __init__(self, opener: Callable[[], Embedder]) -> None:
        self._opener = opener
        self._changed = threading.Condition()
        self._state: State = "absent"
        self._embedder: Embedder | None = None
        self._problem = ""
        self._when_ready: list[Callable[[], None]] = []

    @classmethod
    def holding(cls, embedder: Embedder) -> ModelHolder:
        """A holder of a model that is already open."""
        holder = cls(lambda: embedder)
        holder._embedder, holder._state = embedder, "ready"
        return holder

    @property
    def state(self) -> State:
        with self._changed:
            return self._state

    @property
    def problem(self) -> str:
        """Why there is no model: in words for the person, empty when there is one."""
        with self._changed:
            if self._state == "absent":
                return "The embedding model has not been loaded yet."
            return "The embedding model is still loading." if self._state == "loading" else self._problem

    def start(self) -> None:
        """Begins to load in the background, unless it is loaded or being loaded. After a failure it tries again."""
        with self._changed:
            if self._state in ("loading", "ready"):
                return
            self._state = "loading"
        # A daemon, so that a load that never ends does not keep the program; at exit it is waited for all the same: Python that ends
        # while a library of the model is at work aborts. Closing a memory does not wait.
        thread = threading.Thread(target=self._load, name="pmg-model", daemon=True)
        atexit.register(self._end, thread)
        thread.start()

    def _end(self, thread: threading.Thread) -> None:
        """At the end of the program: no new work for a model that comes now."""
        self._when_ready.clear()
        thread.join(EXIT_SECONDS)

    def ready(self) -> Embedder | None:
        """The model if it is there now; never waits and never starts loading."""
        with self._changed:
            return self._embedder

    def when_ready(self, call: Callable[[], None]) -> None:
        """`call` is called once the model has been loaded; not for one that is there already."""
        self._when_ready.append(call)

    def wait(self, timeout: float | None = None) -> Embedder:
        """The model, loading it first if nobody has. Raises ModelUnavailable if that fails or takes longer than this."""
        if self.state == "absent":
            self.start()
        with self._changed:
            done = self._changed.wait_for(lambda: self._state in ("ready", "failed"), timeout)
            if not done:
                raise ModelUnavailable(f"The embedding model was not ready after {timeout:g} s; it is still loading.")
            if self._embedder is None:
                raise ModelUnavailable(self._problem)
            return self._embedder

    def _load(self) -> None:
        embedder, problem = None, ""
        try:
            embedder = self._opener()
        except ModelUnavailable as error:
            problem = str(error)
        except Exception as error:  # the edge of a thread: nobody else could see it, and memory must go on
            log.exception("The embedding model could not be loaded")
            problem = f"The embedding model could not be loaded: {type(error).__name__}: {error}"
        with self._changed:
            self._embedder, self._problem = embedder, problem
            self._state = "failed" if embedder is None else "ready"
            self._changed.notify_all()
        if embedder is not None:
            for call in self._when_ready:
                call()
        atexit.unregister(self._end)
