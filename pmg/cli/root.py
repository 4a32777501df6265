"""The root of the command line: the options every command shares, and how a command gets an engine.

Knows: --home, --namespace and --server, and the ways to a memory: opening it, running the command in the server that holds it, using,
inside that server, the one it has open, or asking a server elsewhere. The commands stand in the modules beside this one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pmg import __version__
from pmg import config as configuration
from pmg.base import arguments
from pmg.base.errors import InputError, StoreBusy
from pmg.cli import console
from pmg.cli.served_context import engine_for, served_context
from pmg.client import discovery
from pmg.config import Config
from pmg.store.unlock import asker

if TYPE_CHECKING:
    from pmg.client.memory_client import MemoryClient
    from pmg.engine import Engine
    from steward.steward import Steward

WORDS = "pmg.words"  # in the context: the words as they were typed
SERVER = "pmg.server"  # in the context: the address of a server elsewhere
HOW_VECTORS_COME = "`pmg serve` makes them while it runs, `pmg rebuild` at once."
# What can be asked of a server elsewhere, through its REST interface.
ELSEWHERE = frozenset("remember recall ask sessions show stats".split())
# What works on a memory that a server holds: it runs there. Everything else wants the memory to itself.
SERVED = frozenset(
    "demo remember learn recall ask people sessions show import export stats doctor backup calibrate sql report steward forget redact".split()
)


# How `pmg --help` groups the commands, the most used first.
GROUPS = {
    "Remember and recall": "remember recall ask demo learn sessions show people",
    "The page and other programs": "serve connect disconnect mcp hook upstream token",
    "In and out": "import watch export report sql notebooks",
    "Forget": "forget redact",
    "Upkeep": "steward stats doctor backup restore recover rebuild calibrate reembed config encrypt decrypt",
}


class Root(typer.core.TyperGroup):
    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        groups = {name: title for title, names in GROUPS.items() for name in names.split()}
        self.commands = {name: self.commands[name] for name in (*groups, *self.commands) if name in self.commands}
        for name, command in self.commands.items():
            command.rich_help_panel = groups.get(name)  # type: ignore[attr-defined]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.meta[WORDS] = tuple(args)
        return super().parse_args(ctx, args)


app = typer.Typer(
    name="pmg",
    cls=Root,
    help="A private, persistent memory for your AI conversations, on your own machine.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def parser() -> typer.core.TyperGroup:
    """What reads the words that are typed. Put together once for a process that reads many: it takes longer than most commands run."""
    return _parser(len(app.registered_commands) + len(app.registered_groups))


@lru_cache(maxsize=1)
def _parser(registered: int) -> typer.core.TyperGroup:
    made = typer.main.get_command(app)
    assert isinstance(made, typer.core.TyperGroup)
    return made


def _tell_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pmg {__version__}")
        raise typer.Exit


@app.callback()
def shared(
    context: typer.Context,
    home: Annotated[
        str | None, typer.Option(metavar="PATH", help="The memory's directory (else PMG_HOME, else ~/.pmg).")
    ] = None,
    namespace: Annotated[str, typer.Option(help="The namespace to work in (else PMG_NAMESPACE).")] = "",
    server: Annotated[
        str,
        typer.Option(
            envvar="PMG_SERVER",
            help="Ask the memory of a server elsewhere, like http://studio:7640, with the token in PMG_TOKEN.",
        ),
    ] = "",
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say what is happening.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Say the version and leave.")
    ] = False,
) -> None:
    if served_context.get() is None:
        os.umask(0o077)  # whatever a command writes is its owner's alone
        console.log_to_terminal(verbose)
        context.meta[SERVER] = server
        if server and context.invoked_subcommand not in ELSEWHERE:
            raise InputError(
                f"`pmg {context.invoked_subcommand}` works on the memory of this machine, and --server (or PMG_SERVER) names {server}. "
                f"There: {', '.join(sorted(ELSEWHERE))}. Leave it out, or give --server '', for the memory here."
            )
    elif context.invoked_subcommand not in SERVED:
        raise InputError(f"`pmg {context.invoked_subcommand}` does not run inside a server.")
    place = None if home is None else arguments.path(home, "--home")
    context.obj = (place, namespace or _namespace_of_the_terminal())


def _namespace_of_the_terminal() -> str:
    """PMG_NAMESPACE names a namespace as the option does. A server's own variables are not those of the terminal whose command it runs."""
    return os.environ.get("PMG_NAMESPACE", "") if served_context.get() is None else ""


