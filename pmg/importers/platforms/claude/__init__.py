"""Anthropic's Claude: conversations, projects and memories, and the content blocks that Claude Code shares."""
