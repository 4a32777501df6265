"""Is a turn only a question? What somebody asks is history, not a memory, where no answer says anything: it tells nothing that could be recalled.

What a sentence wants is learnt (intent.py). `judged` is asked of every turn that is written, whatever door it came through; the chat with PMG itself, whose answers
quote what is remembered, says more of its own (`asked_mark`). Between people a question and the next turn belong together: those are not judged. In doubt something
was told: a question that is kept is a nuisance, a memory that is not found is a loss.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pmg.base import patterns
from pmg.base.model import Line, Role
from pmg.base.sentences import asks as has_mark
from pmg.base.sentences import pieces
from pmg.base.words import count_words
from pmg.ingest.intent import TALK, Intent, chance, intent, talks

ASKED, YES = "asked", "yes"  # of a turn's meta
OWN_WORDS = 30  # of an answer, beside its references: more than the frame around quotes, so somebody said something
MAX_READ = 1_000  # characters of a sentence in which something may be told before it asks
MIN_TOLD = 4  # words: fewer call somebody, or say of what is asked
MAX_ANSWER = 400  # characters: a longer answer says something
SURE, UNMARKED = (
    0.6,
    0.95,
)  # the chance of a question from which on nothing is taken to be told: with its mark, and without
DOUBT = 0.2  # the chance that something is told from which on it is kept
QUESTIONS = (Intent.QUESTION, Intent.AHEAD, Intent.HAPPENED, Intent.SAID)
_CLAUSE_ENDS = patterns.short(r",\s+|\s[-–—]\s+")


def sentences(text: str) -> list[str]:
    """Those that have a word or ask by their mark alone. A number with a full stop ends none: "am 1. März"."""
    found: list[list[str]] = []  # the pieces of each
    last = ""
    for start, end in pieces(text):
        goes_on = last[-1:] == "." and last[-2:-1].isdecimal()
        last = text[start:end].strip()
        if goes_on:
            found[-1].append(last)
        else:
            found.append([last])
    return [one for one in map(" ".join, found) if has_mark(one) or any(letter.isalnum() for letter in one)]


def only_asks(text: str) -> bool:
    """Every sentence that says anything is a question, and none tells something under the cloak of one."""
    return every(sentences(text), _is_question, TALK)


def every(said: Sequence[str], wanted: Callable[[str], bool], passing_over: Sequence[Intent]) -> bool:
    """Of some sentences, small talk left out, all are as wanted, and one at least; a long text is read up to the first that is not."""
    found = False
    for sentence in said:
        if wanted(sentence):
            found = True
        elif not talks(sentence, passing_over):
            return False
    return found


def told_part(sentence: str) -> str:
    """What is told before a question in the same sentence: "I'm bringing a tart over this evening, how many sugars does she take?"; "" where nothing is."""
    if not has_mark(sentence) or len(sentence) > MAX_READ:
        return ""
    for end in _CLAUSE_ENDS.finditer(sentence):
        told, asked = sentence[: end.start()], sentence[end.end() :]
        is_told = count_words(told) >= MIN_TOLD and intent(f"{told},") is Intent.TOLD
        if is_told and chance(asked, QUESTIONS) >= UNMARKED:
            return told
    return ""


def _is_question(sentence: str) -> bool:
    return reads_like_a_question(sentence) and not told_part(sentence)


def reads_like_a_question(sentence: str) -> bool:
    """With its mark or without: "which bike do I have", "whats my size", "on which day do we meet". Not "when I was small", and not "did you know that I moved?"."""
    is_told = chance(sentence, (Intent.TOLD,)) >= DOUBT
    return not is_told and chance(sentence, QUESTIONS) >= (SURE if has_mark(sentence) else UNMARKED)


def is_asked(lines: Sequence[Line], asks: Callable[[str], bool] = only_asks) -> bool:
    """Whether a turn of the chat is a question to memory and nothing else (`asks` tells): an answer in words of its own makes it worth keeping."""
    told = [line for line in lines if line.role is not Role.ASSISTANT]
    answers = [line.text for line in lines if line.role is Role.ASSISTANT]
    return bool(told) and all(asks(line.text) for line in told) and not any(map(is_an_answer, answers))


def is_an_answer(text: str) -> bool:
    """Has it words of its own? References to other memories (a dash and where it is from) are not said by it."""
    own = [row for row in text.splitlines() if not row.startswith("–")]
    return sum(len(row.split()) for row in own) > OWN_WORDS


def asked_mark(lines: Sequence[Line], asks: Callable[[str], bool] = only_asks) -> Mapping[str, str]:
    """What goes into the meta of such a turn."""
    return {ASKED: YES} if is_asked(lines, asks) else {}


def judged(meta: Mapping[str, str], lines: Sequence[Line]) -> Mapping[str, str]:
    """The meta of a turn as it is written, with the mark where it tells nothing."""
    return {**meta, ASKED: YES} if ASKED not in meta and tells_nothing(lines) else meta


def tells_nothing(lines: Sequence[Line]) -> bool:
    """Between a person and an assistant: the one only asks, greets or thanks, and the other has nothing to say to it. What was thought is no answer."""
    said = [line for line in lines if line.role is not Role.THINKING]
    if not all(line.role in (Role.USER, Role.ASSISTANT) and len(line.text) <= MAX_ANSWER for line in said):
        return False
    return bool(said) and all(_says_nothing(line.text, line.role is Role.ASSISTANT) for line in said)


def _says_nothing(text: str, is_answer: bool) -> bool:
    said = sentences(text)
    if not is_answer and not said:
        return False  # of a picture alone nobody knows what it says
    asked = sum(map(_is_question, said))
    if is_answer and asked > 1:  # "Questions for them?" is answered by questions
        return False
    return all(_is_question(one) or (_is_heard(one) if is_answer else talks(one)) for one in said)


def _is_heard(sentence: str) -> bool:
    return chance(sentence, (*TALK, Intent.UNKNOWN)) >= SURE
