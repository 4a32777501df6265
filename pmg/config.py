"""Every knob, its default and the reason for the default, as one frozen value read once at the edge.

Knows: the sections and fields, their ranges, and how `config.toml` and `PMG_…` variables become a `Config`.
Nothing reads the environment after `load`.
"""

from __future__ import annotations

import logging
import operator
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, SupportsFloat, SupportsIndex

from pmg.base import arguments
from pmg.base.errors import ConfigError
from pmg.base.filesystem import default_home
from pmg.base.pasted_key import problem_with_address, problem_with_text, problem_with_variable, without_keys

log = logging.getLogger(__name__)


def knob(
    default: Any,
    why: str,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] = (),
    problem: Callable[[str], str] | None = None,
) -> Any:
    """A field with its reason and its range; the reason is what `pmg config` and the documentation print.

    `problem` says what is wrong with a text without repeating it: it may be a secret.
    """
    rules = {"why": why, "low": low, "high": high, "choices": choices, "problem": problem}
    return field(default=default, metadata=rules)


@dataclass(frozen=True, slots=True)
class EmbedConfig:
    model: str = knob(
        "bundled",
        "`bundled` knows English, `multilingual` 16 languages: both come inside packages, so nothing is fetched; or a folder, or `owner/name` of a sentence-transformers model, which is downloaded",
    )
    threads: int = knob(0, "0 uses every core; embedding is the slow part of ingest", low=0, high=256)


@dataclass(frozen=True, slots=True)
class ThresholdConfig:
    """Cosine thresholds; 0 takes the value that belongs to the embedding model (`pmg doctor` shows it)."""

    edge: float = knob(0.0, "a semantic edge is made at or above this cosine (0.6 on BGE-m3)", low=0, high=1)
    floor: float = knob(
        0.0, "a memory found only by meaning needs this cosine to the query (0.6 on BGE-m3)", low=0, high=1
    )
    link: float = knob(0.0, "a related_to link is made at or above this (0.75 on BGE-m3)", low=0, high=1)
    extend: float = knob(0.0, "a turn extends a learnt document at or above this (0.75 on BGE-m3)", low=0, high=1)
    context_duplicate: float = knob(
        0.0, "a memory this like the active context is not repeated (0.85 on BGE-m3)", low=0, high=1
    )
    merge: float = knob(0.0, "the steward looks at pairs at or above this (0.88 on BGE-m3)", low=0, high=1)
    ingest_duplicate: float = knob(
        0.0, "a turn this like an older one, with no difference, is a duplicate (0.92 on BGE-m3)", low=0, high=1
    )


@dataclass(frozen=True, slots=True)
class IngestConfig:
    edge_cap: int = knob(20, "semantic edges a segment may have: more distorts what flows along them", low=0, high=200)
    link_top: int = knob(
        5, "related_to links a new segment gets: enough to connect, few enough to read", low=0, high=50
    )
    idle_minutes: int = knob(
        30, "an open session without a turn for this long is closed and linked", low=1, high=100_000
    )
    chunk_characters: int = knob(
        2048,
        "a learnt document is cut at paragraphs into pieces of about this size (512 tokens)",
        low=200,
        high=100_000,
    )
    max_turn_bytes: int = knob(
        64_000_000,
        "one turn larger than this is refused: it is a file, not something said",
        low=1_000,
        high=1_000_000_000,
    )


