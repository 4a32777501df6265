"""Answers without a language model: one path for the chat, `pmg ask`, REST and MCP."""
