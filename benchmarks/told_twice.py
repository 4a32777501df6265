"""What becomes of what is told twice: recognised or merged, listed for a person, or left; and what was merged wrongly.

Knows: a chat in which fifty facts are told a second time (thirty in the same words, typed otherwise, twenty in other words) and fifteen with something changed,
each answered by a set phrase; and the sample with its planted pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pmg import sample
from pmg.base.model import Segment, State
from pmg.config import Config
from pmg.embed.embedder import Embedder
from pmg.engine import Engine
from steward.steward import Steward

BEGUN = datetime(2026, 3, 2, 9, tzinfo=UTC)
ANSWERS = ("ok", "Noted.", "Good to know, I will keep that in mind for you.", "Noted. You may remember:")
TYPED = "in the same words"
REWORDED = "in other words"
CHANGED = "with something changed"
GONE = (State.DUPLICATE, State.MERGED)

_SAME = """
The cat sleeps on the red sofa in the kitchen. | the cat sleeps on the red sofa in the kitchen!
My dentist is Dr Hofer in Lindenstrasse. | My dentist is Dr Hofer in Lindenstrasse
Paula is allergic to hazelnuts and kiwi. | Paula is **allergic** to hazelnuts and kiwi.
We have two guinea pigs called Fritz and Lotte. | We have 2 guinea pigs called Fritz and Lotte.
My bank card is kept in the blue drawer. | - My bank card is kept in the blue drawer
I don't eat mushrooms of any kind. | I do not eat mushrooms of any kind.
The old boat cost 1,200 euros. | The old boat cost 1200 euros!
The library closes at 7pm. | The library closes at 7 pm.
Our landlord is called Mr Brandt. | our landlord is called Mr Brandt
I play the cello in the town orchestra. | I play the cello in the town orchestra 🎻
My sister's husband works as a pilot. | My sister's husband works as a pilot!
The spare key hangs behind the bird house. | The spare key hangs behind the bird house
I'm learning Portuguese with an app. | I am learning Portuguese with an app.
Grandpa was born in a village near Graz. | grandpa was born in a village near Graz.
The washing machine needs 40 minutes. | The washing machine needs 40 minutes!
My shoe size is forty-two. | my shoe size is forty-two
The tent leaks at the left seam. | - The tent leaks at the left seam.
Ben's thesis is about beavers in Bavaria. | Ben's thesis is about beavers in Bavaria!
I've got a scar on my left knee. | I have got a scar on my left knee.
The best bakery in town is Ofenliebe. | The best bakery in town is **Ofenliebe**.
My blood type is A positive. | my blood type is A positive.
Tax papers are in the green binder. | * Tax papers are in the green binder
The neighbours' dog is called Bruno. | the neighbours' dog is called Bruno 😀
I can't stand the smell of fennel. | I cannot stand the smell of fennel.
The password hint is the name of our first car. | The password hint is the name of our first car
Aunt Vera collects stamps from Peru. | Aunt Vera collects stamps from Peru!
Our wifi router stands under the stairs. | our wifi router stands under the stairs.
The piano tuner comes from Weimar. | The piano tuner comes from Weimar
My favourite tea is Earl Grey without milk. | My favourite tea is **Earl Grey** without milk.
We share a garden plot with the Nowaks. | we share a garden plot with the Nowaks!
"""
_OTHERWISE = """
My brother is moving to Leipzig to work for a newspaper. | A newspaper in Leipzig gave my brother a job, so he is moving there.
The roof of the shed was repaired with tar paper. | We fixed the shed's roof using tar paper.
Clara can't drink milk because of her stomach. | Milk upsets Clara's stomach, so she leaves it out.
I run along the river before breakfast. | Before breakfast I run along the river.
Our car is a grey Skoda estate. | We drive a Skoda, a grey estate.
My mother taught chemistry at a grammar school. | Mum was a chemistry teacher at a grammar school.
The holiday house in Denmark has a stove. | There is a stove in the holiday house in Denmark.
Emil is afraid of thunderstorms. | Thunderstorms frighten Emil.
I keep my passport in the safe of the office. | My passport lies in the office safe.
Hanna wants to study marine biology. | Marine biology is what Hanna wants to study.
The printer only works over a cable. | Without a cable the printer does not work.
My boss prefers to be called by phone. | If you need my boss, phone; that is what she prefers.
The climbing hall gives a discount to students. | Students pay less in the climbing hall.
We adopted Milo from a shelter in Kassel. | Milo came to us from a shelter in Kassel.
The heating in the bathroom is slow. | It takes long until the bathroom gets warm.
I sold my motorbike to a colleague. | A colleague bought my motorbike.
Our choir rehearses in the old fire station. | The old fire station is where our choir rehearses.
Felix broke his arm while skating. | While skating Felix broke his arm.
Lena's band plays songs from the sixties. | Songs from the sixties are what Lena's band plays.
The orchard has eleven apple trees. | There are 11 apple trees in the orchard.
"""
_NEWS = """
I take 5 mg of ramipril every morning. | I take 10 mg of ramipril every morning.
The gym contract costs 29 euros a month. | The gym contract costs 35 euros a month.
Nina is coming to the wedding. | Nina is not coming to the wedding.
The rent is paid by Jonas. | The rent is paid by Marie.
Tom owes Sue a bicycle. | Sue owes Tom a bicycle.
The code of the garage is on the fridge. | The code of the garage is in the fridge.
My parents, Anna and Tom live in Jena. | My parents, Anna, and Tom live in Jena.
The ferry is fully booked. | The ferry is fully booked?
We support the Polish club. | We support the polish club.
I have three nephews in Canada. | I have four nephews in Canada.
The lamp in the hall is brighter. | The lamp in the hall was brighter.
Oskar passed the driving test 😀 | Oskar passed the driving test 😢
Karl works at Bosch as a fitter. | Karl works at Siemens as a fitter.
I like cooking my family and my dog. | I like cooking, my family and my dog.
The choir sings without a conductor. | The choir sings with a conductor.
"""


@dataclass(frozen=True, slots=True)
class ToldTwice:
    """What became of some pairs. `wrong` are those that stand for one another and should not."""

    chat: str
    kind: str
    pairs: int
    merged: int
    listed: int
    wrong: int

    @property
    def left(self) -> int:
        return self.pairs - self.merged - self.listed


def facts() -> dict[str, list[tuple[str, str]]]:
    return {kind: list(_pairs(text)) for kind, text in ((TYPED, _SAME), (REWORDED, _OTHERWISE), (CHANGED, _NEWS))}


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for row in text.strip().splitlines():
        first, again = row.split(" | ")
        yield first, again


def run(embedder: Embedder, folder: Path) -> Iterator[ToldTwice]:
    for name, sittings in (("one sitting", 1), ("two sittings", 2)):
        yield from chat(embedder, folder / f"{sittings}", name, sittings)
    yield of_sample(embedder, folder / "sample")


def chat(embedder: Embedder, home: Path, name: str, sittings: int) -> Iterator[ToldTwice]:
    """All of it told once, then all of it a second time, on the same day or a week later."""
    told = [(kind, *pair) for kind, pairs in facts().items() for pair in pairs]
    with Engine.open(Config(home=home), embedder=embedder) as engine:
        if sittings == 1:
            numbers = _tell(engine, [*(row[1] for row in told), *(row[2] for row in told)], BEGUN)
        else:
            numbers = _tell(engine, [row[1] for row in told], BEGUN)
            numbers += _tell(engine, [row[2] for row in told], BEGUN + timedelta(days=7))
        Steward(engine).run(["merge"], full=True, bulk=True)
        pairs = list(zip((row[0] for row in told), numbers[: len(told)], numbers[len(told) :], strict=True))
        yield from _counted(engine, name, pairs)


def _tell(engine: Engine, texts: Sequence[str], at: datetime) -> list[str]:
    with engine.session() as session:
        return [
            session.add(user=text, assistant=ANSWERS[i % len(ANSWERS)], at=at + timedelta(minutes=i))
            for i, text in enumerate(texts)
        ]


def _counted(engine: Engine, name: str, pairs: Sequence[tuple[str, str, str]]) -> Iterator[ToldTwice]:
    merged, listed = stands_for(engine), _listed(engine)
    kinds, known = Counter(kind for kind, _, _ in pairs), {frozenset(pair): kind for kind, *pair in pairs}
    for kind, count in kinds.items():
        mine = {pair for pair, one in known.items() if one == kind}
        together = mine & merged
        wrong = together if kind == CHANGED else {pair for pair in merged - known.keys() if kind == TYPED}
        yield ToldTwice(name, kind, count, len(together), len((mine & listed) - merged), len(wrong))


def stands_for(engine: Engine) -> set[frozenset[str]]:
    """Pairs of which one gave way to the other."""
    gone = [segment for segment in _segments(engine) if segment.state in GONE]
    return {frozenset((segment.id, segment.stands_for)) for segment in gone}


def _listed(engine: Engine) -> set[frozenset[str]]:
    names = {segment.number: segment.id for segment in _segments(engine)}
    return {frozenset((names[row.a], names[row.b])) for row in engine.reads.maintenance.reviews()}


def _segments(engine: Engine) -> list[Segment]:
    return engine.reads.segments(list(range(1, engine.indexes.catalogue.size + 1)))


def of_sample(embedder: Embedder, home: Path) -> ToldTwice:
    """Everything that was merged and is none of the planted near-duplicates is counted as wrong."""
    planted = {frozenset(pair) for pair in sample.pairs()}
    with Engine.open(Config(home=home), embedder=embedder) as engine:
        engine.ingest(sample.sessions())
        Steward(engine).run(["merge"], full=True, bulk=True)
        merged, listed = stands_for(engine), _listed(engine)
    return ToldTwice(
        "the sample", "planted pairs", len(planted), len(planted & merged), len(planted & listed), len(merged - planted)
    )
