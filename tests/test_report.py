"""A report is one page that asks nobody for anything, holds one namespace, and lets no stored text act."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pmg.base.errors import InputError
from pmg.doctor import OK, WARN, Finding
from pmg.engine import Engine
from pmg.report import write_report
from pmg.report.suggest import HealthSigns, suggestions
from steward.steward import Steward
from tests.analytics.memory import CANARY, fill, two_namespaces, used

HOSTILE = "<img src=x onerror=alert(1)></script><script>alert(2)</script>"


def test_a_report_is_whole_private_and_needs_no_network(engine: Engine, tmp_path: Path) -> None:
    two_namespaces(engine)
    file = write_report(engine, tmp_path / "report.html")
    page = file.read_text(encoding="utf-8")
    assert CANARY not in page
    assert file.stat().st_mode & 0o777 == 0o600
    assert "default-src 'none'" in page
    assert not re.findall(r'<(?:script|link|img|iframe)[^>]+(?:src|href)=["\']?(?!data:)', page)
    for told in (
        "The state of your memory",
        "What you might do",
        "Topics",
        "People",
        "Health of the whole store",
        "Mara",
    ):
        assert told in page
    assert page.count("Plotly.newPlot(") >= 11


def test_words_of_memories_are_not_in_a_report(engine: Engine, tmp_path: Path) -> None:
    fill(engine, "default")
    used(engine, "default")
    page = write_report(engine, tmp_path / "report.html").read_text(encoding="utf-8")
    assert "went to the vet" not in page and "bread in the oven" not in page


def test_stored_text_in_a_report_is_only_text(engine: Engine, tmp_path: Path) -> None:
    fill(engine, "default", mark="")
    with engine.session(title="x", source=HOSTILE) as session:
        session.add(user="hello there", assistant="hi")
    page = write_report(engine, tmp_path / "report.html").read_text(encoding="utf-8")
    body = page[page.index("<body>") :]
    assert "<img" not in body and "alert(2)</script>" not in body
    assert body.count("<script>") == body.count("</script>") == body.count("Plotly.newPlot(")


def test_an_empty_memory_has_a_report_too(engine: Engine, tmp_path: Path) -> None:
    page = write_report(engine, tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Nothing is stored here yet" in page


def test_a_report_is_a_page(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.html"):
        write_report(engine, tmp_path / "report.txt")


def signs(**values: float) -> HealthSigns:
    usual = {
        "active": 100,
        "used": 50,
        "unlinked": 10,
        "recalls": 40,
        "pending": 0,
        "reviews": 0,
        "topics": 5,
        "answered": 1.0,
    }
    return HealthSigns(**{**usual, **values})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sign", "told"),
    [
        (signs(), "Nothing needs your hand"),
        (signs(pending=3), "3 memories have no vectors"),
        (signs(reviews=1), "1 pair sounds alike"),
        (signs(topics=0), "pmg steward run links"),
        (signs(unlinked=80), "pmg calibrate"),
        (signs(answered=0.5), "50% of recalls"),
        (signs(recalls=0, used=0), "Nothing was recalled yet"),
        (signs(used=1), "Only 1%"),
    ],
)
def test_signs_become_suggestions(sign: HealthSigns, told: str) -> None:
    (only,) = suggestions(sign, [Finding(OK, "fine")])
    assert told in only


def test_what_the_doctor_finds_comes_first() -> None:
    found = suggestions(
        signs(reviews=2), [Finding(WARN, "open to others", "chmod 700 x"), Finding(OK, "fine", "nothing")]
    )
    assert found[0] == "open to others: chmod 700 x" and len(found) == 2


def test_the_schedule_writes_one_where_it_is_wanted(open_engine) -> None:  # type: ignore[no-untyped-def]
    engine = open_engine(config={"steward": {"report": "0 6 1 * *"}})
    fill(engine, "default")
    told = Steward(engine).run(["report"], actor="schedule").text
    (file,) = (engine.config.home / "reports").iterdir()
    assert file.name in told and file.name.endswith("-default.html")
    assert file.stat().st_mode & 0o777 == 0o600


def test_nobody_gets_a_report_unasked(engine: Engine) -> None:
    fill(engine, "default")
    Steward(engine).run(["report"])
    assert not (engine.config.home / "reports").exists()
