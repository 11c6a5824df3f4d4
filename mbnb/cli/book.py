"""The commands of the book: `mbnb build`, `mbnb run` and `mbnb check`."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from mbnb.book.build import (
    PROFILES,
    STAGING,
    BuildFailed,
    Edition,
    available_cores,
    build_book,
    dataset_named,
    say,
)
from mbnb.book.chapters import FOLDER, Chapter, find_chapter, find_root, write_twins
from mbnb.book.check import executed_problems, source_problems
from mbnb.book.execute import Job, execute
from mbnb.book.page import chapter_page
from mbnb.book.parameters import check_value
from mbnb.data.errors import InputError
from mbnb.data.paths import given_path, replacing
from mbnb.data.responses import POLICIES

BAD_INPUT, NO = 2, 1
RUNS = Path("_build") / "runs"


def book_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option ``--book``."""
    return click.option(
        "--book",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        help="Folder of the book (with _toc.yml); by default the one around this folder.",
    )(command)


def jobs_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option ``--jobs``."""
    return click.option(
        "--jobs",
        type=click.IntRange(min=1),
        default=available_cores,
        help="Processes that may work at once; by default one for each core.",
    )(command)


@click.command()
@click.option("--dataset", help="Data set for every chapter that takes one: a name or a path.")
@click.option("--missing", type=click.Choice(POLICIES), help="Policy for missing answers.")
@click.option(
    "--profile",
    type=click.Choice(PROFILES),
    default=PROFILES[0],
    show_default=True,
    help="quick: a few trials in each chapter, to see whether everything works.",
)
@click.option("--out", help="Folder for the pages; by default _build/html of the book's folder.")
@click.option(
    "--pdf", is_flag=True, help="Print the whole book into a PDF beside the pages (Chromium)."
)
@jobs_option
@book_option
def build(
    dataset: str | None,
    missing: str | None,
    profile: str,
    out: str | None,
    pdf: bool,
    jobs: int,
    book: Path | None,
) -> None:
    """Execute the chapters that changed and build the book's pages.

    If anything fails, the pages of the last successful build stay.
    """
    edition = Edition(dataset and dataset_named(dataset), missing, profile)
    target = given_path(out) if out else None
    try:
        pages = build_book(find_root(book), edition, jobs, target, pdf=pdf)
    except BuildFailed as failure:
        say(f"{failure}\nThe book was not built.")
        raise click.exceptions.Exit(NO) from None
    click.echo(pages / "index.html")


@click.command()
@click.argument("chapter")
@click.option(
    "-p",
    "--parameter",
    "texts",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter's value, as JSON or plain text: -p n_trials=10 -p 'sizes=[10,50]'.",
)
@click.option("--out", help="File for the executed notebook; its page lies beside it (.html).")
@jobs_option
@book_option
def run(
    chapter: str, texts: tuple[str, ...], out: str | None, jobs: int, book: Path | None
) -> None:
    """Execute CHAPTER (its number, letter or name) with other parameters.

    Writes the executed notebook and a page to look at, and prints where the page is.
    """
    root = find_root(book)
    found = find_chapter(root, chapter)
    given = _read_parameters(found, texts)
    target = given_path(out) if out else root / RUNS / f"{_run_name(found, given)}.ipynb"
    if target.suffix != ".ipynb":
        raise InputError(f"--out must end in .ipynb; given: '{out}'")
    with tempfile.TemporaryDirectory(prefix="mbnb-run-") as folder:
        executed = Path(folder) / target.name
        [outcome] = execute([Job(found, given, executed, jobs)])
        if outcome.error:
            say(outcome.message)
            raise click.exceptions.Exit(BAD_INPUT if outcome.error == "InputError" else NO)
        page = chapter_page(executed, root, found)
        with replacing(target) as place:
            place.write_bytes(executed.read_bytes())
    with replacing(target.with_suffix(".html")) as place:
        place.write_text(page, encoding="utf-8")
    click.echo(target.with_suffix(".html"))


def _read_parameters(chapter: Chapter, texts: tuple[str, ...]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError(f"-p takes NAME=VALUE; given: '{text}'")
        if name not in chapter.defaults:
            raise InputError(
                f"chapter {chapter.name} has no parameter '{name}'; it has "
                f"{', '.join(chapter.defaults) or 'none'}"
            )
        if name in given:
            raise InputError(f"the parameter '{name}' is given twice")
        meant = check_value(name, value)
        given[name] = list(meant) if isinstance(meant, tuple) else meant
    if "dataset" in given:
        given["dataset"] = dataset_named(given["dataset"])
    return given


def _run_name(chapter: Chapter, given: dict[str, Any]) -> str:
    """A name for what was run, so that runs side by side do not overwrite one another."""
    told = [f"{name}={Path(v).name if name == 'dataset' else v}" for name, v in given.items()]
    return re.sub(r"[^\w.=,-]", "", "-".join([chapter.name, *told]))[:150]


@click.command()
@click.option(
    "--write", is_flag=True, help="First make the notebook beside each chapter from its .py file."
)
@book_option
def check(write: bool, book: Path | None) -> None:
    """Check the chapters and, where the book was built, what was executed."""
    root = find_root(book)
    if write:
        for path in write_twins(root):
            say(f"written: {path.relative_to(root)}")
    problems = source_problems(root)
    for path in sorted((root / STAGING / "site" / FOLDER).glob("*.ipynb")):
        problems += [f"executed: {text}" for text in executed_problems(path)]
    if problems:
        say("\n".join(problems))
        raise click.exceptions.Exit(NO)
    say("The chapters are sound.")
