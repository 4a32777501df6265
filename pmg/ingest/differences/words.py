"""The closed classes of English: the small words whose job is grammar, and forms that follow no rule.

Knows: articles, pronouns, prepositions, auxiliaries, negators, fillers, irregular verbs, usual misspellings.
Does not know: ordinary vocabulary (synonyms.py) or how the classes are used (reading.py).
"""

from __future__ import annotations

FILLER = frozenset(
    """
    please pls plz really just so um uh er hmm hm ah oh eh well actually basically literally honestly simply very quite pretty
    anyway anyways also too btw fyi hi hello hey hiya dear thanks thx cheers ok okay yeah yep yes yup sure alright ya lol haha
    now currently already that which sorry rather somewhat totally absolutely indeed though kindly
    extremely terribly awfully incredibly super such truly it its itself this these those own plus however afaik imo verymuch
    """.split()
)
ARTICLES = frozenset("a an the this that these those any".split())

PRONOUNS = {
    **dict.fromkeys("i me".split(), "I"),
    **dict.fromkeys("you ya u".split(), "you"),
    **dict.fromkeys("he him".split(), "he"),
    "she": "she",
    **dict.fromkeys("we us".split(), "we"),
    **dict.fromkeys("they them".split(), "they"),
}
REFLEXIVES = frozenset("myself yourself himself herself ourselves themselves yourselves".split())
POSSESSIVES = {
    **dict.fromkeys("my mine".split(), "I"),
    **dict.fromkeys("your yours".split(), "you"),
    "his": "he",
    **dict.fromkeys("her hers".split(), "she"),
    **dict.fromkeys("our ours".split(), "we"),
    **dict.fromkeys("their theirs".split(), "they"),
}

NEGATORS = frozenset(
    "not no never none nothing nobody nowhere neither nor without hardly barely scarcely cannot".split()
)

# Prepositions that only mark a place in the sentence; the second set tells roles apart and is compared.
PREPOSITIONS = frozenset(
    "in on at of for to from with by about than into onto as like toward towards upon via per regarding".split()
)
CONTRASTED = frozenset("for to from with by about than".split())
SAME_PREPOSITION = {"toward": "to", "towards": "to", "regarding": "about", "upon": "on"}

SUBORDINATORS = {
    **dict.fromkeys("because since cause cuz bc".split(), "because"),
    **dict.fromkeys("although though".split(), "although"),
    "if": "if", "whether": "if", "unless": "unless", "when": "when", "whenever": "when", "while": "while",
    "until": "until", "till": "until", "before": "before", "after": "after", "once": "once",
}  # fmt: skip
CONDITIONS = frozenset("even only except or otherwise instead solely merely either".split())
# People by what they are to somebody: their roles are watched as closely as those of names.
PEOPLE = frozenset(
    """
    mom mother dad father parent brother sister sibling son daughter child kid baby husband wife spouse partner boyfriend
    girlfriend friend uncle aunt cousin nephew niece grandma grandmother grandpa grandfather boss manager colleague coworker
    doctor nurse dentist teacher student neighbor landlord tenant client customer lawyer team company roommate guest
    """.split()
)
_FOREIGN = """
ich du wir ihr nicht und der das ein eine einen einem ist sind habe hat haben mit auf für von zu dem den bin mein meine kein keine
je tu il elle nous vous et est pas ne que qui dans pour les des une sur avec mon ma suis le el los las yo y es con para por
una muy pero che di lo gli sono non è per het een ik niet de van mi tengo estoy ho una nel jeg er og ikke jag är och inte eu não um com
"""
FOREIGN = frozenset(_FOREIGN.split())
WH = frozenset("who whom whose what which where why how".split())

