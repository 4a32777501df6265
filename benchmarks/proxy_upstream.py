"""A model's API for `python -m benchmarks proxy`, in a process of its own: `python -m benchmarks.proxy_upstream`.

It says where it is in one line, and streams to each request what its body asks for: how many pieces, how large, and the pause between two.
It ends when its standard input does.
"""

from __future__ import annotations

import asyncio
import json
import sys


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            size = next(
                (int(row.partition(":")[2]) for row in head.split("\r\n") if row.startswith("content-length:")), 0
            )
            asked = json.loads(await reader.readexactly(size))
            await _answer(writer, asked)
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def _answer(writer: asyncio.StreamWriter, asked: dict[str, float]) -> None:
    delta = {
        "id": "c1",
        "choices": [{"index": 0, "delta": {"content": "x" * int(asked["size"])}, "finish_reason": None}],
    }
    event = f"data: {json.dumps(delta)}\n\n".encode()
    chunk = f"{len(event):x}\r\n".encode() + event + b"\r\n"
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
    for _ in range(int(asked["pieces"])):
        writer.write(chunk)
        await writer.drain()
        if asked["pause"]:
            await asyncio.sleep(asked["pause"])
    writer.write(b"0\r\n\r\n")
    await writer.drain()


async def main() -> None:
    server = await asyncio.start_server(_serve, "127.0.0.1", 0)
    sys.stdout.write(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
