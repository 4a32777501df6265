"""How much a turn is worth keeping fresh, judged when it is written, without a language model.

Knows: a number from 0 to 1 made of five things a person would name too: how much is said, how specific it is (numbers, names,
code, rare long words), how varied the words are, how little of it is small talk, and whether it states something about somebody
rather than only asking. Does not know: use over time; the steward combines this with hits and age.
"""

from __future__ import annotations

import math
import re

from pmg.model import Line

READ = 1_500  # characters: length and detail are judged by then, and an import of years is not slowed by long answers
LEAST = 0.02  # any word at all is more than none
_WORD = re.compile(r"[^\W_]+(?:[_'’.-]+[^\W_]+)*")
_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")  # scripts without spaces
_JOINTS = "_'.-"  # inside a word they hold it together
_APART = {code: ord(chr(code).lower()) if chr(code).isalnum() or chr(code) in _JOINTS else 32 for code in range(128)}
_BLANKS = bytes(32 if code == 10 else code for code in range(256))
_PLAIN = bytes(
    {*range(256)} - {*b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/@#` \n"}
)  # a word of nothing else is not specific
_SPECIFIC = re.compile(r"\d+(?:[.,:/-]\d+)*|[a-z]+[A-Z]\w*|\w+[_/@#]\w+|```")
_NAME = re.compile(r"[A-Z](?<=[a-z,;] .)[\w'’-]+")
_ASKED = re.compile(r"[?？]+")
_TOLD = re.compile(r"[.!。！\n]+")
_PLAIN_ASKED, _PLAIN_TOLD = re.compile(r"\?+"), re.compile(r"[.!\n]+")
_SOMEBODY = frozenset(
    "i we he she they my our his her their i'm i've i'll we're we've we'll he's she's they're who name".split()
)
_STATES = frozenset(
    """am is are was were have has had live lives lived work works worked move moved bought decided prefer prefers hate hates love
    loves like likes need needs want wants plan plans planned agreed started quit born married allergic will always never must i'm
    i've i'll we're we've we'll he's she's they're called because instead remember deadline""".split()
)
_SMALL_TALK = frozenset(
    """hi hello hey thanks thank you ok okay yes no sure great good bye goodbye please sorry lol haha hahaha cool nice wow morning
    night welcome yeah yep nope right fine alright hmm um uh oh well the a an i it is that this so and to of in on at for be are was
    were do does did can could would will how what help today let me know more anything else i'm it's that's you're your happy see
    later talk soon really very just so funny awesome perfect amazing got understood absolutely certainly course any questions feel
    free ask glad sounds continue go ahead next too there here have has with my we if or not""".split()
)


def quality(lines: tuple[Line, ...]) -> float:
    """0.3 length + 0.3 specificity + 0.15 variety + 0.1 substance + 0.15 statement, each from 0 to 1 and saturating."""
    text = "\n".join(line.text for line in lines)[:READ]
    lower = _words(text)
    if not lower:
        return 0.0
    telling = [word for word in lower if word not in _SMALL_TALK]
    different = set(telling)
    distinct = len(different)
    length = min(1.0, math.log2(1 + distinct) / math.log2(1 + 90))  # said twice is not said more
    specific = min(1.0, _specific(text) / 6 + sum(8 < len(w) < 25 for w in different) / 20)
    variety = distinct / len(telling) * min(1.0, distinct / 6) if telling else 0.0
    substance = len(telling) / len(lower)
    parts = (0.3 * length, 0.3 * specific, 0.15 * variety, 0.1 * substance, 0.15 * _stated(text, lower))
    return round(max(LEAST, sum(parts) * min(1.0, distinct / 3)), 4)


def _words(text: str) -> list[str]:
    """Words in small letters; two characters of a script without spaces count as one."""
    if text.isascii():  # the same as the pattern, four times as fast
        return [word for part in text.translate(_APART).split() if (word := part.strip(_JOINTS))]
    dense = _DENSE.findall(text)
    pairs = ["".join(dense[at : at + 2]) for at in range(0, len(dense), 2)]
    return [word.lower() for word in _WORD.findall(_DENSE.sub(" ", text) if dense else text)] + pairs


def _specific(text: str) -> int:
    """How many different numbers, names in mid-sentence, code words and paths. Plain lower-case words are never looked into."""
    tokens = text.replace("\n", " ").split(" ")
    marks = text.encode("utf-8", "replace").translate(_BLANKS, _PLAIN).split(b" ")
    likely = [token for token, mark in zip(tokens, marks, strict=True) if mark]
    return len({*_SPECIFIC.findall(" ".join(likely)), *_NAME.findall(text)})


def _stated(text: str, words: list[str]) -> float:
    """Which part of the sentences tell something rather than ask; more if somebody is told of."""
    text = text.strip()
    asks, tells = (_PLAIN_ASKED, _PLAIN_TOLD) if text.isascii() else (_ASKED, _TOLD)
    asked = len(asks.findall(text))
    sentences = max(asked + len(tells.findall(text)), 1)
    if asked >= sentences:
        return 0.0
    said = set(words)
    somebody = not said.isdisjoint(_SOMEBODY) and not said.isdisjoint(_STATES)
    return (1.0 if somebody else 0.5) * (1.0 - asked / sentences / 2)
