"""What every test may ask for: a home of its own, a memory on the readable stand-in, the benchmark data if it is there."""

from __future__ import annotations

import gc
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from httpx._config import DEFAULT_TIMEOUT_CONFIG
from httpx._transports import default
from hypothesis import settings
from typer import testing
from typer.main import get_command

from pmg import config as configuration
from pmg import sample
from pmg.base.errors import StoreBusy
from pmg.cli.root import app, parser
from pmg.engine import Engine
from pmg.store.duckdb import store
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.store import FILE_NAME, DuckStore
from pmg.store.owner import Owner, prepare_home
from tests.chromium import browser, watch
from tests.embedding import WordEmbedder
from tests.lent_connections import lent_again
from tests.new_memory import copied_from
from tests.stores import store_of

__all__ = ["browser", "watch"]  # fixtures of the stories in a real browser

pytest_plugins = ["tests.scheduling"]
settings.register_profile("pmg", deadline=None)  # nothing here depends on the speed of the machine
settings.load_profile("pmg")
SHARED = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
gc.disable()  # while tests are collected: nothing of what is imported and found is ever garbage, and looking through it is a third of the time


def pytest_collection_finish() -> None:
    """What is there now stays to the end: looking for garbage in it again and again costs as much as many a test."""
    gc.enable()
    gc.freeze()


@pytest.fixture(autouse=True)
def no_settings_of_the_person(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("PMG_"):
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def ranking_answers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the reader, but for tests of it: its half second a question is no business of theirs. Programs that a test starts have it."""
    if "with_reader" not in request.fixturenames:
        monkeypatch.setattr("pmg.reader.holder.ReaderHolder.ready", lambda _: None)


@pytest.fixture
def with_reader() -> None:
    """The reader reads, as it does for everybody."""


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Puts this machine into a zone: set_clock("Pacific/Auckland")."""
    if not hasattr(time, "tzset"):
        pytest.skip("the zone of this process cannot be set here")

    def put(zone: str) -> None:
        monkeypatch.setenv("TZ", zone)
        time.tzset()

    with monkeypatch.context() as monkeypatch:
        yield put
    time.tzset()


@pytest.fixture(scope="session", autouse=True)
def certificates_read_once() -> Iterator[None]:
    """Every httpx client reads those of the system, which takes longer than what most tests ask of this machine."""
    whole, kept = default.create_ssl_context, default.create_ssl_context()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(default, "create_ssl_context", lambda verify=True, **more: kept if verify is True else whole(verify, **more))  # fmt: skip
        yield


@pytest.fixture(scope="session", autouse=True)
def patience() -> Iterator[None]:
    """Of clients that name no time of their own: five seconds are little on a machine with other work."""
    with pytest.MonkeyPatch.context() as patch:
        for of_what in ("connect", "read", "write", "pool"):
            patch.setattr(DEFAULT_TIMEOUT_CONFIG, of_what, 60.0)
        yield


@pytest.fixture(scope="session", autouse=True)
def commands_put_together_once() -> Iterator[None]:
    """As a server does. For each command that a test types it would take longer than the command."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(testing, "_get_command", lambda one: parser() if one is app else get_command(one))
        yield


@pytest.fixture(scope="session", autouse=True)
def connections_are_lent_again() -> Iterator[None]:
    with lent_again():
        yield


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "memory"


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a new memory, to be copied: making its tables costs as much as opening and closing it."""
    made = tmp_path_factory.mktemp("empty") / "memory"
    DuckStore.open(made).close()
    return made / FILE_NAME


@pytest.fixture(scope="session", autouse=True)
def new_memories_are_copies(empty_store: Path) -> Iterator[None]:
    with copied_from(empty_store):
        yield


@pytest.fixture
def memories_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of how a memory is made."""
    monkeypatch.setattr(store, "Database", Database)


@contextmanager
def _engines(home: Path, empty_store: Path) -> Iterator[Callable[..., Engine]]:
    """Opens engines on one home, with the stand-in model, and closes them at the end."""
    opened: list[Engine] = []

    def open_one(**options: object) -> Engine:
        if not home.exists():
            prepare_home(home)
            shutil.copyfile(empty_store, home / FILE_NAME)
        values = options.pop("config", {})
        embedder = options.pop("embedder", WordEmbedder())
        config = configuration.with_values(configuration.load(home, {}), values, "the test")  # type: ignore[arg-type]
        engine = Engine.open(config, embedder=embedder, **options)  # type: ignore[arg-type]
        opened.append(engine)
        return engine

    yield open_one
    for engine in opened:
        _let_go(engine)


def _let_go(engine: Engine) -> None:
    """Closes a memory that nobody opens again: what it would save at its end is half of what a small test costs."""
    if engine._memory.closed:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine.indexes, "save", _nothing)
        engine._memory.recall_log._waiting.clear()  # nothing is left to be counted when its thread wakes
        patch.setattr(store_of(engine)._checkpoints, "_last_write_out", _nothing)
        engine.close()


def _nothing() -> None:
    return None


@pytest.fixture
def open_engine(home: Path, empty_store: Path) -> Iterator[Callable[..., Engine]]:
    with _engines(home, empty_store) as open_one:
        yield open_one


@pytest.fixture(scope="module")
def open_shared_engine(tmp_path_factory: pytest.TempPathFactory, empty_store: Path) -> Iterator[Callable[..., Engine]]:
    """As `open_engine`, for a memory that the tests of a file only read."""
    with _engines(tmp_path_factory.mktemp("shared") / "memory", empty_store) as open_one:
        yield open_one


def _once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that is made once for all workers of a run, to be copied. Who comes while it is made waits for it."""
    mine = factory.getbasetemp()
    ready = (mine.parent if "PYTEST_XDIST_WORKER" in os.environ else mine) / name
    while not ready.exists():
        with suppress(StoreBusy, FileExistsError), _claimed(ready.with_name(f"{name}-lock")):
            if not ready.exists():
                made = mine / f"making-{name}"
                make(made)
                made.rename(ready)
        time.sleep(0.1)
    return ready


@contextmanager
def _claimed(folder: Path) -> Iterator[None]:
    prepare_home(folder)
    owner = Owner.claim(folder)
    try:
        yield
    finally:
        owner.release()


def _take_in_the_sample(home: Path, embedder: WordEmbedder | None) -> None:
    with Engine.open(configuration.load(home, {}), embedder=embedder) as engine:
        engine.ingest(sample.sessions())


@pytest.fixture(scope="session")
def embedded_sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample memory with the vectors of the real model: they cost half a minute."""
    return _once(tmp_path_factory, "embedded-sample", lambda home: _take_in_the_sample(home, None))


@pytest.fixture(scope="session")
def sample_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample memory on the readable stand-in: taking it in costs five seconds."""
    return _once(tmp_path_factory, "sample", lambda home: _take_in_the_sample(home, WordEmbedder()))


@pytest.fixture
def engine(open_engine: Callable[..., Engine]) -> Engine:
    return open_engine()


@pytest.fixture
def shared_data() -> Path:
    if not SHARED.is_dir():
        pytest.skip("the benchmark data folder ../shared/data is not beside the checkout")
    return SHARED
