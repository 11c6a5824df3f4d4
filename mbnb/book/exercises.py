"""A chapter's exercises taken out, for pages that are no lesson; writes and executes nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import jupytext
from nbformat import NotebookNode

from mbnb.book.chapters import Chapter, tags_of

SOLUTION = "solution"
_EXERCISES = re.compile(r"^## Exercises[^\n]*\n?", re.MULTILINE)
# A heading of the same level or above ends the section.
_NEXT = re.compile(r"^##? (?!#)", re.MULTILINE)


def without_exercises(cells: Sequence[NotebookNode]) -> list[NotebookNode]:
    """The cells without the section “Exercises” and without solutions, wherever they stand.

    The section goes from its heading to the next of its level, and code between the two goes too.
    A cell of which a part stays is changed in place.
    """
    kept, inside = [], False
    for cell in cells:
        if SOLUTION in tags_of(cell):
            continue
        if cell.cell_type != "markdown":
            if not inside:
                kept.append(cell)
            continue
        text, inside = _outside(cell.source, inside)
        if text.strip() or text == cell.source:
            cell.source = text
            kept.append(cell)
    return kept


def _outside(text: str, inside: bool) -> tuple[str, bool]:
    """What of a text is outside the section, and whether its end is inside."""
    if inside:
        end = _NEXT.search(text)
        if not end:
            return "", True
        text = text[end.start() :]
    start = _EXERCISES.search(text)
    if not start:
        return text, False
    rest, inside = _outside(text[start.end() :], True)
    return f"{text[: start.start()].rstrip()}\n\n{rest}".strip(), inside


def chapter_without_exercises(chapter: Chapter) -> Chapter:
    """The same chapter, of which no solution is executed."""
    notebook = jupytext.reads(chapter.text, fmt="py:percent")
    notebook.cells = without_exercises(notebook.cells)
    return replace(chapter, text=jupytext.writes(notebook, fmt="py:percent"))
