"""A running server's memory from Python: `pmg.connect()`. The server's end is pmg/server/rest."""
