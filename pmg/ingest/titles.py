"""Titles that are the beginning of what was said, cut at some length: by our own readers, by a source, by another program.

No rule knows a secret that is cut in two. So what was said is redacted whole, and such a title is made anew of it; where only the
redacted turn is left, its marks show where a title says more than the turn does.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from operator import eq

from pmg.base.text import REDACTED, headline
from pmg.ingest.redact import Redactor

_CUT = ("…", "...")  # how a title ends that was cut
_MAX_COMPARED = 4_000  # characters of a text that are compared with a title: far more than a title has
_MIN_SHARED = 4  # characters that a title has in common with a turn from which it was cut
_MIN_TITLE = 40  # characters: a mark takes more room than the piece of the secret it stands for


def clean_title(title: str, said: Iterable[str], redactor: Redactor) -> str:
    """The title, made anew where it is the beginning of one of these texts and reaches into a secret of it."""
    stem = _stem(title)
    for text in said if stem else ():
        if _flat(text[:_MAX_COMPARED]).startswith(stem):
            cleaned = _flat(redactor.redact(text).text)
            return title if cleaned.startswith(stem) else _made_anew(cleaned, title)
    return title


def title_behind_mark(title: str, turns: Iterable[str]) -> str:
    """The title, made anew where it goes on in words while one of these redacted texts goes on with a mark."""
    stem = _stem(title)
    for text in turns if is_cut(title) else ():
        flat = _flat(text[:_MAX_COMPARED])
        shared = sum(takewhile(bool, map(eq, flat, stem)))
        if _MIN_SHARED <= shared < len(stem) and flat.startswith(REDACTED, shared):
            return _made_anew(flat, title)
    return title


def is_cut(title: str) -> bool:
    return title.endswith(_CUT)


def _made_anew(cleaned: str, title: str) -> str:
    return headline(cleaned, max(len(title), _MIN_TITLE))


def _stem(title: str) -> str:
    return _flat(title).rstrip("….").rstrip()


def _flat(text: str) -> str:
    return " ".join(text.split())
