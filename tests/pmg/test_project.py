"""Which project something was said in: by the repository's remote, else by the folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from pmg.base.model import Session
from pmg.base.project import (
    ProjectScope,
    plain_remote,
    project_asked,
    project_in,
    project_key,
    project_name,
    repository_of,
    with_repository,
)
from pmg.base.times import now

SHOP = "github.com/ann/shop"


def key(remote: str, folder: Path | str = "") -> str:
    return project_key({"repository": remote, "cwd": str(folder)})


def repository(folder: Path, remote: str = "git@github.com:ann/shop.git") -> Path:
    (folder / ".git").mkdir(parents=True)
    told = (
        f'[core]\n\tbare = false\n[remote "origin"]\n\turl = {remote}\n\tfetch = +refs/heads/*\n'
        if remote
        else "[core]\n"
    )
    (folder / ".git" / "config").write_text(told)
    return folder


@pytest.mark.parametrize(
    "address",
    [
        "git@github.com:ann/shop.git",
        "https://github.com/Ann/shop",
        "https://ann:" + "hunter2" + "@github.com/ann/shop.git/",
        "ssh://git@github.com:22/ann/shop.git",
        " github.com:ann/shop ",
        "hg::https://ann:" + "hunter2" + "@github.com/ann/shop",
        "ann:" + "hunter2" + "@github.com:ann/shop",
        "hunter2" + "@github.com/ann/shop",
        "my_tool://ann:" + "hunter2" + "@github.com/ann/shop",
    ],
)
def test_a_remote_is_the_same_however_it_is_written(address: str) -> None:
    assert plain_remote(address) == SHOP


@pytest.mark.parametrize(
    ("address", "plain"),
    [("/srv/git/shop.git", "/srv/git/shop"), ("C:\\git\\shop", "C:\\git\\shop"), ("", ""), ("https://[bad/x", "")],
)
def test_a_remote_on_this_machine_is_a_folder(address: str, plain: str) -> None:
    assert plain_remote(address) == plain


def test_nested_folders_clones_and_working_trees_are_one_project(tmp_path: Path) -> None:
    first = repository(tmp_path / "shop")
    inner = first / "src" / "api"
    inner.mkdir(parents=True)
    clone = repository(tmp_path / "renamed", "https://github.com/ann/shop")
    tree = tmp_path / "tree"
    (first / ".git" / "worktrees" / "tree").mkdir(parents=True)
    (first / ".git" / "worktrees" / "tree" / "commondir").write_text("../..\n")
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {first}/.git/worktrees/tree\n")
    keys = {repository_of(str(folder)) for folder in (first, inner, clone, tree)}
    assert keys == {SHOP}
    here = project_in(str(tree))
    assert here is not None and here.name == "shop"
    assert here.has(key(SHOP)) and here.has(key("", tree / "docs")) and here.has(key(SHOP, "/on/another/machine"))
    assert not here.has(key("github.com/ann/blog", tree / "blog")) and not here.has(key("", tmp_path / "blog"))
    assert not here.has("")


def test_where_a_remote_was_never_read_the_folder_counts() -> None:
    """The folder is gone, or was made a repository later."""
    gone, without = project_in("/home/ann/shop"), key(SHOP, "/home/ann/shop")
    assert gone is not None and gone.has(without) and not gone.has(key("github.com/ann/blog", "/home/ann/blog"))


def test_a_repository_keeps_its_memory_when_its_remote_comes_or_changes(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    inner = repository(shop / "vendored", "git@github.com:ann/inner.git")
    (shop / "src").mkdir()
    here, inside = project_in(str(shop / "src")), project_in(str(inner))
    assert here is not None and inside is not None
    for former in (key("", shop), key(str(shop), shop / "docs"), key("gitlab.com/ann/shop", shop)):
        assert here.has(former)
    assert not inside.has(key("gitlab.com/ann/shop", shop)) and not inside.has(key(str(shop), shop))
    assert not here.has(key("github.com/ann/inner", inner))


@pytest.mark.parametrize(
    "lines",
    [
        'url = "https://ann:{}@github.com/ann/shop" ; of the office',
        "url = https://github.com/ann/shop # the office's",
        "fetch = +refs/heads/*\n\t\turl = git@github.com:ann/shop.git\n\t\t\tpushurl = x",
    ],
)
def test_settings_are_read_as_git_reads_them(tmp_path: Path, lines: str) -> None:
    told = lines.format("hunter2")
    (repository(tmp_path / "shop") / ".git" / "config").write_text(f'[remote "origin"]\n\t{told}\n')
    assert repository_of(str(tmp_path / "shop")) == SHOP


def test_a_repository_without_a_remote_is_its_folder(tmp_path: Path) -> None:
    inner = repository(tmp_path / "shop", "") / "src"
    inner.mkdir()
    assert repository_of(str(inner)) == str(tmp_path / "shop")
    assert with_repository({"cwd": str(inner)}) == {"cwd": str(inner), "repository": str(tmp_path / "shop")}


@pytest.mark.parametrize("told", ["", "[remote", '[remote "origin"]\n', "\x00\x00", "x" * 100])
def test_settings_that_say_nothing_leave_the_folder(tmp_path: Path, told: str) -> None:
    (repository(tmp_path / "shop") / ".git" / "config").write_text(told)
    assert repository_of(str(tmp_path / "shop")) == str(tmp_path / "shop")


@pytest.mark.parametrize("folder", ["", "relative", "/no/such/folder", "C:\\work\\shop", "a\0b"])
def test_where_there_is_no_repository_there_is_none(folder: str) -> None:
    assert repository_of(folder) == ""


@pytest.mark.parametrize(
    ("meta", "name"),
    [
        ({"repository": SHOP, "cwd": "/home/ann/old-name"}, "shop"),
        ({"cwd": "C:\\work\\shop"}, "shop"),
        ({"cwd": "/home/ann/one, /home/ann/two"}, "one"),
        ({"cwd": "/home/ann/a\n[0:9] b"}, "a [0:9] b"),
        ({}, ""),
    ],
)
def test_a_session_has_the_name_of_its_project(meta: dict[str, str], name: str) -> None:
    session = Session("s", "default", "s", "", "codex", now(), None, False, meta=meta)
    assert session.project == name == project_name(project_key(meta))


@pytest.mark.parametrize("asked", ["shop", " Shop ", SHOP, "https://github.com/ann/shop.git", "/home/ann/shop/src"])
def test_a_project_is_asked_for_by_name_repository_or_folder(asked: str) -> None:
    wanted = project_asked(asked)
    assert wanted is not None
    assert wanted.has(key(SHOP)) or wanted.has(key("", "/home/ann/shop"))
    assert not wanted.has(key("", "/home/ann/blog"))


@pytest.mark.parametrize(
    ("asked", "has"),
    [
        ("a" * 50, key("", f"/home/ann/{'a' * 50}")),
        ("GitHub.com/Ann/Shop", key(SHOP)),
        ("Ann/Shop", key(SHOP)),
        ("~/shop", key("", Path.home() / "shop")),
        ("C:/Users/Ann/shop", key("", "c:\\users\\ann\\shop")),
    ],
)
def test_a_project_is_found_as_people_write_it(asked: str, has: str) -> None:
    wanted = project_asked(asked)
    assert wanted is not None and wanted.has(has)
    assert not wanted.has(key("github.com/joann/shop")) and not wanted.has(key("", "/home/ann/blog"))


def test_what_is_no_address_is_no_project() -> None:
    wanted = project_asked("https://[bad/x")
    assert wanted is not None and not wanted.has(key(SHOP)) and not wanted.has("")


def test_names_are_read_once() -> None:
    """A question looks at all projects."""
    assert project_name(key("", "/home/ann/some shop")) is project_name(key("", "/home/ann/some shop"))


def test_every_project_is_asked_for_by_nothing_or_a_star() -> None:
    assert project_asked("") is None and project_asked("*") is None
    here = project_in("/home/ann/shop")
    assert here is not None
    assert ProjectScope(here, nowhere=True).has("") and not ProjectScope(here, elsewhere=True).has("")
    assert ProjectScope(here, here=False, elsewhere=True).has(key("", "/home/ann/blog"))
    assert not ProjectScope(here, here=False, elsewhere=True).has(key("", "/home/ann/shop"))
