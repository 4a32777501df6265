"""When and how what the log holds goes into the file itself.

Knows: that a checkpoint of the library overwrites parts of the file, so that a kill or a power cut in the middle of one can leave a
file that does not open. So the library makes none by itself; ours are made beside a whole copy of file and log (switch.py), which
the next process puts back if this one does not come to the end. A copy costs as much as the file is large: that is why the
log may grow with the file.
"""

from __future__ import annotations

import logging

from pmg.base.errors import DiskFull, StoreError
from pmg.store import disk_space, switch
from pmg.store.duckdb import migrations
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.wal_copy import WalCopy

logger = logging.getLogger(__name__)
CLOSED = "closed"  # the note of how often the store was closed with something to write
WRITTEN = "checkpoints"  # the note of how often the log was written into the file
MERGE_EVERY = 32
WORKING = 16_000_000  # bytes of the log from which it is written out while the store is in use …
_SHARE = 16  # … or this part of the file, if that is more
_SMALL = 64_000_000  # a file up to this size is copied in no time: it holds everything when the store is closed


class Checkpoints:
    """Follows the commits of one open memory."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._busy = False
        self._copy = WalCopy.begin(database.path)
        database.after_commit = self.after_commit
        database.before_switch = self._copy_closed
        database.after_switch = self._copy_begun

    def after_commit(self) -> None:
        """Inside the writer's lock, after the transaction: nobody else writes. What was committed stays so, whatever happens here."""
        if self._busy:
            return
        try:
            self._copy.follow()
            if self._is_large(WORKING):
                self.write_out()
        except (OSError, StoreError) as problem:
            logger.warning("the log of the memory could not be copied or written out: %s", problem)

    def _is_large(self, least: int) -> bool:
        return self._database.log_bytes() >= max(least, self._database.path.stat().st_size // _SHARE)

    def write_out(self, merging: bool = False) -> None:
        """The log into the file, with a whole copy of both beside it until it is done."""
        home = self._database.path.parent
        with self._database.alone():
            try:
                disk_space.require_free(home, self._database.path.stat().st_size + 2 * self._database.log_bytes())
                switch.keep_pair(home)
            except (OSError, DiskFull) as problem:  # no room for a copy: the log goes on growing
                logger.warning("the log stays beside the memory: there is no room for a copy (%s)", problem)
                return
            self._busy = True
            try:
                self._write(merging)
                switch.drop_pair(home)
            except (
                BaseException
            ):  # the copy is what the next process goes on from: nothing may be added to what it undoes
                self._database.refuse_writes("a checkpoint did not come to its end")
                raise
            finally:
                self._busy = False
            self._copy.restart()
            self._copy.follow()

    def _write(self, merging: bool) -> None:
        if merging:
            self._database.merge()
        else:
            counted = int(migrations.get_meta(self._database, WRITTEN) or 0) + 1
            self._database.checkpoint(lambda: migrations.put_meta(self._database, WRITTEN, str(counted)))

    def _copy_closed(self) -> None:
        """Another file takes the memory's place, and the copy of the old one's log goes with it."""
        self._copy.close()

    def _copy_begun(self) -> None:
        self._copy = WalCopy.begin(self._database.path)

    def close(self) -> None:
        try:
            small = self._database.path.stat().st_size <= _SMALL
            if self._database.log_bytes() and (small or self._is_large(0)):
                self._last_write_out()
        except (
            StoreError
        ) as problem:  # a full disk: the log keeps what it holds, and the next to open the file reads it
            logger.warning("the log beside the store could not be written into it, and is kept: %s", problem)
        finally:
            self._database.close()
            self._copy.close()

    def _last_write_out(self) -> None:
        closed = int(migrations.get_meta(self._database, CLOSED) or 0) + 1
        with self._database.writing():
            migrations.put_meta(self._database, CLOSED, str(closed))
        self.write_out(merging=closed % MERGE_EVERY == 0)
