"""How much a turn is worth keeping fresh, judged when it is written, without a language model.

Knows: a number from 0 to 1 made of five things a person would name too: how much is said, how specific it is (numbers, names,
code, rare long words), how varied the words are, how little of it is small talk, and whether it states something about somebody
rather than only asking. Does not know: use over time; the steward combines this with hits and age.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pmg.base.model import Line
from pmg.base.patterns import plain, short

READ = 1_500  # characters: length and detail are judged by then, and an import of years is not slowed by long answers
MIN_SCORE = 0.02  # any word at all is more than none
JOINTS = "_'’.-"  # inside a word they hold it together
DENSE = plain(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")  # scripts without spaces
SPECIFIC = short(r"\d+(?:[.,:/-]\d+)*|[a-z]+[A-Z]\w*|\w+[_/@#]\w+|```")
_LIKELY = plain(r"[A-Z0-9_/@#`]")  # a word without any of these is not looked into
_NAME = plain(r"[A-Z](?<=[a-z,;] .)[\w'’-]+")  # a capital in mid-sentence
_WORD = plain(r"[^\W_]+(?:[_'’.-]+[^\W_]+)*")
_ASKED = plain(r"[?？]+")
_TOLD = plain(r"[.!。！\n]+")
SOMEBODY = frozenset(
    "i we he she they my our his her their i'm i've i'll we're we've we'll he's she's they're who name".split()
)
STATES = frozenset(
    """am is are was were have has had live lives lived work works worked move moved bought decided prefer prefers hate hates love
    loves like likes need needs want wants plan plans planned agreed started quit born married allergic will always never must i'm
    i've i'll we're we've we'll he's she's they're called because instead remember deadline""".split()
)
SMALL_TALK = frozenset(
    """hi hello hey thanks thank you ok okay yes no sure great good bye goodbye please sorry lol haha hahaha cool nice wow morning
    night welcome yeah yep nope right fine alright hmm um uh oh well the a an i it is that this so and to of in on at for be are was
    were do does did can could would will how what help today let me know more anything else i'm it's that's you're your happy see
    later talk soon really very just so funny awesome perfect amazing got understood absolutely certainly course any questions feel
    free ask glad sounds continue go ahead next too there here have has with my we if or not""".split()
)


@dataclass(frozen=True, slots=True)
class TurnCounts:
    """What is counted of a turn's beginning."""

    words: int
    telling: int  # words that are no small talk
    distinct: int  # different ones of these
    long: int  # different ones of these that are long, as rare words are
    specific: int  # different numbers, names, code words and paths
    asked: int  # sentences that ask
    told: int  # sentences that do not
    of_somebody: bool  # says what somebody is, has or does


def quality(lines: tuple[Line, ...]) -> float:
    """One turn's; `qualities` judges many at once, to the same numbers."""
    text = beginning(lines)
    lower = _words(text)
    telling = [word for word in lower if word not in SMALL_TALK]
    different, said = set(telling), set(lower)
    return score(
        TurnCounts(
            words=len(lower),
            telling=len(telling),
            distinct=len(different),
            long=sum(8 < len(word) < 25 for word in different),
            specific=_specific(text),
            asked=len(_ASKED.findall(text.strip())),
            told=len(_TOLD.findall(text.strip())),
            of_somebody=not said.isdisjoint(SOMEBODY) and not said.isdisjoint(STATES),
        )
    )


def beginning(lines: tuple[Line, ...]) -> str:
    return "\n".join([line.text for line in lines])[:READ]


def score(counts: TurnCounts) -> float:
    """0.3 length + 0.3 specificity + 0.15 variety + 0.1 substance + 0.15 statement, each from 0 to 1 and saturating."""
    if not counts.words:
        return 0.0
    distinct, telling = counts.distinct, counts.telling
    length = min(1.0, math.log2(1 + distinct) / math.log2(1 + 90))  # said twice is not said more
    specific = min(1.0, counts.specific / 6 + counts.long / 20)
    variety = distinct / telling * min(1.0, distinct / 6) if telling else 0.0
    substance = telling / counts.words
    parts = (0.3 * length, 0.3 * specific, 0.15 * variety, 0.1 * substance, 0.15 * _stated(counts))
    return round(max(MIN_SCORE, sum(parts) * min(1.0, distinct / 3)), 4)


def _words(text: str) -> list[str]:
    """Words in small letters; two characters of a script without spaces count as one."""
    dense = DENSE.findall(text)
    return [word.lower() for word in _WORD.findall(DENSE.sub(" ", text) if dense else text)] + pairs(dense)


def pairs(dense: list[str]) -> list[str]:
    return ["".join(dense[at : at + 2]) for at in range(0, len(dense), 2)]


def _specific(text: str) -> int:
    """How many different numbers, names in mid-sentence, code words and paths."""
    likely = [token for token in text.replace("\n", " ").split(" ") if _LIKELY.search(token)]
    return len({*SPECIFIC.findall(" ".join(likely)), *_NAME.findall(text)})


def _stated(counts: TurnCounts) -> float:
    """Which part of the sentences tell something rather than ask; more if somebody is told of."""
    sentences = max(counts.asked + counts.told, 1)
    if counts.asked >= sentences:
        return 0.0
    return (1.0 if counts.of_somebody else 0.5) * (1.0 - counts.asked / sentences / 2)
