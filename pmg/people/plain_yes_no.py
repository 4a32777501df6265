"""Whether a sentence plainly says yes or no to a question: "I don't eat meat" says no to "Do I eat meat?". Pure.

Knows: how a question of yes or no and the sentence that states it are built in English and German, and what may stand in such a sentence without changing it.
Every word of the sentence up to the last word of the question must be accounted for, and so must what begins right behind it: a wrong yes is worse than none, so whatever
is not known to be harmless ("almost", "a toy dog", "when I travel") makes it no verdict at all. Which lines are looked at is yes_no_lines.py's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pmg.base import sentences
from pmg.base.verbs import is_past, plain

MAX_LINE = 300  # characters of a line that states something plainly: a longer one tells of much else

_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’-][^\W\d_]+)*|[,;:()–—]")
_CONTRACTED = (
    (re.compile(r"\bcannot\b|\bcan['’]t\b"), "can not"),
    (re.compile(r"\bwon['’]t\b"), "will not"),
    (re.compile(r"\b(do|does|did|is|are|was|were|has|have|had)n['’]t\b"), r"\1 not"),
    (re.compile(r"\bi['’]m\b"), "i am"),
    (re.compile(r"\b(i|we|they|you)['’]ve\b"), r"\1 have"),
    (re.compile(r"\b(we|they|you)['’]re\b"), r"\1 are"),
    (re.compile(r"\b(he|she|it|there|that)['’]s got\b"), r"\1 has got"),
    (re.compile(r"\b(it|there)['’]s\b"), r"\1 is"),
    (re.compile(r"\b(have|has) got\b"), r"\1"),
    (re.compile(r"\bno longer\b"), "never"),
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PRESENT_BE, _PAST_BE, _HAVE = _words("am is are"), _words("was were"), _words("have has")
_DO, _DID, _MODAL = _words("do does"), _words("did"), _words("can will")
_GERMAN_FINITE = re.compile(r"(?:bin|ist|sind|war|waren|hab|hatte|kann|darf|mag|muss|weiß|wird|\w+(?:e|t|en))")
_DETERMINERS = _words(
    """a an the my our some any one two three four five both der die das den dem des ein eine einen einem einer eines mein meine meinen
    meinem meiner unser unsere unseren unserem unserer zwei drei vier"""
)
_NUMBERS = _words("one two three four five both zwei drei vier")
_ADJECTIVES = _words(
    """small big large old young new beautiful lovely cute nice good huge tiny red blue green brown black white grey gray
    yellow orange pink purple second-hand wonderful kleine kleinen kleiner kleines große großen großer großes alte alten alter altes
    junge jungen junger junges neue neuen neuer neues schöne schönen schöner schönes süße süßen süßer süßes rote roten roter rotes blaue
    blauen blauer blaues schwarze schwarzen schwarzer schwarzes weiße weißen weißer weißes braune braunen brauner braunes"""
)
_ADVERBS = _words(
    "also still now currently actually already definitely auch jetzt derzeit gerade schon tatsächlich noch"
)
_EMPHATIC = _words("really very so truly totally absolutely severely sehr wirklich total")  # with "not" they weaken it
_NEGATIONS = _words("not never nicht nie niemals no kein keine keinen keinem keiner keines")
_ANOTHER_NOT = _words("not no nicht kein keine keinen")
_AFTER_NEGATION = _words("any anymore more mehr even either")
_LEADS = _words(
    "yes well and so also but now currently actually oh hey hi ok okay fyi ja also und aber na übrigens jetzt tatsächlich"
)
_JOINS = _words("and or und oder ,")
# What may begin right behind the last word: it adds to what is stated and takes nothing back.
_YES_GOES_ON = _words(
    """, ; ( – — : and called named since with in at on from by now too as because who which und namens seit mit aus im am auf beim jetzt auch weil
    today heute bei"""
)
_NO_GOES_ON = _words(", ; ( – — : but because anymore any at either or and mehr und oder aber weil sondern")
# Whatever of these stands in the sentence, it states nothing plainly.
_DOUBTS = _words(
    """if whether unless until till except maybe perhaps might may could would should probably possibly almost nearly hardly barely rarely
    seldom sometimes once someday kidding joking pretend imagine dream dreamed dreamt wish hope think thought believe guess suppose apparently allegedly
    used anymore formerly previously sort kind say said told claim wonder doubt instead
    rather basically kinda technically theoretically supposedly eigentlich sozusagen quasi theoretisch
    wenn falls ob bis außer vielleicht wohl wahrscheinlich möglicherweise fast kaum selten manchmal irgendwann früher glaube denke hoffe wünsche
    würde könnte sollte möchte angeblich sagt sagte scherz anstatt statt"""
)
_NARROWS = _words(
    "only just when whenever during than for of nur als für von"
)  # behind a statement these may narrow it
_HARMLESS_IN_NO = _words("anymore")
_TAKES_BACK = re.compile(
    r"\b(?:any ?more|no longer|not true|used to|kidding|joking|died|dead|passed away|put down|sold|gave|given|giving|lost|returned|"
    r"got rid|ran away|rehomed|gone|over|ended|cancell?ed|stopped|quit|gave up|wrong|former|"
    r"nicht mehr|kein\w* \w+ mehr|früher|gestorben|tot|verkauft|(?:ab|weg|zurück)gegeben|verschenkt|verloren|weggelaufen|beendet|gekündigt|vorbei|aufgehört|stimmt nicht|falsch|scherz)\b",
    re.IGNORECASE,
)
_NOT_ASKED = _words(
    "he she it they you this that these those what who whom whose when where why how which er sie es du ihr was wer wen wem wann wo warum wie or oder"
)
_FRAME = _words("i we ich wir to in at on with by gegen auf am im mit bei have")  # words that say nothing of a matter
# A time that moves with the day: what was said of "tomorrow" a month ago says nothing of the one that is asked about, nor of now.
_MOVES = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|next|last|this|(?:mon|tues|wednes|thurs|fri|satur|sun)day|heute|(?:über)?morgen|(?:vor)?gestern|"
    r"nächste\w?|letzte\w?|diese\w?|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)\b",
    re.IGNORECASE,
)
_DROPPED = _words("ever actually eigentlich denn really please now currently jetzt derzeit überhaupt any")


@dataclass(frozen=True, slots=True)
class YesNoQuestion:
    """`words` are the question's own in order, without its first verb, articles and what says nothing; `verb` is that verb."""

    verb: str
    words: tuple[str, ...]
    is_german: bool

    @property
    def is_mine(self) -> bool:
        return bool({"i", "we", "ich", "wir"} & set(self.words))

    @property
    def matter(self) -> frozenset[str]:
        """What it is about, without whoever asks."""
        verb = {self.verb} if self.is_german and not _german_helper(self.verb) else set()
        return (frozenset(self.words) | verb) - _FRAME


def yes_no_question(text: str) -> YesNoQuestion | None:
    """None where it is no such question, or one of several parts, or of somebody who is only pointed at."""
    tokens = _tokens(text)
    if len(tokens) < 2 or _NOT_ASKED & set(tokens) or any(token in ",;:" for token in tokens) or _MOVES.search(text):
        return None
    while tokens and tokens[0] in ("and", "so", "but", "und", "aber", "also"):
        tokens = tokens[1:]
    verb, rest = tokens[0], tokens[1:]
    is_english = verb in _PRESENT_BE | _PAST_BE | _HAVE | _DO | _DID | _MODAL
    is_german = not is_english and _GERMAN_FINITE.fullmatch(verb) is not None and text.rstrip().endswith("?")
    if not (is_english or is_german):
        return None
    kept = rest if is_english else [one for one in rest if one != "mal"]
    words = tuple(_owning(one) for one in kept if one not in _DROPPED and one not in _DETERMINERS - _NUMBERS)
    found = YesNoQuestion(verb, words, is_german)
    return found if words and found.matter and (is_german or len(words) > 1) else None


def verdict(question: YesNoQuestion, line: str) -> bool | None:
    """True where the line plainly says yes, False where it says no; None for everything else."""
    if len(line) > MAX_LINE:
        return None
    found: list[bool] = []
    for first, last in sentences.pieces(line):
        sentence = line[first:last]
        said = None if sentences.asks(sentence) or _MOVES.search(sentence) else _stated(question, _tokens(sentence))
        if said is not None:
            found.append(said)
        elif casts_doubt(question, sentence):
            return None
    return found[0] if len(set(found)) == 1 else None


def casts_doubt(question: YesNoQuestion, text: str) -> bool:
    """Whether a text that states neither may take back what another does: it speaks of the matter and denies something, or tells of an end."""
    if _TAKES_BACK.search(text):
        return True
    return speaks_of(question, text) and bool((_NEGATIONS | _DOUBTS) & set(_tokens(text)))


def speaks_of(question: YesNoQuestion, text: str) -> bool:
    return any(_same(word, token) for word in question.matter for token in _tokens(text))


def _tokens(text: str) -> list[str]:
    lower = text.lower()
    for pattern, plain_words in _CONTRACTED:
        lower = pattern.sub(plain_words, lower)
    return _TOKEN.findall(lower)


def _owning(word: str) -> str:
    return {"own": "have", "owns": "has"}.get(word, word)


def _stated(question: YesNoQuestion, tokens: Sequence[str]) -> bool | None:
    said = [_owning(token) for token in tokens]
    for start in _starts(said):
        for walk in (_straight, _elliptic):
            found = walk(question, said[start:])
            if found is not None:
                return found
    return None


def _starts(said: Sequence[str]) -> list[int]:
    """Where a clause begins that stands by itself: the sentence, and after an "and" or "but" with nothing doubtful before it."""
    first = next((at for at, token in enumerate(said) if token not in _LEADS and token != ","), len(said))
    found = [first]
    for at in range(first + 2, len(said)):
        before = set(said[:at])
        if said[at - 1] in ("and", "but", "so", "und", "aber", ";") and not (
            before & _NEGATIONS or _narrowing(said[:at])
        ):
            found.append(at)
    return found


@dataclass(frozen=True, slots=True)
class _Walk:
    """How far the question's words were found in the sentence, and what stood between them."""

    end: int
    between: tuple[str, ...]
    met: tuple[tuple[str, str], ...]  # word of the question, word of the sentence


def _straight(question: YesNoQuestion, said: Sequence[str]) -> bool | None:
    walk = _walked(question.words, said, question.verb)
    if walk is None and question.is_german and question.is_mine:
        walk = _any_order(question, said)
    return None if walk is None else _judged(question, walk, said)


def _judged(question: YesNoQuestion, walk: _Walk, said: Sequence[str]) -> bool | None:
    walk = _to_its_end(question, walk, said) if question.is_german else walk
    negations = [token for token in walk.between if token in _NEGATIONS]
    tail = said[walk.end :]
    if len(negations) > 1 or not _form_fits(question, walk, bool(negations)):
        return None
    if negations:
        if tail and tail[0] in ("mehr", "anymore"):
            tail = tail[1:]
        weakened = {*_EMPHATIC, *_NUMBERS, *_ADJECTIVES} & set(walk.between)
        fits = not tail or tail[0] in _NO_GOES_ON
        return False if fits and not weakened and not (_narrowing(tail) - _HARMLESS_IN_NO) else None
    fits = not tail or tail[0] in _YES_GOES_ON
    taken_back = _narrowing(tail) or (_NEGATIONS & set(tail) and not _only_another(tail))
    return True if fits and not taken_back and not _AFTER_NEGATION & set(walk.between) else None


def _narrowing(words: Sequence[str]) -> set[str]:
    """The words that cast a doubt or narrow what was stated, in any form of their verb."""
    return {word for word in words if {word, plain(word)} & (_DOUBTS | _NARROWS)}


def _to_its_end(question: YesNoQuestion, walk: _Walk, said: Sequence[str]) -> _Walk:
    """German may end with what matters: "ich rauche nicht mehr", "ich mag Kaffee nicht"."""
    end = walk.end
    while end < len(said) and (said[end] == question.verb or said[end] in ("nicht", "nie", "niemals", "mehr", "auch")):
        end += 1
    return _Walk(end, (*walk.between, *said[walk.end : end]), walk.met)


def _only_another(tail: Sequence[str]) -> bool:
    """ ", but not to milk", ", not a cat": denies something else than what was stated."""
    rest = [token for token in tail if token not in (",", "but", "aber", "und", "and")]
    return bool(rest) and rest[0] in _ANOTHER_NOT and 1 < len(rest) <= 4


def _elliptic(question: YesNoQuestion, said: Sequence[str]) -> bool | None:
    """ "I'm allergic to nuts, but not to milk" says no to milk: what follows "not" takes the place of the words before it."""
    marks = [at for at, token in enumerate(said) if token in _ANOTHER_NOT and at > 1]
    for at in marks:
        head = [token for token in said[:at] if token not in (",", "but", "aber", "and", "und")]
        other = [token for token in said[at + 1 :] if token not in _DETERMINERS]
        keep = len(question.words) - len(other)
        if not other or keep < 1 or said[at - 1] not in (",", "but", "aber", "and", "und") or _NEGATIONS & set(head):
            continue
        if not all(_same(a, b) for a, b in zip(question.words[keep:], other, strict=True)):
            continue
        walk = _walked(question.words[:keep], head, question.verb)
        if walk is not None and _form_fits(question, _with_rest(walk, head), False) and not _narrowing(said):
            return False
    return None


def _with_rest(walk: _Walk, head: Sequence[str]) -> _Walk:
    return _Walk(walk.end, (*walk.between, *head[walk.end :]), walk.met)


def _walked(words: Sequence[str], said: Sequence[str], verb: str) -> _Walk | None:
    """The words one after the other from the beginning on, with nothing between them but what is known to be harmless."""
    at = 0
    between: list[str] = []
    met: list[tuple[str, str]] = []
    for place, word in enumerate(words):
        while at < len(said) and not _same(word, said[at]):
            if not _may_stand(said[at]) and said[at] != verb:
                listed = _listed(said, at, word) if place == len(words) - 1 and place > 0 else 0
                if not listed:
                    return None
                at = listed
                continue
            if place == 0 and said[at] not in _DETERMINERS:
                return None
            between.append(said[at])
            at += 1
        if at == len(said):
            return None
        met.append((word, said[at]))
        at += 1
    return _Walk(at, tuple(between), tuple(met))


def _listed(said: Sequence[str], at: int, word: str) -> int:
    """Behind a list of single words that the word ends or stands in: "nuts, milk and eggs". 0 where it is none."""
    place, may_join = at, False
    while place < len(said) and place - at < 8:
        if may_join and said[place] in _JOINS:
            while place < len(said) and (said[place] in _JOINS or said[place] in _DETERMINERS):
                place += 1
            if place < len(said) and _same(word, said[place]):
                return place
            may_join = False
            continue
        if (
            may_join
            or not said[place].isalpha()
            or said[place] in _NEGATIONS | _DOUBTS | _NARROWS | _NOT_ASKED | {"i", "we", "ich", "wir"}
        ):
            return 0
        may_join, place = True, place + 1
    return 0


def _any_order(question: YesNoQuestion, said: Sequence[str]) -> _Walk | None:
    """German puts its words in many orders; of oneself none of them changes who does what."""
    left = list(question.words)
    between: list[str] = []
    met: list[tuple[str, str]] = []
    for at, token in enumerate(said):
        word = next((one for one in left if _same(one, token)), None)
        if word is not None:
            left.remove(word)
            met.append((word, token))
            if not left:
                return _Walk(at + 1, tuple(between), tuple(met)) if token != question.verb else None
        elif _may_stand(token) or token == question.verb:
            between.append(token)
        else:
            return None
    return None


_BETWEEN = (
    _DETERMINERS | _ADJECTIVES | _ADVERBS | _EMPHATIC | _NEGATIONS | _AFTER_NEGATION
    | _PRESENT_BE | _PAST_BE | _HAVE | _DO | _DID | _MODAL
)  # fmt: skip


def _may_stand(token: str) -> bool:
    return token in _BETWEEN or _german_helper(token)


def _german_helper(token: str) -> bool:
    return token in ("bin", "ist", "sind", "habe", "hat", "haben", "war", "waren", "kann", "heißt", "heiße")


def _form_fits(question: YesNoQuestion, walk: _Walk, is_denied: bool) -> bool:
    """The verb that the question begins with, in the time it asks about."""
    stood, verb = set(walk.between), question.verb
    helpers = _PRESENT_BE | _PAST_BE | _HAVE | _DO | _DID | _MODAL
    never = "never" in stood
    past = any(is_past(token) and token != word and plain(token) == word for word, token in walk.met)
    if question.is_german:
        return verb in stood and len([one for one in stood if _german_helper(one)]) <= 1
    if verb in _PRESENT_BE:
        return bool(_PRESENT_BE & stood) and not (helpers - _PRESENT_BE) & stood
    if verb in _PAST_BE:
        return bool(_PAST_BE & stood) and not (helpers - _PAST_BE) & stood
    if verb in _MODAL:
        return verb in stood and not (helpers - {verb}) & stood
    if verb in _HAVE:
        told = any(is_past(token) for _, token in walk.met)
        return not (helpers - _HAVE - _DID) & stood and (bool(_HAVE & stood) or (told and not _DID & stood))
    if verb in _DO:
        if past or (helpers - _DO) & stood:
            return False
        return bool(_DO & stood) == (is_denied and not never and not _denied_thing(stood))
    perfect = bool(_HAVE & stood) and past  # did …
    if is_denied:
        return (bool(_DID & stood) and not past) or ((never or _denied_thing(stood) or perfect) and past)
    return past and not (helpers - _HAVE) & stood


def _denied_thing(stood: set[str]) -> bool:
    """ "I have no dog"."""
    return "no" in stood


_ENDINGS = ("s", "es")
_GERMAN_ENDINGS = ("e", "n", "en", "er", "nen")


def _same(word: str, token: str) -> bool:
    """The same word, its plural, the form of a verb that "she" takes, or a past of it; the time is looked at by itself."""
    if word == token or (word, token) in (("have", "has"), ("i", "we")):
        return True
    if len(word) < 2 or len(token) < 2:
        return False
    short, long = sorted((word, token), key=len)
    if long.startswith(short) and long[len(short) :] in _ENDINGS:
        return True
    if short.endswith("y") and long == short[:-1] + "ies":
        return True
    if len(short) >= 4 and long.startswith(short) and long[len(short) :] in _GERMAN_ENDINGS and not is_past(long):
        return not _is_english_pair(short, long)
    return is_past(token) and plain(token) == word


def _is_english_pair(short: str, long: str) -> bool:
    """ "teach" and "teacher", "eat" and "eaten": one is no form of the other that may stand for it."""
    return plain(long) == short or long.endswith("er")
