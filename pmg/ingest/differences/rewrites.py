"""Several words that say what one word says: the table, as `old = new`, rows parted by "|".

Knows: set phrases, phrasal verbs, units, greetings. An empty right side means the phrase is filler.
Does not know: how the table is used (phrases.py).
"""

from __future__ import annotations

_TABLE = """
some more = more|get lunch = eat lunch|get dinner = eat dinner|get breakfast = eat breakfast|got lunch = ate lunch|got dinner = ate dinner
grab lunch = eat lunch|grab dinner = eat dinner|reply to = answer|replies to = answers|replied to = answered|replying to = answering|respond to = answer|responds to = answers|responded to = answered
responding to = answering|together with = with|turn off = switch off|turn on = switch on|turned off = switched off|turned on = switched on|turns off = switches off
turns on = switches on|turning off = switching off|turning on = switching on|once again = again|have got no idea = not know|i am so sorry = sorry
i am very sorry = sorry|i am really sorry = sorry|learning how to = learning to|learned how to = learned to|learns how to = learns to|driver 's license = driverslicense
drivers license = driverslicense|driving license = driverslicense|driver license = driverslicense|do you have any = do you have|any tips = do you have tips|any ideas = do you have ideas|any advice = do you have advice
any suggestions = do you have suggestions|any recommendations = do you have recommendations|for free = free
look as if = look like|looks as if = looks like|looked as if = looked like|looks as though = looks like|feel as if = feel like|'s name is = is named
whole day = all day|whole night = all night
the entire day = all day|the entire night = all night|give back = return|gave back = returned
bring back = return|brought back = returned|throw away = discard|threw away = discarded|throw out = discard|threw out = discarded
hurry up = hurry|speed up = accelerate|show up = appear
showed up = appeared|have trouble with = struggle with|have problems with = struggle with
pass away = die|passed away = died|log in to = log into|log on to = log into|sign in to = log into|sign into = log into
log in = login|log on = login|sign in = login|up front = upfront|some day = someday|any time = anytime
a lot more = many more|no worries =|was raised in = grew in|were raised in = grew in|am allergic to = have a allergy to|is allergic to = has a allergy to
are allergic to = have a allergy to|was allergic to = had a allergy to|'s allergic to = has a allergy to|what are some = what are|in the year = in|a decade = 10 years|most of the time = usually|excited for = excited about|very much = verymuch|way of = way to|50 % of = half of|50 percent of = half of|fifty percent of = half of|decided on = chose
no longer = not anymore|not any more = not anymore|a lot of = many|lots of = many|a lot = many|plenty of = many
a bunch of = many|a large number of = many|a great deal of = many|a couple of = couple|a couple = couple
a few = several|quite a few = many|a little bit = slightly|a bit = slightly|a dozen = dozen|half a dozen = six
have got to = must|has got to = must|have got = have|has got = have|have to = must|has to = must|had to = did must
need to = must|needs to = must|needed to = did must|got to = must|ought to = should|am supposed to = should
is supposed to = should|are supposed to = should|had better = should|would better = should|am able to = can
is able to = can|are able to = can|was able to = could|were able to = could|not able to = not can|unable to = not can
used to = did|would like to = want to|would like = want|would love to = want to|in order to = to|so that = to
learn how to = learn to|thank you for your help =|thanks for your help =|thanks for the help =
thank you for the help =|due to = because|because of = because|on account of = because|as a result of = because
thanks to = because|owing to = because|even though = although|as long as = if|in case = if|provided that = if
only if = only if|except for = except|apart from = except|other than = except|rather than = instead
instead of = instead|as well as = and|as well = also|at the moment = now|right now = now|at present = now
these days = now|as soon as possible = asap|as soon as = when|by the way =|for how long = how long
explain to me = explain|keep in mind = remember|wi fi = wifi|bear in mind = remember|to be honest =|you know =
i mean =|in fact =|of course =|for sure = definitely|thank you so much =|thank you very much =|thank you =
thanks a lot =|many thanks =|thanks so much =|thanks in advance =|good morning =|good evening =|good afternoon =
how are you =|just so you know =|for your information =|just a heads up =|heads up =|quick question =
i just wanted to say =|i just wanted to let you know =|i wanted to let you know =|just to let you know =
let you know = tell you|let me know = tell me|no problem =|never mind = nevermind|i am sorry = sorry|all of = all
each of = all|every one of = all|every single = all|most of = most|some of = some|none of = none|both of = both
the majority of = most|not one = none|what time = when|at what time = when|how come = why|what is the reason = why
what for = why|for what reason = why|in what way = how|go with = choose|went with = chose|end up = end|ended up =
turned out =|pick up = fetch|picked up = did fetch|drop off = deliver|dropped off = did deliver|find out = learn
found out = did learn|figure out = solve|figured out = did solve|work out = exercise|works out = exercises
worked out = did exercise|working out = exercising|give up = quit|gave up = did quit|call off = cancel
called off = canceled|put off = postpone|set up = arrange|sets up = arranges|look for = search|looking for = searching
looked for = searched|look forward to = anticipate|looking forward to = anticipating|looks forward to = anticipates
get back = return|got back = returned|get in touch with = contact|got in touch with = contacted|run out of = exhaust
ran out of = exhausted|get rid of = remove|got rid of = removed|take care of = handle|took care of = handled
taking care of = handling|wake up = wake|wakes up = wakes|woke up = woke|get up = wake|got up = woke|gets up = wakes
waking up = waking|sign up for = join|signed up for = joined|come back = return|came back = returned
coming back = returning|comes back = returns|go back = return|went back = returned|grow up = grow|grew up = grew
clean up = clean|cleaned up = cleaned|fill out = complete|filled out = completed|fill in = complete
filled in = completed|talk to = speak to|spoke with = spoke to|talk with = speak to|talked with = spoke to
speak with = speak to|speaking with = speaking to|talking with = talking to|chat with = speak to
chatted with = spoke to|meet up with = meet|met up with = met|meet with = meet|met with = met|meeting with = meeting
meet up = meet|met up = met|give a call = call|shut down = stop|carry on = continue|carried on = continued
keep on = keep|point out = mention|pointed out = mentioned|bring up = mention|brought up = mentioned
take place = happen|takes place = happens|took place = happened|taking place = happening|make sure = ensure
makes sure = ensures|made sure = ensured|take part in = join|took part in = joined|prior to = before|ahead of = before
next to = beside|in front of = before-place|close to = near|a long time = long|for a long time = long|for ages = long
per cent = percent|cell phone = phone|mobile phone = phone|mobile = phone|e mail = email|well known = wellknown
high school = highschool|living room = lounge|grocery store = supermarket|washing machine = washer|car park = carpark
parking lot = carpark|post code = zipcode|postal code = zipcode|zip code = zipcode|web site = website
data base = database|on time = punctually|for example = eg|for instance = eg|such as = eg|that is = ie
in my opinion = i think|i would say = i think|i have no idea = i not know|have no idea = not know|no idea = not know
make a decision = decide|made a decision = decided|have a look at = check|take a look at = check|take a look = check
have a look = look|take a shower = shower|took a shower = showered|had a shower = showered|take a walk = walk
took a walk = walked|go for a walk = walk|went for a walk = walked|go for a run = run|went for a run = ran
go on a trip = travel|have dinner = eat dinner|had dinner = ate dinner|have lunch = eat lunch|had lunch = ate lunch
have breakfast = eat breakfast|had breakfast = ate breakfast|having dinner = eating dinner
having lunch = eating lunch|get married = marry|got married = married|getting married = marrying|is fond of = like
am fond of = like|is keen on = like|is called = is named|are called = are named|name is = is named|hey there =
hi there =|hello there =|not ever = never|decide to go with = decide to use|decided to go with = decided to use
sort of = slightly|kind of = slightly|what kind of = what type of|what sort of = what type of
this kind of = this type of|that kind of = that type of|a kind of = a type of|some kind of = some type of
all kinds of = all type of|any kind of = any type of|a little = littlish|just a little = littlish
a little bit of = littlish|no one = nobody|two times = twice|2 times = twice|one time = once|do not forget = remember
was not able to = could not|were not able to = could not|am not able to = can not|is not able to = can not
are not able to = can not|could not manage to = could not|recipe calls for = recipe needs|i come from = i am from
he comes from = he is from|she comes from = she is from|we come from = we are from|they come from = they are from
think of = think about|thinking of = thinking about|thought of = thought about|cut down on = reduce
cutting down on = reducing|cut back on = reduce|middle of = mid|° c = celsius|° f = fahrenheit
degrees celsius = celsius|degree celsius = celsius|degrees c = celsius|degrees fahrenheit = fahrenheit
degrees f = fahrenheit|square meters = sqm|square meter = sqm|square metres = sqm|square metre = sqm|sq m = sqm
square feet = sqft|square foot = sqft|sq ft = sqft|half an hour = 30 minutes|a half hour = 30 minutes
a quarter of an hour = 15 minutes|an hour and a half = 90 minutes|one and a half hours = 90 minutes
turned down = declined|turn down = decline|turns down = declines|in spite of = despite
the day after tomorrow = overmorrow|the day before yesterday = ereyesterday|new year 's eve = newyearseve
new years eve = newyearseve|stay at home = stay home|on a daily basis = daily|on a weekly basis = weekly
on a monthly basis = monthly|every single day = daily|each day = daily|every week = weekly|each week = weekly
every month = monthly|each month = monthly|every year = yearly|each year = yearly|once a day = daily
once a week = weekly|once a month = monthly|once a year = yearly|for the time being = now|in the meantime = meanwhile
from now on = henceforth|a number of = several|take a nap = nap|took a nap = napped|go shopping = shop
went shopping = shopped|by means of = by|with regard to = about|with respect to = about|in regards to = about
concerning = about|i was wondering if you could = could you|help me to = help me|how do you = how do i
how can you = how can i|how does one = how do i|how can one = how can i
"""

Row = tuple[tuple[str, ...], tuple[str, ...]]


def rows() -> dict[str, dict[str, list[Row]]]:
    """The rows by their first word and their second ("" where there is none), longest first."""
    table: dict[str, dict[str, list[Row]]] = {}
    for row in _TABLE.replace("\n", "|").split("|"):
        left, _, right = row.partition("=")
        if left.strip():
            old = tuple(left.split())
            second = old[1] if len(old) > 1 else ""
            table.setdefault(old[0], {}).setdefault(second, []).append((old, tuple(right.split())))
    for by_second in table.values():
        for found in by_second.values():
            found.sort(key=lambda row: -len(row[0]))
    return table