@dataclass(frozen=True, slots=True)
class RecallConfig:
    mode: str = knob(
        "diffuse", "relevance flows along edges; `fixed` is the published rule", choices=("diffuse", "fixed")
    )
    fusion: str = knob("score", "how dense and lexical results are joined for entries", choices=("score", "rrf"))
    top_k: int = knob(3, "entry points of `fixed` (published)", low=1, high=100)
    lateral: int = knob(3, "semantic and typed neighbours an entry brings in `fixed` (published)", low=0, high=50)
    vertical: int = knob(2, "chain neighbours on each side an entry brings in `fixed` (published)", low=0, high=50)
    pool: int = knob(
        100, "candidates each search gives; twice as many find nothing more on our benchmarks", low=10, high=5_000
    )
    limit: int = knob(20, "segments a recall returns at most", low=1, high=1_000)
    budget_tokens: int = knob(
        1500, "size of the context block: a few per cent of a common model's window", low=50, high=1_000_000
    )
    lexical: bool = knob(True, "search by words too: names, numbers and other languages are found by nothing else")
    rephrase: bool = knob(True, "look for what a question is after without its frame, and for each of its parts")
    kindred: float = knob(
        1.0,
        "how much words close in meaning count (kitten for cat), from a table; 0 is nothing; English",
        low=0,
        high=4,
    )
    chain: float = knob(1.0, "how much relevance flows between neighbouring lines; 0 is none", low=0, high=4)
    semantic: float = knob(0.0, "how much flows along semantic edges: worth nothing on our benchmarks", low=0, high=4)
    speaker: float = knob(1.0, "how much it counts that the person asked for said it; 0 is nothing", low=0, high=4)
    dates: float = knob(1.0, "how much it counts that a session fits the time asked for; 0 is nothing", low=0, high=4)
    diversity: float = knob(1.0, "MMR's λ: 1 is relevance alone, lower spreads the results", low=0, high=1)
    own_questions: bool = knob(False, "recall what was only asked too: a question without an answer tells nothing")
    flag_instructions: bool = knob(True, "mark recalled text that reads like an instruction to a model")


@dataclass(frozen=True, slots=True)
class RedactConfig:
    off: tuple[str, ...] = knob(
        (), "kinds of secret that are kept, by name; an unknown name is answered with the list of kinds"
    )
    allow: tuple[str, ...] = knob((), "texts that are never redacted, such as a documented example key")
    rules: tuple[str, ...] = knob((), "your own rules, each `name = pattern` in RE2 syntax")
    keep_sealed: bool = knob(
        False, "what is taken out is kept, sealed with the key of an encrypted memory, so that it can be restored"
    )


@dataclass(frozen=True, slots=True)
class StewardConfig:
    """Upkeep. A schedule is five cron fields (`30 3 * * *`), `every 6h` (m, h, d), or `off`; times are the machine's own."""

    enabled: bool = knob(True, "upkeep runs beside the server; everything it does can be undone")
    score: str = knob("every 6h", "scores follow use; a pass takes well under a second")
    merge: str = knob("every 6h", "only what is new since the last pass is looked at, so it is cheap to do often")
    archive: str = knob("0 4 * * *", "once a day, at an hour when few people sit at their machine")
    links: str = knob("30 4 * * *", "weights and topics need a day's worth of use to say anything")
    verify: str = knob("every 15m", "sessions left open are closed and linked within this time")
    backup: str = knob("0 5 * * *", "after the nightly upkeep, so that it holds the tidied memory")
    report: str = knob(
        "off", "`0 6 1 * *` writes a report into `reports` on the first of each month; off unless you want it"
    )
    quiet_hours: str = knob("", "no upkeep begins in this time of day, like `09:00-18:00`; empty: any time")
    rest: float = knob(
        0.2, "share of its time that upkeep sleeps between steps, so that others get their turn", low=0, high=10
    )
    half_life_days: float = knob(
        60.0, "a memory of middling quality loses half its score in two months without use", low=1, high=100_000
    )
    new_days: float = knob(
        30.0,
        "a memory this young that was never recalled counts as recalled once: it had no chance yet",
        low=0,
        high=100_000,
    )
    archive_after_days: float = knob(
        730.0,
        "what was said longer ago may be archived: two years see every yearly occasion twice",
        low=1,
        high=100_000,
    )
    archive_recent_days: float = knob(180.0, "but not if it was recalled in the last half year", low=0, high=100_000)
    archive_floor: float = knob(0.05, "and only with a score under this; 0: age and use alone decide", low=0, high=1)
    most_share: float = knob(
        0.1,
        "a task that would take more of the memory than this out of recall stops and asks (a clock may have jumped)",
        low=0,
        high=1,
    )
    learn_rate: float = knob(
        0.05,
        "how far one recall moves the weight of a link towards 1; unused ones fall a fifth as fast",
        low=0,
        high=0.5,
    )
    topic_size: int = knob(
        3, "sessions (or parts of long ones) a topic has at least: fewer are a coincidence", low=2, high=10_000
    )
    backup_keep: int = knob(7, "automatic backups that are kept: one week of nights", low=1, high=10_000)


