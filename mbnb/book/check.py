"""Checks of chapters, before and after their execution; changes nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from mbnb.book.chapters import (
    CLAIMS_TAG,
    FOLDER,
    PARAMETERS_TAG,
    Chapter,
    is_stale,
    read_chapter,
    tags_of,
    toc_entries,
)
from mbnb.book.parameters import Parameters, check_value
from mbnb.data.errors import InputError

# What Jupyter Book, papermill, the build and the report's page know; another tag is a slip.
TAGS = {
    *(f"{what}-{part}" for what in ("hide", "remove") for part in ("cell", "input", "output")),
    *(PARAMETERS_TAG, CLAIMS_TAG, "solution", "raises-exception"),
    *("book-only", "report-last"),
}


def source_problems(root: Path) -> list[str]:
    """What is wrong with the sources of a book, one sentence each, each naming its file."""
    try:
        entries = toc_entries(root)
    except InputError as error:
        return [str(error)]
    names = [Path(entry).name for entry in entries if entry.startswith(f"{FOLDER}/")]
    problems = [
        f"the table of contents names {entry}, which is not there"
        for entry in entries
        if not any((root / f"{entry}{end}").is_file() for end in (".md", ".py"))
    ]
    if names != sorted(names):
        problems.append("the chapters of the table of contents are not in order of their numbers")
    for path in sorted((root / FOLDER).glob("*.py")):
        if path.stem not in names:
            problems.append(f"{FOLDER}/{path.name} is not in the table of contents")
        try:
            problems += [f"{FOLDER}/{path.name}: {p}" for p in _problems_of(read_chapter(path))]
        except (InputError, SyntaxError) as error:
            problems.append(f"{FOLDER}/{path.name}: {error}")
    return problems


def _problems_of(chapter: Chapter) -> Iterator[str]:
    if is_stale(chapter):
        yield "the notebook beside it is not what it makes; run `mbnb check --write`"
    usual = {**{name: getattr(Parameters(), name) for name in Parameters.__struct_fields__}}
    usual |= _own_defaults(chapter)
    for name, value in chapter.defaults.items():
        try:
            if check_value(name, value) != check_value(name, usual.get(name)):
                yield (
                    f"its parameter {name} is {value!r}, but the default is {usual[name]!r}; "
                    "give another to open_study"
                )
        except InputError as error:
            yield str(error)
    for cell in chapter.notebook.cells:
        tags = set(tags_of(cell))
        where = f"the cell '{cell.source.strip().partition(chr(10))[0]}'"
        if strange := tags - TAGS:
            yield f"{where} has the tag '{min(strange)}'; there are {', '.join(sorted(TAGS))}"
        if CLAIMS_TAG in tags and "remove-cell" not in tags:
            yield f"{where} is tagged '{CLAIMS_TAG}' but not 'remove-cell'"


def _own_defaults(chapter: Chapter) -> dict[str, Any]:
    """The defaults that a chapter hands to `open_study`, or to `parameters`, beside globals()."""
    for cell in chapter.notebook.cells:
        if cell.cell_type == "code" and "globals()" in cell.source:
            for node in ast.walk(ast.parse(cell.source)):
                if isinstance(node, ast.Call) and "globals()" in map(ast.unparse, node.args):
                    return {str(word.arg): ast.literal_eval(word.value) for word in node.keywords}
    return {}


def executed_problems(path: Path, name: str = "") -> list[str]:
    """What forbids publishing an executed chapter, one sentence each, each naming the cell."""
    name = name or path.stem
    try:
        notebook = nbformat.read(path, as_version=4)
    except Exception as error:
        # nbformat raises half a dozen kinds for a broken file; each means the same here.
        return [f"{name} is not a notebook ({' '.join(str(error).split())[:120]})"]
    return [
        f"{name}, cell '{cell.source.strip().partition(chr(10))[0]}' {problem}"
        for cell in notebook.cells
        if cell.cell_type == "code" and cell.source.strip()
        for problem in _output_problems(cell)
    ]


def _output_problems(cell: NotebookNode) -> Iterator[str]:
    if cell.execution_count is None:
        yield "was not executed"
    for output in cell.outputs:
        if output.output_type == "error" and "raises-exception" not in tags_of(cell):
            yield f"raised {output.ename}: {output.evalue}"
        elif output.output_type == "stream" and output.name == "stderr":
            yield f"printed to stderr: {(output.text.strip().splitlines() or [''])[-1]}"
        elif any("widget" in kind for kind in output.get("data", {})):
            yield "shows a widget, which is dead in a book"
