"""Several words that say what one word says, rewritten to that word before anything is compared.

Knows: set phrases, requests, greetings. An empty right side means the phrase is filler.
Does not know: grammar; a phrase is a fixed run of words.
"""

from __future__ import annotations

from pmg.ingest.differences.rewrites import Row, rows
from pmg.ingest.differences.scan import Word

# Openings that only ask: "Could you send …?" is "Send …", "Do you know when …?" is "When …?".
REQUESTS = frozenset(
    [
        ("can", "you"),
        ("could", "you"),
        ("would", "you"),
        ("can", "you", "please"),
        ("could", "you", "please"),
        ("would", "you", "please"),
        ("will", "you", "please"),
        ("would", "you", "mind"),
    ]
)
ASKING = frozenset(
    [
        ("do", "you", "know"),
        ("can", "you", "tell", "i"),
        ("could", "you", "tell", "i"),
        ("can", "you", "tell", "me"),
        ("could", "you", "tell", "me"),
        ("tell", "me"),
        ("would", "you", "know"),
        ("any", "idea"),
        ("do", "you", "happen", "to", "know"),
    ]
)


_ROWS = rows()


def join(words: list[Word]) -> list[Word]:
    """The words with every phrase of the table rewritten, longest first; each new word spans the whole phrase."""
    words = _by_place(_particles(words))
    joined: list[Word] = []
    at = 0
    while at < len(words):
        known = _ROWS.get(words[at].low)
        found = _match(words, at, known) if known else None
        if found is None:
            joined.append(words[at])
            at += 1
            continue
        old, new = found
        start, end = words[at].start, words[at + len(old) - 1].end
        shown = " ".join(dict.fromkeys(word.text for word in words[at : at + len(old)]))
        joined.extend(Word(low, shown, start, end, "num" if low.isdigit() else "word") for low in new)
        at += len(old)
    return joined


_PARTICLES = frozenset("up off on out down in away back over".split())
_SPLIT_VERBS = frozenset(
    form
    for verb in """turn switch pick drop look put take throw set call give bring fill clean wake stir shut hand point send cut try
    figure plug hang mix back write print""".split()
    for form in (verb, verb + "s", verb + "ed", verb + "ing")
) | frozenset(
    "picked dropped dropping took taking threw gave brought woke sent putting setting shutting cutting wrote".split()
)
_INSIDE = frozenset("the a an my your his her our their this that these those it them him me us".split())


def _particles(words: list[Word]) -> list[Word]:
    """ "turn the lights off" is "turn off the lights": a particle that ends its clause goes to its verb."""
    moved = words
    for at, word in enumerate(words):
        if word.low not in _PARTICLES or not _ends_clause(words, at + 1):
            continue
        verb = next((back for back in range(at - 2, max(-1, at - 5), -1) if words[back].low in _SPLIT_VERBS), -1)
        if verb >= 0 and words[verb + 1].low in _INSIDE and all(other.kind == "word" for other in words[verb:at]):
            moved = [*words[: verb + 1], word, *words[verb + 1 : at], *words[at + 1 :]]
            break
    return moved


def _ends_clause(words: list[Word], at: int) -> bool:
    return (
        at >= len(words)
        or words[at].kind in ("stop", "comma")
        or words[at].low in ("and", "but", "at", "please", "before", "after")
    )


def _by_place(words: list[Word]) -> list[Word]:
    """Phrases that only count at the start or end of a sentence: "how to …?" asks "how do I …?", "… any more" is "anymore"."""
    placed: list[Word] = []
    for at, word in enumerate(words):
        before = placed[-1] if placed else None
        if (
            word.low == "to"
            and before
            and before.low == "how"
            and (len(placed) == 1 or placed[-2].kind in ("stop", "comma") or _told(placed))
        ):
            placed += [Word(low, word.text, word.start, word.end) for low in ("do", "i")]
        elif (
            word.low == "more"
            and before
            and before.low == "any"
            and (at + 1 == len(words) or words[at + 1].kind == "stop")
        ):
            placed[-1] = Word("anymore", "any more", before.start, word.end)
        elif word.low == "to" and before and before.low == "how" and _taught(placed):
            placed[-1] = word
        elif word.low in ("about", "of") and before and before.low == "thinking" and _is_ing(words, at + 1):
            placed[-1] = Word("considering", f"{before.text} {word.text}", before.start, word.end)
        else:
            placed.append(word)
    return placed


def _told(placed: list[Word]) -> bool:
    """ "tell me how to" asks; "Anna knows how to" does not."""
    return len(placed) > 2 and placed[-2].low == "me" and placed[-3].low in ("tell", "show")


def _taught(placed: list[Word]) -> bool:
    """ "taught me how to swim" is "taught me to swim"."""
    return any(word.low.startswith(("teach", "taught")) for word in placed[-3:-1])


def _is_ing(words: list[Word], at: int) -> bool:
    return at < len(words) and words[at].low.endswith("ing") and len(words[at].low) > 5


def _match(words: list[Word], at: int, known: dict[str, list[Row]]) -> Row | None:
    second = words[at + 1].low if at + 1 < len(words) else ""
    for row in known.get(second, ()):
        old = row[0]
        if len(old) < 3 or [word.low for word in words[at + 2 : at + len(old)]] == list(old[2:]):
            return row
    return known[""][0] if "" in known else None
