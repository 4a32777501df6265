"""Forgetting over REST: shown first, done on a second call with the token of what was shown.

The token names exactly the segments of the preview: when something else would go meanwhile, it agrees to nothing.
"""

from __future__ import annotations

from fastapi import APIRouter

from pmg.base.errors import InputError
from pmg.base.times import parse_range
from pmg.client.results import ForgetPreview
from pmg.engine import Engine
from pmg.forget import ForgetPlan, Selection, plan
from pmg.forget import forget as carry_out
from pmg.forget.receipt import ForgetReceipt
from pmg.server.rest.bodies import ForgetRequest, ForgetSelection
from pmg.server.rest.caller import Memory, Writing

router = APIRouter(tags=["forget"])


@router.post("/forget/preview")
def preview(body: ForgetSelection, caller: Writing, memory: Memory) -> ForgetPreview:
    """What would be forgotten for good, and the token that agrees to it. Nothing is changed. A `query` selects only turns that hold its words."""
    todo = _plan(memory.context.engine, body, caller.namespace)
    token = memory.signer.confirmation(caller.namespace, *todo.ids) if todo.numbers else ""
    counts = dict(todo.counts)
    return ForgetPreview(token, todo.ids, todo.sessions, counts, todo.preview, todo.nothing, todo.nearest, todo.inside)


@router.post("/forget")
def forget(body: ForgetRequest, caller: Writing, memory: Memory) -> ForgetReceipt:
    """Forgets what the preview showed, everywhere, and tells what a search of every file found afterwards; a token of one namespace is told
    no path and no number of what was looked for."""
    todo = _plan(memory.context.engine, body, caller.namespace)
    if not todo.numbers:
        raise InputError(f"{todo.nothing} Nothing was changed.")
    if not memory.signer.confirms(body.token, caller.namespace, *todo.ids):
        raise InputError(
            f"The token {body.token[:60]!r} does not agree to this: it is for ten minutes, and for what was shown with it. "
            "Ask /forget/preview again. Nothing was changed."
        )
    receipt = carry_out(memory.context.engine, todo)
    return receipt.for_one_namespace() if caller.one_namespace else receipt


def _plan(engine: Engine, body: ForgetSelection, namespace: str) -> ForgetPlan:
    since, until = parse_range(body.since, body.until)
    return plan(
        engine,
        Selection(
            segments=tuple(body.segments),
            sessions=tuple(body.sessions),
            person=body.person,
            topic=body.topic,
            since=since,
            until=until,
            query=body.query,
            namespace=namespace,
            source=body.source,
            whose=body.whose,
            also_called=tuple(body.also_called),
        ),
    )
