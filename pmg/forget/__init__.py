"""Forgetting: what a person wants gone is removed from every place that PMG has put it, and the receipt proves it.

plan(engine, Selection(person="Zara"))  # what would go; nothing is changed
forget(engine, plan)                    # removes it; ForgetReceipt tells counts and what a scan of every file found
rescan(engine, plan_rescan(engine))     # takes out secrets that were stored before a rule knew them
resume(engine)                          # finishes what a kill interrupted; called when a memory is opened
"""

from __future__ import annotations

import logging

from pmg.base.errors import DiskFull
from pmg.base.progress import Progress, silent
from pmg.engine import Engine
from pmg.forget.carry_out import forget, resume_forget
from pmg.forget.plan import ForgetPlan, Selection, plan
from pmg.forget.receipt import ForgetReceipt
from pmg.forget.rescan import RescanPlan, plan_rescan, rescan, resume_rescan

log = logging.getLogger(__name__)
__all__ = [
    "ForgetPlan",
    "ForgetReceipt",
    "RescanPlan",
    "Selection",
    "forget",
    "plan",
    "plan_rescan",
    "rescan",
    "resume",
]


def resume(engine: Engine, progress: Progress = silent) -> ForgetReceipt | None:
    """Finishes what a kill interrupted, if anything: to be called whenever a memory is opened."""
    try:
        done = resume_forget(engine, progress)
        return resume_rescan(engine, progress) or done
    except DiskFull as problem:  # the order stays, and is carried out as soon as there is room; reading must go on
        log.warning("what was begun to be forgotten is not finished: %s", problem)
        return None
