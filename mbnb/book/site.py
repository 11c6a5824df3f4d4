"""Builds the HTML of a book from a staged copy of its sources; executes no chapter."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import mbnb
from mbnb.book.cache import STAGING, hash_files, versions
from mbnb.book.chapters import toc_entries
from mbnb.data.errors import InputError

OUTPUT = Path("_build") / "html"
# What turns staged sources into pages; another release may write other pages.
BUILDERS = (
    "altair",
    "docutils",
    "jupyter-book",
    "myst-nb",
    "myst-parser",
    "pydata-sphinx-theme",
    "pygments",
    "sphinx",
    "sphinx-book-theme",
    "sphinx-mathjax-offline",
    "sphinxcontrib-bibtex",
    "vl-convert-python",
)
JUPYTER_BOOK = "from jupyter_book.cli.main import main; main()"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class SiteFailed(Exception):
    """The pages could not be built; the message holds one line for each complaint."""


# What no reader's browser loads: maps of the theme's scripts for those who mend them, and fonts in
# a format that stands beside a smaller one.
LEFT_OUT = ("*.map", "*.ttf")


def check_target(target: Path) -> None:
    """Refuse to replace a folder that holds something other than a built book.

    Raises
    ------
    InputError
        If it does.
    """
    is_folder = target.is_dir()
    if target.exists() and not is_folder:
        raise InputError(f"{target} is a file; the pages need a folder")
    if is_folder and any(target.iterdir()) and not (target / "searchindex.js").is_file():
        raise InputError(f"{target} holds other files than a built book; give another folder")


def build_site(
    root: Path, staged: Path, target: Path, finish: Callable[[Path], None] = lambda pages: None
) -> bool:
    """Build the pages strictly and put them at ``target`` in one step.

    Parameters
    ----------
    root, staged, target : Path
    finish : callable
        What is still to be done in the folder of new pages before they are published.

    Returns
    -------
    bool
        False if the pages there are complete and were made from the very same sources.

    Raises
    ------
    SiteFailed
        If Jupyter Book complains of anything; the previous pages stay as they were.
    """
    place = hashlib.sha256(str(target.resolve()).encode()).hexdigest()[:12]
    record = root / STAGING / f"site-{place}.json"
    key = _site_key(staged)
    if _is_current(record, key, target):
        return False
    pages = _jupyter_book(staged)
    _write_landing_page(pages, toc_entries(staged)[0])
    finish(pages)
    record.unlink(missing_ok=True)
    _swap(pages, target)
    record.write_text(json.dumps({"key": key, "sizes": _sizes(target)}), encoding="utf-8")
    return True


def _site_key(staged: Path) -> str:
    sources = hash_files(staged, [path for path in staged.rglob("*") if path.is_file()])
    return f"{sources} {_package_code()} {json.dumps(versions(BUILDERS))}"


@cache
def _package_code() -> str:
    """A hash of the whole package, since the reference page is made from its docstrings."""
    package = Path(mbnb.__file__).parent
    return hash_files(package, package.rglob("*.py"))


def _is_current(record: Path, key: str, target: Path) -> bool:
    try:
        known = json.loads(record.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return known.get("key") == key and target.is_dir() and known.get("sizes") == _sizes(target)


def _sizes(folder: Path) -> dict[str, int]:
    return {
        path.relative_to(folder).as_posix(): path.stat().st_size
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _jupyter_book(staged: Path) -> Path:
    command = [sys.executable, "-c", JUPYTER_BOOK, "build", str(staged)]
    done = subprocess.run(
        [*command, "-W", "-n", "--keep-going", "--all", "-q"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"},
    )
    pages = staged / "_build" / "html"
    if done.returncode or not (pages / "search.html").is_file():
        raise SiteFailed(_complaints(done.stdout + done.stderr, staged))
    return pages


def _complaints(output: str, staged: Path) -> str:
    """The lines of Sphinx's output that say what is wrong, with paths as the author knows them."""
    lines = COLOUR.sub("", output).replace(f"{staged.resolve()}{os.sep}", "").splitlines()
    marks = ("WARNING", "ERROR", "CRITICAL", "Error:", "error:")
    wrong = [line for line in lines if any(mark in line for mark in marks)]
    release = importlib.metadata.version("jupyter-book")
    shown = wrong or [line for line in lines if line.strip()][-10:]
    return "\n".join([f"Jupyter Book {release} refused the book:", *dict.fromkeys(shown)])


def _write_landing_page(pages: Path, first: str) -> None:
    """Make ``index.html`` lead to the first page, which lies a folder deeper."""
    address = f"{first.removesuffix('.md').removesuffix('.ipynb')}.html"
    index = pages / "index.html"
    if address == index.name:
        return
    found = re.search("<title>(.*?)</title>", (pages / address).read_text("utf-8"), re.DOTALL)
    title = found.group(1).strip() if found else address
    index.write_text(
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{title}</title>\n"
        f'<meta http-equiv="refresh" content="0; url={address}">\n'
        '<link rel="icon" href="data:,">\n'
        f'<link rel="canonical" href="{address}">\n</head>\n'
        f'<body><p><a href="{address}">{title}</a></p></body>\n</html>\n',
        encoding="utf-8",
    )


def _swap(pages: Path, target: Path) -> None:
    """Replace the published folder; a reader finds the old pages or the new, never half."""
    fresh, old = (target.with_name(f".{target.name}.{state}") for state in ("new", "old"))
    for folder in (fresh, old):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(pages, fresh, ignore=shutil.ignore_patterns(*LEFT_OUT))
    if target.exists():
        target.rename(old)
    fresh.rename(target)
    shutil.rmtree(old, ignore_errors=True)
