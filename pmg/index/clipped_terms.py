"""Words and what people cut them to: who was told of the physio asks for the physiotherapist, and of the prod db for the production database.

Knows: a table of everyday and of developers' words, English and German, as terms. Two words for one thing that are not cut from each other are none of
it: how near those are is kindred.py's. Nor is what may as well be a name or another word: Dev, Abi, the doc, labor. Pure.
"""

from __future__ import annotations

from functools import lru_cache

from pmg.index.terms import document_terms

_CLIPPED = tuple(
    line.split()
    for line in """
physio physiotherapist physiotherapy physiotherapeut physiotherapeutin physiotherapie
vet veterinarian
fridge refrigerator
phone telephone telefon
photo photograph photographs foto fotos fotografie
pic pics picture pictures
bike bicycle
rad fahrrad
exam examination
gym gymnasium
lab laboratory laboratorium
advert advertisement
uni university universität
flu influenza
plane aeroplane airplane
rehab rehabilitation reha
tv telly television
dorm dormitory
memo memorandum
info information
admin administrator
math maths mathematics mathe mathematik
stats statistics
sax saxophone saxophon saxofon
decaf decaffeinated
veg veggie veggies vegetable vegetables
hols holiday holidays
condo condominium
kita kindertagesstätte
azubi auszubildender auszubildende
akku akkumulator
kilo kilogram kilogramm
config configuration
repo repository
db database datenbank
prod production
auth authentication
creds credentials
infra infrastructure
deps dependencies
postgres postgresql
k8s kubernetes
js javascript
""".strip().split("\n")
)


def clipped_forms(term: str) -> frozenset[str]:
    """The other terms of its row; none for any other word."""
    return _table().get(term, frozenset())


@lru_cache(maxsize=1)
def _table() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for row in _CLIPPED:
        terms = frozenset(term for word in row for term in document_terms(word))
        found.update({term: terms - {term} for term in terms})
    return found
