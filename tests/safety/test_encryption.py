"""Encryption at rest: what is on the disk, who can open it, and what a kill leaves."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import pmg.store.keys as keys
from pmg.base.errors import InputError, StoreError, StoreLocked
from pmg.cli.main import load_commands
from pmg.cli.root import app
from pmg.config import load
from pmg.doctor import examine
from pmg.engine import Engine
from pmg.store import disk_space, encryption, switch, unlock
from pmg.store.duckdb import backup
from pmg.store.restore import restore_backup
from steward.steward import Steward
from tests.embedding import WordEmbedder
from tests.kills import forking
from tests.stores import store_of
from tests.tiers import one_fast

PASSPHRASE = "correct horse battery"
NEW = "staple of another kind"
CHEAP = 16  # scrypt's cost: the tests guard nothing
WORDS = ("canaryberry", "Titlecanary", "Speakercanary")
SAID = f"The {WORDS[0]} grows behind the house of my aunt."

Open = Callable[..., Engine]
Forked = Callable[..., int]


@pytest.fixture(autouse=True)
def no_keys_of_other_tests(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(keys, "_held", {})
    yield


def lock() -> None:
    """As if this process had just begun."""
    keys._held.clear()


def fill(engine: Engine) -> None:
    with engine.session(title=WORDS[1]) as session:
        session.add(user=SAID, assistant="Noted.")
        session.add(user=f"{WORDS[2]} likes it too.", assistant="Noted as well.")


def holding(folder: Path, needle: bytes) -> list[str]:
    """The files of a directory whose bytes or names hold something."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    return sorted(file.name for file in files if needle in file.read_bytes() or needle in str(file).encode())


def needles() -> list[bytes]:
    vector = np.asarray(WordEmbedder().embed([SAID])[0], dtype=np.float32).tobytes()
    return [*(word.encode() for word in WORDS), vector]


@dataclass(frozen=True)
class Kept:
    """A home that was made once, to be copied to where it was made: a memory knows where its backups are."""

    home: Path
    copy: Path
    held: dict[str, Any]  # the keys this process had for it

    def again(self) -> Path:
        shutil.copytree(self.copy, self.home)
        keys._held.update(self.held)
        return self.home


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("encryption")


@pytest.fixture
def home(place: Path) -> Iterator[Path]:
    yield place / "memory"
    shutil.rmtree(place / "memory", ignore_errors=True)


@pytest.fixture(scope="module")
def plain_home(place: Path) -> Kept:
    """With a memory, indexes on disk and a backup."""
    home = place / "memory"
    with Engine.open(load(home, {}), embedder=WordEmbedder()) as engine:
        fill(engine)
        engine.backup(home / "backups" / "own.duckdb")
    home.rename(place / "plain")
    return Kept(home, place / "plain", {})


@pytest.fixture(scope="module")
def encrypted_home(place: Path, plain_home: Kept) -> Kept:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keys, "_held", {})
        home = plain_home.again()
        for needle in needles():  # the positive control: the same scan finds everything before
            assert holding(home, needle), needle
        assert holding(home, SAID.encode()) and (home / "sessions").is_dir()
        done = encryption.encrypt(home, PASSPHRASE, CHEAP)
        assert done.backups == 1
        home.rename(place / "encrypted")
        return Kept(home, place / "encrypted", dict(keys._held))


@pytest.fixture
def encrypted(encrypted_home: Kept, home: Path) -> Path:
    """A home with a memory, indexes on disk and a backup, encrypted."""
    assert encrypted_home.again() == home
    return home


def test_no_text_title_or_vector_is_on_the_disk(encrypted: Path, open_engine: Open) -> None:
    for _ in range(2):  # as encrypted, and then after a session of use
        for needle in needles():
            assert holding(encrypted, needle) == []
        engine = open_engine()
        with engine.session(title=WORDS[1]) as session:
            session.add(user=f"More about the {WORDS[0]} of {WORDS[2]}.", assistant=WORDS[0])
        assert any(WORDS[0] in segment.text for segment in engine.recall(f"{WORDS[0]} house").segments)
        engine.backup(encrypted / "backups" / "later.duckdb")
        for needle in needles():
            assert holding(encrypted, needle) == []  # while it is open, with its log
        engine.close()
    assert not (encrypted / "sessions").exists()
    assert (encrypted / "index").is_dir()


