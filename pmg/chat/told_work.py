"""Whether a line tells what somebody does for a living: "Daughter Sioned is a paramedic", "Fergus is apprenticed to a boatbuilder". Asked "What does Sioned do?", no word of it is asked for.

Knows: how such a line reads in English and German. Which questions ask for it is people/asked_relation.py's. Pure.
"""

from __future__ import annotations

import re

_TRADE = (
    r"\w*(?:medic|nurse|midwife|teacher|doctor|surgeon|dentist|chemist|pharmacist|therapist|scientist|journalist|florist|receptionist|artist|pianist|electrician|technician|musician|"
    r"librarian|optician|mechanic|engineer|developer|designer|programmer|builder|plumber|joiner|carpenter|painter|decorator|roofer|fitter|welder|plasterer|bricklayer|baker|butcher|barber|"
    r"hairdresser|chef|cook|waiter|waitress|barista|driver|pilot|sailor|soldier|officer|guard|fireman|firefighter|policeman|policewoman|manager|director|consultant|accountant|assistant|"
    r"secretary|clerk|cashier|cleaner|gardener|farmer|shepherd|vet|lawyer|solicitor|judge|lecturer|professor|tutor|student|apprentice|trainee|actor|actress|writer|editor|translator|"
    r"photographer|singer|dancer|postman|priest|vicar|carer|nanny|tailor|smith|keeper|maker|seller|agent|worker|intern)s?"
)
_WORK = re.compile(
    r"\b(?i:work(?:s|ed|ing)? (?:\w+ ){0,2}(?:as|at|for|in|with|on)|job(?! interview)|apprentic\w+|self-employed|freelanc\w+|train(?:s|ing) (?:as|to be)|retired"
    r"|stud(?:y|ies|ying)|reading \w+ at|teach(?:es|ing)|arbeitet? (?:als|bei|beim|in|an)|beruf\w*|lehre|ausbildung|lehrling|selbst(?:st)?ändig|studier[te]\w*|leitet|unterrichtet)\b"
    rf"|(?i:(?:\b(?:is|was|am|became)|['’](?:s|m)|\bhes|\bshes) (?:an?|the) (?:[\w-]+ ){{0,2}}{_TRADE}\b)"
    r"|\b(?i:ist|bin|war|wird) (?:(?i:eine?|jetzt|noch) )*(?!(?i:vegetarier|veganer|raucher|nichtraucher|linkshänder|sänger|zwilling))[A-ZÄÖÜ]\w+(?:er|erin|ist|istin|ent|entin|ant|lehrling|arzt|ärztin|kauffrau|kaufmann|schwester)\b"
)


def tells_work(text: str) -> bool:
    return _WORK.search(text) is not None
