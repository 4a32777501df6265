"""Which project something was said in: the repository that the work was in, else its folder.

A source notes the folder of a session (`cwd`); where that lies in a repository, `repository` is noted beside it while the folder is there to be
read: the remote, which is the same for every clone, working tree and name of the folder, or without a remote the repository's own folder.
"""

from __future__ import annotations

import configparser
import os.path
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePath, PureWindowsPath
from urllib.parse import urlsplit

CWD, REPOSITORY = "cwd", "repository"  # in the meta of a session
MAX_NAME = 40  # characters of a name as it is shown
EVERYWHERE = "*"
MAX_SETTINGS = 1_000_000  # bytes of a repository's settings
MAX_READ = 10_000  # projects whose names and folders are kept as they were read: each question looks at all of them


def project_key(meta: Mapping[str, str]) -> str:
    """What stands for the project of a session: the repository and the folder, a line each; empty where it came from neither."""
    repository, folder = (" ".join(meta.get(name, "").split("\n")) for name in (REPOSITORY, CWD))
    return f"{repository}\n{folder}" if repository or folder else ""


@lru_cache(MAX_READ)
def project_name(key: str) -> str:
    """Its last part, as a person calls it."""
    repository, _, folder = key.partition("\n")
    folders = _folders(repository or folder)
    if not folders:
        return ""
    first = folders[min(1, len(folders) - 1)]  # of several
    return _shown(first.name or str(first))


def _shown(name: str) -> str:
    return " ".join(name.split())[:MAX_NAME]


@dataclass(frozen=True, slots=True)
class Project:
    """A project as somebody asks for it: by its name, by its repository, or by folders it is worked on in."""

    name: str
    repository: str = ""
    folders: tuple[PurePath, ...] = ()

    def has(self, key: str) -> bool:
        if not key:
            return False
        if not self.repository and not self.folders:
            return project_name(key).casefold() == _shown(self.name).casefold()
        repository, _, folder = key.partition("\n")
        if not self.folders:  # `ann/shop` is enough
            return f"/{repository}".casefold().endswith(f"/{self.repository}".casefold())
        if repository and self.repository:  # its remote may have come or changed since
            places = (*_folders(folder), *_folders(repository))
            return repository == self.repository or any(place in self.folders for place in places)
        return any(
            one == place or one in place.parents or place in one.parents
            for one in _folders(folder)
            for place in self.folders
        )


@dataclass(frozen=True, slots=True)
class ProjectScope:
    """Which sessions are looked through: those of a project, those of none, those of all others."""

    project: Project
    here: bool = True
    nowhere: bool = False
    elsewhere: bool = False

    def has(self, key: str) -> bool:
        if not key:
            return self.nowhere
        return self.here if self.project.has(key) else self.elsewhere


def project_asked(text: str) -> Project | None:
    """By a name (`shop`), a folder (`~/shop`) or a repository (`github.com/ann/shop`, `ann/shop`); None: in every project."""
    asked = os.path.expanduser(text.strip())  # noqa: PTH111 (Path raises for somebody unknown)
    if asked in ("", EVERYWHERE):
        return None
    path = path_of(asked)
    if path.is_absolute():
        return project_in(asked)
    return Project(asked, plain_remote(asked)) if "/" in asked else Project(asked)


def scope_asked(text: str) -> ProjectScope | None:
    project = project_asked(text)
    return ProjectScope(project) if project is not None else None


def project_in(*folders: str) -> Project | None:
    """The one that is worked on in this folder; where a tool changed its folder on the way, in any of these."""
    given = [folder for folder in folders if folder.strip()]
    if not given:
        return None
    repository = repository_of(given[0])
    name = project_name(project_key({REPOSITORY: repository, CWD: given[0]}))
    places = [place for folder in given for place in _folders(folder)]
    root = root_of(given[0])
    return Project(name, repository, tuple(dict.fromkeys([*places, *([root] if root else [])])))


