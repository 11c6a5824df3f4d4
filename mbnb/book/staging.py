"""Makes the folder that the pages are built from, so that the sources are never touched."""

from __future__ import annotations

import html
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import yaml

from mbnb.book.cache import STAGING
from mbnb.book.chapters import CONFIG, FOLDER, TOC
from mbnb.book.citation import citation_text
from mbnb.book.executions import executions_text
from mbnb.book.figure_files import take_out_data
from mbnb.book.reference import reference_text
from mbnb.book.repository import Repository
from mbnb.data.errors import InputError

PAGES = "book"
STATIC = "_static"
# Files of the book's folder that a page includes.
INCLUDED = ("CHANGELOG.md",)

_GENERATED = re.compile(r"^% generated: *(\S+)$", re.MULTILINE)


@dataclass(frozen=True)
class Imprint:
    """What the pages say of the edition that they belong to.

    Parameters
    ----------
    announcement : str
        At the top of every page; empty for the book's own edition.
    footer : str
        At the end of every page.
    repository : Repository, optional
        Where the sources are, for links to them and to services that run them.
    pdf : str
        Name of the PDF that will lie beside the pages; empty where none will.
    """

    announcement: str = ""
    footer: str = ""
    repository: Repository | None = None
    pdf: str = ""


def stage(
    root: Path,
    notebooks: Mapping[str, Path],
    imprint: Imprint,
    runs: Mapping[str, Mapping[str, Any]],
) -> Path:
    """Make the folder.

    Parameters
    ----------
    root : Path
        The book's folder.
    notebooks : mapping
        The executed notebook of each chapter, by the chapter's name.
    imprint : Imprint
    runs : mapping
        What is recorded of each chapter's execution, by the chapter's name.

    Returns
    -------
    Path
        The staged folder.

    Raises
    ------
    InputError
        If a page asks for a text that nothing generates.
    """
    staged = root / STAGING / "site"
    shutil.rmtree(staged, ignore_errors=True)
    staged.mkdir(parents=True)
    if (root / PAGES).is_dir():
        ignored = shutil.ignore_patterns(STATIC, ".*", "__pycache__")
        shutil.copytree(root / PAGES, staged / PAGES, ignore=ignored)
    if (root / PAGES / STATIC).is_dir():
        shutil.copytree(root / PAGES / STATIC, staged / STATIC)
    for name in INCLUDED:
        if (root / name).is_file():
            shutil.copyfile(root / name, staged / name)
    (staged / FOLDER).mkdir()
    for name, path in notebooks.items():
        notebook = nbformat.read(path, as_version=4)
        take_out_data(notebook, name, staged / FOLDER)
        nbformat.write(notebook, staged / FOLDER / f"{name}.ipynb")
    generators: dict[str, Callable[[], str]] = {
        "executions": lambda: executions_text(runs),
        "citation": lambda: citation_text(root),
        "reference": reference_text,
        "pdf": lambda: _pdf_text(imprint.pdf),
        "repository": imprint.repository.told if imprint.repository else str,
    }
    for page in sorted((staged / PAGES).glob("*.md")):
        _fill(page, generators)
    shutil.copyfile(root / TOC, staged / TOC)
    config = yaml.safe_load((root / CONFIG).read_text(encoding="utf-8"))
    _put_imprint(config, imprint)
    (staged / CONFIG).write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
    return staged


def _fill(page: Path, generators: Mapping[str, Callable[[], str]]) -> None:
    """Put generated texts in the place of the lines `% generated: NAME` of a page."""

    def generated(match: re.Match[str]) -> str:
        if match[1] not in generators:
            raise InputError(
                f"{page.name} asks for the generated text '{match[1]}'; there are "
                f"{', '.join(generators)}"
            )
        return generators[match[1]]()

    text = page.read_text(encoding="utf-8")
    filled = _GENERATED.sub(generated, text)
    if filled != text:
        page.write_text(filled, encoding="utf-8")


def _pdf_text(name: str) -> str:
    """A link that Sphinx does not follow: the PDF is printed from the finished pages."""
    if not name:
        return ""
    return f'<p class="mbnb-pdf"><a href="../{name}">The whole book as one PDF</a></p>\n'


def _put_imprint(config: dict[str, Any], imprint: Imprint) -> None:
    pages = config.setdefault("html", {})
    if imprint.announcement:
        pages["announcement"] = html.escape(imprint.announcement)
    if imprint.footer:
        pages["extra_footer"] = f'<p class="mbnb-imprint">{html.escape(imprint.footer)}</p>'
    if imprint.repository:
        imprint.repository.configure(config)
