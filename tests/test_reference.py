"""The reference page names what the package hands on, and nothing else."""

import re
from pathlib import Path

import mbnb

PAGE = Path(__file__).parents[1] / "book" / "reference.md"


def test_reference_has_every_name_once() -> None:
    cells = re.findall(r"^\| (`.+?) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    named = [name for cell in cells for name in re.findall(r"`(\w+)", cell)]
    assert sorted(named) == sorted(mbnb.__all__)
    assert len(named) <= 80
