"""Other terms that may stand for a term of a question. Pure.

    clipped_forms   what people cut a word to: the physio is the physiotherapist, the prod db the production database
    verb_forms      the forms of one irregular verb: who asks what was lent asks with "lend"
    german_forms    "Pflanze" where "Pflanzen" is asked: words in Latin letters are stemmed as English (stem.py), which leaves these apart

Two words for one thing that are not cut from each other are none of it: how near those are is kindred.py's. Nor is what may as well be a name or another
word: Dev, Abi, the doc, labor. Of verbs, regular forms have one stem, and helpers ("be", "do", "have") say nothing. Of German endings, only those that change
a word's form and not its meaning: "-er" does too often ("Messe", "Messer"). They are for a question that is in German, and only forms that memory has are of use.
"""

from __future__ import annotations

from functools import lru_cache

from pmg.base.verbs import IRREGULAR_FORMS
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


_HELPERS = frozenset(("be", "do", "have", "go", "get", "let"))


def verb_forms(term: str) -> frozenset[str]:
    """The other terms of its verb; none for any other word."""
    return _verbs().get(term, frozenset())


@lru_cache(maxsize=1)
def _verbs() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for plain, inflected in IRREGULAR_FORMS.items():
        if plain in _HELPERS:
            continue
        terms = {term for form in (plain, *inflected) for term in document_terms(form)}
        for term in terms:
            found.setdefault(term, set()).update(terms - {term})
    return {term: frozenset(others) for term, others in found.items() if others}


_ENDINGS = ("e", "en", "n", "es", "em", "s", "t", "et", "te")
MIN_ROOT = 4  # letters, but for a word that is shorter itself


@lru_cache(maxsize=10_000)
def german_forms(term: str) -> frozenset[str]:
    """The terms of its other forms, whether or not there are such words; none of one with a figure in it."""
    if not term.isalpha() or len(term) < MIN_ROOT - 1:
        return frozenset()
    cut = (term.removesuffix(ending) for ending in _ENDINGS if term.endswith(ending))
    roots = (term, *(root for root in cut if len(root) >= MIN_ROOT))
    return frozenset(form for root in roots for ending in ("", *_ENDINGS) for form in document_terms(root + ending)) - {
        term
    }
