"""The receipts of the last recalls, kept so that a caller can ask why. They go with the process."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict

from pmg.recall.receipt import Receipt

MAX_RECEIPTS = 200


class ReceiptCache:
    """Thread-safe; the same recall has the same id."""

    def __init__(self, kept: int = MAX_RECEIPTS) -> None:
        self.kept = kept
        self._receipts: OrderedDict[str, Receipt] = OrderedDict()
        self._lock = threading.Lock()

    def put(self, receipt: Receipt) -> str:
        # By what it shows of itself: making a dictionary of it takes several milliseconds, and every recall would pay them.
        name = f"rcpt_{hashlib.sha256(repr(receipt).encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
        with self._lock:
            self._receipts[name] = receipt
            self._receipts.move_to_end(name)
            while len(self._receipts) > self.kept:
                self._receipts.popitem(last=False)
        return name

    def get(self, name: str, namespace: str) -> Receipt | None:
        """Only behind its own wall."""
        with self._lock:
            found = self._receipts.get(name)
        return found if found is not None and found.namespace == namespace else None
