"""The tests, and the processes they start from here: one thread each for the database and for arithmetic.

The suite has a worker for every core already: a second thread for a handful of rows costs a third more than it brings, and one that multiplies matrices
goes on turning for a while after each, in case there is another.
"""

import os

for _library in ("OMP", "OPENBLAS"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")  # read when the library is loaded: so before all others

from pmg.store.duckdb import database  # noqa: E402

database._SETTINGS["threads"] = "1"
