"""Reads a question together with lines of memory: does a line answer, which of its words do, and what does a later line do to an earlier one."""
