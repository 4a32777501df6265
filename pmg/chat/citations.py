"""Citations in a language model's answer: `[3]` is checked against the memories that stood before it, and what cites nothing is marked.

Knows: how a citation is written and where a sentence ends. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from pmg.chat.responder import Citation, Unsupported
from pmg.chat.sentences import split
from pmg.words import STOP_WORDS, count_words

_CITED = re.compile(r"\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\](?!\()")  # "[3](address)" is a link, "[2, 5]" cites two
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)  # `row[3]` in a program cites nothing
_ONLY_CITES = re.compile(r"[\s\W]*(?:\[\d[\d\s,;]*\][\s\W]*)+")
_FENCED = re.compile(r"\[[0-9a-f]{12}:(?=\d{1,3}[\],;])")  # a heading as it stands in a block (recall/fence.py)
_WORD = re.compile(r"[^\W_]+")
# "I do not know.", "Happy to help!", "Let me know if …": said of the talk itself, and of nothing that a memory could hold
_OF_THE_TALK = re.compile(
    r"\b(?:i (?:do not|don['’]t|can(?:not|['’]t)|could not|couldn['’]t|have no|am (?:not|sorry)|found no)|i['’]m (?:not|sorry|afraid)|sorry|"
    r"let me know|glad to|happy to|hope (?:this|that|it)|welcome|of course|here (?:you|is|are|it)|no problem|"
    r"ich (?:weiß|kann|finde|habe) \w* ?(?:nicht|keine?n?|nichts)|tut mir leid|gerne?|bitte)\b",
    re.IGNORECASE,
)


def with_plain_numbers(text: str) -> str:
    """A model may copy the whole heading of a memory where its number is wanted."""
    return _FENCED.sub("[", text)


def numbers_in(text: str) -> list[int]:
    """Each cited number once, in the order of the text."""
    found = (int(number) for cited in _CITED.findall(_CODE.sub(" ", text)) for number in re.findall(r"\d+", cited))
    return list(dict.fromkeys(found))


def cited(
    text: str, sources: Mapping[int, Sequence[str]], shares: Callable[[str, str], int] | None = None
) -> tuple[Citation, ...]:
    """The citations of an answer. `sources` are the memories it was shown, by their numbers; of several under one number the one meant is that of which
    what cites it says most: `shares` tells how much a sentence shares with a memory."""
    return tuple(Citation(number, _meant(number, sources.get(number, ()), text, shares)) for number in numbers_in(text))


def _meant(number: int, memories: Sequence[str], text: str, shares: Callable[[str, str], int] | None) -> str:
    if len(memories) < 2 or shares is None:
        return memories[0] if memories else ""
    said = [text[start:end] for start, end in _sentences(text) if number in numbers_in(text[start:end])]
    return max(memories, key=lambda memory: sum(shares(without_numbers(one), memory) for one in said))


def unsupported(text: str, citations: Sequence[Citation]) -> tuple[Unsupported, ...]:
    """The sentences that say something and cite no memory that was there. A citation after a full stop belongs to what it follows."""
    known = {citation.number for citation in citations if citation.known}
    return tuple(
        Unsupported(start, end)
        for start, end in telling_sentences(text)
        if known.isdisjoint(numbers_in(text[start:end]))
    )


def telling_sentences(text: str) -> list[tuple[int, int]]:
    """The sentences that say something, each with the citations that belong to it. A program says nothing of anybody."""
    return [(start, end) for start, end in _sentences(text) if _says_something(_without_code(text, start, end))]


def _without_code(text: str, start: int, end: int) -> str:
    """The sentence without what of it stands in code, wherever that begins and ends."""
    codes = [found.span() for found in _CODE.finditer(text) if found.start() < end and start < found.end()]
    return "".join(char for at, char in enumerate(text[start:end], start) if not any(a <= at < b for a, b in codes))


def without_numbers(text: str) -> str:
    return _CITED.sub(" ", text)


def _sentences(text: str) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in split(text):
        lead = _ONLY_CITES.match(text[start:end])
        if joined and lead is not None:  # "It is 5 mg. [2] The next": the number belongs to what stands before it
            joined[-1] = (joined[-1][0], start + lead.end())
            start += lead.end()
        if text[start:end].strip():
            joined.append((start, end))
    return joined


def _says_something(piece: str) -> bool:
    """ "Yes." and a heading claim nothing that needs a memory."""
    words = [word.lower() for word in _WORD.findall(_CITED.sub("", piece))]
    if count_words(piece) < 2 or piece.rstrip().endswith(("?", ":")) or _OF_THE_TALK.search(piece):
        return False
    return any(word not in STOP_WORDS for word in words)
