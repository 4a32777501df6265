"""Which key opens which file: the header beside an encrypted memory, and the keys this process was given.

Knows: the header file, how an encrypted database is told from a plain one, and the keys that a passphrase opened in this
process. Does not know: how keys are made (seal.py), or where a passphrase comes from (pmg/store/unlock.py).

Keys are held for the life of the process, by the name of the key: a backup, a copy and the store itself are opened in many
places, and one process owns a store.
"""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from pmg.base.errors import StoreError, StoreLocked
from pmg.base.filesystem import sync_folder
from pmg.store.seal import Key, Seal, Wrapped

MEMORY = "memory.duckdb"
HEADER = "encryption.json"
COPY = "encryption.copy.json"  # the same again: without it nobody can open the memory
BESIDE = ".key"  # the header of a single file that left its home, such as a backup elsewhere
_FORMAT = 1
_DUCK, _FLAGS = slice(8, 12), 20  # where a database file says what it is, and that it is encrypted

READY, CLOSING, OPENING, RENEWING = "ready", "encrypting", "decrypting", "new key"

_held: dict[str, Key] = {}


@dataclass(frozen=True, slots=True)
class Header:
    """`state` is `ready`, or what was begun and is not finished. `before` is the key that is being left, behind the new one."""

    key_id: str
    wrapped: Wrapped
    state: str = READY
    before: bytes = b""


def is_encrypted(file: Path) -> bool:
    """Whether a database file is encrypted, by its own first bytes; one that is not there is not."""
    try:
        with file.open("rb") as opened:
            head = opened.read(_FLAGS + 1)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StoreError(f"{file} cannot be read: {error.strerror or error}. Check who may read it.") from None
    return len(head) > _FLAGS and head[_DUCK] == b"DUCK" and bool(head[_FLAGS] & 1)


def is_encrypted_home(home: Path) -> bool:
    return is_encrypted(home / MEMORY)


def header_file(file: Path) -> Path | None:
    """The header that belongs to a database file: its own, its directory's, or that of the memory it lies in."""
    places = [file.with_name(file.name + BESIDE), file.parent / HEADER]
    if file.parent.name == "backups" or file.parent.name.startswith(".incoming-"):
        places.append(file.parent.parent / HEADER)
    return next((place for place in places if place.is_file()), None)


def read_header(place: Path) -> Header:
    try:
        header = json.loads(place.read_text(encoding="utf-8"))
        salt, nonce, box = (bytes.fromhex(header[name]) for name in ("salt", "nonce", "key"))
        wrapped = Wrapped(salt, nonce, box, int(header["n"]))
        if header["format"] != _FORMAT or header["kdf"] != "scrypt":
            raise StoreError(f"{place} was written by a newer PMG: upgrade it to open this memory.")
        return Header(str(header["key_id"]), wrapped, str(header["state"]), bytes.fromhex(header.get("before", "")))
    except (OSError, ValueError, KeyError, TypeError):
        raise StoreError(
            f"{place} is damaged or cannot be read. The memory cannot be opened without it: put back a copy of this file "
            f"(one lies beside it as {COPY}, and beside every backup made to another place)."
        ) from None


def write_header(place: Path, header: Header) -> None:
    """Whole or not at all, and on disk before anything relies on it; a memory's own then once more."""
    _write(place, header)
    if place.name == HEADER:
        _write(place.with_name(COPY), header)


def heal_header(home: Path) -> bool:
    """A header that is gone or damaged is taken from its copy, and a copy that is older than the header from that."""
    place, copy = home / HEADER, home / COPY
    if not place.exists() and not copy.exists():
        return False
    held, kept = _readable(place), _readable(copy)
    if held is not None:
        if kept != held:
            _write(copy, held)
        return False
    if kept is None:
        return False
    if place.exists():
        place.replace(place.with_name(f"{HEADER}.damaged"))
    _write(place, kept)
    return True


def drop_header(home: Path) -> None:
    """The copy first: alone it would bring the header back."""
    for name in (COPY, f"{HEADER}.damaged", HEADER):
        (home / name).unlink(missing_ok=True)
    sync_folder(home)


def _readable(place: Path) -> Header | None:
    try:
        return read_header(place)
    except StoreError:
        return None


def _write(place: Path, header: Header) -> None:
    wrapped = header.wrapped
    fields = {
        "format": _FORMAT,
        "state": header.state,
        "key_id": header.key_id,
        "kdf": "scrypt",
        "n": wrapped.cost,
        "salt": wrapped.salt.hex(),
        "nonce": wrapped.nonce.hex(),
        "key": wrapped.box.hex(),
    }
    fields |= {"before": header.before.hex()} if header.before else {}
    handle, name = tempfile.mkstemp(prefix=f".{place.name}.", suffix=".tmp", dir=place.parent)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(json.dumps(fields, indent=1))
        file.flush()
        os.fsync(file.fileno())
    Path(name).replace(place)  # mkstemp made it 0600
    sync_folder(place.parent)


def mark(place: Path, state: str) -> None:
    """What is finished has no earlier key any more."""
    header = read_header(place)
    write_header(place, replace(header, state=state, before=b"" if state == READY else header.before))


def hold(key: Key) -> None:
    _held[key.id] = key


def is_held(header: Header) -> bool:
    return header.key_id in _held


def held(header: Header, place: Path) -> Key:
    """The key of the header that stands in the file `place`."""
    if header.key_id not in _held:
        raise StoreLocked(
            f"The memory in {place.parent} is encrypted, and its passphrase has not been given: set PMG_PASSPHRASE, or name a "
            f"file with it in encryption.passphrase_file."
        )
    return _held[header.key_id]


def key_for(file: Path) -> Key | None:
    """The key of a database file; None for a plain one. A file that is not there yet is made as its home is."""
    if file.exists() and not is_encrypted(file):
        return None
    place = header_file(file)
    if place is None:
        if not file.exists():
            return None
        raise StoreLocked(
            f"{file} is encrypted, and neither {file.name}{BESIDE} nor {HEADER} lies beside it: without that small file "
            f"nobody can open it. Put it back beside the file."
        )
    header = read_header(place)
    # A new file in a home that is only about to be encrypted, or no longer is, is a plain one.
    if not file.exists() and header.state not in (READY, RENEWING):
        return None
    return held(header, place)


def no_key_to_seal_with(home: Path) -> str:
    return (
        f"redact.keep_sealed is on, but the memory in {home} is not encrypted: there is no key to seal with. Encrypt it first "
        f"(`pmg encrypt`), or switch it off (`pmg config redact.keep_sealed false`)."
    )


def seal_for(file: Path) -> Seal | None:
    """How the files derived from this database are written: None is in the clear."""
    key = key_for(file)
    return key.seal() if key is not None else None