def test_no_claim_entity_or_given_name_is_on_the_disk(encrypted: Path, open_engine: Open) -> None:
    """Words that stand in claims only as they were read: the relation's name beside its object, and a name given by hand."""
    engine = open_engine()
    with engine.session(title="Plain") as session:
        session.add(user="I work at Claimcanary and my sister Entitycanary lives in Placecanary.", assistant="Noted.")
    engine.extract()
    (one,) = [e for e in engine.reads.people.entities("default") if e.name == "Claimcanary"]
    Steward(engine).rename(one.id, "Givencanary", "default")
    assert any(c.claim.object == "Claimcanary" for c in engine.reads.people.claims("default"))
    for word in ("Claimcanary", "Entitycanary", "Placecanary", "Givencanary"):
        assert holding(encrypted, word.encode()) == []  # while it is open, with its log
    engine.close()
    for word in ("Claimcanary", "Entitycanary", "Placecanary", "Givencanary"):
        assert holding(encrypted, word.encode()) == []
    encryption.decrypt(encrypted)
    assert holding(encrypted, b"Givencanary")  # the positive control


def test_sealed_indexes_are_used_and_not_made_again(encrypted: Path, open_engine: Open) -> None:
    open_engine().close()
    engine = open_engine()
    assert engine.indexes.rebuilt == []
    assert any(finding.what.startswith("encrypted:") for finding in examine(engine))
    assert engine.recall(WORDS[0]).segments


def test_a_changed_bit_in_a_sealed_index_is_noticed(encrypted: Path, open_engine: Open) -> None:
    open_engine().close()
    for piece in (encrypted / "index").rglob("*.piece"):
        data = bytearray(piece.read_bytes())
        data[-1] ^= 1
        piece.write_bytes(data)
    engine = open_engine()
    assert engine.indexes.rebuilt and engine.recall(WORDS[0]).segments


def test_without_a_passphrase_it_does_not_open_and_says_how(encrypted: Path, open_engine: Open) -> None:
    lock()
    with pytest.raises(StoreLocked, match="PMG_PASSPHRASE"):
        open_engine()


def test_a_wrong_passphrase_is_refused_and_the_right_one_opens(encrypted: Path, open_engine: Open) -> None:
    lock()
    before = {file: file.read_bytes() for file in encrypted.rglob("*") if file.is_file()}
    with pytest.raises(StoreLocked, match=r"wrong.*lost"):
        open_engine(passphrase="correct horse batterz")
    assert {file: file.read_bytes() for file in encrypted.rglob("*") if file.is_file()} == before
    assert open_engine(passphrase=PASSPHRASE).counts().sessions == 1


