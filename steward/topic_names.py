"""What a topic is called: the words that many of its sessions have and few others, as they were written, or the title in its middle.

Knows: titles and texts in, names and terms out. Does not know: how the groups were found (topic_groups.py) or kept (topics.py).

A word stands for all its forms (plural, ending), and is shown in the form that was used most. A quarter of the sessions of a topic must have it. Words of
titles and of sessions near the middle weigh more; the names of those who speak, function words, fillers, days and months never name anything, nor do words
that were mostly written as a participle.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from pmg.index.stem import stem
from steward.stop_words import TOPIC_STOP_WORDS

TERMS = 5  # kept for a topic; the first three are its name
NAMED_BY = 3
SHARE = 0.25  # of a topic's sessions that must have a word which names it
IN_TITLES = 3.0  # how much more a word weighs that all titles have
COMMON = 1.3  # power of how common a word is inside: what most sessions have goes before what only this topic has
DOUBT = (2, 8)  # a word never seen outside is taken for seen twice in eight: rare words are cheap
MAX_NAME = 48  # characters of a title that serves as a name
SEPARATOR = " · "
_WORD = re.compile(r"[^\W\d_]{3,}(?:-[^\W\d_]{3,})*")
# Scripts without spaces: runs of Han or katakana are mostly nouns; kana between them is grammar.
_UNSPACED = re.compile("[\u4e00-\u9fff]{2,6}|[\u30a1-\u30fa\u30fc]{3,12}")
_SPACELESS = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class UnitText:
    """One session of a group: what it is called, what was said, and how near it is to the middle (0 to 1)."""

    title: str
    text: str
    nearness: float


@dataclass(frozen=True, slots=True)
class TopicName:
    name: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Told:
    """The words of one session: each key with the form it was written in most, and which stand in its title."""

    forms: dict[str, Counter[str]]
    titled: set[str]
    nearness: float


def name_groups(groups: Sequence[Sequence[UnitText]], speakers: Iterable[str] = ()) -> list[TopicName]:
    """A name for each group, no two alike."""
    nameless = {_key(form) for name in speakers for word in _WORD.findall(name) for form in _short_forms(word)}
    told = [[_told(unit, nameless) for unit in group] for group in groups]
    everywhere = Counter(key for group in told for unit in group for key in unit.forms)
    total = sum(len(group) for group in told)
    names: list[TopicName] = []
    taken: set[str] = set()
    for group, mine in zip(groups, told, strict=True):
        terms = _terms(mine, everywhere, total)
        names.append(_named(terms, _middle_title(group), taken))
        taken.add(names[-1].name)
    return names


def words(text: str) -> Iterator[str]:
    """The words of a text that could name something, as they are written."""
    if _SPACELESS.search(text):
        yield from _UNSPACED.findall(text)
    for match in _WORD.finditer(text):
        word = match.group()
        if not _SPACELESS.search(word) and word.lower() not in TOPIC_STOP_WORDS and _key(word) not in _UNTELLING_KEYS:
            yield word


def _short_forms(name: str) -> list[str]:
    """Melanie, Melani … Mel: people are called by the beginning of their names."""
    return [name[:size] for size in range(3, len(name) + 1)]


def _key(word: str) -> str:
    """One for all forms of a word."""
    return stem(word.lower())


_UNTELLING_KEYS = frozenset(stem(word) for word in TOPIC_STOP_WORDS)


def _told(unit: UnitText, nameless: set[str]) -> _Told:
    forms: dict[str, Counter[str]] = {}
    for word in words(f"{unit.title}\n{unit.text}"):
        key = _key(word)
        if key not in nameless:
            forms.setdefault(key, Counter())[word] += 1
    titled = {_key(word) for word in words(unit.title)}
    return _Told(forms, titled & forms.keys(), unit.nearness)


def _terms(mine: Sequence[_Told], everywhere: Counter[str], total: int) -> tuple[str, ...]:
    """The telling words of a group, best first: how common inside × how much commoner than outside, in logarithms."""
    inside = Counter(key for unit in mine for key in unit.forms)
    titled = Counter(key for unit in mine for key in unit.titled)
    near = dict.fromkeys(inside, 0.0)
    for unit in mine:
        for key in unit.forms:
            near[key] += unit.nearness
    weight = sum(unit.nearness for unit in mine) or 1.0
    scores: dict[str, float] = {}
    for key, having in inside.items():
        if having < max(2, math.ceil(SHARE * len(mine))):
            continue
        outside = (everywhere[key] - having + DOUBT[0]) / (total - len(mine) + DOUBT[1])
        lift = math.log((having / len(mine)) / outside)
        scores[key] = (near[key] / weight) ** COMMON * lift * (1 + IN_TITLES * titled[key] / len(mine))
    ranked = sorted((key for key in scores if scores[key] > 0), key=lambda key: (-scores[key], key))
    forms = {key: _written(key, mine) for key in ranked}
    return tuple(forms[key] for key in _apart([key for key in ranked if not _is_participle(forms[key])])[:TERMS])


def _is_participle(form: str) -> bool:
    """What was done tells less than what it was done to (blocked, retried); "seed" and "Alfred" are none."""
    return form.islower() and form.endswith("ed") and _key(form) != form


def _apart(ranked: Sequence[str]) -> list[str]:
    """Without words that are the beginning or the end of a better one (sourdough, dough)."""
    kept: list[str] = []
    for key in ranked:
        if not any(key in other or other in key for other in kept):
            kept.append(key)
    return kept


def _written(key: str, mine: Sequence[_Told]) -> str:
    """The form used most; a capital that only stands at the beginning of sentences goes."""
    forms: Counter[str] = Counter()
    for unit in mine:
        forms.update(unit.forms.get(key, {}))
    small = Counter[str]()
    for form, times in forms.items():
        small[form.lower()] += times
    word = max(sorted(small), key=lambda form: (small[form], -len(form)))
    as_written = {form: times for form, times in forms.items() if form.lower() == word}
    return word if as_written.get(word, 0) * 3 >= small[word] else max(sorted(as_written), key=as_written.__getitem__)


def _middle_title(group: Sequence[UnitText]) -> str:
    """The title of the session nearest to the middle that has one."""
    named = [unit for unit in group if unit.title.strip()]
    if not named:
        return ""
    title = " ".join(max(named, key=lambda unit: unit.nearness).title.split())
    return title if len(title) <= MAX_NAME else title[: MAX_NAME - 1].rsplit(" ", 1)[0] + "…"


def _named(terms: tuple[str, ...], title: str, taken: set[str]) -> TopicName:
    """Two terms at least make a name; else the title in the middle serves, else whatever there is."""
    if len(terms) < 2 and title:
        choices = [title, *(SEPARATOR.join([title, term]) for term in terms)]
    else:
        choices = [SEPARATOR.join(terms[:number]) for number in range(NAMED_BY, TERMS + 1)]
    name = next((one for one in choices if one and one not in taken), "")
    if name:
        return TopicName(name, terms)
    plain = choices[0] or "unnamed"
    return TopicName(next(one for one in _numbered(plain) if one not in taken), terms)


def _numbered(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name} ({number})" for number in count(2))
