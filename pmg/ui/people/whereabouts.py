"""Where somebody is known from, as a person would say it: "talks with you and Carys", "named by you in “A job ad in Leipzig”".

Knows: who speaks in a conversation and what it was called last. A conversation's own name is an importer's or another tool's, and tells nobody
anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from pmg.engine import Engine
from pmg.people.entities import folded
from pmg.people.roles import bare
from pmg.store.people import Entity
from pmg.ui import render
from pmg.ui.people.people_data import EntityRow

MAX_NAMED = 3  # of whom somebody talks with; beyond them two are named, and how many more there are
MAX_TITLE = 40  # characters


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """`speakers` and `titles` are by conversation; `mine` are the names of the owner of the memory."""

    speakers: Mapping[str, Sequence[str]]
    titles: Mapping[str, str]
    mine: frozenset[str]

    @classmethod
    def read(cls, engine: Engine, namespace: str, conversations: Iterable[str]) -> Whereabouts:
        wanted = {one for one in conversations if one}
        if not wanted:
            return cls({}, {}, frozenset())
        held = [one for one in engine.reads.sessions(namespace) if one.conversation in wanted]
        held.sort(key=lambda one: (one.started_at, one.id))
        talks = engine.reads.people.talks([one.id for one in held])
        speakers: dict[str, list[str]] = {}
        for one in held:
            inside = speakers.setdefault(one.conversation, [])
            inside += [name for name in talks[one.id] if name not in inside]
        titles = {one.conversation: one.title for one in held if one.title}
        return cls(speakers, titles, frozenset(engine.reads.browse.owner_names(namespace)))

    def of(self, names: Collection[str], conversations: Sequence[str]) -> str:
        """With whom they talk; of somebody who only is talked about, by whom and where."""
        theirs = {folded(bare(name)) for name in names}
        heard = list(dict.fromkeys(name for one in conversations for name in self.speakers.get(one, ())))
        others = [name for name in heard if folded(name) not in theirs]
        company = (["you"] if set(others) & self.mine else []) + [name for name in others if name not in self.mine]
        if len(others) == len(heard):
            return " ".join(
                part for part in (f"named by {_listed(company)}" if company else "", self.title(conversations)) if part
            )
        return f"talks with {_listed(company)}" if company else "talks alone"

    def title(self, conversations: Sequence[str]) -> str:
        """ "in “Sunday check-in”": how the conversation was called last; "" where it has no title."""
        found = next((self.titles[one] for one in conversations if one in self.titles), "")
        more = f" and {len(conversations) - 1} more" if len(conversations) > 1 else ""
        return f"in “{render.shortened(found, MAX_TITLE)}”{more}" if found else ""

    def of_entity(self, one: Entity) -> str:
        where = [one.conversation] if one.conversation else []
        return _joined(self.of((one.name, *one.aliases), where), self.title(where))


def _joined(company: str, title: str) -> str:
    """A title is not said twice: it stands already in what is said of somebody who only is talked about."""
    return company if title in company else f"{company} · {title}" if company else title


def _listed(names: Sequence[str]) -> str:
    shown = names if len(names) <= MAX_NAMED else [*names[:2], f"{len(names) - 2} more"]
    return ", ".join(shown[:-1]) + (" and " if len(shown) > 1 else "") + shown[-1]


def told_apart(engine: Engine, namespace: str, rows: Sequence[EntityRow]) -> dict[int, str]:
    """For those whose name another has too, by id: what tells which is meant. Where company does not, the title of the conversation does."""
    names = Counter((row.kind, row.name) for row in rows)
    several = [row for row in rows if names[row.kind, row.name] > 1]
    found = Whereabouts.read(engine, namespace, (place for row in several for place in row.conversations))
    company = {row.id: found.of(row.names, row.conversations) for row in several}
    same = Counter((row.name, company[row.id]) for row in several)
    return {
        row.id: _joined(company[row.id], found.title(row.conversations))
        if same[row.name, company[row.id]] > 1
        else company[row.id]
        for row in several
    }
