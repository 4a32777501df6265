"""Two memories side by side, with what differs marked.

Knows: how a pair of the steward looks as HTML. What is decided about a pair stands in steward/review.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pmg.base.model import TYPED_KINDS, Kind, Segment
from pmg.base.text import counted
from pmg.ui.render import moment, repeats, safe, shortened

if TYPE_CHECKING:
    from steward.review import Runs, SideBySide

SAME = 400  # characters of a stretch that both have: more tells nothing about the difference
EDGE = 160  # … of which this much stays on each side of what differs
REASONS = 4  # differences named above a pair; of more the marks in the texts say enough
SHORT = 40  # characters of a difference that is named: a longer one is read in its text
RETOLD = (
    0.6  # the share of what was said that differs, above which marks would cover all of it: it is told in other words
)
MAX_ALIKE = 0.99  # of two that differ: "100% alike" would say that they do not
KINDS = {  # of a difference, as a person says it; guard/compare.py names them
    "negation": "a “not”",
    "number": "a number",
    "name": "a name",
    "date": "the day that is meant",
    "speaker": "who said it",
    "lines": "how many lines",
    "word": "a word",
    "capital letter": "a capital letter",
    "exact text": "code or signs",
    "order": "the order of words",
    "question": "a question mark",
    "punctuation": "punctuation",
    "emoji": "an emoji",
    "answer": "the answer",
}
LINK_NAMES = {
    Kind.RELATED_TO: "related",
    Kind.SUPPORTS: "supports",
    Kind.CONTRADICTS: "contradicts",
    Kind.PART_OF: "part of",
    Kind.CAUSED_BY: "caused by",
    Kind.EXTENDS_SOURCE: "extends",
}


def card(pair: SideBySide, foot: str = "") -> str:
    """A whole pair: the verdict, both texts, and what can be done about it."""
    marks = ("", "") if pair.why else ("stays in recall", "will stand behind it")
    plain = is_retold(pair)
    sides = [
        _side(segment, mark, [(speaker, _runs(runs, plain)) for speaker, runs in lines])
        for segment, lines, mark in zip((pair.a, pair.b), (pair.side(False), pair.side(True)), marks, strict=True)
    ]
    return (
        f'<article class="pmg-twins"><header class="pmg-twins-head">{verdict(pair)}</header>'
        f'<div class="pmg-both">{"".join(sides)}</div>{foot}</article>'
    )


def is_retold(pair: SideBySide) -> bool:
    """Whether the two say much the same in other words: of what was said first nearly everything differs."""
    first = [run for row in pair.lines[:1] for runs in (row[1], row[3]) for run in runs]
    differing = sum(len(text) for text, differs in first if differs)
    return bool(first) and differing > RETOLD * sum(len(text) for text, _ in first)


def _runs(runs: Runs, plain: bool) -> Runs:
    return [("".join(text for text, _ in runs), False)] if plain else runs


def verdict(pair: SideBySide) -> str:
    share = min(pair.cosine, MAX_ALIKE) if pair.why else pair.cosine
    alike = f'<span class="pmg-muted">{share:.0%} alike</span>'
    if not pair.why:
        return f'<span class="pmg-badge pmg-good">same</span> nothing that matters differs {alike}'
    if is_retold(pair):
        return f'<span class="pmg-badge pmg-look">told again</span> in other words: has something changed? {alike}'
    kinds = ", ".join(sorted({_kind(difference.kind) for difference in pair.why}))
    once = {(one.kind, one.a, one.b): one for one in pair.why if one.a.strip() or one.b.strip()}
    grave = sorted(once.values(), key=lambda one: one.kind == "word")
    named = grave if len(grave) <= REASONS and all(len(one.a) <= SHORT >= len(one.b) for one in grave) else []
    rows = "".join(
        f"<li>{safe(_kind(difference.kind))}: <b>{_word(difference.a)}</b> and <b>{_word(difference.b)}</b></li>"
        for difference in named
    )
    places = f"in {counted(len(grave), 'place')}, marked below"
    more = f"<li>{places}</li>" if len(named) < len(grave) else ""
    return (
        f'<span class="pmg-badge pmg-look">differ</span> in {safe(kinds)} {alike}<ul class="pmg-why">{rows}{more}</ul>'
    )


def _kind(kind: str) -> str:
    return KINDS.get(kind, kind)


def _word(text: str) -> str:
    return safe(shortened(text, 60)) if text.strip() else "nothing"


def _side(segment: Segment, mark: str, lines: list[tuple[str, Runs]]) -> str:
    facts = [moment(segment.at), f"recalled {segment.hits} {'time' if segment.hits == 1 else 'times'}"]
    facts += ["pinned"] if segment.pinned else []
    badge = f'<span class="pmg-badge">{mark}</span>' if mark else ""
    said = "".join(
        f'<div class="pmg-line"><span class="pmg-who">{safe(speaker)}</span> <span class="pmg-said">{runs_html(runs)}</span></div>'
        for speaker, runs in lines
        if speaker or runs
    )
    title = segment.session_name
    again = any(repeats(title, line.text) for line in segment.lines)
    where = f'<p class="pmg-muted">{safe(shortened(title or "Untitled session", 80))}</p>' if not again else ""
    return f'<section class="pmg-twin-side"><p class="pmg-muted">{" · ".join(facts)} {badge}</p>{where}{said}</section>'


def runs_html(runs: Runs) -> str:
    """What differs is marked; a long stretch that does not is cut in the middle."""
    return "".join(f"<mark>{safe(text)}</mark>" if differs else safe(_middle_out(text)) for text, differs in runs)


def _middle_out(text: str) -> str:
    """Cut between words, where there are any."""
    if len(text) <= SAME:
        return text
    head, tail = text[:EDGE], text[-EDGE:]
    return f"{head[: head.rfind(' ') + 1 or EDGE].rstrip()} […] {tail[max(0, tail.find(' ')) :].lstrip()}"


KEYS = {
    "merge": "m",
    "keep": "k",
    Kind.CONTRADICTS: "c",
    Kind.RELATED_TO: "r",
}  # one key a decision, on the first pair of the list


def choices(review: int) -> str:
    """The three decisions on a pair of the review list, as buttons and keys that clicks.py hears."""
    links = "".join(
        _button(f"link:{review}:{kind.value}", LINK_NAMES[kind], KEYS.get(kind, "")) for kind in TYPED_KINDS
    )
    return (
        '<div class="pmg-choices">'
        f"{_button(f'merge:{review}', 'Merge', KEYS['merge'])}{_button(f'keep:{review}', 'Keep both', KEYS['keep'])}"
        f'<span class="pmg-linkas"><span class="pmg-muted">Link as</span>{links}</span></div>'
    )


def _button(pick: str, label: str, key: str) -> str:
    known = f' data-key="{key}" aria-keyshortcuts="{key}"' if key else ""
    shown = f" <kbd>{key}</kbd>" if key else ""
    return f'<button type="button" class="pmg-small" data-pick="{pick}"{known}>{label}{shown}</button>'


CSS = """
.pmg-twins, .pmg-run, .pmg-kept { border: 1px solid var(--border-color-primary); border-radius: 10px;
  background: var(--block-background-fill); padding: 12px 14px; margin: 0 0 12px; }
