"""Commands that look after a memory: stats, doctor, rebuild, backup, restore, recover, config, calibrate, reembed.

How each reads on a terminal stands here; the engine, pmg/doctor.py and pmg/store/restore.py do the work.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pmg import config as configuration
from pmg.base.errors import ConfigError, StoreError
from pmg.base.text import counted
from pmg.cli.console import bar, confirm, errors, new_folder, path_of, say, say_json, terminal
from pmg.cli.root import app, config_of, engine_of, memory_of, namespace_of, refuse_while_served
from pmg.settings import change_embedding_model, keep, remove_pasted_keys
from pmg.store.rows import Counts
from pmg.store.unlock import asker, unlock, unlock_file

if TYPE_CHECKING:
    from pmg.engine import Engine


@app.command()
def stats(context: typer.Context, as_json: Annotated[bool, typer.Option("--json")] = False) -> None:
    """Count what is stored."""
    with memory_of(context, model=False) as memory:
        counts = memory.counts(namespace_of(memory))
        if as_json:
            return say_json(asdict(counts))
        for line in stats_lines(counts):
            say(line)
    return None


def stats_lines(counts: Counts) -> list[str]:
    states = ", ".join(f"{count} {state.value}" for state, count in counts.segments.items() if count)
    links = ", ".join(f"{count} {kind.value}" for kind, count in counts.links.items() if count)
    asked = f"          {counts.asked} of them only ask this memory something: history, not recalled"
    return [
        f"sessions  {counts.sessions} ({counts.open_sessions} open)",
        f"segments  {sum(counts.segments.values())} ({states or 'none'}), {counts.pending} without vectors",
        f"memories  {counts.memories} of them, as the page counts: what recall may find",
        *([asked] if counts.asked else []),
        f"lines     {counts.lines}, {counts.text_bytes / 1e6:.2f} MB of text",
        f"windows   {counts.windows}",
        f"links     {sum(counts.links.values())} ({links or 'none'})",
        f"recalls   {counts.recalls}",
    ]


@app.command()
def doctor(context: typer.Context) -> None:
    """Check that everything is whole, and say what is in force."""
    from pmg.doctor import BAD, examine

    marks = {"ok": "✓", "choice": "·", "look": "!", "bad": "✗"}
    with engine_of(context) as engine:
        found = examine(engine)
        for finding in found:
            detail = f" ({finding.detail})" if finding.detail else ""
            say(f"{marks[finding.level]} {finding.what}{detail}" + (f"\n    → {finding.mend}" if finding.mend else ""))
        ill = any(finding.level == BAD for finding in found)
    if ill:
        raise typer.Exit(1)


@app.command()
def rebuild(
    context: typer.Context,
    links: Annotated[bool, typer.Option("--links", help="Also make all automatic links anew.")] = False,
) -> None:
    """Throw the indexes away and make them again from the store."""
    with engine_of(context) as engine, bar() as progress:
        engine.rebuild(progress)
        made = engine.relink(progress) if links else 0
        sizes = engine.indexes.sizes()
        windows, lines = (sum(size[part] for size in sizes.values()) for part in (0, 1))
        say(f"Indexed {counted(windows, 'window')} and {counted(lines, 'line')} anew.")
        if links:
            say(f"Made {counted(made, 'automatic link')} anew.")


@app.command()
def backup(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="Where to write it.")],
    replace: Annotated[
        bool, typer.Option("--replace", "--yes", help="Without asking, in place of a backup that is there.")
    ] = False,
) -> None:
    """Write the whole memory into one file."""
    from pmg.store.duckdb.backup import held
    from pmg.store.keys import key_for

    with engine_of(context, model=False) as engine:
        place = path_of(file)
        told = new_folder(place)
        older = held(place, key_for(engine.config.home / "memory.duckdb")) if place.is_file() and not replace else None
        if older is not None:
            confirm(f"{file} is a backup already, of {counted(older, 'segment')}. Replace it?", option="--replace")
        engine.backup(place)
        say(f"Backed up {_segments(engine)} to {file} ({place.stat().st_size / 1e6:.1f} MB).{told}")


def _segments(engine: Engine) -> str:
    return counted(sum(engine.reads.segments_by_state().values()), "segment")


@app.command()
def restore(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="A file made by `pmg backup`.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Put a backup in place of the memory. What was there before is kept in backups/."""
    from pmg.store import encryption
    from pmg.store.restore import restore_backup

    with errors():
        config = config_of(context)
        refuse_while_served(context, config)
        if (config.home / "memory.duckdb").exists() and not yes:
            confirm(f"Replace the memory in {config.home} by {file}? The present one is kept in backups/.")
        unlock_file(file, config, ask=asker())
        unlock(config, ask=asker())
        with suppress(StoreError):  # a memory that is damaged is what a backup is for
            encryption.resume(config.home)  # after a change of key that was killed: its backups get the new one
        done = restore_backup(config.home, file)
        say(
            f"Restored {counted(done.segments, 'segment')}."
            + (f" The memory before it is {done.kept}." if done.kept else "")
        )
    with engine_of(context) as engine, bar() as progress:
        engine.rebuild(progress)
        say(f"Ready: {_segments(engine)}.")


