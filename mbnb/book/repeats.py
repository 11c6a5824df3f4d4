"""Finds code that one chapter repeats from another; reads sources and changes nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from mbnb.book.chapters import PARAMETERS_TAG, Chapter, tags_of

# Shorter lines (`plt.close(figure)`) say too little to be a repetition.
SHORTEST = 30
# How every chapter begins.
OPENING = frozenset(("p = mbnb.parameters(globals())", "study = mbnb.open_study(p)"))
_IMPORT = re.compile(r"(import|from)\s")


def repeated_lines(chapters: Iterable[Chapter]) -> Iterator[str]:
    """A sentence about each line of code that stands in more than one chapter.

    What two chapters need is a function of `mbnb`. Imports, the parameters cell, the opening and
    lines below `SHORTEST` characters do not count.
    """
    places: dict[str, list[str]] = {}
    for chapter in chapters:
        for line in dict.fromkeys(_lines(chapter)):
            places.setdefault(line, []).append(f"{chapter.name}.py")
    for line, names in places.items():
        if len(names) > 1:
            yield f"the line `{line}` stands in {', '.join(names)}; put it into mbnb"


def _lines(chapter: Chapter) -> Iterator[str]:
    for cell in chapter.code_cells:
        if PARAMETERS_TAG in tags_of(cell):
            continue
        for line in map(str.strip, cell.source.splitlines()):
            is_short = len(line) < SHORTEST
            if not (is_short or line in OPENING or line.startswith("#") or _IMPORT.match(line)):
                yield line
