"""What the proxy brings along with a message: chosen as for a hook, from everything but the conversation itself, in time or not at all."""

from __future__ import annotations

from pmg.engine import Engine
from pmg.proxy.bring import BringQuestion, Recall
from pmg.server.bearing import bears
from pmg.server.hooks.context import asks_memory
from pmg.server.hooks.deadline import TimedWork


def recall_in_time(engine: Engine) -> Recall:
    settings = engine.config.proxy
    work: TimedWork[str] = TimedWork(settings.bring_seconds)

    async def recall(asked: BringQuestion) -> str | None:
        if not asks_memory(asked.words):
            return ""
        return await work.within(lambda: block_for(engine, asked, settings.bring_tokens))

    return recall


def block_for(engine: Engine, asked: BringQuestion, budget: int) -> str:
    """Nothing where nothing found bears on it."""
    own = [asked.session] if asked.session else []
    found = engine.recall(asked.words, exclude_session=own, budget_tokens=budget)
    return found.context if bears(engine, found) else ""
