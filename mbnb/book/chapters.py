"""The chapters of a book: finds them, reads them, makes their notebooks; executes none of them."""

from __future__ import annotations

import ast
import hashlib
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

PARAMETERS_TAG, INJECTED_TAG, CLAIMS_TAG = "parameters", "injected-parameters", "claims"
FOLDER, TOC, CONFIG = "notebooks", "_toc.yml", "_config.yml"


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
        # jupytext's ids are random: these are made of the content, so that no commit shuffles them.
        seen: dict[str, int] = {}
        for cell in read.cells:
            digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:12]
            seen[digest] = seen.get(digest, 0) + 1
            cell["id"] = digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"
        # Jupyter's jupytext extension would sync the two files by time of change; without its
        # metadata the notebook is plainly a product of the .py file.
        read.metadata.pop("jupytext", None)
        read.update(nbformat=4, nbformat_minor=5)
        return read

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """The parameters that the chapter takes and the values it has for them.

        Raises
        ------
        InputError
            If there is not one parameters cell, or it holds more than names and plain values.
        """
        cells = [c for c in self.notebook.cells if PARAMETERS_TAG in tags_of(c)]
        if len(cells) != 1:
            raise InputError(
                f"{self.path.name} has {len(cells)} cells tagged '{PARAMETERS_TAG}'; "
                "exactly one is allowed"
            )
        found = {}
        for statement in ast.parse(cells[0].source).body:
            try:
                match statement:
                    case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                        found[name] = ast.literal_eval(value)
                    case ast.Assign(targets=[ast.Name(id=name)], value=value):
                        found[name] = ast.literal_eval(value)
                    case _:
                        raise ValueError
            except ValueError:
                raise InputError(
                    f"the parameters cell of {self.path.name} holds '{ast.unparse(statement)}'; "
                    "only plain values given to a name are allowed there"
                ) from None
        return found


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
    candidates = [given.resolve()] if given else [here, *here.parents, Path(__file__).parents[2]]
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
    entries = [entry for entry in toc_entries(root) if entry.startswith(f"{FOLDER}/")]
    return [read_chapter(root / f"{entry}.py") for entry in entries]


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


def _files_in(entry: Any) -> Iterator[str]:
    if isinstance(entry, dict):
        yield from (str(entry[key]) for key in ("root", "file") if key in entry)
        entry = [value for value in entry.values() if isinstance(value, list)]
    if isinstance(entry, list):
        for value in entry:
            yield from _files_in(value)


def find_chapter(root: Path, wanted: str) -> Chapter:
    """A chapter by its number or letter (``9``, ``09``, ``A``), its name, or either of its files.

    Raises
    ------
    InputError
        If there is no such chapter; the message lists those there are.
    """
    chapters = read_chapters(root)
    name = Path(wanted).name.removesuffix(".py").removesuffix(".ipynb")
    for chapter in chapters:
        number, _, rest = chapter.name.partition("_")
        if name in (chapter.name, rest) or name.upper().zfill(len(number)) == number:
            return chapter
    known = ", ".join(chapter.name for chapter in chapters) or "none"
    raise InputError(f"there is no chapter '{wanted}'; the chapters are {known}")


def is_stale(chapter: Chapter) -> bool:
    """Whether the notebook beside a chapter is not what jupytext makes of its ``.py`` file."""
    if not chapter.twin.is_file():
        return True
    twin = nbformat.read(chapter.twin, as_version=4)
    return list(map(_content, twin.cells)) != list(map(_content, chapter.notebook.cells))


def _content(cell: NotebookNode) -> tuple[Any, ...]:
    return cell.cell_type, cell.source, dict(cell.metadata), bool(cell.get("outputs"))


def write_twins(root: Path) -> list[Path]:
    """Make the notebook beside each chapter from its ``.py`` file; those that changed."""
    stale = [c for c in map(read_chapter, sorted((root / FOLDER).glob("*.py"))) if is_stale(c)]
    for chapter in stale:
        nbformat.write(chapter.notebook, chapter.twin)
    return [chapter.twin for chapter in stale]
