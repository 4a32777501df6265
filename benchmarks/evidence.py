"""Whether a block shows the evidence: the words that answer, not some of the wall around them.

Knows: which words of a line are the answer's, and when enough of them stand in the block.

A line that is shown whole is shown. Of a line shown in part, the words that answer are those of the expected answer that stand in it
and are not the question's own; three quarters of them must be among what is shown (of up to three, all). A line that has no word of
the answer ("three", where the count is spread over three lines) must be shown by half at the least.
"""

from __future__ import annotations

import math

from benchmarks.cases import BenchQuestion, LineRef
from pmg.index.terms import document_terms, query_terms
from pmg.recall.passages import excerpt
from pmg.recall.receipt import RankedLine, Recalled

MIN_WORDS = 0.75
MIN_TEXT = 0.5


def shown_lines(found: Recalled, question: BenchQuestion) -> frozenset[LineRef]:
    """The lines of which a reader of the block has what answers."""
    answering = set(query_terms(question.answer)) - set(query_terms(question.text))
    texts = {segment.id: segment.lines for segment in found.segments}
    return frozenset(
        LineRef(line.segment, line.line)
        for line in found.lines
        if line.shown and is_shown(texts[line.segment][line.line].text, line, answering)
    )


def is_shown(text: str, line: RankedLine, answering: set[str]) -> bool:
    if line.shown >= 1:
        return True
    needed = answering & set(document_terms(text))
    if not needed:
        return line.shown >= MIN_TEXT
    seen = needed & set(document_terms(excerpt(text, line.ranges)))
    return len(seen) >= math.ceil(MIN_WORDS * len(needed))
