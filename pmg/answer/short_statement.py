"""Whether a few words without a mark tell something ("Wilf planted dahlias", "Phil doesn't eat pork") or name what is looked for ("nut roast recipe").

Knows: the forms of common verbs in English and German, and where in a clause they stand. In doubt it was told: a search that is kept is a nuisance, a
memory that is taken for a search is not found again. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pmg.base.calendar_words import GERMAN_WEEKDAYS, WEEKDAYS
from pmg.base.patterns import short
from pmg.base.verbs import ADVERBS, PASTS, SAME_IN_THE_PAST, is_past, is_third_person, is_verb, plain
from pmg.base.words import SMALL_NUMBERS, STOP_WORDS

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_FIRST_PERSON = frozenset(
    "i i'm i've i'd i'll im ive we we're we've my our ich wir mein meine meinen unser unsere".split()
)
FINITE = frozenset(
    """is are was were am has had have did does went came got made said bought sold met saw ate took gave told moved started finished
    ist sind war waren hat hatte habe haben ging kam bekam kaufte""".split()
)
_HELPERS = frozenset(
    "will can must should would could might need needs want wants wird kann muss soll darf will mag möchte".split()
)
_DENIED = re.compile(
    r"\w+n['’]t\b|(?:do|does|did|wo|ca|is|are|was|were|has|have|had|could|would|should|must)nt\b|(?:not|never|nicht|kein\w*|nie)\b",
    re.IGNORECASE,
)  # "dentist appointment" ends as they do
_NO_SUBJECT = frozenset(
    "a an the of for with from in on at to by about and or der die das den dem ein eine von für mit aus im am zu und oder".split()
)
# Participles that are mostly adjectives of what is looked for: "chicken fried rice", "lost keys", "used cars".
_ADJECTIVES = frozenset(
    "used fried baked roasted grilled stuffed smoked mixed boiled dried sliced lost broken frozen hidden forgotten written left shed bred".split()
)
_THE = frozenset("the this that der die das".split())
# "also wipes", "außerdem Windeln", on a list that is told; "also Anna's birthday" is looked for.
_ADDS = re.compile(
    r"\W{0,3}(?:(?:and|oh) )?(?:also,? (?!(?:photos|pictures|pics|e?mails|notes|recipes?|thanks?|hello|hi|hey|bye|good|ok|okay|ja|nein|gut|danke|tschüss|mal|dann|doch|what|when|where|which|who|whom|whose|why|how|wann|wo|wer|warum|wie|was|at|on|in|by|find|show|search|list)\b)"
    r"[a-z][a-z-]*(?:(?:,| and|, and)? [a-z0-9-]+){0,3}|[Aa]ußerdem (?!(?:Fotos|Bilder|Termine|Rezepte?|Mails?)\b)[A-ZÄÖÜ][a-zäöüß]+(?: und [A-ZÄÖÜ][a-zäöüß]+)?)\W{0,3}"
)
_LABELLED = re.compile(r"\s*[^\W\d_][^:\n]{2,40}:\s+\S")  # "Einkauf für Mama: Zwieback"
_IS_ONE = short(
    r"^\W*[\w ]+['’]s (?:the|an?|my|our|his|her|their|not|in|at|on|from|off|away|back|here|called|still|already|now)\b"
    r"|^\W*[\w ]+['’]s (?!(?:wedding|building|meeting|painting|training|morning|evening|pudding|knitting|earring|drawing|reading|housewarming|christening|clothing)\b)\w+ing (?:with|to|in|into|at|on|for|from|out|up|off|back|over|away|home|the|my|our|his|her|their|an?|it|us|me|tomorrow|today|tonight|next|this|again|now)\b",
    re.IGNORECASE,
)  # "Alun's the manager", "piotr's sharing with nigel"
_OF_THEM = re.compile(
    r"\W{0,3}(?:(?:he|she|it|they|we|i)['’](?:s|re|m|ve|ll|d)|hes|shes|theyre|theyve|theyll|its(?= (?:\d\w*|not|an?|the|in|on|at|called|now|still)\b)) (?!(?:shoe|dress|favou?rite|birthday|name|address|number|price)\b)\w",
    re.IGNORECASE,
)  # "She's playing Lady Bracknell"
_IS_CALLED = re.compile(
    r"(?:[^\W\d_]+ ){0,2}[a-zäöüß]+['’]s (?!(?:Birthday|Address|Number|Name|Phone|Email)\b)[A-ZÄÖÜ][a-zäöüß]+\W*$"
)  # "Union rep's Colin"
_OPENS = frozenset("and but so oh also now then und aber dann jetzt auch".split())
_HE = frozenset("he she it".split())
_THEY = frozenset("they we".split())
_ER = frozenset("er sie es".split())
# Between a subject and its verb; after these a word in -s is a verb too: "her coat still fits"
_BETWEEN = frozenset("still always never only also usually often sometimes rarely just even really now".split())
_NO_VERB = frozenset("them their might both all and or vs versus pronouns nails".split())
# What a German verb in -t has after it, and no English noun: "ruft sonntags an", "frisst nur Nassfutter"
_AFTER_GERMAN_VERB = frozenset(
    """nur auch gern gerne immer wieder oft manchmal selten nie noch schon jetzt sehr viel wenig täglich mittags abends morgens den dem das ein eine einen mit bei
    auf für zu nach aus um von vom zum zur beim ins im ab jeden jede""".split()
) | frozenset(f"{day}s" for day in GERMAN_WEEKDAYS)
_ONLY_GERMAN_ENDING = ("nnt", "hnt", "mmt")  # "brennt", "wohnt", "kommt"
_GERMAN_ENDING = ("cht", "sst", "ßt", "hnt", "hlt", "ckt", "zt", "pft", "mmt", "nnt", "ngt", "llt", "nkt")
_GERMAN_PARTICIPLE = re.compile(
    r"(?:ab|an|auf|aus|ein|mit|nach|vor|weg|zu|um|zurück|los|fest|her|hin)?ge[a-zäöüß]{3,}(?:t|en)"
)
_PREDICATES = frozenset(
    "allergic afraid scared engaged married divorced pregnant retired vegetarian vegan allergisch verheiratet verlobt geschieden schwanger krank".split()
)
_NOT_VERBS = frozenset(
    "mit seit statt samt nicht jetzt erst fast oft best first last left right next without about past lost".split()
)
_GERMAN_ARTICLES = frozenset("der die das den dem ein eine einen einem seinen seine ihren ihre unseren unsere".split())
_OBJECTS_OF_VERBS = frozenset("the his her their".split())
_BEGIN_OBJECTS = frozenset("the my our a an his her their some mr mrs ms dr".split())
_LOOKED_FOR = frozenset(
    "show find list search give tell get look any all my our the suche such finde zeig zeige".split()
)
MIN_ATTRIBUTE, MAX_ATTRIBUTE = 5, 10  # words of what is asked for by its name alone
_ATTRIBUTE = re.compile(
    r"\W*(?:the )?(?:(?!\w+ed |lost |paid |got |set |need |forgot |the )[a-z]{2,20} (?:[a-z]{3,20} (?=(?:number|code|reference)s? ))?)?(?:name|number|address|price|cost|fee|rent|deadline|date|size|colou?r|password|code|pin|port|url|version|location|birthday|reference)s? (?:of|for) [^:;=.,!\n]+$",
    re.IGNORECASE,
)
_GIVES_VALUE = frozenset(
    (*SMALL_NUMBERS, *"under in at behind through on by and about around going living und unter hinter".split())
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_PREPOSITIONS = frozenset("in on at from to by with for until till since".split())
_DAYS = frozenset(
    (*WEEKDAYS, *GERMAN_WEEKDAYS, *"today tonight tomorrow yesterday heute morgen gestern übermorgen".split())
)
_GERMAN_VERBS = frozenset(
    """liest isst fährt schläft wohnt lebt arbeitet heißt heisst geht kommt spielt liebt hasst braucht trinkt kostet gehört kauft nimmt gibt trägt hilft sieht
    macht sagt singt läuft lernt studiert raucht mag feiert heiratet zieht bleibt beginnt endet öffnet schließt fliegt reist kocht backt sammelt sucht
    findet hält steht liegt hängt sitzt bekommt verdient zahlt schuldet leitet unterrichtet pflanzte kaufte wohnte arbeitete spielte machte fuhr flog zog
    gibts blieb starb fand nahm gab sah traf rief schrieb las aß trank""".split()
)


def tells(text: str) -> bool:
    """Has a verb that says something of somebody, speaks of oneself, says of something on which day it is ("Marathon on Sunday"), or adds to what was told ("also wipes")."""
    text = " ".join(text.split())  # thousands of blanks would be read again from each of them
    words = _WORD.findall(text)
    lower = [word.lower().replace("’", "'") for word in words]
    if (
        _ADDS.fullmatch(text)
        or _FIRST_PERSON.intersection(lower)
        or FINITE.intersection(lower)
        or (len(lower) > 1 and _DAYS.intersection(lower))
    ):
        return True
    return (
        _LABELLED.match(text) is not None
        or _IS_ONE.search(text) is not None
        or _OF_THEM.match(text) is not None
        or _is_pronoun_clause(words)
        or any(word in _PREDICATES for word in lower[1:])
        or _past_without_subject(lower)
        or (lower[1:2] == ["sich"] and lower[0].endswith("t"))  # "wünscht sich ein Rad"
        or _is_german_clause(words)
        or any(_is_verb(lower, place) or _measures(lower, place) for place in range(1, len(lower)))
    )


def may_tell(text: str) -> bool:
    """As well a clause as a thing: "the dishwasher leaks", "the bike keys", "Halden renews in May", "Anna photos from Rome". It is looked for, and kept."""
    words = [word.lower() for word in _WORD.findall(text)]
    is_clause = len(words) > 3 and text.strip()[:1].isupper() and words[1].endswith("s") and words[2] in _PREPOSITIONS
    if is_clause and words[0] not in _LOOKED_FOR:
        return True
    if len(words) > 1 and words[-1].isdecimal() and words[0] not in _LOOKED_FOR and not _YEAR.fullmatch(words[-1]):
        return True  # "Spind Nummer 88"
    if names_what_is_asked(text) or (_IS_CALLED.match(text.strip()) and words[0] not in _LOOKED_FOR):
        return True
    if _may_be_done(_WORD.findall(text)):
        return True
    return len(words) > 2 and words[0] in _THE and _NO_SUBJECT.isdisjoint(words[1:])


def names_what_is_asked(text: str) -> bool:
    """ "Name of the webhook secret env var", "price of the blue sofa": of something one value is wanted, and none is given."""
    words = _WORD.findall(text)
    if not MIN_ATTRIBUTE <= len(words) <= MAX_ATTRIBUTE or not _ATTRIBUTE.match(text) or tells(text):
        return False
    gives_value = any(word[0].isdecimal() or word.lower() in _GIVES_VALUE or word[0].isupper() for word in words[1:])
    return not gives_value


def _is_pronoun_clause(words: Sequence[str]) -> bool:
    """ "she plays the cello", "and they brew beer", "er sammelt Münzen": nobody looks for "she". "IT services" and "ER-Diagramm" are things."""
    lower = [word.lower() for word in words]
    place = 1 if lower and lower[0] in _OPENS else 0
    if len(words) < place + 2 or (words[place].isupper() and len(words[place]) > 1):
        return False
    subject, after = lower[place], place + 1
    while after < len(lower) - 1 and lower[after] in _BETWEEN:
        after += 1
    verb = lower[after]
    if verb in _NO_VERB or verb in STOP_WORDS:
        return False
    known = verb in _HELPERS or is_past(verb) or verb in SAME_IN_THE_PAST
    if subject in _HE:
        ends_in_s = verb.endswith("s") and not verb.endswith("ss") and len(verb) > 3 and subject != "it"
        return known or is_third_person(verb) or ends_in_s
    if subject in _THEY:
        return True
    return (
        subject in _ER
        and words[after].islower()
        and (verb in _GERMAN_VERBS or verb.endswith(("t", "te", "en", "ln", "rn")))
    )


def _may_be_done(words: Sequence[str]) -> bool:
    """ "need stamps", "bring the pink ball", "Jakob schnarcht", "Hecke geschnitten": said of oneself or of somebody, or what is looked for."""
    lower = [word.lower() for word in words]
    if len(words) < 2 or lower[0] in _LOOKED_FOR or lower[0] in ("describe", "explain", "recall"):
        return False
    if lower[0] in ("need", "needs") or (is_verb(lower[0]) and lower[1] in _BEGIN_OBJECTS):
        return True
    last, before = words[-1], words[-2]
    return (
        last.islower()
        and before[:1].isupper()
        and last not in _NOT_VERBS
        and (last.endswith(_GERMAN_ENDING) or _GERMAN_PARTICIPLE.fullmatch(last) is not None)
    )


def _measures(words: Sequence[str], place: int) -> bool:
    """ "Dev weighs 19 kg", "Fiete wiegt 28 Kilo"."""
    return words[place].endswith(("s", "t")) and len(words) > place + 2 and words[place + 1].isdecimal()


def _is_german_clause(words: Sequence[str]) -> bool:
    """ "Das Bier besorgt Jakob", "Jakob besorgt das Bier": between two words with a capital one that ends as a verb does."""
    return any(
        word.islower()
        and word.endswith("t")
        and len(word) > 3
        and before[:1].isupper()
        and (after[:1].isupper() or after in _GERMAN_ARTICLES or after in _AFTER_GERMAN_VERB)
        and before.lower() not in _NO_SUBJECT
        and word not in _NOT_VERBS
        for before, word, after in zip(words, words[1:], words[2:], strict=False)
    )


def _past_without_subject(words: Sequence[str]) -> bool:
    """ "Planted garlic", "Sold the car", "tuned Mrs Lee's upright": of oneself, as in a diary."""
    if len(words) < 2 or (words[0] in _ADJECTIVES and words[1] not in _BEGIN_OBJECTS):
        return False
    has_object = words[1] in _BEGIN_OBJECTS and words[0].endswith("ed") and len(words[0]) > 4
    return has_object or _is_known_past(words[0])


def _is_verb(words: Sequence[str], place: int) -> bool:
    word = words[place]
    following = words[place + 1] if place + 1 < len(words) else ""
    if words[place - 1] in _NO_SUBJECT or (word in _ADJECTIVES and following not in _BEGIN_OBJECTS):
        return False
    if _ends_as_a_verb(words, place):
        return True
    if _DENIED.match(word) or word in _GERMAN_VERBS or word.endswith(_ONLY_GERMAN_ENDING):
        return True
    if word in _HELPERS or is_past(word):
        return True
    # "Dan cycles to work", "Mr. Sato teaches Cooper": a lone "dog walks" is as well a thing.
    before = words[place - 2] if place > 1 and words[place - 1] in ADVERBS | {"only", "just"} else words[place - 1]
    if len(words) < 3 or before in STOP_WORDS:
        return False
    return is_third_person(word) or word in SAME_IN_THE_PAST or (words[place - 1].endswith("s") and is_verb(word))


def _ends_as_a_verb(words: Sequence[str], place: int) -> bool:
    """ "Bogdan folds the napkins", "her coat still fits": in -s, before an object or after an adverb that only a verb has."""
    word = words[place]
    if len(word) < 4 or not word.endswith("s") or word.endswith(("'s", "ss", "us")):
        return False
    if words[place - 1] in _BETWEEN:
        return place > 1 and words[place - 2] not in STOP_WORDS
    return words[place - 1] not in STOP_WORDS and place + 1 < len(words) and words[place + 1] in _OBJECTS_OF_VERBS


def _is_known_past(word: str) -> bool:
    return word in PASTS or (is_past(word) and is_third_person(f"{plain(word)}s"))
