"""Kinds whose members exclude each other: what was said of a cat was not said of a hamster, whatever else the words share. Pure.

Knows: a few closed kinds of everyday things, each thing with its other names (English and German). Closed: a thing of them has hardly a name that is not listed, so
that one who never says it has not spoken of it. Of open kinds (role, colleague, injury, trip; books and films, which are told by their titles) that cannot be told, and they are not here.
"""

from __future__ import annotations

from functools import lru_cache

from pmg.index.terms import document_terms

# A kind a row; the names of one thing are joined by a stroke.
_KINDS = """
mother/mom/mum/mama/mutter father/dad/daddy/papa/vater sister/schwester brother/bruder grandmother/grandma/granny/oma grandfather/grandpa/opa aunt/auntie/tante uncle/onkel niece/nichte nephew/neffe daughter/tochter son/sohn
dog/puppy/pup/hund/hündin/welpe cat/kitten/kitty/katze/kater hamster parrot/papagei rabbit/bunny/kaninchen/hase turtle/tortoise/schildkröte horse/pony/pferd goldfish/goldfisch snake/schlange lizard/gecko ferret canary/kanarienvogel chinchilla hedgehog/igel
guitar/gitarre violin/fiddle/geige piano/klavier drums/drum/schlagzeug flute/flöte cello ukulele trumpet/trompete saxophone/sax/saxofon clarinet/klarinette banjo harp/harfe accordion/akkordeon harmonica trombone/posaune
yoga pilates swimming/swim/schwimmen tennis golf basketball football/soccer/fußball karate/judo/taekwondo ballet/ballett zumba volleyball badminton hockey rugby cricket skiing/ski surfing/surf
car/auto motorcycle/motorbike/motorrad scooter/roller truck/lorry van boat caravan/campervan/camper tractor/traktor bicycle/bike/fahrrad
wedding/hochzeit funeral/beerdigung graduation christening/baptism/taufe birthday/geburtstag
kitchen/küche bedroom/schlafzimmer bathroom/badezimmer garage basement/cellar/keller balcony/balkon attic/loft/dachboden
dentist/zahnarzt/zahnärztin dermatologist/hautarzt therapist/therapeut lawyer/attorney/anwalt accountant/steuerberater plumber/klempner optician/optometrist/optiker vet/veterinarian/tierarzt/tierärztin hairdresser/barber/friseur
tomato/tomate cucumber/gurke pepper/paprika carrot/karotte potato/kartoffel onion/zwiebel zucchini/courgette pumpkin/kürbis lettuce/salat spinach/spinat
camera/kamera telescope/teleskop laptop tablet printer/drucker headphones/earphones/earbuds/kopfhörer phone/smartphone/iphone/telefon
museum theater/theatre zoo aquarium library/bibliothek gym/fitnessstudio church/kirche cinema/kino
korea/korean italy/italian/italien mexico/mexican/mexiko thailand/thai india/indian/indien japan/japanese china/chinese greece/greek/griechenland france/french/frankreich spain/spanish/spanien germany/german/deutschland portugal/portuguese vietnam/vietnamese brazil/brazilian egypt/egyptian morocco/moroccan sweden/swedish/schweden norway/norwegian/norwegen poland/polen canada/canadian/kanada peru/peruvian iceland/icelandic ireland/irish/irland croatia/croatian/kroatien argentina/argentinian australia/australian
chicago seattle boston miami denver paris london rome/rom tokyo austin berlin vienna/wien madrid lisbon/lissabon amsterdam barcelona prague/prag dublin houston dallas portland atlanta toronto sydney bangkok seoul singapore dubai istanbul athens/athen
boots/stiefel sneakers/trainers sandals/sandalen jacket/jacke dress/kleid jeans sweater/pullover/jumper scarf/schal
knitting/knit/stricken gardening/gärtnern fishing/angeln pottery/ceramics/töpfern cycling/cycle/radfahren
lasagna/lasagne sushi pizza curry paella ramen
necklace/halskette bracelet/armband earrings/ohrringe
sofa/couch mattress/matratze desk/schreibtisch bookshelf/bookcase/bücherregal chandelier/kronleuchter rug/carpet/teppich
spotify netflix instagram facebook twitter youtube tiktok linkedin pinterest snapchat
walmart costco ikea nordstrom
"""


@lru_cache(maxsize=1)
def _table() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """By term: the names of the same thing, and those of the others of its kind."""
    found = {}
    for row in _KINDS.strip().splitlines():
        things = [
            frozenset(term for name in thing.split("/") for term in document_terms(name)[:1]) for thing in row.split()
        ]
        everything = frozenset().union(*things)
        found.update({term: (thing, everything - thing) for thing in things for term in thing})
    return found


def same(term: str) -> frozenset[str]:
    """The names of a thing, as search terms; none for what belongs to no closed kind."""
    return _table().get(term, (frozenset(), frozenset()))[0]


@lru_cache(maxsize=1)
def _words() -> dict[str, tuple[str, ...]]:
    return {
        term: tuple(thing.split("/"))
        for row in _KINDS.strip().splitlines()
        for thing in row.split()
        for name in thing.split("/")
        for term in document_terms(name)[:1]
    }


def names(term: str) -> tuple[str, ...]:
    """The names of a thing, as words to search for."""
    return _words().get(term, ())


def others(term: str) -> frozenset[str]:
    """What is of its kind and something else."""
    return _table().get(term, (frozenset(), frozenset()))[1]
