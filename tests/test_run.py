"""./run on machines that lack something: one sentence each, and nothing left behind."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TOOLS = ("dirname", "mkdir", "cat", "rm", "sh", "sleep")


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A copy of ./run on a machine with no Python at all."""
    shutil.copy(ROOT / "run", tmp_path)
    (tmp_path / "bin").mkdir()
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found
        (tmp_path / "bin" / tool).symlink_to(found)
    return tmp_path


def start(place: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["sh", str(place / "run"), *arguments],
        env={"PATH": str(place / "bin"), "HOME": str(place)},
        capture_output=True,
        text=True,
        timeout=60,
    )


def python(place: Path, script: str) -> None:
    path = place / "bin" / "python3"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def one_sentence(done: "subprocess.CompletedProcess[str]") -> str:
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""
    return done.stderr


def test_no_python(bare: Path) -> None:
    assert one_sentence(start(bare)).startswith("Rummysite needs Python 3.12 or newer.")
    assert not (bare / ".setup.lock").exists()


def test_python_that_exists_but_does_not_run(bare: Path) -> None:
    python(bare, "exit 127")
    assert one_sentence(start(bare)).startswith("Rummysite needs Python 3.12 or newer.")


def test_python_without_venv(bare: Path) -> None:
    python(bare, 'case "$2" in *ensurepip*) exit 1 ;; esac')
    assert "no venv module" in one_sentence(start(bare))
    assert not (bare / ".setup.lock").exists()


def test_no_network(bare: Path) -> None:
    made = 'mkdir -p .venv/bin && cp "$0" .venv/bin/python'
    python(
        bare,
        f'case "$2" in *hashlib*) echo sum ;; venv) {made} ;; pip) echo "Could not reach anything" >&2; exit 1 ;; esac',
    )
    (bare / "bin" / "cp").symlink_to(shutil.which("cp") or "")
    done = start(bare)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "Installing requirements.txt ...",
        "The packages of requirements.txt could not be installed. Is there a network? .venv/pip.log says more.",
    ]
    assert not (bare / ".setup.lock").exists()


def test_a_word_that_it_does_not_know(bare: Path) -> None:
    assert "[play | test | bench | manage ...]" in one_sentence(start(bare, "fly"))