QUANTIFIERS = {
    **dict.fromkeys("all every each whole entire".split(), "all"),
    **dict.fromkeys("everyone everybody".split(), "everyone"),
    **dict.fromkeys("someone somebody".split(), "someone"),
    **dict.fromkeys("anyone anybody".split(), "anyone"),
    "everything": "everything", "something": "something", "anything": "anything", "some": "some", "most": "most",
    **dict.fromkeys("many much lots plenty numerous".split(), "many"),
    "few": "few", "several": "several", "both": "both", "half": "half", "more": "more", "less": "less", "fewer": "less",
    "least": "least", "little": "little", "enough": "enough", "couple": "couple", "double": "double", "triple": "triple",
    **dict.fromkeys("almost nearly approximately roughly approx ca".split(), "about"),
    "twice": "twice", "thrice": "thrice", "quarter": "quarter", "third": "third",
}  # fmt: skip

HEDGES = {
    **dict.fromkeys("maybe perhaps possibly".split(), "maybe"),
    **dict.fromkeys("probably likely presumably".split(), "probably"),
    **dict.fromkeys("definitely certainly surely undoubtedly".split(), "definitely"),
}
# Adverbs that may stand in several places without a change of meaning.
ADVERBS = {
    **dict.fromkeys("usually normally typically generally".split(), "usually"),
    **dict.fromkeys("often frequently regularly".split(), "often"),
    **dict.fromkeys("sometimes occasionally".split(), "sometimes"),
    **dict.fromkeys("rarely seldom".split(), "rarely"),
    **dict.fromkeys("recently lately".split(), "recently"),
    **dict.fromkeys("soon shortly".split(), "soon"),
    **dict.fromkeys("immediately instantly".split(), "immediately"),
    **dict.fromkeys("finally eventually".split(), "finally"),
    "always": "always", "anymore": "anymore", "again": "again", "still": "still", "yet": "yet", "together": "together",
    "ever": "ever",
}  # fmt: skip

MODALS = {
    "can": "can",
    "could": "could",
    "may": "may",
    "might": "may",
    "must": "must",
    "should": "should",
    "would": "would",
}
BE_PRESENT = frozenset("am is are".split())
BE_PAST = frozenset("was were".split())
HAVE = {"have": "", "has": "", "had": "past", "having": ""}
DO = {"do": "", "does": "", "did": "past", "doing": "", "done": ""}

IS_BEFORE = frozenset("he she it that there what who where here how when why this everything something name".split())

_NEGATED = "can could would should must need do does did is are was were has have had might"
CONTRACTIONS: dict[str, tuple[str, ...]] = {
    **{verb + "nt": (verb, "not") for verb in _NEGATED.split() if verb != "can"},
    "cant": ("can", "not"), "cannot": ("can", "not"), "wont": ("will", "not"), "shant": ("will", "not"), "aint": ("is", "not"),
    "im": ("i", "am"), "ive": ("i", "have"), "youre": ("you", "are"), "youve": ("you", "have"), "theyre": ("they", "are"),
    "thats": ("that", "is"), "whats": ("what", "is"), "hes": ("he", "is"), "shes": ("she", "is"), "theres": ("there", "is"),
    "lets": ("let", "we"), "weve": ("we", "have"), "theyve": ("they", "have"), "gonna": ("going", "to"),
    "wanna": ("want", "to"), "gotta": ("must",), "shall": ("will",), "kinda": ("kind", "of"), "dunno": ("not", "know"),
    "oclock": ("oclock",), "hows": ("how", "is"), "wheres": ("where", "is"), "whos": ("who", "is"), "itll": ("it", "will"),
}  # fmt: skip

