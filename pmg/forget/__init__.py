"""Forgetting: what a person wants gone is removed from every place that PMG has put it, and the receipt proves it.

plan(engine, Selection(person="Zara"))  # what would go; nothing is changed
forget(engine, plan)                    # removes it; ForgetReceipt tells counts and what a scan of every file found
resume(engine)                          # finishes what a kill interrupted; called when a memory is opened
"""

from __future__ import annotations

from pmg.forget.carry_out import forget, resume
from pmg.forget.plan import ForgetPlan, Selection, plan
from pmg.forget.receipt import ForgetReceipt

__all__ = ["ForgetPlan", "ForgetReceipt", "Selection", "forget", "plan", "resume"]
