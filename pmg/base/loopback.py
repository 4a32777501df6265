"""Whether a host is this machine itself: by its address or as `localhost`. No name is looked up."""

from __future__ import annotations

import ipaddress


def is_loopback(host: str) -> bool:
    try:
        return host.lower() == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
