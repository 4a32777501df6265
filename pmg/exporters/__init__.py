"""A memory out again: Markdown for people, JSON lines for another PMG, tables for analysis, one page to read.

Knows: `export`, the one verb. Each form has a file of its own; none of them changes the memory.
"""

from __future__ import annotations
