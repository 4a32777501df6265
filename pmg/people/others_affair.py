"""The terms of a question that a line tells of somebody else than its speaker: "My brother drives a snowplough" says nothing of what one drives oneself.

Knows: with whom a sentence begins (subjects.py), and which words bring its speaker back into it. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from pmg.index.terms import document_terms
from pmg.people.clauses import after_lead, sentence_spans
from pmg.people.subjects import KIN, PETS, Scene
from pmg.people.tokens import tokens

# Where somebody is or with whom is no word of the speaker's affairs.
_BESIDE_ME = re.compile(
    r"\b(?:with|below|above|near|behind|beside|opposite|than|like|from|of|about|next to)\s+(?:me|us)\b", re.IGNORECASE
)
_OF_SPEAKER = re.compile(
    r"\b(?:i|i['’]\w+|me|my|mine|we|we['’]\w+|us|our|ours|ich|wir|mir|mich|uns|mein\w*|unser\w*)\b", re.IGNORECASE
)
_SPEAKER_FIRST = re.compile(
    r"(?:I|We|Ich|Wir)\b(?! (?:and|or|&))(?!['’]s\b)"
)  # of whom it is, is seen without cutting it into clauses
_MAX_SUBJECT = 120  # characters in which whom a sentence is about is named
_WITH_SPEAKER = frozenset(("family", "team"))  # whose affair is the speaker's too
_RELATIVE = re.compile(
    rf"(?i:my|our|his|her|their) (?:[\w-]+ ){{0,2}}?(?i:{'|'.join(sorted({*KIN} - _WITH_SPEAKER))})\b(?:,? [A-ZÀ-Þ][\w'’-]*)?"
)


def terms_of_others(text: str, speaker: str, terms: Collection[str], names: Collection[str] = ()) -> frozenset[str]:
    """Those of the terms that stand only in what is told of others, `names` being people whom this memory knows. Who is told of is named by the teller: "my wife Noemi" is a word of one's own."""
    own: set[str] = set()
    others: set[str] = set()
    for start, end in sentence_spans(text):
        sentence = text[start:end]
        held = set(terms).intersection(document_terms(sentence))
        if not held:
            continue
        told = (
            sentence if _SPEAKER_FIRST.match(sentence.lstrip()) else sentence[_subject_end(sentence, speaker, names) :]
        )
        if len(told) == len(sentence) or _OF_SPEAKER.search(_BESIDE_ME.sub(" ", told)):
            own |= held
        else:
            others |= (theirs := held.intersection(document_terms(told)))
            own |= held - theirs
    return frozenset(others - own)


def _subject_end(sentence: str, speaker: str, names: Collection[str]) -> int:
    """Where the words end that name somebody else whom the sentence is about; 0 where it begins with nobody else."""
    start = after_lead(sentence)
    if relative := _RELATIVE.match(sentence, start):
        return 0 if sentence.startswith(" and I ", relative.end()) else relative.end()
    words = tokens(sentence, start, min(len(sentence), start + _MAX_SUBJECT))
    scene = Scene([speaker], names=set(names))
    scene.begin_line(speaker, sentence)
    about = scene.subject(words)
    if about is None or about.is_speaker or about.is_addressee or about.kin in PETS or about.kin in _WITH_SPEAKER:
        return 0
    if words[0].word == "they":
        return 0  # may be anything that was spoken of
    return words[about.taken - 1].end
