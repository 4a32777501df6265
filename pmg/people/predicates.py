"""What a clause says of its subject: the verb in its plain form, the rest, whether it is denied, meant for later, or only supposed.

Knows: helpers (do, have, be, will, would …), adverbs, "going to", "want to", "used to".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pmg.base.claim import CAN, NEEDS, Modality
from pmg.base.verbs import ADVERBS, BE, DOUBT, NEGATIONS, WILL, WOULD, is_participle, is_past, plain
from pmg.people.tokens import PlacedWord

_ALL_BUT = frozenset(
    "every all never nobody nothing daily always exclusively only entirely".split()
)  # "almost never": nearly so, and it is done
_TO_BE = frozenset(
    "excited hoping planning looking ready thrilled eager set determined thinking considering aiming about".split()
)


@dataclass(slots=True)
class Predicate:
    """`at` is the place of the first word after the verb."""

    verb: str = ""
    at: int = 0
    is_positive: bool = True
    certainty: float = 1.0
    modality: Modality = Modality.STATED
    is_past: bool = False
    is_over: bool = False  # "used to"
    begins: bool = False  # "moved to"
    lasts: bool = False  # "live in"
    goes_on: bool = False  # "have lived": up to the day it is said, and nothing says that it ended
    helper: str = ""  # can, needs
    form: str = ""  # the verb as it stands
    seen: list[str] = field(default_factory=list)


def predicate(words: Sequence[PlacedWord], begin: int, is_asked: bool = False) -> Predicate | None:
    """What the words from `begin` say; None where no verb stands there."""
    found, place = Predicate(), begin
    while place < len(words):
        word, following = words[place].word, _next(words, place + 1)
        if word == "'s":
            word = "has" if is_participle(following) and following not in ("excited",) else "is"
        step = _helper(found, word, following, is_asked, words[place + 1].word if place + 1 < len(words) else "")
        if step == 0:
            break
        place += step
    if place >= len(words) or not words[place].word.isalpha():
        return None
    return _main(found, words, place)


def _helper(found: Predicate, word: str, following: str, is_asked: bool = False, beside: str = "") -> int:
    """How many words this helper or adverb takes; 0 for the verb itself. `beside` is the word right behind it, be it an adverb."""
    if word in NEGATIONS:
        found.is_positive = False
        return 2 if (word, following) == ("no", "longer") else 1
    if word in ("almost", "nearly") and beside in _ALL_BUT:
        return 1  # "I almost always work here": no doubt that it is done
    if word in ("almost", "nearly") and following not in _ALL_BUT and found.modality is Modality.STATED:
        found.modality = Modality.HYPOTHETICAL  # "I almost took the job": it was not done
    if word in ("sure", "guys"):
        return 1  # "they sure look funny", "you guys"
    if word in ("do", "does", "did") and following in _EMPHASISED:
        found.is_past |= word == "did"
        return 1
    if word in ("sort", "kind") and following == "of":
        found.certainty = min(found.certainty, 0.7)
        return 2
    if word in DOUBT:
        found.certainty = min(found.certainty, DOUBT[word])
        return 1
    if word in WILL:
        found.modality = Modality.PLAN
        return 1
    if word == "could" and following == "not":
        found.helper, found.is_past = CAN, True
        return 1
    if word == "would" and following == "been":
        found.is_past = True  # "I'd been": had
        return 1
    if word in WOULD:
        found.modality = Modality.HYPOTHETICAL
        return 1
    if word == "can":
        found.helper = CAN
        return 1
    if word == "used" and following == "to":
        found.is_over = found.is_past = True
        return 2
    if word in ("do", "does", "did") and (following in NEGATIONS or is_asked):
        found.is_past |= word == "did"
        return 1
    if word in ("have", "has", "had") and (is_participle(following) or following in ("been", "not", "never")):
        found.is_past, found.goes_on = True, word != "had"
        return 1
    if word in ADVERBS or (
        word.endswith("ly") and len(word) > 4 and word not in ("fly", "apply", "reply", "rely", "supply", "family")
    ):
        return 1
    return 0


def _next(words: Sequence[PlacedWord], place: int) -> str:
    """The next word that is no adverb."""
    while place < len(words) and (
        words[place].word in ADVERBS or words[place].word in DOUBT or words[place].word.endswith("ly")
    ):
        place += 1
    return words[place].word if place < len(words) else ""


def _skip(words: Sequence[PlacedWord], place: int, found: Predicate) -> int:
    while place < len(words):
        word = words[place].word
        if word in NEGATIONS:
            found.is_positive = False
            place += (word, _next(words, place + 1)) == ("no", "longer")
        elif word in DOUBT:
            found.certainty = min(found.certainty, DOUBT[word])
        elif word not in ADVERBS:
            break
        place += 1
    return place


def _main(found: Predicate, words: Sequence[PlacedWord], place: int) -> Predicate | None:
    word = words[place].word
    if word == "'s":
        word = "is"
    if word in BE:
        return _being(found, words, place, word)
    following = words[place + 1].word if place + 1 < len(words) else ""
    if (
        word in ("want", "wants", "wanted", "hope", "hopes", "plan", "plans", "intend", "aim", "wish")
        and following == "to"
    ):
        return _later(found, words, place + 2)
    if word == "got" and following == "to" and not found.is_past and words[place].text.lower() != "gotta":
        found.is_past = True  # "I got to go": a chance, not a need
        return _verb(found, words, place + 2)
    if word == "had" and following == "to":
        found.is_past = True  # it was done
        return _verb(found, words, place + 2)
    if word in ("have", "has", "need", "needs", "got") and following == "to":
        found.helper = NEEDS
        return _verb(found, words, place + 2)
    if word in ("love", "like") and following == "to" and found.modality is Modality.HYPOTHETICAL:
        found.modality = Modality.STATED  # "I'd love to": a wish
        return _later(found, words, place + 2)
    if word == "wait" and following == "to" and found.helper == CAN and not found.is_positive:
        found.helper, found.is_positive = "", True  # "I can't wait to": looked forward to
        return _later(found, words, place + 2)
    if word == "decided" and following == "to":
        return _later(found, words, place + 2)
    return _verb(found, words, place)


def _being(found: Predicate, words: Sequence[PlacedWord], place: int, form: str) -> Predicate | None:
    """ "am going to", "was working", "is a nurse"."""
    found.is_past |= form in ("was", "were") or (form == "been" and found.is_past)
    after = _skip(words, place + 1, found)
    word = words[after].word if after < len(words) else ""
    following = words[after + 1].word if after + 1 < len(words) else ""
    if word == "going" and following == "to" and after + 2 < len(words) and _is_plain_verb(words[after + 2].word):
        return _later(found, words, after + 2)
    if word in _TO_BE and not found.is_past and following in ("to", "of", "about", "on", "forward"):
        return _later(found, words, after + (3 if following == "forward" else 2))
    if form == "been" and word == "to":
        found.verb, found.form, found.at = "go", form, after
        return found
    if word.endswith("ing") and len(word) > 4 and word not in _NOT_DOING:
        return _verb(found, words, after)
    found.verb, found.form, found.at = "be", form, after
    return found if after < len(words) else None


_NOT_DOING = frozenset(
    "amazing interesting exciting something anything nothing everything boring inspiring relaxing calming stunning charming caring "
    "challenging rewarding refreshing evening morning outstanding overwhelming surprising thrilling touching tiring willing".split()
)


def _is_plain_verb(word: str) -> bool:
    return (
        word.isalpha() and word not in ("the", "a", "an", "my", "our", "this", "that", "some", "see", "be")
    ) or word in ("see", "be")


_EMPHASISED = frozenset("have like love enjoy want need feel miss hope wish".split())
_NO_VERBS = frozenset("a an the my our your his her their this that these those it them him me us you some any".split())


def _later(found: Predicate, words: Sequence[PlacedWord], place: int) -> Predicate | None:
    """What is meant to be done; a wish that lies in the past was one."""
    if found.modality is Modality.STATED:
        found.modality = Modality.PLAN
    return _verb(found, words, place)


def _verb(found: Predicate, words: Sequence[PlacedWord], place: int) -> Predicate | None:
    place = _skip(words, place, found)
    if place >= len(words) or not words[place].word.isalpha():
        return None
    form = words[place].word
    if form in _NO_VERBS:
        return None
    found.verb, found.form, found.at = plain(form), form, place + 1
    found.is_past |= is_past(form)
    return found
