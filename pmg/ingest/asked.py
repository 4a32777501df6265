"""Is a turn only a question? What somebody asks is history, not a memory, where no answer says anything: it tells nothing that could be recalled.

Pure functions of the text. `judged` is asked of every turn that is written, whatever door it came through; the chat with PMG itself, whose answers quote what is
remembered, says more of its own (`asked_mark`). Between people a question and the next turn belong together: those are not judged. In doubt something was told: a
question that is kept is a nuisance, a memory that is not found is a loss.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from pmg.base import patterns
from pmg.base.calendar_words import GERMAN_WEEKDAYS, WEEKDAYS
from pmg.base.model import Line, Role
from pmg.base.sentences import ASKS, pieces
from pmg.base.sentences import asks as has_mark
from pmg.base.verbs import BE, SAME_IN_THE_PAST, is_past, is_third_person, is_verb
from pmg.ingest.quality import SMALL_TALK, SOMEBODY, STATES

ASKED, YES = "asked", "yes"  # of a turn's meta
OWN_WORDS = 30  # of an answer, beside its references: more than the frame around quotes, so somebody said something

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_NOTHING_SAID = frozenset(
    "hi hello hey hiya thanks thank you please ok okay great good morning evening so and well hmm hallo danke bitte moin gut also und".split()
)
_QUESTION_WORDS = frozenset(
    """what when where which who whom whose why how
    was wann wo wer wen wem wessen warum weshalb wieso wie welche welcher welches welchen welchem wohin woher wieviel wieviele""".split()
)
_ASKS_FOR = frozenset("how which what".split())
_BEGINS_PART = frozenset(
    "what when where which who whom whose why how wann wo wer wen wem wessen warum weshalb wieso wie welche welcher welches welchen welchem wohin woher wieviel wieviele".split()
)  # "was", too, were it not English: "was fun"
_PART_ENDS = frozenset(
    "else instead next exactly not from again then now so genau noch sonst stattdessen nicht alles denn jetzt lange nochmal dann".split()
)
_OBJECTS = frozenset("me us him her them it you".split())
# Before a noun they judge what was seen or heard: "what terrible service". A thing that is asked for is told apart by others: "what red wine".
_JUDGING = frozenset(
    """great good lovely nice wonderful beautiful gorgeous brilliant amazing fantastic marvellous marvelous fabulous delightful delicious superb excellent glorious
    magnificent incredible sweet kind thoughtful clever terrible horrible horrid awful dreadful bad rotten appalling atrocious ghastly miserable disgusting shocking rude
    poor sad silly stupid ridiculous absurd daft rubbish crazy mad strange odd weird funny hilarious bizarre boring exhausting exciting""".split()
)
# These ask for a thing as well ("what good dentist", "what sweet wine"): they judge only what nobody asks for.
_JUDGING_OR_ASKING = frozenset("good nice sweet funny kind".split())
_NOT_ASKED_FOR = frozenset(
    "news weather luck fortune timing fun progress sunshine snow advice work service company".split()
)
_MEANT_FOR = frozenset("for near".split())
# After "which" and a verb in the past: "which cost us ninety euros", "which went well". A plain noun is what is asked for: "which used car".
_AFTER_A_VERB = frozenset(
    """i me we us he him she her they them it you himself herself themselves itself something nothing everything everyone everybody
    the a an this that these those my our your his their its all both some any every each no most half another more much many
    one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands
    well fine badly ok okay wrong great better worse again back away out up down off over there here yesterday today too very quite so just only even almost ages forever
    into onto through without during before after around between like as""".split()
)
_TELLS_INSIDE = re.compile(rf"(?<=\w )(?:[A-ZÄÖÜ]|(?:{'|'.join((*WEEKDAYS, *GERMAN_WEEKDAYS))})s?\b|\d)")
_DO = frozenset("do does did".split())
_DETERMINERS = frozenset("the a an this that these those his her their".split())
# In small letters no words, and no names: "wich route have I been given", "wats the wifi password". "Wich is why …" goes on.
_MISTYPED = {"wich": "which", "whch": "which", "whcih": "which", "wihch": "which", "waht": "what", "whta": "what", "wats": "what is", "wots": "what is"}  # fmt: skip
_MISTYPED_DOES = frozenset(("dose", "deos"))
_BEFORE_DOES = frozenset("what when where who how why".split())
_GIVES = re.compile(r"[:,;\d]|\s[-–]\s")  # "who came to dinner: Anna and Ben", "what dose Mum takes, 20 mg"
_WHICH_ONE = re.compile(r"\W*(?i:which)\s+[A-ZÄÖÜ]")  # "which Tom hates" goes on with what was told
_WONDERED = frozenset("knew knows cares says said thought needs".split())
_SMALL = frozenset("also then only still always never often just even now".split())
_BEGINS_MISTYPED = re.compile(
    rf"(\W{{0,5}})({'|'.join(_MISTYPED)}|wat(?= (?:is|are|was|were|do|does|did|has|have|can|time|day)\b))\b"
    r"(?! (?:is (?:why|how|when|an?)|happened was|worse|more|better|left|app)\b)"
)
_VERBS = frozenset(
    """is are was were am do does did can could will would should may might must have has had shall can't don't doesn't didn't won't isn't aren't wasn't couldn't shouldn't haven't hasn't
    ist sind war waren bin hat habe haben hatte hatten kann können konnte soll sollte wird werden muss darf""".split()
)
# Verbs only behind a question word: "wie oft hab ich physio". At the beginning they tell: "Hab ich erledigt".
_BEHIND_QUESTION_WORDS = frozenset("hab hast habt bist seid kannst musst willst darfst".split())
_MEASURED = frozenset(
    "oft lange viel viele weit gut teuer spät früh hoch groß alt schnell schwer".split()
)  # "wie oft", not "wie gesagt"
_MINE = frozenset("my our".split())  # "had my eyes tested" tells
_SUBJECTS = frozenset("i you we he she they it there my our your ich du wir er sie es ihr mein meine unser".split())
# "wann braucht Anna das" asks, "wann er kommt" is told: there the subject comes first.
_ONLY_GERMAN = frozenset(
    "wieviel wieviele wann wem wen warum wieso weshalb wohin woher wobei womit wovon worüber wofür wogegen woran worauf wonach wozu wodurch wovor worin woraus worum weswegen".split()
)
_GERMAN_VERBS = frozenset(
    "mag magst mögt mögen will willst wollen darf möchte hasst liebt verträgt kriegt schuldet kostet heißt heisst macht wünscht gibt passiert bedeutet fehlt braucht bekommt bringt nimmt trägt isst trinkt spielt sagt läuft wohnt arbeitet fährt kommt geht liegt steht".split()
)
_GERMAN_SUBJECTS = frozenset("der die das dem den ein eine man sich deine ihre seine".split())
_PREPOSITIONS = frozenset(
    "on in at for to from with by of since until till about an auf für zu von mit bei seit bis um ab aus nach".split()
)
_SHORT_IS = re.compile(r"\b(what|when|where|who|how|why)['’]?s\b")
_SHORT_ARE = re.compile(r"\b(what|when|where|who|how|why)['’]re\b")
# "Where'd I put the keys"; "who'd have thought" asks nothing
_SHORT_DID = re.compile(
    r"\b(what|when|where|who|how|why)['’]d\b(?! (?:ha(?:ve|d)|want|be|been|like|love|rather|ever|believe|guess|think|thought|know)\b)"
)
_ASIDE = re.compile(r"\W*what(?:['’]?s| is) (?:more|worse|better)\b", re.IGNORECASE)
_GOES_ON = re.compile(
    r"^\W*did (?:my|the) \w+ in\s*(?:$|[,.]|\w+ing\b)|"
    r"^\W*(?:did|had|have|was|were)\b[^?]*, (?!(?:what|when|where|which|who|whom|whose|why|how|or|and|wann|wo|wer|was|wie|oder|und)\b)(?:[\w'’]+ ){1,4}(?:is|are|was|were|has|got|went|came)\b|"
    r"(?:\b(?:so|but|aber)|, (?:and|und)) (?:i|i['’]?m|i['’]?ve|we|we['’]?re|we['’]?ve|ich|wir)\b(?! (?:do|did|have|had|can|should|will|was|were|am|are)\b)",
    re.IGNORECASE,
)
# Questions in form only: what follows is told.
_TELLS = re.compile(
    r"\W*(?:(?:do|did) you know\b|guess\b|(?:can|could|will|would) you (?:please )?(?:remember|note|keep in mind|write down|save)\b"
    r"|wusstest du\b|weißt du,? dass\b|(?:kannst|könntest) du (?:dir )?(?:bitte )?(?:merken|notieren|aufschreiben)\b)",
    re.IGNORECASE,
)
_THEN_ASKS = patterns.short(
    r"(?P<told>[^?\n]+?)(?:,|\s[-–—])\s+(?:(?:and|but|so|und|aber)\s+)?(?:(?:on|in|at|for|to|an|am|auf|für|mit|seit|bis|um)\s+)?"
    r"(?:what|when|where|which|who|whom|whose|why|how|wann|wo|wer|wen|wem|warum|wieso|wie|welche[mnrs]?|wohin|woher|(?:is|are|was|were|do|does|did|can|has|have) (?:i|we|he|she|it|they|my|our|the)|"
    r"(?:ist|sind|war|hat|haben|kann) (?:ich|wir|er|sie|es|der|die|das|mein\w*))\b[^,?]*(?:,[^,?]*)?[?？؟]\W*$",
    re.IGNORECASE,
)
_NO_CLAUSE = _QUESTION_WORDS | frozenset(
    "if when while since because before after until unless for in on at to with from about wenn falls weil nachdem bevor seit für mit do does did is are can could has have".split()
)
_WONDERS = re.compile(
    r"\b(?:wonder\w*|forgot|forget|remind me|(?:can|could|do|did)(?:n['’]?t| not) (?:remember|know|recall)|(?:want|need|like|love) to know|tell me|frage mich|weiß nicht|vergessen)\b",
    re.IGNORECASE,
)
MAX_READ = 1_000  # characters of a sentence in which something may be told before it asks
MIN_GERMAN_VERB = 4  # letters: "wer bewahrt die Schlüssel auf"
MAX_BEFORE_VERB = 3  # words between a question word and its verb
MAX_ASKED_FOR = 6  # … where it has a thing with it: "how many pots of damson jam did Margaret make"
MAX_PART = 6  # words of a question without a verb
MIN_TOLD = 4  # words: fewer call somebody, or say of what is asked
# "Can you remember my size?" asks; what comes after "that" or a colon is to be kept.
_TO_KEEP = re.compile(
    r"\W*(?:hey |hi |please )*(?:(?:can|could|will|would) you (?:please )?(?:remember|note(?: down)?|keep in mind|write down|save|make a note)"
    r"|(?:kannst|könntest) du (?:dir )?(?:bitte )?(?:merken|notieren|aufschreiben))(?:,? (?:that|dass)\b| this\b\W|\s*:)\s*\S",
    re.IGNORECASE,
)
MAX_ANSWER = 400  # characters: a longer answer says something
_AGREES = frozenset("yes no yep yeah nope right sure ja nein doch klar".split())  # these answer something
_TALK = (
    SMALL_TALK | _NOTHING_SAID | frozenset("much lot vielen vielmals dank sehr schön gern gerne geschehen".split())
) - _AGREES
_OWN_TALK = _TALK - SOMEBODY - STATES  # "I will be there" tells
_CLAUSE = patterns.linear(r"[^,;:–—]+")
# Of an assistant that says of itself that it does not know, or goes to look.
_KNOWS_NOT = patterns.linear(
    r"(?i)^\s*(?:(?:but|and|sorry|unfortunately|aber|leider)\s+)*(?:"
    r"(?:i|we)(?:['’]m| am)? (?:really |just )?(?:(?:do|did|can|could|have|am)(?:n['’]?t| not)|cannot|not)\b.{0,40}?\b(?:know|have|find|found|recall|remember|sure|aware|access)\b"
    r"|(?:i|we) (?:have|found) no(?:thing)?\b"
    r"|(?:das |dazu |davon )?(?:ich (?:weiß|finde|habe|kenne|kann|sehe)|(?:weiß|finde|habe|kenne|kann|sehe) ich)\b.{0,40}?\b(?:nicht|nichts|kein(?:e[nrms]?)?)\b"
    r"|let me\b|i(?:['’]| wi)ll (?:check|look|see|find|search)\b|ich (?:schaue|sehe) (?:mal )?nach\b)"
)


def asks_to_keep(text: str) -> bool:
    return _TO_KEEP.match(text) is not None


def well_typed(text: str) -> str:
    """With the question word that it begins with in its letters."""
    found = _BEGINS_MISTYPED.match(text)
    return f"{found[1]}{_MISTYPED.get(found[2], 'what')}{text[found.end() :]}" if found is not None else text


def _in_full(sentence: str) -> str:
    """ "whats my size", "where're the keys", "why'd I cancel it", with their verbs."""
    return _SHORT_DID.sub(r"\1 did", _SHORT_ARE.sub(r"\1 are", _SHORT_IS.sub(r"\1 is", sentence)))


def goes_on_telling(sentence: str) -> bool:
    """ "did my back in lifting a beam so I'm seeing a chiropractor": who asks does not go on with what they do."""
    return _GOES_ON.search(sentence) is not None


def only_asks(text: str) -> bool:
    """Every sentence that says anything is a question, and none tells something under the cloak of one."""
    sentences = [sentence for sentence in _sentences(text) if _says_something(sentence)]
    return bool(sentences) and all(_is_question(sentence) for sentence in sentences)


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in pieces(text)]


def told_part(sentence: str) -> str:
    """What is told before a question in the same sentence: "I'm bringing a tart over this evening, how many sugars does she take?"; "" where nothing is."""
    found = _THEN_ASKS.match(sentence) if has_mark(sentence) and len(sentence) <= MAX_READ else None
    if found is None:
        return ""
    told = found["told"]
    words = _WORD.findall(told.lower())
    if len(words) < MIN_TOLD or words[0] in _NO_CLAUSE or _WONDERS.search(told):
        return ""
    tells = any(_may_be_finite(word) for word in words) or any(is_verb(word) for word in words[1:])
    return told if words[0] in _SUBJECTS or tells else ""


def _may_be_finite(word: str) -> bool:
    return word in _VERBS or word in BE or "'" in word or "’" in word or is_past(word) or is_third_person(word)


def _says_something(sentence: str) -> bool:
    return any(word.lower() not in _NOTHING_SAID for word in _WORD.findall(sentence))


def _is_question(sentence: str) -> bool:
    if _TELLS.match(sentence) or told_part(sentence):
        return False
    return sentence.rstrip().endswith(ASKS) or reads_like_a_question(sentence)


def reads_like_a_question(sentence: str) -> bool:
    """Without its mark: "which bike do I have", "whats my size", "on which day do we meet", "did I pay the rent". Not "when I was small" and not
    "what I like": there the subject comes first."""
    if sentence.rstrip().endswith((".", "!", "。", "！")) or _ASIDE.match(sentence) or goes_on_telling(sentence):
        return False
    words = _WORD.findall(_in_full(well_typed(sentence).lower()))
    while words and words[0] in _NOTHING_SAID:
        words.pop(0)
    if len(words) > 1 and words[0] in _PREPOSITIONS and words[1] in _QUESTION_WORDS:
        words.pop(0)
    if _is_part_of_a_question(words, sentence) and not _GIVES.search(sentence):
        return True
    if len(words) < 3:
        return False
    if (
        words[0] in _BEFORE_DOES
        and words[1] in _MISTYPED_DOES
        and words[2] in _SUBJECTS | _DETERMINERS
        and not _GIVES.search(sentence)
    ):
        words[1] = "does"
    if _asks_who_or_which(words) and not _GIVES.search(sentence) and not _WHICH_ONE.match(sentence):
        return True
    if words[1] in _VERBS and (words[2] in _SUBJECTS or words[1] in _DO) and _is_mistyped_question_word(words[0]):
        return True
    if words[0].startswith("welche") and words[0] in _QUESTION_WORDS:
        return True
    if words[0].startswith("wieviel") and _verb_comes_late(words):
        return False
    if words[0] in _ONLY_GERMAN and words[1] not in _SUBJECTS | _GERMAN_SUBJECTS:
        return True
    if words[0] in ("was", "wer", "wie", "wo") and words[1] in _GERMAN_VERBS:
        return True
    if words[0] in ("wer", "wo") and words[1].endswith("t") and len(words[1]) > MIN_GERMAN_VERB:
        return not _verb_comes_late(words)
    if words[0] in _QUESTION_WORDS:
        if words[1] in _DETERMINERS and _two_clauses(words):  # "when the kids are back we have pizza"
            return False
        verb = _verb_asked(words)
        return 0 < verb < len(words) - 1 and not _SUBJECTS.intersection(words[1:verb])
    return words[0] in _VERBS and words[1] in _SUBJECTS and not (words[0] == "had" and words[1] in _MINE)


def _is_part_of_a_question(words: Sequence[str], sentence: str) -> bool:
    """ "what instead", "how many balls", "what temp for the focaccia", "wann genau", after what was said before. Not "what a day", and not "wie gesagt Kita zu bis Freitag": a
    name or a day tells. "Which makes sense to me" and "which cost us ninety euros" go on with what was told, "what great news" exclaims."""
    if not words or words[0] not in _BEGINS_PART or len(words) > MAX_PART:
        return False
    rest = words[1:]
    if _PART_ENDS.issuperset(rest):
        return True
    counts = rest[:1] in (["many"], ["much"], ["viele"]) or words[0] in ("wieviel", "wieviele")
    if _TELLS_INSIDE.search(sentence) or not (counts or words[0] in ("what", "which")) or rest[:1] in (["a"], ["an"]):
        return False
    if (words[0] == "which" and _begins_with_its_verb(rest)) or (words[0] == "what" and _exclaims(rest)):
        return False
    after = rest[2:] if rest[:1] in (["many"], ["much"], ["viele"]) else rest[1:]
    return not any(_may_be_finite(word) or is_verb(word) for word in after)


def _begins_with_its_verb(rest: Sequence[str]) -> bool:
    """ "makes sense", "suits me", "took the whole afternoon": then the word before it stands for what was told. "Set of keys", "used car" are things."""
    verb = rest[0]
    if is_third_person(verb) or (verb.endswith("s") and not _OBJECTS.isdisjoint(rest)):
        return True
    return (verb in SAME_IN_THE_PAST or is_past(verb)) and len(rest) > 1 and _follows_a_verb(verb, rest[1])


def _follows_a_verb(verb: str, word: str) -> bool:
    if word in _PREPOSITIONS:
        return word != "of" and not (word == "for" and verb in SAME_IN_THE_PAST)  # "which set for mum"
    return word in _AFTER_A_VERB or word.endswith("ly") or word.isdigit()


def _exclaims(rest: Sequence[str]) -> bool:
    """ "great news", "terrible service at the garage". Several things, or one that is for something, are asked for: "great restaurants", "nice present for mum"."""
    if len(rest) < 2 or rest[0] not in _JUDGING or rest[1] in _PREPOSITIONS or not _MEANT_FOR.isdisjoint(rest):
        return False
    thing = rest[1]
    for word in rest[2:]:
        if word in _PREPOSITIONS or word in _AFTER_A_VERB:
            break
        thing = word
    if thing in _NOT_ASKED_FOR:
        return True
    return (rest[0] not in _JUDGING_OR_ASKING or rest[1] in _NOT_ASKED_FOR) and not _is_plural(thing)


def _is_plural(noun: str) -> bool:
    return noun.endswith("s") and not noun.endswith(("ss", "us", "is", "os"))


def _asks_who_or_which(words: Sequence[str]) -> bool:
    """ "who makes the slides", "which bus goes to town": the verb has its subject in the question word. Not "who knew that it was so hard", with a second one."""
    verb = 1 if words[0] == "who" else 2 if words[0] == "which" and not is_third_person(words[1]) else 0
    if not verb or _NOTHING_SAID.issuperset(words[verb:]) or words[verb] in _VERBS:
        return False
    if words[verb] in _WONDERED or (verb == 2 and (words[1] in _SUBJECTS | _SMALL or words[1].endswith("ly"))):
        return False
    is_finite = is_third_person(words[verb]) or (verb == 1 and is_past(words[verb]))
    rest = words[verb + 1 :]
    return is_finite and (_VERBS | BE).isdisjoint(rest) and not any(is_third_person(word) for word in rest[1:])


def _verb_asked(words: Sequence[str]) -> int:
    """Where the verb of a question stands; 0: nowhere. After a longer phrase only one that asks by its place is one: "what Mum wants for Christmas is a scarf" tells."""
    near = next(
        (
            at
            for at, word in enumerate(words[1 : MAX_BEFORE_VERB + 2], 1)
            if word in _VERBS or (word in _BEHIND_QUESTION_WORDS and (at == 1 or _asks_how_much(words)))
        ),
        0,
    )
    if near or words[0] not in _ASKS_FOR:
        return near
    for at, (verb, following) in enumerate(pairwise(words[: MAX_ASKED_FOR + 3])):
        if at > MAX_BEFORE_VERB and (verb in _DO or (verb in _VERBS and following in _SUBJECTS)):
            return at
    return 0


def _asks_how_much(words: Sequence[str]) -> bool:
    """ "wie oft", "was für ein Auto": the verb may come after more words. Not "wie gesagt hab ich", "wo Anna wohnt hab ich vergessen"."""
    return (words[0] == "wie" and words[1] in _MEASURED) or (words[0] == "was" and words[1] == "für")


def _verb_comes_late(words: Sequence[str]) -> bool:
    """ "wieviel Arbeit das war", "wieviele Kinder kommen ist noch offen": a verb further on that no subject follows."""
    return any(word in _VERBS and following not in _SUBJECTS for word, following in pairwise((*words[3:], "")))


def _two_clauses(words: Sequence[str]) -> bool:
    """A subject and a verb after a first verb: then the first clause asked nothing."""
    first = next((at for at, word in enumerate(words) if at > 1 and _may_be_finite(word)), len(words))
    return any(a in _SUBJECTS and (_may_be_finite(b) or is_verb(b)) for a, b in pairwise(words[first + 1 :]))


def _is_mistyped_question_word(word: str) -> bool:
    """Its letters in another order, or one of them missing: "wehn did we dig", "wich do I have". Only where the words after it stand as in a question."""
    letters = sorted(word)
    return (
        any(
            len(asked) > 2
            and (
                letters == sorted(asked)
                or letters in (sorted(asked[:at] + asked[at + 1 :]) for at in range(len(asked)))
            )
            for asked in _QUESTION_WORDS - {word}
        )
        and word not in _VERBS | _SUBJECTS | _NOTHING_SAID
    )


def is_asked(lines: Sequence[Line], asks: Callable[[str], bool] = only_asks) -> bool:
    """Whether a turn of the chat is a question to memory and nothing else (`asks` tells): an answer in words of its own makes it worth keeping."""
    told = [line for line in lines if line.role is not Role.ASSISTANT]
    answers = [line.text for line in lines if line.role is Role.ASSISTANT]
    return bool(told) and all(asks(line.text) for line in told) and not any(map(is_an_answer, answers))


def is_an_answer(text: str) -> bool:
    """Has it words of its own? References to other memories (a dash and where it is from) are not said by it."""
    own = [row for row in text.splitlines() if not row.startswith("–")]
    return sum(len(row.split()) for row in own) > OWN_WORDS


def asked_mark(lines: Sequence[Line], asks: Callable[[str], bool] = only_asks) -> Mapping[str, str]:
    """What goes into the meta of such a turn."""
    return {ASKED: YES} if is_asked(lines, asks) else {}


def judged(meta: Mapping[str, str], lines: Sequence[Line]) -> Mapping[str, str]:
    """The meta of a turn as it is written, with the mark where it tells nothing."""
    return {**meta, ASKED: YES} if ASKED not in meta and tells_nothing(lines) else meta


def tells_nothing(lines: Sequence[Line]) -> bool:
    """Between a person and an assistant: the one only asks, greets or thanks, and the other has nothing to say to it. What was thought is no answer."""
    said = [line for line in lines if line.role is not Role.THINKING]
    if not all(line.role in (Role.USER, Role.ASSISTANT) and len(line.text) <= MAX_ANSWER for line in said):
        return False
    return bool(said) and all(_says_nothing(line.text, line.role is Role.ASSISTANT) for line in said)


def _says_nothing(text: str, is_answer: bool) -> bool:
    if not is_answer and _WORD.search(text) is None:
        return False  # of a picture alone nobody knows what it says
    talk = _TALK if is_answer else _OWN_TALK
    told = [sentence for sentence in _sentences(text) if not _is_talk(sentence, talk)]
    asked = [sentence for sentence in told if _is_question(sentence)]
    if is_answer and len(asked) > 1:  # "Questions for them?" is answered by questions
        return False
    return all(sentence in asked or (is_answer and _has_no_answer(sentence)) for sentence in told)


def _is_talk(text: str, talk: frozenset[str]) -> bool:
    return talk.issuperset(_WORD.findall(text.lower()))


def _has_no_answer(sentence: str) -> bool:
    """ "I'm sorry, I don't know when that is." Not "I don't think so, it was moved to May": there a clause tells."""
    return all(_is_talk(clause, _TALK) or _KNOWS_NOT.search(clause) for clause in _CLAUSE.findall(sentence))
