"""A language model's answer against what it was shown: figures, days and names from nowhere, and citations of a memory that says nothing of it.

Knows: what a model had before it. How a part is found that stands nowhere is in pmg/people/answer_check.py; which sentences cite nothing in citations.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pmg.chat import citations
from pmg.chat.responder import ChatRequest, Citation, Unsupported
from pmg.index.terms import query_terms
from pmg.model import Line, Passage
from pmg.people.answer_check import ProofText, unproven
from pmg.recall.receipt import Recalled
from pmg.times import now


def unproven_parts(
    text: str, cited: Sequence[Citation], request: ChatRequest, recalled: Recalled
) -> tuple[Unsupported, ...]:
    """What of a model's answer stands in nothing that it was shown, in the order of the answer."""
    invented = [Unsupported(one.start, one.end) for one in unproven(text, _shown(request, recalled))]
    return tuple(
        sorted([*invented, *_unrelated_to_citation(text, cited, recalled)], key=lambda one: (one.start, -one.end))
    )


def _shown(request: ChatRequest, recalled: Recalled) -> list[ProofText]:
    """The memories, the chat before, the question and today: what stands in one of them was not invented."""
    today = ProofText(request.text, request.at or now())
    return [today, *(proof for one in (*recalled.segments, *request.before) for proof in _proofs(one))]


def _proofs(one: Passage) -> list[ProofText]:
    return [ProofText(one.title, one.at), *(ProofText(_spoken(line), line.at or one.at) for line in one.lines)]


def _spoken(line: Line) -> str:
    return f"{line.speaker}: {line.text}"


def _unrelated_to_citation(text: str, cited: Sequence[Citation], recalled: Recalled) -> list[Unsupported]:
    """Sentences whose citations are of memories that share no term with them."""
    sources = {citation.number: citation.segment for citation in cited if citation.known}
    words = {one.id: frozenset(query_terms(" ".join(map(_spoken, one.lines)))) for one in recalled.segments}
    return [
        Unsupported(start, end)
        for start, end in citations.telling_sentences(text)
        if (named := [sources[n] for n in citations.numbers_in(text[start:end]) if n in sources])
        and not _shares(text[start:end], named, words)
    ]


def _shares(sentence: str, named: Sequence[str], words: Mapping[str, frozenset[str]]) -> bool:
    wanted = frozenset(query_terms(citations.without_numbers(sentence)))
    return any(not wanted.isdisjoint(words.get(name, frozenset())) for name in named)
