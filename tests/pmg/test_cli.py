"""The command line as a person uses it: what it prints, where, and with which exit code."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
import typer
from typer.testing import CliRunner, Result

from pmg.base.errors import InputError
from pmg.cli.main import load_commands
from pmg.cli.root import GROUPS, app, parser
from pmg.store.owner import Owner
from tests.embedding import WordEmbedder

Run = Callable[..., Result]
SECRET = "ghp_" + "a1B2c3D4e5F6" * 3


@pytest.fixture
def run(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Runs a command on a home of its own, with the stand-in for a model."""
    monkeypatch.setattr("pmg.ingest.model_in_force.open_embedder", lambda *_: WordEmbedder())
    monkeypatch.setenv("PMG_EMBED_MODEL", "stand-in")
    monkeypatch.setenv("PMG_HOME", str(home))

    def one(*words: str, given: str | bytes | None = None) -> Result:
        result = CliRunner().invoke(app, list(words), input=given)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.output
        return result

    yield one


def good(result: Result) -> str:
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return str(result.stdout)


def bad(result: Result, says: str) -> None:
    assert result.exit_code == 1, result.output
    assert says in result.stderr
    assert "Traceback" not in result.output
    assert "pmg: " not in result.stdout


load_commands()  # each is a test below, whichever file was imported first


