"""Builds the pages of a book from a staged copy of its sources; executes no chapter."""

from __future__ import annotations

import hashlib
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import nbformat
import yaml
from nbformat import NotebookNode

from mbnb.book.chapters import CONFIG, FOLDER, TOC, tags_of, toc_entries
from mbnb.book.extension import FILES
from mbnb.book.keys import hash_files, versions
from mbnb.data.errors import InputError
from mbnb.plots import CSV

PAGES, STATIC = "book", "_static"
PDF = "micro-benchmark-book.pdf"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# What `glue` writes before the kind of an output that is pasted elsewhere.
GLUED = f"application/papermill.record/{CSV}"
# What turns staged sources into pages; another release may write other pages.
BUILDERS = (
    *("altair", "docutils", "jupyter-book", "myst-nb", "myst-parser", "pydata-sphinx-theme"),
    *("pygments", "sphinx", "sphinx-book-theme", "sphinx-mathjax-offline"),
    *("sphinxcontrib-bibtex", "vl-convert-python"),
)
# A root user has no sandbox; nothing foreign is opened, and the browser is to ask nobody.
BROWSER_FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-sync", "--no-pdf-header-footer", "--generate-pdf-document-outline"),
    # Time enough, on the page's own clock, to draw every chart and set every formula.
    "--virtual-time-budget=120000",
)
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class SiteFailed(Exception):
    """The pages could not be built; the message holds one line for each complaint."""


def stage(
    root: Path, staged: Path, notebooks: Mapping[str, Path], announcement: str, footer: str
) -> Path:
    """Make the folder that the pages are built from, so that the sources are never touched.

    Parameters
    ----------
    root, staged : Path
    notebooks : mapping
        The executed notebook of each chapter, by the chapter's name.
    announcement, footer : str
        At the top of every page, empty for the book's own edition, and at the end of every page.
    """
    shutil.rmtree(staged, ignore_errors=True)
    shutil.copytree(root / PAGES, staged / PAGES, ignore=shutil.ignore_patterns(STATIC, ".*"))
    if (root / PAGES / STATIC).is_dir():
        shutil.copytree(root / PAGES / STATIC, staged / STATIC)
    (staged / FOLDER).mkdir()
    for name, path in notebooks.items():
        notebook = nbformat.read(path, as_version=4)
        take_out_data(notebook, name, staged / FOLDER)
        nbformat.write(notebook, staged / FOLDER / f"{name}.ipynb")
    shutil.copyfile(root / TOC, staged / TOC)
    if (root / "CHANGELOG.md").is_file():  # which a page includes
        shutil.copyfile(root / "CHANGELOG.md", staged / "CHANGELOG.md")
    config = yaml.safe_load((root / CONFIG).read_text(encoding="utf-8"))
    pages = config.setdefault("html", {})
    pages["extra_footer"] = f'<p class="mbnb-imprint">{html.escape(footer)}</p>'
    if announcement:
        pages["announcement"] = html.escape(announcement)
    (staged / CONFIG).write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
    return staged


def take_out_data(notebook: NotebookNode, name: str, folder: Path) -> None:
    """Write each table of data that an output carries to a file, and take it out, in place.

    The files are named by the figure's label, by the key of what is pasted elsewhere, or by the
    chapter. Each cell that shows their data names them in its metadata, for the page's links.
    """
    for number, cell in enumerate(notebook.cells):
        label = cell.metadata.get("mystnb", {}).get("figure", {}).get("name")
        shown: list[str] = []
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if GLUED in data:
                key = output.metadata["scrapbook"]["name"]
                (folder / f"{key}.csv").write_text(data.pop(GLUED), encoding="utf-8")
            if CSV in data:
                stem = f"{label or f'{name}-cell-{number}'}{f'-{len(shown) + 1}' if shown else ''}"
                (folder / f"{stem}.csv").write_text(data.pop(CSV), encoding="utf-8")
                shown.append(f"{stem}.csv")
        if shown and not {"remove-cell", "remove-output"} & set(tags_of(cell)):
            cell.metadata[FILES] = shown


def check_target(target: Path) -> None:
    """Refuse to replace a folder that holds something other than a built book.

    Raises
    ------
    InputError
        If it does.
    """
    if target.exists() and not target.is_dir():
        raise InputError(f"{target} is a file; the pages need a folder")
    if target.is_dir() and any(target.iterdir()) and not (target / "searchindex.js").is_file():
        raise InputError(f"{target} holds other files than a built book; give another folder")


