"""Writes docs/configuration.md from the configuration itself: `python docs/make_configuration.py`. A test holds the two together."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from pmg import config

HEAD = """# Every setting

```
pmg config                   # all of them, with the values in force
pmg config recall.top_k 5    # sets one
```

They live in `config.toml` in the memory's directory. An environment variable goes above the file: `PMG_RECALL_TOP_K=5`. An unknown name or a value out of range is an error that says what would be right.

| for a command | in the environment | default | what it says |
|---|---|---|---|
| `pmg --home DIR` | `PMG_HOME` | `~/.pmg` | the memory's directory |
| `pmg --namespace NAME` | `PMG_NAMESPACE` | `default` | where new memories go and where recall looks; keeps `export` and `steward` to it, which else mean all |
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
