"""A language model's answer against what it was shown: which memories it cites, figures, days and names from nowhere, and citations of a memory that says nothing of it.

Knows: what a model had before it. How a part is found that stands nowhere is in pmg/people/answer_check.py; which sentences cite nothing in citations.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pmg.base.model import Line, Passage
from pmg.base.times import now
from pmg.chat import citations
from pmg.chat.responder import ChatRequest, Citation, Unsupported
from pmg.chat.shown_memories import shown_memories
from pmg.index.terms import query_terms
from pmg.people.answer_check import ProofText, unproven


def cited_memories(text: str, request: ChatRequest) -> tuple[Citation, ...]:
    words = _terms_of_memories(request)
    return citations.cited(
        text, shown_memories(request).sources, lambda said, memory: len(_shared(said, memory, words))
    )


def unproven_parts(text: str, cited: Sequence[Citation], request: ChatRequest) -> tuple[Unsupported, ...]:
    """What of a model's answer stands in nothing that it was shown, in the order of the answer."""
    invented = [Unsupported(one.start, one.end) for one in unproven(text, _shown(request))]
    return tuple(
        sorted([*invented, *_unrelated_to_citation(text, cited, request)], key=lambda one: (one.start, -one.end))
    )


def _shown(request: ChatRequest) -> list[ProofText]:
    """The memories, the chat before, the question and today: what stands in one of them was not invented."""
    today = ProofText(request.text, request.at or now())
    found = [
        ProofText(part, quote.at) for quote in request.found for part in (quote.title, f"{quote.speaker}: {quote.text}")
    ]
    return [today, *found, *(proof for one in (*_recalled(request), *request.before) for proof in _proofs(one))]


def _recalled(request: ChatRequest) -> tuple[Passage, ...]:
    return request.recalled.segments if request.recalled is not None else ()


def _proofs(one: Passage) -> list[ProofText]:
    return [ProofText(one.title, one.at), *(ProofText(_spoken(line), line.at or one.at) for line in one.lines)]


def _spoken(line: Line) -> str:
    return f"{line.speaker}: {line.text}"


def _unrelated_to_citation(text: str, cited: Sequence[Citation], request: ChatRequest) -> list[Unsupported]:
    """Sentences whose citations are of memories that share no term with them."""
    sources = {citation.number: citation.segment for citation in cited if citation.known}
    words = _terms_of_memories(request)
    return [
        Unsupported(start, end)
        for start, end in citations.telling_sentences(text)
        if (named := [sources[n] for n in citations.numbers_in(text[start:end]) if n in sources])
        and not any(_shared(citations.without_numbers(text[start:end]), name, words) for name in named)
    ]


def _terms_of_memories(request: ChatRequest) -> dict[str, frozenset[str]]:
    said = {one.id: " ".join(map(_spoken, one.lines)) for one in _recalled(request)}
    for quote in request.found:
        said[quote.segment] = f"{said.get(quote.segment, '')} {quote.speaker}: {quote.text}"
    return {name: frozenset(query_terms(text)) for name, text in said.items()}


def _shared(said: str, memory: str, words: Mapping[str, frozenset[str]]) -> frozenset[str]:
    return frozenset(query_terms(said)) & words.get(memory, frozenset())
