"""What a topic is called: the title, or half of one, that has its telling words; else those words; else the title in its middle. The telling words are
those that many of its sessions have and few others, as they were written.

Knows: titles and texts in, names and terms out. Does not know: how the groups were found (topic_groups.py) or kept (topics.py).

A word stands for all its forms (plural, ending), and is shown in the form that was used most. A quarter of the sessions of a topic must have it. Words of
titles and of sessions near the middle weigh more; the names of those who speak, function words, fillers, days and months never name anything, nor do words
that were mostly written as a participle.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from pmg.base.words import STOP_WORDS
from pmg.index.stem import stem

_ENGLISH = """
able absolutely actually add ago ah almost alone along already alright also although always am among amount another answer anybody anyone
anything anyway around ask asked asking aside away awesome back bad based basically became become begin behind believe best better big
bit bring bye call called came care case certain certainly change check choose clear come comes coming common completely cool correct
could couple course cut date day days deal decide definitely depends detail different directly done easy either else end enough entirely especially
etc even ever every everybody everyone everything exactly example excellent fact far feel felt fine first five follow following found four
free full gave get gets getting give given gives go goes going gone gonna good got gotta great guess guy guys half hand happen happened
happy hard hear heard hello help helps here hey hi high hmm hold honest honestly hope hour hours however huge idea idk important indeed instead
interesting issue just keep keeps kind kinda knew know known large last late later least leave left less let lets level like likely line
list literally little ll lol long look looking looks lot lots love low made main mainly make makes making many matter may maybe mean
means meant mention might mind mine minute minutes month months morning mostly much must name near nearly necessary need needed needs
never new next nice night nobody none normal note nothing number obviously often oh ok okay old one ones open option options order others otherwise
ought out part particular people perfect perhaps person place plan please plenty plus point possible pretty probably problem proper put
question questions quick quickly quite rather re reach read ready real really reason remember rest right run said same saw say saying says
second see seem seems seen send sense set several shall short show side simple simply since single small somebody someone something
sometimes somewhat somewhere soon sorry sort sounds start started stay still stop stuff suggest super sure take taken takes taking talk tell ten
tend thank thanks thing things think third though thought three till time times tiny today together told tomorrow tonight took top totally toward
towards tried true try trying turn turns twice two type under unless until upon use used useful user uses using usual usually ve various via
view wait want wanted wants watch way ways week weekend weeks welcome well went whatever whether whole within without wonder wonderful
word words work worked working works world worry worth wow write wrong yeah year years yep yes yesterday yet yours assistant chat
session turn message reply half quarter dozen hundred thousand first second third lately recently anymore everywhere nowhere
haha hahaha hehe yay aww ugh hmm huh ooh whoa oops glad proud amazing awesome cool nice lovely fun excited exciting appreciate absolutely agree
isn't don't doesn't didn't wasn't weren't can't couldn't won't wouldn't shouldn't haven't hasn't hadn't aren't i'm i've i'd i'll you're you've you'd
you'll he's she's it's we're we've we'll they're they've that's there's what's let's who's
"""
_GERMAN = """
aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes auch auf aus bei beim bin bis bist bitte da dabei dadurch
dafür dagegen damit danach dann daran darauf daraus darf darin darum das dass davon dazu dein deine deinem deinen deiner dem den denn der deren des
dessen die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines einfach einige einmal er erst es etwa etwas euch
euer eure fast für ganz gar gegen gehe gehen geht genau genug gern gerne gestern gibt gleich gut gute guten habe haben hallo hat hatte hätte heute hier hin
hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in ins ist ja jede jedem jeden jeder jedes jemand jetzt kann kannst kein keine keinem
keinen kommt können könnte lassen leider machen macht mal man manche mehr mein meine meinem meinen meiner mich mir mit morgen muss müssen nach nachdem
naja nein nicht nichts nie niemand noch nun nur ob oder oft ohne okay schon sehr sein seine seinem seinen seiner seit sich sie sind so sogar soll sollte
sondern sonst tag tage tun über um und uns unser unsere unter viel viele vielen vielleicht vom von vor wann war waren warum was weg weil weiter welche
welcher wenn wer werde werden wie wieder will wir wird wirklich wissen wo woche wohl wollen worden würde würden zu zum zur zwar zwei zwischen danke uhr
jahr jahre monat wäre hast hab eben halt besser genauso natürlich eigentlich überhaupt
"""
_ROMANCE = """
au aussi autre aux avait avec avez avoir avons beaucoup bien bon bonjour car ce cela celle celui ces cet cette ceux chaque chez comme comment dans de depuis des
deux devant dire dit donc dont du elle elles en encore entre est et étaient était été être eux fait faire faut fois ici il ils je jour jusque là la le les leur
leurs lui ma mais me même merci mes mieux moi moins mon ne ni non nos notre nous on ont ou où oui par parce pas pendant peu peut peux plus plusieurs
pour pourquoi pouvez pouvoir quand que quel quelle quelque quelques qui quoi rien sa sans sera ses seulement si son sont souvent suis sur ta tant te tes toi
ton toujours tous tout toute toutes très trop tu un une va vais veux voilà voir vos votre vous vraiment
ahora al algo algún alguna algunos antes aquí así aún aunque bien bueno cada casi como cómo con contra cosa cosas creo cual cuál cuando cuándo de del desde después
día días donde dónde dos durante el él ella ellas ellos en entonces entre era eran eres es esa ese eso esos esta está están estar estas este esto estos estoy
fue fueron gracias gran ha había hace hacer han hasta hay he hola hoy la las le les lo los luego más me mejor menos mi mí mientras mis mismo mucho muchos
muy nada ni no nos nosotros nunca o os otra otro otros para parece pero poco por porque porqué puede puedo pues que qué quien quién quiero sabe se sea según
ser si sí siempre sin sobre solo sólo son soy su sus también tan tanto te tengo tiene tienen toda todas todavía todo todos tu tú un una uno unos usted va
vamos veces vez voy y ya yo
abbiamo adesso ai al alla alle allora altro anche ancora avere bene buono casa che chi ci ciao come con così cosa cui da dal dalla degli dei del della delle dello dentro
di dopo dove due e è era essere fa fare fatto fra già gli grazie ha hai hanno ho il in io la le lei lo loro lui ma mai me meglio mi mia mio molto ne nei nel
nella noi non nostro o ogni oggi per perché però più poco poi possiamo posso prima proprio può quale quando quanto quello questa questo qui quindi sarà se sei
sempre senza si sia sono sta su sua sul suo tanto te ti tra troppo tu tua tuo tutti tutto un una uno va vi voi
agora ainda algum alguma além antes ao aos apenas aquela aquele aqui as assim até bem boa bom cada coisa com como da das de dela dele depois desde do dois dos e é ela
ele eles em então era essa esse esta está estão eu fazer foi foram fui há hoje isso isto já lá lhe mais mas me melhor mesmo meu meus minha muito muitos na nada
nas nem nenhum no nos nós nossa nosso num numa nunca o obrigado obrigada onde os ou outra outro para pela pelo pode por porque pouco pra qual quando que quem
quer são se sem sempre ser seu seus sim só sobre sua suas também tão te tem têm tenho ter teu tinha toda todas todo todos tu tudo um uma vai você vocês vou
am ai acest această cu de din după este eu fi foarte la mai nu pe pentru sau și sunt un
"""
_GERMANIC = """
aan al alleen als altijd andere ben bij daar dan dat de deze die dit doe doen door dus een eens eigenlijk en er even gaan geen gewoon goed had heb hebben heeft hem het hier hij hoe
hun iets ik in is ja jaar je jij jou jouw kan komen kunnen maar meer men met mij mijn moet na naar net niet niets nog nu of om omdat ons ook op over veel van vandaag
veel voor waar waarom want waren wat we weer wel werd wie wij wil worden zal ze zeer zei zelf zich zij zijn zo zou
alla allt annan att av bara blev bli blir både de dem den denna deras dess det detta dig din där då efter ej eller en er era ett finns från får för gör ha hade han har
henne hennes hon honom hur här i icke idag igen in inte jag kan kanske kommer man med mellan men mer mig min mina mitt mot mycket måste ni nu när något några och om oss
på sedan sig sin sina sitt ska skulle som så tack till under upp ut utan vad var vara varför vem vi vid vill är över
af alle andet at blev blive bliver da der deres det dig dog du efter eller en end er et fik for fordi fra før få gør han hans har havde have hende her hos hun hvad hvem
hver hvor hvordan hvorfor hvis ikke ind jeg jer jo kan kom kunne lige man mange med meget men mig min mit må nej nogen nogle noget når og også om op os på sig sin skal
skulle som så til ud under var ved vi vil ville være
"""
_SLAVIC = """
a aby ale ani bardzo bez bo był była było być chyba ci co coś czy dla do dobrze dzięki dziś dziękuję gdy gdzie go i ich ile im inne ja jak jako jakie je jednak jego jej jest jestem jeszcze
jeśli już każdy kiedy kto która które który lub ma mam mamy mi mnie może można mój my na nad nam nas nic nie nigdy niż no o od on ona oni oraz po pod ponieważ potem proszę przed przez przy
się są sobie tak także tam te tego tej też to tu tylko tym ty u w we więc wszystko z za ze że
ale ani aby být byl byla bylo co což další do ho i já jak jako je jeho jejich jen ještě již jsem jsme jsou jste k kde kdo když která které který mě mi může my na nebo není než o od on ona po
pod pokud pro proč před při s se si tak také tam ten to toho tu ty u už v vám vás více však za že
а без более больше будет будто бы был была были было быть в вам вас весь во вот все всегда всего всех вы где да даже два для до другой его ее ей если есть еще ещё же за зачем здесь и
из или им иногда их к как какая какой когда кто ли лучше между меня мне много может можно мой моя мы на над надо наконец нас не него нее ней нельзя нет ни нибудь никогда ним них ничего но
ну о об один он она они опять от очень перед по под после потом потому почти при про раз разве с сам свою себе себя сегодня сейчас сказал со совсем так такой там тебя тем теперь то тогда
того тоже только том тот три тут ты у уж уже хорошо хоть чего чем через что чтоб чтобы чуть эта эти это этого этой этом этот эту я спасибо привет пожалуйста
але або був бути в вам вас ви від він вона вони все де для до дуже є же за з зараз і із її їх й як який коли ли мене мені ми може можна мій на над нам нас не немає ні ну о по при про
собі та так там те тебе тепер ти тільки то тому тут у хто це цей цього чи чому що щоб я
"""
_OTHER = """
acaba ama artık aslında az bana bazı belki ben beni benim bile bir biraz birçok biz bize bu bugün bunu bunun çok çünkü da daha de değil diye en evet gibi hem hep her hiç için ile ise
işte kadar ki kim mi mu mı nasıl ne neden niye o olan olarak oldu olduğu olur on onlar onu onun sana sen şey siz şu tamam teşekkürler var ve veya ya yani yok zaten
ei en että hän he hyvin ja jo jos joka kai kanssa kiitos kuin kun kyllä me mikä mitä mutta myös minä minun ne niin nyt olen oli olla on ovat se sen siellä sinä sitä sitten tai tämä
tuo vai vain voi voin
a az azt be csak de egy el én és ez ezt fel ha hogy is itt jó kell ki le lesz már még meg mert mi mint most nagyon ne nem nincs olyan ott ő pedig s sem te ti úgy vagy van volt
αλλά αν αντί από αυτά αυτή αυτό αυτός για γιατί δε δεν εγώ εδώ είμαι είναι είσαι εκεί ένα έναν ένας έχει έχω ή ήταν η θα και κάθε κάτι κι μα μας με μετά μέσα μη μην μια μόνο μου να ναι
ο οι όμως όπως όταν ότι όχι πάντα παρά πιο ποιος πολύ που πού πριν προς πρέπει πως σας σε σου στα στη στην στις στο στον στους τα τη την της τι τις το τον του τους των τώρα ως
إلا إلى إن أن أنا أنت أو أي أيضا الآن التي الذي الذين الى اليوم ان اي بعد بعض بل بين تم ثم جدا حتى حيث خلال ذلك عن عند على غير في فقط قال قد قبل كان كانت كل كما كيف لا لأن لقد لكن
لم لن له لها ليس ما ماذا مع من منذ نحن نعم هذا هذه هل هم هنا هو هي و يكون شكرا
अगर अपना अपनी अपने अब आप आपका इस इसका इसके इसलिए इसे उन उनका उनके उस उसका उसके एक ऐसा और कई कर करता करते करना करने का कि किया किसी की कुछ के को कोई कौन क्या क्यों गया जब जा जो
तक तब तो था थी थे दिया दो नहीं ने पर फिर बहुत भी मुझे मेरा मेरी मेरे मैं में यदि यह यहाँ या ये रहा रही रहे लिए वह वहाँ वे सकता सब से हम हाँ ही हुआ हूँ है हैं हो होता होती धन्यवाद
"""
_CALENDAR = """
monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun january february march april may june july august september october november december jan feb
mar apr jun jul aug sep sept oct nov dec
montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag januar februar märz mai juni juli oktober dezember montags sonntags
lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet août septembre octobre novembre décembre
lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre
lunedì martedì mercoledì giovedì venerdì sabato domenica gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
segunda terça quarta quinta sexta feira janeiro fevereiro março maio junho julho setembro outubro dezembro
maandag dinsdag woensdag donderdag vrijdag zaterdag zondag maart mei augustus måndag tisdag onsdag torsdag fredag lördag söndag
poniedziałek wtorek środa czwartek piątek sobota niedziela stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
понедельник вторник среда четверг пятница суббота воскресенье января февраля марта апреля мая июня июля августа сентября октября ноября декабря
pazartesi salı çarşamba perşembe cuma cumartesi pazar ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
spring summer autumn fall winter heute gestern morgen hier demain ayer mañana
"""
TOPIC_STOP_WORDS = STOP_WORDS | frozenset(
    word
    for words in (_ENGLISH, _GERMAN, _ROMANCE, _GERMANIC, _SLAVIC, _OTHER, _CALENDAR)
    for word in words.replace("'", "").split()
)


TERMS = 5  # kept for a topic; the first three are its name
NAMED_BY = 3
SHARE = 0.25  # of a topic's sessions that must have a word which names it
IN_TITLES = 3.0  # how much more a word weighs that all titles have
COMMON = 1.3  # power of how common a word is inside: what most sessions have goes before what only this topic has
DOUBT = (2, 8)  # a word never seen outside is taken for seen twice in eight: rare words are cheap
MAX_NAME = 48  # characters of a title that serves as a name
SEPARATOR = " · "
_WORD = re.compile(r"[^\W\d_]{3,}(?:-[^\W\d_]{3,})*")
# Scripts without spaces: runs of Han or katakana are mostly nouns; kana between them is grammar.
_UNSPACED = re.compile("[\u4e00-\u9fff]{2,6}|[\u30a1-\u30fa\u30fc]{3,12}")
_SPACELESS = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class UnitText:
    """One session of a group: what it is called, what was said, and how near it is to the middle (0 to 1)."""

    title: str
    text: str
    nearness: float


@dataclass(frozen=True, slots=True)
class TopicName:
    name: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Told:
    """The words of one session: each key with the form it was written in most, and which stand in its title."""

    forms: dict[str, Counter[str]]
    titled: set[str]
    nearness: float


def name_groups(groups: Sequence[Sequence[UnitText]], speakers: Iterable[str] = ()) -> list[TopicName]:
    """A name for each group, no two alike."""
    nameless = {_key(form) for name in speakers for word in _WORD.findall(name) for form in _short_forms(word)}
    told = [[_told(unit, nameless) for unit in group] for group in groups]
    everywhere = Counter(key for group in told for unit in group for key in unit.forms)
    total = sum(len(group) for group in told)
    names: list[TopicName] = []
    taken: set[str] = set()
    for group, mine in zip(groups, told, strict=True):
        terms = _terms(mine, everywhere, total)
        title = _telling_title(group, terms, nameless) or ("" if len(terms) > 1 else _middle_title(group))
        names.append(_named(terms, title, taken))
        taken.add(names[-1].name)
    return names


def words(text: str) -> Iterator[str]:
    """The words of a text that could name something, as they are written."""
    if _SPACELESS.search(text):
        yield from _UNSPACED.findall(text)
    for match in _WORD.finditer(text):
        word = match.group()
        if not _SPACELESS.search(word) and word.lower() not in TOPIC_STOP_WORDS and _key(word) not in _UNTELLING_KEYS:
            yield word


def _short_forms(name: str) -> list[str]:
    """Melanie, Melani … Mel: people are called by the beginning of their names."""
    return [name[:size] for size in range(3, len(name) + 1)]


def _key(word: str) -> str:
    """One for all forms of a word."""
    return stem(word.lower())


_UNTELLING_KEYS = frozenset(stem(word) for word in TOPIC_STOP_WORDS)


def _told(unit: UnitText, nameless: set[str]) -> _Told:
    forms: dict[str, Counter[str]] = {}
    for word in words(f"{unit.title}\n{unit.text}"):
        key = _key(word)
        if key not in nameless:
            forms.setdefault(key, Counter())[word] += 1
    titled = {_key(word) for word in words(unit.title)}
    return _Told(forms, titled & forms.keys(), unit.nearness)


def _terms(mine: Sequence[_Told], everywhere: Counter[str], total: int) -> tuple[str, ...]:
    """The telling words of a group, best first: how common inside × how much commoner than outside, in logarithms."""
    inside = Counter(key for unit in mine for key in unit.forms)
    titled = Counter(key for unit in mine for key in unit.titled)
    near = dict.fromkeys(inside, 0.0)
    for unit in mine:
        for key in unit.forms:
            near[key] += unit.nearness
    weight = sum(unit.nearness for unit in mine) or 1.0
    scores: dict[str, float] = {}
    for key, having in inside.items():
        if having < max(2, math.ceil(SHARE * len(mine))):
            continue
        outside = (everywhere[key] - having + DOUBT[0]) / (total - len(mine) + DOUBT[1])
        lift = math.log((having / len(mine)) / outside)
        scores[key] = (near[key] / weight) ** COMMON * lift * (1 + IN_TITLES * titled[key] / len(mine))
    ranked = sorted((key for key in scores if scores[key] > 0), key=lambda key: (-scores[key], key))
    forms = {key: _written(key, mine) for key in ranked}
    return tuple(forms[key] for key in _apart([key for key in ranked if not _is_participle(forms[key])])[:TERMS])


def _is_participle(form: str) -> bool:
    """What was done tells less than what it was done to (blocked, retried); "seed" and "Alfred" are none."""
    return form.islower() and form.endswith("ed") and _key(form) != form


def _apart(ranked: Sequence[str]) -> list[str]:
    """Without words that are the beginning or the end of a better one (sourdough, dough)."""
    kept: list[str] = []
    for key in ranked:
        if not any(key in other or other in key for other in kept):
            kept.append(key)
    return kept


def _written(key: str, mine: Sequence[_Told]) -> str:
    """The form used most; a capital that only stands at the beginning of sentences goes."""
    forms: Counter[str] = Counter()
    for unit in mine:
        forms.update(unit.forms.get(key, {}))
    small = Counter[str]()
    for form, times in forms.items():
        small[form.lower()] += times
    word = max(sorted(small), key=lambda form: (small[form], -len(form)))
    as_written = {form: times for form, times in forms.items() if form.lower() == word}
    return word if as_written.get(word, 0) * 3 >= small[word] else max(sorted(as_written), key=as_written.__getitem__)


def _middle_title(group: Sequence[UnitText]) -> str:
    """The title of the session nearest to the middle that has one."""
    named = [unit for unit in group if unit.title.strip()]
    if not named:
        return ""
    title = " ".join(max(named, key=lambda unit: unit.nearness).title.split())
    return title if len(title) <= MAX_NAME else title[: MAX_NAME - 1].rsplit(" ", 1)[0] + "…"


def _telling_title(group: Sequence[UnitText], terms: Sequence[str], nameless: set[str]) -> str:
    """The half of a title (“Mum's 65th: first ideas” has two) that says most of what the group is about: by the terms in it, the first of them most, in how
    many sessions, and in few words. "" where none has one. A question, and words that were cut off, are no name."""
    telling = {_key(term): 1 / place for place, term in enumerate(terms[:NAMED_BY], 1)}
    scores: dict[str, float] = {}
    for unit in group:
        for part in (" ".join(one.split()) for one in unit.title.split(":")):
            keys = {_key(word) for word in _WORD.findall(part)}
            says = sum(telling.get(key, 0.0) for key in keys)
            if says and len(part) <= MAX_NAME and not part.endswith(("?", "…")) and keys - nameless:
                scores[part] = scores.get(part, 0.0) + unit.nearness * says / math.sqrt(len(part.split()))
    best = min(scores, key=lambda part: (-scores[part], part), default="")
    return best[:1].upper() + best[1:]


def _named(terms: tuple[str, ...], title: str, taken: set[str]) -> TopicName:
    """The title serves where there is one, else the terms."""
    if title:
        choices = [title, *(SEPARATOR.join([title, term]) for term in terms)]
    else:
        choices = [SEPARATOR.join(terms[:number]) for number in range(NAMED_BY, TERMS + 1)]
    name = next((one for one in choices if one and one not in taken), "")
    if name:
        return TopicName(name, terms)
    plain = choices[0] or "unnamed"
    return TopicName(next(one for one in _numbered(plain) if one not in taken), terms)


def _numbered(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name} ({number})" for number in count(2))
