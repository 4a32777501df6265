"""MCP: the memory as tools, resources and prompts for other programs. app.py puts it together; stdio is ../stdio_pump.py."""
