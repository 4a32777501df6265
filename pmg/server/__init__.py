"""The server: one process, one ASGI app. Whoever comes in passes the guard; the page, REST and what follows stand behind it."""
