"""Whether a line tells that somebody's home, work or what they use became another: "Kate has moved to Leeds" beside "My sister Kate lives in Sheffield".

Knows: the verbs of such a change in English and German, whose change it is, and that one wished for, planned, denied or of long ago is none. Which of two lines is shown first is
time_order.py's, values that are told anew without such a verb are newer_value.py's. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pmg.base.claim import LIVES_IN, USES, WORKS_AT
from pmg.base.sentences import asks
from pmg.base.words import STOP_WORDS
from pmg.chat.named_phrases import NamedPhrase, named_phrases, own_words
from pmg.chat.phrases import german
from pmg.index.terms import document_terms
from pmg.people.asked_relation import asked_relation
from pmg.people.clauses import sentence_spans

MAX_LINE = 300  # characters of a line that tells a change: a longer one tells of many things

# The verb stands in the past or the perfect: "moving to", "wants to move to" tell of no change that was.
_HOME = r"(?:moved|relocated)(?: back| over| up| down| out| away| house| home| again| in with \w+)*(?: from (?:[\w'’-]+ ){1,4}?)?(?: to| into| in with| out| away| back)\b|moved(?: house| home| again| recently)*(?=\s*(?:[,;!–-]|and\b)[^.]*\b(?:new address|address is)\b)"
_WORK = (
    r"(?:started(?: (?:work|working|a (?:new )?job|(?:her|his|their|my|the|a) new job|as an? [\w -]{2,40}?))? (?:at|with|for) (?!\d|half|noon|the (?:weekend|end))|"
    r"joined (?!(?:\S+ ){0,3}(?:choir|club|gym|band|class|league|church|group|society|course|meeting|call|chat|party)\b|(?:us|me|them|him|her|in|the others)\b)|"
    r"(?:switched|changed|moved) jobs?\b|(?:got|took|accepted|found|has|landed) (?:a|her|his|their|my|the) (?:new )?(?:job|position|post) (?:at|with|in)\b|now works? (?:at|for|in|as)\b|"
    r"retired\b|(?:quit|lost|left) (?:her|his|their|my|the) job\b|(?:was|were|got|been) (?:made redundant|laid off|fired|sacked))"
)
_USE = r"(?:switched|changed|swapped|migrated|upgraded)(?: \w+){0,4}? (?:to|over to|for)\b|(?:replaced)(?: \w+){1,5}? (?:with|by)\b"
_ENGLISH = {LIVES_IN: _HOME, WORKS_AT: _WORK, USES: _USE}
_GERMAN = {
    LIVES_IN: r"(?:ist|bin|sind|seid) (?:\S+ ){0,6}?(?:nach|in|ins|zu|zum|zur|auf|aufs|an|aus)\b.*\b(?:um)?gezogen\b|(?:ist|bin|sind|seid) (?!(?:\S+ ){0,3}?mit )(?:\S+ ){0,3}?umgezogen\b(?=\s*(?:[,;!–-]|und\b).*\b(?:adresse|wohnung|haus|straße|strasse)\b)|(?:zog|zogen) (?:\S+ ){0,4}?(?:nach|zu|in)\b|(?:wohn|leb)(?:e|en|t) (?:jetzt|nun|inzwischen|mittlerweile)\b",
    WORKS_AT: r"(?:hat|habe|haben) (?:\S+ ){0,6}?(?:bei|beim|in|an)\b.*\bangefangen\b|(?:fing|fingen) (?:\S+ ){0,6}?(?:bei|beim)\b|(?:ist|bin|sind|hat|habe) (?:\S+ ){0,4}?(?:zu|zur|zum)\b.*\bgewechselt\b|"
    r"arbeite[nt]? (?:jetzt|nun|inzwischen|mittlerweile)\b|(?:hat|habe|haben) (?:\S+ ){0,3}?gekündigt\b|(?:ist|bin|sind) (?:\S+ ){0,3}?in Rente\b",
    USES: r"(?:ist|bin|sind|hat|habe|haben) (?:\S+ ){0,4}?(?:auf|zu|zur|zum)\b.*\b(?:umgestiegen|gewechselt|umgestellt)\b",
}
_CHANGES = {
    relation: re.compile(
        rf"(?P<subject>[^,;:]*?)\s*(?<![\w'’-])(?:(?:(?:has|have|had|just|finally|recently|already|now|'s|’s|'ve|’ve) )*(?:{_ENGLISH[relation]})|(?:{_GERMAN[relation]}))",
        re.IGNORECASE,
    )
    for relation in _ENGLISH
}
# Before the verb: then it is wished for, supposed or denied.
_NOT_SO = re.compile(
    r"\b(?:will|may|hope)\b|\b(?i:not|never|nearly|almost|if|wish\w*|want\w*|hopes|hoping|plan\w*|might|could|would|should|whether|maybe|perhaps|supposed|dream\w*|think\w*|consider\w*|"
    r"nicht|nie|fast|beinahe|wenn|falls|ob|wollen|möchten?|würden?|könnten?|vielleicht|hätten?|wären?|überleg\w*)\b|n['’]t\b"
)
_LONG_AGO = re.compile(
    r"\b(?:(?:years|decades|ages) ago|as an? (?:child|kid|teenager|student|baby)|when (?:he|she|i|we|they) (?:was|were)|back then|at first|originally|used to|"
    r"vor (?:vielen )?(?:\w+ )?jahren|als kind|damals|früher)\b",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"\b(?:want(?:s|ed)?|plan(?:s|ned|ning)?|hop(?:e|es|ing)|think(?:s|ing)?|consider(?:s|ing)?|might|may|could|would|will|going|about|dream(?:s|ing)?|look(?:s|ing)|talk(?:s|ing)?|toying|"
    r"möchten?|will|wollen|überleg\w*|plant?|planen|vielleicht|würden?|könnten?|denkt?)\b.*"
    r"\b(?:mov(?:e|ing)|relocat(?:e|ing)|leav(?:e|ing)|start(?:ing)?|join(?:ing)?|switch(?:ing)?|chang(?:e|ing)|(?:um)?(?:zu)?ziehen|umzuziehen|wechseln|anfangen|anzufangen)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_ASKED = {
    LIVES_IN: re.compile(
        r"\b(?:do|does|is|are|am) .+ (?:live|living|based) (?:in|at|on|near|with)\b|\b(?:which|what) [\w ]+? (?:do|does) .+ live\b|\bin welche[mnr] \w+ (?:wohn|leb)(?:e|en|t)\b",
        re.IGNORECASE,
    ),
    WORKS_AT: re.compile(
        r"\b(?:do|does|is|are|am) .+ (?:work|working|employed) (?:at|for|in|with)\b|\b(?:which|what) [\w ]+? (?:do|does) .+ work (?:at|for|in)\b|\b(?:bei|in|für) welche[mnr] \w+ arbeite(?:n|t)?\b",
        re.IGNORECASE,
    ),
}
_USED = re.compile(r"\b(?:use|uses|using|have|has|benutz\w*|nutz\w*|verwend\w*|with)\b", re.IGNORECASE)
_WORDS_OF_CHANGE = {LIVES_IN: ("moved", "gezogen"), WORKS_AT: ("started", "angefangen")}
_STATES = {
    LIVES_IN: re.compile(
        r"\b(?:live[sd]?|living|based|moved|relocated|wohn\w*|leb(?:e|en|t)|gezogen)\b", re.IGNORECASE
    ),
    WORKS_AT: re.compile(r"\b(?:work(?:s|ed|ing)?|job|employed|started|joined|arbeite\w*|angefangen)\b", re.IGNORECASE),
    USES: re.compile(
        r"\b(?:use[sd]?|using|ha(?:ve|s)|is|are|with|switched|benutz\w*|nutz\w*|verwend\w*|ist)\b", re.IGNORECASE
    ),
}
_OWN_SUBJECT = re.compile(
    r"\b(?:i|we|ich|wir)(?:['’](?:ve|m|re))?\W*$|^\W*(?:and|so|finally|today|und)?\W*$", re.IGNORECASE
)
_MINE = re.compile(r"\b(?:my|our|mein\w*|unser\w*)\b", re.IGNORECASE)
_WITHIN_WORK = re.compile(
    r"\b(?:i|we)(?:['’]ve| have| was| were|['’]m| am)?(?: been| now| just)? (?:moved|transferred|switched)(?: over| across)? to\b",
    re.IGNORECASE,
)
_REPORTED = re.compile(r"\b(?:that|says|said|told me|because|when|since|dass|weil|sagt|als)\b", re.IGNORECASE)
_ALIAS = r"\b(?P<mine>(?i:my|our|meine?[mnr]?|unsere?[mnr]?)) (?P<role>[\w-]+),? (?P<name>[A-ZÄÖÜ][\w-]+)"


def state_asked(question: str) -> str:
    """Which state of somebody's it asks for: their home, work, or what they use; "" for any other."""
    relation = asked_relation(question)
    if relation in (LIVES_IN, WORKS_AT):
        return relation
    asked = next((state for state, pattern in _ASKED.items() if pattern.search(question)), "")
    if asked:
        return asked
    return USES if not relation and _USED.search(question) else ""


