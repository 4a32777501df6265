"""The ground that every room stands on: nouns, errors, text, times, files and progress. It imports nothing of ours but itself."""
