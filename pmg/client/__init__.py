"""A running server's memory from Python: `pmg.connect()`, and where that server is. The server's end is pmg/server/rest."""
