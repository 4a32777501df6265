"""Claude Code: its JSONL transcripts, and what the program adds to messages."""