def commands(group: click.Command, names: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield names
    for name, command in sorted(getattr(group, "commands", {}).items()):
        yield from commands(command, (*names, name))


@pytest.mark.parametrize("names", list(commands(typer.main.get_command(app))), ids=" ".join)
def test_every_command_says_what_it_does(run: Run, names: tuple[str, ...]) -> None:
    told = good(run(*names, "--help"))
    assert "Usage:" in told
    assert len(told.splitlines()) > 3


def test_a_recall_that_nothing_speaks_for_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("remember", "--user", "the cat sees the vet", "--assistant", "noted")
    assert "speaks for this" not in run("recall", "when does the cat see the vet?").stdout
    monkeypatch.setattr("pmg.answer.speaks.nearest", lambda *_: 0.0)  # all that the stand-in knows are words
    told = run("recall", "zxqv blorf wug frob cat").stdout
    assert told.startswith("Note: Nothing in this memory speaks for this") and "<memory" in told


def test_help_groups_every_command_and_begins_with_remembering() -> None:
    grouped = {name: command.rich_help_panel for name, command in parser().commands.items()}  # type: ignore[attr-defined]
    assert next(iter(grouped)) == "remember" and all(grouped.values()), grouped
    assert set(" ".join(GROUPS.values()).split()) == set(grouped)


def test_a_turn_is_remembered_and_recalled_with_its_reasons(run: Run) -> None:
    told = good(
        run("remember", "--user", "the cat sees the vet", "--assistant", "noted", "--at", "2026-03-03T19:02+01:00")
    )
    assert told.startswith("Remembered as seg_")
    told = good(run("recall", "cat vet", "--why", "--mode", "fixed"))
    for part in (
        "Tue 2026-03-03 19:02 +01:00",
        "User: the cat sees the vet",
        "Assistant: noted",
        "Why (fixed;",
        "entry",
    ):
        assert part in told


def test_a_sentence_is_remembered_as_it_stands(run: Run) -> None:
    good(run("remember", "My new bike is a red Cube"))
    assert "User: My new bike is a red Cube" in good(run("recall", "which bike do I have?"))
    good(run("remember", "word " * 200))  # too long for a path is no error


def test_one_word_beside_an_option_of_one_turn_is_a_saying(run: Run, tmp_path: Path) -> None:
    good(run("remember", "Old.", "--at", "2020-01-01"))
    assert "2020-01-01" in good(run("sessions"))
    bad(run("remember", "x", "--at", "2026-99-01"), "'2026-99-01' is not a time")
    bad(run("remember", "notes.md", "--at", "2020-01-01"), "--at is for one turn, and the file notes.md is given too")
    file = tmp_path / "talk"
    file.write_text("User: the cat\n")
    bad(run("remember", str(file), "--title", "Cats"), f"the file {file} is given too")
    bad(run("remember", "-", "--title", "Cats"), "standard input is given too")


def test_a_session_that_is_there_stays_in_its_conversation(run: Run) -> None:
    good(run("remember", "The cat.", "--session", "s1", "--conversation", "home"))
    told = "The session 's1' belongs to the conversation 'home', not to 'work': leave the conversation out to add to it"
    bad(run("remember", "The vet.", "--session", "s1", "--conversation", "work"), told)
    assert "The vet." not in good(run("show", "s1"))
    good(run("remember", "The vet.", "--session", "s1", "--conversation", "home"))
    good(run("remember", "The dog.", "--session", "s1"))
    assert "The vet." in good(run("show", "s1"))


@pytest.mark.parametrize("name", ["my notes.txt", "./my notes", "nowhere"])
def test_a_mistyped_file_name_is_not_stored_as_a_saying(run: Run, name: str) -> None:
    bad(run("remember", name), "There is no file")
    assert "empty" in good(run("sessions"))


def test_json_is_json_whatever_is_stored(run: Run) -> None:
    text = "cat :cat: \x1b[31m \u009b \U000e0001 猫"
    good(run("remember", "--user", text, "--title", text))
    found = json.loads(good(run("recall", "cat", "--json")))
    assert "猫" in found["context"]
    assert ":cat:" in found["context"]
    assert found["receipt"]["found"][0]["segment"].startswith("seg_")
    (session,) = json.loads(good(run("sessions", "--json")))
    assert session["title"] == text
    assert json.loads(good(run("stats", "--json")))["sessions"] == 1


def test_stored_text_cannot_act_on_the_terminal(run: Run) -> None:
    good(run("remember", "--user", "cat \x1b]0;title\x07 [red]x[/red] :smile:", "--session", "s1"))
    for words in (("recall", "cat"), ("show", "s1"), ("show", "seg_s1_0")):
        told = good(run(*words))
        assert "\x1b" not in told
        assert "[red]x[/red] :smile:" in told


@pytest.mark.slow
def test_a_session_comes_from_a_file_or_standard_input(run: Run, tmp_path: Path) -> None:
    text = "User: the cat\nAssistant: the vet\nUser: bread\n"
    assert "2 turns of 1 session remembered" in good(run("remember", "-", given=text))
    file = tmp_path / "talk.txt"
    file.write_text(text)
    assert "0 turns of 0 sessions remembered, 2 known already" in good(run("remember", str(file)))
    bad(run("remember", "-", given=b"\xff\xfe"), "not UTF-8")
    bad(run("remember", str(tmp_path / "nowhere")), "There is no file")
    bad(run("remember", "-", given='{"role": "user"}'), "Line 1 has only 'role'")
    bad(run("remember"), "nothing to remember")
    bad(run("remember", "--user", " "), "no words in it")
    before = run("sessions").output
    bad(run("remember", "--user", "x", "--at", "soon"), "'soon' is not a time")
    assert run("sessions").output == before  # no empty session stays behind
    bad(run("remember", "--user", "x", "--session", "../x"), "cannot name a session")


def test_secrets_left_out_are_counted(run: Run) -> None:
    told = good(run("remember", "-", given=f"User: the key is {SECRET}\n"))
    assert "Secrets left out: 1 × " in told
    assert "the key is [redacted: " in told and SECRET not in told
    assert SECRET not in good(run("recall", "key"))


@pytest.mark.slow
def test_sessions_and_segments_are_shown_in_the_namespace(run: Run) -> None:
    assert "This memory is empty" in good(run("sessions"))
    good(run("remember", "--user", "the cat", "--session", "s1", "--title", "Cats"))
    good(run("remember", "--user", "the kitten", "--session", "s2"))
    told = good(run("sessions"))
    assert "Cats" in told
    assert good(run("sessions", "--limit", "1")).startswith("… 1 earlier one: --limit 2 shows all.\n")
    assert good(run("sessions", "--limit", "0")) == "… 2 earlier ones: --limit 2 shows all.\n"
    assert run("sessions", "--limit", "-3").exit_code == 2
    assert "User: the cat" in good(run("show", "s1"))
    told = good(run("show", "seg_s1_0"))
    assert "semantic        ← seg_s2_0" in told
    bad(run("show", "seg_s9_0"), "There is no segment 'seg_s9_0'")
    bad(run("show", "nowhere"), "There is no session 'nowhere'")
    bad(run("--namespace", "other", "show", "s1"), "There is no session 's1'")
    bad(run("--namespace", "other", "show", "seg_s1_0"), "There is no segment 'seg_s1_0'")
    bad(run("--namespace", "a/b", "sessions"), "namespace 'a/b' is not allowed")


def test_stats_and_doctor_read_like_sentences(run: Run) -> None:
    good(run("remember", "--user", "the cat"))
    assert "segments  1 (1 active), 0 without vectors" in good(run("stats"))
    told = good(run("doctor"))
    assert "✓ memories are found by their meaning (embedding model words, 32 dimensions, loaded" in told
    assert "✗" not in told


@pytest.mark.slow
def test_rebuild_says_what_it_made(run: Run) -> None:
    good(run("remember", "--user", "the cat"))
    told = good(run("rebuild", "--links"))
    assert "Indexed 1 window and 1 line anew." in told
    assert "automatic links anew" in told


def test_backup_and_restore_keep_what_was_there(run: Run, home: Path, tmp_path: Path) -> None:
    file = tmp_path / "backup.duckdb"
    good(run("remember", "--user", "the cat", "--session", "s1"))
    assert "Backed up 1 segment to" in good(run("backup", str(file)))
    good(run("remember", "--user", "the dog", "--session", "s2"))
    assert run("restore", str(file), given="n\n").exit_code == 1
    assert len(json.loads(good(run("sessions", "--json")))) == 2
    told = good(run("restore", str(file), "--yes"))
    assert "Restored 1 segment. The memory before it is " in told
    assert "Ready: 1 segment." in told
    assert len(json.loads(good(run("sessions", "--json")))) == 1
    bad(run("restore", str(tmp_path / "nowhere"), "--yes"), "There is no backup")
    bad(run("restore", str(tmp_path), "--yes"), "is a folder")
    bad(run("backup", str(home / "memory.duckdb")), "is the memory itself")


def test_a_backup_takes_the_place_of_nothing_but_a_backup_and_asks_first(run: Run, home: Path, tmp_path: Path) -> None:
    good(run("remember", "--user", "the cat", "--session", "s1"))
    diary, file = tmp_path / "diary.md", tmp_path / "backup.duckdb"
    diary.write_text("my diary", "utf-8")
    bad(run("backup", str(diary), "--replace"), "is no backup")
    assert diary.read_text("utf-8") == "my diary"
    good(run("backup", str(file)))
    good(run("remember", "--user", "the dog", "--session", "s2"))
    first = file.read_bytes()
    asked = run("backup", str(file), given="n\n")
    assert asked.exit_code == 1 and "is a backup already, of 1 segment" in asked.output
    assert file.read_bytes() == first
    assert "Backed up 2 segments" in good(run("backup", str(file), "--replace"))
    assert "Backed up 2 segments" in good(run("backup", str(file), given="y\n"))


def test_where_nobody_can_answer_a_question_is_one_sentence_with_the_option_that_does_not_ask(
    run: Run, tmp_path: Path
) -> None:
    file = str(tmp_path / "backup.duckdb")
    good(run("remember", "--user", "the cat", "--session", "s1"))
    good(run("backup", file))
    for words, option in ((("backup", file), "--replace"), (("restore", file), "--yes"), (("forget", "s1"), "--yes")):
        unasked = run(*words)
        bad(unasked, f"Nobody can answer here, so nothing was changed: {option} does not ask.")
        assert "[y/N]" not in unasked.output and "Aborted" not in unasked.output
    assert len(json.loads(good(run("sessions", "--json")))) == 1


def test_a_knob_is_shown_set_and_refused(run: Run, home: Path) -> None:
    assert "recall.top_k = 3" in good(run("config", "recall.top_k"))
    assert "recall.top_k = 5" in good(run("config", "recall.top_k", "5"))
    good(run("config", "redact.allow", "one, two"))
    good(run("config", "namespace", "work"))
    assert (home / "config.toml").read_text() == (
        'namespace = "work"\n\n[recall]\ntop_k = 5\n\n[redact]\nallow = ["one", "two"]\n'
    )
    assert "recall.top_k = 5" in good(run("config", "recall.top_k"))
    before = (home / "config.toml").read_bytes()
    bad(run("config", "recall.top_k", "500"), "recall.top_k is 500; it must be from 1 to 100")
    bad(run("config", "recall.top_k", "many"), "recall.top_k is 'many'")
    bad(run("config", "recall.topk", "5"), "recall.topk, which PMG does not know")
    bad(run("config", "recall.topk"), "There is no knob 'recall.topk'")
    bad(run("config", "nothing", "5"), "'nothing', which PMG does not know")
    bad(run("config", "namespace.x", "5"), "PMG does not know")
    assert (home / "config.toml").read_bytes() == before
    told = good(run("config"))
    assert "namespace = work" in told
    assert "[recall]" in told


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("steward.archive", "99 99 * * *"),
        ("steward.merge", "77 88 * * *"),
        ("steward.backup", "0 0 31 2 *"),
        ("steward.quiet_hours", "foo"),
        ("steward.quiet_hours", "25:00-26:00"),
    ],
)
def test_a_time_that_cannot_be_read_or_never_comes_is_refused(run: Run, home: Path, name: str, value: str) -> None:
    bad(run("config", name, value), f"{name} is '{value}'")
    assert not (home / "config.toml").exists()