@app.command()
def recover(
    context: typer.Context,
    accept_loss: Annotated[
        bool, typer.Option("--accept-loss", help="Go on with what the memory holds, without what is missing.")
    ] = False,
) -> None:
    """Say what is missing and how to bring it back, when a memory does not open because files beside it know more."""
    from pmg.store.restore import accept_loss as accept

    with errors():
        config = config_of(context)
        refuse_while_served(context, config)
        if accept_loss:
            accept(config.home)
    with engine_of(context, model=False) as engine:
        for what in engine.reads.mended:
            say(f"Put right: {what}.")
        say(f"The memory opens: {_segments(engine)}. `pmg doctor` looks at the rest.")


@app.command()
def config(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="A knob, such as recall.top_k.")] = "",
    value: Annotated[str, typer.Argument(help="Its new value.")] = "",
) -> None:
    """Show every knob with its value and reason; or set one."""
    with errors():
        current = config_of(context)
        told = remove_pasted_keys(current.home)
        if told:
            terminal().err.print(f"Warning: {told}")
        if name and value:
            set_knob(current.home, name, value)
            return say(f"{name} = {value} (in {current.home / 'config.toml'})")
        if name:
            return _show_knob(current, name)
        say(f"home = {current.home}\nnamespace = {current.namespace}")
        for section in configuration.SECTIONS:
            say(f"\n[{section}]")
            for f in fields(getattr(current, section)):
                say(f"{f.name} = {getattr(getattr(current, section), f.name)!r}\n    {f.metadata['why']}")
    return None


def _show_knob(current: configuration.Config, name: str) -> None:
    section, _, key = name.partition(".")
    known = {f.name: f for f in fields(configuration.SECTIONS[section])} if section in configuration.SECTIONS else {}
    if key not in known:
        raise ConfigError(f"There is no knob {name!r}. `pmg config` lists them all.")
    say(f"{name} = {getattr(getattr(current, section), key)!r}\n    {known[key].metadata['why']}")


def set_knob(home: Path, name: str, text: str) -> None:
    """One knob from what a person typed."""
    section, dot, key = name.partition(".")
    inside = dot and section in configuration.SECTIONS
    values = {section: {key: configuration.value_from_text(section, key, text)}} if inside else {name: text}
    wanted = configuration.with_values(configuration.Config(home=home), values, "The new configuration")
    if section == "steward":
        from steward import schedule  # which times can be read is known there

        schedule.check(wanted.steward)
    if name == "chat.responder":
        from pmg.chat import responder_choice  # which there are is known there

        responder_choice.check_name(text)
    if name == "chat.base_url":
        from pmg.chat.server_address import address_of  # what an address has is known there

        address_of(wanted.chat.base_url)
    keep(home, values)


@app.command()
def calibrate(context: typer.Context) -> None:
    """Measure this memory and set the thresholds that fit its embedding model."""
    with engine_of(context) as engine:
        found = engine.calibrate()
        for f in fields(found):
            say(f"{f.name:18} {getattr(found, f.name)}")


@app.command()
def reembed(
    context: typer.Context,
    model: Annotated[
        str,
        typer.Option(
            help="bundled (English), multilingual, a folder, or owner/name of a sentence-transformers model, which is downloaded."
        ),
    ],
) -> None:
    """Change the embedding model; recall works on the old vectors until the new ones are whole."""
    from pmg.embed.load import may_be_downloaded

    with engine_of(context) as engine, bar() as progress:
        if may_be_downloaded(model):
            say(f"{model} is downloaded from huggingface.co, unless it is on this machine already.")
        made = change_embedding_model(engine, model, progress)
        say(f"This memory now uses {made.name} ({made.dimension} dimensions); {counted(made.links, 'link')} made anew.")
