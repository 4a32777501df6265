"""The day that an answer's "on Thursday" was, counted from the day it was said, where the question asks when."""

from __future__ import annotations

from pmg.answer.evidence import Evidence, Quote, QuoteKind, Tone
from pmg.answer.phrases import day_meant as said
from pmg.index.terms import document_terms
from pmg.people.meant_days import ASKS_WHEN, MeantTime, meant_time


def day_meant(question: str, found: Evidence) -> str:
    """Before the quotes; "" where the question does not ask when, or the first quote says no such thing."""
    first = next((quote for quote in found.quotes if quote.kind is QuoteKind.ANSWER), None)
    if first is None or found.tone is Tone.NOTHING:
        return ""
    time = time_meant(question, first)
    return said(question, time, found.tone is Tone.SURE) if time is not None else ""


def time_meant(question: str, first: Quote) -> MeantTime | None:
    return meant_time(first.text, first.at, document_terms(question)) if ASKS_WHEN.match(question) else None