def test_the_passphrase_comes_from_the_environment_a_file_or_a_question(
    encrypted: Path, open_engine: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock()
    open_engine(ask=lambda question: PASSPHRASE).close()
    lock()
    monkeypatch.setenv("PMG_PASSPHRASE", PASSPHRASE)
    open_engine().close()
    lock()
    monkeypatch.delenv("PMG_PASSPHRASE")
    file = tmp_path / "passphrase"
    file.write_text(PASSPHRASE + "\n")
    file.chmod(0o644)
    config = {"encryption": {"passphrase_file": str(file)}}
    with pytest.raises(StoreLocked, match="chmod 600"):
        open_engine(config=config)
    file.chmod(0o600)
    open_engine(config=config).close()


def test_a_changed_passphrase_opens_and_the_old_one_no_longer_does(encrypted: Path, open_engine: Open) -> None:
    encryption.change(encrypted, "another passphrase", CHEAP)
    lock()
    with pytest.raises(StoreLocked):
        open_engine(passphrase=PASSPHRASE)
    assert open_engine(passphrase="another passphrase").counts().sessions == 1


def test_uploads_left_by_a_kill_and_reports_do_not_stay_in_the_clear(home: Path, open_engine: Open) -> None:
    open_engine().close()
    for place in ("temp/abc/export.json", "reports/2026-01-01-default.html"):
        (home / place).parent.mkdir(parents=True)
        (home / place).write_text(SAID)
    encryption.encrypt(home, PASSPHRASE, CHEAP)
    assert holding(home, WORDS[0].encode()) == []


def test_a_session_that_goes_on_is_encrypted_too_and_can_be_continued(home: Path, open_engine: Open) -> None:
    engine = open_engine()
    engine.session(session_id="going-on", title=WORDS[1]).add(user=SAID)
    engine.close()
    assert holding(home, WORDS[0].encode())
    encryption.encrypt(home, PASSPHRASE, CHEAP)
    assert [needle for needle in needles() if holding(home, needle)] == []
    engine = open_engine()
    engine.session(session_id="going-on").add(user=f"{WORDS[2]} asked for the canaryberry.")
    engine.settle()
    assert {s.id for s in engine.recall(WORDS[0]).segments} == {"seg_going-on_0", "seg_going-on_1"}
    engine.close()
    assert [needle for needle in needles() if holding(home, needle)] == []


def test_a_short_passphrase_is_refused_and_nothing_is_written(open_engine: Open, home: Path) -> None:
    open_engine().close()
    with pytest.raises(InputError, match="at least 8"):
        encryption.encrypt(home, "short", CHEAP)
    assert not (home / keys.HEADER).exists()


def test_decrypting_brings_everything_back(encrypted: Path, open_engine: Open) -> None:
    done = encryption.decrypt(encrypted)
    assert done.backups == 1 and not (encrypted / keys.HEADER).exists()
    lock()
    engine = open_engine()
    assert engine.counts().sessions == 1
    assert "own.duckdb" in holding(encrypted, WORDS[0].encode())


def test_a_new_memory_can_be_encrypted_from_the_start(home: Path, open_engine: Open) -> None:
    encryption.encrypt(home, PASSPHRASE, CHEAP)
    engine = open_engine()
    fill(engine)
    engine.close()
    assert all(holding(home, needle) == [] for needle in needles())


def test_a_backup_elsewhere_is_encrypted_and_restores_into_another_home(
    encrypted: Path, open_engine: Open, tmp_path: Path
) -> None:
    file = tmp_path / "elsewhere" / "backup.duckdb"
    engine = open_engine()
    engine.backup(file)
    engine.close()
    assert all(holding(file.parent, needle) == [] for needle in needles())
    lock()
    other = load(tmp_path / "other", {})
    with pytest.raises(StoreLocked):
        restore_backup(other.home, file)
    unlock.unlock_file(file, other, PASSPHRASE)
    assert restore_backup(other.home, file).segments == 2
    lock()
    with Engine.open(other, embedder=WordEmbedder(), passphrase=PASSPHRASE) as restored:
        assert restored.recall(WORDS[0]).segments
    assert keys.read_header(other.home / keys.HEADER).state == keys.READY
    assert all(holding(other.home, needle) == [] for needle in needles())


@pytest.mark.slow
def test_a_plain_backup_is_encrypted_when_it_is_restored(encrypted: Path, open_engine: Open, tmp_path: Path) -> None:
    with Engine.open(load(tmp_path / "plain", {}), embedder=WordEmbedder()) as plain:
        fill(plain)
        plain.backup(tmp_path / "plain.duckdb")
    assert "plain.duckdb" in holding(tmp_path, WORDS[0].encode())
    restore_backup(encrypted, tmp_path / "plain.duckdb")
    assert all(holding(encrypted, needle) == [] for needle in needles())
    assert open_engine().counts().sessions == 1


def test_a_lost_header_is_told_as_such(encrypted: Path, open_engine: Open) -> None:
    header = encrypted / keys.HEADER
    kept = header.read_bytes()
    header.unlink()
    (encrypted / keys.COPY).unlink()
    with pytest.raises(StoreError, match=keys.HEADER):
        open_engine()
    header.write_bytes(kept)
    assert open_engine().counts().sessions == 1


@pytest.mark.parametrize("damage", ["gone", "cut", "changed"])
def test_a_header_that_is_gone_or_damaged_is_made_again_from_its_copy(
    encrypted: Path, open_engine: Open, damage: str
) -> None:
    header = encrypted / keys.HEADER
    kept = header.read_bytes()
    if damage == "gone":
        header.unlink()
    else:
        header.write_bytes(kept[:40] if damage == "cut" else b"\0" * len(kept))
    assert open_engine().counts().sessions == 1
    assert header.read_bytes() == kept


def test_the_copy_of_the_header_follows_a_new_passphrase_and_goes_with_the_header(encrypted: Path) -> None:
    encryption.change(encrypted, "another long passphrase", cost=2**4)
    assert (encrypted / keys.COPY).read_bytes() == (encrypted / keys.HEADER).read_bytes()
    encryption.decrypt(encrypted)
    assert not list(encrypted.glob("encryption*"))


def test_spilled_rows_are_encrypted(encrypted: Path, open_engine: Open) -> None:
    database = store_of(open_engine()).database
    assert database.row("SELECT current_setting('temp_file_encryption')") == (True,)
    (folder,) = database.row("SELECT current_setting('temp_directory')")
    assert Path(folder).is_relative_to(encrypted)


# kills


@pytest.fixture(scope="module")
def forked() -> Iterator[Forked]:
    """One process for all of them: to import the program takes longer than to encrypt a memory."""
    with forking("pmg.store.encryption") as run:
        yield run


KILLED = """
import os, signal, sys
from pathlib import Path
from pmg.store import encryption
home, point = Path(sys.argv[1]), sys.argv[2]
def die(*_): os.kill(os.getpid(), signal.SIGKILL)
count = 0
def counting(copy):
    def counted(*arguments, **named):
        global count
        count += 1
        if point == f"before copy {count}": die()
        copy(*arguments, **named)
        if point == f"after copy {count}": die()
    return counted
encryption._copy_own = counting(encryption._copy_own)  # the memory
encryption.foreign.copied = counting(encryption.foreign.copied)  # a backup
if point == "finish": encryption._finish = die
if point == "mark": encryption.mark = die
encryption.encrypt(home, sys.argv[3], 16)
"""


@pytest.mark.parametrize("point", one_fast(["before copy 1", "after copy 1", "finish", "after copy 2", "mark"]))
def test_a_kill_while_encrypting_leaves_a_memory_that_opens(
    point: str, home: Path, plain_home: Kept, open_engine: Open, forked: Forked
) -> None:
    plain_home.again()
    assert forked(KILLED, str(home), point, PASSPHRASE) == -signal.SIGKILL
    turned = keys.is_encrypted_home(home)
    assert turned == (point in ("finish", "after copy 2", "mark"))
    engine = open_engine(passphrase=PASSPHRASE)
    assert engine.recall(WORDS[0]).segments
    engine.close()
    if not turned:
        encryption.encrypt(home, PASSPHRASE, CHEAP)  # begun again, it goes through
    assert keys.read_header(home / keys.HEADER).state == keys.READY
    for needle in needles():
        assert holding(home, needle) == []
    assert open_engine().counts().sessions == 1


RENEWED = KILLED.replace(
    "encryption.encrypt(home, sys.argv[3], 16)",
    """
from pmg.store.keys import HEADER, hold, read_header
from pmg.store.seal import Key
hold(Key.unwrap(read_header(home / HEADER).wrapped, sys.argv[3]))
if point == "header":
    encryption._replace = die
encryption.renew(home, sys.argv[4], cost=16)
""",
)


@pytest.mark.parametrize(
    "point", one_fast(["header", "after copy 1", "before copy 2", "after copy 2", "finish", "mark"])
)
def test_a_kill_while_the_key_is_changed_loses_nothing(
    point: str, encrypted: Path, open_engine: Open, forked: Forked
) -> None:
    before = keys.read_header(encrypted / keys.HEADER)
    assert forked(RENEWED, str(encrypted), point, PASSPHRASE, NEW) == -signal.SIGKILL
    lock()
    engine = open_engine(passphrase=NEW)
    assert engine.recall(WORDS[0]).segments
    engine.close()
    after = keys.read_header(encrypted / keys.HEADER)
    assert after.state == keys.READY and after.key_id != before.key_id and not after.before
    assert backup.check(encrypted / "backups" / "own.duckdb") == 2


def test_with_a_new_key_the_old_header_and_passphrase_open_nothing(
    encrypted: Path, open_engine: Open, tmp_path: Path
) -> None:
    kept = (encrypted / keys.HEADER).read_bytes()
    open_engine(passphrase=PASSPHRASE).close()
    told: list[tuple[str, int, int]] = []
    done = encryption.renew(encrypted, NEW, lambda *step: told.append(step), CHEAP)
    assert done.backups == 1 and {what for what, _, _ in told} == {
        "writing memory.duckdb anew (MB)",
        "writing own.duckdb anew (MB)",
    }
    lock()
    assert open_engine(passphrase=NEW).recall(WORDS[0]).segments
    for needle in needles():
        assert holding(encrypted, needle) == []
    lock()
    for file in ("memory.duckdb", "backups/own.duckdb"):
        thief = tmp_path / file.replace("/", "-") / "memory.duckdb"
        thief.parent.mkdir()
        thief.write_bytes((encrypted / file).read_bytes())
        (thief.parent / keys.HEADER).write_bytes(kept)
        with pytest.raises(StoreError, match="cannot be opened"):
            Engine.open(load(thief.parent, {}), embedder=WordEmbedder(), passphrase=PASSPHRASE)


def test_a_new_key_that_cannot_be_written_leaves_the_old_one(
    encrypted: Path, open_engine: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_engine(passphrase=PASSPHRASE).close()
    before = (encrypted / keys.HEADER).read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backup, "copy_with", full)
    with pytest.raises(StoreError, match="No space left"):
        encryption.renew(encrypted, NEW, cost=CHEAP)
    assert (encrypted / keys.HEADER).read_bytes() == before
    lock()
    assert open_engine(passphrase=PASSPHRASE).counts().sessions == 1


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def without_the_lock(files: dict[str, bytes]) -> dict[str, bytes]:
    return {name: held for name, held in files.items() if name != "owner.lock"}


def refuse_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_space, "free_bytes", lambda _: 1_000_000)


