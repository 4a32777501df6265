"""Words that may stand for each other in a conversation without changing what is said.

Knows: groups of single words, one group a row piece; any form of a word counts (bought, buys). Groups are narrow on purpose:
a wrong synonym merges two memories that differ, a missing one only leaves two memories where one would do.
Does not know: phrases of several words (phrases.py).
"""

from __future__ import annotations

from pmg.ingest.differences.stems import stem

_GROUPS = """
buy purchase|begin start commence|big large|big huge|small little|small tiny|kid child|doctor physician dr doc|fix repair mend
quick fast rapid speedy swift|happy glad pleased delighted|smart clever intelligent bright|car automobile|phone telephone cellphone smartphone
photo picture photograph pic|movie film|tv television telly|mom mother mommy mama|dad father daddy papa|grandma grandmother granny
grandpa grandfather granddad|bike bicycle|house home|apartment flat|job position post|boss supervisor|coworker colleague
vacation holiday|trip journey|shop store|supermarket grocery|gas petrol fuel|truck lorry|elevator lift
sick ill unwell|tired weary|exhausted worn|angry mad|furious|sad unhappy|scared afraid frightened terrified|beautiful gorgeous
nice lovely pleasant|great fantastic wonderful amazing awesome terrific superb excellent|good fine|bad awful terrible horrible dreadful
difficult hard tough challenging tricky|easy simple straightforward effortless|important crucial vital essential significant
strange weird odd peculiar|funny hilarious amusing|boring dull tedious|delicious tasty yummy|wrong incorrect|correct accurate
rich wealthy|poor impoverished|famous renowned wellknown|quiet silent|noisy loud|clean tidy neat|dirty filthy messy
sure certain|ready prepared|glad grateful thankful|expensive costly pricey|cheap inexpensive affordable|free complimentary
need require|want wish desire|like enjoy|love adore|hate detest loathe|prefer favor
help assist aid|finish complete conclude|end conclude|stop cease halt|stop quit|try attempt|use utilize employ|get obtain receive acquire
choose select pick opt|decide|determine|resolve settle|tell inform notify|say state mention|ask inquire enquire query
answer reply respond|speak talk chat|explain clarify|discuss debate|show display present demonstrate|send mail forward
email e-mail|call phone ring telephone|text message|meet encounter|visit|notice spot|watch view|watch see|look glance|hear
think believe reckon suppose guess|know|realize|understand comprehend grasp|remember recall recollect|forget
make create produce|build construct assemble|cook prepare|bake|write compose author|draw sketch|paint|change alter modify adjust
move relocate shift|postpone delay defer|cancel scrap|schedule arrange|plan|organize arrange|coordinate|reserve book
arrive come|depart leave|return|go head travel|drive|fly|stay remain|live reside dwell|wait|hurry rush|hire employ recruit|fire sack
resign quit leave|retire|join|enter|attend|skip|give hand|lend loan|borrow|share|keep retain|save store|delete remove erase
lose misplace|find locate|search seek hunt|break|smash shatter|damage harm ruin|destroy demolish wreck|injure hurt wound
improve enhance better|increase rise grow raise climb|decrease reduce lower drop decline fall diminish|allow permit let|forbid prohibit ban
suggest recommend|recommend advise|suggest propose|agree concur|refuse decline|accept|approve|complain grumble moan|apologize|promise pledge vow
admit confess acknowledge|deny|argue quarrel fight|win|beat defeat|worry concern|annoy irritate bother|surprise astonish amaze
scare frighten|confuse puzzle baffle|upset distress|excite thrill|satisfy please|disappoint
error mistake|error fault|bug glitch|bug error|problem issue|problem trouble|solution fix|idea notion|plan|goal aim objective target
task chore assignment|project|meeting|conference|appointment|party celebration|wedding|marriage|birthday|gift present
present gift|money cash|salary pay wage|price cost|bill invoice|tax|loan|mortgage|rent|lease|bank
animal creature|bug insect|rabbit bunny|food|meal|dinner supper|lunch|breakfast|snack|dessert
drink beverage|soda|candy sweets|cookie biscuit|fries chips|eggplant aubergine|zucchini courgette|cilantro coriander|arugula rocket
fall autumn|trash garbage rubbish|bin|couch sofa settee|closet wardrobe|bathroom restroom toilet washroom|yard garden|faucet tap
pants trousers|sweater jumper pullover|sneakers trainers|hat|cap|glasses spectacles eyeglasses
street road|sidewalk pavement|country nation|airport|station|pharmacy drugstore|medicine medication meds
pain ache|fever|temperature|surgery operation|illness sickness|illness disease|dentist|nurse|patient
school|university uni|college|student pupil|teacher instructor|class lesson|class course|exam test|grade mark|homework
company firm business corporation|office workplace|client customer|employee worker staff|manager|owner proprietor|lawyer attorney solicitor
cop police policeman|firefighter fireman|author writer|actor performer|singer vocalist|musician|artist|chef cook|waiter server
computer pc|laptop notebook|screen display monitor|app application|program software|website site webpage|file document doc|folder directory
picture image|video clip|password passcode|database db|repo repository|config configuration|function method|param parameter|arg argument
dev developer programmer coder|admin administrator|env environment|spec specification|docs documentation|info information details
deploy|release ship|install|update|upgrade|restart reboot|crash|run execute launch|test|merge|commit|download|upload
friend buddy pal mate|guy man fellow|lady woman|boy lad|girl lass|baby infant|teen teenager adolescent|adult grownup|person human individual
people folk persons|husband hubby|wife|spouse|partner|boyfriend|girlfriend|relative kin|sibling|crowd
bus coach|train railway|plane airplane aircraft|subway metro underground tube|taxi cab
rain|shower|storm|snow|sunny|cloudy overcast|hot|warm|cold chilly|cool|windy breezy|wet damp|dry
rock stone|forest wood woods|hill|mountain mount|lake|river|sea|ocean|beach shore seaside|field meadow|flower blossom|tree
story tale|book|novel|newspaper|letter|song tune|music|game|match|team squad|player|race|competition contest tournament|prize award
exercise workout|gym|walk stroll|hike trek|climb|swim|jump leap hop|dance|sing|smile grin|laugh giggle chuckle|cry weep sob|shout yell scream
sleep|doze nap|wake awaken|eat consume devour|sip|cut slice|cut chop|mix combine|mix stir|mix blend|fry|boil|roast|peel|pour|wash rinse|wipe|sweep
close shut|open|lock|turn|push press shove|pull drag tug|carry haul|throw toss hurl fling|catch|hold grip clutch|touch|hit strike|kick
put place|hang|fill|empty|collect gather|separate|connect link|attach fasten|cover|hide conceal|reveal disclose|protect guard defend
check verify|verify confirm|inspect examine|measure|count|calculate compute|compare|sort|test
happen occur|appear|disappear vanish|seem|become|continue proceed carry|last|exist|consist|contain include|belong|depend rely
choice option|chance opportunity|reason cause|result outcome|effect impact|part portion piece|place spot location|area region zone
way method manner|thing stuff|type kind|example instance|subject topic|question query|opinion view|feeling emotion|fact|truth
dream|hope|fear|anger rage|joy happiness delight|love affection|luck fortune|danger hazard peril|risk|accident|emergency
safe secure|dangerous hazardous risky unsafe|healthy|fit|strong powerful|weak feeble|brave courageous|lazy idle|busy occupied
kind friendly|polite courteous|rude impolite|honest truthful|shy timid|proud|jealous envious|calm relaxed|nervous anxious
new brand|old|ancient|modern contemporary|young|recent|current|former previous prior|next following upcoming|final last|initial
main primary principal chief|whole entire complete full|total|various several|different|similar alike|same identical|equal
enormous gigantic massive immense|thin slim slender skinny|fat overweight|tall|short|long lengthy|wide broad|narrow|deep|shallow|thick
fresh|rotten spoiled|spicy|sweet sugary|salty|bitter|sour|crunchy crispy|empty vacant|broken busted
quickly fast|slowly|immediately|almost|exactly precisely|especially particularly|mainly mostly primarily|completely totally entirely fully
nearby close near|far distant|away|abroad overseas|upstairs|downstairs|inside indoors|outside outdoors
hometown|neighbor|guest visitor|host|roommate flatmate housemate|landlord|tenant renter|member|leader head|team|group band
diploma degree|resume cv|interview|promotion|raise|deadline due|report|presentation talk|slides deck|draft|proposal|contract agreement
budget|profit earnings|loss|sale|discount|refund|order|package parcel|delivery shipment|ticket|passport|luggage baggage|suitcase
language tongue|word|sentence|page|chapter|map|list|note memo|reminder|alarm|clock|watch wristwatch|calendar
allergic allergy|vegetarian veggie|diet|weight|recipe|ingredient|kitchen|fridge refrigerator|stove cooker|oven|pan|pot|dish|plate|cup|mug
bedroom|room|floor|wall|roof|door|window|stairs staircase steps|garage|basement cellar|attic loft|lawn|fence
pupil student|assist help|obtain get|locate find|inform tell|terrible awful|alter change|construct build|remain stay|commence begin
huge enormous|tasty delicious|clearly obviously|apparently evidently|surely certainly|nearly almost|rarely seldom
approve|reject decline|wake|grow|fond keen|crazy insane nuts|ideal perfect|likely probable|possible|impossible|available
lately recently|afterward later|earlier previously before|nowadays|forever|sometime someday
advice|assistance help|purchase buy|reply answer|request|invite invitation|celebrate|congratulate|encourage|support|fund finance
switch change swap|replace substitute|handle manage|deal|face|reach contact|raise lift|hug embrace|kiss|marry wed|divorce
graduate|study|teach instruct|train coach|practice rehearse|perform|compete|score|cheer|support back
handy useful helpful|useless|famous wellknown|popular|rare uncommon|common|usual normal regular ordinary|special|unique
gentle mild soft|harsh severe|bright|dark|light|heavy|sharp|blunt|smooth|rough|flat level|steep|straight|curved bent
quantity amount|number|percent percentage pct|kilometer km kms|mile mi|meter m|centimeter cm|millimeter mm|kilogram kg kilo kgs|gram
pound lb lbs|ounce oz|liter litre l|milliliter ml|minute min mins|hour hr hrs h|second sec secs|year yr yrs|month|week wk wks|dollar usd buck
diary journal|outage blackout|right correct|flu influenza|belly stomach tummy|burger hamburger|rug carpet|math mathematics
lab laboratory|prof professor|vet veterinarian|advert ad advertisement|maximum max|minimum minimal|kubernetes k8s|javascript js
typescript ts|postgres postgresql|mongodb mongo|auth authentication|production prod|library lib|ache hurt|nap siesta|reunion gathering
income earnings|footwear shoes|tidy clean|hurry rush|spouse|partner|terrific great|pal friend|lately recently|weird unusual
thrilled excited|worried concerned anxious|stressed|overwhelmed|exhausting tiring|relaxing calming|interesting fascinating
frustrated annoyed|certain sure|grateful thankful|embarrassed ashamed|lonely|alone|hungry|starving|thirsty|parched
brief short concise|main key|older elder|oldest eldest|under below|slightly littlish|small littlish|brother bro|sister sis|celsius centigrade|fahrenheit|booking reservation|wifi wlan
physio physiotherapist|quit leave|grandson|granddaughter|gram gm g|milligram mg|sqm|sqft|tablespoon tbsp|teaspoon tsp|kilowatt kw
euro eur|gigabyte gb|megabyte mb|terabyte tb|kilobyte kb|foot ft|inch|degree deg|millisecond ms|day
"""


