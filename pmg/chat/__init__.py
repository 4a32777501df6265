"""The chat: who answers, from what, and how a turn of it is kept. `responder.py` has the interface, `turn.py` one turn."""