def with_repository(meta: Mapping[str, str]) -> dict[str, str]:
    """The notes of a session, with the repository of its folder where that is on this machine."""
    folders = _folders(meta.get(CWD, ""))
    found = repository_of(str(folders[min(1, len(folders) - 1)])) if folders and not meta.get(REPOSITORY) else ""
    return {**meta, **({REPOSITORY: found} if found else {})}


def repository_of(folder: str) -> str:
    """`github.com/ann/shop` for the repository around this folder; its own folder where it has no remote; empty where there is none."""
    root = root_of(folder)
    if root is None:
        return ""
    try:
        settings = _settings_folder(root / ".git")
        return _remote(settings / "config") or str(settings.parent)
    except (OSError, ValueError):
        return ""


def plain_remote(address: str) -> str:
    """The same for every way to write it, and without a name or a password in it."""
    try:
        host, path = _host_and_path(address.strip())
    except ValueError:  # no address: https://[bad/x
        return ""
    plain = path.rstrip("/").removesuffix(".git")
    return f"{host}/{plain.strip('/')}".lower() if host else plain


def _host_and_path(address: str) -> tuple[str, str]:
    """The host is empty where it is a folder."""
    helper, doubled, behind = address.partition("::")  # hg::https://…
    text = behind if doubled and helper.replace("-", "").isalnum() else address
    if "://" in text:
        parts = urlsplit("//" + text.partition("://")[2])  # whatever is in front
        return parts.hostname or "", parts.path
    if path_of(text).is_absolute():
        return "", text
    place, slash, path = text.partition("/")
    host, colon, first = place.rpartition("@")[2].partition(":")  # git@github.com:ann/shop
    return (host, f"{first}{slash}{path}") if colon else ("", f"{host}{slash}{path}")


def path_of(folder: str) -> PurePath:
    """Of either system: a memory may have been told on another."""
    return PureWindowsPath(folder) if "\\" in folder or folder[1:3] == ":/" else PurePath(folder)


@lru_cache(MAX_READ)
def _folders(told: str) -> tuple[PurePath, ...]:
    """What a session was told of its folder; Gemini CLI tells of several at once, and a name may have a comma in it."""
    return tuple(map(path_of, dict.fromkeys((told, *told.split(", "))))) if told else ()


def root_of(folder: str) -> Path | None:
    """The repository's own folder around this one."""
    try:
        here = Path(folder)
        return next(
            (place for place in (here, *here.parents) if here.is_absolute() and (place / ".git").exists()), None
        )
    except (OSError, ValueError):
        return None


def _settings_folder(git: Path) -> Path:
    """The folder of the settings; a working tree beside the repository's own has a file that leads there."""
    if git.is_dir():
        return git
    own = (git.parent / git.read_text(encoding="utf-8").strip().removeprefix("gitdir: ")).resolve()
    shared = own / "commondir"
    return (own / shared.read_text(encoding="utf-8").strip()).resolve() if shared.is_file() else own


def _remote(settings: Path) -> str:
    """Of `origin`, else of the first remote there is."""
    if not settings.is_file() or settings.stat().st_size > MAX_SETTINGS:
        return ""
    read = configparser.ConfigParser(strict=False, allow_no_value=True, interpolation=None, delimiters=("=",))
    try:
        lines = settings.read_text(encoding="utf-8", errors="replace").splitlines()
        read.read_string("\n".join(map(str.strip, lines)))  # to git an indented line is one of its own
    except configparser.Error:
        return ""
    remotes = [name for name in read.sections() if name.startswith('remote "')]
    named = 'remote "origin"' if 'remote "origin"' in remotes else next(iter(remotes), "")
    return plain_remote(_unquoted(read.get(named, "url", fallback="") or "")) if named else ""


def _unquoted(value: str) -> str:
    """A value of git's settings without its quotes, or without the comment behind it."""
    if value.startswith('"'):
        return value[1:].partition('"')[0]
    return value.partition("#")[0].partition(";")[0]