_MISSPELT = """
m²:sqm km²:sqkm ft²:sqft recieve:receive recieved:received recieving:receiving definately:definitely definitly:definitely seperate:separate
seperately:separately tommorow:tomorrow tomorow:tomorrow tommorrow:tomorrow tmrw:tomorrow tmr:tomorrow teh:the hte:the adn:and
freind:friend freinds:friends becuase:because becasue:because beacuse:because untill:until wich:which wierd:weird thier:their
occured:occurred accomodate:accommodate accomodation:accommodation goverment:government neccessary:necessary
neccesary:necessary enviroment:environment calender:calendar adress:address adresses:addresses begining:beginning
beleive:believe buisness:business collegue:colleague collegues:colleagues concious:conscious dissapointed:disappointed
embarass:embarrass existance:existence experiance:experience familar:familiar finaly:finally foriegn:foreign gaurd:guard
happend:happened immediatly:immediately independant:independent intresting:interesting knowlege:knowledge libary:library
maintainance:maintenance managment:management meetting:meeting meetng:meeting misspell:misspell noticable:noticeable
occassion:occasion occasionaly:occasionally peice:piece posible:possible prefered:preferred probaly:probably prolly:probably
proffesional:professional publically:publicly realy:really reccomend:recommend recomend:recommend recomended:recommended
refered:referred relevent:relevant religous:religious remeber:remember rember:remember resturant:restaurant
restaraunt:restaurant restuarant:restaurant rythm:rhythm scedule:schedule shedule:schedule succesful:successful
sucessful:successful suprise:surprise suprised:surprised temperture:temperature thru:through tonite:tonight truely:truly
unfortunatly:unfortunately usally:usually vaccum:vacuum vegatarian:vegetarian visable:visible wensday:wednesday
wednsday:wednesday febuary:february wether:whether writting:writing wrting:writing yestarday:yesterday yesteday:yesterday
yesterdy:yesterday youre:youre hav:have haev:have waht:what taht:that abotu:about agian:again alot:many aparment:apartment
appartment:apartment arguement:argument basicly:basically bycicle:bicycle cofee:coffee coffe:coffee comming:coming
completly:completely diffrent:different docter:doctor doesent:doesnt enought:enough excercise:exercise exersise:exercise
favorit:favorite finnish:finish gaurantee:guarantee garantee:guarantee accidently:accidentally benifit:benefit catagory:category comittee:committee
desicion:decision dissapear:disappear enviorment:environment equiptment:equipment excelent:excellent exaclty:exactly foward:forward
gratefull:grateful imediately:immediately insurence:insurance intrest:interest mantain:maintain occurence:occurrence
orginal:original particulary:particularly percieve:perceive perhpas:perhaps potatos:potatoes tomatos:tomatoes
pronounciation:pronunciation refridgerator:refrigerator saftey:safety sentance:sentence similiar:similar speach:speech sucess:success
usefull:useful vegtables:vegetables vehical:vehicle wonderfull:wonderful thsi:this jsut:just liek:like ahve:have becuse:because
befor:before alway:always alredy:already allready:already mabye:maybe peopel:people poeple:people plese:please rigth:right soem:some
shcool:school sould:should tihs:this todya:today wiht:with wrok:work lenght:length knwo:know nto:not neice:niece
grammer:grammar greatful:grateful hapened:happened
hosptial:hospital hopsital:hospital importent:important intrested:interested jewlery:jewelry kitchin:kitchen langauge:language
lisence:license litle:little looseing:losing medecine:medicine mispell:misspell morgage:mortgage neighbor:neighbor
nieghbor:neighbor ocasion:occasion oppinion:opinion oportunity:opportunity parrallel:parallel passwrod:password
pasword:password perfer:prefer persue:pursue pharamcy:pharmacy planing:planning posession:possession presention:presentation
presentaion:presentation projct:project porject:project questoin:question quetion:question recipt:receipt reciept:receipt
remebered:remembered responsability:responsibility responsable:responsible secratary:secretary sincerly:sincerely
skedule:schedule strenght:strength studing:studying tehre:there togehter:together togther:together tounge:tongue
transfered:transferred travling:traveling vacaton:vacation vacatoin:vacation vist:visit watn:want wnat:want wokr:work
woudl:would coudl:could shoudl:should yuo:you abt:about pls:please ppl:people thx:thanks gud:good bday:birthday msg:message
appt:appointment mtg:meeting info:information grey:gray cheque:check programme:program programmes:programs tyre:tire
tyres:tires aluminium:aluminum jewellery:jewelry storey:story pyjamas:pajamas mum:mom mums:moms mam:mom kerb:curb plough:plow
sceptical:skeptical licence:license defence:defense offence:offense practise:practice judgement:judgment enrol:enroll
fulfil:fulfill skilful:skillful learnt:learned burnt:burned dreamt:dreamed spelt:spelled leapt:leaped towards:toward
afterwards:afterward whilst:while amongst:among cosy:cozy mould:mold moustache:mustache tonne:ton aeroplane:airplane
maths:math favourite:favorite favourites:favorites neighbourhood:neighborhood neighbourhoods:neighborhoods colourful:colorful
honourable:honorable favourable:favorable behavioural:behavioral doughnut:donut yoghurt:yogurt omelette:omelet catalogue:catalog dialogue:dialog analogue:analog
"""
SPELLINGS: dict[str, str] = dict(
    pair.split(":") for pair in _MISSPELT.split() if pair.split(":")[0] != pair.split(":")[1]
)