def build_site(staged: Path, target: Path, *, pdf: bool = False) -> bool:
    """Build the pages strictly and put them at ``target`` in one step.

    Returns
    -------
    bool
        False if the pages there are complete and were made from the very same sources.

    Raises
    ------
    SiteFailed
        If Jupyter Book complains of anything; the previous pages stay as they were.
    InputError
        If a PDF is wanted and there is no browser to print it.
    """
    record = (
        staged.parent / f"site-{hashlib.sha256(str(target.resolve()).encode()).hexdigest()[:12]}"
    )
    code = hash_files(Path(__file__).parent)
    key = f"{hash_pages(staged)} {code} {json.dumps(versions(BUILDERS))} {pdf}"
    if record.is_file() and record.read_text("utf-8") == f"{key} {hash_pages(target)}":
        return False
    browser = find_browser() if pdf else ""
    pages = _jupyter_book(staged, "html")
    _write_landing_page(pages, toc_entries(staged)[0])
    if pdf:
        _print(_jupyter_book(staged, "singlehtml"), toc_entries(staged)[0], browser, pages / PDF)
    record.unlink(missing_ok=True)
    # A reader finds the old pages or the new, never half.
    fresh, old = (target.with_name(f".{target.name}.{state}") for state in ("new", "old"))
    for folder in (fresh, old):
        shutil.rmtree(folder, ignore_errors=True)
    # What no reader's browser loads: maps of the theme's scripts, and fonts beside smaller ones.
    shutil.copytree(pages, fresh, ignore=shutil.ignore_patterns("*.map", "*.ttf"))
    if target.exists():
        target.rename(old)
    fresh.rename(target)
    shutil.rmtree(old, ignore_errors=True)
    record.write_text(f"{key} {hash_pages(target)}", encoding="utf-8")
    return True


def hash_pages(folder: Path) -> str:
    """A hash of all that a folder of pages or of their sources holds; "" for none."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "_build" not in path.relative_to(folder).parts:
            digest.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def _jupyter_book(staged: Path, builder: str) -> Path:
    """Build by Jupyter Book and return the folder of what it made."""
    pages = staged / "_build" / builder
    call = "from jupyter_book.cli.main import main; main()"
    options = ["--builder", builder, "-W", "-n", "--keep-going", "--all", "-q"]
    run_strictly(
        [sys.executable, "-c", call, "build", str(staged), *options],
        staged,
        pages / "genindex.html" if builder == "html" else pages,
    )
    return pages


def run_strictly(command: list[str], source: Path, made: Path) -> None:
    """Run Sphinx or Jupyter Book, which must make something and complain of nothing.

    Raises
    ------
    SiteFailed
        If it complains; the message holds the lines that say so, with paths as the author knows
        them.
    """
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"},
    )
    if done.returncode or not made.exists():
        said = COLOUR.sub("", done.stdout + done.stderr)
        lines = said.replace(f"{source.resolve()}{os.sep}", "").splitlines()
        marks = ("WARNING", "ERROR", "CRITICAL", "Error:", "error:")
        wrong = [line for line in lines if any(mark in line for mark in marks)]
        shown = wrong or [line for line in lines if line.strip()][-10:]
        raise SiteFailed("\n".join(["Sphinx refused the pages:", *dict.fromkeys(shown)]))


def _write_landing_page(pages: Path, first: str) -> None:
    """Make ``index.html`` lead to the first page, which lies a folder deeper."""
    found = re.search("<title>(.*?)</title>", (pages / f"{first}.html").read_text("utf-8"), re.S)
    title = found.group(1).strip() if found else first
    (pages / "index.html").write_text(
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{title}</title>\n"
        f'<meta http-equiv="refresh" content="0; url={first}.html">\n'
        '<link rel="icon" href="data:,">\n'
        f'<link rel="canonical" href="{first}.html">\n</head>\n'
        f'<body><p><a href="{first}.html">{title}</a></p></body>\n</html>\n',
        encoding="utf-8",
    )


def find_browser() -> str:
    """The Chromium to print with.

    Raises
    ------
    InputError
        If there is none.
    """
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise InputError(
            f"a PDF needs Chromium, and none of {', '.join(BROWSERS)} is installed; install "
            "Debian’s package chromium or another of these."
        )
    return found


def _print(single: Path, first: str, browser: str, target: Path) -> None:
    """Print Jupyter Book's one long page.

    Its own builder `pdfhtml` prints the same page, but only with a browser that playwright has
    downloaded itself: it names no other. So the last step is done here, with the system's own.
    """
    page = (single / f"{first}.html").resolve().as_uri()
    with tempfile.TemporaryDirectory(prefix="mbnb-chromium-") as profile:
        command = [
            browser,
            *BROWSER_FLAGS,
            f"--user-data-dir={profile}",
            f"--print-to-pdf={target}",
        ]
        subprocess.run([*command, page], capture_output=True, check=False, timeout=600)
    if not target.is_file():
        raise SiteFailed(f"{browser} printed no PDF of {page}")
