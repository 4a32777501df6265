"""Words that say nothing by themselves in other languages: what a question in one of them is not searched for.

Knows: articles, pronouns, prepositions, auxiliaries and question words, in small letters, and the pairs of characters that are grammar in Japanese and
Chinese. English has its own list (pmg/base/words.py). "die" is German for "the", so a word counts only in a question that is in its language. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from pmg.base.words import STOP_WORDS

MIN_WORDS = 2  # different words of a language, and more than English ones: with less it is not known to be in it
_LANGUAGES = {
    "German": """der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner ich du er sie es wir ihr mich dich ihn uns euch mir dir ihm ihnen sich
        mein meine meinen meinem meiner meines dein deine deinen deinem deiner sein seine seinen seinem seiner ihre ihren ihrem ihrer unser unsere unseren unserem unserer euer eure
        und oder aber denn weil dass ob wenn als wie was wer wen wem wessen wann wo wohin woher warum wieso weshalb wofür womit worauf woran worüber welche welcher welches welchen welchem
        in im an am auf aus bei beim mit nach von vom vor zu zum zur über unter um für durch gegen ohne bis seit zwischen hinter neben während wegen
        bin bist ist sind seid war warst waren wart gewesen habe hast hat haben habt hatte hattest hatten gehabt werde wirst wird werden werdet wurde wurden worden
        kann kannst können könnt konnte konnten muss musst müssen musste darf darfst dürfen soll sollst sollen sollte will willst wollen wollte mag möchte würde würden
        hab habs hats jetzt gerade grad grade eigentlich nochmal nochmals eben halt
        nicht nichts nie auch noch schon nur sehr so da dann hier dort denn doch ja nein mal etwas alle alles man diese dieser dieses diesen diesem jene gibt gab es""",
    "Spanish": """el la los las un una unos unas lo yo tú él ella nosotros vosotros ellos ellas usted ustedes me te se nos os le les mi mis tu tus su sus nuestro nuestra nuestros nuestras
        y e o u pero porque que qué si como cómo cuando cuándo donde dónde adónde quién quien quiénes cuál cuáles cuánto cuánta cuántos cuántas por para con sin de del a al en entre desde
        hasta sobre tras contra soy eres es somos son era eras eran fui fue fueron ser sido estoy estás está estamos están estaba estuve estuvo estar he has ha hemos han había hay haber
        tengo tienes tiene tenemos tienen tenía tuve tuvo no ni sí también muy más menos ya aún todavía esto eso este esta estos estas ese esa esos esas aquí allí algo alguien nada""",
    "French": """le la les l un une des du de d au aux je j tu il elle on nous vous ils elles me m te t se s lui leur leurs mon ma mes ton ta tes son sa ses notre nos votre vos
        et ou mais car que qu qui quoi quel quelle quels quelles quand où comment pourquoi combien si comme à en dans sur sous avec sans pour par chez entre depuis jusque vers contre
        suis es est sommes êtes sont étais était étaient été être ai as a avons avez ont avais avait avaient eu avoir ce c cet cette ces ça y ne n pas plus moins très aussi déjà encore""",
    "Italian": """il lo la i gli le l un uno una io tu lui lei noi voi loro mi ti si ci vi mio mia miei mie tuo tua tuoi tue suo sua suoi sue nostro nostra nostri nostre
        e ed o ma perché che chi cosa quale quali quando dove come quanto quanta quanti quante se di del dello della dei degli delle a al allo alla ai agli alle da dal dalla in nel nella
        con su sul sulla per tra fra senza sono sei è siamo siete era ero erano stato stata essere ho hai ha abbiamo avete hanno aveva avevo avere non né anche più meno molto già ancora questo questa""",
    "Portuguese": """o a os as um uma uns umas eu tu ele ela nós vós eles elas você vocês me te se nos lhe lhes meu minha meus minhas teu tua seu sua seus suas nosso nossa
        e ou mas porque que quê quem qual quais quando onde aonde como quanto quanta quantos quantas se de do da dos das em no na nos nas por pelo pela para com sem entre desde até sobre
        sou és é somos são era eram fui foi foram ser sido estou está estamos estão estava estive esteve estar tenho tens tem temos têm tinha tive teve não nem sim também muito mais menos já ainda isto isso""",
    "Dutch": """de het een ik jij je hij zij ze wij we jullie u mij me jou hem haar ons hun hen mijn jouw zijn onze
        en of maar want omdat dat die wat wie waar wanneer waarom hoe welke welk als in op aan uit bij met na naar van voor te tot over onder om door tegen zonder sinds tussen
        ben bent is zijn was waren geweest heb hebt heeft hebben had hadden word wordt worden werd werden kan kunnen kon moet moeten mag wil willen zal zullen zou niet niets nooit ook nog al zeer er hier daar""",
}  # fmt: skip
_JAPANESE = """です ます した して ない ている いる ある から まで ので のは には では とは にも でも とか った たい まし せん ます ましょ でし しょう ょう うか すか たか のか ですか どこ いつ だれ なに どの どれ なぜ
    どう うし して てい いた いま まし たの この その あの わた たし しは しの んで だっ いつ つも れて られ れる こと もの ため よう うに なっ なる です どん んな くら らい"""
_CHINESE = "什么 怎么 为什 么时 时候 哪里 哪儿 哪个 哪些 谁的 我的 你的 他的 她的 我们 你们 他们 是不 不是 有没 没有 一个 这个 那个 这些 那些 可以 能不 多少 几个 了吗 的吗 是什 有什 么样 在哪 是谁 叫什"
_PAIRS = frozenset((*(pair for pair in _JAPANESE.split() if len(pair) == 2), *_CHINESE.split()))
_WORD = re.compile(r"[^\W\d_]+")


@lru_cache(maxsize=1)
def _words() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(words.split()) for words in _LANGUAGES.values())


def function_words(question: str) -> frozenset[str]:
    """The words of the question's own language that say nothing; none where it is in English or in no language that is known here."""
    asked = {word.lower() for word in _WORD.findall(question)}
    if len(asked) < MIN_WORDS:  # a single word to be marked, of which a page has hundreds
        return frozenset()
    english = len(asked & STOP_WORDS)
    counted = [(len(asked & words), words) for words in _words()]
    most, words = max(counted, key=lambda pair: pair[0])
    return words if most >= MIN_WORDS and most > english else frozenset()


def without_grammar(terms: Sequence[str]) -> list[str]:
    """The terms of a script without spaces, without the pairs that are grammar."""
    return [term for term in terms if term not in _PAIRS]
