"""Words that mean people and pets even in lower case: mum, my boss, the neighbour, Oma, mein Bruder; in English and German.

Knows: the words, and whether a "he" or a "she" is meant by one. Where such a word stands in a text is named_phrases.py's. Pure.
"""

from __future__ import annotations

import re

from pmg.people.subjects import KIN, PETS, Gender

_MALE = """lad granddad grandad grampa daddy pa godfather father-in-law brother-in-law son-in-law landlord postman groom mr herr vater papa vati opa bruder onkel neffe sohn
    mann freund nachbar chef kollege vermieter lehrer arzt zahnarzt tierarzt hausarzt schwager enkel schwiegervater"""
_FEMALE = """lass mummy mama mamma gran nan nana granny godmother mother-in-law sister-in-law daughter-in-law landlady bride mrs ms miss frau mutter mutti oma schwester tante
    nichte tochter freundin nachbarin chefin kollegin vermieterin lehrerin ärztin zahnärztin tierärztin hausärztin schwägerin enkelin schwiegermutter cousine"""
_ANY = """chiropodist podiatrist therapist osteopath chiropractor pharmacist florist mechanic joiner carpenter roofer decorator supervisor mentor vet dentist gp nurse cleaner plumber electrician builder gardener babysitter nanny childminder trainer tutor physio physiotherapist lawyer
    accountant hairdresser barber caretaker lodger tenant flatmate housemate midwife surgeon optician receptionist client guest twin godchild trainerin cousin anwalt
    anwältin steuerberater steuerberaterin hausmeister mitbewohner mitbewohnerin babysitterin"""
_MANY = "eltern kinder großeltern neighbours grandchildren in-laws nachbarn geschwister"
PEOPLE = {
    **KIN,
    **dict.fromkeys(_MALE.split(), Gender.MALE),
    **dict.fromkeys(_FEMALE.split(), Gender.FEMALE),
    **dict.fromkeys(_ANY.split(), Gender.ANY),
    **dict.fromkeys(_MANY.split(), Gender.MANY),
}
FAMILY = frozenset(
    """mother mom mum stepmom father dad stepdad sister brother grandmother grandma grandfather grandpa aunt uncle niece nephew daughter son cousin grandson granddaughter
    husband wife boyfriend girlfriend partner mutter vater schwester bruder oma opa tante onkel nichte neffe tochter sohn mann frau cousine""".split()
)
_GERMAN_PETS = "hund hündin welpe katze kater hamster kaninchen hase pferd vogel papagei schildkröte".split()
LIVING = {**PETS, **dict.fromkeys(_GERMAN_PETS, Gender.ANY), **PEOPLE}


def gender_of(words: str) -> Gender:
    """By the words for people in them: of a name alone nobody can tell."""
    known = [LIVING[word] for word in (one.lower() for one in re.findall(r"[\w-]+", words)) if word in LIVING]
    return known[-1] if known else Gender.ANY
