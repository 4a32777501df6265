"""The wheel, installed away from the checkout: the commands, the sample memory, the notebooks and the page are all inside it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import time
import urllib.error
import urllib.request
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import pmg

ROOT = Path(__file__).resolve().parent.parent.parent
OUT = (".venv", ".git", "build", "dist", "*.egg-info", "__pycache__", ".*_cache", ".hypothesis", "screenshots")
TIMEOUT = 300  # seconds: only a server that never comes takes so long
Pmg = Callable[..., str]

pytestmark = [pytest.mark.slow, pytest.mark.model]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy, so that nothing is left behind in the checkout."""
    copied = tmp_path_factory.mktemp("wheel") / "source"
    shutil.copytree(ROOT, copied, ignore=shutil.ignore_patterns(*OUT))
    return copied


@pytest.fixture(scope="module")
def wheel(source: Path) -> Path:
    dist = source.parent / "dist"
    made = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--disable-pip-version-check",
        "--no-deps",
        "--no-build-isolation",
    ]
    subprocess.run([*made, "--no-index", "-w", str(dist), str(source)], check=True, cwd=dist.parent)
    (file,) = dist.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """An environment with the wheel. Its dependencies are those of this one, on the path by a .pth file: files of that kind inside that
    folder are not followed, so an editable installation of the checkout stays out."""
    place = wheel.parent.parent / "env"
    venv.create(place, with_pip=False)
    inside = Path(sysconfig.get_path("purelib", "venv", {"base": str(place), "platbase": str(place)}))
    paths = dict.fromkeys([sysconfig.get_path("purelib"), sysconfig.get_path("platlib")])
    (inside / "dependencies.pth").write_text("\n".join(paths), encoding="utf-8")
    python = Path(sysconfig.get_path("scripts", "venv", {"base": str(place), "platbase": str(place)})) / "python"
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--disable-pip-version-check",
        "--python",
        str(python),
        "install",
        "-q",
        "--no-deps",
    ]
    subprocess.run([*pip, "--no-index", "--ignore-installed", str(wheel)], check=True, cwd=place)
    return python


@pytest.fixture(scope="module")
def away(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("elsewhere")


@pytest.fixture(scope="module")
def environment(away: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PMG_", "PYTHON", "VIRTUAL_ENV"))}
    return kept | {"PMG_HOME": str(away / "memory"), "PMG_NO_BROWSER": "1"}


@pytest.fixture(scope="module")
def run(installed: Path, away: Path, environment: dict[str, str]) -> Pmg:
    """`pmg …` of that environment, in a folder that is not the checkout."""

    def typed(*words: str, program: str = "pmg") -> str:
        command = [str(installed.parent / program), *words]
        done = subprocess.run(command, cwd=away, env=environment, capture_output=True, text=True, timeout=TIMEOUT)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return typed


def test_the_wheel_holds_every_file_of_the_packages(wheel: Path) -> None:
    packed = set(zipfile.ZipFile(wheel).namelist())
    wanted = {
        file.relative_to(ROOT).as_posix()
        for room in ("pmg", "steward")
        for file in (ROOT / room).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert wanted <= packed
    assert not {name.split("/")[0] for name in packed} - {
        "pmg",
        "steward",
        f"private_memory_graph-{pmg.__version__}.dist-info",
    }


def shipped() -> set[str]:
    """Of data/ only the sample memory, and the notebooks."""
    files = [*(ROOT / "data").glob("sample*.jsonl"), *(ROOT / "notebooks").glob("*.ipynb")]
    return {file.relative_to(ROOT).as_posix() for file in files}


def test_what_teaches_and_measures_is_not_in_the_wheel(wheel: Path) -> None:
    place = "pmg/_shipped/"
    packed = {name.removeprefix(place) for name in zipfile.ZipFile(wheel).namelist() if name.startswith(place)}
    assert packed == shipped()


def test_what_teaches_and_measures_is_not_in_the_source_archive(source: Path, tmp_path: Path) -> None:
    code = "import sys; from setuptools.build_meta import build_sdist; build_sdist(sys.argv[1])"
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, cwd=source, capture_output=True)
    (file,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(file) as archive:
        packed = {one.name.partition("/")[2] for one in archive.getmembers() if one.isfile()}
    assert {name for name in packed if name.startswith(("data/", "notebooks/"))} == shipped()
    assert not {name for name in packed if name.split("/")[0] in ("benchmarks", "training", "tests")}
    assert {"setup.py", "pmg/__init__.py", "steward/__init__.py"} <= packed


def test_it_is_the_installed_code_that_runs(run: Pmg, installed: Path) -> None:
    place = run("-c", "import pmg, steward; print(pmg.__file__); print(steward.__file__)", program="python")
    assert all(line.startswith(str(installed.parent.parent)) for line in place.split())


def test_it_says_its_version(run: Pmg) -> None:
    assert run("--version").strip() == f"pmg {pmg.__version__}"
    told = run("-c", "from importlib.metadata import version; print(version('private-memory-graph'))", program="python")
    assert told.strip() == pmg.__version__


def test_the_sample_memory_and_the_notebooks_are_found(run: Pmg, away: Path) -> None:
    packed = Path(run("-c", "from pmg.base import shipped; print(shipped.folder('data'))", program="python").strip())
    whole = (ROOT / "data" / "sample.jsonl").read_bytes()
    assert (packed / "sample.jsonl").read_bytes() == whole
    (packed / "sample.jsonl").write_bytes(
        b"".join(whole.splitlines(keepends=True)[:10])
    )  # the rest is more of the same
    assert "sessions" in run("demo")
    run("notebooks", "books")
    wanted = {file.name for file in (ROOT / "notebooks").glob("*.ipynb")}
    assert {file.name for file in (away / "books").iterdir()} == wanted


def test_the_page_is_served(installed: Path, away: Path, environment: dict[str, str], run: Pmg) -> None:
    command = [str(installed.parent / "pmg"), "serve", "--port", "0"]
    with (
        (away / "log").open("w") as log,
        subprocess.Popen(command, cwd=away, env=environment, stdout=log, stderr=log) as server,
    ):
        try:
            note = _note(away / "memory" / "server.json", server)
            assert "ok" in _read(f"{note['address']}/healthz")
            _await_page(note)
        finally:
            run("serve", "--stop")
            server.wait(TIMEOUT)


def _note(file: Path, server: subprocess.Popen[bytes]) -> dict[str, str]:
    end = time.monotonic() + TIMEOUT
    while not file.exists():
        assert server.poll() is None and time.monotonic() < end, "the server did not come up"
        time.sleep(0.2)
    found: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return found


def _await_page(note: dict[str, str]) -> None:
    """Until the memory is open the server answers that it is starting (503)."""
    end = time.monotonic() + TIMEOUT
    while True:
        try:
            assert "gradio_config" in _read(note["address"], note["token"])
            return
        except urllib.error.HTTPError as error:
            assert error.code == 503 and time.monotonic() < end, f"the page did not come: {error}"
            time.sleep(0.3)


def _read(url: str, token: str = "") -> str:
    asked = urllib.request.Request(url, headers={"authorization": f"Bearer {token}"} if token else {})
    with urllib.request.urlopen(asked, timeout=TIMEOUT) as answer:
        return str(answer.read().decode())
