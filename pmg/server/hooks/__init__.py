"""Hooks: what another tool is given, and what is taken in from it, when something happens there."""
