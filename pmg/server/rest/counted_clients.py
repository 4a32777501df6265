"""What a program with a token of its own asked and told over REST is counted, as it is for MCP and hooks.

Knows: the answer's status and size. Whether a request writes is said by caller.py, which knows what each path wants.
"""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pmg.connections.client_activity import ClientActivity
from pmg.connections.client_tokens import CLIENT, ClientToken

WRITES = "pmg.writes"  # in the scope: a list, which holds something once a path that writes was let through
BYTES_A_TOKEN = 4  # as pmg/base/text.py counts


class CountedClients:
    def __init__(self, app: ASGIApp, activity: ClientActivity | None) -> None:
        self._app = app
        self._activity = activity

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client: ClientToken | None = scope.get(CLIENT)
        if client is None or self._activity is None:
            return await self._app(scope, receive, send)
        writes: list[bool] = []
        status = sent = 0

        async def counted(message: Message) -> None:
            nonlocal status, sent
            status = message.get("status", status)
            sent += len(message.get("body", b""))
            await send(message)

        await self._app({**scope, WRITES: writes}, receive, counted)
        if status < 400 and writes:
            self._activity.told(client.name)
        elif status < 400:
            self._activity.asked(client.name, sent // BYTES_A_TOKEN)
        return None
