"""VS Code and its kin: Copilot's chat sessions, and the state databases of VS Code and Cursor."""
