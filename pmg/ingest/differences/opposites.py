"""Names the difference between two words: opposites, or just other words.

Knows: pairs of opposites and the prefixes that turn a word round. Only used to tell a person what differs; any two
words that are not synonyms block anyway.
"""

from __future__ import annotations

from pmg.ingest.differences.stems import stem

_PAIRS = """
before after|increase decrease|accept reject|buy sell|arrive leave|left right|more less|open close|start stop|first last
love hate|morning evening|up down|on off|in out|win lose|give take|send receive|push pull|hot cold|warm cool|big small
large small|tall short|long short|old new|old young|early late|earlier later|good bad|best worst|better worse|high low
higher lower|rich poor|happy sad|fast slow|hard easy|difficult easy|strong weak|light dark|light heavy|full empty|clean dirty
wet dry|safe dangerous|cheap expensive|true false|right wrong|same different|near far|inside outside|above below|over under
top bottom|front back|north south|east west|day night|summer winter|spring autumn|male female|man woman|boy girl|husband wife
mother father|son daughter|brother sister|mom dad|aunt uncle|borrow lend|teach learn|ask answer|remember forget|find lose
begin end|begin finish|start end|start finish|join leave|hire fire|pass fail|succeed fail|rise fall|raise lower|grow shrink
save spend|add remove|create delete|install uninstall|lock unlock|allow forbid|allow deny|approve deny|approve reject
agree disagree|like dislike|enable disable|connect disconnect|appear disappear|import export|upload download|login logout
always never|everyone nobody|everything nothing|all none|most few|many few|maximum minimum|increase reduce|gain lose|minimum maximum
alive dead|present absent|public private|internal external|visible hidden|active inactive|positive negative|profit loss
employer employee|landlord tenant|import export|inhale exhale|wake sleep|stand sit|laugh cry|smile frown|sweet sour|thick thin
attack defend|attach detach|ascend descend|assemble dismantle|asleep awake|backward forward|beautiful ugly|beginner expert
beginning end|benign malignant|boring interesting|bottom top|brave cowardly|bright dim|calm nervous|cheap dear|child adult|clear cloudy
clockwise counterclockwise|close far|compress decompress|confirm deny|contract expand|convex concave|correct wrong|create destroy|credit debit
cruel kind|cut paste|dark bright|decode encode|decrypt encrypt|deflate inflate|demand supply|deposit withdraw|despair hope|down up
drunk sober|dull sharp|dwarf giant|earn spend|emigrate immigrate|enter exit|entrance exit|even odd|exclude include|exhale inhale|expire renew
extrovert introvert|failure success|fake real|fat thin|fiction fact|first second|fixed broken|fold unfold|follow lead|forbid permit
foreign domestic|freeze thaw|fresh stale|friend enemy|full hungry|generous stingy|gentle rough|guest host|hardware software|head tail
heat cool|heaven hell|hide show|hire dismiss|horizontal vertical|import export|inferior superior|inner outer|input output|junior senior
land sea|landlord tenant|lazy hardworking|least most|legal illegal|lend borrow|lift drop|liquid solid|local global|local remote|lock unlock
loose tight|lose win|loss gain|lower upper|major minor|majority minority|manual automatic|mature childish|meet miss|melt freeze|mount unmount
natural artificial|necessary optional|nephew niece|noisy quiet|north south|numerator denominator|online offline|optimist pessimist
oral written|original copy|pack unpack|part whole|partial complete|past future|pause resume|peace war|permanent temporary|plaintiff defendant
plural singular|plus minus|polite rude|popular unpopular|positive negative|praise criticize|prefix suffix|private public|problem solution
proof refute|question answer|raw cooked|read write|rear front|relaxed tense|rent own|require forbid|ripe unripe|rural urban|safe risky
sell buy|serial parallel|set clear|shout whisper|shut open|single double|sink float|sink rise|soft hard|sometimes never|stay leave
stale fresh|straight curved|strict lenient|student teacher|sunrise sunset|sunny rainy|support oppose|synchronous asynchronous
takeoff landing|tame wild|tidy messy|together apart|toward away|trainee trainer|trust distrust|truth lie|twin single|ugly pretty
uncle aunt|under above|upload download|upstairs downstairs|vertex edge|victory defeat|villain hero|visible invisible|wake doze|waste save
wax wane|wealth poverty|white black|widow widower|with without|within outside|worse better|yes no|boyfriend girlfriend|king queen
grandmother grandfather|grandma grandpa|stepmother stepfather|bride groom|actor actress|waiter waitress|host hostess|hen rooster|lend return
wide narrow|deep shallow|smooth rough|sharp blunt|loud quiet|guilty innocent|sick healthy|married divorced|married single
"""
_OPPOSITE = frozenset(
    frozenset(stem(word)[0] for word in pair.split()) for pair in _PAIRS.replace("\n", "|").split("|") if pair.strip()
)
_TURNING = ("un", "dis", "in", "im", "ir", "il", "non", "de", "mis")


def opposite(a: str, b: str) -> bool:
    """Whether two stems are opposites: a known pair, or one is the other with a turning prefix."""
    if frozenset((a, b)) in _OPPOSITE:
        return True
    short, long = sorted((a, b), key=len)
    return len(short) > 2 and any(long == prefix + short for prefix in _TURNING)
