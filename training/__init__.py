"""How the reader is taught: data, teaching, export and its figures. No wheel holds this; docs/reader.md is the card of what came of it."""
