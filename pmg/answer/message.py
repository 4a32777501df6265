"""What kind of message it is: asked, told, searched for, to be summed up, to be forgotten, a greeting, thanks, or something this chat cannot do.

Knows: a few signs of each in English and German, and question marks in any script; a message in another language is a question if
it has a question mark, a search if it is a word or two, and else something told. What a question wants is in
`answer_type.py`, what a short one leans on in `standalone.py`.
"""

from __future__ import annotations

import re
from enum import StrEnum

from pmg.answer.command_word import is_a_thing
from pmg.answer.event_time import without_event
from pmg.answer.forget_request import what_to_forget
from pmg.answer.sentences import split
from pmg.answer.short_statement import FINITE, may_tell, names_what_is_asked, tells
from pmg.base.calendar_words import GERMAN_WEEKDAYS, MONTHS, ONLY_GERMAN_MONTHS, WEEKDAYS
from pmg.base.patterns import short
from pmg.base.sentences import ASKS
from pmg.base.words import SMALL_NUMBERS, STOP_WORDS, count_words
from pmg.ingest.asked import asks_to_keep, goes_on_telling, only_asks, reads_like_a_question, well_typed


class MessageKind(StrEnum):
    QUESTION = "question"
    TOLD = "told"
    SEARCH = "search"
    SUMMARY = "summary"
    FORGET = "forget"  # which a person does for themselves: this chat shows what it may be
    ACTION = "action"  # something to be done in the world: this chat only keeps and finds
    GREETING = "greeting"
    THANKS = "thanks"
    FAREWELL = "farewell"


