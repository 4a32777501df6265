"""What the proxy brings along with a message: chosen as for a hook, from everything but the conversation itself, in time or not at all."""

from __future__ import annotations

from collections.abc import Sequence

from pmg.engine import Engine
from pmg.proxy.bring import BringQuestion, BroughtBlock
from pmg.server.here import recall_here
from pmg.server.hooks.context import asks_memory, numbers_in_block, state_of
from pmg.server.hooks.deadline import TimedWork


class MemoryInTime:
    """Neither a recall nor a look at what was brought before holds a request up longer than `seconds`."""

    def __init__(self, engine: Engine, seconds: float, budget: int) -> None:
        self._engine = engine
        self._budget = budget
        self._recalls: TimedWork[BroughtBlock] = TimedWork(seconds)
        self._looks: TimedWork[list[bool]] = TimedWork(seconds)

    async def recall(self, asked: BringQuestion) -> BroughtBlock | None:
        if not asks_memory(asked.words):
            return BroughtBlock()
        return await self._recalls.within(lambda: block_for(self._engine, asked, self._budget))

    async def unchanged(self, blocks: Sequence[BroughtBlock]) -> list[bool] | None:
        return await self._looks.within(lambda: unchanged(self._engine, blocks))


def block_for(engine: Engine, asked: BringQuestion, budget: int) -> BroughtBlock:
    """Nothing where nothing found bears on it."""
    own = [asked.session] if asked.session else []
    found = recall_here(
        engine, None, asked.words, lambda _: engine.recall(asked.words, exclude_session=own, budget_tokens=budget)
    )
    if not found.bears:
        return BroughtBlock()
    numbers = numbers_in_block(found.recalled)
    return BroughtBlock(found.text, numbers, state_of(engine.reads.segments(numbers)))


def unchanged(engine: Engine, blocks: Sequence[BroughtBlock]) -> list[bool]:
    """Of each block whether all its memories are there and say what they said."""
    numbers = {number for block in blocks for number in block.numbers}
    held = {one.number: one for one in engine.reads.segments(sorted(numbers))}
    return [
        all(number in held for number in block.numbers)
        and state_of(held[number] for number in block.numbers) == block.made_from
        for block in blocks
    ]
