"""The word lists of the guard. They are English: in another language fewer pairs pass."""

from pmg.base import calendar_words


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEGATIONS = _words("not no never none nobody nothing neither nor nowhere without nicht kein keine keinen nie pas")
NUMBERS = _words("one two three four five six seven eight nine ten eleven twelve twenty fifty hundred thousand half")
# What a moved block may open with. Not "of" (it belongs to the noun before it), "as", "like" and "than".
CLAUSES = _words("when while after before since until once")
_PLACES = "in on at near inside outside across along around behind under above below beyond throughout within between into against"
_OTHERS = "with without for from to by about during over through despite after before since until"
PREPOSITIONS = _words(f"{_PLACES} {_OTHERS}")
ABOUTS = _words("over under around about above below near")  # before a number they only tell how exact it is
BEHIND_NOUNS = _words("with without for from about by between")  # what follows may belong to the noun after them
TIME_OPENERS = _words("yesterday today tomorrow tonight last next this every early late lately recently currently")
OPENERS = PREPOSITIONS | CLAUSES | TIME_OPENERS
# A block of nothing but these and numbers is a time.
MONTHS = frozenset(calendar_words.MONTHS)
_WEEKDAYS = {form for day in calendar_words.WEEKDAYS for form in (day, f"{day}s")}
_DAYS = "yesterday today tomorrow tonight lately recently currently morning afternoon evening night noon midnight day days lunch dinner breakfast"
_LONGER = "week weeks weekend month months year years century decade hour hours minute minutes spring summer autumn fall winter christmas easter"
TIME_NOUNS = MONTHS | _WEEKDAYS | _words(f"{_DAYS} {_LONGER}")
_NEAR_TIMES = "in on at during by from until since for after before between and to the a an of this last next every early late end pm am"
TIME_WORDS = TIME_NOUNS | _words(_NEAR_TIMES)
# No block moves across these: another clause begins, somebody else speaks, or the word would apply to something else.
RELATIVES = _words("who whom whose which where that")
BARRIERS = CLAUSES | RELATIVES | _words("or but so what why how if whether because although unless than only even just")
FREQUENCIES = _words("always often usually sometimes rarely seldom hardly mostly mainly also ever almost")
_SAYING = "say tell think know hope believe claim promise ask decide hear report announce agree remember admit expect"
SAYING = {verb + end for verb in _SAYING.split() for end in ("", "s", "d", "ed")}
SAYING |= _words("said told thought knew heard forgot denies denied wanted warned remind thinking worried")
# What is done about something with a time of its own: "I booked a table | on Friday". Only so: "a book", "a plan" is a thing.
_ARRANGING = "book plann schedul reschedul organis organiz arrang reserv offer invit accept request cancel cancell postpon consider discuss suggest propos mention dread complain apologis apologiz inform remind recommend confirm describ report declin avoid"
SAYING |= {stem + end for stem in _ARRANGING.split() for end in ("ed", "ing")}
# Such things, and what stands before one that somebody has or is at: "I had a meeting | on Monday".
_MEETINGS = "appointment meeting call interview exam test lesson class course training workshop conference lecture presentation session hearing trial visit surgery operation treatment dentist"
_OCCASIONS = "match game race tournament concert show festival party wedding birthday ceremony funeral celebration holiday vacation trip journey flight tour cruise booking reservation ticket tickets delivery election strike storm crash accident war flood noise delay outage deadline launch fight event"
EVENTS = _words(f"{_MEETINGS} {_OCCASIONS}")
_TAKING = "attend attended take took taking passed failed ran won lost play played watched saw see gave hold held hosted enjoyed start started finished stopped began kept"
HOLDING = _words(f"{_TAKING} have has had having got go goes went going trouble at in on during")
BEFORE_TO = _words("have has had need needs want wants trying going able got go goes went come comes came way")
SUBJECTS = _words("i you he she it we they")
PERSONS = SUBJECTS | _words("me him her us them myself yourself himself herself itself ourselves themselves")
THIRD_PERSONS = _words("he she it they him them his her its their hers theirs himself herself itself themselves")
DETERMINERS = _words("the a an my your his her its our their this that these those every each some any no")
BE = _words("am is are was were be been")
NO_NOUNS = OPENERS | DETERMINERS | SUBJECTS | BE | _words("and or of off up down out")  # no clause about these follows
ASKING = _words("how why is are was were does did can could should would")  # these ask with or without "?"
GREETINGS = _words("hi hello hey sorry thanks yes ok okay")  # a comma after them is free; not "No(,) cats are nice"
TWO_MEANINGS = _words("polish turkey china march august reading nice mobile job apple sie ihr ihre ihren ihrem ihnen")
COMMANDS = _words("git rm sudo pip npm npx yarn docker kubectl ssh scp curl wget cd ls mkdir chmod grep sed awk cp mv")