_QUESTION_WORDS = frozenset(
    """what when where which who whom whose why how is are was were am do does did can could will would should may might have has
    had shall was wann wo wer wen wem wessen warum weshalb wieso wie welche welcher welches welchen welchem wohin woher wieviel wieviele ist sind war waren hat habe
    haben kann kannst darf soll wird werden""".split()
)
_TELLS = frozenset("was have has had is are will war hat habe".split())  # also begin a told half: "was great"
_PLEASE = r"(?:(?:please|pls|plz|kindly|bitte|hey|hi|ok(?:ay)?|and|und|so|now|then|also|jetzt|dann|nun)[\s,]+)*(?:(?:can|could|would|will) you (?:please )?|(?:kannst|könntest) du (?:mir |bitte )*)?"
_SEARCH = re.compile(
    rf"\W*{_PLEASE}(?:find|search|show|list|look (?:up|for)|tell (?:me|us)|tell (?=(?:what|when|where|which|who|whom|why|how)\b)|remind me (?:what|when|where|which|who|whom|why|how|of|about|if)|"
    r"explain|describe|recall|give me|suche?|finde?|zeige?|nenne?|sag(?:e)? mir|erzähl(?:e)?|erinnere mich,? (?:was|wann|wo|wer|wie|warum))\b",
    re.IGNORECASE,
)
# "show me what I said about the deposit", "look up who paid"
_SOUGHT_CLAUSE = short(
    rf"\W*{_PLEASE}(?:(?:find|search|show|list|look|tell|remind|give)\s+(?:(?:me|us|out|up|for)\s+)*(?:everything|all|what|where|when|who|whom|which|how|why)|"
    r"(?:summari[sz]e|sum up|recap|(?:a |an )?(?:summary|overview|recap) of)\s+(?:everything|all|what)|fasse?\s+(?:mir\s+)?(?:bitte\s+)?(?:alles\s+)?zusammen,?\s+was|"
    r"(?:zeige?|sage?|nenne?|erzähle?)\s+(?:mir|uns),?\s+(?:alles|was|wo|wann|wer|wen|wie|welche[mnrs]?))\b",
    re.IGNORECASE,
)
_SUMMARY = re.compile(
    rf"\W*{_PLEASE}(?:(?:give|write|make|show)(?: me)? )?(?:a |an |the |eine |einen )?(?:short |brief |quick |kurze )?"
    r"(?:(?:show|find|list|tell)(?: me)? (?:everything |all )?(?:what |that )?(?:i|we)(?:['’]ve| have)? (?:said|told you|tell you|mentioned|wrote|noted) about|"
    r"zeige?(?: mir)?,? was ich (?:dir )?über\b|summar(?:y|ies|i[sz]e)|sum up|recap|overview|review of|zusammenfassung|überblick|fass(?:e|t)?\b.*\bzusammen|gib mir (?:eine )?zusammenfassung)\b",
    re.IGNORECASE,
)
# "what happened last week?" and "… before the move?" name a time and nothing else: a list of what was talked about then is its answer
_HAPPENED = short(
    r"\W*(?:and |so |und )?(?:what (?:happened|went on|have (?:i|we) been (?:up to|doing)|(?:did|have) (?:i|we) (?:do|done|get up to|talk about|discuss)|"
    r"(?:was|were) (?:i|we) (?:doing|up to)|was (?:going on|new))|"
    r"was (?:ist |war )?(?:los|passiert|geschehen)|was (?:ist|war)\b.*\b(?:los|passiert|geschehen)|"
    r"was hab(?:e|en)? (?:ich|wir)\b.*\b(?:gemacht|getan|unternommen|erlebt))\b",
    re.IGNORECASE,
)
# "what did I tell you today?": the lines of that time, whatever they tell of
_TOLD_THEN = short(
    r"\W*(?:and |so |und )?(?:what (?:all )?(?:(?:did|have) (?:i|we)|(?:i|we)['’]ve) (?:all )?(?:already |just )?(?:tell|told|say|said|mention(?:ed)?|note[d]?|wr(?:ite|ote|itten)|share[d]?)\b|"
    r"was hab(?:e|en)? (?:ich|wir)\b.*\b(?:gesagt|erzählt|erwähnt|notiert|geschrieben|mitgeteilt))\b",
    re.IGNORECASE,
)
_TOLD_WORDS = frozenset(
    """tell told say said mention mentioned note noted write wrote written share shared you far already everything dir euch uns du schon bisher bis jetzt gesagt
    erzählt erwähnt notiert geschrieben mitgeteilt""".split()
)
# "what do I have tomorrow?", "what's on this weekend?", "was steht morgen an?" name a time to come and nothing else
_AHEAD = re.compile(
    r"\W*(?:and |so |und )?(?:what(?:['’]?s| is| are)? (?:(?:do|have|will|am|are|ve) )?(?:(?:i|we) )?(?:have|got|on|up|doing|planned|happening|coming up|going on|scheduled|be doing)\b|"
    r"(?:do (?:i|we) have|have (?:i|we) got|is there) (?:anything|something|any plans)\b|(?:anything|something|any plans) (?:on|up|planned|happening|due|for)\b|"
    r"was (?:hab(?:e|en)?|mache[n]?) (?:ich|wir)\b|was (?:steht|ist)\b.*\b(?:an|los|geplant)\b)",
    re.IGNORECASE,
)
_AHEAD_WORDS = frozenset(
    """have got on up planned happening coming scheduled anything something plans plan diary calendar tomorrow next this upcoming rest
    vor an geplant steht mache machen morgen übermorgen nächste nächsten nächster nächstes kommende kommenden kommendes whats noch""".split()
)
_TALKED = re.compile(r"\b(?:talk|talked|discuss|discussed)\b", re.IGNORECASE)
_ACTION = re.compile(
    rf"\W*{_PLEASE}(?:remind me|wake me|set (?:a|an|the|my) (?:alarm|timer|reminder)|send|e-?mail|phone|ring|text|message|call|book|order|buy|pay|"
    r"schedule|translate|draft|write|compose|calculate|play|turn (?:on|off)|switch (?:on|off)|erinnere? mich|wecke? mich|stelle? (?:einen|den) (?:wecker|timer)|"
    r"schicke?|sende|ruf(?:e)?|buche?|bestelle?|kaufe?|übersetze?|schreibe?|spiele?|rechne)\b",
    re.IGNORECASE,
)
_TAIL = r"(?:[\s,.!]*(?:there|all|so|so much|pet|very much|a lot|again|then|pmg|du|dir|euch|schön|sehr|vielmals|für alles|everyone|mate|dear|love|buddy|pal|darling|for (?:your|the|all (?:your|the)) help|for (?:that|this|everything|helping)|für (?:die|deine) hilfe)\b)*\W*"
_FOR_TODAY = r"(?: (?:for (?:now|today|tonight|the moment|the day)|from me|für (?:heute|jetzt|den moment)|von mir)\b)*"
_GREETINGS = short(
    rf"\W*(?:(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening)|how(?: are|['’]re| r) (?:you|u)(?: doing)?|how['’]?s it going|hallo|guten (?:morgen|tag|abend)|servus|moin|grüß (?:dich|gott)|"
    rf"wie geht(?:['’]?s| es dir)|(?:i['’]?m|i am) back|it['’]?s me|me again|da bin ich wieder|(?:ich )?bin(?:['’]s| es)? wieder(?: da)?|ich bin(?:['’]s| es))\b{_TAIL})+",
    re.IGNORECASE,
)
_THANKS = short(
    r"\W*(?:(?:(?:ah|oh|ach|aha|hm+)[\s,]+)?(?:thanks?(?: you)?|many thanks|thank you so much|thx|ty|ta|cheers|great|perfect|excellent|brilliant|lovely|wonderful|amazing|awesome|fantastic|"
    r"cool|good|good to know|got it|right|i see|of course|makes sense|understood|yes|yeah|aha|stimmt|genau|richtig|ach so|verstehe|verstanden|gut zu wissen|ja(?: klar)?|klar|ok(?:ay)?|nice(?: one)?|super|well done|(?:much|very much|really) (?:appreciated|obliged)|you(?:['’]re| are|r) (?:a|an|the|so|very|really)? ?"
    r"(?:star|best|gem|legend|angel|doll|dear|treasure|hero|genius|life ?saver|great|helpful|kind|wonderful|amazing|brilliant|awesome)|"
    rf"that(?:['’]s| is|s| was|['’]?ll be| will be) (?:it|all|everything){_FOR_TODAY}|that(?:['’]s| is|s| was) (?:right|great|perfect|helpful|brilliant|lovely|wonderful|amazing|awesome|super|nice|useful|good|what i needed)|"
    rf"prima|toll|klasse|wunderbar|danke|(?:(?:vielen|besten|herzlichen|lieben|ganz lieben|vielen lieben|tausend) )?dank|dankeschön|alles klar|merci|das (?:war['’]?s|war es|wär['’]?s|war alles|ist alles){_FOR_TODAY}|das (?:war|ist) (?:toll|super|prima|hilfreich)|"
    rf"du bist (?:ein schatz|toll|super|der beste|die beste))\b{_TAIL})+",
    re.IGNORECASE,
)
_FAREWELLS = short(
    rf"\W*(?:(?:bye(?: bye| for now)?|goodbye|good night|see (?:you|ya)(?: (?:tomorrow|later|soon|then|next week|on \w+day))?|talk (?:to you )?(?:tomorrow|later|soon)|take care|tschüss|tschau|ciao|bis bald|bis morgen|gute nacht|auf wiedersehen)\b{_TAIL})+",
    re.IGNORECASE,
)
_SMALL_TALK = (
    (_GREETINGS, MessageKind.GREETING),
    (_THANKS, MessageKind.THANKS),
    (_FAREWELLS, MessageKind.FAREWELL),
)
_BE_OR_HAVE = frozenset("is are was were has had have ist sind war waren hat hatte".split())
_RELATIVE = frozenset(
    "i we you he she it they who that which whom is are was were has had have ich wir er sie es die der das".split()
)
_SUBJECTS = frozenset("i we you he she it they there ich du er sie es wir ihr".split())
# "waren am Montag in Ulm" tells, "waren die Kinder da" asks
_WERE = frozenset("war waren hatte hatten sind haben".split())
_AFTER_WERE = frozenset(
    "am an im in ins bei beim mit zum zur auf nach von vom um vor seit gestern heute noch schon endlich gerade jetzt letzte letzten".split()
)
_DIARY = frozenset("had muss müssen hab habe bin brauche".split())
_NEEDS = frozenset("need needs gotta".split())
# "need Anna's number": it is looked for
_ATTRIBUTES = frozenset(
    "number address password code pin date name details info notes everything that more again".split()
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
# "Call with Anna today", "E-mail from the bank": a noun, not what is to be done
_CAME = re.compile(r"\W*(?:call|text|message|e-?mail|letter)\s+(?:with|from)\b", re.IGNORECASE)
SMALL_TALK = 10  # words
MAX_AHEAD = 100  # characters of a question for what is to come
TOPIC = 4  # words: a message of no more, without a verb, is what is looked for ("knee", "nut roast recipe")


def kind_of(text: str) -> MessageKind:
    bare = text.strip()
    small_talk = _small_talk(bare)
    if small_talk is not None:
        return small_talk
    if what_to_forget(bare):
        return MessageKind.FORGET
    if (
        _SUMMARY.match(bare)
        or asks_what_was_told(bare)
        or (_HAPPENED.match(bare) and _only_a_time(without_event(bare)))
    ):
        return MessageKind.SUMMARY
    if _SEARCH.match(bare) and not _names_a_thing(bare) and not is_a_thing(bare):
        return MessageKind.SEARCH
    if _ACTION.match(bare) and not _told_of_oneself(bare) and not is_a_thing(bare):
        return MessageKind.ACTION
    return _asked_or_told(bare)


def asks_what_happened(text: str) -> bool:
    """Of a summary: what was in that time is asked for, not what was talked about then."""
    return _HAPPENED.match(text.strip()) is not None and _TALKED.search(text) is None


def asks_what_was_told(text: str) -> bool:
    """In a time, and nothing else of it: "what did I tell you about Anna today?" is of Anna, and "what did I say?" of what was just said."""
    bare = text.strip()
    if len(bare) > MAX_AHEAD or _TOLD_THEN.match(bare) is None or not _only_a_time(bare, _TOLD_WORDS):
        return False
    return any(word.lower() in _SAID_WHEN or word.isdecimal() for word in _WORD.findall(bare))


def asks_what_is_ahead(text: str) -> bool:
    """What is to come in a time, and nothing else; which time is time_frame.py's."""
    bare = text.strip()
    return len(bare) <= MAX_AHEAD and _AHEAD.match(bare) is not None and _only_a_time(bare, _AHEAD_WORDS)


def is_lookup(text: str) -> bool:
    """Something is to be found or summed up, and nothing is told with it: "Show was great" tells."""
    wanted = kind_of(text) in (MessageKind.SEARCH, MessageKind.SUMMARY)
    clause = any(pattern.match(text.strip()) for pattern in (_SOUGHT_CLAUSE, _HAPPENED, _TOLD_THEN))
    if wanted and clause and len(split(text)) == 1:
        return True
    return wanted and not FINITE.intersection(word.lower() for word in _WORD.findall(text))


def is_small_talk(text: str) -> bool:
    """A greeting, thanks, "ah, I see" or a farewell, and nothing else."""
    return _small_talk(text.strip()) is not None


def _small_talk(bare: str) -> MessageKind | None:
    """Thanks with a farewell behind them are a farewell."""
    if count_words(bare) > SMALL_TALK:
        return None
    for pattern, kind in _SMALL_TALK:
        if pattern.fullmatch(bare):
            return kind
    starts = [word.start() for word in _WORD.finditer(bare)][1:]
    leaves = any(_FAREWELLS.fullmatch(bare, at) and _THANKS.fullmatch(bare, 0, at) for at in starts)
    return MessageKind.FAREWELL if leaves else None


def tells_nothing(text: str) -> bool:
    """A question, what is to be found or summed up ("list the members of my family"), or small talk."""
    return (
        is_small_talk(text) or only_asks(text) or bool(what_to_forget(text)) or (is_lookup(text) and not may_tell(text))
    )


def only_seeks(text: str) -> bool:
    """A question, or what says itself that something is to be found or summed up; a few words that name a matter may have told it."""
    bare = text.strip()
    wants = _SEARCH.match(bare) is not None or _SUMMARY.match(bare) is not None
    return only_asks(text) or bool(what_to_forget(text)) or (wants and is_lookup(text))


def _asked_or_told(bare: str) -> MessageKind:
    if asks_to_keep(bare):
        return MessageKind.TOLD
    if bare.rstrip("\"'”’)» ").endswith(ASKS) or "?" in bare:
        return MessageKind.QUESTION
    words = [word.lower() for word in _WORD.findall(well_typed(bare))]
    if not words:
        return MessageKind.TOLD
    ends = bare.endswith((".", "!", "。"))
    if (
        words[0] in _QUESTION_WORDS
        and not (words[0] == "am" and words[1:2] != ["i"])  # "Am Sonntag wollen wir wandern gehen" tells
        and not (words[0] in _TELLS and ends)
        and not _is_diary(words)
        and not goes_on_telling(bare)
    ) or reads_like_a_question(bare):
        return MessageKind.QUESTION
    topic = len(words) <= TOPIC and not ends and "\n" not in bare and not _is_diary(words)
    topic = topic and not tells(bare)
    return MessageKind.SEARCH if topic or names_what_is_asked(bare) else MessageKind.TOLD


def _is_diary(words: list[str]) -> bool:
    """ "Had the boat waxed", "muss noch Milch kaufen", of oneself; "had I paid the rent" asks."""
    if len(words) < 3:
        return False
    if words[0] in _NEEDS:
        return _ATTRIBUTES.isdisjoint(words) and words[1] not in _SUBJECTS
    return (words[0] in _DIARY and words[1] not in _SUBJECTS) or (words[0] in _WERE and words[1] in _AFTER_WERE)


def _told_of_oneself(bare: str) -> bool:
    """ "Call with Anna went well", "Message from Tom: …" and "Book arrived" tell; "call Anna" and "book a table" want."""
    return _CAME.match(bare) is not None or bool(FINITE.intersection(word.lower() for word in _WORD.findall(bare)[1:4]))


def _is_name(bare: str, word: str) -> bool:
    return word.capitalize() in bare


def _names_a_thing(bare: str) -> bool:
    """ "Search service is written in Go", "show tickets are booked": the thing is called so."""
    words = [word.lower() for word in _WORD.findall(bare)]
    if _SOUGHT_CLAUSE.match(bare) or len(words) < 3 or words[1] in STOP_WORDS | {"mir", "uns", "mal"}:
        return False
    following = words[3] if len(words) > 3 and words[2] not in _RELATIVE and not _is_name(bare, words[2]) else words[2]
    return following in _BE_OR_HAVE and "?" not in bare


_TIMES = (
    frozenset((*MONTHS, *ONLY_GERMAN_MONTHS, *WEEKDAYS, *GERMAN_WEEKDAYS, "sonnabend"))
    | frozenset(
        """last this past week weeks weekend month months year years day days yesterday today spring summer autumn fall winter gestern heute
    letzte letzten letzter letztes diese diesen dieser dieses woche wochen monat monate jahr jahre tag tage wochenende frühling sommer
    herbst happened happen talk talked discuss discussed doing going new los passiert geschehen gemacht getan ago back vorgestern morning
    afternoon evening night tonight early earlier late previous couple noon morgen vormittag mittag nachmittag abend nacht früh vergangene
    vergangenen vergangener vergangenes vorige vorigen voriger voriges vorletzte vorletzten tagen monaten jahren frühjahr ist war habe hab
    haben ich wir im den dem der des das die vor unternommen erlebt alles denn got get went done""".split()
    )
    | frozenset(
        (*SMALL_NUMBERS, *"ein einem einer eine zwei drei vier fünf sechs sieben acht neun zehn elf zwölf paar".split())
    )
)
_SAID_WHEN = frozenset((*MONTHS, *ONLY_GERMAN_MONTHS, *WEEKDAYS, *GERMAN_WEEKDAYS)) | frozenset(
    "today yesterday week weekend month year day days weeks months morning afternoon evening night tonight far heute gestern vorgestern woche wochenende monat jahr tag tagen bisher".split()
)
_ORDINAL = re.compile(r"\d{1,2}(?:st|nd|rd|th)")


def _only_a_time(bare: str, frame: frozenset[str] = frozenset()) -> bool:
    """Every word that says something belongs to the frame or to a time."""
    words = [word.lower() for word in _WORD.findall(bare)]
    known = _TIMES | frame
    return all(
        word in STOP_WORDS
        or word in known
        or word.partition("'")[0].partition("’")[0] in STOP_WORDS
        or word.isdecimal()
        or _ORDINAL.fullmatch(word)
        for word in words
    )
