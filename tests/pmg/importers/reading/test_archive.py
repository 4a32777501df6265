"""Archives are read member by member: hostile ones cost nothing, damaged ones only what is damaged."""

from __future__ import annotations

import gzip
import io
import json
import os
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from pmg.importers.conversation import Conversation, Level, Problem, Result
from pmg.importers.read import read, total_bytes
from pmg.importers.reading.archive import Limits
from tests.pmg.importers.places import OWN

TALK = (OWN / "chatgpt/2023-plain.json").read_bytes()
OTHER = (OWN / "claude/2023-text.json").read_bytes()


def zipped(path: Path, members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def bytes_of_zip(members: dict[str, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return held.getvalue()


def split(results: list[Result]) -> tuple[list[str], list[Problem]]:
    return (
        [result.title for result in results if isinstance(result, Conversation)],
        [result for result in results if isinstance(result, Problem)],
    )


def test_the_members_of_a_zip_come_in_by_their_names_order_and_pictures_are_only_counted(tmp_path: Path) -> None:
    picture = b"\x89PNG\r\n\x1a\n\0\0\0"
    path = zipped(tmp_path / "e.zip", {"b/claude.json": OTHER, "a.json": TALK, "x.png": picture, "y.png": picture})
    titles, problems = split(list(read([path])))
    assert titles == ["Sourdough", "Old chat"]
    assert [(problem.level, problem.count, ".png ×2" in problem.reason) for problem in problems] == [
        (Level.SKIPPED, 2, True)
    ]


def test_nothing_is_written_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = zipped(tmp_path / "e.zip", {"a.json": TALK, "in.zip": bytes_of_zip({"b.json": OTHER})})
    before = sorted(tmp_path.rglob("*"))
    monkeypatch.chdir(tmp_path)
    titles, _ = split(list(read([path])))
    assert len(titles) == 2
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    "name", ["../evil.json", "/etc/evil.json", "a/../../evil.json", "C:\\evil.json", "..\\evil.json"]
)
def test_a_name_that_reaches_outside_is_refused_and_the_rest_comes_in(tmp_path: Path, name: str) -> None:
    titles, problems = split(list(read([zipped(tmp_path / "e.zip", {name: OTHER, "good.json": TALK})])))
    assert titles == ["Sourdough"]
    assert ["outside" in problem.reason for problem in problems] == [True]


def test_links_in_archives_and_folders_are_not_followed(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("link.json")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "e.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    (tmp_path / "loop").symlink_to(tmp_path)
    titles, problems = split(list(read([tmp_path])))
    assert titles == []
    assert sorted("link" in problem.reason for problem in problems) == [True, True]


def test_a_bomb_is_refused_by_its_ratio_its_size_and_its_total(tmp_path: Path) -> None:
    bomb = zipped(tmp_path / "bomb.zip", {"bomb.json": b"[" + b" " * 40_000_000 + b"]", "good.json": TALK})
    titles, problems = split(list(read([bomb])))
    assert titles == ["Sourdough"]
    assert "bomb" in problems[0].reason
    many = zipped(tmp_path / "many.zip", {f"{n}.json": TALK + b" " * n for n in range(9)})
    titles, problems = split(list(read([many], limits=Limits(total=4 * len(TALK) + 50))))
    assert len(problems) >= 5
    assert split(list(read([many], limits=Limits(members=3))))[0] == []


def test_many_small_bombs_are_refused_together(tmp_path: Path) -> None:
    path = tmp_path / "many.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(40):
            archive.writestr(f"{number}.txt", b"a" * 1_000_000)
    told = [p for p in read([path], limits=Limits(small=2_000_000)) if isinstance(p, Problem)]
    read_whole = 40 - sum("over the limit" in problem.reason for problem in told)
    assert path.stat().st_size < 60_000
    assert read_whole <= 12  # 200 times what is packed, and no more


def test_a_packed_bomb_without_a_directory_is_refused_while_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "bomb.json.gz"
    path.write_bytes(gzip.compress(b"[" + b" " * 40_000_000 + b"]"))
    titles, problems = split(list(read([path])))
    assert titles == []
    assert "bomb" in problems[0].reason


def test_an_archive_in_an_archive_is_opened_and_one_deeper_is_not(tmp_path: Path) -> None:
    inner = bytes_of_zip({"b.json": OTHER, "deeper.zip": bytes_of_zip({"c.json": TALK})})
    titles, problems = split(list(read([zipped(tmp_path / "e.zip", {"in.zip": inner, "a.json": TALK})])))
    assert sorted(titles) == ["Old chat", "Sourdough"]
    assert [(problem.level, "deeper.zip" in problem.file) for problem in problems] == [(Level.SKIPPED, True)]


def test_a_damaged_member_costs_itself_and_a_damaged_zip_is_told(tmp_path: Path) -> None:
    path = zipped(tmp_path / "e.zip", {"a.json": TALK, "b.json": OTHER}, zipfile.ZIP_STORED)
    data = bytearray(path.read_bytes())
    where = data.index(b"Sourdough")
    data[where] ^= 0x20
    path.write_bytes(data)
    titles, problems = split(list(read([path])))
    assert "Old chat" in titles
    assert any("damaged" in problem.reason for problem in problems)
    path.write_bytes(bytes(data[: len(data) // 2]))
    titles, problems = split(list(read([path])))
    assert titles == []
    assert "incomplete download" in problems[0].reason


def test_an_encrypted_member_says_what_to_do(tmp_path: Path) -> None:
    path = zipped(tmp_path / "e.zip", {"a.json": TALK}, zipfile.ZIP_STORED)
    data = bytearray(path.read_bytes())
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    _, problems = split(list(read([path])))
    assert "password" in problems[0].reason


def test_a_tar_packed_or_not_is_read_and_its_links_are_not(tmp_path: Path) -> None:
    for name, mode in (("e.tgz", "w:gz"), ("e.tar", "w:")):
        with tarfile.open(tmp_path / name, mode) as archive:
            member = tarfile.TarInfo("Takeout/a.json")
            member.size = len(TALK)
            archive.addfile(member, io.BytesIO(TALK))
            link = tarfile.TarInfo("link")
            link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
            archive.addfile(link)
        titles, problems = split(list(read([tmp_path / name])))
        assert titles == ["Sourdough"]
        assert ["link" in problem.reason for problem in problems] == [True]


def test_progress_adds_up_to_the_total_whatever_the_files_are(tmp_path: Path) -> None:
    zipped(
        tmp_path / "e.zip", {"a.json": TALK, "x.bin": os.urandom(100_000), "in.zip": bytes_of_zip({"b.json": OTHER})}
    )
    (tmp_path / "c.json").write_bytes(OTHER)
    (tmp_path / "d.json.gz").write_bytes(gzip.compress(TALK))
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04 no zip")
    (tmp_path / "empty.json").write_bytes(b"")
    told: list[int] = []
    list(read([tmp_path], on_bytes=told.append))
    assert all(count > 0 for count in told)
    assert sum(told) == total_bytes([tmp_path]) == sum(p.stat().st_size for p in tmp_path.iterdir())


@pytest.mark.parametrize("name", ["export.zip", "export.tar.gz", "backup.ZIP"])
@pytest.mark.parametrize("data", [bytes(range(256)) * 20, b"\xfe\xed no zero in it", b"\0" * 600])
def test_bytes_that_only_have_the_name_of_an_archive_are_a_broken_one(name: str, data: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    (problem,) = read([tmp_path])
    assert isinstance(problem, Problem) and problem.level is Level.BROKEN
    assert problem.file.endswith(name) and "damaged archive" in problem.reason


def test_what_a_browser_unpacked_is_read_under_its_old_name(tmp_path: Path) -> None:
    (tmp_path / "conversations.json.gz").write_bytes(TALK)
    titles, problems = split(list(read([tmp_path])))
    assert titles == ["Sourdough"] and not problems


def test_folders_are_walked_in_order_and_a_missing_path_is_told(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / name).mkdir()
        talk = json.loads(OTHER)
        talk[0] |= {"uuid": name, "name": name}
        (tmp_path / name / "conversations.json").write_text(json.dumps(talk), encoding="utf-8")
    titles, problems = split(list(read([tmp_path, tmp_path / "nowhere"])))
    assert titles == ["a", "b"]
    assert ["no such file" in problem.reason for problem in problems] == [True]