def search_for_changes(question: str) -> str:
    """What to look for beside the question, of which a line that tells a change has few words; "" where it asks for neither home nor work."""
    words = _WORDS_OF_CHANGE.get(state_asked(question))
    return f"{question}\n{words[german(question)]}" if words is not None else ""


def tells_change(question: str, text: str) -> bool:
    """Whether it tells a change of the state that is asked for, whosever."""
    state = state_asked(question)
    return bool(state) and len(text) <= MAX_LINE and any(_changes(state, text))


def changes_what_is_asked(question: str, older: str, newer: str, older_year: int) -> bool:
    """Whether the newer line tells that what the question asks for became another, of just the one it asks about. `older_year`: a change of an earlier year was before."""
    state = state_asked(question)
    if not state or len(newer) > MAX_LINE:
        return False
    names = _subjects(question, older)
    return any(
        _is_of(subject, names, question)
        for sentence, subject in _changes(state, newer)
        if not any(int(year) < older_year for year in _YEAR.findall(sentence)) and _on_matter(state, question, sentence)
    )


def ends_its_state(question: str, older: str, newer: str, older_year: int) -> bool:
    """… and the older one tells that state of the same one: it was so before."""
    state = state_asked(question)
    if not state or not changes_what_is_asked(question, older, newer, older_year):
        return False
    names = _subjects(question, older)
    of_same = (
        bool(own_words(older))
        if not names
        else any(re.search(rf"\b{re.escape(name)}\b", older, re.IGNORECASE) for name in names)
    )
    return of_same and _STATES[state].search(older) is not None