def _groups() -> dict[str, frozenset[int]]:
    """stem -> the groups it is in. A word may be in several; groups are never chained, so that present-gift and
    present-show do not make gift and show the same."""
    found: dict[str, set[int]] = {}
    for number, group in enumerate(_GROUPS.replace("\n", "|").split("|")):
        for word in group.split():
            found.setdefault(stem(word)[0], set()).add(number)
    return {key: frozenset(numbers) for key, numbers in found.items()}


GROUPS_OF = _groups()


def synonyms(a: str, b: str) -> bool:
    """Whether two stems share a group."""
    if not GROUPS_OF.get(a, _NONE).isdisjoint(GROUPS_OF.get(b, _NONE)):
        return True
    for end in ("est", "er"):  # quickest and fastest
        if a.endswith(end) and b.endswith(end):
            return _graded(a[: -len(end)], b[: -len(end)])
    return False


def _graded(a: str, b: str) -> bool:
    """What is left of two comparatives, with the letter that was doubled or the e that was lost."""
    groups_a = {group for form in (a, a[:-1], a + "e") for group in GROUPS_OF.get(form, _NONE)}
    return len(a) > 2 and any(not groups_a.isdisjoint(GROUPS_OF.get(form, _NONE)) for form in (b, b[:-1], b + "e"))


_NONE: frozenset[int] = frozenset()
