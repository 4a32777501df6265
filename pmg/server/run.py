"""One server process, from binding its port to giving the store back.

Knows: the order. Bound first, so that whoever waits gets an answer at once; then the store, which somebody else may hold, the heavy libraries and
the page, behind a page that says so; the embedding model meanwhile. At the end the other way round, and every step waits for the one in hand.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn

from pmg.base.errors import ConfigError, StoreBusy
from pmg.base.loopback import is_loopback
from pmg.client.discovery import RunningServer, ServerClaim
from pmg.config import Config
from pmg.connections.client_tokens import ClientTokens
from pmg.proxy.forward import Proxy
from pmg.server import browser_logins
from pmg.server.access import Access, login_key, open_keys
from pmg.server.browser_logins import BrowserLogins
from pmg.server.gateway import Gateway
from pmg.server.guard import Guard
from pmg.server.hosts import Hosts
from pmg.server.remote_commands import Commands, RemoteCommands
from pmg.server.timed_connection import TimedConnection
from pmg.settings import remove_pasted_keys
from pmg.store.owner import prepare_home

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.routing import BaseRoute

    from pmg.embed.embedder import Embedder
    from pmg.engine import Engine
    from pmg.server.background import BackgroundJobs
    from pmg.ui.app_context import AppContext, WhileClosed
    from pmg.ui.temp_files import TempFolder

log = logging.getLogger(__name__)
PORTS_TRIED = 50
SHUTDOWN_SECONDS = 3  # seconds for open streams at the end: a page that stays open must not hold the server


@dataclass(frozen=True)
class Options:
    """How this server is started. `embedder` and `routes` are for tests and for what is added to the app."""

    host: str = "127.0.0.1"
    port: int = 0  # 0: any free one
    exact: bool = False  # that port or none
    watch: bool = False
    restarts: bool = False  # whether whoever runs it does the work in `while_closed` and starts it again
    notice: str = ""  # what the page tells until the server ends
    commands: Commands = field(default=lambda call, context, emit: 1)
    embedder: Embedder | None = None
    routes: Callable[[AppContext], Sequence[BaseRoute]] = field(default=lambda context: ())


class SignalFreeServer(uvicorn.Server):
    """Signals are ours: uvicorn would raise them again at the end, and a clean stop would not look like one."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class Server:
    """`Server.claim(…)` binds; `run()` serves until `stop()`, which any thread or signal handler may call."""

    def __init__(self, config: Config, options: Options, claim: ServerClaim, bound: socket.socket) -> None:
        self.config = config
        self._options = options
        self._claim = claim
        self._socket = bound
        self.port = int(bound.getsockname()[1])
        keys = open_keys(config.home)
        logins = config.home / browser_logins.FILE
        self.access = Access(keys, BrowserLogins(logins, login_key(keys, self.port), config.server.login_hours))
        self.address = f"http://{_shown(options.host)}:{self.port}"
        self.url = f"{self.address}/?token={keys.token}"
        self.token = keys.token
        self.notice = " ".join(filter(None, (options.notice, remove_pasted_keys(config.home))))
        self.while_closed: WhileClosed | None = None
        self.context: AppContext | None = None
        self.ready = threading.Event()
        self.problem: BaseException | None = None
        self.proxy = Proxy(config.home)
        self._gateway = Gateway(self.proxy)
        self._clients = ClientTokens(config.home)
        self._background: BackgroundJobs | None = None
        self._remote_commands: RemoteCommands | None = None
        self._temp_folder: TempFolder | None = None
        self._uvicorn = SignalFreeServer(self._settings())
        since = datetime.now().astimezone().isoformat(timespec="seconds")
        claim.tell(RunningServer(f"http://{_reached(options.host)}:{self.port}", keys.token, os.getpid(), since))

    @classmethod
    def claim(cls, config: Config, options: Options) -> Server:
        """Raises StoreBusy when this memory has a server, ConfigError when the bind is not safe or not free."""
        prepare_home(config.home)
        refuse_open_bind(config.home, options.host)
        claim = ServerClaim.take(config.home)
        if claim is None:
            raise StoreBusy(f"The memory in {config.home} has a server already.")
        try:
            return cls(config, options, claim, bind(options.host, options.port, options.exact))
        except BaseException:
            claim.release()
            raise

    def _settings(self) -> uvicorn.Config:
        server = self.config.server
        guard = Guard(
            self._gateway,
            self.access,
            Hosts.of(self._options.host, server.hosts),
            cookie_name=f"pmg-{self.port}",
            frames=server.frames,
            clients=self._clients,
        )
        return uvicorn.Config(
            guard,
            http=TimedConnection,
            lifespan="off",
            log_config=None,
            access_log=False,  # it would print addresses with their tokens
            proxy_headers=False,  # nobody in between may say who asks
            server_header=False,
            timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        )

    def run(self) -> None:
        """Serves until it is stopped; raises what kept the memory from opening."""
        before = os.umask(0o077)  # whatever any library writes, uploads too, is its owner's alone
        try:
            asyncio.run(self._serve())
        finally:
            self._end()
            os.umask(before)
        if self.problem is not None:
            raise self.problem

    @property
    def loading(self) -> bool:
        """Whether a thread is still at work on the embedding model."""
        return self.context is not None and self.context.engine.model.state == "loading"

    def stop(self) -> None:
        self._uvicorn.should_exit = True

    def restart(self, work: WhileClosed) -> None:
        """Ends it for work that needs the memory alone: pmg/cli/serve.py does that and starts it again."""
        self.while_closed = work
        self.stop()

    async def _serve(self) -> None:
        leaving = asyncio.Event()
        life = asyncio.create_task(self._live(leaving))
        await self._uvicorn.serve(sockets=[self._socket])
        leaving.set()
        await life

    async def _live(self, leaving: asyncio.Event) -> None:
        """The app from its making to its end, in one task: what was entered is left where it was entered."""
        try:
            app = await asyncio.to_thread(self._open)
            async with app.router.lifespan_context(app):
                self._gateway.open(app)
                await asyncio.to_thread(self._begin_capture)
                if self._background is not None and not leaving.is_set():
                    self._background.start()
                self.ready.set()
                log.info("open at port %d", self.port)
                await leaving.wait()
                await asyncio.to_thread(self._finish_work)
        except Exception as problem:  # shown by whoever called run()
            self.problem = problem
            self.stop()
        finally:
            await self.proxy.aclose()
            self.ready.set()

    def _begin_capture(self) -> None:
        from pmg.proxy.remember import Rememberer
        from pmg.server.brought import MemoryInTime

        if self.context is not None:
            engine, proxy = self.context.engine, self.context.engine.config.proxy
            self.proxy.open(Rememberer(engine), MemoryInTime(engine, proxy.bring_seconds, proxy.bring_tokens))

    def _open(self) -> FastAPI:
        """Everything heavy: the store, which may be somebody else's; then seconds of imports, while the model loads; then the page."""
        from pmg.engine import Engine

        engine = Engine.open(self.config, embedder=self._options.embedder, wait=False)
        try:
            return self._page_of(engine)
        except BaseException:
            engine.close()
            raise

    def _page_of(self, engine: Engine) -> FastAPI:
        """What serves an open memory."""
        from pmg.connections.client_activity import ClientActivity
        from pmg.forget import resume
        from pmg.server.asgi_app import build
        from pmg.server.background import BackgroundJobs
        from pmg.ui.app_context import AppContext
        from pmg.ui.temp_files import TempFolder
        from steward.schedule import Schedule
        from steward.steward import Steward

        # Only now: the store is ours, and with it what a killed one left there.
        self._temp_folder = TempFolder.open(self.config.home)
        resume(engine)  # a forgetting that was killed is finished before anybody can look
        engine.announce(self.address)
        steward = Steward(engine)
        schedule = Schedule(steward)
        self.context = AppContext(
            engine,
            steward,
            schedule,
            logout=True,
            notice=self.notice,
            clients=self._clients,
            activity=ClientActivity(engine),
            proxy=self.proxy,
            restart=self.restart if self._options.restarts else None,
            is_local=is_loopback(self._options.host),
        )
        self._remote_commands = RemoteCommands(self.context, self._options.commands)
        self._background = BackgroundJobs(engine, schedule, watch=self._options.watch)
        return build(self.context, self.access, self._remote_commands, self.stop, self._options.routes(self.context))

    def _finish_work(self) -> None:
        """The step in hand is finished and no other is begun."""
        self.proxy.captures.stop()
        if self.context is not None:
            self.context.engine.stop_building()  # the rest of a history waits for the next start, not this end for it
        if self._remote_commands is not None:
            self._remote_commands.stop()
        if self._background is not None:
            self._background.stop()

    def _end(self) -> None:
        engine: Engine | None = self.context.engine if self.context is not None else None
        try:
            if engine is not None:
                with engine.exclusive():  # a turn that is being written, a recall that is being made
                    engine.close()
        finally:
            if self._temp_folder is not None:
                self._temp_folder.close()
            self._socket.close()
            self._claim.release()
            log.info("closed")


