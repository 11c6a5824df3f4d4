"""The chapters of a book: finds them, reads them, makes their notebooks; executes none of them."""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import yaml
from nbformat import NotebookNode

from mbnb.data.errors import InputError

PARAMETERS_TAG = "parameters"
INJECTED_TAG = "injected-parameters"
KERNEL = "python3"
FOLDER = "notebooks"
TOC = "_toc.yml"
CONFIG = "_config.yml"


@dataclass(frozen=True)
class Chapter:
    """One chapter: a py:percent file, the source of truth for the notebook beside it.

    Parameters
    ----------
    path : Path
        The ``.py`` file.
    text : str
        What it holds.
    """

    path: Path
    text: str

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def twin(self) -> Path:
        """The notebook that is made from this chapter."""
        return self.path.with_suffix(".ipynb")

    @cached_property
    def notebook(self) -> NotebookNode:
        """The chapter as a notebook without outputs; the same text always gives the same one."""
        read = jupytext.reads(self.text, fmt="py:percent")
        seen: dict[str, int] = {}
        for cell in read.cells:
            cell["id"] = _cell_id(cell, seen)
            if cell.cell_type == "code":
                cell.update(outputs=[], execution_count=None)
        # Jupyter's jupytext extension would sync the two files by time of change; without its
        # metadata the notebook is plainly a product of the .py file.
        metadata = {key: value for key, value in read.metadata.items() if key != "jupytext"}
        return nbformat.from_dict(
            {"cells": read.cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
        )

    @property
    def twin_text(self) -> str:
        """What the notebook beside the chapter has to hold, byte for byte."""
        return str(nbformat.writes(self.notebook, indent=1)) + "\n"

    @property
    def code_cells(self) -> list[NotebookNode]:
        return [cell for cell in self.notebook.cells if cell.cell_type == "code"]

    @property
    def parameter_cells(self) -> list[NotebookNode]:
        return [cell for cell in self.code_cells if PARAMETERS_TAG in tags_of(cell)]

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """The parameters that the chapter takes and the values it has for them.

        Raises
        ------
        InputError
            If the parameters cell is missing, is there twice, or holds more than plain values.
        """
        cells = self.parameter_cells
        if len(cells) != 1:
            raise InputError(
                f"{self.path.name} has {len(cells)} cells tagged '{PARAMETERS_TAG}'; "
                "exactly one is allowed"
            )
        return dict(_assignments(cells[0].source, self.path.name))

    @property
    def settings(self) -> dict[str, Any]:
        """The chapter's ``mbnb`` metadata: exclusive, timeout, quick."""
        return dict(json.loads(json.dumps(self.notebook.metadata.get("mbnb", {}))))


def tags_of(cell: NotebookNode) -> list[str]:
    """The tags of a cell."""
    return list(cell.metadata.get("tags", []))


def find_root(given: Path | None = None) -> Path:
    """The book's folder: the one given, else the nearest above here, else the package's own.

    Raises
    ------
    InputError
        If no book (``_toc.yml`` and ``_config.yml``) is there.
    """
    here = Path.cwd()
    candidates = [given.resolve()] if given else [here, *here.parents, Path(__file__).parents[3]]
    for folder in candidates:
        if (folder / TOC).is_file() and (folder / CONFIG).is_file():
            return folder
    raise InputError(f"there is no book ({TOC} and {CONFIG}) in {given or here} or above it")


def read_chapter(path: Path) -> Chapter:
    """Read one chapter.

    Raises
    ------
    InputError
        If the file is not there or is not UTF-8 text.
    """
    try:
        return Chapter(path, path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"the chapter {path.name} cannot be read ({why})") from None


def read_chapters(root: Path) -> list[Chapter]:
    """All chapters of the book, in the order of its table of contents.

    Raises
    ------
    InputError
        If the table of contents cannot be read or names a chapter that is not there.
    """
    return [read_chapter(path) for path in chapter_paths(root)]


def chapter_paths(root: Path) -> list[Path]:
    """The ``.py`` files that the table of contents stands for, whether they are there or not."""
    names = [entry for entry in toc_entries(root) if entry.startswith(f"{FOLDER}/")]
    return [root / f"{name.removesuffix('.ipynb')}.py" for name in names]


def toc_entries(root: Path) -> list[str]:
    """Every file that the table of contents names, the root first, as it is written there.

    Raises
    ------
    InputError
        If ``_toc.yml`` is not YAML.
    """
    try:
        return list(_files_in(yaml.safe_load((root / TOC).read_text(encoding="utf-8"))))
    except yaml.YAMLError as error:
        raise InputError(f"{root / TOC} is not YAML ({' '.join(str(error).split())})") from None


def toc_parts(root: Path) -> dict[str, str]:
    """The caption of the part that each file of `toc_entries` belongs to; "" for the root."""
    toc = yaml.safe_load((root / TOC).read_text(encoding="utf-8"))
    parts = dict.fromkeys(toc_entries(root), "")
    for part in toc.get("parts", []):
        parts |= dict.fromkeys(_files_in(part), str(part.get("caption", "")))
    return parts


def find_chapter(root: Path, wanted: str) -> Chapter:
    """A chapter by its number (``9``, ``09``), its name, or the path of either of its files.

    Raises
    ------
    InputError
        If there is no such chapter; the message lists those there are.
    """
    chapters = read_chapters(root)
    name = Path(wanted).name.removesuffix(".py").removesuffix(".ipynb")
    for chapter in chapters:
        number, _, rest = chapter.name.partition("_")
        if name in (chapter.name, rest) or (name.isdecimal() and int(name) == int(number)):
            return chapter
    known = ", ".join(chapter.name for chapter in chapters) or "none"
    raise InputError(f"there is no chapter '{wanted}'; the chapters are {known}")


def write_twins(root: Path) -> list[Path]:
    """Make the notebook beside each chapter from its ``.py`` file; those that changed."""
    changed = []
    for path in sorted((root / FOLDER).glob("*.py")):
        chapter = read_chapter(path)
        if not chapter.twin.is_file() or chapter.twin.read_text("utf-8") != chapter.twin_text:
            chapter.twin.write_text(chapter.twin_text, encoding="utf-8")
            changed.append(chapter.twin)
    return changed


def _files_in(entry: Any) -> Iterator[str]:
    if isinstance(entry, dict):
        for key in ("root", "file"):
            if key in entry:
                yield str(entry[key])
        for value in entry.values():
            if isinstance(value, list):
                yield from _files_in(value)
    elif isinstance(entry, list):
        for value in entry:
            yield from _files_in(value)


def _cell_id(cell: NotebookNode, seen: dict[str, int]) -> str:
    """An id made of the cell's content: stable, and inserting a cell changes no other's."""
    digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:12]
    seen[digest] = seen.get(digest, 0) + 1
    return digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"


def _assignments(source: str, where: str) -> Iterator[tuple[str, Any]]:
    """Names and literal values of a parameters cell; a derived value could not be overridden."""
    try:
        statements = ast.parse(source).body
    except SyntaxError as error:
        raise InputError(f"the parameters cell of {where} is not Python ({error.msg})") from None
    for statement in statements:
        target: ast.expr | None = None
        if isinstance(statement, ast.AnnAssign):
            target, value = statement.target, statement.value
            annotation = ast.unparse(statement.annotation)
            if not annotation.replace("[", "").replace("]", "").isidentifier():
                raise InputError(
                    f"the parameters cell of {where} has the type '{annotation}', which "
                    "papermill cannot read; a plain type such as int, str or list is allowed"
                )
        elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target, value = statement.targets[0], statement.value
        try:
            if not isinstance(target, ast.Name) or value is None:
                raise ValueError
            yield target.id, ast.literal_eval(value)
        except ValueError:
            raise InputError(
                f"the parameters cell of {where} holds '{ast.unparse(statement)}'; only plain "
                "values given to a name are allowed there"
            ) from None
