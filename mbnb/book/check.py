"""Checks of chapters, before and after their execution; changes nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from mbnb.book.chapters import (
    FOLDER,
    INJECTED_TAG,
    KERNEL,
    PARAMETERS_TAG,
    Chapter,
    chapter_paths,
    read_chapter,
    tags_of,
    toc_entries,
)
from mbnb.book.parameters import check_value
from mbnb.data.errors import InputError

SETTINGS = {"exclusive": bool, "timeout": int, "quick": dict}
WRITE = "run 'mbnb check --write'"
# These take the threshold from the chapter's parameters.
JUDGED = ("study.mdad", "study.rule", "study.compare")


def source_problems(root: Path) -> list[str]:
    """What is wrong with the sources of a book, one sentence each, each naming its file."""
    try:
        paths = chapter_paths(root)
    except InputError as error:
        return [str(error)]
    problems = list(_order_problems(root, paths))
    chapters = []
    for path in paths:
        where = f"{FOLDER}/{path.name}"
        try:
            chapters.append(read_chapter(path))
            problems += [f"{where}: {text}" for text in _chapter_problems(chapters[-1])]
        except InputError as error:
            problems.append(f"{where}: {error}")
    return problems


def executed_problems(name: str, notebook: NotebookNode) -> list[str]:
    """What forbids publishing an executed chapter, one sentence each, each naming the cell."""
    problems = []
    code_cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    shown = [cell for cell in code_cells if INJECTED_TAG not in tags_of(cell)]
    for number, cell in enumerate(shown, start=1):
        where = describe_cell(name, number, cell.source)
        if cell.source.strip() and cell.execution_count is None:
            problems.append(f"{where} was not executed")
        problems += [f"{where} {text}" for text in _output_problems(cell)]
    if any("papermill-error-cell-tag" in tags_of(cell) for cell in notebook.cells):
        problems.append(f"{name} bears papermill's banner of a failed run")
    return problems


def executed_file_problems(path: Path) -> list[str]:
    """The same for a notebook on disk."""
    try:
        notebook = nbformat.read(path, as_version=4)
    except Exception as error:
        # nbformat raises half a dozen kinds for a broken file; each means the same here.
        return [f"{path.stem} is not a notebook ({' '.join(str(error).split())[:120]})"]
    return executed_problems(path.stem, notebook)


def describe_cell(name: str, number: int, source: str) -> str:
    """How messages name a cell: the chapter, which code cell it is, and its first line."""
    lines = [line for line in source.splitlines() if line.strip()]
    return f"{name}, code cell {number} ({lines[0].strip() if lines else 'empty'})"


def _output_problems(cell: NotebookNode) -> Iterator[str]:
    for output in cell.get("outputs", []):
        if output.output_type == "error":
            yield f"raised {output.ename}: {output.evalue}"
        elif output.output_type == "stream" and output.name == "stderr":
            lines = output.text.strip().splitlines() or [""]
            yield f"printed to stderr: {lines[-1]}"
        elif any("widget" in kind for kind in output.get("data", {})):
            yield "shows a widget, which is dead in a book"


def _order_problems(root: Path, paths: list[Path]) -> Iterator[str]:
    names = [path.stem for path in paths]
    for path in sorted((root / FOLDER).glob("*")):
        if path.suffix in (".py", ".ipynb") and path.stem not in names:
            yield f"{FOLDER}/{path.name} is not in the table of contents"
    for position, name in enumerate(names, start=1):
        if not name.startswith(f"{position:02d}_"):
            yield (
                f"{FOLDER}/{name}.py is chapter {position} of the table of contents; its name "
                f"must begin with {position:02d}_"
            )
    for entry in toc_entries(root):
        if not entry.startswith(f"{FOLDER}/") and not any(
            (root / f"{entry}{ending}").is_file() for ending in ("", ".md", ".ipynb")
        ):
            yield f"the table of contents names {entry}, which is not there"


def _chapter_problems(chapter: Chapter) -> Iterator[str]:
    yield from _twin_problems(chapter)
    yield from _metadata_problems(chapter)
    try:
        defaults = chapter.defaults
    except InputError as error:
        yield str(error)
        return
    for name, value in {**defaults, **chapter.settings.get("quick", {})}.items():
        if name not in defaults:
            yield f"its quick profile sets '{name}', which is none of its parameters"
        try:
            check_value(name, value)
        except (InputError, TypeError) as error:
            yield str(error)
    yield from _use_problems(chapter)
    yield from _unseen_problems(chapter)


def _twin_problems(chapter: Chapter) -> Iterator[str]:
    if not chapter.twin.is_file():
        yield f"the notebook beside it is missing; {WRITE}"
    elif chapter.twin.read_text(encoding="utf-8") != chapter.twin_text:
        yield f"the notebook beside it is not the one that this file makes; {WRITE}"
    if "cell_metadata_filter" in chapter.text:
        yield "its header has a cell_metadata_filter, by which jupytext can drop tags; remove it"


def _metadata_problems(chapter: Chapter) -> Iterator[str]:
    kernel = chapter.notebook.metadata.get("kernelspec", {}).get("name")
    if kernel != KERNEL:
        yield f"its kernelspec is '{kernel}'; only '{KERNEL}' is allowed"
    settings = chapter.settings
    for key, value in settings.items():
        if type(value) is not SETTINGS.get(key):
            allowed = ", ".join(f"{name} ({kind.__name__})" for name, kind in SETTINGS.items())
            yield f"its mbnb metadata has {key} = {value!r}; allowed are {allowed}"


def _use_problems(chapter: Chapter) -> Iterator[str]:
    """A parameter must be checked in the next code cell, and something must read what came out."""
    sources = [cell.source for cell in chapter.code_cells]
    position = next(
        i for i, cell in enumerate(chapter.code_cells) if PARAMETERS_TAG in tags_of(cell)
    )
    checked: set[str | None] = set()
    read: set[str] = set()
    for number, source in enumerate(sources[position + 1 :], start=position + 2):
        try:
            tree = ast.parse(_without_magics(source))
        except SyntaxError as error:
            yield f"code cell {number} is not Python ({error.msg})"
            return
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and number == position + 2 and _calls(node, "parameters"):
                checked |= {keyword.arg for keyword in node.keywords}
                # `mbnb.parameters(globals())` takes them all.
                checked |= set(chapter.defaults) if node.args else set()
            elif isinstance(node, ast.Call) and _calls(node, "open_study"):
                read |= OPENED
            elif isinstance(node, ast.Attribute):
                read.add(node.attr)
                if isinstance(node.value, ast.Name) and f"{node.value.id}.{node.attr}" in JUDGED:
                    read.add("threshold")
            elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
                read.add(str(node.slice.value))
    for name in chapter.defaults:
        if name not in checked:
            yield (
                f"the parameter '{name}' is not handed to mbnb.parameters in the cell after the "
                "parameters cell"
            )
        elif name not in read:
            yield f"the parameter '{name}' is read by no later cell"


def _unseen_problems(chapter: Chapter) -> Iterator[str]:
    """What `mbnb.say` returns is shown where it is a cell's last value, and lost elsewhere."""
    for number, cell in enumerate(chapter.code_cells, start=1):
        try:
            statements = ast.parse(_without_magics(cell.source)).body
        except SyntaxError:
            # Said by `_use_problems`.
            return
        for statement in statements[:-1]:
            value = statement.value if isinstance(statement, ast.Expr) else None
            if isinstance(value, ast.Call) and _calls(value, "say"):
                yield (
                    f"code cell {number} says what no reader sees, since more code follows; "
                    "mbnb.say must be a cell's last line"
                )


def _calls(node: ast.Call, name: str) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr == name


def _without_magics(source: str) -> str:
    return "\n".join("" if line.lstrip()[:1] in "%!" else line for line in source.splitlines())
