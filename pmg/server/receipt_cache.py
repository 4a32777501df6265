"""The receipts of the last recalls, kept so that a caller can ask why. They go with the process."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict

from pmg.recall.receipt import Receipt

MAX_RECEIPTS = 200
FENCE = 12  # characters of a block's own mark (recall/fence.py)


class ReceiptCache:
    """Thread-safe; the same recall has the same id."""

    def __init__(self, kept: int = MAX_RECEIPTS) -> None:
        self.kept = kept
        self._receipts: OrderedDict[str, Receipt] = OrderedDict()
        self._fences: OrderedDict[str, str] = OrderedDict()  # of the last blocks → the receipt of each
        self._lock = threading.Lock()

    def put(self, receipt: Receipt, block: str = "") -> str:
        """Its id. By the block it can be found as well: its headings are what a model sees of it."""
        # By what it shows of itself: making a dictionary of it takes several milliseconds, and every recall would pay them.
        name = f"rcpt_{hashlib.sha256(repr(receipt).encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
        with self._lock:
            self._receipts[name] = receipt
            self._receipts.move_to_end(name)
            if fence := block.removeprefix("<memory ")[:FENCE]:
                self._fences[fence] = name
            while len(self._receipts) > self.kept:
                self._receipts.popitem(last=False)
            while len(self._fences) > self.kept:
                self._fences.popitem(last=False)
        return name

    def under(self, heading: str, namespace: str) -> str:
        """The first segment under a heading (`195c6c0667b2:1`) of a block that was given out; empty where that is not known."""
        fence, _, number = heading.partition(":")
        with self._lock:
            name = self._fences.get(fence, "")
        receipt = self.get(name, namespace)
        rows = receipt.found if receipt is not None else ()
        return min((one.segment for one in rows if one.heading == int(number)), key=_place, default="")

    def get(self, name: str, namespace: str) -> Receipt | None:
        """Only in its own namespace."""
        with self._lock:
            found = self._receipts.get(name)
        return found if found is not None and found.namespace == namespace else None


def _place(segment: str) -> int:
    """Of a segment in its session: seg_SESSION_PLACE."""
    place = segment.rpartition("_")[2]
    return int(place) if place.isdecimal() else 0
