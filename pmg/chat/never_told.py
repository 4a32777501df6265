"""A question about oneself that takes for granted what one never told: the chat says so before it shows what comes near.

Knows: when to say it, and in which words. What was never told is found by pmg/people/unmentioned.py; our sentence has no word of a memory, only the question's own.
"""

from __future__ import annotations

from pmg.chat.phrases import german
from pmg.chat.responder import Evidence, Tone
from pmg.people.answer import Asked


def never_told(question: str, asked: Asked, found: Evidence) -> str:
    """The sentence; "" where nothing is taken for granted in vain, or where a quote surely answers."""
    if not asked.unmentioned or found.tone is Tone.SURE:
        return ""
    word, has_line = asked.unmentioned, bool(asked.lines)
    if german(question):
        return f"Von „{word}“ hast du nichts erzählt, soweit dein Gedächtnis weiß." + (
            " Darin steht:" if has_line else ""
        )
    return f"You told nothing of “{word}”, as far as your memory knows." + (" It says:" if has_line else "")
