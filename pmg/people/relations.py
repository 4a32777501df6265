"""Which relation a verb and its object stand for: "moved to Austin" is lives_in Austin. A verb without one keeps its own name.

Knows: the patterns. They are read over "verb rest", the verb in its plain form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pmg.base.claim import (
    BLOCKED_BY,
    CAUSED_BY,
    COMES_FROM,
    DEPENDS_ON,
    DISLIKES,
    FUNCTIONAL,
    IS,
    IS_A,
    KNOWS,
    LIKES,
    LIVES_IN,
    OWNS,
    PART_OF,
    PARTNER_OF,
    USES,
    WORKS_AT,
)

_END = r"(?=\s+(?:and|but|because|so|when|which|who|that|since|for|with|where|while|now|after|before|until|last|this|next|to|as|in \d|again|yesterday|today|(?:\d+|an?|two|three|four|five|six|a few|several) (?:days?|weeks?|months?|years?))\b|[,.;:!?()–—]|\s-|$)"
_CAP = r"(?:the )?[A-ZÀ-Þ0-9][\w&.'’-]*(?: (?:of |the |and |& )?[A-ZÀ-Þ0-9][\w&.'’-]*)*"
# "I started at 9": a number by itself is a time, and no company. "1&1" and "3M" are.
_TIME = r"\d[\d:.,]*(?:[ap]m\b|[AP]M\b|h\b|(?![\w&-]))|noon|midnight|Christmas|Easter|New Year"
# What somebody works at for an hour: furniture, paces, and times.
_NO_EMPLOYER = (
    r"home|night|the moment|the same time|it\b|hours|a while|a few|a long|the (?:first|next|past)|(?:an?|the|my|our|this|his|her|their) (?:[\w-]+ )?(?:tables?|desks?|"
    r"bench|workbench|computer|laptop|screen|keyboard|window|counter|height|pace|speed|rate|level|distance|time|times|weekends?|end|top|bottom|back|front|"
    r"moment|minute|hour|day|days|week|weeks|month|months|year|years|piece|bit|dream|goal|exam|test|cause|living)"
    r"(?=$|[,.;:!?]| (?:in|at|on|by|all|for|and|or|with|near|next|when|while|until|today|every|most|of|the|from)\b)"
)
_MONTH = "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
_WHEN = rf"(?:{_MONTH}|spring|summer|autumn|fall|winter|(?:19|20)\d\d)\b"
_NO_JOB = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Christmas|Easter|New Year|I\b"
# Behind "I left Allegro": that it was for good, and not for the day.
FOR_GOOD = (
    rf"(?i:\W*(?:$|[.!?]|(?:about |almost |over )?(?:\w+ ){{1,3}}(?:weeks?|months?|years?) ago\b|last week\b|(?:last|this) (?:month|year)\b|(?:in|since|last|this) (?:early |late )?{_WHEN}|"
    rf"(?:for|on) good\b|to (?:join|become|start (?:at|with|my|our|his|her|their|an?))\b|for (?-i:(?!{_NO_JOB})[A-ZÀ-Þ])|"
    r"(?:and|but|so) (?:(?:I|we|he|she|they) )?(?:am|is|are|['’]m|['’]re) (?:\w+ )?(?:unemployed|jobless|retired|self-employed|freelanc\w+|out of (?:work|a job)|between jobs|looking for (?:an? |another )?(?:new )?(?:job|work))\b|"
    r"and (?:(?:I|we|he|she|they) )?(?:now )?(?:joined|started at|works? (?:at|for)) (?-i:[A-ZÀ-Þ])))"
)
_NP = rf"(?:{_CAP}|(?:a|an|the|my|our|his|her|their|this)\s+[\w'’-]+(?:\s+[\w'’-]+){{0,4}}?{_END})"
_OWNED = (
    "dog|cat|puppy|pup|kitten|rabbit|turtle|tortoise|snake|horse|pet|hamster|parrot|fish|guinea pig|dogs|cats|puppies|pups|kittens|turtles|snakes|pets|"
    "car|bike|bicycle|motorcycle|truck|van|house|apartment|flat|cabin|garden|guitar|piano|violin|drum set|camera|laptop|computer|telescope|boat|farm|shop|"
    "store|studio|business|company|restaurant|bakery|kids|children|son|daughter|sons|daughters|brother|sister|brothers|sisters|tattoo|collection"
)
_ROLE = (
    r"[\w-]*(?:er|or|ist|ian|ant|ent|eer|ess)|student|nurse|man|woman|guy|girl|boy|parent|mom|mum|dad|mother|father|lead|founder|chef|coach|"
    r"artist|musician|intern|freelancer|vegetarian|vegan|introvert|extrovert|adult|single mom|boss|pilot|judge|monk|nun|priest|cook|guide|athlete|doctor"
)
_NO_ROLE = re.compile(
    r"\b(?:matter|other|another|letter|chapter|moment|treat|present|event|adventure|summer|winter|weather|water|later|either|number|answer|order|offer|"
    r"dinner|paper|flower|power|color|favor|honor|reminder|factor|door|color|disaster|monster|bummer|gamechanger|changer|stressor|reliever|booster|"
    r"different|excellent|important|great|constant|current|recent|content|moment|accident|amount|environment|movement|improvement|moment|"
    r"achievement|ever|never|super|together|better|bigger|over|under|after|forever|however|whatever|center|theater|test|list|feat|best|rest|cost|"
    r"tent|talent|accomplishment|experiment|experience|investment|moment|mess|process|progress|success|stress|distress|business|wellness|loss|less|hour|"
    r"tour|flavor|error|mirror|corner|saver|starter|winner|breather|closer|teaser|shelter|folder|layer|poster|sticker|ladder|computer|printer)\b"
)


# Verbs of a beginning: "moved to Austin last week" names when it began, not how long it held.
_BEGINNINGS = frozenset(
    "move relocate settle get land start take accept begin marry join adopt become switch migrate meet fall".split()
)


# Verbs of a state: in the past tense it is over. "Was hired by" is none.
_STATES = re.compile(r"(?:live|work|intern|teach|have|date) |be (?!hired|laid|fired|let go|sacked|made redundant)")


@dataclass(frozen=True, slots=True)
class Related:
    """`is_over`: the verb says that it holds no more ("quit my job at …"); `begins`: that it holds from then on ("moved to …"); `lasts`: that it
    holds meanwhile ("live in …"), so that it is over where it is told in the past tense."""

    relation: str
    object: str
    is_over: bool = False
    begins: bool = False
    lasts: bool = False


def _rule(relation: str, pattern: str, over: bool = False) -> tuple[str, re.Pattern[str], bool]:
    return (
        relation,
        re.compile(
            pattern.replace("<NP>", f"(?P<o>{_NP})")
            .replace("<CAP>", f"(?P<o>{_CAP})")
            .replace("<END>", _END)
            .replace("<FOR_GOOD>", FOR_GOOD)
            .replace("<TIME>", _TIME)
            .replace("<NO_EMPLOYER>", _NO_EMPLOYER)
        ),
        over,
    )


_LASTING = FUNCTIONAL | {IS_A}
_RULES = (
    _rule(WORKS_AT, r"(?:work|intern|teach) (?:\w+ly )?(?:as an? [\w -]{3,40}? )?(?:at|for) (?!<NO_EMPLOYER>|<TIME>)<NP>"),
    _rule(WORKS_AT, r"(?:get|land|start|take|accept|have|begin) (?:an? |my |the )?(?:new |dream |great )?(?:[\w-]+ ){0,3}?(?:job|position|internship|role) (?:at|with) <NP>"),
    _rule(WORKS_AT, r"start (?:working |a job )?at (?!<TIME>)<CAP>"),
    _rule(WORKS_AT, r"(?:quit|leave|lose) (?:my|his|her|their|our|the) (?:\w+ )?(?:job|position)(?! (?:early|late|for (?:lunch|the day|today)|at (?:<TIME>))\b)(?: (?:at|with) <CAP>)?", over=True),
    _rule(WORKS_AT, r"(?:quit|leave) (?:the|my|our|his|her|their) (?:company|firm|agency)(?P<o>(?!))?(?=<FOR_GOOD>)", over=True),
    _rule(WORKS_AT, r"stop working (?:at|for) <CAP>", over=True),
    _rule(WORKS_AT, r"be (?:now |currently |\w+ly )?(?:unemployed|jobless|out of (?:work|a job)|between jobs)\b(?P<o>(?!))?", over=True),
    _rule(WORKS_AT, r"(?:be|get) (?:laid off|fired|sacked|let go(?! early)|made redundant)\b(?! (?:up|of|with))(?: (?:from|by) <CAP>)?", over=True),
    _rule(WORKS_AT, r"be (?:with|at) <CAP>(?= (?:for|since) )"),
    _rule(WORKS_AT, r"(?:accept an offer from|sign (?:an? |the |my )?contract with|be (?:hired|employed) (?:by|at)) <CAP>"),
    _rule(WORKS_AT, r"(?:resign from|hand in (?:my|his|her|their) notice at|retire from) <CAP>", over=True),
    _rule(LIVES_IN, r"(?:live|settle) (?:\w+ly )?(?:here |down |now )?(?:in|at) <CAP>"),
    _rule(LIVES_IN, r"(?:move|relocate) (?:here |over |away )?from (?:[\w'’-]+ ){1,4}?to <CAP>"),
    _rule(LIVES_IN, r"live (?:in|on) (?P<o>(?:a|an|the) (?:[\w'-]+ ){0,3}?(?:city|town|village|apartment|house|farm|countryside|suburbs|coast|island|flat|cabin)\b)"),
    _rule(LIVES_IN, r"(?:move|relocate) (?:back |here |over |away )?(?:to|into) <CAP>"),
    _rule(LIVES_IN, r"move (?:in|into) (?:an?|the|my|our|his|her|their) (?:[\w'’-]+ ){0,3}?(?:apartment|flat|house|home|place|condo|studio|room|dorm) (?:in|on|at) <CAP>"),
    _rule(LIVES_IN, r"be based in <CAP>"),
    _rule(COMES_FROM, r"(?:be|come) (?:originally )?from <CAP>"),
    _rule(COMES_FROM, r"(?:grow up|be born|be raised) in <CAP>"),
    _rule(COMES_FROM, r"(?:move|immigrate|emigrate) (?:here |away |over )?from <CAP>"),
    _rule(PARTNER_OF, r"(?:date|marry|be (?:\w+ )?married to|be engaged to|get (?:married|engaged) to|be dating|be in a relationship with) <CAP>"),
    _rule(PARTNER_OF, r"(?:break up with|divorce|split up with|split from|separate from|(?:be|get) (?:\w+ly |now )?(?:divorced|separated) from) <CAP>", over=True),
    _rule(OWNS, r"own (?P<o>(?:an?|the|my|our|two|three|four|five|several|some|\d+) .{2,60}?)<END>"),
    _rule(OWNS, rf"(?:have|get|adopt) (?P<o>(?:an?|two|three|four|five|six|several|my own|\d+) (?:[\w-]+ ){{0,3}}?(?:{_OWNED})\b(?: (?:named|called) [A-Z]\w+)?)"),
    _rule(USES, r"(?:use|switch to|migrate to) (?P<o>(?:[A-Z][\w.+#-]*|[\w-]+\.[\w-]+)(?: [A-Z0-9][\w.+#-]*)*)"),
    _rule(DEPENDS_ON, r"(?:depend|rely|be built|build) on (?P<o>[\w.+#-]+(?: [\w.+#-]+){0,4}?)<END>"),
    _rule(BLOCKED_BY, r"be (?:\w+ )?(?:blocked|held up|delayed) (?:by|on|because of|due to) (?P<o>[\w.+#'-]+(?: [\w.+#'-]+){0,5}?)<END>"),
    _rule(CAUSED_BY, r"be (?:\w+ )?(?:caused by|due to|because of) (?P<o>[\w.+#'-]+(?: [\w.+#'-]+){0,6}?)<END>"),
    _rule(CAUSED_BY, r"(?:happen|fail|break|crash) (?:because of|due to) (?P<o>[\w.+#'-]+(?: [\w.+#'-]+){0,6}?)<END>"),
    _rule(PART_OF, r"(?:be (?:\w+ )?(?:an? )?(?:active )?(?:part|member|volunteer) (?:of|at)|belong to) (?P<o>(?:an?|the|my|our|this|[A-Z]).{2,60}?)<END>"),
    _rule(PART_OF, r"join (?P<o>(?:an?|the|my|our|this|[A-Z])[\w '&-]{2,50}?(?:group|club|team|band|gym|class|program|community|organization|choir|society|association|league|church|company|course|[A-Z]\w+)\b)"),
    _rule(IS_A, rf"(?:be|become|work as|get promoted to) (?P<o>(?:an? )(?:[\w'-]+ ){{0,3}}?(?:{_ROLE})\b(?: (?:at|of|in|for) {_CAP})?)<END>"),
    _rule(IS_A, r"(?:get|be) promoted to (?P<o>[\w'’-]+(?: [\w'’-]+){0,4}?)<END>"),
    _rule(LIKES, r"(?:be (?:\w+ )?(?:an? )?(?:big |huge |massive )?fan of|be (?:\w+ )?(?:into|fond of|passionate about|obsessed with)|have a passion for|fall in love with) (?P<o>.{3,80}?)<END>"),
    _rule(LIKES, r"(?:love|like|enjoy|adore|prefer) (?P<o>(?!to (?:hear|see|know|join|chat|talk)\b|that\b|how\b|it\b|this\b|your?\b|what\b|when\b|the way\b|the idea\b|those\b|these\b|them\b|him\b|her\b|seeing you|hearing).{3,80})"),
    _rule(DISLIKES, r"(?:hate|dislike|detest|despise) (?P<o>(?!to (?:say|see|hear|break)\b|that\b|how\b|it\b|this\b|when\b|them\b|him\b).{3,80})"),
    _rule(KNOWS, r"meet (?P<o>[A-Z][a-z]+(?: [A-Z][a-z]+)?)(?=\s|$|[,.!?])"),
)  # fmt: skip


def related(verb: str, rest: str, is_positive: bool, helper: str = "") -> Related | None:
    """The relation that verb and rest stand for, if they stand for one."""
    said = f"{verb} {rest}"
    if verb == "stand" and helper == "can" and not is_positive and rest:
        return Related(DISLIKES, rest)
    for relation, pattern, over in _RULES:
        found = pattern.match(said)
        if found is None or (relation == IS_A and _NO_ROLE.search(found["o"])):
            continue
        thing = (found["o"] or "").strip(" ,.;:!?-–—\"'")
        if thing or over:
            lasts = relation in _LASTING and _STATES.match(said) is not None
            return Related(relation, thing, over, verb in _BEGINNINGS and not over, lasts)
    return Related(IS, rest) if verb == "be" and rest else None
