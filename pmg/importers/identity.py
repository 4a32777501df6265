"""Which conversation this is: two that an export does not name never become one, and a longer copy of one is found again.

An id that the source gives counts. Where it gives none, a reader makes one from what does not change when a chat grows
(its time, its first message), and many chats begin alike. So a made id is only a first guess: a conversation takes the
place of a stored one exactly when one of the two goes on where the other ends, and otherwise gets a number of its own. Where turns
are named by their words, those that differ have other names: both then have turns that the other lacks, and are one only if little differs.
Two conversations of one file are never the same, unless the source itself gives both one id and one first message.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import count, islice

from pmg.base.model import Line, Turn, content_hash
from pmg.engine import Engine
from pmg.importers.cleaned import cleaned_session
from pmg.importers.conversation import Conversation, short_id
from pmg.importers.plan import is_prefix, named_once
from pmg.importers.turns import GAP_HOURS, conversation_id, sessions_of
from pmg.store.exchange import ImportedTurn

BATCH = 200  # conversations for which the store is asked together
NUMBERED = 4  # names of one base that are asked for at first; most have one

Words = dict[str, tuple[str, tuple[Line, ...]]]  # by what the source calls a turn: its hash and its lines


@dataclass(frozen=True, slots=True)
class NamedConversation:
    """One that this run has named: what must be remembered of it to know it again."""

    file: str
    words: Words
    speakers: frozenset[str]


@dataclass(slots=True)
class ConversationNamer:
    """Names the conversations of one import run, in the order they come."""

    engine: Engine
    namespace: str
    gap_hours: float = GAP_HOURS
    file: str = ""
    given: dict[tuple[str, str], list[str]] = field(default_factory=dict)  # of this file: ids, and how each begins
    made: dict[str, list[NamedConversation]] = field(default_factory=dict)  # of this run
    stored: dict[str, dict[str, ImportedTurn]] = field(default_factory=dict)

    def named(self, conversations: Iterable[Conversation]) -> Iterator[Conversation]:
        source = iter(conversations)
        while some := list(islice(source, BATCH)):
            self._look_up([name for each in some if each.made_id for name in islice(_names(each), NUMBERED)])
            yield from (self._name(conversation) for conversation in some)

    def _look_up(self, names: list[str]) -> None:
        missing = sorted({name for name in names if name not in self.stored})
        if missing:
            self.stored |= self.engine.reads.exchange.turns_of(self.namespace, missing)

    def _name(self, conversation: Conversation) -> Conversation:
        if conversation.file != self.file:
            self.file = conversation.file
            self.given.clear()
        return self._made(conversation) if conversation.made_id else self._given(conversation)

    def _given(self, conversation: Conversation) -> Conversation:
        first = next(iter((*conversation.messages, *(m for b in conversation.branches for m in b.messages))))
        begins = short_id(first.origin_id, first.text)
        known = self.given.setdefault((conversation.source, conversation.origin_id), [])
        if begins not in known:
            known.append(begins)
        place = known.index(begins)
        return conversation if place == 0 else replace(conversation, origin_id=f"{conversation.origin_id}#{place + 1}")

    def _made(self, conversation: Conversation) -> Conversation:
        words = self._words(conversation, lambda turns: turns)
        free = 0
        best, best_score = 0, 0.0
        for number, name in zip(count(1), _names(conversation), strict=False):
            self._look_up([name])
            here = self.made.get(name, [])
            if not self.stored[name] and not here:
                free = number
                break
            if any(each.file == self.file for each in here):
                continue
            score = max(
                [
                    self._score_stored(self.stored[name], conversation),
                    *(_score(each, words, conversation.turns_named_by_words) for each in here),
                ]
            )
            if score > best_score:
                best, best_score = number, score
        chosen = best or free
        named = conversation if chosen == 1 else replace(conversation, origin_id=_numbered(conversation, chosen))
        name = conversation_id(named.source, named.origin_id)
        self.made.setdefault(name, []).append(NamedConversation(self.file, _last_only(words), _speakers(words)))
        return named

    def _clean(self, turns: Sequence[Turn]) -> Iterable[Turn]:
        """The turns of a session as they would be stored: without secrets, for that is how they are compared."""
        whole = cleaned_session(turns, self.engine.redactor, self.engine.config.ingest.max_turn_bytes)
        return (one.turn for one in whole.turns.values())

    def _words(self, conversation: Conversation, turns_of: Callable[[Sequence[Turn]], Iterable[Turn]]) -> Words:
        """Every turn by what its source calls it, as the import will call it."""
        sessions = named_once(list(sessions_of(conversation, gap_hours=self.gap_hours)))
        return {
            turn.origin_id: (content_hash(turn.lines), turn.lines)
            for session in sessions
            for turn in turns_of(session.turns)
            if turn.lines
        }

    def _score_stored(self, stored: Mapping[str, ImportedTurn], conversation: Conversation) -> float:
        if not stored:
            return 0.0
        words = self._words(conversation, self._clean)
        common = stored.keys() & words.keys()
        if not common or (conversation.turns_named_by_words and not self._goes_on(stored, words)):
            return 0.0
        other = [name for name in common if not stored[name].says(words[name][0])]
        if conversation.turns_named_by_words:
            other = []
        if len(other) > 1:
            return 0.0
        if other:
            (segment,) = self.engine.reads.segments([stored[other[0]].number])
            if not _continues(segment.lines, words[other[0]][1]):
                return 0.0
        return _likeness(len(common), len(other), len(stored.keys() ^ words.keys()))

    def _goes_on(self, stored: Mapping[str, ImportedTurn], words: Words) -> bool:
        own = [turn.number for name, turn in stored.items() if name not in words]
        common = {name: words[name] for name in stored.keys() & words.keys()}
        spoken = {line.speaker for segment in self.engine.reads.segments(own) for line in segment.lines}
        return _one_goes_on(stored.keys(), spoken | _speakers(common), words)


def _one_goes_on(held: Collection[str], speakers: Set[str], words: Words) -> bool:
    """Whether two whose turns are named by their words are one: the one has all of the other. A message that was deleted since is another turn in each: so most of
    the shorter one is enough, unless each has somebody who says nothing in the other (two chats that got the same broadcast)."""
    common = len(words.keys() & held)
    if common == min(len(held), len(words)):
        return True
    others = _speakers(words)
    return 2 * common > min(len(held), len(words)) and (speakers <= others or others <= speakers)


def _speakers(words: Words) -> frozenset[str]:
    return frozenset(line.speaker for _, lines in words.values() for line in lines)


def _score(made: NamedConversation, words: Words, named_by_words: bool) -> float:
    """How many turns two have in common; 0 where more than the last one differs."""
    held = made.words
    common = held.keys() & words.keys()
    if named_by_words and not _one_goes_on(held.keys(), made.speakers, words):
        return 0.0
    other = [name for name in common if held[name][0] != words[name][0]]
    if not common or len(other) > 1 or (other and not _continues(held[other[0]][1], words[other[0]][1])):
        return 0.0
    return _likeness(len(common), len(other), len(held.keys() ^ words.keys()))


def _likeness(common: int, grown: int, extra: int) -> float:
    """More turns in common first; of equals the one that has fewest others: a short chat is nearest to its own copy."""
    return common - 0.5 * grown + 0.4 / (1 + extra)


def _last_only(words: Words) -> Words:
    """What must be remembered: the words of the last turn, which may grow; of the others the hash is enough."""
    last = next(reversed(words), "")
    return {name: (digest, lines if name == last else ()) for name, (digest, lines) in words.items()}


def _continues(one: tuple[Line, ...], other: tuple[Line, ...]) -> bool:
    return is_prefix(one, other) or is_prefix(other, one)


def _names(conversation: Conversation) -> Iterator[str]:
    return (conversation_id(conversation.source, _numbered(conversation, number)) for number in count(1))


def _numbered(conversation: Conversation, number: int) -> str:
    return conversation.origin_id if number == 1 else f"{conversation.origin_id}#{number}"
