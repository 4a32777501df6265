"""Claims about things and projects ("Project X depends on internal-api-v2"), and a few patterns of German, each over a whole sentence.

Knows: the patterns and which of their parts is the subject. Does not know: the grammar of clauses about people (extract.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pmg.base.claim import (
    BLOCKED_BY,
    CAUSED_BY,
    DEPENDS_ON,
    IS_A,
    KNOWS,
    LIKES,
    LIVES_IN,
    OWNS,
    PART_OF,
    USES,
    WORKS_AT,
    Modality,
)
from pmg.base.patterns import short

SPEAKER = "ich"  # as a subject: the one who says it
_THING = r"(?P<s>(?:[Tt]he |[Oo]ur |[Mm]y )?(?:[A-Z][\w.+#-]*|[\w.+#-]+)(?: [A-Z0-9][\w.+#-]*| (?:release|project|service|module|build|deployment|server|app|api|database|pipeline|migration|library))*)"
_WHAT = r"(?P<o>(?:the |our |my |an? )?[\w.+#'/-]+(?: [\w.+#'/-]+){0,5}?)(?=\s+(?:and|but|because|so|when|which|that|since|until|for|to)\b|[,.;:!?()]|\s-|$)"
# Only the nouns are read without regard to case: a capital letter is what tells a name of work from "silence" or "the cat".
_WORK = short(
    r"\b(?i:project|release|service|module|build|deployment|server|app|api|database|pipeline|migration|library)\b|[A-Z][\w.+#-]* ?\d|[A-Za-z]+[-_.][\w.-]+|[A-Z]{2,}|[A-Z][a-z]+ [A-Z]\b|[A-Z][a-z]+[A-Z]"
)
_NOTHING = frozenset("it that this what which them there here me you us him her".split())  # names no thing by itself
_NAME = r"[A-ZÄÖÜ][\w.&-]+(?: [A-ZÄÖÜ][\w.&-]+)*"


@dataclass(frozen=True, slots=True)
class ThingClaim:
    subject: str
    relation: str
    object: str
    start: int
    end: int
    is_positive: bool = True
    is_past: bool = True  # "ab Juni arbeite ich …" is not
    is_over: bool = False  # "ich habe bei … gekündigt"
    certainty: float = 1.0
    modality: Modality = Modality.STATED


_THINGS = tuple(
    (relation, re.compile(rf"(?:^|[,;:(]\s*|\b(?:and|but|because|that|so|since)\s+){_THING} (?:{verb}) {_WHAT}"))
    for relation, verb in (
        (DEPENDS_ON, r"(?:still |also |now )?(?:depends|relies|is built|runs) on|(?:still |also )?requires"),
        (
            BLOCKED_BY,
            r"(?:is|are|was|got) (?:still |currently |now )?(?:blocked|held up|delayed) (?:by|on|because of|due to)",
        ),
        (CAUSED_BY, r"(?:is|was|were) (?:probably |mainly )?(?:caused by|due to)"),
        (PART_OF, r"(?:is|are) (?:a )?part of|belongs to"),
        (USES, r"(?:now |still |also )?uses"),
    )
)
# The subject stands before its verb or right behind it ("seit Mai wohne ich in Leipzig"), or was named before an "und".
_ADVERBIAL = r"(?:(?!(?:für|bei|mit|in|nach|als) )[\w.]+ ){0,5}?"
_DENIED = re.compile(r"\b(?:nicht|nie|niemals|kein\w*)\b", re.IGNORECASE)
# "Ich bin fast nach Graz gezogen" was not done; "seit fast einem Jahr" and "fast jeden Tag" were.
_NEARLY = re.compile(
    r"\b(?:beinahe?|um ein haar|fast)\b(?! (?:ein\w*|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|\d+|immer|nie|nur|jede\w*|alle\w*|täglich|schon|genau|ausschließlich|direkt|ganz)\b)",
    re.IGNORECASE,
)
_SOON = re.compile(r"\b(?:bald|demnächst|künftig)\b", re.IGNORECASE)
_MAYBE = re.compile(r"\b(?:vielleicht|womöglich|möglicherweise|eventuell|evtl|angeblich)\b", re.IGNORECASE)
_LIKELY = re.compile(r"\b(?:wahrscheinlich|vermutlich|wohl)\b", re.IGNORECASE)
_DONE = re.compile(r"\b(?:bin|sind|habe|haben|war|waren|hatte|hatten)\b", re.IGNORECASE)
_RELATIVE = (
    r"(?i:meine?|unsere?) (?:\w+ )?(?:Schwester|Bruder|Mutter|Vater|Tochter|Sohn|Frau|Mann|Freundin|Freund|Partnerin|Partner|Kollegin|Kollege|Chefin|Chef|"
    r"Cousine|Cousin|Nachbarin|Nachbar|Tante|Onkel|Nichte|Neffe|Enkelin|Enkel|Mitbewohnerin|Mitbewohner|Oma|Opa),? (?P<s>[A-ZÄÖÜ][a-zäöüß]+),?"
)
_GERMAN = (
    tuple(
        (relation, re.compile(rf"\b(?:(?i:ich|wir) (?:{verb})|(?i:{verb}) (?:ich|wir)|(?<=\bund )(?:{verb})) {rest}"))
        for relation, verb, rest in (
            (WORKS_AT, "arbeite|arbeiten", rf"{_ADVERBIAL}(?:bei|für) (?:der |dem |den )?(?P<o>{_NAME})"),
            (IS_A, "arbeite", rf"{_ADVERBIAL}als (?P<o>[A-ZÄÖÜ]\w+)"),
            (LIVES_IN, "wohne|wohnen|lebe|leben", rf"{_ADVERBIAL}in (?:der |dem )?(?P<o>{_NAME})"),
            (LIVES_IN, "bin|sind", rf"{_ADVERBIAL}(?:nach|in die) (?P<o>{_NAME}) (?:um)?gezogen"),
            (WORKS_AT, "habe|haben", rf"{_ADVERBIAL}bei (?:der |dem )?(?P<o>{_NAME}) angefangen"),
            (
                WORKS_AT,
                "habe|haben|bin|sind|wurde|wurden",
                rf"{_ADVERBIAL}bei (?:der |dem )?(?P<o>{_NAME}) (?P<over>gekündigt|aufgehört(?!,? (?:\w+ )?zu\b)|ausgeschieden|entlassen)",
            ),
        )
    )
    + tuple(
        (relation, re.compile(rf"\b(?:{order}) {rest}"))
        for relation, verb, rest in (
            (WORKS_AT, "arbeitet", rf"{_ADVERBIAL}(?:bei|für) (?:der |dem |den )?(?P<o>{_NAME})"),
            (LIVES_IN, "wohnt|lebt", rf"{_ADVERBIAL}in (?:der |dem )?(?P<o>{_NAME})"),
            (LIVES_IN, "ist", rf"{_ADVERBIAL}(?:nach|in die) (?P<o>{_NAME}) (?:um)?gezogen"),
        )
        for order in (rf"{_RELATIVE} (?:{verb})", rf"(?i:{verb}) {_RELATIVE}")
    )
    + tuple(
        (relation, re.compile(rf"\b(?i:ich) (?:{pattern})"))
        for relation, pattern in (
            (IS_A, r"bin (?P<o>[A-ZÄÖÜ]\w+(?:erin|er|in|ist|istin|arzt|ärztin|mann|frau))\b"),
            (
                OWNS,
                rf"habe (?P<o>(?:einen?|zwei|drei) (?:\w+ )?(?:Hund|Katze|Auto|Fahrrad|Haus|Garten|Katzen|Hunde)(?: namens {_NAME})?)",
            ),
            (
                LIKES,
                r"(?:mag|liebe) (?P<o>(?!es\b|dich\b|das\b|nicht\b|kein)[\wäöüÄÖÜß -]{3,40}?)(?=[,.;!?]|$| sehr| und)",
            ),
            (KNOWS, rf"(?:kenne|habe) (?P<o>{_NAME}) (?:seit|kennengelernt|getroffen)"),
        )
    )
)


def is_work(name: str) -> bool:
    """Whether a name looks like a piece of work, and not like somebody's or a word's."""
    return _WORK.search(name) is not None


def things(text: str, start: int, end: int) -> Iterator[ThingClaim]:
    """Work and its parts: only where one side looks like a piece of it, for "love depends on trust" says nothing about a project."""
    for relation, pattern in _THINGS:
        for found in pattern.finditer(text, start, end):
            subject, thing = found["s"].strip(), found["o"].strip(" .'")
            if is_work(subject) and not {subject.lower(), thing.lower()} & _NOTHING:
                yield ThingClaim(subject, relation, thing, found.start("s"), found.end())


def german(text: str, start: int, end: int) -> Iterator[ThingClaim]:
    for relation, pattern in _GERMAN:
        for found in pattern.finditer(text, start, end):
            denied = _DENIED.search(text, found.start(), found.start("o")) is not None
            done = _DONE.search(found[0]) is not None
            parts = found.groupdict()
            over = parts.get("over") is not None
            if over and denied:
                continue
            yield ThingClaim(
                parts.get("s") or SPEAKER, relation, found["o"].strip(" .,;"), found.start(), found.end(), not (denied or over), done, over,
                _certainty(text[start : found.end()]), _modality(text[start : found.end()]),
            )  # fmt: skip


def _certainty(words: str) -> float:
    return 0.5 if _MAYBE.search(words) else 0.7 if _LIKELY.search(words) else 1.0


def _modality(words: str) -> Modality:
    """How German words before and inside a statement put it forward: as nearly done, as to come, or as it is."""
    if _NEARLY.search(words):
        return Modality.HYPOTHETICAL
    return Modality.PLAN if _SOON.search(words) else Modality.STATED
