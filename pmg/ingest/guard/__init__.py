"""May one memory stand for another? The guard of the ingest-duplicate check and of merging: it only ever blocks.

Same people, same order, same words (compare.py); "tomorrow" said on two days means two (day_words.py). What is blocked steward/merge.py lists and ingest/duplicates.py keeps.
"""

from pmg.ingest.day_words import day_word
from pmg.ingest.guard.compare import Difference, Reader, differences, is_same
from pmg.ingest.timed_text import TimedText


def blocks(a: TimedText, b: TimedText) -> tuple[Difference, ...]:
    """Everything that speaks against merging; empty: the one says what the other says."""
    if len(a.lines) != len(b.lines):
        return (Difference("lines", str(len(a.lines)), str(len(b.lines))),)
    found: list[Difference] = []
    for x, y in zip(a.lines, b.lines, strict=True):
        if x.role is not y.role or x.speaker.casefold() != y.speaker.casefold():
            found.append(Difference("speaker", x.speaker, y.speaker))
        if x.text != y.text:
            found += differences(x.text, y.text)
    return (*found, *_days(a, b))


def allows(a: TimedText, b: TimedText, reader: Reader) -> bool:
    """Does nothing speak against merging? What `blocks` would say, by what is quickest seen: seldom a day."""
    if len(a.lines) != len(b.lines):
        return False
    pairs = list(zip(a.lines, b.lines, strict=True))
    if any(x.role is not y.role or x.speaker.casefold() != y.speaker.casefold() for x, y in pairs):
        return False
    return all(x.text == y.text or is_same(x.text, y.text, reader) for x, y in pairs) and not _days(a, b)


def _days(a: TimedText, b: TimedText) -> tuple[Difference, ...]:
    apart = abs((a.at.date() - b.at.date()).days)
    word = next((word for line in (*a.lines, *b.lines) if (word := day_word(line.text, apart))), "")
    return (Difference("date", f"{word} ({a.at:%Y-%m-%d})", f"{word} ({b.at:%Y-%m-%d})"),) if word else ()
