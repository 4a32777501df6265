"""Every error PMG raises on purpose. A message carries the value that was wrong and the mend.

PmgError
├── ConfigError      an unknown key or a value out of range
├── InputError       text, a time, a query or a file that cannot be taken as it is
├── NotFound         no such session, segment, file or backup
├── AccessDenied     the server does not let this token in, or not to that
├── StoreError       the store cannot be opened or written as asked
│   ├── StoreBusy        another process holds it
│   ├── StoreLocked      it is encrypted, and no passphrase or a wrong one was given
│   ├── StoreTooNew      a later version of PMG made it
│   ├── DiskFull         there is no room to write; reading goes on
│   ├── StoreBehind      files beside it know of memories that it does not hold
│   └── WrongModel       it holds vectors of another embedding model
├── IndexDamaged     a derived file is missing, foreign, stale or corrupt (callers rebuild)
├── ModelUnavailable the embedding model cannot be loaded; memory goes on without it
└── ChatUnavailable  the chat model cannot be reached, refuses, or stops in the middle
"""

from __future__ import annotations


class PmgError(Exception):
    """The root: the edges show its message as it is, without a traceback."""


class ConfigError(PmgError):
    pass


class InputError(PmgError):
    pass


class NotFound(PmgError):
    pass


class AccessDenied(PmgError):
    pass


class StoreError(PmgError):
    pass


class StoreBusy(StoreError):
    pass


class StoreLocked(StoreError):
    pass


class StoreTooNew(StoreError):
    pass


class DiskFull(StoreError):
    pass


class StoreBehind(StoreError):
    pass


class WrongModel(StoreError):
    pass


class IndexDamaged(PmgError):
    pass


class ModelUnavailable(PmgError):
    pass


class ChatUnavailable(PmgError):
    pass
