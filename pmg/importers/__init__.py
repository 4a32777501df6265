"""Imports: files, folders and archives of any platform into the memory.

`platforms/` holds one reader for each platform, `reading/` the machinery under them (archives, encodings, JSON of any
size, times), `detect.py` finds which reader claims a file, `read.py` goes through the paths. `turns.py` makes sessions
and turns of conversations, `import_run.py` compares them with what is stored and writes what is new.
"""
