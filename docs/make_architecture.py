"""Draws docs/architecture.svg: the rooms as tests/test_architecture.py orders them, and five ways through them.

`python docs/make_architecture.py`; a test holds the picture to the code. A room without a line in ABOUT and a step whose file is gone are errors.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from html import escape
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent

WIDTH, EDGE, GAP = 1240, 24, 8
BAND, BOX = 50, 42  # height of a row of rooms, and of a room in it
LANE, STEP = 116, 94  # height of a way, and of a step of it
TITLE = 158  # width of a way's name
COLOURS = ("#2563eb", "#0f766e", "#b45309", "#9333ea", "#be123c")


@dataclass(frozen=True)
class Way:
    name: str
    about: str
    steps: tuple[tuple[str, str], ...]  # a file, and what happens there


WAYS = (
    Way("Add a turn", "on disk and found by its words when it returns", (
        ("pmg/chat/turn.py", "a message and its answer; from Python: session.add()"),
        ("pmg/engine/engine.py", "Engine.add_turn: the one door for writes"),
        ("pmg/ingest/turns.py", "checked, and freed of secrets by redact/"),
        ("pmg/store/duckdb/append_turn.py", "segment and lines, one transaction"),
        ("pmg/index/indexes.py", "its words can be searched for"),
        ("pmg/embed/windows.py", "in the background: cut into windows, embedded"),
    )),
    Way("Close and link", "what needs the whole session", (
        ("pmg/engine/engine.py", "Engine.close_session, or the idle time"),
        ("pmg/ingest/plaintext.py", "the session as a readable file"),
        ("pmg/ingest/build.py", "what has no vectors yet gets them"),
        ("pmg/ingest/link.py", "duplicates, semantic edges, links"),
        ("pmg/store/duckdb/edges.py", "vectors and edges, batch by batch"),
    )),
    Way("Recall", "a question becomes a block", (
        ("pmg/engine/engine.py", "Engine.recall: knobs and namespace checked"),
        ("pmg/recall/pipeline.py", "the stages in their order; the question embedded"),
        ("pmg/index/lexical.py", "near in words (BM25); vector.py: near in meaning"),
        ("pmg/recall/diffuse_mode.py", "scores flow along chain and edges"),
        ("pmg/recall/assemble.py", "dated, attributed, quoted, within the budget"),
        ("pmg/recall/receipt.py", "why each is there, why others are not"),
    )),
    Way("Import", "an export comes in, once", (
        ("pmg/cli/transfer.py", "pmg import; the page has a form for it"),
        ("pmg/importers/read.py", "archives opened, the platform recognised"),
        ("pmg/importers/plan.py", "what is known, new, edited or branched off"),
        ("pmg/ingest/pipeline.py", "redacted and stored, group by group"),
        ("pmg/store/duckdb/store.py", "known by its hash the next time"),
        ("pmg/ingest/link.py", "embedded and linked at the end"),
    )),
    Way("A click", "from the browser and back", (
        ("pmg/server/guard.py", "host, origin and token, before any route"),
        ("pmg/ui/shell.py", "one Gradio app, a folder a tab"),
        ("pmg/ui/timeline/timeline_tab.py", "a plain function gets the app context"),
        ("pmg/store/browse.py", "only the rows that are shown"),
        ("pmg/ui/timeline/timeline_data.py", "dataclasses to what the page's script draws"),
        ("pmg/ui/error_boundary.py", "an error is a sentence; the log has the rest"),
    )),
)  # fmt: skip

ABOUT = {
    "pmg.__main__": "the pmg script",
    "app": "python app.py is `pmg serve`",
    "pmg.client": "pmg.connect(): where a server is, and the engine's verbs on its memory, over HTTP",
    "pmg.proxy": "/u/NAME: models' APIs passed on, and remembered",
    "pmg.connections": "other AI tools: settings, hooks, tokens",
    "pmg.cli": "`pmg …`: one file a group of commands; works through the server while one runs",
    "pmg.server": "one process owns a memory: the page, REST, guard, remote commands, background jobs",
    "pmg.ui": "the page: a folder a tab, Gradio",
    "benchmarks": "LoCoMo, LongMemEval, speed, import, page; each with its floors",
    "steward": "upkeep on a schedule: score, merge, archive, verify, back up; every step can be undone",
    "pmg.report": "a page about the memory, in one file",
    "pmg.figures": "charts as pure functions, Plotly",
    "pmg.doctor": "is everything whole",
    "pmg.settings": "changed while open",
    "pmg.server.timed_connection": "time limits",
    "pmg.importers": "exports of other tools",
    "pmg.exporters": "Markdown, JSONL, CSV, …",
    "pmg.chat": "who answers, and a turn",
    "pmg.answer": "a question becomes quotes: candidates, signals, the newest, a tone",
    "pmg.analytics": "questions in SQL",
    "pmg": "the public names: pmg.open(), pmg.connect() and what they give back (docs/api.md)",
    "pmg.forget": "plan, remove, rewrite the file, search every copy, and a receipt",
    "pmg.engine": "Engine: the few verbs that everything above calls",
    "pmg.sample": "the sample memory",
    "pmg.recall": "search, flow, fuse, assemble, receipt",
    "pmg.people": "claims, who is who, what changed",
    "pmg.ingest": "redact, segment, embed, find duplicates, link",
    "pmg.components": "the parts that ingest and recall are given",
    "pmg.index": "FAISS and BM25, derived from the store",
    "pmg.embed": "embedding model, windows, thresholds",
    "pmg.reader": "which line answers, and what a later one does to it",
    "pmg.store": "the contract; duckdb/ with schema, migrations, queries; keys, backups",
    "pmg.base": "nouns, errors, text, times, files, progress",
    "pmg.config": "every knob with its reason",
}


def picture() -> str:
    held = _architecture()
    rows = list(reversed(held.ROWS))
    top = 74
    ways = top + BAND * len(rows) + 66
    height = ways + LANE * len(WAYS) + EDGE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" '
        f'aria-label="The rooms of PMG and five ways through them" font-family="system-ui, Segoe UI, Helvetica, Arial, sans-serif">',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 8 4 0 8z" fill="#64748b"/></marker></defs>',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        _text(EDGE, 34, "Rooms", 20, "#0f172a", True),
        _text(EDGE, 56, "A room imports only rooms below it. The numbers are the five ways that pass through.", 13, "#475569"),
        *(_row(sorted(rooms), top + BAND * at, held) for at, rooms in enumerate(rows)),
        _text(EDGE, ways - 34, "Five ways through them", 20, "#0f172a", True),
        _text(EDGE, ways - 12, "Each step names its file.", 13, "#475569"),
        *(_lane(number, way, ways + LANE * number) for number, way in enumerate(WAYS)),
        "</svg>\n",
    ]  # fmt: skip
    return "\n".join(parts)


def _architecture() -> ModuleType:
    spec = importlib.util.spec_from_file_location("held_architecture", ROOT / "tests" / "test_architecture.py")
    assert spec is not None and spec.loader is not None
    held = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(held)
    return held


def _row(rooms: list[str], y: int, held: ModuleType) -> str:
    """Rooms side by side, each as wide as its text wants."""
    wants = [
        max(len(_short(room)) * 8.2, len(ABOUT[room]) * 6.3) + 34 + 20 * len(_passing(room, held)) for room in rooms
    ]
    free = WIDTH - 2 * EDGE - GAP * (len(rooms) - 1)
    parts, x = [], float(EDGE)
    for room, want in zip(rooms, wants, strict=True):
        width = want * free / sum(wants) if sum(wants) > free or len(rooms) > 3 else free / len(rooms)
        parts.append(_room(room, x, y, width, _passing(room, held)))
        x += width + GAP
    return "\n".join(parts)


def _room(room: str, x: float, y: int, width: float, passing: list[int]) -> str:
    fill = "#f1f5f9" if not passing else "#eef2ff"
    dots = [
        f'<circle cx="{x + width - 15 - 19 * place:.0f}" cy="{y + 14}" r="8" fill="{COLOURS[number]}"/>'
        + _text(x + width - 15 - 19 * place, y + 18, str(number + 1), 11, "#ffffff", True, "middle")
        for place, number in enumerate(reversed(passing))
    ]
    return "\n".join(
        [
            f'<rect x="{x:.0f}" y="{y}" width="{width:.0f}" height="{BOX}" rx="6" fill="{fill}" stroke="#cbd5e1"/>',
            _text(x + 10, y + 18, _short(room), 13, "#0f172a", True),
            _text(x + 10, y + 34, ABOUT[room], 11.5, "#475569"),
            *dots,
        ]
    )


def _short(room: str) -> str:
    return room.removeprefix("pmg.") if room != "pmg" else "pmg"


def _passing(room: str, held: ModuleType) -> list[int]:
    """The ways that have a step in this room."""
    return [at for at, way in enumerate(WAYS) if any(_room_of(file, held) == room for file, _ in way.steps)]


def _room_of(file: str, held: ModuleType) -> str:
    assert (ROOT / file).is_file(), f"{file} is gone: mend WAYS in docs/make_architecture.py"
    found = held.row_of(file.removesuffix(".py").replace("/", "."))
    assert found is not None, file
    return str(found[1])


def _lane(number: int, way: Way, y: int) -> str:
    colour = COLOURS[number]
    width = (WIDTH - 2 * EDGE - TITLE - 18 * 5) / 6
    parts = [
        f'<circle cx="{EDGE + 11}" cy="{y + 22}" r="11" fill="{colour}"/>',
        _text(EDGE + 11, y + 27, str(number + 1), 14, "#ffffff", True, "middle"),
        _text(EDGE + 30, y + 27, way.name, 14, colour, True),
        *(_text(EDGE + 30, y + 46 + 15 * at, row, 11.5, "#475569") for at, row in enumerate(_wrapped(way.about, 17))),
    ]
    for place, (file, does) in enumerate(way.steps):
        x = EDGE + TITLE + place * (width + 18)
        if place:
            parts.append(f'<line x1="{x - 17:.0f}" y1="{y + STEP / 2:.0f}" x2="{x - 2:.0f}" y2="{y + STEP / 2:.0f}" stroke="#64748b" stroke-width="1.5" marker-end="url(#tip)"/>')  # fmt: skip
        parts.append(f'<rect x="{x:.0f}" y="{y}" width="{width:.0f}" height="{STEP}" rx="6" fill="#ffffff" stroke="{colour}" stroke-width="1.4"/>')  # fmt: skip
        name = file.removeprefix("pmg/").removesuffix(".py")
        folder, _, last = name.rpartition("/")
        parts.append(_text(x + 9, y + 17, f"{folder}/" if folder else "", 10.5, "#64748b"))
        parts.append(_text(x + 9, y + 32, f"{last}.py", 12.5, "#0f172a", True))
        parts += [_text(x + 9, y + 50 + 15 * at, row, 11.5, "#475569") for at, row in enumerate(_wrapped(does, 23))]
    return "\n".join(parts)


def _wrapped(text: str, limit: int) -> list[str]:
    rows = [""]
    for word in text.split():
        rows = [*rows, word] if len(rows[-1]) + len(word) + 1 > limit else [*rows[:-1], f"{rows[-1]} {word}".strip()]
    return [row for row in rows if row]


def _text(x: float, y: float, text: str, size: float, colour: str, bold: bool = False, anchor: str = "start") -> str:
    weight = ' font-weight="600"' if bold else ""
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"{weight}>{escape(text)}</text>'


if __name__ == "__main__":
    (Path(__file__).parent / "architecture.svg").write_text(picture(), encoding="utf-8")
