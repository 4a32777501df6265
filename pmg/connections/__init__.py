"""Other AI tools on this machine: where each keeps its MCP servers, and how ours is put there and taken out again; which token each has, and what
it asked."""
