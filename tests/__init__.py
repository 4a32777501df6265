"""The tests, and the processes they start from here: one thread each for the database.

The suite has a worker for every core already: a second thread for a handful of rows costs a third more than it brings.
"""

from pmg.store.duckdb import database

database._SETTINGS["threads"] = "1"