def may_change_work(question: str, text: str) -> bool:
    """Asked where one works now: "I've moved to the endoscopy unit" may be another place of work, or the same."""
    return state_asked(question) == WORKS_AT and _WITHIN_WORK.search(text[:MAX_LINE]) is not None


def only_plans_a_change(question: str, text: str) -> bool:
    """Asked where somebody lives or works: "Kate is thinking about moving to Leeds" and "Kate nearly moved to Leeds" say nothing of where she does."""
    state = state_asked(question)
    if state not in (LIVES_IN, WORKS_AT):
        return False
    told = [text[start:end] for start, end in sentence_spans(text)]
    meant = any(_PLANNED.search(one) or _CHANGES[state].search(one) for one in told)
    return meant and not any(_changes(state, text))


def _changes(state: str, text: str) -> Iterator[tuple[str, str]]:
    """Each sentence that tells a change, with the words before its verb."""
    for start, end in sentence_spans(text):
        sentence = text[start:end]
        found = _CHANGES[state].search(sentence)
        if found is None or asks(sentence) or _LONG_AGO.search(sentence) or _NOT_SO.search(sentence[: found.end()]):
            continue
        yield sentence, _REPORTED.split(found["subject"])[-1]


def _on_matter(state: str, question: str, sentence: str) -> bool:
    """One has one home and one work, and uses many things: there the two must speak of one."""
    if state != USES:
        return True
    shared = set(document_terms(question)) & set(document_terms(sentence)) - STOP_WORDS
    return bool(shared - {"use", "have", "now"})


def _subjects(question: str, older: str) -> list[str]:
    """How the one asked about is called: by a name, or as the older line has it. None: it is oneself."""
    asked = next((phrase for phrase in named_phrases(question) if _may_be_subject(phrase)), None)
    if asked is None:
        return []
    names = [asked.text]
    for found in re.finditer(_ALIAS, f"{question}\n{older}"):
        described = f"{found['mine']} {found['role']}"
        if asked.text.lower() in (found[0].lower(), found["name"].lower(), described.lower()):
            names += [found["name"], described]
    return list(dict.fromkeys(names))


def _may_be_subject(phrase: NamedPhrase) -> bool:
    return bool(phrase.head) and (phrase.is_living or phrase.text.lower().startswith("the "))


def _is_of(subject: str, names: list[str], question: str) -> bool:
    """The words before the verb are those of the one asked about, and not of theirs: "Hugo's sister" is not Hugo."""
    if not names:
        return bool(own_words(question) or _MINE.search(question)) and _OWN_SUBJECT.search(subject.strip()) is not None
    bare = re.sub(r"['’]s\s*$", "", subject)  # "mum's moved": has
    return any(re.search(rf"\b{re.escape(name)}(?!['’]s|\w)", bare, re.IGNORECASE) for name in names)
