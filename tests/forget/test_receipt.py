"""How a receipt reads: what was deleted and what was written anew apart, many files as counts by folder, one thing as one."""

from __future__ import annotations

from pmg.forget import ForgetReceipt

VAULT = tuple(f"/x/vault/2023/{month:02}/a{month}.md" for month in range(1, 6))


def test_deleted_and_written_anew_stand_apart() -> None:
    receipt = ForgetReceipt(rewritten=("/x/a.csv (written anew)", "/x/a.jsonl (deleted)", "/h/backups/b.duckdb"))
    assert receipt.deleted == ("/x/a.jsonl",)
    assert "Written anew: /x/a.csv, /h/backups/b.duckdb.\nDeleted: /x/a.jsonl." in receipt.text


def test_many_files_are_counted_by_folder() -> None:
    files = (*(f"{file} (deleted)" for file in VAULT), "/x/e.html (deleted)")
    assert "Deleted: 6 files (5 in /x/vault, 1 in /x)." in ForgetReceipt(rewritten=files).text


def test_one_is_no_plural() -> None:
    text = ForgetReceipt({"segments": 1, "sessions": 1, "topics": 1, "journal entries": 2}, files_scanned=1).text
    assert "Forgotten: 1 segment, 1 session, 1 topic, 2 journal entries." in text and "in 1 file (" in text


def test_who_opens_one_namespace_is_told_no_path_and_nothing_to_compare() -> None:
    """The number of pieces tells whether the same words stand elsewhere, in another namespace perhaps."""
    receipt = ForgetReceipt(
        {"segments": 1}, ("/x/of-another.html (written anew)",), ("/y/gone.jsonl",), 7, 2_000_000, 1521
    )
    told = receipt.for_one_namespace()
    assert (told.pieces, told.files_scanned, told.bytes_scanned) == (0, 0, 0) and "/" not in told.text
    assert told.text == (
        "Forgotten: 1 segment, 1 copy that could not be reached, 1 file written anew or deleted.\n"
        "Looked for it in every file: no trace of it."
    )


def test_where_all_of_its_words_stay_elsewhere_no_search_is_claimed() -> None:
    text = ForgetReceipt({"segments": 1}, files_scanned=3, bytes_scanned=1_000_000).text
    assert "there was nothing to look for in 3 files (1.0 MB)" in text and "no trace" not in text
