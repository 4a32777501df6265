"""A question about oneself that takes for granted what one never told: the chat says so before it shows what comes near.

Knows: when to say it, and in which words. What was never told is found by pmg/people/unmentioned.py; our sentence has no word of a memory, only the question's own.
"""

from __future__ import annotations

from pmg.chat.phrases import KEIN_WORT_VON, NO_WORD_OF, OF_ANOTHER, VON_ANDEREN, german
from pmg.chat.responder import Evidence, Tone
from pmg.people.answer import Asked


def never_told(question: str, asked: Asked, found: Evidence) -> str:
    """The sentence; "" where nothing is taken for granted in vain, or where a quote surely answers. It speaks of the word alone: what is asked for may have
    been told under another name (a labrador, a Golf), so what comes nearest is shown with it."""
    if not asked.unmentioned or found.tone is Tone.SURE:
        return ""
    word, has_line = asked.unmentioned, bool(asked.lines or found.quotes)
    if german(question):
        return f"{KEIN_WORT_VON}{word}“ steht nichts in dem, was du erzählt hast." + (
            " Am nächsten kommt:" if has_line else ""
        )
    return f"{NO_WORD_OF}{word}” in what you told." + (" What comes nearest:" if has_line else "")


def of_another(question: str) -> str:
    """Asked of oneself, told of somebody else."""
    if german(question):
        return VON_ANDEREN
    return OF_ANOTHER