def test_one_time_is_mended_where_another_is_wrong(run: Run, home: Path) -> None:
    home.mkdir()
    (home / "config.toml").write_text('[steward]\narchive = "99 99 * * *"\nmerge = "77 88 * * *"\n')
    good(run("config", "steward.archive", "0 4 * * *"))
    good(run("config", "steward.merge", "every 6h"))


def test_thresholds_of_an_empty_memory_are_not_said_to_be_measured_on_it(run: Run) -> None:
    told = good(run("calibrate"))
    assert "on the pairs that ship with PMG, for this memory is too small to count" in told


def test_a_folder_that_is_made_for_a_file_is_told(run: Run, tmp_path: Path) -> None:
    good(run("remember", "--user", "the cat"))
    new = tmp_path / "new"
    for number, words in enumerate([("report", "r.html"), ("backup", "b.duckdb"), ("export", "--format", "csv", "e.csv"),
                                    ("sql", "FROM v_lines", "--out", "s.csv")]):  # fmt: skip
        file = new / str(number) / words[-1]
        assert f"The folder {file.parent} is new." in good(run(*words[:-1], str(file)))
        again = ("--replace",) if words[0] == "backup" else ()
        assert "is new" not in good(run(*words[:-1], str(file), *again))


def test_a_report_without_a_name_gets_one(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = good(run("report"))
    (page,) = tmp_path.glob("pmg-report-20*.html")
    assert page.name in told and page.stat().st_size > 1_000


def test_an_export_of_somebody_or_something_unknown_is_refused(run: Run, tmp_path: Path) -> None:
    good(run("remember", "--user", "the cat"))
    file = tmp_path / "e.csv"
    bad(run("export", str(file), "--format", "csv", "--person", "Nobody"), "There is no session in which Nobody speaks")
    bad(
        run("export", str(file), "--format", "csv", "--topic", "Nope"),
        "with a turn of the topic Nope: nothing was written",
    )
    assert not file.exists()
    assert "0 sessions written" in good(run("export", str(file), "--format", "csv", "--since", "2199-01-01"))


@pytest.mark.slow
def test_the_variable_names_a_namespace_as_the_option_does(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good(run("--namespace", "team", "remember", "The team tea is Assam."))
    good(run("--namespace", "bram", "remember", "My therapist is Dr. Quispel."))
    file = tmp_path / "e.jsonl"
    told = good(run("export", str(file), "--format", "jsonl"))
    assert "2 sessions written" in told and "of the namespaces bram, team." in told
    monkeypatch.setenv("PMG_NAMESPACE", "team")
    told = good(run("export", str(file), "--format", "jsonl"))
    assert "1 session written" in told and "of the namespace team." in told
    assert "Quispel" not in file.read_text()
    assert "1 session written" in good(run("--namespace", "bram", "export", str(file), "--format", "jsonl"))
    assert "Quispel" in file.read_text() and "Assam" not in file.read_text()


@pytest.mark.slow
def test_upkeep_keeps_to_the_namespace_of_the_variable(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    good(run("--namespace", "bram", "remember", "My therapist is Dr. Quispel.", "--session", "s"))
    good(run("--namespace", "bram", "steward", "pin", "seg_s_0"))
    assert "pin" in good(run("steward", "history")) and "backup" in good(run("steward", "plan"))
    monkeypatch.setenv("PMG_NAMESPACE", "team")
    assert "Nothing has been done yet." in good(run("steward", "history"))
    assert "backup" not in good(run("steward", "plan"))  # of the whole memory
    bad(run("steward", "undo", "last"), "There is nothing to undo")
    monkeypatch.setenv("PMG_NAMESPACE", "bram")
    assert "pin" in good(run("steward", "history"))


def test_a_broken_config_file_is_an_error_not_a_traceback(run: Run, home: Path) -> None:
    home.mkdir()
    (home / "config.toml").write_text("[recall\n")
    bad(run("sessions"), "is not valid TOML")
    bad(run("config", "recall.top_k", "5"), "is not valid TOML")


def test_an_empty_home_is_refused_and_nothing_is_made_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["--home", "", "remember", "The piano tuner came."])
    assert isinstance(result.exception, InputError) and str(result.exception) == "--home is empty: give a path."
    assert list(tmp_path.iterdir()) == []


def test_what_was_said_at_a_time_without_a_zone_was_said_on_this_clock(
    run: Run, set_clock: Callable[[str], None]
) -> None:
    set_clock("Pacific/Auckland")
    good(run("remember", "My dentist is Dr Ngata.", "--at", "2026-11-19 01:00"))
    assert "2026-11-19 01:00 +13:00" in good(run("sessions"))


def test_an_unusable_home_is_an_error_not_a_traceback(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for words in (("sessions",), ("config", "recall.top_k", "5")):
        bad(run("--home", str(tmp_path / "file" / "home"), *words), "cannot be used as a memory directory")


def test_a_memory_in_use_is_an_error_that_names_the_process(run: Run, home: Path) -> None:
    good(run("sessions"))
    owner = Owner.claim(home)
    bad(run("sessions"), "is held by process")
    owner.release()


def test_an_empty_query_and_an_empty_memory_are_answered(run: Run) -> None:
    assert "The query has no words" in good(run("recall", " "))
    assert "Nothing in this memory answers that." in good(run("recall", "cat"))


@pytest.mark.slow
def test_a_document_is_learnt(run: Run, tmp_path: Path) -> None:
    (tmp_path / "cats.md").write_text("All about the cat.")
    assert "Learnt cats.md: 1 piece, 0 known already." in good(run("learn", str(tmp_path / "cats.md")))
    bad(run("learn", str(tmp_path / "nowhere.md")), "There is no file")


@pytest.mark.slow
def test_a_change_of_model_is_written_into_the_configuration(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good(run("remember", "--user", "the cat"))
    monkeypatch.setattr("pmg.embed.load.open_embedder", lambda *_: WordEmbedder("second"))
    assert "now uses second (32 dimensions)" in good(run("reembed", "--model", "second"))
    assert 'model = "second"' in (home / "config.toml").read_text()
    bad(run("recall", "cat"), "holds vectors of the model 'second'")
    monkeypatch.setattr("pmg.ingest.model_in_force.open_embedder", lambda *_: WordEmbedder("second"))
    assert "the cat" in good(run("recall", "cat"))


def test_the_script_starts_without_the_heavy_libraries() -> None:
    code = "import sys; import pmg.cli.root, pmg.cli.memory, pmg.cli.maintenance; print([m for m in ('torch', 'gradio', 'faiss') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_reads_the_words_is_put_together_once() -> None:
    assert parser() is parser()
    assert set(parser().commands) == set(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


def chats(file: Path, count: int) -> Path:
    """A transcript of so many turns of seven words."""
    file.write_text("".join(f"User: loaf {i} of rye bread was baked\n\nAssistant: noted\n\n" for i in range(count)))
    return file


@pytest.mark.slow
def test_ctrl_c_in_an_import_says_what_is_in_what_waits_and_how_to_go_on(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = chats(tmp_path / "chat.txt", 12)
    file.write_text(file.read_text() + f"User: my key is {SECRET}\n")
    monkeypatch.setattr("pmg.ingest.build.BUILD_BATCH", 4)
    monkeypatch.setattr("pmg.ingest.build.LITTLE_WORDS", 20)
    calls: list[int] = []

    class Interrupted(WordEmbedder):
        def embed(self, texts, progress=None):  # type: ignore[no-untyped-def]
            calls.append(len(texts))
            if len(calls) == 2:
                raise KeyboardInterrupt
            return super().embed(texts, progress)

    with monkeypatch.context() as patch:
        patch.setattr("pmg.ingest.model_in_force.open_embedder", lambda *_: Interrupted())
        stopped = run("import", str(file))
    assert stopped.exit_code == 130
    told = " ".join(stopped.stderr.split())
    assert "13 turns came in and stay. 9 of the memory's turns have no vectors yet: words find them." in told
    assert "Secrets left out: " in told and SECRET not in told
    assert "Give the same command again to go on" in told and "`pmg serve`" in told
    asked = run("recall", "loaf 7")
    assert "loaf 7 of rye" in asked.stdout
    assert "9 turns have no vectors yet: words find them, meaning does not. `pmg serve` makes them while it runs, `pmg rebuild` at once." in " ".join(asked.stderr.split())  # fmt: skip
    again = good(run("import", str(file)))
    assert "Finished from an earlier import: 9 turns" in again
    assert "0 without vectors" in good(run("stats"))
    assert run("recall", "dough").stderr == ""


@pytest.mark.slow
def test_what_was_remembered_by_one_command_is_found_by_its_meaning_in_the_next(run: Run) -> None:
    good(run("remember", "the cat has to see a doctor"))
    assert "the cat has to see" in good(run("recall", "purr kitten"))
