"""Keys and sealed bytes: the one owner of the `cryptography` library.

Knows: how a passphrase becomes a key (scrypt), how that key wraps the memory's own random key, the keys that are derived
from it for each purpose, and AES-GCM over streams.

The memory's key is random and does not change with the passphrase: changing the passphrase wraps the same key anew, and
nothing else is written. A new key is a choice of its own, and means writing everything anew. Without the passphrase the key, and with it every word, is gone for good.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pmg.base.errors import InputError, StoreError, StoreLocked

COST = 2**17  # scrypt's N, with r = 8: 128 MB and about half a second for every guess
_R, _P = 8, 1
_MAX_SCRYPT_COST = 2**21  # a header that asks for more is not one of ours, and would take the machine's memory
_MAGIC = b"PMGseal1"
_CHUNK = 1 << 20
_MIN_PASSPHRASE_SIZE = 8


class Hash(Protocol):
    def update(self, data: bytes | memoryview, /) -> None: ...
    def hexdigest(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Wrapped:
    """The memory's key behind a passphrase: nothing in here is secret."""

    salt: bytes
    nonce: bytes
    box: bytes
    cost: int = COST


class Key:
    """The memory's key. It is never shown: neither in a message nor by `repr`."""

    __slots__ = ("_secret",)

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    @classmethod
    def fresh(cls) -> Key:
        return cls(os.urandom(32))

    def wrap(self, passphrase: str, cost: int = COST) -> Wrapped:
        salt, nonce = os.urandom(16), os.urandom(12)
        box = AESGCM(_stretched(passphrase, salt, cost)).encrypt(nonce, self._secret, _MAGIC)
        return Wrapped(salt, nonce, box, cost)

    @classmethod
    def unwrap(cls, wrapped: Wrapped, passphrase: str) -> Key:
        try:
            key = _stretched(passphrase, wrapped.salt, wrapped.cost)
            return cls(AESGCM(key).decrypt(wrapped.nonce, wrapped.box, _MAGIC))
        except InvalidTag:
            raise StoreLocked(
                "The passphrase is wrong. Try again; if it is lost, nothing can open this memory: there is no second key."
            ) from None

    def hide(self, other: Key) -> bytes:
        """Another key behind this one: whoever has this one has both, for as long as it takes to leave the other."""
        nonce = os.urandom(12)
        return nonce + AESGCM(self._derived(b"before")).encrypt(nonce, other._secret, _MAGIC)

    def reveal(self, box: bytes) -> Key:
        try:
            return Key(AESGCM(self._derived(b"before")).decrypt(box[:12], box[12:], _MAGIC))
        except InvalidTag:
            raise StoreError(
                "The earlier key in the header of the encryption is damaged: it does not open with the present one. "
                "Put back the header that was written last, or restore a backup (`pmg restore FILE`)."
            ) from None

    def database(self) -> str:
        """What the database is encrypted with."""
        return self._derived(b"database").hex()

    def seal(self) -> Seal:
        return Seal(self._derived(b"files"))

    def box(self) -> SecretBox:
        """What single texts inside the database are sealed with."""
        return SecretBox(self._derived(b"redactions"))

    @property
    def id(self) -> str:
        """Tells one key from another without giving either away."""
        return self._derived(b"name").hex()[:16]

    def _derived(self, purpose: bytes) -> bytes:
        return hashlib.blake2b(purpose, key=self._secret, digest_size=32, person=b"pmg-key").digest()


class Seal:
    """Encrypts what is written beside the database. Each file has a key of its own, so no nonce is ever used twice."""

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        self._key = key

    def hasher(self) -> Hash:
        """Names by content that only the holder of the key can compare with a guess."""
        return hashlib.blake2b(key=self._key, digest_size=32)

    def closed(self, parts: Iterable[bytes | memoryview]) -> Iterator[bytes]:
        """The parts, joined and encrypted, in chunks. The last chunk says that it is the last: a cut file is noticed."""
        salt = os.urandom(16)
        cipher = AESGCM(self._file_key(salt))
        yield _MAGIC + salt
        count, held = 0, None
        for chunk in _chunks(parts):
            if held is not None:
                yield cipher.encrypt(_nonce(count), held, b"")
                count += 1
            held = chunk
        yield cipher.encrypt(_nonce(count), held or b"", b"last")

    def opened(self, file: BinaryIO) -> Iterator[bytes]:
        """What was closed, or StoreError when a single bit is not as it was written."""
        head = file.read(len(_MAGIC) + 16)
        if not head.startswith(_MAGIC):
            raise StoreError("it is not sealed")
        cipher = AESGCM(self._file_key(head[len(_MAGIC) :]))
        count, chunk = 0, file.read(_CHUNK + 16)
        try:
            while chunk:
                following = file.read(_CHUNK + 16)
                yield cipher.decrypt(_nonce(count), chunk, b"" if following else b"last")
                count, chunk = count + 1, following
        except InvalidTag:
            raise StoreError("it was changed after it was written, or is sealed with another key") from None

    def _file_key(self, salt: bytes) -> bytes:
        return hashlib.blake2b(salt, key=self._key, digest_size=32, person=b"pmg-file").digest()


class SecretBox:
    """Seals short texts one by one; each is bound to what it is called, so that no two can be exchanged."""

    __slots__ = ("_cipher",)

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)

    @classmethod
    def with_ephemeral_key(cls) -> SecretBox:
        """Under a key that nobody keeps: nothing that is sealed with it opens again."""
        return cls(os.urandom(32))

    def close(self, secret: bytes, name: str) -> bytes:
        nonce = os.urandom(12)
        return nonce + self._cipher.encrypt(nonce, secret, name.encode())

    def open(self, box: bytes, name: str) -> bytes:
        try:
            return self._cipher.decrypt(box[:12], box[12:], name.encode())
        except (InvalidTag, ValueError):
            raise StoreError(
                "What was sealed here does not open: it is under another key than this memory's, or was changed."
            ) from None


def checked_passphrase(text: str) -> str:
    if len(text) < _MIN_PASSPHRASE_SIZE:
        raise InputError(
            f"The passphrase has {len(text)} characters: give at least {_MIN_PASSPHRASE_SIZE}, better four random words."
        )
    return text


def _stretched(passphrase: str, salt: bytes, cost: int) -> bytes:
    if cost < 16 or cost > _MAX_SCRYPT_COST or cost & (cost - 1):
        raise StoreError(
            f"The header of the encryption asks for a cost of {cost}, which PMG never writes: it is damaged."
        )
    secret = passphrase.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(secret, salt=salt, n=cost, r=_R, p=_P, maxmem=(1 << 20) + 256 * cost * _R, dklen=32)


def _nonce(count: int) -> bytes:
    return count.to_bytes(12, "big")


def _chunks(parts: Iterable[bytes | memoryview]) -> Iterator[bytes]:
    held = bytearray()
    for part in parts:
        for start in range(0, len(part), _CHUNK):
            held += part[start : start + _CHUNK]
            while len(held) >= _CHUNK:
                yield bytes(held[:_CHUNK])
                del held[:_CHUNK]
    if held:
        yield bytes(held)
