"""The how-to pages' commands and programs are run, and print what the pages say they print."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
# In the order in which a reader meets them: each goes on where the one before stopped.
PAGES = ("your_own_results", "choosing_a_size", "freezing")
PROGRAM = "from mbnb.cli import main; main(prog_name='mbnb')"
BLOCK = re.compile(r"^```(bash|python)\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?", re.M | re.S)


def blocks() -> Iterator[tuple[str, str, str, str | None]]:
    for page in PAGES:
        text = (ROOT / "book" / f"{page}.md").read_text(encoding="utf-8")
        for language, code, output in BLOCK.findall(text):
            yield page, language, code, output or None


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reader")


def run(code: str, language: str, place: Path) -> str:
    commands = [[code]]
    if language == "bash":
        lines = [shlex.split(line) for line in code.replace("\\\n", " ").splitlines()]
        assert all(line[0] == "mbnb" for line in lines)
        # Fewer trials than the page's: what is tested is that it works.
        more = {"report": ["--book", str(ROOT), "--trials", "3"]}
        commands = [[PROGRAM, *line[1:], *more.get(line[1], [])] for line in lines]
    environment = {**os.environ, "MBNB_CACHE": str(place / "cache"), "PYTHONWARNINGS": "error"}
    printed = ""
    for command in commands:
        done = subprocess.run(
            [sys.executable, "-c", *command],
            cwd=place,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        printed += done.stdout
    return printed


@pytest.mark.parametrize(("page", "language", "code", "output"), list(blocks()))
def test_what_a_how_to_page_shows_is_what_happens(
    page: str, language: str, code: str, output: str | None, place: Path
) -> None:
    printed = run(code, language, place)
    if output is not None:
        assert printed.rstrip() == output.rstrip(), page