def config_of(context: typer.Context) -> Config:
    home, namespace = context.obj
    config = configuration.load(home)
    return replace(config, namespace=configuration.checked_namespace(namespace)) if namespace else config


@contextmanager
def engine_of(context: typer.Context, *, model: bool = True) -> Iterator[Engine]:
    """An open engine; `model=False` for commands that only look, which then start at once."""
    app_context = served_context.get()
    if app_context is not None:
        with console.errors():
            engine = engine_for(app_context, context.obj[1], model)
            yield engine
            if model:
                tell_waiting(engine, "This server is making them.")
        return
    from pmg.cli import remote

    with console.errors():
        config = config_of(context)
        running = discovery.find(config.home)
        if running is not None:
            refuse_while_served(context, config, SERVED)
            raise typer.Exit(remote.run(running, config, _words_with_namespace(context)))
        from pmg.engine import Engine  # heavy libraries only where a memory is opened

        options: dict[str, Any] = {"wait": True} if model else {"wait": False, "load": False}
        with console.bar() as progress, Engine.open(config, progress=progress, ask=asker(), **options) as engine:
            from pmg.forget import resume
            from pmg.ui.temp_files import clear_unused

            clear_unused(config.home)
            resume(engine, progress)  # a forgetting that was killed is finished before anything else
            yield engine
            if model:
                tell_waiting(engine, HOW_VECTORS_COME)


def tell_waiting(engine: Engine, how: str) -> None:
    """After a command: how much of the memory only words find so far, and how the rest comes."""
    waiting = engine.indexes.waiting
    if waiting and engine.model.ready() is not None:
        waits = "turn has no vectors yet" if waiting == 1 else "turns have no vectors yet"
        console.terminal().err.print(f"{waiting:,} {waits}: words find them, meaning does not. {how}")


def _words_with_namespace(context: typer.Context) -> tuple[str, ...]:
    """A namespace that was named by a variable is one of the words: the server sees nothing else of it."""
    named: str = context.obj[1]
    words: tuple[str, ...] = context.meta[WORDS]
    return ("--namespace", named, *words) if named else words


def namespace_named(context: typer.Context, engine: Engine) -> str:
    """The namespace that was named with the command, by option or variable; "" where none was, and the command means all of them."""
    return engine.config.namespace if context.obj[1] else ""


@contextmanager
def memory_of(context: typer.Context, *, model: bool = True) -> Iterator[Engine | MemoryClient]:
    """The memory of the server that --server names, else an engine as above; the verbs of both are the same."""
    server = context.meta.get(SERVER, "")
    if not server:
        with engine_of(context, model=model) as engine:
            yield engine
        return
    from pmg.client.connect import connect

    with console.errors():
        token = os.environ.get("PMG_TOKEN", "")
        if not token:
            raise InputError(
                f"{server} wants a token in PMG_TOKEN: `pmg token new --name NAME` makes one, on the machine of the server."
            )
        with connect(server, token, context.obj[1] or None) as client:
            yield client


def namespace_of(memory: Engine | MemoryClient) -> str:
    """The namespace a command works in; a client knows its own."""
    from pmg.client.memory_client import MemoryClient

    return "" if isinstance(memory, MemoryClient) else memory.config.namespace


def steward_of(engine: Engine) -> Steward:
    """The server's own where there is one, for one run works at a time."""
    app_context = served_context.get()
    if app_context is not None:
        return app_context.steward
    from steward.steward import Steward

    return Steward(engine)


def refuse_while_served(context: typer.Context, config: Config, allowed: frozenset[str] = frozenset()) -> None:
    """Commands that need the memory alone say who has it and how to get it back."""
    running = discovery.find(config.home)
    names = context.command_path.split()[1:]
    if running is not None and names[:1] and names[0] not in allowed:
        raise StoreBusy(
            f"The memory in {config.home} is open in the server at {running.address} (process {running.pid}), and "
            f"`pmg {' '.join(names)}` needs it alone. Stop the server with `pmg serve --stop`, then run this again."
        )
