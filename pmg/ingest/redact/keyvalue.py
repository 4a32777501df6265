"""Secrets that are known by their name: `password = …`, `"api_key": …`, `--token …`, `<secret>…</secret>`.

Here is how names and their values are read. How assignments are written in code, env files, JSON, YAML, XML, SQL, flags
and query strings is in value_forms.py, what a name announces in names.py, how a value must look to count in accept.py, what else a name
may be used for in name_uses.py; the rules with their examples are in keyvalue_rules.py, whole sentences in prose.py.

What follows a name is read with Python's own `re`, anchored there and without nested repeats: a file may be full of
secrets, and each call to the other library costs as much as all of that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from pmg.ingest.redact.accept import MIN_KEY_SIZE, is_key, is_password, is_token
from pmg.ingest.redact.code_names import is_field_name, is_label
from pmg.ingest.redact.generated import are_generated, is_generated
from pmg.ingest.redact.marks import MARK_START
from pmg.ingest.redact.name_columns import LOOK, MAX_NAME_REST, PLAIN, WORD_NEXT, ReadName, read_together
from pmg.ingest.redact.name_uses import (
    is_compared_or_told,
    is_line_of_its_own,
    is_listed_well,
    is_other_name,
    is_other_pass,
    is_shouted,
)
from pmg.ingest.redact.names import KEY, PASSWORD, TOKEN, kind_of
from pmg.ingest.redact.reading import Value, bare_value, quoted_value, read_run, read_value
from pmg.ingest.redact.rule import RuleHit, Span
from pmg.ingest.redact.value_forms import FALLBACK, TAG_REST, value_place
from pmg.ingest.redact.values import is_placeholder, is_plainly_random, is_shipped, is_sign_mix, is_strong
from pmg.ingest.redact.words import HARMLESS_KEYS, KEY_QUALIFIERS, SHORT_STEMS

_NAME_CHARACTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$-"
_NAME_BYTES = frozenset(_NAME_CHARACTERS)
_NAME_GOES_ON = frozenset(bytes([byte]) for byte in _NAME_BYTES.difference(b".$"))
_SHORT_STEMS = frozenset(stem.encode() for stem in SHORT_STEMS)
_HARMLESS: set[tuple[str, str]] = set()  # kinds and quoted values: judged strictly, and consulted only there
_NAME_KINDS: dict[bytes, str] = {}  # what names announce, as they are written
_MAX_CACHED = 4096
_MIN_COLUMN_NAMES = 400  # names: so many are read together, in columns
_MAX_BYTES_A_NAME = 80  # of the text: columns are of all its bytes, so few names in it are read faster one by one
_MAX_TAG_TEXT = 400
_MAX_TAG_DISTANCE = (
    1200  # bytes behind which no tag is closed that counts: more than a value and _MAX_TAG_TEXT are long
)
_PASS, _PASSE = len(b"pass"), len(b"passe")
_HYPHEN = ord("-")
_GAPS = b" \t\n"
_ODD_BEFORE = frozenset((b"\\", b"["))  # before a name: an escaped line end, or a colour of a terminal
_ALSO_A_COMMAND = frozenset((b"pwd", b"pass", b"login", b"auth"))
_LONG_WORD = re.compile(rb"[A-Za-z0-9_+/=.~-]{12,}")
# What follows the stem of a name: the rest of the name, then what nearly all assignments look like, in one call: a mark,
# where the value was taken out before, or plainly no value; a value in quotes; an unquoted one; the text of a tag; or
# something else.
_NOTHING, _MARKED, _QUOTED, _BARE, _TAG_TEXT = 1, 2, 4, 5, 6
_FOLLOWING = re.compile(
    rb"([\w-]{0,40}+)(?:([\"']?[ \t]?[=:>][ \t]?[\"']?\[redacted: |[\"']?[ \t]{0,4}[:=][ \t]{0,4}(?:"
    rb"(?:\"\"|''|null|None|true|false|True|False|nil|undefined)(?=[ \t]?[,;)\]}\r\n])|\"<[^<>\"'\r\n]{1,80}>\"(?!\")|\"\$\{\w{1,80}\}\"(?!\")))|"
    rb"[\"']?[ \t]{0,4}[:=][ \t]{0,4}([\"'])([^\"'`\\\r\n\x80-\xff]{1,200}+)\3(?!\3)|"
    rb"=([A-Za-z0-9][A-Za-z0-9_+/=~!@#%^-]{0,199}+)(?=[ \t\r\n<]|$)|>([A-Za-z0-9][A-Za-z0-9_+/=~!@#%^-]{0,199}+)(?=</)|)"
)
# The same for what most secrets are, letters and digits alone, for marks, and for a word that follows as in a sentence:
# many times faster than all of the above. The words that are let through may be types or `value`.
_MARKED_NAME, _WORD_GROUP = 6, 7
_BEFORE_ENVIRONMENT = frozenset(b"VGvx \t")
_PLAIN = rb"([A-Za-z0-9]{8,200}+)"
_BEGINNING = re.compile(
    rb"([\w-]{0,40}+)(?:=" + _PLAIN + rb"(?=[ \t\r\n<]|$)|>" + _PLAIN + rb"(?=</)|"
    rb"[\"']?[ \t]{0,4}[:=][ \t]{0,4}([\"'])"
    + _PLAIN
    + rb"\4(?!\4)|([\"']?[ \t]?[=:>][ \t]?[\"']?\[redacted: |\",[ \t]?\"(?!value\")[A-Za-z_]{1,60}+\":)|"
    rb"([ \t](?:\[redacted: |(?![sScav])[A-Za-z0-9]{4}))|)"
)
_LINE_VALUE = re.compile(rb"[ \t]{0,4}[:=][ \t]{0,4}(?![\"'`])")
_WORD_BEFORE = re.compile(rb"([A-Za-z]{2,16})[ \t]$")
_QUERY_KEY = re.compile(rb"=([A-Za-z0-9]{16,200}+)(?=[&#\s\"'`<>)\]]|\Z)")  # of an address
_BEGINS_TAG = re.compile(rb"(?:\A|\W)<\Z")

_ACCEPT: dict[str, Callable[[Value, bool], bool]] = {PASSWORD: is_password, TOKEN: is_token, KEY: is_key}
_KINDS = {PASSWORD: "password", TOKEN: "secret", KEY: "secret"}


def find_named(data: bytes, position: int, end: int, stems: Sequence[Span]) -> Iterator[RuleHit]:
    """Every name of a secret that holds one of these stems, with its value where that is one."""
    following, kinds = _FOLLOWING.match, _NAME_KINDS
    for start, stop, name_start, name_end, form, value_start, value_end in _read_names(data, stems):
        if start < position or (
            stop - start < 4 and data[stop : stop + 1] == b"_" and data[start:stop].lower() in _SHORT_STEMS
        ):
            continue
        if name_end - stop == MAX_NAME_REST and data[name_end : name_end + 1] in _NAME_GOES_ON:
            continue  # no name is so long; a stem further on may be that of one
        position = name_end
        if name_start < 0:
            name_start = start if start and data[start - 1] not in _NAME_BYTES else _name_start(data, start)
        kind = kinds.get(name := data[name_start:position])
        if kind is None:
            kind = _remembered_kind(name)
        if not kind and position - name_start == _PASSE:
            kind = _kind_of_two(data, name_start, position)
        if not kind:
            continue
        if kind == KEY:
            kind = _kind_of_key(data, name_start, position)
            if not kind:
                continue
        elif position - name_start == _PASS and name.lower() == b"pass" and is_other_pass(data, name_start, position):
            continue
        if form == PLAIN:
            if kind != KEY and not (kind == TOKEN and is_field_name(data[value_start:value_end])):
                yield start, value_end, ((value_start, value_end),), _KINDS[kind]
                position = value_end
                continue
        elif form == WORD_NEXT and _is_plain_word_next(data, name_start, position):
            continue
        if (found := following(data, stop)) is None or found.lastindex == _MARKED:
            continue
        if kind == KEY and found.lastindex == _QUOTED and found.end(_QUOTED) - found.start(_QUOTED) < MIN_KEY_SIZE:
            continue
        hit = _quick_hit(kind, start, found) or _hit(data, kind, start, name_start, found)
        if kind != KEY and found.lastindex != _QUOTED:
            hit = _mixed_hit(data, kind, start, name_start, found) or hit
        if hit is not None:
            yield hit
            position = hit[1]


def _read_names(data: bytes, stems: Sequence[Span]) -> Iterable[ReadName]:
    """Those that may have a value, with what plainly follows them. A value that is PLAIN is one that `is_generated`."""
    if len(stems) < _MIN_COLUMN_NAMES or stems[-1][1] - stems[0][0] > len(stems) * _MAX_BYTES_A_NAME:
        return _read_one_by_one(data, stems)
    names = read_together(data, stems)
    names.refuse(are_generated(names.plain_values(data)))
    return names.rows()


def _read_one_by_one(data: bytes, stems: Sequence[Span]) -> Iterator[ReadName]:
    for start, stop in stems:
        begun = _BEGINNING.match(data, stop)
        if begun is None or (form := begun.lastindex or 0) == _MARKED_NAME:
            continue
        if form == _WORD_GROUP:
            yield start, stop, -1, begun.end(1), WORD_NEXT, 0, 0
        elif form != _NOTHING and is_generated(begun[form]):
            yield start, stop, -1, begun.end(1), PLAIN, *begun.span(form)
        else:
            yield start, stop, -1, begun.end(1), LOOK, 0, 0


def _is_plain_word_next(data: bytes, name_start: int, stop: int) -> bool:
    """Whether nothing that value_forms.py knows can stand there: no flag, no line of an environment, no tag."""
    return (
        data[name_start] != _HYPHEN
        and name_start > 1
        and data[name_start - 2] not in _BEFORE_ENVIRONMENT
        and data.find(b">", stop, stop + TAG_REST) < 0
    )


def _quick_hit(kind: str, start: int, found: re.Match[bytes]) -> RuleHit | None:
    """The value, where it is one of those that most secrets are: nothing but letters and digits, mixed."""
    form = found.lastindex or _NOTHING
    if kind == KEY or form == _NOTHING:
        return None
    written = found[form]
    if not is_generated(written) and (not is_plainly_random(text := written.decode()) or is_label(text)):
        return None
    if kind == TOKEN and is_field_name(written):
        return None
    span = found.span(form)
    return start, span[1], (span,), _KINDS[kind]


def _hit(data: bytes, kind: str, start: int, name_start: int, found: re.Match[bytes]) -> RuleHit | None:
    stop, form = found.end(1), found.lastindex or _NOTHING
    is_loose = is_tag = form == _TAG_TEXT
    if form > _NOTHING:
        place = found.start(form)
        value = _quick_value(data, kind, form, found)
    elif data[stop : stop + 1] == b">" and data[name_start - 1 : name_start] == b"/":
        return None  # a closing tag: what comes after it is not its own
    else:
        other = value_place(data, name_start, stop)
        if other is None:
            return _fallback_hit(data, kind, start, stop)
        if data.startswith(MARK_START, other[0]) or data.startswith(MARK_START, other[0] + 1):
            return None
        place, is_loose, is_tag = other
        if is_tag and data.find(b"</", place, place + _MAX_TAG_DISTANCE) < 0:
            return None  # nothing closes it
        value = read_value(data, place)
        if is_tag and (value is None or not _is_closed(data, value)):
            return _tagged_hit(data, kind, start, (name_start, stop), place)
        if value is not None and not is_loose:
            if not is_listed_well(data, name_start, stop, place, value):
                return None
            if is_compared_or_told(kind, value, data[max(0, name_start - 80) : name_start], data[stop:place]):
                return None
    if value is None or len(value.text) < 3 or is_other_name(data, name_start, stop, value):
        return None
    is_command = not is_tag and data[name_start:stop].lower() in _ALSO_A_COMMAND
    if is_command and not any(map(str.isdigit, value.text)):
        return None
    if is_tag and kind == PASSWORD and is_shipped(value.text):
        accepted = True  # the file of a program that keeps it, no documentation
    elif value.quoted:
        accepted = _is_secret(kind, value, not is_loose)
    else:
        accepted = _ACCEPT[kind](value, True) or (
            (is_loose or is_shouted(data, name_start, stop, place) or is_line_of_its_own(data, name_start, value))
            and _ACCEPT[kind](value, False)
        )
    return (start, value.end, ((value.start, value.end),), _KINDS[kind]) if accepted else None


def _mixed_hit(data: bytes, kind: str, start: int, name_start: int, found: re.Match[bytes]) -> RuleHit | None:
    """A password of any signs, brackets and quotes too, on a line that has nothing else: elsewhere they are those of code."""
    stop = found.end(1)
    if (place := _LINE_VALUE.match(data, stop)) is None or (run := read_run(data, place.end())) is None:
        return None
    if not is_sign_mix(run.text) or not is_line_of_its_own(data, name_start, run):
        return None
    return start, run.end, ((run.start, run.end),), _KINDS[kind]


def _fallback_hit(data: bytes, kind: str, start: int, stop: int) -> RuleHit | None:
    if (found := FALLBACK.match(data, stop)) is None or (value := read_value(data, found.end())) is None:
        return None
    is_random = value.quoted and (is_plainly_random(value.text) or is_strong(value.text))
    if not is_random or is_label(value.text) or is_placeholder(value.text):
        return None
    return start, value.end, ((value.start, value.end),), _KINDS[kind]


def _quick_value(data: bytes, kind: str, form: int, found: re.Match[bytes]) -> Value | None:
    written, (start, end) = found[form], found.span(form)
    if form == _QUOTED:
        return (
            None
            if (kind, written.decode()) in _HARMLESS
            else quoted_value(start, written, _rest_of_line(data, end + 1))
        )
    return bare_value(start, written, _rest_of_line(data, end))


def _rest_of_line(data: bytes, start: int) -> bytes:
    after = data[start : start + 80]
    return after.partition(b"\n")[0].partition(b"\r")[0]


def _is_secret(kind: str, value: Value, strict: bool) -> bool:
    """Of quoted values, those that are none are remembered: files repeat `"string"` and `"your-token"` without end.

    Only of strict judgements and for them: in a loose place, where the same value may be a secret, it is judged anew.
    """
    if strict and (kind, value.text) in _HARMLESS:
        return False
    if _ACCEPT[kind](value, strict):
        return True
    if strict and not value.after.startswith(("(", "[")):
        if len(_HARMLESS) >= _MAX_CACHED:
            _HARMLESS.clear()
        _HARMLESS.add((kind, value.text))
    return False


def _tagged_hit(data: bytes, kind: str, start: int, name: Span, place: int) -> RuleHit | None:
    """A tag with more than the secret in it: the random words of its text. `List<Token>` in code is none."""
    end = data.find(b"</", place, place + _MAX_TAG_TEXT)
    closing = data[end + 2 : end + _MAX_TAG_TEXT].partition(b">")[0].rstrip()
    if end < 0 or not (
        _BEGINS_TAG.search(data, max(0, name[0] - 2), name[0]) or closing.lower().endswith(data[slice(*name)].lower())
    ):
        return None
    words = [found.span() for found in _LONG_WORD.finditer(data, place, end)]
    spans = [
        span
        for span in words
        if is_strong(data[slice(*span)].decode()) or is_plainly_random(data[slice(*span)].decode())
    ]
    return (start, end, spans, _KINDS[kind]) if spans else None


def _is_closed(data: bytes, value: Value) -> bool:
    return data[value.end : value.end + 60].lstrip().startswith(b"</")


def _name_start(data: bytes, start: int) -> int:
    first = start - 60 if start > 60 else 0
    outside = data[first:start].rstrip(_NAME_CHARACTERS)
    begin, last = first + len(outside), outside[-1:]
    if last not in _ODD_BEFORE and data[begin] != _HYPHEN:
        return begin
    if last == b"\\" and data[begin] in b"nrt":
        return begin + 1  # an escaped line end, not a letter of the name
    if last == b"[" and outside.endswith(b"\x1b["):
        return data.find(b"m", begin, start) + 1 or start  # a colour code of a terminal
    if data.startswith((b"-D", b"-P"), begin):
        return begin + 2  # a property given to Java or Gradle
    return begin


def _kind_of_key(data: bytes, name_start: int, stop: int) -> str:
    """`API key: …`, `cache key: …`: two words make the name."""
    if data[name_start - 1 : name_start] in (b"?", b"&") and (asked := _QUERY_KEY.match(data, stop)) is not None:
        return TOKEN if is_generated(asked[1]) else KEY
    is_behind_gap = name_start > 0 and data[name_start - 1] in _GAPS
    if not is_behind_gap or data[name_start:stop].lower() != b"key":
        return KEY
    before = _WORD_BEFORE.search(data, max(0, name_start - 20), name_start)
    if before is None:
        return KEY
    word = before[1].decode().lower()
    return TOKEN if word in KEY_QUALIFIERS else "" if word in HARMLESS_KEYS else KEY


def _kind_of_two(data: bytes, name_start: int, stop: int) -> str:
    is_passe = data[name_start:stop].lower() == b"passe"
    return PASSWORD if is_passe and data[max(0, name_start - 7) : name_start].lower() == b"mot de " else ""


# No digit says anything: numbered names share a place in the second cache.
_ANY_DIGIT = bytes.maketrans(b"123456789", b"0" * 9)


def _remembered_kind(name: bytes) -> str:
    if len(_NAME_KINDS) >= _MAX_CACHED:
        _NAME_KINDS.clear()
    kind = _NAME_KINDS[name] = _kind_of_bytes(name.translate(_ANY_DIGIT))
    return kind


@lru_cache(4096)
def _kind_of_bytes(name: bytes) -> str:
    return kind_of(name.decode("utf-8", "ignore"))
