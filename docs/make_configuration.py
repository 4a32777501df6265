"""Writes docs/configuration.md from the configuration itself: `python docs/make_configuration.py`. A test holds the two together."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from pmg import config

HEAD = """# Every knob

`pmg config` shows these with the values in force; `pmg config recall.top_k 5` sets one. They live in `config.toml` in the memory's
directory; an environment variable such as `PMG_RECALL_TOP_K=5` goes above the file. An unknown name or a value out of range is an error
that says what would be right.

`namespace` (default `default`) is where new memories go and where recall looks: nothing of one namespace is recalled in another. `pmg --namespace NAME` or `PMG_NAMESPACE` names another for a command, and keeps `export` and `steward`, which else mean all of them, to it. `--home` or `PMG_HOME` is the memory's directory (default `~/.pmg`).
"""


def page() -> str:
    parts = [HEAD]
    for section, kind in config.SECTIONS.items():
        about = (kind.__doc__ or "").strip() if "Cosine" in (kind.__doc__ or "") else ""
        rows = [
            f"| `{section}.{f.name}` | `{_shown(f.default)}` | {_range(f.metadata)} | {f.metadata['why']} |"
            for f in fields(kind)
        ]
        table = "\n".join(["| knob | default | allowed | why |", "|---|---|---|---|", *rows])
        parts.append(f"## {section}\n\n{about + chr(10) * 2 if about else ''}{table}\n")
    return "\n".join(parts)


def _shown(value: object) -> str:
    return (
        str(value).lower()
        if isinstance(value, bool)
        else str(list(value))
        if isinstance(value, tuple)
        else str(value) or '""'
    )


def _range(rules: dict[str, object]) -> str:
    if rules["choices"]:
        return ", ".join(f"`{choice}`" for choice in rules["choices"])  # type: ignore[attr-defined]
    return f"{config.in_full(rules['low'])} to {config.in_full(rules['high'])}" if rules["low"] is not None else ""


if __name__ == "__main__":
    (Path(__file__).parent / "configuration.md").write_text(page(), encoding="utf-8")
