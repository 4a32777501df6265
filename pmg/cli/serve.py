"""`pmg serve`, `python app.py`, `make run`: the web app. A second start finds the first and opens it.

Knows: the options, what is printed, the browser, and signals. The server itself is pmg/server/run.py.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pmg.base.errors import StoreBusy
from pmg.base.loopback import is_loopback
from pmg.cli.console import errors, say, terminal
from pmg.cli.root import app, config_of
from pmg.client import discovery
from pmg.config import Config
from pmg.server.browser_logins import end_all_of
from pmg.server.client import Client
from pmg.store.unlock import asker, unlock

if TYPE_CHECKING:
    from pmg.server.remote_commands import Emit, RemoteCommand
    from pmg.server.run import Options, Server
    from pmg.ui.app_context import AppContext

STOP_TIMEOUT = 60.0  # seconds for the step in hand
SILENT_STOP = 1.0  # seconds before it is said what is waited for
ADDRESS_TIMEOUT = 20.0  # seconds for a server that is just beginning to leave its address
Port = Annotated[
    int | None, typer.Option(envvar="PMG_PORT", min=0, max=65535, help="The port (else 7640 or the next free).")
]
Host = Annotated[str, typer.Option(envvar="PMG_HOST", help="The address to bind (else only this machine).")]
NoBrowser = Annotated[bool, typer.Option("--no-browser", envvar="PMG_NO_BROWSER", help="Do not open the page.")]


@app.command()
def serve(
    context: typer.Context,
    port: Port = None,
    host: Host = "",
    no_browser: NoBrowser = False,
    home: Annotated[Path | None, typer.Option(help="The memory's directory (else that of `pmg --home`).")] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Also follow transcript folders and the drop folder.")] = False,
    stop: Annotated[bool, typer.Option("--stop", help="Stop the server of this memory.")] = False,
    logout_all: Annotated[bool, typer.Option("--logout-all", help="Log every browser out of this memory.")] = False,
) -> None:
    """Open the memory in the browser: chat, recall, timeline, graph, upkeep. Stop it with Ctrl-C or --stop."""
    with errors():
        if home is not None:
            context.obj = (home, context.obj[1])
        config = config_of(context)
        if logout_all:
            return end_logins(config)
        if stop:
            return end(config)
        browser = config.server.browser and not no_browser
        serve_until_stopped(config, options(config, host, port, watch), browser)
    return None


def options(config: Config, host: str, port: int | None, watch: bool) -> Options:
    from pmg.server.run import Options

    chosen = config.server.port if port is None else port
    return Options(
        host=host or config.server.host,
        port=chosen,
        exact=port is not None,
        watch=watch or config.server.watch,
        restarts=True,
        commands=run_in_server,
    )


def run_in_server(call: RemoteCommand, app_context: AppContext, emit: Emit) -> int:
    from pmg.cli import served

    return served.run(call, app_context, emit)


def serve_until_stopped(config: Config, chosen: Options, browser: bool) -> None:
    if discovery.find(config.home) is None:
        unlock(config, ask=asker())  # here, where somebody can be asked for a passphrase
    with stopping() as stops:
        server = claimed(config, chosen)
        if isinstance(server, discovery.RunningServer):
            return found(server, browser)
        stops(server)
        code = 0
        try:
            with logged(config), errors():
                greet(server, chosen.host)
                if browser:
                    threading.Thread(target=show, args=(server.address, server.access.ticket()), daemon=True).start()
                server = run_and_restart(server, chosen, stops)
                say("Closed. Everything is saved.")
        except SystemExit as end:
            code = int(end.code or 0)
    leave(server, code)
    return None


def run_and_restart(server: Server, chosen: Options, stops: Callable[[Server], None]) -> Server:
    """Runs until somebody stops it. What the page asked for and needs the memory alone (a backup put in place, encryption) is done in between, and
    the server is back at the same address; the last one is returned."""
    server.run()
    while server.while_closed is not None:
        told = server.while_closed(server.config.home)
        say(told)
        config = server.context.engine.config if server.context else server.config  # with what the page changed
        server = type(server).claim(config, replace(chosen, port=server.port, exact=True, notice=told))
        stops(server)
        server.run()
    return server


def leave(server: Server, code: int) -> None:
    """A person who leaves does not wait for a model to load; and a library that is torn down while it loads one aborts, so then the
    process ends at once: the store is closed and everything is written by now."""
    if server.loading:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    if code:
        sys.exit(code)


@contextmanager
def logged(config: Config) -> Iterator[None]:
    from pmg.server.logs import log_to_file, stop_logging

    handler = log_to_file(config.home, config.server.log_mb)
    try:
        yield
    finally:
        stop_logging(handler)


def claimed(config: Config, chosen: Options) -> Server | discovery.RunningServer:
    """A server of our own, or the one that was there before."""
    from pmg.server.run import Server

    end_at = time.monotonic() + ADDRESS_TIMEOUT
    while True:
        try:
            return Server.claim(config, chosen)
        except StoreBusy:
            running = discovery.find(config.home)
            if running is not None and Client(running).healthy():
                return running
            if time.monotonic() > end_at:
                who = f"at {running.address} (process {running.pid})" if running else "that left no address"
                raise StoreBusy(
                    f"The memory in {config.home} has a server {who} which does not answer. End that process and try again."
                ) from None
            time.sleep(0.2)


def found(running: discovery.RunningServer, browser: bool) -> None:
    say(f"PMG is running already, at {running.address}/?token={running.token} (process {running.pid}).")
    if browser:
        show(running.address, Client(running).ask("POST", "/api/ticket")["ticket"])


def greet(server: Server, host: str) -> None:
    if not is_loopback(host):
        terminal().err.print(
            f"Warning: {host} lets other machines in. Whoever has the password can read this memory, and what is sent is not "
            "encrypted on the way. Use it only on a network you trust, or behind a tunnel."
        )
    if server.notice:
        terminal().err.print(f"Warning: {server.notice}")
    say(f"PMG is at {server.url}")
    say(f"The memory is {server.config.home}. Stop with Ctrl-C.")
    sys.stdout.flush()


def end_logins(config: Config) -> None:
    running = discovery.find(config.home)
    count = end_all_of(config.home) if running is None else Client(running).ask("POST", "/api/logout-all")["ended"]
    say(f"{count} browser{'' if count == 1 else 's'} logged out.")


def end(config: Config) -> None:
    running = discovery.find(config.home)
    if running is None:
        return say(f"No server has the memory in {config.home} open.")
    Client(running).ask("POST", "/api/stop")
    begun, told = time.monotonic(), False
    while discovery.find(config.home) is not None:
        passed = time.monotonic() - begun
        if passed > STOP_TIMEOUT:
            raise StoreBusy(
                f"The server at {running.address} (process {running.pid}) is still finishing what it has in hand."
            )
        if passed > SILENT_STOP and not told:
            told = True
            terminal().err.print(
                f"The server at {running.address} (process {running.pid}) ends the step in hand, such as the turns that are being "
                "embedded or an answer that is being given, and saves the indexes. What is not embedded yet waits for the next start."
            )
        time.sleep(0.1)
    return say(f"Stopped the server at {running.address}.")


def show(address: str, ticket: str) -> None:
    """Opens the page where there is a screen. The ticket works once: a browser's command line can be read by others."""
    screenless = sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
    if screenless:
        return
    try:
        webbrowser.open(f"{address}/?token={ticket}")
    except (webbrowser.Error, OSError):
        return  # the address is printed


@contextmanager
def stopping() -> Iterator[Callable[[Server], None]]:
    """The first signal asks the server for a clean end, whenever it comes; a second Ctrl-C does not wait."""
    asked = 0
    servers: list[Server] = []

    def on_signal(number: int, _: object) -> None:
        nonlocal asked
        asked += 1
        if asked > 1 and number == signal.SIGINT:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            raise KeyboardInterrupt
        for server in servers:
            server.stop()

    def stops(server: Server) -> None:
        servers.append(server)
        if asked:  # it came while the port was being bound
            server.stop()

    before = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stops
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
