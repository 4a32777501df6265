"""The block between two lines of dashes at the top of a Markdown file, as plain keys and values.

Knows: `key: value`, quoted values, lists in brackets or on lines of their own.
Does not know: the rest of YAML: what it does not understand it leaves as text.
"""

from __future__ import annotations

from pmg.base.patterns import MULTILINE, plain

KEY = plain(r"([A-Za-z_][\w .-]*):(.*)")
MAX_CHARACTERS = 20_000


def split(page: str) -> tuple[dict[str, str], str]:
    """The front matter and the body; without a closed block everything is body."""
    page = page.removeprefix("\ufeff")
    if not page.startswith("---"):
        return {}, page
    end = plain(r"^(?:---|\.\.\.)[ \t]*\r?$\n?", MULTILINE).search(page[3 : MAX_CHARACTERS + 3])
    if end is None:
        return {}, page
    return _keys(page[3 : 3 + end.start()]), page[3 + end.end() :]


def _keys(block: str) -> dict[str, str]:
    found: dict[str, str] = {}
    last = ""
    for line in block.splitlines():
        match = KEY.match(line)
        if match:
            last = match[1].strip().lower()
            found[last] = _plain(match[2].strip())
        elif last and line.strip():
            found[last] = "; ".join(filter(None, (found[last], _plain(line.strip().removeprefix("- ")))))
    return found


def _plain(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    if value.startswith("[") and value.endswith("]") and not value.startswith("[["):
        return "; ".join(_plain(item.strip()) for item in value[1:-1].split(",") if item.strip())
    return value
