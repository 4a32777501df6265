"""The little Markdown that a model's answer may use, as HTML that can load nothing and lead nowhere.

Knows: headings, lists, quotes, fenced and inline code, bold and italics. Does not know: images, links, HTML, LaTeX; they stay the text they
are, with the address to read and nothing to click. Every word goes through `safe` before any tag is added. Linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pmg.ui.render import safe

_FENCE = re.compile(r"^\s{0,3}(```+|~~~+)\s*([\w+-]{0,20})\s*$")
_HEADING = re.compile(r"^(#{1,6})\s+(.{1,300}?)\s*#*$")
_BULLET = re.compile(r"^\s{0,6}[-*+•]\s+(.*)$")
_NUMBER = re.compile(r"^\s{0,6}(\d{1,4})[.)]\s+(.*)$")
_QUOTE = re.compile(r"^\s{0,3}>\s?(.*)$")
_RULE = re.compile(r"^\s{0,3}(?:-{3,}|\*{3,}|_{3,})\s*$")
_CODE = re.compile(r"(?<!`)(`{1,8})(?!`)([^\n]{1,1000}?)(?<!`)\1(?!`)")
_BOLD = re.compile(r"\*\*(?=\S)([^*\n]{1,500}?)(?<=\S)\*\*|__(?=\S)([^_\n]{1,500}?)(?<=\S)__")
_ITALIC = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]{1,500}?)(?<=\S)\*(?![\w*])")


def to_html(text: str) -> str:
    """Blocks in their order; an unclosed fence ends with the text."""
    rows = text.replace("\r\n", "\n").split("\n")
    out: list[str] = []
    at = 0
    while at < len(rows):
        fence = _FENCE.match(rows[at])
        if fence:
            at, block = _fenced(rows, at + 1, fence[1])
        elif not rows[at].strip() or _RULE.match(rows[at]):
            at, block = at + 1, ("<hr>" if rows[at].strip() else "")
        else:
            at, block = _block(rows, at)
        out.append(block)
    return "".join(out)


def _fenced(rows: list[str], at: int, mark: str) -> tuple[int, str]:
    end = at
    while end < len(rows) and not (rows[end].strip().startswith(mark) and not rows[end].strip().strip(mark[0])):
        end += 1
    code = "\n".join(rows[at:end])
    return end + 1, f"<pre><code>{_code_text(code)}</code></pre>"


def _code_text(code: str) -> str:
    return safe(code).replace("<br>", "\n")  # inside <pre> a line break is a line break


def _block(rows: list[str], at: int) -> tuple[int, str]:
    heading = _HEADING.match(rows[at])
    if heading:
        level = min(6, len(heading[1]) + 2)  # the page has its own first headings
        return at + 1, f"<h{level}>{inline(heading[2])}</h{level}>"
    for pattern, tag in ((_BULLET, "ul"), (_NUMBER, "ol")):
        if pattern.match(rows[at]):
            return _list(rows, at, pattern, tag)
    if _QUOTE.match(rows[at]):
        end = _until(rows, at, lambda row: _QUOTE.match(row) is not None)
        said = [(_QUOTE.match(row) or [row, row])[1] for row in rows[at:end]]
        return end, f"<blockquote>{'<br>'.join(map(inline, said))}</blockquote>"
    end = _until(rows, at, _is_plain)
    return end, f"<p>{'<br>'.join(inline(row) for row in rows[at:end])}</p>"


def _list(rows: list[str], at: int, pattern: re.Pattern[str], tag: str) -> tuple[int, str]:
    first = _NUMBER.match(rows[at])
    end = _until(rows, at, lambda row: pattern.match(row) is not None)
    items = [found[found.lastindex or 0] for row in rows[at:end] if (found := pattern.match(row))]
    start = f' start="{int(first[1])}"' if first and tag == "ol" else ""
    return end, f"<{tag}{start}>{''.join(f'<li>{inline(item)}</li>' for item in items)}</{tag}>"


def _until(rows: list[str], at: int, belongs: Callable[[str], bool]) -> int:
    end = at + 1
    while end < len(rows) and belongs(rows[end]):
        end += 1
    return end


def _is_plain(row: str) -> bool:
    starts = (_FENCE, _HEADING, _BULLET, _NUMBER, _QUOTE, _RULE)
    return bool(row.strip()) and not any(pattern.match(row) for pattern in starts)


def inline(text: str) -> str:
    """Code first, so that nothing inside it is read as bold; then bold and italics in what lies between."""
    out: list[str] = []
    last = 0
    for found in _CODE.finditer(text):
        out += [_styled(text[last : found.start()]), f"<code>{safe(found[2].strip() or found[2])}</code>"]
        last = found.end()
    return "".join([*out, _styled(text[last:])])


def _styled(text: str) -> str:
    escaped = safe(text)  # asterisks and underscores pass through it unchanged, everything that could be a tag does not
    bold = _BOLD.sub(lambda m: f"<strong>{m[1] or m[2]}</strong>", escaped)
    return _ITALIC.sub(r"<em>\1</em>", bold)