.pmg-twins-head { margin-bottom: 8px; line-height: 1.5; }
.pmg-badge { display: inline-block; border-radius: 999px; padding: 0 9px; font-size: 12px; line-height: 20px;
  border: 1px solid var(--border-color-primary); color: var(--body-text-color-subdued); white-space: nowrap; }
.pmg-badge.pmg-good { color: #fff; background: #2c7a56; border-color: #2c7a56; }
.pmg-badge.pmg-look { color: #fff; background: #94600f; border-color: #94600f; }
.pmg-why { margin: 4px 0 0 !important; padding-left: 18px !important; font-size: 13px; overflow-wrap: anywhere; }
.pmg-both { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; }
.pmg-twin-side { border-left: 3px solid var(--border-color-primary); padding-left: 10px; min-width: 0; overflow-wrap: anywhere; }
.pmg-twin-side p { margin: 0 0 2px !important; }
.pmg-twin-side mark { background: color-mix(in srgb, #d99a2b 35%, transparent); color: inherit; border-radius: 3px; padding: 0 1px; }
.pmg-choices { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin-top: 12px; }
.pmg-linkas { display: inline-flex; flex-wrap: wrap; gap: 6px; align-items: center; margin-left: 8px; }
.pmg-small { border: 1px solid var(--border-color-primary); background: var(--button-secondary-background-fill);
  color: var(--body-text-color); border-radius: 8px; margin: 0 !important; padding: 5px 12px; font: inherit; font-size: 13px; cursor: pointer; }
.pmg-small:hover { border-color: var(--primary-500); background: var(--button-secondary-background-fill-hover); }
.pmg-small kbd { font: 11px var(--font-mono); border: 1px solid var(--border-color-primary); border-radius: 4px; padding: 0 4px; margin-left: 4px;
  color: var(--body-text-color-subdued); }
.pmg-twins:not(:first-of-type) kbd { display: none; }
@media (max-width: 700px) {
  .pmg-small kbd, .pmg-by-key { display: none; }
  .pmg-both { grid-template-columns: 1fr; }
  .pmg-linkas { margin-left: 0; }
  .pmg-small { padding: 8px 12px; }
}
"""