@dataclass(frozen=True, slots=True)
class ImportConfig:
    """What `pmg import` and `pmg watch` take in, and where they stop. (`import` is a word of Python's own.)"""

    gap_hours: float = knob(
        6.0,
        "a conversation taken up again after this pause becomes a new session: a night, not a lunch",
        low=0.1,
        high=87_600,
    )
    watch: tuple[str, ...] = knob(
        ("~/.claude/projects", "~/.codex/sessions"),
        "folders that `pmg watch` follows: where coding tools keep transcripts",
    )
    drop: str = knob("", "a folder to drop exports into; empty: `drop` in the memory's directory")
    poll_seconds: float = knob(
        5.0, "how often watched folders are looked at: a look costs a stat a file", low=0.1, high=86_400
    )
    settle_seconds: float = knob(
        2.0, "a file that changed less long ago than this is still being written", low=0, high=3_600
    )
    conversation_mb: int = knob(128, "one conversation larger than this is listed, not read", low=1, high=4_096)
    archive_gb: int = knob(64, "an archive that unpacks to more than this is refused from there on", low=1, high=4_096)
    bomb_ratio: int = knob(
        200,
        "a member this many times its packed size is a zip bomb: real exports shrink about tenfold",
        low=10,
        high=10_000,
    )


@dataclass(frozen=True, slots=True)
class ChatConfig:
    """Who answers in the chat. Text leaves the machine only with `openai` and a base_url elsewhere; the page says so."""

    responder: str = knob(
        "extractive",
        "quotes your memory, no language model; `openai` asks the server at base_url, `local` a small model in this process; "
        "an installed package can bring others (docs/extending.md)",
    )
    reader: bool = knob(
        True,
        "a small taught model reads the lines that were found and says which one answers; off: the order of the recall does",
    )
    base_url: str = knob(
        "http://127.0.0.1:11434/v1",
        "an OpenAI-compatible server: Ollama on this machine unless set; Azure's may end in `?api-version=2024-02-01`",
        problem=problem_with_address,
    )
    model: str = knob("", "the model's name on that server; empty: the first it lists", problem=problem_with_text)
    key_env: str = knob(
        "", "name of the environment variable that holds the key; empty: none is read", problem=problem_with_variable
    )
    key_file: str = knob(
        "",
        "a file with the key, readable by you alone (0600), in the memory's folder where it names no other; empty: none",
        problem=problem_with_text,
    )
    timeout_seconds: float = knob(60.0, "silence from the server after which it is given up", low=1, high=3_600)
    history_turns: int = knob(8, "turns of the chat that a model sees again with each question", low=0, high=200)
    extract_claims: bool = knob(
        False,
        "let `pmg people extract --model` ask the model at base_url for claims beside those that grammar finds; each run shows its cost and asks",
    )


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """The web app. `--host`, `--port` and PMG_HOST, PMG_PORT go above these; a password comes from PMG_PASSWORD or a 0600 file."""

    host: str = knob("127.0.0.1", "only this machine gets in; another address needs a password")
    port: int = knob(7640, "PMG on a phone's keys; the next free one is taken when it is in use", low=0, high=65_535)
    hosts: tuple[str, ...] = knob(
        (), "other names this machine is reached by; a request under any other name is refused"
    )
    frames: tuple[str, ...] = knob((), "origins whose pages may show PMG in a frame, like `http://localhost:8888`")
    browser: bool = knob(True, "open the page when the server starts, if there is a browser")
    watch: bool = knob(False, "follow transcript folders and the drop folder while serving, as `pmg watch` does")
    login_hours: int = knob(
        12, "how long a browser that was let in stays so after its last request: a working day", low=1, high=720
    )
    log_mb: int = knob(5, "size at which the log begins a new file; five older ones are kept", low=1, high=1_000)


@dataclass(frozen=True, slots=True)
class ProxyConfig:
    """Models' APIs that go through this server under `/u/NAME`, so that what is said there is remembered. `pmg upstream` writes them."""

    upstreams: tuple[str, ...] = knob(
        (), "each `NAME KIND URL`, with `paused` or `bring` behind; none: the proxy is off (docs/proxy.md)"
    )
    bring_tokens: int = knob(
        800, "size of the block that is brought along at most, as hooks have it", low=50, high=100_000
    )
    bring_seconds: float = knob(
        0.15, "a block that is not ready by then is left out: nobody shall wait for memories", low=0.01, high=60
    )


