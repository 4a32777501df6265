"""The machinery under every reader: archives, encodings, JSON of any size, tables, times. No platform is known here."""
