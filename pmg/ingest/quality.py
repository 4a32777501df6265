"""How much a turn is worth keeping fresh, judged when it is written, without a language model.

Knows: a number from 0 to 1 made of five things a person would name too: how much is said, how specific it is (numbers, names,
code, rare long words), how varied the words are, how little of it is small talk, and whether it states something about somebody
rather than only asking. Does not know: use over time; the steward combines this with hits and age.
"""

from __future__ import annotations

import math
import re

from pmg.model import Line

READ = 20_000  # characters: what is not said in these is not said better later
LEAST = 0.02  # any word at all is more than none
_WORD = re.compile(r"[^\W_]+(?:[_'’.-]+[^\W_]+)*")
_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")  # scripts without spaces
_SPECIFIC = re.compile(r"\d+(?:[.,:/-]\d+)*|[a-z]+[A-Z]\w*|\w+[_/@#]\w+|```|(?<=[a-z,;] )[A-Z][\w'’-]+")
_ENDS = re.compile(r"[.!。！\n?？]+")
_LEADS = frozenset("abcdefghijklmnopqrstuvwxyz,;")
_PUNCTUATION = ".,;:!?)\"'…"
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
    lower = _words(text.lower()) if text.isascii() else [word.lower() for word in _words(text)]
    if not lower:
        return 0.0
    telling = [word for word in lower if word not in _SMALL_TALK]
    different = set(telling)
    distinct = len(different)
    length = min(1.0, math.log2(1 + distinct) / math.log2(1 + 90))  # said twice is not said more
    specific = min(1.0, len(_specific(text)) / 6 + sum(8 < len(w) < 25 for w in different) / 20)
    variety = distinct / len(telling) * min(1.0, distinct / 6) if telling else 0.0
    substance = len(telling) / len(lower)
    parts = (0.3 * length, 0.3 * specific, 0.15 * variety, 0.1 * substance, 0.15 * _stated(text, lower))
    return round(max(LEAST, sum(parts) * min(1.0, distinct / 3)), 4)


def _words(text: str) -> list[str]:
    """Words; two characters of a script without spaces count as one."""
    dense = [] if text.isascii() else _DENSE.findall(text)
    pairs = ["".join(dense[at : at + 2]) for at in range(0, len(dense), 2)]
    return _WORD.findall(_DENSE.sub(" ", text) if dense else text) + pairs


def _specific(text: str) -> set[str]:
    """What _SPECIFIC finds. No match holds a space, and plain lower-case words hold none: most of a text is never searched."""
    likely = []
    before = ""
    for token in text.split(" "):
        core = token.rstrip(_PUNCTUATION)
        if not (core.isalpha() and core.islower()):
            # The one thing that counts of the word before: a name in mid-sentence follows a small letter or a comma.
            likely.append(f"{before[-1:]} {token}" if before[-1:] in _LEADS else token)
        before = token
    return set(_SPECIFIC.findall("\t".join(likely)))


def _stated(text: str, words: list[str]) -> float:
    """Which part of the sentences tell something rather than ask; more if somebody is told of."""
    runs = [end.replace("？", "?") for end in _ENDS.findall(text.strip())]
    kinds: list[bool] = [kind for run in runs for kind in ((run[0] == "?",) if len(run) == 1 else _kinds(run))]
    asked: int = sum(kinds)
    sentences = max(len(kinds), 1)
    if asked >= sentences:
        return 0.0
    said = set(words)
    somebody = not said.isdisjoint(_SOMEBODY) and not said.isdisjoint(_STATES)
    return (1.0 if somebody else 0.5) * (1.0 - asked / sentences / 2)


def _kinds(run: str) -> list[bool]:
    """Of a run of marks, what each stretch of one sort is: "?!" asks and tells."""
    marks = [mark == "?" for mark in run]
    return [mark for at, mark in enumerate(marks) if at == 0 or mark != marks[at - 1]]
