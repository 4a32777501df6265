"""English verbs: the plain form of an inflected one, and which words of a clause are adverbs or helpers.

Knows: irregular forms by table, regular ones by rule. Pure.
"""

from __future__ import annotations

from functools import lru_cache

# plain form: past, participle (if it is another one)
_IRREGULAR = """be:was,were,been,is,are,am,being become:became begin:began,begun bend:bent bet:bet bite:bit,bitten blow:blew,blown break:broke,broken
bring:brought build:built burn:burnt,burned buy:bought catch:caught choose:chose,chosen come:came cost:cost cut:cut deal:dealt dig:dug
do:did,done,does draw:drew,drawn dream:dreamt,dreamed drink:drank,drunk drive:drove,driven eat:ate,eaten fall:fell,fallen feed:fed feel:felt
fight:fought find:found fly:flew,flown forget:forgot,forgotten forgive:forgave,forgiven freeze:froze,frozen get:got,gotten give:gave,given
go:went,gone,goes grow:grew,grown hang:hung have:had,has hear:heard hide:hid,hidden hit:hit hold:held hurt:hurt keep:kept know:knew,known
lay:laid lead:led learn:learnt,learned leave:left lend:lent let:let lie:lied lose:lost make:made mean:meant meet:met pay:paid put:put quit:quit
read:read ride:rode,ridden ring:rang,rung rise:rose,risen run:ran say:said see:saw,seen sell:sold send:sent set:set sew:sewed,sewn
shake:shook,shaken shine:shone shoot:shot show:showed,shown shut:shut sing:sang,sung sink:sank,sunk sit:sat sleep:slept speak:spoke,spoken
spend:spent spread:spread stand:stood steal:stole,stolen stick:stuck strike:struck swear:swore,sworn sweep:swept swim:swam,swum swing:swung
take:took,taken teach:taught tear:tore,torn tell:told think:thought throw:threw,thrown understand:understood upset:upset wake:woke,woken
wear:wore,worn weave:wove,woven win:won write:wrote,written withdraw:withdrew,withdrawn overcome:overcame rebuild:rebuilt sign:signed"""
_PLAIN = {
    form: plain
    for row in _IRREGULAR.split()
    for plain, _, forms in (row.partition(":"),)
    for form in (plain, *forms.split(","))
}
IRREGULAR_FORMS = {
    plain: tuple(form for form in inflected.split(",") if form != plain)
    for row in _IRREGULAR.split()
    for plain, _, inflected in (row.partition(":"),)
}
PASTS = frozenset(
    form
    for row in _IRREGULAR.split()
    for plain, _, forms in (row.partition(":"),)
    for form in forms.split(",")
    if form not in ("is", "are", "am", "being", "does", "goes", "has") and form != plain
)
BE = frozenset("am is are was were be been being".split())
WILL = frozenset(("will", "shall"))
WOULD = frozenset("would could should might may must".split())
ADVERBS = frozenset(
    """also just really always still recently actually even already definitely finally totally so only all both currently now usually often
    sometimes ever truly honestly literally basically simply quite very pretty too again once mostly mainly lately soon then today
    tonight kinda sorta super absolutely especially originally previously initially together seriously fully constantly rarely instead
    later early easily last first certainly obviously clearly personally once myself himself herself yourself ourselves each well""".split()
)
DOUBT = {
    "probably": 0.7,
    "maybe": 0.5,
    "perhaps": 0.5,
    "possibly": 0.5,
    "apparently": 0.7,
    "supposedly": 0.5,
    "almost": 0.5,
    "nearly": 0.5,
}
NEGATIONS = frozenset(("not", "never", "no", "hardly", "barely", "neither"))
_VOWELS = "aeiou"
_KEEPS_E = ("at", "iz", "is", "us", "as", "uc", "ac", "ic", "ov", "iv", "av", "ev", "lv", "rv", "ng", "dg", "ur", "ir", "or", "ar", "ag", "ud", "id",
            "ad", "od", "im", "am", "om", "in", "un", "il", "ul", "bl", "tl", "pl", "dl", "gl", "ut", "it", "ot", "ap", "ip", "op", "yp", "ik", "ak", "ok", "et", "or",
            "os", "ys", "ib", "ub", "rs", "ns", "nc", "rc", "rg", "lg", "qu", "st")  # fmt: skip
_NO_E = frozenset(
    """visit edit limit enter offer order open listen happen wonder remember consider deliver discover suffer gather
    answer master wander volunteer market target budget cover recover pull fill call tell feel pool deal reveal appeal
    cool heal mail fail sail train explain gain rain remain join return burn turn learn earn clean aim claim roam last
    test post cast trust adjust assist exist invest request suggest boost host coast toast roast rest wait meet greet
    treat repeat eat beat cheat heat float need feed load read lead add end bring ring sing hang long belong swing
    cook look book walk talk work park mark thank think ask help keep sleep benefit camp jump bump develop worship
    stay play enjoy annoy miss pass dress process focus discuss guess impress press cross""".split()
)


@lru_cache(maxsize=20_000)
def plain(word: str) -> str:
    """The plain form: "went" → "go", "running" → "run". A word that is no known form is given back as well as the rules can."""
    if word in _PLAIN:
        return _PLAIN[word]
    if word.endswith("ing") and len(word) > 4:
        return _base(word[:-3])
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("ed") and len(word) > 3 and not word.endswith("eed"):
        return _base(word[:-2])
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes", "oes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss") and len(word) > 3:
        return word[:-1]
    return word


def _base(stem: str) -> str:
    """What is left without -ed or -ing: a doubled letter goes, a silent e comes back."""
    if stem in _PLAIN:
        return _PLAIN[stem]
    if stem in _NO_E:
        return stem
    if stem.endswith("creat"):
        return stem + "e"
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "lsz":
        return stem[:-1]
    if (
        len(stem) > 4
        and stem.endswith("ll")
        and stem[-3] in _VOWELS
        and stem[:-1] not in ("cal", "pul", "fil", "rol", "kil", "wil", "enrol")
    ):
        return (
            stem
            if stem in ("call", "pull", "fill", "roll", "kill", "spell", "smell", "tell", "sell", "install", "enroll")
            else stem[:-1]
        )
    if stem.endswith(_KEEPS_E) and not _two_vowels(stem):
        return stem + "e"
    return stem


def _two_vowels(stem: str) -> bool:
    """ "train", "look": two vowels before the last letter, no silent e."""
    return len(stem) > 2 and stem[-2] in _VOWELS and stem[-3] in _VOWELS and stem[-1] not in "vsz"


def forms(plain_form: str) -> tuple[str, ...]:
    """The other forms of an irregular verb: "break" has broke and broken. None for any other word."""
    return IRREGULAR_FORMS.get(plain_form, ())


def is_past(word: str) -> bool:
    return word in PASTS or (word.endswith("ed") and len(word) > 3 and not word.endswith("eed"))


def is_participle(word: str) -> bool:
    """Whether a word may follow "have": an approximation, as good as the tables."""
    return (
        word in PASTS
        or (word.endswith("ed") and len(word) > 3)
        or word in ("put", "read", "cut", "set", "hit", "quit", "come", "become", "run", "let")
    )
