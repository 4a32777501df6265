"""Bring a history in: files, folders and archives of any platform into conversations, sittings and turns.

`read.read(paths)` gives conversations and problems, one at a time; `turns.sittings(conversation)` gives what a memory
takes in. Knows: formats. Does not know: the engine; nothing here writes anywhere.
"""