# lemma past participle; "=" where the form is the base itself and tells nothing.
_IRREGULAR = """
be was been|become became become|begin began begun|bite bit bitten|blow blew blown|break broke broken|bring brought brought
build built built|buy bought bought|catch caught caught|choose chose chosen|come came =|deal dealt dealt|dig dug dug
draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed fed|feel felt felt
fight fought fought|find found found|fly flew flown|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen
get got gotten|give gave given|go went gone|grow grew grown|hang hung hung|hear heard heard|hide hid hidden|hold held held
keep kept kept|know knew known|lay laid laid|lead led led|leave left left|lend lent lent|light lit lit|lose lost lost
make made made|mean meant meant|meet met met|pay paid paid|ride rode ridden|ring rang rung|rise rose risen|run ran =
say said said|see saw seen|seek sought sought|sell sold sold|send sent sent|shake shook shaken|shine shone shone
shoot shot shot|show showed shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat sat|sleep slept slept
speak spoke spoken|spend spent spent|stand stood stood|steal stole stolen|stick stuck stuck|strike struck struck
swear swore sworn|sweep swept swept|swim swam swum|swing swung swung|take took taken|teach taught taught|tear tore torn
tell told told|think thought thought|throw threw thrown|understand understood understood|wake woke woken|wear wore worn
win won won|write wrote written|withdraw withdrew withdrawn|overcome overcame =|oversleep overslept overslept
undergo underwent undergone|rebuild rebuilt rebuilt|rewrite rewrote rewritten|redo redid redone|undo undid undone
bind bound bound|breed bred bred|creep crept crept|kneel knelt knelt|lean leant leant|slide slid slid|spin spun spun
sting stung stung|weep wept wept|wind wound wound|bend bent bent|bear bore borne|beat beat beaten|overhear overheard overheard
misunderstand misunderstood misunderstood|rethink rethought rethought|uphold upheld upheld|foresee foresaw foreseen
"""


def _irregular() -> dict[str, tuple[str, str]]:
    """form -> (lemma, "past" | "participle" | "either")."""
    forms: dict[str, tuple[str, str]] = {}
    for row in _IRREGULAR.replace("\n", "|").split("|"):
        if not row.strip():
            continue
        lemma, past, participle = row.split()
        if past != "=":
            forms[past] = (lemma, "either" if past == participle else "past")
        if participle not in ("=", past):
            forms[participle] = (lemma, "participle")
    return forms


IRREGULAR = _irregular()
PLURALS = {
    "children": "child", "men": "man", "women": "woman", "feet": "foot", "teeth": "tooth", "mice": "mouse", "geese": "goose",
    "wives": "wife", "knives": "knife", "lives": "life", "shelves": "shelf", "wolves": "wolf", "halves": "half",
    "loaves": "loaf", "thieves": "thief", "potatoes": "potato", "tomatoes": "tomato", "heroes": "hero",
}  # fmt: skip
