"""Is a message only a question? What a person asks their memory is history, not a memory: it tells nothing that could be recalled.

Pure functions of the text, for the chat with PMG itself. Imported histories are not judged: there a question and its answer belong
together. In doubt something was told: a question that is kept is a nuisance, a memory that is not found is a loss.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from pmg.model import Line, Role

ASKED, YES = "asked", "yes"  # of a turn's meta
OWN_WORDS = 30  # of an answer, beside its references: more than the frame around quotes, so somebody said something

_SENTENCE = re.compile(r"[^.!?。！？؟\n]*[.!?。！？؟\n]+|[^.!?。！？؟\n]+\Z")
_MARKS = ("?", "？", "؟")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_NOTHING_SAID = frozenset(
    "hi hello hey hiya thanks thank you please ok okay great good morning evening so and well hmm hallo danke bitte moin gut also und".split()
)
_QUESTION_WORDS = frozenset(
    """what when where which who whom whose why how
    was wann wo wer wen wem wessen warum weshalb wieso wie welche welcher welches welchen wohin woher""".split()
)
_VERBS = frozenset(
    """is are was were am do does did can could will would should may might have has had shall
    ist sind war waren bin hat habe haben hatte hatten kann können konnte soll sollte wird werden muss darf""".split()
)
_SUBJECTS = frozenset("i you we he she they it there my our your ich du wir er sie es ihr mein meine unser".split())
# "wann braucht Anna das" asks, "wann er kommt" is told: there the subject comes first.
_ONLY_GERMAN = frozenset("wann wem wen warum wieso weshalb wohin woher".split())
_GERMAN_SUBJECTS = frozenset("der die das dem den ein eine man sich deine ihre seine".split())
_PREPOSITIONS = frozenset(
    "on in at for to from with by of since until till about an auf für zu von mit bei seit bis um ab aus nach".split()
)
_SHORT_IS = re.compile(r"\b(what|when|where|who|how|why)['’]?s\b")
_ASIDE = re.compile(r"\W*what(?:['’]?s| is) (?:more|worse|better)\b", re.IGNORECASE)
# Questions in form only: what follows is told.
_TELLS = re.compile(
    r"\W*(?:(?:do|did) you know\b|guess\b|(?:can|could|will|would) you (?:please )?(?:remember|note|keep in mind|write down|save)\b"
    r"|wusstest du\b|weißt du,? dass\b|(?:kannst|könntest) du (?:dir )?(?:bitte )?(?:merken|notieren|aufschreiben)\b)",
    re.IGNORECASE,
)
# "Can you remember my size?" asks; what comes after "that" or a colon is to be kept.
_TO_KEEP = re.compile(
    r"\W*(?:hey |hi |please )*(?:(?:can|could|will|would) you (?:please )?(?:remember|note(?: down)?|keep in mind|write down|save|make a note)"
    r"|(?:kannst|könntest) du (?:dir )?(?:bitte )?(?:merken|notieren|aufschreiben))(?:,? (?:that|dass)\b| this\b\W|\s*:)\s*\S",
    re.IGNORECASE,
)


def asks_to_keep(text: str) -> bool:
    return _TO_KEEP.match(text) is not None


def only_asks(text: str) -> bool:
    """Every sentence that says anything is a question, and none tells something under the cloak of one."""
    sentences = [sentence for sentence in _SENTENCE.findall(text) if _says_something(sentence)]
    return bool(sentences) and all(_is_question(sentence) for sentence in sentences)


def _says_something(sentence: str) -> bool:
    return any(word.lower() not in _NOTHING_SAID for word in _WORD.findall(sentence))


def _is_question(sentence: str) -> bool:
    if _TELLS.match(sentence):
        return False
    return sentence.rstrip().endswith(_MARKS) or reads_like_a_question(sentence)


def reads_like_a_question(sentence: str) -> bool:
    """Without its mark: "which bike do I have", "whats my size", "on which day do we meet", "did I pay the rent". Not "when I was small" and not
    "what I like": there the subject comes first."""
    if sentence.rstrip().endswith((".", "!", "。", "！")) or _ASIDE.match(sentence):
        return False
    words = _WORD.findall(_SHORT_IS.sub(r"\1 is", sentence.lower()))
    while words and words[0] in _NOTHING_SAID:
        words.pop(0)
    if len(words) > 1 and words[0] in _PREPOSITIONS and words[1] in _QUESTION_WORDS:
        words.pop(0)
    if len(words) < 3:
        return False
    if words[1] in _VERBS and words[2] in _SUBJECTS and _is_mistyped_question_word(words[0]):
        return True
    if words[0] in _ONLY_GERMAN and words[1] not in _SUBJECTS | _GERMAN_SUBJECTS:
        return True
    if words[0] in _QUESTION_WORDS:
        verb = next((at for at, word in enumerate(words[1:5], 1) if word in _VERBS), 0)
        return 0 < verb < len(words) - 1 and not _SUBJECTS.intersection(words[1:verb])
    return words[0] in _VERBS and words[1] in _SUBJECTS


def _is_mistyped_question_word(word: str) -> bool:
    """Its letters in another order, or one of them missing: "wehn did we dig", "wich do I have". Only where the words after it stand as in a question."""
    letters = sorted(word)
    return (
        any(
            len(asked) > 2
            and (
                letters == sorted(asked)
                or letters in (sorted(asked[:at] + asked[at + 1 :]) for at in range(len(asked)))
            )
            for asked in _QUESTION_WORDS - {word}
        )
        and word not in _VERBS | _SUBJECTS | _NOTHING_SAID
    )


def is_asked(lines: Sequence[Line], asks: Callable[[str], bool] = only_asks) -> bool:
    """Whether a turn of the chat is a question to memory and nothing else (`asks` tells): an answer in words of its own makes it worth keeping."""
    told = [line for line in lines if line.role is not Role.ASSISTANT]
    answers = [line.text for line in lines if line.role is Role.ASSISTANT]
    return bool(told) and all(asks(line.text) for line in told) and not any(map(_is_an_answer, answers))


def _is_an_answer(text: str) -> bool:
    """References to other memories (a dash and where it is from) are not said by it."""
    own = [row for row in text.splitlines() if not row.startswith("–")]
    return sum(len(row.split()) for row in own) > OWN_WORDS


def asked_mark(lines: Sequence[Line], asks: Callable[[str], bool] = only_asks) -> Mapping[str, str]:
    """What goes into the meta of such a turn."""
    return {ASKED: YES} if is_asked(lines, asks) else {}
