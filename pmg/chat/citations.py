"""Citations in a language model's answer: `[3]` is checked against the memories that stood before it, and what cites nothing is marked.

Knows: how a citation is written and where a sentence ends. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from pmg.answer.sentences import split
from pmg.base.words import STOP_WORDS, count_words
from pmg.chat.responder import Citation, Unsupported

_CITED = re.compile(r"\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\](?!\()")  # "[3](address)" is a link, "[2, 5]" cites two
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)  # `row[3]` in a program cites nothing
_ONLY_CITES = re.compile(r"[\s\W]*(?:\[\d[\d\s,;]*\][\s\W]*)+")
_FENCED = re.compile(r"\[[0-9a-f]{12}:(?=\d{1,3}[\],;])")  # a heading as it stands in a block (recall/fence.py)
_WORD = re.compile(r"[^\W_]+")
# "I do not know when …", "Your memories do not mention …", "Let me know if …": said of the talk itself up to a "but"
_LEAD = r"[\W_]*(?:(?:yes|no|but|and|well|however|unfortunately|sorry|so|i['’]m (?:sorry|afraid)|ja|nein|aber|und|leider|based on (?:your|the|these) memories|aus (?:deinen|den) erinnerungen)\b[\s,]*(?:that |dass )?)*"
_MEMORIES = r"(?:(?:your|the|these|my|any|deine[nr]?|meine[nr]?|den|die) )?(?:memor(?:y|ies)|erinnerung(?:en)?|conversations?|notes|gesprächen?)"
_KNOWS_NOT = (
    r"i (?:do not|don['’]t) (?:know|have|see|find|recall|remember)|i (?:can(?:not|['’]t)|could not|couldn['’]t|am unable to|was unable to) (?:find|say|tell|see|help|answer|confirm)|"
    r"i (?:have|found|see) (?:no|nothing)|i(?:['’]m| am) not (?:sure|certain|aware)|there(?:['’]s| is| are) (?:no|nothing) [^,.;:]*(?:memor|mention|record|information)|"
    rf"{_MEMORIES} (?:(?:do|does|did) not|don['’]t|doesn['’]t|didn['’]t) (?:say|tell|mention|contain|include|show)|nothing in {_MEMORIES}|no memor(?:y|ies) (?:of|about|tells?|says?|mentions?)|"
    r"(?:please )?let me know|(?:i )?hope (?:this|that|it) helps|(?:please )?feel free|"
    r"(?:das |dazu |darüber )?wei(?:ß|ss) ich (?:es |das |leider |aus \w+ \w+ )*nicht|ich wei(?:ß|ss) (?:es |das |leider |aus \w+ \w+ )*nicht|"
    r"ich (?:kann|konnte) (?:\w+ ){0,3}(?:nicht|nichts|keine?n?)\b|ich (?:finde|habe|sehe) (?:\w+ ){0,3}(?:nichts|keine?n? (?:erinnerung|information|hinweis|angabe|eintrag|einträge)\w*)|"
    rf"(?:(?:dazu|darüber|davon) )?(?:finde|habe|sehe|kenne|weiß) ich (?:leider |dazu |darüber |davon )*(?:nichts|keine)|(?:dazu|darüber|davon) steht (?:leider )?nichts|in {_MEMORIES} steht (?:\w+ ){{0,2}}nichts|"
    rf"{_MEMORIES} (?:sagen|enthalten|erwähnen) (?:\w+ ){{0,3}}(?:nichts|nicht|keine)|(?:bitte )?(?:sag|gib|frag)\w* (?:mir )?(?:gerne? )?(?:bescheid|einfach|nach)|ich hoffe,? das hilft"
)
# "Of course!", "Here is what I found:": up to the end of the clause
_POLITE = (
    r"(?:i(?:['’]m| am) )?(?:so |very )?sorry(?: about that| for \w+ \w+)?|my apologies|of course|sure(?: thing)?|certainly|no problem|good (?:question|luck)|thank(?:s| you)(?: for \w+)?|"
    r"(?:that(?:['’]s| is) )?(?:right|correct)|you(?:['’]re| are) (?:very |most )?welcome|(?:i(?:['’]m| am|['’]d be| would be) )?(?:always )?(?:happy|glad) to (?:help|assist)[^,;:.!\d]*|"
    r"here (?:you (?:go|are)|it is)|here(?:['’]s| is| are) (?:what [^,;:.!\d]*|(?:a |an |the |your )?(?:short |brief |quick )?(?:summary|list|overview|answer)[^,;:.!\d]*)|"
    r"(?:es )?tut mir (?:sehr )?leid|(?:sehr )?gerne?(?: geschehen)?|bitte(?: sehr| schön)?|kein problem|natürlich|klar|genau|richtig|(?:das )?stimmt|gute frage|viel glück|"
    r"hier (?:ist|sind) (?:was [^,;:.!\d]*|(?:eine |die |deine )?(?:kurze )?(?:zusammenfassung|liste|übersicht)[^,;:.!\d]*)"
)
_OF_THE_TALK = re.compile(
    rf"{_LEAD}(?:(?:{_KNOWS_NOT})\b(?:(?!\b(?:but|however|aber|jedoch)\b|[;:–—]).)*|(?:{_POLITE})(?=\s*[,;:.!–—]|\s*$))",
    re.IGNORECASE | re.DOTALL,
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
    said = _CODE.sub(lambda code: " " * len(code[0]), text)
    return [(start, end) for start, end in _sentences(text) if _says_something(said[start:end])]


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
    """ "Yes." and a heading claim nothing that needs a memory, nor does what is said of the talk: "Sorry, I do not know." What follows it may: "Of course, it is at nine"."""
    if count_words(piece) < 2 or piece.rstrip().endswith(("?", ":")):
        return False
    rest = _CITED.sub("", piece)
    while said := _OF_THE_TALK.match(rest):
        rest = rest[said.end() :]
    return any(word.lower() not in STOP_WORDS for word in _WORD.findall(rest))
