"""A language model behind an OpenAI-compatible address: Ollama, LM Studio, llama.cpp, vLLM, or a cloud.

One POST to /chat/completions, what can go wrong with it, as sentences, and what a model thinks aloud before it answers, which is no part of
the answer. connect.py makes the connection, prompt.py writes the messages, sse.py reads the stream and passes over a field of its own for
such thoughts. Servers that people run on their own machine are found on their usual ports when somebody asks for them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import httpx

from pmg.base.errors import ChatUnavailable
from pmg.chat import connect, prompt, sse
from pmg.chat.citations import with_plain_numbers
from pmg.chat.responder import ChatAnswer, ChatRequest
from pmg.chat.server_address import ADDRESS, address_of
from pmg.chat.shown_memories import used_by_a_model
from pmg.config import ChatConfig

# How messages name the settings: as the page has them, and the knob for whoever has no page.
MODEL = "the model (chat.model)"
KEY = "the key (on the page under Import & settings, Models; else chat.key_env or chat.key_file)"


class OpenAI:
    """Meets Responder. `key` is asked for at each question, so that a changed key needs no restart."""

    budget_tokens: int | None = None

    def __init__(self, settings: ChatConfig, key: Callable[[], str]) -> None:
        self._settings = settings
        self._address = address_of(settings.base_url)
        self._key = key

    @property
    def leaves(self) -> bool:
        return not self._address.on_this_machine

    @property
    def where(self) -> str:
        place = self._address.place
        if self.leaves:
            return f"Your messages and the memories they recall are sent to {place}."
        return f"Answers come from a model server on this machine ({place})."

    def answer(self, ask: ChatRequest) -> Iterator[ChatAnswer]:
        used = used_by_a_model(ask)
        sent = {"model": self.model(), "messages": prompt.messages(ask, self._settings.history_turns), "stream": True}
        said = text = ""
        for piece in self._asked("POST", "/chat/completions", json.dumps(sent).encode()):
            said += piece
            text = with_plain_numbers(without_reasoning(said))
            if text.strip():
                yield ChatAnswer(text, (), used)
        if not text.strip():
            what = "thought and then answered" if said.strip() else "answered"
            raise ChatUnavailable(f"The model {sent['model']} {what} with nothing. Ask again, or choose another model.")

    def complete(self, model: str, messages: Sequence[Mapping[str, str]]) -> str:
        """One answer to these messages, whole, as steady as the model can."""
        sent = {"model": model, "messages": list(messages), "stream": False, "temperature": 0}
        return without_reasoning("".join(self._asked("POST", "/chat/completions", json.dumps(sent).encode())))

    def model(self) -> str:
        """The configured model, else the first that the server lists."""
        if self._settings.model:
            return self._settings.model
        names = self.models()
        if not names:
            raise ChatUnavailable(f"{self._address.place} lists no model: load one there, or set {MODEL}.")
        return names[0]

    def models(self) -> list[str]:
        body = b"".join(row.encode() for row in self._asked("GET", "/models", b""))
        try:
            rows = json.loads(body)["data"]
            return [str(row["id"]) for row in rows]
        except (ValueError, KeyError, TypeError):
            raise ChatUnavailable(
                f"{self._address.place} does not list its models as an OpenAI-compatible server does. Check {ADDRESS}, "
                f"which mostly ends in /v1, or set {MODEL}."
            ) from None

    def _asked(self, method: str, path: str, body: bytes) -> Iterator[str]:
        answers = False
        try:
            with (
                connect.open_client(self._settings.timeout_seconds) as client,
                client.stream(method, self._address.url(path), content=body or None, headers=self._headers()) as got,
            ):
                if got.status_code != 200:
                    raise self._refused(got.status_code, connect.read_body(got), path)
                answers = True
                yield from _texts(got, method)
        except httpx.TimeoutException:
            raise ChatUnavailable(
                f"{self._address.place} was silent for {self._settings.timeout_seconds:g} s. Is the model still loading? "
                f"Ask again, or raise chat.timeout_seconds."
            ) from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._lost(error, answers) from None

    def _lost(self, error: Exception, answers: bool) -> ChatUnavailable:
        """Why there is no connection, or no longer one to a server that had begun to answer."""
        place, unsafe = self._address.place, connect.tls_fault(error)
        if unsafe:
            return ChatUnavailable(f"No safe connection to {place}: {unsafe}.")
        if answers:
            return ChatUnavailable(
                f"{place} stopped in the middle of its answer. Ask again; the server's own log may say why."
            )
        return ChatUnavailable(
            f"{place} cannot be reached ({connect.reason(error)}). Is the server running? It is looked for at {ADDRESS}."
        )

    def _headers(self) -> dict[str, str]:
        key = self._key()
        known = {"Content-Type": "application/json", "Accept": "text/event-stream, application/json"}
        sent = (
            {"api-key": key} if self._address.query else {"Authorization": f"Bearer {key}"}
        )  # Azure has its own header
        return {**known, **sent} if key else known

    def _refused(self, status: int, body: bytes, path: str) -> ChatUnavailable:
        said = sse.error_message(body)
        heard = f" It says: {said}" if said else ""
        place = self._address.place
        if status in (401, 403):
            return ChatUnavailable(
                f"{place} does not accept the key it was given, or wants one ({status}). Check {KEY}.{heard}"
            )
        if status == 404:
            model = self._settings.model or "the model"
            return ChatUnavailable(
                f"{place} knows neither {model} nor {path} (404). Check {MODEL} and {ADDRESS}, which mostly ends in /v1.{heard}"
            )
        if status == 429:
            return ChatUnavailable(f"{place} refuses for now: too many questions or no credit left (429).{heard}")
        if 300 <= status < 400:
            return ChatUnavailable(
                f"{place} points elsewhere ({status}), and text is sent nowhere but to the address you set. Change {ADDRESS} if you trust the new one."
            )
        return ChatUnavailable(f"{place} answered with an error ({status}).{heard}")


def _texts(response: httpx.Response, method: str) -> Iterator[str]:
    if method == "GET":
        yield connect.read_body(response).decode("utf-8", "replace")
    elif response.headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json":
        yield from sse.unstreamed(connect.read_body(response))
    else:
        yield from sse.pieces(connect.events(response))


_OPENS = re.compile(r"\s*<(?P<tag>think|thinking|reasoning)>", re.IGNORECASE)
_CLOSES_ALONE = re.compile(r"^</(?:think|thinking|reasoning)>[ \t]*$", re.IGNORECASE | re.MULTILINE)
_MARKS = ("<think>", "<thinking>", "<reasoning>")


def without_reasoning(said: str) -> str:
    """The answer as far as it has come; empty while the model still thinks. Some servers open the thoughts themselves and send only the mark at their end,
    in a line of its own: then what stands before it was shown for a while, and goes."""
    while begun := _OPENS.match(said):  # some think again before they answer
        said = _after(said, f"</{begun['tag']}>")
    if _may_open(said):
        return ""
    ended = _CLOSES_ALONE.search(said)
    if ended is None:
        return said
    is_shown = any(mark in said[: ended.start()].casefold() for mark in _MARKS)  # an answer about these marks has both
    return said if is_shown else said[ended.end() :].lstrip()


def _after(said: str, mark: str) -> str:
    at = said.casefold().find(mark.casefold())
    return said[at + len(mark) :].lstrip() if at >= 0 else ""


def _may_open(said: str) -> bool:
    """A mark that has not come whole yet."""
    begun = said.lstrip().casefold()
    return bool(begun) and any(mark.startswith(begun) for mark in _MARKS)


LOCAL_PORTS = (("Ollama", 11434), ("LM Studio", 1234))
LOCAL_TIMEOUT = 2.0  # seconds: a server on this machine answers at once or is not there


@dataclass(frozen=True, slots=True)
class LocalServer:
    name: str
    base_url: str
    models: tuple[str, ...]


def local_servers(settings: ChatConfig, usual: Sequence[tuple[str, int]] = LOCAL_PORTS) -> list[LocalServer]:
    """Those that answer now, with the models they list. No key is sent: whatever listens there gets none."""
    found = []
    for name, port in usual:
        address = f"http://127.0.0.1:{port}/v1"
        asked = replace(settings, base_url=address, timeout_seconds=LOCAL_TIMEOUT)
        try:
            found.append(LocalServer(name, address, tuple(OpenAI(asked, lambda: "").models())))
        except ChatUnavailable:
            continue
    return found
