"""What a short question leans on: "Why?", "and when was that?", "and Lena?", "what about dad's?" say little without what was asked before.

Knows: the form of a message that leans, and how it reads with the question before it. Whom a pronoun means is left to the search: the question before is looked for
together with this one. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pmg.answer.message import MessageKind, is_small_talk, kind_of
from pmg.answer.sentences import split
from pmg.base.patterns import IGNORECASE, short
from pmg.base.sentences import asks
from pmg.base.words import STOP_WORDS
from pmg.ingest.asked import only_asks, told_part

_WORD = short(r"[^\W_]+(?:['’][^\W_]+)?")
_POINTS_BACK = frozenset(
    """it that this they them he she him her his hers its their theirs there then one ones es das er sie ihn ihm ihr ihre ihren ihrem ihrer sein seine seinen seinem
    seiner dort dann damals davon daran""".split()
)
_ASKS = frozenset(
    """who what when where which whose whom why how is are was were am do does did has have had can could will would should wer was wann wo wen wem wessen warum wieso weshalb
    wie welche welcher welches wohin woher ist sind war waren hat hatte habe wird kann muss exactly again else more mehr noch nochmal denn""".split()
)
# "And Lena?", "what about dad's?", "und meine Schwester?": the same is asked of another.
_INSTEAD = short(
    r"\W*(?P<and>(?:and|und|or|oder|but|aber)[,\s]+)?(?P<about>(?:what|how) about\s+|was ist mit\s+|wie (?:ist|steht) es mit\s+)?"
    r"(?:(?:for|with|in|on|at|für|mit|bei|am|im)\s+)?(?P<named>[^\n?!;:.,]{1,60}?)\s*\?*\W*$",
    IGNORECASE,
)
_OWNER = short(r"\b(?:[A-ZÄÖÜ][\w-]+|(?:my|our|mein\w*|unser\w*)\s+\w+)['’]s\b|\b[A-ZÄÖÜ][\w-]+s['’]")
_NAME = short(r"(?<=\w )[A-ZÄÖÜ][\w-]+(?: [A-ZÄÖÜ][\w-]+)*")
_THING = short(r"\b(?:my|our|the|mein\w*|unser\w*|de[rmn]|die|das)\s+[\w-]+", IGNORECASE)
MIN_WORDS = 3  # words that say something: a question with less may lean on the one before it
MAX_NAMED = 5  # words of what is asked about instead: more are a sentence
MAX_LEANING = 400  # characters of a question that may lean on another
MAX_MIXED = 2_000  # characters of a message that tells and asks: in a longer one the question is about all of it
MAX_EARLIER = 20  # messages of the talk that are read


@dataclass(frozen=True, slots=True)
class StandaloneQuestion:
    """`asked` says what is wanted, `about` what it was asked after where it leans on that."""

    asked: str
    about: str = ""

    @property
    def leans(self) -> bool:
        return bool(self.about)

    @property
    def search(self) -> str:
        """What to look for: the matter first, then the new question."""
        return f"{self.about}\n{self.asked}" if self.about else self.asked


def standalone(text: str, earlier: Sequence[str]) -> StandaloneQuestion:
    """The message as it would be asked to somebody who did not hear the conversation. What it tells before it asks was said before, too."""
    told, text = _told_and_asked(text)
    before = ""
    for said in [*earlier, *([told] if told else [])][-MAX_EARLIER:]:
        if not is_small_talk(said):
            before = _resolved(said, before).search.partition("\n")[0]
    return _resolved(text, before)


def _told_and_asked(text: str) -> tuple[str, str]:
    """ "I sing alto now. When is the concert?" in its two halves; the first is "" where a message only asks or only tells, or is long."""
    if len(text) > MAX_MIXED or not asks(text):
        return "", text
    parts = [part for start, end in split(text) if (part := text[start:end].strip())]
    halves = [
        (first, part[len(first) :].lstrip(" ,-–—")) if (first := told_part(part)) else ("", part) for part in parts
    ]
    asked = [second for _, second in halves if only_asks(second)]
    told = [half for first, second in halves for half in (first, "" if only_asks(second) else second) if half]
    return (" ".join(told), " ".join(asked)) if asked and told else ("", text)


def _resolved(text: str, before: str) -> StandaloneQuestion:
    if not before or len(text) > MAX_LEANING or kind_of(text) not in (MessageKind.QUESTION, MessageKind.SEARCH):
        return StandaloneQuestion(text)
    named = named_instead(text)
    if named:
        return StandaloneQuestion(_of_another(before, named))
    return StandaloneQuestion(text, before) if leans(text) else StandaloneQuestion(text)


def leans(text: str) -> bool:
    """Few words of its own, and none or one that points back."""
    words = [word.lower() for word in _WORD.findall(text)]
    telling = [word for word in words if word not in STOP_WORDS | _POINTS_BACK | _ASKS]
    points = words[:1] in (["and"], ["und"]) or not _POINTS_BACK.isdisjoint(words)
    return not telling or (points and len(telling) < MIN_WORDS)


def named_instead(text: str) -> str:
    """Of whom or what "and …?" and "what about …?" ask the same; "" where they do not."""
    found = _INSTEAD.match(text.strip())
    if found is None or not (found["and"] or found["about"]):
        return ""
    words = [word.lower() for word in _WORD.findall(found["named"])]
    says_something = not set(words) <= STOP_WORDS | _ASKS | _POINTS_BACK
    return found["named"].strip() if says_something and len(words) <= MAX_NAMED and _ASKS.isdisjoint(words) else ""


def _of_another(before: str, named: str) -> str:
    """The question before with this in the place of its counterpart: an owner for an owner, a name for a name, a thing for a thing; behind it where it has none."""
    of = named if named.endswith(("'s", "’s", "s'", "s’")) else f"{named}'s"
    for pattern, instead in ((_OWNER, of), (_NAME, named), (_THING, named)):
        places = list(pattern.finditer(before))
        if places:
            last = places[-1]
            return f"{before[: last.start()]}{instead}{before[last.end() :]}"
    return f"{before} {named}"