@dataclass(frozen=True, slots=True)
class EncryptionConfig:
    """`pmg encrypt` turns it on. The passphrase is never in this file, nor on a command line."""

    passphrase_file: str = knob(
        "", "a file with the passphrase, readable by you alone (0600), for a server that starts by itself; empty: ask"
    )


@dataclass(frozen=True, slots=True)
class Config:
    home: Path
    namespace: str = "default"
    embed: EmbedConfig = EmbedConfig()
    thresholds: ThresholdConfig = ThresholdConfig()
    ingest: IngestConfig = IngestConfig()
    recall: RecallConfig = RecallConfig()
    redact: RedactConfig = RedactConfig()
    steward: StewardConfig = StewardConfig()
    imports: ImportConfig = ImportConfig()
    server: ServerConfig = ServerConfig()
    chat: ChatConfig = ChatConfig()
    proxy: ProxyConfig = ProxyConfig()
    encryption: EncryptionConfig = EncryptionConfig()


# Settings that went, with what is so now: a configuration that has them still starts, and it is said.
GONE = {
    "chat.quotes": "an answer shows one line, or two where it is not sure",
    "recall.reranker": "the reader that comes with PMG reads what was found (chat.reader)",
}

SECTIONS: dict[str, type] = {
    "embed": EmbedConfig,
    "thresholds": ThresholdConfig,
    "ingest": IngestConfig,
    "recall": RecallConfig,
    "redact": RedactConfig,
    "steward": StewardConfig,
    "imports": ImportConfig,
    "server": ServerConfig,
    "chat": ChatConfig,
    "proxy": ProxyConfig,
    "encryption": EncryptionConfig,
}


def load(home: Path | str | None = None, environ: Mapping[str, str] = os.environ) -> Config:
    """Defaults, then `config.toml` in the store's directory, then `PMG_SECTION_FIELD` variables."""
    folder = Path(home).expanduser() if home is not None else default_home()
    config = Config(home=folder)
    file = folder / "config.toml"
    if file.exists():
        config = with_values(config, without_keys(read_file(file))[0], str(file))  # settings.py cleans the file itself
    return with_values(config, _from_environment(environ), "the environment")


def read_file(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"{file} is not valid TOML: {error}. Mend that line, or move the file away to start from the defaults."
        ) from None
    except OSError as error:
        raise ConfigError(
            f"{file} cannot be read: {error.strerror or error}. Make it a readable file, or move it away."
        ) from None


def with_values(config: Config, values: Mapping[str, Any], where: str) -> Config:
    """A copy with these `{section: {field: value}}` values checked and put in."""
    for name, value in values.items():
        if name == "namespace":
            config = replace(config, namespace=checked_namespace(value))
        elif name in SECTIONS and isinstance(value, Mapping):
            section = getattr(config, name)
            config = replace(config, **{name: _with_fields(section, name, value, where)})
        else:
            known = ", ".join(["namespace", *SECTIONS])
            raise ConfigError(f"{where} has {name!r}, which PMG does not know. Known: {known}.")
    return config


def checked_config(config: object) -> Config:
    """A Config that was put together by hand: its home a path, every section of its kind and every value in its range."""
    given = arguments.instance(config, "config", Config, "give a pmg.Config, such as pmg.Config(home=Path('memory'))")
    given = replace(given, home=arguments.path(given.home, "config.home"), namespace=checked_namespace(given.namespace))
    for name, kind in SECTIONS.items():
        section: Any = arguments.instance(
            getattr(given, name), f"config.{name}", kind, f"give a pmg.config.{kind.__name__}"
        )
        values = {one.name: _in_plain_type(getattr(section, one.name), one.default) for one in fields(kind)}
        given = with_values(given, {name: values}, "the config")
    return given


def _in_plain_type(value: object, default: object) -> object:
    """A path or an enum's text where a text is due, a number of another library, such as NumPy, where a number is."""
    if isinstance(default, str) and isinstance(value, str | os.PathLike):
        return str(value)
    if isinstance(default, bool) or isinstance(value, bool | str):
        return value
    if isinstance(default, int) and isinstance(value, SupportsIndex):
        return operator.index(value)
    return float(value) if isinstance(default, float) and isinstance(value, SupportsFloat) else value


