"""The end of a store's day: all of it in the one file.

Knows: that many small sessions leave crumbs in the file, and that merging them is for now and then. Does not know: what is stored.
"""

from __future__ import annotations

import logging

from pmg.errors import StoreError
from pmg.store.duckdb import migrations
from pmg.store.duckdb.database import Database

logger = logging.getLogger(__name__)
CLOSED = "closed"  # the note of how often the store was closed with something to write
MERGE_EVERY = 32


def close(database: Database) -> None:
    try:
        if database.log_bytes():
            _write_out(database)
    except (
        StoreError
    ) as problem:  # a full disk: the log keeps what it holds, and the next one to open the file reads it
        logger.warning("the log beside the store could not be written into it, and is kept: %s", problem)
    finally:
        database.close()


def _write_out(database: Database) -> None:
    closed = int(migrations.get_meta(database, CLOSED) or 0) + 1

    def last() -> None:
        migrations.put_meta(database, CLOSED, str(closed))

    if closed % MERGE_EVERY:
        database.write_out(last)
    else:  # the library merges what it can when nobody reads any more
        with database.writing():
            last()