def refuse_switch(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(switch, "_fresh", full)


@pytest.mark.parametrize("refuse", [refuse_room, refuse_switch])
def test_an_encryption_that_is_refused_changes_nothing(
    refuse: Callable[[pytest.MonkeyPatch], None], plain_home: Kept, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = without_the_lock(contents(plain_home.again()))
    refuse(monkeypatch)
    with pytest.raises(StoreError, match=r"room|Free some space"):
        encryption.encrypt(home, PASSPHRASE, CHEAP)
    assert without_the_lock(contents(home)) == before


@pytest.mark.parametrize("refuse", [refuse_room, refuse_switch])
def test_a_decryption_that_is_refused_changes_nothing(
    refuse: Callable[[pytest.MonkeyPatch], None], encrypted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = without_the_lock(contents(encrypted))
    refuse(monkeypatch)
    with pytest.raises(StoreError, match=r"room|Free some space"):
        encryption.decrypt(encrypted)
    assert without_the_lock(contents(encrypted)) == before


def test_a_memory_in_the_clear_is_encrypted_whatever_header_was_left_beside_it(plain_home: Kept, home: Path) -> None:
    (plain_home.again() / keys.HEADER).write_text("half of", encoding="utf-8")
    encryption.encrypt(home, PASSPHRASE, CHEAP)
    assert keys.read_header(home / keys.HEADER).state == keys.READY


def test_a_new_memory_that_was_not_opened_yet_takes_another_passphrase(home: Path) -> None:
    encryption.encrypt(home, PASSPHRASE, CHEAP)
    lock()
    encryption.encrypt(home, NEW, CHEAP)
    assert keys.read_header(home / keys.HEADER).state == keys.READY


@pytest.mark.slow
def test_a_copy_that_waits_to_be_put_in_place_keeps_the_header_of_its_key(
    encrypted: Path, open_engine: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The memory before it is still there, but the next start puts the new one in its place."""

    def stopped(*_: object) -> bool:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(switch, "finish", stopped)
        with pytest.raises(StoreError, match="Input/output"):
            encryption.renew(encrypted, NEW, cost=CHEAP)
    lock()
    assert open_engine(passphrase=NEW).recall(WORDS[0]).segments


# the command line


def run(home: Path, *words: str) -> str:
    load_commands()
    result = CliRunner().invoke(app, ["--home", str(home), *words])
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.slow
def test_the_commands_take_no_passphrase_and_say_that_a_lost_one_is_final(
    home: Path, open_engine: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_engine(embedder=None, load=False)
    fill(engine)
    engine.close()
    monkeypatch.setenv("PMG_PASSPHRASE", PASSPHRASE)
    assert "final" in run(home, "encrypt")
    assert keys.is_encrypted_home(home)
    lock()
    assert WORDS[1] in run(home, "sessions")
    monkeypatch.setenv("PMG_NEW_PASSPHRASE", "another passphrase")
    assert "final" in run(home, "encrypt", "--change")
    lock()
    monkeypatch.setenv("PMG_PASSPHRASE", "another passphrase")
    assert "1 (0 open)" in run(home, "stats")
    monkeypatch.setenv("PMG_NEW_PASSPHRASE", NEW)
    assert "new key" in run(home, "encrypt", "--new-key")
    lock()
    monkeypatch.setenv("PMG_PASSPHRASE", NEW)
    assert "1 (0 open)" in run(home, "stats")
    run(home, "decrypt")
    assert not keys.is_encrypted_home(home) and holding(home / "sessions", WORDS[0].encode())
    help_text = run(home, "encrypt", "--help") + run(home, "decrypt", "--help")
    assert "--passphrase" not in help_text


def test_where_nobody_can_be_asked_the_command_says_what_to_set(home: Path, open_engine: Open) -> None:
    open_engine().close()
    load_commands()
    result = CliRunner().invoke(app, ["--home", str(home), "encrypt"])
    assert result.exit_code != 0 and "PMG_PASSPHRASE" in result.output
    assert not (home / keys.HEADER).exists()
