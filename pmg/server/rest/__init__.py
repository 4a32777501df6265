"""REST: the engine's verbs as JSON under /api/v1 (app.py), and the paths between the command line and its server (process.py)."""