def drop_folder(config: Config) -> Path:
    """Where a person puts files to be taken in."""
    return Path(config.imports.drop).expanduser() if config.imports.drop else config.home / "drop"


def checked_namespace(value: object) -> str:
    if (
        isinstance(value, str)
        and 0 < len(value) <= 64
        and value.replace("-", "").replace("_", "").isalnum()
        and value.isascii()
    ):
        return value
    raise ConfigError(f"namespace {value!r} is not allowed: use 1 to 64 letters, digits, - and _.")


def _with_fields(section: Any, name: str, values: Mapping[str, Any], where: str) -> Any:
    known = {f.name: f for f in fields(section)}
    for key, value in values.items():
        if (gone := GONE.get(f"{name}.{key}")) is not None:
            log.warning("%s has %s.%s, which is no setting any more: %s. Take it out.", where, name, key, gone)
            continue
        if key not in known:
            raise ConfigError(
                f"{where} has {name}.{key}, which PMG does not know. Known in {name}: {', '.join(known)}."
            )
        section = replace(section, **{key: _checked(f"{name}.{key}", value, known[key].default, known[key].metadata)})
    return section


def _checked(name: str, value: Any, default: Any, rules: Mapping[str, Any]) -> Any:
    """The value in the default's type and inside its range, or an error that says what would be right."""
    if isinstance(default, tuple):
        if not (isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)):
            raise ConfigError(f"{name} is {value!r}; it must be a list of texts.")
        return tuple(value)
    if isinstance(default, bool) or isinstance(value, bool):
        if not (isinstance(default, bool) and isinstance(value, bool)):
            raise ConfigError(
                f"{name} is {value!r}; it must be {'true or false' if isinstance(default, bool) else 'like ' + repr(default)}."
            )
        return value
    if isinstance(default, float) and isinstance(value, int):
        value = float(value)
    if type(value) is not type(default):
        raise ConfigError(
            f"{name} is {value!r}; it must be a {'number' if isinstance(default, (int, float)) else 'text'} like {default!r}."
        )
    if rules["problem"] is not None and rules["problem"](value):
        raise ConfigError(f"{name}: {rules['problem'](value)}.")
    if rules["choices"] and value not in rules["choices"]:
        raise ConfigError(f"{name} is {value!r}; it must be one of {', '.join(rules['choices'])}.")
    low, high = rules["low"], rules["high"]
    if low is not None and not low <= value <= high:
        raise ConfigError(f"{name} is {value}; it must be from {in_full(low)} to {in_full(high)}.")
    return value


def in_full(number: float) -> str:
    """A bound of a knob as a person writes it: 1,000,000 and not 1e+06."""
    return f"{int(number):,}" if float(number).is_integer() else f"{number:g}"


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    """`PMG_RECALL_TOP_K=5` is recall.top_k. What names no field (PMG_HOME, PMG_SERVER, the server's own) is read elsewhere."""
    found: dict[str, Any] = {}
    for name, text in sorted(environ.items()):
        section, _, key = name.removeprefix("PMG_").lower().partition("_")
        if name == "PMG_NAMESPACE":
            found["namespace"] = text
        elif name.startswith("PMG_") and section in SECTIONS and name != "PMG_SERVER":
            found.setdefault(section, {})[key] = value_from_text(section, key, text)
    return found


def value_from_text(section: str, key: str, text: str) -> Any:
    """What a person typed, in the type of the field; the checks come later, in one place."""
    known = {f.name: f.default for f in fields(SECTIONS[section])} if section in SECTIONS else {}
    default = known.get(key)
    if isinstance(default, bool):
        return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}.get(text.lower(), text)
    if isinstance(default, tuple):
        # A pattern may hold commas; a line break never stands inside one, so it parts the values where there is one.
        mark = "\n" if "\n" in text or key == "rules" else ","
        return [part.strip() for part in text.split(mark) if part.strip()]
    if isinstance(default, (int, float)):
        try:
            return type(default)(text)
        except ValueError:
            return text
    return text