def refuse_open_bind(home: Path, host: str) -> None:
    from pmg.server.access import PASSWORD_FILE, password_of

    if not is_loopback(host) and not password_of(home):
        raise ConfigError(
            f"--host {host} would let other machines in, and no password is set. Put one into PMG_PASSWORD or into "
            f"{home / PASSWORD_FILE} (mode 0600), or leave --host out: then only this machine gets in."
        )


def bind(host: str, port: int, exact: bool) -> socket.socket:
    """The port asked for, or the next free one; an exact one that is taken is an error."""
    tried = [port] if exact or port == 0 else range(port, min(port + PORTS_TRIED, 65_536))
    for number in tried:
        try:
            return _listening(host, number)
        except OSError as error:
            why = error
    raise ConfigError(
        f"Port {port} on {host} cannot be used: {why.strerror or why}. Something else may have it: choose another with --port."
    )


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named: asyncio sends small answers at once only on sockets that say TCP, else each waits 40 ms for an acknowledgement.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # a port that was just left may be taken again; one that is in use may not
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(128)
        made.set_inheritable(False)
    except BaseException:
        made.close()
        raise
    return made


def _reached(host: str) -> str:
    """Where a program on this machine finds it."""
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"[{here}]" if ":" in here else here


def _shown(host: str) -> str:
    """The address a person types: 0.0.0.0 is none."""
    if host in ("0.0.0.0", "::"):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host
