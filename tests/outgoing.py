"""A process shut into a network of its own, and every attempt to leave it written down, native code's too.

    python -m tests.outgoing LOG COMMAND …      (inside `unshare --net --mount`)

The network has a loopback and nothing else. Every address there is made local, so an attempt becomes a packet that can be seen; every
name is looked up at a resolver that writes it down and answers with an address nobody has. `watched` runs a command so.
"""

from __future__ import annotations

import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOBODY = "192.0.2.1"  # set aside for documentation: nobody has it
ETH_P_ALL = 3


def why_not() -> str:
    """Why this machine cannot do it; empty where it can."""
    if sys.platform != "linux" or not shutil.which("unshare") or not shutil.which("ip"):
        return "needs Linux with unshare and ip (Debian: util-linux, iproute2)"
    tried = subprocess.run(
        ["unshare", "--net", "--mount", "ip", "link", "set", "lo", "up"], capture_output=True, check=False
    )
    return "" if tried.returncode == 0 else "this machine lets nobody make a network namespace"


def watched(
    command: list[str], environment: dict[str, str], patience: float
) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """What the command gave, and what it tried to reach."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "attempts"
        words = ["unshare", "--net", "--mount", sys.executable, "-m", "tests.outgoing", str(log), *command]
        done = subprocess.run(
            words, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=patience, check=False
        )
        return done, sorted(set(log.read_text().splitlines()))


def main(log: Path, command: list[str]) -> int:
    attempts = log.open("a", buffering=1)
    _close_in()
    for work in (_resolve, _listen):
        threading.Thread(target=work, args=(attempts, ready := threading.Event()), daemon=True).start()
        ready.wait()
    code = subprocess.run(command, check=False).returncode
    threading.Event().wait(1.0)  # a library that reports on its way out
    return code


def _close_in() -> None:
    for words in ("link set lo up", "route add local default dev lo", "-6 route add local default dev lo"):
        subprocess.run(["ip", *words.split()], check="-6" not in words, capture_output=True)
    with tempfile.NamedTemporaryFile("w", delete=False) as resolver:
        resolver.write("nameserver 127.0.0.1\n")
    subprocess.run(["mount", "--bind", resolver.name, "/etc/resolv.conf"], check=True)


def _resolve(_attempts: object, ready: threading.Event) -> None:
    """Answers every question for an address with NOBODY; the questions themselves are seen as packets."""
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 53))
    ready.set()
    while True:
        question, sender = server.recvfrom(4096)
        name_end = question.index(b"\0", 12) + 1
        asks_v4 = question[name_end : name_end + 2] == b"\0\1"
        head = question[:2] + b"\x81\x80\0\1" + (b"\0\1" if asks_v4 else b"\0\0") + b"\0\0\0\0"
        answer = b"\xc0\x0c\0\1\0\1\0\0\0\x05\0\4" + socket.inet_aton(NOBODY) if asks_v4 else b""
        server.sendto(head + question[12 : name_end + 4] + answer, sender)


def _listen(attempts: object, ready: threading.Event) -> None:
    eye = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(ETH_P_ALL))
    eye.bind(("lo", 0))
    ready.set()
    while True:
        for attempt in _attempts_in(eye.recv(65535)):
            attempts.write(attempt + "\n")  # type: ignore[attr-defined]


def _attempts_in(packet: bytes) -> Iterator[str]:
    version = packet[0] >> 4
    if version == 4:
        target, protocol, body = socket.inet_ntoa(packet[16:20]), packet[9], packet[(packet[0] & 15) * 4 :]
        source_is_local = packet[12] == 127
    else:
        target, protocol, body = socket.inet_ntop(socket.AF_INET6, packet[24:40]), packet[6], packet[40:]
        source_is_local = socket.inet_ntop(socket.AF_INET6, packet[8:24]) == "::1"
    port = struct.unpack(">H", body[2:4])[0] if len(body) >= 4 else 0
    if protocol == socket.IPPROTO_UDP and port == 53:
        yield f"looks up {_name_in(body[8:])}"
    elif not (target.startswith(("127.", "ff02:")) or target == "::1") and not (
        protocol == socket.IPPROTO_ICMPV6 and not source_is_local
    ):
        yield f"sends to {target} port {port}"


def _name_in(question: bytes) -> str:
    labels, at = [], 12
    while at < len(question) and question[at]:
        labels.append(question[at + 1 : at + 1 + question[at]].decode("ascii", "replace"))
        at += 1 + question[at]
    return ".".join(labels)


if __name__ == "__main__":
    code = main(Path(sys.argv[1]), sys.argv[2:])
    sys.stdout.flush()
    os._exit(code)  # the listening threads have no end of their own
