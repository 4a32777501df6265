"""How the reader is taught: data, teaching, export and its figures. No wheel holds this."""
